"""For everybody who wants to check the house: shoes and seals."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from ventiuna.server.acting import LiveTables, Number
from ventiuna.server.problems import Declined
from ventiuna.table.books.entries import BookKind
from ventiuna.table.books.seals import Seal, find_seal, newest_seal
from ventiuna.table.records import registers
from ventiuna.table.records.public_records import public_record
from ventiuna.table.shoes.shoe_record import RecordError, record_data

router = APIRouter(tags=["fairness"])


class ShoeData(BaseModel):
    number: int
    state: Literal["committed", "in_play", "ended"]
    commitment: str = Field(description="Hash of the context and the secret behind its cards.")
    source: Literal["os", "test"]


class SealData(BaseModel):
    """One hash over all books of the house; keep it, and the house can't rewrite them."""

    number: int
    at: int = Field(description="Milliseconds since 1970.")
    heads: str
    previous: str
    hash: str


@router.get("/tables/{number}/shoes")
def shoes(number: Number, live: LiveTables) -> list[ShoeData]:
    """All shoes of a table; the last ones are in play and committed for later."""
    with live.store.read() as connection:
        require_table(connection, number)
        return [
            ShoeData.model_validate(line, from_attributes=True)
            for line in registers.shoes_of(connection, number)
        ]


@router.get("/tables/{number}/shoes/{shoe}")
def record(number: Number, shoe: Number, live: LiveTables) -> JSONResponse:
    """The public record of an ended shoe: `ventiuna verify` checks it."""
    with live.store.read() as connection:
        require_table(connection, number)
        known = {line.number: line for line in registers.shoes_of(connection, number)}
        if shoe not in known:
            raise Declined(404, "no_such_shoe", f"Table {number} has no shoe {shoe}.")
        try:
            return JSONResponse(record_data(public_record(connection, number, shoe)))
        except RecordError as error:
            raise Declined(409, "shoe_in_play", str(error)) from None


@router.get("/seals/newest")
async def newest(live: LiveTables) -> SealData:
    """The last seal."""
    found = await live.read(newest_seal)
    return _seal(found, "There is no seal yet. The first one is made within a minute.")


@router.get("/seals/{number}")
def one_seal(number: Number, live: LiveTables) -> SealData:
    """A seal by its number."""
    with live.store.read() as connection:
        return _seal(find_seal(connection, number), f"There is no seal {number}.")


def _seal(found: Seal | None, sentence: str) -> SealData:
    if found is None:
        raise Declined(404, "no_such_seal", sentence)
    return SealData(
        number=found.number,
        at=found.at,
        heads=found.heads.hex(),
        previous=found.previous.hex(),
        hash=found.hash.hex(),
    )


def require_table(connection: Connection, number: int) -> None:
    if registers.kind_of_book(connection, number) is not BookKind.TABLE:
        raise Declined(404, "no_such_table", f"There is no table {number}.")
