"""The lobby: tables to watch and to play at; operators open, close and mend them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import func, select

from ventiuna.engine.commands import VoidRound
from ventiuna.engine.stakes import Stakes
from ventiuna.rules import canonical, rules_data
from ventiuna.server import own_tables
from ventiuna.server.acting import (
    DoneData,
    Key,
    LiveTables,
    Number,
    Operator,
    Why,
    act_of,
    carry_out,
    check_runs,
    command,
)
from ventiuna.server.given import house_rules
from ventiuna.server.problems import Declined
from ventiuna.server.security import Somebody, Visitor
from ventiuna.table.house import administration
from ventiuna.table.house.own_tables import own_tables as tables_of_people
from ventiuna.table.persons.people import Role
from ventiuna.table.play import commands as do
from ventiuna.table.play.commands import OpenTable
from ventiuna.table.store import schema
from ventiuna.table.store.prepared import Prepared
from ventiuna.table.telling.views import snapshot
from ventiuna.table.writing.loading import stored_rules

router = APIRouter(prefix="/tables", tags=["tables"])
Game = Annotated[int, Field(ge=1, le=2, description="A jackpot game of the table's rules.")]


class TableData(BaseModel):
    """A line of the lobby."""

    id: int
    name: str
    rules: str = Field(description="The preset or file.")
    canonical: str = Field(description="With what differs from it.")
    fingerprint: str = Field(description="Equal for rules that decide alike.")
    status: str
    seats: int = Field(description="That are taken.")


class NewTable(Why):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "Table 1",
                    "rules": "wsgc-spanish-21(decks=6)",
                    "clocks": {"decision": 30_000},
                    "reason": "a busy evening",
                }
            ]
        }
    )

    name: str = Field(max_length=60)
    rules: str = Field(max_length=2_000, description="A preset, with options where it has any.")
    clocks: dict[str, int] = Field(
        default_factory=dict,
        description="Milliseconds, of those clocks that are not as usual.",
    )
    jackpots: dict[str, int] = Field(
        default_factory=dict,
        description="Progressives that it feeds, by game; a game that is left out gets its own.",
        examples=[{"1": 12}],
    )


class OpenedTable(BaseModel):
    id: int
    jackpots: dict[str, int] = Field(description="Its progressives by game.")


class LinkedJackpot(Why):
    game: Game
    jackpot: int = Field(ge=1, le=2**53, examples=[12])


class UnlinkedJackpot(Why):
    game: Game


_OPEN_TABLES = Prepared(
    select(
        schema.game_table,
        select(func.count())
        .select_from(schema.seat)
        .where(schema.seat.c.table_id == schema.game_table.c.id)
        .scalar_subquery()
        .label("taken"),
    )
    .where(schema.game_table.c.state != "closed")
    .order_by(schema.game_table.c.id)
)


@router.get("")
async def lobby(live: LiveTables, found: Visitor) -> list[TableData]:
    """All tables of the house that are not closed; those that people have for themselves are
    among them for operators and auditors alone."""
    oversees = found is not None and found.role is not Role.PLAYER
    rows, own = await live.read(lambda one: (_OPEN_TABLES.all(one), tables_of_people(one)))
    hidden = set() if oversees else {line.table for line in own}
    return [
        TableData(
            id=row.id,
            name=row.name,
            rules=row.rules_name,
            canonical=canonical(stored_rules(row.rules_data, live.house.rules)),
            fingerprint=row.rules_fingerprint,
            status=row.state,
            seats=row.taken,
        )
        for row in rows
        if row.id not in hidden
    ]


@router.post("", status_code=201)
def make_table(asked: NewTable, live: LiveTables, operator: Operator, key: Key = "") -> OpenedTable:
    """Open a table under rules that stay its own, whatever becomes of the preset."""
    rules = house_rules(asked.rules)
    opening = OpenTable(asked.name, rules_data(rules), Stakes(asked.clocks), asked.reason)
    linked = _games(asked.jackpots)
    act = act_of(live, operator, key)
    opened = carry_out(
        live,
        lambda connection: administration.open_table(connection, live.house, act, opening, linked),
    )
    return OpenedTable(
        id=opened.number,
        jackpots={str(game): number for game, number in sorted(opened.jackpots.items())},
    )


def _games(jackpots: dict[str, int]) -> dict[int, int]:
    for game in jackpots:
        if game not in ("1", "2"):
            raise Declined(422, "bad_request", "jackpots: name games 1 and 2.")
    return {int(game): number for game, number in jackpots.items()}


@router.get("/{number}")
async def table(number: Number, live: LiveTables) -> dict[str, object]:
    """The table as everybody sees it now; the socket tells what happens next."""
    state = await live.state(number)
    if state is None:
        raise Declined(404, "no_such_table", f"There is no table {number}.")
    return snapshot(state, live.hub.suspended)


@router.post("/{number}/close")
async def close(
    number: Number, asked: Why, live: LiveTables, found: Somebody, key: Key = ""
) -> DoneData:
    """No new round; after the open one everybody is cashed out and the shoe is told. For
    operators, and for the owner of a table of one's own."""
    await check_runs(live, found, number)
    if found.role is Role.OPERATOR:
        return await command(live, found, key, number, do.CloseTable(asked.reason))
    return DoneData(n=await own_tables.close(live, found.id, number, asked.reason))


@router.post("/{number}/void")
async def void(
    number: Number, asked: Why, live: LiveTables, operator: Operator, key: Key = ""
) -> DoneData:
    """Call the open round off: everybody gets back what it took, and the shoe ends."""
    return await command(live, operator, key, number, VoidRound(asked.reason))


@router.post("/{number}/resume")
async def resume(
    number: Number, asked: Why, live: LiveTables, operator: Operator, key: Key = ""
) -> DoneData:
    """Let a table that met a fault go on."""
    return await command(live, operator, key, number, do.ResumeTable(asked.reason))


@router.post("/{number}/drop")
async def drop(
    number: Number, asked: Why, live: LiveTables, operator: Operator, key: Key = ""
) -> DoneData:
    """The bank's result goes to the house, between rounds."""
    return await command(live, operator, key, number, do.DropBank(asked.reason))


@router.post("/{number}/link")
async def link(
    number: Number, asked: LinkedJackpot, live: LiveTables, operator: Operator, key: Key = ""
) -> DoneData:
    """Feed a progressive of equal settings from now on."""
    linking = do.LinkJackpot(asked.game, asked.jackpot, asked.reason)
    return await command(live, operator, key, number, linking)


@router.post("/{number}/unlink")
async def unlink(
    number: Number, asked: UnlinkedJackpot, live: LiveTables, operator: Operator, key: Key = ""
) -> DoneData:
    """Feed it no more; what was contributed stays in the meter."""
    unlinking = do.UnlinkJackpot(asked.game, asked.reason)
    return await command(live, operator, key, number, unlinking)
