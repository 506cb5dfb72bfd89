"""A house's books in the database: their entries, and seals that cover all books.

A book's row is its lock: the holder may append, and the version can't change in the meantime. All
locks are taken before the first posting, in the order of `Lock`. A command sent again with the same
key finds its original entry.

A seal is a chained hash over the heads of all books and the row counts. Others can write it down.
`heads = SHA-256` of the lines `book SP version SP hex(head) LF` by ascending book, followed by
`rows SP table SP count LF` by ascending name and `salt SP hex LF`; `hash =
SHA-256("ventiuna-seal-2\\n" + previous + number as 8 bytes + at as 8 bytes + heads)`. Anyone who
rewrites a book's whole chain must also change the seals published since then.

A seal lists the books that moved since the previous seal, so it can always be checked. These
changes, applied to the last full list, give every book's version at that time, and the entries give
its head. The salt is random and never leaves the database. Without it, a published seal would
confirm a guess at the down card of a round in play to anyone who knows the rest of the books.

Older seals stay valid: seals in the first format (`ventiuna-seal-1`) don't cover their time or any
counts, and none may follow a seal in the second format. The first seals in the second format have
no salt.

Only seals establish an order between books: the entries that a seal covers were committed before
it, and all others after it. Timestamps prove nothing, because the clocks of two processes may
differ and anyone who can change a row can change its time.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from enum import IntEnum, StrEnum
from operator import attrgetter
from string import hexdigits
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, func, insert, select

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import Refused
from ventiuna.errors import VentiunaError
from ventiuna.table.ledger import (
    GENESIS_HASH,
    LARGEST_INTEGER,
    Entry,
    JournalHead,
    PlainData,
    Posting,
    PostingCode,
    canonical_json,
    kind_of,
)
from ventiuna.table.store.schema import account, book, entry, person, posting, seal
from ventiuna.table.store.statements import Prepared, Values, find_rows, insert_rows, update_rows

ENTRIES_PER_PAGE = 500  # entries read at a time

_HEAD_COLUMNS = ("id", "version", "events", "head")
_ENTRY_COLUMNS = (
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
_entry_row: Callable[[Entry], Values] = attrgetter("book", *_ENTRY_COLUMNS[1:])
_COMMAND_COLUMNS = ("actor", "key", "book_id", "version", "first_event", "events", "request")
_POSTING_COLUMNS = (
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


def _entry_page(*columns: str) -> Prepared:
    return Prepared(
        select(*(entry.c[name] for name in columns))
        .where(entry.c.book_id == bindparam("book"), entry.c.version > bindparam("after"))
        .order_by(entry.c.version)
        .limit(ENTRIES_PER_PAGE)
    )


_ENTRIES = _entry_page(*_ENTRY_COLUMNS)
_EVENTS = _entry_page("version", "first_event", "at", "actor", "engine", "events")
_PAYER, _PAYEE = account.alias("payer"), account.alias("payee")
_POSTING_ROWS = Prepared(
    select(
        posting.c.version,
        posting.c.line,
        posting.c.code,
        _PAYER.c.code,
        _PAYEE.c.code,
        posting.c.from_kind,
        posting.c.to_kind,
        posting.c.amount,
        posting.c.round_number,
        posting.c.event,
        posting.c.spot,
        posting.c.reason,
    )
    .outerjoin(_PAYER, _PAYER.c.id == posting.c.from_id)
    .outerjoin(_PAYEE, _PAYEE.c.id == posting.c.to_id)
    .where(
        posting.c.book_id == bindparam("book"),
        posting.c.version.between(bindparam("first"), bindparam("last")),
    )
    .order_by(posting.c.version, posting.c.line)
)


class Lock(IntEnum):
    """The order in which every transaction takes its locks; within a step, by ascending number.

    A command that pays awards or links a meter goes through every step; most commands stop after
    the first. A batch also takes the last step's locks, for its own stripes. This prevents
    deadlocks between processes, because a batch changes balances in any order, while an award goes
    through them sorted.
    """

    BOOKS = 1  # books of tables, or the cashier's book
    MONEY = 2  # wallets and the house
    JACKPOTS = 3  # books of jackpots
    METERS = 4  # main accounts and stripes of jackpots


class JournalConflict(VentiunaError):
    """Someone else has appended in the meantime, so this transaction must not be committed."""


class BrokenBook(VentiunaError):
    """The book doesn't match its own hashes."""


class BookKind(StrEnum):
    TABLE = "table"
    JACKPOT = "jackpot"
    CASHIER = "cashier"


def open_book(connection: Connection, kind: BookKind) -> JournalHead:
    """Create a new book without entries."""
    number = connection.scalar(
        insert(book)
        .values(kind=str(kind), version=0, events=0, head=GENESIS_HASH)
        .returning(book.c.id)
    )
    return JournalHead(int(number))


def lock_books(connection: Connection, numbers: Collection[int]) -> dict[int, JournalHead]:
    """Lock these books until the transaction ends, and return their heads."""
    return _heads(find_rows(connection, book, _HEAD_COLUMNS, ("id",), _as_rows(numbers), lock=True))


def read_heads(
    connection: Connection, numbers: Collection[int] | None = None
) -> dict[int, JournalHead]:
    """The heads of these books, or of all books in one snapshot, by ascending number."""
    if numbers is not None:
        return _heads(find_rows(connection, book, _HEAD_COLUMNS, ("id",), _as_rows(numbers)))
    query = select(*(book.c[name] for name in _HEAD_COLUMNS)).order_by(book.c.id)
    return _heads(connection.execute(query))


def _heads(rows: Iterable[Row[*tuple[Any, ...]]]) -> dict[int, JournalHead]:
    return {row.id: JournalHead(*row) for row in rows}


def _as_rows(values: Iterable[int] | Iterable[str]) -> list[Values]:
    return [(value,) for value in values]


def account_numbers(connection: Connection, codes: Collection[str]) -> dict[str, int]:
    """The numbers of these accounts; new ones are opened with a balance of zero."""
    known = _numbers(connection, codes)
    new = sorted(set(codes) - known.keys())
    if not new:
        return known
    rows: list[Values] = [(code, str(kind_of(code))) for code in new]
    insert_rows(connection, account, ("code", "kind"), rows, keep_old=True)
    return _numbers(connection, codes)


def _numbers(connection: Connection, codes: Collection[str]) -> dict[str, int]:
    rows = find_rows(connection, account, ("code", "id"), ("code",), _as_rows(codes))
    return {row.code: row.id for row in rows}


def lock_accounts(connection: Connection, numbers: Collection[int]) -> dict[int, int]:
    """Lock these accounts until the transaction ends; return balances by account number."""
    columns = ("id", "balance")
    rows = find_rows(connection, account, columns, ("id",), _as_rows(numbers), lock=True)
    return {row.id: row.balance for row in rows}


def balances(connection: Connection, codes: Collection[str] | None = None) -> dict[str, int]:
    """The balances of these accounts, or of all, by code."""
    if codes is None:
        rows = _BALANCES.all(connection)
    else:
        rows = find_rows(connection, account, ("code", "balance"), ("code",), _as_rows(codes))
    return {row.code: row.balance for row in rows}


_BALANCES = Prepared(select(account.c.code, account.c.balance).order_by(account.c.code))


# a posting's entry, and its line number in that entry, starting at 1
PostingRef = tuple[Entry, int]


def posting_refs(entry: Entry) -> list[PostingRef]:
    return [(entry, number) for number in range(1, len(entry.postings) + 1)]


def append(
    connection: Connection,
    entries: Sequence[Entry],
    accounts: Mapping[str, int] | None = None,
    lines: Sequence[PostingRef] | None = None,
    heads: Mapping[int, JournalHead] | None = None,
) -> None:
    """Write entries with their postings and move the heads of their books.

    Entries in one book must be in order. `accounts` contains account numbers that the caller
    already knows, and `heads` contains the books' heads afterward. If the entries' order would
    overdraw an account, `lines` lists all postings in an order that doesn't. Raises
    `JournalConflict` if a book has moved since its entries were prepared.
    """
    _move_heads(connection, entries, heads or {})
    insert_rows(connection, entry, _ENTRY_COLUMNS, list(map(_entry_row, entries)))
    if accounts is None:
        moved = [line for written in entries for line in written.postings]
        codes = {line.from_account for line in moved} | {line.to_account for line in moved}
        accounts = account_numbers(connection, codes)
    if lines is None:
        lines = [line for written in entries for line in posting_refs(written)]
    rows = [_posting_row(written, number, accounts) for written, number in lines]
    insert_rows(connection, posting, _POSTING_COLUMNS, rows)


def _move_heads(
    connection: Connection, entries: Sequence[Entry], heads: Mapping[int, JournalHead]
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
        raise JournalConflict("A book has changed since it was read. Read it again.")


def _head_after(last: Entry) -> JournalHead:
    events = last.first_event - 1 + len(last.event_data())
    return JournalHead(last.book, last.version, events, last.hash)


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


class KnownCommand(NamedTuple):
    """A command that is already in the books."""

    book: int
    version: int
    first_event: int
    events: str
    request: bytes


def known_commands(
    connection: Connection, keys: Collection[tuple[str, str]]
) -> dict[tuple[str, str], KnownCommand]:
    """Outcomes of the (actor, key) pairs that are already committed."""
    rows = find_rows(connection, entry, _COMMAND_COLUMNS, ("actor", "key"), keys)
    return {(actor, key): KnownCommand(*answer) for actor, key, *answer in rows}


class PostingRow(NamedTuple):
    """A posting with its account codes; a code is None if the account doesn't exist."""

    number: int
    code: str
    from_account: str | None
    to_account: str | None
    from_kind: str
    to_kind: str
    amount: int
    round_number: int | None
    event: int | None
    spot: int | None
    reason: str | None

    def posting(self) -> Posting:
        """The posting in this row; raises `ValueError` if it is invalid."""
        code, payer, payee = PostingCode(self.code), str(self.from_account), str(self.to_account)
        return Posting(code, payer, payee, *self[6:])

    def data(self) -> PlainData:
        """The data that is hashed."""
        return {
            "amount": self.amount,
            "code": self.code,
            "event": self.event,
            "from": self.from_account,
            "reason": self.reason,
            "round": self.round_number,
            "spot": self.spot,
            "to": self.to_account,
        }

    def __str__(self) -> str:
        reason = f" ({self.reason})" if self.reason is not None else ""
        return (
            f"{self.code} of {self.amount} cents from {self.from_account} to {self.to_account}, "
            f"event {self.event}, round {self.round_number}, spot {self.spot}{reason}"
        )


def posting_rows(postings: Iterable[Posting]) -> list[PostingRow]:
    """The rows for an entry's postings."""
    return [
        PostingRow(
            number,
            str(line.code),
            line.from_account,
            line.to_account,
            str(line.from_kind),
            str(line.to_kind),
            line.amount,
            line.round_number,
            line.event,
            line.spot,
            line.reason,
        )
        for number, line in enumerate(postings, start=1)
    ]


class StoredEntry(NamedTuple):
    """An entry without its postings, and the rows for its postings."""

    entry: Entry
    lines: Sequence[PostingRow]


def stored_entries(connection: Connection, book: int, after: int = 0) -> Iterator[StoredEntry]:
    """A book's entries after this version, in order and unverified."""
    while rows := _ENTRIES.all(connection, book=book, after=after):
        lines: dict[int, list[PostingRow]] = defaultdict(list)
        last = rows[-1].version
        for version, *rest in _POSTING_ROWS.all(connection, book=book, first=after + 1, last=last):
            lines[version].append(PostingRow(*rest))
        for row in rows:
            yield StoredEntry(Entry(*row), lines[row.version])
        after = last


def read_entries(connection: Connection, number: int, after: int = 0) -> Iterator[Entry]:
    """A book's entries after this version; raises `ValueError` for invalid postings."""
    for written, lines in stored_entries(connection, number, after):
        yield replace(written, postings=tuple(line.posting() for line in lines))


class EntryEvents(NamedTuple):
    """An entry's events, without its command and postings."""

    version: int
    first_event: int
    at: int
    actor: str
    engine: int
    events: str  # canonical JSON, a list

    def event_data(self) -> list[PlainData]:
        events: list[PlainData] = json.loads(self.events)
        return events


def read_events(connection: Connection, number: int, after: int = 0) -> Iterator[EntryEvents]:
    """Like `read_entries`, but only the events. Most readers need nothing else."""
    while True:
        page = [EntryEvents(*row) for row in _EVENTS.all(connection, book=number, after=after)]
        yield from page
        if len(page) < ENTRIES_PER_PAGE:
            return
        after = page[-1].version


def verify_book(connection: Connection, number: int) -> JournalHead:
    """Check a book from its first entry to its head; raises `BrokenBook` at the first fault."""
    head = JournalHead(number)
    try:
        for written in read_entries(connection, number):
            head = _next_head(head, written)
    except ValueError as error:  # invalid JSON, or a posting that isn't in the chart
        raise BrokenBook(f"Book {number} after version {head.version}: {error}") from None
    stored_head = read_heads(connection, [number]).get(number)
    if stored_head != head:
        raise BrokenBook(
            f"The row of book {number} doesn't match its last entry, version {head.version}, event "
            f"{head.events}."
        )
    return head


def _next_head(head: JournalHead, written: Entry) -> JournalHead:
    where = f"Book {head.book}, version {written.version}"
    if written.version != head.version + 1:
        raise BrokenBook(
            f"{where} follows version {head.version} (expected version {head.version + 1})."
        )
    if written.first_event != head.events + 1:
        raise BrokenBook(
            f"{where} begins with event {written.first_event} (expected event {head.events + 1})."
        )
    if written.hash != written.hash_after(head.hash):
        raise BrokenBook(f"{where} doesn't match its hash.")
    events = head.events + len(written.event_data())
    return JournalHead(head.book, written.version, events, written.hash)


def find_duplicate(
    connection: Connection, actor: str, key: str, content: bytes, book: int | None = None
) -> KnownCommand | None:
    """Return the outcome of this command if it was already committed.

    Refuses a key that was used for another command or in a different book.
    """
    known = known_commands(connection, [(actor, key)]).get((actor, key))
    if known is not None and (known.request != content or book not in (None, known.book)):
        raise key_reused()
    return known


def key_reused() -> Refused:
    return Refused(
        RefusalCode.KEY_REUSED,
        (),
        "This key was already used for another command. Choose a new key for each command.",
    )


FULL_EVERY = 1000  # one seal in this many lists every book

_SEAL_PREFIX = b"ventiuna-seal-2\n"
_OLD_SEAL_PREFIX = b"ventiuna-seal-1\n"

# Database tables whose rows are never deleted and aren't listed in any book.
_COUNTED_TABLES = (account, person)
_COUNT_POSTINGS = Prepared(
    select(func.count()).where(
        posting.c.book_id == bindparam("book"),
        posting.c.version.between(bindparam("first"), bindparam("last")),
    )
)

BookVersions = dict[int, int]  # version by book
RowCounts = dict[str, int]  # rows by table
SEAL_DIGITS = 64
SALT_BYTES = 32


class InvalidSealHash(VentiunaError, ValueError):
    """The string can't be a seal hash."""


class BrokenSeal(VentiunaError):
    """A seal doesn't match the books or the previous seal."""


@dataclass(frozen=True, slots=True)
class Seal:
    number: int
    at: int
    moved: str  # canonical JSON: {"books": [[book, version], …], "rows": {…}, "salt": hex}
    heads: bytes
    previous: bytes
    hash: bytes

    @property
    def versions(self) -> BookVersions:
        data = json.loads(self.moved)
        return dict(data if isinstance(data, list) else data["books"])

    @property
    def rows(self) -> RowCounts | None:
        """Row counts; None for a seal in the first format, which lists only books."""
        data = json.loads(self.moved)
        return None if isinstance(data, list) else dict(data["rows"])

    @property
    def salt(self) -> str | None:
        """The secret that keeps a published seal from confirming a guess; None for older seals."""
        data = json.loads(self.moved)
        return None if isinstance(data, list) else data.get("salt")

    def due_hash(self) -> bytes:
        if self.rows is None:
            return _sha256(_OLD_SEAL_PREFIX, self.previous, _eight_bytes(self.number), self.heads)
        return hash_of_seal(self.number, self.at, self.previous, self.heads)


def seal_hash(text: str) -> bytes:
    """Parse a seal hash that someone wrote down."""
    if len(text) != SEAL_DIGITS or not set(text) <= set(hexdigits):
        raise InvalidSealHash(
            f"A seal hash must have {SEAL_DIGITS} hexadecimal digits, not {text[:80]!r} (--seal)."
        )
    return bytes.fromhex(text)


def hash_of_heads(
    heads: Mapping[int, tuple[int, bytes]], rows: RowCounts | None, salt: str | None = None
) -> bytes:
    """Hash of each book's version and head, the row counts, and the salt."""
    lines = [
        f"{number} {version} {head.hex()}\n" for number, (version, head) in sorted(heads.items())
    ]
    lines += [f"rows {table} {count}\n" for table, count in sorted((rows or {}).items())]
    if salt is not None:
        lines.append(f"salt {salt}\n")
    return _sha256("".join(lines).encode())


def hash_of_seal(number: int, at: int, previous: bytes, heads: bytes) -> bytes:
    return _sha256(_SEAL_PREFIX, previous, _eight_bytes(number), _eight_bytes(at), heads)


def _sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _eight_bytes(number: int) -> bytes:
    return number.to_bytes(8, "big", signed=True)


_NEWEST_SEAL = Prepared(select(seal).order_by(seal.c.number.desc()).limit(1))


def newest_seal(connection: Connection) -> Seal | None:
    row = _NEWEST_SEAL.first(connection)
    return Seal(*row) if row else None


def find_seal(connection: Connection, number: int) -> Seal | None:
    row = connection.execute(select(seal).where(seal.c.number == number)).first()
    return Seal(*row) if row else None


def seal_books(connection: Connection, at: int) -> Seal:
    """Seal the current state of all books.

    If two processes seal at the same time, they use the same number, and the database refuses the
    second.
    """
    last = newest_seal(connection)
    number = last.number + 1 if last else 1
    previous = last.hash if last else GENESIS_HASH
    heads = read_heads(connection)  # in one statement, so that everything comes from one snapshot
    versions = {head.book: head.version for head in heads.values()}
    before = _sealed_versions(connection, number)
    rows = _current_counts(connection, last, before, versions)
    salt = secrets.token_hex(SALT_BYTES)
    of_heads = hash_of_heads(
        {head.book: (head.version, head.hash) for head in heads.values()}, rows, salt
    )
    new_seal = Seal(
        number,
        at,
        _seal_content(number, before, versions, rows, salt),
        of_heads,
        previous,
        hash_of_seal(number, at, previous, of_heads),
    )
    insert_rows(connection, seal, Seal.__slots__, [astuple(new_seal)])
    return new_seal


@dataclass(frozen=True, slots=True)
class SealFault:
    """A sentence that describes a fault in the seal with this number."""

    number: int
    sentence: str


def verify_seals(connection: Connection) -> int:
    """Check every seal against the previous one and the books' entries; return the number of seals.

    `verify_book` checks the entries' own hashes.
    """
    number = 0
    for checked in check_seals(connection):
        if isinstance(checked, SealFault):
            raise BrokenSeal(checked.sentence)
        number = checked.number
    return number


def check_seals(connection: Connection) -> Iterator[Seal | SealFault]:
    """Every seal in order, each preceded by its faults."""
    previous = GENESIS_HASH
    number = 0
    heads: dict[int, tuple[int, bytes]] = {}
    rows = _CountCheck(connection)
    for sealed in all_seals(connection):
        number += 1
        if sealed.number != number or sealed.previous != previous:
            yield SealFault(
                sealed.number, f"Seal {sealed.number} doesn't follow seal {number - 1}."
            )
        if sealed.hash != sealed.due_hash():
            yield SealFault(sealed.number, f"Seal {sealed.number} doesn't match its hash.")
        before = _versions(heads)
        try:
            heads |= _heads_at(connection, sealed)
        except BrokenSeal as error:
            yield SealFault(sealed.number, str(error))
        else:
            if sealed.heads != hash_of_heads(heads, sealed.rows, sealed.salt):
                yield SealFault(
                    sealed.number,
                    f"Seal {sealed.number} doesn't match the current books.",
                )
            versions = _versions(heads)
            if sealed.moved != _seal_content(
                sealed.number, before, versions, sealed.rows, sealed.salt
            ):
                yield SealFault(sealed.number, f"Seal {sealed.number} lists the wrong books.")
            for sentence in rows.faults(sealed, versions):
                yield SealFault(sealed.number, f"Seal {sealed.number} {sentence}.")
        previous, number = sealed.hash, sealed.number
        yield sealed
    for sentence in rows.faults_now(_versions(heads)):
        yield SealFault(number, f"Seal {number} {sentence}.")


def _versions(heads: Mapping[int, tuple[int, bytes]]) -> BookVersions:
    return {number: version for number, (version, _) in heads.items()}


def _seal_content(
    number: int,
    before: BookVersions,
    versions: BookVersions,
    rows: RowCounts | None,
    salt: str | None,
) -> str:
    """JSON with the books that moved since the last seal (all in a full seal), counts, and salt."""
    books = [
        [book, version]
        for book, version in sorted(versions.items())
        if number % FULL_EVERY == 1 or before.get(book) != version
    ]
    if rows is None:
        return canonical_json(books)
    salted = {} if salt is None else {"salt": salt}
    return canonical_json({"books": books, "rows": rows, **salted})


def _current_counts(
    connection: Connection, last: Seal | None, before: BookVersions, versions: BookVersions
) -> RowCounts:
    """Row counts. Only postings since the last seal are counted, because there may be millions."""
    known = (last.rows if last else None) or {}
    if not known:
        before = {}
    return {
        "book": len(versions),
        "entry": sum(versions.values()),
        "posting": known.get("posting", 0) + _postings_between(connection, before, versions),
        **_row_counts(connection),
    }


def _row_counts(connection: Connection) -> RowCounts:
    return {
        table.name: connection.scalar(select(func.count()).select_from(table)) or 0
        for table in _COUNTED_TABLES
    }


def _postings_between(connection: Connection, before: BookVersions, versions: BookVersions) -> int:
    """Number of postings in entries after `before`, up to `versions`."""
    return sum(
        _COUNT_POSTINGS.first(
            connection, book=number, first=before.get(number, 0) + 1, last=version
        )[0]
        for number, version in versions.items()
        if version > before.get(number, 0)
    )


class _CountCheck:
    """Compares the counts of every seal with the books and with the previous seal."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._last: RowCounts | None = None
        self._counted: BookVersions = {}  # versions up to which postings were counted
        self._postings = 0

    def faults(self, sealed: Seal, versions: BookVersions) -> Iterator[str]:
        rows = sealed.rows
        if rows is None:
            if self._last is not None:
                yield "has no row counts, unlike the seal before it"
            return
        self._postings += _postings_between(self._connection, self._counted, versions)
        self._counted = versions
        due = {
            "book": len(versions),
            "entry": sum(versions.values()),
            "posting": self._postings,
        }
        for table, count in due.items():
            if rows.get(table) != count:
                yield f"counts {rows.get(table)} rows of {table}, but the books have {count}"
        yield from _lost_rows(rows, self._last or {}, "the seal before it")
        self._last = rows

    def faults_now(self, versions: BookVersions) -> Iterator[str]:
        """Faults in the newest seal: everything it lists must still exist."""
        heads = read_heads(self._connection)
        for number, version in versions.items():
            if number not in heads:
                yield f"lists book {number}, which has no row"
            elif heads[number].version < version:
                yield f"has version {version} of book {number}, but its row is older"
        if self._last is not None:
            yield from _lost_rows(
                _row_counts(self._connection), self._last, "it counted", "now has"
            )


def _lost_rows(rows: RowCounts, before: RowCounts, what: str, has: str = "counts") -> Iterator[str]:
    for table in (counted.name for counted in _COUNTED_TABLES):
        if rows.get(table, 0) < before.get(table, 0):
            yield f"{has} {rows.get(table, 0)} rows of {table}, fewer than {what}"


def all_seals(
    connection: Connection, first: int = -LARGEST_INTEGER, last: int = LARGEST_INTEGER
) -> Iterator[Seal]:
    """The seals from number `first` to number `last` in order, unchecked.

    By default, seals with forged numbers below 1 are included.
    """
    query = select(seal).where(seal.c.number.between(first, last)).order_by(seal.c.number)
    for row in connection.execute(query):
        yield Seal(*row)


def versions_at(connection: Connection, number: int) -> BookVersions:
    """Every book's version in the seal with this number; raises `BrokenSeal` if there is none."""
    known = connection.scalar(select(seal.c.number).where(seal.c.number == number))
    if known is None:
        raise BrokenSeal(f"There is no seal {number}.")
    return _sealed_versions(connection, number + 1)


def _sealed_versions(connection: Connection, number: int) -> BookVersions:
    """Every book's version in the seal before this one."""
    full = (number - 2) // FULL_EVERY * FULL_EVERY + 1
    versions: BookVersions = {}
    for sealed in all_seals(connection, full, number - 1):
        versions |= sealed.versions
    return versions


def _heads_at(connection: Connection, sealed: Seal) -> dict[int, tuple[int, bytes]]:
    """The version and head of each book that a seal lists, from the book's entries."""
    versions = sealed.versions
    heads = {number: (0, GENESIS_HASH) for number, version in versions.items() if version == 0}
    written = [pair for pair in versions.items() if pair[0] not in heads]
    columns = ("book_id", "version", "hash")
    for number, version, head in find_rows(connection, entry, columns, columns[:2], written):
        heads[number] = version, head
    for number, version in versions.items():
        if number not in heads:
            raise BrokenSeal(
                f"Seal {sealed.number}: version {version} of book {number} is missing."
            )
    return heads


@dataclass(slots=True)
class _SealedVersions:
    """One book's versions in ascending order, each with the first seal that covers it."""

    versions: list[int] = field(default_factory=list)
    seals: list[int] = field(default_factory=list)


class SealOrder:
    def __init__(self, seals: Iterable[tuple[int, BookVersions]] = ()) -> None:
        self._books: defaultdict[int, _SealedVersions] = defaultdict(_SealedVersions)
        self._next = 1
        for number, moved in seals:
            self._next = number + 1
            for book_id, version in moved.items():
                sealed = self._books[book_id]
                if not sealed.versions or version > sealed.versions[-1]:
                    sealed.versions.append(version)
                    sealed.seals.append(number)

    def first(self, book: int, version: int) -> int:
        """The first seal that includes this entry; if none does, the next one to be created."""
        sealed = self._books[book]
        place = bisect_left(sealed.versions, version)
        return sealed.seals[place] if place < len(sealed.seals) else self._next

    def before(self, book: int, seal: int) -> int:
        """The latest earlier seal that was the first to include some entry in this book, or 0."""
        seals = self._books[book].seals
        place = bisect_left(seals, seal)
        return seals[place - 1] if place else 0
