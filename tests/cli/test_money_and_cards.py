"""Amounts, odds, and cards as people type them, and invalid ones."""

import pytest

from ventiuna.cards import CardError, parse_card
from ventiuna.money import LARGEST_AMOUNT, MoneyError, Odds, parse_amount


@pytest.mark.parametrize(
    ("value", "cents"),
    [
        (10, 1000),
        (7.5, 750),
        (0.1, 10),
        (123456789.12, 12345678912),  # no digit of a float is lost
        ("7.50", 750),
        ("$1,000.00", 100_000),
        (" 5 ", 500),
        (LARGEST_AMOUNT // 100, LARGEST_AMOUNT),
    ],
)
def test_amounts(value: object, cents: int) -> None:
    assert parse_amount(value) == cents


@pytest.mark.parametrize(
    "value",
    [
        *("", "-5", "5.005", "1e3", "1,00", "\u0665", "5\n5", "nan", "inf", "9" * 5000, "$", "5 $"),
        *(-5, 0.1 + 0.2, float("nan"), float("inf"), -0.5, LARGEST_AMOUNT, True, None, [5]),
    ],
)
def test_invalid_amounts(value: object) -> None:
    with pytest.raises(MoneyError):
        parse_amount(value)


@pytest.mark.parametrize(
    "text", ["", "3", "3 to", "3 to 0", "\u0663 to 2", "-3 to 2", "3/2", "9" * 5000]
)
def test_invalid_odds(text: str) -> None:
    with pytest.raises(MoneyError):
        Odds.parse(text)


def test_odds() -> None:
    assert Odds.parse("3:2") == Odds.parse("3 to 2") == Odds(3, 2)
    assert Odds.parse("13 for 2") == Odds(13, 2, returns_stake=False)
    assert Odds.parse(Odds(3, 2)) == Odds(3, 2)


@pytest.mark.parametrize("text", ["", "s", "7", "11s", "7x", "7 s", "\uff17s", "7ss", "x" * 5000])
def test_invalid_cards(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_card(text)
    assert len(str(caught.value)) < 200
