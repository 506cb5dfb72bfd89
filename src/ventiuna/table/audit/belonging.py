"""Rows that don't belong: checks every reference, constraint and owner, row by row.

The database's keys and checks keep such rows out, but anyone who turns those off for a moment can
leave some behind. So the audit checks again, with queries built from the schema itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    Connection,
    ForeignKeyConstraint,
    Select,
    Table,
    and_,
    exists,
    func,
    literal_column,
    not_,
    select,
)

from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.books.entries import BookKind
from ventiuna.table.jackpots.commands import CreateJackpot
from ventiuna.table.ledger.chart import POSTING_KINDS, AccountKind
from ventiuna.table.persons import cashier
from ventiuna.table.play.commands import OpenTable
from ventiuna.table.store import schema
from ventiuna.table.store.prepared import Prepared

_MOST = 3  # listed rows with the same fault; the rest are counted
_OWNERS = {
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
    **{command.__name__: BookKind.CASHIER for command in cashier.CashierCommand.__args__},
}


def check_belonging(connection: Connection, differences: Differences) -> None:
    """Check every row of every table."""
    for asked in _questions():
        found = asked.query.all(connection)
        for row in found[:_MOST]:
            _add(differences, asked.table, row, asked.stored, asked.follows)
        if len(found) > _MOST:
            what = f"{len(found) - _MOST:,} more rows of {asked.table.name}"
            differences.add(Kind.ROW, Place(), what, asked.stored, asked.follows)
    _check_owners(connection, differences)
    _check_posting_kinds(connection, differences)
    _check_sources(connection, differences)


# --- references and values --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Question:
    """Finds the rows of a table that break one of its constraints."""

    table: Table
    query: Prepared
    stored: str
    follows: str


@cache
def _questions() -> list[_Question]:
    found: list[_Question] = []
    for table in schema.metadata.sorted_tables:
        for one in sorted(table.constraints, key=lambda one: str(one.name)):
            if isinstance(one, ForeignKeyConstraint):
                follows = f"the row of {one.referred_table.name} that it refers to"
                found.append(_Question(table, Prepared(_dangling(table, one)), "none", follows))
            elif isinstance(one, CheckConstraint):
                rule = str(one.sqltext)
                query = Prepared(_keys(table, literal_column(f"NOT ({rule})")))
                found.append(_Question(table, query, "forbidden values", rule))
    return found


def _dangling(table: Table, key: ForeignKeyConstraint) -> Select[*tuple[Any, ...]]:
    other = key.referred_table.alias("referred")
    pairs = [(element.parent, other.c[element.column.name]) for element in key.elements]
    is_there = exists().where(and_(*(column == due for column, due in pairs)))
    is_set = and_(*(column.is_not(None) for column, _ in pairs))
    return _keys(table, is_set & not_(is_there))


def _keys(table: Table, condition: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    keys = list(table.primary_key)
    return select(*keys).where(condition).order_by(*keys)


def _add(
    differences: Differences, table: Table, key: Iterable[object], stored: str, follows: str
) -> None:
    shown = (part.hex() if isinstance(part, bytes) else str(part) for part in key)
    differences.add(Kind.ROW, Place(), f"row of {table.name} {' '.join(shown)}", stored, follows)


# --- owners -----------------------------------------------------------------------------------


def _check_owners(connection: Connection, differences: Differences) -> None:
    """An account belongs to a person, a table or a jackpot, and these have books of their kind."""
    owners = {
        table: set(connection.scalars(select(table.c.id)))
        for table in (schema.person, schema.game_table, schema.jackpot)
    }
    for code in connection.scalars(select(schema.account.c.code).order_by(schema.account.c.id)):
        kind, *numbers = code.split("/")
        table = _OWNERS.get(kind)
        if table is not None and numbers and _number(numbers[0]) not in owners[table]:
            what = f"{table.name} {numbers[0]}, whose account is {code}"
            differences.add(Kind.BALANCE, Place(), what, "no row", "a row")
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
    """Money may move only in the ways that the chart of accounts lists."""
    due = {(str(one.code), str(one.from_kind), str(one.to_kind)) for one in POSTING_KINDS}
    found = {tuple(row) for row in connection.execute(select(schema.posting_kind))}
    for key in sorted(due - found):
        _add(differences, schema.posting_kind, key, "no row", "a row")
    for key in sorted(found - due, key=str):
        _add(differences, schema.posting_kind, key, "a row", "no row")


def _check_sources(connection: Connection, differences: Differences) -> None:
    """A house has one source of randomness: test shoes and real ones never mix."""
    shoe = schema.shoe
    query = select(shoe.c.table_id, shoe.c.number, shoe.c.source)
    rows = connection.execute(query.order_by(shoe.c.table_id, shoe.c.number)).all()
    for row in rows:
        if row.source != rows[0].source:
            what = f"row of shoe {row.number}, source"
            place = Place(row.table_id)
            differences.add(Kind.ROW, place, what, repr(row.source), repr(rows[0].source))


# --- books ------------------------------------------------------------------------------------


def books_without_rows(connection: Connection) -> list[int]:
    """Numbers of books that have entries or postings but no row."""
    book, numbers = schema.book, set[int]()
    for table in (schema.entry, schema.posting):
        is_there = exists().where(book.c.id == table.c.book_id)
        numbers |= set(connection.scalars(select(table.c.book_id).where(not_(is_there)).distinct()))
    return sorted(numbers)


def kinds_of_books(connection: Connection) -> Mapping[int, BookKind]:
    """The kind of each book, by its first command."""
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
