"""Fast statements for both databases, and explanations of database errors.

Statements are stored as text and passed straight to the driver, because building them each time or
wrapping their results costs more than running them. One statement handles many rows: with arrays on
PostgreSQL, and with `executemany` and JSON lists on SQLite. A prepared SQLAlchemy Core query is
compiled on first use.
"""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import starmap
from typing import Any

from sqlalchemy import ClauseElement, Connection, LargeBinary, Select, Table, Text
from sqlalchemy.engine.interfaces import DBAPICursor, DBAPIModule
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.sql.compiler import SQLCompiler

from ventiuna.errors import VentiunaError

# PostgreSQL: deadlock, serialization failure, and two errors that occur only on a standby.
_TRANSIENT_SQLSTATES = ("40P01", "40001", "25006", "0A000")
_DISK_FULL = ("53100", "SQLITE_FULL")


class StoreError(VentiunaError):
    """The database can't be used."""


class StoreInUse(StoreError):
    """Another process has the file open."""


class WrongRevision(StoreError):
    """The schema isn't the one that this program needs."""


DatabaseError = SQLAlchemyError | StoreError
DATABASE_ERRORS = (SQLAlchemyError, StoreError)


def is_unavailable(error: DatabaseError) -> bool:
    """Whether the database is full, locked, or unreachable; False if our statement is wrong."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, StoreError | PoolTimeout)
    if getattr(error.orig, "sqlstate", "") in _TRANSIENT_SQLSTATES:
        return True
    return isinstance(error, OperationalError) or error.connection_invalidated


def unavailable_reason(error: DatabaseError) -> str:
    """The reason as a sentence for users."""
    cause = error.orig if isinstance(error, DBAPIError) else error.__cause__
    for name in ("sqlstate", "sqlite_errorname"):
        if getattr(cause, name, "") in _DISK_FULL:
            return "The house's disk is full."
    return "The house's database is unavailable."


def cause_of(error: DatabaseError) -> str:
    """The database's own message, for the log."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(cause).partition("\n")[0]


Value = int | str | bytes | None
Values = tuple[Value, ...]
Names = tuple[str, ...]


def insert_rows(
    connection: Connection,
    table: Table,
    columns: Names,
    rows: Sequence[Values],
    *,
    keep_old: bool = False,
) -> None:
    """Insert rows, with values in column order; `keep_old` skips rows that already exist."""
    if not rows:
        return
    end = " ON CONFLICT DO NOTHING" if keep_old else ""
    if connection.dialect.name == "sqlite":
        run(connection, _insert_on_sqlite(table, columns) + end, rows, many=True)
    else:
        run(connection, _insert_on_postgres(table, columns) + end, _arrays(rows))


def find_rows(
    connection: Connection,
    table: Table,
    columns: Names,
    matched: Names,
    values: Collection[Values],
    *,
    lock: bool = False,
) -> list[Any]:
    """Rows whose matched columns have one of these values, sorted, as named tuples.

    With `lock`, the rows are locked until the transaction ends; SQLite has only one writer and
    needs no row locks.
    """
    if not values:
        return []
    if connection.dialect.name != "sqlite":
        # NO KEY doesn't conflict with foreign keys' key-share locks.
        statement = _find_on_postgres(table, columns, matched) + " FOR NO KEY UPDATE" * lock
        found = run(connection, statement, _arrays(list(values)))
    elif len(values) == 1:  # for a single row, a list would double the cost
        [only] = values
        try:
            found = run(connection, _find_one_on_sqlite(table, columns, matched), only)
        except OverflowError:  # no row can have such a large number
            return []
    else:
        statement = _find_on_sqlite(table, columns, matched)
        found = run(connection, statement, (json.dumps(list(values)),))
    return list(starmap(_row_type(columns), found.fetchall()))


def update_rows(
    connection: Connection, table: Table, matched: Names, changed: Names, rows: Sequence[Values]
) -> int:
    """Update matching rows; each is given as its matched values followed by the new values.

    Returns the number of rows updated. A column may be both matched and changed, for example to
    change a version only if it hasn't changed since it was read.
    """
    if not rows:
        return 0
    if connection.dialect.name == "sqlite":
        first = len(matched)
        turned = [row[first:] + row[:first] for row in rows]
        statement = _update_on_sqlite(table, matched, changed)
        return run(connection, statement, turned, many=True).rowcount
    return run(connection, _update_on_postgres(table, matched, changed), _arrays(rows)).rowcount


def delete_rows(
    connection: Connection, table: Table, matched: Names, rows: Sequence[Values]
) -> None:
    """Delete the rows whose matched columns have one of these values."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        run(connection, _delete_on_sqlite(table, matched), rows, many=True)
    else:
        run(connection, _delete_on_postgres(table, matched), _arrays(rows))


def run(
    connection: Connection, statement: str, values: Any = (), *, many: bool = False
) -> DBAPICursor:
    """Run a statement on the transaction's own connection; raises SQLAlchemy errors.

    `values` are in the driver's format: a sequence or a mapping, or a list of them with `many`.
    """
    driver = connection.connection.dbapi_connection
    assert driver is not None, "a transaction's connection is open"
    cursor = driver.cursor()
    try:
        if many:
            cursor.executemany(statement, values)
        else:
            cursor.execute(statement, values)
    except connection.dialect.loaded_dbapi.Error as error:
        raise _database_error(connection, statement, error, cursor) from error
    return cursor


def _database_error(
    connection: Connection, statement: str, error: DBAPIModule.Error, cursor: DBAPICursor
) -> DBAPIError:
    """Wrap an error as SQLAlchemy does, but without values that may be a shoe's secrets."""
    dialect = connection.dialect
    lost = dialect.is_disconnect(error, connection.connection.dbapi_connection, cursor)
    if lost:
        connection.invalidate(error)
    wrapped = DBAPIError.instance(
        statement,
        None,
        error,
        dialect.loaded_dbapi.Error,
        connection_invalidated=lost,
        dialect=dialect,
    )
    assert isinstance(wrapped, DBAPIError), (
        "every driver error has a matching SQLAlchemy error here"
    )
    return wrapped


@lru_cache
def _row_type(columns: Names) -> Callable[..., Any]:
    """Row type for these columns; a repeated name can only be accessed by position."""
    return namedtuple("Row", columns, rename=True)


@lru_cache
def _insert_on_sqlite(table: Table, columns: Names) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({marks})"


@lru_cache
def _insert_on_postgres(table: Table, columns: Names) -> str:
    names = ", ".join(columns)
    return f"INSERT INTO {table.name} ({names}) SELECT * FROM {_unnest(table, columns)}"


@lru_cache
def _find_on_sqlite(table: Table, columns: Names, matched: Names) -> str:
    extracts = ", ".join(f"json_extract(value, '$[{place}]')" for place in range(len(matched)))
    names = ", ".join(matched)
    return (
        f"SELECT {', '.join(columns)} FROM {table.name} "
        f"WHERE ({names}) IN (SELECT {extracts} FROM json_each(?)) ORDER BY {names}"
    )


@lru_cache
def _find_one_on_sqlite(table: Table, columns: Names, matched: Names) -> str:
    matches = " AND ".join(f"{name} = ?" for name in matched)
    return f"SELECT {', '.join(columns)} FROM {table.name} WHERE {matches}"


@lru_cache
def _find_on_postgres(table: Table, columns: Names, matched: Names) -> str:
    names = ", ".join(matched)
    return (
        f"SELECT {', '.join(columns)} FROM {table.name} "
        f"WHERE ({names}) IN (SELECT * FROM {_unnest(table, matched)}) ORDER BY {names}"
    )


@lru_cache
def _update_on_sqlite(table: Table, matched: Names, changed: Names) -> str:
    changes = ", ".join(f"{name} = ?" for name in changed)
    matches = " AND ".join(f"{name} = ?" for name in matched)
    return f"UPDATE {table.name} SET {changes} WHERE {matches}"


@lru_cache
def _update_on_postgres(table: Table, matched: Names, changed: Names) -> str:
    old = [f"old_{name}" for name in matched]
    new = [f"new_{name}" for name in changed]
    changes = ", ".join(f"{name} = given.new_{name}" for name in changed)
    matches = " AND ".join(f"{table.name}.{name} = given.old_{name}" for name in matched)
    return (
        f"UPDATE {table.name} SET {changes} "
        f"FROM {_unnest(table, matched + changed)} AS given ({', '.join(old + new)}) "
        f"WHERE {matches}"
    )


@lru_cache
def _delete_on_sqlite(table: Table, matched: Names) -> str:
    matches = " AND ".join(f"{name} = ?" for name in matched)
    return f"DELETE FROM {table.name} WHERE {matches}"


@lru_cache
def _delete_on_postgres(table: Table, matched: Names) -> str:
    names = ", ".join(matched)
    return f"DELETE FROM {table.name} WHERE ({names}) IN (SELECT * FROM {_unnest(table, matched)})"


def _unnest(table: Table, columns: Names) -> str:
    return f"unnest({', '.join(f'%s::{_type(table, name)}[]' for name in columns)})"


def _type(table: Table, column: str) -> str:
    kind = table.c[column].type
    if isinstance(kind, LargeBinary):
        return "bytea"
    return "text" if isinstance(kind, Text) else "bigint"


def _arrays(rows: Sequence[Values]) -> tuple[str, ...]:
    """Each column as an array literal; the driver's own conversion is several times slower."""
    return tuple(map(_array, zip(*rows, strict=True)))


def _array(values: Values) -> str:
    written = [str(value) if type(value) is int else _element(value) for value in values]
    return f"{{{','.join(written)}}}"


def _element(value: Value) -> str:
    """An array element, always quoted so that it is read as exactly one element."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f'"\\\\x{value.hex()}"'
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


Compiled = tuple[str, tuple[str, ...], dict[str, Any]]  # text, parameter names, fixed values


class PreparedStatement:
    """A statement with named parameters: integers, strings, bytes and None."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, Compiled] = {}  # by dialect

    def run(self, connection: Connection, **values: Value) -> DBAPICursor:
        """Run the statement and return the driver's cursor."""
        text, marks, fixed = self._compiled_for(connection)
        parameters = fixed | values
        return run(connection, text, [parameters[name] for name in marks] if marks else parameters)

    def _compiled_for(self, connection: Connection) -> Compiled:
        dialect = connection.dialect
        if dialect.name not in self._compiled:
            compiled = self._statement.compile(dialect=dialect)
            assert isinstance(compiled, SQLCompiler), "a statement, not a table definition"
            marks = tuple(compiled.positiontup or ())
            self._compiled[dialect.name] = str(compiled), marks, dict(compiled.params)
        return self._compiled[dialect.name]


class Prepared(PreparedStatement):
    """A query with named parameters. Its columns are integers, strings and bytes."""

    def __init__(self, query: Select[Any]) -> None:
        super().__init__(query)
        self._row = _row_type(tuple(column.name for column in query.selected_columns))

    def all(self, connection: Connection, **values: int | str | bytes) -> list[Any]:
        """The rows, as named tuples."""
        return list(starmap(self._row, self.run(connection, **values).fetchall()))

    def first(self, connection: Connection, **values: int | str | bytes) -> Any:
        """The first row, or None."""
        found = self.all(connection, **values)
        return found[0] if found else None
