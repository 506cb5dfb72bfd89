"""A table's state, and how each event changes it.

Only events change the state. The same functions apply stored events and a new command's events.
Every command runs on a copy. Copies are cheap because the parts they share are frozen or never
modified in place.

In the reducer, `number` is the event's number in the book, and `at` is the time of its entry. While
a command runs, its round events have already changed the round, so only `apply_to_table` is called;
for stored events, `apply_event` changes both. Clock times are in milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, TypeVar, cast

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import RoundState
from ventiuna.engine import apply as apply_to_round
from ventiuna.engine import events as round_events
from ventiuna.engine.chips import Chips
from ventiuna.engine.commands import Refused, quoted
from ventiuna.engine.events import Stage, Stakes
from ventiuna.engine.prompts import NothingWanted, SupervisorWanted, Waiting, waiting_for
from ventiuna.rules import Rules
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import NO_TIMES, OpenTable, Requirement, Times
from ventiuna.table.domain.events import (
    FOR_SUPERVISOR,
    AskKind,
    AwardHeld,
    ChipAccounts,
    TableEvent,
)
from ventiuna.table.domain.inspection import Inspection, StepEvent
from ventiuna.table.fairness import SHOE_START, LiveShoe, Position, ShoeContext
from ventiuna.table.ledger import AccountKind, JournalHead, Posting, account_code

SHORTEST_CLOCK = 100
LONGEST_CLOCK = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Clocks:
    wagers: int = 15_000  # time from the first wager
    answer: int = 10_000  # time to answer about insurance or a blackjack
    decision: int = 20_000
    cut: int = 5_000  # time for each of the two steps
    away: int = 60_000  # time until a seat without a client is marked away
    leave: int = 600_000  # time until an absent seat is cashed out
    supervisor: int = 120_000  # time until an operator may answer for the supervisor
    unsupervised: int = 600_000  # after that, time until the house continues by itself

    def of(self, kind: AskKind) -> int:
        return int(getattr(self, _CLOCK_OF_ASK[kind]))

    def times(self) -> Times:
        """Clock times that differ from the defaults."""
        values = {part.name: int(getattr(self, part.name)) for part in fields(self)}
        default = {part.name: part.default for part in fields(self)}
        return Stakes({name: time for name, time in values.items() if time != default[name]})


_CLOCK_OF_ASK = {
    AskKind.CUT_COMMIT: "cut",
    AskKind.CUT_OPEN: "cut",
    AskKind.WAGERS: "wagers",
    AskKind.BLACKJACK: "answer",
    AskKind.INSURANCE: "answer",
    AskKind.DECISION: "decision",
    AskKind.SUPERVISOR: "supervisor",
    AskKind.SUPERVISOR_LATE: "unsupervised",
}
_CLOCK_NAMES = tuple(part.name for part in fields(Clocks))


def clocks_of(times: Times = NO_TIMES) -> Clocks:
    """Replace default clock times with these; refuse unknown clocks and invalid times."""
    for name, time in times.items():
        if name not in _CLOCK_NAMES:
            raise Refused(
                RefusalCode.NOT_A_CLOCK,
                (),
                f"There is no clock {quoted(name)}. Choose from: {', '.join(_CLOCK_NAMES)}.",
            )
        if not SHORTEST_CLOCK <= time <= LONGEST_CLOCK:
            raise Refused(
                RefusalCode.NOT_A_CLOCK,
                (),
                f"The clock {name} must be {SHORTEST_CLOCK} to {LONGEST_CLOCK} "
                f"milliseconds, not {quoted(time)}.",
            )
    return Clocks(**times)


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Procedures that this table requires; chosen when it opens."""

    supervisor: bool = False  # the round waits for a floor person
    hand_pay: bool = False  # percentage awards are paid by hand

    def data(self) -> dict[str, str]:
        """The options that are on, as stored."""
        return {
            part.name: str(Requirement.REQUIRED)
            for part in fields(self)
            if getattr(self, part.name)
        }


def stored_options(data: Mapping[str, object]) -> TableOptions:
    """Parse options that `TableOptions.data` wrote."""
    return TableOptions(**dict.fromkeys(data, True))


def options_of(command: OpenTable) -> TableOptions:
    return TableOptions(
        supervisor=command.supervisor is Requirement.REQUIRED,
        hand_pay=command.hand_pay is Requirement.REQUIRED,
    )


class TableStatus(StrEnum):
    OPEN = "open"
    CLOSING = "closing"
    CLOSED = "closed"
    FAULT = "fault"


class SeatStatus(StrEnum):
    HERE = "here"
    AWAY = "away"
    LEAVING = "leaving"


@dataclass(frozen=True, slots=True)
class Seat:
    """A person's seat."""

    number: int
    person: str
    name: str
    status: SeatStatus = SeatStatus.HERE


@dataclass(frozen=True, slots=True)
class Ask:
    """A prompt; it has the same number as the event that opened it."""

    number: int
    kind: AskKind
    spots: tuple[int, ...] = ()
    hand: int = 0


@dataclass(frozen=True, slots=True)
class Cut:
    """A seat's contribution to the next shoe's order; a cut without a value is unopened."""

    seat: int
    person: str
    commitment: bytes
    value: bytes | None = None


@dataclass(frozen=True, slots=True)
class ShoeRecord:
    """A shoe from commitment to end; a shoe without a mix hasn't been cut."""

    number: int
    context: ShoeContext
    salt: bytes
    commitment: bytes
    source: str
    mix: bytes | None = None
    cuts: tuple[Cut, ...] = ()  # the committed cuts


@dataclass(frozen=True, slots=True)
class Link:
    """The progressive that a jackpot game feeds, and the table's fractions of a cent."""

    jackpot: int
    reserve_rate: int = 0
    remainder: int = 0
    reserve_remainder: int = 0


class RoundOutcome(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class RoundSpan:
    """A round's number, shoe, and first and last entries."""

    number: int
    shoe: int
    first_version: int
    last_version: int | None = None
    outcome: RoundOutcome = RoundOutcome.OPEN


@dataclass(frozen=True, slots=True)
class EndedShoe:
    """An ended shoe. Anyone can verify it, unless it has no seed because the key was lost."""

    shoe: ShoeRecord
    seed: bytes | None
    version: int  # version of the entry that ended the shoe
    position: Position


@dataclass(slots=True, eq=False, repr=False)
class TableState:
    """One table's complete state, including the open round."""

    house: str
    head: JournalHead
    name: str
    rules: Rules
    clocks: Clocks
    options: TableOptions = field(default_factory=TableOptions)
    number: int = field(init=False)
    status: TableStatus = TableStatus.OPEN
    closes: bool = False  # whether a close was requested, whatever has happened since
    inspection: Inspection | None = None  # None if no inspection is required
    seats: Mapping[int, Seat] = field(default_factory=dict)
    spots: Mapping[int, int] = field(default_factory=dict)  # seat by spot
    links: Mapping[int, Link] = field(default_factory=dict)  # by jackpot game
    balances: dict[str, int] = field(default_factory=dict)  # the table's own balances, by code
    held_awards: Mapping[int, AwardHeld] = field(default_factory=dict)  # by event number
    # Alarms that nobody has acknowledged, by event number
    alarms: Mapping[int, ev.AlarmRaised] = field(default_factory=dict)

    next_shoe: ShoeRecord | None = None  # committed, not yet cut
    in_play: ShoeRecord | None = None
    live: LiveShoe | None = None  # the cards of the shoe in play
    lost: bool = False  # the house key doesn't open these shoes
    position: Position = SHOE_START  # position in the current shoe before the open round
    cuts: Mapping[int, Cut] = field(default_factory=dict)  # cuts for the next shoe, by seat
    barred: frozenset[str] = frozenset()  # people who have withheld a cut at this table

    rounds: int = 0  # number of rounds opened
    opened: RoundSpan | None = None
    round: RoundState | None = None
    chips: Chips = field(default_factory=Chips)
    ask: Ask | None = None
    deadline: int | None = None
    ready: frozenset[int] = frozenset()  # seats that are ready

    ended_rounds: tuple[RoundSpan, ...] = ()
    ended_shoes: tuple[EndedShoe, ...] = ()

    def __post_init__(self) -> None:
        self.number = self.head.book

    def copy(self) -> TableState:
        twin = TableState.__new__(TableState)
        twin.house = self.house
        twin.number = self.number
        twin.head = self.head
        twin.name = self.name
        twin.rules = self.rules
        twin.clocks = self.clocks
        twin.options = self.options
        twin.status = self.status
        twin.closes = self.closes
        twin.inspection = self.inspection
        twin.seats = self.seats
        twin.spots = self.spots
        twin.links = self.links
        twin.balances = dict(self.balances)
        twin.held_awards = self.held_awards
        twin.alarms = self.alarms
        twin.next_shoe = self.next_shoe
        twin.in_play = self.in_play
        twin.live = self.live.copy() if self.live else None
        twin.lost = self.lost
        twin.position = self.position
        twin.cuts = self.cuts
        twin.barred = self.barred
        twin.rounds = self.rounds
        twin.opened = self.opened
        twin.round = self.round.copy() if self.round else None
        twin.chips = self.chips.copy()
        twin.ask = self.ask
        twin.deadline = self.deadline
        twin.ready = self.ready
        twin.ended_rounds = self.ended_rounds
        twin.ended_shoes = self.ended_shoes
        return twin

    def seat_of(self, person: str) -> Seat | None:
        for seat in self.seats.values():
            if seat.person == person:
                return seat
        return None

    def spots_of(self, seat: int) -> list[int]:
        return [spot for spot, owner in self.spots.items() if owner == seat]

    def is_absent(self, spot: int) -> bool:
        """Whether the spot's prompts get their defaults because nobody can answer."""
        seat = self.seats.get(self.spots.get(spot, 0))
        return seat is None or seat.status is not SeatStatus.HERE

    @property
    def present(self) -> list[Seat]:
        return [seat for seat in self.seats.values() if seat.status is SeatStatus.HERE]

    @property
    def players(self) -> list[Seat]:
        """Seats that are present and have a spot to play."""
        playing = set(self.spots.values())
        return [seat for seat in self.present if seat.number in playing]

    def stack_code(self, seat: int) -> str:
        return account_code(AccountKind.STACK, self.number, seat)

    def stack(self, seat: int) -> int:
        return self.balances.get(self.stack_code(seat), 0)

    @property
    def bank(self) -> int:
        return self.balances.get(account_code(AccountKind.BANK, self.number), 0)

    @property
    def stake(self) -> int:
        return self.balances.get(account_code(AccountKind.STAKE, self.number), 0)

    @property
    def asks_for(self) -> AskKind | None:
        """The kind of the current prompt."""
        return self.ask.kind if self.ask else None

    @property
    def call(self) -> SupervisorWanted | None:
        """The supervisor's task that the table is waiting for."""
        waiting = self.waiting if self.asks_for in FOR_SUPERVISOR else None
        return waiting if isinstance(waiting, SupervisorWanted) else None

    def has_wagers(self, seat: int) -> bool:
        """Whether this seat has wagers in the open round, including settled ones."""
        if self.round is None:
            return False
        return any(self.spots.get(spot) == seat for spot in self.round.spots)

    @property
    def layout(self) -> ChipAccounts:
        return ChipAccounts(
            table=self.number,
            seats=self.spots,
            persons={seat.number: int(seat.person) for seat in self.seats.values()},
            jackpots={game: link.jackpot for game, link in self.links.items()},
            round_number=self.opened.number if self.opened else None,
            hand_pay=self.options.hand_pay,
        )

    @property
    def open_round(self) -> RoundState:
        assert self.round is not None, "no round is open"
        return self.round

    @property
    def waiting(self) -> Waiting:
        return waiting_for(self.round) if self.round else NothingWanted()

    @property
    def inspection_text(self) -> str:
        """Explain that the decks must be inspected before the deal; empty if the table may deal."""
        return self.inspection.waiting_text() if self.inspection else ""

    @property
    def is_dealt(self) -> bool:
        """Whether cards are on the table, so no chips may leave."""
        return self.round is not None and self.round.stage is not Stage.WAGERS


T = TypeVar("T")
Change = Callable[[TableState, Any, int, int], None]  # state, event, its number, its time


def apply_event(state: TableState, event: TableEvent, number: int, at: int) -> None:
    """Apply a stored event to the round and the table."""
    if not isinstance(event, ev.OwnEvent):
        apply_to_round(state.open_round, event)
    apply_to_table(state, event, number, at)


def apply_to_table(state: TableState, event: TableEvent, number: int, at: int) -> None:
    """Apply an event to the table only; the round already has it."""
    # Dispatch by type for speed, because every event passes through here.
    if (change := _TABLE_CHANGES.get(type(event))) is not None:
        change(state, event, number, at)
        return
    of_round = cast(round_events.Event, event)
    state.chips.add(of_round)
    if state.live is not None:
        state.live.follow(of_round)
    if (change := _ROUND_CHANGES.get(type(event))) is not None:
        change(state, event, number, at)


def apply_posting(state: TableState, posting: Posting) -> None:
    """Update the table's own balances; wallets, meters and the house aren't tracked here."""
    if posting.from_account in state.balances or _is_table_account(state, posting.from_account):
        before = state.balances.get(posting.from_account, 0)
        state.balances[posting.from_account] = before - posting.amount
    if posting.to_account in state.balances or _is_table_account(state, posting.to_account):
        before = state.balances.get(posting.to_account, 0)
        state.balances[posting.to_account] = before + posting.amount


def _is_table_account(state: TableState, code: str) -> bool:
    kind, _, place = code.partition("/")
    is_of_tables = kind in ("stack", "stake", "bank", "due")
    return is_of_tables and place.partition("/")[0] == str(state.number)


def _table_opened(state: TableState, event: ev.TableOpened, number: int, at: int) -> None:
    state.status = TableStatus.OPEN


def _table_closing(state: TableState, event: ev.TableClosing, number: int, at: int) -> None:
    state.status = TableStatus.CLOSING
    state.closes = True


def _table_closed(state: TableState, event: ev.TableClosed, number: int, at: int) -> None:
    state.status = TableStatus.CLOSED
    _clear_ask(state)


def _table_faulted(state: TableState, event: ev.TableFaulted, number: int, at: int) -> None:
    state.status = TableStatus.FAULT
    state.deadline = None  # no clock is running


def _table_resumed(state: TableState, event: ev.TableResumed, number: int, at: int) -> None:
    state.status = TableStatus.OPEN
    _restart_clock(state, at)


def _no_change(state: TableState, event: TableEvent, number: int, at: int) -> None:
    """Leave the state unchanged; only balances may change."""


def _seat_taken(state: TableState, event: ev.SeatTaken, number: int, at: int) -> None:
    seat = Seat(event.seat, event.person, event.name)
    state.seats = _in_order({**state.seats, event.seat: seat})


def _spots_chosen(state: TableState, event: ev.SpotsChosen, number: int, at: int) -> None:
    chosen = dict.fromkeys(event.spots, event.seat)
    state.spots = _in_order({**_spots_of_others(state, event.seat), **chosen})


def _spots_of_others(state: TableState, seat: int) -> dict[int, int]:
    return {spot: owner for spot, owner in state.spots.items() if owner != seat}


def _in_order(numbered: Mapping[int, T]) -> dict[int, T]:
    """Sort by number, as after loading, so that the iteration order is always the same."""
    return dict(sorted(numbered.items()))


def _without(numbered: Mapping[int, T], left_out: int) -> dict[int, T]:
    return {number: value for number, value in numbered.items() if number != left_out}


def _seat_ready(state: TableState, event: ev.SeatReady, number: int, at: int) -> None:
    state.ready |= {event.seat}


def _seat_becomes(status: SeatStatus) -> Change:
    def change(state: TableState, event: Any, number: int, at: int) -> None:
        seat = replace(state.seats[event.seat], status=status)
        state.seats = {**state.seats, event.seat: seat}

    return change


def _seat_left(state: TableState, event: ev.SeatLeft, number: int, at: int) -> None:
    state.spots = _spots_of_others(state, event.seat)
    state.seats = _without(state.seats, event.seat)
    state.ready -= {event.seat}


def _shoe_committed(state: TableState, event: ev.ShoeCommitted, number: int, at: int) -> None:
    """Check the shoe's record; the caller has already set it, including the secret salt."""
    shoe = state.next_shoe
    assert shoe is not None, "a shoe was committed without a record"
    assert shoe.commitment.hex() == event.commitment, "a different shoe was committed"
    state.cuts = {}


def _cut_committed(state: TableState, event: ev.CutCommitted, number: int, at: int) -> None:
    person = state.seats[event.seat].person
    cut = Cut(event.seat, person, bytes.fromhex(event.commitment))
    state.cuts = _in_order({**state.cuts, event.seat: cut})


def _cut_opened(state: TableState, event: ev.CutOpened, number: int, at: int) -> None:
    cut = replace(state.cuts[event.seat], value=bytes.fromhex(event.value))
    state.cuts = {**state.cuts, event.seat: cut}


def _shoe_cut(state: TableState, event: ev.ShoeCut, number: int, at: int) -> None:
    """Put the shoe in play; the caller sets the cards, because only it has the house key."""
    assert state.next_shoe is not None, "a shoe was cut before it was committed"
    cuts = tuple(state.cuts[seat] for seat in sorted(state.cuts))
    state.in_play = replace(state.next_shoe, mix=bytes.fromhex(event.mix), cuts=cuts)
    state.next_shoe = None
    state.position = SHOE_START
    state.barred |= {state.cuts[seat].person for seat in event.withheld}
    _clear_ask(state)


def _shoe_revealed(state: TableState, event: ev.ShoeRevealed, number: int, at: int) -> None:
    assert state.in_play is not None, "a shoe that isn't in play was revealed"
    ended = EndedShoe(
        state.in_play, bytes.fromhex(event.seed), state.head.version + 1, state.position
    )
    state.ended_shoes += (ended,)
    state.in_play = None
    state.live = None
    state.position = SHOE_START


def _shoe_lost(state: TableState, event: ev.ShoeLost, number: int, at: int) -> None:
    """End a shoe without revealing it, whether it is in play or only committed."""
    shoe, position = state.in_play, state.position
    if shoe is None or shoe.number != event.shoe:
        assert state.next_shoe is not None, "a shoe that doesn't exist was lost"
        cuts = tuple(state.cuts[seat] for seat in sorted(state.cuts))
        shoe, position = replace(state.next_shoe, cuts=cuts), SHOE_START
        state.next_shoe = None
        state.cuts = {}
        if state.ask is not None and state.round is None:
            _clear_ask(state)  # the shoe was being cut
    else:
        state.in_play = None
        state.live = None
    state.ended_shoes += (EndedShoe(shoe, None, state.head.version + 1, position),)
    state.lost = state.in_play is not None or state.next_shoe is not None


def _round_opened(state: TableState, event: ev.RoundOpened, number: int, at: int) -> None:
    meters = meters_at(state.rules, event)
    state.round = RoundState(state.rules, meters, supervised=event.supervised)
    state.opened = RoundSpan(event.number, event.shoe, state.head.version + 1)
    state.rounds = event.number
    state.chips = Chips()
    if state.live is not None:
        state.live.begin_round()
        state.position = state.live.position


def _ask_raised(state: TableState, event: ev.AskRaised, number: int, at: int) -> None:
    state.ask = Ask(number, event.kind, event.spots, event.hand)
    state.ready = frozenset()
    # The wager clock doesn't start until someone has placed a wager.
    is_running = event.kind is not AskKind.WAGERS
    state.deadline = at + state.clocks.of(event.kind) if is_running else None


def _time_ran_out(state: TableState, event: ev.TimeRanOut, number: int, at: int) -> None:
    state.ready = frozenset(state.seats)
    state.deadline = None


def _clocks_restarted(state: TableState, event: ev.ClocksRestarted, number: int, at: int) -> None:
    _restart_clock(state, at)


def _round_closed(state: TableState, event: ev.RoundClosed, number: int, at: int) -> None:
    assert state.opened is not None, "a round that isn't open was closed"
    outcome = RoundOutcome.VOID if state.open_round.stage is Stage.VOID else RoundOutcome.CLOSED
    ended = replace(state.opened, last_version=state.head.version + 1, outcome=outcome)
    state.ended_rounds += (ended,)
    if state.live is not None:
        state.position = state.live.position
    state.round = None
    state.opened = None
    state.chips = Chips()
    _clear_ask(state)


def _clear_ask(state: TableState) -> None:
    state.ask = None
    state.deadline = None
    state.ready = frozenset()


def _restart_clock(state: TableState, at: int) -> None:
    ask = state.ask
    if ask is None:
        return
    waits_for_first = ask.kind is AskKind.WAGERS and not (state.round and state.round.order)
    state.deadline = None if waits_for_first else at + state.clocks.of(ask.kind)


def _jackpot_linked(state: TableState, event: ev.JackpotLinked, number: int, at: int) -> None:
    link = Link(event.jackpot, event.reserve_rate)
    state.links = _in_order({**state.links, event.game: link})
    start_meter(state, event.game)


def start_meter(state: TableState, game: int) -> None:
    """Drop the open round's fraction of a cent, because it belongs to an earlier link."""
    if state.round is not None:
        state.round.meters[game - 1].remainder = 0


def _jackpot_unlinked(state: TableState, event: ev.JackpotUnlinked, number: int, at: int) -> None:
    state.links = _without(state.links, event.game)


def _reserve_raised(state: TableState, event: ev.ReserveRaised, number: int, at: int) -> None:
    link = replace(state.links[event.game], reserve_remainder=event.remainder)
    state.links = {**state.links, event.game: link}


def _wagers_placed(
    state: TableState, event: round_events.WagersPlaced, number: int, at: int
) -> None:
    """Start the clock on the first wager; a seat that changes its wagers is no longer ready."""
    if state.deadline is None:
        state.deadline = at + state.clocks.wagers
    state.ready -= {state.spots.get(event.spot, 0)}


def _wagers_withdrawn(
    state: TableState, event: round_events.WagersWithdrawn, number: int, at: int
) -> None:
    if state.round is not None and not state.round.order:
        state.deadline = None


def _decided(state: TableState, event: round_events.Event, number: int, at: int) -> None:
    """Clear an answered decision prompt; each decision gets its own, even for the same hand."""
    if state.ask is not None and state.ask.kind is AskKind.DECISION:
        _clear_ask(state)


def _hand_removed(state: TableState, event: round_events.HandRemoved, number: int, at: int) -> None:
    """Clear the prompt for a hand settled at once; standing on a soft 21 records no other event."""
    ask = state.ask
    if ask is not None and ask.spots == (event.spot,) and ask.hand == event.hand:
        _decided(state, event, number, at)


def _supervised(state: TableState, event: round_events.Event, number: int, at: int) -> None:
    """Clear the answered prompt: the next one for a supervisor is a new prompt."""
    _clear_ask(state)


def _award_held(state: TableState, event: AwardHeld, number: int, at: int) -> None:
    state.held_awards = {**state.held_awards, number: event}


def _award_hand_paid(state: TableState, event: ev.AwardHandPaid, number: int, at: int) -> None:
    state.held_awards = _without(state.held_awards, event.award)


def _alarm_raised(state: TableState, event: ev.AlarmRaised, number: int, at: int) -> None:
    state.alarms = {**state.alarms, number: event}


def _alarm_acknowledged(
    state: TableState, event: ev.AlarmAcknowledged, number: int, at: int
) -> None:
    state.alarms = _without(state.alarms, event.alarm)


def _meter_raised(state: TableState, event: round_events.MeterRaised, number: int, at: int) -> None:
    link = state.links.get(event.game)
    if link is not None:
        link = replace(link, remainder=event.remainder)
        state.links = {**state.links, event.game: link}


def _step_inspected(state: TableState, event: StepEvent, number: int, at: int) -> None:
    assert state.inspection is not None, "the table needs no inspection"
    state.inspection = state.inspection.after(event, at)


_TABLE_CHANGES: dict[type[TableEvent], Change] = {
    **dict.fromkeys(ev.OwnEvent.__args__, _no_change),
    ev.TableOpened: _table_opened,
    ev.TableClosing: _table_closing,
    ev.TableClosed: _table_closed,
    ev.TableFaulted: _table_faulted,
    ev.TableResumed: _table_resumed,
    ev.SeatTaken: _seat_taken,
    ev.SpotsChosen: _spots_chosen,
    ev.SeatReady: _seat_ready,
    ev.SeatAway: _seat_becomes(SeatStatus.AWAY),
    ev.SeatBack: _seat_becomes(SeatStatus.HERE),
    ev.SeatLeaving: _seat_becomes(SeatStatus.LEAVING),
    ev.SeatLeft: _seat_left,
    ev.ShoeCommitted: _shoe_committed,
    ev.CutCommitted: _cut_committed,
    ev.CutOpened: _cut_opened,
    ev.ShoeCut: _shoe_cut,
    ev.ShoeRevealed: _shoe_revealed,
    ev.ShoeLost: _shoe_lost,
    ev.RoundOpened: _round_opened,
    ev.AskRaised: _ask_raised,
    ev.TimeRanOut: _time_ran_out,
    ev.ClocksRestarted: _clocks_restarted,
    ev.RoundClosed: _round_closed,
    ev.JackpotLinked: _jackpot_linked,
    ev.JackpotUnlinked: _jackpot_unlinked,
    ev.ReserveRaised: _reserve_raised,
    ev.DeckInspected: _step_inspected,
    ev.DecksShuffled: _step_inspected,
    ev.CardsBoxed: _step_inspected,
    ev.AwardHeld: _award_held,
    ev.AwardHandPaid: _award_hand_paid,
    ev.AlarmRaised: _alarm_raised,
    ev.AlarmAcknowledged: _alarm_acknowledged,
}
_ROUND_CHANGES: dict[type[TableEvent], Change] = {
    round_events.WagersPlaced: _wagers_placed,
    round_events.WagersWithdrawn: _wagers_withdrawn,
    round_events.MeterRaised: _meter_raised,
    round_events.HandStood: _decided,
    round_events.HandHit: _decided,
    round_events.HandDoubled: _decided,
    round_events.HandSplit: _decided,
    round_events.HandSurrendered: _decided,
    round_events.HandRescued: _decided,
    round_events.HandRemoved: _hand_removed,
    round_events.SupervisorAnswered: _supervised,
    round_events.PaymentsAuthorized: _supervised,
}


def meters_at(rules: Rules, opening: ev.RoundOpened) -> list[tuple[int, int]]:
    """Meter readings in cents when a round opens, with the table's fractions of a cent."""
    return [
        (opening.meters.get(game, jackpot.seed), opening.remainders.get(game, 0))
        for game, jackpot in enumerate(rules.jackpots, start=1)
    ]


def remainders_of(state: TableState) -> Stakes[int]:
    return Stakes({game: link.remainder for game, link in state.links.items()})
