"""Stored entries in raw form, their hash chain, and the differences an audit finds."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select
from typing_extensions import TypedDict

from ventiuna.table.ledger import Entry, JournalHead, PlainData, Posting, PostingCode
from ventiuna.table.store.schema import account, entry, posting
from ventiuna.table.store.statements import Prepared

# --- Differences ---

MAX_KEPT = 1000  # differences; the rest are only counted
LONGEST_VALUE = 2000  # characters of a value; a forged one may have millions


class DifferenceKind(StrEnum):
    CHAIN = "chain"  # an entry with the wrong hash or in the wrong place
    COMMAND = "command"  # a command that can't be carried out as stored
    EVENT = "event"
    POSTING = "posting"
    BALANCE = "balance"
    ROW = "row"
    SHOE = "shoe"
    SEAL = "seal"
    JACKPOT = "jackpot"  # one of the seven invariants
    GUARD = "guard"  # safeguards of the database


@dataclass(frozen=True, slots=True)
class Location:
    """A location in the books."""

    book: int | None = None
    version: int | None = None

    def __str__(self) -> str:
        if self.book is None:
            return "The house"
        version = "" if self.version is None else f", version {self.version}"
        return f"Book {self.book}{version}"


@dataclass(frozen=True, slots=True)
class Difference:
    kind: DifferenceKind
    place: Location
    what: str  # event 17, seat 3, wallet/12
    stored: str
    follows: str

    def __str__(self) -> str:
        stored, expected = self.stored.rstrip("."), self.follows.rstrip(".")
        return f"{self.place}, {self.what}. Found: {stored}. Expected: {expected}."

    def data(self) -> AuditDifference:
        return {
            "kind": str(self.kind),
            "book": self.place.book,
            "version": self.place.version,
            "what": self.what,
            "stored": self.stored,
            "follows": self.follows,
        }


class AuditDifference(TypedDict):
    kind: str
    book: int | None
    version: int | None
    what: str
    stored: str
    follows: str


@dataclass(slots=True)
class Differences:
    """Counts all differences and stores the first thousand."""

    listed: list[Difference] = field(default_factory=list)
    counts: Counter[DifferenceKind] = field(default_factory=Counter)

    def add(
        self, kind: DifferenceKind, place: Location, what: str, stored: object, expected: object
    ) -> None:
        self.counts[kind] += 1
        if len(self.listed) < MAX_KEPT:
            self.listed.append(Difference(kind, place, what, _cut(stored), _cut(expected)))

    @property
    def total(self) -> int:
        return self.counts.total()


def with_reason(expected: str, error: object) -> str:
    """The expected data, with the error raised if it is missing."""
    return f"{expected} ({str(error).rstrip('.')})"


def _cut(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


# --- Stored entries ---

PAGE = 500


class PostingRow(NamedTuple):
    """A posting with its account codes; None for an account that doesn't exist."""

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


def posting_row(number: int, line: Posting) -> PostingRow:
    """The row for this posting."""
    return PostingRow(
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


def posting_of(line: PostingRow) -> Posting | None:
    """The posting in this row; None if it is invalid."""
    try:
        return Posting(
            PostingCode(line.code),
            str(line.from_account),
            str(line.to_account),
            line.amount,
            line.round_number,
            line.event,
            line.spot,
            line.reason,
        )
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry without its postings, and the rows of its postings."""

    entry: Entry
    lines: Sequence[PostingRow]


def stored_entries(connection: Connection, book: int, after: int = 0) -> Iterator[StoredEntry]:
    """The entries of a book in order, unverified."""
    while True:
        rows = _ENTRIES.all(connection, book=book, after=after)
        if not rows:
            return
        lines = _posting_rows(connection, book, after, rows[-1].version)
        for row in rows:
            written = Entry(
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
                postings=(),
                hash=row.hash,
            )
            yield StoredEntry(written, lines[row.version])
        after = rows[-1].version


def stored_events(text: str) -> list[PlainData] | None:
    """Parse stored events; None if the text isn't a list of objects."""
    try:
        events = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        return None
    return events


def _posting_rows(
    connection: Connection, book: int, after: int, last: int
) -> dict[int, list[PostingRow]]:
    found: dict[int, list[PostingRow]] = defaultdict(list)
    for version, *rest in _POSTING_ROWS.all(connection, book=book, first=after + 1, last=last):
        found[version].append(PostingRow(*rest))
    return found


_ENTRIES = Prepared(
    select(entry)
    .where(entry.c.book_id == bindparam("book"), entry.c.version > bindparam("after"))
    .order_by(entry.c.version)
    .limit(PAGE)
)
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


# --- Hash chain ---


class ChainCheck:
    """Checks the hash chain of one book, entry by entry.

    A changed entry is reported only once: later entries may match either its stored hash or its
    correct one.
    """

    def __init__(self, book: int, differences: Differences) -> None:
        self.head = JournalHead(book)
        self._worked_out = self.head.hash
        self._differences = differences

    def add(self, stored: StoredEntry, events: int) -> bool:
        """Return whether the entry matches its hash; `events` is its number of events."""
        entry = stored.entry
        place = Location(entry.book, entry.version)
        head = self.head
        if entry.version != head.version + 1:
            self._report(
                place, "the version", entry.version, f"version {head.version + 1}, which is missing"
            )
        if entry.first_event != head.events + 1:
            self._report(place, "its first event", entry.first_event, head.events + 1)
        lines = [line.data() for line in stored.lines]
        due = entry.hash_with(head.hash, lines)
        other = due if head.hash == self._worked_out else entry.hash_with(self._worked_out, lines)
        holds = entry.hash in (due, other)
        if not holds:
            self._report(place, "the entry's hash", entry.hash.hex(), due.hex())
        self._worked_out = entry.hash if holds else due
        self.head = JournalHead(
            entry.book, entry.version, entry.first_event - 1 + events, entry.hash
        )
        return holds

    def would_hold(
        self, before: bytes, entry: Entry, events: str, lines: Sequence[PostingRow]
    ) -> bool:
        """Whether the entry's hash matches these events and postings instead of its stored ones."""
        data: list[PlainData] = [line.data() for line in lines]
        return replace(entry, events=events).hash_with(before, data) == entry.hash

    def finish(self, head: JournalHead) -> None:
        """Compare the result with the book's row."""
        place = Location(head.book)
        for what, stored, due in (
            ("the book's version", head.version, self.head.version),
            ("the book's number of events", head.events, self.head.events),
            ("the book's head", head.hash.hex(), self.head.hash.hex()),
        ):
            if stored != due:
                self._report(place, what, stored, due)

    def _report(self, place: Location, what: str, stored: object, expected: object) -> None:
        self._differences.add(DifferenceKind.CHAIN, place, what, stored, expected)
