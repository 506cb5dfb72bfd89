"""kill -9 of a process that writes: nothing acknowledged is lost, nothing is half done.

This proves nothing about a power cut, for which SQLite's FULL is trusted.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from ventiuna.table.books import balances, read_entries, verify_book
from ventiuna.table.store.sqlite import SqliteStore

KILLS = 3


def test_a_killed_writer_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite"
    chance = random.Random(21)
    acknowledged = 0
    for _ in range(KILLS):
        last = _run_and_kill(path, chance.uniform(0.0, 0.05))
        assert last > acknowledged
        acknowledged = last
        _check(path, acknowledged)


def _run_and_kill(path: Path, seconds: float) -> int:
    """The last version that was acknowledged before the kill."""
    writer = subprocess.Popen(
        [sys.executable, "-m", "tests.table.killed_writer", str(path)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert writer.stdout is not None
    with writer:
        first = writer.stdout.readline()
        time.sleep(seconds)
        writer.send_signal(signal.SIGKILL)
        lines = [first, *writer.stdout.read().splitlines()]
    assert writer.returncode == -signal.SIGKILL
    return int(lines[-1])


def _check(path: Path, acknowledged: int) -> None:
    store = SqliteStore(path)  # nobody holds the lock of a dead process
    with store.read() as connection:
        (integrity,) = connection.exec_driver_sql("PRAGMA integrity_check").scalars()
        assert integrity == "ok"
        head = verify_book(connection, 1)
        assert head.version >= acknowledged  # one more may have been committed, unsaid
        assert all(len(entry.postings) == 3 for entry in read_entries(connection, 1))
        total = sum(range(1, head.version + 1))
        held = balances(connection)
    assert held == {"mint": -3 * total, "wallet/1": total, "wallet/2": total, "wallet/3": total}
    store.close()
