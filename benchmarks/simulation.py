"""The simulator: rounds per second on one core by option, threads, Dask workers, memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import median
from typing import Any

from benchmarks.figures import Figure
from benchmarks.processes import megabytes
from ventiuna.rules import load_rules
from ventiuna.simulation.blocks import play_block
from ventiuna.simulation.plan import Plan, ShoeUse
from ventiuna.simulation.run import BlockExecutor, begin_run, dask_workers, simulate, threads
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import SimulationSpec, make_spec

TWO_JACKPOTS = "jackpots=3c:1:wager=5:seed=1000+4d:2"
UP_AND_DOWN = {"up": 500, "down": 500}
BONUS_CARDS = dict.fromkeys(("b1", "b2", "b3", "b4", "b5"), 500)
BLOCK = 1_000_000
REPEATS = 5  # the best run counts; the others were slowed by other work


@dataclass(frozen=True)
class Case:
    name: str
    rules: str = "wsgc-spanish-21"
    aim: str = ""
    strategy: str = "chart"
    settings: Mapping[str, Any] = field(default_factory=dict)

    def spec(self) -> SimulationSpec:
        plan = Plan(load_rules(self.rules), **self.settings)
        return make_spec(plan, find_strategy(self.strategy, plan.rules, plan.base_wager))


CASES = (
    Case("base game", aim=">= 15 (aim 20)"),
    Case("best play by composition", strategy="optimal"),
    Case("S17", "wsgc-spanish-21(soft_17=stand)"),
    Case("double-double", "wsgc-spanish-21(double_double=on)"),
    Case("2 decks", "wsgc-spanish-21(decks=2)"),
    Case("8 decks", "wsgc-spanish-21(decks=8)"),
    Case("a fresh shoe each round", settings={"shoe": ShoeUse.FRESH}),
    Case("errors in 2%", settings={"errors": Fraction(1, 50)}),
    Case("sessions of 1,000", settings={"session": 1000}),
    Case("six spots", settings={"spots": 6}),
    Case("Match the Dealer, up and down", settings={"match": UP_AND_DOWN}),
    Case(
        "up, down and two jackpots",
        f"wsgc-2021({TWO_JACKPOTS})",
        ">= 8",
        settings={"match": UP_AND_DOWN, "jackpots": (1, 2)},
    ),
    Case(
        "the same and five Bonus Cards",
        f"wsgc-2021(mtd_configuration=4,bonus_cards=5,{TWO_JACKPOTS})",
        ">= 8",
        settings={"match": UP_AND_DOWN | BONUS_CARDS, "jackpots": (1, 2)},
    ),
    Case("Super Fun 21", "super-fun-21", ">= 12"),
    Case("Super Fun 21, 2 decks", "super-fun-21(decks=2)", ">= 12"),
    Case("blackjack", "blackjack"),
)


def measure(quick: bool) -> Iterator[Figure]:
    for case in CASES:
        speed = rounds_a_second(case.spec(), BLOCK // 10 if quick else BLOCK)
        yield Figure(case.name, speed / 1e6, "M rounds/s", case.aim)
    yield Figure("two threads, one", *threads_against_one(quick))
    yield Figure("two Dask workers, one", *dask_against_one(quick))
    for millions in (10, 20 if quick else 300):
        program = (
            "from ventiuna.simulation import simulate; "
            f"simulate('wsgc-spanish-21', rounds={millions}_000_000)"
        )
        yield Figure(f"memory, {millions} M rounds", megabytes(program), "MB", "< 400")
    if not quick:
        result = simulate("wsgc-spanish-21", rounds=10**9, until=1e-4)
        yield Figure("rounds for a standard error of 0.01%", result.rounds / 1e6, "M rounds")
        yield Figure("their time, all cores", result.seconds, "s")


def rounds_a_second(spec: SimulationSpec, rounds: int) -> float:
    """Measure one thread by processor time, with full statistics."""
    play_block(spec, 0, 1000)
    speeds = []
    for number in range(REPEATS):
        start = time.thread_time()
        play_block(spec, number, rounds)
        speeds.append(rounds / (time.thread_time() - start))
    return max(speeds)


def threads_against_one(quick: bool) -> tuple[float, str, str]:
    return _ratio(lambda number: threads(number), quick), "times", ">= 1.8"


def dask_against_one(quick: bool) -> tuple[float, str, str]:
    return _ratio(lambda number: dask_workers(f"local:{number}"), quick), "times", ">= 1.6"


def _ratio(workers: Callable[[int], Any], quick: bool) -> float:
    """Compare two workers with one by wall time, alternating so the noise affects both."""
    rounds = 10_000_000 if quick else 60_000_000
    with workers(1) as one, workers(2) as two:
        for found in (one, two):
            _seconds(found, 4_000_000)
        turns = [(_seconds(one, rounds), _seconds(two, rounds)) for _ in range(1 if quick else 3)]
    return median(alone / together for alone, together in turns)


def _seconds(workers: BlockExecutor, rounds: int) -> float:
    run = begin_run(Plan(load_rules("wsgc-spanish-21")), rounds)
    play_block(run.spec, 0, 1)  # builds the tables for these rules
    start = time.perf_counter()
    run.go(workers)
    return time.perf_counter() - start
