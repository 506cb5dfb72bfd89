"""Studies of a count in play: simulated rounds, the best ramp, earnings and risk."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from operator import attrgetter

from ventiuna.analysis.coerce import check_amount
from ventiuna.analysis.results import (
    PERCENT_4,
    WHOLE,
    Column,
    Form,
    FormattedNumber,
    TableRow,
    TitledResult,
)
from ventiuna.counting.betting import (
    STANDARD_ROUNDS,
    AtCount,
    Ramp,
    Steps,
    best_spread,
    counts_of,
    exact_goal,
    exact_lifetime_ruin,
    exact_trip_ruin,
    goal_before_ruin,
    kelly_bets,
    lifetime_ruin,
    lifetime_ruin_error,
    round_bets,
    smoothed,
    steps_of,
    super_bonus_of,
    trip_ruin,
)
from ventiuna.counting.files import flat, with_bets
from ventiuna.counting.tags import distinguishing_tags
from ventiuna.rules import Rules, canonical, change_rules
from ventiuna.simulation.plan import Plan, is_whole_number
from ventiuna.simulation.result import Result, curves_svg, facts_of
from ventiuna.simulation.run import Progress, Run, begin_run, threads
from ventiuna.strategy.counting import Count
from ventiuna.strategy.protocol import PlanError, plan_problem
from ventiuna.texts import brief_repr

DEFAULT_ROUNDS_PER_HOUR = 100
DEFAULT_BANKROLL = 1_000_000  # cents
_HALVES = 2  # steps per unit in exact risk calculations


@dataclass(frozen=True)
class PlayConditions:
    """The conditions under which a count is played: strategy, spots, seed and base wager."""

    strategy: str = "optimal"
    spots: int = 1
    base: int = 0  # cents; 0 for the table minimum
    seed: int = 21


def counting_run(
    rules: Rules, count: Count, rounds: int, sitting: PlayConditions, session: int = 0
) -> Run:
    """A run that can be played, monitored and saved like any simulation."""
    distinguishing_tags(count, rules.pack)
    plan = Plan(
        rules=rules,
        strategy=sitting.strategy,
        spots=sitting.spots,
        base=sitting.base,
        count=count,
        session=session,
        seed=sitting.seed,
    )
    return begin_run(plan, rounds)


def play_run(
    run: Run, workers: int = 0, report: Callable[[Progress], None] | None = None
) -> Result:
    with threads(workers) as found:
        return run.go(found, report)


@dataclass(frozen=True)
class CountStudy(TitledResult):
    """Rounds played using the count, all with a bet of one unit."""

    main_table = "counts"

    rules: Rules
    count: Count
    result: Result
    sitting: PlayConditions = field(default_factory=PlayConditions)

    __repr__ = brief_repr

    @cached_property
    def simulated(self) -> tuple[AtCount, ...]:
        """The simulated figures, from which all betting results are computed."""
        return counts_of(self.result.by_count)

    @cached_property
    def counts(self) -> tuple[AtCount, ...]:
        """The figures smoothed over the counts, from which bets are chosen."""
        return smoothed(self.simulated)

    @property
    def title(self) -> str:
        return f"Rounds by count, {self.count.name}, {canonical(self.rules)}"

    def rows(self) -> list[TableRow]:
        """One row per count, for rounds from this count up to the next; all per unit bet."""
        return [
            {
                "at_count": line.count,
                "rounds": line.rounds,
                "frequency": at.frequency,
                "ev": line.result.value,
                "standard_error": finite_or_none(line.result.standard_error),
                "sd": line.result.sd,
                "smoothed_per_wager": at.ev,
            }
            for line, at in zip(self.result.by_count, self.counts, strict=True)
        ]

    def more_facts(self) -> dict[str, object]:
        return {
            **facts_of(self.result),
            "count": self.count.name,
            "penetration_percent": self.rules.cut_card_percent,
        }

    def spread_ramp(self, spread: float, sits_out_below: int | None = None) -> Ramp:
        """The bets within the spread that have the highest DI according to the smoothed figures."""
        chosen = best_spread(self.counts, spread, sits_out_below)
        return self._ramp(chosen, self.result.tally.spec.bases[0])

    def _ramp(self, chosen: Ramp, cents: float) -> Ramp:
        """Earnings from these bets, based on the simulated figures; a unit is `cents` cents."""
        bonus = super_bonus_of(self.rules, self.result.tally.spec.bases[0])
        return Ramp(self.simulated, chosen.bets, cents, bonus)

    def bankroll_ramp(
        self,
        bankroll: int,
        unit: int,
        spread: float,
        kelly: float,
        sits_out_below: int | None = None,
    ) -> Ramp:
        """Bets at the fraction `kelly` of full Kelly, in whole units from 1 up to the spread.

        `bankroll`, `unit` and the bets are in cents.
        """
        _check_amounts(bankroll=bankroll, unit=unit)
        units = kelly_bets(self.counts, bankroll / unit, 1.0, spread, kelly, sits_out_below)
        return self._ramp(round_bets(units), 100 * unit).scaled(unit)

    def earnings(
        self,
        bankroll: int = DEFAULT_BANKROLL,
        *,
        unit: int | None = None,
        spread: float = 8.0,
        kelly: float = 0.5,
        per_hour: float = DEFAULT_ROUNDS_PER_HOUR,
        sit_out_below: int | None = None,
    ) -> Earnings:
        """Earnings from the bet ramp for a bankroll.

        The bankroll and `unit`, the lowest bet, are in cents.
        """
        _check_amounts(bankroll=bankroll, unit=unit)
        if type(per_hour) not in (int, float) or not 0 < per_hour < math.inf:
            raise plan_problem(
                "per_hour", per_hour, "must be a number of rounds per hour", "Use 100, for example."
            )
        if sit_out_below is not None and not is_whole_number(sit_out_below):
            raise plan_problem(
                "sit_out_below", sit_out_below, "must be a whole count", "Use 1, for example."
            )
        ramp = self.bankroll_ramp(bankroll, self._unit(unit), spread, kelly, sit_out_below)
        return Earnings(ramp, bankroll, kelly, per_hour)

    def risk(
        self,
        trip: int,
        bankroll: int = DEFAULT_BANKROLL,
        *,
        goal: int | None = None,
        unit: int | None = None,
        spread: float = 8.0,
        kelly: float = 0.5,
        sit_out_below: int | None = None,
        rounds: int | None = None,
        workers: int = 0,
    ) -> RiskStudy:
        """Risks of the same ramp, played in trips; `goal` (cents) defaults to the bankroll."""
        _check_amounts(goal=goal)
        earned = self.earnings(
            bankroll, unit=unit, spread=spread, kelly=kelly, sit_out_below=sit_out_below
        )
        cents = self._unit(unit)
        return study_risk(
            self.rules,
            self.count,
            earned.ramp.scaled(1 / cents),
            bankroll / cents,
            trip,
            (bankroll if goal is None else goal) / cents,
            self.result.tally.dealt if rounds is None else rounds,
            self.sitting,
            workers,
        )

    def _unit(self, unit: int | None) -> int:
        return self.rules.table_minimum if unit is None else unit


def _check_amounts(**amounts: int | None) -> None:
    """Require all given amounts to be above zero."""
    for name, cents in amounts.items():
        check_amount(name, cents)
        if cents == 0:
            raise plan_problem(name, cents, "must be above zero", "Raise it.")


def study_count(
    rules: Rules,
    count: Count,
    rounds: int = 10_000_000,
    sitting: PlayConditions | None = None,
    workers: int = 0,
    report: Callable[[Progress], None] | None = None,
) -> CountStudy:
    """Play `rounds` rounds at flat bets, with the count's index plays."""
    played = sitting or PlayConditions()
    run = counting_run(rules, flat(count), rounds, played)
    return CountStudy(rules, count, play_run(run, workers, report), played)


def finite_or_none(number: float) -> float | None:
    """None for infinity, which JSON can't represent."""
    return number if math.isfinite(number) else None


# --- Earnings ---


@dataclass(frozen=True)
class Earnings:
    """A ramp for a bankroll; both are in cents."""

    ramp: Ramp
    bankroll: float
    kelly: float  # the Kelly fraction of the player's utility
    rounds_an_hour: float = DEFAULT_ROUNDS_PER_HOUR

    __repr__ = brief_repr

    @property
    def lifetime_ruin(self) -> float:
        return lifetime_ruin(self.ramp.mean, self.ramp.variance, self.bankroll)

    @property
    def lifetime_ruin_error(self) -> float:
        ramp = self.ramp
        return lifetime_ruin_error(ramp.mean, ramp.variance, self.bankroll, ramp.mean_error)

    @property
    def certainty_equivalent(self) -> float:
        """Certainty equivalent in cents per hour."""
        return self.rounds_an_hour * self.ramp.certainty_equivalent(self.bankroll, self.kelly)

    def as_data(self) -> dict[str, object]:
        """Plain data, with amounts in cents."""
        cents, rounds = self.ramp, self.rounds_an_hour
        return {
            "bets": [
                {"at_count": at.count, "bet_cents": bet}
                for at, bet in zip(cents.counts, cents.bets, strict=True)
            ],
            "bankroll_cents": self.bankroll,
            "average_bet_cents": cents.average_bet,
            "win_per_round_cents": cents.mean,
            "win_per_round_standard_error": cents.mean_error,
            "win_per_100_rounds_cents": STANDARD_ROUNDS * cents.mean,
            "rounds_per_hour": rounds,
            "win_per_hour_cents": rounds * cents.mean,
            "win_per_hour_standard_error": rounds * cents.mean_error,
            "sd_per_round_cents": cents.deviation,
            "sd_per_hour_cents": math.sqrt(rounds) * cents.deviation,
            "di": cents.desirability,
            "c_score": cents.c_score,
            "c_score_standard_error": cents.c_score_error,
            "n0": finite_or_none(cents.n_zero),
            "kelly": self.kelly,
            "kelly_of_these_bets": finite_or_none(self.kelly_fraction),
            "certainty_equivalent_per_hour_cents": self.certainty_equivalent,
            "growth_per_round": self.ramp.growth(self.bankroll),
            "lifetime_ruin_frequency": self.lifetime_ruin,
            "lifetime_ruin_standard_error": self.lifetime_ruin_error,
        }

    @property
    def kelly_fraction(self) -> float:
        """The bets' Kelly fraction on this bankroll: 1 is full Kelly; at 2, growth stops."""
        return (
            self.ramp.variance / (self.bankroll * self.ramp.mean)
            if self.ramp.mean > 0
            else math.inf
        )


# --- Risks ---


@dataclass(frozen=True)
class Risk:
    """One risk, computed in up to three ways; None if a method doesn't apply."""

    name: str
    brownian: float
    independent: float | None  # exact for independent rounds with the simulated distribution
    simulated: float | None = None  # from sessions, in which rounds aren't independent
    simulated_error: float | None = None


@dataclass(frozen=True)
class RiskStudy(TitledResult):
    """Risks of a ramp in units of its smallest bet, from rounds played with it."""

    main_table = "risks"
    columns = (
        Column("risk of ruin", None, attrgetter("name"), "risk"),
        Column("Brownian", PERCENT_4, attrgetter("brownian"), "brownian_frequency"),
        Column(
            "independent rounds", PERCENT_4, attrgetter("independent"),
            "independent_rounds_frequency",
        ),
        Column("simulated", PERCENT_4, attrgetter("simulated"), "simulated_frequency"),
        Column("±", PERCENT_4, attrgetter("simulated_error"), "simulated_standard_error"),
    )  # fmt: skip

    rules: Rules
    count: str  # name
    bankroll: float  # units
    goal: float
    trip: int  # rounds
    mean: float  # units per round
    variance: float
    mean_error: float
    risks: tuple[Risk, ...]

    __repr__ = brief_repr

    @property
    def title(self) -> str:
        return f"Risk of ruin with {self.bankroll:g} units, {canonical(self.rules)}"

    def records(self) -> tuple[Risk, ...]:
        return self.risks

    def more_facts(self) -> dict[str, object]:
        return {
            "count": self.count,
            "bankroll_wagers": self.bankroll,
            "goal_wagers": self.goal,
            "trip_rounds": self.trip,
            "mean_per_round_wagers": self.mean,
            "mean_per_round_standard_error": self.mean_error,
            "variance": self.variance,
        }


def study_risk(
    rules: Rules,
    count: Count,
    ramp: Ramp,
    bankroll: float,
    trip: int,
    goal: float,
    rounds: int,
    sitting: PlayConditions | None = None,
    workers: int = 0,
    report: Callable[[Progress], None] | None = None,
) -> RiskStudy:
    """Play the ramp (in units) in trips, and compute its risks from the results."""
    if not is_whole_number(trip) or trip < 1 or bankroll < 1 or goal <= 0:
        raise plan_problem(
            "trip",
            trip,
            "trip, bankroll and goal must be at least one round or unit",
            "Raise them.",
        )
    trips = max(2, rounds // trip)
    run = counting_run(
        rules, with_bets(count, ramp), trips * trip, sitting or PlayConditions(), trip
    )
    result = play_run(run, workers, report)
    steps = steps_of(distribution_of(result))
    mean, variance, error = moments(result)
    ruin = result.ruin(int(bankroll))
    known, halves = (mean, variance, bankroll), int(bankroll * _HALVES)
    reached = _exactly(exact_goal, steps, halves, int(goal * _HALVES))
    risks = (
        Risk("lifetime", lifetime_ruin(*known), _exactly(exact_lifetime_ruin, steps, halves)),
        Risk(
            f"trip of {trip:,} rounds",
            trip_ruin(*known, trip),
            _exactly(exact_trip_ruin, steps, halves, trip),
            ruin.value,
            ruin.standard_error,
        ),
        Risk(
            f"ruin before a goal of {goal:g} units",
            1.0 - goal_before_ruin(*known, goal),
            None if reached is None else 1.0 - reached,
        ),
    )
    return RiskStudy(rules, count.name, bankroll, goal, trip, mean, variance, error, risks)


def moments(result: Result) -> tuple[float, float, float]:
    """Mean and variance of a round's total, in lowest bets, and the standard error of the mean."""
    lines = result.by_count
    rounds = sum(line.rounds for line in lines)
    mean = math.fsum(line.rounds * line.result.value for line in lines) / rounds
    squares = (line.rounds * (line.result.sd**2 + line.result.value**2) for line in lines)
    variance = math.fsum(squares) / rounds - mean**2
    return mean, variance, math.sqrt(variance / rounds)


def _exactly(way: Callable[..., float], steps: Steps, *arguments: int) -> float | None:
    """The exact risk; None if the system would be too large."""
    try:
        return way(steps, *arguments)
    except PlanError:
        return None


def distribution_of(result: Result) -> dict[int, float]:
    """Results in half units and their frequencies.

    These are a spot's total results, rounded down, if it placed other wagers too (insurance by the
    count); otherwise, they are the results of the base game, rounded to the nearest half unit.
    """
    found: dict[int, float] = {}
    tally = result.tally
    if tally.spec.has_sides:
        middle = len(tally.totals) // 2
        return {
            int(place) - middle: float(tally.totals[place]) for place in tally.totals.nonzero()[0]
        }
    for value, times in result.histogram:
        step = math.floor(value * _HALVES + 0.5)
        found[step] = found.get(step, 0.0) + times
    return found


# --- Comparing counts ---


@dataclass(frozen=True)
class Compared:
    """One count at one penetration."""

    count: str
    penetration: int  # percentage of the shoe that is dealt
    study: CountStudy
    ramp: Ramp

    __repr__ = brief_repr

    def as_data(self) -> TableRow:
        return {column.name: column.cell(self) for column in _COMPARED if column.name}


_COMPARED = (
    Column("count", None, attrgetter("count"), "count"),
    Column("dealt", Form(unit="percent"), lambda item: Fraction(item.penetration, 100)),
    Column(None, None, attrgetter("penetration"), "penetration_percent"),
    Column("SCORE", Form(2), attrgetter("ramp.c_score"), "score"),
    Column("±", Form(2), attrgetter("ramp.c_score_error"), "score_standard_error"),
    Column("DI", Form(2), attrgetter("ramp.desirability"), "di"),
    Column("N0", None, lambda item: FormattedNumber(item.ramp.n_zero, WHOLE) if item.ramp.mean > 0
           else "never"),
    Column(None, None, lambda item: finite_or_none(item.ramp.n_zero), "n0"),
    Column("win/100", Form(3, plus=True), lambda item: 100 * item.ramp.mean,
           "win_per_100_rounds_wagers"),
    Column(None, None, attrgetter("ramp.deviation"), "sd_per_round_wagers"),
    Column("bet", Form(2), attrgetter("ramp.average_bet"), "average_bet_wagers"),
    Column(None, None, attrgetter("study.result.rounds"), "rounds"),
)  # fmt: skip


@dataclass(frozen=True)
class ComparedCounts(TitledResult):
    """Counts and penetrations side by side, in the requested order."""

    main_table = "counts"
    columns = _COMPARED

    rules: Rules
    spread: float
    found: tuple[Compared, ...]

    __repr__ = brief_repr

    def __iter__(self) -> Iterator[Compared]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, place: int) -> Compared:
        return self.found[place]

    @property
    def title(self) -> str:
        return f"Counts side by side, spread 1 to {self.spread:g}, {canonical(self.rules)}"

    def records(self) -> tuple[Compared, ...]:
        return self.found

    def more_facts(self) -> dict[str, object]:
        spec = self.found[0].study.result.tally.spec
        return {"spread_wagers": self.spread, "strategy": spec.strategy, "seed": spec.seed}


@dataclass(frozen=True)
class Comparison:
    """One count at one penetration, not yet played."""

    rules: Rules  # rules with the cut card at the penetration
    count: Count
    penetration: int


def compare_counts(
    rules: Rules,
    counts: Sequence[Count],
    penetrations: Sequence[int],
    spread: float,
    rounds: int,
    sitting: PlayConditions | None = None,
    workers: int = 0,
    play: Callable[[Comparison, Run], Result] | None = None,
) -> ComparedCounts:
    """Every count at every penetration, with the best bets within the spread."""
    found = []
    for percent, count in product(penetrations, counts):
        house = change_rules(rules, {"cut_card": str(percent)})
        item = Comparison(house, replace(count, fingerprint=""), percent)
        run = counting_run(house, flat(item.count), rounds, sitting or PlayConditions())
        result = play_run(run, workers) if play is None else play(item, run)
        study = CountStudy(house, item.count, result)
        found.append(Compared(count.name, percent, study, study.spread_ramp(spread)))
    return ComparedCounts(rules, spread, tuple(found))


# --- Plots ---

_RARE = 1e-4  # counts rarer than this are too noisy to plot


def by_count_svg(study: CountStudy) -> str:
    """Plot the expectation per unit bet, with the 95% interval as two thin lines."""
    known = [at for at in study.simulated if at.frequency >= _RARE]
    curves = {
        "expectation": [(float(at.count), 100 * at.ev) for at in known],
        "95% from": [(float(at.count), 100 * (at.ev - 1.96 * at.ev_error)) for at in known],
        "95% to": [(float(at.count), 100 * (at.ev + 1.96 * at.ev_error)) for at in known],
    }
    return curves_svg(f"Expectation by count, {study.count.name}", "count", curves, "{:+.1f}%")


def compared_svg(compared: Iterable[Compared]) -> str:
    """Plot SCORE by penetration, with a line for each count."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for item in compared:
        curves.setdefault(item.count, []).append((float(item.penetration), item.ramp.c_score))
    return curves_svg("SCORE by penetration", "percent of the shoe dealt", curves, "{:.1f}")
