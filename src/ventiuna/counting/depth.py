"""How often a counter meets which true count, by exact moments and the normal curve.

With n of N cards unseen, tags t of mean m and variance v over the shoe, the true count has mean 0
(tags less m: a count that drifts is corrected) and variance

    deck**2 * v * (N - n) / ((N - 1) * n)

exactly. Rounds begin at depths from the burn card to the cut card; every depth is met equally
often, and the normal curve stands for the distribution at each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.composition import fresh_composition
from ventiuna.counting.tags import Tags
from ventiuna.rules import Rules

Floats = npt.NDArray[np.float64]
DEPTHS = 24  # at which the curve is taken


@dataclass(frozen=True)
class Depths:
    """A shoe dealt to its cut card, and the tags that are counted in it."""

    rules: Rules
    tags: Tags

    @cached_property
    def counts(self) -> Floats:
        return np.array(fresh_composition(self.rules), dtype=np.float64)

    @property
    def cards(self) -> int:
        return self.rules.shoe_size

    @property
    def deck(self) -> int:
        return len(self.rules.pack.cards)

    @cached_property
    def mean(self) -> float:
        """Of a tag; times the deck it is the drift."""
        return float((self.counts * self._tags).sum() / self.counts.sum())

    @cached_property
    def variance(self) -> float:
        """Of a tag."""
        return float((self.counts * (self._tags - self.mean) ** 2).sum() / self.counts.sum())

    @cached_property
    def _tags(self) -> Floats:
        return np.array([float(tag) for tag in self.tags])

    @cached_property
    def unseen(self) -> Floats:
        """Cards not yet seen, at depths that are met equally often."""
        first = self.cards - self.rules.burn_cards
        last = self.cards * (100 - self.rules.cut_card_percent) // 100
        steps = (np.arange(DEPTHS) + 0.5) / DEPTHS
        found: Floats = first + (last - first) * steps
        return found

    @property
    def middle(self) -> float:
        """Cards unseen half-way to the cut card."""
        return float(self.unseen.mean())

    def deviation(self, unseen: float) -> float:
        """Of the true count with so many cards unseen."""
        share = (self.cards - unseen) / ((self.cards - 1) * unseen)
        return self.deck * math.sqrt(self.variance * share)

    def highest(self, deviations: float = 4.5) -> float:
        """A true count that is hardly ever passed: so many deviations at the cut card."""
        return deviations * self.deviation(float(self.unseen[-1]))

    def density(self, counts: Floats) -> Floats:
        """Of these true counts, over all depths."""
        found: Floats = self._curves(counts).mean(axis=0)
        return found

    def depth_weights(self, true_count: float) -> Floats:
        """How likely each depth is where this true count is met."""
        found = self._curves(np.array([true_count]))[:, 0]
        weights: Floats = found / found.sum()
        return weights

    def _curves(self, counts: Floats) -> Floats:
        """[depth, count]: normal curves."""
        deviations = np.array([self.deviation(float(n)) for n in self.unseen])[:, None]
        curves: Floats = np.exp(-0.5 * (counts / deviations) ** 2) / (
            deviations * math.sqrt(2 * math.pi)
        )
        return curves
