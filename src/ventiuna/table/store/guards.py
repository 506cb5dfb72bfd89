"""Triggers: balances that follow from postings alone, history that stays, rounds that add up.

Revision 1 installs the ledger's, revision 2 those of the tables. A migration runs this text, so
once released it is never edited: a later revision brings its own. Each refusal is an integrity
error on both databases.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, text

APPEND_ONLY = ("entry", "posting", "seal")

_GOES_BACK = (
    "NEW.id <> OLD.id OR NEW.kind <> OLD.kind "
    "OR NEW.version <= OLD.version OR NEW.events < OLD.events"
)


def install_ledger_guards(connection: Connection) -> None:
    _run(connection, _ledger_on_sqlite, _ledger_on_postgres)


def install_table_guards(connection: Connection) -> None:
    _run(connection, _rounds_on_sqlite, _rounds_on_postgres)


def _run(
    connection: Connection,
    on_sqlite: Callable[[], list[str]],
    on_postgres: Callable[[str], list[str]],
) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    for statement in on_sqlite() if is_sqlite else on_postgres(_schema(connection)):
        connection.exec_driver_sql(statement)


def _schema(connection: Connection) -> str:
    schema = connection.scalar(text("SELECT current_schema()"))
    return connection.dialect.identifier_preparer.quote(str(schema))


# --- SQLite: row by row -----------------------------------------------------------------------


def _refuse_on_sqlite(name: str, when: str, reason: str, condition: str = "") -> str:
    return f"""
        CREATE TRIGGER {name} BEFORE {when} {condition}
        BEGIN SELECT RAISE(ABORT, '{reason}'); END
    """


def _ledger_on_sqlite() -> list[str]:
    return [
        """
        CREATE TRIGGER posting_moves_balances AFTER INSERT ON posting
        BEGIN
            UPDATE account SET balance = balance - NEW.amount WHERE id = NEW.from_id;
            UPDATE account SET balance = balance + NEW.amount WHERE id = NEW.to_id;
        END
        """,
        *[
            _refuse_on_sqlite(f"{table}_no_{change.lower()}", f"{change} ON {table}", "append only")
            for table in APPEND_ONLY
            for change in ("UPDATE", "DELETE")
        ],
        *[
            _refuse_on_sqlite(
                f"posting_kind_no_{change.lower()}",
                f"{change} ON posting_kind",
                "only a migration changes posting kinds",
            )
            for change in ("INSERT", "UPDATE", "DELETE")
        ],
        _refuse_on_sqlite(
            "account_opens_empty",
            "INSERT ON account",
            "an account opens empty",
            "WHEN NEW.balance <> 0",
        ),
        _refuse_on_sqlite(
            "account_stays",
            "UPDATE OF id, code, kind ON account",
            "an account keeps its code and kind",
        ),
        _refuse_on_sqlite("account_no_delete", "DELETE ON account", "append only"),
        _refuse_on_sqlite("book_goes_on", "UPDATE ON book", "a book goes on", f"WHEN {_GOES_BACK}"),
        _refuse_on_sqlite("book_no_delete", "DELETE ON book", "append only"),
    ]


def _rounds_on_sqlite() -> list[str]:
    return [
        _refuse_on_sqlite(
            "round_begins_open",
            "INSERT ON round",
            "a round begins open",
            "WHEN NEW.outcome <> 'open'",
        ),
        _refuse_on_sqlite(
            "round_stays_ended",
            "UPDATE ON round",
            "a round that has ended stays as it is",
            "WHEN OLD.outcome <> 'open'",
        ),
        _refuse_on_sqlite(
            "round_ends_without_chips",
            "UPDATE ON round",
            "chips are still on the layout",
            """WHEN NEW.outcome <> 'open' AND EXISTS (
                SELECT 1 FROM account WHERE code = 'stake/' || NEW.table_id AND balance <> 0
            )""",
        ),
        _refuse_on_sqlite("round_no_delete", "DELETE ON round", "append only"),
    ]


# --- PostgreSQL: statement by statement -------------------------------------------------------

_REFUSED = "USING ERRCODE = 'integrity_constraint_violation'"


def _ledger_on_postgres(schema: str) -> list[str]:
    """The program's role may not write balances; the function does, with its owner's rights.

    So its search path is fixed, and temporary tables, which anybody may make, come last.
    """
    return [
        f"""
        CREATE FUNCTION move_balances() RETURNS trigger LANGUAGE plpgsql
        SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$
        BEGIN
            UPDATE account SET balance = balance + moved.net
            FROM (
                SELECT id, sum(cents)::bigint AS net
                FROM (
                    SELECT from_id AS id, -amount AS cents FROM new_posting
                    UNION ALL
                    SELECT to_id, amount FROM new_posting
                ) AS half
                GROUP BY id
                HAVING sum(cents) <> 0
            ) AS moved
            WHERE account.id = moved.id;
            RETURN NULL;
        END $$
        """,
        """
        CREATE TRIGGER posting_moves_balances AFTER INSERT ON posting
        REFERENCING NEW TABLE AS new_posting
        FOR EACH STATEMENT EXECUTE FUNCTION move_balances()
        """,
        f"""
        CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION '%%', TG_ARGV[0] {_REFUSED};
        END $$
        """,
        *[_refuse_on_postgres(table, "append only") for table in APPEND_ONLY],
        _refuse_on_postgres(
            "posting_kind",
            "only a migration changes posting kinds",
            "INSERT OR UPDATE OR DELETE OR TRUNCATE",
        ),
        """
        CREATE TRIGGER account_opens_empty BEFORE INSERT ON account
        FOR EACH ROW WHEN (NEW.balance <> 0)
        EXECUTE FUNCTION refuse_change('an account opens empty')
        """,
        """
        CREATE TRIGGER account_stays BEFORE UPDATE OF id, code, kind ON account
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an account keeps its code and kind')
        """,
        _refuse_on_postgres("account", "append only", "DELETE OR TRUNCATE"),
        f"""
        CREATE TRIGGER book_goes_on BEFORE UPDATE ON book
        FOR EACH ROW WHEN ({_GOES_BACK}) EXECUTE FUNCTION refuse_change('a book goes on')
        """,
        _refuse_on_postgres("book", "append only", "DELETE OR TRUNCATE"),
    ]


def _refuse_on_postgres(
    table: str, reason: str, changes: str = "UPDATE OR DELETE OR TRUNCATE"
) -> str:
    return f"""
        CREATE TRIGGER {table}_no_change BEFORE {changes} ON {table}
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('{reason}')
    """


def _rounds_on_postgres(schema: str) -> list[str]:
    return [
        """
        CREATE TRIGGER round_begins_open BEFORE INSERT ON round
        FOR EACH ROW WHEN (NEW.outcome <> 'open')
        EXECUTE FUNCTION refuse_change('a round begins open')
        """,
        """
        CREATE TRIGGER round_stays_ended BEFORE UPDATE ON round
        FOR EACH ROW WHEN (OLD.outcome <> 'open')
        EXECUTE FUNCTION refuse_change('a round that has ended stays as it is')
        """,
        f"""
        CREATE FUNCTION check_round_end() RETURNS trigger LANGUAGE plpgsql
        SET search_path = {schema}, pg_temp AS $$
        BEGIN
            IF EXISTS (
                SELECT 1 FROM account WHERE code = 'stake/' || NEW.table_id AND balance <> 0
            ) THEN
                RAISE EXCEPTION 'chips are still on the layout' {_REFUSED};
            END IF;
            RETURN NEW;
        END $$
        """,
        """
        CREATE TRIGGER round_ends_without_chips BEFORE UPDATE ON round
        FOR EACH ROW WHEN (NEW.outcome <> 'open') EXECUTE FUNCTION check_round_end()
        """,
        _refuse_on_postgres("round", "append only", "DELETE OR TRUNCATE"),
    ]
