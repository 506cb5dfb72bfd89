"""Count-based bets and their risk of ruin.

Rounds at a count k have frequency f, expectation e and variance v per unit bet. With bets b (0 if
the round is sat out), a round has

    mean = sum(f b e)        variance = sum(f (b b (v + e e))) - mean**2

and all figures here follow from these (docs/counting.md lists each with its formula). A Super Bonus
isn't proportional to the bet: the amount that the rules pay for each bet replaces the scaled one.

Risk of ruin (lifetime, trip, or before a goal) is computed in two ways: as Brownian motion with the
round's mean and variance, in closed form; and exactly for independent rounds with a given
distribution in whole steps, by a linear system for lifetimes and goals and by convolutions for
trips. Neither includes the correlation of rounds from one shoe; the simulator's sessions do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.results import TableRow, TitledResult
from ventiuna.analysis.side_bets.super_bonus import all_win
from ventiuna.core.base_game import super_bonus_pay
from ventiuna.core.rule_table import RuleTable
from ventiuna.rules import Rules, compile_rules
from ventiuna.simulation.figures import CountLine
from ventiuna.strategy.protocol import plan_problem
from ventiuna.texts import brief_repr

# --- Bet ramps ---

STANDARD_BANKROLL = 10_000.0  # for SCORE, in dollars
STANDARD_ROUNDS = 100
MIN_TO_SMOOTH = 5  # with this many counts or fewer, values aren't smoothed
_ROUNDING = 1e-6  # differences below this many cents are rounding errors
KELLY_RUIN = math.exp(-2)  # 13.5%, the risk of ruin with full Kelly bets


@dataclass(frozen=True)
class AtCount:
    """Rounds at one count, per unit bet."""

    count: int
    frequency: float
    ev: float
    variance: float
    ev_error: float = 0.0  # standard error


def counts_of(lines: Sequence[CountLine]) -> tuple[AtCount, ...]:
    """Rounds by count from a simulation that bets one unit at every count."""
    rounds = sum(line.rounds for line in lines)
    return tuple(
        AtCount(
            line.count,
            line.rounds / rounds,
            line.result.value,
            line.result.sd**2,
            line.result.standard_error if math.isfinite(line.result.standard_error) else 0.0,
        )
        for line in lines
    )


def smoothed(counts: Sequence[AtCount]) -> tuple[AtCount, ...]:
    """Smooth expectations by a weighted cubic fit and variances by a straight line, to choose bets.

    Bets should depend on the game, not on the luck of a simulation. Their earnings are never
    smoothed.
    """
    sure = [c for c in counts if c.ev_error > 0]
    if len(sure) <= MIN_TO_SMOOTH:
        return tuple(counts)
    places = np.array([float(c.count) for c in sure])
    weights = np.array([1 / c.ev_error for c in sure])
    evs = np.polynomial.Polynomial.fit(places, [c.ev for c in sure], 3, w=weights)
    rounds = np.sqrt([c.frequency for c in sure])
    variances = np.polynomial.Polynomial.fit(places, [c.variance for c in sure], 1, w=rounds)
    minimum = 0.5 * min(c.variance for c in sure)
    return tuple(
        replace(c, ev=float(evs(c.count)), variance=max(float(variances(c.count)), minimum))
        for c in counts
    )


@dataclass(frozen=True)
class SuperBonus:
    """A Super Bonus in rounds simulated at one bet; it isn't proportional to the bet (R-069)."""

    table: RuleTable
    chance: float  # probability per round, from a fresh shoe
    simulated: int  # cents bet on every simulated round

    def beyond(self, bet: float) -> tuple[float, float]:
        """Mean and mean square at `bet` cents, minus the simulated values scaled to that bet."""
        paid = super_bonus_pay(self.table, int(bet + _ROUNDING))
        scaled = bet / self.simulated * super_bonus_pay(self.table, self.simulated)
        return self.chance * (paid - scaled), self.chance * (paid**2 - scaled**2)


def super_bonus_of(rules: Rules, simulated: int) -> SuperBonus | None:
    """The Super Bonus of these rules; None if they don't have one."""
    if rules.super_bonus_form() is None:
        return None
    return SuperBonus(compile_rules(rules), float(all_win(rules, 1)), simulated)


@dataclass(frozen=True)
class Ramp(TitledResult):
    """A bet for each count, in units, and the resulting earnings per round."""

    main_table = "bets"

    counts: tuple[AtCount, ...]
    bets: tuple[float, ...]
    cents: float = 1.0  # cents per unit
    super_bonus: SuperBonus | None = None

    __repr__ = brief_repr

    @property
    def mean(self) -> float:
        """Units won per round dealt, including rounds sat out."""
        return math.fsum(c.frequency * (b * c.ev + self._beyond(b)[0]) for c, b in self._pairs)

    def _beyond(self, bet: float) -> tuple[float, float]:
        """The Super Bonus's contribution to the mean and the mean square, in units."""
        if self.super_bonus is None or not bet:
            return 0.0, 0.0
        mean, square = self.super_bonus.beyond(bet * self.cents)
        return mean / self.cents, square / self.cents**2

    @property
    def mean_error(self) -> float:
        """Standard error of the mean, from the errors of the expectations."""
        return math.sqrt(math.fsum((c.frequency * b * c.ev_error) ** 2 for c, b in self._pairs))

    @property
    def variance(self) -> float:
        squares = math.fsum(
            c.frequency * (b * b * (c.variance + c.ev**2) + self._beyond(b)[1])
            for c, b in self._pairs
        )
        return squares - self.mean**2

    @property
    def deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def average_bet(self) -> float:
        return math.fsum(c.frequency * b for c, b in self._pairs)

    @property
    def _pairs(self) -> list[tuple[AtCount, float]]:
        return list(zip(self.counts, self.bets, strict=True))

    title = "Bets by count"

    def rows(self) -> list[TableRow]:
        """One row per count; bets are in units, or in money if the ramp was scaled."""
        return [
            {"at_count": c.count, "frequency": c.frequency, "ev": c.ev, "sd": c.variance**0.5,
             "bet": bet}
            for c, bet in self._pairs
        ]  # fmt: skip

    # --- Comparisons ---

    @property
    def desirability(self) -> float:
        """Desirability index (DI): a thousand times the mean over the standard deviation."""
        return 1000 * self.mean / self.deviation

    @property
    def c_score(self) -> float:
        """DI squared, or 0 for a losing game, for the given bets."""
        return max(self.desirability, 0.0) ** 2

    @property
    def c_score_error(self) -> float:
        return 2 * abs(self.desirability) * 1000 * self.mean_error / self.deviation

    @property
    def n_zero(self) -> float:
        """Rounds until the expectation equals one standard deviation."""
        return self.variance / self.mean**2 if self.mean > 0 else math.inf

    # --- Money ---

    def scaled(self, unit: float) -> Ramp:
        """The same bets with a different unit."""
        bets = tuple(bet * unit for bet in self.bets)
        return replace(self, bets=bets, cents=self.cents / unit)

    def kelly_bankroll(self, fraction: float = 1.0) -> float:
        """The bankroll in units for which these bets are this fraction of Kelly."""
        return self.variance / (fraction * self.mean) if self.mean > 0 else math.inf

    def certainty_equivalent(self, bankroll: float, fraction: float = 1.0) -> float:
        """Guaranteed units per round that a player with this Kelly fraction would accept."""
        return self.mean - self.variance / (2 * fraction * bankroll)

    def growth(self, bankroll: float) -> float:
        """Expected growth of the log bankroll per round, to second order."""
        return (self.mean - self.variance / (2 * bankroll)) / bankroll


def kelly_bets(
    counts: Sequence[AtCount],
    bankroll: float,
    minimum: float,
    maximum: float,
    fraction: float = 1.0,
    sits_out_below: int | None = None,
) -> Ramp:
    """The bets with the highest certainty equivalent: `fraction` of Kelly within the limits.

    mean - variance / (2 fraction bankroll) separates into one term per count, each of which is best
    at fraction * bankroll * e / (v + e e), or at the nearest limit. (This ignores the square of the
    mean, a few millionths of the variance.)
    """
    check_bets(bankroll, minimum, maximum, fraction)
    bets = []
    for c in counts:
        optimal = fraction * bankroll * c.ev / (c.variance + c.ev**2) if c.variance else minimum
        bet = min(max(optimal, minimum), maximum)
        bets.append(0.0 if sits_out_below is not None and c.count < sits_out_below else bet)
    return Ramp(tuple(counts), tuple(bets))


def best_spread(
    counts: Sequence[AtCount], spread: float, sits_out_below: int | None = None
) -> Ramp:
    """The bets from 1 to `spread` units with the highest DI.

    At the optimum, each bet is s e / (v + e e), or the nearest limit, with the same s for all
    counts (the derivatives of mean**2 / variance vanish there). So only the best s has to be found.
    SCORE rises up to it and falls after it.
    """
    check_bets(1.0, 1.0, spread, 1.0)

    def ramp(size: float) -> Ramp:
        return kelly_bets(counts, size, 1.0, spread, sits_out_below=sits_out_below)

    edges = [(c.variance + c.ev**2) / c.ev for c in counts if c.ev > 0]
    if not edges:
        return ramp(1.0)
    low, high = math.log(min(edges) / 2), math.log(max(edges) * spread * 2)
    grid = [low + (high - low) * step / 400 for step in range(401)]
    found = max(grid, key=lambda x: ramp(math.exp(x)).desirability)
    step = (high - low) / 400
    low, high = found - step, found + step
    golden = (math.sqrt(5) - 1) / 2
    while high - low > 1e-9:
        one, other = high - golden * (high - low), low + golden * (high - low)
        if ramp(math.exp(one)).desirability < ramp(math.exp(other)).desirability:
            low = one
        else:
            high = other
    return ramp(math.exp((low + high) / 2))


def round_bets(ramp: Ramp) -> Ramp:
    """Round bets to whole units, but to at least one if anything was bet."""
    return replace(ramp, bets=tuple(float(max(1, round(bet))) if bet else 0.0 for bet in ramp.bets))


def score(counts: Sequence[AtCount], spread: float) -> float:
    """SCORE: dollars per 100 rounds with $10,000 at full Kelly (a risk of ruin of 13.5%).

    Equal to DI squared at the best bets for the spread.
    """
    return best_spread(counts, spread).c_score


def check_bets(bankroll: float, minimum: float, maximum: float, fraction: float) -> None:
    named: dict[str, object] = {
        "bankroll": bankroll,
        "unit": minimum,
        "spread": maximum,
        "kelly": fraction,
    }
    for name, number in named.items():
        if isinstance(number, bool) or not isinstance(number, Real):
            raise plan_problem(name, number, "must be a number", "Correct it.")
    for name, value in (("bankroll", bankroll), ("unit", minimum), ("kelly", fraction)):
        if not 0 < value < math.inf:
            raise plan_problem(name, value, "must be above zero", "Raise it.")
    if not minimum <= maximum < math.inf:
        raise plan_problem(
            "spread", maximum, "the highest bet can't be below the lowest", "Choose 1 or more."
        )


# --- Risk of ruin ---

Floats = npt.NDArray[np.float64]
MAX_STEPS = 200_000  # maximum bankroll or goal in the exact system
_NEGLIGIBLE = 1e-13


# --- As Brownian motion ---


def lifetime_ruin(mean: float, variance: float, bankroll: float) -> float:
    """Probability of ever losing the bankroll: exp(-2 mean bankroll / variance)."""
    if mean <= 0:
        return 1.0
    return math.exp(-2 * mean * bankroll / variance)


def trip_ruin(mean: float, variance: float, bankroll: float, rounds: float) -> float:
    """Probability of losing the bankroll within `rounds` rounds."""
    if rounds <= 0:
        return 0.0
    spread = math.sqrt(variance * rounds)
    drift = mean * rounds
    below = _normal((-bankroll - drift) / spread)
    reflected = _log_normal((-bankroll + drift) / spread) - 2 * mean * bankroll / variance
    return min(1.0, below + math.exp(min(reflected, 0.0)))


def goal_before_ruin(mean: float, variance: float, bankroll: float, goal: float) -> float:
    """Probability of winning `goal` before losing the bankroll."""
    rate = 2 * mean / variance
    if abs(rate) * (bankroll + goal) < 1e-9:
        return bankroll / (bankroll + goal)
    if rate > 0:
        return math.expm1(-rate * bankroll) / math.expm1(-rate * (bankroll + goal))
    # Numerator and denominator are multiplied by exp(rate (bankroll + goal)) to avoid overflow.
    return (math.exp(rate * goal) - math.exp(rate * (bankroll + goal))) / (
        -math.expm1(rate * (bankroll + goal))
    )


def lifetime_ruin_error(mean: float, variance: float, bankroll: float, mean_error: float) -> float:
    """Standard error of the lifetime risk due to the error of the mean.

    For losing bets, it is how much lower the risk would be with a mean one standard error higher.
    """
    if mean <= 0:
        return 1 - lifetime_ruin(mean + mean_error, variance, bankroll)
    return lifetime_ruin(mean, variance, bankroll) * 2 * bankroll / variance * mean_error


def _normal(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2))


def _log_normal(z: float) -> float:
    """Logarithm of the normal distribution function, accurate even if it is tiny."""
    if z > -30:
        return math.log(_normal(z))
    return -0.5 * z * z - math.log(-z * math.sqrt(2 * math.pi)) + math.log1p(-1 / (z * z))


# --- Exactly ---


@dataclass(frozen=True)
class Steps:
    """The distribution of one round in whole steps; rounds are independent."""

    lowest: int
    chances: Floats  # probabilities of `lowest`, `lowest` + 1 …

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
    """Convert results and their probabilities (or counts) to steps."""
    if not distribution or min(distribution) >= 0:
        raise plan_problem(
            "distribution", "", "it has no losing results", "Include results below 0."
        )
    lowest, highest = min(distribution), max(max(distribution), 0)
    chances = np.zeros(highest - lowest + 1)
    for result, chance in distribution.items():
        chances[result - lowest] += chance
    return Steps(lowest, chances / chances.sum())


def exact_trip_ruin(steps: Steps, bankroll: int, rounds: int) -> float:
    """Probability that the bankroll reaches 0 or less within `rounds` rounds."""
    _check_size(bankroll)
    # Bankrolls above what the walk can reach are ignored, because ruin is impossible from there.
    alive = np.zeros(bankroll + min(steps.highest * rounds, _reach(steps, rounds)) + 1)
    alive[bankroll] = 1.0
    ruined = 0.0
    for _ in range(rounds):
        spread = np.convolve(alive, steps.chances)
        # Index p of the spread is a bankroll of p + lowest.
        ruined += float(spread[: 1 - steps.lowest].sum())
        kept = spread[1 - steps.lowest :][: len(alive) - 1]
        alive[:] = 0.0
        alive[1 : len(kept) + 1] = kept
    return ruined


def _reach(steps: Steps, rounds: int) -> int:
    """How far up a walk gets with more than a negligible probability."""
    spread = math.sqrt(steps.variance * rounds)
    return int(9 * spread + max(steps.mean, 0.0) * rounds + steps.highest)


def exact_goal(steps: Steps, bankroll: int, goal: int) -> float:
    """Probability of reaching the goal (or more) before the bankroll reaches 0 (or less)."""
    _check_size(bankroll + goal)
    return float(1.0 - _ruin_from(steps, bankroll + goal)[bankroll - 1])


def exact_lifetime_ruin(steps: Steps, bankroll: int) -> float:
    """Probability of ever losing the bankroll.

    Ruin is certain if the mean isn't positive. Otherwise, the system ends so far up that a fall
    from there has a negligible probability.
    """
    if steps.mean <= 0:
        return 1.0
    rate = adjustment(steps)
    above = math.ceil(-math.log(_NEGLIGIBLE) / rate) + steps.highest
    _check_size(bankroll + above)
    return float(_ruin_from(steps, bankroll + above)[bankroll - 1])


def adjustment(steps: Steps) -> float:
    """The rate r > 0 with E[exp(-r result)] = 1: ruin falls like exp(-r bankroll).

    Ruin is between exp(-r (bankroll - lowest - 1)) and exp(-r bankroll).
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
    """Probabilities of falling to 0 before reaching `top`, for bankrolls 1 to `top` - 1.

    u = immediate ruin + sum(chance * u after the round): a banded system, solved by elimination
    from below.
    """
    size = top - 1
    down, up = -steps.lowest, steps.highest
    width = down + up + 1
    band = np.zeros((size, width))  # row of u[i]: columns i - down … i + up
    band[:] = -steps.chances[None, :]
    band[:, down] += 1.0
    right = np.zeros(size)
    lost = np.cumsum(steps.chances)  # chance of each step or a lower one, from `lowest`
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
    if not 1 <= steps <= MAX_STEPS:
        raise plan_problem(
            "bankroll",
            steps,
            f"the exact solution supports 1 to {MAX_STEPS:,} steps",
            "Choose a smaller bankroll or a larger step.",
        )
