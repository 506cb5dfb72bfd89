"""Databases that are full, locked, read-only, or down: one clear answer, and play continues."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tests.support.postgres import PrivatePostgres, private_postgres
from tests.table.folded import check_table
from tests.table.tables import CHIPS, LiveTable, Room, StandingClock, cards
from ventiuna.engine.commands import Hit, Stand
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.state import TableStatus
from ventiuna.table.journal import balances
from ventiuna.table.presence import CLOCK_JUMP, DeadlineScheduler
from ventiuna.table.store import statements
from ventiuna.table.store.connection import SqliteStore, Store, open_store
from ventiuna.table.store.statements import StoreError
from ventiuna.table.writer import ATTEMPTS, UNKNOWN, CommandOutcome, CommandRequest, Done, Unknown

SIXTEEN = cards("9h Kd 7h 9c")  # against a king, so there is a decision to make
TRIES = 100  # maximum number of times a command is sent
UNAVAILABLE, DISK_FULL = "The house's database is unavailable.", "The house's disk is full."


def check_away(outcome: CommandOutcome, why: str = UNAVAILABLE) -> None:
    """Check that the outcome is unknown, not a refusal: the command may be in the books."""
    assert isinstance(outcome, Unknown)
    assert outcome.reason == f"{why} {UNKNOWN}"


def check_comes_back(table: LiveTable, request: CommandRequest, stack: int) -> None:
    """Check that a command sent twice is done once, then play the round to its end."""
    first = table.step(request).outcomes
    assert isinstance(first[0], Done)
    assert table.step(request).outcomes == first
    assert table.stack(1) == stack
    table.deal()
    while table.asks_for() is not AskKind.WAGERS:
        table.time_up()
    assert table.state.status is TableStatus.OPEN
    check_table(table)


# --- SQLite -----------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "house.sqlite"


@pytest.fixture
def sqlite_table(file: Path) -> Iterator[LiveTable]:
    store = SqliteStore(file)
    yield Room(store, shoes=[SIXTEEN]).open().sit(1)
    store.close()


def pragma(table: LiveTable, statement: str) -> None:
    """Set a pragma on the only connection that writes."""
    with table.room.store.write() as connection:
        connection.exec_driver_sql(f"PRAGMA {statement}")


def test_a_full_disk(sqlite_table: LiveTable) -> None:
    table = sqlite_table
    pragma(table, "max_page_count = 1")  # raised to the current size
    bought = 0
    request = table.request(1, do.BuyChips(1))
    while isinstance(outcome := table.step(request).outcomes[0], Done):
        bought += 1
        request = table.request(1, do.BuyChips(1))
    check_away(outcome, DISK_FULL)
    assert table.stack(1) == CHIPS + bought
    assert table.loaded().status is TableStatus.OPEN  # a full disk doesn't mark the table as faulty
    pragma(table, "max_page_count = 1000000")
    check_comes_back(table, request, CHIPS + bought + 1)


def test_a_file_that_another_program_holds(sqlite_table: LiveTable, file: Path) -> None:
    table = sqlite_table
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    request = table.request(1, do.BuyChips(500))
    check_away(table.step(request).outcomes[0])
    pauses = len(table.room.clock.pauses)
    assert table.room.writer.retries["OperationalError"] == pauses == ATTEMPTS - 1
    other.execute("ROLLBACK")
    other.close()
    check_comes_back(table, request, CHIPS + 500)


def test_a_read_only_file(sqlite_table: LiveTable) -> None:
    table = sqlite_table
    with table.room.store.write() as connection:
        driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.execute("PRAGMA query_only = 1")
    request = table.request(1, do.BuyChips(500))
    check_away(table.step(request).outcomes[0])
    driver.execute("PRAGMA query_only = 0")
    check_comes_back(table, request, CHIPS + 500)


@pytest.mark.parametrize(
    "error", [StoreError("The file can't be opened."), PoolTimeout("Everybody waits.")]
)
def test_a_store_that_cannot_be_reopened_doesnt_fault_the_table(
    sqlite_table: LiveTable, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    table = sqlite_table

    def closed() -> None:
        raise error

    request = table.request(1, do.BuyChips(500))
    with monkeypatch.context() as patched:
        patched.setattr(table.room.store, "write", closed)
        step = table.room.writer.step([request])
    check_away(step.outcomes[0])
    assert step.faults == []
    check_comes_back(table, request, CHIPS + 500)


# --- PostgreSQL -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server() -> Iterator[PrivatePostgres]:
    """A server for this module only, because it is stopped and started."""
    with private_postgres() as own:
        yield own


@pytest.fixture
def store(server: PrivatePostgres) -> Iterator[Store]:
    opened = open_store(server.new_house())
    yield opened
    opened.close()


@pytest.fixture
def table(store: Store) -> LiveTable:
    return Room(store).open().sit(1)


def test_a_server_that_is_stopped_and_started(server: PrivatePostgres, table: LiveTable) -> None:
    request = table.request(1, do.BuyChips(500))
    server.stop()
    check_away(table.step(request).outcomes[0])
    server.start()
    check_comes_back(table, request, CHIPS + 500)


def test_a_connection_that_is_cut_between_two_commands(
    server: PrivatePostgres, table: LiveTable
) -> None:
    """Nobody notices: the command is retried once."""
    server.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    table.do(1, do.BuyChips(500))
    assert table.room.writer.retries.total() == 1
    assert table.stack(1) == CHIPS + 500


def test_a_server_that_takes_no_writes_for_now(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server behaves like one that has just become a standby."""
    run = statements.run

    def read_only(connection: Connection, *asked: Any, **more: Any) -> DBAPICursor:
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        return run(connection, *asked, **more)

    request = table.request(1, do.BuyChips(500))
    with monkeypatch.context() as patched:
        patched.setattr(statements, "run", read_only)
        step = table.room.writer.step([request])
    check_away(step.outcomes[0])
    assert step.faults == []
    assert table.room.writer.retries["ReadOnlySqlTransaction"] == len(table.room.clock.pauses)
    check_comes_back(table, request, CHIPS + 500)


FULL = """
CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$
"""
NOTICED = {  # while writing an entry, or when committing it
    "writing": "TRIGGER disk_full BEFORE INSERT ON entry",
    "committing": "CONSTRAINT TRIGGER disk_full AFTER INSERT ON entry INITIALLY DEFERRED",
}


@pytest.mark.parametrize("when", NOTICED)
def test_a_full_disk_of_postgresql(server: PrivatePostgres, when: str) -> None:
    """PostgreSQL may report a full disk at either of two moments."""
    address = server.new_house()
    opened = open_store(address)
    table = Room(opened, shoes=[SIXTEEN]).open().sit(1)
    name = address.rpartition("@/")[2].partition("?")[0]
    server.run(FULL, name)
    server.run(f"CREATE {NOTICED[when]} FOR EACH ROW EXECUTE FUNCTION disk_is_full()", name)
    request = table.request(1, do.BuyChips(500))
    step = table.room.writer.step([request])
    check_away(step.outcomes[0], DISK_FULL)
    assert step.faults == []
    assert table.room.writer.retries["DiskFull"] == len(table.room.clock.pauses)
    assert table.loaded().status is TableStatus.OPEN
    server.run("DROP TRIGGER disk_full ON entry", name)
    check_comes_back(table, request, CHIPS + 500)
    opened.close()


Free = Callable[[], None]  # frees space on the disk
Disk = Callable[[PrivatePostgres, str], AbstractContextManager[Free]]


@contextmanager
def mounted_disk(server: PrivatePostgres, database: str) -> Iterator[Free]:
    """Put the books on their own file system, or use `counted_disk` if mounting isn't possible."""
    folder = Path(tempfile.mkdtemp(prefix="ventiuna-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        folder.rmdir()
        with counted_disk(server, database) as free:
            yield free
        return
    try:
        owner = Path(f"/proc/{server.postmaster}").stat()
        os.chown(folder, owner.st_uid, owner.st_gid)
        server.run(f"CREATE TABLESPACE tiny LOCATION '{folder}'")
        server.run("ALTER TABLE entry SET TABLESPACE tiny", database)
        ballast = folder / "ballast"
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        yield ballast.unlink
    finally:
        server.run("ALTER TABLE entry SET TABLESPACE pg_default", database)
        server.run("DROP TABLESPACE tiny")
        subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()


COUNTED = """
CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_relation_size('entry') > 3 * 8192 THEN
        RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
    END IF;
    RETURN NEW;
END $$
"""


@contextmanager
def counted_disk(server: PrivatePostgres, database: str) -> Iterator[Free]:
    """Limit the file of entries to three pages, as counted by the server itself."""
    server.run(COUNTED, database)
    trigger = "CREATE TRIGGER disk_full BEFORE INSERT ON entry FOR EACH ROW"
    server.run(f"{trigger} EXECUTE FUNCTION disk_is_full()", database)
    yield lambda: server.run("DROP TRIGGER disk_full ON entry", database)


@pytest.mark.parametrize("disk", [mounted_disk, counted_disk])
def test_a_tiny_disk_of_postgresql_fills_up(server: PrivatePostgres, disk: Disk) -> None:
    """Write until there is no room for another entry; everything acknowledged stays."""
    address = server.new_house()
    opened = open_store(address)
    table = Room(opened, shoes=[SIXTEEN]).open().sit(1)
    name = address.rpartition("@/")[2].partition("?")[0]
    with disk(server, name) as free:
        bought = 0
        request = table.request(1, do.BuyChips(1))
        while isinstance(outcome := table.step(request).outcomes[0], Done):
            bought += 1
            request = table.request(1, do.BuyChips(1))
        assert bought
        check_away(outcome, DISK_FULL)
        assert table.room.writer.retries["DiskFull"]
        assert table.stack(1) == CHIPS + bought
        free()
        check_comes_back(table, request, CHIPS + bought + 1)
    opened.close()


# --- clocks -----------------------------------------------------------------------------------


def look(keeper: DeadlineScheduler, table: LiveTable) -> list[CommandRequest]:
    with table.room.store.read() as connection:
        return keeper.tick(connection)


@pytest.mark.parametrize("jump", [CLOCK_JUMP + 1, 3_600_000, -5_000])
def test_a_clock_jump_costs_nobody_time(sqlite_table: LiveTable, jump: int) -> None:
    """Whoever must answer gets a full new clock instead of a default."""
    table = sqlite_table.deal()
    clock = table.room.clock
    assert isinstance(clock, StandingClock)
    keeper = DeadlineScheduler(clock)
    assert look(keeper, table) == []
    clock.at += CLOCK_JUMP - 1
    assert look(keeper, table) == []
    clock.at += jump
    requests = look(keeper, table)
    assert [type(request.command) for request in requests] == [do.RestartClocks]
    assert isinstance(table.step(*requests).outcomes[0], Done)
    assert table.state.deadline == clock.at + table.state.clocks.decision
    assert look(keeper, table) == []
    table.do(1, Hit(1))


def test_overdue_commands_sent_twice_run_once(sqlite_table: LiveTable) -> None:
    table = sqlite_table.deal()
    keeper = DeadlineScheduler(table.room.clock)
    look(keeper, table)
    deadline = table.state.deadline
    assert deadline is not None
    while table.room.clock.at < deadline:
        assert look(keeper, table) == []
        table.room.clock.at += CLOCK_JUMP - 1
    first, second = look(keeper, table), look(DeadlineScheduler(table.room.clock), table)
    assert first == second
    assert isinstance(first[0].command, do.TimeUp)
    outcomes = table.step(*first, *second).outcomes
    assert outcomes[0] == outcomes[1]
    table.refuses("stale", 1, Stand(1), ask=first[0].command.ask)


# --- watching the ledger throughout -----------------------------------------------------------


def test_nothing_is_lost_however_often_the_server_stops(
    server: PrivatePostgres, table: LiveTable
) -> None:
    done = 0
    for number in range(1, 7):
        request = table.request(1, do.BuyChips(1), key=f"chip {number}")
        if number % 3 == 0:
            server.stop()
            check_away(table.step(request).outcomes[0])
            server.start()
        assert any(isinstance(table.step(request).outcomes[0], Done) for _ in range(TRIES))
        done += 1
    with table.room.store.read() as connection:
        held = balances(connection)
    assert held[f"stack/{table.number}/1"] == CHIPS + done
    assert sum(held.values()) == 0
