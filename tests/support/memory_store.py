"""A house in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from ventiuna.table.store.connection import _WRITER, _check_version, _engine, _set_up
from ventiuna.table.store.schema import upgrade


class MemoryStore:
    """A house that exists only as long as this object, for single-threaded simulations.

    `factory` creates its connection, for example one that fails now and then. With a path, the
    house is in a new file.
    """

    def __init__(
        self, factory: type[sqlite3.Connection] = sqlite3.Connection, path: str = ":memory:"
    ) -> None:
        _check_version()
        self._factory = factory
        self._path = path
        self._engine = _engine(self._open, size=1, begin="BEGIN")
        with self.write() as connection:
            upgrade(connection)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with self._engine.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self._engine.connect() as connection:  # rolled back
            connection.begin()
            yield connection

    def close(self) -> None:
        self._engine.dispose()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False, factory=self._factory
        )
        _set_up(connection, _WRITER)
        return connection
