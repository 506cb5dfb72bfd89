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
from ventiuna.server.schemas import load_named_rules
from ventiuna.table import admin, listings
from ventiuna.table.accounts import Person
from ventiuna.table.jackpots import progressive as do
from ventiuna.table.jackpots.progressive import settings_of
from ventiuna.table.journal import seal_books
from ventiuna.table.listings import ShownJackpot

router = APIRouter(prefix="/jackpots", tags=["jackpots"])
MAX_MOVEMENTS = 200
MovementLimit = Annotated[int, Query(ge=1, le=MAX_MOVEMENTS)]
After = Annotated[int, Query(ge=0, le=2**53, description="The last version that is known.")]


class JackpotData(BaseModel):
    """What stands at the tables."""

    id: int
    name: str
    status: Literal["open", "suspended", "removed"]
    shown: int = Field(description="Cents.", examples=[1_234_521])
    maximum: int | None
    seed: int
    wager: int
    tables: dict[str, int] = Field(description="The game of each linked table.")


class FundData(JackpotData):
    """With the part of the fund that is not shown."""

    pay_table: str
    reserve: int
    reserve_rate: int = Field(description="Ten-thousandths of each wager.")
    advanced: int = Field(description="Seed money that the house has not got back.")
    advance_limit: int | None
    missing: int = Field(description="Seed money that a reset could not give.")


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
    rules: str = Field(max_length=2_000, description="Rules of tables that may feed it.")
    game: Annotated[int, Field(ge=1, le=2)] = 1
    maximum: Cents | None = None
    reserve_rate: Annotated[int, Field(ge=0, le=10_000)] = 0
    advance_limit: Cents | None = None


class Maximum(ReasonBody):
    maximum: Cents | None = Field(description="Left empty: without one.", examples=[10_000_000])


class AdvanceLimit(ReasonBody):
    limit: Cents | None = Field(examples=[500_000])


class Money(ReasonBody):
    amount: Amount


class Correction(Money):
    direction: Literal["up", "down"]


class Removal(ReasonBody):
    to: Annotated[int, Field(ge=1, le=2**53)] | None = Field(
        None, description="The progressive that gets the players' money.", examples=[14]
    )


class Movement(BaseModel):
    """An entry of the jackpot's book."""

    version: int
    at: int = Field(description="Milliseconds since 1970.")
    actor: str = Field(examples=["person/3", "table/7"])
    called: str = Field(description="The actor by name.", examples=["Ana", "table/7"])
    act: str = Field(examples=["SeedJackpot"])
    told: dict[str, str] = Field(examples=[{"name": "Seed jackpot", "details": "$50"}])
    reason: str | None
    postings: list[dict[str, object]]


def _public(found: ShownJackpot) -> JackpotData:
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


def _fund(found: ShownJackpot) -> FundData:
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
    """What every progressive shows."""
    return [_public(found) for found in await live.read(listings.list_jackpots)]


@router.get("/{number}")
def fund(number: PathId, live: LiveTables, _: Overseer) -> FundData:
    """The whole fund."""
    with live.store.read() as connection:
        return _fund(listings.find_jackpot(connection, number))


@router.get("/{number}/movements")
def movements(
    number: PathId, live: LiveTables, _: Overseer, after: After = 0, most: MovementLimit = 50
) -> list[Movement]:
    """What moved it, entry by entry, each with its reason."""
    with live.store.read() as connection:
        listings.find_jackpot(connection, number)
        found = listings.movements(connection, number, after, most)
    return [Movement.model_validate(one) for one in found]


@router.post("", status_code=201)
def create(
    asked: NewJackpot, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """A progressive for tables whose jackpot game has the same settings; it opens with its seed."""
    command = do.CreateJackpot(
        asked.name,
        settings_of(load_named_rules(asked.rules), asked.game).data(),
        asked.reason,
        asked.maximum,
        asked.reserve_rate,
        asked.advance_limit,
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
    command: do.OperatorCommand | do.RemoveJackpot,
) -> FundData:
    """Carry it out; the fund after it."""
    act = act_of(live, operator, key)
    run_operator_action(
        live, lambda connection: admin.change_jackpot(connection, act, number, command)
    )
    with live.store.read() as connection:
        return _fund(listings.find_jackpot(connection, number))


def _seal_journal(live: Tables) -> None:
    with suppress(IntegrityError):  # another one seals at the same moment
        live.writer.run(lambda connection: seal_books(connection, live.clock.now()))


@router.post("/{number}/suspend")
def suspend(
    number: PathId,
    asked: ReasonBody,
    live: LiveTables,
    operator: Operator,
    key: IdempotencyKey = "",
) -> FundData:
    """It takes no wagers."""
    found = _run_change(live, operator, key, number, do.SuspendJackpot(asked.reason))
    _seal_journal(live)  # so that what came before it and what after can be told apart for ever
    return found


@router.post("/{number}/resume")
def resume(
    number: PathId,
    asked: ReasonBody,
    live: LiveTables,
    operator: Operator,
    key: IdempotencyKey = "",
) -> FundData:
    """It takes wagers again."""
    return _run_change(live, operator, key, number, do.ResumeJackpot(asked.reason))


@router.post("/{number}/maximum")
def set_maximum(
    number: PathId, asked: Maximum, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """At or above what is shown (WAC 230-15-685)."""
    return _run_change(live, operator, key, number, do.SetMaximum(asked.maximum, asked.reason))


@router.post("/{number}/advance-limit")
def set_advance_limit(
    number: PathId,
    asked: AdvanceLimit,
    live: LiveTables,
    operator: Operator,
    key: IdempotencyKey = "",
) -> FundData:
    """How much seed money the house advances at most."""
    return _run_change(live, operator, key, number, do.SetAdvanceLimit(asked.limit, asked.reason))


@router.post("/{number}/seed")
def seed(
    number: PathId, asked: Money, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """Seed money into the meter: from the reserve first, the rest from the house."""
    return _run_change(live, operator, key, number, do.SeedJackpot(asked.amount, asked.reason))


@router.post("/{number}/recover")
def recover(
    number: PathId, asked: Money, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """Seed money back to the house, at most what it advanced."""
    return _run_change(live, operator, key, number, do.RecoverSeed(asked.amount, asked.reason))


@router.post("/{number}/correct")
def correct(
    number: PathId,
    asked: Correction,
    live: LiveTables,
    operator: Operator,
    key: IdempotencyKey = "",
) -> FundData:
    """Mend a wrong display (WAC 230-15-695)."""
    correction = do.CorrectUp if asked.direction == "up" else do.CorrectDown
    return _run_change(live, operator, key, number, correction(asked.amount, asked.reason))


@router.post("/{number}/receipts")
def receipts(
    number: PathId, asked: Money, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """Take out funds that are not displayed, as gross receipts."""
    return _run_change(live, operator, key, number, do.TakeReceipts(asked.amount, asked.reason))


@router.post("/{number}/remove")
def remove(
    number: PathId, asked: Removal, live: LiveTables, operator: Operator, key: IdempotencyKey = ""
) -> FundData:
    """Out of play; players' money moves to another progressive, or it stays, suspended."""
    return _run_change(live, operator, key, number, do.RemoveJackpot(asked.to, asked.reason))
