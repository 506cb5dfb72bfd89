"""What routes of operators have in common: who acts, why, under which key."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Depends, Header, Path, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from ventiuna.engine.records import LARGEST_NUMBER
from ventiuna.server.actors import actor_of
from ventiuna.server.idempotency import LONGEST_KEY
from ventiuna.server.problems import not_allowed
from ventiuna.server.security import only
from ventiuna.server.tables import Tables
from ventiuna.table.house import administration
from ventiuna.table.house.administration import Act
from ventiuna.table.house.own_tables import owner_of_table
from ventiuna.table.persons.people import Person, Role
from ventiuna.table.play.commands import TableCommand
from ventiuna.table.play.reasons import LONGEST_REASON
from ventiuna.table.writing.requests import Request as TableRequest
from ventiuna.table.writing.requests import done

T = TypeVar("T")


async def tables_of(request: Request) -> Tables:
    found = request.app.state.tables
    assert isinstance(found, Tables)
    return found


LiveTables = Annotated[Tables, Depends(tables_of)]
Player = Annotated[Person, Depends(only(Role.PLAYER, Role.OPERATOR))]  # auditors change nothing
Operator = Annotated[Person, Depends(only(Role.OPERATOR))]
Overseer = Annotated[Person, Depends(only(Role.OPERATOR, Role.AUDITOR))]
Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=LONGEST_KEY,
        description="Your own, new for each act: a copy of the request does nothing more.",
        examples=["7f3a5c0e"],
    ),
]
Number = Annotated[int, Path(ge=1, le=LARGEST_NUMBER)]
Cents = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
Amount = Annotated[int, Field(ge=1, le=LARGEST_NUMBER, description="Cents.", examples=[50_000])]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class Why(Body):
    """Every act of an operator has a written reason; it stands in the books."""

    reason: Annotated[
        str,
        Field(min_length=1, max_length=LONGEST_REASON, examples=["end of the day"]),
    ]


class DoneData(BaseModel):
    """It is in the books."""

    n: int = Field(description="The number of the last event that it caused.", examples=[418])


def act_of(live: Tables, person: Person, key: str) -> Act:
    return Act(actor_of(person), key or secrets.token_hex(16), live.clock)


def carry_out(live: Tables, act: Callable[[Connection], T]) -> T:
    return administration.carry_out(live.writer, act)


async def check_runs(live: Tables, person: Person, table: int) -> int | None:
    """For operators, and for the owner at a table of one's own; whose own table it is."""
    owner = await live.read(lambda one: owner_of_table(one, table))
    owns = owner == person.id and person.role is not Role.AUDITOR
    if person.role is not Role.OPERATOR and not owns:
        raise not_allowed()
    return owner


async def command(
    live: Tables, person: Person, key: str, table: int, asked: TableCommand
) -> DoneData:
    """A command that a table carries out; raises `Refused`."""
    act = act_of(live, person, key)
    outcome = await live.ask(TableRequest(table, act.actor, act.key, asked))
    return DoneData(n=done(outcome).n)
