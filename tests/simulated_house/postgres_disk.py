"""A simulated house on a real PostgreSQL server, with one connection for all and one for checks.

A single thread never contends for locks. This shows that PostgreSQL's statements, rows, and guards
give the same results as SQLite's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from sqlalchemy import Connection

from tests.simulated_house.disk import ENTRY, Disk
from ventiuna.table.store.postgres import PostgresStore

AfterStatement = Callable[[], None]


class _WatchedCursor(psycopg.Cursor[Any]):
    """Reports each statement after it runs."""

    told: AfterStatement | None = None

    def execute(self, *statement: Any, **more: Any) -> Any:
        found = super().execute(*statement, **more)
        if _WatchedCursor.told is not None:
            _WatchedCursor.told()
        return found


class _CountingStore(PostgresStore):
    """A single connection whose transactions are counted."""

    def __init__(self, address: str) -> None:
        super().__init__(address, connections=1)
        self.written = 0

    @contextmanager
    def write(self) -> Iterator[Connection]:
        self.written += 1
        with super().write() as connection:
            driver = connection.connection.driver_connection
            assert isinstance(driver, psycopg.Connection)
            driver.cursor_factory = _WatchedCursor
            yield connection


class PostgresDisk(Disk):
    """An empty, migrated database at the given address."""

    def __init__(self, address: str) -> None:
        self.store: _CountingStore = _CountingStore(address)
        self._checks = psycopg.connect(self.store.address, autocommit=True)
        self._is_full = False
        self._versions: dict[int, int] = {}

    def watch(self, told: AfterStatement | None) -> None:
        def checked() -> None:
            if self._is_full:
                raise psycopg.errors.DiskFull("could not extend file")
            if told is not None:
                told()

        _WatchedCursor.told = checked if told is not None else None

    def fill(self) -> None:
        self._is_full = True

    def free(self) -> None:
        self._is_full = False

    def error(self, words: str) -> Exception:
        return psycopg.errors.IoError(words)

    def close(self) -> None:
        _WatchedCursor.told = None
        self._checks.close()
        super().close()

    # --- for checks ---

    @property
    def changes(self) -> int:
        return self.store.written

    def query(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._checks.execute(statement.replace("?", "%s").encode(), values).fetchall()

    def new_entries(self) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        for book, version in self.query("SELECT id, version FROM book ORDER BY id"):
            known = self._versions.get(book, 0)
            if version > known:
                newer = "book_id = ? AND version > ? ORDER BY version"
                found += self.query(f"SELECT {ENTRY} FROM entry WHERE {newer}", (book, known))
                self._versions[book] = version
        return found
