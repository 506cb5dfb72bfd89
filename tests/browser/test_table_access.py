"""The table for everyone: keyboard alone, a phone, motion, other lights; axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests import IS_SOAK
from tests.browser.axe import check_axe
from tests.browser.conftest import PHONE, People
from tests.browser.houses import BrowserHouse
from tests.browser.playing import FULL, SPANISH, Sitting, opened

Shot = Callable[[Page, str], None]
ROUND = "8h 4d 8s Ks Qs 6d 8d 2c 9s Kd 6s 9h"


def test_a_round_by_keyboard_alone(shared_house: BrowserHouse, people: People) -> None:
    table = opened(shared_house, SPANISH, "6h 6d 5c Kd 9h Qs")
    page = people.page(shared_house, "Ana", path=f"#/table/{table}")
    ana = Sitting(page)
    page.get_by_role("button", name="Take spot 4", exact=True).first.focus()
    page.keyboard.press("Enter")
    buy = page.get_by_role("button", name="Buy $500", exact=True)
    expect(buy.first).to_be_visible()
    buy.first.focus()
    page.keyboard.press("Enter")
    expect(ana.deal_button).to_be_visible()
    page.keyboard.press("]")
    page.keyboard.press("+")
    expect(ana.circle("hand")).to_contain_text("$25")
    page.keyboard.press("ArrowLeft")
    expect(ana.circle("mtd up")).to_be_focused()
    page.keyboard.press("[")
    page.keyboard.press("+")
    expect(ana.circle("mtd up")).to_contain_text("$5")
    page.keyboard.press("Backspace")
    expect(ana.circle("mtd up")).not_to_contain_text("$")
    page.keyboard.press("Enter")
    ana.turn("11 against a 6")
    alert = page.locator('[aria-live="assertive"]')
    expect(alert).to_contain_text("Your turn, spot 4: 11 against a six.")
    ana.press("p")  # refused: it says why and nothing moves
    expect(alert).to_contain_text("Rule")
    ana.press("d")
    ana.turn("20 against a 6")
    page.keyboard.press("g")
    expect(page.locator('[aria-live="polite"]')).to_contain_text("Dealer shows a six")
    ana.press("s")
    ana.over()
    assert page.evaluate("document.activeElement !== document.body"), "focus is never lost"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_have_count(0)


def test_a_round_on_a_phone(shared_house: BrowserHouse, people: People, shot: Shot) -> None:
    table = opened(shared_house, FULL, ROUND)
    page = people.page(shared_house, "Ana", path=f"#/table/{table}", size=PHONE)
    ana = Sitting(page)
    ana.take(4)
    ana.circle("hand").click()
    ana.circle("mtd b3").click()
    expect(ana.circle("mtd b3")).to_contain_text("$5")
    shot(page, "wagers")
    check_axe(page)
    ana.deal()
    ana.turn("16 against a 4")
    expect(ana.action("stand")).to_be_in_viewport()
    expect(ana.action("hit")).to_be_in_viewport()
    left, right = ana.action("stand").bounding_box(), ana.action("hit").bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] < right["x"], "Stand is on the left, Hit on the right"
    assert min(left["height"], right["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shot(page, "hand")
    page.get_by_role("button", name="Why").click()
    expect(page.locator(".sheet .bars")).to_be_visible()
    shot(page, "coach")
    check_axe(page)
    page.get_by_role("button", name="Close").click()
    ana.action("split").click()
    ana.turn("hand 1")
    ana.action("surrender").click(force=True)
    expect(page.locator(".tip")).to_contain_text("A split hand can't be surrendered.")


def test_motion_ends_in_the_same_felt(shared_house: BrowserHouse, people: People) -> None:
    """With motion the options come when the cards lie; a click skips."""
    table = opened(shared_house, SPANISH, "Kh 6d 9c Kd Ks")
    page = people.page(
        shared_house, "Ana", path=f"#/table/{table}", motion=True, settings={"speed": 0.5}
    )
    ana = Sitting(page).take(4)
    ana.deal("10")
    expect(page.get_by_label("king of hearts")).to_be_visible()
    page.locator("main").click(position={"x": 300, "y": 300})
    ana.turn("19 against a 6")
    page.keyboard.press("s")
    page.locator("main").click(position={"x": 300, "y": 300})
    ana.over()
    ana.told("Round 1 is over: you win $10.")


LOOKS: dict[str, dict[str, object]] = {
    "daylight": {"theme": "light", "deck": "four"},
    "claret": {"theme": "dark", "felt": "claret", "coach": "always"},
    "midnight": {"theme": "dark", "felt": "midnight", "verbosity": "mine"},
}
ALL_STAGES = ("empty", "wagers", "decision", "keys")
STAGES = {"daylight": ("empty", "wagers"), "claret": ("decision",), "midnight": ("keys",)}


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing(
    shared_house: BrowserHouse, people: People, shot: Shot, look: str
) -> None:
    """Every stage in one of the looks, and in a soak in all of them."""
    stages = ALL_STAGES if IS_SOAK else STAGES[look]
    table = opened(shared_house, FULL, ROUND)
    page = people.page(shared_house, "Ana", path=f"#/table/{table}", settings=LOOKS[look])
    expect(page.locator(".pays").first).to_be_visible()
    if "empty" in stages:
        check_axe(page)
    ana = Sitting(page).take(4)
    ana.wager("25 up 5 down 5 b3 5 j1")
    expect(page.locator(".costs")).to_be_visible()
    shot(page, "wagers")
    if "wagers" in stages:
        check_axe(page)
    if stages[-1] == "wagers":
        return
    ana.deal()
    ana.turn("16 against a 4")
    if LOOKS[look].get("coach") == "always":
        expect(page.locator(".act.best")).to_be_visible()
    expect(page.locator(".pay.loss")).to_have_count(0)
    if "decision" in stages:
        check_axe(page)
    ana.play("p")
    ana.turn("hand 1")
    shot(page, "play")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    if "keys" in stages:
        check_axe(page)
