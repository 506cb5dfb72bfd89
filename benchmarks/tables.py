"""Committed commands at live tables, compared with the disk's own speed in the same run.

Measures everything a command involves except sockets: engine, shoe, postings, hashes, rows, flush.
The compared variants alternate block by block, because disk speed fluctuates. For one table,
storage is also measured separately.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.disk import RowCommits, flush_seconds, percentile
from benchmarks.figures import Figure
from benchmarks.houses import (
    LINKED_RULES,
    Floor,
    link,
    new_jackpot,
    open_floor,
    postgres_address,
    sqlite_address,
)
from benchmarks.replayed import House, recorded
from ventiuna.server.serve import HeapTuner
from ventiuna.table.store.connection import open_store
from ventiuna.table.writer import MAX_BATCH, CommandRequest, Done

BLOCK = 0.5  # seconds
PROCESSES = 4
MANY = 200
SEATS = 7
SLOW_DISK = 500  # flushes per second; below this, many commands must share a flush
TOGETHER = 10
SQLITE = "SQLite"
REPLAYED = 300  # commands per block when measuring storage only


def measure(quick: bool = False) -> Iterator[Figure]:
    blocks = 3 if quick else 10
    with sqlite_address() as address:
        yield from _one_database(SQLITE, address, blocks)
    with postgres_address() as address:
        yield from _one_database("PostgreSQL", address, blocks)
    yield from _several_processes(blocks)


# --- One process ---


@dataclass(slots=True)
class Played:
    """Transactions at several tables: the duration of each, and the number of commands."""

    took: list[float] = field(default_factory=list)
    commands: int = 0
    cpu: float = 0.0  # processor seconds of this process

    @property
    def rate(self) -> float:
        return self.commands / sum(self.took)

    def step(self, floor: Floor, requests: list[CommandRequest]) -> None:
        begin, cpu = time.perf_counter(), time.process_time()
        step = floor.writer.step(requests)
        self.took.append(time.perf_counter() - begin)
        self.cpu += time.process_time() - cpu
        self.commands += len(requests)
        for outcome in step.outcomes:
            assert isinstance(outcome, Done), outcome


def _one_database(name: str, address: str, blocks: int) -> Iterator[Figure]:
    floor = open_floor(address, MANY)
    full = open_floor(floor.store, 1, mark="full/", seats=SEATS)
    heap = HeapTuner()  # as in a server
    try:
        with TemporaryDirectory(prefix="ventiuna-probe-") as folder:
            rows = RowCommits(Path(folder))
            probe = Probe(rows, Path(folder), heap)
            yield from _compared(f"{name}, 1 table", floor, 1, probe, blocks)
            if name == SQLITE:
                yield from _storage_alone(floor, Path(folder), probe, blocks)
            yield from _compared(f"{name}, 1 table of {SEATS} players", full, 1, probe, blocks)
            yield from _compared(f"{name}, 20 tables", floor, 20, probe, blocks)
            yield from _compared(f"{name}, {MANY} tables", floor, MANY, probe, blocks)
            rows.close()
    finally:
        floor.store.close()


@dataclass(slots=True)
class Probe:
    """The disk, measured between blocks."""

    rows: RowCommits
    folder: Path
    heap: HeapTuner
    commits: list[float] = field(default_factory=list)
    flushes: list[float] = field(default_factory=list)

    def look(self) -> None:
        self.heap.tend()
        self.commits += self.rows.run(BLOCK / 2)
        self.flushes += flush_seconds(self.folder, BLOCK / 4)

    def begin(self) -> None:
        self.commits, self.flushes = [], []


def _compared(what: str, floor: Floor, tables: int, probe: Probe, blocks: int) -> Iterator[Figure]:
    played = Played()
    probe.begin()
    for _ in range(blocks):
        probe.look()
        _play(floor, floor.tables[:tables], BLOCK, played)
    one_row = len(probe.commits) / sum(probe.commits)
    flushes = len(probe.flushes) / sum(probe.flushes)
    aim = ">= 3,000" if tables == MANY and flushes >= SLOW_DISK else ""
    yield Figure(f"{what}: commands", played.rate, "1/s", aim)
    yield Figure(f"{what}: CPU time per command", 1e6 * played.cpu / played.commands, "us")
    yield Figure(f"{what}: p50", 1000 * percentile(played.took, 0.5), "ms")
    yield Figure(f"{what}: p99", 1000 * percentile(played.took, 0.99), "ms")
    together = played.commands / len(played.took)
    aim = f">= {TOGETHER}" if tables == MANY and flushes < SLOW_DISK else ""
    yield Figure(f"{what}: commands per commit", together, "", aim)
    aim = ">= 0.75" if tables == 1 else ""
    yield Figure(f"{what}: ratio to one-row commits", played.rate / one_row, "", aim)
    yield Figure(f"{what}: one-row commits", one_row, "1/s")
    yield Figure(f"{what}: disk flushes", flushes, "1/s")
    yield Figure(f"{what}: disk flush p99", 1000 * percentile(probe.flushes, 0.99), "ms")


def _storage_alone(floor: Floor, folder: Path, probe: Probe, blocks: int) -> Iterator[Figure]:
    """Measure one command per commit without the rest of the program, as a lower limit."""
    copy = House(floor.store, folder / "replayed.sqlite")
    with recorded() as transactions:
        for _ in range(blocks * REPLAYED):
            floor.play(floor.tables[:1])
    probe.begin()
    took: list[float] = []
    cpu = 0.0
    for block in range(blocks):
        probe.look()
        begin = time.process_time()
        took += copy.run(transactions[block * REPLAYED : (block + 1) * REPLAYED])
        cpu += time.process_time() - begin
    copy.close()
    what, rate = f"{SQLITE}, 1 table, storage only", len(took) / sum(took)
    one_row = len(probe.commits) / sum(probe.commits)
    yield Figure(f"{what}: commands", rate, "1/s")
    yield Figure(f"{what}: CPU time per command", 1e6 * cpu / len(took), "us")
    yield Figure(f"{what}: ratio to one-row commits", rate / one_row, "")
    yield Figure(f"{what}: one-row commits", one_row, "1/s")


def _play(floor: Floor, tables: list[int], seconds: float, played: Played) -> None:
    """Play groups of tables in turn; at each table, everyone who is prompted sends a command."""
    end = time.perf_counter() + seconds
    place = 0
    size = min(len(tables), MAX_BATCH)
    while time.perf_counter() < end:
        group = [tables[(place + step) % len(tables)] for step in range(size)]
        place += size
        played.step(floor, [one for table in group for one in floor.next_requests(table)])


# --- Several processes on PostgreSQL ---

WITHOUT, OWN, SHARED = "without jackpot", "a jackpot each", "one jackpot for all"
KINDS = (WITHOUT, OWN, SHARED)


def _several_processes(blocks: int) -> Iterator[Figure]:
    """Run the same tables without a jackpot, with a jackpot for each, and with one for all."""
    with postgres_address() as address:
        rates = _in_processes(address, _shared_jackpot(address), blocks)
    what = f"PostgreSQL, {PROCESSES} processes, {MANY} tables"
    for kind in KINDS:
        yield Figure(f"{what}, {kind}", rates[kind], "1/s")
    together = MANY // PROCESSES
    yield Figure("commands per commit there", min(together, MAX_BATCH), "", ">= 10")
    yield Figure(
        "one jackpot for all: ratio to a jackpot each", rates[SHARED] / rates[OWN], "", ">= 0.9"
    )
    yield Figure("one jackpot for all: ratio to none", rates[SHARED] / rates[WITHOUT], "", ">= 0.9")


def _shared_jackpot(address: str) -> int:
    floor = open_floor(address, 0, LINKED_RULES, "first/")
    jackpot = new_jackpot(floor, "Shared")
    floor.store.close()
    return jackpot


def _in_processes(address: str, jackpot: int, blocks: int) -> dict[str, float]:
    """Return the combined commands per second of all processes, by kind of table."""
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(PROCESSES)
    results: Queue[dict[str, int]] = context.Queue()
    workers = [
        context.Process(target=_work, args=(address, number, jackpot, blocks, ready, results))
        for number in range(PROCESSES)
    ]
    for worker in workers:
        worker.start()
    found = [results.get() for _ in workers]
    for worker in workers:
        worker.join()
    return {kind: sum(done[kind] for done in found) / (blocks * BLOCK) for kind in KINDS}


def _work(
    address: str,
    number: int,
    jackpot: int,
    blocks: int,
    ready: Barrier,
    results: Queue[dict[str, int]],
) -> None:
    store = open_store(address)
    floors = {}
    for place, kind in enumerate(KINDS):
        floor = open_floor(store, MANY // PROCESSES, LINKED_RULES, f"{number}/{place}/")
        for table in floor.tables if kind != WITHOUT else ():
            own = new_jackpot(floor, f"{number}/{table}") if kind == OWN else jackpot
            link(floor, table, own)
        floor.play(floor.tables)
        floors[kind] = floor
    heap = HeapTuner()
    done = {kind: Played() for kind in KINDS}
    for _ in range(blocks):
        for kind, floor in floors.items():
            heap.tend()
            ready.wait()
            _play(floor, floor.tables, BLOCK, done[kind])
    results.put({kind: played.commands for kind, played in done.items()})
    store.close()
