"""Every way to tamper with a house is found by the audit, or the page says why it isn't."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import Connection, Table, text
from sqlalchemy.exc import DataError, IntegrityError

from tests import IS_SOAK
from tests.cli.running import good, run
from tests.support.postgres import PROGRAM
from tests.table.conftest import Postgres
from tests.table.postgres_definitions import FILE, written
from tests.table.sweep import TABLES, Case, Copies, audited, cases, furnish, unguarded
from tests.table.tables import Room
from tests.table.tampering import rolled_back
from ventiuna.table.audit.house import AuditError, AuditReport
from ventiuna.table.store.connection import open_store

PAGE = Path(__file__).parents[2] / "docs" / "auditing.md"
SAMPLE = 9  # PostgreSQL tries every ninth case, or all of them in a soak

# Kinds of difference that identify the change; for all other tables, it is a row difference.
KINDS = {
    "entry": {"chain", "command", "row"},
    "posting": {"posting", "row"},
    "account": {"balance"},
    "book": {"chain", "row"},
    "seal": {"seal"},
    "person": {"row", "seal"},
    "shoe": {"row", "shoe"},
}


def out_of_reach() -> set[str]:
    """The page's list: `table`, `table.column`, `table added`, `table deleted`."""
    listed = PAGE.read_text(encoding="utf-8").partition("### What an audit can't see")[2]
    rows = re.findall(r"^\| (`.*?) \|", listed, re.MULTILINE)
    return {
        f"{name}{how}"
        for row in rows
        for name, how in re.findall(r"`([\w.]+)`( added| deleted)?", row)
    }


@dataclass
class Swept:
    """A house with data, and a way to get a copy that may be tampered with."""

    room: Room
    fresh: Callable[[], AbstractContextManager[Connection]]


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Swept]:
    path = tmp_path_factory.mktemp("swept") / "house.sqlite"
    store = open_store(str(path))
    room = furnish(store)
    store.close()
    copies = Copies(path)
    yield Swept(room, copies.fresh)
    copies.close()


@pytest.fixture(scope="module")
def on_postgres(postgres: Postgres) -> Iterator[Swept]:
    name = f"swept_{postgres.worker}"
    postgres.create_house(name)
    # Connected as a superuser, whom no trigger or foreign key stops.
    store = open_store(postgres.address(name))
    room = furnish(store)
    yield Swept(room, lambda: rolled_back(store))
    store.close()
    postgres.drop(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def swept(request: pytest.FixtureRequest) -> Swept:
    fixture = "on_sqlite" if request.param == "sqlite" else "on_postgres"
    found: Swept = request.getfixturevalue(fixture)
    return found


def tampered(swept: Swept, change: Callable[[Connection], object]) -> AuditReport:
    with swept.fresh() as connection:
        with unguarded(connection):
            change(connection)
        return audited(connection, swept.room)


def statements(*all_of_them: str) -> Callable[[Connection], object]:
    return lambda connection: [connection.exec_driver_sql(one) for one in all_of_them]


# --- rows -------------------------------------------------------------------------------------


def test_the_house_passes_before_tampering(swept: Swept) -> None:
    with swept.fresh() as connection:
        assert audited(connection, swept.room).differences == []


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_tampered_row_is_found_and_identified(on_sqlite: Swept, table: Table) -> None:
    with on_sqlite.fresh() as connection:
        found = list(cases(connection, table))
    assert unseen(on_sqlite, found) == []


@pytest.mark.parametrize("first", range(1 if not IS_SOAK else SAMPLE))
def test_tampered_rows_are_found_on_postgresql(on_postgres: Swept, first: int) -> None:
    with on_postgres.fresh() as connection:
        found = [case for table in TABLES for case in cases(connection, table)]
    assert unseen(on_postgres, found[first::SAMPLE]) == []


def unseen(swept: Swept, found: list[Case]) -> list[str]:
    """Cases that the audit misses although the page doesn't list them.

    Listed cases are only tried in a soak: even they must not cause a traceback.
    """
    listed = out_of_reach()
    missed: list[str] = []
    for case in found:
        table = re.split(r"[. ]", case.what)[0]
        is_listed = bool({case.what, table} & listed)
        if is_listed and not IS_SOAK:
            continue
        try:
            report = tampered(swept, case.change)
        except (IntegrityError, DataError):
            continue  # the database itself refuses it, with or without guards
        except AuditError:
            assert table == "house"
            continue
        kinds = {str(one.kind) for one in report.differences}
        if not is_listed and not kinds & KINDS.get(table, {"row"}):
            missed.append(f"{case}: {sorted(kinds)}")
    return missed


def test_the_page_lists_only_what_exists() -> None:
    columns = {f"{table.name}.{column.name}" for table in TABLES for column in table.columns}
    tables = {table.name for table in TABLES}
    for listed in out_of_reach():
        name = listed.partition(" ")[0]
        assert name in columns | tables
    assert {"token", "seal deleted", "person.password", "entry.request"} <= out_of_reach()


# --- stories ----------------------------------------------------------------------------------

NO_CASHIER = "DELETE FROM book WHERE kind = 'cashier'"
MINT = (
    """INSERT INTO entry SELECT book_id, version + 50, first_event + 50, at, actor, key || 'x',
    request, command, events, engine, hash FROM entry WHERE book_id = 1 AND version = 1""",
    """INSERT INTO posting SELECT book_id, version + 50, line, code, from_id, from_kind, to_id,
    to_kind, 100000000, round_number, event, spot, reason FROM posting
    WHERE book_id = 1 AND version = 1""",
    "UPDATE account SET balance = balance - 100000000 WHERE code = 'mint'",
    "UPDATE account SET balance = balance + 100000000 WHERE code = 'wallet/1'",
)
FORGED = (
    """INSERT INTO posting SELECT 1, 99, 1, 'issue', bank.id, 'bank', wallet.id, 'wallet', 70000,
    NULL, NULL, NULL, NULL FROM account AS bank, account AS wallet
    WHERE bank.code = 'bank/4' AND wallet.code = 'wallet/2'""",
    "UPDATE account SET balance = balance - 70000 WHERE code = 'bank/4'",
    "UPDATE account SET balance = balance + 70000 WHERE code = 'wallet/2'",
)


@pytest.mark.parametrize(
    ("story", "named"),
    [
        ((NO_CASHIER,), {"row of book 1", "seal 2"}),
        ((NO_CASHIER, *MINT), {"row of book 1", "its postings"}),
        (
            (NO_CASHIER, "UPDATE person SET role = 'operator' WHERE id = 2"),
            {"row of book 1", "row of person 2, role"},
        ),
        ((NO_CASHIER, *FORGED), {"row of book 1", "row of posting 1 99 1"}),
        (FORGED, {"row of posting 1 99 1"}),
        (("DELETE FROM book",), {"row of book 1", "row of book 2", "row of book 3", "seal 2"}),
        (
            ("DELETE FROM posting WHERE book_id = 1", "DELETE FROM entry WHERE book_id = 1"),
            {"the book's version", "seal 1"},
        ),
    ],
)
def test_hiding_a_book_hides_nothing(swept: Swept, story: tuple[str, ...], named: set[str]) -> None:
    report = tampered(swept, statements(*story))
    assert named <= {one.what for one in report.differences}


# --- no tracebacks ----------------------------------------------------------------------------

DEEP = "[" * 100_000
UNREADABLE = {
    "an unknown kind of book": "UPDATE book SET kind = 'tacle' WHERE id = 3",
    "one kind for every book": "UPDATE book SET kind = 'cashier'",
    "a command made of brackets": f"UPDATE entry SET command = '{DEEP}'",
    "events made of brackets": f"UPDATE entry SET events = '{DEEP}'",
    "a command that is a number": "UPDATE entry SET command = '7'",
    "commands that are lists": "UPDATE entry SET command = '[[]]', events = '[{}]'",
    "a huge number": f"UPDATE entry SET command = replace(command, '1', '{'9' * 5000}')",
    "a list of books made of brackets": f"UPDATE seal SET moved = '{DEEP}'",
    "a list of books without books": "UPDATE seal SET moved = '{}'",
    "books that are strings": """UPDATE seal SET moved = '[["a","b"]]'""",
    "amounts whose sum overflows": "UPDATE posting SET amount = 9223372036854775807",
    "the largest balances": "UPDATE account SET balance = 9223372036854775807",
    "an account without a name": "UPDATE account SET code = '' WHERE code = 'wallet/1'",
    "an account without an owner": "UPDATE account SET code = 'wallet/x' WHERE code = 'wallet/1'",
    "rules made of brackets": f"UPDATE game_table SET rules_data = '{DEEP}'",
    "settings made of brackets": f"UPDATE jackpot SET settings = '{DEEP}'",
    "Bonus Card positions": f"UPDATE shoe SET bonus = '{DEEP}'",
    "the earliest possible time": "UPDATE entry SET at = -9223372036854775807",
    "a seal with a negative number": "UPDATE seal SET number = -5 WHERE number = 2",
    "a person with a negative number": "UPDATE person SET id = -1 WHERE id = 2",
    "an unknown engine version": "UPDATE entry SET engine = 99",
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_nonsensical_house_is_reported(swept: Swept, case: str) -> None:
    try:
        report = tampered(swept, statements(UNREADABLE[case]))
    except (IntegrityError, DataError):
        return  # PostgreSQL doesn't accept it
    assert not report.holds
    assert all(len(str(one)) < 100_000 for one in report.differences)


@pytest.mark.parametrize(
    ("retyped", "change"),
    [
        ("balance INTEGER", "UPDATE account SET balance = 1180591620717411303424.0"),
        ("balance INTEGER", "UPDATE account SET balance = 'plenty'"),
        ("code TEXT", "UPDATE account SET code = CAST(x'ff' AS TEXT) WHERE id = 1"),
        ("amount INTEGER", "UPDATE posting SET amount = 'plenty'"),
        ("command TEXT", "UPDATE entry SET command = x'00' WHERE book_id = 1"),
        ("version INTEGER", "UPDATE entry SET version = version + 0.5"),
        ("head BLOB", "UPDATE book SET head = 5"),
        ("moved TEXT", "UPDATE seal SET moved = x'ff'"),
        ("role TEXT", "UPDATE person SET role = x'ff'"),
    ],
)
def test_values_that_no_column_allows_are_reported(
    on_sqlite: Swept, retyped: str, change: str
) -> None:
    """The schema is rewritten so that it accepts them: 2 to the 70th cents."""
    name = retyped.split()[0]

    def rewrite(connection: Connection) -> None:
        for statement in (
            "PRAGMA writable_schema = 1",
            f"""UPDATE sqlite_master SET sql = replace(replace(sql, '{retyped}', '{name} ANY'),
            'STRICT', '') WHERE type = 'table'""",
            "PRAGMA writable_schema = RESET",
            change,
        ):
            connection.exec_driver_sql(statement)

    report = tampered(on_sqlite, rewrite)
    assert {"guard"} < {str(one.kind) for one in report.differences}


def test_columns_of_another_type_are_reported_on_postgresql(on_postgres: Swept) -> None:
    change = statements(
        "DROP TRIGGER account_opens_empty ON account",
        "ALTER TABLE account ALTER balance TYPE numeric",
        "UPDATE account SET balance = balance + 1180591620717411303424.5 WHERE code = 'house'",
        "ALTER TABLE posting DROP CONSTRAINT ck_posting_amount",
        "ALTER TABLE posting ALTER amount TYPE text",
    )
    kinds = {str(one.kind) for one in tampered(on_postgres, change).differences}
    assert {"guard", "row"} <= kinds


# --- definitions ------------------------------------------------------------------------------

ON_SQLITE = {
    "DROP TRIGGER entry_no_delete": "trigger entry_no_delete is missing",
    "CREATE INDEX mine ON entry (at)": "index mine doesn't belong",
    "CREATE TABLE mine (a)": "table mine doesn't belong",
    "CREATE VIEW mine AS SELECT 1": "view mine doesn't belong",
    "CREATE TRIGGER mine AFTER INSERT ON entry BEGIN SELECT 1; END": "trigger mine doesn't belong",
    "DROP INDEX uq_round_open": "index uq_round_open is missing",
}
REWRITTEN = {
    ("amount > 0", "true"): "table posting was changed",
    ("CHECK (kind IN (", "CHECK (true OR kind IN ("): "table account was changed",
    ("REFERENCES book (id)", "REFERENCES person (id)"): "table entry was changed",
    ("WHEN NEW.balance <> 0", "WHEN false"): "trigger account_opens_empty was changed",
    ("'stake/'", "'stake/ '"): "trigger round_ends_without_chips was changed",
    ("WHERE outcome = 'open'", "WHERE outcome = 'never'"): "index uq_round_open was changed",
}


@pytest.mark.parametrize("statement", ON_SQLITE)
def test_changed_guards_are_reported_on_sqlite(on_sqlite: Swept, statement: str) -> None:
    with on_sqlite.fresh() as connection:
        connection.exec_driver_sql(statement)
        (found,) = audited(connection, on_sqlite.room).differences
    assert found.stored == ON_SQLITE[statement]


@pytest.mark.parametrize("change", REWRITTEN)
def test_ineffective_guards_are_reported_on_sqlite(
    on_sqlite: Swept, change: tuple[str, str]
) -> None:
    with on_sqlite.fresh() as connection:
        connection.exec_driver_sql("PRAGMA writable_schema = 1")
        connection.execute(
            text("UPDATE sqlite_master SET sql = replace(sql, :was, :now)"),
            dict(zip(("was", "now"), change, strict=True)),
        )
        connection.exec_driver_sql("PRAGMA writable_schema = RESET")
        report = audited(connection, on_sqlite.room)
    assert {str(one.kind) for one in report.differences} == {"guard"}
    assert REWRITTEN[change] in report.differences[0].stored


ON_POSTGRES = {
    "DROP TRIGGER entry_no_change ON entry": "trigger entry.entry_no_change is missing",
    "ALTER TABLE entry DISABLE TRIGGER entry_no_change": (
        "trigger entry.entry_no_change was changed"
    ),
    "DROP TRIGGER account_opens_empty ON account; CREATE TRIGGER account_opens_empty "
    "BEFORE INSERT ON account FOR EACH ROW WHEN (false) "
    "EXECUTE FUNCTION refuse_change('an account opens empty')": (
        "trigger account.account_opens_empty was changed"
    ),
    "ALTER TABLE posting DROP CONSTRAINT ck_posting_amount; "
    "ALTER TABLE posting ADD CONSTRAINT ck_posting_amount CHECK (true)": (
        "constraint posting.ck_posting_amount was changed"
    ),
    "ALTER TABLE bot DROP CONSTRAINT fk_bot_person_id; ALTER TABLE bot ADD CONSTRAINT "
    "fk_bot_person_id FOREIGN KEY (person_id) REFERENCES person (id) NOT VALID": (
        "constraint bot.fk_bot_person_id was changed"
    ),
    "DROP INDEX uq_round_open; CREATE INDEX uq_round_open ON round (table_id)": (
        "index uq_round_open was changed"
    ),
    "CREATE INDEX mine ON entry (at)": "index mine doesn't belong",
    "CREATE TABLE mine (a int)": "table mine doesn't belong",
    "CREATE VIEW mine AS SELECT 1 AS a": "relation mine doesn't belong",
    "CREATE RULE mine AS ON DELETE TO entry DO INSTEAD NOTHING": "rule entry.mine doesn't belong",
    "CREATE POLICY mine ON entry USING (version > 1); "
    "ALTER TABLE entry ENABLE ROW LEVEL SECURITY": (
        "table entry was changed; policy entry.mine doesn't belong"
    ),
    "ALTER TABLE entry ALTER at DROP NOT NULL": "column entry.at was changed",
    "ALTER TABLE account ALTER balance SET DEFAULT 5": "column account.balance was changed",
    "ALTER FUNCTION move_balances() SECURITY INVOKER": "function move_balances was changed",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'": "function mine doesn't belong",
    f"ALTER TABLE seal OWNER TO {PROGRAM}": "owner of seal doesn't belong",
    f"GRANT UPDATE ON entry TO {PROGRAM}": (
        f"privilege UPDATE on entry for {PROGRAM} doesn't belong"
    ),
    f"GRANT UPDATE (balance) ON account TO {PROGRAM}": (
        f"privilege UPDATE on account.balance for {PROGRAM} doesn't belong"
    ),
    "GRANT SELECT ON shoe TO PUBLIC": "privilege SELECT on shoe for everyone doesn't belong",
}


@pytest.mark.parametrize("change", ON_POSTGRES)
def test_changed_guards_and_privileges_are_reported_on_postgresql(
    on_postgres: Swept, change: str
) -> None:
    with on_postgres.fresh() as connection:
        for statement in change.split("; "):
            connection.exec_driver_sql(statement)
        (found,) = audited(connection, on_postgres.room).differences
    assert ON_POSTGRES[change] in found.stored


def test_the_definitions_match_a_migrated_database(on_postgres: Swept) -> None:
    """`python -m tests.table.postgres_definitions` updates them after a schema change."""
    with on_postgres.fresh() as connection:
        assert written(connection) == FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("change", ["DELETE FROM alembic_version", "DROP TABLE alembic_version"])
def test_a_schema_without_its_revision_is_reported(swept: Swept, change: str) -> None:
    report = tampered(swept, statements(change))
    assert "the revision of its schema" in {one.what for one in report.differences}


# --- the command ------------------------------------------------------------------------------


def test_the_command_reports_hidden_changes_and_exits_with_1(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite"
    good("house", "create", "--database", str(path))
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("DROP TRIGGER book_no_delete; DELETE FROM book")
    done = run("audit", "--database", str(path))
    assert done.code == 1
    assert "the cashier's book. Found: none. Expected: one." in done.out
    assert "trigger book_no_delete is missing" in done.out
