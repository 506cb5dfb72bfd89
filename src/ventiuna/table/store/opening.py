"""The one way to a house's database, whichever it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ventiuna.table.store.errors import StoreError
from ventiuna.table.store.sqlite import SqliteStore


class Store(Protocol):
    """An open database of the newest schema."""

    def write(self) -> AbstractContextManager[Connection]:
        """A transaction that may write; committed at the end, rolled back on an error."""

    def read(self) -> AbstractContextManager[Connection]:
        """One moment of the database; nothing can be written."""

    def close(self) -> None: ...


def open_store(address: str) -> Store:
    """`postgresql://…`, or the path of a SQLite file, made and migrated where need be."""
    if not is_postgres(address):
        return SqliteStore(Path(address))
    from ventiuna.table.store.postgres import PostgresStore  # an extra of its own

    return PostgresStore(address)


def is_postgres(address: str) -> bool:
    """Or the path of a file; refuses the address of anything else."""
    scheme, separator, _ = address.partition("://")
    if not separator:
        return False
    if scheme.partition("+")[0] not in ("postgresql", "postgres"):
        raise StoreError(
            f"{scheme!r} is not a database that tables know: give postgresql://… or a file."
        )
    return True


@contextmanager
def telling_failures() -> Iterator[None]:
    """A database that fails meanwhile is told in one sentence."""
    try:
        yield
    except DBAPIError as error:
        reason = str(error.orig).partition("\n")[0]
        raise StoreError(f"The database fails: {reason}.") from None
