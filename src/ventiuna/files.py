"""Atomic file writes, size-limited reads, and tables as CSV and Parquet.

A CSV file comes with a description in the W3C's "Metadata Vocabulary for Tabular Data". It lists
each column's type and unit, and the rules, seed and version that produced the figures. A Parquet
file contains the same metadata.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ventiuna.package import load_library
from ventiuna.texts import csv_cell, json_text

LARGEST_TEXT = 4_000_000  # bytes; limit for hand-written files
_TRIES = 100


def write_file(path: Path, content: bytes | str) -> None:
    """Write the file atomically: a reader sees the old content or the new, never a mix.

    The content goes to a temporary file with a unique name in the same folder, so programs writing
    the same file don't interfere. Errors name `path`, not the temporary file.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        target = path.resolve()  # follow a symbolic link instead of replacing it
        if target.exists() and not target.is_file():  # /dev/stdout or a pipe
            target.write_bytes(data)
            return
        _replace(target, data)
    except OSError as error:
        raise _with_path(error, path) from None


def check_file(path: Path) -> None:
    """Raise an error, before a long run, if the file can't be written."""
    try:
        target = path.resolve()
        with suppress(FileNotFoundError):
            target.lstat()  # raises an error if the name is invalid
        if target.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        if not target.exists() or target.is_file():
            _remove_new(target)
    except OSError as error:
        raise _with_path(error, path) from None


def make_folder(folder: Path) -> None:
    """Create the folder and check that files can be created in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_new(folder.resolve() / "file")
    except OSError as error:
        raise _with_path(error, folder) from None


def read_text_file(path: Path) -> str:
    """Read a hand-written text file of at most LARGEST_TEXT bytes.

    Raises OSError; UnicodeDecodeError if it isn't UTF-8; OverflowError if it is too long.
    """
    with path.open("rb") as file:
        data = file.read(LARGEST_TEXT + 1)
    if len(data) > LARGEST_TEXT:
        raise OverflowError(f"longer than {LARGEST_TEXT // 1_000_000} MB")
    return data.decode("utf-8")


def _replace(target: Path, data: bytes) -> None:
    descriptor, waiting = _new_beside(target)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if target.exists():
                waiting.chmod(target.stat().st_mode & 0o777)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        waiting.replace(target)
    except BaseException:
        waiting.unlink(missing_ok=True)
        raise


def _remove_new(target: Path) -> None:
    descriptor, waiting = _new_beside(target)
    os.close(descriptor)
    waiting.unlink(missing_ok=True)


def _new_beside(target: Path) -> tuple[int, Path]:
    """Create a temporary file in the same folder, with the usual permissions."""
    import secrets  # imported here because few commands write a file

    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    for _ in range(_TRIES):
        waiting = target.with_name(f".ventiuna-{secrets.token_hex(8)}.part")
        try:
            return os.open(waiting, flags, 0o666), waiting
        except FileExistsError:
            continue
    raise FileExistsError(17, "No unused name for a new file")


def _with_path(error: OSError, path: Path) -> OSError:
    """Return the same error with the path that the user gave."""
    found = OSError(error.errno, error.strerror or str(error), str(path))
    return found if error.errno is not None else OSError(f"{path}: {error}")


# --- Tables ---

Cell = str | int | float | bool | None
Columns = Mapping[str, Sequence[Cell]]
Facts = Mapping[str, str]  # facts about a result: rules, fingerprint, seed, version, command
PARQUET_ALTERNATIVE = "write CSV"
UNITS = ("cents", "dollars", "percent", "points", "seconds", "per_wager")  # column name suffixes
DESCRIPTION_FILE = "csv-metadata.json"  # the standard file name for CSV metadata


def csv_text(columns: Columns) -> str:
    """Format a header line and rows as CSV, with formulas defused."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(map(csv_cell, row))
    return text.getvalue()


def csv_description(tables: Mapping[str, Columns], facts: Facts) -> str:
    """Describe the columns of these CSV files."""
    return json_text(
        {
            "@context": "http://www.w3.org/ns/csvw",
            **{f"ventiuna:{name}": fact for name, fact in facts.items()},
            "tables": [
                {"url": url, "tableSchema": {"columns": _column_descriptions(columns)}}
                for url, columns in tables.items()
            ],
        }
    )


def _column_descriptions(columns: Columns) -> list[dict[str, str]]:
    described = []
    for name, cells in columns.items():
        column = {"name": name, "datatype": _datatype(cells)}
        unit = unit_of(name)
        described.append(column | {"ventiuna:unit": unit} if unit else column)
    return described


def _datatype(cells: Sequence[Cell]) -> str:
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {bool} and kinds:
        return "boolean"
    if kinds <= {int} and kinds:
        return "integer"
    return "double" if kinds <= {int, float} and kinds else "string"


def unit_of(column: str) -> str:
    """Return the unit at the end of a column's name, if any.

    >>> unit_of("house_edge_percent"), unit_of("up_card")
    ('percent', '')
    """
    return next((unit for unit in UNITS if column.endswith(f"_{unit}")), "")


def parquet_bytes(columns: Columns, facts: Facts) -> bytes:
    """Build a Parquet file, with the facts as file metadata and units as column metadata."""
    content = io.BytesIO()
    load_library("pyarrow.parquet", PARQUET_ALTERNATIVE).write_table(
        arrow_table(columns, facts), content
    )
    return content.getvalue()


def arrow_table(columns: Columns, facts: Facts) -> Any:
    arrow: Any = load_library("pyarrow", PARQUET_ALTERNATIVE)
    plain = arrow.table(dict(columns))
    fields = []
    for field in plain.schema:
        known = field.with_type(arrow.string()) if arrow.types.is_null(field.type) else field
        unit = unit_of(field.name)
        fields.append(known.with_metadata({"unit": unit}) if unit else known)
    return plain.cast(arrow.schema(fields, metadata=dict(facts)))
