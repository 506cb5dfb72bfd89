"""Section 12: Bonus 21 Payouts."""

import pytest

from tests.rounds import play, seat
from ventiuna.rules import load_rules

SPANISH_PRESETS = ["wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"]
DEALER = "9s Kh"

FIVE = "2c 3d / hit 4h / hit 5s / hit 7c"
SIX = "2c 3d / hit 4h / hit 5s / hit Ac / hit 6d"
SEVEN = "2c 2d / hit 2h / hit 3s / hit 3c / hit 4d / hit 5h"
EIGHT = "2c 2d / hit 2h / hit 2s / hit 3s / hit 3c / hit 3d / hit 4h"
NINE = "2c 2d / hit 2h / hit 2s / hit 3s / hit 3c / hit 3d / hit Ac / hit 3h"


def paid(hand: str, preset: str = "wsgc-2021", base: int = 10) -> tuple[str, str, str]:
    round_ = play(preset, DEALER, seat(hand, base=base))
    payment = round_.payment(1)
    return round_.result(), payment.odds, payment.reason


def test_r061_no_separate_wager_and_instead_of_even_money() -> None:
    round_ = play("wsgc-2021", DEALER, seat(FIVE, base=20))
    assert [payment.wager for payment in round_.payments] == ["hand"]
    assert round_.payment(1).stake == 20_00
    assert round_.payment(1).paid == 50_00  # the wager plus 3 to 2, and no even money on top


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
@pytest.mark.parametrize(
    ("hand", "net", "odds"),
    [
        ("2c 3d / hit 7h / hit 9d", "+10.00", "even money"),  # four cards
        (FIVE, "+15.00", "3 to 2"),
        (SIX, "+20.00", "2 to 1"),
        (SEVEN, "+30.00", "3 to 1"),
    ],
    ids=["four", "five", "six", "seven"],
)
def test_r062_by_number_of_cards(preset: str, hand: str, net: str, odds: str) -> None:
    assert paid(hand, preset)[:2] == (f"hand {net}", odds)


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
@pytest.mark.parametrize("hand", [EIGHT, NINE], ids=["eight", "nine"])
def test_d07_more_than_seven_cards_pay_like_seven(preset: str, hand: str) -> None:
    assert paid(hand, preset)[:2] == ("hand +30.00", "3 to 1")


def test_r062_only_on_21() -> None:
    assert play("wsgc-2021", "Ks Qh", f"{FIVE[:-2]}6c / stand").result() == "hand 0.00"  # 20


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
@pytest.mark.parametrize(
    ("hand", "net", "name"),
    [
        ("6c 7d / hit 8h", "+15.00", "6-7-8 of mixed suits"),
        ("6s 7s / hit 8h", "+15.00", "6-7-8 of mixed suits"),
        ("6c 7c / hit 8c", "+20.00", "6-7-8 of one suit"),
        ("6d 7d / hit 8d", "+20.00", "6-7-8 of one suit"),
        ("6h 7h / hit 8h", "+20.00", "6-7-8 of one suit"),
        ("6s 7s / hit 8s", "+30.00", "6-7-8 of spades"),
    ],
)
def test_r063_6_7_8_by_suits(preset: str, hand: str, net: str, name: str) -> None:
    result, _, reason = paid(hand, preset)
    assert (result, reason) == (f"hand {net}", name)


@pytest.mark.parametrize("order", ["678", "687", "768", "786", "867", "876"])
def test_o11_in_any_order(order: str) -> None:
    first, second, third = list(order)
    assert paid(f"{first}s {second}s / hit {third}s")[0] == "hand +30.00"


def test_o11_in_exactly_three_cards() -> None:
    # A 6-7-8 always has three cards; 21 with three cards of other ranks is a plain 21.
    assert paid("5c 7c / hit 9c")[0] == "hand +10.00"
    assert paid("6c 6d / hit 9c")[0] == "hand +10.00"
    assert paid("7c 7d / hit 2c / hit 5c")[0] == "hand +10.00"


@pytest.mark.parametrize("decks", [4, 5, 6, 8])
@pytest.mark.parametrize(
    ("hand", "net"),
    [
        ("7c 7d / hit 7h", "+15.00"),
        ("7s 7s / hit 7c", "+15.00"),
        ("7c 7c / hit 7c", "+20.00"),
        ("7h 7h / hit 7h", "+20.00"),
        ("7s 7s / hit 7s", "+30.00"),
    ],
)
def test_r064_7_7_7_with_four_or_more_decks(decks: int, hand: str, net: str) -> None:
    assert paid(hand, f"wsgc-2021(decks={decks})")[0] == f"hand {net}"


@pytest.mark.parametrize("preset", ["wsgc-spanish-21", "wsgc-2021", "wsgc-v002"])
@pytest.mark.parametrize("hand", ["7c 7d / hit 7h", "7h 7h / hit 7c", "7s 7s / hit 7d"])
def test_r065_7_7_7_with_two_decks_pays_2_to_1(preset: str, hand: str) -> None:
    result, odds, _ = paid(hand, f"{preset}(decks=2)")
    assert (result, odds) == ("hand +20.00", "2 to 1")


def test_r065_the_other_payouts_are_the_same_with_two_decks() -> None:
    two = "wsgc-2021(decks=2)"
    assert paid(FIVE, two)[0] == "hand +15.00"
    assert paid("6s 7s / hit 8s", two)[0] == "hand +30.00"
    assert paid("6c 7d / hit 8h", two)[0] == "hand +15.00"


def test_d21_two_deck_specials_only_where_the_documents_have_two_decks() -> None:
    for preset in ("wsgc-spanish-21", "wsgc-2021", "wsgc-v002"):
        form = load_rules(f"{preset}(decks=2)").super_bonus_form()
        assert form is not None
        assert form.rule == "R-068"
    for preset in ("casino-card", "catfish-bend"):
        assert [form.rule for form in load_rules(preset).super_bonus] == ["R-067"]


@pytest.mark.parametrize("last", ["7c", "8s"])
def test_r066_not_on_a_doubled_hand(last: str) -> None:
    start = FIVE.removesuffix(" / hit 7c") if last == "7c" else "6s 7s"
    doubled = play("wsgc-2021", DEALER, f"{start} / double {last}")
    assert doubled.result() == "hand +20.00"
    assert doubled.payment(1).odds == "even money"


def test_r066_not_after_doubling_earlier_in_the_hand() -> None:
    rules = "wsgc-2021(double_double=on)"
    five = play(rules, DEALER, "2c 3d / double 4h / ddd 5s / ddd 7c")
    assert five.result() == "hand +80.00"


def test_r066_on_a_split_hand_that_was_not_doubled() -> None:
    split = seat("7c 7d / split", "7c 6c / hit 8c", "7d 7h / double 7s")
    assert play("wsgc-2021", DEALER, split).result() == "hand +20.00 and +20.00"
