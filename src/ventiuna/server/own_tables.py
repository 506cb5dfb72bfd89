"""Sitting down without a window: a table of one's own, a seat and chips in one request."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused
from ventiuna.rules import Rules
from ventiuna.server.actors import actor_of
from ventiuna.server.problems import Declined
from ventiuna.server.tables import Tables
from ventiuna.table.house import own_tables
from ventiuna.table.house.administration import Act
from ventiuna.table.persons import presence
from ventiuna.table.persons.people import Person
from ventiuna.table.play.carrying_out import Actor
from ventiuna.table.play.commands import BuyChips, CloseTable, TableCommand, TakeSeat
from ventiuna.table.play.state import TableState
from ventiuna.table.records import registers
from ventiuna.table.writing.requests import Request, done

MOST_CHIPS = 100_000  # cents that somebody sits down with who names no amount


async def begin(live: Tables, who: Person, key: str, name: str, rules: Rules, most: int) -> int:
    """A new table of this person's own, instead of the one before it."""
    for old in await live.read(lambda one: own_tables.own_tables(one, who.id)):
        await _give_up(live, who, old.table)
    if len(await live.read(own_tables.own_tables)) >= most:
        raise Declined(
            503, "busy", "The house has as many tables as it can look after: sit down at one."
        )
    act = Act(own_tables.opener(who.id), key or secrets.token_hex(16), live.clock)
    return await live.write(
        lambda one: own_tables.open_own_table(one, live.house, act, name, rules)
    )


async def _give_up(live: Tables, who: Person, table: int) -> None:
    state = await live.state(table)
    if state is not None and (state.is_dealt or state.stake):
        raise Declined(
            409,
            "hand_waits",
            f"Your hand at {state.name} waits for you: play it to its end first.",
        )
    await close(live, who.id, table, own_tables.REPLACED)


async def close(live: Tables, owner: int, table: int, reason: str) -> int:
    """On behalf of its owner; the number of the last event."""
    return await _do(live, own_tables.opener(owner), table, CloseTable(reason))


async def close_forsaken(live: Tables) -> None:
    """Tables that nobody has come back to."""
    if not live.is_keeper:
        return
    now = live.clock.now()
    for found in await live.read(lambda one: own_tables.forsaken(one, now)):
        key = f"close/{found.table}"
        command = CloseTable(own_tables.CLOSED)
        live.submit(Request(found.table, own_tables.opener(found.owner), key, command))


async def sit(live: Tables, who: Person, table: int, seat: int | None, chips: int | None) -> int:
    """A seat, the person's own where there is one already, and chips; the number of the seat."""
    state = await live.state(table)
    if state is None:
        raise Declined(404, "no_such_table", f"There is no table {table}.")
    check_owner(await live.read(lambda one: own_tables.owner_of_table(one, table)), str(who.id))
    held = state.seat_of(str(who.id))
    number = held.number if held else seat or _free_seat(state)
    if held is None:
        await _do(live, actor_of(who), table, TakeSeat(number))
        await live.write(lambda one: _hold(live, one, state, number))
    if held is None or chips is not None:
        await _buy(live, who, table, chips)
    return number


def check_owner(owner: int | None, person: str) -> None:
    """At a table of somebody's own nobody else takes a seat; raises `Refused`."""
    if owner is not None and str(owner) != person:
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            (),
            "This is somebody's own table: you may watch, or open one of yours.",
        )


def _free_seat(state: TableState) -> int:
    """The one nearest to the middle."""
    middle = (state.rules.seats + 1) / 2
    free = [number for number in range(1, state.rules.seats + 1) if number not in state.seats]
    if not free:
        raise Declined(409, "table_full", "No seat is free at this table: watch, or try another.")
    return min(free, key=lambda number: abs(number - middle))


def _hold(live: Tables, connection: Connection, state: TableState, seat: int) -> None:
    """Nobody is connected yet: the seat waits for its window as it would for one that was lost."""
    client = presence.connect(connection, state.number, seat, live.process)
    until = live.clock.now() + state.clocks.away
    presence.disconnect(connection, state.number, seat, client, until)


async def _buy(live: Tables, who: Person, table: int, chips: int | None) -> None:
    wallet = await live.read(lambda one: registers.wallet_of(one, who.id))
    amount = min(wallet, MOST_CHIPS) if chips is None else chips
    if amount:
        await _do(live, actor_of(who), table, BuyChips(amount))


async def _do(live: Tables, actor: Actor, table: int, command: TableCommand) -> int:
    outcome = await live.ask(Request(table, actor, secrets.token_hex(16), command))
    return done(outcome).n
