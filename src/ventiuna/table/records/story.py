"""A table's events from its book, as they are told and shown.

Told from the opening of a round, because later sentences speak of its cards: so they are the
same as those that were told when it happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from ventiuna.engine.records import Data
from ventiuna.table import events as ev
from ventiuna.table.books.entries import read_entries
from ventiuna.table.events import TableEvent
from ventiuna.table.play.state import TableState
from ventiuna.table.records.recall import people_at
from ventiuna.table.store.schema import round_
from ventiuna.table.telling.shown import Shown, Telling
from ventiuna.table.writing.loading import Numbered, events_of, version_of_event

MOST_LINES = 40  # that somebody who comes to the table reads
_SEARCHED = (80, 160)  # events: the first tell enough lines nearly always


class ToldEvent(NamedTuple):
    number: int
    event: TableEvent
    shown: Shown


def told_since(connection: Connection, state: TableState, after: int) -> list[ToldEvent]:
    """Everything behind the event `after`, up to where the table stands in `state`."""
    before = _begin(connection, state.number, after)
    stored = list(_stored(connection, state, before))
    telling = _telling(connection, state, before, stored)
    told = []
    is_open = False
    for numbered in stored:
        event = numbered.event
        is_open = is_open or isinstance(event, ev.RoundOpened)
        if not is_open and not isinstance(event, ev.OwnEvent):
            continue  # the end of a round that is not told here
        if numbered.number > after:
            told.append(ToldEvent(numbered.number, event, telling.show(event)))
        else:
            telling.follow(event)
    return told


def story(connection: Connection, state: TableState) -> list[Data]:
    """The last lines of a table, for somebody who comes to it."""
    lines: list[Data] = []
    for searched in _SEARCHED:
        after = max(0, state.head.events - searched)
        lines = lines_of(told_since(connection, state, after))[-MOST_LINES:]
        if len(lines) == MOST_LINES or not after:
            break
    return lines


def lines_of(told: list[ToldEvent]) -> list[Data]:
    return [
        {"n": one.number, "event": type(one.event).__name__, **one.shown.told}
        for one in told
        if one.shown.told is not None
    ]


def _stored(connection: Connection, state: TableState, before: int) -> Iterator[Numbered]:
    for entry in read_entries(connection, state.number, before):
        if entry.version > state.head.version:
            return
        yield from events_of(entry)


def _telling(
    connection: Connection, state: TableState, before: int, stored: list[Numbered]
) -> Telling:
    """Who sits there now sat there then, unless somebody has left meanwhile."""
    if any(isinstance(numbered.event, ev.SeatLeft) for numbered in stored):
        names, seats = people_at(connection, state.number, before + 1)
    else:
        names = {seat.person: seat.name for seat in state.seats.values()}
        seats = {seat.number: seat.person for seat in state.seats.values()}
    return Telling(state.rules, names, seats)


def _begin(connection: Connection, table: int, after: int) -> int:
    """The version before the first entry that is read.

    The entry that ends a round opens the next one as well, so it takes the opening before it.
    """
    first = version_of_event(connection, table, after + 1) or 1
    opened = connection.scalar(
        select(func.max(round_.c.first_version)).where(
            round_.c.table_id == table, round_.c.first_version < first
        )
    )
    return (opened or first) - 1
