"""Bots at a table: as many as its operator wants."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field

from ventiuna.server.acting import LiveTables, Number, check_runs
from ventiuna.server.bots import Bots, check_bots
from ventiuna.server.problems import Declined
from ventiuna.server.security import Somebody
from ventiuna.table.play.state import TableStatus

router = APIRouter(prefix="/tables", tags=["tables"])


async def bots_of(request: Request) -> Bots:
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
    number: Number, asked: WantedBots, live: LiveTables, bots: HouseBots, found: Somebody
) -> BotsData:
    """Seats filled with players of the house; fewer than before leave after their round. At a
    table of one's own its owner decides."""
    await check_runs(live, found, number)
    state = await live.state(number)
    if state is None:
        raise Declined(404, "no_such_table", f"There is no table {number}.")
    if state.status is not TableStatus.OPEN:
        raise Declined(409, "table_closed", "The table is not open.")
    check_bots(asked.count, asked.strategy, state.rules)
    return BotsData(names=await bots.fill(number, asked.count, asked.strategy))
