"""What happens at a table in sentences, for pages and people without a program of their own."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel
from sqlalchemy import Connection, func, select

from ventiuna.engine.sentences.point_of_view import PointOfView
from ventiuna.server.acting import LiveTables, Number
from ventiuna.server.problems import Declined
from ventiuna.table.books import read_entries
from ventiuna.table.events import OwnEvent, RoundOpened
from ventiuna.table.loading import events_of, version_of_event
from ventiuna.table.sentences import TableTeller
from ventiuna.table.state import TableState
from ventiuna.table.store.schema import round_

MOST_EVENTS = 400  # that are told at once

router = APIRouter(prefix="/tables", tags=["tables"])
After = Annotated[
    int, Query(ge=0, le=2**53, description="The number of the last event that is known.")
]


class Line(BaseModel):
    n: int
    text: str


class Story(BaseModel):
    n: int
    lines: list[Line]


@router.get("/{number}/story")
async def story(number: Number, live: LiveTables, after: After = 0) -> Story:
    """The events of a table as sentences; older ones than the last few hundred are left out."""
    state = await live.state(number)
    if state is None:
        raise Declined(404, "no_such_table", f"There is no table {number}.")
    since = max(after, state.head.events - MOST_EVENTS)
    is_news = since < state.head.events
    lines = await live.read(lambda one: _lines(one, state, since)) if is_news else []
    return Story(n=state.head.events, lines=lines)


def _lines(connection: Connection, state: TableState, after: int) -> list[Line]:
    """Told from the opening of a round, because later sentences speak of its cards."""
    teller = TableTeller(
        state.rules,
        PointOfView(names={seat.person: seat.name for seat in state.seats.values()}),
        {seat.number: seat.person for seat in state.seats.values()},
    )
    lines = []
    is_open = False
    for entry in read_entries(connection, state.number, _begin(connection, state.number, after)):
        if entry.version > state.head.version:
            break
        for numbered in events_of(entry):
            is_open = is_open or isinstance(numbered.event, RoundOpened)
            if not is_open and not isinstance(numbered.event, OwnEvent):
                continue  # the end of a round that is not told here
            told = teller.tell(numbered.event)
            if told is not None and numbered.number > after:
                lines.append(Line(n=numbered.number, text=told.text()))
    return lines


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
