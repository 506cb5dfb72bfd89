"""Several counts and penetrations side by side: each played, with the best bets of a spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ventiuna.analysis.questions.edge import Each, in_silence
from ventiuna.counting.files import flat
from ventiuna.counting.frames import CountTable, Row
from ventiuna.counting.ramp import Ramp
from ventiuna.counting.study import CountStudy, Sitting, counting_run, finite_or_none, play_run
from ventiuna.records import brief_repr
from ventiuna.rules import Rules, canonical, change_rules
from ventiuna.simulation.result import Result
from ventiuna.simulation.run import Run
from ventiuna.strategy.counting import Count


@dataclass(frozen=True)
class Compared:
    """One count at one penetration."""

    count: str
    penetration: int  # per cent of the shoe that is dealt
    study: CountStudy
    ramp: Ramp

    __repr__ = brief_repr

    def as_data(self) -> Row:
        ramp = self.ramp
        return {
            "count": self.count,
            "penetration_percent": self.penetration,
            "score": ramp.c_score,
            "score_standard_error": ramp.c_score_error,
            "di": ramp.desirability,
            "n0": finite_or_none(ramp.n_zero),
            "win_per_100_rounds_wagers": 100 * ramp.mean,
            "sd_per_round_wagers": ramp.deviation,
            "average_bet_wagers": ramp.average_bet,
            "rounds": self.study.result.rounds,
        }


@dataclass(frozen=True)
class ComparedCounts(CountTable):
    """Counts and penetrations side by side, in the order in which they were asked for."""

    main_table = "counts"

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

    def rows(self) -> list[Row]:
        return [one.as_data() for one in self.found]

    def more_facts(self) -> dict[str, object]:
        work = self.found[0].study.result.tally.work
        return {"spread_wagers": self.spread, "strategy": work.strategy, "seed": work.seed}


@dataclass(frozen=True)
class Comparison:
    """One count at one penetration, not played yet."""

    rules: Rules  # with the cut card of the penetration
    count: Count
    penetration: int

    def run(self, rounds: int, sitting: Sitting) -> Run:
        return counting_run(self.rules, flat(self.count), rounds, sitting)

    def compared(self, result: Result, spread: float) -> Compared:
        study = CountStudy(self.rules, self.count, result)
        return Compared(self.count.name, self.penetration, study, study.spread_ramp(spread))


def comparisons(
    rules: Rules, counts: Sequence[Count], penetrations: Sequence[int]
) -> list[Comparison]:
    """Every count at every penetration."""
    return [
        Comparison(
            change_rules(rules, {"cut_card": str(percent)}), replace(count, fingerprint=""), percent
        )
        for percent in penetrations
        for count in counts
    ]


def compare_counts(
    rules: Rules,
    counts: Sequence[Count],
    penetrations: Sequence[int],
    spread: float,
    rounds: int,
    sitting: Sitting | None = None,
    workers: int = 0,
    each: Each = in_silence,
) -> ComparedCounts:
    """Every count at every penetration, with the best bets of the spread."""
    found = tuple(
        one.compared(play_run(one.run(rounds, sitting or Sitting()), workers), spread)
        for one in each("counts", comparisons(rules, counts, penetrations))
    )
    return ComparedCounts(rules, spread, found)
