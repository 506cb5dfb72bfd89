"""Sitting down: a table of one's own, a seat at any table, and play money to begin again."""

from __future__ import annotations

from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from ventiuna.server import own_tables
from ventiuna.server.acting import Amount, Body, Key, LiveTables, Number, Player
from ventiuna.server.bots import check_bots
from ventiuna.server.given import house_rules
from ventiuna.server.problems import Declined
from ventiuna.server.routes.bots import HouseBots
from ventiuna.server.security import address_of
from ventiuna.server.services import Services, services_of
from ventiuna.table.house.houses import LONGEST_TABLE_NAME
from ventiuna.table.persons import cashier
from ventiuna.table.play.carrying_out import SERVICE
from ventiuna.table.records import registers

router = APIRouter(tags=["tables"])
HouseServices = Annotated[Services, Depends(services_of)]
REFILL = "play money to begin again"


class OwnTable(Body):
    rules: str = Field(
        max_length=2_000,
        description="A preset, with options where it has any.",
        examples=["wsgc-2021(double_double=on)"],
    )
    name: str = Field("", max_length=60, description="Left out: after its owner.")
    bots: int = Field(0, ge=0, description="Players of the house beside you.", examples=[2])
    strategy: str = Field("chart", max_length=60, description="How they play.")


class NewSeat(Body):
    seat: Annotated[int, Field(ge=1, le=7)] | None = Field(
        None, description="Left out: the free one nearest to the middle."
    )
    chips: Amount | None = Field(
        None, description="Cents to buy; left out: up to $1,000 with a new seat."
    )


class SatDown(BaseModel):
    table: int
    seat: int


class Refilled(BaseModel):
    wallet: int = Field(description="Cents away from tables.")


@router.post("/tables/own", status_code=201)
async def open_own_table(
    asked: OwnTable,
    request: Request,
    live: LiveTables,
    house: HouseServices,
    bots: HouseBots,
    found: Player,
    key: Key = "",
) -> SatDown:
    """A table for yourself, with your seat and chips at it. The one you had before is closed; one
    that you leave closes by itself. Nobody else sits down there, and its clocks stand still."""
    rules = house_rules(asked.rules)
    check_bots(asked.bots, asked.strategy, rules)
    await run_sync(house.table_limit.take, address_of(request))
    name = asked.name.strip() or f"{found.name}'s table"[:LONGEST_TABLE_NAME]
    number = await own_tables.begin(live, found, key, name, rules, house.settings.own_tables)
    seat = await own_tables.sit(live, found, number, None, None)
    if asked.bots:
        await bots.fill(number, asked.bots, asked.strategy)
    return SatDown(table=number, seat=seat)


@router.post("/tables/{number}/seat")
async def take_seat(
    number: Number, asked: NewSeat, live: LiveTables, found: Player, key: Key = ""
) -> SatDown:
    """Sit down with chips, as a window at the table does it; whoever sits there stays."""
    seat = await own_tables.sit(live, found, number, asked.seat, asked.chips)
    return SatDown(table=number, seat=seat)


@router.post("/wallet/refill")
def refill(live: LiveTables, house: HouseServices, found: Player) -> Refilled:
    """What every newcomer gets, once more, for who has lost nearly all of it."""
    given, now = house.settings.welcome, live.clock.now()
    with house.store.write() as connection:
        seats = registers.seats_of(connection, found.id)
        left = registers.wallet_of(connection, found.id) + sum(line.stack for line in seats)
        if not given or left > given // 10:
            raise Declined(
                409, "money_left", "Play money is given again to who has less than a tenth of it."
            )
        money = cashier.IssueMoney(found.id, given, REFILL)
        cashier.carry_out(connection, SERVICE, f"refill/{found.id}/{now}", money, now)
        return Refilled(wallet=registers.wallet_of(connection, found.id))
