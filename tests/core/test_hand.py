"""Hands as a few ints: totals, soft and hard, blackjacks and pairs."""

import pytest

from tests.core.hands import hand
from ventiuna.core import cards as core
from ventiuna.core.cards import Hand, packed_ranks


def test_a_hand_counts_its_cards() -> None:
    assert hand("As 7d Kc") == Hand(3, 18, 1, packed_ranks((1, 7, 13)), 0b1011, 0, 0, 0)
    assert hand("8h", split=True) == Hand(1, 8, 0, packed_ranks((8,)), 0b0100, 0, 1, 0)
    assert hand("Ad", split=True) == Hand(1, 1, 1, packed_ranks((1,)), 0b0010, 0, 1, 1)
    assert core.doubled_hand(hand("5c 6d")) == hand("5c 6d")._replace(doublings=1)
    assert Hand(0, 0, 0, 0, 0, 0, 0, 0) == core.EMPTY_HAND


@pytest.mark.parametrize(
    ("text", "total", "soft"),
    [
        ("As", 11, True),
        ("As Ac", 12, True),
        ("As Kc", 21, True),
        ("As 9c Ad", 21, True),
        ("As Kc Qd", 21, False),
        ("As 5c 6d", 12, False),
        ("9s 2c", 11, False),
        ("Ks Qc 2d", 22, False),
    ],
)
def test_r011_an_ace_counts_eleven_unless_that_exceeds_21(
    text: str, total: int, soft: bool
) -> None:
    shape = hand(text)
    assert core.best_total(shape.hard, shape.aces) == total
    assert core.is_soft(shape.hard, shape.aces) is soft


def test_r013_a_hand_above_21_is_bust() -> None:
    assert not core.is_bust(hand("Ks Qc Ad"))
    assert core.is_bust(hand("Ks Qc 2d"))


@pytest.mark.parametrize(
    ("text", "doublings", "split", "found"),
    [
        ("As Kc", 0, False, True),
        ("Jd Ah", 0, False, True),
        ("As Kc", 1, False, False),
        ("As Kc", 0, True, False),
        ("As As", 0, False, False),
        ("5s 6c", 0, False, False),
        ("As 8c 2d", 0, False, False),
        ("9s Ac Ad", 0, False, False),
    ],
)
def test_r012_o05_a_blackjack_is_the_first_two_cards(
    text: str, doublings: int, split: bool, found: bool
) -> None:
    assert core.is_blackjack(hand(text, doublings, split)) is found


@pytest.mark.parametrize(
    ("text", "same_rank", "equal_value"),
    [
        ("8s 8c", True, True),
        ("Ks Kc", True, True),
        ("Ks Jc", False, True),
        ("As Ac", True, True),
        ("8s 9c", False, False),
        ("As Kc", False, False),
        ("8s", False, False),
        ("6s 6c 8d", False, False),
        ("8s 8c 8d", False, False),
    ],
)
def test_r042_pairs(text: str, same_rank: bool, equal_value: bool) -> None:
    assert core.is_same_rank_pair(hand(text)) is same_rank
    assert core.is_equal_value_pair(hand(text)) is equal_value


def test_r114_diamonds() -> None:
    assert core.is_all_diamonds(hand("Ad Kd"))
    assert not core.is_all_diamonds(hand("Ad Kh"))
    assert not core.is_all_diamonds(hand("Ac Kc"))
