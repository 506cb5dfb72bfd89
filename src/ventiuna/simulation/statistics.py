"""Estimates from sums, each with its standard error."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction


class Estimate(float):
    """A mean with its standard error, and the standard deviation of one trial.

    It behaves like the plain float it estimates.

    >>> found = Estimate(-0.004, 0.001, 1.1, 1_000_000)
    >>> f"{found:+.3f}", found.standard_error, found < 0
    ('-0.004', 0.001, True)
    """

    __slots__ = ("sd", "standard_error", "trials")
    standard_error: float
    sd: float
    trials: int

    def __new__(cls, value: float, standard_error: float, sd: float, trials: int) -> Estimate:
        self = super().__new__(cls, value)
        for name, part in (("standard_error", standard_error), ("sd", sd), ("trials", trials)):
            object.__setattr__(self, name, part)
        return self

    @property
    def value(self) -> float:
        """The plain number."""
        return float(self)

    def with_error(self, standard_error: float) -> Estimate:
        """The same estimate with a different standard error."""
        return Estimate(self, standard_error, self.sd, self.trials)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name}: an estimate can't be changed")

    def __reduce__(self) -> tuple[object, ...]:
        return Estimate, (self.value, self.standard_error, self.sd, self.trials)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Estimate):
            return self.__reduce__()[1] == other.__reduce__()[1]
        return float.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = float.__hash__

    def __repr__(self) -> str:
        return (
            f"Estimate(value={self.value}, standard_error={self.standard_error}, sd={self.sd}, "
            f"trials={self.trials})"
        )

    def interval(self, sigmas: float = 1.96) -> tuple[float, float]:
        return (
            self.value - sigmas * self.standard_error,
            self.value + sigmas * self.standard_error,
        )


def mean_of(total: int, squared: int, trials: int, unit: Fraction | int = 1) -> Estimate:
    """The mean of trials from their sum and sum of squares, in `unit`s.

    The variance is computed from exact integers; only the result is rounded.
    """
    if trials == 0:
        return Estimate(0.0, math.inf, 0.0, 0)
    scale = Fraction(unit)
    mean = Fraction(total, trials)
    variance = max(Fraction(squared, trials) - mean * mean, Fraction(0)) / (scale * scale)
    sd = math.sqrt(variance)
    error = sd / math.sqrt(trials - 1) if trials > 1 else math.inf
    return Estimate(float(mean / scale), error, sd, trials)


def table_mean(
    total: int, squared: int, table_squared: int, rounds: int, spots: int, unit: Fraction | int
) -> Estimate:
    """The mean per spot if the spots of a round are correlated.

    The deviation is for one spot. The error comes from the sums by round, so that spots that win
    and lose together don't count as independent trials.
    """
    own = mean_of(total, squared, rounds * spots, unit)
    if spots == 1:
        return own
    together = mean_of(total, table_squared, rounds, Fraction(unit) * spots)
    return Estimate(own.value, together.standard_error, own.sd, own.trials)


def share_of(count: int, trials: int) -> Estimate:
    """The frequency of an event.

    If an event was observed never or always, that doesn't make it certain, so the error is set to
    one event.
    """
    found = mean_of(count, count, trials)
    if trials > 1 and count in (0, trials):
        return found.with_error(1 / trials)
    return found


def share_of_spots(
    count: int, rounds: int, spots: int, classes: Iterable[tuple[float, float]]
) -> Estimate:
    """The frequency of an event per spot, if the spots of a round share the dealer's cards.

    `classes` describe what they share, such as the up card: the probability of each class and the
    event's frequency per spot in it. Differences between classes determine how two spots correlate.
    """
    own = share_of(count, rounds * spots)
    if spots == 1 or not rounds:
        return own
    if count in (0, rounds * spots):
        return own.with_error(own.standard_error * spots)
    shared = math.fsum(chance * (share - own.value) ** 2 for chance, share in classes)
    error = math.sqrt((own.sd**2 + (spots - 1) * shared) / (rounds * spots))
    return Estimate(own.value, error, own.sd, own.trials)


def quantile(
    counts: Sequence[tuple[int, int]], share: float, widening: float = 1.0
) -> tuple[int, float]:
    """The value that this share doesn't exceed, and its standard error.

    `counts` are rising values with their frequencies. The error is half the distance between the
    quantiles one standard error above and below the share; no distribution is assumed.
    """
    total = sum(times for _, times in counts)
    seen, found = 0, 0
    for value, times in counts:
        if seen < share * total or not seen:
            found = value
        seen += times
    spread = widening * math.sqrt(share * (1 - share) / max(total, 1))
    low, high = (_place(counts, total * (share + sign * spread)) for sign in (-1, 1))
    return found, (high - low) / 2 if total > 1 else math.inf


def _place(counts: Sequence[tuple[int, int]], rank: float) -> float:
    """The position of this rank if each value's count is spread evenly up to the next value."""
    seen = 0
    for value, times in counts:
        if seen + times >= rank:
            return value + max(rank - seen, 0) / times
        seen += times
    return counts[-1][0] + 1 if counts else 0.0


def n_zero(estimate: Estimate) -> Estimate:
    """Rounds until the expectation equals one standard deviation.

    Only the error of the expectation is included; the error of the deviation is small in
    comparison.
    """
    if estimate.value == 0 or not math.isfinite(estimate.standard_error):
        return Estimate(math.inf, math.inf, math.inf, estimate.trials)
    rounds = (estimate.sd / estimate.value) ** 2
    relative = 2 * abs(estimate.standard_error / estimate.value)
    return Estimate(rounds, rounds * relative, math.inf, estimate.trials)


def normal_tail(sigmas: float) -> float:
    """Two-sided probability of a normal deviation of at least this size."""
    return math.erfc(abs(sigmas) / math.sqrt(2))


def holm_rejections(chances: list[float], level: float) -> list[bool]:
    """Which of many tests fail at this joint level (Holm's procedure)."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    rejected = [False] * len(chances)
    for rank, place in enumerate(order):
        if chances[place] > level / (len(chances) - rank):
            break
        rejected[place] = True
    return rejected


def poisson_tail(count: int, expected: float) -> float:
    """Two-sided probability of a count at least this far from its expectation, for rare events."""
    if expected <= 0:
        return 1.0 if count == 0 else 0.0
    if expected > 200:
        return normal_tail((count - expected) / math.sqrt(expected))
    below = math.fsum(_poisson(k, expected) for k in range(count + 1))
    above = 1.0 - below + _poisson(count, expected)
    return min(1.0, 2 * min(below, above))


def _poisson(k: int, expected: float) -> float:
    return math.exp(k * math.log(expected) - expected - math.lgamma(k + 1))
