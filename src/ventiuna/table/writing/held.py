"""What a transaction holds and reads around its tables: wallets, clients, suspended jackpots.

Only as far as its commands need it: the play of a round moves chips of its own table alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from ventiuna.engine.commands import PlaceWagers
from ventiuna.table.books.entries import lock_accounts
from ventiuna.table.ledger.chain import Posting
from ventiuna.table.play import commands as do
from ventiuna.table.play.carrying_out import ANSWERS
from ventiuna.table.play.state import SeatStatus, TableState, TableStatus
from ventiuna.table.store.rows import Values, find_rows
from ventiuna.table.store.schema import jackpot, seat
from ventiuna.table.writing.requests import Request

Numbers = Callable[[Collection[str]], dict[str, int]]  # of accounts, by their codes
States = Mapping[int, TableState]

# Commands that leave every wallet alone, unless somebody is about to leave.
_TABLE_LOCAL = ANSWERS | {do.TimeUp}


class Presence(NamedTuple):
    """Which client plays a seat, or until when the seat is held without one."""

    client: int
    hold_until: int | None


class Held:
    def __init__(self, connection: Connection, numbers: Numbers) -> None:
        self._connection = connection
        self._numbers = numbers
        self.wallets: dict[str, int] = {}  # cents by person
        self.presence: dict[tuple[int, int], Presence] = {}  # by table and seat
        self.suspended: frozenset[int] = frozenset()  # jackpots

    def take(self, requests: Sequence[Request], states: States) -> None:
        """The tables' books are held already: wallets come next in the order of locks."""
        self._lock_wallets(requests, states)
        self._read_presence(requests)
        self._read_suspended(requests, states)

    def move(self, postings: Sequence[Posting]) -> None:
        """So that the next command of this transaction sees what is left."""
        for line in postings:
            for code, sign in ((line.from_account, -1), (line.to_account, 1)):
                kind, _, person = code.partition("/")
                if kind == "wallet" and person in self.wallets:
                    self.wallets[person] += sign * line.amount

    def holds(self, table: int) -> dict[int, int]:
        """Until when each seat of a table without a client is held."""
        return {
            number: presence.hold_until
            for (of_table, number), presence in self.presence.items()
            if of_table == table and presence.hold_until is not None
        }

    def _lock_wallets(self, requests: Sequence[Request], states: States) -> None:
        others = [request for request in requests if type(request.command) not in _TABLE_LOCAL]
        leaving = [number for number, state in states.items() if _somebody_leaves(state)]
        if not others and not leaving:
            return
        moving = {request.table for request in others}.union(leaving)
        persons = {
            request.actor.person
            for request in others
            if isinstance(request.command, do.SeatCommand) and request.actor.person
        }
        persons |= {
            seat.person
            for number in moving & states.keys()
            for seat in states[number].seats.values()
        }
        codes = [f"wallet/{person}" for person in sorted(persons)] + ["house"]
        numbers = self._numbers(codes)
        held = lock_accounts(self._connection, numbers.values())
        self.wallets = {person: held[numbers[f"wallet/{person}"]] for person in persons}

    def _read_presence(self, requests: Sequence[Request]) -> None:
        tables = {
            request.table
            for request in requests
            if request.client is not None or isinstance(request.command, do.SeatTimeUp)
        }
        if not tables:
            return
        columns = ("table_id", "number", "client", "hold_until")
        asked: list[Values] = [(number,) for number in sorted(tables)]
        for table, number, client, hold in find_rows(
            self._connection, seat, columns, ("table_id",), asked
        ):
            self.presence[table, number] = Presence(client, hold)

    def _read_suspended(self, requests: Sequence[Request], states: States) -> None:
        """Only where somebody wagers on a jackpot."""
        wagering = {
            request.table
            for request in requests
            if isinstance(request.command, PlaceWagers) and request.command.jackpots
        }
        if not wagering:
            return
        linked: list[Values] = [
            (number,)
            for number in sorted(
                {
                    link.jackpot
                    for table in wagering & states.keys()
                    for link in states[table].links.values()
                }
            )
        ]
        rows = find_rows(self._connection, jackpot, ("id", "state"), ("id",), linked)
        self.suspended = frozenset(row.id for row in rows if row.state != "open")


def _somebody_leaves(state: TableState) -> bool:
    if state.status is TableStatus.CLOSING:
        return True
    return bool([one for one in state.seats.values() if one.status is SeatStatus.LEAVING])
