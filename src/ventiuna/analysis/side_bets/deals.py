"""Two cards and those dealt besides them, enumerated by what can matter.

Which line of a jackpot table four cards make depends on equal ranks and suits, and on the
cards that the tables name: aces and kings, and the ace and king of spades (R-087 to R-094).
So beside two given cards only cards of their ranks and the named ones are told apart; all
others are *strangers*, one class with one of them standing for all. And pairs that differ
only in ranks no table names, with the same counts, are enumerated once and counted often.
Enumerations of all card orders in the tests hold these shortcuts to account.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ventiuna.analysis.composition import Composition
from ventiuna.core.cards import CARDS, SUITS, card_of, rank_of, suit_of
from ventiuna.core.jackpot import NAMED_CARDS, NAMED_RANKS


class Kind(NamedTuple):
    """Cards that are alike beside a given pair."""

    card: int  # one of them
    left: int  # how many there still are


class PairClass(NamedTuple):
    """Ordered pairs of cards that are alike, one of them standing for all."""

    ways: int  # ordered pairs of physical cards in the class
    one: int
    other: int
    kinds: tuple[Kind, ...]  # of the cards left, each with at least one


def cards_of_rank(card: int) -> range:
    """The four cards of this card's rank."""
    lowest = card_of(rank_of(card), 0)
    return range(lowest, lowest + SUITS)


def kinds_beside(composition: Composition, one: int, other: int) -> tuple[Kind, ...]:
    """What is left of the composition beside these two cards, strangers last."""
    known = sorted({*cards_of_rank(one), *cards_of_rank(other), *NAMED_CARDS})
    gone = {card: (one == card) + (other == card) for card in known}
    kinds = [Kind(card, composition[card] - gone[card]) for card in known]
    strangers = [card for card in range(CARDS) if card not in gone and composition[card]]
    if strangers:
        kinds.append(Kind(strangers[0], sum(composition[card] for card in strangers)))
    return tuple(kind for kind in kinds if kind.left)


@lru_cache(maxsize=32)
def pair_classes(composition: Composition) -> tuple[PairClass, ...]:
    """All ordered pairs of cards, in classes; the ways add up to those of two cards."""
    found: dict[tuple[object, ...], tuple[int, int, int]] = {}
    for one, other, ways in _ordered_pairs(composition):
        key = _class_key(composition, one, other)
        so_far = found[key][0] if key in found else 0
        found[key] = (so_far + ways, one, other)
    return tuple(
        PairClass(ways, one, other, kinds_beside(composition, one, other))
        for ways, one, other in found.values()
    )


def _ordered_pairs(composition: Composition) -> Iterator[tuple[int, int, int]]:
    """Two cards and the number of ways to deal them in this order."""
    for one in range(CARDS):
        for other in range(CARDS):
            ways = composition[one] * (composition[other] - (one == other))
            if ways:
                yield one, other, ways


def _class_key(composition: Composition, one: int, other: int) -> tuple[object, ...]:
    """Equal for pairs with the same suits and counts whose ranks no table tells apart."""
    first, second = rank_of(one), rank_of(other)
    return (
        first if first in NAMED_RANKS else 0,
        second if second in NAMED_RANKS else 0,
        first == second,
        suit_of(one),
        suit_of(other),
        tuple(composition[card] for card in cards_of_rank(one)),
        tuple(composition[card] for card in cards_of_rank(other)),
    )


class Deal(NamedTuple):
    ways: int
    first: int
    second: int
    up: int
    down: int


@lru_cache(maxsize=8)
def deals(composition: Composition) -> tuple[Deal, ...]:
    """The player's two cards, up card and down card: all of them, in classes."""
    found = []
    for pair in pair_classes(composition):
        for up in pair.kinds:
            for down in pair.kinds:
                ways = pair.ways * up.left * (down.left - (up.card == down.card))
                if ways:
                    found.append(Deal(ways, pair.one, pair.other, up.card, down.card))
    return tuple(found)
