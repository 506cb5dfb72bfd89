"""The four tests of 11 VAC 20-20-510 (C), for each card position of a sample of shoes.

Each position, or each pair of positions, gets a p-value. At 99% confidence, one fair position in a
hundred fails by chance, so not *every* position can be required to pass. Instead, two limits are
set so that a fair shuffle passes 99% of the time: no p-value may be below 1% divided by the number
of positions, and not too many p-values may be below 1%.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from tests.support.shuffle_statistics import chi_square_p_value, normal_p_value

Shoes = npt.NDArray[np.int64]  # one row for each shoe: the cards by position
Chances = npt.NDArray[np.float64]  # a p-value for each position, or for each pair
LEVEL = 0.01


def passes(chances: Chances) -> bool:
    """Whether a fair shuffle would give such p-values, at 99% confidence."""
    number = len(chances)
    failing = int((chances < LEVEL).sum())
    # positions depend on each other a little, which the exact binomial limit leaves room for
    return bool(chances.min() >= LEVEL / number) and failing <= _most_failing(number)


def _most_failing(number: int) -> int:
    """The number of p-values below 1% that isn't exceeded with a probability of 99.9%."""
    chance, total, failing = (1 - LEVEL) ** number, 0.0, 0
    while (total := total + chance) < 0.999:
        chance *= (number - failing) / (failing + 1) * LEVEL / (1 - LEVEL)
        failing += 1
    return failing


def chi_square(shoes: Shoes) -> Chances:
    """C.1: how often each card comes at each position, against equal frequencies."""
    cards = np.unique(shoes)
    expected = len(shoes) / len(cards)
    statistics = [
        float(((np.bincount(column, minlength=52)[cards] - expected) ** 2).sum() / expected)
        for column in shoes.T
    ]
    return np.array([chi_square_p_value(one, len(cards) - 1) for one in statistics])


def runs(shoes: Shoes) -> Chances:
    """C.2: runs of high and of low cards at each position, from shoe to shoe."""
    high = shoes > np.median(shoes)
    ones = high.sum(axis=0).astype(float)
    number = len(shoes)
    product = 2 * ones * (number - ones)
    mean = 1 + product / number
    variance = product * (product - number) / (number**2 * (number - 1))
    seen = 1 + (high[1:] != high[:-1]).sum(axis=0)
    return _normal((seen - mean) / np.sqrt(variance))


def correlation(shoes: Shoes) -> Chances:
    """C.3: each pair of positions in the same shoe.

    Cards aren't put back, so any two positions correlate by -1 / (size - 1) on average.
    """
    size = shoes.shape[1]
    found = np.asarray(np.corrcoef(shoes.T))[np.triu_indices(size, 1)]
    return _normal((np.arctanh(found) - math.atanh(-1 / (size - 1))) * math.sqrt(len(shoes) - 3))


def serial_correlation(shoes: Shoes) -> Chances:
    """C.4: each position with the same position of the previous shoe."""
    values = shoes - shoes.mean(axis=0)
    found = (values[1:] * values[:-1]).sum(axis=0) / (values**2).sum(axis=0)
    return _normal(found * math.sqrt(len(shoes)))


def _normal(z: npt.NDArray[np.float64]) -> Chances:
    return np.array([normal_p_value(float(one)) for one in z])
