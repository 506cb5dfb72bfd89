"""The differences an audit finds, and the check of a book's hash chain."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from typing_extensions import TypedDict

from ventiuna.table.journal import StoredEntry
from ventiuna.table.ledger import Entry, JournalHead, PlainData

MAX_KEPT = 1000  # number of differences stored; the rest are only counted
LONGEST_VALUE = 2000  # characters of a value; a forged one may have millions


class DifferenceKind(StrEnum):
    CHAIN = "chain"  # an entry with the wrong hash or position
    COMMAND = "command"  # a command that can't be carried out as stored
    EVENT = "event"
    POSTING = "posting"
    BALANCE = "balance"
    ROW = "row"
    SHOE = "shoe"
    SEAL = "seal"
    JACKPOT = "jackpot"  # a violation of one of the seven invariants
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
    """Counts every difference and stores the first thousand."""

    listed: list[Difference] = field(default_factory=list)
    counts: Counter[DifferenceKind] = field(default_factory=Counter)

    def add(
        self,
        kind: DifferenceKind,
        place: Location | Entry,
        what: str,
        stored: object,
        expected: object,
    ) -> None:
        self.counts[kind] += 1
        if isinstance(place, Entry):
            place = Location(place.book, place.version)
        if len(self.listed) < MAX_KEPT:
            self.listed.append(Difference(kind, place, what, _cut(stored), _cut(expected)))

    @property
    def total(self) -> int:
        return self.counts.total()


def with_reason(expected: str, error: object) -> str:
    """The expected value, with the reason in parentheses."""
    return f"{expected} ({str(error).rstrip('.')})"


def _cut(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


def stored_events(text: str) -> list[PlainData] | None:
    """Parse stored events; None if the text isn't a list of objects."""
    try:
        events = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        return None
    return events


class ChainCheck:
    """Checks one book's hash chain, entry by entry.

    A changed entry is reported only once: later entries may match either its stored hash or its
    correct one.
    """

    def __init__(self, book: int, differences: Differences) -> None:
        self.head = JournalHead(book)
        self._worked_out = self.head.hash
        self._differences = differences

    def add(self, stored: StoredEntry, events: int) -> bool:
        """Return whether the entry matches its hash; `events` is the entry's number of events."""
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
