"""Audits a whole house from one database snapshot: every book, balance, seal, and row.

The database's keys, checks, and triggers keep bad rows out, but someone who turns them off for a
moment can still insert some. So the audit checks every reference, constraint, and owner again with
queries built from the schema. It also reports missing, changed, or unexpected safeguards, because
anyone who can change the schema can replace a guard with one that does nothing.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    Connection,
    ForeignKeyConstraint,
    Select,
    Table,
    and_,
    create_engine,
    exists,
    func,
    literal_column,
    not_,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError, OperationalError

from ventiuna.engine import Refused
from ventiuna.errors import VentiunaError
from ventiuna.table import accounts, duties
from ventiuna.table.access import Role
from ventiuna.table.accounts import first_money_key
from ventiuna.table.admin import HOUSE_FORMAT
from ventiuna.table.audit.entries import (
    Difference,
    DifferenceKind,
    Differences,
    Location,
    with_reason,
)
from ventiuna.table.audit.jackpots import AllJackpotsCheck, JackpotCheck
from ventiuna.table.audit.tables import (
    FAULTS,
    AuditContext,
    AuditCounts,
    BookCheck,
    CardsOnTop,
    Notes,
    TableCheck,
    no_cards_on_top,
    reason_of,
)
from ventiuna.table.domain.commands import NEEDS_SECOND, OpenTable
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.fairness import HouseKey
from ventiuna.table.jackpots.progressive import CreateJackpot
from ventiuna.table.journal import (
    BookKind,
    BookVersions,
    Seal,
    SealFault,
    SealOrder,
    StoredEntry,
    all_seals,
    check_seals,
    newest_seal,
    stored_entries,
    versions_at,
)
from ventiuna.table.ledger import (
    ACCOUNT_RULES,
    POSTING_KINDS,
    AccountKind,
    Bound,
    ChartError,
    Entry,
    JournalHead,
    canonical_json,
    kind_of,
    request_hash,
)
from ventiuna.table.outside_seals import OutsideSeal, contradictions
from ventiuna.table.store import schema
from ventiuna.table.store.schema import (
    account,
    book,
    bot,
    entry,
    house,
    install_guards,
    metadata,
    newest_revision,
    person,
    posting,
    revision_of,
    seal,
)
from ventiuna.table.store.statements import Prepared
from ventiuna.texts import pluralize


class CashierCheck(BookCheck):
    """Audits the cashier's book."""

    def __init__(self, book: int, by: AuditContext) -> None:
        super().__init__(book, by)
        self._roles: dict[int, str] = {}
        self._bots: set[int] = set()
        self._restrictions: dict[int, duties.Restriction] = {}
        self._is_separate = False

    def add(self, stored: StoredEntry) -> None:
        self._count(stored)
        try:
            self._check(stored)
        except FAULTS as error:
            self._report_events(stored.entry, error)

    def finish(self, head: JournalHead) -> None:
        super().finish(head)
        self._check_roles(head.book)
        self._check_bots(head.book)
        self._check_restrictions(head.book)
        stored = duties.are_separate(self._by.connection)
        if stored != self._is_separate:
            what = "row of the house, separate_duties"
            due = str(self._is_separate)
            self._differences.add(DifferenceKind.ROW, Location(head.book), what, str(stored), due)

    def _check_roles(self, book: int) -> None:
        """Check that everyone is a player, except those with a recorded role."""
        rows = self._by.connection.execute(select(person.c.id, person.c.role))
        stored = {row.id: row.role for row in rows}
        for number in sorted(stored.keys() | self._roles.keys()):
            role = self._roles.get(number, str(Role.PLAYER))
            if stored.get(number) != role:
                what = f"row of person {number}, role"
                self._differences.add(
                    DifferenceKind.ROW, Location(book), what, stored.get(number), role
                )

    def _check_restrictions(self, book: int) -> None:
        stored = duties.restrictions(self._by.connection)
        for number in sorted(stored.keys() | self._restrictions.keys()):
            found = stored.get(number, duties.NO_RESTRICTION)
            due = self._restrictions.get(number, duties.NO_RESTRICTION)
            if found != due:
                what = f"row of person {number}, restrictions"
                self._differences.add(
                    DifferenceKind.ROW, Location(book), what, str(found), str(due)
                )

    def _check_bots(self, book: int) -> None:
        """Check that the house created every bot, because the house bets with the bots' wallets."""
        query = select(bot.c.person_id).order_by(bot.c.person_id)
        for number in self._by.connection.scalars(query):
            if number not in self._bots:
                what = f"row of bot {number}"
                due = "none: the house never gave this bot a bankroll"
                self._differences.add(DifferenceKind.ROW, Location(book), what, "a row", due)

    def _check(self, stored: StoredEntry) -> None:
        entry = stored.entry
        data = json.loads(entry.command)
        command = accounts.CASHIER_COMMANDS.read(dict(data))
        due = accounts.cashier_event(command)
        expected = canonical_json([accounts.CASHIER_EVENTS.data(due)])
        if entry.events != expected:
            self._report(
                DifferenceKind.EVENT, entry, f"event {entry.first_event}", entry.events, expected
            )
        self._check_request(entry, request_hash(data))
        self._check_postings(stored, accounts.cashier_postings(due, entry.first_event))
        if isinstance(due, accounts.RoleGiven):
            self._roles[due.person] = due.role
        elif isinstance(due, accounts.GuestRenamed):
            self._by.renamed[due.person] = due.name
        elif isinstance(due, duties.DutyEvent):
            before = self._restrictions.get(due.person, duties.NO_RESTRICTION)
            self._restrictions[due.person] = before.after(due, entry.at)
        elif isinstance(command, duties.HouseCommand):
            self._check_house_command(entry, command)
        elif isinstance(command, accounts.IssueMoney):
            subject = f"person {command.person}"
            _check_second_person(self._by, entry, subject, is_needed=self._is_separate)
            if (entry.actor, entry.key) == (SERVICE.name, first_money_key(command.person)):
                self._bots.add(command.person)

    def _check_house_command(self, entry: Entry, command: duties.HouseCommand) -> None:
        found = self._by.approvals
        if isinstance(command, duties.SeparateDuties):
            self._is_separate = command.is_on
            self._by.separations.append((entry.at, command.is_on))
        elif isinstance(command, duties.ApproveRequest | duties.RefuseRequest):
            due = "an answer to a request"
            try:
                found[command.request].check_answer(entry.actor, entry.at)
            except KeyError:
                self._report(DifferenceKind.COMMAND, entry, "its request", "none", due)
            except Refused as error:
                self._report(DifferenceKind.COMMAND, entry, "its request", error.message, due)
        duties.add_approval(found, entry.version, entry.at, entry.actor, command)


_SECOND_NAMES = {kind.__name__ for kind in NEEDS_SECOND}
_SETTLING = 10_000  # milliseconds until every process has certainly seen a change to the option


def _check_second_person(by: AuditContext, entry: Entry, subject: str, *, is_needed: bool) -> None:
    """Check that a second person approved a person's command if separate duties were on."""
    word, _, number = entry.key.partition("/")
    is_numbered = word == duties.APPROVED and number.isdecimal()
    found = by.approvals.get(int(number)) if is_numbered else None
    if found and duties.is_approved(found, entry.actor, subject, str(entry.command)):
        by.carried_out.add(found.number)
    elif is_needed and entry.actor.startswith("person/"):
        by.differences.add(
            DifferenceKind.COMMAND,
            Location(entry.book, entry.version),
            "its approval",
            "none",
            "a second person's approval",
        )


def _check_approval(by: AuditContext, kind: BookKind, entry: Entry) -> None:
    """Check the approval of an entry outside the cashier's book."""
    if not by.separations or not any(name in entry.command for name in _SECOND_NAMES):
        return
    if kind is BookKind.CASHIER or json.loads(entry.command).get("command") not in _SECOND_NAMES:
        return
    is_on = False
    for at, changed_to in by.separations:
        is_on = changed_to if at + _SETTLING * changed_to < entry.at else is_on
    _check_second_person(by, entry, f"{kind} {entry.book}", is_needed=is_on)


def _check_carried_out(by: AuditContext) -> None:
    """Check that every approved command was carried out."""
    for found in by.approvals.values():
        if found.answer == duties.APPROVED and found.number not in by.carried_out:
            what = f"request {found.number}, its command"
            by.differences.add(DifferenceKind.COMMAND, Location(), what, "none", found.wanted)


STALE_AFTER = 10  # minutes


def audit_seals(connection: Connection, differences: Differences, notes: Notes) -> int:
    """Check all seals, report their faults, and return the number of seals."""
    number = old = 0
    try:
        for checked in check_seals(connection):
            if isinstance(checked, Seal):
                number += 1
                old += checked.rows is None
            else:
                _report_fault(differences, checked)
    except FAULTS:
        _report_fault(differences, SealFault(number + 1, "Its list of books can't be read."))
    if old:
        notes.add(
            f"The first {old:,} seals are from an older version of Ventiuna. These seals don't "
            "cover their own time or the row counts."
        )
    return number


def sealed_versions(connection: Connection) -> Iterator[tuple[int, BookVersions]]:
    """Yield each seal with the books it lists; unreadable seals are reported elsewhere."""
    for sealed in all_seals(connection):
        with suppress(*FAULTS):
            versions = sealed.versions
            if all(type(part) is int for pair in versions.items() for part in pair):
                yield sealed.number, versions


def check_held_seals(
    connection: Connection, seals: Sequence[bytes], differences: Differences
) -> None:
    """Check seals that others wrote down, because the chain can't show that its end was deleted."""
    known = set(connection.scalars(select(seal.c.hash).where(seal.c.hash.in_(seals))))
    for noted in seals:
        if noted not in known:
            differences.add(
                DifferenceKind.SEAL, Location(), f"seal {noted.hex()}", "none", "this one"
            )


def check_outside_seals(
    connection: Connection, seals: Sequence[OutsideSeal], differences: Differences, notes: Notes
) -> None:
    """Check that the house still has every seal that was copied out of it."""
    for held, stored in contradictions(connection, seals):
        differences.add(
            DifferenceKind.SEAL,
            Location(),
            f"seal {held.number} outside the house",
            f"{held.hash} at {held.at}",
            "none in the house" if stored is None else f"{stored.hash.hex()} at {stored.at}",
        )
    if not seals:
        due = "at least one seal of this house"
        differences.add(DifferenceKind.SEAL, Location(), "seals outside the house", "none", due)
        return
    newest = max(seals, key=lambda one: one.number)
    notes.add(
        f"The house was compared with {pluralize(len(seals), 'seal')} outside it, which don't "
        f"cover entries after seal {newest.number}."
    )


def note_age(connection: Connection, newest: Seal | None, notes: Notes) -> None:
    """Note any long gap since the last seal, because an open house creates one every minute."""
    last = connection.scalar(select(func.max(entry.c.at))) or 0
    sealed = newest.at if newest is not None else connection.scalar(select(func.min(entry.c.at)))
    minutes = (last - (last if sealed is None else sealed)) // 60_000
    if minutes >= STALE_AFTER:
        notes.add(
            f"The last entries are {minutes:,} minutes newer than the newest seal, but an open "
            "house creates a seal every minute. Check them against a seal that someone wrote down "
            "(--seal)."
        )


def _report_fault(differences: Differences, fault: SealFault) -> None:
    differences.add(
        DifferenceKind.SEAL, Location(), f"seal {fault.number}", fault.sentence, "a valid seal"
    )


_LEDGER = Location()


def check_ledger(connection: Connection, differences: Differences) -> int:
    """Check every account against its postings; return the number of accounts."""
    due = _posted(connection)
    total = 0
    number = 0
    for row in connection.execute(select(account).order_by(account.c.id)):
        number += 1
        total += row.balance
        expected = due.pop(row.id, 0)
        if row.balance != expected:
            differences.add(
                DifferenceKind.BALANCE,
                _LEDGER,
                row.code,
                f"{row.balance} cents",
                f"{expected} cents",
            )
        _check_kind(row.code, row.kind, row.balance, differences)
    for removed in sorted(due):
        differences.add(
            DifferenceKind.BALANCE, _LEDGER, f"account {removed}", "no row", f"{due[removed]} cents"
        )
    if total:
        differences.add(
            DifferenceKind.BALANCE, _LEDGER, "the sum of all accounts", f"{total} cents", "0 cents"
        )
    return number


def _posted(connection: Connection) -> Counter[int]:
    """Posted cents by account number.

    The database sums the upper and lower halves separately, because forged amounts can overflow 64
    bits.
    """
    moved: Counter[int] = Counter()
    high = func.sum(posting.c.amount.op(">>")(literal_column("32")))
    low = func.sum(posting.c.amount.op("&")(literal_column(str(2**32 - 1))))
    for column, sign in ((posting.c.from_id, -1), (posting.c.to_id, 1)):
        for number, upper, lower in connection.execute(select(column, high, low).group_by(column)):
            moved[number] += sign * ((int(upper) << 32) + int(lower))
    return moved


def _check_kind(code: str, kind: str, balance: int, differences: Differences) -> None:
    try:
        due = kind_of(code)
    except ChartError as error:
        differences.add(DifferenceKind.BALANCE, _LEDGER, code, "an account", error)
        return
    if kind != due:
        differences.add(DifferenceKind.BALANCE, _LEDGER, f"{code}, kind", kind, due)
    bound = ACCOUNT_RULES[due].bound
    is_below = bound is Bound.NOT_BELOW_ZERO and balance < 0
    is_above = bound is Bound.NOT_ABOVE_ZERO and balance > 0
    if is_below or is_above:
        differences.add(DifferenceKind.BALANCE, _LEDGER, code, f"{balance} cents", bound)


_MAX_ROWS = 3  # maximum number of rows listed per fault; the rest are only counted
_OWNER_TABLES = {
    AccountKind.WALLET: schema.person,
    AccountKind.STACK: schema.game_table,
    AccountKind.STAKE: schema.game_table,
    AccountKind.BANK: schema.game_table,
    AccountKind.METER: schema.jackpot,
    AccountKind.RESERVE: schema.jackpot,
    AccountKind.ADVANCE: schema.jackpot,
}
_FIRST_COMMANDS = {
    OpenTable.__name__: BookKind.TABLE,
    CreateJackpot.__name__: BookKind.JACKPOT,
    **{command.__name__: BookKind.CASHIER for command in accounts.CashierCommand.__args__},
}


def check_belonging(connection: Connection, differences: Differences) -> None:
    """Check every row of every table."""
    for query in _constraint_queries():
        found = query.query.all(connection)
        for row in found[:_MAX_ROWS]:
            _add(differences, query.table, row, query.stored, query.follows)
        if len(found) > _MAX_ROWS:
            what = f"{len(found) - _MAX_ROWS:,} more rows of {query.table.name}"
            differences.add(DifferenceKind.ROW, Location(), what, query.stored, query.follows)
    _check_owners(connection, differences)
    _check_posting_kinds(connection, differences)
    _check_sources(connection, differences)


@dataclass(frozen=True, slots=True)
class _ConstraintQuery:
    """Finds rows that violate one of a table's constraints."""

    table: Table
    query: Prepared
    stored: str
    follows: str


@cache
def _constraint_queries() -> list[_ConstraintQuery]:
    found: list[_ConstraintQuery] = []
    for table in schema.metadata.sorted_tables:
        for one in sorted(table.constraints, key=lambda one: str(one.name)):
            if isinstance(one, ForeignKeyConstraint):
                expected = f"a row of {one.referred_table.name} that it refers to"
                other = one.referred_table.alias("referred")
                pairs = [(part.parent, other.c[part.column.name]) for part in one.elements]
                is_there = exists().where(and_(*(column == due for column, due in pairs)))
                is_set = and_(*(column.is_not(None) for column, _ in pairs))
                query = Prepared(_keys(table, is_set & not_(is_there)))
                found.append(_ConstraintQuery(table, query, "none", expected))
            elif isinstance(one, CheckConstraint):
                rule = str(one.sqltext)
                query = Prepared(_keys(table, literal_column(f"NOT ({rule})")))
                found.append(_ConstraintQuery(table, query, "forbidden values", rule))
    return found


def _keys(table: Table, condition: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    keys = list(table.primary_key)
    return select(*keys).where(condition).order_by(*keys)


def _add(
    differences: Differences, table: Table, key: Iterable[object], stored: str, expected: str
) -> None:
    key_texts = (part.hex() if isinstance(part, bytes) else str(part) for part in key)
    differences.add(
        DifferenceKind.ROW,
        Location(),
        f"row of {table.name} {' '.join(key_texts)}",
        stored,
        expected,
    )


def _check_owners(connection: Connection, differences: Differences) -> None:
    """Check that accounts have owners, and that tables and jackpots have books of their kind."""
    owners = {
        table: set(connection.scalars(select(table.c.id)))
        for table in (schema.person, schema.game_table, schema.jackpot)
    }
    for code in connection.scalars(select(schema.account.c.code).order_by(schema.account.c.id)):
        kind, *numbers = code.split("/")
        table = _OWNER_TABLES.get(kind)
        if table is not None and numbers and _number(numbers[0]) not in owners[table]:
            what = f"{table.name} {numbers[0]}, the owner of account {code}"
            differences.add(DifferenceKind.BALANCE, Location(), what, "no row", "a row")
    books = dict(connection.execute(select(schema.book.c.id, schema.book.c.kind)).all())
    for table, kind in (
        (schema.game_table, BookKind.TABLE),
        (schema.jackpot, BookKind.JACKPOT),
    ):
        for number in sorted(owners[table]):
            if books.get(number) != kind:
                _add(differences, table, [number], "a row", f"none: {number} isn't a {kind}'s book")


def _number(digits: str) -> int | None:
    return int(digits) if digits.isdecimal() else None


def _check_posting_kinds(connection: Connection, differences: Differences) -> None:
    """Check that money can move only in the ways the chart of accounts lists."""
    due = {(str(kind.code), str(kind.from_kind), str(kind.to_kind)) for kind in POSTING_KINDS}
    found = {tuple(row) for row in connection.execute(select(schema.posting_kind))}
    for key in sorted(due - found):
        _add(differences, schema.posting_kind, key, "no row", "a row")
    for key in sorted(found - due, key=str):
        _add(differences, schema.posting_kind, key, "a row", "no row")


def _check_sources(connection: Connection, differences: Differences) -> None:
    """Check that the house has one source of randomness, so test shoes and real ones never mix."""
    shoe = schema.shoe
    query = select(shoe.c.table_id, shoe.c.number, shoe.c.source)
    rows = connection.execute(query.order_by(shoe.c.table_id, shoe.c.number)).all()
    for row in rows:
        if row.source != rows[0].source:
            what = f"row of shoe {row.number}, source"
            place = Location(row.table_id)
            differences.add(DifferenceKind.ROW, place, what, repr(row.source), repr(rows[0].source))


def books_without_rows(connection: Connection) -> list[int]:
    """Books that have entries or postings but no row."""
    book, numbers = schema.book, set[int]()
    for table in (schema.entry, schema.posting):
        is_there = exists().where(book.c.id == table.c.book_id)
        numbers |= set(connection.scalars(select(table.c.book_id).where(not_(is_there)).distinct()))
    return sorted(numbers)


def kinds_of_books(connection: Connection) -> Mapping[int, BookKind]:
    """The kind of each book, according to its first command."""
    entry = schema.entry
    first = select(entry.c.book_id, func.min(entry.c.version)).group_by(entry.c.book_id).subquery()
    query = select(entry.c.book_id, entry.c.command).join(
        first, and_(entry.c.book_id == first.c[0], entry.c.version == first.c[1])
    )
    found: dict[int, BookKind] = {}
    for number, command in connection.execute(query):
        try:
            name = json.loads(command)["command"]
        except (ValueError, LookupError, TypeError, RecursionError):
            continue
        if isinstance(name, str) and name in _FIRST_COMMANDS:
            found[number] = _FIRST_COMMANDS[name]
    return found


DEFINITIONS = "postgres_definitions.json"  # `python -m tests.table.postgres_definitions` writes it

Parts = Mapping[tuple[str, str], str]  # definitions by kind and name
_VERSION = "alembic_version"


def missing_safeguards(connection: Connection) -> list[str]:
    """Briefly describe missing, changed, or unexpected guards."""
    if connection.dialect.name == "sqlite":
        return _compared(_on_sqlite(connection), _expected_on_sqlite())
    found = {key: _normalized(value) for key, value in definitions_on_postgres(connection).items()}
    from ventiuna.table.store.postgres import foreign_rights  # an optional dependency

    return _compared(found, _expected_on_postgres()) + foreign_rights(connection)


def _compared(found: Parts, due: Parts) -> list[str]:
    return [
        *(f"{kind} {name} is missing" for kind, name in sorted(due.keys() - found.keys())),
        *(
            f"{kind} {name} was changed"
            for kind, name in sorted(due.keys() & found.keys())
            if due[kind, name] != found[kind, name]
        ),
        *(f"{kind} {name} doesn't belong" for kind, name in sorted(found.keys() - due.keys())),
    ]


def _normalized(statement: str) -> str:
    """Remove spaces and quotation marks outside strings, where they don't matter."""
    parts = re.split(r"('(?:[^']|'')*')", statement)
    return "".join(
        part if place % 2 else re.sub(r'[\s"]', "", part) for place, part in enumerate(parts)
    )


def _on_sqlite(connection: Connection) -> Parts:
    rows = connection.execute(
        text(
            "SELECT type, name, sql FROM sqlite_master "
            "WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        )
    )
    return {
        (row.type, row.name): _normalized(row.sql)
        for row in rows
        if (row.type, row.name) != ("table", _VERSION)
    }


@cache
def _expected_on_sqlite() -> Parts:
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        metadata.create_all(connection)
        install_guards(connection)
        due = _on_sqlite(connection)
    engine.dispose()
    return due


_POSTGRES_DEFINITIONS = """
SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'S' THEN 'sequence' ELSE 'relation' END AS kind,
       relname::text AS name,
       concat_ws(' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity,
                 (SELECT count(*) FROM pg_inherits WHERE oid IN (inhrelid, inhparent))) AS value
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind <> 'i'
UNION ALL SELECT 'column', relname || '.' || attname,
       concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
                 pg_get_expr(adbin, adrelid))
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0
    AND NOT attisdropped
UNION ALL SELECT 'trigger', relname || '.' || tgname,
       CASE WHEN tgenabled IN ('O', 'A') THEN '' ELSE 'off ' END
       || pg_get_triggerdef(pg_trigger.oid)
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
UNION ALL SELECT 'constraint', relname || '.' || conname,
       pg_get_constraintdef(pg_constraint.oid)
  FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
  WHERE connamespace = current_schema()::regnamespace AND contype <> 'n'
UNION ALL SELECT 'index', indexname::text, indexdef
  FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL SELECT 'rule', tablename || '.' || rulename, definition
  FROM pg_rules WHERE schemaname = current_schema()
UNION ALL SELECT 'policy', tablename || '.' || policyname, coalesce(qual, '')
  FROM pg_policies WHERE schemaname = current_schema()
UNION ALL SELECT 'function', proname::text, pg_get_functiondef(pg_proc.oid)
  FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prokind <> 'a'
UNION ALL SELECT 'owner of', relname::text, 'another'
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'S')
    AND relowner <> (SELECT relowner FROM pg_class WHERE oid = 'entry'::regclass)
"""


def definitions_on_postgres(connection: Connection) -> dict[tuple[str, str], str]:
    """All definitions in the house's schema, without the schema name."""
    schema = str(connection.scalar(text("SELECT current_schema()")))
    quoted = connection.dialect.identifier_preparer.quote(schema)
    before_names = re.compile(rf'(?<![\w"]){re.escape(quoted)}\.')
    return {
        (row.kind, row.name): before_names.sub("", row.value).replace(f"'{schema}'", "''")
        for row in connection.execute(text(_POSTGRES_DEFINITIONS))
        if row.name.partition(".")[0] not in (_VERSION, f"{_VERSION}_pkc")
        or row.kind in ("trigger", "rule", "policy")
    }


@cache
def _expected_on_postgres() -> Parts:
    """The definitions that PostgreSQL prints for a newly migrated schema."""
    written = files("ventiuna.table.store").joinpath(DEFINITIONS).read_text(encoding="utf-8")
    return {
        (kind, name): _normalized(value)
        for kind, parts in json.loads(written).items()
        for name, value in parts.items()
    }


def check_guards(connection: Connection, differences: Differences) -> None:
    """Report all faults as one difference, because guards are usually removed together."""
    newest, revision = newest_revision(), revision_of(connection)
    if revision != newest:
        differences.add(
            DifferenceKind.GUARD, Location(), "the revision of its schema", revision, newest
        )
    wrong = missing_safeguards(connection)
    if wrong:
        due = f"exactly the triggers, functions, constraints and indexes of {newest}"
        differences.add(
            DifferenceKind.GUARD,
            Location(),
            "the safeguards of its database",
            "; ".join(wrong),
            due,
        )


_PROGRESS_STEP = 100  # entries between progress reports


class AuditError(VentiunaError):
    """The audit can't run at all."""


@dataclass(frozen=True, slots=True)
class AuditProgress:
    """How far an audit has progressed."""

    book: int
    entries: int  # entries in all books so far
    of: int


@dataclass(frozen=True, slots=True)
class AuditScope:
    """The scope of an audit, and its inputs."""

    key: HouseKey | None = None  # needed to derive the cards of unfinished shoes
    books: Sequence[int] = ()  # audit only these; the ledger and the seals are always audited
    from_seal: int | None = None  # entries up to this seal are trusted and only applied
    # hashes that someone wrote down; each must be one of the seals
    held_seals: Sequence[bytes] = ()
    outside: Sequence[OutsideSeal] | None = None  # copies of this house's seals, if there are any
    on_top: CardsOnTop = no_cards_on_top  # cards that a test put on a shoe, by the shoe's salt
    watch: Callable[[AuditProgress], None] = lambda _: None


@dataclass(slots=True)
class AuditReport:
    """An audit's scope, its notes, and every difference."""

    house: str
    books: int = 0
    accounts: int = 0
    seals: int = 0
    counts: AuditCounts = field(default_factory=AuditCounts)
    newest: Seal | None = None
    notes: tuple[str, ...] = ()
    differences: list[Difference] = field(default_factory=list)
    total: int = 0  # number of differences, including the ones not stored

    @property
    def holds(self) -> bool:
        return not self.total

    def data(self) -> dict[str, object]:
        """The report as plain data."""
        newest = self.newest
        return {
            "holds": self.holds,
            "house": self.house,
            "books": self.books,
            "entries": self.counts.entries,
            "events": self.counts.events,
            "postings": self.counts.postings,
            "accounts": self.accounts,
            "rounds": self.counts.rounds,
            "cards": self.counts.cards,
            "shoes": self.counts.shoes,
            "seals": self.seals,
            "newest_seal": newest and {"number": newest.number, "hash": newest.hash.hex()},
            "notes": list(self.notes),
            "total": self.total,
            "differences": [difference.data() for difference in self.differences],
        }


def audit(connection: Connection, scope: AuditScope | None = None) -> AuditReport:
    """Audit all books. Reads one snapshot and writes nothing."""
    scope = scope or AuditScope()
    found = connection.execute(select(house.c.id, house.c.format)).first()
    if found is None:
        raise AuditError("There is no house in this database.")
    by = AuditContext(connection, str(found.id), scope.key, scope.on_top, Differences(), Notes())
    report = AuditReport(str(found.id))
    believed = {} if scope.from_seal is None else versions_at(connection, scope.from_seal)
    books = _books(by)
    if unknown := sorted(set(scope.books) - {item.head.book for item in books}):
        raise AuditError(f"There is no book {unknown[0]}.")
    selected = [item for item in books if not scope.books or item.head.book in scope.books]
    if found.format != HOUSE_FORMAT:
        by.differences.add(
            DifferenceKind.ROW, Location(), "row of house, format", found.format, HOUSE_FORMAT
        )
    _audit_books(by, selected, scope, believed, report)
    with _part(by, "the rows of its tables"):
        check_belonging(connection, by.differences)
    with _part(by, "its ledger"):
        report.accounts = check_ledger(connection, by.differences)
    with _part(by, "its seals"):
        report.seals = audit_seals(connection, by.differences, by.notes)
        report.newest = newest_seal(connection)
        check_held_seals(connection, scope.held_seals, by.differences)
        if scope.outside is not None:
            check_outside_seals(connection, scope.outside, by.differences, by.notes)
        note_age(connection, report.newest, by.notes)
    with _part(by, "its schema"):
        check_guards(connection, by.differences)
    if scope.books:
        by.notes.add("The jackpot invariants were not checked, because they need all books.")
    report.notes = tuple(by.notes.recorded)
    report.differences = by.differences.listed
    report.total = by.differences.total
    return report


@contextmanager
def _part(by: AuditContext, what: str, number: int | None = None) -> Iterator[None]:
    """Run one part of an audit; report unreadable rows as a difference and continue."""
    try:
        with by.connection.begin_nested():
            yield
        return
    except FAULTS as error:
        reason: object = reason_of(error)
    except (DBAPIError, sqlite3.Error) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        if not _is_about_rows(error, reason):
            raise
    due = with_reason("readable rows", reason)
    by.differences.add(DifferenceKind.ROW, Location(number), what, "unreadable", due)


def _is_about_rows(error: Exception, reason: object) -> bool:
    """False if the database is unavailable, full, or busy; the rows may still be fine."""
    if isinstance(reason, sqlite3.Error):
        code = getattr(reason, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        return code in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_MISMATCH)
    return not isinstance(error, OperationalError)


class _Book(NamedTuple):
    head: JournalHead
    kind: BookKind


def _books(by: AuditContext) -> list[_Book]:
    """Every book that has a row or should have one."""
    kinds = kinds_of_books(by.connection)
    found: list[_Book] = []
    for row in by.connection.execute(select(book).order_by(book.c.id)):
        known = row.kind in tuple(BookKind)
        kind = kinds.get(row.id) or (BookKind(row.kind) if known else BookKind.TABLE)
        if row.kind != kind:
            what = f"row of book {row.id}, kind"
            by.differences.add(
                DifferenceKind.ROW, Location(row.id), what, repr(row.kind), repr(str(kind))
            )
        if row.id not in kinds and kind is not BookKind.CASHIER:
            what = f"row of book {row.id}"
            by.differences.add(
                DifferenceKind.ROW, Location(row.id), what, "a book", "one with an opening entry"
            )
        found.append(_Book(JournalHead(row.id, row.version, row.events, row.head), kind))
    for number in books_without_rows(by.connection):
        by.differences.add(
            DifferenceKind.ROW, Location(number), f"row of book {number}", "no row", "a row"
        )
        found.append(_Book(JournalHead(number), kinds.get(number, BookKind.TABLE)))
    cashiers = [one.head.book for one in found if one.kind is BookKind.CASHIER]
    if len(cashiers) != 1:
        stored = ", ".join(map(str, cashiers)) or "none"
        by.differences.add(DifferenceKind.ROW, Location(), "the cashier's book", stored, "one")
    return sorted(found, key=lambda one: (_ORDER.index(one.kind), one.head.book))


_ORDER = (BookKind.CASHIER, BookKind.JACKPOT, BookKind.TABLE)


def _audit_books(
    by: AuditContext,
    books: Sequence[_Book],
    scope: AuditScope,
    believed: Mapping[int, int],
    report: AuditReport,
) -> None:
    """Audit the cashier's book first, then jackpots, because tables are checked against them."""
    total = sum(item.head.version for item in books)
    funds = AllJackpotsCheck(by.connection, by.differences)
    has_jackpots = any(item.kind is BookKind.JACKPOT for item in books)
    order = SealOrder(sealed_versions(by.connection) if has_jackpots else ())
    for head, kind in books:
        check: TableCheck | JackpotCheck | CashierCheck
        if kind is BookKind.TABLE:
            check = TableCheck(head.book, by)
        elif kind is BookKind.JACKPOT:
            check = JackpotCheck(head.book, by, order)
        else:
            check = CashierCheck(head.book, by)
        start = report.counts.entries
        with _part(by, "its entries", head.book):
            for stored in stored_entries(by.connection, head.book):
                if isinstance(check, TableCheck):
                    check.add(stored, replays=stored.entry.version > believed.get(head.book, 0))
                    funds.check_entry(stored, check)
                else:
                    check.add(stored)
                with suppress(*FAULTS):  # unreadable commands are already reported
                    _check_approval(by, kind, stored.entry)
                if check.counts.entries % _PROGRESS_STEP == 0:
                    scope.watch(AuditProgress(head.book, start + check.counts.entries, total))
            check.finish(head)
        report.books += 1
        report.counts.add(check.counts)
        scope.watch(AuditProgress(head.book, report.counts.entries, total))
        if isinstance(check, JackpotCheck) and not scope.books:
            funds.add_fund(head.book, check)
    if not scope.books:
        _check_carried_out(by)
    with _part(by, "its jackpots"):
        funds.finish()
    with _part(by, "its people"):
        _check_names(by)


def _check_names(by: AuditContext) -> None:
    """Check that everyone who took a seat has the same name, or the one of the last renaming."""
    names = dict(by.connection.execute(select(person.c.id, person.c.name)).all())
    for number, name in sorted((by.names | by.renamed).items()):
        if number in names and names[number] != name:
            what = f"row of person {number}, name"
            by.differences.add(
                DifferenceKind.ROW, Location(), what, repr(names[number]), repr(name)
            )
