"""A table from the database: its rows, and the open round folded from its entries."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from ventiuna.engine.events import CardDealt, WagersPlaced
from ventiuna.engine.stakes import Stakes
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules, rules_from_data
from ventiuna.table import events as ev
from ventiuna.table.books.entries import WrittenEvents, read_events
from ventiuna.table.events import TableEvent
from ventiuna.table.ledger.chain import Entry, Head
from ventiuna.table.play.clocks import Clocks, clocks_of
from ventiuna.table.play.codec import event_from_data
from ventiuna.table.play.folding import fold, start_meter
from ventiuna.table.play.state import (
    Ask,
    Cut,
    Link,
    RoundRecord,
    Seat,
    SeatStatus,
    ShoeRecord,
    TableState,
    TableStatus,
)
from ventiuna.table.play.turn import Shoes
from ventiuna.table.shoes.fairness import context_of
from ventiuna.table.shoes.shoe import Position
from ventiuna.table.store import schema
from ventiuna.table.store.prepared import Prepared
from ventiuna.table.store.rows import Values, find_rows

_TABLE = Prepared(
    select(schema.game_table, schema.waiting.c.deadline_at, schema.waiting.c.ask)
    .outerjoin(schema.waiting, schema.waiting.c.table_id == schema.game_table.c.id)
    .where(schema.game_table.c.id == bindparam("table"))
)
_SEATS = Prepared(
    select(
        schema.seat.c.number, schema.seat.c.person_id, schema.seat.c.status, schema.person.c.name
    )
    .join(schema.person, schema.person.c.id == schema.seat.c.person_id)
    .where(schema.seat.c.table_id == bindparam("table"))
    .order_by(schema.seat.c.number)
)
_SPOTS = Prepared(
    select(schema.spot.c.number, schema.spot.c.seat)
    .where(schema.spot.c.table_id == bindparam("table"))
    .order_by(schema.spot.c.number)
)
_LINKS = Prepared(
    select(schema.link, schema.jackpot.c.reserve_rate)
    .join(schema.jackpot, schema.jackpot.c.id == schema.link.c.jackpot_id)
    .where(schema.link.c.table_id == bindparam("table"))
    .order_by(schema.link.c.game)
)
_SHOES = Prepared(
    select(schema.shoe)
    .where(schema.shoe.c.table_id == bindparam("table"), schema.shoe.c.closed_version.is_(None))
    .order_by(schema.shoe.c.number)
)
_CUTS = Prepared(
    select(schema.cut)
    .where(schema.cut.c.table_id == bindparam("table"), schema.cut.c.shoe == bindparam("shoe"))
    .order_by(schema.cut.c.seat)
)
_WITHHELD = Prepared(
    select(schema.cut.c.person_id)
    .join(
        schema.shoe,
        (schema.shoe.c.table_id == schema.cut.c.table_id)
        & (schema.shoe.c.number == schema.cut.c.shoe),
    )
    .where(
        schema.cut.c.table_id == bindparam("table"),
        schema.cut.c.value.is_(None),
        schema.shoe.c.mix.is_not(None),
    )
)
_LAST_ROUND = Prepared(
    select(schema.round_)
    .where(schema.round_.c.table_id == bindparam("table"))
    .order_by(schema.round_.c.number.desc())
    .limit(1)
)
_VERSION_OF_EVENT = Prepared(
    select(schema.entry.c.version)
    .where(
        schema.entry.c.book_id == bindparam("book"),
        schema.entry.c.first_event <= bindparam("event"),
    )
    .order_by(schema.entry.c.version.desc())
    .limit(1)
)


_CLOSING = (
    select(schema.entry.c.version)
    .where(
        schema.entry.c.book_id == bindparam("book"),
        schema.entry.c.command.like('{"command":"CloseTable"%'),
    )
    .limit(1)
)


class TableLost(VentiunaError):
    """Rows and entries that do not make a table."""


class Numbered(NamedTuple):
    """A stored event with its number and the time of its entry."""

    number: int
    at: int
    event: TableEvent


def events_of(entry: Entry | WrittenEvents) -> list[Numbered]:
    """The events of an entry, read with the format that they were written in."""
    return [
        Numbered(number, entry.at, event_from_data(data, entry.engine))
        for number, data in enumerate(entry.event_data(), start=entry.first_event)
    ]


def load_table(
    connection: Connection, house: str, head: Head, shoes: Shoes, rules: dict[str, Rules]
) -> TableState | None:
    """The table as its book stands at `head`; None where the book is not that of a table.

    `rules` are those read before, by their data: tables of the same rules share them.
    """
    row = _TABLE.first(connection, table=head.book)
    if row is None:
        return None
    clocks: Clocks = clocks_of(Stakes(json.loads(row.clocks)))
    state = TableState(house, head, row.name, stored_rules(row.rules_data, rules), clocks)
    state.status = TableStatus(row.state)
    state.closes = _closes(connection, state)
    _load_seats(connection, state)
    _load_links(connection, state)
    _load_balances(connection, state)
    _load_shoes(connection, state)
    kept = [shoe for shoe in (state.in_play, state.next_shoe) if shoe is not None]
    state.lost = not all(map(shoes.fits, kept))
    _load_round(connection, state, row.ask, shoes)
    state.deadline = row.deadline_at
    return state


def _closes(connection: Connection, state: TableState) -> bool:
    """Its row does not tell whether a table was closing before its fault: its book does."""
    if state.status is not TableStatus.FAULT:
        return state.status is not TableStatus.OPEN
    return connection.scalar(_CLOSING, {"book": state.number}) is not None


def stored_rules(data: str, known: dict[str, Rules]) -> Rules:
    """The rules of a table's row; those read before are shared."""
    if data not in known:
        known[data] = rules_from_data(json.loads(data))
    return known[data]


def _load_seats(connection: Connection, state: TableState) -> None:
    state.seats = {
        row.number: Seat(row.number, str(row.person_id), row.name, SeatStatus(row.status))
        for row in _SEATS.all(connection, table=state.number)
    }
    state.spots = {row.number: row.seat for row in _SPOTS.all(connection, table=state.number)}


def _load_links(connection: Connection, state: TableState) -> None:
    if not state.rules.jackpots:
        return
    state.links = {
        row.game: Link(row.jackpot_id, row.reserve_rate, row.remainder, row.reserve_remainder)
        for row in _LINKS.all(connection, table=state.number)
    }


def _load_balances(connection: Connection, state: TableState) -> None:
    """Stacks of all seats there can be, so that chips of a past seat would not hide."""
    codes = [f"stack/{state.number}/{seat}" for seat in range(1, state.rules.seats + 1)]
    codes += [f"stake/{state.number}", f"bank/{state.number}"]
    asked: list[Values] = [(code,) for code in codes]
    rows = find_rows(connection, schema.account, ("code", "balance"), ("code",), asked)
    state.balances = {row.code: row.balance for row in rows}


# --- shoes ------------------------------------------------------------------------------------


def _load_shoes(connection: Connection, state: TableState) -> None:
    for row in _SHOES.all(connection, table=state.number):
        cuts = _cuts(connection, state.number, row.number)
        context = context_of(state.rules, state.house, str(state.number), row.number)
        if context.lines().decode() != row.context:
            raise TableLost(f"Shoe {row.number} of table {state.number} is of another context.")
        record = ShoeRecord(
            row.number,
            context,
            row.salt,
            row.commitment,
            row.source,
            row.mix,
            tuple(cuts.values()) if row.mix is not None else (),
        )
        if row.mix is not None:
            state.in_play = record
            state.position = Position(row.dealt, tuple(json.loads(row.bonus)))
        else:
            state.next_shoe = record
            state.cuts = cuts
    state.barred = _barred(connection, state.number)


def _cuts(connection: Connection, table: int, shoe: int) -> dict[int, Cut]:
    rows = _CUTS.all(connection, table=table, shoe=shoe)
    return {row.seat: Cut(row.seat, str(row.person_id), row.commitment, row.value) for row in rows}


def _barred(connection: Connection, table: int) -> frozenset[str]:
    """Who committed a cut of a shoe that was then cut without it."""
    withheld = _WITHHELD.all(connection, table=table)
    return frozenset(str(row.person_id) for row in withheld)


# --- the open round ---------------------------------------------------------------------------


def _load_round(connection: Connection, state: TableState, ask: int | None, shoes: Shoes) -> None:
    row = _LAST_ROUND.first(connection, table=state.number)
    state.rounds = row.number if row else 0
    if row is not None and row.outcome != "open":
        row = None
    if state.in_play is not None and not state.lost:
        state.live = shoes.live(state.in_play, state.position)
    first = row.first_version if row else version_of_event(connection, state.number, ask)
    if first is None:
        return
    told = [
        numbered
        for entry in read_events(connection, state.number, first - 1)
        for numbered in events_of(entry)
    ]
    if row is not None:
        _fold_round(state, told, RoundRecord(row.number, row.shoe, row.first_version))
    _recall_ask(state, told, ask)


def version_of_event(connection: Connection, book: int, event: int | None) -> int | None:
    """The version of the entry that holds this event."""
    if event is None:
        return None
    row = _VERSION_OF_EVENT.first(connection, book=book, event=event)
    return int(row.version) if row else None


def _fold_round(state: TableState, told: Iterable[Numbered], opened: RoundRecord) -> None:
    """Only what belongs to the round: all else is in the rows already."""
    links = dict(state.links)
    for numbered in told:
        event = numbered.event
        if isinstance(event, ev.RoundOpened) and event.number == opened.number:
            fold(state, event, numbered.number, numbered.at)
            state.opened = opened
        elif isinstance(event, ev.JackpotLinked):
            start_meter(state, event.game)
        elif state.round is not None and not isinstance(event, ev.OwnEvent):
            _fold_dealt(state, numbered)
    state.links = links


def _fold_dealt(state: TableState, numbered: Numbered) -> None:
    if state.live is not None and isinstance(numbered.event, CardDealt):
        state.live.draw()
    fold(state, numbered.event, numbered.number, numbered.at)


def _recall_ask(state: TableState, told: Iterable[Numbered], ask: int | None) -> None:
    """What the table waits for, and who has nothing more to say to it."""
    state.ask = None
    state.ready = frozenset()
    for numbered in told:
        event = numbered.event
        if isinstance(event, ev.AskRaised) and numbered.number == ask:
            state.ask = Ask(numbered.number, event.kind, event.spots, event.hand)
        elif state.ask is not None and isinstance(event, ev.SeatReady | ev.SeatLeft):
            changed = {event.seat}
            is_ready = isinstance(event, ev.SeatReady)
            state.ready = state.ready | changed if is_ready else state.ready - changed
        elif state.ask is not None and isinstance(event, WagersPlaced):
            seat = state.seat_of(event.person)  # the spot may have changed hands since
            state.ready -= {seat.number if seat else 0}
