"""A small house with rows in every table, and every way to tamper with them.

Each case is a change that someone with full access to the database could make: a column changed, or
a row deleted, added, or swapped with another. The guards are restored before the audit runs.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Column,
    ColumnElement,
    Connection,
    Executable,
    LargeBinary,
    StaticPool,
    Table,
    Text,
    and_,
    create_engine,
    delete,
    insert,
    select,
    text,
    update,
)

from tests import IS_SOAK
from tests.table.floor import create, order
from tests.table.tables import FLOOR, OPERATOR, Room, cards, open_cut
from ventiuna.engine.commands import PlaceWagers, Stand
from ventiuna.rules import load_rules
from ventiuna.table import accounts
from ventiuna.table.accounts import BOT_BANKROLL, BOT_BANKROLL_REASON, add_bot, first_money_key
from ventiuna.table.audit.house import AuditReport, AuditScope, audit
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.duties import LimitPerson
from ventiuna.table.fairness import HouseKey
from ventiuna.table.jackpots.progressive import CorrectUp
from ventiuna.table.journal import seal_books
from ventiuna.table.store import schema
from ventiuna.table.store.connection import Store
from ventiuna.table.store.statements import Value

RULES = load_rules("wsgc-2021(decks=8,jackpots=3d:1:seed=1000)")
TWO_WIN = cards("5h 5h 5h 5h 5h Kd 2c")  # two suited matches on each spot
TABLES = tuple(schema.metadata.sorted_tables)
HASH = bytes(31) + b"\x01"
AT = 1_790_000_000_000

# Rows of tables that aren't derived from the books.
_BESIDE: tuple[tuple[Table, dict[str, Value]], ...] = (
    (schema.token, {"digest": HASH, "person_id": 1, "purpose": "access", "expires_at": AT}),
    (schema.name_key, {"skeleton": "ana", "person_id": 1}),
    (schema.process, {"id": 1, "started_at": AT, "beat_at": AT}),
    (schema.allowance, {"what": "guest", "address": HASH, "full_at": AT}),
    (schema.watching, {"process": 1, "table_id": 4, "people": 2}),
    (
        schema.job,
        {
            "id": "a",
            "person_id": 1,
            "process": 1,
            "run": 1,
            "state": "running",
            "stopping": 0,
            "facts": "{}",
            "changed_at": AT,
        },
    ),
    (
        schema.audit_run,
        {"id": 1, "process": 1, "state": "running", "entries": 1, "entries_in_all": 2},
    ),
    (schema.monitor, {"table_id": 4, "data": "{}"}),
    (schema.review, {"person_id": 1, "table_id": 3, "round_number": 1, "at": AT, "data": "{}"}),
    (
        schema.practice,
        {
            "person_id": 1,
            "rules": "r",
            "item": "i",
            "kind": "k",
            "situation": "{}",
            "box": 1,
            "due_at": AT,
            "asked": 2,
            "missed": 1,
        },
    ),
    (
        schema.lesson,
        {
            "person_id": 1,
            "kind": "practice",
            "level": "base-game",
            "rules": "wsgc-2021",
            "seed": 21,
            "supervised": 0,
            "begun_at": AT,
            "changed_at": AT,
            "state": "open",
            "moves": "[[]]",
            "rounds": 1,
            "steps": 2,
            "correct": 1,
            "milliseconds": 3,
        },
    ),
    (
        schema.training_class,
        {"id": 1, "code": "K7QX2M", "name": "c", "trainer_id": 1, "created_at": AT},
    ),
    (schema.trainee, {"class_id": 1, "person_id": 2, "joined_at": AT}),
)


def furnish(store: Store) -> Room:
    """A closed table with hand-pays, an open one in mid-round, a jackpot, a bot, and two seals."""
    room = Room(store, shoes=[TWO_WIN])
    jackpot = create(store, RULES, reserve_rate=300)
    order(store, jackpot, CorrectUp(5_000, "found in the drawer"))
    table = room.open(RULES, hand_pay=do.Requirement.REQUIRED)
    table.do(OPERATOR, do.LinkJackpot(1, jackpot, "one meter"))
    table.sit(1, 2)
    table.do(1, table.commit_cut(1))
    table.do(2, do.Ready())
    table.do(1, open_cut(1))
    for who in (1, 2):
        table.do(who, PlaceWagers(who, 1000, jackpots={1: 100}))
    table.ready(1, 2)
    for who in (1, 2):
        table.do(who, Stand(who))
    with store.write() as connection:
        seal_books(connection, room.clock.now())
        _act(connection, accounts.RedeemMoney(4, 500, "goes home"))
        _act(connection, LimitPerson(4, 100_000, 50_000, 20_000, "asked for it"))
        _act(connection, accounts.GiveRole(3, "auditor", "looks after the books"))
    table.do(OPERATOR, do.CloseTable("the day is over"))
    table.do(FLOOR, do.PayByHand(min(table.state.held_awards), "identity checked"))
    other = room.open(RULES)
    other.do(OPERATOR, do.LinkJackpot(1, jackpot, "one meter"))
    other.sit(1, 2)
    other.do(1, other.commit_cut(1))
    other.do(2, do.Ready())
    other.do(1, open_cut(1))
    for who in (1, 2):
        other.do(who, PlaceWagers(who, 1000, jackpots={1: 100}))
    other.ready(1, 2)
    assert other.state.round is not None, "cards are on the table"
    with store.write() as connection:
        _add_bot(connection, other.number)
        registered = {"id": 6, "name": "Reg", "kind": "registered", "password": "a hash"}
        connection.execute(insert(schema.person).values(**registered, **_NEW))
        for kept, row in _BESIDE:
            connection.execute(insert(kept).values(**row))
        seal_books(connection, room.clock.now())
    return room


_NEW = {"role": "player", "failed": 0, "created_at": AT}


def _add_bot(connection: Connection, table: int) -> None:
    guest = {"id": 5, "name": "Bot 1", "kind": "guest"}
    connection.execute(insert(schema.person).values(**guest, **_NEW))
    add_bot(connection, 5, table, "steady")
    money = accounts.IssueMoney(5, BOT_BANKROLL, BOT_BANKROLL_REASON)
    accounts.handle_cashier_command(connection, SERVICE, first_money_key(5), money, AT)


def _act(connection: Connection, command: accounts.CashierCommand) -> None:
    accounts.handle_cashier_command(connection, OPERATOR, type(command).__name__, command, AT)


def audited(connection: Connection, room: Room) -> AuditReport:
    return audit(connection, AuditScope(key=HouseKey(bytes(32)), on_top=room.entropy.on_top))


# --- cases ------------------------------------------------------------------------------------

Change = Callable[[Connection], None]


@dataclass(frozen=True)
class Case:
    what: str  # such as `account.balance`, `account added` or `account deleted`
    detail: str
    change: Change

    def __str__(self) -> str:
        return f"{self.what} {self.detail}"


def cases(connection: Connection, table: Table) -> Iterator[Case]:
    """Every case for one table of this house."""
    rows = [
        dict(row._mapping)
        for row in connection.execute(select(table).order_by(*table.primary_key.columns))
    ]
    assert rows, f"the house has rows of {table.name}"
    yield from _changes(table, rows)
    yield from _deletions(table, rows)
    yield Case(f"{table.name} added", "", _insertion(table, rows[-1]))
    yield from _exchanges(table, rows)


Row = dict[str, Value]


def _changes(table: Table, rows: list[Row]) -> Iterator[Case]:
    for column in table.columns:
        for where, row in _changed(table, column, rows).items():
            for other in _others(table, column, row[column.name]):
                detail = f"of the {where} row becomes {str(other)[:20]!r}"
                change = _update(table, row, {column.name: other})
                yield Case(f"{table.name}.{column.name}", detail, change)


def _changed(table: Table, column: Column[Any], rows: list[Row]) -> dict[str, Row]:
    """The rows in which a column is changed, labeled."""
    if column is schema.entry.c.request:
        return {_kind(table, row): row for row in rows}
    ends = {"last": rows[-1]}
    if len(rows) > 1 and (IS_SOAK or table is schema.entry):
        ends["first"] = rows[0]
    return ends


def _others(table: Table, column: Column[Any], value: Value) -> Iterator[Value]:
    """Other values that look valid on their own."""
    listed = _listed(table, column.name)
    if listed:
        yield from [other for other in listed if other != value][:1]
    if column.nullable and value is not None:
        yield None
    if isinstance(value, bytes):
        yield value[:-1] + bytes([value[-1] ^ 1])
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield value + " "
    elif isinstance(column.type, LargeBinary):
        yield HASH
    else:
        yield "x" if isinstance(column.type, Text) else 1


def _listed(table: Table, column: str) -> list[str]:
    for constraint in table.constraints:
        if isinstance(constraint, CheckConstraint):
            rule = str(constraint.sqltext)
            if rule.startswith(f"{column} IN ("):
                return re.findall(r"'(\w+)'", rule)
    return []


def _deletions(table: Table, rows: list[Row]) -> Iterator[Case]:
    """Delete one row of each kind, then all rows."""
    what = f"{table.name} deleted"
    for kind, row in {_kind(table, row): row for row in rows}.items():
        yield Case(what, kind, _delete(table, row))
    yield Case(what, "all", lambda connection: _run(connection, delete(table)))


def _kind(table: Table, row: Row) -> str:
    """The kind of event for entries and postings; other tables have only one kind of row."""
    command = re.search(r'"command":"(\w+)"', str(row.get("command")))
    return str(row["code"]) if table is schema.posting else command[1] if command else "one"


def _run(connection: Connection, statement: Executable) -> None:
    connection.execute(statement)


def _at(table: Table, row: Row) -> ColumnElement[bool]:
    return and_(*(column == row[column.name] for column in table.primary_key.columns))


def _update(table: Table, row: Row, values: Row) -> Change:
    return lambda connection: _run(connection, update(table).where(_at(table, row)).values(values))


def _delete(table: Table, row: Row) -> Change:
    return lambda connection: _run(connection, delete(table).where(_at(table, row)))


def _insertion(table: Table, row: Row) -> Change:
    """Insert a row like the last one, with different keys."""
    unique = {column.name for column in table.primary_key.columns}
    unique |= {"name"} if table is schema.person else set()
    unique |= {"key"} if table is schema.entry else set()
    values: Row = {}
    for name, value in row.items():
        values[name] = value
        if name in unique and isinstance(value, int):
            values[name] = value + 7
        elif name in unique and isinstance(value, str):
            values[name] = f"{value}7"
        elif name in unique and isinstance(value, bytes):
            values[name] = value[1:] + b"7"
    if table is schema.account:
        values |= {"code": "wallet/3", "kind": "wallet", "balance": 0}
    return lambda connection: _run(connection, insert(table).values(values))


def _exchanges(table: Table, rows: list[Row]) -> Iterator[Case]:
    """Swap two rows' contents, except for the keys."""
    keys = {column.name for column in table.primary_key.columns}
    one, other = rows[0], rows[-1]
    rest = [name for name in one if name not in keys and one[name] != other[name]]
    if rest:
        yield Case(f"{table.name} exchanged", "", _exchange(table, one, other, rest))


def _exchange(table: Table, one: Row, other: Row, names: list[str]) -> Change:
    def change(connection: Connection) -> None:
        _run(connection, delete(table).where(_at(table, other)))
        _update(table, one, {name: other[name] for name in names})(connection)
        _run(connection, insert(table).values(other | {name: one[name] for name in names}))

    return change


# --- databases --------------------------------------------------------------------------------


class Copies:
    """Successive in-memory copies of a file, with checks and foreign keys turned off."""

    def __init__(self, path: Path) -> None:
        self._template = sqlite3.connect(path)
        self._copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._engine = create_engine("sqlite://", creator=lambda: self._copy, poolclass=StaticPool)

    @contextmanager
    def fresh(self) -> Iterator[Connection]:
        self._template.backup(self._copy)
        self._copy.execute("PRAGMA ignore_check_constraints = 1")
        with self._engine.connect() as connection:
            yield connection

    def close(self) -> None:
        self._engine.dispose()
        self._template.close()


@contextmanager
def unguarded(connection: Connection) -> Iterator[None]:
    """Disable triggers inside the block."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        yield
        connection.execute(text("SET LOCAL session_replication_role = origin"))
        return
    made = connection.execute(
        text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    ).all()
    for name, _ in made:
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
    yield
    for _, statement in made:
        connection.exec_driver_sql(statement)
