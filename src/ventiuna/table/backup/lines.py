"""The rows of a house as lines of JSON, the same from both databases.

The first line says what it is; then each table has a line with its columns, followed by its rows
as lists, bytes in hexadecimal digits; the last line has how many rows each table has and the
SHA-256 of all lines before it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from sqlalchemy import Column, Connection, LargeBinary, Table, Text, select

from ventiuna.engine.errors import shown
from ventiuna.errors import VentiunaError
from ventiuna.table.ledger.chain import LARGEST
from ventiuna.table.store import schema
from ventiuna.table.store.revisions import newest_revision
from ventiuna.table.store.rows import Value, Values

FORMAT = "ventiuna-backup-1"
LONGEST_LINE = 64_000_000  # bytes; an entry of a full table has some thousand
_PAGE = 1000  # rows

# In the order in which rows may refer to others. Kinds of postings come with the schema; tokens,
# processes and what addresses may ask belong to the house that was running.
TABLES: tuple[Table, ...] = (
    schema.house,
    schema.person,
    schema.book,
    schema.entry,
    schema.account,
    schema.posting,
    schema.seal,
    schema.game_table,
    schema.waiting,
    schema.seat,
    schema.spot,
    schema.bot,
    schema.shoe,
    schema.cut,
    schema.round_,
    schema.jackpot,
    schema.link,
    schema.practice,
)
# Secrets and tasks of the running house, and data that can be recomputed: in no copy.
FORGOTTEN = ("token", "process", "allowance", "watching", "job", "audit_run", "review")
LEFT_OUT = ("posting_kind", *FORGOTTEN)  # migrations fill the first


class BackupError(VentiunaError):
    """A copy that can't be made, read or put back."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy holds."""

    house: str
    rows: dict[str, int]  # by table
    digest: str

    @property
    def total(self) -> int:
        return sum(self.rows.values())


def columns_of(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns)


# --- writing ----------------------------------------------------------------------------------


def write_lines(connection: Connection, file: BinaryIO) -> Copied:
    """Every row of the house, as the connection sees it in its one moment."""
    house = connection.scalar(select(schema.house.c.id))
    if house is None:
        raise BackupError("There is no house in this database.")
    out = _Hashed(file)
    out.write({"format": FORMAT, "house": house, "revision": newest_revision()})
    rows: dict[str, int] = {}
    for table in TABLES:
        out.write({"table": table.name, "columns": list(columns_of(table))})
        rows[table.name] = 0
        for row in rows_of(connection, table):
            out.write([_plain(value) for value in row])
            rows[table.name] += 1
    digest = out.digest
    out.write({"rows": rows, "sha256": digest})
    return Copied(str(house), rows, digest)


def rows_of(connection: Connection, table: Table) -> Iterator[Values]:
    """All rows in the order of their keys, a page at a time."""
    query = select(table).order_by(*table.primary_key.columns)
    for row in connection.execute(query, execution_options={"yield_per": _PAGE}):
        yield tuple(row)


def _plain(value: Value) -> int | str | None:
    return value.hex() if isinstance(value, bytes) else value


class _Hashed:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def write(self, data: object) -> None:
        line = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        self._hash.update(line)
        self._file.write(line)


# --- reading ----------------------------------------------------------------------------------


def check_lines(file: BinaryIO) -> Copied:
    """Read all of it; raises `BackupError` where it is not what was written."""
    digest = hashlib.sha256()
    rows: dict[str, int] = {}
    house = ""
    last: dict[str, object] = {}
    table = ""
    for number, line in enumerate(_lines(file), start=1):
        data = _read(line, number)
        if number == 1:
            house = _check_head(data)
        elif isinstance(data, list):
            rows[table] = rows.get(table, 0) + 1
        elif isinstance(data, dict) and "table" in data:
            table = str(data["table"])
            rows[table] = 0
        elif isinstance(data, dict):
            last = data
            break
        digest.update(line)
    if last != {"rows": rows, "sha256": digest.hexdigest()}:
        raise BackupError("The copy is not whole, or somebody has changed it: its hash is another.")
    return Copied(house, rows, digest.hexdigest())


def read_rows(file: BinaryIO) -> Iterator[tuple[Table, Iterable[Values]]]:
    """Pages of rows with their tables, of lines that were checked."""
    known = {table.name: table for table in TABLES}
    table: Table | None = None
    page: list[Values] = []
    for number, line in enumerate(_lines(file), start=1):
        data = _read(line, number)
        if isinstance(data, list) and table is not None:
            page.append(_values(table, data, number))
        if table is not None and page and (len(page) == _PAGE or not isinstance(data, list)):
            yield table, page
            page = []
        if isinstance(data, dict) and "table" in data:
            table = known.get(str(data["table"]))
            if table is None or data.get("columns") != list(columns_of(table)):
                raise BackupError(f"Line {number}: it names a table that this Ventiuna lacks.")


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE):
        yield line


def _read(line: bytes, number: int) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise BackupError(f"Line {number} is not JSON: this is not a copy of a house.") from None


def _check_head(data: object) -> str:
    head = data if isinstance(data, dict) else {}
    if head.get("format") != FORMAT:
        raise BackupError(f"This is not a copy of a house: it does not begin with {FORMAT}.")
    if head.get("revision") != newest_revision():
        raise BackupError(
            f"The copy has schema {head.get('revision')} and this Ventiuna has "
            f"{newest_revision()}: restore it with the version that made it."
        )
    return str(head.get("house"))


def _values(table: Table, data: list[object], number: int) -> Values:
    columns = list(table.columns)
    if len(data) != len(columns):
        raise BackupError(f"Line {number}: a row of {table.name} has {len(columns)} columns.")
    values = [
        _bytes(value, number) if isinstance(column.type, LargeBinary) else value
        for value, column in zip(data, columns, strict=True)
    ]
    return checked_row(table, values, f"Line {number}")


def _bytes(value: object, number: int) -> object:
    try:
        return bytes.fromhex(value) if isinstance(value, str) else value
    except ValueError:
        raise BackupError(f"Line {number}: bytes are written in hexadecimal digits.") from None


def checked_row(table: Table, values: Sequence[object], where: str) -> Values:
    """The values of a row, if both databases can store each in its column."""
    return tuple(
        _checked(value, column, where) for value, column in zip(values, table.columns, strict=True)
    )


def _checked(value: object, column: Column[Any], where: str) -> Value:
    if value is None:
        return None
    if isinstance(column.type, LargeBinary):
        if isinstance(value, bytes):
            return value
    elif isinstance(column.type, Text):
        if isinstance(value, str) and _is_storable(value):
            return value
    elif type(value) is int and -LARGEST <= value <= LARGEST:
        return value
    name = f"{column.table.name}.{column.name}"
    raise BackupError(f"{where}: {name} can't hold {shown(value)}.")


def _is_storable(text: str) -> bool:
    """PostgreSQL can't store a NUL character, and no database a lone surrogate."""
    return "\0" not in text and text == text.encode(errors="ignore").decode()
