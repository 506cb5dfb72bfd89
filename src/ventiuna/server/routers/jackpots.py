"""Progressive jackpots: everyone sees the meters, and operators manage the jackpots."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from ventiuna.rules.data_files import jackpot_tables
from ventiuna.rules.text.phrases import meter_words, one_match_words
from ventiuna.server.deps import (
    Cents,
    CurrentPerson,
    IdempotencyKey,
    LiveTables,
    PathId,
    ReasonBody,
    act_of,
    permitted_router,
)
from ventiuna.server.schemas import load_named_rules
from ventiuna.table import admin, listings
from ventiuna.table.jackpots import progressive as do
from ventiuna.table.jackpots.progressive import settings_of
from ventiuna.table.listings import DisplayedJackpot
from ventiuna.table.moments import moment_data

router = permitted_router("jackpots", "/jackpots")
MAX_MOVEMENTS = 200
MovementLimit = Annotated[int, Query(ge=1, le=MAX_MOVEMENTS)]
After = Annotated[int, Query(ge=0, le=2**53, description="The last version you have.")]


class JackpotData(BaseModel):
    """A progressive, as displayed at the tables."""

    id: int
    name: str
    status: Literal["open", "suspended", "removed"]
    shown: int = Field(description="Cents.", examples=[1_234_521])
    maximum: int | None
    seed: int
    wager: int
    tables: dict[str, int] = Field(description="The jackpot game of each linked table.")


class FundData(JackpotData):
    """A progressive including the undisplayed part of its fund."""

    pay_table: str
    pays: str = Field(
        description="What its meter and its pay table pay.",
        examples=["10% or all of the meter; one match 3 for 1, suited 5 for 1"],
    )
    meter_rate: int = Field(description="Share of each wager, in ten-thousandths.")
    reserve: int
    reserve_rate: int = Field(description="Share of each wager, in ten-thousandths.")
    advanced: int = Field(description="Seed money advanced by the house and not recovered yet.")
    advance_limit: int | None
    missing: int = Field(description="Seed money that a reset could not provide.")


class NewJackpot(ReasonBody):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "The big one",
                    "rules": "wsgc-2021(jackpots=3c:1)",
                    "game": 1,
                    "maximum": 10_000_000,
                    "reason": "for tables 1 to 4",
                }
            ]
        }
    )

    name: str = Field(max_length=60)
    rules: str = Field(max_length=2_000, description="Rules of tables that may feed the jackpot.")
    game: Annotated[int, Field(ge=1, le=2)] = 1
    maximum: Cents | None = None
    reserve_rate: Annotated[int, Field(ge=0, le=10_000)] = 0
    advance_limit: Cents | None = None


class PaidAward(BaseModel):
    """An award paid from the meter."""

    player: str = Field(examples=["Ana", "seat 3"])
    round: int
    cents: int
    hand_pay: bool = Field(description="Whether it is paid by hand, away from the table (R-122).")


class Movement(BaseModel):
    """An entry of the jackpot's book."""

    version: int
    at: int = Field(description="Milliseconds since 1970.")
    actor: str = Field(examples=["person/3", "table/7"])
    called: str = Field(description="Name of the actor.", examples=["Ana", "table/7"])
    act: str = Field(examples=["SeedJackpot"])
    told: dict[str, str] = Field(examples=[{"name": "Seed jackpot", "details": "$50"}])
    reason: str | None
    postings: list[dict[str, object]]
    awards: list[PaidAward]


def _public(found: DisplayedJackpot) -> JackpotData:
    jackpot = found.jackpot
    return JackpotData(
        id=jackpot.number,
        name=jackpot.name,
        status=jackpot.status.value,
        shown=found.shown,
        maximum=jackpot.maximum,
        seed=jackpot.settings.seed,
        wager=jackpot.settings.wager,
        tables={str(table): game for table, game in sorted(jackpot.tables.items())},
    )


def fund_data(found: DisplayedJackpot) -> FundData:
    jackpot = found.jackpot
    table = jackpot_tables()[jackpot.settings.table]
    return FundData(
        **_public(found).model_dump(),
        pay_table=f"{jackpot.settings.table}:{jackpot.settings.pay_table}",
        pays=f"{meter_words(table.special_lines(jackpot.settings.alternate))}; "
        f"{one_match_words(table.pay_tables[jackpot.settings.pay_table])}",
        meter_rate=jackpot.settings.contribution,
        reserve=found.reserve,
        reserve_rate=jackpot.reserve_rate,
        advanced=jackpot.advanced,
        advance_limit=jackpot.advance_limit,
        missing=jackpot.missing,
    )


@router.get("")
async def list_jackpots(live: LiveTables) -> list[JackpotData]:
    """Every progressive and its meter."""
    item = await live.reads.run("jackpots", listings.list_jackpots)
    return [_public(one) for one in item]


@router.get("/{number}")
def fund(number: PathId, live: LiveTables) -> FundData:
    """The whole fund."""
    with live.store.read() as connection:
        return fund_data(listings.find_jackpot(connection, number))


@router.get("/{number}/movements")
def movements(
    number: PathId, live: LiveTables, after: After = 0, most: MovementLimit = 50
) -> list[Movement]:
    """Movements of the fund, entry by entry, each with its reason."""
    with live.store.read() as connection:
        listings.find_jackpot(connection, number)
        found = listings.movements(connection, number, after, most)
    return [Movement.model_validate(item) for item in found]


class MeterPoint(BaseModel):
    at: int = Field(description="Milliseconds since 1970.")
    shown_cents: int


class MeterAward(BaseModel):
    at: int
    cents: int
    table: int = Field(description="The table that paid it.")


class MeterHistory(BaseModel):
    """The display of a progressive over time."""

    jackpot: int
    points: list[MeterPoint] = Field(description="At equal intervals, oldest first.")
    awards: list[MeterAward]


@router.get("/{number}/history")
def meter_history(
    number: PathId,
    live: LiveTables,
    since: Annotated[
        int,
        Query(
            ge=0, le=2**53, description="Milliseconds since 1970; 0 for the time of its creation."
        ),
    ] = 0,
    until: Annotated[
        int, Query(ge=0, le=2**53, description="0 for the time of the last entry.")
    ] = 0,
    points: Annotated[int, Query(ge=1, le=1000)] = 120,
) -> MeterHistory:
    """The amounts that the meter displayed over time, and the awards paid from it."""
    with live.store.read() as connection:
        listings.find_jackpot(connection, number)
        found = live.moments.curve(connection, number, since, until, points)
    return MeterHistory.model_validate(moment_data(found))


@router.post("", status_code=201)
def create(
    body: NewJackpot, live: LiveTables, operator: CurrentPerson, key: IdempotencyKey = ""
) -> FundData:
    """Create a progressive, with its seed, for tables with the same jackpot settings."""
    command = do.CreateJackpot(
        body.name,
        settings_of(load_named_rules(body.rules), body.game).data(),
        body.reason,
        body.maximum,
        body.reserve_rate,
        body.advance_limit,
    )
    act = act_of(live, operator, key)
    number = admin.run_action(
        live.writer, lambda connection: admin.create_jackpot(connection, act, command)
    )
    with live.store.read() as connection:
        return fund_data(listings.find_jackpot(connection, number))
