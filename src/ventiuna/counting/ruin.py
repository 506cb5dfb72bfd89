"""Risk of ruin: of a lifetime, of a trip, and of losing all before a goal.

Two ways. As Brownian motion with a round's mean and variance, in closed form. And exactly for
independent rounds with a given distribution in whole steps: a linear system for lifetimes and
goals, convolutions for trips. What rounds have in common through the shoe is in neither; sessions
of the simulator have it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ventiuna.strategy.errors import plan_problem

Floats = npt.NDArray[np.float64]
MOST_STEPS = 200_000  # of a bankroll or goal in the exact system
_NEGLIGIBLE = 1e-13


# --- as Brownian motion -------------------------------------------------------------------------


def lifetime_ruin(mean: float, variance: float, bankroll: float) -> float:
    """Chance to lose the bankroll ever: exp(-2 mean bankroll / variance)."""
    if mean <= 0:
        return 1.0
    return math.exp(-2 * mean * bankroll / variance)


def trip_ruin(mean: float, variance: float, bankroll: float, rounds: float) -> float:
    """Chance to lose the bankroll within so many rounds."""
    if rounds <= 0:
        return 0.0
    spread = math.sqrt(variance * rounds)
    drift = mean * rounds
    below = _normal((-bankroll - drift) / spread)
    reflected = _log_normal((-bankroll + drift) / spread) - 2 * mean * bankroll / variance
    return min(1.0, below + math.exp(min(reflected, 0.0)))


def goal_before_ruin(mean: float, variance: float, bankroll: float, goal: float) -> float:
    """Chance to win `goal` before the bankroll is lost."""
    rate = 2 * mean / variance
    if abs(rate) * (bankroll + goal) < 1e-9:
        return bankroll / (bankroll + goal)
    if rate > 0:
        return math.expm1(-rate * bankroll) / math.expm1(-rate * (bankroll + goal))
    # The same with both parts multiplied by exp(rate (bankroll + goal)): nothing overflows.
    return (math.exp(rate * goal) - math.exp(rate * (bankroll + goal))) / (
        -math.expm1(rate * (bankroll + goal))
    )


def bankroll_for(mean: float, variance: float, ruin: float) -> float:
    """The bankroll with this lifetime risk."""
    if not 0 < ruin < 1:
        raise plan_problem("ruin", ruin, "a risk is between 0 and 1", "Write it as 5%.")
    return -variance * math.log(ruin) / (2 * mean) if mean > 0 else math.inf


def lifetime_ruin_error(mean: float, variance: float, bankroll: float, mean_error: float) -> float:
    """Standard error of the lifetime risk that the mean's error brings.

    Of bets that lose: how much lower the risk is where they win one error more.
    """
    if mean <= 0:
        return 1 - lifetime_ruin(mean + mean_error, variance, bankroll)
    return lifetime_ruin(mean, variance, bankroll) * 2 * bankroll / variance * mean_error


def _normal(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2))


def _log_normal(z: float) -> float:
    """The logarithm of the normal distribution's lower part, also where that is tiny."""
    if z > -30:
        return math.log(_normal(z))
    return -0.5 * z * z - math.log(-z * math.sqrt(2 * math.pi)) + math.log1p(-1 / (z * z))


# --- exactly ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Steps:
    """The distribution of one round in whole steps; rounds are independent."""

    lowest: int
    chances: Floats  # of `lowest`, `lowest` + 1 …

    @property
    def highest(self) -> int:
        return self.lowest + len(self.chances) - 1

    @property
    def mean(self) -> float:
        return float((np.arange(self.lowest, self.highest + 1) * self.chances).sum())

    @property
    def variance(self) -> float:
        steps = np.arange(self.lowest, self.highest + 1)
        return float((steps**2 * self.chances).sum()) - self.mean**2


def steps_of(distribution: Mapping[int, float]) -> Steps:
    """From results in whole steps and their chances (or how often they came)."""
    if not distribution or min(distribution) >= 0:
        raise plan_problem(
            "distribution", "", "nothing can be lost with it", "Give results below 0 too."
        )
    lowest, highest = min(distribution), max(max(distribution), 0)
    chances = np.zeros(highest - lowest + 1)
    for result, chance in distribution.items():
        chances[result - lowest] += chance
    return Steps(lowest, chances / chances.sum())


def exact_trip_ruin(steps: Steps, bankroll: int, rounds: int) -> float:
    """Chance that the bankroll is gone (0 or less) at some time within so many rounds."""
    _check_size(bankroll)
    # Above what the walk reaches ruin is out of reach too: nobody comes back from there.
    alive = np.zeros(bankroll + min(steps.highest * rounds, _reach(steps, rounds)) + 1)
    alive[bankroll] = 1.0
    ruined = 0.0
    for _ in range(rounds):
        spread = np.convolve(alive, steps.chances)
        # Place p of the spread is a bankroll of p + lowest.
        ruined += float(spread[: 1 - steps.lowest].sum())
        kept = spread[1 - steps.lowest :][: len(alive) - 1]
        alive[:] = 0.0
        alive[1 : len(kept) + 1] = kept
    return ruined


def _reach(steps: Steps, rounds: int) -> int:
    """How far up a walk comes with a chance worth counting."""
    spread = math.sqrt(steps.variance * rounds)
    return int(9 * spread + max(steps.mean, 0.0) * rounds + steps.highest)


def exact_goal(steps: Steps, bankroll: int, goal: int) -> float:
    """Chance to win the goal (or more) before the bankroll is gone (or more)."""
    _check_size(bankroll + goal)
    return float(1.0 - _ruin_from(steps, bankroll + goal)[bankroll - 1])


def exact_lifetime_ruin(steps: Steps, bankroll: int) -> float:
    """Chance to lose the bankroll ever.

    Lost for certain where nothing is won on average. Else the system is cut off so far up that
    coming down from there adds nothing.
    """
    if steps.mean <= 0:
        return 1.0
    rate = adjustment(steps)
    above = math.ceil(-math.log(_NEGLIGIBLE) / rate) + steps.highest
    _check_size(bankroll + above)
    return float(_ruin_from(steps, bankroll + above)[bankroll - 1])


def adjustment(steps: Steps) -> float:
    """The rate r > 0 with E[exp(-r result)] = 1: ruin falls like exp(-r bankroll).

    Ruin lies between exp(-r (bankroll - lowest - 1)) and exp(-r bankroll).
    """
    values = np.arange(steps.lowest, steps.highest + 1)

    def beyond(rate: float) -> float:
        return float((steps.chances * np.exp(-rate * values)).sum()) - 1.0

    low, high = 0.0, 1e-6
    while beyond(high) < 0:
        low, high = high, high * 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(middle) < 0 else (low, middle)
    return (low + high) / 2


def _ruin_from(steps: Steps, top: int) -> Floats:
    """[bankroll - 1] for bankrolls 1 to top - 1: chance to fall to 0 or less before top or more.

    u = ruin at once + sum(chance * u after the round): a system with a band, solved by
    elimination from below.
    """
    size = top - 1
    down, up = -steps.lowest, steps.highest
    width = down + up + 1
    band = np.zeros((size, width))  # row of u[i]: columns i - down … i + up
    band[:] = -steps.chances[None, :]
    band[:, down] += 1.0
    right = np.zeros(size)
    lost = np.cumsum(steps.chances)  # of `lowest` and all up to each
    for place in range(min(size, down)):
        right[place] = lost[down - place - 1]
    for place in range(size):
        pivot = band[place, down]
        below = min(down, size - 1 - place)
        for further in range(1, below + 1):
            factor = band[place + further, down - further] / pivot
            if factor:
                band[place + further, down - further : width - further] -= (
                    factor * band[place, down:]
                )
                right[place + further] -= factor * right[place]
    found = np.zeros(size + up)
    for place in range(size - 1, -1, -1):
        after = band[place, down + 1 :] @ found[place + 1 : place + 1 + up]
        found[place] = (right[place] - after) / band[place, down]
    return found[:size]


def _check_size(steps: int) -> None:
    if not 1 <= steps <= MOST_STEPS:
        raise plan_problem(
            "bankroll",
            steps,
            f"the exact system holds 1 to {MOST_STEPS:,} steps",
            "Choose a smaller bankroll or a larger step.",
        )
