"""A house to be looked at, beside whoever plays in it: one moment, and nothing can be written.

A SQLite file has one process that writes and may have others that read; these neither lock nor
checkpoint it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError

from ventiuna.table.store.errors import StoreError
from ventiuna.table.store.opening import is_postgres
from ventiuna.table.store.revisions import check_revision
from ventiuna.table.store.sqlite import reading_engine, refuse_strangers


class Reader(Protocol):
    def read(self) -> AbstractContextManager[Connection]:
        """One moment of the database; nothing can be written."""

    def close(self) -> None: ...


class SqliteReader:
    """A file that another process may have open."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise StoreError(f"{path}: there is no such file.")
        refuse_strangers(path.resolve())
        self._engine = reading_engine(path.resolve())
        try:
            with self.read() as connection:
                check_revision(connection)
        except DatabaseError as error:
            self.close()
            raise StoreError(f"{path} can't be read: {error.orig}.") from None
        except BaseException:
            self.close()
            raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self._engine.begin() as connection:
            yield connection

    def close(self) -> None:
        self._engine.dispose()


def open_reader(address: str) -> Reader:
    """`postgresql://…`, or the path of a SQLite file that is there."""
    if not is_postgres(address):
        return SqliteReader(Path(address))
    from ventiuna.table.store.postgres import PostgresStore  # an extra of its own

    return PostgresStore(address)
