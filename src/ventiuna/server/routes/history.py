"""Rounds that are over: one's own, and any of a table for those who oversee the house."""

from __future__ import annotations

import hmac
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from ventiuna.notation import NotationError
from ventiuna.server.acting import Key, LiveTables, Number, Overseer
from ventiuna.server.problems import Declined
from ventiuna.server.routes.fairness import require_table
from ventiuna.server.security import Somebody
from ventiuna.server.tables import Tables
from ventiuna.table.persons.history import played_in, rounds_of_person
from ventiuna.table.persons.people import Person, Role
from ventiuna.table.play.shoes import HouseShoes
from ventiuna.table.records.recall import (
    RecalledRound,
    RecallError,
    notation,
    recall,
    recalled_data,
    rounds_of,
    told,
)
from ventiuna.table.records.replay import replay_data, shared_data

router = APIRouter(tags=["history"])
Most = Annotated[int, Query(ge=1, le=100)]


class OwnRound(BaseModel):
    table: int
    table_name: str
    number: int
    shoe: int
    outcome: Literal["open", "closed", "void"]
    at: int = Field(description="Milliseconds since 1970, of the first wager.")
    spots: list[int]
    net: int | None = Field(description="Won or lost, in cents; nothing while it is open.")


class SharedRound(BaseModel):
    by: str = Field(description="For the link: `#/history/3/17?by=…`.")


class TableRounds(BaseModel):
    rounds: list[int] = Field(description="The newest first.")


@router.get("/history")
async def own_rounds(
    live: LiveTables,
    found: Somebody,
    before: Annotated[
        int | None, Query(ge=0, le=2**53, description="The time of the last one that is known.")
    ] = None,
    most: Most = 20,
) -> list[OwnRound]:
    """Rounds that you played in, the newest first."""
    played = await live.read(lambda one: rounds_of_person(one, found.id, before, most))
    return [OwnRound.model_validate(one, from_attributes=True) for one in played]


@router.get("/tables/{number}/rounds")
def table_rounds(
    number: Number,
    live: LiveTables,
    _: Overseer,
    before: Annotated[int, Query(ge=0, le=2**53)] = 0,
    most: Most = 20,
) -> TableRounds:
    """Numbers of a table's rounds."""
    with live.store.read() as connection:
        require_table(connection, number)
        return TableRounds(rounds=rounds_of(connection, number, most, before))


@router.get("/tables/{number}/rounds/{round_number}")
def one_round(
    number: Number,
    round_number: Number,
    live: LiveTables,
    found: Somebody,
    written: Annotated[
        Literal["json", "text", "notation", "replay"],
        Query(alias="format", description="How it is told; a replay is told as by a socket."),
    ] = "json",
) -> Response:
    """A round step by step, as a replay. Players see those that they wagered in."""
    with live.store.read() as connection:
        _check_may_see(connection, found, number, round_number)
        recalled = _recalled(connection, number, round_number)
    if written == "json":
        return JSONResponse(recalled_data(recalled))
    if written == "replay":
        return JSONResponse(replay_data(recalled))
    if written == "text":
        return PlainTextResponse("\n".join(told(recalled, str(found.id))) + "\n")
    return _notation(recalled)


@router.post("/tables/{number}/rounds/{round_number}/share")
def share(
    number: Number, round_number: Number, live: LiveTables, found: Somebody, key: Key = ""
) -> SharedRound:
    """What makes a link to a round good for everybody: only who may see it can give it on."""
    with live.store.read() as connection:
        _check_may_see(connection, found, number, round_number)
        recalled = _recalled(connection, number, round_number)
    if recalled.outcome == "open":
        raise Declined(409, "round_open", "The round is not over: share it when it is.")
    return SharedRound(by=_signature(live, number, round_number))


@router.get("/shared/{number}/{round_number}")
def shared_round(
    number: Number,
    round_number: Number,
    live: LiveTables,
    by: Annotated[str, Query(max_length=64, description="From the link.")],
    written: Annotated[Literal["replay", "notation"], Query(alias="format")] = "replay",
) -> Response:
    """A round that one of its players shares, without names."""
    if not hmac.compare_digest(by.encode(), _signature(live, number, round_number).encode()):
        raise Declined(403, "not_shared", "This link is not one that the house gave: ask for it.")
    with live.store.read() as connection:
        recalled = _recalled(connection, number, round_number)
    if written == "notation":
        return _notation(recalled)
    return JSONResponse(shared_data(recalled))


def _signature(live: Tables, table: int, number: int) -> str:
    shoes = live.house.shoes
    assert isinstance(shoes, HouseShoes), "a house that is served has its key"
    return shoes.signature("share", f"{live.house.name} {table} {number}")


def _recalled(connection: Connection, table: int, number: int) -> RecalledRound:
    require_table(connection, table)
    try:
        return recall(connection, table, number)
    except RecallError as error:
        raise Declined(404, "no_such_round", str(error)) from None


def _notation(recalled: RecalledRound) -> Response:
    try:
        return PlainTextResponse(notation(recalled, complete=False))
    except NotationError as error:
        raise Declined(409, "no_notation", f"{error}.") from None


def _check_may_see(connection: Connection, found: Person, table: int, number: int) -> None:
    """How many rounds a table has everybody sees; what happened in them is who wagered's."""
    if found.role is not Role.PLAYER or played_in(connection, found.id, table, number):
        return
    require_table(connection, table)
    if number not in rounds_of(connection, table, most=1, before=number + 1):
        raise Declined(404, "no_such_round", f"Table {table} has no round {number}.")
    raise Declined(
        403,
        "not_allowed",
        "You did not wager in this round: somebody who did can give you a link to it.",
    )
