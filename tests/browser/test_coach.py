"""The coach next to the felt: the value of every choice, even before play, and the guard."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import DERIVED, PHONE, People
from tests.browser.houses import BrowserHouse
from tests.browser.playing import SPANISH, Sitting, opened

Shot = Callable[[Page, str], None]
ALWAYS: dict[str, object] = {"coach": "always", "guard": 10}
# Hit, stand, or surrender: 16 against a king, then 17.
SIXTEEN = "9c Kd 7h 8c Kc"
BLACKJACK = "Ac 7h Kd 9c 5h 8c"
ACE_UP = "9c Ad 7h 8c Kd"


def sat(
    house: BrowserHouse, people: People, cards: str, rules: str = SPANISH
) -> tuple[Page, Sitting]:
    table = opened(house, rules, cards)
    page = people.page(house, "Ana", path=f"#/table/{table}", settings=ALWAYS)
    ana = Sitting(page).take(1)
    ana.deal("25")
    return page, ana


def test_values_are_next_to_their_bars_and_the_chart_is_highlighted(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page, ana = sat(shared_house, people, SIXTEEN)
    ana.turn("16 against a king")
    bars = page.locator(".coach .bars")
    expect(bars.get_by_role("rowheader")).to_have_text(["Hit", "Surrender", "Stand", "Double"])
    for name in bars.get_by_role("rowheader").all():
        box, lane = name.bounding_box(), name.locator("xpath=..").locator(".lane").bounding_box()
        assert box is not None
        assert lane is not None
        assert box["x"] + box["width"] <= lane["x"] + 1
    expect(page.locator(".coach .why")).to_contain_text("¢ per $1 on average")
    rows = page.locator(".strip tbody th")
    expect(rows).to_have_text(["15", "16", "17"], timeout=DERIVED)
    expect(page.locator(".strip td.lit")).to_have_count(1)
    check_axe(page)
    shot(page, "wide")
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="Why").click()
    expect(page.locator(".sheet .bars")).to_be_visible()
    shot(page, "phone")


def test_a_mistake_must_be_confirmed_and_is_then_reported(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page, ana = sat(shared_house, people, SIXTEEN)
    ana.turn("16 against a king")
    expect(page.locator(".coach .bars")).to_be_visible()
    ana.press("d")
    guard = page.get_by_role("alertdialog")
    expect(guard).to_contain_text("Double costs")
    guard.get_by_role("button", name="Think again").click()
    ana.press("d")
    guard.get_by_role("button", name="Double anyway").click()
    ana.over()
    expect(page.locator(".coach .verdict")).to_have_text("You doubled. Hitting was better.")
    expect(page.locator(".coach .bars tr").filter(has_text="Double")).to_contain_text("(you)")
    shot(page, "told")


def test_a_double_for_less_is_guarded_at_its_own_price(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    """A full double costs 47.8 cents here, one for $12.50 half that, one for $5 a fifth."""
    page, ana = sat(shared_house, people, SIXTEEN, "wsgc-2021")
    ana.turn("16 against a king")
    expect(page.locator(".coach .bars")).to_be_visible()
    page.get_by_role("button", name="For less").click()
    amount = page.get_by_role("spinbutton")
    amount.fill("12.50")
    amount.press("Enter")
    guard = page.get_by_role("alertdialog")
    expect(guard).to_contain_text("Double costs 23.9¢ per $1")
    shot(page, "guard")
    guard.get_by_role("button", name="Think again").click()
    page.get_by_role("button", name="For less").click()
    amount.fill("5")
    amount.press("Enter")
    ana.over()
    expect(guard).to_have_count(0)
    expect(page.locator(".coach")).to_contain_text("You doubled. Hitting was better.")
    expect(page.locator(".coach")).to_contain_text("9.6¢ per $1 of the base wager")


def test_a_choice_below_the_threshold_is_not_called_a_mistake(
    shared_house: BrowserHouse, people: People
) -> None:
    """A double for $0.50 costs less than a cent per dollar."""
    page, ana = sat(shared_house, people, SIXTEEN, "wsgc-2021")
    ana.turn("16 against a king")
    expect(page.locator(".coach .bars")).to_be_visible()
    page.get_by_role("button", name="For less").click()
    amount = page.get_by_role("spinbutton")
    amount.fill("0.50")
    amount.press("Enter")
    ana.over()
    expect(page.locator(".coach")).to_contain_text("Cost per round")
    expect(page.locator(".coach")).not_to_contain_text("was better")


def test_a_blackjack_paid_or_kept_has_its_price(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page, ana = sat(shared_house, people, BLACKJACK)
    bars = page.locator(".coach .bars")
    expect(bars.get_by_role("row").nth(1)).to_contain_text("+$1.50")
    expect(bars.get_by_role("rowheader")).to_have_text(["Get paid", "Keep and double"])
    expect(page.locator(".act.best")).to_contain_text("Get paid")
    expect(page.locator(".coach .why")).to_contain_text("Keeping it costs nothing by itself")
    shot(page, "asked")
    page.keyboard.press("k")
    page.get_by_role("button", name="Keep and double anyway").click()
    ana.turn("Blackjack against a 7")
    expect(bars.get_by_role("rowheader")).to_have_text(["Stand", "Double"])
    ana.press("s")
    ana.over()
    ana.holds("$537.50")


def test_the_guard_asks_before_insurance(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page, ana = sat(shared_house, people, ACE_UP)
    expect(page.locator(".coach .bars").get_by_role("rowheader")).to_have_text(
        ["No insurance", "Insurance"]
    )
    expect(page.locator(".coach .why")).to_contain_text("per $1 wagered on average")
    page.keyboard.press("i")
    expect(page.get_by_role("alertdialog")).to_contain_text("Insurance costs 2")
    shot(page, "guard")
    page.get_by_role("button", name="Think again").press("Enter")
    page.keyboard.press("n")
    ana.turn("16 against an ace")
