"""The books of progressives: commands decided again, rows, and the seven invariants."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeVar

from sqlalchemy import Connection, select

from ventiuna.engine import Refused
from ventiuna.table.audit.between import BetweenBooks, Following, FollowingCommand, reading_before
from ventiuna.table.audit.chains import ChainCheck
from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.audit.replaying import FAULTS, Counts, TableCheck
from ventiuna.table.audit.stored import StoredEntry, line_of, posting_of, stored_events
from ventiuna.table.books.seal_order import SealOrder
from ventiuna.table.events import JackpotLinked
from ventiuna.table.jackpots import commands as do
from ventiuna.table.jackpots.codec import command_from_data, event_data, event_from_data
from ventiuna.table.jackpots.commands import OperatorCommand
from ventiuna.table.jackpots.deciding import decide, decide_creation
from ventiuna.table.jackpots.events import JackpotEvent
from ventiuna.table.jackpots.invariants import FundCheck, Recorded
from ventiuna.table.jackpots.postings import postings_of_all
from ventiuna.table.jackpots.progressive import Progressive
from ventiuna.table.jackpots.rows import read_jackpots
from ventiuna.table.jackpots.writing import folded
from ventiuna.table.ledger.chain import Entry, Head, canonical_json, request_hash
from ventiuna.table.store.schema import jackpot as jackpot_table

E = TypeVar("E")

INVARIANTS = {
    1: "money moves in whole cents, parts of a cent are kept",
    2: "what is displayed and the reserve are the fund",
    3: "a meter falls only for a listed reason",
    4: "the house gets nothing out of a meter",
    5: "the display never passes the maximum",
    6: "linked tables show one number",
    7: "a suspended jackpot takes no wagers",
}


class JackpotCheck:
    """Give it every entry of a jackpot's book in its order, then `finish`."""

    def __init__(
        self, connection: Connection, book: int, order: SealOrder, differences: Differences
    ) -> None:
        self.counts = Counts()
        self.fund = FundCheck(book, order)
        self._connection = connection
        self._book = book
        self._differences = differences
        self._chain = ChainCheck(book, differences)
        self._jackpot: Progressive | None = None
        self._following: list[Following] = []  # from entries of other books

    def add(self, stored: StoredEntry) -> None:
        entry = stored.entry
        events = stored_events(entry.events)
        head = self._chain.head
        self._chain.add(stored, len(events or ()))
        self.counts.entries += 1
        self.counts.events += len(events or ())
        self.counts.postings += len(stored.lines)
        try:
            told = tuple(event_from_data(data, entry.engine) for data in events or ())
            self._replay(entry, told, head)
            self._compare_postings(stored, told)
            self.fund.add_jackpot_entry(recorded(stored, told))
            self._jackpot = folded(self._book, self._jackpot, told)
        except FAULTS as error:
            self._tell(Kind.EVENT, entry, "its events", "ones that can't be applied", error)

    def tell(self, between: BetweenBooks) -> None:
        """What can only be decided with other books."""
        between.add(self._book, self._jackpot, self._following)

    def finish(self, stands: Head) -> None:
        self._chain.finish(stands)
        row = self._connection.execute(
            select(jackpot_table).where(jackpot_table.c.id == self._book)
        ).first()
        jackpot = self._jackpot
        if row is None or jackpot is None:
            self._tell_row("", "no row" if row is None else "a row", "the fold of its book")
            return
        for name, due in (
            ("name", jackpot.name),
            ("settings", canonical_json(jackpot.settings.data())),
            ("settings_hash", jackpot.settings.hash),
            ("maximum", jackpot.maximum),
            ("reserve_rate", jackpot.reserve_rate),
            ("advance_limit", jackpot.advance_limit),
            ("state", str(jackpot.status)),
            ("missing", jackpot.missing),
        ):
            stored = getattr(row, name)
            if stored != due:
                self._tell_row(f", {name}", repr(stored), repr(due))

    def _replay(self, entry: Entry, told: Sequence[JackpotEvent], head: Head) -> None:
        asked = json.loads(entry.command)
        due_request = request_hash(asked)
        if entry.request != due_request:
            self._tell(Kind.COMMAND, entry, "its request", entry.request.hex(), due_request.hex())
        command = command_from_data(asked, entry.engine)
        if isinstance(command, FollowingCommand):
            assert self._jackpot is not None, "a jackpot's book begins with its creation"
            following = Following(entry, command, tuple(told), head, self._jackpot)
            self._following.append(following)
            return
        try:
            due = self._decided(command, told, head)
        except Refused as error:
            self._tell(Kind.COMMAND, entry, "its command", "one that was carried out", error)
            return
        if due != tuple(told):
            was, follows = (
                canonical_json([event_data(event) for event in events]) for events in (told, due)
            )
            self._tell(Kind.EVENT, entry, "its events", was, follows)

    def _decided(
        self,
        command: do.CreateJackpot | OperatorCommand,
        told: Sequence[JackpotEvent],
        head: Head,
    ) -> tuple[JackpotEvent, ...]:
        if isinstance(command, do.CreateJackpot):
            return decide_creation(self._book, command)
        assert self._jackpot is not None, "a jackpot's book begins with its creation"
        return decide(reading_before(head, self._jackpot, told), command)

    def _compare_postings(self, stored: StoredEntry, told: Sequence[JackpotEvent]) -> None:
        postings = postings_of_all(self._book, told, stored.entry.first_event)
        due = [line_of(number, line) for number, line in enumerate(postings, start=1)]
        if list(stored.lines) != due:
            was, follows = ("; ".join(map(str, lines)) or "none" for lines in (stored.lines, due))
            self._tell(Kind.POSTING, stored.entry, "its postings", was, follows)

    def _tell(self, kind: Kind, entry: Entry, what: str, stored: object, follows: object) -> None:
        self._differences.add(kind, Place(entry.book, entry.version), what, stored, follows)

    def _tell_row(self, column: str, stored: str, follows: str) -> None:
        what = f"row of jackpot {self._book}{column}"
        self._differences.add(Kind.ROW, Place(self._book), what, stored, follows)


def recorded(stored: StoredEntry, told: Sequence[E]) -> Recorded[E]:
    """An entry for the invariants; postings that are none are told elsewhere."""
    entry = stored.entry
    lines = [posting_of(line) for line in stored.lines]
    return Recorded(
        entry.version,
        entry.first_event,
        entry.at,
        entry.key,
        tuple(told),
        tuple(line for line in lines if line is not None),
    )


class Funds:
    """All progressives of a house; tables are heard by those that they feed."""

    def __init__(self, connection: Connection, differences: Differences) -> None:
        self._connection = connection
        self._differences = differences
        self._checks: dict[int, FundCheck] = {}
        self._fed: dict[int, set[int]] = {}  # jackpots by table, once linked for ever
        self._between = BetweenBooks(differences)

    def add_fund(self, number: int, check: JackpotCheck) -> None:
        self._checks[number] = check.fund
        check.tell(self._between)

    def hear(self, stored: StoredEntry, check: TableCheck) -> None:
        """An entry of a table that was followed."""
        if not self._checks:
            return
        table, told = stored.entry.book, check.told
        if check.replayed is None:
            self._between.believe(stored.entry)
        else:
            self._between.hear(stored.entry, check.replayed)
        fed = self._fed.setdefault(table, set())
        fed.update(event.jackpot for event in told if isinstance(event, JackpotLinked))
        for number in sorted(fed & self._checks.keys()):
            try:
                self._checks[number].add_table_entry(table, recorded(stored, told))
            except FAULTS as error:
                place = Place(table, stored.entry.version)
                what = f"what it does to jackpot {number}"
                self._differences.add(Kind.JACKPOT, place, what, "can't be followed", error)

    def finish(self) -> None:
        self._between.finish()
        for number, check in self._checks.items():
            try:
                broken = check.finish(read_jackpots(self._connection, [number])[number])
            except FAULTS as error:
                place = Place(number)
                self._differences.add(Kind.JACKPOT, place, "its rows", "can't be read", error)
                continue
            for one in broken:
                what = f"invariant {one.invariant} of jackpot {number}"
                place = Place(one.book, one.version)
                due = INVARIANTS[one.invariant]
                self._differences.add(Kind.JACKPOT, place, what, one.sentence, due)
