"""Response times of the coach as a service, alone and alongside a busy table service.

Commands take the place of tables: one writer thread creates 200 of them per second, each a step of
a round with its events as JSON, and commits them in SQLite. Questions are decisions from random
rounds, all different, so no answer comes from a cache.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path

from sqlalchemy import insert

from benchmarks.figures import Figure
from tests.support.dealt_rounds import PausedRound, paused_rounds
from ventiuna.analysis.coaching import HandContext, advise, coached_hand
from ventiuna.engine.codec import event_data
from ventiuna.engine.prompts import DecisionWanted
from ventiuna.engine.views import EVERYONE, view
from ventiuna.rules import Rules, load_rules
from ventiuna.server.analysis_pool import Coach, coach_workers
from ventiuna.server.telemetry import Metrics
from ventiuna.server.workers import WorkerPool, processes
from ventiuna.table.store.connection import Store, open_store
from ventiuna.table.store.schema import process

COMMANDS = 200  # per second
QUESTIONS = 20  # per second: a question for every tenth command
COACHES = 2
BATCH = 64
PRACTICE = 16  # warm-up questions, the same for threads and processes


def measure(quick: bool) -> Iterator[Figure]:
    rules = load_rules("wsgc-2021")
    number = 60 if quick else 400
    asked = questions(rules, number, seed=1)
    advise(asked[0])  # builds the tables for these rules
    alone = [timed(partial(advise, coached)) for coached in asked]
    yield from spread("one question, this shoe and a fresh one, in place", alone)
    cpu = [timed(partial(advise, coached), time.process_time) for coached in asked]
    yield from spread("CPU time of the same", cpu)
    runs = asyncio.run(compared(rules, turns=1 if quick else 6, seconds=3.0))
    for name, run in runs.items():
        yield Figure(f"{name}: start", run.start, "s")
        yield from spread(f"{name}: coach during {COMMANDS} commands/s", run.questions, "< 100")
        yield from spread(f"{name}: those commands", run.commands)
        yield from spread(f"{name}: event loop lag", run.lags)


async def compared(rules: Rules, turns: int, seconds: float) -> dict[str, Run]:
    """Alternate between threads and processes, so a busy machine affects both equally."""
    pools = {
        "threads": coach_workers(COACHES),
        "processes": WorkerPool("", COACHES, 64, partial(processes, COACHES)),
    }
    coached = {name: Coach(workers, Metrics()) for name, workers in pools.items()}
    runs: dict[str, Run] = {}
    for name, coach in coached.items():
        started = time.perf_counter()
        await coach.start()
        runs[name] = Run(time.perf_counter() - started)
        practice = questions(rules, PRACTICE, seed=50)  # warm up
        await asyncio.gather(*(coach.advise(coached) for coached in practice))
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "house.sqlite"))
        try:
            for turn in range(turns):
                # Each kind goes first in every other turn.
                order = [*coached] if turn % 2 else [*reversed(coached)]
                for name in order:
                    asked = questions(rules, int(QUESTIONS * seconds), seed=100 + turn)
                    table = Table(store, rules, runs[name])
                    await beside_commands(coached[name], table, asked, seconds)
        finally:
            store.close()
            for coach in coached.values():
                coach.close()
    return runs


class Run:
    """All measured times, in seconds."""

    def __init__(self, start: float) -> None:
        self.start = start
        self.questions: list[float] = []
        self.commands: list[float] = []
        self.lags: list[float] = []


async def beside_commands(
    coach: Coach, table: Table, asked: list[HandContext], seconds: float
) -> None:
    waiting = iter(asked)

    async def ask() -> None:
        coached = next(waiting)
        started = time.perf_counter()
        await coach.advise(coached)
        table.run.questions.append(time.perf_counter() - started)

    try:
        await asyncio.gather(
            paced(COMMANDS, seconds, table.command),
            paced(QUESTIONS, seconds, ask),
            watch_lag(seconds, table.run),
        )
    finally:
        table.writer.shutdown()


class Table:
    """Commands, each a step of a round; waiting commands share a commit, as in a table service."""

    def __init__(self, store: Store, rules: Rules, run: Run) -> None:
        self._store = store
        self._loop = asyncio.get_running_loop()
        self.run = run
        self._moments = endless(rules)
        self._waiting: list[asyncio.Future[None]] = []
        self._is_busy = False
        self.writer = ThreadPoolExecutor(1)

    async def command(self) -> None:
        started = time.perf_counter()
        done = self._loop.create_future()
        self._waiting.append(done)
        if not self._is_busy:
            self._is_busy = True
            while self._waiting:
                batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
                await self._loop.run_in_executor(self.writer, self._commit, len(batch))
                for waiting in batch:
                    waiting.set_result(None)
            self._is_busy = False
        await done
        self.run.commands.append(time.perf_counter() - started)

    def _commit(self, commands: int) -> None:
        with self._store.write() as connection:
            for moment in islice(self._moments, commands):
                text = json.dumps([event_data(event) for event in moment.events])
                connection.execute(insert(process).values(started_at=len(text), beat_at=0))


def endless(rules: Rules) -> Iterator[PausedRound]:
    seed = 0
    while True:
        seed += 1
        yield from paused_rounds(rules, seed, rounds=200)


def questions(rules: Rules, number: int, seed: int) -> list[HandContext]:
    """Return decisions from random rounds; the same seed gives the same decisions."""
    generator = random.Random(seed)
    return list(islice(_decisions(rules, generator), number))


def _decisions(rules: Rules, generator: random.Random) -> Iterator[HandContext]:
    while True:
        for moment in paused_rounds(rules, generator.randrange(2**32), rounds=40):
            seen = view(moment.state, EVERYONE)
            if isinstance(seen.waiting, DecisionWanted):
                yield coached_hand(rules, seen, moment.seen_before)


async def paced(rate: int, seconds: float, act: Callable[[], Coroutine[None, None, None]]) -> None:
    """Start `rate` calls per second, whether or not the previous ones have finished."""
    begun = time.perf_counter()
    tasks = set()
    for number in range(int(rate * seconds)):
        pause = begun + number / rate - time.perf_counter()
        await asyncio.sleep(max(0.0, pause))
        tasks.add(asyncio.ensure_future(act()))
    await asyncio.gather(*tasks)


async def watch_lag(seconds: float, run: Run) -> None:
    end = time.perf_counter() + seconds
    while (now := time.perf_counter()) < end:
        await asyncio.sleep(0.005)
        run.lags.append(time.perf_counter() - now - 0.005)


def timed(act: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    started = clock()
    act()
    return clock() - started


def spread(name: str, seconds: Iterable[float], aim: str = "") -> Iterator[Figure]:
    ordered = sorted(1000 * value for value in seconds)
    for share, goal in ((50, ""), (95, aim), (99, "")):
        value = ordered[min(len(ordered) - 1, len(ordered) * share // 100)]
        yield Figure(f"{name}, p{share}", value, "ms", goal)
