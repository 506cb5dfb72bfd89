"""From nothing to a table in two clicks; tables, accounts, and opening tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import SIZES, People, spread
from tests.browser.houses import BrowserHouse

Shot = Callable[[Page, str], None]
METERS = (
    "wsgc-2021(mtd_configuration=4,bonus_cards=5,jackpots=3c:1:seed=1000+4d:1:wager=5:seed=5000)"
)


def forget_refusals(people: People) -> None:
    """Drop console errors about responses such as 401, which the test causes on purpose."""
    people.errors[:] = [error for error in people.errors if "status of 4" not in error]


def test_from_nothing_to_a_table_in_two_clicks(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house)
    page.get_by_text("Spanish 21, dealer stands", exact=True).click()
    page.get_by_role("main").get_by_label("Name (optional)").fill("Cleo")
    page.get_by_role("button", name="Deal me in").click()
    expect(page).to_have_url(re.compile(r"#/table/\d+$"))
    number = int(page.url.rpartition("/")[2])
    found = shared_house.get("", f"/tables/{number}").json()
    assert found["table"]["canonical"] == "wsgc-2021(soft_17=stand)"
    assert [(seat["name"], seat["seat"], seat["stack"]) for seat in found["seats"]] == [
        ("Cleo", 4, 100_000)
    ]
    assert found["ask"]["kind"] in ("cut_commit", "cut_open", "wagers")


@pytest.mark.parametrize(("theme", "size"), spread(["dark", "light"], ["wide", "phone"]))
def test_the_lobby_is_accessible(
    house: BrowserHouse, people: People, shot: Shot, theme: str, size: str
) -> None:
    house.add("Ana")
    for number, rules in enumerate(("wsgc-2021", "super-fun-21", METERS), start=1):
        house.open_table(rules, name=f"Table {number}")
    house.post("Ana", "/tables/own", rules="wsgc-2021")
    page = people.page(house, "Ana", path="#/lobby", size=SIZES[size], settings={"theme": theme})
    expect(page.get_by_role("table").get_by_role("row")).to_have_count(5)
    expect(page.get_by_text("You have a seat at Ana's table.")).to_be_visible()
    expect(page.get_by_text("$5,000").first).to_be_visible()
    check_axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    shot(page, "")


def test_the_hand_of_the_day_is_priced(shared_house: BrowserHouse, people: People) -> None:
    """The hand is the same for everyone, signed in or not, and depends on the house's clock."""
    told = shared_house.get("", "/learning/day").json()
    page = people.page(shared_house)
    day = page.get_by_role("region", name="Hand of the day")
    choices = day.get_by_role("button")
    expect(choices).to_have_count(len(told["advice"]["shoe"]["actions"]))
    worst = told["advice"]["shoe"]["actions"][-1]
    names = {"decline": "No insurance", "insure": "Insurance"}
    name = names.get(worst["action"], worst["action"].capitalize())
    day.get_by_role("button", name=name, exact=True).click()
    cents = 100 * worst["cost"]
    price = f"{cents:.1f}¢ per $1" if cents < 99.95 else f"${cents / 100:.2f} per $1"
    expect(day.get_by_role("status")).to_contain_text(f"{name} costs {price}")
    expect(choices).to_have_count(0)


def test_an_answer_to_the_hand_of_the_day_keeps_the_focus(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, size=SIZES["phone"])
    day = page.get_by_role("region", name="Hand of the day")
    day.get_by_role("button").last.press("Enter")
    expect(day.get_by_role("status")).to_be_focused()
    expect(day.get_by_role("link", name="Practice more hands")).to_be_visible()


def test_a_page_left_open_gets_the_next_hand_of_the_day(
    shared_house: BrowserHouse, people: People
) -> None:
    def tomorrow(route: Route) -> None:
        response = route.fetch()
        data = response.json()
        route.fulfill(response=response, json={**data, "day": data["day"] + 1})

    page = people.page(shared_house)
    day = page.get_by_role("region", name="Hand of the day")
    day.get_by_role("button").last.click()
    expect(day.get_by_role("status")).to_be_visible()
    page.route("**/lobby", tomorrow)
    expect(day.get_by_text("What's your play?")).to_be_visible()


def test_a_newcomer_reads_how_the_chosen_game_is_played(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house)
    plays = page.get_by_role("region", name="How it's played: Spanish 21, double-double")
    expect(plays).to_contain_text("without tens")
    expect(plays.get_by_text("6-7-8 of spades")).to_be_visible()
    page.get_by_text("Super Fun 21", exact=True).first.click()
    plays = page.get_by_role("region", name="How it's played: Super Fun 21")
    expect(plays).to_contain_text("One deck of 52 cards")


def test_a_player_can_sit_at_a_house_table_and_return_to_it(
    shared_house: BrowserHouse, people: People
) -> None:
    shared_house.add("Dora", money=50_000)
    number = shared_house.open_table("wsgc-2021", name="Window seat")
    page = people.page(shared_house, "Dora", path="#/lobby")
    page.get_by_role("button", name="Sit at Window seat").click()
    expect(page).to_have_url(re.compile(rf"#/table/{number}$"))
    page.goto(f"{shared_house.served.address}/#/lobby")
    expect(page.get_by_text("You have a seat at Window seat.")).to_be_visible()
    expect(page.get_by_role("link", name="Continue at Window seat")).to_be_visible()


def test_a_person_changes_the_password_and_self_excludes(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, path="#/lobby")
    page.get_by_role("button", name="Sign in").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Thea")
    dialog.get_by_label("Password").fill("seven seven seven")
    dialog.get_by_role("button", name="Create an account").click()
    expect(page.get_by_role("banner")).to_contain_text("Thea")
    page.get_by_role("button", name="Your account, Thea").click()
    dialog.get_by_text("Change your password").click()
    dialog.get_by_label("Current password").fill("seven seven seven")
    dialog.get_by_label("New password").fill("password")
    dialog.get_by_role("button", name="Change it").click()
    expect(page.get_by_role("alert")).to_contain_text("attackers try")
    dialog.get_by_label("New password").fill("nine nine nine")
    dialog.get_by_role("button", name="Change it").click()
    expect(dialog).not_to_be_visible()
    page.get_by_role("button", name="Your account, Thea").click()
    dialog.get_by_text("Limits on your play").click()
    dialog.get_by_label("Maximum to wager, in dollars").fill("90")
    dialog.get_by_role("button", name="Set limits").click()
    expect(dialog).not_to_be_visible()
    page.get_by_role("button", name="Your account, Thea").click()
    dialog.get_by_text("Limits on your play").click()
    dialog.get_by_label("Maximum to wager, in dollars (now $90)").fill("100")
    dialog.get_by_role("button", name="Set limits").click()
    page.get_by_role("button", name="Your account, Thea").click()
    dialog.get_by_text("Limits on your play").click()
    expect(dialog).to_contain_text("Your higher limits begin")
    dialog.get_by_label("Days").fill("7")
    dialog.get_by_role("button", name="Exclude me for 7 days").click()
    page.get_by_role("button", name="Sign in").click()
    dialog.get_by_label("Name", exact=True).fill("Thea")
    dialog.get_by_label("Password").fill("nine nine nine")
    dialog.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("You excluded yourself until")
    forget_refusals(people)


def test_the_account_is_on_every_page_and_a_new_visitor_starts_in_the_lobby(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, path="#/rules")
    page.get_by_role("button", name="Sign in").click()
    dialog = page.get_by_role("dialog", name="Sign in")
    dialog.get_by_label("Name", exact=True).fill("Tess")
    dialog.get_by_label("Password").fill("seven seven seven")
    dialog.get_by_role("button", name="Create an account").click()
    expect(page).to_have_url(re.compile("#/lobby$"))
    page.goto(f"{shared_house.served.address}/#/rules")
    page.get_by_role("button", name="Your account, Tess").click()
    expect(page.get_by_role("dialog")).to_contain_text("$1,000 in your wallet.")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page).to_have_url(re.compile("#/lobby$"))


def test_a_guest_who_registers_stays_the_same_person(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, path="#/lobby")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("dialog").get_by_label("Name (optional)").fill("Clio")
    page.get_by_role("button", name="Continue as guest").click()
    expect(page.get_by_role("banner")).to_contain_text("Clio")
    page.get_by_role("button", name="Your account, Clio").click()
    page.get_by_label("Password").fill("short")
    page.get_by_role("button", name="Set this password").click()
    expect(page.get_by_role("alert")).to_have_text("The password needs at least 8 characters.")
    page.get_by_label("Password").fill("seven seven seven")
    page.get_by_role("button", name="Set this password").click()
    expect(page.get_by_role("dialog")).not_to_be_visible()
    page.get_by_role("button", name="Your account, Clio").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You're signed in as Clio. $1,000 in your wallet.")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Name", exact=True).fill("Clio")
    page.get_by_label("Password").fill("seven seven eight")
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("Wrong name or password.")
    page.get_by_label("Password").fill("seven seven seven")
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("banner")).to_contain_text("Clio")
    forget_refusals(people)


def test_a_guest_is_warned_before_the_money_is_lost(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, path="#/lobby")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Continue as guest").click()
    page.get_by_role("button", name="Your account").click()
    dialog = page.get_by_role("dialog")
    leave = dialog.get_by_role("button", name="Sign out and lose the money")
    expect(leave).not_to_be_visible()
    dialog.get_by_text("Sign out", exact=True).click()
    expect(dialog).to_contain_text("this name and its money are gone for good")
    leave.click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_expert_options_stay_open_and_an_empty_limit_means_the_default(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, path="#/lobby/make")
    expect(page.get_by_label("Start from")).to_be_hidden()  # the games above are the start
    page.get_by_text("Expert options").click()
    page.get_by_text("Match the Dealer", exact=True).click()
    page.get_by_text("As text").click()
    largest = page.get_by_label("Largest Match the Dealer wager")
    expect(largest).to_have_attribute("placeholder", "The table maximum")
    code = page.get_by_label("in one line")
    usual = code.input_value()
    largest.fill("50")
    largest.blur()
    expect(code).to_have_value(re.compile("mtd_maximum=50"))
    largest.fill("")
    largest.blur()
    expect(code).to_have_value(usual)


def test_a_contradiction_is_reported_when_it_is_selected(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    shared_house.add("Eve")
    page = people.page(shared_house, "Eve", path="#/lobby/make")
    expect(page.get_by_label("Start from")).to_have_value("wsgc-2021")
    page.get_by_text("Expert options").click()
    page.get_by_text("As text").click()
    page.get_by_label("in one line").fill("wsgc-2021(mtd_configuration=4)")
    page.get_by_label("in one line").press("Enter")
    expect(page.locator(".conflicts").get_by_text("has 1 to 5 Bonus Cards")).to_be_visible()
    page.get_by_role("button", name="Open the table and sit down").click(force=True)
    told = page.locator(".sum").get_by_role("status")
    expect(told).to_contain_text("These rules conflict with each other.")
    expect(told).to_contain_text("has 1 to 5 Bonus Cards")
    expect(page.locator(".conflicts")).to_be_in_viewport()
    shot(page, "")
    check_axe(page, ".making")
    page.get_by_label("in one line").fill("wsgc-2021(mtd_configuration=4,bonus_cards=2)")
    page.get_by_label("in one line").press("Enter")
    expect(page.get_by_text("has 1 to 5 Bonus Cards")).to_have_count(0)
    expect(page.get_by_text("conflict with each other")).to_have_count(0)
    page.get_by_label("Table name").fill("Two cards more")
    page.get_by_role("button", name="Open the table and sit down").click()
    expect(page).to_have_url(re.compile(r"#/table/\d+$"))
    number = int(page.url.rpartition("/")[2])
    found = shared_house.get("", f"/tables/{number}").json()["table"]
    assert found["name"] == "Two cards more"
    assert found["canonical"] == "wsgc-2021(mtd_configuration=4,bonus_cards=2)"


def test_an_operator_opens_a_table_for_everyone(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, "Olga", path=f"#/lobby/make?rules={quote(METERS)}")
    page.get_by_role("button", name="everyone").click()
    page.get_by_label("Table name").fill("Table 7")
    page.get_by_label("Each decision").fill("45")
    expect(page.get_by_role("button", name="Open the table")).to_be_in_viewport(ratio=1)
    page.get_by_label("Reason").fill("a busy evening")
    expect(page.get_by_label("Jackpot 2 feeds")).to_be_visible()
    page.get_by_role("button", name="Open the table").click()
    expect(page).to_have_url(re.compile(r"#/table/\d+$"))
    number = int(page.url.rpartition("/")[2])
    entry = shared_house.get("Olga", f"/books/{number}").json()[0]
    assert entry["command"]["reason"] == "a busy evening"
    assert entry["command"]["clocks"] == {"decision": 45_000}
    assert number in [table["id"] for table in shared_house.get("", "/tables").json()]
