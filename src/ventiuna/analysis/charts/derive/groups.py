"""Hands that a chart can't tell apart, and what a chart does with them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ventiuna.core import actions
from ventiuna.core.hand import best_total, is_soft
from ventiuna.kernels.exact.lattice import ACE_VALUE, VALUES, Ints, lattice
from ventiuna.strategy.chart import (
    Cell,
    Chart,
    ChartHand,
    blackjack_preferences,
    doubled_preferences,
    undoubled_preferences,
)
from ventiuna.strategy.chart import column_of as chart_column

# What two cards may still become: nothing, a 6-7-8, one of one suit, one of spades, the Super
# Bonus. A chart's marks speak of these.
PLAIN, MIXED_678, SUITED_678, SPADES_678, SUPER = range(5)
LEVELS = 5
_LEVEL_OF_MARK = {"*": MIXED_678, "'": SUITED_678, '"': SPADES_678}

LETTER_OF = {
    actions.HIT: "H",
    actions.STAND: "S",
    actions.DOUBLE: "D",
    actions.DOUBLE_DOUBLE: "D",
    actions.SPLIT: "P",
    actions.SURRENDER: "R",
    actions.RESCUE: "R",
}


class Group(NamedTuple):
    """All compositions that are alike to a chart and to the rules."""

    soft: bool
    total: int
    cards: int  # 0 for doubled hands, where a chart does not count them
    pair: int  # value of the cards, ace 1; 0 for no pair
    legal: int  # a bit for each action

    def allows(self, action: int) -> bool:
        return self.legal >> action & 1 == 1


class Grouping(NamedTuple):
    groups: tuple[Group, ...]
    number: Ints  # [composition]: which group, or -1 for fewer than two cards


def grouping(legal: Ints, doubled: bool) -> Grouping:
    """Sort all compositions; `legal` has their actions as bits."""
    shapes = _shapes()
    numbers: dict[Group, int] = {}
    of_place = np.full(len(shapes), -1, dtype=np.int64)
    for place, shape in enumerate(shapes):
        if shape is None:
            continue
        soft, total, cards, pair = shape
        bits = int(legal[place])
        group = Group(soft, total, 0, 0, bits) if doubled else Group(soft, total, cards, pair, bits)
        of_place[place] = numbers.setdefault(group, len(numbers))
    return Grouping(tuple(numbers), of_place)


@lru_cache(maxsize=1)
def _shapes() -> tuple[tuple[bool, int, int, int] | None, ...]:
    """Soft or not, total, cards and value of a pair of every composition of two or more cards."""
    found = lattice()
    shapes: list[tuple[bool, int, int, int] | None] = []
    for place in range(len(found.cards)):
        hard, aces = int(found.hard[place]), int(found.counts[place, ACE_VALUE])
        cards = int(found.cards[place])
        if cards < 2:
            shapes.append(None)
            continue
        pair = 0
        for value in range(VALUES):
            if cards == 2 and found.counts[place, value] == 2:
                pair = value + 1
        shapes.append((is_soft(hard, aces), best_total(hard, aces), cards, pair))
    return tuple(shapes)


# --- what a chart does --------------------------------------------------------------------------


def mark_is_met(cell: Cell, level: int) -> bool:
    """Can a bonus that the cell's marks speak of still come to two cards of this level?"""
    if cell.for_super and level == SUPER:
        return True
    return bool(cell.mark) and _LEVEL_OF_MARK[cell.mark] <= level < SUPER


def chart_preferences(
    chart: Chart, group: Group, column: int, level: int, blackjack: bool
) -> tuple[int, ...]:
    """What the chart would like to do with an undoubled hand, best first.

    `blackjack` tells that ace and ten are one here, and not two cards of a split hand.
    """
    if blackjack and group.soft and group.total == 21 and group.cards == 2:
        return blackjack_preferences(chart)
    hand = ChartHand(group.soft, group.total, group.cards, group.pair)
    return undoubled_preferences(chart, hand, column, lambda cell: mark_is_met(cell, level))


def chart_doubled_preferences(
    chart: Chart, group: Group, column: int, doublings: int
) -> tuple[int, ...]:
    return doubled_preferences(chart, doublings, group.soft, group.total, column)


def column_of(up: int) -> int:
    """Where a chart has the up card of this value, 0 for an ace to 9 for a ten."""
    return chart_column(up + 1)
