"""Plays a plan block by block, wherever its workers are, to the same digits everywhere.

Blocks are handed out a few ahead and added in their order. So a run that is stopped, by a
target or by the user, has the first blocks complete; and what a worker lost is played again.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ventiuna.rules import Rules, load_rules
from ventiuna.simulation.blocks import BlockResult, play_block, play_blocks
from ventiuna.simulation.executors import Workers, threads
from ventiuna.simulation.interrupts import as_a_whole
from ventiuna.simulation.plan import (
    MOST_ROUNDS,
    Plan,
    ShoeUse,
    check_types,
    is_error,
    is_whole,
    read_errors,
    read_shoe_use,
)
from ventiuna.simulation.result import Result
from ventiuna.simulation.strategies import find_count, find_strategy
from ventiuna.simulation.tally import Tally
from ventiuna.simulation.work import Work, make_work
from ventiuna.strategy.counting import Count
from ventiuna.strategy.errors import plan_problem
from ventiuna.strategy.strategy import Strategy

FEWEST_BLOCKS = 2  # before a target may stop the run
TASKS_AHEAD = 2  # for each worker

Save = Callable[[Tally, bool], None]


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    rounds: int
    target: int
    seconds: float
    result: Result

    @property
    def rate(self) -> float:
        return self.result.rounds_per_second

    @property
    def seconds_left(self) -> float:
        return (self.target - self.rounds) / self.rate if self.rate else 0.0


@dataclass
class Run:
    """A plan in progress."""

    work: Work
    tally: Tally
    rounds: int  # to play in all
    until: float = 0.0  # standard error of `ev` that is enough; 0: play all rounds
    lost: int = 0  # blocks that a worker did not bring back
    last_loss: str = ""

    def block_rounds(self, number: int) -> int:
        return min(self.work.block_rounds, self.rounds - number * self.work.block_rounds)

    @property
    def blocks(self) -> int:
        return -(-self.rounds // self.work.block_rounds)

    def go(
        self,
        workers: Workers,
        report: Callable[[Progress], None] | None = None,
        save: Save | None = None,
    ) -> Result:
        """Play what is left; Ctrl-C ends it with what there is.

        `save` gets a tally of whole blocks, which another run can continue, after every block
        and, with True, when the run ends.
        """
        started = time.perf_counter()
        before = self.tally.rounds
        pending: deque[tuple[range, Future[list[BlockResult]]]] = deque()
        following = self.tally.blocks
        complete = True
        try:
            while self.tally.blocks < self.blocks and not self._is_enough():
                ahead = TASKS_AHEAD * workers.at_work()
                while following < self.blocks and len(pending) < ahead:
                    numbers = self._next_blocks(following, ahead, workers.batch)
                    pending.append((numbers, self._submit(workers, numbers)))
                    following = numbers.stop
                for block in self._fetch(*pending.popleft()):
                    if self._is_enough():
                        break
                    # A block is counted as a whole or not at all.
                    result = as_a_whole(partial(self._add, block, save, started, before))
                    if report:
                        report(self._progress(result))
        except KeyboardInterrupt:
            complete = False
        for _, future in pending:
            future.cancel()
        if save and self.tally.blocks == self.tally.whole_blocks:
            as_a_whole(partial(save, self.tally, True))
        return self._result(started, before, complete)

    def _add(self, block: BlockResult, save: Save | None, started: float, before: int) -> Result:
        is_whole = block.rounds == self.work.block_rounds
        if save and not is_whole:
            save(self.tally, True)
        self.tally.add(block)
        result = self._result(started, before)
        self.tally.note(result.ev.value, result.ev.standard_error)
        if save and is_whole:
            save(self.tally, False)
        return result

    def _progress(self, result: Result) -> Progress:
        return Progress(self.tally.rounds, self._target(result), result.seconds, result)

    def _target(self, result: Result) -> int:
        """Rounds in all, by what is known now."""
        if not self.until or not result.ev.standard_error:
            return self.rounds
        share = (result.ev.standard_error / self.until) ** 2
        blocks = max(-(-int(self.tally.rounds * share) // self.work.block_rounds), FEWEST_BLOCKS)
        return max(self.tally.rounds, min(self.rounds, blocks * self.work.block_rounds))

    def _next_blocks(self, first: int, tasks: int, batch: int) -> range:
        """The blocks of a task; few where few are left, so that all workers have some."""
        share = (self.blocks - first) // tasks
        return range(first, min(first + max(1, min(batch, share)), self.blocks))

    def _submit(self, workers: Workers, numbers: range) -> Future[list[BlockResult]]:
        try:
            return workers.executor.submit(play_blocks, self.work, self._sizes(numbers))
        except workers.broken as error:
            future: Future[list[BlockResult]] = Future()
            future.set_exception(error)
            return future

    def _sizes(self, numbers: range) -> dict[int, int]:
        return {number: self.block_rounds(number) for number in numbers}

    def _fetch(self, numbers: range, future: Future[list[BlockResult]]) -> Iterable[BlockResult]:
        """Blocks of a task; those that were lost with their worker are played again, here.

        Engines name a lost worker in their own ways, so every failure counts as one. If it was
        a block's own fault, playing it here says so.
        """
        try:
            error = future.exception()
        except CancelledError as cancelled:
            error = cancelled
        if error is None:
            return future.result()
        self.lost += len(numbers)
        self.last_loss = str(error).partition("\n")[0] or type(error).__name__
        return (play_block(self.work, *block) for block in self._sizes(numbers).items())

    def _is_enough(self) -> bool:
        if not self.until or self.tally.blocks < FEWEST_BLOCKS:
            return False
        return Result(self.tally).ev.standard_error <= self.until

    def _result(self, started: float, before: int, complete: bool = True) -> Result:
        seconds = time.perf_counter() - started
        return Result(self.tally, seconds, complete, self.tally.rounds - before)


def begin(plan: Plan, rounds: int, until: float = 0.0) -> Run:
    """A run of the plan from its first block."""
    check_types(plan)
    if not is_whole(rounds) or not 1 <= rounds <= MOST_ROUNDS:
        raise plan_problem(
            "rounds",
            f"{rounds:,}" if is_whole(rounds) and abs(rounds) < 10**18 else rounds,
            f"a whole number from 1 to {MOST_ROUNDS:,}",
            "Choose in between.",
        )
    if not is_error(until):
        raise plan_problem(
            "until", until, "a standard error is a number from 0 on", "Use 0.0001 for 0.01 %."
        )
    strategy = plan.strategy
    if isinstance(strategy, str):
        strategy = find_strategy(strategy, plan.rules, plan.base_wager)
    work = make_work(plan, strategy)
    return Run(work, Tally.empty(work, plan.meters), rounds, until)


def simulate(
    rules: Rules | str,
    strategy: Strategy | str = "chart",
    rounds: int = 1_000_000,
    *,
    spots: int = 1,
    base: int = 0,
    match: dict[str, int] | None = None,
    jackpots: tuple[int, ...] = (),
    shoe: ShoeUse | str = ShoeUse.CUT_CARD,
    errors: Fraction | float = 0,
    count: Count | str | None = None,
    session: int = 0,
    meters: tuple[int, ...] = (),
    seed: int = 21,
    until: float = 0.0,
    workers: int = 0,
    executor: Executor | None = None,
    report: Callable[[Progress], None] | None = None,
    records: bool = True,
) -> Result:
    """Play so many rounds and say what came of them.

    Amounts are cents. `count` is a built-in count's name, a file's path or a `Count`. Blocks are
    played by `workers` threads (0: one for each core) or by any `concurrent.futures` executor;
    the result is the same. Without `records` it forgets how often each decision was met, which is
    nearly all of its size.

    >>> result = simulate("super-fun-21", rounds=20_000, seed=5)
    >>> result.rounds, -0.2 < result.ev.value < 0.2
    (20000, True)
    """
    plan = Plan(
        rules=rules if isinstance(rules, Rules) else load_rules(rules),
        strategy=strategy,
        spots=spots,
        base=base,
        match=match or {},
        jackpots=jackpots,
        shoe=read_shoe_use(shoe),
        errors=read_errors(errors),
        count=find_count(count) if isinstance(count, str) else count,
        session=session,
        meters=meters,
        seed=seed,
    )
    if executor is not None and not hasattr(executor, "submit"):
        raise plan_problem(
            "executor", executor, "not an executor of concurrent.futures", "Give one, or workers=2."
        )
    check_report(report)
    run = begin(plan, rounds, until)
    if executor is not None:
        number = workers or getattr(executor, "_max_workers", 0) or 1
        result = run.go(Workers(executor, number, type(executor).__name__), report)
    else:
        with threads(workers) as found:
            result = run.go(found, report)
    return result if records else result.without_records()


def check_report(report: object) -> None:
    """Found out before a long run, not within it."""
    if report is not None and not callable(report):
        raise plan_problem(
            "report", report, "not a function that is told of progress", "Give one, or None."
        )
