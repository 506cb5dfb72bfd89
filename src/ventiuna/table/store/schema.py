"""A house's database schema: tables, triggers, and revisions for SQLite and PostgreSQL.

Integers have 64 bits: they are cents, counts, numbers, or milliseconds since 1970. SQLite tables
are STRICT; otherwise, they could store 1.5 cents.

Triggers enforce rules that a CHECK or a key can't: balances change only through postings, history
never changes, and rounds add up. The first revision installs the triggers by running the SQL in
this module, so the SQL is never edited once released; a later revision has its own. A violation is
an integrity error on both databases.

Alembic runs the revisions without an ini file.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Connection,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    inspect,
    text,
)
from sqlalchemy.schema import SchemaItem

from ventiuna.table.ledger import ACCOUNT_RULES, POSTING_KINDS, AccountKind, Bound
from ventiuna.table.store.statements import WrongRevision

if TYPE_CHECKING:
    from alembic.config import Config

INT = BigInteger().with_variant(Integer, "sqlite")
NAMES = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}
metadata = MetaData(naming_convention=NAMES)


def _table(name: str, *items: SchemaItem) -> Table:
    return Table(name, metadata, *items, sqlite_strict=True)


def _number(name: str, *items: SchemaItem) -> Column[int]:
    return Column(name, INT, *items, nullable=False)


def _number_or_none(name: str) -> Column[int]:
    return Column(name, INT)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _bytes(name: str) -> Column[bytes]:
    return Column(name, LargeBinary, nullable=False)


def _id() -> Column[int]:
    return Column("id", INT, Identity(), primary_key=True)


def _key(name: str, *items: SchemaItem) -> Column[int]:
    """A primary key column whose values the program assigns."""
    return Column(name, INT, *items, primary_key=True, autoincrement=False)


def _check(name: str, rule: str) -> CheckConstraint:
    return CheckConstraint(rule, name=name)


def _quoted_list(values: Iterable[str]) -> str:
    return ", ".join(f"'{value}'" for value in values)


def _one_of(column: str, *values: str) -> CheckConstraint:
    return _check(column, f"{column} IN ({_quoted_list(values)})")


def _hashes(*columns: str) -> list[CheckConstraint]:
    return [_check(f"{column}_bytes", f"length({column}) = 32") for column in columns]


def _kinds_with(bound: Bound) -> str:
    return _quoted_list(rule.kind for rule in ACCOUNT_RULES.values() if rule.bound is bound)


house = _table(
    "house",
    Column("id", Text, primary_key=True, nullable=False),
    Column("only", INT, nullable=False, quote=True),
    _text("name"),
    _number("format"),
    Column("separate_duties", INT, nullable=False, server_default=text("0")),
    UniqueConstraint("only"),
    _check("only", '"only" = 1'),  # a single row
)

person = _table(
    "person",
    _id(),
    _text("name"),
    _text("kind"),
    _text("role"),
    Column("password", Text),
    _number("failed"),
    _number_or_none("locked_until"),
    _number("created_at"),
    UniqueConstraint("name"),
    _one_of("kind", "guest", "registered"),
    _one_of("role", "player", "floor", "operator", "auditor", "owner"),
    _check("password", "(kind = 'guest') = (password IS NULL)"),
)

name_key = _table(  # no two people have names that look alike
    "name_key",
    Column("skeleton", Text, primary_key=True, nullable=False),
    _number("person_id", ForeignKey("person.id")),
)

restriction = _table(
    "restriction",
    _key("person_id", ForeignKey("person.id")),
    _number("blocked"),
    _number("excluded_until"),
    _number_or_none("house_deposit"),
    _number_or_none("house_loss"),
    _number_or_none("house_wager"),
    _number_or_none("own_deposit"),
    _number_or_none("own_loss"),
    _number_or_none("own_wager"),
    _number_or_none("later_deposit"),
    _number_or_none("later_loss"),
    _number_or_none("later_wager"),
    _number("later_at"),
    _check("blocked", "blocked IN (0, 1)"),
)

token = _table(
    "token",
    Column("digest", LargeBinary, primary_key=True, nullable=False),  # never the token itself
    _number("person_id", ForeignKey("person.id")),
    _text("purpose"),
    _number("expires_at"),
    _number_or_none("revoked_at"),
    *_hashes("digest"),
)

book = _table(  # locking its row locks the book
    "book",
    _id(),
    _text("kind"),
    _number("version"),
    _number("events"),
    _bytes("head"),
    _one_of("kind", "table", "jackpot", "cashier"),
    *_hashes("head"),
)

entry = _table(  # append-only
    "entry",
    _key("book_id", ForeignKey("book.id")),
    _key("version"),
    _number("first_event"),
    _number("at"),
    _text("actor"),
    _text("key"),
    _bytes("request"),
    _text("command"),
    _text("events"),
    _number("engine"),
    _bytes("hash"),
    UniqueConstraint("actor", "key"),
    _check("version", "version > 0"),
    *_hashes("request", "hash"),
)

account = _table(
    "account",
    _id(),
    _text("code"),
    _text("kind"),
    Column("balance", INT, nullable=False, server_default=text("0")),
    UniqueConstraint("code"),
    UniqueConstraint("id", "kind"),
    _one_of("kind", *AccountKind),
    _check("code", "code = kind OR substr(code, 1, length(kind) + 1) = kind || '/'"),
    _check("not_below_zero", f"kind NOT IN ({_kinds_with(Bound.NOT_BELOW_ZERO)}) OR balance >= 0"),
    _check("not_above_zero", f"kind NOT IN ({_kinds_with(Bound.NOT_ABOVE_ZERO)}) OR balance <= 0"),
)

posting_kind = _table(  # filled only by migrations
    "posting_kind",
    _text("code"),
    _text("from_kind"),
    _text("to_kind"),
    PrimaryKeyConstraint("code", "from_kind", "to_kind"),
)

_REASONED = _quoted_list(dict.fromkeys(kind.code for kind in POSTING_KINDS if kind.needs_reason))

posting = _table(  # append-only
    "posting",
    _key("book_id"),
    _key("version"),
    _key("line"),
    _text("code"),
    _number("from_id"),
    _text("from_kind"),
    _number("to_id"),
    _text("to_kind"),
    _number("amount"),
    _number_or_none("round_number"),
    _number_or_none("event"),
    _number_or_none("spot"),
    Column("reason", Text),
    ForeignKeyConstraint(["book_id", "version"], ["entry.book_id", "entry.version"]),
    ForeignKeyConstraint(["from_id", "from_kind"], ["account.id", "account.kind"]),
    ForeignKeyConstraint(["to_id", "to_kind"], ["account.id", "account.kind"]),
    ForeignKeyConstraint(
        ["code", "from_kind", "to_kind"],
        ["posting_kind.code", "posting_kind.from_kind", "posting_kind.to_kind"],
    ),
    _check("amount", "amount > 0"),
    _check("other_account", "from_id <> to_id"),
    _check("reason", f"code NOT IN ({_REASONED}) OR reason IS NOT NULL"),
)

_INTO_WALLET = (posting.c.code == text("'issue'")) | (posting.c.code == text("'cash_out'"))
_BOUGHT = posting.c.code == text("'buy_in'")
IS_CORRECTION = (posting.c.code == text("'correction_paid'")) | (
    posting.c.code == text("'correction_taken'")
)
Index(
    "ix_posting_correction",
    posting.c.book_id,
    sqlite_where=IS_CORRECTION,
    postgresql_where=IS_CORRECTION,
)
Index(
    "ix_posting_into_wallet",
    posting.c.to_id,
    sqlite_where=_INTO_WALLET,
    postgresql_where=_INTO_WALLET,
)
Index("ix_posting_bought", posting.c.from_id, sqlite_where=_BOUGHT, postgresql_where=_BOUGHT)

seal = _table(  # append-only
    "seal",
    _key("number"),
    _number("at"),
    _text("moved"),  # JSON: books that moved since the last seal, and row counts
    _bytes("heads"),
    _bytes("previous"),
    _bytes("hash"),
    *_hashes("heads", "previous", "hash"),
)

process = _table("process", _id(), _number("started_at"), _number("beat_at"))

allowance = _table(  # rate limits by address; rows are obsolete after `full_at`
    "allowance",
    _text("what"),
    _bytes("address"),
    _number("full_at"),
    PrimaryKeyConstraint("what", "address"),
    *_hashes("address"),
)

watching = _table(  # number of spectators at each table, by process
    "watching",
    _key("process"),
    _key("table_id", ForeignKey("game_table.id")),
    _number("people"),
    _check("people", "people > 0"),
)

game_table = _table(
    "game_table",
    _key("id", ForeignKey("book.id")),
    _text("name"),
    _text("rules_name"),
    _text("rules_fingerprint"),
    _text("rules_data"),
    _text("state"),
    _text("clocks"),
    Column("inspection", Text),  # JSON: the steps so far; NULL if the table needs none
    Column("options", Text, nullable=False, server_default=text("'{}'")),  # JSON: those that are on
    Column("alarms", Text),  # JSON: those that nobody has acknowledged; NULL if there are none
    _one_of("state", "open", "closing", "closed", "fault"),
)

waiting = _table(  # separate because every command changes it, often without other changes
    "waiting",
    _key("table_id", ForeignKey("game_table.id")),
    _number_or_none("deadline_at"),
    _number_or_none("ask"),
)

seat = _table(
    "seat",
    _key("table_id", ForeignKey("game_table.id")),
    _key("number"),
    _number("person_id", ForeignKey("person.id")),
    _text("status"),
    _number("client"),
    _number_or_none("hold_until"),
    _number_or_none("process"),  # the process that the seat's client is connected to
    UniqueConstraint("table_id", "person_id"),
    _one_of("status", "here", "away", "leaving"),
)

spot = _table(
    "spot",
    _key("table_id"),
    _key("number"),
    _number("seat"),
    ForeignKeyConstraint(["table_id", "seat"], ["seat.table_id", "seat.number"]),
)

bot = _table(  # a guest played by the house
    "bot",
    _key("person_id", ForeignKey("person.id")),
    _number("table_id", ForeignKey("game_table.id")),
    _text("strategy"),
)

shoe = _table(
    "shoe",
    _key("table_id", ForeignKey("game_table.id")),
    _key("number"),
    _text("context"),
    _bytes("salt"),
    _bytes("commitment"),
    _text("source"),
    Column("mix", LargeBinary),
    _number("dealt"),  # cards dealt before the round in play
    _text("bonus"),  # JSON: places of Bonus Cards, out of play until the shoe ends
    _number_or_none("closed_version"),
    Column("seed", LargeBinary),
    Column("lost", INT, nullable=False, server_default=text("0")),  # ended, and its key is lost
    _one_of("source", "os", "test"),
    _check("lost", "lost IN (0, 1) AND (lost = 0 OR seed IS NULL)"),
    _check("ended", "(closed_version IS NULL) = (seed IS NULL AND lost = 0)"),
    *_hashes("salt", "commitment", "mix", "seed"),
)
_IN_PLAY = shoe.c.mix.is_not(None) & shoe.c.closed_version.is_(None)
Index(
    "uq_shoe_in_play",
    shoe.c.table_id,
    unique=True,
    sqlite_where=_IN_PLAY,
    postgresql_where=_IN_PLAY,
)

cut = _table(
    "cut",
    _key("table_id"),
    _key("shoe"),
    _key("seat"),
    _number("person_id", ForeignKey("person.id")),
    _bytes("commitment"),
    Column("value", LargeBinary),
    ForeignKeyConstraint(["table_id", "shoe"], ["shoe.table_id", "shoe.number"]),
    *_hashes("commitment", "value"),
)

round_ = _table(
    "round",
    _key("table_id", ForeignKey("game_table.id")),
    _key("number"),
    _number("shoe"),
    _number("first_version"),
    _number_or_none("last_version"),
    _text("outcome"),
    ForeignKeyConstraint(["table_id", "shoe"], ["shoe.table_id", "shoe.number"]),
    _one_of("outcome", "open", "closed", "void"),
    _check("last_version", "(outcome = 'open') = (last_version IS NULL)"),
)
_OPEN = round_.c.outcome == text("'open'")
Index(
    "uq_round_open",
    round_.c.table_id,
    unique=True,
    sqlite_where=_OPEN,
    postgresql_where=_OPEN,
)

jackpot = _table(
    "jackpot",
    _key("id", ForeignKey("book.id")),
    _text("name"),
    _text("settings"),
    _bytes("settings_hash"),
    _number_or_none("maximum"),
    _number("reserve_rate"),
    _number_or_none("advance_limit"),
    _text("state"),
    _number("missing"),
    _one_of("state", "open", "suspended", "removed"),
    _check("maximum", "maximum IS NULL OR maximum >= 0"),
    _check("missing", "missing >= 0"),
    *_hashes("settings_hash"),
)

link = _table(
    "link",
    _number("jackpot_id", ForeignKey("jackpot.id")),
    _key("table_id", ForeignKey("game_table.id")),
    _key("game"),
    _number("remainder"),
    _number("reserve_remainder"),
    UniqueConstraint("jackpot_id", "table_id"),
    _check("game", "game IN (1, 2)"),
    _check("remainder", "remainder BETWEEN 0 AND 9999"),
    _check("reserve_remainder", "reserve_remainder BETWEEN 0 AND 9999"),
)

held_award = _table(  # percentage awards waiting for a hand-pay
    "held_award",
    _key("table_id", ForeignKey("game_table.id")),
    _key("number"),  # the event that held it
    _number("round_number"),
    _number("spot"),
    _number("person_id", ForeignKey("person.id")),
    _number("game"),
    _number("amount"),
    _check("amount", "amount > 0"),
)

# Any process can report on a job; the process named here runs it while its heartbeat continues.
job = _table(
    "job",
    Column("id", Text, primary_key=True, nullable=False),
    _number("person_id", ForeignKey("person.id")),
    _number("process"),
    _number("run"),  # number of starts, so that a process that lost the job stops writing
    _text("state"),
    _number("stopping"),  # a stop was requested
    _text("facts"),  # JSON: the request and the progress
    Column("result", Text),  # JSON
    Column("checkpoint", LargeBinary),  # another process can resume from here
    _number("changed_at"),
    _one_of("state", "running", "interrupted", "stopped", "done", "cancelled", "failed"),
    _check("stopping", "stopping IN (0, 1)"),
)

audit_run = _table(
    "audit_run",
    _id(),
    _number("process"),
    _text("state"),
    _number("entries"),
    _number("entries_in_all"),
    Column("result", Text),  # JSON
    _one_of("state", "running", "interrupted", "done", "cancelled", "failed"),
)

# Computed from the books; missing rows are computed again.
review = _table(
    "review",
    _key("person_id", ForeignKey("person.id")),
    _key("table_id"),
    _key("round_number"),
    _number("at"),
    _text("data"),
)

# The monitor's state for a table after the last round it read.
monitor = _table(
    "monitor",
    _key("table_id", ForeignKey("game_table.id")),
    _text("data"),
)

practice = _table(
    "practice",
    _key("person_id", ForeignKey("person.id")),
    Column("rules", Text, primary_key=True),  # fingerprint
    Column("item", Text, primary_key=True),
    _text("kind"),
    _text("situation"),
    _number("box"),
    _number("due_at"),
    _number("asked"),
    _number("missed"),
    _check("box", "box BETWEEN 0 AND 9"),
    _check("counts", "0 <= missed AND missed <= asked"),
)

# The dealer's school: lessons and classes. This isn't money, so the books don't include it.
lesson = _table(
    "lesson",
    _id(),
    _number("person_id", ForeignKey("person.id")),
    _text("kind"),
    _text("level"),
    _text("rules"),
    _number("seed"),  # secret until the lesson is finished
    _number("supervised"),
    _number("begun_at"),
    _number("changed_at"),
    _text("state"),
    _text("moves"),  # JSON: what the trainee did, round by round; empty once it is finished
    Column("result", Text),  # JSON
    _number("rounds"),  # finished rounds
    _number("steps"),
    _number("correct"),
    _number("milliseconds"),
    _number_or_none("score"),
    _number_or_none("passed"),
    _one_of("kind", "guided", "practice", "exam", "catch", "payouts"),
    _one_of("state", "open", "done"),
    _check("result", "(state = 'done') = (result IS NOT NULL)"),
    _check("counts", "0 <= correct AND correct <= steps"),
    _check("score", "score BETWEEN 0 AND 100"),
    _check("passed", "passed IN (0, 1)"),
)
Index("ix_lesson_person", lesson.c.person_id)

training_class = _table(
    "training_class",
    _id(),
    _text("code"),  # trainees join with it
    _text("name"),
    _number("trainer_id", ForeignKey("person.id")),
    _number("created_at"),
    UniqueConstraint("code"),
)

trainee = _table(
    "trainee",
    _key("class_id", ForeignKey("training_class.id")),
    _key("person_id", ForeignKey("person.id")),
    _number("joined_at"),
)


APPEND_ONLY = ("entry", "posting", "seal")

_GOES_BACK = (
    "NEW.id <> OLD.id OR NEW.kind <> OLD.kind "
    "OR NEW.version <= OLD.version OR NEW.events < OLD.events"
)


def install_guards(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        guards = _ledger_on_sqlite() + _rounds_on_sqlite()
    else:
        schema = _schema(connection)
        guards = _ledger_on_postgres(schema) + _rounds_on_postgres(schema)
    for statement in guards:
        connection.exec_driver_sql(statement)


def _schema(connection: Connection) -> str:
    schema = connection.scalar(text("SELECT current_schema()"))
    return connection.dialect.identifier_preparer.quote(str(schema))


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


_REFUSED = "USING ERRCODE = 'integrity_constraint_violation'"


def _ledger_on_postgres(schema: str) -> list[str]:
    """The ledger's functions and triggers.

    The program's role may not write balances, so `move_balances` runs with its owner's privileges.
    For safety, the function has a fixed search path. Temporary tables come last in it, because
    anyone can create them.
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


REVISION_TABLE = "alembic_version"  # where Alembic stores the revision
_MIGRATIONS = Path(__file__).parent / "migrations"
_BEFORE_FIRST = tuple(f"r000{number}" for number in range(1, 7))  # development versions


def upgrade(connection: Connection) -> None:
    """Upgrade the schema to the newest revision; refuses unknown revisions."""
    if revision_of(connection) == newest_revision():
        return
    from alembic import command  # slow to import, and rarely needed

    command.upgrade(_config(connection), "head")


def newest_revision() -> str:
    return known_revisions()[-1]


def revision_of(connection: Connection) -> str | None:
    """The revision of this database; None if it is empty."""
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    found: str | None = connection.scalar(text(f"SELECT version_num FROM {REVISION_TABLE}"))
    known = known_revisions()
    if found is None or found in known:
        return found
    oldest, newest = known[0], known[-1]
    if found in _BEFORE_FIRST:
        raise WrongRevision(
            f"The database has schema {found}, but this version of Ventiuna upgrades only {oldest} "
            f"and later. Open the house once with a development version that has {oldest}, "
            "then with this one."
        )
    raise WrongRevision(
        f"The database has schema {found}, which this version of Ventiuna doesn't know "
        f"(its newest is {newest}). Use the version that made it."
    )


@cache
def known_revisions() -> list[str]:
    """All revisions, oldest first, from their file names."""
    files = (_MIGRATIONS / "versions").glob("r*.py")
    return sorted(file.name.partition("_")[0] for file in files)


def check_revision(connection: Connection) -> None:
    """Refuse any schema but the newest."""
    found = revision_of(connection)
    newest = newest_revision()
    if found is None:
        raise WrongRevision("The database is empty. Set it up with `ventiuna house migrate`.")
    if found != newest:
        is_file = connection.dialect.name == "sqlite"
        by_file = "`ventiuna table` or `ventiuna serve` upgrades the file when it opens it"
        way = by_file if is_file else "Upgrade it with `ventiuna house migrate`"
        raise WrongRevision(
            f"The database has schema {found}, but this version of Ventiuna needs {newest}. {way}."
        )


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
