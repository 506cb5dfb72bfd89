"""The database of a simulated house with injected faults: real SQLite, in memory or in a file."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from tests.simulated_house.world import FaultKind, Faults
from tests.support.memory_store import MemoryStore
from ventiuna.table.store import statements
from ventiuna.table.store.connection import Store

MAX_PAGES = 1_073_741_823


class Killed(Exception):
    """The process was killed: no more of its code runs."""


class _WatchedConnection(sqlite3.Connection):
    """Reports each statement after it runs."""

    told: Callable[[], None] | None = None

    def cursor(self, *_: Any) -> Any:
        return super().cursor(_WatchedCursor)


class _WatchedCursor(sqlite3.Cursor):
    def execute(self, *statement: Any) -> Any:
        super().execute(*statement)
        self._tell()
        return self

    def executemany(self, *statement: Any) -> Any:
        super().executemany(*statement)
        self._tell()
        return self

    def _tell(self) -> None:
        connection = self.connection
        assert isinstance(connection, _WatchedConnection)
        if connection.told is not None:
            connection.told()


class _OneConnection(MemoryStore):
    """A store with a single connection, whose transactions the driver begins and ends itself.

    SQLAlchemy sees one transaction that lasts as long as the house. Getting a connection from a
    pool, beginning, and committing would cost more than most commands cost the database.
    """

    @cached_property
    def connection(self) -> Connection:
        connection = self._engine.connect()
        connection.begin()
        self._driver_of(connection).execute("COMMIT")
        return connection

    @cached_property
    def driver(self) -> _WatchedConnection:
        return self._driver_of(self.connection)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        connection = self.connection
        self.driver.execute("BEGIN")
        try:
            yield connection
            statements.run(connection, "COMMIT")  # may fail like any statement
        except BaseException:
            self._roll_back()
            raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        connection = self.connection
        self.driver.execute("BEGIN")
        try:
            yield connection
        finally:
            self._roll_back()

    def close(self) -> None:
        self.connection.close()
        super().close()

    def _roll_back(self) -> None:
        if self.driver.in_transaction:  # SQLite may have already rolled back after a full disk
            self.driver.execute("ROLLBACK")

    def _driver_of(self, connection: Connection) -> _WatchedConnection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, _WatchedConnection)
        return driver


class Disk(ABC):
    """The one database that all processes share."""

    store: Store
    is_away = False

    @abstractmethod
    def watch(self, told: Callable[[], None] | None) -> None:
        """Call this after each statement from now on."""

    @abstractmethod
    def fill(self) -> None:
        """Allow no more pages from now on."""

    @abstractmethod
    def free(self) -> None:
        """Allow any number of pages again."""

    def go(self) -> None:
        """Make the database unreachable from now on."""
        self.is_away = True

    def come_back(self) -> None:
        self.is_away = False

    def close(self) -> None:
        self.store.close()

    @abstractmethod
    def error(self, words: str) -> Exception:
        """The error as the driver raises it."""

    def failure(self, statement: str, words: str) -> OperationalError:
        """The driver's error as SQLAlchemy wraps it."""
        return OperationalError(statement, {}, self.error(words))

    # --- for checks, between transactions ---

    @property
    @abstractmethod
    def changes(self) -> int:
        """A number that changes whenever a row may have changed."""

    @abstractmethod
    def query(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run a query with question-mark parameters and return its rows."""

    @abstractmethod
    def new_entries(self) -> list[tuple[Any, ...]]:
        """Entries not returned before, in order within each book.

        Columns: book, version, first event, actor, key, command, events.
        """


ENTRY = "book_id, version, first_event, actor, key, command, events"


class SqliteDisk(Disk):
    def __init__(self, path: str = ":memory:") -> None:
        self.store: _OneConnection = _OneConnection(_WatchedConnection, path)
        self.driver = self.store.driver
        self._seen = 0

    def watch(self, told: Callable[[], None] | None) -> None:
        self.driver.told = told

    def fill(self) -> None:
        self.driver.execute("PRAGMA max_page_count = 1")  # SQLite raises this to the current size

    def free(self) -> None:
        self.driver.execute(f"PRAGMA max_page_count = {MAX_PAGES}")

    def error(self, words: str) -> Exception:
        return sqlite3.OperationalError(words)

    @property
    def changes(self) -> int:
        return self.driver.total_changes

    def query(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self.driver.execute(statement, values).fetchall()

    def new_entries(self) -> list[tuple[Any, ...]]:
        statement = f"SELECT rowid, {ENTRY} FROM entry WHERE rowid > ? ORDER BY rowid"
        statements = self.query(statement, (self._seen,))
        if statements:
            self._seen = statements[-1][0]
        return [row[1:] for row in statements]


class FaultyStore:
    """One process's connection to the disk."""

    def __init__(self, disk: Disk, faults: Faults) -> None:
        self._disk = disk
        self._faults = faults

    @contextmanager
    def write(self) -> Iterator[Connection]:
        faults = self._faults
        self._reach()
        self._kill(FaultKind.KILL_BEFORE_BEGIN)
        try:
            with self._disk.store.write() as connection:
                self._disk.watch(self._after_statement)
                yield connection
                self._disk.watch(None)
                self._kill(FaultKind.KILL_BEFORE_COMMIT)
                if faults.strikes(FaultKind.COMMIT_LOST):
                    raise self._disk.failure("COMMIT", "the connection was lost")
        finally:
            self._disk.watch(None)
        self._kill(FaultKind.KILL_AFTER_COMMIT)
        if faults.strikes(FaultKind.COMMIT_UNHEARD):
            raise self._disk.failure("COMMIT", "the connection was lost")

    @contextmanager
    def read(self) -> Iterator[Connection]:
        self._reach()
        with self._disk.store.read() as connection:
            yield connection

    def close(self) -> None:
        """Do nothing: the disk outlives its processes."""

    def _reach(self) -> None:
        if self._disk.is_away:
            raise self._disk.failure("BEGIN", "the database is away")

    def _kill(self, point: FaultKind) -> None:
        if self._faults.strikes(point):
            raise Killed(point)

    def _after_statement(self) -> None:
        self._kill(FaultKind.KILL_AFTER_STATEMENT)
        if self._faults.strikes(FaultKind.DISK_ERROR):
            raise self._disk.error("disk I/O error")
