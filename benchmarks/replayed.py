"""Storage only: the driver replays the exact statements of earlier commands.

Without rules, text or the Python code around the statements, only SQLite and the disk remain.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.engine.interfaces import DBAPICursor

from ventiuna.table.store import statements
from ventiuna.table.store.connection import WRITE, SqliteStore, Store


class Statement(NamedTuple):
    text: str
    values: Any
    many: bool


Transaction = list[Statement]


@contextmanager
def recorded() -> Iterator[list[Transaction]]:
    """Record every transaction of a SQLite house from now on, as passed to the driver."""
    run = statements.run
    transactions: list[Transaction] = []

    def noting(
        connection: Connection, statement: str, values: Any = (), *, many: bool = False
    ) -> DBAPICursor:
        if statement == WRITE:
            transactions.append([])
        transactions[-1].append(Statement(statement, values, many))
        return run(connection, statement, values, many=many)

    statements.run = noting
    try:
        yield transactions
    finally:
        statements.run = run


class House:
    """A copy of a house at this point, for replaying what is played there afterward."""

    def __init__(self, store: Store, path: Path) -> None:
        with store.read() as connection, sqlite3.connect(path) as copy:
            driver = connection.connection.driver_connection
            assert isinstance(driver, sqlite3.Connection), "a house in a SQLite file"
            driver.backup(copy)
        copy.close()
        self._store = SqliteStore(path)
        with self._store.write() as connection:
            driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection), "a house in a SQLite file"
        self._driver = driver

    def run(self, transactions: list[Transaction]) -> list[float]:
        """Run the transactions and return the duration of each."""
        took = []
        for transaction in transactions:
            begin = time.perf_counter()
            for text, values, many in transaction:
                if many:
                    self._driver.executemany(text, values)
                else:
                    self._driver.execute(text, values).fetchall()
            took.append(time.perf_counter() - begin)
        return took

    def close(self) -> None:
        self._store.close()
