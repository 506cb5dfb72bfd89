"""The figures of a PAR sheet, from the analyses that `edge`, `sidebets` and `jackpot` print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction

from ventiuna.analysis.base_game.analyzer import BaseGameAnalysis, analyze
from ventiuna.analysis.base_game.outcomes import RoundEvents, round_events, standard_deviation
from ventiuna.analysis.base_game.queries import (
    ComparisonLine,
    DealerOutcomes,
    Variation,
    compare_options,
    dealer_outcomes,
    variations,
)
from ventiuna.analysis.charts.derivation import Pricing
from ventiuna.analysis.results import exact_data, total
from ventiuna.analysis.side_bets.jackpots import JackpotLine, JackpotReport
from ventiuna.analysis.side_bets.queries import SideBetsAnalysis, SideBetsQuery
from ventiuna.analysis.side_bets.super_bonus import super_bonus_report
from ventiuna.core.meters import comes_from_meter, empties_meter
from ventiuna.counting.design import CountSpec, design_counts
from ventiuna.counting.efficiency import EffectsCalculator
from ventiuna.counting.evaluation import CountReport, evaluate_count
from ventiuna.counting.removal import Effects, deviation_at
from ventiuna.counting.tags import value_classes
from ventiuna.rules import Rules, RulesError
from ventiuna.rules.model import JackpotKind
from ventiuna.simulation.run import simulate
from ventiuna.strategy.chart import built_in_charts
from ventiuna.texts import brief_repr

# --- Two spots at one table ---

SPOTS_ROUNDS = 1_000_000
SPOTS_SEED = 21


@dataclass(frozen=True, slots=True)
class SpotsTogether:
    """Covariance of two spots in the same round, in squared base wagers."""

    covariance: float
    standard_error: float
    rounds: int
    seed: int

    def deviation(self, spots: int, own: float) -> float:
        """Standard deviation of a round with `spots` spots; `own` is the deviation of one spot."""
        return float((spots * own**2 + spots * (spots - 1) * self.covariance) ** 0.5)

    def as_data(self) -> dict[str, object]:
        return {**asdict(self), "method": "simulated, best play, a fresh shoe every round"}


def spots_together(rules: Rules) -> SpotsTogether:
    seated = replace(rules, seats=max(2, rules.seats))
    result = simulate(
        seated, "optimal", SPOTS_ROUNDS, spots=2, shoe="fresh", seed=SPOTS_SEED, records=False
    )
    error = result.covariance_error
    assert error is not None, "two spots have a covariance"
    return SpotsTogether(result.covariance[0][1], error, SPOTS_ROUNDS, SPOTS_SEED)


# --- Expected hold ---

HOLD_ROUNDS = (1_000, 10_000, 100_000)
SIGMAS = 1.959963984540054  # 95% interval of a normal distribution


@dataclass(frozen=True, slots=True)
class Hold:
    """Expected hold with a 95% band from a normal distribution; amounts in cents."""

    rounds: int
    spots: int
    base_wagers_cents: float
    expected_cents: float
    low_cents: float
    high_cents: float

    @property
    def shares(self) -> tuple[float, float, float]:
        """Expected, low and high hold as shares of the base wagers."""
        cents = (self.expected_cents, self.low_cents, self.high_cents)
        expected, low, high = (part / self.base_wagers_cents for part in cents)
        return expected, low, high

    def as_data(self) -> dict[str, object]:
        names = ("expected_percent", "low_percent", "high_percent")
        shares = zip(names, self.shares, strict=True)
        return {**asdict(self), **{name: 100 * share for name, share in shares}}


def holds(
    rules: Rules,
    analysis: BaseGameAnalysis,
    sd: float | None,
    together: SpotsTogether,
    wager: int,
) -> tuple[Hold, ...]:
    """Compute the hold of one spot and of a full table; empty if the deviation is unknown."""
    if sd is None:
        return ()
    found = []
    for spots in dict.fromkeys((1, rules.seats)):
        deviation = sd if spots == 1 else together.deviation(spots, sd)
        for rounds in HOLD_ROUNDS:
            expected = analysis.house_edge * rounds * spots * wager
            spread = SIGMAS * deviation * rounds**0.5 * wager
            found.append(
                Hold(
                    rounds,
                    spots,
                    float(rounds * spots * wager),
                    expected,
                    expected - spread,
                    expected + spread,
                )
            )
    return tuple(found)


# --- Costs of simpler strategies ---

LETTERS_ALONE = 1.0  # more than any digit or mark saves, so the chart has only letters
HABITS = "blackjack-habits"
_MADE_FOR = {  # soft 17 and double-double settings of each chart's rules
    "spanish-21-h17": ("hit", False),
    "spanish-21-s17": ("stand", False),
    "spanish-21-double-double": ("hit", True),
}


@dataclass(frozen=True, slots=True)
class StrategyCost:
    name: str
    title: str
    house_edge: float
    cost: float  # compared with best play, in base wagers per round
    made_for_other_rules: bool = False


def strategy_costs(rules: Rules, best: BaseGameAnalysis) -> tuple[StrategyCost, ...]:
    """Price best play, our chart with and without digits and marks, built-in charts, and habits."""
    found = [StrategyCost("optimal", best.strategy_class, best.house_edge, 0.0)]
    pricing = Pricing(rules, best.base)
    chart, letters = pricing.derive(), pricing.derive(LETTERS_ALONE)
    for name, title, result in (
        ("chart", "the chart derived by ventiuna strategy", chart),
        ("letters", "the same chart without digits and marks", letters),
    ):
        found.append(StrategyCost(name, title, result.house_edge, result.cost))
    for name, built_in in built_in_charts().items():
        if name != HABITS and not name.startswith(str(rules.game)):
            continue
        priced = pricing.price(built_in)
        made_for = _MADE_FOR.get(name)  # the chart file itself doesn't name any rules
        own = (str(rules.soft_17), rules.double_double)
        other = bool(priced.misfit) or made_for not in (None, own)
        found.append(StrategyCost(name, built_in.title, priced.house_edge, priced.cost, other))
    return tuple(found)


# --- Jackpots over time ---

# A busy table, used as an example to convert rounds into hours.
ROUNDS_PER_HOUR = 60
WAGERS_PER_ROUND = 5


@dataclass(frozen=True, slots=True)
class Funding:
    """Funding of a jackpot with one wager per round; exact amounts in cents.

    Prizes from the operator are paid in full.
    """

    report: JackpotReport
    emptied: Fraction  # chance that a wager wins the whole meter
    lowered: Fraction  # average share of the meter that a wager takes without emptying it
    prizes: Fraction  # cents per wager paid from the meter as prizes

    @property
    def is_progressive(self) -> bool:
        return self.report.jackpot.kind == JackpotKind.PROGRESSIVE

    @property
    def contribution(self) -> Fraction:
        """Part of each wager that goes into the meter, in cents."""
        return self.report.contribution * self.report.jackpot.wager

    @property
    def mean_meter(self) -> Fraction | None:
        """Long-run average of the meter, at which inflow equals outflow.

        Assumes no rounding of awards, no maximum, and one wager at a time.
        """
        if not self.is_progressive or not (self.emptied + self.lowered):
            return None
        coming = self.contribution + self.emptied * self.report.jackpot.seed - self.prizes
        return max(coming / (self.emptied + self.lowered), Fraction())

    @property
    def seeding(self) -> Fraction:
        """Average cost of new seeds in cents per wager, which a reserve would have to receive."""
        return self.emptied * self.report.jackpot.seed

    @property
    def reserve_share(self) -> Fraction:
        """Share of each wager for a reserve that pays all seeds."""
        return self.seeding / self.report.jackpot.wager

    @property
    def wagers_to_earn_the_seed(self) -> Fraction | None:
        """Number of wagers until contributions add up to the seed."""
        seed = self.report.jackpot.seed
        return seed / self.contribution if seed and self.contribution else None

    def hits(self) -> list[tuple[JackpotLine, Fraction | None, float | None]]:
        """List lines paid by the meter or the operator, with wagers and hours between hits."""
        found: list[tuple[JackpotLine, Fraction | None, float | None]] = []
        for line in self.report.special_lines:
            if not line.frequency:
                found.append((line, None, None))
                continue
            wagers = 1 / line.frequency
            found.append((line, wagers, float(wagers / (ROUNDS_PER_HOUR * WAGERS_PER_ROUND))))
        return found

    def as_data(self) -> dict[str, object]:
        jackpot, mean = self.report.jackpot, self.mean_meter
        even, earned = self.report.break_even_cents, self.wagers_to_earn_the_seed
        return {
            "game": self.report.number,
            "break_even_meter_cents": even,
            "mean_meter_cents": None if mean is None else exact_data(mean),
            "hits": [
                {
                    "line": line.hand,
                    "pay": line.pay,
                    "one_in": None if wagers is None else float(wagers),
                    "hours_between_hits": time,
                }
                for line, wagers, time in self.hits()
            ],
            "assumed_rounds_per_hour": ROUNDS_PER_HOUR,
            "assumed_wagers_per_round": WAGERS_PER_ROUND,
            "seed_cents": jackpot.seed,
            "contribution": exact_data(self.report.contribution),
            "reserve_share_for_seeds": exact_data(self.reserve_share),
            "wagers_to_earn_the_seed": None if earned is None else float(earned),
            "house_hold": exact_data(self.report.house_hold),
        }


def funding(report: JackpotReport) -> Funding:
    lines = list(enumerate(report.special_lines, start=1))
    emptied = total(line.frequency for n, line in lines if empties_meter(report.table, 0, n))
    lowered = total(
        line.expected_share for n, line in lines if not empties_meter(report.table, 0, n)
    )
    prizes = total(line.expected_pay for n, line in lines if comes_from_meter(report.table, 0, n))
    return Funding(report, emptied, lowered, prizes)


# --- Countability ---

LEVELS = (1, 2)
DEPTHS = (0.5, 0.75)  # shares of the shoe dealt


@dataclass(frozen=True, slots=True)
class Countability:
    """Effects of removing one card per deck, by wager; positive values favor the player."""

    rules: Rules
    wagers: tuple[Effects, ...]  # the base game first
    counts: tuple[CountReport, ...]  # the best count of each level for bet sizing

    def effects(self) -> dict[str, dict[str, float]]:
        """Effects by wager and card value, for one card removed from each deck."""
        return {
            effects.wager: {
                kind.name: self.rules.decks * effects.of(kind.cards)
                for kind in value_classes(self.rules.pack)
            }
            for effects in self.wagers
        }

    def deviations(self) -> list[tuple[float, float]]:
        """Standard deviation of the base game's value at each depth in DEPTHS."""
        cards = self.rules.shoe_size
        return [(dealt, deviation_at(self.wagers[0], cards * (1 - dealt))) for dealt in DEPTHS]

    def as_data(self) -> dict[str, object]:
        return {
            "effects_of_one_card_per_deck": [
                {"wager": wager, "card": value, "effect_points": 100 * effect}
                for wager, found in self.effects().items()
                for value, effect in found.items()
            ],
            "deviation_of_value": [
                {"dealt_percent": 100 * dealt, "deviation_points": 100 * deviation}
                for dealt, deviation in self.deviations()
            ],
            "counts": [
                {
                    "level": level,
                    "tags": report.tags,
                    "betting_correlation": report.betting,
                    "insurance_correlation": report.insurance,
                    "break_even_true_count": report.break_even,
                }
                for level, report in zip(LEVELS, self.counts, strict=True)
            ],
        }


def countability(rules: Rules) -> Countability:
    workshop = EffectsCalculator(rules)
    counts = []
    for level in LEVELS:
        best = design_counts(workshop, CountSpec(level=level))[0]
        counts.append(evaluate_count(workshop, best, playing=False))
    insurance = () if workshop.insurance is None else (workshop.insurance,)
    wagers = (workshop.betting, *insurance, *workshop.side_wagers)
    return Countability(rules, wagers, tuple(counts))


# --- The whole study ---

ProgressStep = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class BonusEdge:
    """House edge of a base wager including its Super Bonus (R-069)."""

    base_cents: int
    pays_cents: int
    house_edge: float
    one_in: float


@dataclass(frozen=True, slots=True)
class VariedEdge:
    """House edge with one option changed."""

    variation: Variation
    house_edge: float
    change: float  # change in expected value; positive favors the player


@dataclass(frozen=True, slots=True)
class ParStudy:
    rules: Rules
    base: int | None  # base wager, which caps double-doubles and earns a Super Bonus
    analysis: BaseGameAnalysis
    events: RoundEvents
    dealer: DealerOutcomes
    sd: float | None  # None if unknown; `sd_reason` says why
    sd_reason: str
    together: SpotsTogether
    bonuses: tuple[BonusEdge, ...]
    varied: tuple[VariedEdge, ...]
    strategies: tuple[StrategyCost, ...]
    side_bets: SideBetsAnalysis
    funding: tuple[Funding, ...]
    holds: tuple[Hold, ...]
    countability: Countability

    __repr__ = brief_repr

    @property
    def wager(self) -> int:
        """The base wager behind the amounts, in cents."""
        return self.base if self.base is not None else self.rules.table_minimum


def par_study(
    rules: Rules, base: int | None = None, step: ProgressStep = lambda _: None
) -> ParStudy:
    """Compute the whole study; `step` is called with the name of each step."""
    step("edge")
    analysis = analyze(rules, base=base)
    sd: float | None = None
    reason = ""
    try:
        sd = standard_deviation(rules, analysis)
    except RulesError as error:
        reason = str(error)
    step("events")
    events = round_events(rules, base, super_bonus=base is not None)
    step("options")
    lines = compare_options(rules, base=base)
    step("strategies")
    strategies = strategy_costs(rules, analysis)
    step("spots together")
    together = spots_together(rules)
    step("removal effects")
    effects = countability(rules)
    step("side wagers")
    side_bets = SideBetsQuery(rules=rules).run()
    wager = base if base is not None else rules.table_minimum
    return ParStudy(
        rules=rules,
        base=base,
        analysis=analysis,
        events=events,
        dealer=dealer_outcomes(rules),
        sd=sd,
        sd_reason=reason,
        together=together,
        bonuses=_bonuses(rules, base),
        varied=_varied(rules, lines),
        strategies=strategies,
        side_bets=side_bets,
        funding=tuple(map(funding, side_bets.jackpots)),
        holds=holds(rules, analysis, sd, together, wager),
        countability=effects,
    )


def _bonuses(rules: Rules, base: int | None) -> tuple[BonusEdge, ...]:
    """Compute the edge for the smallest wager of each Super Bonus size, and for `base`."""
    if rules.super_bonus_form() is None:
        return ()
    sizes = {band.base_from: band.pay for band in rules.super_bonus_bands}
    if base is not None:
        earned = [pay for size, pay in sizes.items() if size <= base]
        sizes[base] = max(earned, default=0)
    found = []
    for size, pay in sorted(sizes.items()):
        if size > rules.table_maximum or not pay:
            continue
        edge = -analyze(rules, base=size, super_bonus=True).ev
        one_in = float(1 / super_bonus_report(rules, [size]).event)
        found.append(BonusEdge(size, pay, edge, one_in))
    return tuple(found)


def _varied(rules: Rules, lines: Sequence[ComparisonLine]) -> tuple[VariedEdge, ...]:
    """Match the lines of `edge --vary` with their variations."""
    by_name = {variation.name: variation for variation in variations(rules)}
    return tuple(
        VariedEdge(by_name[line.name], -line.ev, line.change)
        for line in lines
        if line.change is not None
    )
