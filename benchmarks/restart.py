"""Restarting a server with many tables, each in the middle of a round.

All tables are loaded at once, which is the worst case: a table is normally loaded on first use.
Then every clock restarts, as after an outage, which takes one entry per table.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Iterator

from benchmarks.figures import Figure
from benchmarks.houses import KEY, Floor, open_floor, postgres_address, sqlite_address
from ventiuna.table.admin import house_id
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.domain.state import TableState
from ventiuna.table.fairness import HouseKey, OsEntropy
from ventiuna.table.journal import read_heads
from ventiuna.table.presence import restart_requests
from ventiuna.table.read_model import load_table
from ventiuna.table.store.connection import Store, open_store
from ventiuna.table.writer import Done, HouseContext, SystemClock, Writer

TABLES, FEW = 1_000, 200


def measure(quick: bool = False) -> Iterator[Figure]:
    tables = FEW if quick else TABLES
    with sqlite_address() as address:
        yield from _restarted("SQLite", address, tables)
    with postgres_address() as address:
        yield from _restarted("PostgreSQL", address, tables)


def _restarted(name: str, address: str, tables: int) -> Iterator[Figure]:
    numbers = _stopped_in_mid_round(address, tables)
    what = f"{name}, {tables:,} tables with a round in play"
    started = time.perf_counter()
    cpu = time.process_time()
    store = open_store(address)
    house = _house(store)
    loaded = _load(store, house, numbers)
    assert all(state.is_dealt for state in loaded)
    yield Figure(f"{what}: loaded", time.perf_counter() - started, "s", "< 5")
    yield Figure(f"{what}: CPU time", time.process_time() - cpu, "s")
    started = time.perf_counter()
    _restart_clocks(store, house)
    yield Figure(f"{what}: clocks restarted", time.perf_counter() - started, "s")
    yield Figure(f"{name}, memory per table", _kilobytes(store, numbers[:FEW]), "kB", "<= 50")
    store.close()


def _stopped_in_mid_round(address: str, tables: int) -> list[int]:
    floor = open_floor(address, tables)
    while waiting := [table for table in floor.tables if not _is_in_play(floor, table)]:
        floor.play(waiting)
    floor.store.close()
    return floor.tables


def _is_in_play(floor: Floor, table: int) -> bool:
    state = floor.writer.table(table)
    return state is not None and state.ask is not None and state.ask.kind is AskKind.DECISION


def _house(store: Store) -> HouseContext:
    with store.write() as connection:
        return HouseContext(house_id(connection), HouseShoeFactory(HouseKey(KEY), OsEntropy()))


def _load(store: Store, house: HouseContext, numbers: list[int]) -> list[TableState]:
    found = []
    with store.read() as connection:
        for head in read_heads(connection, numbers).values():
            state = load_table(connection, house.name, head, house.shoes, house.rules)
            assert state is not None, "the table has a book"
            found.append(state)
    return found


def _restart_clocks(store: Store, house: HouseContext) -> None:
    clock = SystemClock()
    with store.read() as connection:
        requests = restart_requests(connection, clock.now(), "the house was down")
    step = Writer(store, house, clock).step(requests)
    assert all(isinstance(outcome, Done) for outcome in step.outcomes)


def _kilobytes(store: Store, numbers: list[int]) -> float:
    """Return the memory per loaded table, excluding shared rules."""
    house = _house(store)
    first = _load(store, house, numbers[:1])
    gc.collect()
    tracemalloc.start()
    loaded = _load(store, house, numbers[1:])
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert first
    return held / len(loaded) / 1000
