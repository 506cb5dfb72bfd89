"""Schema revisions: equal to the metadata, upgraded with data, unknown ones refused."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, make_url, text
from sqlalchemy.exc import DBAPIError

from tests.cli.running import good
from tests.support.postgres import PROGRAM
from tests.table.conftest import Database
from tests.table.ledger import book_with, posting
from ventiuna.table.journal import balances, seal_books, verify_book, verify_seals
from ventiuna.table.store import postgres, schema
from ventiuna.table.store.connection import Store, open_reader, open_store
from ventiuna.table.store.postgres import migrate
from ventiuna.table.store.schema import (
    install_guards,
    known_revisions,
    metadata,
    newest_revision,
    revision_of,
)
from ventiuna.table.store.statements import StoreError, WrongRevision


def _migrated(database: Database) -> Store:
    if database.name == "postgresql":
        migrate(database.owner, PROGRAM)
    return open_store(database.owner)


def test_revisions_match_those_alembic_finds() -> None:
    scripts = ScriptDirectory(str(Path(schema.__file__).parent / "migrations"))
    assert [script.revision for script in scripts.walk_revisions()][::-1] == known_revisions()


@contextmanager
def _next_revision(folder: Path, *statements: str) -> Iterator[None]:
    """A later version of the program, whose newest revision runs these statements."""
    shutil.copytree(schema._MIGRATIONS, folder)
    (folder / "versions" / "r9000_next.py").write_text(
        "from ventiuna.table.store.migrations import run_each\n"
        'revision = "r9000"\n'
        f'down_revision = "{newest_revision()}"\n'
        "def upgrade():\n"
        f"    run_each({statements!r})\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_MIGRATIONS", folder)
        schema.known_revisions.cache_clear()
        yield
    schema.known_revisions.cache_clear()


_NEW_COLUMN = "ALTER TABLE person ADD COLUMN note TEXT"


def test_an_upgrade_keeps_the_data(own_database: Database, tmp_path: Path) -> None:
    """Opening a SQLite file to write upgrades it; the owner upgrades a PostgreSQL database."""
    store = _migrated(own_database)
    with store.write() as connection:
        book = book_with(
            connection,
            posting("issue", "mint > wallet/1", 500),
            posting("buy_in", "wallet/1 > stack/7/3", 200),
        )
        seal_books(connection, at=1)
    store.close()
    way = (
        "`ventiuna table` or `ventiuna serve` upgrades the file"
        if own_database.name == "sqlite"
        else "Upgrade it with `ventiuna house migrate`"
    )
    newest = newest_revision()
    with _next_revision(tmp_path / "migrations", _NEW_COLUMN):
        with pytest.raises(WrongRevision, match=f"has schema {newest}, but this .* {way}"):
            open_reader(own_database.owner)
        store = _migrated(own_database)
        with store.read() as connection:
            assert revision_of(connection) == "r9000"
            assert "note" in _columns_of_people(connection)
            assert balances(connection) == {"mint": -500, "stack/7/3": 200, "wallet/1": 300}
            assert verify_book(connection, book).version == 2
            assert verify_seals(connection) == 1
        store.close()


def test_people_keep_their_roles_and_tokens(own_database: Database, tmp_path: Path) -> None:
    """r0008 rebuilds the table of people on SQLite; other tables refer to its rows."""
    with _oldest_revision(tmp_path / "migrations"):
        store = _migrated(own_database)
        with store.write() as connection:
            for number, role in enumerate(("player", "operator", "auditor"), start=1):
                connection.exec_driver_sql(
                    "INSERT INTO person (id, name, kind, role, password, failed, created_at) "
                    f"VALUES ({number}, '{role}', 'registered', '{role}', 'hash', 0, 1)"
                )
                digest = "x" * 31 + str(number)
                connection.execute(
                    schema.token.insert().values(
                        digest=digest.encode(), person_id=number, purpose="access", expires_at=9
                    )
                )
        store.close()
    store = _migrated(own_database)
    with store.write() as connection:
        people = "SELECT name FROM person JOIN token ON person_id = person.id WHERE name = role"
        assert len(connection.exec_driver_sql(people).all()) == 3
        connection.exec_driver_sql("UPDATE person SET role = 'owner' WHERE id = 2")
    with pytest.raises(DBAPIError), store.write() as connection:  # foreign keys are on again
        connection.exec_driver_sql("DELETE FROM person WHERE id = 1")
    store.close()


@contextmanager
def _oldest_revision(folder: Path) -> Iterator[None]:
    """An earlier version of the program, whose only revision is the first."""
    shutil.copytree(schema._MIGRATIONS, folder)
    _, *later = sorted((folder / "versions").glob("r*.py"))
    for file in later:
        file.unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_MIGRATIONS", folder)
        patch.setattr(postgres, "RIGHTS", {})  # its tables come later
        schema.known_revisions.cache_clear()
        try:
            yield
        finally:
            schema.known_revisions.cache_clear()


def test_a_failed_upgrade_leaves_the_schema_unchanged(
    own_database: Database, tmp_path: Path
) -> None:
    """Both databases roll back schema changes."""
    _migrated(own_database).close()
    failing = _next_revision(tmp_path / "migrations", _NEW_COLUMN, "DROP TABLE missing")
    with failing, pytest.raises((StoreError, DBAPIError), match="missing"):
        _migrated(own_database)
    store = open_store(own_database.owner)
    with store.read() as connection:
        assert revision_of(connection) == newest_revision()
        assert "note" not in _columns_of_people(connection)
    store.close()


def _columns_of_people(connection: Connection) -> set[str]:
    return {column["name"] for column in inspect(connection).get_columns("person")}


# --- equal to the metadata --------------------------------------------------------------------


def test_the_migrated_schema_matches_the_metadata(own_database: Database) -> None:
    """Every column, key, check, index, trigger, and function, as the database reports them."""
    is_file = own_database.name == "sqlite"
    address = make_url("sqlite://" if is_file else own_database.owner)
    engine = create_engine(address if is_file else address.set(drivername="postgresql+psycopg"))
    with engine.connect() as connection:  # rolled back
        metadata.create_all(connection)
        install_guards(connection)
        expected = _schema(connection)
    engine.dispose()
    store = _migrated(own_database)
    with store.read() as connection:
        assert _schema(connection) == expected
    assert len(expected) > (30 if is_file else 100)
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
        tuple(re.sub(r'[\s"]', "", str(part)) for part in row)  # ignores formatting
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


@pytest.mark.parametrize("revision", ["r0001", "r0006"])
def test_a_house_of_an_early_development_version_is_refused(
    own_database: Database, revision: str
) -> None:
    store = _migrated(own_database)
    with store.write() as connection:
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))
    store.close()
    refused = (
        f"The database has schema {revision}, but this version of Ventiuna upgrades only r0007 "
        "and later. Open the house once with a development version that has r0007, "
        "then with this one."
    )
    for opened in (open_store, open_reader):
        with pytest.raises(WrongRevision) as caught:
            opened(own_database.owner)
        assert str(caught.value) == refused


def test_an_empty_database_is_set_up_or_reported(own_database: Database) -> None:
    if own_database.name == "sqlite":
        open_store(own_database.owner).close()
    else:
        with pytest.raises(WrongRevision, match="Set it up with `ventiuna house migrate`"):
            open_store(own_database.owner)
        good("house", "migrate", PROGRAM, "--database", own_database.owner)
        open_store(own_database.program).close()
