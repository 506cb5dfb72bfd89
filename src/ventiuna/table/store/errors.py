"""What can be wrong with a database."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ventiuna.errors import VentiunaError

# PostgreSQL: deadlock, serialization failure, and two errors that only a standby raises.
_GOES_AWAY = ("40P01", "40001", "25006", "0A000")
_DISK_FULL = ("53100", "SQLITE_FULL")


class StoreError(VentiunaError):
    """A database that can't be used as it is."""


class StoreInUse(StoreError):
    """Another process holds the file."""


class WrongRevision(StoreError):
    """The schema is not the one that this program knows."""


DatabaseError = SQLAlchemyError | StoreError
DATABASE_ERRORS = (SQLAlchemyError, StoreError)


def is_away(error: DatabaseError) -> bool:
    """Whether the database is full, locked or unreachable; False if our statement is wrong."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, StoreError | PoolTimeout)
    if getattr(error.orig, "sqlstate", "") in _GOES_AWAY:
        return True
    return isinstance(error, OperationalError) or error.connection_invalidated


def why_away(error: DatabaseError) -> str:
    """The reason, as a sentence for people."""
    cause = error.orig if isinstance(error, DBAPIError) else error.__cause__
    for name in ("sqlstate", "sqlite_errorname"):
        if getattr(cause, name, "") in _DISK_FULL:
            return "The house's disk is full."
    return "The house's database is unavailable."


def cause_of(error: DatabaseError) -> str:
    """The database's own words, for the log."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(cause).partition("\n")[0]
