"""Results as data frames for pandas, Polars and Arrow.

A result has a main table, its `rows()`. Lists inside its `as_data()` are further tables, named
after their place in the data: `by_up`, `worst.hands`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeGuard

from ventiuna.extras import load
from ventiuna.installed import version
from ventiuna.rules import Problem, Rules, RulesError, canonical, fingerprint
from ventiuna.rules.values import shown
from ventiuna.tabular import arrow_table

Cell = str | int | float | None
Row = dict[str, Cell]
DRAWING = "page"  # how a chart is drawn; not a table of figures


class Framed:
    """A result with tables in it. `tables` lists their names, the main table first."""

    __slots__ = ()
    main_table: ClassVar[str] = "rows"  # the name of the table that `rows()` returns

    def rows(self) -> list[Row]:
        """The main table, row by row. A result defines this or an `as_data` that has it."""
        return data_tables(self.as_data()).get(self.main_table, [])

    def as_data(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {**self.facts(), self.main_table: self.rows()}

    @property
    def tables(self) -> tuple[str, ...]:
        """The names that `table_rows`, `to_pandas`, `to_polars` and `to_arrow` take."""
        return tuple(dict.fromkeys((self.main_table, *data_tables(self.as_data()))))

    def table_rows(self, name: str = "") -> list[Row]:
        """One table, row by row; the main table by default."""
        if name in ("", self.main_table):
            return self.rows()
        found = data_tables(self.as_data()).get(str(name))
        if found is None:
            fix = f"Choose from {', '.join(self.tables)}."
            raise RulesError([Problem("table", shown(name), "", "there is no such table", fix)])
        return found

    def facts(self) -> dict[str, str]:
        """What the table rests on: rules and their fingerprint, where it has them, and version."""
        basis = getattr(self, "basis", self)
        rules = getattr(basis, "rules", None)
        if isinstance(rules, Rules):
            told: dict[str, object] = {"rules": canonical(rules), "fingerprint": fingerprint(rules)}
        else:
            told = {"rules": rules, "fingerprint": getattr(basis, "fingerprint", None)}
        told |= self.more_facts()
        found = {name: str(fact) for name, fact in told.items() if fact is not None}
        return {**found, "version": version()}

    def more_facts(self) -> Mapping[str, object]:
        """What it rests on besides: seed, count, meter; None is left out."""
        return {}

    def to_pandas(self, name: str = "") -> Any:
        """A table as a pandas data frame (extra `data`); the main table by default."""
        return load("pandas", "use table_rows()").DataFrame(self.table_rows(name))

    def to_polars(self, name: str = "") -> Any:
        """A table as a Polars data frame (extra `data`); the main table by default."""
        frame = load("polars", "use table_rows()").DataFrame
        return frame(self.table_rows(name), infer_schema_length=None)

    def to_arrow(self, name: str = "") -> Any:
        """A table in Arrow's format (extra `data`), with its facts and units as metadata."""
        rows = self.table_rows(name)
        names = dict.fromkeys(name for row in rows for name in row)
        return arrow_table({name: [row.get(name) for row in rows] for name in names}, self.facts())


def data_tables(data: Mapping[str, object]) -> dict[str, list[Row]]:
    """Every list of records inside plain data, by its place.

    >>> data_tables({"ups": [{"up": "A", "hands": [{"hand": "7-7"}]}]})
    {'ups': [{'up': 'A'}], 'ups.hands': [{'ups_up': 'A', 'hand': '7-7'}]}
    """
    found: dict[str, list[Row]] = {}
    _collect({name: part for name, part in data.items() if name != DRAWING}, "", {}, found)
    return {name: _one_type_each(rows) for name, rows in found.items()}


def _collect(
    data: Mapping[str, object], path: str, known: Row, found: dict[str, list[Row]]
) -> None:
    for name, part in data.items():
        place = f"{path}.{name}" if path else name
        if isinstance(part, dict):
            _collect(part, place, known, found)
        elif _are_records(part):
            for item in part:
                row = known | _cells(item)
                found.setdefault(place, []).append(row)
                _collect(item, place, {f"{name}_{key}": row[key] for key in row}, found)


def _are_records(part: object) -> TypeGuard[Sequence[Mapping[str, object]]]:
    return isinstance(part, list | tuple) and bool(part) and all(map(_is_record, part))


def _is_record(part: object) -> bool:
    return isinstance(part, dict)


def _cells(item: Mapping[str, object]) -> Row:
    """The scalar values of a record; an exact fraction becomes a number."""
    cells: Row = {}
    for name, part in item.items():
        if isinstance(part, dict) and set(part) == {"exact", "value"}:
            cells[name] = part["value"]
        elif isinstance(part, dict):
            cells |= {f"{name}_{key}": cell for key, cell in _cells(part).items()}
        elif isinstance(part, list | tuple):
            if not any(map(_is_record, part)):
                cells[name] = " ".join(map(str, part))
        else:
            cells[name] = part if part is None or isinstance(part, int | float) else str(part)
    return cells


def _one_type_each(rows: list[Row]) -> list[Row]:
    """The same rows; a column with text and numbers in it becomes text."""
    kinds: dict[str, set[bool]] = {}
    for row in rows:
        for name, cell in row.items():
            if cell is not None:
                kinds.setdefault(name, set()).add(isinstance(cell, str))
    mixed = {name for name, found in kinds.items() if len(found) > 1}
    return [
        {
            name: str(cell) if name in mixed and cell is not None else cell
            for name, cell in row.items()
        }
        for row in rows
    ]
