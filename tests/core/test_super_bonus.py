"""Super Bonus and Envy Bonus: cards, up card, base wager bands, and who gets an Envy Bonus."""

import pytest

from tests.core.hands import card, hand, table
from ventiuna.core.base_game import (
    envy_pay,
    is_super_bonus,
    may_become_super_bonus,
    super_bonus_pay,
)
from ventiuna.core.cards import ACE, ANY_SUITS, EMPTY_HAND, packed_ranks
from ventiuna.core.rule_table import (
    ENVY_LOSERS_ONCE,
    ENVY_LOSERS_ONLY,
    ENVY_OFF,
    ENVY_PER_OTHER_WINNER,
    RuleTable,
)

SIX = table("wsgc-2021")
TWO = table("wsgc-2021(decks=2)")
PLAIN = table("blackjack")


@pytest.mark.parametrize(
    ("rules", "text", "up", "wins"),
    [
        (SIX, "7h 7h 7h", "7c", True),
        (SIX, "7s 7s 7s", "7s", True),
        (SIX, "7h 7h 7c", "7c", False),
        (SIX, "7h 7h 7h", "8c", False),
        (SIX, "7h 7h", "7c", False),
        (SIX, "6h 7h 8h", "7c", False),
        (TWO, "7h 7c 7d", "7s", True),
        (TWO, "7d 7h 7c", "7s", True),
        (TWO, "7h 7c 7d", "7c", False),
        (TWO, "7h 7c 7s", "7s", False),
        (PLAIN, "7h 7h 7h", "7c", False),
    ],
)
def test_r067_r068_which_cards_win(rules: RuleTable, text: str, up: str, wins: bool) -> None:
    assert is_super_bonus(rules, hand(text), card(up)) is wins


def test_r067_without_a_super_bonus_not_even_a_hand_without_cards_wins_it() -> None:
    none = SIX._replace(super_ranks=0, super_suits=ANY_SUITS)
    assert not is_super_bonus(none, EMPTY_HAND, card("7c"))


def test_r070_a_split_or_a_double_voids_it() -> None:
    assert not is_super_bonus(SIX, hand("7h 7h 7h", doublings=1), card("7c"))
    assert not is_super_bonus(SIX, hand("7h 7h 7h", split=True), card("7c"))


@pytest.mark.parametrize(
    ("text", "up", "may"),
    [
        ("7h 7h", "7c", True),
        ("7h 7h", "7s", True),
        ("7h 7d", "7c", False),
        ("7h 7h", "8c", False),
        ("7h", "7c", False),
        ("7h 8h", "7c", False),
        ("7h 7h 7h", "7c", False),
    ],
)
def test_r072_two_sevens_call_the_supervisor(text: str, up: str, may: bool) -> None:
    assert may_become_super_bonus(SIX, hand(text), card(up)) is may


def test_r072_without_a_super_bonus_nobody_is_called() -> None:
    assert not may_become_super_bonus(PLAIN, hand("7h 7h"), card("7c"))
    assert not may_become_super_bonus(SIX, hand("7h 7h", split=True), card("7c"))


def test_r072_the_missing_card_may_be_an_ace() -> None:
    """A house's own bonus for three aces: two of them call the supervisor, like two sevens."""
    aces = SIX._replace(super_ranks=packed_ranks((ACE, ACE, ACE)))
    assert may_become_super_bonus(aces, hand("Ah Ah"), card("7c"))
    assert not may_become_super_bonus(aces, hand("Ah 7h"), card("7c"))


@pytest.mark.parametrize(
    ("base", "paid"),
    [(499, 0), (500, 100_000), (2499, 100_000), (2500, 500_000), (100_000, 500_000)],
)
def test_r069_o13_amounts_by_base_wager(base: int, paid: int) -> None:
    assert super_bonus_pay(SIX, base) == paid


@pytest.mark.parametrize(
    ("envy", "own", "others", "amounts"),
    [
        (ENVY_OFF, 0, 2, 0),
        (ENVY_PER_OTHER_WINNER, 0, 2, 2),
        (ENVY_PER_OTHER_WINNER, 1, 1, 1),
        (ENVY_PER_OTHER_WINNER, 1, 0, 0),
        (ENVY_LOSERS_ONLY, 0, 2, 2),
        (ENVY_LOSERS_ONLY, 1, 2, 0),
        (ENVY_LOSERS_ONCE, 0, 2, 1),
        (ENVY_LOSERS_ONCE, 1, 2, 0),
        (ENVY_LOSERS_ONCE, 0, 0, 0),
    ],
)
def test_r073_r074_r075_r076_envy(envy: int, own: int, others: int, amounts: int) -> None:
    rules = SIX._replace(envy=envy, envy_amount=5000)
    assert envy_pay(rules, own, others) == 5000 * amounts
