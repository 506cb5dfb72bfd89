"""Many rows in one statement: arrays on PostgreSQL, `executemany` and JSON lists on SQLite.

The statements are kept as text and given to the driver itself: this is the way of every command,
and building them anew, or wrapping their results, costs more than running them.
"""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import starmap
from typing import Any

from sqlalchemy import Connection, LargeBinary, Table, Text
from sqlalchemy.engine.interfaces import DBAPICursor, DBAPIModule
from sqlalchemy.exc import DBAPIError

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
    """Add rows of values in the order of the columns; `keep_old` passes over those that exist."""
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
    """The rows whose matched columns have one of these values, in their order, as named tuples.

    With `lock` they are held until the transaction ends; SQLite has one writer and needs no more.
    """
    if not values:
        return []
    if connection.dialect.name != "sqlite":
        # Foreign keys take key-share locks, which NO KEY lets pass.
        statement = _find_on_postgres(table, columns, matched) + " FOR NO KEY UPDATE" * lock
        found = run(connection, statement, _arrays(list(values)))
    elif len(values) == 1:  # a command by itself: a list of one would cost as much again
        [only] = values
        try:
            found = run(connection, _find_one_on_sqlite(table, columns, matched), only)
        except OverflowError:  # a number that no row can have
            return []
    else:
        statement = _find_on_sqlite(table, columns, matched)
        found = run(connection, statement, (json.dumps(list(values)),))
    return list(starmap(_row(columns), found.fetchall()))


def update_rows(
    connection: Connection, table: Table, matched: Names, changed: Names, rows: Sequence[Values]
) -> int:
    """Change each row that matches; a row given has the matched values first, then the new ones.

    Says how many rows were hit. A column may be in both: so a version moves only from the one
    that was read.
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
    """Remove the rows whose matched columns have one of these values."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        run(connection, _delete_on_sqlite(table, matched), rows, many=True)
    else:
        run(connection, _delete_on_postgres(table, matched), _arrays(rows))


# --- the driver -------------------------------------------------------------------------------


def run(
    connection: Connection, statement: str, values: Any = (), *, many: bool = False
) -> DBAPICursor:
    """Run a statement on the transaction's own connection; errors are those of SQLAlchemy.

    `values` are as the driver wants them: in order or by name, of many rows each.
    """
    driver = connection.connection.dbapi_connection
    assert driver is not None, "the connection of a transaction is open"
    cursor = driver.cursor()
    try:
        if many:
            cursor.executemany(statement, values)
        else:
            cursor.execute(statement, values)
    except connection.dialect.loaded_dbapi.Error as error:
        raise _wrapped(connection, statement, error, cursor) from error
    return cursor


def _wrapped(
    connection: Connection, statement: str, error: DBAPIModule.Error, cursor: DBAPICursor
) -> DBAPIError:
    """As SQLAlchemy raises it. The values stay out: they may be secrets of a shoe."""
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
    assert isinstance(wrapped, DBAPIError), "every error of a driver has its own here"
    return wrapped


@lru_cache
def _row(columns: Names) -> Callable[..., Any]:
    return namedtuple("Row", columns)


# --- statements -------------------------------------------------------------------------------


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
    given = ", ".join(f"json_extract(value, '$[{place}]')" for place in range(len(matched)))
    names = ", ".join(matched)
    return (
        f"SELECT {', '.join(columns)} FROM {table.name} "
        f"WHERE ({names}) IN (SELECT {given} FROM json_each(?)) ORDER BY {names}"
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
    return (
        "bytea" if isinstance(kind, LargeBinary) else "text" if isinstance(kind, Text) else "bigint"
    )


def _arrays(rows: Sequence[Values]) -> tuple[str, ...]:
    """Each column as the text of an array; the driver's own way takes several times as long."""
    return tuple(map(_array, zip(*rows, strict=True)))


def _array(values: Values) -> str:
    written = [str(value) if type(value) is int else _element(value) for value in values]
    return f"{{{','.join(written)}}}"


def _element(value: Value) -> str:
    """In quotes whatever it is, so that it can't be anything but one element."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f'"\\\\x{value.hex()}"'
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
