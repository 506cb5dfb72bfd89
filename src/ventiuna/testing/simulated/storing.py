"""The database of a simulated house: real SQLite in memory, reached by way of its faults."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from ventiuna.table.store.sqlite import MemoryStore
from ventiuna.testing.simulated.faults import FaultKind, Faults

ALL_PAGES = 1_073_741_823


class Killed(Exception):
    """The process is gone: nothing behind this line runs in it."""


class _WatchedConnection(sqlite3.Connection):
    """Says after each statement that it was run."""

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
    """One thread needs one connection: to take it out of a pool each time costs twice as much."""

    @cached_property
    def connection(self) -> Connection:
        return self._engine.connect()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with self.connection.begin():
            yield self.connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        transaction = self.connection.begin()
        try:
            yield self.connection
        finally:
            transaction.rollback()

    def close(self) -> None:
        self.connection.close()
        super().close()


class Disk:
    """The one database that all processes share."""

    def __init__(self) -> None:
        self.store = _OneConnection(_WatchedConnection)
        self.is_away = False
        driver = self.store.connection.connection.driver_connection
        assert isinstance(driver, _WatchedConnection)
        self.driver = driver  # for checks, between transactions

    def watch(self, told: Callable[[], None] | None) -> None:
        """Call this after each statement from now on."""
        self.driver.told = told

    def fill(self) -> None:
        """Not one page more from now on."""
        self.driver.execute("PRAGMA max_page_count = 1")  # at least what it has

    def free(self) -> None:
        self.driver.execute(f"PRAGMA max_page_count = {ALL_PAGES}")

    def go(self) -> None:
        """Nobody reaches it from now on."""
        self.is_away = True

    def come_back(self) -> None:
        self.is_away = False

    def close(self) -> None:
        self.store.close()


class FaultyStore:
    """What one process has of the disk."""

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
                    raise failure("COMMIT", "the connection was lost")
        finally:
            self._disk.watch(None)
        self._kill(FaultKind.KILL_AFTER_COMMIT)
        if faults.strikes(FaultKind.COMMIT_UNHEARD):
            raise failure("COMMIT", "the connection was lost")

    @contextmanager
    def read(self) -> Iterator[Connection]:
        self._reach()
        with self._disk.store.read() as connection:
            yield connection

    def close(self) -> None:
        """The disk outlives its processes."""

    def _reach(self) -> None:
        if self._disk.is_away:
            raise failure("BEGIN", "the database is away")

    def _kill(self, point: FaultKind) -> None:
        if self._faults.strikes(point):
            raise Killed(point)

    def _after_statement(self) -> None:
        self._kill(FaultKind.KILL_AFTER_STATEMENT)
        if self._faults.strikes(FaultKind.DISK_ERROR):
            raise sqlite3.OperationalError("disk I/O error")


def failure(statement: str, words: str) -> OperationalError:
    """As the driver's own come out of SQLAlchemy."""
    return OperationalError(statement, {}, sqlite3.OperationalError(words))
