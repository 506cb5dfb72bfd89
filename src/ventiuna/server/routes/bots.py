"""Bots at a table: as many as its operator wants."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field

from ventiuna.server.acting import LiveTables, Number, Operator
from ventiuna.server.bots import Bots, bot_strategies
from ventiuna.server.problems import Declined
from ventiuna.table.state import TableStatus

router = APIRouter(prefix="/tables", tags=["tables"])


def bots_of(request: Request) -> Bots:
    found = request.app.state.bots
    assert isinstance(found, Bots)
    return found


HouseBots = Annotated[Bots, Depends(bots_of)]


class WantedBots(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    count: int = Field(ge=0, description="From now on; one seat stays free.", examples=[3])
    strategy: str = Field("chart", max_length=60, description="How they play.")


class BotsData(BaseModel):
    names: list[str]


@router.post("/{number}/bots")
async def fill(
    number: Number, asked: WantedBots, live: LiveTables, bots: HouseBots, _: Operator
) -> BotsData:
    """Seats filled with players of the house; fewer than before leave after their round."""
    state = await live.state(number)
    if state is None:
        raise Declined(404, "no_such_table", f"There is no table {number}.")
    if state.status is not TableStatus.OPEN:
        raise Declined(409, "table_closed", "The table is not open.")
    most = state.rules.seats - 1
    if asked.count > most:
        raise Declined(422, "too_many_bots", f"count: this table has room for {most} bots.")
    if asked.strategy not in bot_strategies():
        known = ", ".join(bot_strategies())
        raise Declined(422, "no_such_strategy", f"strategy: choose one of {known}.")
    return BotsData(names=await bots.fill(number, asked.count, asked.strategy))
