"""Hands that a chart can't tell apart, and what a chart does with them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ventiuna.core import actions
from ventiuna.core.hand import best_total, is_soft
from ventiuna.kernels.exact.lattice import ACE_VALUE, VALUES, Ints, lattice
from ventiuna.strategy.chart import Cell, Chart

# What two cards may still become: nothing, a 6-7-8, one of one suit, one of spades, the Super
# Bonus. A chart's marks speak of these.
PLAIN, MIXED_678, SUITED_678, SPADES_678, SUPER = range(5)
LEVELS = 5
_LEVEL_OF_MARK = {"*": MIXED_678, "'": SUITED_678, '"': SPADES_678}

_LETTERS = {
    "H": (actions.HIT,),
    "S": (actions.STAND,),
    "D": (actions.DOUBLE,),
    "P": (actions.SPLIT,),
    "R": (actions.SURRENDER,),
}
_DOUBLED_LETTERS = {
    "S": (actions.STAND,),
    "D": (actions.DOUBLE_DOUBLE,),
    "R": (actions.RESCUE, actions.SURRENDER),
}
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


def cell_preferences(cell: Cell, cards: int, level: int) -> tuple[int, ...]:
    """Actions of an undoubled hand in order of preference."""
    if cell.for_super and level == SUPER:
        return (actions.HIT, actions.STAND)
    if cell.mark and _LEVEL_OF_MARK[cell.mark] <= level < SUPER:
        return (actions.HIT, actions.STAND)
    second = _LETTERS[cell.second or "H"]
    if cell.cards and cards >= cell.cards:
        return (*second, actions.STAND)
    return (*_LETTERS[cell.first], *second, actions.STAND)


def doubled_preferences(cell: Cell) -> tuple[int, ...]:
    return (*_DOUBLED_LETTERS[cell.first], *_DOUBLED_LETTERS.get(cell.second, ()), actions.STAND)


def first_allowed(preferences: tuple[int, ...], legal: int) -> int:
    for action in preferences:
        if legal >> action & 1 == 1:
            return action
    return actions.STAND


def chart_preferences(
    chart: Chart, group: Group, column: int, level: int, blackjack: bool
) -> tuple[int, ...]:
    """What the chart would like to do with an undoubled hand, best first.

    `blackjack` tells that ace and ten are one here, and not two cards of a split hand.
    """
    if blackjack and group.soft and group.total == 21 and group.cards == 2:
        return (actions.DOUBLE if chart.doubles_blackjack else actions.STAND,)
    rows = chart.soft if group.soft else chart.hard
    preferences: tuple[int, ...] = ()
    if group.pair in chart.pairs:
        found = cell_preferences(chart.pairs[group.pair][column], group.cards, level)
        if found[0] != actions.SPLIT:
            return found
        preferences = found[:1]
    return preferences + cell_preferences(rows[group.total][column], group.cards, level)


def chart_doubled_preferences(
    chart: Chart, group: Group, column: int, doublings: int
) -> tuple[int, ...]:
    if not chart.doubled:
        return (actions.STAND,)
    hard, soft = chart.doubled[min(doublings, len(chart.doubled)) - 1]
    return doubled_preferences((soft if group.soft else hard)[group.total][column])


def column_of(up: int) -> int:
    """Where a chart has the up card of this value, 0 for an ace to 9 for a ten.

    >>> column_of(0), column_of(1), column_of(9)
    (9, 0, 8)
    """
    return (up - 1) % VALUES


def up_of(column: int) -> int:
    """The value of a chart's column, 0 for an ace to 9 for a ten."""
    return (column + 1) % VALUES
