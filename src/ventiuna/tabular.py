"""Tables as files: CSV with its description beside it, Parquet with the same inside.

The description follows the W3C's "Metadata Vocabulary for Tabular Data": columns with type and
unit, and what the figures rest on.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from ventiuna.extras import load
from ventiuna.texts import csv_cell, json_text

Cell = str | int | float | bool | None
Columns = Mapping[str, Sequence[Cell]]
Facts = Mapping[str, str]  # rules, fingerprint, seed, version, command
INSTEAD = "write CSV"
UNITS = ("cents", "dollars", "percent", "points", "seconds", "per_wager")  # told in columns' names
DESCRIPTION = "csv-metadata.json"  # where readers of such descriptions look for it


def csv_text(columns: Columns) -> str:
    """Rows below a line of names; no text is taken for a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(map(csv_cell, row))
    return text.getvalue()


def csv_description(tables: Mapping[str, Columns], facts: Facts) -> str:
    """What the CSV files of these names hold."""
    return json_text(
        {
            "@context": "http://www.w3.org/ns/csvw",
            **{f"ventiuna:{name}": fact for name, fact in facts.items()},
            "tables": [
                {"url": url, "tableSchema": {"columns": _described(columns)}}
                for url, columns in tables.items()
            ],
        }
    )


def _described(columns: Columns) -> list[dict[str, str]]:
    described = []
    for name, cells in columns.items():
        column = {"name": name, "datatype": _kind(cells)}
        unit = unit_of(name)
        described.append(column | {"ventiuna:unit": unit} if unit else column)
    return described


def _kind(cells: Sequence[Cell]) -> str:
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {bool} and kinds:
        return "boolean"
    if kinds <= {int} and kinds:
        return "integer"
    return "double" if kinds <= {int, float} and kinds else "string"


def unit_of(column: str) -> str:
    """The unit that a column's name ends with, if any.

    >>> unit_of("house_edge_percent"), unit_of("up_card")
    ('percent', '')
    """
    return next((unit for unit in UNITS if column.endswith(f"_{unit}")), "")


def parquet_bytes(columns: Columns, facts: Facts) -> bytes:
    """The facts are the file's own metadata; each column with a unit names it in its."""
    content = io.BytesIO()
    load("pyarrow.parquet", INSTEAD).write_table(arrow_table(columns, facts), content)
    return content.getvalue()


def arrow_table(columns: Columns, facts: Facts) -> Any:
    arrow: Any = load("pyarrow", INSTEAD)
    plain = arrow.table(dict(columns))
    fields = []
    for field in plain.schema:
        known = field.with_type(arrow.string()) if arrow.types.is_null(field.type) else field
        unit = unit_of(field.name)
        fields.append(known.with_metadata({"unit": unit}) if unit else known)
    return plain.cast(arrow.schema(fields, metadata=dict(facts)))
