"""How well tags follow effects of removal: correlations over the cards of the shoe.

Each card of the shoe is one observation. With weights w (how many of a card the shoe has, their sum
N), effects e and tags t, both less their weighted mean,

    correlation = sum(w e t) / sqrt(sum(w e e) * sum(w t t))

Several counts kept side by side have the multiple correlation: that of the best sum of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ventiuna.counting.removal import Effects
from ventiuna.counting.tags import Tags

Floats = npt.NDArray[np.float64]
_NOTHING = 1e-12  # of the sum of squares: rounding, not an effect


def weights_of(effects: Effects) -> Floats:
    """How many of each card there are."""
    return np.array(effects.shoe, dtype=np.float64)


def centred(values: Sequence[float | None] | Floats, weights: Floats) -> Floats:
    """By card, less the mean over the shoe; 0 where the shoe has none."""
    found = np.array([0.0 if value is None else float(value) for value in values])
    found = found - (weights * found).sum() / weights.sum()
    return np.where(weights > 0, found, 0.0)


def tag_floats(tags: Tags) -> Floats:
    return np.array([float(tag) for tag in tags])


def correlation(effects: Effects, tags: Tags) -> float | None:
    """None where the effects, or the tags, are the same for all cards."""
    return joint_correlation(effects, [tags])


def joint_correlation(effects: Effects, counts: Sequence[Tags]) -> float | None:
    """Of the effects with the best weighted sum of these counts."""
    fit = best_fit(effects, counts)
    return None if fit is None else fit.correlation


@dataclass(frozen=True)
class Fit:
    """The weighted sum of counts that follows the effects best, by least squares."""

    slopes: tuple[float, ...]  # effect per tag, of each count
    correlation: float


def best_fit(effects: Effects, counts: Sequence[Tags]) -> Fit | None:
    weights = weights_of(effects)
    target = centred(effects.by_card, weights)
    rows = np.array([centred(tag_floats(tags), weights) for tags in counts])
    squares = float((weights * target * target).sum())
    matrix = (rows * weights) @ rows.T
    if squares <= _NOTHING * max(1.0, effects.value**2) / weights.sum() or not matrix.any():
        return None
    against = rows @ (weights * target)
    slopes = np.linalg.lstsq(matrix, against, rcond=None)[0]
    explained = float(slopes @ against)
    sign = 1.0
    if len(counts) == 1:
        sign = math.copysign(1.0, float(against[0]))
    return Fit(tuple(slopes.tolist()), sign * math.sqrt(max(explained, 0.0) / squares))


# --- from effects to true counts ----------------------------------------------------------------


def slope_per_true_count(effects: Effects, tags: Tags, deck: int) -> float:
    """What the wager gains for each true count more, to the first order.

    With n of N cards unseen and a true count t, the share of a card among the unseen differs
    from that of a fresh shoe by -p (tag - mean) t / (deck * variance of the tags), and a card
    gone changes shares by 1 / (N - 1).
    """
    weights = weights_of(effects)
    shares = weights / weights.sum()
    effect = centred(effects.by_card, weights)
    tag = centred(tag_floats(tags), weights)
    variance = float((shares * tag * tag).sum())
    if not variance:
        return 0.0
    return float((weights.sum() - 1) * (shares * effect * tag).sum() / (deck * variance))


def deviation_at(effects: Effects, unseen: float) -> float:
    """Standard deviation of a wager's value with so many cards unseen, to the first order."""
    weights = weights_of(effects)
    cards = weights.sum()
    effect = centred(effects.by_card, weights)
    variance = float((weights * effect * effect).sum() / cards)
    return math.sqrt(variance * (cards - 1) * (cards - unseen) / unseen)
