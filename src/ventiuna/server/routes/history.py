"""Rounds that are over: one's own, and any of a table for those who oversee the house."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from ventiuna.notation import NotationError
from ventiuna.server.acting import LiveTables, Number, Overseer
from ventiuna.server.problems import Declined, not_allowed
from ventiuna.server.routes.fairness import require_table
from ventiuna.server.security import Somebody
from ventiuna.table.history import played_in, rounds_of_person
from ventiuna.table.people import Person, Role
from ventiuna.table.recall import RecallError, notation, recall, recalled_data, rounds_of, told

router = APIRouter(tags=["history"])
Most = Annotated[int, Query(ge=1, le=100)]


class OwnRound(BaseModel):
    table: int
    number: int
    shoe: int
    outcome: Literal["open", "closed", "void"]
    at: int = Field(description="Milliseconds since 1970, of the first wager.")
    spots: list[int]
    net: int | None = Field(description="Won or lost, in cents; nothing while it is open.")


class TableRounds(BaseModel):
    rounds: list[int] = Field(description="The newest first.")


@router.get("/history")
def own_rounds(
    live: LiveTables,
    found: Somebody,
    before: Annotated[
        int | None, Query(ge=0, le=2**53, description="The time of the last one that is known.")
    ] = None,
    most: Most = 20,
) -> list[OwnRound]:
    """Rounds that you played in, the newest first."""
    with live.store.read() as connection:
        played = rounds_of_person(connection, found.id, before, most)
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
        Literal["json", "text", "notation"], Query(alias="format", description="How it is told.")
    ] = "json",
) -> Response:
    """A round step by step, as a replay. Players see those that they wagered in."""
    with live.store.read() as connection:
        _check_may_see(connection, found, number, round_number)
        require_table(connection, number)
        try:
            recalled = recall(connection, number, round_number)
        except RecallError as error:
            raise Declined(404, "no_such_round", str(error)) from None
    if written == "json":
        return JSONResponse(recalled_data(recalled))
    if written == "text":
        return PlainTextResponse("\n".join(told(recalled, str(found.id))) + "\n")
    try:
        return PlainTextResponse(notation(recalled))
    except NotationError as error:
        raise Declined(409, "no_notation", f"{error}.") from None


def _check_may_see(connection: Connection, found: Person, table: int, number: int) -> None:
    """Whether a round of others exists can't be told from the answer."""
    if found.role is Role.PLAYER and not played_in(connection, found.id, table, number):
        raise not_allowed()
