"""Committed commands of live tables, beside the disk's own speed in the same run.

The whole way of a command but for sockets: engine, shoe, postings, hashes, rows, flush.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.disk import RowCommits, flush_seconds, percentile
from benchmarks.figures import Figure
from benchmarks.houses import (
    LINKED_RULES,
    Floor,
    link_all,
    link_to,
    open_floor,
    postgres_address,
    sqlite_address,
)
from ventiuna.table.writer import MOST_TOGETHER

BLOCK = 0.5  # seconds; the two that are compared take turns
PROCESSES = 4
MANY = 200


def measure(quick: bool = False) -> Iterator[Figure]:
    blocks = 3 if quick else 10
    with sqlite_address() as address:
        yield from _one_database("SQLite", address, blocks)
    with postgres_address() as address:
        yield from _one_database("PostgreSQL", address, blocks)
    yield from _several_processes(blocks)


def _one_database(name: str, address: str, blocks: int) -> Iterator[Figure]:
    floor = open_floor(address, MANY)
    try:
        with TemporaryDirectory(prefix="ventiuna-probe-") as folder:
            rows = RowCommits(Path(folder))
            yield from _compared(name, floor, rows, Path(folder), blocks)
            rows.close()
    finally:
        floor.store.close()


def _compared(
    name: str, floor: Floor, rows: RowCommits, folder: Path, blocks: int
) -> Iterator[Figure]:
    for tables in (1, 20, MANY):
        probe: list[float] = []
        flushes: list[float] = []
        took: list[float] = []
        cpu = 0.0
        for _ in range(blocks):
            probe += rows.run(BLOCK / 2)
            flushes += flush_seconds(folder, BLOCK / 4)
            before = time.process_time()
            took += _played(floor, floor.tables[:tables], BLOCK)
            cpu += time.process_time() - before
        together = min(tables, MOST_TOGETHER)
        rate = together * len(took) / sum(took)
        row_rate = len(probe) / sum(probe)
        what = f"{name}, {tables} table{'s' if tables > 1 else ''}"
        yield Figure(f"{what}: commands", rate, "1/s", ">= 3,000" if tables == MANY else "")
        yield Figure(f"{what}: CPU of a command", 1e6 * cpu / (together * len(took)), "us")
        yield Figure(f"{what}: p50", 1000 * percentile(took, 0.5), "ms")
        yield Figure(f"{what}: p99", 1000 * percentile(took, 0.99), "ms")
        aim = ">= 0.75" if tables == 1 else ""
        yield Figure(f"{what}: of one-row commits", rate / row_rate, "", aim)
        yield Figure(f"{what}: disk's own flushes", len(flushes) / sum(flushes), "1/s")
        yield Figure(f"{what}: disk's own p99", 1000 * percentile(flushes, 0.99), "ms")


def _played(floor: Floor, tables: list[int], seconds: float) -> list[float]:
    """Seconds of each transaction: as many tables as go together take turns."""
    took: list[float] = []
    end = time.perf_counter() + seconds
    place = 0
    size = min(len(tables), MOST_TOGETHER)
    while time.perf_counter() < end:
        group = [tables[(place + step) % len(tables)] for step in range(size)]
        place += size
        requests = [floor.next_request(table) for table in group]
        begin = time.perf_counter()
        floor.writer.step(requests)
        took.append(time.perf_counter() - begin)
    return took


# --- several processes on PostgreSQL ----------------------------------------------------------


def _several_processes(blocks: int) -> Iterator[Figure]:
    rates = {}
    for linked in (False, True):
        with postgres_address() as address:
            jackpot = _shared_jackpot(address) if linked else 0
            rates[linked] = _in_processes(address, jackpot, blocks * BLOCK)
        what = "linked" if linked else "not linked"
        yield Figure(
            f"PostgreSQL, {PROCESSES} processes, {MANY} tables, {what}", rates[linked], "1/s"
        )
    together = MANY // PROCESSES
    yield Figure("commands of a commit there", min(together, MOST_TOGETHER), "", ">= 10")
    yield Figure("linked of not linked", rates[True] / rates[False], "", ">= 0.9")


def _shared_jackpot(address: str) -> int:
    floor = open_floor(address, 1, LINKED_RULES, "first/")
    jackpot = link_all(floor)
    floor.store.close()
    return jackpot


def _in_processes(address: str, jackpot: int, seconds: float) -> float:
    """Commands a second of all processes together."""
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(PROCESSES)
    results: Queue[int] = context.Queue()
    workers = [
        context.Process(target=_work, args=(address, number, jackpot, seconds, ready, results))
        for number in range(PROCESSES)
    ]
    for worker in workers:
        worker.start()
    done = sum(results.get() for _ in workers)
    for worker in workers:
        worker.join()
    return done / seconds


def _work(
    address: str,
    number: int,
    jackpot: int,
    seconds: float,
    ready: Barrier,
    results: Queue[int],
) -> None:
    floor = open_floor(address, MANY // PROCESSES, LINKED_RULES, f"{number}/")
    if jackpot:
        link_to(floor, jackpot)
    floor.play(floor.tables)
    ready.wait()
    took = _played(floor, floor.tables, seconds)
    results.put(len(took) * len(floor.tables))
    floor.store.close()
