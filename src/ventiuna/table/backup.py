"""Backs up a house, even while it is open, and restores backups into an empty database.

Each backup is checked immediately.

A backup is either a SQLite file or a JSON Lines file. The JSON Lines format is the same for both
databases. It begins with a line that identifies the format. Then comes a line for each table with
its columns, followed by the table's rows as lists, with bytes in hexadecimal. The last line gives
the number of rows in each table and the SHA-256 of all previous lines.

A backup never contains the house key, so keep it separately. It contains no tokens either: after a
restore, everyone must sign in again.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import (
    Column,
    Connection,
    Identity,
    LargeBinary,
    Table,
    Text,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from ventiuna.engine.commands import quoted
from ventiuna.errors import VentiunaError
from ventiuna.table.audit.entries import Differences
from ventiuna.table.audit.house import AuditError, audit, check_ledger
from ventiuna.table.journal import BrokenBook, BrokenSeal, read_heads, verify_book, verify_seals
from ventiuna.table.ledger import LARGEST_INTEGER
from ventiuna.table.store import schema
from ventiuna.table.store.connection import Reader, Store, open_reader, open_store
from ventiuna.table.store.schema import newest_revision
from ventiuna.table.store.statements import Value, Values
from ventiuna.texts import one_line

BACKUP_FORMAT = "ventiuna-backup-1"
LONGEST_LINE = 64_000_000  # bytes; a full table's entry has a few thousand
_ROWS_PER_PAGE = 1000

# Each table comes after the tables it refers to. Posting kinds are part of the schema; tokens,
# processes, and rate limits belong to the running house.
TABLES: tuple[Table, ...] = (
    schema.house,
    schema.person,
    schema.name_key,
    schema.restriction,
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
    schema.held_award,
    schema.practice,
    schema.lesson,
    schema.training_class,
    schema.trainee,
)
# The running house's secrets and tasks, and data that can be recomputed; never backed up.
TRANSIENT_TABLES = (
    "token",
    "process",
    "allowance",
    "watching",
    "job",
    "audit_run",
    "review",
    "monitor",
)
OMITTED_TABLES = ("posting_kind", *TRANSIENT_TABLES)  # migrations fill posting_kind


class BackupError(VentiunaError):
    """The backup can't be made, read or restored."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The contents of a backup."""

    house: str
    rows: dict[str, int]  # by table
    digest: str

    @property
    def total(self) -> int:
        return sum(self.rows.values())


def columns_of(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns)


def write_lines(connection: Connection, file: BinaryIO) -> Copied:
    """Write every row of the house from the connection's snapshot."""
    house = connection.scalar(select(schema.house.c.id))
    if house is None:
        raise BackupError("There is no house in this database.")
    out = _HashingWriter(file)
    out.write({"format": BACKUP_FORMAT, "house": house, "revision": newest_revision()})
    rows: dict[str, int] = {}
    for table in TABLES:
        out.write({"table": table.name, "columns": list(columns_of(table))})
        rows[table.name] = 0
        for row in rows_of(connection, table):
            out.write([value.hex() if isinstance(value, bytes) else value for value in row])
            rows[table.name] += 1
    digest = out.digest
    out.write({"rows": rows, "sha256": digest})
    return Copied(str(house), rows, digest)


def rows_of(connection: Connection, table: Table) -> Iterator[Values]:
    """All rows in key order, read a page at a time."""
    query = select(table).order_by(*table.primary_key.columns)
    for row in connection.execute(query, execution_options={"yield_per": _ROWS_PER_PAGE}):
        yield tuple(row)


class _HashingWriter:
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


def check_lines(file: BinaryIO) -> Copied:
    """Read and check the whole file; raises `BackupError` if it was altered."""
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
        raise BackupError("The backup is incomplete or has been changed: its hash doesn't match.")
    return Copied(house, rows, digest.hexdigest())


def read_rows(file: BinaryIO) -> Iterator[tuple[Table, Iterable[Values]]]:
    """Pages of rows with their tables, from lines already checked."""
    known = {table.name: table for table in TABLES}
    table: Table | None = None
    page: list[Values] = []
    for number, line in enumerate(_lines(file), start=1):
        data = _read(line, number)
        if isinstance(data, list) and table is not None:
            page.append(_values(table, data, number))
        if (
            table is not None
            and page
            and (len(page) == _ROWS_PER_PAGE or not isinstance(data, list))
        ):
            yield table, page
            page = []
        if isinstance(data, dict) and "table" in data:
            table = known.get(str(data["table"]))
            if table is None or data.get("columns") != list(columns_of(table)):
                raise BackupError(
                    f"Line {number} names a table that this version of Ventiuna doesn't have."
                )


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE):
        yield line


def _read(line: bytes, number: int) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise BackupError(
            f"Line {number} is not JSON, so this is not a backup of a house."
        ) from None


def _check_head(data: object) -> str:
    head = data if isinstance(data, dict) else {}
    if head.get("format") != BACKUP_FORMAT:
        raise BackupError(
            f"This is not a backup of a house: it doesn't begin with {BACKUP_FORMAT}."
        )
    if head.get("revision") != newest_revision():
        raise BackupError(
            f"The backup has schema {head.get('revision')}, but this version of Ventiuna "
            f"has {newest_revision()}. Restore it with the version that made it."
        )
    return str(head.get("house"))


def _values(table: Table, data: list[object], number: int) -> Values:
    columns = list(table.columns)
    if len(data) != len(columns):
        raise BackupError(f"Line {number}: a row of {table.name} must have {len(columns)} columns.")
    values = [
        _bytes(value, number) if isinstance(column.type, LargeBinary) else value
        for value, column in zip(data, columns, strict=True)
    ]
    return checked_row(table, values, f"Line {number}")


def _bytes(value: object, number: int) -> object:
    try:
        return bytes.fromhex(value) if isinstance(value, str) else value
    except ValueError:
        raise BackupError(f"Line {number}: bytes must be written as hexadecimal digits.") from None


def checked_row(table: Table, values: Sequence[object], where: str) -> Values:
    """Return the values of a row, if both databases can store each in its column."""
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
    elif type(value) is int and -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
        return value
    name = f"{column.table.name}.{column.name}"
    raise BackupError(f"{where}: {name} can't hold {quoted(value)}.")


def _is_storable(text: str) -> bool:
    """Whether the text can be stored: PostgreSQL refuses NUL, and both refuse lone surrogates."""
    return "\0" not in text and text == text.encode(errors="ignore").decode()


def verify_backup(connection: Connection) -> None:
    """Verify books, seals and balances; raises `BackupError` at the first fault."""
    try:
        for number in read_heads(connection):
            verify_book(connection, number)
        verify_seals(connection)
    except (BrokenBook, BrokenSeal) as error:
        raise BackupError(f"The backup is invalid: {error}") from None
    differences = Differences()
    check_ledger(connection, differences)
    if differences.total:
        raise BackupError(f"The backup is invalid: {differences.listed[0]}")


_SQLITE_PAGES = 1000  # pages of a SQLite file copied at a time


def back_up(reader: Reader, target: Path) -> Copied:
    """Back up to a new file: JSON lines, or a SQLite file.

    The format is SQLite if the house is on SQLite and the file name doesn't end in `.jsonl`,
    `.json`, or `.ndjson`. The file gets its name only after the backup is checked. It doesn't
    contain the house key.
    """
    try:
        return _back_up(reader, target)
    except FileExistsError:
        raise BackupError(f"{target} already exists. Choose a new name for the backup.") from None
    except OSError as error:
        raise BackupError(f"{target} can't be written: {error.strerror or error}.") from None
    except sqlite3.Error as error:  # from the copy; errors in the house come from SQLAlchemy
        raise BackupError(f"{target} can't be written: {error}.") from None


def _back_up(reader: Reader, target: Path) -> Copied:
    if target.exists():
        raise FileExistsError
    waiting = target.with_name(f".{target.name}-{secrets.token_hex(8)}.part")
    try:
        with reader.read() as connection:
            if connection.dialect.name == "sqlite" and not is_json_lines(target):
                copied = _copy(connection, waiting)
            else:
                copied = _export(connection, waiting)
        with waiting.open("rb+") as file:
            os.fsync(file.fileno())
        os.link(waiting, target)  # unlike a rename, never replaces an existing file
    finally:
        with suppress(OSError):  # the file may never have been created
            waiting.unlink()
    return copied


def is_json_lines(path: Path) -> bool:
    return path.suffix in (".jsonl", ".json", ".ndjson")


def _export(connection: Connection, waiting: Path) -> Copied:
    with _create_private(waiting) as file:
        written = write_lines(connection, file)
    with waiting.open("rb") as file:
        read = check_lines(file)
    if read != written:
        raise BackupError("The backup on the disk differs from what was written. Check the disk.")
    return written


def _copy(connection: Connection, waiting: Path) -> Copied:
    """Copy with SQLite's online backup, page by page, from one snapshot."""
    connection.scalar(select(schema.house.c.id))  # the first query starts the snapshot
    source = connection.connection.driver_connection
    assert isinstance(source, sqlite3.Connection), "SQLite's own connection"
    _create_private(waiting).close()
    with closing(sqlite3.connect(waiting, isolation_level=None)) as target:
        source.backup(target, pages=_SQLITE_PAGES)
        target.execute("PRAGMA journal_mode = DELETE")  # a single file, without a log
        for table in TRANSIENT_TABLES:
            target.execute(f"DELETE FROM {table}")
        target.execute("VACUUM")  # deleted rows would stay readable in free pages
        faults = [row[0] for row in target.execute("PRAGMA integrity_check")]
        strangers = target.execute("PRAGMA foreign_key_check").fetchall()
    if faults != ["ok"] or strangers:
        raise BackupError("The backup is damaged. Check the disk.")
    copy = open_reader(str(waiting))
    try:
        with copy.read() as copied:
            house = copied.scalar(select(schema.house.c.id))
            if house is None:
                raise BackupError("There is no house in this database.")
            verify_backup(copied)
            rows = _row_counts(copied)
    finally:
        copy.close()
    return Copied(str(house), rows, "")


def _row_counts(connection: Connection) -> dict[str, int]:
    return {
        table.name: int(connection.scalar(select(func.count()).select_from(table)) or 0)
        for table in TABLES
    }


def _create_private(path: Path) -> BinaryIO:
    """Create a file that only its owner can read, because it holds balances and password hashes."""
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "w+b")


_SQLITE_HEADER = b"SQLite format 3\0"
Pages = Iterator[tuple[Table, Iterable[Values]]]


def restore_into(source: Path, address: str) -> Copied:
    """Like `restore`, but doesn't create a database for an unreadable backup."""
    try:
        source.open("rb").close()
    except OSError as error:
        raise BackupError(f"{source} can't be read: {error.strerror or error}.") from None
    store = open_store(address)
    try:
        return restore(source, store)
    finally:
        store.close()


def restore(source: Path, store: Store) -> Copied:
    """Restore the whole backup or nothing. On PostgreSQL, call this as the schema's owner."""
    with source.open("rb") as file:
        is_sqlite = file.read(len(_SQLITE_HEADER)) == _SQLITE_HEADER
    return _from_sqlite(source, store) if is_sqlite else _from_lines(source, store)


def _from_lines(source: Path, store: Store) -> Copied:
    with source.open("rb") as file:
        copied = check_lines(file)
        file.seek(0)
        house = _fill(store, read_rows(file), copied.rows)
    return replace(copied, house=house)


def _from_sqlite(source: Path, store: Store) -> Copied:
    reader = open_reader(str(source))
    try:
        with reader.read() as connection:
            rows = _row_counts(connection)
            house = _fill(store, _pages(connection), rows)
    except (OperationalError, ProgrammingError) as error:
        raise BackupError(f"{source} can't be restored: {error.orig}.") from None
    finally:
        reader.close()
    return Copied(house, rows, "")


def _pages(connection: Connection) -> Pages:
    for table in TABLES:
        rows = rows_of(connection, table)
        while page := list(islice(rows, _ROWS_PER_PAGE)):
            yield table, [checked_row(table, row, "The backup") for row in page]


def _fill(store: Store, pages: Pages, due: dict[str, int]) -> str:
    """Write all rows, audit the resulting house, and return its id."""
    try:
        with store.write() as connection:
            _check_empty(connection)
            with _without_guards(connection):
                for table, page in pages:
                    names = columns_of(table)
                    rows = [dict(zip(names, row, strict=True)) for row in page]
                    connection.execute(insert(table), rows)
            _continue_numbering(connection)
            for name, found in _row_counts(connection).items():
                if found != due.get(name, 0):
                    raise BackupError(f"{found} rows of {name} were restored, not {due.get(name)}.")
            return _audit_restored(connection)
    except IntegrityError as error:
        reason = one_line(str(error.orig).partition("\n")[0])
        raise BackupError(f"The database refuses the data in the backup: {reason}.") from None


def _audit_restored(connection: Connection) -> str:
    try:
        report = audit(connection)
    except AuditError as error:
        raise BackupError(str(error)) from None
    if not report.holds:
        raise BackupError(f"The backup fails its audit: {report.differences[0]}")
    return report.house


def _check_empty(connection: Connection) -> None:
    for table in TABLES:
        if connection.execute(select(table).limit(1)).first() is not None:
            raise BackupError(
                f"The database is not empty: its table {table.name} has rows. Restore into "
                "a new database."
            )


@contextmanager
def _without_guards(connection: Connection) -> Iterator[None]:
    """Disable the triggers while a restore writes balances and history directly."""
    if connection.dialect.name == "sqlite":
        # Rows may come before those they refer to; references are checked at the end.
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = 1")
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = connection.exec_driver_sql(query).all()
        for name, _ in triggers:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        yield
        for _, statement in triggers:
            connection.exec_driver_sql(statement)
        return
    owns = text("SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'entry'::regclass")
    if not connection.scalar(owns):
        raise BackupError(
            "Restore as the schema's owner. The program's role lacks the necessary privileges."
        )
    for table in TABLES:
        connection.exec_driver_sql(f"ALTER TABLE {table.name} DISABLE TRIGGER USER")
    yield
    for table in TABLES:
        connection.exec_driver_sql(f"ALTER TABLE {table.name} ENABLE TRIGGER USER")


def _continue_numbering(connection: Connection) -> None:
    """Make PostgreSQL number new rows after the restored rows."""
    if connection.dialect.name == "sqlite":
        return
    for table in TABLES:
        for column in table.columns:
            if isinstance(column.identity, Identity):
                sequence = f"pg_get_serial_sequence('{table.name}', '{column.name}')"
                maximum = f"(SELECT max({column.name}) FROM {table.name})"
                connection.execute(
                    text(f"SELECT setval({sequence}, {maximum}) WHERE {maximum} IS NOT NULL")
                )
