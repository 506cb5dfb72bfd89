"""Bonus 21 rows and instant wins: which row a hand fits, at every limit of a row."""

from typing import Any

import pytest

from tests.core.hands import hand, table
from ventiuna.core.base_game import bonus_row_fits, has_won_already, row_profit, winning_row

SPANISH = table("wsgc-2021")
FUN = table("super-fun-21")


def profit(text: str, doublings: int = 0, split: bool = False) -> int:
    """Profit on a $10 hand that is paid at once, or 0 if it is compared with the dealer."""
    row = winning_row(SPANISH, hand(text, doublings, split))
    return row_profit(SPANISH, row, 1000) if row >= 0 else 0


@pytest.mark.parametrize(
    ("text", "paid"),
    [
        ("Ks 9c 2d", 1000),
        ("8s 5c 6d 2h", 1000),
        ("8s 5c 3d 2h 3c", 1500),
        ("8s 4c 3d 2h 3c Ad", 2000),
        ("8s 3c 3d 2h 3c Ad Ah", 3000),
        ("7s 3c 3d 2h 3c Ad Ah Ac", 3000),
        ("6s 7c 8d", 1500),
        ("8d 7d 6d", 2000),
        ("7s 6s 8s", 3000),
        ("7s 7c 7d", 1500),
        ("7c 7c 7c", 2000),
        ("7s 7s 7s", 3000),
        ("Ks Jc", 0),
        ("As Kc", 0),
        ("Ks Jc 2d", 0),
    ],
)
def test_r062_r063_r064_payouts_of_a_21(text: str, paid: int) -> None:
    assert profit(text) == paid


@pytest.mark.parametrize("text", ["Ks 9c", "Ks Jc 2d", "As Kc"])
def test_r040_a_hand_that_no_row_pays_has_row_minus_one(text: str) -> None:
    assert winning_row(SPANISH, hand(text)) == -1
    assert winning_row(SPANISH._replace(bonus_lowest_total=0), hand(text)) == -1


def test_r066_a_doubled_21_is_paid_even_money_and_a_split_one_its_bonus() -> None:
    assert profit("8s 5c 3d 2h 3c", doublings=1) == 1000
    assert profit("6s 7s 8s", doublings=1) == 1000
    assert profit("8s 5c 3d 2h 3c", split=True) == 1500
    assert profit("As Kc", split=True) == 1000  # a 21, not a blackjack (O-05)


def test_every_limit_of_a_row_matters() -> None:
    row = winning_row(SPANISH, hand("8s 5c 3d 2h 3c"))
    shape = hand("8s 5c 3d 2h 3c")
    assert bonus_row_fits(SPANISH, row, shape)
    for field, outside in (
        ("bonus_min_cards", 6),
        ("bonus_max_cards", 4),
        ("bonus_min_total", 22),
        ("bonus_max_total", 20),
        ("bonus_ranks", 1),
        ("bonus_suits", 0),
    ):
        column = list(getattr(SPANISH, field))
        column[row] = outside
        changed: dict[str, Any] = {field: tuple(column)}
        assert not bonus_row_fits(SPANISH._replace(**changed), row, shape), field
    split = hand("8s 5c 3d 2h 3c", split=True)
    never_split = [0] * len(SPANISH.bonus_split)
    assert not bonus_row_fits(SPANISH._replace(bonus_split=tuple(never_split)), row, split)


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("2c 2d 3h 3s 4c 4d", True),
        ("2c 2d 3h 3s 4c 7d", True),
        ("2c 2d 3h 3s 4c", False),
        ("2c 3d 4h 5s 7c", True),  # 21 with five cards
        ("2c 3d 4h 5s 6c", False),
        ("5c 6d Kh", False),
        ("Ac Kd", False),
    ],
)
def test_r111_r112_instant_wins(text: str, won: bool) -> None:
    assert has_won_already(FUN, hand(text)) is won
    assert not has_won_already(FUN, hand(text, doublings=1))


def test_r039_a_spanish_21_does_not_end_the_hand_by_itself() -> None:
    soft_21 = hand("As 8c 2d")
    assert winning_row(SPANISH, soft_21) >= 0
    assert not has_won_already(SPANISH, soft_21)
