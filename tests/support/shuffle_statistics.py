"""Statistical tests that a wrong shuffle fails, each with its p-value."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.99
BLOCK = 4  # neighbors whose order is examined: 24 orders
KIND = 4  # cards of one kind, whose gaps are examined
LAGS = (1, 5, 7, 11)  # don't divide the shoe's size, so that each has the same distribution

Orders = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TestStatistic:
    """The result of one test."""

    name: str
    chance: float  # probability of a value at least this extreme if the shuffles are fair


@dataclass(frozen=True, slots=True)
class ShuffleReport:
    findings: tuple[TestStatistic, ...]

    @property
    def limit(self) -> float:
        """Significance level of a single test, with a Bonferroni correction."""
        return (1 - CONFIDENCE) / len(self.findings)

    @property
    def suspicious(self) -> list[str]:
        return [finding.name for finding in self.findings if finding.chance < self.limit]


def sample(shuffle: Callable[[list[int]], None], size: int, number: int) -> Orders:
    """`number` shuffles of a shoe of this size."""
    orders = np.empty((number, size), dtype=np.int64)
    for row in range(number):
        cards = list(range(size))
        shuffle(cards)
        orders[row] = cards
    return orders


def examine(orders: Orders) -> ShuffleReport:
    """Run all tests on one sample."""
    findings = [
        TestStatistic("position by card", _positions(orders)),
        TestStatistic("first card", _uniform(np.bincount(orders[:, 0], minlength=orders.shape[1]))),
        TestStatistic("last card", _uniform(np.bincount(orders[:, -1], minlength=orders.shape[1]))),
        TestStatistic("rises", _rises(orders)),
        TestStatistic("runs of two colours", _runs(orders)),
        TestStatistic("runs of halves of the shoe", _runs_of_halves(orders)),
        *(TestStatistic(f"serial correlation, lag {lag}", _serial(orders, lag)) for lag in LAGS),
        TestStatistic("neighbors kept", _neighbors(orders)),
        TestStatistic("gaps", _gaps(orders)),
        TestStatistic("orders of neighbors", _orders_of_blocks(orders)),
        TestStatistic("matches with the shoe before", _matches(orders)),
        TestStatistic("parity of the shuffle", _parity(orders)),
    ]
    return ShuffleReport(tuple(findings))


# --- the tests --------------------------------------------------------------------------------


def _positions(orders: Orders) -> float:
    """How often each card was at each position.

    Each shuffle puts one card at each position, so the cells of the table are dependent. The sum of
    squares below still follows a chi-square distribution, with (size - 1) squared degrees of
    freedom.
    """
    number, size = orders.shape
    table = np.zeros((size, size), dtype=np.int64)
    for position in range(size):
        table[position] = np.bincount(orders[:, position], minlength=size)
    statistic = float(((table - number / size) ** 2).sum()) * (size - 1) / number
    return chi_square_p_value(statistic, (size - 1) ** 2)


def _rises(orders: Orders) -> float:
    """Cards followed by a higher one: mean (n - 1) / 2, variance (n + 1) / 12."""
    number, size = orders.shape
    rises = int((orders[:, 1:] > orders[:, :-1]).sum())
    return normal_p_value((rises - number * (size - 1) / 2) / math.sqrt(number * (size + 1) / 12))


def _runs(orders: Orders) -> float:
    """Runs of red and black cards; suits 1 and 2 are diamonds and hearts."""
    suits = orders % 4
    return _runs_of(orders, (suits == 1) | (suits == 2))


def _runs_of_halves(orders: Orders) -> float:
    return _runs_of(orders, orders < orders.shape[1] // 2)


def _runs_of(orders: Orders, marked: npt.NDArray[np.bool_]) -> float:
    """Wald-Wolfowitz runs test."""
    number, size = orders.shape
    one = int(marked[0].sum())
    product = 2 * one * (size - one)
    mean = 1 + product / size
    variance = product * (product - size) / (size**2 * (size - 1))
    runs = number + int((marked[:, 1:] != marked[:, :-1]).sum())
    return normal_p_value((runs - number * mean) / math.sqrt(number * variance))


def _serial(orders: Orders, lag: int) -> float:
    """Products of each card and the card `lag` places later, wrapping around at the end.

    Mean and variance over all orders of these numbers are those of Wald and Wolfowitz (1943). The
    numbers are centered, so their sum, and every term with it, is zero.
    """
    number, size = orders.shape
    values = orders - (size - 1) / 2
    products = float((values * np.roll(values, -lag, axis=1)).sum())
    centred = np.arange(size) - (size - 1) / 2
    squares, fourths = float((centred**2).sum()), float((centred**4).sum())
    mean = -squares / (size - 1)
    variance = (
        (squares**2 - fourths) / (size - 1)
        + (squares**2 - 2 * fourths) / ((size - 1) * (size - 2))
        - mean**2
    )
    return normal_p_value((products - number * mean) / math.sqrt(number * variance))


def _neighbors(orders: Orders) -> float:
    """Cards still followed by the card that followed them before the shuffle.

    Each of the n - 1 pairs survives with probability 1 / n, and any two of them with 1 / n(n - 1).
    """
    number, size = orders.shape
    kept = int((orders[:, 1:] - orders[:, :-1] == 1).sum())
    mean = (size - 1) / size
    variance = mean + (size - 2) / size - mean**2
    return normal_p_value((kept - number * mean) / math.sqrt(number * variance))


def _gaps(orders: Orders) -> float:
    """Distances between cards of one kind, against the exact distribution of such a gap.

    The gaps within one shuffle are dependent, so each shuffle contributes only one gap, with the
    kind and the gap rotating.
    """
    number, size = orders.shape
    kinds = size // KIND
    rows = np.arange(number)
    positions = np.empty((number, KIND + 2), dtype=np.int64)
    positions[:, 0], positions[:, -1] = -1, size
    marked = orders // KIND == (rows % kinds)[:, None]
    positions[:, 1:-1] = np.nonzero(marked)[1].reshape(number, KIND)
    which = rows // kinds % (KIND + 1)
    gaps = positions[rows, which + 1] - positions[rows, which]
    chances = [
        Fraction(math.comb(size - gap, KIND - 1), math.comb(size, KIND))
        for gap in range(1, size - KIND + 2)
    ]
    return _against(np.bincount(gaps, minlength=size - KIND + 2)[1:], chances, number)


def _orders_of_blocks(orders: Orders) -> float:
    """Order of the cards within each block of neighbors; blocks are independent."""
    size = orders.shape[1]
    blocks = orders[:, : size // BLOCK * BLOCK].reshape(-1, BLOCK)
    ranks = blocks.argsort(axis=1).argsort(axis=1)
    codes = (ranks * (BLOCK ** np.arange(BLOCK))).sum(axis=1)
    every = [
        sum(rank * BLOCK**place for place, rank in enumerate(order))
        for order in permutations(range(BLOCK))
    ]
    return _uniform(np.bincount(codes, minlength=BLOCK**BLOCK)[every])


def _matches(orders: Orders) -> float:
    """Positions with the same card as in the previous shuffle: mean one, variance one."""
    pairs = len(orders) - 1
    matches = int((orders[1:] == orders[:-1]).sum())
    return normal_p_value((matches - pairs) / math.sqrt(pairs))


def _parity(orders: Orders) -> float:
    """Half of all shuffles are an even number of swaps."""
    even = sum(_is_even(order) for order in orders.tolist())
    return normal_p_value((even - len(orders) / 2) / math.sqrt(len(orders) / 4))


def _is_even(order: Sequence[int]) -> bool:
    seen = [False] * len(order)
    swaps = 0
    for start in range(len(order)):
        place = start
        while not seen[place]:
            seen[place] = True
            place = order[place]
            swaps += not seen[place]
    return swaps % 2 == 0


# --- probabilities ----------------------------------------------------------------------------


def _uniform(counts: npt.NDArray[np.int64]) -> float:
    expected = counts.sum() / len(counts)
    statistic = float(((counts - expected) ** 2).sum() / expected)
    return chi_square_p_value(statistic, len(counts) - 1)


def _against(counts: npt.NDArray[np.int64], chances: Sequence[Fraction], number: int) -> float:
    """Chi-square test; classes with fewer than five expected are merged with the next one."""
    statistic, classes = 0.0, 0
    seen, expected = 0, 0.0
    left = float(number)
    for count, chance in zip(counts.tolist(), chances, strict=True):
        seen += count
        expected += number * float(chance)
        left -= number * float(chance)
        if expected >= 5 and left >= 5:
            statistic += (seen - expected) ** 2 / expected
            classes += 1
            seen, expected = 0, 0.0
    statistic += (seen - expected) ** 2 / expected
    return chi_square_p_value(statistic, classes)


def normal_p_value(z: float) -> float:
    """Two-sided p-value of a standard normal statistic.

    >>> round(normal_p_value(1.959964), 4)
    0.05
    """
    return math.erfc(abs(z) / math.sqrt(2))


def chi_square_p_value(statistic: float, freedom: int) -> float:
    """Two-sided p-value of a chi-square statistic, by the Wilson-Hilferty cube root.

    >>> round(chi_square_p_value(129.561, 100), 3)  # the 97.5% point
    0.05
    """
    spread = 2 / (9 * freedom)
    return normal_p_value(((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))
