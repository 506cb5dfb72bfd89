"""Queries of SQLAlchemy Core, compiled once and then run by the driver itself.

SQLAlchemy takes several times as long to run a small query as the database takes to answer it.
What every table asks when it is loaded is compiled when it is asked first, and given to the
driver as text from then on.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from itertools import starmap
from typing import Any

from sqlalchemy import Connection, Select

from ventiuna.table.store import rows

Compiled = tuple[str, tuple[str, ...], dict[str, Any]]  # text, names of its marks, fixed values


class Prepared:
    """A query whose values are given by name. Its columns are whole numbers, texts and bytes."""

    def __init__(self, query: Select[Any]) -> None:
        self._query = query
        self._row = _named([column.name for column in query.selected_columns])
        self._compiled: dict[str, Compiled] = {}  # by dialect

    def all(self, connection: Connection, **values: int | str | bytes) -> list[Any]:
        """The rows, as named tuples."""
        text, marks, fixed = self._compiled_for(connection)
        given = fixed | values
        if marks:
            found = rows.run(connection, text, [given[name] for name in marks])
        else:
            found = rows.run(connection, text, given)
        return list(starmap(self._row, found.fetchall()))

    def first(self, connection: Connection, **values: int | str | bytes) -> Any:
        """The first row, or None."""
        found = self.all(connection, **values)
        return found[0] if found else None

    def _compiled_for(self, connection: Connection) -> Compiled:
        dialect = connection.dialect
        if dialect.name not in self._compiled:
            compiled = self._query.compile(dialect=dialect)
            marks = tuple(compiled.positiontup or ())
            self._compiled[dialect.name] = str(compiled), marks, dict(compiled.params)
        return self._compiled[dialect.name]


def _named(columns: Sequence[str]) -> Callable[..., Any]:
    """Where two columns have one name the second is known by its place alone."""
    return namedtuple("Row", columns, rename=True)
