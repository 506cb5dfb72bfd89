"""The dealer's check and draw."""

import pytest

from tests.core.hands import card, hand, table
from ventiuna.core.base_game import dealer_checks, dealer_draws, is_ace, is_dealer_blackjack

HITS = table("wsgc-2021")
STANDS = HITS._replace(hits_soft_17=0)


@pytest.mark.parametrize(
    ("text", "checks"), [("As", True), ("Kc", True), ("Td", True), ("9h", False), ("2c", False)]
)
def test_r033_the_dealer_checks_with_an_ace_or_a_ten_up(text: str, checks: bool) -> None:
    assert dealer_checks(card(text)) is checks
    assert is_ace(card(text)) is (text == "As")


@pytest.mark.parametrize(
    ("up", "down", "found"),
    [
        ("As", "Kc", True),
        ("Kc", "As", True),
        ("Td", "Ah", True),
        ("As", "Ac", False),
        ("Kc", "Qd", False),
        ("As", "9c", False),
        ("9c", "As", False),
    ],
)
def test_r033_a_dealer_blackjack_is_an_ace_and_a_ten(up: str, down: str, found: bool) -> None:
    assert is_dealer_blackjack(card(up), card(down)) is found


@pytest.mark.parametrize(
    ("text", "hits", "stands"),
    [
        ("Ks 6c", True, True),
        ("Ks 7c", False, False),
        ("As 6c", True, False),
        ("As 7c", False, False),
        ("As 5c", True, True),
        ("As 6c Kd", False, False),
        ("As 5c Kd", True, True),
        ("Ks 6c 5d", False, False),
    ],
)
def test_r077_r117_the_dealer_draws_to_17(text: str, hits: bool, stands: bool) -> None:
    shape = hand(text)
    assert dealer_draws(HITS, shape.hard, shape.aces) is hits
    assert dealer_draws(STANDS, shape.hard, shape.aces) is stands
