"""Audits a table's book: repeats every command and compares the results.

A command that reproduces the stored events also produces the state after them. If a command
produces different events, the audit continues from the events that were hashed: the stored ones,
unless the hash proves that they were altered.

Times, names, meters, and rates are read from the entry. Cards come from the shoe's seed: the
revealed one or, for a shoe still in play, the one derived from the house key. Without the key, the
audit takes that shoe's cards from the events and says so. Ended shoes are verified from their
public records, just as anyone else could verify them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from sqlalchemy import ColumnElement, Connection, Row, func, select

from ventiuna.engine import Refused
from ventiuna.engine.events import (
    ENGINE,
    Authority,
    CardDealt,
    Event,
    PaymentsAuthorized,
    Stakes,
    SupervisorAnswered,
    WagerSettled,
)
from ventiuna.errors import VentiunaError
from ventiuna.rules import fingerprint, rules_data, rules_from_data
from ventiuna.table.audit.entries import (
    ChainCheck,
    DifferenceKind,
    Differences,
    Location,
    stored_events,
    with_reason,
)
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import (
    FLOOR_COMMANDS,
    OPERATOR_COMMANDS,
    CorrectRound,
    LoseShoes,
    OpenTable,
    TableCommand,
    command_from_data,
    event_data,
    event_from_data,
    event_texts,
)
from ventiuna.table.domain.events import (
    JackpotLinked,
    RoundOpened,
    SeatTaken,
    ShoeCommitted,
    ShoeRevealed,
    TableEvent,
    postings_of,
)
from ventiuna.table.domain.flow import (
    AwardPlacement,
    CommandRun,
    Environment,
    NeedsMeters,
    post_award,
)
from ventiuna.table.domain.handlers import ANSWERS, CLOCK, SERVICE, Actor, ActorRole, handle
from ventiuna.table.domain.inspection import inspection_of
from ventiuna.table.domain.state import (
    EndedShoe,
    RoundOutcome,
    ShoeRecord,
    TableState,
    TableStatus,
    apply_event,
    apply_posting,
    clocks_of,
    options_of,
)
from ventiuna.table.duties import Approvals
from ventiuna.table.fairness import (
    SHOE_START,
    EntropySource,
    HouseKey,
    LiveShoe,
    Position,
    ShoeContext,
    ShoeError,
    context_of,
    shoe_commitment,
)
from ventiuna.table.journal import (
    ENTRIES_PER_PAGE,
    StoredEntry,
    posting_rows,
    stored_entries,
)
from ventiuna.table.ledger import (
    Entry,
    JournalHead,
    PlainData,
    Posting,
    canonical_json,
    request_hash,
)
from ventiuna.table.read_model import ROW_KINDS, RowKind, Rows, TableRows, past_spot, rows_of
from ventiuna.table.shoe_record import (
    CutRecord,
    DealtRound,
    Ending,
    PublicRecord,
    dealt_round,
    verify,
)
from ventiuna.table.store.schema import entry as entry_table
from ventiuna.table.store.schema import game_table
from ventiuna.table.store.schema import shoe as shoe_table
from ventiuna.table.store.statements import Value, Values

CardsOnTop = Callable[[bytes], tuple[int, ...]]
_UNLIMITED = 2**62  # cents; the database already refused any purchase that wasn't covered


class NotRecorded(VentiunaError):
    """The command needs something its entry doesn't record."""


def no_cards_on_top(salt: bytes) -> tuple[int, ...]:
    """Return no cards: real tables never put cards on top of a shoe."""
    return ()


@dataclass(frozen=True, slots=True)
class RecordedEvents:
    """The events in an entry that its command needs in advance."""

    named: Mapping[str, Sequence[PlainData]] = field(default_factory=dict)  # by event type

    @classmethod
    def of(cls, events: Sequence[PlainData]) -> RecordedEvents:
        named: dict[str, list[PlainData]] = {}
        for data in events:
            if (name := data.get("event")) in _NEEDED_EVENTS:
                named.setdefault(str(name), []).append(data)
        return cls(named)

    def of_kind(self, kind: type) -> Iterator[PlainData]:
        yield from self.named.get(kind.__name__, ())


_NEEDED_EVENTS = frozenset(
    (
        *("SeatTaken", "ShoeCommitted", "ShoeRevealed", "RoundOpened", "JackpotLinked"),
        *("MetersShown", "SupervisorAnswered", "PaymentsAuthorized"),
    )
)


def recorded_environment(
    state: TableState, entry: Entry, recorded: RecordedEvents, shoes: RecordedShoes
) -> Environment:
    """The environment when the entry was written."""
    return Environment(
        at=entry.at,
        shoes=shoes,
        wallets={seat.person: _UNLIMITED for seat in state.seats.values()},
        holds=dict.fromkeys(state.seats, entry.at),
        shown=_displayed_meters(state, recorded),
        reserve_rates={
            _integer(data, "jackpot"): _integer(data, "reserve_rate")
            for data in recorded.of_kind(JackpotLinked)
        },
        read_meters=lambda jackpots, _: _meters(recorded, jackpots),
    )


def _displayed_meters(state: TableState, recorded: RecordedEvents) -> dict[int, int]:
    for data in recorded.of_kind(RoundOpened):
        meters = data.get("meters")
        if isinstance(meters, Mapping):
            return {
                link.jackpot: meters[str(game)]
                for game, link in state.links.items()
                if str(game) in meters
            }
    return {}


def _meters(recorded: RecordedEvents, jackpots: Mapping[int, int]) -> Stakes[int]:
    for data in recorded.named.get("MetersShown", ()):
        meters = data.get("meters")
        if isinstance(meters, Mapping) and all(str(game) in meters for game in jackpots):
            return Stakes({game: int(meters[str(game)]) for game in jackpots})
    raise NotRecorded("an award is due, but the entry shows no meters")


def _integer(data: PlainData, name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) else -1


@dataclass(slots=True)
class Notes:
    """Items that couldn't be checked, each listed once."""

    recorded: dict[str, None] = field(default_factory=dict)

    def add(self, note: str) -> None:
        self.recorded[note] = None


class RecordedShoes:
    """One table's shoes, each looked up when it is committed."""

    def __init__(self, table: int, by: AuditContext) -> None:
        self._table = table
        self._by = by
        self._recorded = RecordedEvents()
        self._version = 0
        # Up to this shoe, the house had a different key, which is lost.
        self._last_lost = (
            by.connection.scalar(
                select(func.max(shoe_table.c.number)).where(
                    shoe_table.c.table_id == table, shoe_table.c.lost == 1
                )
            )
            or 0
        )
        self._seeds: dict[int, bytes | None] = {}  # seeds of the committed shoe and the one in play

    def listen(self, version: int, recorded: RecordedEvents) -> None:
        """Set the entry whose command is replayed next."""
        self._version = version
        self._recorded = recorded

    def is_known(self, number: int) -> bool:
        """Whether this shoe's card order is known."""
        return self._seeds.get(number) is not None

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        return self._by.on_top(salt)

    def new_shoe(self, context: ShoeContext) -> ShoeRecord:
        for data in self._recorded.of_kind(ShoeCommitted):
            if data.get("shoe") == context.number:
                return self._committed(context, bytes.fromhex(str(data.get("commitment"))))
        raise NotRecorded(f"shoe {context.number} was committed, but the entry doesn't record it")

    def fits(self, shoe: ShoeRecord) -> bool:
        return True  # the entry itself records a lost key

    def seed(self, shoe: ShoeRecord) -> bytes:
        seed = self._seeds.get(shoe.number)
        if seed is not None:
            return seed
        for data in self._recorded.of_kind(ShoeRevealed):
            if data.get("shoe") == shoe.number:
                return bytes.fromhex(str(data.get("seed")))
        raise NotRecorded(f"shoe {shoe.number} was revealed, but the entry doesn't record it")

    def live(self, shoe: ShoeRecord, position: Position = SHOE_START) -> LiveShoe:
        assert shoe.mix is not None, "a shoe is cut before it is dealt"
        seed = self._seeds.get(shoe.number)
        if seed is not None:
            return LiveShoe(shoe.context, seed, shoe.mix, position, self._by.on_top(shoe.salt))
        return self._rebuild_shoe(shoe, shoe.mix)

    def _committed(self, context: ShoeContext, commitment: bytes) -> ShoeRecord:
        columns = shoe_table.c
        row = self._by.connection.execute(
            select(shoe_table).where(
                columns.table_id == self._table, columns.number == context.number
            )
        ).first()
        self._seeds.pop(context.number - 2, None)
        self._seeds[context.number] = self._find_seed(context, commitment, row)
        salt, source = (row.salt, row.source) if row is not None else (b"", str(EntropySource.OS))
        return ShoeRecord(context.number, context, salt, commitment, source)

    def _find_seed(
        self, context: ShoeContext, commitment: bytes, row: Row[*tuple[object, ...]] | None
    ) -> bytes | None:
        """The first candidate seed that matches the commitment."""
        by_key = self._seed_by_key(context, commitment, row)
        if by_key is not None:
            return by_key
        if row is None:
            return None
        revealed = [self._revealed(context.number, row.closed_version), row.seed]
        for seed in revealed:
            if seed is not None and shoe_commitment(context, seed) == commitment:
                return bytes(seed)
        if revealed != [None, None]:
            self._report(
                f"the seed of shoe {context.number}",
                "one that doesn't match the commitment",
                "the committed seed; its cards can't be checked",
            )
        elif context.number <= self._last_lost:
            self._by.notes.add("The cards of shoes whose key was lost could not be checked.")
        elif self._by.key is None:
            self._by.notes.add(
                "Two things can't be checked without the house key: the shuffles' secret numbers "
                "and the cards of shoes still in play."
            )
        return None

    def _seed_by_key(
        self, context: ShoeContext, commitment: bytes, row: Row[*tuple[object, ...]] | None
    ) -> bytes | None:
        if self._by.key is None or row is None or context.number <= self._last_lost:
            return None
        seed = self._by.key.seed(context, row.salt)
        if shoe_commitment(context, seed) == commitment:
            return seed
        self._report(
            f"the salt of shoe {context.number}",
            "one that doesn't match the commitment with the house key",
            "another salt or another key",
        )
        return None

    def _revealed(self, number: int, version: int | None) -> bytes | None:
        """The seed revealed in this version's entry."""
        if version is None:
            return None
        written = entry_table
        row = self._by.connection.execute(
            select(written.c.events, written.c.engine).where(
                written.c.book_id == self._table, written.c.version == version
            )
        ).first()
        for data in (stored_events(row.events) or ()) if row is not None else ():
            if data.get("event") == ShoeRevealed.__name__ and data.get("shoe") == number:
                return _bytes(data.get("seed"))
        return None

    def _rebuild_shoe(self, shoe: ShoeRecord, mix: bytes) -> LiveShoe:
        """Build a shoe from the cards recorded in the book."""
        cards = list(self._recorded_cards(shoe.number))
        maximum = shoe.context.size - shoe.context.burn
        try:
            return LiveShoe(shoe.context, bytes(32), mix, SHOE_START, cards[:maximum])
        except ShoeError:
            raise NotRecorded(
                f"shoe {shoe.number} doesn't have the cards that were dealt"
            ) from None

    def _recorded_cards(self, number: int) -> Iterator[int]:
        for stored in stored_entries(self._by.connection, self._table, self._version - 1):
            for data in stored_events(stored.entry.events) or ():
                if data.get("event") == "ShoeCut" and data.get("shoe") != number:
                    return
                if data.get("event") == CardDealt.__name__:
                    event = event_from_data(data, stored.entry.engine)
                    if isinstance(event, CardDealt) and event.card is not None:
                        yield event.card

    def _report(self, what: str, stored: str, expected: str) -> None:
        place = Location(self._table, self._version)
        self._by.differences.add(DifferenceKind.SHOE, place, what, stored, expected)


def _bytes(text: object) -> bytes | None:
    try:
        return bytes.fromhex(str(text))
    except ValueError:
        return None


# Rows that remain after their shoe or round has ended, with the column that numbers them.
_HISTORY_KEYS = {"shoe": "number", "cut": "shoe", "round": "number"}


class RowCheck:
    """Compares one table's rows.

    Ended shoes and rounds are compared along the way to save memory.
    """

    def __init__(self, table: int, by: AuditContext) -> None:
        self._table = table
        self._by = by
        self._compared = {"shoe": 0, "cut": 0, "round": 0}  # number compared so far

    def ended(self, state: TableState) -> None:
        """Compare shoes and rounds that ended since the last call, and drop them from the state."""
        rows = rows_of(state)
        last_shoe = max((item.shoe.number for item in state.ended_shoes), default=0)
        last_round = max((item.number for item in state.ended_rounds), default=0)
        for name, last in (("shoe", last_shoe), ("cut", last_shoe), ("round", last_round)):
            if last:
                self._compare_history(name, rows, last)
        state.ended_shoes = ()
        state.ended_rounds = ()

    def finish(self, state: TableState) -> None:
        """Compare the remaining rows, and report rows that shouldn't exist."""
        self.ended(state)
        rows = rows_of(state)
        for kind in ROW_KINDS:
            if kind.name in _HISTORY_KEYS:
                self._compare_history(kind.name, rows, None)
            else:
                self._compare(kind, rows[kind.name], self._stored(kind))
        self._compare_settings(state)

    def _compare_history(self, name: str, rows: TableRows, last: int | None) -> None:
        kind = next(kind for kind in ROW_KINDS if kind.name == name)
        column = kind.table.c[_HISTORY_KEYS[name]]
        compared = self._compared[name]
        conditions = [column > compared] if compared else []
        if last is not None:
            conditions.append(column <= last)
            self._compared[name] = last
        due = {}
        for key, values in rows[name].items():
            number = key[1]
            assert isinstance(number, int), "rows of a table are numbered"
            if number > compared and (last is None or number <= last):
                due[key] = values
        self._compare(kind, due, self._stored(kind, *conditions))

    def _stored(self, kind: RowKind, *conditions: ColumnElement[bool]) -> Rows:
        columns = [kind.table.c[name] for name in (*kind.key, *kind.values)]
        width = len(kind.key)
        query = select(*columns).where(columns[0] == self._table, *conditions)
        return {
            tuple(row[:width]): tuple(row[width:])
            for row in self._by.connection.execute(query).all()
        }

    def _compare(self, kind: RowKind, due: Rows, stored: Rows) -> None:
        for key in sorted(due.keys() | stored.keys()):
            if key not in stored:
                self._report(kind, key, "", "no row", "a row")
            elif key not in due:
                self._report(kind, key, "", "a row", "no row")
            else:
                for name, was, expected in zip(kind.values, stored[key], due[key], strict=True):
                    if was != expected:
                        self._report(kind, key, name, *_field_text(name, was, expected))

    def _compare_settings(self, state: TableState) -> None:
        """Compare the settings the table was opened with."""
        row = self._by.connection.execute(
            select(game_table).where(game_table.c.id == self._table)
        ).first()
        if row is None:
            return
        kind = ROW_KINDS[0]
        for name, due in (
            ("name", state.name),
            ("rules_name", state.rules.name),
            ("rules_fingerprint", fingerprint(state.rules)),
            ("rules_data", canonical_json(rules_data(state.rules))),
            ("clocks", canonical_json(dict(state.clocks.times()))),
            ("options", canonical_json(state.options.data())),
        ):
            stored = getattr(row, name)
            if stored != due:
                self._report(kind, (self._table,), name, repr(stored), repr(due))

    def _report(
        self, kind: RowKind, key: Values, column: str, stored: object, expected: object
    ) -> None:
        numbers = " ".join(map(str, key[1:]))
        row = f"row of {kind.name} {numbers}".rstrip()
        what = f"{row}, {column}" if column else row
        self._by.differences.add(DifferenceKind.ROW, Location(self._table), what, stored, expected)


def _field_text(name: str, stored: Value, expected: Value) -> tuple[str, str]:
    if name == "salt" or (name == "seed" and expected is None):
        return ("a secret that isn't this shoe's" if stored is not None else "nothing"), "another"
    return _text(stored), _text(expected)


def _text(value: Value) -> str:
    if value is None:
        return "nothing"
    return value.hex() if isinstance(value, bytes) else repr(value)


class ShoeTrail:
    """Tracks one table's shoe and its cards."""

    def __init__(self, table: int, by: AuditContext) -> None:
        self._table = table
        self._by = by
        self._rounds: list[DealtRound] = []
        self._open: list[Event] = []

    def follow(self, state: TableState, events: Sequence[TableEvent], version: int) -> None:
        """Process the events of an entry; `state` is the table after them."""
        for event in events:
            if isinstance(event, ev.RoundClosed):
                self._close(event.number)
            elif isinstance(event, ev.ShoeLost):
                self._rounds = []  # these rounds can't be verified anymore
            elif isinstance(event, ev.ShoeRevealed):
                self._check(state, event, version)
            elif not isinstance(event, ev.OwnEvent):
                self._open.append(event)

    def _close(self, number: int) -> None:
        """Record a closed round; a round without wagers has no cards to record."""
        dealt = dealt_round(number, self._open)
        if dealt.events:
            self._rounds.append(dealt)
        self._open = []

    def _check(self, state: TableState, event: ev.ShoeRevealed, version: int) -> None:
        rounds, self._rounds = tuple(self._rounds), []
        ended = [shoe for shoe in state.ended_shoes if shoe.shoe.number == event.shoe]
        if not ended or self._by.on_top(ended[0].shoe.salt):
            return  # a test put cards on top, so the recipe doesn't apply
        found = verify(_record(ended[0], rounds, _ending(state, event)))
        if not found.holds:
            what = f"shoe {event.shoe}, checked from its public record"
            due = with_reason("a valid one", found.fault)
            place, stored = Location(self._table, version), "a record that fails verification"
            self._by.differences.add(DifferenceKind.SHOE, place, what, stored, due)


def _ending(state: TableState, event: ev.ShoeRevealed) -> Ending:
    last = state.ended_rounds[-1] if state.ended_rounds else None
    if last is not None and last.shoe == event.shoe and last.outcome is RoundOutcome.VOID:
        return Ending.VOID
    # An inspected table is still closing: its cards must first go back into their boxes.
    is_closed = state.status in (TableStatus.CLOSING, TableStatus.CLOSED)
    return Ending.CLOSED if is_closed else Ending.CUT_CARD


def _record(ended: EndedShoe, rounds: tuple[DealtRound, ...], ending: Ending) -> PublicRecord:
    shoe = ended.shoe
    assert shoe.mix is not None, "a shoe is cut before it is revealed"
    assert ended.seed is not None, "a revealed shoe has its seed"
    return PublicRecord(
        context=shoe.context,
        source=EntropySource(shoe.source),
        commitment=shoe.commitment,
        cuts=tuple(CutRecord(cut.seat, cut.commitment, cut.value) for cut in shoe.cuts),
        mix=shoe.mix,
        seed=ended.seed,
        rounds=rounds,
        ended=ending,
    )


# Exceptions that applying a tampered book can raise.
FAULTS = (
    AssertionError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    VentiunaError,
    NeedsMeters,
)
_MAX_EVENTS = 5  # reported for each entry


@dataclass(frozen=True, slots=True)
class AuditContext:
    """State shared by all books of an audit."""

    connection: Connection
    house: str
    key: HouseKey | None
    on_top: CardsOnTop
    differences: Differences
    notes: Notes
    names: dict[int, str] = field(default_factory=dict)  # names of people who took a seat
    renamed: dict[int, str] = field(default_factory=dict)  # names of renamed guests
    approvals: Approvals = field(default_factory=dict)  # requests in the cashier's book
    # When separate duties were turned on or off, in order.
    separations: list[tuple[int, bool]] = field(default_factory=list)
    carried_out: set[int] = field(default_factory=set)  # requests whose commands were found


@dataclass(frozen=True, slots=True)
class ReplayedCommand:
    """The events and awards of a replayed command."""

    events: Sequence[TableEvent]
    awards: AwardPlacement | None


@dataclass(slots=True)
class AuditCounts:
    entries: int = 0
    events: int = 0
    postings: int = 0
    rounds: int = 0
    shoes: int = 0
    cards: int = 0

    def add(self, other: AuditCounts) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class EntryReports:
    """Reports differences in entries."""

    def __init__(self, differences: Differences) -> None:
        self._differences = differences
        self._report = differences.add

    def _report_command(self, entry: Entry, error: object) -> None:
        """Report a command that should have been refused."""
        due = with_reason("a refusal", error)
        self._report(DifferenceKind.COMMAND, entry, "its command", "carried out", due)

    def _report_events(self, entry: Entry, error: object) -> None:
        due = with_reason("valid events", error)
        stored = "events that can't be applied"
        self._report(DifferenceKind.EVENT, entry, "its events", stored, due)


class BookCheck(EntryReports):
    """Audits a book: call `add` for every entry in order, then `finish`."""

    def __init__(self, book: int, by: AuditContext) -> None:
        super().__init__(by.differences)
        self.counts = AuditCounts()
        self._book = book
        self._by = by
        self._chain = ChainCheck(book, by.differences)

    def finish(self, head: JournalHead) -> None:
        self._chain.finish(head)

    def _count(self, stored: StoredEntry) -> list[PlainData]:
        """Count the entry, check its hash, and return its events."""
        events = stored_events(stored.entry.events) or []
        self._chain.add(stored, len(events))
        self.counts.entries += 1
        self.counts.events += len(events)
        self.counts.postings += len(stored.lines)
        return events

    def _check_request(self, entry: Entry, *due: bytes) -> None:
        if entry.request not in due:
            stored, expected = entry.request.hex(), due[0].hex()
            self._report(DifferenceKind.COMMAND, entry, "its request", stored, expected)

    def _check_postings(self, stored: StoredEntry, postings: Sequence[Posting]) -> None:
        due = posting_rows(postings)
        if list(stored.lines) != due:
            was, expected = ("; ".join(map(str, lines)) or "none" for lines in (stored.lines, due))
            self._report(DifferenceKind.POSTING, stored.entry, "its postings", was, expected)


class TableCheck(BookCheck):
    """Audits a table's book."""

    def __init__(self, table: int, by: AuditContext) -> None:
        super().__init__(table, by)
        self.recorded: Sequence[TableEvent] = ()  # events of the last entry
        self.replayed: ReplayedCommand | None = None  # None if the last entry was only applied
        self._state: TableState | None = None
        self._lost = False  # set if the rest of the book can't be replayed
        self._rows = RowCheck(table, by)
        self._shoes = RecordedShoes(table, by)
        self._trail = ShoeTrail(table, by)

    def add(self, stored: StoredEntry, *, replays: bool = True) -> None:
        """Check an entry; unless `replays` is set, trust and apply its events."""
        entry = stored.entry
        events = stored_events(entry.events)
        before = self._chain.head.hash
        holds = self._chain.add(stored, len(events or ()))
        self.counts.entries += 1
        self.counts.postings += len(stored.lines)
        self.recorded, self.replayed = (), None
        if events is None:
            stored_as, due = "not a list of events", "a list of events"
            self._report(DifferenceKind.EVENT, entry, "its events", stored_as, due)
            self._lose(entry)
        elif not self._lost:
            self.counts.events += len(events)
            recorded = RecordedEvents.of(events)
            self._shoes.listen(entry.version, recorded)
            self._follow(stored, events, recorded, before if not holds else None, replays)

    def finish(self, head: JournalHead) -> None:
        super().finish(head)
        if self._state is not None and not self._lost:
            self._rows.finish(self._state)
            self._check_held_awards(self._state)

    def _check_held_awards(self, state: TableState) -> None:
        """Check that the awards waiting for a hand-pay add up to the money set aside for them."""
        held = sum(award.amount for award in state.held_awards.values())
        set_aside = state.balances.get(state.layout.due, 0)
        if held != set_aside:
            place = Location(self._book)
            what = "the money for awards to be paid by hand"
            self._by.differences.add(DifferenceKind.POSTING, place, what, set_aside, held)

    def _follow(
        self,
        stored: StoredEntry,
        events: list[PlainData],
        recorded: RecordedEvents,
        before: bytes | None,
        replays: bool,
    ) -> None:
        """Replay or apply an entry; `before` is the previous hash if the entry's hash is wrong."""
        entry = stored.entry
        try:
            command = command_from_data(json.loads(entry.command), entry.engine)
        except FAULTS as error:
            self._report_unreadable(entry, error)
            command = None
        if self._state is None and not self._begin(entry, command):
            return
        run = self._replayed(entry, command, recorded) if replays and command else None
        if run is not None and _same_events(run, entry):
            self._keep(run, stored, events)
            return
        if run is not None:
            self._compare_events(entry, events, run)
            if before is not None and self._was_hashed(before, entry, run):
                self._keep(run, stored, events)
                return
        self._fold(stored, events)

    def _begin(self, entry: Entry, command: TableCommand | None) -> bool:
        """Create the table in its state before the first entry."""
        try:
            if not isinstance(command, OpenTable):
                raise ValueError("a table's book begins with its opening")
            rules = rules_from_data(command.rules)
            clocks = clocks_of(command.clocks)
        except FAULTS as error:
            self._report_unreadable(entry, error)
            self._lose(entry)
            return False
        head = JournalHead(self._book)
        name, options = command.name.strip(), options_of(command)
        self._state = TableState(self._by.house, head, name, rules, clocks, options)
        self._state.inspection = inspection_of(rules, command)
        return True

    def _report_unreadable(self, entry: Entry, error: object) -> None:
        due = with_reason("a valid one", error)
        self._report(DifferenceKind.COMMAND, entry, "its command", entry.command[:200], due)

    def _replayed(
        self, entry: Entry, command: TableCommand, recorded: RecordedEvents
    ) -> CommandRun | None:
        """Replay the command on a copy of the table; None if that fails."""
        assert self._state is not None, "the table was opened"
        state = self._state.copy()
        if isinstance(command, LoseShoes):
            state.live = None  # the house had lost the cards' key
        actor = _actor(entry.actor, command, recorded)
        ask = state.ask.number if state.ask else None
        self._check_table_request(entry, command, ask)
        around = recorded_environment(state, entry, recorded, self._shoes)
        if isinstance(command, CorrectRound):
            around = self._with_past(around, command, entry.version)
        run = CommandRun(state, around)
        try:
            handle(run, actor, command, ask)
        except Refused as error:
            self._report_command(entry, error)
        except FAULTS as error:
            self._report_command(entry, reason_of(error))
        else:
            return run
        return None

    def _with_past(self, around: Environment, command: CorrectRound, version: int) -> Environment:
        """Add the corrected round's payment, from the entries before this one."""
        past = past_spot(
            self._by.connection, self._book, command.round_number, command.spot, version
        )
        wallets = {**around.wallets, past.person: _UNLIMITED} if past else around.wallets
        return around._replace(past=past, wallets=wallets)

    def _check_table_request(self, entry: Entry, command: TableCommand, ask: int | None) -> None:
        """Check the request hash.

        Only answers are certain to name their own prompt. A player's other commands may name any
        prompt, so their hashes aren't checked.
        """
        data = json.loads(entry.command)
        if isinstance(command, OpenTable):
            due = [request_hash(data)]
        elif type(command) in ANSWERS:
            due = [request_hash([entry.book, ask, data])]
        elif entry.actor in (CLOCK.name, SERVICE.name):
            due = [request_hash([entry.book, named, data]) for named in (None, ask)]
        else:
            return
        self._check_request(entry, *due)

    def _keep(self, run: CommandRun, stored: StoredEntry, events: list[PlainData]) -> None:
        self._check_postings(stored, run.postings)
        self.replayed = ReplayedCommand(tuple(run.events), run.awards)
        self._arrive(run.state, stored.entry, run.events, len(events))

    def _fold(self, stored: StoredEntry, events: list[PlainData]) -> None:
        """Apply the stored events without repeating the command."""
        assert self._state is not None, "the table was opened"
        entry = stored.entry
        state = self._state.copy()
        try:
            recorded = [event_from_data(data, entry.engine) for data in events]
            if any(isinstance(event, ev.ShoeLost) for event in recorded):
                state.live = None
            postings = self._folded(state, entry, recorded)
        except FAULTS as error:
            self._report_events(entry, reason_of(error))
            self._lose(entry)
            return
        self._check_postings(stored, postings)
        self._arrive(state, entry, recorded, len(events))

    def _folded(
        self, state: TableState, entry: Entry, events: Sequence[TableEvent]
    ) -> list[Posting]:
        postings: list[Posting] = []
        for number, event in enumerate(events, start=entry.first_event):
            for line in postings_of(event, number, state.chips, state.layout):
                apply_posting(state, line)
                postings.append(line)
            if isinstance(event, WagerSettled) and event.meter:
                post_award(state, state.layout, event)
            if isinstance(event, ev.ShoeCommitted):
                context = context_of(state.rules, state.house, str(state.number), event.shoe)
                state.next_shoe = self._shoes.new_shoe(context)
            elif isinstance(event, CardDealt) and state.live is not None:
                state.live.draw()
            apply_event(state, event, number, entry.at)
            if isinstance(event, ev.ShoeCut):
                assert state.in_play is not None, "a cut shoe is in play"
                state.live = self._shoes.live(state.in_play)
        return postings

    def _arrive(
        self, state: TableState, entry: Entry, recorded: Sequence[TableEvent], events: int
    ) -> None:
        last = entry.first_event - 1 + events
        state.head = JournalHead(entry.book, entry.version, last, entry.hash)
        self._trail.follow(state, recorded, entry.version)
        self._count_events(recorded)
        if entry.version % ENTRIES_PER_PAGE == 0:
            self._rows.ended(state)
        self._state = state
        self.recorded = recorded

    def _count_events(self, events: Sequence[TableEvent]) -> None:
        for event in events:
            if type(event) is CardDealt:
                self.counts.cards += 1
            elif type(event) is ev.RoundClosed:
                self.counts.rounds += 1
            elif type(event) is ev.ShoeRevealed:
                self.counts.shoes += 1
            elif type(event) is ev.SeatTaken:
                self._by.names[int(event.person)] = event.name

    def _check_postings(self, stored: StoredEntry, postings: Sequence[Posting]) -> None:
        due = posting_rows(postings)
        if list(stored.lines) == due:
            return
        for number, (line, other) in enumerate(zip_longest(stored.lines, due), start=1):
            if line != other:
                was, expected, what = line or "none", other or "none", f"posting {number}"
                self._report(DifferenceKind.POSTING, stored.entry, what, was, expected)

    def _compare_events(self, entry: Entry, events: list[PlainData], run: CommandRun) -> None:
        due = [event_data(event) for event in run.events]
        due = json.loads(canonical_json(due))  # tuples become lists, game numbers strings
        secret = run.state.in_play is not None or run.state.round is not None
        reported = 0
        for number, (data, other) in enumerate(zip_longest(events, due), start=entry.first_event):
            if data != other and reported < _MAX_EVENTS:
                reported += 1
                was, expected = _event_json(data, secret), _event_json(other, secret)
                self._report(DifferenceKind.EVENT, entry, f"event {number}", was, expected)

    def _was_hashed(self, before: bytes, entry: Entry, run: CommandRun) -> bool:
        """Whether the entry's hash matches these events and postings instead of the stored ones."""
        lines = [line.data() for line in posting_rows(run.postings)]
        due = replace(entry, events=_events_text(run)).hash_with(before, lines)
        return due == entry.hash

    def _lose(self, entry: Entry) -> None:
        if not self._lost:
            self._lost = True
            self._by.notes.add(
                f"Book {self._book} can't be replayed after version {entry.version}. "
                "Later entries were checked only against their hashes, and its rows were "
                "not checked."
            )


def _actor(name: str, command: TableCommand, recorded: RecordedEvents) -> Actor:
    """The entry's actor. Books don't store roles; they were checked when the command ran."""
    if name in (CLOCK.name, SERVICE.name):
        return Actor(name, ActorRole.HOUSE)
    role = ActorRole.PLAYER
    if isinstance(command, (*OPERATOR_COMMANDS, LoseShoes)):
        role = ActorRole.OPERATOR
    if isinstance(command, FLOOR_COMMANDS) and not _answered_by_operator(recorded):
        role = ActorRole.FLOOR
    kind, _, person = name.partition("/")
    called = next((str(data.get("name")) for data in recorded.of_kind(SeatTaken)), "")
    return Actor(name, role, person if kind == "person" else "", called)


def _answered_by_operator(recorded: RecordedEvents) -> bool:
    return any(
        data.get("by") == Authority.OPERATOR
        for kind in (SupervisorAnswered, PaymentsAuthorized)
        for data in recorded.of_kind(kind)
    )


def _events_text(run: CommandRun) -> str:
    return f"[{','.join(event_texts(run.events))}]"


def _same_events(run: CommandRun, entry: Entry) -> bool:
    if _events_text(run) == entry.events:
        return True
    if entry.engine == ENGINE:
        return False
    recorded = [event_from_data(data, entry.engine) for data in entry.event_data()]
    return recorded == run.events  # the entry is in an older format


def _event_json(data: PlainData | None, secret: bool) -> str:
    """The event as JSON, with the card hidden while its shoe may still be in play."""
    if data is None:
        return "no such event"
    if secret and "card" in data:
        data = {**data, "card": "a card"}
    return canonical_json(data)[:300]


def reason_of(error: BaseException) -> str:
    words = str(error) or type(error).__name__
    return words if isinstance(error, VentiunaError) else f"an error ({words})"
