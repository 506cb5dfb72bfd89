"""Operators act and give a reason, which is recorded in the books; auditors only read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import PHONE, WIDE, People, spread
from tests.browser.houses import BrowserHouse, browser_house
from tests.browser.playing import SPANISH, Sitting, opened
from tests.browser.rounds import play_rounds
from tests.server.live_house import AtTable

Shot = Callable[[Page, str], None]
ROOMS = ("", "/floor", "/tables", "/jackpots", "/people", "/approvals", "/books")


@pytest.fixture(scope="module")
def house(
    tmp_path_factory: pytest.TempPathFactory, new_database: Callable[[], str]
) -> Iterator[BrowserHouse]:
    """A house for this module only, so its books contain nothing else."""
    with browser_house(tmp_path_factory.mktemp("house"), new_database()) as opened_house:
        yield opened_house


@pytest.fixture(scope="module")
def table(house: BrowserHouse) -> int:
    """A table with two rounds played by Ana."""
    house.add("Ana")
    number = house.open_table("wsgc-2021(jackpots=3c:1:seed=1000)", name="Table 1")
    play_rounds(house, number, "Ana", 2)
    return number


def test_an_operator_voids_a_round_with_a_reason(
    house: BrowserHouse, table: int, people: People, shot: Shot
) -> None:
    with AtTable(house, table, "Ana") as ana:
        ask = ana.wait_for_ask("wagers")
        ana.do("PlaceWagers", ask["n"], spot=4, base=1000)
        ana.do("Ready", ask["n"])
        page = people.page(house, "Olga", path="#/house/tables")
        page.get_by_role("button", name="More actions for Table 1").click()
        page.get_by_role("button", name="Void the round at Table 1").click()
        dialog = page.get_by_role("dialog", name="Void the round at Table 1")
        expect(dialog).to_contain_text("payouts already made are taken back")
        expect(dialog).to_contain_text("You can't undo this")
        check_axe(page)
        shot(page, "")
        dialog.get_by_role("button", name="Void round", exact=True).click()
        expect(dialog).to_be_visible()  # a reason is required
        dialog.get_by_label("Reason").fill("a card was exposed")
        dialog.get_by_role("button", name="Void round", exact=True).click()
        expect(dialog).not_to_be_visible()
    newest = house.get("Ana", "/history").json()[0]
    assert (newest["number"], newest["outcome"]) == (3, "void")
    found = house.get("Audrey", "/entries?text=was exposed").json()
    assert [(one["command"]["command"], one["actor"]) for one in found] == [
        ("VoidRound", f"person/{house.people['Olga'].id}")
    ]


def test_a_player_sees_why_a_round_was_called_off(house: BrowserHouse, people: People) -> None:
    house.add("Ben")
    number = opened(house, SPANISH, "9c Kd 7h 8c")
    page = people.page(house, "Ben", path=f"#/table/{number}")
    ben = Sitting(page).take(1)
    ben.deal("25")
    ben.turn("16 against a king")
    table = next(one for one in house.get("Olga", "/tables").json() if one["id"] == number)
    office = people.page(house, "Olga", path="#/house/tables")
    office.get_by_role("button", name=f"More actions for {table['name']}").last.click()
    office.get_by_role("button", name=f"Void the round at {table['name']}").click()
    dialog = office.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("a card fell off the table")
    dialog.get_by_role("button", name="Void round", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("a card fell off the table")
    ben.told("a card fell off the table")
    ben.over()
    ben.holds("$500")


def test_an_operator_seeds_a_jackpot_and_sees_the_movement(
    house: BrowserHouse, table: int, people: People, shot: Shot
) -> None:
    jackpot = house.get("", "/jackpots").json()[0]["id"]
    page = people.page(house, "Olga", path=f"#/house/jackpots/{jackpot}")
    page.get_by_role("button", name="Add seed to Table 1 jackpot 1").click()
    dialog = page.get_by_role("dialog", name="Add seed to Table 1 jackpot 1")
    dialog.get_by_label("Amount").fill("fifty")
    dialog.get_by_label("Reason").fill("a festive evening")
    dialog.get_by_role("button", name="Add seed", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("Enter an amount in dollars")
    dialog.get_by_label("Amount").fill("50.25")
    dialog.get_by_role("button", name="Add seed", exact=True).click()
    expect(dialog).not_to_be_visible()
    expect(page.get_by_role("cell", name="a festive evening")).to_be_visible()
    expect(page.get_by_text("+$50.25")).to_be_visible()
    assert house.get("", "/jackpots").json()[0]["shown"] == 105_025
    check_axe(page)
    shot(page, "")


def test_transactions_add_up_to_the_meter(house: BrowserHouse, people: People) -> None:
    house.add("Jack")
    number = house.open_table("wsgc-2021(jackpots=3c:1:seed=1000)", name="Meters")
    play_rounds(house, number, "Jack", 2, jackpots={"1": 100})
    jackpot = house.get("", f"/tables/{number}").json()["table"]["jackpots"]["1"]
    page = people.page(house, "Audrey", path=f"#/house/jackpots/{jackpot}")
    moved = page.get_by_role("group", name="Transactions").locator("td.r")
    expect(moved.first).not_to_be_empty()
    amounts = [re.sub(r"[+$,]", "", text) for text in moved.all_inner_texts()]
    total = sum(
        round(100 * float(amount.replace("\N{MINUS SIGN}", "-") or 0)) for amount in amounts
    )
    shown = house.get("Audrey", f"/jackpots/{jackpot}").json()["shown"]
    assert total == shown != 100_000


def test_an_operator_issues_money(house: BrowserHouse, people: People) -> None:
    house.add("Ida", money=0)
    page = people.page(house, "Olga", path="#/house/people")
    page.get_by_role("button", name="Issue play money to Ida").click()
    dialog = page.get_by_role("dialog", name="Issue play money to Ida")
    dialog.get_by_label("Amount").fill("1,250")
    dialog.get_by_label("Reason").fill("a birthday")
    dialog.get_by_role("button", name="Issue money", exact=True).click()
    expect(page.get_by_role("row", name="Ida").get_by_text("$1,250")).to_be_visible()


def test_an_auditor_reads_everything_and_can_do_nothing(
    house: BrowserHouse, table: int, people: People, shot: Shot
) -> None:
    page = people.page(house, "Audrey", path="#/house", settings={"theme": "light"})
    expect(page.get_by_text("balanced")).to_be_visible()
    page.get_by_role("button", name="Run audit").last.click()
    expect(page.get_by_text("No differences")).to_be_visible()
    for room, size in spread(ROOMS, [WIDE, PHONE]):
        page.set_viewport_size(size)
        page.goto(f"{house.served.address}/#/house{room}")
        expect(page.get_by_text("You're an auditor")).to_be_visible()
        expect(page.get_by_role("heading", level=2).first).to_be_visible()
        # Auditors have no actions.
        expect(page.locator("main [aria-haspopup=dialog]")).to_have_count(0)
        check_axe(page)
        shot(page, f"{room.strip('/') or 'today'}-{size['width']}")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_an_entry_is_found_and_opened(
    house: BrowserHouse, table: int, people: People, shot: Shot
) -> None:
    page = people.page(house, "Audrey", path=f"#/house/books/{table}")
    page.get_by_label("Action or reason").fill("buy chips")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("row")).to_have_count(2)
    expect(page.get_by_role("cell", name="Ana", exact=True)).to_be_visible()
    expect(
        page.get_by_role("cell", name="Ana's wallet → Ana's chips $1,000", exact=True)
    ).to_be_visible()
    page.get_by_role("button", name="Buy chips").click()
    expect(page.get_by_text("Ana's wallet → Ana's chips at Table 1")).to_be_visible()
    page.get_by_role("button", name="State after this entry").click()
    past = page.get_by_role("region", name="At a past moment")
    expect(past.get_by_role("heading", name="Table 1 after entry")).to_be_visible()
    expect(past.get_by_role("row", name="Ana")).to_contain_text("$1,000")
    shot(page, "")


def test_a_player_sees_nothing_of_the_house(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, "Ana", path="#/house")
    expect(page.get_by_role("main")).to_contain_text("operators, auditors and floor staff")
    expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)


def test_r010_an_operator_follows_the_checklist(house: BrowserHouse, people: People) -> None:
    """Two people inspect the deck, and the table deals; at the end, the cards go back."""
    house.post(
        "Olga", "/tables", name="Opening", rules="super-fun-21", inspection="required", reason="day"
    )
    page = people.page(house, "Olga", path="#/house/tables")
    page.get_by_role("link", name="Deck inspection").click()
    checklist = page.get_by_role("region", name="Deck inspection of Opening")
    expect(checklist).to_contain_text("0 of 1 are done")

    def record(button: str, label: str, **names: str) -> None:
        checklist.get_by_role("button", name=button).click()
        dialog = page.get_by_role("dialog")
        for field, value in names.items():
            dialog.get_by_label(field.replace("_", " ")).fill(value)
        dialog.get_by_role("button", name=label).click()
        expect(dialog).not_to_be_visible()

    record(
        "Inspect a deck at Opening",
        "Inspect a deck",
        Back_of_the_cards="red",
        Dealer="Dee",
        Supervisor="Sam",
    )
    expect(checklist).to_contain_text("2 jokers removed, 52 cards, red back")
    check_axe(page)
    record("Shuffle the decks at Opening", "Shuffle the decks")  # the names are filled in
    expect(checklist).to_contain_text("the table may deal")
    page.get_by_role("button", name="Close Opening").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("the day is over")
    dialog.get_by_role("button", name="Close").first.click()
    record("Return Opening's cards to their boxes", "Return cards to their boxes")
    expect(page.get_by_role("heading", name="Opening")).to_have_count(0)
