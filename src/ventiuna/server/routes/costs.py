"""What the wagers of a spot cost a round, and what the meters of a table are worth."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Depends, Query
from fastapi.responses import JSONResponse
from pydantic import Field

from ventiuna.analysis.questions.costs import Prices, costs_data, prices_of, wagers_of
from ventiuna.engine.stakes import Stakes, Wager
from ventiuna.money import LARGEST_AMOUNT
from ventiuna.server.acting import Body, LiveTables, Number
from ventiuna.server.problems import not_found
from ventiuna.server.routes.rules import answer
from ventiuna.server.security import person
from ventiuna.server.services import Services, services_of
from ventiuna.server.tables import Tables
from ventiuna.server.wire import JackpotGame, MtdWager
from ventiuna.table.play.state import TableState

router = APIRouter(prefix="/tables", tags=["tables"], dependencies=[Depends(person)])
HouseServices = Annotated[Services, Depends(services_of)]
NOTHING: Stakes[Wager] = Stakes({})
Stake = Annotated[int, Field(ge=0, le=LARGEST_AMOUNT, description="Cents.", examples=[2_500])]


class SpotWagers(Body):
    """What would lie on one spot."""

    base: Stake = 0
    mtd: dict[MtdWager, Stake] = Field(default={}, examples=[{"up": 500, "b3": 500}])
    jackpots: dict[JackpotGame, Stake] = Field(default={}, examples=[{"1": 100}])


@router.get("/{number}/costs")
async def spot_costs(
    number: Number,
    live: LiveTables,
    house: HouseServices,
    spot: Annotated[int, Query(ge=0, le=100, description="0: the meters alone.")] = 0,
) -> JSONResponse:
    """What the wagers that lie on a spot cost on average, and each meter against break-even."""
    state = await _table(live, number)
    placed = state.round.spots.get(spot) if state.round else None
    stakes = NOTHING
    if placed is not None:
        stakes = wagers_of(state.rules, placed.base, placed.mtd, placed.jackpots)
    return await _costs(state, live, house, stakes)


@router.post("/{number}/costs")
async def wager_costs(
    number: Number, asked: SpotWagers, live: LiveTables, house: HouseServices
) -> JSONResponse:
    """The same for wagers that are not placed yet."""
    state = await _table(live, number)
    mtd = {str(name): cents for name, cents in asked.mtd.items()}
    games = {int(game): cents for game, cents in asked.jackpots.items()}
    stakes = wagers_of(state.rules, asked.base, mtd, games)
    return await _costs(state, live, house, stakes)


async def _table(live: Tables, number: int) -> TableState:
    state = await live.state(number)
    if state is None:
        raise not_found("table")
    return state


async def _costs(
    state: TableState, live: Tables, house: Services, stakes: Stakes[Wager]
) -> JSONResponse:
    prices = cast(Prices, await house.studies.ask(prices_of, state.rules))
    return answer(costs_data(state.rules, prices, stakes, meters_of(state, live.house.shown)))


def meters_of(state: TableState, shown: dict[int, int]) -> list[int]:
    """What each jackpot game shows now: linked ones move with other tables too."""
    meters = []
    for game, jackpot in enumerate(state.rules.jackpots, start=1):
        link = state.links.get(game)
        own = state.round.meters[game - 1].cents if state.round else jackpot.seed
        meters.append(shown.get(link.jackpot, own) if link else own)
    return meters
