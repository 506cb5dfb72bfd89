"""The schema's revisions: up and down with data, equal to the metadata, unknown ones refused."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import Connection, inspect, text

from tests.cli.running import good
from tests.support.postgres import PROGRAM
from tests.table.conftest import Database
from tests.table.ledger import book_with, posting
from tests.table.tampering import rolled_back
from ventiuna.table.journal import balances, seal_books, verify_book, verify_seals
from ventiuna.table.store.connection import Store, open_reader, open_store
from ventiuna.table.store.postgres import migrate
from ventiuna.table.store.schema import (
    downgrade,
    install_ledger_guards,
    install_table_guards,
    known_revisions,
    metadata,
    newest_revision,
    revision_of,
    upgrade,
)
from ventiuna.table.store.statements import WrongRevision


def _migrated(database: Database) -> Store:
    if database.name == "postgresql":
        migrate(database.owner, PROGRAM)
    return open_store(database.owner)


def test_up_and_down_with_data(own_database: Database) -> None:
    store = _migrated(own_database)
    with store.write() as connection:
        downgrade(connection, "base")
        assert _names(connection) == {"alembic_version"}
        assert revision_of(connection) is None
        upgrade(connection, "r0001")
        book = book_with(
            connection,
            posting("issue", "mint > wallet/1", 500),
            posting("buy_in", "wallet/1 > stack/7/3", 200),
        )
        seal_books(connection, at=1)
    for revision in known_revisions()[1:]:
        for way, target in ((upgrade, revision), (downgrade, "-1"), (upgrade, revision)):
            with store.write() as connection:
                way(connection, target)
                _check_data(connection, book)
    with store.write() as connection:
        assert revision_of(connection) == newest_revision()
        connection.execute(
            text(
                "INSERT INTO game_table (id, name, rules_name, rules_fingerprint, rules_data,"
                " state, clocks) VALUES (:id, 'n', 'r', 'f', '{}', 'open', '{}')"
            ),
            {"id": book},
        )
    with store.write() as connection:
        downgrade(connection, "base")
        assert _names(connection) == {"alembic_version"}
        assert _leftovers(connection) == []
        upgrade(connection)
    store.close()
    open_store(own_database.owner).close()


def test_what_tables_wait_for_moves_to_rows_of_its_own_and_back(own_database: Database) -> None:
    store = _migrated(own_database)
    with store.write() as connection:
        waits, rests = book_with(connection), book_with(connection)
        for table in (waits, rests):
            connection.execute(
                text(
                    "INSERT INTO game_table (id, name, rules_name, rules_fingerprint, rules_data,"
                    " state, clocks) VALUES (:id, 'n', 'r', 'f', '{}', 'open', '{}')"
                ),
                {"id": table},
            )
        connection.execute(text(f"INSERT INTO waiting VALUES ({waits}, 1790000000000, 17)"))
        downgrade(connection, "r0004")
        rows = connection.execute(
            text("SELECT id, deadline_at, ask FROM game_table ORDER BY id")
        ).all()
        assert [tuple(row) for row in rows] == [(waits, 1790000000000, 17), (rests, None, None)]
        upgrade(connection)
        rows = connection.execute(text("SELECT table_id, deadline_at, ask FROM waiting")).all()
        assert [tuple(row) for row in rows] == [(waits, 1790000000000, 17)]
    store.close()


def _check_data(connection: Connection, book: int) -> None:
    assert balances(connection) == {"mint": -500, "stack/7/3": 200, "wallet/1": 300}
    assert verify_book(connection, book).version == 2
    assert verify_seals(connection) == 1


def _names(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def _leftovers(connection: Connection) -> list[str]:
    """Functions and triggers that no table took along."""
    if connection.dialect.name == "sqlite":
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    else:
        query = "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
    return [str(name) for name in connection.execute(text(query)).scalars()]


def test_a_migration_that_fails_leaves_the_schema_as_it_was(own_database: Database) -> None:
    """Statements that change a schema belong to the transaction too, on SQLite as well."""
    store = _migrated(own_database)
    with rolled_back(store) as connection:
        downgrade(connection, "base")
        assert _names(connection) == {"alembic_version"}
    with store.read() as connection:
        assert revision_of(connection) == newest_revision()
        assert _names(connection) == {"alembic_version", *metadata.tables}
    store.close()


# --- equal to the metadata --------------------------------------------------------------------


def test_the_migrated_schema_is_that_of_the_metadata(own_database: Database) -> None:
    """Every column, key, check, index, trigger and function, as the database tells them."""
    store = _migrated(own_database)
    with store.write() as connection:
        migrated = _schema(connection)
        downgrade(connection, "base")
        metadata.create_all(connection)
        install_ledger_guards(connection)
        install_table_guards(connection)
        assert _schema(connection) == migrated
    assert len(migrated) > 100 if own_database.name == "postgresql" else len(migrated) > 30
    store.close()


_POSTGRES_SCHEMA = """
SELECT 'column', attrelid::regclass::text, attname::text,
       concat(format_type(atttypid, atttypmod), attnotnull, attidentity,
              pg_get_expr(adbin, adrelid))
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0
    AND NOT attisdropped
UNION ALL SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid)
  FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'function', '', proname, pg_get_functiondef(oid)
  FROM pg_proc WHERE pronamespace = 'public'::regnamespace
"""


def _schema(connection: Connection) -> set[tuple[str, ...]]:
    if connection.dialect.name == "sqlite":
        query = "SELECT type, tbl_name, name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    else:
        query = _POSTGRES_SCHEMA
    rows = connection.exec_driver_sql(query).all()
    return {
        tuple(re.sub(r'[\s"]', "", str(part)) for part in row)  # as it means, not as it looks
        for row in rows
        if row[1] != "alembic_version"
    }


# --- refused ----------------------------------------------------------------------------------


def test_an_unknown_revision_is_refused_with_one_sentence(own_database: Database) -> None:
    store = _migrated(own_database)
    with store.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'r9999'"))
    store.close()
    told = (
        "The database has schema r9999, which this version of Ventiuna doesn't know "
        f"(its newest is {newest_revision()}). Use the version that made it."
    )
    with pytest.raises(WrongRevision) as caught:
        open_store(own_database.owner)
    assert str(caught.value) == told
    if own_database.name == "postgresql":
        with pytest.raises(WrongRevision):
            migrate(own_database.owner, PROGRAM)


def test_an_older_schema_is_brought_up_where_one_process_owns_it(own_database: Database) -> None:
    """A SQLite file when it is opened; PostgreSQL is told, as its owner migrates it."""
    store = _migrated(own_database)
    with store.write() as connection:
        downgrade(connection, "r0001")
    store.close()
    if own_database.name == "sqlite":
        with pytest.raises(
            WrongRevision, match="`ventiuna table` or `ventiuna serve` upgrades the file"
        ):
            open_reader(own_database.owner)
        store = open_store(own_database.owner)
        with store.read() as connection:
            assert revision_of(connection) == newest_revision()
        store.close()
    else:
        with pytest.raises(WrongRevision, match=r"has schema r0001, but this .* house migrate"):
            open_store(own_database.owner)
        migrate(own_database.owner, PROGRAM)
        open_store(own_database.program).close()


def test_an_empty_database_is_set_up_or_told(own_database: Database) -> None:
    if own_database.name == "sqlite":
        open_store(own_database.owner).close()
    else:
        with pytest.raises(WrongRevision, match="Set it up with `ventiuna house migrate`"):
            open_store(own_database.owner)
        good("house", "migrate", PROGRAM, "--database", own_database.owner)
        open_store(own_database.program).close()
