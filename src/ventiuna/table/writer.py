"""A process's only writer: requests, locks, and transactions that commit commands together.

Commands that arrive together share a transaction. Each runs on a copy of its table. A refused
command leaves no trace. A successful one replaces the cached state after the commit, and nothing is
announced before that. Dropping the cache is safe at any time.

Locks are always taken in the order of `journal.Lock`, and only if a command needs them: playing a
round moves only its own table's chips. A command that needs jackpots runs by itself, and the
jackpots' entries are written together with the table's. Clocks are injected, so a test can supply
its own.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol, TypeGuard, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.events import ENGINE, Stakes
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import FaultTable, TableCommand, command_text, event_texts
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.domain.flow import (
    CommandRun,
    Environment,
    NeedsMeters,
    PastSpot,
    ReadMeters,
    ShoeFactory,
)
from ventiuna.table.domain.handlers import ANSWERS, SERVICE, Actor, handle
from ventiuna.table.domain.state import SeatStatus, TableState, TableStatus
from ventiuna.table.duties import RESTRICTED, check_may_play, check_separation
from ventiuna.table.jackpots.decisions import decide
from ventiuna.table.jackpots.progressive import (
    LinkTable,
    MeterSnapshot,
    UnlinkTable,
    displayed_amount,
    settings_of,
)
from ventiuna.table.jackpots.repository import (
    JackpotEntry,
    award_entry,
    entry_of,
    lock_jackpots,
    sent_by_table,
    write_jackpot,
)
from ventiuna.table.journal import (
    JournalConflict,
    KnownCommand,
    PostingRef,
    account_numbers,
    append,
    key_reused,
    known_commands,
    lock_accounts,
    lock_books,
    posting_refs,
    seal_books,
)
from ventiuna.table.ledger import (
    LARGEST_INTEGER,
    LONGEST_KEY,
    Canonical,
    Entry,
    EntryRequest,
    JournalHead,
    Posting,
    hash_of_request,
)
from ventiuna.table.read_model import (
    Projected,
    load_table,
    past_spot,
    project,
    project_after,
    write_changes,
)
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import jackpot, seat
from ventiuna.table.store.statements import (
    DATABASE_ERRORS,
    DatabaseError,
    Values,
    find_rows,
    is_unavailable,
    unavailable_reason,
    update_rows,
)

_DATABASE_NOW = text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since 1970; never goes backward."""

    def pause(self, milliseconds: int) -> None:
        """Wait for other transactions to finish."""


class SystemClock:
    """Set from the wall clock at startup, monotonic after that."""

    def __init__(self) -> None:
        self._start = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        return (self._start + time.monotonic_ns()) // 1_000_000

    def pause(self, milliseconds: int) -> None:
        time.sleep(milliseconds / 1000 * random.uniform(0.5, 1.5))


class AnchoredClock(SystemClock):
    """Follows the database clock, which all of a house's processes share."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._last = 0
        self.anchor(store)

    def anchor(self, store: Store) -> None:
        before = time.monotonic_ns()
        with store.read() as connection:
            there = int(connection.scalar(_DATABASE_NOW) or 0)
            after = time.monotonic_ns()
        self._start = there * 1_000_000 - (before + after) // 2

    def now(self) -> int:
        self._last = max(self._last, super().now())
        return self._last


NO_SUCH_TABLE = "There is no such table."


@dataclass(frozen=True, slots=True)
class CommandRequest:
    table: int
    actor: Actor
    key: str  # chosen by the sender; an actor can never reuse a key
    command: TableCommand
    ask: int | None = None
    client: int | None = None  # the seat's connection that sent the request
    sent: int | None = None

    def content(self, command: Canonical | None = None) -> bytes:
        """Hash that distinguishes a retry from a different command with the same key.

        `command` is the canonical JSON if the command is already encoded.
        """
        text = command or command_text(self.command)
        ask = "null" if self.ask is None else self.ask
        return hash_of_request(Canonical(f"[{self.table},{ask},{text}]"))


@dataclass(frozen=True, slots=True)
class Done:
    """A committed command; `n` is the number of its last event."""

    table: int
    key: str
    version: int
    n: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rejected command; nothing has changed."""

    table: int
    key: str
    code: RefusalCode
    reason: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """The database is unreachable. Resend the command to find out whether it was committed."""

    table: int
    key: str
    reason: str


CommandOutcome = Done | Refusal | Unknown


class OutcomeUnknown(VentiunaError):
    """It isn't known yet whether the command was applied."""


def require_done(outcome: CommandOutcome) -> Done:
    """Return the outcome of a command that must succeed; raises `Refused` or `OutcomeUnknown`."""
    if isinstance(outcome, Refusal):
        raise Refused(outcome.code, outcome.rules, outcome.reason)
    if isinstance(outcome, Unknown):
        raise OutcomeUnknown(outcome.reason)
    return outcome


class TableUpdate(NamedTuple):
    """The events of a committed command, and the table before and after it."""

    table: int
    version: int
    first_event: int
    at: int
    events: tuple[TableEvent, ...]
    before: TableState
    state: TableState


def refusal_of(request: CommandRequest, error: Refused) -> Refusal:
    return Refusal(request.table, request.key, error.code, error.message, error.rules)


def check_request(request: CommandRequest) -> Refusal | None:
    """Refuse a request with values that can't be looked up in the database."""
    try:
        check_key(request.key)
        if not 0 < request.table <= LARGEST_INTEGER:
            raise Refused(RefusalCode.NO_SUCH_TABLE, (), NO_SUCH_TABLE)
    except Refused as error:
        return refusal_of(request, error)
    return None


def check_key(key: str) -> None:
    if not 0 < len(key) <= LONGEST_KEY or not key.isprintable():
        raise Refused(
            RefusalCode.BAD_COMMAND,
            (),
            f"A key must have 1 to {LONGEST_KEY} printable characters and be new for each command.",
        )


AccountNumbers = Callable[[Collection[str]], dict[str, int]]  # account numbers by code
TableStates = Mapping[int, TableState]

# Commands that don't change any wallet, unless someone is about to leave.
_TABLE_LOCAL = ANSWERS | {do.TimeUp}


class SeatPresence(NamedTuple):
    """The client playing a seat, or the time until which a seat without a client is reserved."""

    client: int
    hold_until: int | None


class LockedAccounts:
    def __init__(self, connection: Connection, numbers: AccountNumbers) -> None:
        self._connection = connection
        self._numbers = numbers
        self.wallets: dict[str, int] = {}  # cents by person
        self.presence: dict[tuple[int, int], SeatPresence] = {}  # by table and seat
        self.suspended: frozenset[int] = frozenset()  # jackpots
        self.past: PastSpot | None = None  # the payment that the command corrects

    def take(self, requests: Sequence[CommandRequest], states: TableStates) -> None:
        """Lock the wallets; in the lock order, they come right after the tables' books."""
        self._lock_wallets(requests, states)
        self._read_presence(requests)
        self._read_suspended(requests, states)

    def move(self, postings: Sequence[Posting]) -> None:
        """Update the wallets for this transaction's next command."""
        for line in postings:
            for code, sign in ((line.from_account, -1), (line.to_account, 1)):
                kind, _, person = code.partition("/")
                if kind == "wallet" and person in self.wallets:
                    self.wallets[person] += sign * line.amount

    def holds(self, table: int) -> dict[int, int]:
        """Deadline for each of the table's seats without a client."""
        return {
            number: presence.hold_until
            for (of_table, number), presence in self.presence.items()
            if of_table == table and presence.hold_until is not None
        }

    def _lock_wallets(self, requests: Sequence[CommandRequest], states: TableStates) -> None:
        others = [request for request in requests if type(request.command) not in _TABLE_LOCAL]
        leaving = [
            number
            for number, state in states.items()
            if state.status is TableStatus.CLOSING
            or [item for item in state.seats.values() if item.status is SeatStatus.LEAVING]
        ]
        if not others and not leaving:
            return
        moving = {request.table for request in others}.union(leaving)
        persons = {
            request.actor.person
            for request in others
            if isinstance(request.command, do.SeatCommand) and request.actor.person
        }
        for number in moving & states.keys():
            persons |= {one.person for one in states[number].seats.values()}
            persons |= {award.person for award in states[number].held_awards.values()}
        for request in others:
            if isinstance(request.command, do.CorrectRound):  # runs alone
                number, spot = request.command.round_number, request.command.spot
                self.past = past_spot(self._connection, request.table, number, spot)
                persons |= {self.past.person} if self.past and self.past.person else set()
        codes = [f"wallet/{person}" for person in sorted(persons)] + ["house"]
        numbers = self._numbers(codes)
        balances = lock_accounts(self._connection, numbers.values())
        self.wallets = {person: balances[numbers[f"wallet/{person}"]] for person in persons}

    def _read_presence(self, requests: Sequence[CommandRequest]) -> None:
        tables = {
            request.table
            for request in requests
            if request.client is not None or isinstance(request.command, do.SeatTimeUp)
        }
        if not tables:
            return
        columns = ("table_id", "number", "client", "hold_until")
        keys: list[Values] = [(number,) for number in sorted(tables)]
        for table, number, client, hold in find_rows(
            self._connection, seat, columns, ("table_id",), keys
        ):
            self.presence[table, number] = SeatPresence(client, hold)

    def _read_suspended(self, requests: Sequence[CommandRequest], states: TableStates) -> None:
        """Read the suspended jackpots, but only if someone bets on one."""
        wagering = {
            request.table
            for request in requests
            if isinstance(request.command, PlaceWagers) and request.command.jackpots
        }
        if not wagering:
            return
        linked = {
            link.jackpot
            for table in wagering & states.keys()
            for link in states[table].links.values()
        }
        keys: list[Values] = [(number,) for number in sorted(linked)]
        rows = find_rows(self._connection, jackpot, ("id", "state"), ("id",), keys)
        self.suspended = frozenset(row.id for row in rows if row.state != "open")


LINK_COMMANDS = (do.LinkJackpot, do.UnlinkJackpot)
_LINK_EVENTS = (ev.JackpotLinked, ev.JackpotUnlinked)


class LockedJackpots:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._readings: dict[int, MeterSnapshot] = {}
        self._written: list[JackpotEntry] = []
        # All postings if they aren't in entry order; otherwise None.
        self.lines: list[PostingRef] | None = None

    @property
    def reserve_rates(self) -> dict[int, int]:
        return {number: reading.jackpot.reserve_rate for number, reading in self._readings.items()}

    def meters_of(self, state: TableState) -> ReadMeters:
        """Return the function that reads the meters for a command's awards at this table."""

        def read(jackpots: Mapping[int, int], added: Mapping[int, int]) -> Stakes[int]:
            # The table's stripes for its other jackpots are locked too, in order.
            stripes = [
                f"{kind}/{link.jackpot}/{state.number}"
                for link in state.links.values()
                for kind in ("meter", "reserve")
            ]
            numbers = sorted(set(jackpots.values()))
            self._readings = lock_jackpots(self._connection, numbers, stripes)
            return Stakes(
                {
                    game: displayed_amount(self._readings[number], added.get(game, 0))
                    for game, number in jackpots.items()
                }
            )

        return read

    def hold(self, state: TableState, command: do.LinkJackpot | do.UnlinkJackpot) -> None:
        """Lock the jackpot that is linked or unlinked."""
        if isinstance(command, do.LinkJackpot):
            number = command.jackpot
            keys: list[Values] = [(number,)] if 0 < number <= LARGEST_INTEGER else []
            if not find_rows(self._connection, jackpot, ("id",), ("id",), keys):
                raise Refused(RefusalCode.NO_SUCH_JACKPOT, (), f"There is no jackpot {number}.")
            self._readings = lock_jackpots(self._connection, [number])
        elif command.game in state.links:
            self._readings = lock_jackpots(self._connection, [state.links[command.game].jackpot])

    def entries_beside(self, run: CommandRun, entry: Entry) -> list[Entry]:
        """Entries in the jackpots' books that accompany the table's entry."""
        written = [*self._awarded(run, entry), *self._linked(run, entry)]
        self._written += written
        return [item.entry for item in written]

    def _awarded(self, run: CommandRun, entry: Entry) -> list[JackpotEntry]:
        """Jackpot entries for awards; their postings go in among those of the table's entry."""
        awards = run.awards
        if awards is None:
            return []
        entries = [
            award_entry(self._readings[number], awards.layout, game, run.events, entry)
            for game, number in awards.layout.jackpots.items()
            if number in self._readings
        ]
        lines = posting_refs(entry)
        self.lines = [
            *lines[: awards.postings_before],
            *(line for written in entries for line in posting_refs(written.entry)),
            *lines[awards.postings_before :],
        ]
        return entries

    def _linked(self, run: CommandRun, entry: Entry) -> list[JackpotEntry]:
        """Jackpot entries for links: a link is recorded in both books."""
        entries = []
        for event in run.events:
            if isinstance(event, _LINK_EVENTS):
                reading = self._readings[event.jackpot]
                command = link_command(run.state, event, entry)
                sender = sent_by_table(run.state.number, entry.version, event.jackpot, entry.at)
                entries.append(entry_of(reading, command, decide(reading, command), sender))
        return entries

    def write_rows(self) -> None:
        for written in self._written:
            write_jackpot(self._connection, written.jackpot, written.before)


def link_command(
    state: TableState, event: ev.JackpotLinked | ev.JackpotUnlinked, entry: Entry
) -> LinkTable | UnlinkTable:
    """The jackpot book's matching command, with the reason from the table's entry."""
    reason = str(json.loads(entry.command)["reason"])
    if isinstance(event, ev.JackpotUnlinked):
        return UnlinkTable(state.number, reason)
    settings = settings_of(state.rules, event.game).hash.hex()
    return LinkTable(state.number, event.game, settings, reason)


OLDEST_COMMAND = 30_000  # maximum milliseconds in transit, for commands that don't name a prompt

# Errors that indicate a bug: this table stops, and the others continue.
FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    VentiunaError,
)


class Retry(Enum):
    """The command can't run in this transaction."""

    NEXT = "next"  # run after the previous commands are committed
    EXCLUSIVE = "exclusive"  # run by itself, with the jackpots locked


@dataclass(frozen=True, slots=True)
class Fault:
    """The command failed because of a bug; its table must stop."""

    request: CommandRequest
    error: BaseException


CommandResult = CommandOutcome | Retry | Fault


@dataclass(slots=True)
class CachedTable:
    """A table's last committed state."""

    state: TableState
    projected: Projected


@dataclass(slots=True)
class HouseContext:
    """State shared by all of a process's transactions."""

    name: str  # the id of the house
    shoes: ShoeFactory
    tables: dict[int, CachedTable] = field(default_factory=dict)
    accounts: dict[str, int] = field(default_factory=dict)  # account numbers, which never change
    rules: dict[str, Rules] = field(default_factory=dict)  # by their serialized data
    shown: dict[int, int] = field(default_factory=dict)  # last known display by jackpot


class Transaction:
    def __init__(self, connection: Connection, house: HouseContext, clock: Clock) -> None:
        self.connection = connection
        self.house = house
        self.clock = clock
        self.at = 0
        self.updates: list[TableUpdate] = []
        self.states: dict[int, TableState] = {}  # states after this transaction
        self.accounts: dict[str, int] = {}  # account numbers looked up during this transaction
        self._before: dict[int, Projected] = {}
        self._after: dict[int, Projected] = {}
        self._entries: list[Entry] = []
        self._known: dict[tuple[str, str], KnownCommand] = {}
        self._locked = LockedAccounts(connection, self._numbers)
        self._waiting: set[int] = set()  # tables whose remaining commands run later
        self._holds: list[Values] = []
        self._alone = False
        self._jackpots = LockedJackpots(connection)

    def run(self, requests: Sequence[CommandRequest], *, alone: bool) -> list[CommandResult]:
        """Run the commands and write the results; the caller commits."""
        self._alone = alone
        refused = [check_request(request) for request in requests]
        self._lock(
            [request for request, refusal in zip(requests, refused, strict=True) if not refusal]
        )
        results = [
            refusal or self._one(request)
            for request, refusal in zip(requests, refused, strict=True)
        ]
        self._write()
        return results

    def _lock(self, requests: Sequence[CommandRequest]) -> None:
        tables = {request.table for request in requests}
        heads = lock_books(self.connection, tables)
        # read after locking, so it is later than any time written before
        self.at = self.clock.now()
        for number, head in heads.items():
            self._take(number, head)
        pairs = [(request.actor.name, request.key) for request in requests]
        self._known = known_commands(self.connection, pairs)
        self._locked.take(requests, self.states)

    def _take(self, number: int, head: JournalHead) -> None:
        """Use the cached table, or reload it if its book has changed."""
        cached = self.house.tables.get(number)
        if cached is None or cached.state.head != head:
            house = self.house
            state = load_table(self.connection, house.name, head, house.shoes, house.rules)
            if state is None:  # a jackpot's book or the cashier's
                return
            cached = CachedTable(state, project(state))
        self.states[number] = cached.state
        self._before[number] = cached.projected

    def _numbers(self, codes: Collection[str]) -> dict[str, int]:
        unknown = [
            code for code in codes if code not in self.house.accounts and code not in self.accounts
        ]
        if unknown:
            self.accounts |= account_numbers(self.connection, unknown)
        return {code: self.house.accounts.get(code) or self.accounts[code] for code in codes}

    def _one(self, request: CommandRequest) -> CommandResult:
        if request.table in self._waiting:
            return Retry.NEXT
        try:
            if known := self._known.get((request.actor.name, request.key)):
                return _known_outcome(request, known)
            self._check(request)
            return self._carry_out(request)
        except NeedsMeters:
            self._waiting.add(request.table)
            return Retry.EXCLUSIVE
        except Refused as error:
            return refusal_of(request, error)
        except FAULTS as error:
            self._waiting.add(request.table)
            return Fault(request, error)

    def _check(self, request: CommandRequest) -> None:
        if request.table not in self.states:
            raise Refused(RefusalCode.NO_SUCH_TABLE, (), NO_SUCH_TABLE)
        names_ask = type(request.command) in ANSWERS
        age = 0 if request.sent is None or names_ask else abs(self.at - request.sent)
        if age > OLDEST_COMMAND:
            raise Refused(
                RefusalCode.TOO_OLD, (), "The command took too long to arrive. Send it again."
            )

    def _check_client(self, request: CommandRequest) -> None:
        """Refuse commands from any client except the seat's active one, the last to say hello."""
        own = self.states[request.table].seat_of(request.actor.person)
        if request.client is None or own is None:
            return
        presence = self._locked.presence.get((request.table, own.number))
        if presence is not None and presence.client != request.client:
            raise Refused(
                RefusalCode.OTHER_CLIENT, (), "Your seat is now being played from another window."
            )

    def _carry_out(self, request: CommandRequest) -> CommandOutcome:
        self._check_client(request)
        before = self.states[request.table]
        if request.actor.person and isinstance(request.command, RESTRICTED):
            check_may_play(
                self.connection,
                int(request.actor.person),
                request.command,
                self.at,
                pending=self._entries,
                replaced=_replaced(before, request.command),
            )
        if request.actor.person:
            check_separation(
                self.connection,
                request.actor,
                request.key,
                request.table,
                request.command,
                is_seated=before.seat_of(request.actor.person) is not None,
            )
        state = before.copy()
        if isinstance(request.command, do.CorrectRound) and not self._alone:
            raise NeedsMeters(())  # the round's entries must be in the database
        if isinstance(request.command, LINK_COMMANDS):
            if not self._alone:
                raise NeedsMeters((request.command.game,))
            self._jackpots.hold(state, request.command)
        around = Environment(
            at=self.at,
            shoes=self.house.shoes,
            wallets=self._locked.wallets,
            holds=self._locked.holds(state.number),
            suspended=self._locked.suspended,
            reserve_rates=self._jackpots.reserve_rates,
            shown=self.house.shown,
            read_meters=self._jackpots.meters_of(state) if self._alone else None,
            past=self._locked.past,
        )
        run = CommandRun(state, around)
        handle(run, request.actor, request.command, request.ask)
        entry, state.head = state.head.next_entry(self._entry(request, run))
        of_jackpots = self._jackpots.entries_beside(run, entry)
        # Nothing is refused from here on.
        self._entries += [entry, *of_jackpots]
        self._known[entry.actor, entry.key] = KnownCommand(
            entry.book, entry.version, entry.first_event, entry.events, entry.request
        )
        self.states[request.table] = state
        self._locked.move(run.postings)
        self._hold(run)
        if run.rows_first:
            self._waiting.add(request.table)
        self.updates.append(
            TableUpdate(
                state.number,
                entry.version,
                entry.first_event,
                self.at,
                tuple(run.events),
                before,
                state,
            )
        )
        return Done(request.table, request.key, entry.version, state.head.events)

    def _entry(self, request: CommandRequest, run: CommandRun) -> EntryRequest:
        command = command_text(request.command)
        return EntryRequest(
            actor=request.actor.name,
            key=request.key,
            at=self.at,
            request=request.content(command),
            command=command,
            events=event_texts(run.events),
            engine=ENGINE,
            postings=tuple(run.postings),
        )

    def _hold(self, run: CommandRun) -> None:
        """Set the time when an absent seat is cashed out."""
        until = self.at + run.state.clocks.leave
        table = run.state.number
        for event in run.events:
            if isinstance(event, ev.SeatAway):
                client = self._locked.presence[table, event.seat].client
                self._holds.append((table, event.seat, client, until))

    def _write(self) -> None:
        if not self._entries:
            return
        accounts = self._lock_stripes()
        written = sorted({entry.book for entry in self._entries} & self.states.keys())
        heads = {number: self.states[number].head for number in written}
        append(self.connection, self._entries, accounts, self._jackpots.lines, heads)
        self._jackpots.write_rows()
        self._after = {
            number: project_after(self._before[number], self.states[number]) for number in written
        }
        write_changes(
            self.connection,
            [(self._before[number], after) for number, after in self._after.items()],
        )
        # The client is matched too, in case a new one has connected in the meantime.
        matched = ("table_id", "number", "client")
        update_rows(self.connection, seat, matched, ("hold_until",), self._holds)

    def _lock_stripes(self) -> dict[str, int]:
        """Lock the meter accounts, and return the account numbers for all postings."""
        lines = [line for entry in self._entries for line in entry.postings]
        if not lines:
            return {}
        codes = {line.from_account for line in lines} | {line.to_account for line in lines}
        numbers = self._numbers(codes)
        stripes = [numbers[code] for code in codes if code.startswith(("meter/", "reserve/"))]
        lock_accounts(self.connection, stripes)
        return numbers

    def keep(self) -> None:
        """Update the process's caches after the commit."""
        self.house.accounts |= self.accounts
        for number, state in self.states.items():
            projected = self._after.get(number) or self._before[number]
            if state.ended_rounds or state.ended_shoes:
                state.ended_rounds = ()
                state.ended_shoes = ()
                projected = project_after(projected, state)
            self.house.tables[number] = CachedTable(state, projected)


def _replaced(state: TableState, command: TableCommand) -> int:
    """The sum of the wagers on the spot where new ones are placed."""
    return sum(state.chips.stakes_on(command.spot)) if isinstance(command, PlaceWagers) else 0


def _known_outcome(request: CommandRequest, known: KnownCommand) -> CommandOutcome:
    """Answer a retry like the first attempt; refuse the key if it was used for another command."""
    if known.request != request.content():
        raise key_reused()
    last = known.first_event + len(json.loads(known.events)) - 1
    return Done(known.book, request.key, known.version, last)


MAX_BATCH = 64  # commands per transaction
ATTEMPTS = 5
RETRY_PAUSE = 10  # milliseconds, multiplied by the attempt number
UNKNOWN = "Your command may or may not have been applied. Send it again in a moment."
FAULT_REASON = "internal error; see the server log"

T = TypeVar("T")
RetryableError = DatabaseError | JournalConflict
RETRYABLE_ERRORS = (*DATABASE_ERRORS, JournalConflict)
IndexedRequest = tuple[int, CommandRequest]


@dataclass(slots=True)
class BatchResult:
    """The commands' outcomes in order, updates to publish, and faults."""

    outcomes: list[CommandOutcome]
    updates: list[TableUpdate]
    faults: list[Fault]


def _is_temporary(error: BaseException) -> TypeGuard[RetryableError]:
    return isinstance(error, JournalConflict) or (
        isinstance(error, DATABASE_ERRORS) and is_unavailable(error)
    )


class Writer:
    """Runs commands on a single thread, without queues or sockets."""

    def __init__(self, store: Store, house: HouseContext, clock: Clock) -> None:
        self._store = store
        self._house = house
        self._clock = clock
        self.retries: Counter[str] = Counter()

    def step(self, requests: Sequence[CommandRequest]) -> BatchResult:
        """Run these commands in as few transactions as possible."""
        outcomes: dict[int, CommandOutcome] = {}
        step = BatchResult([], [], [])
        remaining: list[IndexedRequest] = list(enumerate(requests))
        while remaining:
            together, remaining = remaining[:MAX_BATCH], remaining[MAX_BATCH:]
            later: list[IndexedRequest] = []
            for (place, request), result in zip(
                together, self._results([request for _, request in together], step), strict=True
            ):
                if result is Retry.EXCLUSIVE:
                    result = self._results([request], step, alone=True)[0]
                if isinstance(result, Retry):
                    later.append((place, request))
                else:
                    outcomes[place] = self._outcome(result, step)
            remaining = later + remaining
        step.outcomes = [outcomes[place] for place in range(len(requests))]
        return step

    def run(self, job: Callable[[Connection], T]) -> T:
        """Run a transaction, retrying on contention."""

        def transact() -> T:
            with self._store.write() as connection:
                return job(connection)

        return self._retried(transact)

    def _retried(self, work: Callable[[], T]) -> T:
        """Retry work that others are blocking, waiting longer each time; raise the last error."""
        for attempt in range(1, ATTEMPTS):
            try:
                return work()
            except RETRYABLE_ERRORS as error:
                if not _is_temporary(error):
                    raise
                reason = type(error.orig if isinstance(error, DBAPIError) else error).__name__
                self.retries[reason] += 1
                self._clock.pause(RETRY_PAUSE * attempt)
        return work()

    def seal(self) -> None:
        """Seal the books, unless another process is doing so at the same moment."""
        with suppress(IntegrityError):
            self.run(lambda connection: seal_books(connection, self._clock.now()))

    def table(self, number: int) -> TableState | None:
        """Return the cached table, if any."""
        cached = self._house.tables.get(number)
        return cached.state if cached else None

    def forget(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._house.tables.pop(number, None)

    def _results(
        self,
        requests: Sequence[CommandRequest],
        step: BatchResult,
        *,
        alone: bool = False,
        again: bool = False,
    ) -> list[CommandResult]:
        """Run the requests together, retrying on contention.

        If one of them breaks the transaction, run each by itself with `again` set.
        """
        try:
            return self._retried(lambda: self._transact(requests, step, alone=alone))
        except (*RETRYABLE_ERRORS, *FAULTS) as error:
            if not _is_temporary(error):
                return self._each(requests, step, error, alone=alone, again=again)
            reason = (
                UNKNOWN
                if isinstance(error, JournalConflict)
                else f"{unavailable_reason(error)} {UNKNOWN}"
            )
            return [Unknown(request.table, request.key, reason) for request in requests]

    def _transact(
        self, requests: Sequence[CommandRequest], step: BatchResult, *, alone: bool
    ) -> list[CommandResult]:
        try:
            with self._store.write() as connection:
                transaction = Transaction(connection, self._house, self._clock)
                results = transaction.run(requests, alone=alone)
        except (*RETRYABLE_ERRORS, *FAULTS):
            self.forget(request.table for request in requests)
            raise
        transaction.keep()
        step.updates += transaction.updates
        return results

    def _each(
        self,
        requests: Sequence[CommandRequest],
        step: BatchResult,
        error: BaseException,
        *,
        alone: bool,
        again: bool,
    ) -> list[CommandResult]:
        """Run each command by itself.

        Even a single command is retried, because another process may have used its key in the
        meantime.
        """
        if again:
            return [Fault(request, error) for request in requests]
        return [self._results([request], step, alone=alone, again=True)[0] for request in requests]

    def _outcome(self, result: CommandOutcome | Fault, step: BatchResult) -> CommandOutcome:
        if not isinstance(result, Fault):
            return result
        step.faults.append(result)
        request = result.request
        if not isinstance(request.command, FaultTable):
            key = f"fault/{request.table}/{self._clock.now()}/{len(step.faults)}"
            stop = CommandRequest(request.table, SERVICE, key, FaultTable(FAULT_REASON))
            step.faults += [
                result for result in self._results([stop], step) if isinstance(result, Fault)
            ]
        return Refusal(
            request.table,
            request.key,
            RefusalCode.SERVER_FAULT,
            "The table stopped because of an internal error. Your command was not applied.",
        )
