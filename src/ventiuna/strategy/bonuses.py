"""What two cards may still win by their suits: for charts, index plays and counts."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from ventiuna.core.cards import (
    ANY_SUITS,
    CARDS,
    SPADES,
    SUITS,
    one_of_rank,
    packed_ranks,
    suit_bit,
)
from ventiuna.core.hand import EMPTY_HAND, Hand, add_card, split_hand
from ventiuna.core.super_bonus import may_become_super_bonus
from ventiuna.core.table import RuleTable

_RANKS_678 = (6, 7, 8)
_PACKED_678 = packed_ranks(_RANKS_678)
_ONE_MISSING = tuple(_PACKED_678 - one_of_rank(rank) for rank in _RANKS_678)
_ONE_SUIT = tuple(suit_bit(suit) for suit in range(SUITS))


class Bonus(StrEnum):
    """What a play says of the hands it is for."""

    ANY = ""  # hands with and without such a bonus
    NONE = "none"
    SUITED_678 = "6-7-8 of one suit"  # clubs, diamonds or hearts
    SPADES_678 = "6-7-8 of spades"
    SUPER = "Super Bonus"

    @property
    def is_named(self) -> bool:
        """Is it one of two cards alone?"""
        return self not in (Bonus.ANY, Bonus.NONE)


@lru_cache(maxsize=32)
def suits_of_678(rules: RuleTable) -> frozenset[int]:
    """What rows for a 6-7-8 ask of its suits."""
    return frozenset(
        rules.bonus_suits[row]
        for row in range(rules.bonus_rows)
        if rules.bonus_ranks[row] == _PACKED_678
    )


def is_part_of_678(hand: Hand) -> bool:
    """Two cards that one more would make a 6-7-8."""
    return hand.cards == 2 and hand.ranks in _ONE_MISSING


def is_part_of_suited_678(rules: RuleTable, hand: Hand) -> bool:
    """The same of one suit, where a row asks for it.

    Without a row that asks for suits, the graph of hands does not tell them apart.
    """
    return (
        is_part_of_678(hand)
        and hand.suits in _ONE_SUIT
        and any(
            fitting != ANY_SUITS and fitting >> hand.suits & 1 for fitting in suits_of_678(rules)
        )
    )


def bonus_of(rules: RuleTable, hand: Hand, up: int) -> Bonus:
    """What the hand may still win by its suits; a mixed 6-7-8 is won without them."""
    if may_become_super_bonus(rules, hand, up):
        return Bonus.SUPER
    if is_part_of_suited_678(rules, hand):
        return Bonus.SPADES_678 if hand.suits == suit_bit(SPADES) else Bonus.SUITED_678
    return Bonus.NONE


@lru_cache(maxsize=32)
def hands_with_bonus(rules: RuleTable) -> tuple[tuple[Hand, int], ...]:
    """All two cards, as dealt and of a split, with the up cards where they may win one."""
    cards = range(CARDS)
    starts = [start for card in cards for start in (add_card(EMPTY_HAND, card), split_hand(card))]
    hands = dict.fromkeys(add_card(start, card) for start in starts for card in cards)
    return tuple(
        (hand, up) for hand in hands for up in cards if bonus_of(rules, hand, up) != Bonus.NONE
    )
