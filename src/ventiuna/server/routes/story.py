"""What happens at a table in sentences, for pages and people without a program of their own."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from ventiuna.server.acting import LiveTables, Number
from ventiuna.server.problems import Declined
from ventiuna.table.records.story import lines_of

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
    told = await live.read(lambda one: live.stories.since(one, state, since)) if is_news else []
    return Story(n=state.head.events, lines=[Line.model_validate(one) for one in lines_of(told)])
