"""Blocks added up, in their order, to the same digits whoever played them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from ventiuna.core.table import JACKPOTS
from ventiuna.kernels.simulate import layout as at
from ventiuna.records import equal_fields
from ventiuna.simulation.blocks import BlockResult
from ventiuna.simulation.exact_sums import wide_values
from ventiuna.simulation.meters import MOST_POINTS, MeterHistory
from ventiuna.simulation.work import Work, kit_of
from ventiuna.strategy.errors import plan_problem

Ints = npt.NDArray[np.int64]


@dataclass
class SessionTally:
    """Sessions by their result and lowest point (in base wagers) and longest losing run."""

    sessions: int = 0
    total: int = 0  # cents
    squared: int = 0
    results: Counter[int] = field(default_factory=Counter)
    lowest: Counter[int] = field(default_factory=Counter)
    losing: Counter[int] = field(default_factory=Counter)

    def add(self, ended: Ints, base: int) -> None:
        """Sessions [session, spot, result, lowest, longest] in cents."""
        rows = ended.reshape(-1, 3)
        self.sessions += len(rows)
        results = rows[:, at.RESULT].tolist()
        self.total += sum(results)
        self.squared += sum(cents * cents for cents in results)
        for counter, found in (
            (self.results, rows[:, at.RESULT] // base),
            # A fall counts in whole wagers: four and a half are a fall by four.
            (self.lowest, -(-rows[:, at.LOWEST] // base)),
            (self.losing, rows[:, at.LONGEST]),
        ):
            values, times = np.unique(found, return_counts=True)
            for value, count in zip(values.tolist(), times.tolist(), strict=True):
                counter[value] += count


@dataclass(frozen=True)
class Point:
    """The edge so far, for the plot of convergence."""

    rounds: int
    ev: float
    standard_error: float


@dataclass
class Tally:
    """All that blocks 0 to `blocks` - 1 counted. Sums are Python ints, so nothing overflows."""

    work: Work
    counters: list[int]
    results: Ints
    starts: Ints
    visits: Ints
    compared: Ints
    spots: list[int]
    insured: list[int]
    supers: list[int]
    rest: list[int]
    count_rounds: list[int]
    count_results: list[int]
    match_counts: Ints
    jackpot_counts: Ints
    match_squared: list[int]
    jackpot_squared: list[int]
    totals: Ints
    meters: MeterHistory
    sessions: SessionTally
    blocks: int = 0
    block_sums: int = 0  # of results in grains, over whole blocks
    block_squares: int = 0
    whole_blocks: int = 0
    points: list[Point] = field(default_factory=list)
    every: int = 1

    __eq__ = equal_fields

    @classmethod
    def empty(cls, work: Work, meters: tuple[int, ...] = ()) -> Tally:
        kit = kit_of(work)
        counts = kit.new_counts()
        start = meters or tuple(jackpot.seed for jackpot in work.rules.jackpots)
        return cls(
            work=work,
            counters=[0] * at.COUNTERS,
            results=counts.results,
            starts=counts.starts,
            visits=counts.visits.astype(np.int64),
            compared=counts.sums["compared"].copy(),
            spots=[0] * len(counts.sums["spots"]),
            insured=[0] * at.INSURANCES,
            supers=[0] * at.SUPERS,
            rest=[0] * at.RESTS,
            count_rounds=[0] * at.COUNT_PLACES,
            count_results=[0] * (at.COUNT_PLACES * at.COUNTED_SUMS),
            match_counts=np.zeros(at.MATCHES * at.MATCH_CODES, dtype=np.int64),
            jackpot_counts=np.zeros(JACKPOTS * at.JACKPOT_CELLS, dtype=np.int64),
            match_squared=[0] * at.MATCHES,
            jackpot_squared=[0] * JACKPOTS,
            totals=np.zeros(at.TOTAL_PLACES, dtype=np.int64),
            meters=MeterHistory.starting(start),
            sessions=SessionTally(),
        )

    @property
    def rounds(self) -> int:
        """Rounds played to their end."""
        return self.counters[at.ROUNDS] - self.counters[at.VOID]

    @property
    def dealt(self) -> int:
        """Rounds, those that came out void too."""
        return self.counters[at.ROUNDS]

    def visits_by_decision(self) -> Ints:
        """How often each decision was met: [deviation, mode, node, class of up card]."""
        if not len(self.visits):
            raise plan_problem(
                "result", "", "it keeps no record of decisions", "Simulate with records=True."
            )
        kit = kit_of(self.work)
        return self.visits.reshape(kit.deviations, at.MODES, len(kit.graph), at.UPS)

    def without_records(self) -> Tally:
        """The same sums without the visits to every decision, nearly all of its size."""
        return replace(self, visits=np.zeros(0, dtype=np.int64))

    def add(self, block: BlockResult) -> None:
        """Add the next block."""
        if block.number != self.blocks:
            raise plan_problem(
                "tally",
                "",
                f"block {self.blocks} comes next, not {block.number}",
                "Add the blocks in their order.",
            )
        _add(self.counters, block.counters.tolist())
        self.results += block.results
        self.starts += block.starts
        self.visits[block.visited] += block.visits
        self.compared += block.compared
        _add(self.spots, block.spots.tolist())
        _add(self.insured, block.insured.tolist())
        _add(self.supers, block.supers.tolist())
        _add(self.rest, wide_values(block.rest))
        _add(self.count_rounds, block.count_rounds.tolist())
        _add(self.count_results, wide_values(block.count_results))
        if block.hits is not None:
            self._add_sides(block)
        if block.sessions is not None:
            self.sessions.add(block.sessions, self.work.bases[0])
        if block.rounds == self.work.block_rounds:
            kit = kit_of(self.work)
            places = np.arange(kit.results, dtype=np.int64) - kit.tables.offset
            total = int((block.results * places).sum())
            self.block_sums += total
            self.block_squares += total * total
            self.whole_blocks += 1
        self.blocks += 1

    def _add_sides(self, block: BlockResult) -> None:
        assert block.match_counts is not None
        assert block.jackpot_counts is not None
        assert block.match_squared is not None
        assert block.jackpot_squared is not None
        assert block.totals is not None
        assert block.hits is not None
        self.match_counts += block.match_counts
        self.jackpot_counts += block.jackpot_counts
        _add(self.match_squared, wide_values(block.match_squared))
        _add(self.jackpot_squared, wide_values(block.jackpot_squared))
        totals = block.totals.copy()
        if any(self.work.jackpots):
            kit = kit_of(self.work)
            awards = self.meters.walk(kit, block.hits, block.rounds, totals, block.sessions)
            self.meters.note(self.counters[at.ROUNDS])
            _add(self.rest, awards.rest)
        self.totals += totals

    def note(self, ev: float, standard_error: float) -> None:
        """A point for the plot of convergence, fewer and fewer as the run grows."""
        if self.blocks % self.every == 0:
            self.points.append(Point(self.rounds, ev, standard_error))
        if len(self.points) >= MOST_POINTS:
            self.points = self.points[1::2]
            self.every *= 2


def _add(sums: list[int], more: list[int]) -> None:
    for place, number in enumerate(more):
        sums[place] += number
