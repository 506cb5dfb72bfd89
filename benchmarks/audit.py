"""Speed of an audit, which replays every command and compares every row."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator

from benchmarks.figures import Figure
from benchmarks.houses import KEY, Floor, open_floor, postgres_address, sqlite_address
from ventiuna.table.audit.house import AuditReport, AuditScope, audit
from ventiuna.table.fairness import HouseKey

TABLES = 20
SCOPE = AuditScope(key=HouseKey(KEY))


def measure(quick: bool = False) -> Iterator[Figure]:
    commands = 100 if quick else 500  # per table
    with sqlite_address() as address:
        yield from _audited("SQLite", address, commands)
    with postgres_address() as address:
        yield from _audited("PostgreSQL", address, commands)


def _audited(name: str, address: str, commands: int) -> Iterator[Figure]:
    floor = open_floor(address, TABLES)
    try:
        for _ in range(commands):
            floor.play(floor.tables)
        seconds, report = min((_timed(floor) for _ in range(3)), key=lambda one: one[0])
        yield Figure(f"audit, {name}", report.counts.rounds / seconds, "rounds/s")
        yield Figure(f"audit, {name}, entries", report.counts.entries / seconds, "entries/s")
        yield Figure(f"audit, {name}, memory at its peak", _peak(floor) / 1e6, "MB")
    finally:
        floor.store.close()


def _timed(floor: Floor) -> tuple[float, AuditReport]:
    """Return the audit's processor time; with PostgreSQL, it excludes the database's own time."""
    start = time.process_time()
    report = _run(floor)
    return time.process_time() - start, report


def _run(floor: Floor) -> AuditReport:
    with floor.store.read() as connection:
        report = audit(connection, SCOPE)
    assert report.holds, report.differences[:3]
    return report


def _peak(floor: Floor) -> int:
    tracemalloc.start()
    _run(floor)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak
