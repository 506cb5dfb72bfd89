"""Shoes tilted along a count: what is left of a shoe, on average, at a true count.

Given how many cards are unseen and what their tags add up to, the sets of unseen cards are all
equally likely. Their mean composition follows, to a saddle point, from

    unseen of a card = its number in the shoe / (1 + exp(a + b * tag))

with a and b such that cards and tags add up. These shares of a shoe of whole size are analysed
exactly. Whole cards are needed for that: a shoe with fractions is the weighted mean of at most ten
shoes of whole cards that lie around it, and so is its value, but for terms of the second order in
less than one card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.composition import Composition
from ventiuna.core.cards import CARDS, value_of
from ventiuna.counting.depth import Depths
from ventiuna.strategy.errors import plan_problem

Floats = npt.NDArray[np.float64]
VALUES = 10
_STEPS = 60
_ENOUGH = 1e-11
_NEARLY_ALL = 0.95
_RARE = 1e-4  # depths at which a count is hardly ever met are left out


class WholeShoe(NamedTuple):
    """A shoe of whole cards, and its weight among those around a tilted one."""

    weight: float
    composition: Composition


@dataclass(frozen=True)
class Tilt:
    """The mean shoe at a true count, of the whole shoe's size."""

    depths: Depths
    true_count: float

    def shares(self, gone: Sequence[int] = ()) -> Floats:
        """Of each card among the unseen, over all depths at which the true count is met.

        The cards that are `gone` have been seen; they are in the count.
        """
        counts = self.depths.counts.copy()
        for card in gone:
            counts[card] -= 1
        tags = np.array([float(tag) for tag in self.depths.tags]) - self.depths.mean
        found = np.zeros(CARDS)
        weights = self.depths.depth_weights(self.true_count)
        for cards, weight in zip(self.depths.unseen, weights, strict=True):
            unseen = float(cards) - len(gone)
            # What the tags of the unseen cards add up to, less the drift.
            wanted = -self.true_count * unseen / self.depths.deck
            if weight > _RARE and _is_possible(counts, tags, unseen, wanted):
                found += weight * mean_shares(counts, tags, unseen, wanted)
        if not found.any():
            raise plan_problem(
                "count",
                f"{self.true_count:+.1f}",
                "no shoe comes to such a true count",
                "Choose one nearer to 0.",
            )
        shares: Floats = found / found.sum()
        return shares

    def shoes(self) -> list[WholeShoe]:
        return whole_shoes(self.shares() * self.depths.cards)


def _is_possible(counts: Floats, tags: Floats, unseen: float, wanted: float) -> bool:
    """Can the unseen cards add up to that, well within what the cards allow?"""
    usual = float((counts * tags).sum()) * unseen / float(counts.sum())
    further = wanted - usual
    order = np.argsort(tags if further > 0 else -tags)  # those that are gone first
    whole = counts[order]
    before = np.cumsum(whole) - whole
    gone = np.clip(counts.sum() - unseen - before, 0.0, whole)
    most = float(((whole - gone) * tags[order]).sum()) - usual
    return abs(further) < _NEARLY_ALL * abs(most) or abs(further) < _ENOUGH


def mean_shares(counts: Floats, tags: Floats, unseen: float, wanted: float) -> Floats:
    """By card, of so many unseen cards whose tags add up to what is wanted."""
    held = counts > 0
    whole, tag = counts[held], tags[held]
    a = float(np.log((whole.sum() - unseen) / unseen))
    b = 0.0
    for _ in range(_STEPS):
        kept = 1.0 / (1.0 + np.exp(np.clip(a + b * tag, -500, 500)))
        spread = whole * kept * (1.0 - kept)
        miss = np.array([(whole * kept).sum() - unseen, (whole * kept * tag).sum() - wanted])
        if np.abs(miss).max() < _ENOUGH * whole.sum():
            break
        crossed = (spread * tag).sum()
        matrix = np.array([[spread.sum(), crossed], [crossed, (spread * tag * tag).sum()]])
        step = np.linalg.lstsq(matrix, miss, rcond=None)[0]
        step *= min(1.0, 2.0 / max(1e-300, float(np.abs(step).max())))
        a, b = a + float(step[0]), b + float(step[1])
    else:
        raise plan_problem(
            "count", f"{wanted:+.1f}", "no cards add up to such a count", "Choose one nearer to 0."
        )
    found = np.zeros(CARDS)
    found[held] = whole * kept / unseen
    return found


def whole_shoes(cards: Floats) -> list[WholeShoe]:
    """Shoes of whole cards whose weighted mean has these numbers of each value.

    The numbers are laid end to end on a line and cut at whole places, all moved by the same
    offset. An offset anywhere from 0 to 1 gives each value its number or the whole number above
    or below it; few offsets give different shoes, and each weighs as much as its stretch.
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
    return [WholeShoe(weight, shoe) for shoe, weight in found.items()]


def _shared_out(numbers: npt.NDArray[np.int64], cards: Floats) -> Composition:
    """So many cards of each value, over its suits and faces as evenly as they were."""
    found = [0] * CARDS
    for value, number in enumerate(numbers.tolist(), 1):
        mine = [card for card in range(CARDS) if value_of(card) == value and cards[card] > 0]
        total = sum(float(cards[card]) for card in mine)
        exact = [float(cards[card]) * number / total for card in mine]
        whole = [int(share) for share in exact]
        # Which suit gets a card that is over is turned about, so that none is favoured.
        order = sorted(
            range(len(mine)),
            key=lambda place: (-(exact[place] - whole[place]), (place + value) % len(mine)),
        )
        for place in order[: number - sum(whole)]:
            whole[place] += 1
        for card, count in zip(mine, whole, strict=True):
            found[card] = count
    return tuple(found)
