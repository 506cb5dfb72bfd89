"""Helpers for tests of tampering with full access to the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection

from ventiuna.table.store.connection import Store

_TRIGGERS_ON_SQLITE = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
_TAKE_AWAY_ON_POSTGRES = """
DO $$ DECLARE found record; BEGIN
    FOR found IN SELECT conrelid::regclass AS relation, conname FROM pg_constraint
        WHERE contype = 'f' AND connamespace = 'public'::regnamespace
    LOOP
        EXECUTE format('ALTER TABLE %%s DROP CONSTRAINT %%I', found.relation, found.conname);
    END LOOP;
    FOR found IN SELECT tgrelid::regclass AS relation, tgname FROM pg_trigger
        WHERE NOT tgisinternal
    LOOP
        EXECUTE format('DROP TRIGGER %%I ON %%s', found.tgname, found.relation);
    END LOOP;
END $$
"""


class _Undo(Exception):
    pass


@contextmanager
def rolled_back(store: Store) -> Iterator[Connection]:
    """A transaction that is always rolled back."""
    with suppress(_Undo), store.write() as connection:
        yield connection
        raise _Undo


def take_guards_away(connection: Connection) -> None:
    """Drop triggers and foreign keys; keys that can't be dropped are deferred to the commit."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = 1")
        for name in connection.exec_driver_sql(_TRIGGERS_ON_SQLITE).scalars().all():
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
    else:
        connection.exec_driver_sql(_TAKE_AWAY_ON_POSTGRES)
