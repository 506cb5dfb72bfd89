"""Playing efficiency: how much of what perfect play would gain a count's plays gain.

For every decision the advantage of an action over the one that is best in a whole shoe is taken as
linear in the shares of the unseen cards, its coefficients being exact effects of removal (a shoe
less one card, analysed anew), and as normal over all sets of unseen cards. With mean -m and
deviation s it is worth s L(m / s) to play by it, where L(z) = phi(z) - z (1 - Phi(z)) is the unit
normal loss. A count that follows it with a correlation r sees a deviation of r s. So at one depth

    efficiency = sum(mass * r s L(m / (r s))) / sum(mass * s L(m / s))

and over a shoe the sums are taken over all depths. Of several other actions the one that is worth
most counts. This is Griffin's measure with decisions by composition. `sampled_efficiency` does
without linear and normal: it draws unseen cards and analyses each shoe exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.composition import fresh_composition, without_cards
from ventiuna.analysis.questions.edge import Each, in_silence
from ventiuna.core.cards import value_of
from ventiuna.counting.decisions import CHOICES, Decisions, decisions_of
from ventiuna.counting.depth import Depths
from ventiuna.counting.play import (
    best_play,
    best_solution,
    best_value,
    fresh_solution,
    value_of_play,
)
from ventiuna.counting.removal import alike_classes
from ventiuna.counting.tags import Tags
from ventiuna.counting.tilt import Tilt
from ventiuna.rules import Rules
from ventiuna.simulation.statistics import Estimate
from ventiuna.strategy.errors import plan_problem

Floats = npt.NDArray[np.float64]
VALUES = 10
_WORTH_LOOKING_AT = 1e-6  # share of the whole gain, for one decision


def normal_loss(z: Floats) -> Floats:
    """What is lost on average beyond z >= 0, of a unit normal deviation; right to 1e-7."""
    places, losses = _loss_table()
    found: Floats = np.interp(z, places, losses)
    return found


@cache
def _loss_table() -> tuple[Floats, Floats]:
    """Worked out at steps of a thousandth; between them it is all but straight."""
    places = np.arange(0.0, 9.0, 0.001)
    tails = np.array([0.5 * math.erfc(z / math.sqrt(2)) for z in places])
    densities = np.exp(-0.5 * places * places) / math.sqrt(2 * math.pi)
    return places, np.maximum(densities - places * tails, 0.0)


@dataclass(frozen=True)
class PlayEffects:
    """How every decision's other actions move with the shoe."""

    rules: Rules
    decisions: Decisions
    behind: Floats  # [decision, choice]: what it is behind the best, 0 or more; NaN: not legal
    effects: Floats  # [decision, choice, value]: of one card gone on (choice less best)

    @property
    def shares(self) -> Floats:
        """Of each value in a whole shoe."""
        counts = np.zeros(VALUES)
        for card, count in enumerate(fresh_composition(self.rules)):
            counts[value_of(card) - 1] += count
        found: Floats = counts / counts.sum()
        return found

    @cached_property
    def alternatives(self) -> tuple[Floats, Floats, Floats]:
        """Mass, distance behind and centred effects of each decision's most useful other action."""
        centred = self.effects - (self.effects * self.shares).sum(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2 * self.shares).sum(axis=-1))
        scale = math.sqrt(self.rules.shoe_size - 1.0)  # a depth where half of the cards are gone
        with np.errstate(divide="ignore", invalid="ignore"):
            gains = spread * scale * normal_loss(self.behind / (spread * scale))
        gains = np.where(np.isfinite(gains) & (self.behind > 0), gains, 0.0)
        best = gains.argmax(axis=1)
        rows = np.arange(len(best))
        worth = self.decisions.mass * gains[rows, best]
        kept = rows[worth > _WORTH_LOOKING_AT * worth.sum()]
        return (
            self.decisions.mass[kept],
            self.behind[kept, best[kept]],
            centred[kept, best[kept]],
        )

    def gains(self, counts: Sequence[Tags], depths: Depths) -> tuple[float, float]:
        """Per round, of play by these counts (together) and of perfect play."""
        mass, behind, centred = self.alternatives
        spread = np.sqrt((centred**2 * self.shares).sum(axis=-1))
        seen = self._explained(centred, counts)
        by_count, perfect = (
            float(self.gains_of(mass, behind, deviation, depths).sum())
            for deviation in (seen, spread)
        )
        return by_count, perfect

    def gains_of(self, mass: Floats, behind: Floats, seen: Floats, depths: Depths) -> Floats:
        """Per round, of decisions whose advantage has so much deviation that can be seen."""
        cards = self.rules.shoe_size
        found = np.zeros(np.broadcast_shapes(mass.shape, seen.shape))
        for unseen in depths.unseen:
            found += _gain(behind, seen * math.sqrt((cards - 1) * (cards - unseen) / unseen))
        gains: Floats = mass * found / len(depths.unseen)
        return gains

    def _explained(self, centred: Floats, counts: Sequence[Tags]) -> Floats:
        """The deviation of each decision's advantage that the counts can see."""
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


def play_effects(rules: Rules, base: int | None = None, each: Each = in_silence) -> PlayEffects:
    """Every decision in a whole shoe and in each shoe less one card."""
    decisions = decisions_of(rules, base)
    shoe = fresh_composition(rules)
    whole = decisions.values(best_play(rules, base, shoe, decisions.kinds))
    best = np.nanargmax(whole, axis=1)
    rows = np.arange(len(decisions))
    effects = np.zeros((len(decisions), len(CHOICES), VALUES))
    weights = np.zeros(VALUES)
    for cards in each("decisions", alike_classes(rules, base is not None)):
        value = value_of(cards[0]) - 1
        held = sum(shoe[card] for card in cards)
        less = without_cards(shoe, cards[:1])
        found = decisions.values(best_play(rules, base, less, decisions.kinds))
        moved = (found - found[rows, best][:, None]) - (whole - whole[rows, best][:, None])
        effects[:, :, value] += held * np.nan_to_num(moved)
        weights[value] += held
    behind = whole[rows, best][:, None] - whole
    return PlayEffects(rules, decisions, behind, effects / weights)


# --- by drawing shoes ---------------------------------------------------------------------------


@dataclass(frozen=True)
class SampledEfficiency:
    """Exact values of drawn shoes: nothing is linear or normal here, but the draw has an error."""

    by_count: Estimate  # gain per round over the play of a whole shoe
    perfect: Estimate
    efficiency: Estimate
    shoes: int
    seed: int


MOST_SHOES = 100_000


def check_sample(shoes: object, seed: object) -> None:
    """Told before anything is worked out."""
    if type(shoes) is not int or not 2 <= shoes <= MOST_SHOES:
        raise plan_problem("sample", shoes, f"2 to {MOST_SHOES:,} shoes", "Choose in between.")
    if type(seed) is not int or seed < 0:
        raise plan_problem("seed", seed, "a seed is a whole number from 0 on", "Choose one.")


def sampled_efficiency(
    rules: Rules,
    tags: Tags,
    shoes: int,
    seed: int = 21,
    base: int | None = None,
    each: Each = in_silence,
) -> SampledEfficiency:
    """Draw unseen cards at all depths and play each shoe in three ways, exactly.

    The count plays as is best in the shoe tilted to the true count, rounded to the nearest whole
    one; play knows every composition, so this is what a count can do at most.
    """
    check_sample(shoes, seed)
    depths = Depths(rules, tags)
    generator = np.random.default_rng(seed)
    full = np.repeat(np.arange(52), fresh_composition(rules))
    tag = np.array([float(t) for t in tags]) - depths.mean
    usual = fresh_solution(rules, base)
    plays = {0: usual}
    rows = []
    for place in each("shoes", range(shoes)):
        unseen = round(float(depths.unseen[place % len(depths.unseen)]))
        drawn = generator.permutation(full)[:unseen]
        shoe = tuple(np.bincount(drawn, minlength=52).tolist())
        true_count = round(-float(tag[drawn].sum()) * depths.deck / unseen)
        if true_count not in plays:
            nearest = max(Tilt(depths, true_count).shoes(), key=lambda whole: whole.weight)
            plays[true_count] = best_solution(rules, base, nearest.composition)
        fixed = value_of_play(rules, base, usual, shoe)
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
    # The error of a ratio, by its first derivatives.
    rest = rows[:, 0] - ratio * rows[:, 1]
    sd = float(rest.std(ddof=1)) / perfect.value if perfect.value else math.inf
    efficiency = Estimate(ratio, sd / math.sqrt(number), sd, number)
    return SampledEfficiency(by_count, perfect, efficiency, number, seed)
