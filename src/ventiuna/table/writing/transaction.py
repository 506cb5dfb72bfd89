"""Commands that share a commit, from the locks to the rows.

Locks are taken in the order of `books.Lock`, as everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import Enum

from sqlalchemy import Connection

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.events import ENGINE
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules
from ventiuna.table import events as ev
from ventiuna.table.books.entries import (
    KnownCommand,
    account_numbers,
    append,
    known_commands,
    lock_accounts,
    lock_books,
)
from ventiuna.table.ledger.chain import Entry, Head
from ventiuna.table.ledger.chain import Request as EntryRequest
from ventiuna.table.play import commands as do
from ventiuna.table.play.carrying_out import ANSWERS, carry_out
from ventiuna.table.play.codec import command_text, event_texts
from ventiuna.table.play.state import TableState
from ventiuna.table.play.turn import Shoes, Surroundings, Turn, WantsMeters
from ventiuna.table.ports import Clock
from ventiuna.table.store.rows import Values, update_rows
from ventiuna.table.store.schema import seat
from ventiuna.table.writing.held import Held
from ventiuna.table.writing.held_jackpots import LINKS, HeldJackpots
from ventiuna.table.writing.loading import load_table
from ventiuna.table.writing.projection import Projected, project, project_after, write_changes
from ventiuna.table.writing.requests import (
    KEY_REUSED,
    NO_SUCH_TABLE,
    Done,
    News,
    Outcome,
    Refusal,
    Request,
    check_request,
    refusal_of,
)

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
    projected: Projected


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
        self._before: dict[int, Projected] = {}
        self._after: dict[int, Projected] = {}
        self._entries: list[Entry] = []
        self._known: dict[tuple[str, str], KnownCommand] = {}
        self._held = Held(connection, self._numbers)
        self._waiting: set[int] = set()  # tables whose further commands come later
        self._holds: list[Values] = []
        self._alone = False
        self._jackpots = HeldJackpots(connection)

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
        self._held.take(requests, self.states)

    def _take(self, number: int, head: Head) -> None:
        """The table as its book stands; what the process knows of it may be old."""
        cached = self.house.tables.get(number)
        if cached is None or cached.state.head != head:
            house = self.house
            state = load_table(self.connection, house.name, head, house.shoes, house.rules)
            if state is None:  # the book of a jackpot or the cashier
                return
            cached = Cached(state, project(state))
        self.states[number] = cached.state
        self._before[number] = cached.projected

    def _numbers(self, codes: Collection[str]) -> dict[str, int]:
        unknown = [
            code for code in codes if code not in self.house.accounts and code not in self.accounts
        ]
        if unknown:
            self.accounts |= account_numbers(self.connection, unknown)
        return {code: self.house.accounts.get(code) or self.accounts[code] for code in codes}

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
        names_ask = type(request.command) in ANSWERS
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
        presence = self._held.presence.get((request.table, own.number))
        if presence is not None and presence.client != request.client:
            raise Refused(
                RefusalCode.OTHER_CLIENT, (), "Your seat is played from another window now."
            )

    def _carry_out(self, request: Request) -> Outcome:
        self._check_client(request)
        before = self.states[request.table]
        state = before.copy()
        if isinstance(request.command, LINKS):
            self._hold_linked(state, request.command)
        turn = Turn(state, self._surroundings(state))
        carry_out(turn, request.actor, request.command, request.ask)
        entry, state.head = state.head.next_entry(self._entry(request, turn))
        of_jackpots = self._jackpots.entries_beside(turn, entry)
        # From here on nothing is refused any more.
        self._entries += [entry, *of_jackpots]
        self._known[entry.actor, entry.key] = KnownCommand(
            entry.book, entry.version, entry.first_event, entry.events, entry.request
        )
        self.states[request.table] = state
        self._held.move(turn.postings)
        self._hold(turn)
        if turn.rows_first:
            self._waiting.add(request.table)
        self.news.append(
            News(
                state.number,
                entry.version,
                entry.first_event,
                self.at,
                tuple(turn.events),
                before,
                state,
            )
        )
        return Done(request.table, request.key, entry.version, state.head.events)

    def _surroundings(self, state: TableState) -> Surroundings:
        return Surroundings(
            at=self.at,
            shoes=self.house.shoes,
            wallets=self._held.wallets,
            holds=self._held.holds(state.number),
            suspended=self._held.suspended,
            reserve_rates=self._jackpots.reserve_rates,
            shown=self.house.shown,
            read_meters=self._jackpots.meters_of(state) if self._alone else None,
        )

    def _entry(self, request: Request, turn: Turn) -> EntryRequest:
        command = command_text(request.command)
        return EntryRequest(
            actor=request.actor.name,
            key=request.key,
            at=self.at,
            request=request.content(command),
            command=command,
            events=event_texts(turn.events),
            engine=ENGINE,
            postings=tuple(turn.postings),
        )

    def _hold(self, turn: Turn) -> None:
        """An absent seat is cashed out when this much more time has passed."""
        until = self.at + turn.state.clocks.leave
        table = turn.state.number
        for event in turn.events:
            if isinstance(event, ev.SeatAway):
                client = self._held.presence[table, event.seat].client
                self._holds.append((table, event.seat, client, until))

    def _hold_linked(self, state: TableState, command: do.LinkJackpot | do.UnlinkJackpot) -> None:
        if not self._alone:
            raise WantsMeters((command.game,))
        self._jackpots.hold(state, command)

    # --- writing ------------------------------------------------------------------------------

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
        # Not where a new client has come meanwhile.
        matched = ("table_id", "number", "client")
        update_rows(self.connection, seat, matched, ("hold_until",), self._holds)

    def _lock_stripes(self) -> dict[str, int]:
        """The numbers of all accounts that money moves between, those of meters held."""
        lines = [line for entry in self._entries for line in entry.postings]
        if not lines:
            return {}
        codes = {line.from_account for line in lines} | {line.to_account for line in lines}
        numbers = self._numbers(codes)
        stripes = [numbers[code] for code in codes if code.startswith(("meter/", "reserve/"))]
        lock_accounts(self.connection, stripes)
        return numbers

    def keep(self) -> None:
        """It is committed: what it made is what the process knows from now on."""
        self.house.accounts |= self.accounts
        for number, state in self.states.items():
            projected = self._after.get(number) or self._before[number]
            if state.ended_rounds or state.ended_shoes:
                state.ended_rounds = ()
                state.ended_shoes = ()
                projected = project_after(projected, state)
            self.house.tables[number] = Cached(state, projected)


def _known_outcome(request: Request, known: KnownCommand) -> Outcome:
    """A copy gets the answer of the first; the same key for something else is told."""
    if known.request != request.content():
        return Refusal(
            request.table,
            request.key,
            RefusalCode.KEY_REUSED,
            KEY_REUSED,
        )
    last = known.first_event + len(json.loads(known.events)) - 1
    return Done(known.book, request.key, known.version, last)
