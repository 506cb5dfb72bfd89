"""Books in the database: where each stands, what is appended, what was written.

A book's row is its lock: whoever holds it may append, and its version can't have moved. All
locks are taken before the first posting, in the order of `Lock`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum, StrEnum
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, insert, select

from ventiuna.errors import VentiunaError
from ventiuna.table.ledger.chain import NOTHING_BEFORE, Data, Entry, Head, Posting
from ventiuna.table.ledger.chart import PostingCode, kind_of
from ventiuna.table.store.prepared import Prepared
from ventiuna.table.store.rows import Values, find_rows, insert_rows, update_rows
from ventiuna.table.store.schema import account, book, entry, posting

PAGE = 500  # entries that are read at a time

_HEAD = ("id", "version", "events", "head")
_ENTRY = (
    "book_id",
    "version",
    "first_event",
    "at",
    "actor",
    "key",
    "request",
    "command",
    "events",
    "engine",
    "hash",
)
_entry_row: Callable[[Entry], Values] = attrgetter("book", *_ENTRY[1:])
_KNOWN = ("actor", "key", "book_id", "version", "first_event", "events", "request")
_POSTING = (
    "book_id",
    "version",
    "line",
    "code",
    "from_id",
    "from_kind",
    "to_id",
    "to_kind",
    "amount",
    "round_number",
    "event",
    "spot",
    "reason",
)


_ENTRIES = Prepared(
    select(entry)
    .where(entry.c.book_id == bindparam("book"), entry.c.version > bindparam("after"))
    .order_by(entry.c.version)
    .limit(PAGE)
)
_EVENTS = Prepared(
    select(
        entry.c.version,
        entry.c.first_event,
        entry.c.at,
        entry.c.actor,
        entry.c.engine,
        entry.c.events,
    )
    .where(entry.c.book_id == bindparam("book"), entry.c.version > bindparam("after"))
    .order_by(entry.c.version)
    .limit(PAGE)
)
_PAYER, _PAYEE = account.alias("payer"), account.alias("payee")
_POSTINGS = Prepared(
    select(
        posting.c.version,
        posting.c.code,
        _PAYER.c.code,
        _PAYEE.c.code,
        posting.c.amount,
        posting.c.round_number,
        posting.c.event,
        posting.c.spot,
        posting.c.reason,
    )
    .join(_PAYER, _PAYER.c.id == posting.c.from_id)
    .join(_PAYEE, _PAYEE.c.id == posting.c.to_id)
    .where(
        posting.c.book_id == bindparam("book"),
        posting.c.version.between(bindparam("first"), bindparam("last")),
    )
    .order_by(posting.c.version, posting.c.line)
)


class Lock(IntEnum):
    """The order in which every transaction takes its locks; within a step by ascending number.

    A command that pays awards or links a meter takes them all; most end after the first. Without
    the last step, which a batch takes for its own stripes too, two processes would meet
    crosswise: the balances of a batch move in any order while an award walks them sorted.
    """

    BOOKS = 1  # of tables, or the cashier's
    MONEY = 2  # wallets and the house
    JACKPOTS = 3  # their books
    METERS = 4  # main accounts and stripes


class BookMoved(VentiunaError):
    """Somebody else has appended meanwhile: nothing of this may be committed."""


class BrokenBook(VentiunaError):
    """A book that does not agree with its own hashes."""


class BookKind(StrEnum):
    TABLE = "table"
    JACKPOT = "jackpot"
    CASHIER = "cashier"


# --- books ------------------------------------------------------------------------------------


def open_book(connection: Connection, kind: BookKind) -> Head:
    """A new book without entries."""
    number = connection.scalar(
        insert(book)
        .values(kind=str(kind), version=0, events=0, head=NOTHING_BEFORE)
        .returning(book.c.id)
    )
    return Head(int(number))


def lock_books(connection: Connection, numbers: Collection[int]) -> dict[int, Head]:
    """Where these books stand, held until the transaction ends."""
    return _heads(find_rows(connection, book, _HEAD, ("id",), _each(numbers), lock=True))


def read_heads(connection: Connection, numbers: Collection[int] | None = None) -> dict[int, Head]:
    """Where these books stand, or all of them in one moment, by ascending number."""
    if numbers is not None:
        return _heads(find_rows(connection, book, _HEAD, ("id",), _each(numbers)))
    query = select(*(book.c[name] for name in _HEAD)).order_by(book.c.id)
    return _heads(connection.execute(query))


def _heads(rows: Iterable[Row[*tuple[Any, ...]]]) -> dict[int, Head]:
    return {row.id: Head(*row) for row in rows}


def _each(values: Iterable[int] | Iterable[str]) -> list[Values]:
    return [(value,) for value in values]


# --- accounts ---------------------------------------------------------------------------------


def account_numbers(connection: Connection, codes: Collection[str]) -> dict[str, int]:
    """The numbers of these accounts; those that are new are opened, empty."""
    known = _numbers(connection, codes)
    new = sorted(set(codes) - known.keys())
    if not new:
        return known
    rows: list[Values] = [(code, str(kind_of(code))) for code in new]
    insert_rows(connection, account, ("code", "kind"), rows, keep_old=True)
    return _numbers(connection, codes)


def _numbers(connection: Connection, codes: Collection[str]) -> dict[str, int]:
    rows = find_rows(connection, account, ("code", "id"), ("code",), _each(codes))
    return {row.code: row.id for row in rows}


def lock_accounts(connection: Connection, numbers: Collection[int]) -> dict[int, int]:
    """The balances of these accounts by their numbers, held until the transaction ends."""
    columns = ("id", "balance")
    rows = find_rows(connection, account, columns, ("id",), _each(numbers), lock=True)
    return {row.id: row.balance for row in rows}


def balances(connection: Connection, codes: Collection[str] | None = None) -> dict[str, int]:
    """What these accounts hold, or all of them, by their codes."""
    if codes is None:
        rows = _BALANCES.all(connection)
    else:
        rows = find_rows(connection, account, ("code", "balance"), ("code",), _each(codes))
    return {row.code: row.balance for row in rows}


_BALANCES = Prepared(select(account.c.code, account.c.balance).order_by(account.c.code))


# --- writing ----------------------------------------------------------------------------------


Line = tuple[Entry, int]  # a posting by its entry and its number there, from 1


def lines_of(entry: Entry) -> list[Line]:
    return [(entry, number) for number in range(1, len(entry.postings) + 1)]


def append(
    connection: Connection,
    entries: Sequence[Entry],
    accounts: Mapping[str, int] | None = None,
    lines: Sequence[Line] | None = None,
    heads: Mapping[int, Head] | None = None,
) -> None:
    """Write entries with their postings and move the heads of their books.

    Entries of one book follow each other. `accounts` are numbers that the caller knows already,
    and `heads` where books stand afterwards. `lines` are all postings in the order in which each
    is covered, where that is not the order of the entries. Raises `BookMoved` where a book no
    longer stands before its first entry.
    """
    _move_heads(connection, entries, heads or {})
    insert_rows(connection, entry, _ENTRY, list(map(_entry_row, entries)))
    if accounts is None:
        moved = [line for written in entries for line in written.postings]
        codes = {line.from_account for line in moved} | {line.to_account for line in moved}
        accounts = account_numbers(connection, codes)
    if lines is None:
        lines = [line for written in entries for line in lines_of(written)]
    rows = [_posting_row(written, number, accounts) for written, number in lines]
    insert_rows(connection, posting, _POSTING, rows)


def _move_heads(
    connection: Connection, entries: Sequence[Entry], heads: Mapping[int, Head]
) -> None:
    before: dict[int, int] = {}
    last: dict[int, Entry] = {}
    for written in entries:
        before.setdefault(written.book, written.version - 1)
        last[written.book] = written
    rows: list[Values] = []
    for number in sorted(before):
        head = heads.get(number) or _head_after(last[number])
        rows.append((number, before[number], head.version, head.events, head.hash))
    hit = update_rows(connection, book, ("id", "version"), ("version", "events", "head"), rows)
    if hit != len(rows):
        raise BookMoved("A book has moved on since it was read: read it again.")


def _head_after(last: Entry) -> Head:
    events = last.first_event - 1 + len(last.event_data())
    return Head(last.book, last.version, events, last.hash)


def _posting_row(written: Entry, number: int, accounts: Mapping[str, int]) -> Values:
    line = written.postings[number - 1]
    return (
        written.book,
        written.version,
        number,
        str(line.code),
        accounts[line.from_account],
        str(line.from_kind),
        accounts[line.to_account],
        str(line.to_kind),
        line.amount,
        line.round_number,
        line.event,
        line.spot,
        line.reason,
    )


# --- reading ----------------------------------------------------------------------------------


class KnownCommand(NamedTuple):
    """A command that is in the books already."""

    book: int
    version: int
    first_event: int
    events: str
    request: bytes


def known_commands(
    connection: Connection, asked: Collection[tuple[str, str]]
) -> dict[tuple[str, str], KnownCommand]:
    """Those of the (actor, key) pairs that were committed, with what came of them."""
    rows = find_rows(connection, entry, _KNOWN, ("actor", "key"), asked)
    return {(actor, key): KnownCommand(*answer) for actor, key, *answer in rows}


def read_entries(connection: Connection, number: int, after: int = 0) -> Iterator[Entry]:
    """The entries of a book behind a version, in order."""
    while True:
        page = _page(connection, number, after)
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].version


def _page(connection: Connection, number: int, after: int) -> list[Entry]:
    rows = _ENTRIES.all(connection, book=number, after=after)
    if not rows:
        return []
    postings = _postings(connection, number, after, rows[-1].version)
    return [
        Entry(
            book=row.book_id,
            version=row.version,
            first_event=row.first_event,
            at=row.at,
            actor=row.actor,
            key=row.key,
            request=row.request,
            command=row.command,
            events=row.events,
            engine=row.engine,
            postings=tuple(postings[row.version]),
            hash=row.hash,
        )
        for row in rows
    ]


def _postings(
    connection: Connection, number: int, after: int, last: int
) -> dict[int, list[Posting]]:
    found: dict[int, list[Posting]] = defaultdict(list)
    for version, code, *rest in _POSTINGS.all(connection, book=number, first=after + 1, last=last):
        found[version].append(Posting(PostingCode(code), *rest))
    return found


class WrittenEvents(NamedTuple):
    """What an entry tells, without what was asked and what it moved."""

    version: int
    first_event: int
    at: int
    actor: str
    engine: int
    events: str  # canonical JSON, a list

    def event_data(self) -> list[Data]:
        events: list[Data] = json.loads(self.events)
        return events


def read_events(connection: Connection, number: int, after: int = 0) -> Iterator[WrittenEvents]:
    """As `read_entries`; most who read a book want to know what happened and no more."""
    while True:
        page = [WrittenEvents(*row) for row in _EVENTS.all(connection, book=number, after=after)]
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].version


def verify_book(connection: Connection, number: int) -> Head:
    """Follow a book from its first entry to its head; raises `BrokenBook` at the first fault."""
    head = Head(number)
    try:
        for written in read_entries(connection, number):
            head = _followed(head, written)
    except ValueError as error:  # not JSON, or not a posting that the chart lists
        raise BrokenBook(f"Book {number} after version {head.version}: {error}") from None
    stands = read_heads(connection, [number]).get(number)
    if stands != head:
        raise BrokenBook(f"Book {number} does not stand where its entries end, {_where(head)}.")
    return head


def _followed(head: Head, written: Entry) -> Head:
    where = f"Book {head.book}, version {written.version}"
    if written.version != head.version + 1:
        raise BrokenBook(f"{where} follows version {head.version}.")
    if written.first_event != head.events + 1:
        raise BrokenBook(f"{where} begins with event {written.first_event}, after {head.events}.")
    if written.hash != written.hash_after(head.hash):
        raise BrokenBook(f"{where} is not what was hashed.")
    events = head.events + len(written.event_data())
    return Head(head.book, written.version, events, written.hash)


def _where(head: Head) -> str:
    return f"version {head.version}, event {head.events}"
