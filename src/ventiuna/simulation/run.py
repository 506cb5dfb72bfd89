"""Run a plan block by block on any workers, with the same results to the last digit.

Blocks are submitted a few ahead and added in order. So if a run is stopped, by a target or by the
user, its first blocks are complete. Blocks lost by a worker are played again.
"""

from __future__ import annotations

import _thread
import os
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from ventiuna.package import load_library
from ventiuna.rules import Rules, load_rules
from ventiuna.simulation.blocks import BlockResult, Tally, play_block, play_blocks
from ventiuna.simulation.plan import (
    MAX_ROUNDS,
    Plan,
    ShoeUse,
    check_types,
    is_error,
    is_whole_number,
    read_errors,
    read_shoe_use,
)
from ventiuna.simulation.result import Result
from ventiuna.simulation.settings import find_count, find_strategy
from ventiuna.simulation.spec import SimulationSpec, make_spec
from ventiuna.strategy.counting import Count
from ventiuna.strategy.protocol import PlanError, Strategy, plan_problem

# --- Workers ---

ANSWER_WITHIN = "10s"  # time limit for a Dask scheduler and its first worker
LAST_PORT = 65_535
_ADDRESS = re.compile(
    r"(tcp|tls|ws|wss)://(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z_.-]+):(?P<port>[0-9]{1,5})"
)
MAX_WORKERS = 1024  # maximum on one machine
BATCH = 8  # blocks per task if a task's overhead is a tenth of a block or more


@dataclass(frozen=True)
class BlockExecutor:
    """An executor and how many blocks it plays at a time."""

    executor: Executor
    number: int
    name: str
    batch: int = 1  # blocks per task, to share the overhead
    recount: Callable[[], int] | None = None  # counts workers, which may join or leave
    broken: tuple[type[Exception], ...] = (RuntimeError,)  # raised if no more tasks are accepted

    def active_workers(self) -> int:
        return self.recount() if self.recount else self.number


def cores() -> int:
    """Number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def threads(number: int = 0) -> Iterator[BlockExecutor]:
    """Threads of this process; the kernels release the GIL."""
    if type(number) is not int or not 0 <= number <= MAX_WORKERS:
        raise plan_problem(
            "workers",
            number,
            f"must be a number of threads from 1 to {MAX_WORKERS}",
            "Use 0 for one per core.",
        )
    count = number or cores()
    executor = ThreadPoolExecutor(count, thread_name_prefix="ventiuna")
    try:
        yield BlockExecutor(executor, count, f"{count} thread{'s' if count > 1 else ''}")
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def dask_workers(address: str) -> Iterator[BlockExecutor]:
    """A Dask cluster: `tcp://host:8786` for a scheduler, or `local:4` for four local processes."""
    if not address.startswith("local"):
        _check_address(address)
    distributed: Any = load_library("distributed")
    cluster = None
    if address.startswith("local"):
        cluster = distributed.LocalCluster(
            n_workers=_local_workers(address), threads_per_worker=1, dashboard_address=":0"
        )
    try:
        client = distributed.Client(cluster or address, timeout=ANSWER_WITHIN)
    except (OSError, TimeoutError) as error:
        raise plan_problem(
            "dask", address, f"no scheduler responds ({error})", "Start one with: dask scheduler."
        ) from None
    except ValueError as error:
        raise _not_an_address(address, f" ({error})") from None
    except TypeError as error:  # a secure address without a security setup
        raise plan_problem(
            "dask",
            address,
            f"Dask isn't set up for this kind of address ({error})",
            "Set Dask's distributed.comm.tls, or use tcp://host:8786.",
        ) from None
    try:
        number = _workers_of(client, address)
        executor = client.get_executor(pure=False, retries=5)
        name = f"{number} Dask workers"
        broken = (RuntimeError, OSError, distributed.client.ClosedClientError)
        yield BlockExecutor(executor, number, name, BATCH, partial(_threads_of, client), broken)
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def _check_address(address: str) -> None:
    """Reject impossible hosts, for which Dask would wait a long time."""
    found = _ADDRESS.fullmatch(address)
    if not found or not 1 <= int(found["port"]) <= LAST_PORT:
        raise _not_an_address(address)


def _not_an_address(address: str, reason: str = "") -> PlanError:
    return plan_problem(
        "dask", address, f"not an address{reason}", "Write local:4 or tcp://host:8786."
    )


def _threads_of(client: Any) -> int:
    try:
        threads_by_worker: dict[str, int] = client.nthreads()
        return max(1, sum(threads_by_worker.values()))
    except (OSError, RuntimeError, AttributeError):
        return 1  # the scheduler is gone and its client is broken


def _workers_of(client: Any, address: str) -> int:
    try:
        client.wait_for_workers(1, timeout=ANSWER_WITHIN)
    except TimeoutError:
        raise plan_problem(
            "dask",
            address,
            "the scheduler has no workers",
            f"Start one with: dask worker {address}.",
        ) from None
    return _threads_of(client)


def _local_workers(address: str) -> int:
    name, _, number = address.partition(":")
    count = int(number) if number.isdecimal() and len(number) < 6 else 0
    if name != "local" or (number and not 1 <= count <= MAX_WORKERS):
        raise plan_problem(
            "dask",
            address,
            f"must be a number of workers from 1 to {MAX_WORKERS}",
            "Write local:4 or tcp://host:8786.",
        )
    return count or cores()


# --- Interrupts ---

T = TypeVar("T")


def uninterrupted(job: Callable[[], T]) -> T:
    """Run the job and delay Ctrl-C until it is done; the host's Ctrl-C handling is unchanged.

    Python raises KeyboardInterrupt only in the main thread, so there the job runs in another
    thread.
    """
    if threading.current_thread() is not threading.main_thread():
        return job()
    found: list[Future[T]] = []
    claim, ends = threading.Lock(), threading.Lock()
    ends.acquire()
    pressed: KeyboardInterrupt | None = None
    while not found:
        try:
            while not found:
                # `Thread.start` isn't atomic: Ctrl-C inside it leaves a thread that never runs. A
                # bare thread starts immediately or not at all, and an extra one finds the job
                # claimed.
                if not claim.locked():
                    _thread.start_new_thread(_finish, (job, found, claim, ends))
                # A bare lock, because Ctrl-C inside an event or a condition may leave it locked
                # forever.
                ends.acquire()
        except KeyboardInterrupt as interrupt:
            pressed = interrupt
    outcome = found[0]
    if pressed is not None and outcome.exception() is None:
        raise pressed
    return outcome.result()


def _finish(
    job: Callable[[], T], found: list[Future[T]], claim: threading.Lock, ends: threading.Lock
) -> None:
    if not claim.acquire(blocking=False):
        return
    outcome: Future[T] = Future()
    try:
        outcome.set_result(job())
    except BaseException as error:  # noqa: BLE001  (raised again by whoever waits for it)
        outcome.set_exception(error)
    found.append(outcome)
    ends.release()


# --- Runs ---

MIN_BLOCKS = 2  # blocks to play before the run may stop at its target
TASKS_AHEAD = 2  # tasks submitted ahead for each worker

Save = Callable[[Tally, bool], None]


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

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

    spec: SimulationSpec
    tally: Tally
    rounds: int  # total rounds to play
    until: float = 0.0  # standard error of `ev` at which to stop; 0 to play all rounds
    lost: int = 0  # number of blocks that workers didn't return
    last_loss: str = ""

    def block_rounds(self, number: int) -> int:
        return min(self.spec.block_rounds, self.rounds - number * self.spec.block_rounds)

    @property
    def blocks(self) -> int:
        return -(-self.rounds // self.spec.block_rounds)

    def go(
        self,
        workers: BlockExecutor,
        report: Callable[[Progress], None] | None = None,
        save: Save | None = None,
    ) -> Result:
        """Play the remaining rounds; Ctrl-C stops and returns the result so far.

        After every block, and when the run ends (with True), `save` receives a tally of whole
        blocks, from which another run can continue.
        """
        started = time.perf_counter()
        before = self.tally.rounds
        pending: deque[tuple[range, Future[list[BlockResult]]]] = deque()
        following = self.tally.blocks
        complete = True
        try:
            while self.tally.blocks < self.blocks and not self._is_enough():
                ahead = TASKS_AHEAD * workers.active_workers()
                while following < self.blocks and len(pending) < ahead:
                    numbers = self._next_blocks(following, ahead, workers.batch)
                    pending.append((numbers, self._submit(workers, numbers)))
                    following = numbers.stop
                for block in self._fetch(*pending.popleft()):
                    if self._is_enough():
                        break
                    # A block is counted completely or not at all.
                    result = uninterrupted(partial(self._add, block, save, started, before))
                    if report:
                        report(self._progress(result))
        except KeyboardInterrupt:
            complete = False
        for _, future in pending:
            future.cancel()
        if save and self.tally.blocks == self.tally.whole_blocks:
            uninterrupted(partial(save, self.tally, True))
        return self._result(started, before, complete)

    def _add(self, block: BlockResult, save: Save | None, started: float, before: int) -> Result:
        is_whole = block.rounds == self.spec.block_rounds
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
        """Total rounds needed, by current estimates."""
        if not self.until or not result.ev.standard_error:
            return self.rounds
        share = (result.ev.standard_error / self.until) ** 2
        blocks = max(-(-int(self.tally.rounds * share) // self.spec.block_rounds), MIN_BLOCKS)
        return max(self.tally.rounds, min(self.rounds, blocks * self.spec.block_rounds))

    def _next_blocks(self, first: int, tasks: int, batch: int) -> range:
        """The blocks of the next task; fewer near the end, so that every worker has some."""
        share = (self.blocks - first) // tasks
        return range(first, min(first + max(1, min(batch, share)), self.blocks))

    def _submit(self, workers: BlockExecutor, numbers: range) -> Future[list[BlockResult]]:
        try:
            return workers.executor.submit(play_blocks, self.spec, self._sizes(numbers))
        except workers.broken as error:
            future: Future[list[BlockResult]] = Future()
            future.set_exception(error)
            return future

    def _sizes(self, numbers: range) -> dict[int, int]:
        return {number: self.block_rounds(number) for number in numbers}

    def _fetch(self, numbers: range, future: Future[list[BlockResult]]) -> Iterable[BlockResult]:
        """Blocks of a task; blocks lost with their worker are replayed here.

        Executors report a lost worker in different ways, so any failure is treated as a lost
        worker. If the block itself caused the failure, replaying it here raises the error.
        """
        try:
            error = future.exception()
        except CancelledError as cancelled:
            error = cancelled
        if error is None:
            return future.result()
        self.lost += len(numbers)
        self.last_loss = str(error).partition("\n")[0] or type(error).__name__
        return (play_block(self.spec, *block) for block in self._sizes(numbers).items())

    def _is_enough(self) -> bool:
        if not self.until or self.tally.blocks < MIN_BLOCKS:
            return False
        return Result(self.tally).ev.standard_error <= self.until

    def _result(self, started: float, before: int, complete: bool = True) -> Result:
        seconds = time.perf_counter() - started
        return Result(self.tally, seconds, complete, self.tally.rounds - before)


def begin_run(plan: Plan, rounds: int, until: float = 0.0) -> Run:
    """Start a run of the plan from its first block."""
    check_types(plan)
    if not is_whole_number(rounds) or not 1 <= rounds <= MAX_ROUNDS:
        raise plan_problem(
            "rounds",
            f"{rounds:,}" if is_whole_number(rounds) and abs(rounds) < 10**18 else rounds,
            f"must be a whole number from 1 to {MAX_ROUNDS:,}",
            "Choose one in that range.",
        )
    if not is_error(until):
        raise plan_problem(
            "until", until, "a standard error must be a number, 0 or more", "Use 0.0001 for 0.01%."
        )
    strategy = plan.strategy
    if isinstance(strategy, str):
        strategy = find_strategy(strategy, plan.rules, plan.base_wager)
    spec = make_spec(plan, strategy)
    return Run(spec, Tally.empty(spec, plan.meters), rounds, until)


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
    """Play `rounds` rounds and return the result.

    Amounts are cents. `count` is a built-in count's name, a file path or a `Count`. Blocks are
    played by `workers` threads (0 for one per core) or by any `concurrent.futures` executor; the
    result is the same. Without `records`, the result omits how often each decision occurred, which
    is nearly all of its size.

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
            "executor", executor, "must be a concurrent.futures executor", "Give one, or workers=2."
        )
    check_report(report)
    run = begin_run(plan, rounds, until)
    if executor is not None:
        number = workers or getattr(executor, "_max_workers", 0) or 1
        result = run.go(BlockExecutor(executor, number, type(executor).__name__), report)
    else:
        with threads(workers) as found:
            result = run.go(found, report)
    return result if records else result.without_records()


def check_report(report: object) -> None:
    """Check `report` before a long run, not during it."""
    if report is not None and not callable(report):
        raise plan_problem(
            "report", report, "must be a function that takes the progress", "Give one, or None."
        )
