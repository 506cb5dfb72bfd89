"""Side counts in play: a few sums of the counts, and each index play by the one that suits it.

A decision goes best by the sum of counts that follows its own effects of removal, and for each
decision that is another one. Nobody keeps hundreds of sums apart, so a few are chosen: first that
which bets are made by, then one after the other the sum that adds most to what all plays gain (to
the first order, as in `efficiency`). Along each of them shoes are tilted and analysed exactly, and
every cell takes the index that earns most.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ventiuna.counting.depth import Depths
from ventiuna.counting.efficiency import PlayEffects, by_value
from ventiuna.counting.indices import (
    POINTS,
    Bets,
    CellIndex,
    IndexStudy,
    index_numbers,
    insurance_index,
)
from ventiuna.counting.keeping import KeptShoes
from ventiuna.counting.scales import Scale
from ventiuna.counting.tags import parts_of, tags_of, telling_tags
from ventiuna.counting.workshop import Workshop
from ventiuna.strategy.counting import Count
from ventiuna.strategy.errors import plan_problem
from ventiuna.strategy.plays import Weights

Floats = npt.NDArray[np.float64]
MOST_SUMS = 8
_STEPS = 2  # weights are halves
_MOST_TRIED = 200  # sums, of those that decisions would go by best
_LARGEST = 20  # weight of a side count beside a main count of 1


def best_sums(playing: PlayEffects, count: Count, depths: Depths, number: int) -> list[Weights]:
    """So many sums to play by at most, that of bets first."""
    mass, behind, centred = playing.alternatives
    rows = np.array([by_value(playing.rules, tags) for tags in parts_of(count)])
    rows = rows - (rows * playing.shares).sum(axis=1, keepdims=True)
    matrix = (rows * playing.shares) @ rows.T
    against = centred @ (rows * playing.shares).T  # [decision, count]

    def gains(weights: Weights) -> Floats:
        """Of each decision by this sum."""
        vector = np.array([float(weight) for weight in weights])
        length = float(vector @ matrix @ vector)
        seen = np.abs(against @ vector) / np.sqrt(length) if length > 0 else np.zeros(len(mass))
        return playing.gains_of(mass, behind, seen, depths)

    tried = {weights: gains(weights) for weights in _wanted(against @ np.linalg.pinv(matrix), mass)}
    chosen = [count.weights]
    reached = gains(count.weights)
    while len(chosen) < number and tried:
        best = max(tried, key=lambda weights: float(np.maximum(tried[weights], reached).sum()))
        better = np.maximum(tried.pop(best), reached)
        if better.sum() <= reached.sum() * (1 + 1e-6):
            break
        chosen.append(best)
        reached = better
    return chosen


def _wanted(slopes: Floats, mass: Floats) -> list[Weights]:
    """Sums that decisions would go by best, rounded; those of the most decisions."""
    found: dict[Weights, float] = {}
    for row, often in zip(slopes, mass, strict=True):
        unit = row[0] if abs(row[0]) * _LARGEST > np.abs(row).max() else np.abs(row).max()
        if unit:
            weights = tuple(Fraction(round(float(one / unit) * _STEPS), _STEPS) for one in row)
            found[weights] = found.get(weights, 0.0) + float(often)
    return sorted(found, key=lambda weights: -found[weights])[:_MOST_TRIED]


def index_by_sums(
    workshop: Workshop,
    count: Count,
    sums: int = 1,
    bets: Bets | None = None,
    points: int = POINTS,
    keep: KeptShoes | None = None,
) -> IndexStudy:
    """Index numbers of a count on its own scale, each cell by the sum that earns it most.

    With several sums all earn at flat bets: bets follow another count than plays.
    """
    rules, base, each = workshop.rules, workshop.base, workshop.each
    if type(sums) is not int or not 1 <= sums <= MOST_SUMS:
        raise plan_problem("sums", sums, f"1 to {MOST_SUMS} sums of counts", "Choose in between.")
    if sums > 1 and not count.sides:
        raise plan_problem(
            "sums", sums, f"the count {count.name} has no side counts, so there is one sum",
            "Leave it out, or name a count that has [[sides]].",
        )  # fmt: skip
    if sums > 1 and bets is not None:
        raise plan_problem(
            "sums", sums, "bets follow another count than plays, so several sums earn at flat bets",
            "Give at_its_bets=False, or one sum.",
        )  # fmt: skip
    depths = Depths(rules, telling_tags(count, rules.pack))
    study = index_numbers(depths, base, bets, each, points, keep)
    best = {index.cell: index for index in study.cells}
    further = best_sums(workshop.playing, count, depths, sums)[1:] if sums > 1 else []
    for number, weights in enumerate(further, 2):
        along = Depths(rules, tags_of(count, weights))
        beside = None if keep is None else keep.of_sum(number)
        for index in index_numbers(along, base, None, each, points, beside).cells:
            known = best.get(index.cell)
            if known is not None and index.earns > known.earns:
                best[index.cell] = replace(index, weights=weights)
    cells = sorted(best.values(), key=lambda index: (-index.earns, index.cell))
    scale = Scale(count, rules)
    return replace(
        study,
        cells=tuple(index.on(replace(scale, weights=index.weights)) for index in cells),
        insurance=_insurance(count, study),
        lowest=scale.own(study.lowest),
        highest=scale.own(study.highest),
        scale=scale,
        base=base,
    )


def _insurance(count: Count, study: IndexStudy) -> float | None:
    """The insurance index, on the scale of the sum of counts that insurance uses."""
    found = study.insurance
    if count.insurance_weights:
        depths = Depths(study.rules, tags_of(count, count.insurance_weights))
        found = insurance_index(depths, depths.highest(4.0))
    scale = Scale(count, study.rules, count.insurance_weights)
    return None if found is None else scale.own(found)


def sums_of(cells: tuple[CellIndex, ...]) -> list[Weights]:
    """The sums that these cells go by, besides that of bets."""
    return list(dict.fromkeys(index.weights for index in cells if index.weights))
