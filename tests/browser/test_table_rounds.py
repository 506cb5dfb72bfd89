"""Whole rounds on the felt with fixed shoes: every action, every wager, every question."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import WIDE, People
from tests.browser.houses import BrowserHouse
from tests.browser.playing import FULL, SPANISH, Sitting, opened
from ventiuna.table.presentation import MINUS

Shot = Callable[[Page, str], None]


@pytest.fixture
def sit(shared_house: BrowserHouse, people: People) -> Callable[..., Sitting]:
    def down(rules: str, *rounds: str, **settings: object) -> Sitting:
        table = opened(shared_house, rules, *rounds)
        page = people.page(shared_house, "Ana", path=f"#/table/{table}", settings=settings)
        return Sitting(page).take(4)

    return down


def test_hit_stand_double_and_surrender(sit: Callable[..., Sitting], shot: Shot) -> None:
    ana = sit(
        SPANISH,
        "Kh 6d 5c Kd 9s",  # hit and bust
        "Kh 6d 9c Kd Ks",  # stand
        "6h 6d 5c Kd 9h Qs",  # double
        "Kh 9d 6c Kd",  # surrender
    )
    ana.deal("10")
    ana.turn("15 against a 6")
    ana.play("h")
    ana.told("bust with 24")
    ana.over()
    ana.deal()  # no new wagers: repeat the last ones
    ana.turn("19 against a 6")
    ana.play("s")
    ana.over()
    expect(ana.page.locator(".pay.win")).to_contain_text("+$10")
    ana.deal()
    ana.turn("11 against a 6")
    ana.play("d")
    ana.turn("20 against a 6")
    expect(ana.page.get_by_label("six of hearts")).to_be_visible()
    expect(ana.page.locator(".amt")).to_have_text("$20")
    shot(ana.page, "doubled")
    ana.play("s")
    ana.over()
    ana.told("you win $20")
    ana.deal()
    ana.turn("16 against a 9")
    ana.play("u")
    ana.over()
    ana.told("you surrender")
    ana.holds("$515")


def test_three_doublings_and_rescue(sit: Callable[..., Sitting], shot: Shot) -> None:
    ana = sit(SPANISH, "2h 6d 3c Kd 2s 2c 2d")
    ana.deal("20")
    ana.turn("5 against a 6")
    ana.play("d")
    ana.turn("7 against a 6")
    expect(ana.action("double")).to_contain_text("Double-double")
    ana.play("d")
    ana.turn("9 against a 6")
    ana.play("d")
    ana.turn("11 against a 6")
    expect(ana.action("stand")).to_be_focused()  # and not on Hit, which is refused now
    expect(ana.page.locator(".amt")).to_have_text("$160")
    shot(ana.page, "three")
    ana.play("c")
    ana.over()
    ana.told("rescue")
    ana.holds("$420")


def test_a_pair_is_split_to_four_hands(sit: Callable[..., Sitting], shot: Shot) -> None:
    ana = sit(SPANISH, "8h 6d 8s Kd 8c 8d Kc Ks Qs Jc Kh")
    ana.deal("10")
    ana.turn("16 against a 6")
    hands = ana.page.locator('[data-spot="4"] .hand-at')
    for number in (2, 3, 4):
        ana.play("p")
        expect(hands).to_have_count(number)
    for hand in range(1, 5):
        ana.turn(f"hand {hand}: 18 against a 6")
        if hand == 2:
            ana.press("u")
            tip = ana.page.locator(".tip")
            expect(tip).to_contain_text("A split hand can't be surrendered.")
            expect(tip).to_contain_text("Rule 36.")
            expect(ana.action("surrender")).to_have_attribute("aria-disabled", "true")
        if hand == 4:
            shot(ana.page, "four")
        ana.play("s")
    ana.over()
    ana.holds("$540")
    expect(ana.page.locator('[data-spot="4"] .pay.win')).to_have_count(4)


def test_insurance_is_offered_with_its_amounts(sit: Callable[..., Sitting], shot: Shot) -> None:
    ana = sit(SPANISH, "9h Ac 8s Kd", "9h Ac 8s 9d", "9h Ac 8s 9d", coach="always")
    ana.deal("25")
    question = ana.page.get_by_role("button", name="Insure for $12.50")
    expect(question).to_be_focused()
    expect(ana.page.locator(".total.now")).to_have_text("17")  # the current hand is highlighted
    coach = ana.page.locator(".coach")
    expect(coach).to_contain_text("No insurance is the best play")
    shot(ana.page, "asked")
    ana.page.keyboard.press("i")
    ana.over()
    won = ana.page.locator(".log li").filter(has_text="Insurance: ")
    expect(won).to_contain_text("+$25")  # although the hand loses
    expect(coach).to_contain_text("It cost $3.03. That's 24.2¢ per $1 of the insurance.")
    ana.holds("$500")
    ana.deal()
    expect(question).to_be_visible()
    ana.page.get_by_role("button", name="Other amount").click()
    amount = ana.page.get_by_role("spinbutton", name="Amount")
    expect(amount).to_have_value("12.50")
    amount.fill("5")
    shot(ana.page, "amount")
    amount.press("Enter")
    ana.turn("17 against an ace")
    ana.told("take insurance for $5")
    ana.play("s")
    ana.over()
    ana.deal()
    ana.page.get_by_role("button", name="No insurance").click()
    ana.turn("17 against an ace")


def test_a_blackjack_is_paid_or_kept_to_be_doubled(sit: Callable[..., Sitting], shot: Shot) -> None:
    ana = sit(SPANISH, "Ah 6d Kc Kd", "Ah 6d Kc Kd 5s Ks")
    ana.deal("10")
    expect(ana.page.get_by_role("button", name="Get paid")).to_be_focused()
    ana.page.keyboard.press("b")
    ana.over()
    ana.holds("$515")
    ana.deal()
    expect(ana.page.get_by_role("button", name="Keep it to double")).to_be_visible()
    shot(ana.page, "asked")
    ana.page.keyboard.press("k")
    ana.turn("against a 6")
    ana.play("d")
    ana.turn("against a 6")
    expect(ana.page.locator(".amt")).to_have_text("$20")


def test_a_double_for_less_has_its_amount(sit: Callable[..., Sitting], shot: Shot) -> None:
    ana = sit("wsgc-2021", "6h 6d 5c Kd 9h Qs")
    ana.deal("20")
    ana.turn("11 against a 6")
    ana.page.get_by_role("button", name="For less").click()
    for width, height in ((390, 844), (360, 640), (844, 390)):
        ana.page.set_viewport_size({"width": width, "height": height})
        expect(ana.page.locator(".chooser")).to_be_in_viewport(ratio=1)
    ana.page.set_viewport_size(WIDE)
    ana.page.get_by_role("button", name="Half").click()
    shot(ana.page, "chooser")
    ana.page.get_by_role("button", name="Double for $10").click()
    ana.turn("20 against a 6")  # it can still be rescued
    expect(ana.page.locator(".amt")).to_have_text("$30")


def test_every_wager_is_placed_and_paid_in_its_position(
    sit: Callable[..., Sitting], shot: Shot
) -> None:
    ana = sit(FULL, "8h 4d 8s Ks Qs 6d 8d 2c 9s Kd")
    ana.wager("25 up 5 down 5 b1 1 b3 5 j1 j2")
    for wager, amount in (("hand", "$25"), ("mtd up", "$5"), ("mtd b1", "$1"), ("mtd b3", "$5")):
        expect(ana.circle(wager)).to_contain_text(amount)
    for jackpot in ("jackpot 1", "jackpot 2"):
        expect(ana.circle(jackpot)).to_have_attribute("aria-pressed", "true")
    shot(ana.page, "laid")
    ana.deal()
    ana.turn("16 against a 4")
    lost = ana.page.locator(".pay.loss")
    expect(lost).to_have_accessible_name(f"3 side bets lost {MINUS}$7")
    expect(lost).to_contain_text("3 lost")
    sides = ana.page.locator(".sw")
    assert [mark.get_attribute("class").split()[1] for mark in sides.all()] == [  # type: ignore[union-attr]
        *("lost", "rides", "lost", "empty", "won", "empty", "empty", "lost", "rides")
    ]
    expect(ana.page.locator(".pay.win")).to_contain_text("Bonus Card 3: 4 to 1 twice")
    ana.page.locator(".pay.win").click()
    expect(ana.page.get_by_role("dialog")).to_contain_text("Rule 21")
    shot(ana.page, "paid")
    ana.page.keyboard.press("Escape")
    expect(ana.page.get_by_role("dialog")).to_have_count(0)
    ana.play("s")
    ana.over()


def test_an_impossible_wager_says_why(sit: Callable[..., Sitting]) -> None:
    ana = sit(FULL, "8h 4d 8s Ks Qs 6d 8d 2c 9s Kd")
    tip = ana.page.locator(".tip")
    ana.circle("mtd up").click()
    expect(tip).to_have_text("Place the base wager first.")
    ana.circle("hand").click()
    expect(ana.circle("hand")).to_contain_text("$5")
    ana.circle("mtd up").click()
    ana.circle("mtd up").click()
    ana.page.get_by_label("Type your wagers").fill("1000")
    ana.page.keyboard.press("Enter")
    expect(tip).to_have_text("At most $300.")
    ana.page.get_by_label("Type your wagers").fill("25 under 5")
    ana.page.keyboard.press("Enter")
    expect(tip).to_contain_text("under")
    ana.page.keyboard.press("Escape")
    ana.circle("hand").click(button="right")
    expect(ana.circle("hand")).to_contain_text("Base")
    expect(ana.circle("hand")).not_to_contain_text("$")
    ana.deal_button.press("Enter")
    expect(tip).to_have_text("Place a base wager first.")


def test_wagers_are_undone_doubled_repeated_and_cleared(sit: Callable[..., Sitting]) -> None:
    ana = sit(SPANISH, "Kh 6d 9c Kd Ks")
    ana.circle("hand").click()
    ana.circle("hand").click()
    expect(ana.circle("hand")).to_contain_text("$10")
    ana.page.get_by_role("button", name="Double", exact=True).click()
    expect(ana.circle("hand")).to_contain_text("$20")
    ana.page.get_by_role("button", name="Undo").click()
    expect(ana.circle("hand")).to_contain_text("$10")
    ana.page.get_by_role("button", name="Clear").click()
    expect(ana.circle("hand")).not_to_contain_text("$")
    ana.page.get_by_role("button", name="Undo").click()
    expect(ana.circle("hand")).to_contain_text("$10")
    ana.deal()
    ana.turn("19 against a 6")
    ana.play("s")
    ana.over()
    ana.page.get_by_role("button", name="Repeat $10", exact=True).click()
    expect(ana.circle("hand")).to_contain_text("$10")
