"""A copy put into an empty database, of the same kind or the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, Identity, Table, func, insert, select, text
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from ventiuna.table.audit.auditing import AuditError, audit
from ventiuna.table.backup.lines import (
    TABLES,
    BackupError,
    Copied,
    check_lines,
    checked_row,
    columns_of,
    read_rows,
    rows_of,
)
from ventiuna.table.store.opening import Store, open_store
from ventiuna.table.store.reading import open_reader
from ventiuna.table.store.rows import Values
from ventiuna.texts import one_line

_SQLITE = b"SQLite format 3\0"
_PAGE = 1000  # rows
Pages = Iterator[tuple[Table, Iterable[Values]]]


def restore_into(source: Path, address: str) -> Copied:
    """As `restore`; no database is made for a copy that can't be read."""
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
    """All of the copy, or nothing of it. On PostgreSQL as the owner of the schema."""
    with source.open("rb") as file:
        is_sqlite = file.read(len(_SQLITE)) == _SQLITE
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
            rows = {
                table.name: int(connection.scalar(select(func.count()).select_from(table)) or 0)
                for table in TABLES
            }
            house = _fill(store, _pages(connection), rows)
    except (OperationalError, ProgrammingError) as error:
        raise BackupError(f"{source} can't be restored: {error.orig}.") from None
    finally:
        reader.close()
    return Copied(house, rows, "")


def _pages(connection: Connection) -> Pages:
    for table in TABLES:
        rows = rows_of(connection, table)
        while page := list(islice(rows, _PAGE)):
            yield table, [checked_row(table, row, "The copy") for row in page]


# --- the empty database -----------------------------------------------------------------------


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
            _go_on_counting(connection)
            _check_numbers(connection, due)
            return _audited(connection)
    except IntegrityError as error:
        reason = one_line(str(error.orig).partition("\n")[0])
        raise BackupError(f"The database refuses what is in the copy: {reason}.") from None


def _audited(connection: Connection) -> str:
    try:
        report = audit(connection)
    except AuditError as error:
        raise BackupError(str(error)) from None
    if not report.holds:
        raise BackupError(f"The copy fails its audit: {report.differences[0]}")
    return report.house


def _check_empty(connection: Connection) -> None:
    for table in TABLES:
        if connection.execute(select(table).limit(1)).first() is not None:
            raise BackupError(
                f"The database is not empty: its table {table.name} has rows. Restore into a new "
                "one."
            )


def _check_numbers(connection: Connection, due: dict[str, int]) -> None:
    for table in TABLES:
        found = connection.scalar(select(func.count()).select_from(table))
        if found != due.get(table.name, 0):
            raise BackupError(f"{found} rows of {table.name} arrived, not {due.get(table.name)}.")


@contextmanager
def _without_guards(connection: Connection) -> Iterator[None]:
    """Balances come with the copy and history is not appended: the triggers rest meanwhile."""
    if connection.dialect.name == "sqlite":
        # Rows may come before those that they refer to; that is asked at the end.
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = 1")
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = connection.exec_driver_sql(query).all()
        for name, _ in triggers:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        yield
        for _, made in triggers:
            connection.exec_driver_sql(made)
        return
    _check_owner(connection)
    for table in TABLES:
        connection.exec_driver_sql(f"ALTER TABLE {table.name} DISABLE TRIGGER USER")
    yield
    for table in TABLES:
        connection.exec_driver_sql(f"ALTER TABLE {table.name} ENABLE TRIGGER USER")


def _check_owner(connection: Connection) -> None:
    owns = text("SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'entry'::regclass")
    if not connection.scalar(owns):
        raise BackupError("Restore as the owner of the schema: the program's role can't.")


def _go_on_counting(connection: Connection) -> None:
    """PostgreSQL numbers new rows by itself: behind those that came."""
    if connection.dialect.name == "sqlite":
        return
    for table in TABLES:
        for column in table.columns:
            if isinstance(column.identity, Identity):
                sequence = f"pg_get_serial_sequence('{table.name}', '{column.name}')"
                most = f"(SELECT max({column.name}) FROM {table.name})"
                connection.execute(
                    text(f"SELECT setval({sequence}, {most}) WHERE {most} IS NOT NULL")
                )
