"""One table's book: each command is carried out again, and what comes of it is compared.

A command that gives the stored events has given the state after them too. Where the two differ
the audit goes on from what was hashed: from the stored events, unless the hash proves that the
others stood there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from sqlalchemy import Connection

from ventiuna.engine import Refused
from ventiuna.engine.events import ENGINE, CardDealt, WagerSettled
from ventiuna.errors import VentiunaError
from ventiuna.rules import rules_from_data
from ventiuna.table import events as ev
from ventiuna.table.audit.chains import ChainCheck
from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.audit.recorded import (
    Notes,
    OnTop,
    RecordedShoes,
    Told,
    name_of,
    surroundings,
)
from ventiuna.table.audit.rows import RowCheck
from ventiuna.table.audit.shoes import ShoeTrail
from ventiuna.table.audit.stored import PAGE, StoredEntry, line_of, stored_events
from ventiuna.table.events import TableEvent
from ventiuna.table.ledger.chain import Data, Entry, Head, Posting, canonical_json, request_hash
from ventiuna.table.ledger.postings import postings_of
from ventiuna.table.play.carrying_out import ANSWERS, CLOCK, SERVICE, Actor, Role, carry_out
from ventiuna.table.play.clocks import clocks_of
from ventiuna.table.play.codec import command_from_data, event_data, event_from_data, event_texts
from ventiuna.table.play.commands import LoseShoes, OpenTable, OperatorCommand, TableCommand
from ventiuna.table.play.folding import fold, post
from ventiuna.table.play.state import TableState
from ventiuna.table.play.turn import Awards, Turn, WantsMeters, post_award
from ventiuna.table.shoes.fairness import ShoeContext, context_of
from ventiuna.table.shoes.house_key import HouseKey

# What a book that was tampered with may do to the code that folds it.
FAULTS = (
    AssertionError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    VentiunaError,
    WantsMeters,
)
_MOST_EVENTS = 5  # of one entry that are told


@dataclass(frozen=True, slots=True)
class Surveyor:
    """What all books of an audit share."""

    connection: Connection
    house: str
    key: HouseKey | None
    on_top: OnTop
    differences: Differences
    notes: Notes
    names: dict[int, str] = field(default_factory=dict)  # of people who took a seat


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a command did when it was carried out again, as the entry tells it."""

    events: Sequence[TableEvent]
    awards: Awards | None


@dataclass(slots=True)
class Counts:
    entries: int = 0
    events: int = 0
    postings: int = 0
    rounds: int = 0
    shoes: int = 0
    cards: int = 0

    def add(self, other: Counts) -> None:
        self.entries += other.entries
        self.events += other.events
        self.postings += other.postings
        self.rounds += other.rounds
        self.shoes += other.shoes
        self.cards += other.cards


class TableCheck:
    """Give it every entry of a table's book in its order, then `finish`."""

    def __init__(self, table: int, by: Surveyor) -> None:
        self.counts = Counts()
        self.told: Sequence[TableEvent] = ()  # of the last entry
        self.replayed: Replayed | None = None  # None: the last entry was folded alone
        self._table = table
        self._by = by
        self._state: TableState | None = None
        self._lost = False  # the book can't be followed any more
        self._chain = ChainCheck(table, by.differences)
        self._rows = RowCheck(by.connection, table, by.differences)
        self._shoes = RecordedShoes(
            by.connection, table, by.key, by.on_top, by.differences, by.notes
        )
        self._trail = ShoeTrail(table, by.on_top, by.differences)

    # --- entry by entry ---

    def add(self, stored: StoredEntry, *, replays: bool = True) -> None:
        """Without `replays` the entry is believed and folded alone."""
        entry = stored.entry
        events = stored_events(entry.events)
        before = self._chain.head.hash
        holds = self._chain.add(stored, len(events or ()))
        self.counts.entries += 1
        self.counts.postings += len(stored.lines)
        self.told, self.replayed = (), None
        if events is None:
            self._tell(Kind.EVENT, entry, "its events", "not a list of events", "such a list")
            self._lose(entry)
        elif not self._lost:
            self.counts.events += len(events)
            told = Told.of(events)
            self._shoes.listen(entry.version, told)
            self._follow(stored, events, told, before if not holds else None, replays)

    def finish(self, stands: Head) -> None:
        self._chain.finish(stands)
        if self._state is not None and not self._lost:
            self._rows.finish(self._state)

    def _follow(
        self,
        stored: StoredEntry,
        events: list[Data],
        told: Told,
        before: bytes | None,
        replays: bool,
    ) -> None:
        """`before` is the hash before an entry that is not what was hashed."""
        entry = stored.entry
        try:
            command = command_from_data(json.loads(entry.command), entry.engine)
        except FAULTS as error:
            self._tell(Kind.COMMAND, entry, "its command", entry.command[:200], error)
            command = None
        if self._state is None and not self._begin(entry, command):
            return
        turn = self._replayed(entry, command, told) if replays and command else None
        if turn is not None and _same_events(turn, entry):
            self._keep(turn, stored, events)
            return
        if turn is not None:
            self._tell_events(entry, events, turn)
            if before is not None and self._was_hashed(before, entry, turn):
                self._keep(turn, stored, events)
                return
        self._fold(stored, events)

    def _begin(self, entry: Entry, command: TableCommand | None) -> bool:
        """The table of before its first entry."""
        try:
            if not isinstance(command, OpenTable):
                raise ValueError("a table's book begins with its opening")
            rules = rules_from_data(command.rules)
            clocks = clocks_of(command.clocks)
        except FAULTS as error:
            self._tell(Kind.COMMAND, entry, "its command", entry.command[:200], error)
            self._lose(entry)
            return False
        head = Head(self._table)
        self._state = TableState(self._by.house, head, command.name.strip(), rules, clocks)
        return True

    def _replayed(self, entry: Entry, command: TableCommand, told: Told) -> Turn | None:
        """The command carried out again on a copy; None where that can't be done."""
        assert self._state is not None, "the table was opened"
        state = self._state.copy()
        if isinstance(command, LoseShoes):
            state.live = None  # the house did not know the cards any more
        actor = _actor(entry.actor, command, told)
        ask = state.ask.number if state.ask else None
        self._check_request(entry, command, ask)
        turn = Turn(state, surroundings(state, entry, told, self._shoes))
        try:
            carry_out(turn, actor, command, ask)
        except Refused as error:
            self._tell(Kind.COMMAND, entry, "its command", "one that was carried out", error)
        except FAULTS as error:
            self._tell(
                Kind.COMMAND, entry, "its command", "one that was carried out", reason_of(error)
            )
        else:
            return turn
        return None

    def _check_request(self, entry: Entry, command: TableCommand, ask: int | None) -> None:
        """Answers name their prompt; people's other commands may name any."""
        asked = json.loads(entry.command)
        if isinstance(command, OpenTable):
            due = [request_hash(asked)]
        elif type(command) in ANSWERS:
            due = [request_hash([entry.book, ask, asked])]
        elif entry.actor in (CLOCK.name, SERVICE.name):
            due = [request_hash([entry.book, named, asked]) for named in (None, ask)]
        else:
            return
        if entry.request not in due:
            self._tell(Kind.COMMAND, entry, "its request", entry.request.hex(), due[0].hex())

    # --- what stands after the entry ---

    def _keep(self, turn: Turn, stored: StoredEntry, events: list[Data]) -> None:
        self._compare_postings(stored, turn.postings)
        self.replayed = Replayed(tuple(turn.events), turn.awards)
        self._arrive(turn.state, stored.entry, turn.events, len(events))

    def _fold(self, stored: StoredEntry, events: list[Data]) -> None:
        """From the stored events, whatever the command would give."""
        assert self._state is not None, "the table was opened"
        entry = stored.entry
        state = self._state.copy()
        try:
            told = [event_from_data(data, entry.engine) for data in events]
            if any(isinstance(event, ev.ShoeLost) for event in told):
                state.live = None
            postings = self._folded(state, entry, told)
        except FAULTS as error:
            self._tell(
                Kind.EVENT, entry, "its events", "ones that can't be applied", reason_of(error)
            )
            self._lose(entry)
            return
        self._compare_postings(stored, postings)
        self._arrive(state, entry, told, len(events))

    def _folded(self, state: TableState, entry: Entry, told: Sequence[TableEvent]) -> list[Posting]:
        postings: list[Posting] = []
        for number, event in enumerate(told, start=entry.first_event):
            for line in postings_of(event, number, state.chips, state.layout):
                post(state, line)
                postings.append(line)
            if isinstance(event, WagerSettled) and event.meter:
                post_award(state, state.layout, event)
            if isinstance(event, ev.ShoeCommitted):
                state.next_shoe = self._shoes.new_shoe(_context_after(state, event))
            elif isinstance(event, CardDealt) and state.live is not None:
                state.live.draw()
            fold(state, event, number, entry.at)
            if isinstance(event, ev.ShoeCut):
                assert state.in_play is not None, "the shoe that was cut is in play"
                state.live = self._shoes.live(state.in_play)
        return postings

    def _arrive(
        self, state: TableState, entry: Entry, told: Sequence[TableEvent], events: int
    ) -> None:
        last = entry.first_event - 1 + events
        state.head = Head(entry.book, entry.version, last, entry.hash)
        self._trail.follow(state, told, entry.version)
        self._count(told)
        if entry.version % PAGE == 0:
            self._rows.ended(state)
        self._state = state
        self.told = told

    def _count(self, told: Sequence[TableEvent]) -> None:
        for event in told:
            if type(event) is CardDealt:
                self.counts.cards += 1
            elif type(event) is ev.RoundClosed:
                self.counts.rounds += 1
            elif type(event) is ev.ShoeRevealed:
                self.counts.shoes += 1
            elif type(event) is ev.SeatTaken:
                self._by.names[int(event.person)] = event.name

    # --- comparing ---

    def _compare_postings(self, stored: StoredEntry, postings: Sequence[Posting]) -> None:
        due = [line_of(number, line) for number, line in enumerate(postings, start=1)]
        if list(stored.lines) == due:
            return
        for number, (line, other) in enumerate(zip_longest(stored.lines, due), start=1):
            if line != other:
                self._tell(
                    Kind.POSTING, stored.entry, f"posting {number}", line or "none", other or "none"
                )

    def _tell_events(self, entry: Entry, events: list[Data], turn: Turn) -> None:
        due = [event_data(event) for event in turn.events]
        due = json.loads(canonical_json(due))  # tuples are lists, numbers of games texts
        secret = turn.state.in_play is not None or turn.state.round is not None
        told = 0
        for number, (data, other) in enumerate(zip_longest(events, due), start=entry.first_event):
            if data != other and told < _MOST_EVENTS:
                told += 1
                was, follows = _event(data, secret), _event(other, secret)
                self._tell(Kind.EVENT, entry, f"event {number}", was, follows)

    def _was_hashed(self, before: bytes, entry: Entry, turn: Turn) -> bool:
        lines = [line_of(number, line) for number, line in enumerate(turn.postings, start=1)]
        return self._chain.would_hold(before, entry, _events_text(turn), lines)

    def _lose(self, entry: Entry) -> None:
        if not self._lost:
            self._lost = True
            self._by.notes.add(
                f"Book {self._table} can't be followed behind version {entry.version}: what comes "
                "later was held against its hashes alone, and its rows were not checked."
            )

    def _tell(self, kind: Kind, entry: Entry, what: str, stored: object, follows: object) -> None:
        self._by.differences.add(kind, Place(entry.book, entry.version), what, stored, follows)


def _actor(name: str, command: TableCommand, told: Told) -> Actor:
    """Roles are not in the books: who may do what was checked when it was done."""
    if name in (CLOCK.name, SERVICE.name):
        return Actor(name, Role.HOUSE)
    role = Role.OPERATOR if isinstance(command, OperatorCommand | LoseShoes) else Role.PLAYER
    kind, _, person = name.partition("/")
    return Actor(name, role, person if kind == "person" else "", name_of(told))


def _events_text(turn: Turn) -> str:
    return f"[{','.join(event_texts(turn.events))}]"


def _same_events(turn: Turn, entry: Entry) -> bool:
    if _events_text(turn) == entry.events:
        return True
    if entry.engine == ENGINE:
        return False
    told = [event_from_data(data, entry.engine) for data in entry.event_data()]
    return told == turn.events  # written in an older format


def _context_after(state: TableState, event: ev.ShoeCommitted) -> ShoeContext:
    return context_of(state.rules, state.house, str(state.number), event.shoe)


def _event(data: Data | None, secret: bool) -> str:
    """As JSON; what a card is is not told while its shoe may still be dealt from."""
    if data is None:
        return "no such event"
    if secret and "card" in data:
        data = {**data, "card": "a card"}
    return canonical_json(data)[:300]


def reason_of(error: BaseException) -> str:
    words = str(error) or type(error).__name__
    return words if isinstance(error, VentiunaError) else f"it fails ({words})"
