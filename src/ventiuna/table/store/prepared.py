"""Queries of SQLAlchemy Core, compiled once and then run by the driver itself.

SQLAlchemy takes several times as long to run a small query as the database takes to answer it.
What is asked again and again is compiled when it is asked first, and given to the
driver as text from then on.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from itertools import starmap
from typing import Any

from sqlalchemy import ClauseElement, Connection, Select
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.sql.compiler import SQLCompiler

from ventiuna.table.store import rows

Compiled = tuple[str, tuple[str, ...], dict[str, Any]]  # text, names of its marks, fixed values


class PreparedStatement:
    """A statement whose values are given by name: whole numbers, texts, bytes and nothing."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, Compiled] = {}  # by dialect

    def run(self, connection: Connection, **values: rows.Value) -> DBAPICursor:
        """The driver's cursor behind it."""
        text, marks, fixed = self._compiled_for(connection)
        given = fixed | values
        return rows.run(connection, text, [given[name] for name in marks] if marks else given)

    def _compiled_for(self, connection: Connection) -> Compiled:
        dialect = connection.dialect
        if dialect.name not in self._compiled:
            compiled = self._statement.compile(dialect=dialect)
            assert isinstance(compiled, SQLCompiler), "a statement, not the making of a table"
            marks = tuple(compiled.positiontup or ())
            self._compiled[dialect.name] = str(compiled), marks, dict(compiled.params)
        return self._compiled[dialect.name]


class Prepared(PreparedStatement):
    """A query whose values are given by name. Its columns are whole numbers, texts and bytes."""

    def __init__(self, query: Select[Any]) -> None:
        super().__init__(query)
        self._row = _named([column.name for column in query.selected_columns])

    def all(self, connection: Connection, **values: int | str | bytes) -> list[Any]:
        """The rows, as named tuples."""
        return list(starmap(self._row, self.run(connection, **values).fetchall()))

    def first(self, connection: Connection, **values: int | str | bytes) -> Any:
        """The first row, or None."""
        found = self.all(connection, **values)
        return found[0] if found else None


def _named(columns: Sequence[str]) -> Callable[..., Any]:
    """Where two columns have one name the second is known by its place alone."""
    return namedtuple("Row", columns, rename=True)
