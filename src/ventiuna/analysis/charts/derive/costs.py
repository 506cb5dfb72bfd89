"""What every play of every cell gives away, weighted by how often its hands are met.

The loss of a strategy against the best one is the sum, over the hands that the strategy meets,
of how often it meets them times what its play gives away there if all later play is best. So
with the values of the best play alone every cell of a chart has a price.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.base_game.solve import TWO_CARD_PLACES
from ventiuna.analysis.charts.derive.groups import LEVELS, PLAIN, Group, column_of
from ventiuna.analysis.charts.derive.optimum import PLACES_OF_TWO, Optimum
from ventiuna.analysis.charts.derive.reach import Reach
from ventiuna.analysis.charts.render.notation import Table
from ventiuna.core import actions
from ventiuna.kernels.exact.lattice import VALUES, Floats, Ints, lattice
from ventiuna.kernels.exact.records import UNSPLIT

# Hands that the strategy never meets weigh next to nothing: they decide only where no others do.
_UNMET = 1e-13
_LONGEST = 9  # more cards than this count as this many: no cell tells them apart


class CellKey(NamedTuple):
    table: Table
    doublings: int
    row: int  # total, or value of the pair
    column: int


class Situation(NamedTuple):
    """What a cell's signs and the rules can tell apart in one cell."""

    cards: int
    level: int
    legal: int


Prices = dict[CellKey, dict[Situation, Floats]]  # [action]: what it gives away


class Losses:
    """What each action of each hand gives away, in base wagers, per round.

    With `unmet` also hands that are never met weigh a little, by their cards' natural chances.
    """

    def __init__(self, optimum: Optimum, reach: Reach, unmet: bool = False) -> None:
        self.optimum = optimum
        self.reach = reach
        natural = _natural_chances(tuple(int(n) for n in optimum.game["shoe"]))
        self._natural = natural * (_UNMET if unmet else 0.0)

    def prices(self) -> Prices:
        """By cell and situation."""
        found: Prices = {}
        for (kind, doublings), (groups, number) in self.optimum.groupings.items():
            if doublings:
                self._add_doubled(found, kind, doublings, groups, number)
            else:
                self._add_two_cards(found, kind, groups, number)
                self._add_more_cards(found, kind, groups, number)
        return found

    def two_cards(self, kind: int) -> Floats:
        """[up, level, composition of two cards, action]"""
        values = self.optimum.two_cards.values
        legal = self.optimum.game["legal"][kind, 0, :TWO_CARD_PLACES]
        given_away = _given_away(values, legal)
        if kind == UNSPLIT:
            # Suits that a level lumps together may have different best plays.
            best = self.optimum.two_cards.best[..., None]
            given_away = np.where(_allowed(legal), best - values, 0.0)
        losses: Floats = given_away * self.reach.two[kind][..., None]
        return losses

    def more_cards(self, kind: int) -> Floats:
        """[up, composition, action], three or more cards, not doubled"""
        values = np.moveaxis(self.optimum.by_action, 1, -1)
        given_away = _given_away(values, self.optimum.game["legal"][kind, 0])
        mass = self.reach.more[kind][:, 0] + (self._natural if kind == UNSPLIT else 0.0)
        longer = lattice().cards > 2
        losses: Floats = given_away * (mass * longer)[..., None]
        return losses

    def doubled(self, kind: int, doublings: int) -> Floats:
        """[up, composition, action]"""
        values = np.moveaxis(self.optimum.doubled_values[:, doublings], 1, -1)
        given_away = _given_away(values, self.optimum.game["legal"][kind, doublings])
        mass = self.reach.more[kind][:, doublings] + (self._natural if kind == UNSPLIT else 0.0)
        losses: Floats = given_away * mass[..., None]
        return losses

    def _add_two_cards(
        self, found: Prices, kind: int, groups: tuple[Group, ...], number: Ints
    ) -> None:
        losses = self.two_cards(kind)
        mass = self.reach.two[kind]
        for place in PLACES_OF_TWO:
            group = groups[number[place]]
            if kind == UNSPLIT and group.soft and group.total == 21:
                continue  # a blackjack is no matter of cells
            for up in range(VALUES):
                for level in range(LEVELS):
                    if mass[up, level, place] > 0.0:
                        key = cell_key(group, kind, up)
                        _add(found, key, group, level, losses[up, level, place])
                if kind == UNSPLIT and group.pair:
                    self._add_unsplit_pair(found, group, up, place)

    def _add_unsplit_pair(self, found: Prices, group: Group, up: int, place: int) -> None:
        """A pair that may not be split decides the row of its total where nothing else does."""
        by_total = group._replace(pair=0, legal=group.legal & ~(1 << actions.SPLIT))
        values = self.optimum.two_cards.values[up, PLAIN, place]
        losses = _given_away(values[None], np.array([by_total.legal]))[0]
        key = cell_key(by_total, UNSPLIT, up)
        _add(found, key, by_total, PLAIN, losses * self._natural[place])

    def _add_more_cards(
        self, found: Prices, kind: int, groups: tuple[Group, ...], number: Ints
    ) -> None:
        sums = _by_group(self.more_cards(kind), number, len(groups))
        for place, group in enumerate(groups):
            if group.cards > 2:
                for up in range(VALUES):
                    _add(found, cell_key(group, kind, up), group, PLAIN, sums[up, place])

    def _add_doubled(
        self,
        found: Prices,
        kind: int,
        doublings: int,
        groups: tuple[Group, ...],
        number: Ints,
    ) -> None:
        sums = _by_group(self.doubled(kind, doublings), number, len(groups))
        for place, group in enumerate(groups):
            for up in range(VALUES):
                _add(found, cell_key(group, kind, up, doublings), group, PLAIN, sums[up, place])


def cell_key(group: Group, kind: int, up: int, doublings: int = 0) -> CellKey:
    """A pair that was split and can't be split again is played by its total."""
    column = column_of(up)
    if doublings:
        table = Table.DOUBLED_SOFT if group.soft else Table.DOUBLED_HARD
    elif group.pair and kind == UNSPLIT:
        return CellKey(Table.PAIRS, 0, group.pair, column)
    else:
        table = Table.SOFT if group.soft else Table.HARD
    return CellKey(table, doublings, group.total, column)


def _add(found: Prices, key: CellKey, group: Group, level: int, losses: Floats) -> None:
    situation = Situation(min(group.cards, _LONGEST), level, group.legal)
    prices = found.setdefault(key, {})
    known = prices.get(situation)
    prices[situation] = losses.copy() if known is None else known + losses


def _allowed(legal: Ints) -> npt.NDArray[np.bool_]:
    """[composition, action]: is it legal?"""
    allowed: npt.NDArray[np.bool_] = legal[:, None] >> np.arange(actions.ACTIONS) & 1 == 1
    return allowed


def _given_away(values: Floats, legal: Ints) -> Floats:
    """Best legal value less each action's; nothing for actions that are not legal."""
    allowed = _allowed(legal)
    known = np.where(allowed & ~np.isnan(values), values, -np.inf)
    best = known.max(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(known), best - known, 0.0)


def _by_group(losses: Floats, number: Ints, groups: int) -> Floats:
    """Sum [up, composition, action] over the compositions of each group."""
    sums = np.zeros((VALUES, groups, actions.ACTIONS))
    known = number >= 0
    for up in range(VALUES):
        np.add.at(sums[up], number[known], losses[up, known])
    return sums


@lru_cache(maxsize=8)
def _natural_chances(shoe: tuple[int, ...]) -> Floats:
    """[composition]: how likely so many cards off the shoe are these."""
    places = lattice()
    longest = int(places.cards.max())
    ways = np.ones((VALUES, longest + 1))  # of drawing so many cards of a value, orders apart
    for value in range(VALUES):
        for drawn in range(1, longest + 1):
            ways[value, drawn] = ways[value, drawn - 1] * max(shoe[value] - drawn + 1, 0) / drawn
    chances = np.ones(len(places.cards))
    for value in range(VALUES):
        chances *= ways[value, places.counts[:, value]]
    every = np.ones(longest + 1)
    for drawn in range(1, longest + 1):
        every[drawn] = every[drawn - 1] * max(sum(shoe) - drawn + 1, 1) / drawn
    return chances / every[places.cards]
