"""Every decision of a round, and what each action is worth in any shoe.

A decision is a composition of the hand (for two cards whose suits count also what they may still
become) against the value of the up card, for hands as dealt, for those of splits and for doubled
ones. How often it is met is worked out for best play from a whole shoe. A hand of a split is taken
by itself: the cards of the other hands are as good as unseen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.base_game.solve import TWO_CARD_PLACES
from ventiuna.analysis.charts.derive.groups import LEVELS, PLAIN
from ventiuna.analysis.charts.derive.optimum import Optimum, doubled_values, draw_chances
from ventiuna.analysis.charts.derive.reach import best_policy, reach_of
from ventiuna.core import actions
from ventiuna.core.cards import CARDS, rank_of, value_of
from ventiuna.counting.play import GameRecord, Played, fresh_solution
from ventiuna.kernels.exact.lattice import VALUES, lattice
from ventiuna.kernels.exact.records import (
    KINDS,
    SPLIT_ACE_HAND,
    SPLIT_HAND,
    UNSPLIT,
    SuitedPlays,
)
from ventiuna.rules import Rules, compile_rules

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_RAREST = 1e-9  # a decision met less often than once in so many rounds is left out
HAND_KINDS = (UNSPLIT, SPLIT_HAND, SPLIT_ACE_HAND)
CHOICES = tuple(range(actions.ACTIONS))


@dataclass(frozen=True)
class Decisions:
    """Arrays over all decisions."""

    up: Ints  # value, 0 for an ace
    place: Ints  # of the composition in the lattice
    level: Ints  # what two cards may still become; PLAIN for more cards
    kind: Ints  # as dealt or of a split; doubled hands are alike, however they came to be
    doublings: Ints
    mass: Floats  # how often met, per round
    legal: Ints  # a bit for each action
    legal_as_dealt: Ints  # of the same cards that were not split
    suits: SuitedHands

    def __len__(self) -> int:
        return len(self.up)

    @cached_property
    def counts(self) -> Ints:
        """[decision, value]: the hand's cards."""
        found: Ints = lattice().counts[self.place].astype(np.int64)
        return found

    @cached_property
    def seen(self) -> Ints:
        """[decision, value]: the hand's cards and the up card."""
        found = self.counts.copy()
        found[np.arange(len(self)), self.up] += 1
        return found

    @property
    def kinds(self) -> tuple[int, ...]:
        """Kinds of undoubled hands that are met."""
        return tuple(kind for kind in HAND_KINDS if (self.kind == kind).any())

    def values(self, played: Played) -> Floats:
        """[decision, choice], NaN where it is not legal: what it is worth in that shoe."""
        found = np.full((len(self), len(CHOICES)), np.nan)
        for kind, (plays, suited) in played.by_kind.items():
            mine = (self.kind == kind) & (self.doublings == 0)
            up, place, level = self.up[mine], self.place[mine], self.level[mine]
            values = plays["by_action"][up, :, place]
            by_card = played.game["by_card"][place] == 1
            if by_card.any():
                means = self.suits.means(played.game, suited)
                values[by_card] = means[up[by_card], level[by_card], place[by_card]]
            found[mine] = values
        doubled = self.doublings > 0
        if doubled.any():
            game, (plays, _) = played.game, played.by_kind[UNSPLIT]
            stand = plays["by_action"][:, actions.STAND]
            values = doubled_values(game, stand, plays["values"], draw_chances(game["shoe"]))
            found[doubled] = values[
                self.up[doubled], self.doublings[doubled], :, self.place[doubled]
            ]
        allowed = self.legal[:, None] >> np.array(CHOICES) & 1 == 1
        return np.where(allowed, found, np.nan)


class SuitedHands:
    """Two cards that are told apart one by one, gathered by what they may still become."""

    def __init__(self, optimum: Optimum) -> None:
        game = optimum.game
        keys: list[tuple[int, int, int]] = []
        cards: list[tuple[int, int, int]] = []
        chances: list[float] = []
        for row in range(int(game["ups"])):
            up_card = int(game["up_card"][row])
            for pair in range(int(game["pairs"])):
                first, second = int(game["pair_first"][pair]), int(game["pair_second"][pair])
                place = int(game["pair_place"][pair])
                chance = optimum.card_chance(row, first, second, place)
                if chance > 0.0:
                    level = optimum.level(first, second, up_card)
                    keys.append((value_of(up_card) - 1, level, place))
                    cards.append((first, second, up_card))
                    chances.append(chance)
        self._keys = tuple(np.array(keys, dtype=np.int64).reshape(-1, 3).T)
        self._cards = np.array(cards, dtype=np.int64).reshape(-1, 3)
        self._chances = np.array(chances)
        shape = (VALUES, LEVELS, TWO_CARD_PLACES)
        self._totals = np.zeros(shape)
        np.add.at(self._totals, self._keys, self._chances)
        ranks = np.array([rank_of(card) for card in range(CARDS)])
        self._unlike = ranks[self._cards[:, 0]] != ranks[self._cards[:, 1]]

    def means(self, game: GameRecord, suited: SuitedPlays) -> Floats:
        """[up, level, composition of two cards, choice]."""
        rows = game["pair_row"][self._cards[:, 0], self._cards[:, 1]]
        ups = _up_rows(game)[self._cards[:, 2]]
        held = (rows >= 0) & (ups >= 0)
        found = np.zeros((len(rows), len(CHOICES)))
        found[held] = suited["values"][rows[held], ups[held]]
        split = actions.SPLIT
        if game["same_rank"] == 1:
            # Ten-valued cards of two ranks are no pair: they do their next best.
            legal = game["legal"][UNSPLIT, 0][self._keys[2]]
            others = np.delete(np.array(CHOICES), split)
            allowed = legal[:, None] >> others & 1 == 1
            rest = np.delete(found, split, axis=1)
            best = np.where(allowed, rest, -np.inf).max(axis=1)
            found[:, split] = np.where(self._unlike & np.isfinite(best), best, found[:, split])
        found = np.where(np.isfinite(found), found, 0.0)
        sums = np.zeros((*self._totals.shape, len(CHOICES)))
        np.add.at(sums, self._keys, self._chances[:, None] * found)
        with np.errstate(divide="ignore", invalid="ignore"):
            means: Floats = sums / self._totals[..., None]
        return means


def _up_rows(game: GameRecord) -> Ints:
    """[card]: its row among the up cards, or that of the card that stands for it; -1: none."""
    found = np.full(CARDS, -1, dtype=np.int64)
    for row in reversed(range(int(game["ups"]))):
        value = int(game["up_value"][row])
        for card in range(CARDS):
            if value_of(card) - 1 == value and found[card] < 0:
                found[card] = row
    for row in range(int(game["ups"])):
        found[int(game["up_card"][row])] = row
    return found


class _Gathered(NamedTuple):
    """Decisions of one sort: where they are, and how often they are met."""

    up: Ints
    level: Ints
    place: Ints
    kind: int
    doublings: int
    mass: Floats


def decisions_of(rules: Rules, base: int | None = None) -> Decisions:
    """All decisions that are met, with best play from a whole shoe."""
    solution = fresh_solution(rules, base)
    optimum = Optimum(compile_rules(rules), solution, base)
    reach = reach_of(optimum, best_policy(optimum))
    legal = solution.game["legal"].copy()
    legal[UNSPLIT + 1 :] &= ~(1 << actions.SPLIT)  # a pair that may be split again is split
    several = np.vectorize(int.bit_count, otypes=[np.int64])(legal) > 1
    parts = []
    for kind in range(KINDS):
        two = reach.two[kind] * several[kind, 0, :TWO_CARD_PLACES]
        up, level, place = np.nonzero(two > _RAREST)
        parts.append(_Gathered(up, level, place, kind, 0, two[up, level, place]))
        more = reach.more[kind][:, 0] * several[kind, 0]
        more[:, :TWO_CARD_PLACES] = 0.0
        parts.append(_plain(more, kind, 0))
    for doublings in range(1, optimum.most_doublings + 1):
        mass = reach.more[:, :, doublings].sum(axis=0)
        parts.append(_plain(mass * several[UNSPLIT, doublings], UNSPLIT, doublings))
    kinds = np.concatenate([np.full(len(part.up), part.kind) for part in parts])
    doubled = np.concatenate([np.full(len(part.up), part.doublings) for part in parts])
    places = np.concatenate([part.place for part in parts])
    return Decisions(
        up=np.concatenate([part.up for part in parts]),
        place=places,
        level=np.concatenate([part.level for part in parts]),
        kind=kinds,
        doublings=doubled,
        mass=np.concatenate([part.mass for part in parts]),
        legal=legal[kinds, doubled, places],
        legal_as_dealt=legal[UNSPLIT, doubled, places],
        suits=SuitedHands(optimum),
    )


def _plain(mass: Floats, kind: int, doublings: int) -> _Gathered:
    """Decisions by composition alone, of an array [up, composition]."""
    up, place = np.nonzero(mass > _RAREST)
    return _Gathered(up, np.full(len(up), PLAIN), place, kind, doublings, mass[up, place])
