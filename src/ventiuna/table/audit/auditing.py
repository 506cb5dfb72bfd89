"""An audit of a house: every book, the ledger, the seals; from one moment of the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError, OperationalError

from ventiuna.errors import VentiunaError
from ventiuna.table.audit.belonging import (
    books_without_rows,
    check_belonging,
    kinds_of_books,
)
from ventiuna.table.audit.cashiers import CashierCheck
from ventiuna.table.audit.differences import Difference, Differences, Kind, Place
from ventiuna.table.audit.funds import Funds, JackpotCheck
from ventiuna.table.audit.guards import check_guards
from ventiuna.table.audit.ledger import check_ledger
from ventiuna.table.audit.recorded import Notes, OnTop, nothing_on_top
from ventiuna.table.audit.replaying import FAULTS, Counts, Surveyor, TableCheck, reason_of
from ventiuna.table.audit.seals import audit_seals, check_held_seals, note_age, sealed_versions
from ventiuna.table.audit.stored import stored_entries
from ventiuna.table.books.entries import BookKind
from ventiuna.table.books.seal_order import SealOrder
from ventiuna.table.books.seals import Seal, newest_seal, versions_at
from ventiuna.table.house.houses import FORMAT
from ventiuna.table.ledger.chain import Head
from ventiuna.table.shoes.house_key import HouseKey
from ventiuna.table.store.schema import book, house, person

_STEP = 100  # entries between two words on how far it is


class AuditError(VentiunaError):
    """What can't be audited at all."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an audit is."""

    book: int
    entries: int  # of all books together
    of: int


def _unwatched(progress: Progress) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is audited and with what."""

    key: HouseKey | None = None  # for the cards of shoes still in play
    books: Sequence[int] = ()  # these alone; the ledger and the seals always
    from_seal: int | None = None  # entries up to this seal are believed and folded alone
    held_seals: Sequence[bytes] = ()  # hashes that somebody noted: each must be among the seals
    on_top: OnTop = nothing_on_top  # cards that a test has laid on a shoe, by its salt
    watch: Callable[[Progress], None] = _unwatched


@dataclass(slots=True)
class Report:
    """What was looked at, what could not be, and every difference."""

    house: str
    books: int = 0
    accounts: int = 0
    seals: int = 0
    counts: Counts = field(default_factory=Counts)
    newest: Seal | None = None
    notes: tuple[str, ...] = ()
    differences: list[Difference] = field(default_factory=list)
    total: int = 0  # of differences, those not kept included

    @property
    def holds(self) -> bool:
        return not self.total

    def data(self) -> dict[str, object]:
        """All of it as plain data."""
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


def audit(connection: Connection, scope: Scope | None = None) -> Report:
    """Work all books out again. The connection reads one moment and writes nothing."""
    scope = scope or Scope()
    found = connection.execute(select(house.c.id, house.c.format)).first()
    if found is None:
        raise AuditError("There is no house in this database.")
    by = Surveyor(connection, str(found.id), scope.key, scope.on_top, Differences(), Notes())
    report = Report(str(found.id))
    believed = {} if scope.from_seal is None else versions_at(connection, scope.from_seal)
    books = _books(by)
    wanted = _wanted(books, scope.books)
    if found.format != FORMAT:
        by.differences.add(Kind.ROW, Place(), "row of house, format", found.format, FORMAT)
    _audit_books(by, wanted, scope, believed, report)
    with _part(by, "the rows of its tables"):
        check_belonging(connection, by.differences)
    with _part(by, "its ledger"):
        report.accounts = check_ledger(connection, by.differences)
    with _part(by, "its seals"):
        report.seals = audit_seals(connection, by.differences, by.notes)
        report.newest = newest_seal(connection)
        check_held_seals(connection, scope.held_seals, by.differences)
        note_age(connection, report.newest, by.notes)
    with _part(by, "its schema"):
        check_guards(connection, by.differences)
    if scope.books:
        by.notes.add("The invariants of jackpots need all books, and were not checked.")
    report.notes = tuple(by.notes.told)
    report.differences = by.differences.kept
    report.total = by.differences.total
    return report


@contextmanager
def _part(by: Surveyor, what: str, number: int | None = None) -> Iterator[None]:
    """Part of an audit. Unreadable rows are a difference, and the audit continues."""
    try:
        with by.connection.begin_nested():
            yield
    except FAULTS as error:
        by.differences.add(Kind.ROW, Place(number), what, "unreadable", reason_of(error))
    except (DBAPIError, sqlite3.Error) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        if not _is_about_rows(error, reason):
            raise
        by.differences.add(Kind.ROW, Place(number), what, "unreadable", reason)


def _is_about_rows(error: Exception, reason: BaseException | None) -> bool:
    """False if the database is unavailable, full or busy, which says nothing about its rows."""
    if isinstance(reason, sqlite3.Error):
        code = getattr(reason, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        return code in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_MISMATCH)
    return not isinstance(error, OperationalError)


class _Book(NamedTuple):
    head: Head
    kind: BookKind


def _books(by: Surveyor) -> list[_Book]:
    """Every book that has a row, and every book that should have one."""
    kinds = kinds_of_books(by.connection)
    found: list[_Book] = []
    for row in by.connection.execute(select(book).order_by(book.c.id)):
        known = row.kind in tuple(BookKind)
        kind = kinds.get(row.id) or (BookKind(row.kind) if known else BookKind.TABLE)
        if row.kind != kind:
            what = f"row of book {row.id}, kind"
            by.differences.add(Kind.ROW, Place(row.id), what, repr(row.kind), repr(str(kind)))
        if row.id not in kinds and kind is not BookKind.CASHIER:
            what = f"row of book {row.id}"
            by.differences.add(Kind.ROW, Place(row.id), what, "a book", "one with an opening entry")
        found.append(_Book(Head(row.id, row.version, row.events, row.head), kind))
    for number in books_without_rows(by.connection):
        by.differences.add(Kind.ROW, Place(number), f"row of book {number}", "no row", "a row")
        found.append(_Book(Head(number), kinds.get(number, BookKind.TABLE)))
    cashiers = [one.head.book for one in found if one.kind is BookKind.CASHIER]
    if len(cashiers) != 1:
        stored = ", ".join(map(str, cashiers)) or "none"
        by.differences.add(Kind.ROW, Place(), "the cashier's book", stored, "one")
    return sorted(found, key=lambda one: (_ORDER.index(one.kind), one.head.book))


_ORDER = (BookKind.CASHIER, BookKind.JACKPOT, BookKind.TABLE)


def _wanted(books: Sequence[_Book], numbers: Sequence[int]) -> Sequence[_Book]:
    unknown = sorted(set(numbers) - {one.head.book for one in books})
    if unknown:
        raise AuditError(f"There is no book {unknown[0]}.")
    return [one for one in books if not numbers or one.head.book in numbers]


def _audit_books(
    by: Surveyor,
    books: Sequence[_Book],
    scope: Scope,
    believed: Mapping[int, int],
    report: Report,
) -> None:
    """The cashier's first, then those of jackpots, which tables are held against."""
    whole = sum(one.head.version for one in books)
    funds = Funds(by.connection, by.differences)
    has_jackpots = any(one.kind is BookKind.JACKPOT for one in books)
    order = SealOrder(sealed_versions(by.connection) if has_jackpots else ())
    for head, kind in books:
        check = _check_for(head.book, kind, by, order)
        start = report.counts.entries
        with _part(by, "its entries", head.book):
            for stored in stored_entries(by.connection, head.book):
                if isinstance(check, TableCheck):
                    check.add(stored, replays=stored.entry.version > believed.get(head.book, 0))
                    funds.hear(stored, check)
                else:
                    check.add(stored)
                if check.counts.entries % _STEP == 0:
                    scope.watch(Progress(head.book, start + check.counts.entries, whole))
            check.finish(head)
        report.books += 1
        report.counts.add(check.counts)
        scope.watch(Progress(head.book, report.counts.entries, whole))
        if isinstance(check, JackpotCheck) and not scope.books:
            funds.add_fund(head.book, check)
    with _part(by, "its jackpots"):
        funds.finish()
    with _part(by, "its people"):
        _check_names(by)


def _check_names(by: Surveyor) -> None:
    """Nobody is ever renamed: everyone who took a seat still has that name."""
    names = dict(by.connection.execute(select(person.c.id, person.c.name)).all())
    for number, name in sorted(by.names.items()):
        if number in names and names[number] != name:
            what = f"row of person {number}, name"
            by.differences.add(Kind.ROW, Place(), what, repr(names[number]), repr(name))


def _check_for(
    number: int, kind: BookKind, by: Surveyor, order: SealOrder
) -> TableCheck | JackpotCheck | CashierCheck:
    if kind is BookKind.TABLE:
        return TableCheck(number, by)
    if kind is BookKind.JACKPOT:
        return JackpotCheck(by.connection, number, order, by.differences)
    return CashierCheck(by.connection, number, by.differences)
