"""Making a copy of a house that goes on being played in."""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Connection, func, select

from ventiuna.table.backup.lines import (
    FORGOTTEN,
    TABLES,
    BackupError,
    Copied,
    check_lines,
    write_lines,
)
from ventiuna.table.backup.proving import prove
from ventiuna.table.store import schema
from ventiuna.table.store.reading import Reader, open_reader

_PAGES = 1000  # of a SQLite file, copied at a time


def back_up(reader: Reader, target: Path) -> Copied:
    """A new file: lines of JSON, or from SQLite, where its name does not end so, a SQLite file.

    It is checked before it gets its name. The house's key is not in it.
    """
    try:
        return _back_up(reader, target)
    except FileExistsError:
        raise BackupError(f"{target} is there already: give a copy a new name.") from None
    except OSError as error:
        raise BackupError(f"{target} can't be written: {error.strerror or error}.") from None
    except sqlite3.Error as error:  # of the copy: the house's own errors come from SQLAlchemy
        raise BackupError(f"{target} can't be written: {error}.") from None


def _back_up(reader: Reader, target: Path) -> Copied:
    if target.exists():
        raise FileExistsError
    waiting = target.with_name(f".{target.name}-{secrets.token_hex(8)}.part")
    try:
        with reader.read() as connection:
            if connection.dialect.name == "sqlite" and not is_lines(target):
                copied = _copy(connection, waiting)
            else:
                copied = _export(connection, waiting)
        _flush(waiting)
        os.link(waiting, target)  # unlike a rename it never replaces what is there
    finally:
        with suppress(OSError):  # it was never made
            waiting.unlink()
    return copied


def is_lines(path: Path) -> bool:
    return path.suffix in (".jsonl", ".json", ".ndjson")


def _export(connection: Connection, waiting: Path) -> Copied:
    with _private(waiting) as file:
        written = write_lines(connection, file)
    with waiting.open("rb") as file:
        read = check_lines(file)
    if read != written:
        raise BackupError("The copy does not read as it was written: is the disk sound?")
    return written


def _copy(connection: Connection, waiting: Path) -> Copied:
    """SQLite's own online copy: page by page, of one moment."""
    connection.scalar(select(schema.house.c.id))  # the moment begins with the first look
    source = connection.connection.driver_connection
    assert isinstance(source, sqlite3.Connection), "SQLite's own connection"
    _private(waiting).close()
    with closing(sqlite3.connect(waiting, isolation_level=None)) as target:
        source.backup(target, pages=_PAGES)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
        for table in FORGOTTEN:
            target.execute(f"DELETE FROM {table}")
        target.execute("VACUUM")  # deleted rows would stay readable in free pages
        faults = [row[0] for row in target.execute("PRAGMA integrity_check")]
        strangers = target.execute("PRAGMA foreign_key_check").fetchall()
    if faults != ["ok"] or strangers:
        raise BackupError("The copy is not sound: is the disk?")
    copy = open_reader(str(waiting))
    try:
        with copy.read() as copied:
            house = copied.scalar(select(schema.house.c.id))
            if house is None:
                raise BackupError("There is no house in this database.")
            prove(copied)
            rows = {
                table.name: int(copied.scalar(select(func.count()).select_from(table)) or 0)
                for table in TABLES
            }
    finally:
        copy.close()
    return Copied(str(house), rows, "")


def _private(path: Path) -> BinaryIO:
    """A new file for its owner alone: it holds what people have and hashes of passwords."""
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "w+b")


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
