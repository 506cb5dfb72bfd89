"""Every decision of an undoubled hand as dealt, and what each action is worth in any shoe.

A decision is a composition of the hand (for two cards whose suits count also what they may still
become) against the value of the up card. How often it is met is worked out for best play from a
whole shoe. Hands of splits and doubled hands are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.base_game.solve import TWO_CARD_PLACES, Solution
from ventiuna.analysis.charts.derive.groups import LEVELS, PLAIN
from ventiuna.analysis.charts.derive.optimum import Optimum
from ventiuna.analysis.charts.derive.reach import best_policy, reach_of
from ventiuna.core import actions
from ventiuna.core.cards import CARDS, rank_of, value_of
from ventiuna.counting.play import GameRecord, fresh_solution
from ventiuna.kernels.exact.lattice import VALUES, lattice
from ventiuna.kernels.exact.records import UNSPLIT
from ventiuna.rules import Rules, compile_rules

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_RAREST = 1e-9  # a decision met less often than once in so many rounds is left out
# Actions of an undoubled hand.
CHOICES = (actions.STAND, actions.HIT, actions.DOUBLE, actions.SPLIT, actions.SURRENDER)


@dataclass(frozen=True)
class Decisions:
    """Arrays over all decisions."""

    up: Ints  # value, 0 for an ace
    place: Ints  # of the composition in the lattice
    level: Ints  # what two cards may still become; PLAIN for more cards
    mass: Floats  # how often met, per round
    legal: Ints  # a bit for each action
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

    def values(self, solution: Solution) -> Floats:
        """[decision, choice], NaN where it is not legal: what it is worth in that shoe."""
        legal = solution.game["legal"][UNSPLIT, 0][self.place]
        choices = np.array(CHOICES)
        allowed = legal[:, None] >> choices & 1 == 1
        allowed[:, CHOICES.index(actions.STAND)] = True
        found: Floats = solution.plays["by_action"][self.up[:, None], choices, self.place[:, None]]
        found = found.copy()
        by_card = solution.game["by_card"][self.place] == 1
        if by_card.any():
            suited = self.suits.means(solution)
            found[by_card] = suited[self.up[by_card], self.level[by_card], self.place[by_card]]
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

    def means(self, solution: Solution) -> Floats:
        """[up, level, composition of two cards, choice]."""
        game = solution.game
        rows = game["pair_row"][self._cards[:, 0], self._cards[:, 1]]
        ups = _up_rows(game)[self._cards[:, 2]]
        held = (rows >= 0) & (ups >= 0)
        found = np.zeros((len(rows), len(CHOICES)))
        found[held] = solution.suited["values"][rows[held], ups[held]][:, list(CHOICES)]
        split = CHOICES.index(actions.SPLIT)
        if game["same_rank"] == 1:
            # Ten-valued cards of two ranks are no pair: they do their next best.
            legal = game["legal"][UNSPLIT, 0][self._keys[2]]
            others = np.array([choice for choice in CHOICES if choice != actions.SPLIT])
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


def decisions_of(rules: Rules, base: int | None = None) -> Decisions:
    """All decisions that are met, with best play from a whole shoe."""
    solution = fresh_solution(rules, base)
    optimum = Optimum(compile_rules(rules), solution, base)
    reach = reach_of(optimum, best_policy(optimum))
    legal = solution.game["legal"][UNSPLIT, 0]
    several = np.array([int(bits).bit_count() > 1 for bits in legal])
    two = reach.two[UNSPLIT] * several[:TWO_CARD_PLACES]
    more = reach.more[UNSPLIT][:, 0] * several
    more[:, :TWO_CARD_PLACES] = 0.0
    up_two, level_two, place_two = np.nonzero(two > _RAREST)
    up_more, place_more = np.nonzero(more > _RAREST)
    places = np.concatenate([place_two, place_more])
    return Decisions(
        up=np.concatenate([up_two, up_more]),
        place=places,
        legal=legal[places],
        level=np.concatenate([level_two, np.full(len(up_more), PLAIN)]),
        mass=np.concatenate([two[up_two, level_two, place_two], more[up_more, place_more]]),
        suits=SuitedHands(optimum),
    )
