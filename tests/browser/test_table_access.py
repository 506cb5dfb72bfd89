"""Accessibility of the table: keyboard only, phones, motion, themes, and no axe findings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests import IS_SOAK
from tests.browser.axe import check_axe
from tests.browser.conftest import PHONE, WIDE, People
from tests.browser.houses import BrowserHouse
from tests.browser.playing import FULL, SPANISH, Sitting, opened

Shot = Callable[[Page, str], None]
ROUND = "8h 4d 8s Ks Qs 6d 8d 2c 9s Kd 6s 9h"


def test_a_round_by_keyboard_only(shared_house: BrowserHouse, people: People) -> None:
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
    ana.press("p")  # refused: the message says why, and nothing moves
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


class Focus:
    """Performs actions and reports when focus is lost, which makes keyboard users start over."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lost: list[str] = []

    def after(self, name: str, do: Callable[[], object], then: Callable[[], object]) -> None:
        do()
        then()
        self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))"
        )
        if self.page.evaluate(
            "!document.activeElement || document.activeElement === document.body"
        ):
            self.lost.append(name)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
def test_focus_is_never_lost(
    shared_house: BrowserHouse, people: People, size: ViewportSize
) -> None:
    """Goes through the usual clicks, since the clicked button is often gone afterward."""
    rounds = ("8h 6d 8s Kd 2c 3c Ks 9s", "9h Ac 8s 9d", "7h 6d 5s Kd 2c 9s")
    table = opened(shared_house, SPANISH, *rounds)
    page = people.page(
        shared_house, "Ana", path=f"#/table/{table}", size=size, settings={"coach": "off"}
    )
    ana = Sitting(page)
    focus = Focus(page)
    is_wide = size is WIDE
    take = page.locator("main").get_by_role("button", name="Take spot 4", exact=True)
    buy = page.get_by_role("button", name="Buy $500", exact=True).first
    focus.after("take a spot", take.click, lambda: expect(buy).to_be_visible())
    focus.after("buy chips", buy.click, lambda: expect(ana.deal_button).to_be_visible())

    def laid(chips: str) -> Callable[[], object]:
        return lambda: expect(ana.circle("hand")).to_contain_text(chips)

    focus.after("bet", ana.circle("hand").click, laid("$5"))
    undo = page.get_by_role("button", name="Undo")
    focus.after("undo", undo.click, lambda: expect(ana.circle("hand")).not_to_contain_text("$"))
    focus.after("bet again", ana.circle("hand").click, laid("$5"))
    focus.after("deal", ana.deal_button.click, lambda: ana.turn("16 against a 6"))
    focus.after("split", ana.action("split").click, lambda: ana.turn("hand 1: 10 against a 6"))
    focus.after("hit", ana.action("hit").click, lambda: ana.turn("hand 1: 13 against a 6"))
    focus.after("stand", ana.action("stand").click, lambda: ana.turn("hand 2"))
    focus.after("end of round", ana.action("stand").click, ana.over)
    menu, settings = page.locator(".menu > summary"), page.get_by_role("dialog", name="Settings")
    item = page.locator(".menu-list").get_by_role("button", name="Settings")
    focus.after("open the menu", menu.click, lambda: expect(item).to_be_visible())
    focus.after("close the menu", menu.click, lambda: expect(item).not_to_be_visible())
    menu.click()
    focus.after("open the settings", item.click, lambda: expect(settings).to_be_visible())
    close = settings.get_by_role("button", name="Close", exact=True)
    focus.after("close the settings", close.click, lambda: expect(settings).to_have_count(0))
    menu.click()
    item.click()
    escape = lambda: page.keyboard.press("Escape")  # noqa: E731
    focus.after("leave the settings", escape, lambda: expect(settings).to_have_count(0))
    keys = page.get_by_role("dialog", name="Keys")
    show_keys = lambda: page.keyboard.press("?")  # noqa: E731
    focus.after("open the keys", show_keys, lambda: expect(keys).to_be_visible())
    focus.after("close the keys", escape, lambda: expect(keys).to_have_count(0))
    insure = page.get_by_role("button", name="No insurance")
    focus.after("deal the same", ana.deal_button.click, lambda: expect(insure).to_be_visible())
    focus.after("no insurance", insure.click, lambda: ana.turn("17 against an ace"))
    leave = page.get_by_role("dialog", name="Leave the table")
    menu.click()
    go = page.get_by_role("button", name="Leave the table")
    focus.after("ask to leave", go.click, lambda: expect(leave).to_be_visible())
    stay = leave.get_by_role("button", name="Stay")
    focus.after("stay", stay.click, lambda: expect(leave).to_have_count(0))
    focus.after("end of round 2", ana.action("stand").click, ana.over)
    ana.deal_button.click()
    ana.turn("12 against a 6")
    focus.after("double", ana.action("double").click, lambda: ana.turn("14 against a 6"))
    focus.after("stand after a double", ana.action("stand").click, ana.over)
    if is_wide:
        tag = page.locator(".pay").first
        about = page.get_by_role("dialog")
        focus.after("open a payment", tag.click, lambda: expect(about).to_be_visible())
        focus.after("close a payment", escape, lambda: expect(about).to_have_count(0))
    assert not focus.lost, f"focus was lost after: {', '.join(focus.lost)}"


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
    page.get_by_role("button", name="Ask the coach").click()
    expect(page.locator(".sheet .bars")).to_be_visible()
    shot(page, "coach")
    check_axe(page)
    page.get_by_role("button", name="Close").click()
    ana.action("split").click()
    ana.turn("hand 1")
    ana.action("surrender").click(force=True)
    expect(page.locator(".tip")).to_contain_text("A split hand can't be surrendered.")


def test_motion_ends_with_the_same_felt(shared_house: BrowserHouse, people: People) -> None:
    """With motion, the options appear once the cards are dealt; a click skips the animation."""
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


@pytest.mark.parametrize("deck", ["two", "four"])
def test_the_log_draws_suits_in_the_colors_of_the_deck(
    shared_house: BrowserHouse, people: People, deck: str
) -> None:
    table = opened(shared_house, SPANISH, "8h 6d 5s Kc 2c Ks 9s")
    page = people.page(
        shared_house, "Ana", path=f"#/table/{table}", settings={"deck": deck, "theme": "light"}
    )
    ana = Sitting(page).take(4)
    ana.deal("10")
    ana.turn("13 against a 6")
    ana.play("h")
    ana.turn("15 against a 6")
    drawn, around = page.evaluate(
        """() => {
          const find = (suit) => document.querySelector(`.log li .suit-${suit}`);
          const suits = ["c", "d", "h", "s"].map(find);
          const colors = (nodes) => nodes.map((node) => getComputedStyle(node).color);
          return [colors(suits), colors(suits.map((suit) => suit.closest("li")))];
        }"""
    )
    club, diamond, heart, spade = drawn
    assert spade == around[3], "spades are as dark as the words"
    assert (club == around[0]) == (deck == "two")
    assert (diamond == heart) == (deck == "two")
    assert len({club, diamond, heart, spade}) >= (4 if deck == "four" else 2)


LOOKS: dict[str, dict[str, object]] = {
    "daylight": {"theme": "light", "deck": "four"},
    "claret": {"theme": "dark", "felt": "claret", "coach": "always"},
    "midnight": {"theme": "dark", "felt": "midnight", "verbosity": "mine"},
}
ALL_STAGES = ("empty", "wagers", "decision", "keys")
STAGES = {"daylight": ("empty", "wagers"), "claret": ("decision",), "midnight": ("keys",)}


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_no_problems(
    shared_house: BrowserHouse, people: People, shot: Shot, look: str
) -> None:
    """Checks every stage in one of the looks, or in all of them in a soak."""
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
    expect(page.locator(".pay.loss")).to_have_count(1)  # all lost side bets together
    if "decision" in stages:
        check_axe(page)
    ana.play("p")
    ana.turn("hand 1")
    shot(page, "play")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    if "keys" in stages:
        check_axe(page)
