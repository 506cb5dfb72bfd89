"""Is each entry what was hashed, and does it follow the one before?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.audit.stored import Line, StoredEntry
from ventiuna.table.ledger.chain import Data, Entry, Head


class ChainCheck:
    """One book, entry by entry.

    A changed entry is told once: those behind it are held against the hash that it has and
    against the one that it should have.
    """

    def __init__(self, book: int, differences: Differences) -> None:
        self.head = Head(book)
        self._worked_out = self.head.hash
        self._differences = differences

    def add(self, stored: StoredEntry, events: int) -> bool:
        """Says whether the entry is what was hashed. `events` is how many it has."""
        entry = stored.entry
        place = Place(entry.book, entry.version)
        head = self.head
        if entry.version != head.version + 1:
            self._tell(place, "the version", entry.version, f"version {head.version + 1} is gone")
        if entry.first_event != head.events + 1:
            self._tell(place, "its first event", entry.first_event, head.events + 1)
        lines = [line.data() for line in stored.lines]
        due = entry.hash_with(head.hash, lines)
        other = due if head.hash == self._worked_out else entry.hash_with(self._worked_out, lines)
        holds = entry.hash in (due, other)
        if not holds:
            self._tell(place, "the hash of the entry", entry.hash.hex(), due.hex())
        self._worked_out = entry.hash if holds else due
        self.head = Head(entry.book, entry.version, entry.first_event - 1 + events, entry.hash)
        return holds

    def would_hold(self, before: bytes, entry: Entry, events: str, lines: Sequence[Line]) -> bool:
        """Is this what was hashed, where what is stored is not?"""
        data: list[Data] = [line.data() for line in lines]
        return replace(entry, events=events).hash_with(before, data) == entry.hash

    def finish(self, stands: Head) -> None:
        """The book's own row, which is its lock."""
        place = Place(stands.book)
        for what, stored, due in (
            ("the version of the book", stands.version, self.head.version),
            ("the number of events of the book", stands.events, self.head.events),
            ("the head of the book", stands.hash.hex(), self.head.hash.hex()),
        ):
            if stored != due:
                self._tell(place, what, stored, due)

    def _tell(self, place: Place, what: str, stored: object, follows: object) -> None:
        self._differences.add(Kind.CHAIN, place, what, stored, follows)
