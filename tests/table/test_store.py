"""Opening a house: its settings, the lock, the roles, and the errors if it can't be opened."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, ProgrammingError

from tests.support.memory_store import MemoryStore
from tests.support.postgres import PROGRAM
from tests.table.conftest import Database, Postgres
from tests.table.ledger import book_with, posting, request, write
from tests.table.tampering import rolled_back
from tests.test_errors import without
from ventiuna.table.journal import balances, verify_book
from ventiuna.table.ledger import POSTING_KINDS
from ventiuna.table.store import connection as sqlite
from ventiuna.table.store.connection import LOG, SqliteStore, Store, open_store
from ventiuna.table.store.postgres import PostgresStore, foreign_rights, migrate
from ventiuna.table.store.statements import StoreError, StoreInUse


def test_a_fresh_house_lists_the_posting_kinds_of_the_chart(store: Store) -> None:
    with store.read() as connection:
        stored = connection.execute(text("SELECT code, from_kind, to_kind FROM posting_kind"))
        listed = {(kind.code, kind.from_kind, kind.to_kind) for kind in POSTING_KINDS}
        assert {tuple(row) for row in stored} == listed


def test_commits_survive_a_restart(database: Database) -> None:
    store = open_store(database.program)
    with store.write() as connection:
        book = book_with(connection, posting("issue", "mint > wallet/1", 500))
    store.close()
    store = open_store(database.program)
    with store.read() as connection:
        assert balances(connection) == {"mint": -500, "wallet/1": 500}
        verify_book(connection, book)
    store.close()


def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    with rolled_back(store) as connection:
        book_with(connection, posting("issue", "mint > wallet/1", 500))
    with store.read() as connection:
        assert balances(connection) == {}
        assert connection.scalar(text("SELECT count(*) FROM book")) == 0


def test_a_reader_sees_one_snapshot_and_cannot_write(store: Store) -> None:
    with store.read() as reader:
        assert balances(reader) == {}
        with store.write() as connection:
            book_with(connection, posting("issue", "mint > wallet/1", 500))
        assert balances(reader) == {}
    with store.read() as reader:
        assert balances(reader) == {"mint": -500, "wallet/1": 500}
    with pytest.raises(DBAPIError), store.read() as reader:
        reader.execute(text("DELETE FROM process"))


# --- SQLite -----------------------------------------------------------------------------------


def test_the_settings_of_the_write_connection(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "house.sqlite")
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "trusted_schema": 0,
        "mmap_size": 0,
        "fullfsync": 1,
        "recursive_triggers": 1,
        "query_only": 0,
        "wal_autocheckpoint": LOG,
    }
    with store.write() as connection:
        for name, value in wanted.items():
            assert connection.exec_driver_sql(f"PRAGMA {name}").scalar() == value, name
    store.close()


def test_the_write_connection_is_reused_while_it_works(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "house.sqlite")
    with store.write() as first:
        book_with(first, posting("issue", "mint > wallet/1", 500))
    with store.write() as second:
        assert second is first
    with rolled_back(store) as failing:
        book_with(failing, posting("issue", "mint > wallet/1", 7))
    with store.write() as after:
        assert after is not first
        book_with(after, posting("issue", "mint > wallet/1", 30))
    with store.read() as connection:
        assert balances(connection)["wallet/1"] == 530
    store.close()


def test_a_commit_that_fails_leaves_nothing_and_the_next_one_works(tmp_path: Path) -> None:
    """Foreign keys are checked only at commit, which fails while the transaction is still open."""
    store = SqliteStore(tmp_path / "house.sqlite")

    def break_a_key() -> None:
        with store.write() as connection:
            connection.exec_driver_sql("PRAGMA defer_foreign_keys = 1")
            connection.exec_driver_sql("INSERT INTO waiting (table_id) VALUES (99)")

    with pytest.raises(DBAPIError, match="FOREIGN KEY"):
        break_a_key()
    with store.write() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM waiting").scalar() == 0
    store.close()


def test_a_thread_that_waits_too_long_to_write_gets_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)
    store = SqliteStore(tmp_path / "house.sqlite")
    with (
        store.write(),
        pytest.raises(StoreInUse, match="locked for too long by another thread"),
        store.write(),
    ):
        pass
    with store.write() as connection:
        book_with(connection, posting("issue", "mint > wallet/1", 500))
    store.close()


def test_a_new_file_and_its_log_are_readable_only_by_their_owner(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "house.sqlite")
    with store.read():
        rights = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    store.close()
    assert "house.sqlite-wal" in rights
    assert set(rights.values()) == {0o600}


def test_readers_write_nothing_and_never_checkpoint_the_log(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "house.sqlite")
    wanted = {"query_only": 1, "wal_autocheckpoint": 0, "trusted_schema": 0, "mmap_size": 0}
    with store.read() as connection:
        for name, value in wanted.items():
            assert connection.exec_driver_sql(f"PRAGMA {name}").scalar() == value, name
        log = tmp_path / "house.sqlite-wal"
        size = log.stat().st_size
        assert size > 0
    store._readers.dispose()
    assert log.stat().st_size == size
    store.close()
    assert not log.exists()  # the writer is closed last and removes the log


def test_tables_are_strict(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "house.sqlite")
    with store.read() as connection:
        tables = connection.exec_driver_sql("PRAGMA table_list").mappings().all()
    ours = {row["name"]: row["strict"] for row in tables if row["schema"] == "main"}
    loose = {name for name, strict in ours.items() if not strict}
    assert loose == {"alembic_version", "sqlite_schema"}
    store.close()


def opened_elsewhere(path: Path) -> str:
    """The error another process gets when it opens this file; empty if it succeeds."""
    program = (
        "from pathlib import Path; from ventiuna.table.store.connection import SqliteStore;"
        "from ventiuna import VentiunaError\n"
        f"try: SqliteStore(Path({str(path)!r})).close()\n"
        "except VentiunaError as error: print(error)"
    )
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have only the lock file")
@pytest.mark.parametrize("way", ["hard link", "lock file moved"])
def test_a_second_process_is_refused_under_any_path(tmp_path: Path, way: str) -> None:
    path = tmp_path / "house.sqlite"
    store = SqliteStore(path)
    other = tmp_path / "other.sqlite" if way == "hard link" else path
    if way == "hard link":
        other.hardlink_to(path)
    else:
        path.with_name("house.sqlite.lock").rename(tmp_path / "moved.lock")
    assert opened_elsewhere(other) == (
        f"{other} is in use by another process. Only one process at a time may open it.\n"
    )
    with store.write() as connection:
        connection.exec_driver_sql("PRAGMA user_version")
    store.close()
    assert opened_elsewhere(other) == "", "a lease ends with its process"


def test_a_second_process_is_refused_with_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite"
    store = SqliteStore(path)
    assert opened_elsewhere(path) == (
        f"{path} is in use by process {os.getpid()}. Only one process at a time may open it.\n"
    )
    with pytest.raises(StoreInUse):  # not even in the same process
        SqliteStore(path)
    store.close()
    store.close()  # a second close does no harm
    SqliteStore(path).close()


@pytest.mark.parametrize("kind", ["a text", "a folder", "nowhere"])
def test_a_file_that_isnt_a_house_is_reported_in_one_sentence(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "house.sqlite"
    if kind == "a text":
        path.write_text("Not a database at all, but long enough to be read as one. " * 50)
    elif kind == "a folder":
        path.mkdir()
    else:
        path = tmp_path / "missing" / "house.sqlite"
    with pytest.raises(StoreError) as caught:
        SqliteStore(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_an_old_sqlite_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 37, 2))
    with pytest.raises(StoreError, match=r"tables need 3\.38 or later"):
        SqliteStore(tmp_path / "house.sqlite")


def test_a_house_in_memory_has_the_same_guards() -> None:
    store = MemoryStore()
    with store.write() as connection:
        book = book_with(connection, posting("issue", "mint > wallet/1", 500))
    with pytest.raises(DBAPIError), store.write() as connection:
        write(connection, book, request(posting("redeem", "wallet/1 > mint", 501)))
    with store.read() as connection:
        assert balances(connection) == {"mint": -500, "wallet/1": 500}
        verify_book(connection, book)
    store.close()


# --- PostgreSQL -------------------------------------------------------------------------------


@pytest.fixture
def program(postgres: Postgres, postgres_house: str) -> Database:
    postgres.empty(postgres_house)
    return postgres.database(postgres_house)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE account SET balance = balance + 1",
        "INSERT INTO account (code, kind, balance) VALUES ('wallet/2', 'wallet', 0)",
        "DELETE FROM account",
        "INSERT INTO posting_kind VALUES ('gift', 'house', 'wallet')",
        "DELETE FROM posting_kind",
        *(
            statement.format(table)
            for table in ("entry", "posting", "seal")
            for statement in ("UPDATE {} SET version = 1", "DELETE FROM {}", "TRUNCATE {} CASCADE")
        ),
        "UPDATE book SET kind = 'cashier'",
        "DELETE FROM book",
        "DELETE FROM round",
        "DROP TRIGGER posting_moves_balances ON posting",
        "ALTER TABLE posting DISABLE TRIGGER ALL",
        "SET session_replication_role = replica",
        "UPDATE alembic_version SET version_num = 'r0000'",
        "CREATE TABLE mine (a INT)",
    ],
)
def test_the_programs_role_cannot_alter_the_books(program: Database, statement: str) -> None:
    store = PostgresStore(program.program)
    with store.write() as connection:
        book_with(connection, posting("issue", "mint > wallet/1", 500))
    refused = "permission denied|must be owner"
    with pytest.raises(ProgrammingError, match=refused), store.write() as connection:
        connection.exec_driver_sql(statement.replace("seal SET version", "seal SET number"))
    store.close()


def test_a_temporary_table_cannot_intercept_balances(program: Database) -> None:
    """A temporary table with the same name would win, unless the search path says otherwise."""
    store = PostgresStore(program.program)
    with store.write() as connection:
        book = book_with(connection, posting("issue", "mint > wallet/1", 500))
        line = posting("redeem", "wallet/1 > mint", 200)
        connection.exec_driver_sql("CREATE TEMP TABLE account AS SELECT * FROM public.account")
        write(connection, book, request(line))
        held = connection.scalar(text("SELECT balance FROM public.account WHERE code = 'wallet/1'"))
    assert held == 300
    store.close()


def test_privileges_beyond_the_programs_own_are_found(program: Database) -> None:
    store = PostgresStore(program.owner)
    with rolled_back(store) as connection:
        assert foreign_rights(connection) == []
        for statement in (
            f"GRANT UPDATE, SELECT ON entry TO {PROGRAM}",
            f"GRANT UPDATE (balance) ON account TO {PROGRAM}",
            f"GRANT INSERT ON posting TO {PROGRAM} WITH GRANT OPTION",
            "GRANT SELECT ON shoe TO PUBLIC",
        ):
            connection.execute(text(statement))
        assert foreign_rights(connection) == [
            f"privilege UPDATE on account.balance for {PROGRAM} doesn't belong",
            f"privilege UPDATE on entry for {PROGRAM} doesn't belong",
            f"privilege INSERT on posting for {PROGRAM} doesn't belong",
            "privilege SELECT on shoe for everyone doesn't belong",
        ]
    store.close()


def test_migrating_again_changes_nothing(program: Database) -> None:
    migrate(program.owner, PROGRAM)
    PostgresStore(program.program).close()


def test_a_missing_role_is_reported(program: Database) -> None:
    with pytest.raises(StoreError, match="There is no role 'nobody-there'"):
        migrate(program.owner, "nobody-there")


def test_a_role_without_privileges_is_reported(postgres: Postgres, program: Database) -> None:
    postgres.run("CREATE ROLE stranger LOGIN")
    try:
        with pytest.raises(StoreError, match="doesn't allow this: permission denied"):
            PostgresStore(program.program.replace(PROGRAM, "stranger"))
    finally:
        postgres.run("DROP ROLE stranger")


def test_isolation_and_flushing(postgres: Postgres, program: Database) -> None:
    name = program.owner.partition("@/")[2].partition("?")[0]
    postgres.run(f"ALTER DATABASE {name} SET synchronous_commit = off")
    try:
        store = PostgresStore(program.program)
        with store.write() as connection:
            assert connection.exec_driver_sql("SHOW transaction_isolation").scalar() == (
                "read committed"
            )
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
        store.close()
    finally:
        postgres.run(f"ALTER DATABASE {name} RESET synchronous_commit")


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql://nobody@/x?host=/nowhere", "can't be reached"),
        ("postgresql://host:port/x", "must be an address"),
        ("mysql://host/x", "'mysql' isn't a supported database"),
    ],
)
def test_a_missing_database(address: str, told: str) -> None:
    with pytest.raises(StoreError, match=told) as caught:
        open_store(address)
    assert "\n" not in str(caught.value)


# --- without the extras -----------------------------------------------------------------------


def test_a_missing_driver_is_reported() -> None:
    script = """
import ventiuna
try:
    import ventiuna.table.store.postgres
except ventiuna.MissingExtra as error:
    print(error)
"""
    done = without("psycopg", script)
    assert done.stderr == ""
    assert "pip install 'ventiuna[postgres]'" in done.stdout
