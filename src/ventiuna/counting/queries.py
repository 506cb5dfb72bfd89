"""The queries of card counting: effects of removal, designs, index numbers, simulated counts.

Calculations are imported when a query runs, so that a command's help appears quickly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Self

from pydantic import SkipValidation

from ventiuna.analysis.coerce import check_flag, coerce_amounts, input_error, read_number
from ventiuna.analysis.query import (
    Amount,
    BaseWager,
    Decimal,
    Flag,
    Number,
    ProgressIterator,
    Query,
    QueryOption,
    Text,
    Texts,
    without_progress,
)
from ventiuna.analysis.side_bets.queries import JackpotGameQuery
from ventiuna.money import plain_amount, read_amount
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.strategy.protocol import plan_problem

if TYPE_CHECKING:
    from ventiuna.counting.betting import Ramp
    from ventiuna.counting.design import Design
    from ventiuna.counting.evaluation import CountReport
    from ventiuna.counting.indices import IndexCheckpoint, IndexStudy
    from ventiuna.counting.jackpots import JackpotWorth
    from ventiuna.counting.removal import RemovalStudy
    from ventiuna.counting.study import (
        ComparedCounts,
        Comparison,
        CountStudy,
        Earnings,
        RiskStudy,
    )
    from ventiuna.simulation.result import Result
    from ventiuna.simulation.run import Run
    from ventiuna.strategy.counting import Count

MAX_INDICES = 30  # maximum number of index numbers

Whole = partial(Number, show_default=True)
Base = Annotated[
    int | None, BaseWager("Base wager in dollars, to include its Super Bonus.", metavar="AMOUNT")
]
Sums = Annotated[
    int,
    Whole("With side counts: number of different weighted sums that plays may use.", low=1, high=8),
]
Spread = Annotated[float, Decimal("Highest bet as a multiple of the lowest.", metavar="N", low=1.0)]
PlayedBy = Annotated[
    str,
    Text(
        "Strategy beyond the count's index plays: optimal, chart, or a chart file.",
        show_default=True,
    ),
]
Seed = Annotated[int, Whole("Seed for the shuffles.")]
PerHour = Annotated[float, Decimal("Rounds dealt per hour.", low=1.0, high=10_000.0)]
Dollars = partial(Amount, metavar="AMOUNT")


Rounds = partial(QueryOption, parse=read_number, show_default=True)


def rules_facts(rules: Rules) -> dict[str, object]:
    return {"rules": canonical(rules), "fingerprint": fingerprint(rules)}


class EffectsQuery(Query):
    """Exact effects of removal for every wager: one card removed, everything recomputed."""

    command: ClassVar[str] = "count effects"

    base: Base = None
    meter: Annotated[
        tuple[int, ...],
        QueryOption(
            "Jackpot meters in dollars, such as 5000,900. Default: the break-even meter of each "
            "game.",
            parse=lambda name, text: tuple(read_amount(name, w) for w in text.split(",") if w),
            check=lambda _, cents: coerce_amounts("meters", cents),
            write=lambda meters: ",".join(map(plain_amount, meters)),
            metavar="AMOUNTS",
        ),
    ] = ()

    def run(self, progress: ProgressIterator = without_progress) -> RemovalStudy:
        from ventiuna.counting.removal import effects_of_removal

        return effects_of_removal(self.rules, self.base, self.meter, progress)

    @property
    def is_slow(self) -> bool:
        return True


class DesignedCounts(NamedTuple):
    """Designed counts with their reports; the best one has its index plays, if requested."""

    design: Design
    reports: list[CountReport]
    best: Count
    study: IndexStudy | None


class DesignQuery(Query):
    """The best balanced (or unbalanced) tags of a level, from exact effects of removal."""

    command: ClassVar[str] = "count design"

    level: Annotated[int, Whole("Largest tag: 1, 2 or 3.")] = 1
    balanced: Annotated[
        bool,
        Flag(
            "Whether a deck's tags add up to 0.",
            names=("--balanced/--unbalanced",),
            show_default=True,
        ),
    ] = True
    running: Annotated[
        bool,
        Flag("Search for an unbalanced count used as a running count."),
    ] = False
    side_count: Annotated[
        tuple[str, ...],
        Texts("Cards counted separately, such as 7 or '7s 7h'.", metavar="CARDS"),
    ] = ()
    suits: Annotated[
        tuple[str, ...],
        Texts("A rank whose suits have separate tags, such as 7.", metavar="RANK"),
    ] = ()
    goal: Annotated[
        str,
        Text("What to optimize the tags for: betting, playing or insurance.", show_default=True),
    ] = "betting"
    best: Annotated[int, Whole("Number of counts to show, best first.", low=1, high=20)] = 1
    indices: Annotated[bool, Flag("Add the index numbers worth knowing.")] = False
    most: Annotated[int, Whole("Maximum number of index plays.", low=0, high=100)] = 30
    sums: Sums = 1
    base: Base = None

    def run(self, progress: ProgressIterator = without_progress) -> DesignedCounts:
        from ventiuna.counting.design import CountSpec, design
        from ventiuna.counting.efficiency import EffectsCalculator, Goal
        from ventiuna.counting.evaluation import evaluate_count
        from ventiuna.counting.files import with_indices
        from ventiuna.counting.indices import index_by_sums

        calculator = EffectsCalculator(self.rules, self.base, progress)
        if self.goal not in list(Goal):
            raise plan_problem(
                "goal", self.goal, "unknown goal", f"Choose from: {', '.join(Goal)}."
            )
        if self.sums > 1 and not (self.indices and self.side_count):
            raise plan_problem(
                "sums",
                self.sums,
                "only index plays with side counts can use several sums",
                "Add --indices and --side-count, or leave out --sums.",
            )
        wish = CountSpec(
            self.level, self.balanced, self.side_count, self.suits, Goal(self.goal), self.running
        )
        found = design(calculator, wish, self.best)
        reports = [evaluate_count(calculator, count) for count in found.counts]
        best, study = found.counts[0], None
        if self.indices:
            study = index_by_sums(calculator, best, self.sums)
            listed = study.worth_knowing(self.most)
            best = with_indices(best, self.rules, listed, study.insurance)
        return DesignedCounts(found, reports, best, study)

    def data(self, result: DesignedCounts) -> dict[str, object]:
        study = result.study
        return {
            "counts": [report.as_data() for report in result.reports],
            "proof": result.design.proof.as_data(),
            "indices": [cell.as_data() for cell in study.cells] if study else None,
            "insurance_at_count": study.insurance if study else None,
            "command": self.repeat("--json"),
        }


class StudyQuery(Query):
    """The best balanced tags of a level, how good they are, and the most valuable index numbers.

    With `tags`, the same for those tags.
    """

    command: ClassVar[str] = "count design"

    level: Annotated[int, Number("Largest tag.", low=1, high=3)] = 1
    tags: Annotated[
        str, Text("These tags instead of the best ones: '2=1 3=1 10=-1 A=-1'.", metavar="TAGS")
    ] = ""
    indices: Annotated[bool, Flag("Add the index numbers; takes much longer.")] = False

    @property
    def is_slow(self) -> bool:
        return True

    def run(
        self, progress: ProgressIterator = without_progress
    ) -> tuple[CountReport, IndexStudy | None]:
        from ventiuna.counting.design import CountSpec, design_counts
        from ventiuna.counting.efficiency import EffectsCalculator
        from ventiuna.counting.evaluation import evaluate_count
        from ventiuna.counting.files import coerce_count
        from ventiuna.counting.indices import index_by_sums

        calculator = EffectsCalculator(self.rules, None, progress)
        if self.tags:
            count = coerce_count("", self.tags, "", self.rules)
        else:
            (count,) = design_counts(calculator, CountSpec(self.level), 1)
        study = index_by_sums(calculator, count) if self.indices else None
        return evaluate_count(calculator, count), study

    def data(self, result: tuple[CountReport, IndexStudy | None]) -> dict[str, object]:
        """The same as `ventiuna count design --json`, plus players' terms for cards and plays."""
        from ventiuna.counting.indices import describe_index
        from ventiuna.counting.tags import ten_name

        report, study = result
        data: dict[str, object] = {"counts": [report.as_data()], "ten": ten_name(self.rules.pack)}
        if study is not None:
            data["indices"] = [
                cell.as_data() | {"told": describe_index(cell, self.rules)}
                for cell in study.worth_knowing(MAX_INDICES)
            ]
            data["insurance_at_count"] = study.insurance
        own = EvaluateQuery(rules=self.rules, tags=self.tags) if self.tags else None
        return data | {"command": (own or self).repeat("--json")}


class _CountQuery(Query):
    """A query about a count, given by name or by its tags."""

    count: Annotated[
        Any,
        QueryOption(
            "A built-in count or a file (.toml).",
            write=lambda count: count if isinstance(count, str) else count.name,
            metavar="NAME",
        ),
    ] = ""
    tags: Annotated[
        str,
        Text("Tags: '2=1 3=1 10=-1 A=-1'. A card such as 7s can have its own tag.", metavar="TAGS"),
    ] = ""
    start: Annotated[
        Any,
        QueryOption(
            "With --tags: running count of a new shoe, per deck. Default: minus the sum of a "
            "deck's tags.",
            metavar="NUMBER",
        ),
    ] = ""

    @cached_property
    def known(self) -> Count:
        from ventiuna.counting.files import coerce_count

        return coerce_count(self.count, self.tags, self.start, self.rules)


class EvaluateQuery(_CountQuery):
    """Correlations and playing efficiency of a count, and whether it fits the deck."""

    command: ClassVar[str] = "count evaluate"

    sample: Annotated[
        int, Whole("Number of shoes to analyze for the playing efficiency.", low=0)
    ] = 0
    seed: Annotated[int, Whole("Seed for the sample.")] = 21
    base: Base = None

    def run(self, progress: ProgressIterator = without_progress) -> CountReport:
        from ventiuna.counting.efficiency import EffectsCalculator
        from ventiuna.counting.evaluation import evaluate_count

        known = self.known
        calculator = EffectsCalculator(self.rules, self.base, progress)
        return evaluate_count(calculator, known, self.sample, self.seed)


class IndexQuery(_CountQuery):
    """Index numbers from exact analysis, and what they earn with the count's own bets."""

    command: ClassVar[str] = "count index"

    most: Annotated[int, Whole("Number of index numbers to show.", low=1, high=1000)] = 30
    whole: Annotated[bool, Flag("Show every cell with an index.", names=("--all",))] = False
    sums: Sums = 1
    sample: Annotated[
        int, Whole("Shoes to analyze at each count, for its edge.", low=2, high=1000)
    ] = 16
    base: Base = None
    at_its_bets: Annotated[bool | None, SkipValidation] = None  # None: True if `sums` is 1

    def run(
        self, progress: ProgressIterator = without_progress, keep: IndexCheckpoint | None = None
    ) -> IndexStudy:
        from ventiuna.counting.efficiency import EffectsCalculator
        from ventiuna.counting.indices import bets_by_true_count, index_by_sums

        known = self.known
        if self.at_its_bets is not None:
            check_flag("at_its_bets", self.at_its_bets)
        at_its_bets = self.sums == 1 if self.at_its_bets is None else self.at_its_bets
        bets = bets_by_true_count(known, self.rules) if at_its_bets else None
        calculator = EffectsCalculator(self.rules, self.base, progress)
        return index_by_sums(calculator, known, self.sums, bets, keep=keep)


class PlayedCount(NamedTuple):
    """A simulated count: the best bets within the spread, and the bets for the bankroll."""

    study: CountStudy
    best: Ramp
    earnings: Earnings
    risk: RiskStudy | None


class CountSimulationQuery(_CountQuery):
    """Frequency, mean and deviation at each count; the best bets, their earnings and risk."""

    command: ClassVar[str] = "count simulate"

    rounds: Annotated[int, Rounds("Rounds to play at flat bets.", default="2e7")] = 20_000_000
    spread: Spread = 8.0
    bankroll: Annotated[
        int, Dollars("Bankroll in dollars.", default="10000", show_default=True)
    ] = 1_000_000
    unit: Annotated[int | None, Dollars("Lowest bet. Default: the table minimum.")] = None
    kelly: Annotated[float, Decimal("Fraction of the Kelly bet.", low=0.01, high=2.0)] = 0.5
    per_hour: PerHour = 100.0
    sit_out_below: Annotated[int | None, Number("Bet nothing below this count.")] = None
    trip: Annotated[
        int,
        QueryOption(
            "Also play the bets in trips of this many rounds.",
            parse=lambda name, text: read_number(name, text) if text else 0,
            metavar="ROUNDS",
        ),
    ] = 0
    goal: Annotated[int | None, Dollars("Amount to win on a trip. Default: the bankroll.")] = None
    spots: Annotated[int, Whole("Number of spots, all with the same bet.", low=1, high=7)] = 1
    strategy: PlayedBy = "optimal"
    seed: Seed = 21

    @property
    def lowest_bet(self) -> int:
        return self.unit or self.rules.table_minimum

    def run(
        self,
        progress: ProgressIterator = without_progress,
        play: Callable[[Run], Result] | None = None,
        workers: int = 0,
    ) -> PlayedCount:
        """Simulate the count, with `play` if given."""
        from ventiuna.counting.files import flat
        from ventiuna.counting.study import CountStudy, PlayConditions, counting_run, play_run

        sitting = PlayConditions(self.strategy, self.spots, 0, self.seed)
        run = counting_run(self.rules, flat(self.known), self.rounds, sitting)
        result = play_run(run, workers) if play is None else play(run)
        study = CountStudy(self.rules, self.known, result, sitting)
        ramp: dict[str, Any] = {
            "unit": self.lowest_bet,
            "spread": self.spread,
            "kelly": self.kelly,
            "sit_out_below": self.sit_out_below,
        }
        best = study.spread_ramp(self.spread, self.sit_out_below)
        earnings = study.earnings(self.bankroll, per_hour=self.per_hour, **ramp)
        risk = None
        if self.trip:
            goal = self.goal or self.bankroll
            risk = study.risk(
                self.trip, self.bankroll, goal=goal, rounds=self.rounds, workers=workers, **ramp
            )
        return PlayedCount(study, best, earnings, risk)

    def as_played(self, result: PlayedCount) -> Self:
        """This query with the number of rounds actually played."""
        return self.model_copy(update={"rounds": result.study.result.tally.dealt})

    def data(self, result: PlayedCount) -> dict[str, object]:
        from ventiuna.counting.betting import super_bonus_of
        from ventiuna.counting.tags import Scale

        study, best, earnings, risk = result
        spec = study.result.tally.spec
        bonus = super_bonus_of(study.rules, spec.bases[0])
        return {
            **rules_facts(study.rules),
            "count": study.count.name,
            "rounds": study.result.rounds,
            "seed": spec.seed,
            "strategy": spec.strategy,
            "penetration_percent": study.rules.cut_card_percent,
            "misfit": spec.misfit,
            "scale": Scale(study.count, study.rules).text(),
            "base_cents": spec.bases[0],
            "super_bonus_frequency": bonus.chance if bonus else 0.0,
            "by_count": study.rows(),
            "spread_wagers": self.spread,
            "score": best.c_score,
            "score_standard_error": best.c_score_error,
            "bets_of_the_spread_wagers": list(best.bets),
            "money": earnings.as_data(),
            "risk": None if risk is None else {**risk.more_facts(), "risks": risk.rows()},
            "command": self.as_played(result).repeat("--json"),
        }


def _percents(name: str, text: str) -> tuple[int, ...]:
    words = [word.strip().removesuffix("%") for word in text.split(",") if word.strip()]
    for word in words:
        if not word.isdecimal() or not 1 <= int(word[:4]) <= 99:
            raise input_error(name, word, "must be from 1 to 99 percent", "Write it as 65,75,85.")
    return tuple(int(word) for word in words)


class CompareQuery(Query):
    """Compare counts by SCORE, DI and N0, each with the best bets within the spread."""

    command: ClassVar[str] = "count compare"

    count: Annotated[
        tuple[Any, ...],
        Texts("A built-in count or a file. Can be repeated.", metavar="NAME"),
    ] = ()
    tags: Annotated[
        tuple[str, ...], Texts("Tags, such as '2=1 10=-1'. Can be repeated.", metavar="TAGS")
    ] = ()
    penetration: Annotated[
        tuple[int, ...],
        QueryOption(
            "Percentages of the shoe to deal, such as 65,75,85.",
            parse=_percents,
            write=lambda percents: ",".join(map(str, percents)),
            metavar="PERCENTS",
        ),
    ] = ()
    spread: Spread = 8.0
    rounds: Annotated[int, Rounds("Rounds per count.", default="5e6")] = 5_000_000
    strategy: PlayedBy = "optimal"
    seed: Seed = 21

    def run(
        self,
        progress: ProgressIterator = without_progress,
        play: Callable[[Comparison, Run], Result] | None = None,
        workers: int = 0,
    ) -> ComparedCounts:
        """Simulate every count at every penetration, with `play` if given."""
        from ventiuna.counting.files import named_count, tags_count
        from ventiuna.counting.study import PlayConditions, compare_counts

        counts = [named_count(name, self.rules) for name in self.count]
        counts += [tags_count(text, text, None, self.rules) for text in self.tags]
        if not counts:
            raise input_error(
                "count", "", "name at least one count", "Use --count NAME or --tags TAGS."
            )
        return compare_counts(
            self.rules,
            counts,
            self.penetration or [self.rules.cut_card_percent],
            self.spread,
            self.rounds,
            PlayConditions(self.strategy, 1, 0, self.seed),
            workers,
            play,
        )

    def data(self, result: ComparedCounts) -> dict[str, object]:
        return {
            **rules_facts(self.rules),
            "spread_wagers": self.spread,
            "seed": self.seed,
            "compared": result.rows(),
            "command": self.repeat("--json"),
        }


class JackpotWorthQuery(JackpotGameQuery):
    """The meter at which a seat, a table or a team should play, and the rounds until it is won."""

    command: ClassVar[str] = "count jackpot"

    meter: Annotated[int | None, Dollars("Current meter, in dollars.")] = None
    players: Annotated[
        int,
        Number(
            "Number of spots that bet on the jackpot.",
            names=("--spots", "--players"),
            low=1,
            show_default=True,
        ),
    ] = 1
    team: Annotated[
        int, Whole("Seats your team holds, from the dealer's left; 0 for all.", low=0)
    ] = 0
    hits: Annotated[int, Whole("Number of jackpot wins to wait for.", low=1)] = 1
    per_hour: PerHour = 60.0

    def run(self, progress: ProgressIterator = without_progress) -> JackpotWorth:
        from ventiuna.counting.jackpots import jackpot_worth

        return jackpot_worth(
            self.house, self.number, self.players, self.team, self.meter, self.hits
        )

    def data(self, result: JackpotWorth) -> dict[str, object]:
        hour = {"rounds_per_hour": self.per_hour}
        return {**result.as_data(), **hour, "command": self.repeat("--json")}
