"""Progressive jackpots: everyone sees their meters, operators manage them."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import IntegrityError

from ventiuna.server.deps import (
    Amount,
    Cents,
    IdempotencyKey,
    LiveTables,
    Operator,
    Overseer,
    PathId,
    ReasonBody,
    act_of,
    run_operator_action,
)
from ventiuna.server.live_tables import Tables
from ventiuna.server.problems import PROBLEM_RESPONSES
from ventiuna.server.schemas import load_named_rules
from ventiuna.table import admin, listings
from ventiuna.table.accounts import Person
from ventiuna.table.jackpots import progressive as do
from ventiuna.table.jackpots.progressive import settings_of
from ventiuna.table.journal import seal_books
from ventiuna.table.listings import DisplayedJackpot

router = APIRouter(prefix="/jackpots", tags=["jackpots"], responses=PROBLEM_RESPONSES)
MAX_MOVEMENTS = 200
MovementLimit = Annotated[int, Query(ge=1, le=MAX_MOVEMENTS)]
After = Annotated[int, Query(ge=0, le=2**53, description="The last version you have.")]


class JackpotData(BaseModel):
    """A progressive as displayed at the tables."""

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
    rules: str = Field(max_length=2_000, description="Rules of the tables that may feed it.")
    game: Annotated[int, Field(ge=1, le=2)] = 1
    maximum: Cents | None = None
    reserve_rate: Annotated[int, Field(ge=0, le=10_000)] = 0
    advance_limit: Cents | None = None


class Maximum(ReasonBody):
    maximum: Cents | None = Field(description="Null for no maximum.", examples=[10_000_000])


class AdvanceLimit(ReasonBody):
    limit: Cents | None = Field(examples=[500_000])


class Money(ReasonBody):
    amount: Amount


class Correction(Money):
    direction: Literal["up", "down"]


class Removal(ReasonBody):
    to: Annotated[int, Field(ge=1, le=2**53)] | None = Field(
        None, description="The progressive that receives the players' money.", examples=[14]
    )


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


def _fund(found: DisplayedJackpot) -> FundData:
    jackpot = found.jackpot
    return FundData(
        **_public(found).model_dump(),
        pay_table=f"{jackpot.settings.table}:{jackpot.settings.pay_table}",
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
def fund(number: PathId, live: LiveTables, _: Overseer) -> FundData:
    """The whole fund."""
    with live.store.read() as connection:
        return _fund(listings.find_jackpot(connection, number))


@router.get("/{number}/movements")
def movements(
    number: PathId, live: LiveTables, _: Overseer, after: After = 0, most: MovementLimit = 50
) -> list[Movement]:
    """Movements of the fund, entry by entry, each with its reason."""
    with live.store.read() as connection:
        listings.find_jackpot(connection, number)
        found = listings.movements(connection, number, after, most)
    return [Movement.model_validate(item) for item in found]


@router.post("", status_code=201)
def create(
    body: NewJackpot, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """Create a progressive, with its seed, for tables whose jackpot game has the same settings."""
    command = do.CreateJackpot(
        body.name,
        settings_of(load_named_rules(body.rules), body.game).data(),
        body.reason,
        body.maximum,
        body.reserve_rate,
        body.advance_limit,
    )
    act = act_of(live, operator, key)
    number = run_operator_action(
        live, lambda connection: admin.create_jackpot(connection, act, command)
    )
    with live.store.read() as connection:
        return _fund(listings.find_jackpot(connection, number))


def _run_change(
    live: Tables,
    operator: Person,
    key: str,
    number: int,
    command: do.MeterCommand | do.RemoveJackpot,
) -> FundData:
    """Run the command and return the updated fund."""
    act = act_of(live, operator, key)
    run_operator_action(
        live, lambda connection: admin.change_jackpot(connection, act, number, command)
    )
    with live.store.read() as connection:
        return _fund(listings.find_jackpot(connection, number))


def _seal_journal(live: Tables) -> None:
    with suppress(IntegrityError):  # someone else is sealing at the same time
        live.writer.run(lambda connection: seal_books(connection, live.clock.now()))


@router.post("/{number}/suspend")
def suspend(
    number: PathId,
    body: ReasonBody,
    live: LiveTables,
    operator: Operator,
    key: IdempotencyKey = "",
) -> FundData:
    """Stop taking wagers."""
    found = _run_change(live, operator, key, number, do.SuspendJackpot(body.reason))
    _seal_journal(live)  # a permanent record of what came before and after
    return found


@router.post("/{number}/resume")
def resume(
    number: PathId,
    body: ReasonBody,
    live: LiveTables,
    operator: Operator,
    key: IdempotencyKey = "",
) -> FundData:
    """Take wagers again."""
    return _run_change(live, operator, key, number, do.ResumeJackpot(body.reason))


@router.post("/{number}/maximum")
def set_maximum(
    number: PathId, body: Maximum, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """Set the maximum, at or above the current meter (WAC 230-15-685)."""
    return _run_change(live, operator, key, number, do.SetMaximum(body.maximum, body.reason))


@router.post("/{number}/advance-limit")
def set_advance_limit(
    number: PathId,
    body: AdvanceLimit,
    live: LiveTables,
    operator: Operator,
    key: IdempotencyKey = "",
) -> FundData:
    """Limit the seed money the house advances."""
    return _run_change(live, operator, key, number, do.SetAdvanceLimit(body.limit, body.reason))


@router.post("/{number}/seed")
def seed(
    number: PathId, body: Money, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """Add seed money to the meter, from the reserve first, the rest from the house."""
    return _run_change(live, operator, key, number, do.SeedJackpot(body.amount, body.reason))


@router.post("/{number}/recover")
def recover(
    number: PathId, body: Money, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """Return seed money to the house, at most the amount it advanced."""
    return _run_change(live, operator, key, number, do.RecoverSeed(body.amount, body.reason))


@router.post("/{number}/correct")
def correct(
    number: PathId,
    body: Correction,
    live: LiveTables,
    operator: Operator,
    key: IdempotencyKey = "",
) -> FundData:
    """Correct a wrong display (WAC 230-15-695)."""
    correction = do.CorrectUp if body.direction == "up" else do.CorrectDown
    return _run_change(live, operator, key, number, correction(body.amount, body.reason))


@router.post("/{number}/receipts")
def receipts(
    number: PathId, body: Money, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """Take out undisplayed funds as gross receipts."""
    return _run_change(live, operator, key, number, do.TakeReceipts(body.amount, body.reason))


@router.post("/{number}/remove")
def remove(
    number: PathId, body: Removal, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """Remove a progressive; players' money moves to another one, or it stays, suspended."""
    return _run_change(live, operator, key, number, do.RemoveJackpot(body.to, body.reason))
