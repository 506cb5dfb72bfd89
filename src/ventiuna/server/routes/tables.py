"""The lobby: tables to watch and to play at; operators open and close them."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import func, select

from ventiuna.engine.records import LARGEST_NUMBER
from ventiuna.engine.stakes import Stakes
from ventiuna.rules import rules_data
from ventiuna.server.actors import actor_of
from ventiuna.server.given import house_rules
from ventiuna.server.problems import Declined
from ventiuna.server.security import only
from ventiuna.server.tables import Tables
from ventiuna.table.commands import OpenTable
from ventiuna.table.houses import open_table
from ventiuna.table.people import Person, Role
from ventiuna.table.store import schema
from ventiuna.table.views import snapshot

router = APIRouter(prefix="/tables", tags=["tables"])


def tables_of(request: Request) -> Tables:
    found = request.app.state.tables
    assert isinstance(found, Tables)
    return found


LiveTables = Annotated[Tables, Depends(tables_of)]
Operator = Annotated[Person, Depends(only(Role.OPERATOR))]
TableNumber = Annotated[int, Path(ge=1, le=LARGEST_NUMBER)]
Key = Annotated[str, Header(alias="Idempotency-Key", max_length=64)]


class TableData(BaseModel):
    """A line of the lobby."""

    id: int
    name: str
    rules: str
    fingerprint: str
    status: str
    seats: int = Field(description="That are taken.")


class NewTable(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field(max_length=60, examples=["Table 1"])
    rules: str = Field(
        max_length=2_000,
        description="A preset, with options where it has any.",
        examples=["wsgc-spanish-21(decks=6)"],
    )
    clocks: dict[str, int] = Field(
        default_factory=dict,
        description="Milliseconds, of those clocks that are not as usual.",
        examples=[{"decision": 30_000}],
    )


class OpenedTable(BaseModel):
    id: int


@router.get("")
def lobby(live: LiveTables) -> list[TableData]:
    """All tables that are not closed."""
    table, seat = schema.game_table, schema.seat
    taken = (
        select(func.count())
        .select_from(seat)
        .where(seat.c.table_id == table.c.id)
        .scalar_subquery()
        .label("taken")
    )
    query = select(table, taken).where(table.c.state != "closed").order_by(table.c.id)
    with live.store.read() as connection:
        rows = connection.execute(query).all()
    return [
        TableData(
            id=row.id,
            name=row.name,
            rules=row.rules_name,
            fingerprint=row.rules_fingerprint,
            status=row.state,
            seats=row.taken,
        )
        for row in rows
    ]


@router.post("", status_code=201)
def make_table(asked: NewTable, live: LiveTables, operator: Operator, key: Key = "") -> OpenedTable:
    """Open a table under rules that stay its own, whatever becomes of the preset."""
    rules = house_rules(asked.rules)
    command = OpenTable(asked.name, rules_data(rules), Stakes(asked.clocks))
    actor = actor_of(operator)
    number = live.writer.run(
        lambda connection: open_table(
            connection,
            live.house,
            actor,
            key or secrets.token_hex(16),
            command,
            live.clock.now(),
        )
    )
    return OpenedTable(id=number)


@router.get("/{number}")
async def table(number: TableNumber, live: LiveTables) -> dict[str, object]:
    """The table as everybody sees it now; the socket tells what happens next."""
    state = await live.state(number)
    if state is None:
        raise Declined(404, "no_such_table", f"There is no table {number}.")
    return snapshot(state)
