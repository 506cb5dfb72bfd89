"""Audits jackpots: replayed commands, transfers between books, rows, and seven invariants.

The invariants come from the regulation and are checked from entry 1:

1. Money moves in whole cents from one account to another; fractions of a cent carry over.
2. The fund is the displayed amount plus the reserve; seed money is separate.
3. A meter falls only for a listed reason.
4. The house takes nothing out of a meter and gets back no more seed money than it advanced.
5. The display never exceeds the maximum.
6. Linked tables show the same amount.
7. A suspended jackpot takes no wagers.

Some entries follow from other books: awards in a table's round, and money received from a removed
progressive. They are replayed once both sides are known: the progressive's prior state comes from
its own book, and the seating and the round's awards come from the table's replay.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from sqlalchemy import Connection, select

from ventiuna.core.meters import SHARES
from ventiuna.engine import Refused
from ventiuna.engine.events import MeterRaised, MetersShown, Stakes, WagerSettled, WagersPlaced
from ventiuna.table.audit.entries import (
    DifferenceKind,
    Differences,
    Location,
    with_reason,
)
from ventiuna.table.audit.tables import (
    FAULTS,
    AuditContext,
    BookCheck,
    EntryReports,
    ReplayedCommand,
    TableCheck,
)
from ventiuna.table.domain.events import (
    JackpotLinked,
    JackpotUnlinked,
    PendingContributions,
    ReserveRaised,
    TableEvent,
    pending_contributions,
)
from ventiuna.table.jackpots import progressive as do
from ventiuna.table.jackpots.decisions import (
    awards_of,
    command_from_data,
    decide,
    decide_creation,
    decide_removal,
    event_data,
    event_from_data,
    with_pending,
)
from ventiuna.table.jackpots.progressive import (
    AwardPaid,
    JackpotCommand,
    JackpotCreated,
    JackpotEvent,
    JackpotStatus,
    MeterCommand,
    MeterSnapshot,
    MovedIn,
    Progressive,
    StripesFolded,
    advance_of,
    apply,
    create,
    displayed_amount,
    meter_of,
    postings_of,
    reserve_of,
)
from ventiuna.table.jackpots.repository import (
    WRITTEN_COLUMNS,
    Sender,
    fold_events,
    jackpot_row,
    read_jackpots,
    sent_by_jackpot,
    sent_by_table,
)
from ventiuna.table.journal import SealOrder, StoredEntry
from ventiuna.table.ledger import (
    AccountKind,
    Entry,
    JournalHead,
    Posting,
    PostingCode,
    canonical_json,
    request_hash,
)
from ventiuna.table.store.schema import jackpot as jackpot_table

E = TypeVar("E")
FALL_CODES = {
    PostingCode.FOLD,
    PostingCode.OVERFLOW,
    PostingCode.AWARD,
    PostingCode.SEED_BACK,
    PostingCode.CORRECT_DOWN,
    PostingCode.MOVED,
}
FUND = (AccountKind.METER, AccountKind.RESERVE)


@dataclass(frozen=True, slots=True)
class Recorded(Generic[E]):
    """An entry with parsed events."""

    version: int
    first_event: int
    at: int
    key: str
    events: tuple[E, ...]
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class BrokenInvariant:
    """A violation: the invariant's number, the location, and a sentence that describes it."""

    invariant: int
    book: int
    version: int
    sentence: str


@dataclass(slots=True)
class _Feeder:
    """A table's link to the jackpot while the table's book is read."""

    table: int
    game: int = 0  # the game that feeds the jackpot, or 0
    remainder: int = 0
    reserve_remainder: int = 0


class FundCheck:
    """Checks one progressive.

    Add its own book from entry 1, then its tables' books, then call `finish`.

    You can leave out tables that never fed the progressive. Seals give the order of entries across
    books.
    """

    def __init__(self, number: int, order: SealOrder) -> None:
        self.broken: list[BrokenInvariant] = []
        self._number = number
        self._order = order
        self._jackpot: Progressive | None = None
        self._balances: Counter[str] = Counter()
        # versions that suspended and resumed the jackpot
        self._shut: list[tuple[int, int | None]] = []
        self._awards: dict[tuple[int, int], tuple[int, int]] = {}  # (shown, paid) by table entry
        self._feeders: dict[int, _Feeder] = {}

    def add_jackpot_entry(self, entry: Recorded[JackpotEvent]) -> None:
        due = postings_of(self._number, entry.events, entry.first_event)
        if due != entry.postings:
            self._break(2, entry.version, "The postings don't match the events.")
        for event in entry.events:
            self._apply(event, entry)
        for line in entry.postings:
            self._check_line(line, entry.version)
            self._balances[line.from_account] -= line.amount
            self._balances[line.to_account] += line.amount
        self._check_state(entry)

    def _apply(self, event: JackpotEvent, entry: Recorded[JackpotEvent]) -> None:
        if self._jackpot is None:
            if isinstance(event, JackpotCreated):
                self._jackpot = create(self._number, event)
            return
        if isinstance(event, AwardPaid):
            self._note_award(event, self._jackpot.meter, entry)
        self._jackpot = apply(self._jackpot, event)
        if isinstance(event, MovedIn):
            self._balances[meter_of(self._number)] += event.meter
            self._balances[reserve_of(self._number)] += event.reserve

    def _check_line(self, line: Posting, version: int) -> None:
        if line.from_kind is not AccountKind.METER:
            return
        named = line.reason is not None or line.code not in (
            PostingCode.SEED_BACK,
            PostingCode.CORRECT_DOWN,
            PostingCode.MOVED,
        )
        if line.code not in FALL_CODES or not named:
            self._break(3, version, f"A {line.code} posting lowers the meter without a reason.")
        if line.to_kind in (AccountKind.HOUSE, AccountKind.BANK):
            self._break(4, version, f"A {line.code} posting pays the house from the meter.")

    def _check_state(self, entry: Recorded[JackpotEvent]) -> None:
        jackpot = self._jackpot
        if jackpot is None:
            self._break(2, entry.version, "The book doesn't begin with the jackpot's creation.")
            return
        balance = (
            self._balances[meter_of(self._number)],
            self._balances[reserve_of(self._number)],
            -self._balances[advance_of(self._number)],
        )
        if balance != (jackpot.meter, jackpot.reserve, jackpot.advanced) or min(balance[:2]) < 0:
            self._break(2, entry.version, "The accounts don't match the events.")
        if jackpot.advanced < 0:
            self._break(4, entry.version, "More seed money was returned than was advanced.")
        if jackpot.maximum is not None and jackpot.meter > jackpot.maximum:
            self._break(5, entry.version, "The meter is above its maximum.")
        self._note_status(jackpot, entry.version)

    def _note_status(self, jackpot: Progressive, version: int) -> None:
        is_shut = bool(self._shut) and self._shut[-1][1] is None
        if not jackpot.takes_wagers and not is_shut:
            self._shut.append((version, None))
        elif jackpot.takes_wagers and is_shut:
            self._shut[-1] = self._shut[-1][0], version

    def _note_award(self, event: AwardPaid, meter: int, entry: Recorded[JackpotEvent]) -> None:
        """Record an award; the first award in an entry is computed from the displayed amount."""
        version = int(entry.key.rpartition("/")[2])
        displayed, paid = self._awards.get((event.table, version), (meter, 0))
        self._awards[event.table, version] = displayed, paid + event.amount

    def add_table_entry(self, table: int, entry: Recorded[TableEvent]) -> None:
        feeder = self._feeders.setdefault(table, _Feeder(table))
        fed = bool(feeder.game)
        for event in entry.events:
            self._follow(feeder, event, entry)
        if fed or feeder.game:
            self._check_award(feeder, entry)
            for line in entry.postings:
                self._fed_by(table, line, entry.version)

    def _fed_by(self, table: int, line: Posting, version: int) -> None:
        """Check that a table only pays into its own stripes and takes nothing out of the fund."""
        if line.to_account in (meter_of(self._number, table), reserve_of(self._number, table)):
            self._balances[line.to_account] += line.amount
        if line.from_kind in FUND and line.from_account.split("/")[1] == str(self._number):
            self._break(3, version, "A table takes money out of the fund.", table)

    def _follow(self, feeder: _Feeder, event: TableEvent, entry: Recorded[TableEvent]) -> None:
        wager = self._jackpot.settings.wager if self._jackpot else 0
        match event:
            case JackpotLinked(game, jackpot) if jackpot == self._number:
                feeder.game, feeder.remainder, feeder.reserve_remainder = game, 0, 0
                return
            case JackpotUnlinked(_, jackpot) if jackpot == self._number:
                feeder.game = 0
                return
            case WagersPlaced() if feeder.game in event.jackpots:
                self._check_open(feeder, entry)
                return
            case MeterRaised(game, amount, remainder, "contribution") if game == feeder.game:
                rate = self._jackpot.settings.contribution if self._jackpot else 0
                due = feeder.remainder + wager * rate
                feeder.remainder = remainder
            case ReserveRaised(game, amount, remainder) if game == feeder.game:
                rate = self._jackpot.reserve_rate if self._jackpot else 0
                due = feeder.reserve_remainder + wager * rate
                feeder.reserve_remainder = remainder
            case _:
                return
        if due != amount * SHARES + remainder:
            sentence = "A contribution isn't its exact share of the wager."
            self._break(1, entry.version, sentence, feeder.table)

    def _check_open(self, feeder: _Feeder, entry: Recorded[TableEvent]) -> None:
        """Report a wager that certainly came after a suspension and before the jackpot was resumed.

        The wager's transaction locks the table's book and then checks whether the jackpot is open.
        So the wager is certainly later than a suspension if another entry of the table falls
        between them: one seal covers the suspension but not that entry, and a later seal covers
        that entry but not the wager. Entries that no seal separates may have happened at the same
        time.
        """
        sealed = self._order.first(feeder.table, entry.version)
        earlier = self._order.before(feeder.table, sealed)
        for start, end in self._shut:
            is_after = self._order.first(self._number, start) < earlier
            if is_after and (end is None or sealed < self._order.first(self._number, end)):
                sentence = "A suspended jackpot took a wager."
                self._break(7, entry.version, sentence, feeder.table)

    def _check_award(self, feeder: _Feeder, entry: Recorded[TableEvent]) -> None:
        awards = [
            event.meters[feeder.game]
            for event in entry.events
            if isinstance(event, MetersShown) and feeder.game in event.meters
        ]
        paid = sum(
            event.paid
            for event in entry.events
            if isinstance(event, WagerSettled) and event.meter and event.meter == feeder.game
        )
        recorded = self._awards.pop((feeder.table, entry.version), None)
        if recorded is None:
            if paid:
                sentence = "An award is missing from its jackpot's book."
                self._break(6, entry.version, sentence, feeder.table)
        elif awards != [recorded[0]]:
            shown = " and ".join(f"{cents} cents" for cents in awards) or "no meter"
            sentence = f"The table showed {shown}, but the jackpot showed {recorded[0]} cents."
            self._break(6, entry.version, sentence, feeder.table)
        elif paid != recorded[1]:
            sentence = (
                f"The table's awards total {paid} cents, but the jackpot's total {recorded[1]}."
            )
            self._break(2, entry.version, sentence, feeder.table)

    def finish(self, reading: MeterSnapshot) -> list[BrokenInvariant]:
        """Compare everything with the current data of the house."""
        version = reading.head.version
        for table, known in self._awards:
            sentence = f"The award in version {known} is missing from the book of table {table}."
            self._break(6, version, sentence)
        if reading.jackpot != self._jackpot:
            self._break(2, version, "The jackpot doesn't match its events.")
        maximum = reading.jackpot.maximum
        if maximum is not None and displayed_amount(reading) > maximum:
            self._break(5, version, "The displayed amount is above its maximum.")
        for stripes, account in ((reading.meters, meter_of), (reading.reserves, reserve_of)):
            tables = stripes.keys() | self._feeders.keys()
            for table in sorted(tables):
                due = self._balances[account(self._number, table)]
                if stripes.get(table, 0) != due:
                    sentence = (
                        f"The balance of {account(self._number, table)} doesn't match its postings."
                    )
                    self._break(2, version, sentence)
        return self.broken

    def _break(self, invariant: int, version: int, sentence: str, table: int = 0) -> None:
        self.broken.append(BrokenInvariant(invariant, table or self._number, version, sentence))


NO_STRIPES: Stakes[int] = Stakes({})
DerivedCommand = do.PayAwards | do.RemoveJackpot | do.ReceiveMoney


@dataclass(frozen=True, slots=True)
class DerivedEntry:
    """A progressive's entry that follows from another book, and the state before that entry."""

    entry: Entry
    command: DerivedCommand
    recorded: tuple[JackpotEvent, ...]
    head: JournalHead
    before: Progressive

    @property
    def reading(self) -> MeterSnapshot:
        """The progressive's state before the entry, with the stripes that the entry folds."""
        return reading_before(self.head, self.before, self.recorded)


def reading_before(
    head: JournalHead, before: Progressive, events: Sequence[JackpotEvent]
) -> MeterSnapshot:
    folded = next((event for event in events if isinstance(event, StripesFolded)), None)
    if folded is None:
        return MeterSnapshot(head, before, NO_STRIPES, NO_STRIPES)
    return MeterSnapshot(head, before, folded.meters, folded.reserves)


class _JackpotReports(EntryReports):
    def _compare_events(
        self, entry: Entry, recorded: Sequence[JackpotEvent], due: Sequence[JackpotEvent]
    ) -> None:
        if tuple(due) != tuple(recorded):
            was, expected = (
                canonical_json([event_data(event) for event in events])
                for events in (recorded, due)
            )
            self._report(DifferenceKind.EVENT, entry, "its events", was, expected)


class TransferCheck(_JackpotReports):
    """Checks entries that follow from other books.

    Add the progressives first, then the table entries in any order, then call `finish`.
    """

    def __init__(self, differences: Differences) -> None:
        super().__init__(differences)
        # By table and version, then by jackpot.
        self._awards: defaultdict[tuple[int, int], dict[int, DerivedEntry]] = defaultdict(dict)
        self._removals: list[DerivedEntry] = []
        self._received: dict[tuple[int, int], DerivedEntry] = {}  # by removed jackpot and version
        self._jackpots: dict[int, Progressive] = {}  # jackpots in their final state

    def add(
        self, number: int, final: Progressive | None, following: Sequence[DerivedEntry]
    ) -> None:
        """Add a progressive's book."""
        if final is not None:
            self._jackpots[number] = final
        for one in following:
            if isinstance(one.command, do.PayAwards):
                self._awards[one.command.table, one.command.version][number] = one
            elif isinstance(one.command, do.ReceiveMoney):
                self._received[one.command.jackpot, one.command.version] = one
            else:
                self._removals.append(one)

    def believe(self, entry: Entry) -> None:
        """Accept a table entry that wasn't replayed."""
        self._awards.pop((entry.book, entry.version), None)

    def check_entry(self, entry: Entry, replayed: ReplayedCommand) -> None:
        """Check the awards in a replayed table entry."""
        awards = replayed.awards
        if awards is None:
            return
        displayed = {
            game
            for event in replayed.events
            if isinstance(event, MetersShown)
            for game in event.meters
        }
        for game, jackpot in awards.layout.jackpots.items():
            following = self._awards[entry.book, entry.version].pop(jackpot, None)
            if following is not None:
                self._decide_award(following, entry, replayed, game)
            elif game in displayed and jackpot in self._jackpots:
                what, due = f"its entry in the book of jackpot {jackpot}", f"awards of game {game}"
                self._report(DifferenceKind.JACKPOT, entry, what, "none", due)

    def _decide_award(
        self, following: DerivedEntry, entry: Entry, replayed: ReplayedCommand, game: int
    ) -> None:
        assert replayed.awards is not None, "someone has won"
        layout, jackpot = replayed.awards.layout, following.entry.book
        pending = pending_contributions(replayed.events, game)
        reading = with_pending(
            following.reading, entry.book, PendingContributions(-pending.meter, -pending.reserve)
        )
        try:
            due = awards_of(reading, layout, game, replayed.events)
        except FAULTS as error:
            self._report_command(following.entry, error)
            return
        self._compare(following, due, sent_by_table(entry.book, entry.version, jackpot, entry.at))
        command, due_command = following.command, do.PayAwards(entry.book, entry.version, game)
        if command != due_command:
            self._report(
                DifferenceKind.COMMAND, following.entry, "its command", command, due_command
            )

    def finish(self) -> None:
        for removal in self._removals:
            try:
                self._decide_removal(removal)
            except FAULTS as error:
                self._report_command(removal.entry, error)
        awards = [entry for entries in self._awards.values() for entry in entries.values()]
        for following in [*awards, *self._received.values()]:
            what = "the entry in another book that it follows from"
            self._report(DifferenceKind.COMMAND, following.entry, what, "none that matches", "one")

    def _decide_removal(self, removal: DerivedEntry) -> None:
        assert isinstance(removal.command, do.RemoveJackpot), "a removal"
        entry, to = removal.entry, removal.command.to
        received = self._received.pop((entry.book, entry.version), None)
        due, due_received = decide_removal(
            removal.reading, removal.command, self._receiver(to, received)
        )
        self._compare(removal, due, Sender(entry.actor, entry.key, entry.at))
        if received is not None and to is not None:
            sender = sent_by_jackpot(entry.book, entry.version, to, entry.at)
            self._compare(received, due_received, sender)
        elif due_received:
            what = f"the events received by jackpot {to}"
            self._report(DifferenceKind.EVENT, entry, what, "nothing", "its money")

    def _receiver(self, to: int | None, received: DerivedEntry | None) -> MeterSnapshot | None:
        """The progressive that receives the money, in any state if nothing was left to move."""
        if to is None:
            return None
        if received is not None:
            return received.reading
        return MeterSnapshot(
            JournalHead(to),
            replace(self._jackpots[to], status=JackpotStatus.OPEN),
            NO_STRIPES,
            NO_STRIPES,
        )

    def _compare(
        self, following: DerivedEntry, due: Sequence[JackpotEvent], sender: Sender
    ) -> None:
        entry = following.entry
        self._compare_events(entry, following.recorded, due)
        stored = Sender(entry.actor, entry.key, entry.at)
        if stored != sender:
            self._report(DifferenceKind.COMMAND, entry, "its actor, key and time", stored, sender)


EventT = TypeVar("EventT")

INVARIANTS = {
    1: "money moves in whole cents, and fractions of a cent are kept",
    2: "the displayed amount and the reserve make up the fund",
    3: "a meter falls only for a listed reason",
    4: "the house gets nothing out of a meter",
    5: "the displayed amount never exceeds the maximum",
    6: "linked tables show the same amount",
    7: "a suspended jackpot takes no wagers",
}


class JackpotCheck(BookCheck, _JackpotReports):
    """Audits a jackpot's book."""

    def __init__(self, book: int, by: AuditContext, order: SealOrder) -> None:
        super().__init__(book, by)
        self.fund = FundCheck(book, order)
        self._jackpot: Progressive | None = None
        self._following: list[DerivedEntry] = []  # entries that other books require

    def add(self, stored: StoredEntry) -> None:
        entry, head = stored.entry, self._chain.head
        events = self._count(stored)
        try:
            recorded = tuple(event_from_data(data, entry.engine) for data in events)
            self._replay(entry, recorded, head)
            self._check_postings(stored, postings_of(self._book, recorded, entry.first_event))
            self.fund.add_jackpot_entry(recorded_entry(stored, recorded))
            self._jackpot = fold_events(self._book, self._jackpot, recorded)
        except FAULTS as error:
            self._report_events(entry, error)

    def submit(self, between: TransferCheck) -> None:
        """Pass on the entries that can be checked only against other books."""
        between.add(self._book, self._jackpot, self._following)

    def finish(self, head: JournalHead) -> None:
        super().finish(head)
        row = self._by.connection.execute(
            select(jackpot_table).where(jackpot_table.c.id == self._book)
        ).first()
        jackpot = self._jackpot
        if row is None or jackpot is None:
            self._report_row(
                "", "no row" if row is None else "a row", "the row derived from its book"
            )
            return
        for name, due in zip(WRITTEN_COLUMNS, jackpot_row(jackpot)[1:], strict=True):
            stored = getattr(row, name)
            if stored != due:
                self._report_row(f", {name}", repr(stored), repr(due))

    def _replay(self, entry: Entry, recorded: Sequence[JackpotEvent], head: JournalHead) -> None:
        data = json.loads(entry.command)
        self._check_request(entry, request_hash(data))
        command = command_from_data(data, entry.engine)
        if isinstance(command, DerivedCommand):
            assert self._jackpot is not None, "a jackpot's book begins with its creation"
            following = DerivedEntry(entry, command, tuple(recorded), head, self._jackpot)
            self._following.append(following)
            return
        try:
            due = self._decided(command, recorded, head)
        except Refused as error:
            self._report_command(entry, error)
            return
        self._compare_events(entry, recorded, due)

    def _decided(
        self,
        command: JackpotCommand,
        events: Sequence[JackpotEvent],
        head: JournalHead,
    ) -> tuple[JackpotEvent, ...]:
        if isinstance(command, do.CreateJackpot):
            return decide_creation(self._book, command)
        assert self._jackpot is not None, "a jackpot's book begins with its creation"
        assert isinstance(command, MeterCommand), "other commands follow from other entries"
        return decide(reading_before(head, self._jackpot, events), command)

    def _report_row(self, column: str, stored: str, expected: str) -> None:
        what = f"row of jackpot {self._book}{column}"
        self._differences.add(DifferenceKind.ROW, Location(self._book), what, stored, expected)


def recorded_entry(stored: StoredEntry, events: Sequence[EventT]) -> Recorded[EventT]:
    """Build an entry for the invariants, without invalid postings, which are reported elsewhere."""
    entry = stored.entry
    lines: list[Posting] = []
    for line in stored.lines:
        with suppress(ValueError):
            lines.append(line.posting())
    return Recorded(
        entry.version, entry.first_event, entry.at, entry.key, tuple(events), tuple(lines)
    )


class AllJackpotsCheck:
    """Checks all of a house's progressives against the tables that feed them."""

    def __init__(self, connection: Connection, differences: Differences) -> None:
        self._connection = connection
        self._differences = differences
        self._checks: dict[int, FundCheck] = {}
        self._fed: dict[int, set[int]] = {}  # jackpots by table, including unlinked ones
        self._between = TransferCheck(differences)

    def add_fund(self, number: int, check: JackpotCheck) -> None:
        self._checks[number] = check.fund
        check.submit(self._between)

    def check_entry(self, stored: StoredEntry, check: TableCheck) -> None:
        """Process a table entry."""
        if not self._checks:
            return
        table, recorded = stored.entry.book, check.recorded
        if check.replayed is None:
            self._between.believe(stored.entry)
        else:
            self._between.check_entry(stored.entry, check.replayed)
        fed = self._fed.setdefault(table, set())
        fed.update(event.jackpot for event in recorded if isinstance(event, JackpotLinked))
        for number in sorted(fed & self._checks.keys()):
            try:
                self._checks[number].add_table_entry(table, recorded_entry(stored, recorded))
            except FAULTS as error:
                place, due = (
                    Location(table, stored.entry.version),
                    with_reason("valid events", error),
                )
                what = f"its effect on jackpot {number}"
                self._differences.add(DifferenceKind.JACKPOT, place, what, "unclear", due)

    def finish(self) -> None:
        self._between.finish()
        for number, check in self._checks.items():
            try:
                broken = check.finish(read_jackpots(self._connection, [number])[number])
            except FAULTS as error:
                place, due = Location(number), with_reason("readable rows", error)
                self._differences.add(DifferenceKind.JACKPOT, place, "its rows", "unreadable", due)
                continue
            for item in broken:
                what = f"invariant {item.invariant} of jackpot {number}"
                place = Location(item.book, item.version)
                due = INVARIANTS[item.invariant]
                self._differences.add(DifferenceKind.JACKPOT, place, what, item.sentence, due)
