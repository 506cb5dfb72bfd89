"""Playing efficiency: the share of perfect play's gain that a count's plays capture.

For every decision, the model considers the advantage of an action over the one that is best in a
full shoe. It assumes that this advantage is linear in the shares of the unseen cards and normally
distributed over all sets of unseen cards. The coefficients are exact effects of removal, from
analyzing shoes with one card removed. If it has mean -m and standard deviation s, playing by it is
worth s L(m / s), where L(z) = phi(z) - z (1 - Phi(z)) is the unit normal loss. A count that follows
it with correlation r sees a standard deviation of r s. So at one depth

    efficiency = sum(mass * r s L(m / (r s))) / sum(mass * s L(m / s))

and over a shoe the sums run over all depths. If there are several other actions, the most valuable
one counts. This is Griffin's measure with decisions by composition. `sampled_efficiency` needs
neither assumption: it draws unseen cards and analyzes each shoe exactly.

Shoes at a given true count (`Tilt`): given the number of unseen cards and the sum of their tags,
all sets of unseen cards are equally likely. Their mean composition, in the saddle-point
approximation, is

    unseen of a card = its number in the shoe / (1 + exp(a + b * tag))

with a and b chosen so that cards and tags add up. These shares of a full-size shoe are analyzed
exactly. That requires whole cards: a shoe with fractions is the weighted mean of at most ten shoes
of whole cards around it, and so is its value, except for second-order terms in less than one card.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.composition import Composition, fresh_composition, without_cards
from ventiuna.analysis.query import ProgressIterator, without_progress
from ventiuna.core.cards import CARDS, value_of
from ventiuna.counting.decisions import (
    CHOICES,
    Decisions,
    best_play,
    best_solution,
    best_value,
    decisions_of,
    fresh_solution,
    value_of_play,
)
from ventiuna.counting.removal import (
    Effects,
    alike_classes,
    base_effects,
    insurance_effects,
    jackpot_effects,
    match_effects,
)
from ventiuna.counting.tags import Depths, Tags
from ventiuna.rules import Rules
from ventiuna.simulation.statistics import Estimate
from ventiuna.strategy.protocol import check_range, plan_problem

# --- Shoes at a given true count ---

Floats = npt.NDArray[np.float64]
VALUES = 10
_STEPS = 60
_ENOUGH = 1e-11
_NEARLY_ALL = 0.95
_RARE = 1e-4  # depths where a count is rarer than this are left out


class WeightedShoe(NamedTuple):
    """A shoe of whole cards, and its weight among those around a tilted shoe."""

    weight: float
    composition: Composition


@dataclass(frozen=True)
class Tilt:
    """The mean shoe at a true count, scaled to the size of a full shoe."""

    depths: Depths
    true_count: float

    def shares(self, removed: Sequence[int] = ()) -> Floats:
        """Share of each card among the unseen cards, over all depths where the true count occurs.

        The count includes the `removed` cards, which have been seen.
        """
        counts = self.depths.counts.copy()
        for card in removed:
            counts[card] -= 1
        tags = np.array([float(tag) for tag in self.depths.tags]) - self.depths.mean
        found = np.zeros(CARDS)
        weights = self.depths.depth_weights(self.true_count)
        for cards, weight in zip(self.depths.unseen, weights, strict=True):
            unseen = float(cards) - len(removed)
            # Target for the sum of the unseen cards' tags, minus the drift.
            target = -self.true_count * unseen / self.depths.deck
            if weight > _RARE and _is_possible(counts, tags, unseen, target):
                found += weight * mean_shares(counts, tags, unseen, target)
        if not found.any():
            raise plan_problem(
                "count",
                f"{self.true_count:+.1f}",
                "no shoe reaches this true count",
                "Choose one closer to 0.",
            )
        shares: Floats = found / found.sum()
        return shares

    def shoes(self) -> list[WeightedShoe]:
        return weighted_shoes(self.shares() * self.depths.cards)


def _is_possible(counts: Floats, tags: Floats, unseen: float, target: float) -> bool:
    """Whether the unseen cards' tags can add up to `target`, well within their limits."""
    default = float((counts * tags).sum()) * unseen / float(counts.sum())
    further = target - default
    order = np.argsort(tags if further > 0 else -tags)  # cards to remove first
    ordered = counts[order]
    before = np.cumsum(ordered) - ordered
    removed = np.clip(counts.sum() - unseen - before, 0.0, ordered)
    maximum = float(((ordered - removed) * tags[order]).sum()) - default
    return abs(further) < _NEARLY_ALL * abs(maximum) or abs(further) < _ENOUGH


def mean_shares(counts: Floats, tags: Floats, unseen: float, target: float) -> Floats:
    """Shares by card among `unseen` cards whose tags add up to `target`."""
    present = counts > 0
    whole, tag = counts[present], tags[present]
    a = float(np.log((whole.sum() - unseen) / unseen))
    b = 0.0
    for _ in range(_STEPS):
        shares = 1.0 / (1.0 + np.exp(np.clip(a + b * tag, -500, 500)))
        spread = whole * shares * (1.0 - shares)
        miss = np.array([(whole * shares).sum() - unseen, (whole * shares * tag).sum() - target])
        if np.abs(miss).max() < _ENOUGH * whole.sum():
            break
        crossed = (spread * tag).sum()
        matrix = np.array([[spread.sum(), crossed], [crossed, (spread * tag * tag).sum()]])
        step = np.linalg.lstsq(matrix, miss, rcond=None)[0]
        step *= min(1.0, 2.0 / max(1e-300, float(np.abs(step).max())))
        a, b = a + float(step[0]), b + float(step[1])
    else:
        raise plan_problem(
            "count", f"{target:+.1f}", "no cards add up to this count", "Choose one closer to 0."
        )
    found = np.zeros(CARDS)
    found[present] = whole * shares / unseen
    return found


def weighted_shoes(cards: Floats) -> list[WeightedShoe]:
    """Shoes of whole cards whose weighted mean has these numbers of each value.

    The numbers are laid end to end on a line and cut at whole positions, all shifted by the same
    offset. Any offset from 0 to 1 gives each value its number rounded up or down. Only a few
    offsets give different shoes, and each is weighted by the length of its interval.
    """
    by_value = np.zeros(VALUES)
    for card in range(CARDS):
        by_value[value_of(card) - 1] += cards[card]
    ends = np.cumsum(by_value)
    ends[-1] = round(float(ends[-1]))
    offsets = sorted({0.0, 1.0, *(float(1.0 - (end % 1.0)) for end in ends)})
    found: dict[Composition, float] = {}
    for low, high in pairwise(offsets):
        if high - low < 1e-9:
            continue
        cuts = np.floor(ends + (low + high) / 2).astype(int)
        numbers = np.diff(np.concatenate([[0], cuts]))
        shoe = _shared_out(numbers, cards)
        found[shoe] = found.get(shoe, 0.0) + high - low
    return [WeightedShoe(weight, shoe) for shoe, weight in found.items()]


def _shared_out(numbers: npt.NDArray[np.int64], cards: Floats) -> Composition:
    """Distribute the cards of each value over its suits and faces, in their proportions."""
    found = [0] * CARDS
    for value, number in enumerate(numbers.tolist(), 1):
        mine = [card for card in range(CARDS) if value_of(card) == value and cards[card] > 0]
        total = sum(float(cards[card]) for card in mine)
        exact = [float(cards[card]) * number / total for card in mine]
        rounded = [int(share) for share in exact]
        # Rotate the suit that gets a leftover card, so that none is favored.
        order = sorted(
            range(len(mine)),
            key=lambda place: (-(exact[place] - rounded[place]), (place + value) % len(mine)),
        )
        for place in order[: number - sum(rounded)]:
            rounded[place] += 1
        for card, count in zip(mine, rounded, strict=True):
            found[card] = count
    return tuple(found)


# --- Efficiency ---

_WORTH_LOOKING_AT = 1e-6  # decisions below this share of the total gain are left out


def normal_loss(z: Floats) -> Floats:
    """Mean excess of a unit normal variable over z >= 0; accurate to 1e-7."""
    places, losses = _loss_table()
    found: Floats = np.interp(z, places, losses)
    return found


@cache
def _loss_table() -> tuple[Floats, Floats]:
    """The loss function in steps of 0.001, between which it is nearly linear."""
    places = np.arange(0.0, 9.0, 0.001)
    tails = np.array([0.5 * math.erfc(z / math.sqrt(2)) for z in places])
    densities = np.exp(-0.5 * places * places) / math.sqrt(2 * math.pi)
    return places, np.maximum(densities - places * tails, 0.0)


@dataclass(frozen=True)
class PlayEffects:
    """How the alternatives to each decision's best action vary with the shoe."""

    rules: Rules
    decisions: Decisions
    behind: Floats  # [decision, choice]: shortfall from the best, 0 or more; NaN if not legal
    effects: Floats  # [decision, choice, value]: effect of removing one card on (choice - best)

    @property
    def shares(self) -> Floats:
        """Share of each value in a full shoe."""
        counts = np.zeros(VALUES)
        for card, count in enumerate(fresh_composition(self.rules)):
            counts[value_of(card) - 1] += count
        found: Floats = counts / counts.sum()
        return found

    @cached_property
    def alternatives(self) -> tuple[Floats, Floats, Floats]:
        """Mass, shortfall and centered effects of each decision's most useful alternative.

        The shortfall is relative to the best action.
        """
        centred = self.effects - (self.effects * self.shares).sum(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2 * self.shares).sum(axis=-1))
        scale = math.sqrt(self.rules.shoe_size - 1.0)  # scale when half the shoe has been dealt
        with np.errstate(divide="ignore", invalid="ignore"):
            gains = spread * scale * normal_loss(self.behind / (spread * scale))
        gains = np.where(np.isfinite(gains) & (self.behind > 0), gains, 0.0)
        best = gains.argmax(axis=1)
        rows = np.arange(len(best))
        worth = self.decisions.mass * gains[rows, best]
        worthwhile = rows[worth > _WORTH_LOOKING_AT * worth.sum()]
        return (
            self.decisions.mass[worthwhile],
            self.behind[worthwhile, best[worthwhile]],
            centred[worthwhile, best[worthwhile]],
        )

    def gains(self, counts: Sequence[Tags], depths: Depths) -> tuple[float, float]:
        """Gains per round from playing by these counts together, and from perfect play."""
        mass, behind, centred = self.alternatives
        spread = np.sqrt((centred**2 * self.shares).sum(axis=-1))
        seen = self._explained(centred, counts)
        by_count, perfect = (
            float(self.gains_of(mass, behind, deviation, depths).sum())
            for deviation in (seen, spread)
        )
        return by_count, perfect

    def gains_of(self, mass: Floats, behind: Floats, seen: Floats, depths: Depths) -> Floats:
        """Gains per round, given the visible standard deviation of each decision's advantage."""
        cards = self.rules.shoe_size
        found = np.zeros(np.broadcast_shapes(mass.shape, seen.shape))
        for unseen in depths.unseen:
            found += _gain(behind, seen * math.sqrt((cards - 1) * (cards - unseen) / unseen))
        gains: Floats = mass * found / len(depths.unseen)
        return gains

    def _explained(self, centred: Floats, counts: Sequence[Tags]) -> Floats:
        """The part of each decision's standard deviation that the counts can see."""
        rows = np.array([by_value(self.rules, tags) for tags in counts])
        rows = rows - (rows * self.shares).sum(axis=1, keepdims=True)
        matrix = (rows * self.shares) @ rows.T
        against = centred @ (rows * self.shares).T
        slopes = against @ np.linalg.pinv(matrix)
        found: Floats = np.sqrt(np.maximum((slopes * against).sum(axis=1), 0.0))
        return found

    def efficiency(self, counts: Sequence[Tags], depths: Depths) -> float:
        by_count, perfect = self.gains(counts, depths)
        return by_count / perfect if perfect else 0.0


def _gain(behind: Floats, deviation: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        found = deviation * normal_loss(behind / deviation)
    return np.where(deviation > 0, found, 0.0)


def by_value(rules: Rules, tags: Tags) -> Floats:
    """The mean tag of each value over the shoe."""
    sums, counts = np.zeros(VALUES), np.zeros(VALUES)
    for card, count in enumerate(fresh_composition(rules)):
        sums[value_of(card) - 1] += count * float(tags[card])
        counts[value_of(card) - 1] += count
    found: Floats = sums / counts
    return found


def play_effects(
    rules: Rules, base: int | None = None, each: ProgressIterator = without_progress
) -> PlayEffects:
    """Every decision in a full shoe and in each shoe with one card removed."""
    decisions = decisions_of(rules, base)
    shoe = fresh_composition(rules)
    full_shoe = decisions.values(best_play(rules, base, shoe, decisions.kinds))
    best = np.nanargmax(full_shoe, axis=1)
    rows = np.arange(len(decisions))
    effects = np.zeros((len(decisions), len(CHOICES), VALUES))
    weights = np.zeros(VALUES)
    for cards in each("decisions", alike_classes(rules, base is not None)):
        value = value_of(cards[0]) - 1
        available = sum(shoe[card] for card in cards)
        less = without_cards(shoe, cards[:1])
        found = decisions.values(best_play(rules, base, less, decisions.kinds))
        moved = (found - found[rows, best][:, None]) - (full_shoe - full_shoe[rows, best][:, None])
        effects[:, :, value] += available * np.nan_to_num(moved)
        weights[value] += available
    behind = full_shoe[rows, best][:, None] - full_shoe
    return PlayEffects(rules, decisions, behind, effects / weights)


# --- By sampling shoes ---


@dataclass(frozen=True)
class SampledEfficiency:
    """Exact values of sampled shoes: no linear or normal model, but a sampling error."""

    by_count: Estimate  # gain per round over a full shoe's best play
    perfect: Estimate
    efficiency: Estimate
    shoes: int
    seed: int


MAX_SAMPLED_SHOES = 100_000


def check_sample(shoes: object, seed: object) -> None:
    """Check the arguments before any computation."""
    check_range("sample", shoes, 2, MAX_SAMPLED_SHOES, "shoes")
    if type(seed) is not int or seed < 0:
        raise plan_problem("seed", seed, "a seed must be a whole number, 0 or more", "Choose one.")


def sampled_efficiency(
    rules: Rules,
    tags: Tags,
    shoes: int,
    seed: int = 21,
    base: int | None = None,
    each: ProgressIterator = without_progress,
) -> SampledEfficiency:
    """Draw unseen cards at all depths and play each shoe in three ways, exactly.

    The count plays what is best in the shoe tilted to the true count, rounded to the nearest whole
    number. That play knows every composition, so this is the most a count can achieve.
    """
    check_sample(shoes, seed)
    depths = Depths(rules, tags)
    generator = np.random.default_rng(seed)
    full = np.repeat(np.arange(52), fresh_composition(rules))
    tag = np.array([float(t) for t in tags]) - depths.mean
    default = fresh_solution(rules, base)
    plays = {0: default}
    rows = []
    for place in each("shoes", range(shoes)):
        unseen = round(float(depths.unseen[place % len(depths.unseen)]))
        drawn = generator.permutation(full)[:unseen]
        shoe = tuple(np.bincount(drawn, minlength=52).tolist())
        true_count = round(-float(tag[drawn].sum()) * depths.deck / unseen)
        if true_count not in plays:
            nearest = max(Tilt(depths, true_count).shoes(), key=lambda weighted: weighted.weight)
            plays[true_count] = best_solution(rules, base, nearest.composition)
        fixed = value_of_play(rules, base, default, shoe)
        counted = value_of_play(rules, base, plays[true_count], shoe)
        rows.append((counted - fixed, best_value(rules, base, shoe) - fixed))
    return _summed(np.array(rows), seed)


def _summed(rows: Floats, seed: int) -> SampledEfficiency:
    number = len(rows)
    means, deviations = rows.mean(axis=0), rows.std(axis=0, ddof=1)
    by_count, perfect = (
        Estimate(float(mean), float(sd) / math.sqrt(number), float(sd), number)
        for mean, sd in zip(means, deviations, strict=True)
    )
    ratio = by_count.value / perfect.value if perfect.value else 0.0
    # The error of a ratio, by the delta method.
    rest = rows[:, 0] - ratio * rows[:, 1]
    sd = float(rest.std(ddof=1)) / perfect.value if perfect.value else math.inf
    efficiency = Estimate(ratio, sd / math.sqrt(number), sd, number)
    return SampledEfficiency(by_count, perfect, efficiency, number, seed)


# --- Effects by rules ---


class Goal(StrEnum):
    BETTING = "betting"
    PLAYING = "playing"
    INSURANCE = "insurance"


@dataclass(frozen=True)
class EffectsCalculator:
    """The effects of removal under given rules, each computed once."""

    rules: Rules
    base: int | None = None  # cents; if given, values include its Super Bonus
    each: ProgressIterator = field(default=without_progress, compare=False)

    @cached_property
    def betting(self) -> Effects:
        return base_effects(self.rules, self.base, each=self.each)

    @cached_property
    def insurance(self) -> Effects | None:
        return insurance_effects(self.rules, self.each) if self.rules.insurance else None

    @cached_property
    def playing(self) -> PlayEffects:
        return play_effects(self.rules, self.base, self.each)

    @cached_property
    def side_wagers(self) -> tuple[Effects, ...]:
        """Effects for Match the Dealer and jackpots."""
        found = [match_effects(self.rules, self.each)] if self.rules.mtd_wagers else []
        games = range(1, len(self.rules.jackpots) + 1)
        return (*found, *(jackpot_effects(self.rules, game, each=self.each) for game in games))

    def effects_for(self, goal: Goal) -> Effects:
        if goal == Goal.INSURANCE:
            if self.insurance is None:
                raise plan_problem(
                    "goal", goal, "these rules offer no insurance", "Choose betting.", "R-034"
                )
            return self.insurance
        return self.betting
