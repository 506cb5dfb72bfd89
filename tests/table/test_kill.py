"""kill -9 of a writing process: nothing acknowledged is lost, and nothing is half done.

This proves nothing about a power cut; for that, the tests rely on SQLite's FULL mode.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.crowd import OPERATOR, Crowd, house_process, set_up_crowd_house
from tests.support.kills import KilledHouse, request_data, request_of
from tests.table.conftest import Database
from ventiuna.table.journal import balances, read_entries, verify_book
from ventiuna.table.store.connection import SqliteStore, open_store
from ventiuna.table.writer import CommandRequest

KILLS = 2
PATIENCE = 280  # seconds, on a busy machine


def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite"
    chance = random.Random(21)
    acknowledged = 0
    for _ in range(KILLS):
        last = _run_and_kill(path, chance.uniform(0.0, 0.05))
        assert last > acknowledged
        acknowledged = last
        _check(path, acknowledged)


def _run_and_kill(path: Path, seconds: float) -> int:
    """Return the last version acknowledged before the kill."""
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
    store = SqliteStore(path)  # a dead process holds no lock
    with store.read() as connection:
        (integrity,) = connection.exec_driver_sql("PRAGMA integrity_check").scalars()
        assert integrity == "ok"
        head = verify_book(connection, 1)
        assert head.version >= acknowledged  # one more may have been committed but not acknowledged
        assert all(len(entry.postings) == 3 for entry in read_entries(connection, 1))
        total = sum(range(1, head.version + 1))
        held = balances(connection)
    assert held == {"mint": -3 * total, "wallet/1": total, "wallet/2": total, "wallet/3": total}
    store.close()


# --- servers of a whole house, their backends and their postmaster -----------------------------


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_killed_house_continues_where_it_was(database: str) -> None:
    """Forked by a process without threads; the soak repeats this a few hundred times."""
    program = ["-m", "benchmarks.kill_soak", "--kills", "6", "--every", "20", "--json"]
    done = subprocess.run(
        [sys.executable, *program, "--database", database],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == []
    expected = {"SQLite": 3} if database == "sqlite" else {"PostgreSQL": 1}
    for where, kills in expected.items():
        assert found["kills"][f"{where}: server"] == kills
        assert found["kills"][f"{where}, in an award: server"] > 2
    if database == "postgresql":
        assert found["kills"]["PostgreSQL: backend"] == 1
        assert found["kills"]["PostgreSQL: postmaster"] == 1
    assert found["sent_again"]


def test_the_books_are_compared_with_what_clients_know(database: Database) -> None:
    """Finds acknowledged commands that were lost, and refused commands that were carried out."""
    house = KilledHouse(database.program)
    store = open_store(database.program)
    set_up_crowd_house(house_process(store, random.Random(1)), 1)
    store.close()
    house.clients.hear({"answered": [{"actor": OPERATOR.name, "key": "open/1", "version": 1}]})
    house.check()
    assert house.clients.wrong == []
    house.clients.hear({"answered": [{"actor": "person/1", "key": "lost", "version": 3}]})
    house.clients.hear({"answered": [{"actor": OPERATOR.name, "key": "issue/1", "code": "stale"}]})
    house.clients.hear({"answered": [{"actor": OPERATOR.name, "key": "open/1", "version": 2}]})
    house.check()
    assert house.clients.wrong == [
        "('person/99', 'open/1') was done as 1, then as 2",
        "('person/1', 'lost') was acknowledged and is lost",
        "('person/99', 'issue/1') was refused and is in the books",
    ]


def test_requests_survive_a_round_trip(database: Database) -> None:
    store = open_store(database.program)
    chance = random.Random(3)
    server = house_process(store, chance)
    set_up_crowd_house(server, 1)
    crowd = Crowd(server, "bot", chance)
    for _ in range(12):
        requests = crowd.batch(crowd.tables())
        assert [request_of(_by_json(request)) for request in requests] == requests
        server.writer.step(requests)
    store.close()


def _by_json(request: CommandRequest) -> dict[str, object]:
    data = json.loads(json.dumps(request_data(request)))
    assert isinstance(data, dict)
    return data
