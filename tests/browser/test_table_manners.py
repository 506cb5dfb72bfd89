"""The table asks before a mistake, refuses in one sentence, and announces a void round."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import People
from tests.browser.houses import BrowserHouse
from tests.browser.playing import FULL, SPANISH, Sitting, opened

Shot = Callable[[Page, str], None]


def sitting(house: BrowserHouse, people: People, cards: str, **settings: object) -> Sitting:
    """Ana at spot 4 of a table with these cards."""
    table = opened(house, SPANISH, cards)
    return Sitting(people.page(house, "Ana", path=f"#/table/{table}", settings=settings)).take(4)


def test_a_costly_mistake_must_be_confirmed_first(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    ana = sitting(shared_house, people, "5h 6d 6c Kd 2h Qs", guard=25, coach="always")
    ana.deal("20")
    ana.turn("11 against a 6")
    expect(ana.page.locator(".act.best")).to_be_visible()  # the coach is done
    ana.play("s")
    question = ana.page.get_by_role("alertdialog")
    expect(question).to_contain_text(re.compile(r"^Stand costs \d+\.\d¢ per \$1\. Stand\?"))
    shot(ana.page, "asked")
    question.get_by_role("button", name="Think again").click()
    expect(question).to_have_count(0)
    ana.turn("11 against a 6")  # no action was taken
    ana.play("s")
    question.get_by_role("button", name="Stand anyway").click()
    ana.over()
    ana.told("You stand on 11.")


def test_keys_can_be_changed_and_letters_switched_off(
    shared_house: BrowserHouse, people: People
) -> None:
    ana = sitting(shared_house, people, "5h 6d 2c Kd 2h 9c Qs")
    page = ana.page
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    keys.get_by_role("button", name="H: change the key for hit").click()
    page.keyboard.press("m")
    expect(keys.get_by_role("button", name="M: change the key for hit")).to_be_visible()
    keys.get_by_role("button", name="Close", exact=True).click()
    ana.deal("10")
    ana.turn("7 against a 6")
    expect(ana.action("hit").locator("kbd")).to_have_text("M")
    ana.play("h")  # this key is no longer assigned
    ana.turn("7 against a 6")
    ana.play("m")
    ana.turn("9 against a 6")
    page.keyboard.press("?")
    keys.get_by_role("checkbox", name="Single-letter shortcuts").uncheck()
    keys.get_by_role("button", name="Close", exact=True).click()
    ana.play("m", "s")
    ana.turn("9 against a 6")
    ana.action("stand").click()
    ana.over()


def test_the_menu_closes_and_leaving_is_confirmed_in_the_page(
    shared_house: BrowserHouse, people: People
) -> None:
    ana = sitting(shared_house, people, "5h 6d 6c Kd 2h 3h Qs", coach="mistakes")
    page = ana.page
    menu = page.get_by_role("button", name="Settings")
    summary = page.locator(".menu > summary")
    summary.click()
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).not_to_be_visible()
    expect(summary).to_be_focused()
    summary.click()
    page.locator("main").click(position={"x": 300, "y": 300})
    expect(menu).not_to_be_visible()
    ana.deal("20")
    ana.turn("11 against a 6")
    page.get_by_role("button", name="Ask the coach").click()
    expect(page.locator(".bars")).to_be_visible()
    ana.play("h")  # worse than a double
    ana.turn("13 against a 6")
    expect(page.locator(".coach")).to_contain_text("You hit. Doubling was better.")
    page.get_by_role("button", name="Ask the coach").click()
    expect(page.locator(".coach .verdict")).to_contain_text("¢ per $1")
    summary.click()
    page.get_by_role("button", name="Leave the table").click()
    asked = page.get_by_role("dialog", name="Leave the table")
    expect(asked).to_contain_text("your hands stand")
    asked.get_by_role("button", name="Stay").click()
    expect(asked).to_have_count(0)
    ana.turn("13 against a 6")


def test_a_void_round_says_what_was_returned(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    table = opened(shared_house, SPANISH, "Kh 6d 5c Kd Qs")
    ana = Sitting(people.page(shared_house, "Ana", path=f"#/table/{table}")).take(4)
    ana.deal("25")
    ana.turn("15 against a 6")
    ana.holds("$475")
    told = shared_house.post("Olga", f"/tables/{table}/void", reason="a card was exposed")
    assert told.status_code == 200, told.text
    banner = ana.page.locator(".banner.bad")
    expect(banner).to_contain_text("a card was exposed")
    expect(banner).to_contain_text("All wagers are returned")
    shot(ana.page, "void")
    box, card = banner.bounding_box(), ana.page.locator(".slot, .lay").first.bounding_box()
    assert box is not None
    assert card is not None
    assert box["y"] >= card["y"] + card["height"], "the banner covers the up card"
    ana.over()
    ana.holds("$500")


def test_a_celebration_counts_up_to_its_amount(shared_house: BrowserHouse, people: People) -> None:
    """Only whole dollar amounts are shown along the way; Escape ends the celebration."""
    table = opened(shared_house, SPANISH, "7h 7d 7h Kd 7h Ks 5s")
    page = people.page(
        shared_house, "Ana", path=f"#/table/{table}", motion=True, settings={"speed": 2}
    )
    ana = Sitting(page).take(4)
    ana.deal("25")
    ana.turn("14 against a 7")
    page.evaluate(
        """() => {
          window.seen = [];
          new MutationObserver(() => {
            const text = document.querySelector(".party strong span")?.textContent;
            if (text && seen.at(-1) !== text) seen.push(text);
          }).observe(document.body, { childList: true, characterData: true, subtree: true });
        }"""
    )
    page.keyboard.press("h")
    party = page.locator(".party.super")
    expect(party).to_contain_text("Super Bonus: three 7s of one suit")
    # Screen readers get the final amount at once.
    expect(party.locator("strong .sr")).to_have_text("$5,000")
    page.wait_for_function("() => seen.at(-1) === '$5,000'")
    seen = page.evaluate("seen")
    amounts = [int(text.removeprefix("$").replace(",", "")) for text in seen]
    assert amounts == sorted(amounts)
    assert amounts[0] < amounts[-1], "it counts"
    page.keyboard.press("Escape")
    expect(party).to_have_count(0)


def test_invalid_input_is_refused_in_one_sentence(
    shared_house: BrowserHouse, people: People
) -> None:
    ana = sitting(shared_house, people, "Kh 6d 5c Kd Qs")
    field = ana.page.get_by_label("Type your wagers, such as 25 up 5")
    tip = ana.page.locator(".tip")
    for typed, told in {
        "25 25": "The base wager appears twice. Type it once.",
        "0": "The base wager can't be $0. Type an amount or leave it out.",
        "25 b3 5": "This table doesn't offer the Match the Dealer Bonus Card 3 wager",
        "25 up": "“up” needs an amount, such as up 5.",
        "much": "“much” isn't an amount or a wager. Type wagers like 25 up 5.",
    }.items():
        field.fill(typed)
        field.press("Enter")
        expect(tip).to_contain_text(told)
        expect(ana.circle("hand")).not_to_contain_text("$")


def test_zooming_to_two_hundred_percent_mirrors_nothing(
    shared_house: BrowserHouse, people: People
) -> None:
    """At 200% a laptop's window is as small as a phone, but Hit stays where it is on a desktop."""
    table = opened(shared_house, FULL, "8h 4d 8s Ks Qs 6d 8d 2c 9s Kd 6s 9h")
    page = people.page(
        shared_house,
        "Ana",
        path=f"#/table/{table}",
        size={"width": 512, "height": 800},
        screen={"width": 1600, "height": 1000},
    )
    ana = Sitting(page).take(4)
    ana.circle("hand").click()
    ana.deal()
    ana.turn("16 against a 4")
    hit, stand = ana.action("hit").bounding_box(), ana.action("stand").bounding_box()
    assert hit is not None
    assert stand is not None
    assert hit["x"] < stand["x"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
