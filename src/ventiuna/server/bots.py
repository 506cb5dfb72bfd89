"""Bots: players of the house's own who fill the seats beside people.

They are persons with a name and a wallet, and send the commands that people send. They wait for
a person's wager before they place theirs, take a moment for each decision, and never cut: whoever
plays against the house should not have its guests choose the order of the cards.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from functools import lru_cache, partial

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from ventiuna.rules import Rules
from ventiuna.server.bot_play import Seated, next_command, wager_of
from ventiuna.server.logs import log
from ventiuna.server.problems import Declined
from ventiuna.server.tables import Tables
from ventiuna.simulation.strategies import find_strategy, strategy_names
from ventiuna.strategy.strategy import Strategy
from ventiuna.table.persons import presence
from ventiuna.table.persons.bot_rows import (
    BANKROLL,
    REASON,
    BotRow,
    all_bots,
    idle_bot,
    move_bot,
    new_bot,
    remove_bot,
)
from ventiuna.table.persons.cashier import IssueMoney, carry_out
from ventiuna.table.persons.people import Entropy
from ventiuna.table.play.carrying_out import SERVICE, Actor, Role
from ventiuna.table.play.commands import BuyChips, LeaveSeat
from ventiuna.table.play.state import TableState, TableStatus
from ventiuna.table.store.errors import StoreError
from ventiuna.table.writing.requests import Done, Refusal, Request

STEADY = "steady"
LOOK_EVERY = 1.0  # seconds


def bot_strategies() -> tuple[str, ...]:
    return (STEADY, *strategy_names())


def check_bots(count: int, strategy: str, rules: Rules) -> None:
    """Room for so many, who can play like that; raises `Declined`."""
    most = rules.seats - 1
    if count > most:
        raise Declined(422, "too_many_bots", f"count: this table has room for {most} bots.")
    if strategy not in bot_strategies():
        known = ", ".join(bot_strategies())
        raise Declined(422, "no_such_strategy", f"strategy: choose one of {known}.")


@lru_cache(maxsize=64)
def _strategy(name: str, rules: Rules, base: int) -> Strategy | None:
    """None: the few habits of the steady player. The best play takes seconds to work out."""
    return None if name == STEADY else find_strategy(name, rules, base)


class Bots:
    """Those of a house; one process plays them all."""

    def __init__(self, tables: Tables, pause: float, entropy: Entropy) -> None:
        self._tables = tables
        self._pause = pause  # seconds, about
        self._entropy = entropy
        self._random = random.Random()
        self._rows: dict[int, list[BotRow]] = {}  # by table
        self._waiting: set[int] = set()  # tables where a bot is about to act
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._tables.listen(self._moved)
        self._task = asyncio.create_task(self._look_again())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # --- who plays where ---

    async def fill(self, table: int, count: int, strategy: str) -> list[str]:
        """So many bots at this table from now on; their names."""
        rows = [row for row in await self._tables.read(all_bots) if row.table == table]
        for row in rows[count:] + [row for row in rows[:count] if row.strategy != strategy]:
            await self._send_away(row)
        kept = [row for row in rows[:count] if row.strategy == strategy]
        make = partial(self._new_bot, table=table, strategy=strategy)
        kept += [await self._tables.write(make) for _ in range(count - len(kept))]
        await self._look()
        return [row.name for row in kept]

    def _new_bot(self, connection: Connection, table: int, strategy: str) -> BotRow:
        if (idle := idle_bot(connection)) is not None:
            move_bot(connection, idle, table, strategy)
            return replace(idle, table=table, strategy=strategy)
        return new_bot(connection, table, strategy, self._tables.clock.now(), self._entropy)

    async def _send_away(self, row: BotRow) -> None:
        state = await self._tables.state(row.table)
        seat = state.seat_of(str(row.person)) if state else None
        if seat is not None:
            key = f"leave/{row.table}/{state.head.events if state else 0}"
            await self._tables.ask(Request(row.table, _actor(row), key, LeaveSeat()))
        await self._tables.write(lambda one: remove_bot(one, row.person))

    # --- looking ---

    async def _look_again(self) -> None:
        while True:
            try:
                await self._look()
            except (SQLAlchemyError, StoreError) as error:
                log("bots_wait", error=type(error).__name__)
            await asyncio.sleep(LOOK_EVERY)

    async def _look(self) -> None:
        """Bots that came or went, tables where nothing has moved, seats lost in an outage."""
        if not self._tables.is_keeper:
            return
        rows: dict[int, list[BotRow]] = {}
        for row in await self._tables.read(all_bots):
            rows.setdefault(row.table, []).append(row)
        self._rows = rows
        for table in rows:
            self._tables.follow(table)
            await self._hold_seats(table)
            self._plan(table)

    async def _hold_seats(self, table: int) -> None:
        """A seat of a bot is never without its client."""
        state, here = await self._tables.state(table), self._tables.process
        lost = await self._tables.read(lambda one: presence.seats_elsewhere(one, table, here))
        for row in self._rows.get(table, ()):
            seat = state.seat_of(str(row.person)) if state else None
            if seat is not None and seat.number in lost:
                connect = partial(presence.connect, table=table, number=seat.number, process=here)
                await self._tables.write(connect)

    def _moved(self, state: TableState) -> None:
        if state.number in self._rows and self._tables.is_keeper:
            self._plan(state.number)

    def _plan(self, table: int) -> None:
        if table not in self._waiting:
            self._waiting.add(table)
            self._tables.spawn(self._act_soon(table))

    async def _act_soon(self, table: int) -> None:
        await asyncio.sleep(self._pause * self._random.uniform(0.5, 1.5))
        self._waiting.discard(table)
        await self._act(table)

    async def _act(self, table: int) -> None:
        """The first bot that has something to do does it; what follows moves the table again."""
        state = await self._tables.state(table)
        rows = self._rows.get(table, [])
        if state is None or state.status is not TableStatus.OPEN:
            return
        bots = frozenset(str(row.person) for row in rows)
        for row in rows:
            strategy = await self._find(row, state.rules)
            command = next_command(state, Seated(str(row.person), bots, strategy), self._random)
            if command is None:
                continue
            ask = state.ask.number if state.ask else None
            key = f"{table}/{state.head.events}/{type(command).__name__}"
            outcome = await self._tables.ask(Request(table, _actor(row), key, command, ask))
            if isinstance(outcome, Done):
                return
            if isinstance(command, BuyChips) and isinstance(outcome, Refusal):
                await self._tables.write(partial(self._more_money, row=row))

    async def _find(self, row: BotRow, rules: Rules) -> Strategy | None:
        base = wager_of(str(row.person), rules)
        return await asyncio.to_thread(_strategy, row.strategy, rules, base)

    def _more_money(self, connection: Connection, row: BotRow) -> None:
        """A bot that has lost it all gets another bankroll."""
        now = self._tables.clock.now()
        money = IssueMoney(row.person, BANKROLL, REASON)
        carry_out(connection, SERVICE, f"bot/{row.person}/{now}", money, now)


def _actor(row: BotRow) -> Actor:
    return Actor(f"person/{row.person}", Role.PLAYER, str(row.person), row.name)
