"""For operators and auditors: the books as they are written, and audits of them."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from ventiuna.server.acting import Key, LiveTables, Number, Overseer
from ventiuna.server.audits import Audits
from ventiuna.server.problems import Declined
from ventiuna.table.books.ledger_view import Wanted, ledger
from ventiuna.table.records import registers

router = APIRouter(tags=["books"])


async def audits_of(request: Request) -> Audits:
    found = request.app.state.audits
    assert isinstance(found, Audits)
    return found


HouseAudits = Annotated[Audits, Depends(audits_of)]


class BookData(BaseModel):
    number: int
    kind: Literal["table", "jackpot", "cashier"]
    version: int
    events: int
    head: str = Field(description="Hash of its last entry.")


class LedgerLineData(BaseModel):
    kind: str = Field(examples=["wallet"])
    meaning: str
    accounts: int
    cents: int


class LedgerData(BaseModel):
    lines: list[LedgerLineData]
    sum: int = Field(description="Always 0.")


class AuditData(BaseModel):
    """How far an audit is, and in the end what it found."""

    id: int
    state: Literal["running", "interrupted", "done", "cancelled", "failed"]
    entries: int = Field(description="Looked at so far.")
    of: int
    result: dict[str, object] | None


@router.get("/books")
def list_books(live: LiveTables, _: Overseer) -> list[BookData]:
    """Every book of the house."""
    with live.store.read() as connection:
        found = registers.books(connection)
    return [BookData.model_validate(line, from_attributes=True) for line in found]


@router.get("/ledger")
def sums(live: LiveTables, _: Overseer) -> LedgerData:
    """What the accounts of each kind hold together; the sum of all is 0."""
    with live.store.read() as connection:
        lines = [
            LedgerLineData.model_validate(line, from_attributes=True) for line in ledger(connection)
        ]
    return LedgerData(lines=lines, sum=sum(line.cents for line in lines))


@router.get("/entries")
def found_entries(
    live: LiveTables,
    _: Overseer,
    book: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    actor: Annotated[str, Query(max_length=60, examples=["person/3"])] = "",
    text: Annotated[str, Query(max_length=100, description="Part of a command or reason.")] = "",
    code: Annotated[
        str, Query(max_length=30, description="Of a posting.", examples=["award"])
    ] = "",
    before: Annotated[int | None, Query(ge=0, le=2**53, description="A time.")] = None,
    most: Annotated[int, Query(ge=1, le=200)] = 50,
) -> JSONResponse:
    """Entries of all books that fit, the newest first."""
    with live.store.read() as connection:
        wanted = Wanted(book, actor, text, code)
        return JSONResponse(registers.found_entries(connection, wanted, before, most))


@router.get("/books/{number}")
def entries(
    number: Number,
    live: LiveTables,
    _: Overseer,
    after: Annotated[int, Query(ge=0, le=2**53, description="The last version that is known.")] = 0,
    most: Annotated[int, Query(ge=1, le=200)] = 50,
) -> JSONResponse:
    """Entries of a book in their order: who, what, which events, what they moved."""
    with live.store.read() as connection:
        if registers.kind_of_book(connection, number) is None:
            raise Declined(404, "no_such_book", f"There is no book {number}.")
        return JSONResponse(registers.entries_of(connection, number, after, most))


@router.post("/audits", status_code=202)
async def begin_audit(audits: HouseAudits, _: Overseer, key: Key = "") -> AuditData:
    """Work all books out again, in a thread of its own; one audit at a time."""
    return AuditData.model_validate(await audits.begin(), from_attributes=True)


@router.get("/audits")
async def last_audits(audits: HouseAudits, _: Overseer) -> list[AuditData]:
    """The last ones, the newest first; at most one is running."""
    found = await audits.last()
    return [AuditData.model_validate(one, from_attributes=True) for one in found]


@router.get("/audits/{number}")
async def audit(number: Number, audits: HouseAudits, _: Overseer) -> AuditData:
    """How far it is; the differences that it found."""
    return AuditData.model_validate(await audits.find(number), from_attributes=True)


@router.delete("/audits/{number}")
async def cancel_audit(number: Number, audits: HouseAudits, _: Overseer) -> AuditData:
    """End one that runs; what was looked at so far is dropped."""
    return AuditData.model_validate(await audits.cancel(number), from_attributes=True)
