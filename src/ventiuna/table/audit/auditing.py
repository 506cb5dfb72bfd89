"""An audit of a house: every book, the ledger, the seals; from one moment of the database."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, Row, select

from ventiuna.errors import VentiunaError
from ventiuna.table.audit.cashiers import CashierCheck
from ventiuna.table.audit.differences import Difference, Differences
from ventiuna.table.audit.funds import Funds, JackpotCheck
from ventiuna.table.audit.guards import check_guards
from ventiuna.table.audit.ledger import check_ledger
from ventiuna.table.audit.recorded import Notes, OnTop, nothing_on_top
from ventiuna.table.audit.replaying import Counts, Surveyor, TableCheck
from ventiuna.table.audit.seals import audit_seals, check_held_seals, note_age, sealed_versions
from ventiuna.table.audit.stored import stored_entries
from ventiuna.table.books.entries import BookKind
from ventiuna.table.books.seal_order import SealOrder
from ventiuna.table.books.seals import Seal, newest_seal, versions_at
from ventiuna.table.ledger.chain import Head
from ventiuna.table.shoes.house_key import HouseKey
from ventiuna.table.store.schema import book, house

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
    name = connection.scalar(select(house.c.id))
    if name is None:
        raise AuditError("There is no house in this database.")
    by = Surveyor(connection, str(name), scope.key, scope.on_top, Differences(), Notes())
    report = Report(str(name))
    believed = {} if scope.from_seal is None else versions_at(connection, scope.from_seal)
    _audit_books(by, scope, believed, report)
    report.accounts = check_ledger(connection, by.differences)
    report.seals = audit_seals(connection, by.differences)
    report.newest = newest_seal(connection)
    check_held_seals(connection, scope.held_seals, by.differences)
    note_age(connection, report.newest, by.notes)
    check_guards(connection, by.differences)
    if scope.books:
        by.notes.add("The invariants of jackpots need all books, and were not checked.")
    report.notes = tuple(by.notes.told)
    report.differences = by.differences.kept
    report.total = by.differences.total
    return report


def _audit_books(by: Surveyor, scope: Scope, believed: Mapping[int, int], report: Report) -> None:
    """The cashier's first, then those of jackpots, which tables are held against."""
    rows = _books(by.connection, scope.books)
    whole = sum(row.version for row in rows)
    funds = Funds(by.connection, by.differences)
    has_jackpots = any(row.kind == BookKind.JACKPOT for row in rows)
    order = SealOrder(sealed_versions(by.connection) if has_jackpots else ())
    for row in rows:
        check = _check_for(row, by, order)
        start = report.counts.entries
        for stored in stored_entries(by.connection, row.id):
            if isinstance(check, TableCheck):
                check.add(stored, replays=stored.entry.version > believed.get(row.id, 0))
                funds.hear(stored, check)
            else:
                check.add(stored)
            if check.counts.entries % _STEP == 0:
                scope.watch(Progress(row.id, start + check.counts.entries, whole))
        check.finish(Head(row.id, row.version, row.events, row.head))
        report.books += 1
        report.counts.add(check.counts)
        scope.watch(Progress(row.id, report.counts.entries, whole))
        if isinstance(check, JackpotCheck) and not scope.books:
            funds.add_fund(row.id, check)
    funds.finish()


def _books(connection: Connection, wanted: Sequence[int]) -> Sequence[Row[*tuple[object, ...]]]:
    rows = connection.execute(select(book).order_by(book.c.id)).all()
    unknown = sorted(set(wanted) - {row.id for row in rows})
    if unknown:
        raise AuditError(f"There is no book {unknown[0]}.")
    chosen = [row for row in rows if not wanted or row.id in wanted]
    return sorted(chosen, key=lambda row: (_ORDER.index(row.kind), row.id))


_ORDER = (BookKind.CASHIER, BookKind.JACKPOT, BookKind.TABLE)


def _check_for(
    row: Row[*tuple[object, ...]], by: Surveyor, order: SealOrder
) -> TableCheck | JackpotCheck | CashierCheck:
    if row.kind == BookKind.TABLE:
        return TableCheck(row.id, by)
    if row.kind == BookKind.JACKPOT:
        return JackpotCheck(by.connection, row.id, order, by.differences)
    return CashierCheck(by.connection, row.id, by.differences)
