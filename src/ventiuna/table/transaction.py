"""Commands that share a commit, from the locks to the rows.

Locks are taken in the order of `books.Lock`, as everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from sqlalchemy import Connection

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.commands import PlaceWagers, PlayerCommand
from ventiuna.engine.events import ENGINE
from ventiuna.engine.stakes import Stakes
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules
from ventiuna.table import commands as do
from ventiuna.table import events as ev
from ventiuna.table.books import (
    KnownCommand,
    Line,
    account_numbers,
    append,
    known_commands,
    lines_of,
    lock_accounts,
    lock_books,
)
from ventiuna.table.carrying_out import ANSWERS, carry_out
from ventiuna.table.chain import LARGEST, Entry, Head, Posting
from ventiuna.table.chain import Request as EntryRequest
from ventiuna.table.codec import command_data, event_data
from ventiuna.table.jackpots.commands import LinkTable, UnlinkTable
from ventiuna.table.jackpots.deciding import decide
from ventiuna.table.jackpots.progressive import Reading, shown
from ventiuna.table.jackpots.rows import lock_jackpots, write_jackpot
from ventiuna.table.jackpots.settings import settings_of
from ventiuna.table.jackpots.writing import Written, award_entry, by_table, entry_of
from ventiuna.table.loading import load_table
from ventiuna.table.ports import Clock
from ventiuna.table.projection import TableRows, rows_of, write_changes
from ventiuna.table.requests import (
    NO_SUCH_TABLE,
    Done,
    News,
    Outcome,
    Refusal,
    Request,
    check_request,
    refusal_of,
)
from ventiuna.table.state import SeatStatus, TableState, TableStatus
from ventiuna.table.store.rows import Values, find_rows, update_rows
from ventiuna.table.store.schema import jackpot, seat
from ventiuna.table.turn import Shoes, Surroundings, Turn, WantsMeters

OLDEST_COMMAND = 30_000  # milliseconds on the way, for commands that name no ask

# What a defect looks like: the table stops, and the others go on.
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

# Commands that leave every wallet alone, unless somebody is about to leave.
_TABLE_LOCAL = (PlayerCommand, do.Ready, do.CommitCut, do.OpenCut, do.TimeUp)


_LINKS = (do.LinkJackpot, do.UnlinkJackpot)


class Presence(NamedTuple):
    """Which client plays a seat, or until when the seat is held without one."""

    client: int
    hold_until: int | None


class Later(Enum):
    """Not in this transaction."""

    NEXT = "next"  # after what came before it is committed
    ALONE = "alone"  # by itself, with the jackpots held


@dataclass(frozen=True, slots=True)
class Fault:
    """The command met a defect; its table must stop."""

    request: Request
    error: BaseException


Result = Outcome | Later | Fault


@dataclass(slots=True)
class Cached:
    """A table as it was committed last."""

    state: TableState
    rows: TableRows


@dataclass(slots=True)
class House:
    """What all transactions of a process share."""

    name: str  # the id of the house
    shoes: Shoes
    tables: dict[int, Cached] = field(default_factory=dict)
    accounts: dict[str, int] = field(default_factory=dict)  # numbers, which never change
    rules: dict[str, Rules] = field(default_factory=dict)  # by their data
    shown: dict[int, int] = field(default_factory=dict)  # last known display by jackpot


class Transaction:
    def __init__(self, connection: Connection, house: House, clock: Clock) -> None:
        self.connection = connection
        self.house = house
        self.clock = clock
        self.at = 0
        self.news: list[News] = []
        self.states: dict[int, TableState] = {}  # as they will be
        self.accounts: dict[str, int] = {}  # numbers that were found on the way
        self._before: dict[int, TableRows] = {}
        self._after: dict[int, TableRows] = {}
        self._entries: list[Entry] = []
        self._known: dict[tuple[str, str], KnownCommand] = {}
        self._wallets: dict[str, int] = {}
        self._presence: dict[tuple[int, int], Presence] = {}
        self._suspended: frozenset[int] = frozenset()
        self._waiting: set[int] = set()  # tables whose further commands come later
        self._holds: list[Values] = []
        self._alone = False
        # --- of a command with awards, which is alone ---
        self._readings: dict[int, Reading] = {}
        self._jackpots: list[Written] = []
        self._lines: list[Line] | None = None

    def run(self, requests: Sequence[Request], *, alone: bool) -> list[Result]:
        """Carry out what can be, and write it; the caller commits."""
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

    # --- locks and readings -------------------------------------------------------------------

    def _lock(self, requests: Sequence[Request]) -> None:
        tables = {request.table for request in requests}
        heads = lock_books(self.connection, tables)
        self.at = self.clock.now()  # whoever held a book before has written an earlier time
        for number, head in heads.items():
            self._take(number, head)
        pairs = [(request.actor.name, request.key) for request in requests]
        self._known = known_commands(self.connection, pairs)
        self._lock_wallets(requests)
        self._read_presence(requests)
        self._read_suspended(requests)

    def _take(self, number: int, head: Head) -> None:
        """The table as its book stands; what the process knows of it may be old."""
        cached = self.house.tables.get(number)
        if cached is None or cached.state.head != head:
            house = self.house
            state = load_table(self.connection, house.name, head, house.shoes, house.rules)
            if state is None:  # the book of a jackpot or the cashier
                return
            cached = Cached(state, rows_of(state))
        self.states[number] = cached.state
        self._before[number] = cached.rows

    def _lock_wallets(self, requests: Sequence[Request]) -> None:
        others = [request for request in requests if not isinstance(request.command, _TABLE_LOCAL)]
        moving = {request.table for request in others}
        moving |= {number for number, state in self.states.items() if _somebody_leaves(state)}
        if not moving:
            return
        persons = {
            request.actor.person
            for request in others
            if isinstance(request.command, do.SeatCommand) and request.actor.person
        }
        persons |= {
            seat.person
            for number in moving & self.states.keys()
            for seat in self.states[number].seats.values()
        }
        codes = [f"wallet/{person}" for person in sorted(persons)] + ["house"]
        numbers = self._numbers(codes)
        held = lock_accounts(self.connection, numbers.values())
        self._wallets = {person: held[numbers[f"wallet/{person}"]] for person in persons}

    def _numbers(self, codes: Collection[str]) -> dict[str, int]:
        unknown = [
            code for code in codes if code not in self.house.accounts and code not in self.accounts
        ]
        if unknown:
            self.accounts |= account_numbers(self.connection, unknown)
        return {code: self.house.accounts.get(code) or self.accounts[code] for code in codes}

    def _read_presence(self, requests: Sequence[Request]) -> None:
        tables = {
            request.table
            for request in requests
            if request.client is not None or isinstance(request.command, do.SeatTimeUp)
        }
        columns = ("table_id", "number", "client", "hold_until")
        asked: list[Values] = [(number,) for number in sorted(tables)]
        for table, number, client, hold in find_rows(
            self.connection, seat, columns, ("table_id",), asked
        ):
            self._presence[table, number] = Presence(client, hold)

    def _read_suspended(self, requests: Sequence[Request]) -> None:
        """Only where somebody wagers on a jackpot."""
        wagering = {
            request.table
            for request in requests
            if isinstance(request.command, PlaceWagers) and request.command.jackpots
        }
        linked: list[Values] = [
            (number,)
            for number in sorted(
                {
                    link.jackpot
                    for table in wagering & self.states.keys()
                    for link in self.states[table].links.values()
                }
            )
        ]
        rows = find_rows(self.connection, jackpot, ("id", "state"), ("id",), linked)
        self._suspended = frozenset(row.id for row in rows if row.state != "open")

    # --- one command --------------------------------------------------------------------------

    def _one(self, request: Request) -> Result:
        if request.table in self._waiting:
            return Later.NEXT
        try:
            if known := self._known.get((request.actor.name, request.key)):
                return _known_outcome(request, known)
            self._check(request)
            return self._carry_out(request)
        except WantsMeters:
            self._waiting.add(request.table)
            return Later.ALONE
        except Refused as error:
            return refusal_of(request, error)
        except FAULTS as error:
            self._waiting.add(request.table)
            return Fault(request, error)

    def _check(self, request: Request) -> None:
        if request.table not in self.states:
            raise Refused(RefusalCode.NO_SUCH_TABLE, (), NO_SUCH_TABLE)
        names_ask = isinstance(request.command, ANSWERS)
        age = 0 if request.sent is None or names_ask else abs(self.at - request.sent)
        if age > OLDEST_COMMAND:
            raise Refused(
                RefusalCode.TOO_OLD, (), "The command was too long on its way: send it again."
            )

    def _check_client(self, request: Request) -> None:
        """One active client for each seat: the one that said hello last."""
        own = self.states[request.table].seat_of(request.actor.person)
        if request.client is None or own is None:
            return
        presence = self._presence.get((request.table, own.number))
        if presence is not None and presence.client != request.client:
            raise Refused(
                RefusalCode.OTHER_CLIENT, (), "Your seat is played from another window now."
            )

    def _carry_out(self, request: Request) -> Outcome:
        self._check_client(request)
        state = self.states[request.table].copy()
        if isinstance(request.command, _LINKS):
            self._hold_linked(state, request.command)
        turn = Turn(state, self._surroundings(state))
        carry_out(turn, request.actor, request.command, request.ask)
        entry, state.head = state.head.next_entry(self._entry(request, turn))
        of_jackpots = [*self._awarded(turn, entry), *self._linked(turn, entry)]
        # From here on nothing is refused any more.
        self._entries += [entry, *(written.entry for written in of_jackpots)]
        self._jackpots += of_jackpots
        self._known[entry.actor, entry.key] = KnownCommand(
            entry.book, entry.version, entry.first_event, entry.events, entry.request
        )
        self.states[request.table] = state
        self._move_wallets(turn.postings)
        self._hold(turn)
        if turn.rows_first:
            self._waiting.add(request.table)
        self.news.append(
            News(state.number, entry.version, entry.first_event, self.at, tuple(turn.events), state)
        )
        return Done(request.table, request.key, entry.version, state.head.events)

    def _surroundings(self, state: TableState) -> Surroundings:
        return Surroundings(
            at=self.at,
            shoes=self.house.shoes,
            wallets=self._wallets,
            holds={
                number: presence.hold_until
                for (table, number), presence in self._presence.items()
                if table == state.number and presence.hold_until is not None
            },
            suspended=self._suspended,
            reserve_rates={
                number: reading.jackpot.reserve_rate for number, reading in self._readings.items()
            },
            shown=self.house.shown,
            read_meters=self._read_meters if self._alone else None,
        )

    def _entry(self, request: Request, turn: Turn) -> EntryRequest:
        return EntryRequest(
            actor=request.actor.name,
            key=request.key,
            at=self.at,
            request=request.content(),
            command=command_data(request.command),
            events=[event_data(event) for event in turn.events],
            engine=ENGINE,
            postings=tuple(turn.postings),
        )

    def _move_wallets(self, postings: Sequence[Posting]) -> None:
        """So that the next command of this transaction sees what is left."""
        for line in postings:
            for code, sign in ((line.from_account, -1), (line.to_account, 1)):
                kind, _, person = code.partition("/")
                if kind == "wallet" and person in self._wallets:
                    self._wallets[person] += sign * line.amount

    def _hold(self, turn: Turn) -> None:
        """An absent seat is cashed out when this much more time has passed."""
        until = self.at + turn.state.clocks.leave
        table = turn.state.number
        for event in turn.events:
            if isinstance(event, ev.SeatAway):
                client = self._presence[table, event.seat].client
                self._holds.append((table, event.seat, client, until))

    # --- jackpots -----------------------------------------------------------------------------

    def _read_meters(self, jackpots: Mapping[int, int], added: Mapping[int, int]) -> Stakes[int]:
        """Hold the jackpots, and the table's own stripes of others with them."""
        table = next(iter(self.states.values()))
        stripes = [
            f"{kind}/{link.jackpot}/{table.number}"
            for link in table.links.values()
            for kind in ("meter", "reserve")
        ]
        self._readings = lock_jackpots(self.connection, sorted(set(jackpots.values())), stripes)
        return Stakes(
            {
                game: shown(self._readings[number], added.get(game, 0))
                for game, number in jackpots.items()
            }
        )

    def _awarded(self, turn: Turn, entry: Entry) -> list[Written]:
        """The jackpots' entries; their lines stand behind the table's that come before them."""
        awards = turn.awards
        if awards is None:
            return []
        entries = [
            award_entry(self._readings[number], awards.layout, game, turn.events, entry)
            for game, number in awards.layout.jackpots.items()
            if number in self._readings
        ]
        lines = lines_of(entry)
        self._lines = [
            *lines[: awards.postings_before],
            *(line for written in entries for line in lines_of(written.entry)),
            *lines[awards.postings_before :],
        ]
        return entries

    def _hold_linked(self, state: TableState, command: do.LinkJackpot | do.UnlinkJackpot) -> None:
        if not self._alone:
            raise WantsMeters((command.game,))
        if isinstance(command, do.LinkJackpot):
            self._require_jackpot(command.jackpot)
            self._readings = lock_jackpots(self.connection, [command.jackpot])
        elif command.game in state.links:
            self._readings = lock_jackpots(self.connection, [state.links[command.game].jackpot])

    def _require_jackpot(self, number: int) -> None:
        asked: list[Values] = [(number,)] if 0 < number <= LARGEST else []
        if not find_rows(self.connection, jackpot, ("id",), ("id",), asked):
            raise Refused(
                RefusalCode.NO_SUCH_JACKPOT, (), f"jackpot: none has the number {number}."
            )

    def _linked(self, turn: Turn, entry: Entry) -> list[Written]:
        """A link is an entry in both books."""
        entries = []
        for event in turn.events:
            if isinstance(event, ev.JackpotLinked | ev.JackpotUnlinked):
                reading = self._readings[event.jackpot]
                command = link_command(turn.state, event, entry)
                sender = by_table(turn.state.number, entry.version, event.jackpot, self.at)
                entries.append(entry_of(reading, command, decide(reading, command), sender))
        return entries

    # --- writing ------------------------------------------------------------------------------

    def _write(self) -> None:
        if not self._entries:
            return
        lines = [line for entry in self._entries for line in entry.postings]
        codes = {line.from_account for line in lines} | {line.to_account for line in lines}
        numbers = self._numbers(codes)
        stripes = {
            number for code, number in numbers.items() if code.startswith(("meter/", "reserve/"))
        }
        lock_accounts(self.connection, stripes)
        append(self.connection, self._entries, numbers, self._lines)
        for jackpot_entry in self._jackpots:
            write_jackpot(self.connection, jackpot_entry.jackpot, jackpot_entry.before)
        written = {entry.book for entry in self._entries} & self.states.keys()
        self._after = {number: rows_of(self.states[number]) for number in sorted(written)}
        write_changes(
            self.connection,
            [(self._before[number], rows) for number, rows in self._after.items()],
        )
        # Not where a new client has come meanwhile.
        matched = ("table_id", "number", "client")
        update_rows(self.connection, seat, matched, ("hold_until",), self._holds)

    def keep(self) -> None:
        """It is committed: what it made is what the process knows from now on."""
        self.house.accounts |= self.accounts
        for number, state in self.states.items():
            rows = self._after.get(number) or self._before[number]
            if state.ended_rounds or state.ended_shoes:
                state.ended_rounds = ()
                state.ended_shoes = ()
                rows = rows_of(state)
            self.house.tables[number] = Cached(state, rows)


def link_command(
    state: TableState, event: ev.JackpotLinked | ev.JackpotUnlinked, entry: Entry
) -> LinkTable | UnlinkTable:
    """What the jackpot's book is asked, with the reason of the table's."""
    reason = str(json.loads(entry.command)["reason"])
    if isinstance(event, ev.JackpotUnlinked):
        return UnlinkTable(state.number, reason)
    settings = settings_of(state.rules, event.game).hash.hex()
    return LinkTable(state.number, event.game, settings, reason)


def _somebody_leaves(state: TableState) -> bool:
    return state.status is TableStatus.CLOSING or any(
        one.status is SeatStatus.LEAVING for one in state.seats.values()
    )


def _known_outcome(request: Request, known: KnownCommand) -> Outcome:
    """A copy gets the answer of the first; the same key for something else is told."""
    if known.request != request.content():
        return Refusal(
            request.table,
            request.key,
            RefusalCode.KEY_REUSED,
            "key: it named another command before: choose a new one for each command.",
        )
    last = known.first_event + len(json.loads(known.events)) - 1
    return Done(known.book, request.key, known.version, last)
