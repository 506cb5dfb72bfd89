"""FastAPI dependencies: services, the signed-in person, live tables, operator actions."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, TypeVar

from fastapi import Depends, Header, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from ventiuna.engine.events import MAX_INT64
from ventiuna.server.analysis_pool import AnalysisPool, Coach
from ventiuna.server.jobs import Jobs
from ventiuna.server.live_tables import CachedReads, Tables, actor_for
from ventiuna.server.problems import forbidden, unauthorized
from ventiuna.server.settings import ServerSettings, is_loopback
from ventiuna.server.telemetry import Metrics
from ventiuna.server.web_security import PasswordService, RateLimit
from ventiuna.table.accounts import (
    Person,
    RandomBytes,
    Role,
    digest_of,
    valid_tokens,
)
from ventiuna.table.admin import OperatorAction, owner_of_table
from ventiuna.table.domain.commands import LONGEST_REASON, TableCommand
from ventiuna.table.ledger import LONGEST_NAME
from ventiuna.table.store.connection import Store
from ventiuna.table.writer import Request as TableRequest
from ventiuna.table.writer import require_done

# Called in the transaction that adds a person, for example to grant a guest's bankroll.
Welcome: TypeAlias = Callable[[Connection, Person], None]
ReadinessCheck: TypeAlias = Callable[[], bool]  # called by /readyz in a thread


@dataclass(frozen=True, slots=True)
class Services:
    settings: ServerSettings
    store: Store
    reads: CachedReads
    metrics: Metrics
    passwords: PasswordService
    guest_limit: RateLimit
    log_in_limit: RateLimit
    table_limit: RateLimit
    coach: Coach
    analysis_pool: AnalysisPool
    jobs: Jobs
    entropy: RandomBytes
    now: Callable[[], int]  # milliseconds since 1970
    welcome: Welcome
    readiness: Mapping[str, ReadinessCheck]


T = TypeVar("T")


def from_state(name: str, kind: type[T]) -> Any:
    """A dependency on part of the application's state."""

    async def find(request: Request) -> T:  # async, so that it needs no thread
        found = getattr(request.app.state, name)
        assert isinstance(found, kind)
        return found

    return Depends(find)


HouseServices = Annotated[Services, from_state("services", Services)]


_bearer = HTTPBearer(auto_error=False, description="The access token from signing in.")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


def client_address(request: Request) -> str:
    """The client's address; behind a proxy, uvicorn sets it from the forwarded header."""
    return request.client.host if request.client else ""


async def optional_person(request: Request, credentials: Credentials) -> Person | None:
    """The signed-in person, or None without a token; an invalid token is rejected, not ignored."""
    if credentials is None:
        return None
    services: Services = request.app.state.services
    now, digest = services.now(), digest_of(credentials.credentials)
    found = await services.reads.run(
        ("token", digest), lambda conn: valid_tokens(conn, [digest], now).get(digest)
    )
    if found is None or found.until <= now:
        raise unauthorized()
    request.state.person = found.person.id  # for the log
    return found.person


OptionalPerson = Annotated[Person | None, Depends(optional_person)]


async def current_person(person: OptionalPerson) -> Person:
    if person is None:
        raise unauthorized()
    return person


CurrentPerson = Annotated[Person, Depends(current_person)]


def require_role(*roles: Role) -> Callable[[Person], Coroutine[None, None, Person]]:
    """A dependency that requires one of these roles."""

    async def allowed(found: CurrentPerson) -> Person:
        if found.role not in roles:
            raise forbidden()
        return found

    return allowed


def require_monitor(request: Request, person: OptionalPerson) -> None:
    """Allow operators, auditors, and programs on this machine to read the house's metrics.

    Behind a proxy every request may seem to come from this machine, so a token is required.
    """
    services: Services = request.app.state.services
    if person is not None:
        if person.role not in (Role.OPERATOR, Role.AUDITOR):
            raise forbidden()
        return
    if services.settings.behind_proxy or not is_loopback(client_address(request)):
        raise unauthorized()


LiveTables = Annotated[Tables, from_state("tables", Tables)]
Player = Annotated[
    Person, Depends(require_role(Role.PLAYER, Role.OPERATOR))
]  # auditors can't change anything
Operator = Annotated[Person, Depends(require_role(Role.OPERATOR))]
Overseer = Annotated[Person, Depends(require_role(Role.OPERATOR, Role.AUDITOR))]
IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=LONGEST_NAME,
        description="A key of your choice, new for each action; a repeated request has no effect.",
        examples=["7f3a5c0e"],
    ),
]
PathId = Annotated[int, Path(ge=1, le=MAX_INT64)]
Cents = Annotated[int, Field(ge=0, le=MAX_INT64)]
Amount = Annotated[int, Field(ge=1, le=MAX_INT64, description="Cents.", examples=[50_000])]


class RequestBody(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class ReasonBody(RequestBody):
    """Every operator action needs a written reason, which is recorded in the books."""

    reason: Annotated[
        str,
        Field(min_length=1, max_length=LONGEST_REASON, examples=["end of the day"]),
    ]


class DoneData(BaseModel):
    """The action is recorded in the books."""

    n: int = Field(description="Number of the last event that it caused.", examples=[418])


def act_of(live: Tables, person: Person, key: str) -> OperatorAction:
    return OperatorAction(actor_for(person), key or secrets.token_hex(16), live.clock)


async def check_may_run_table(live: Tables, person: Person, table: int) -> int | None:
    """Require an operator or the owner of a private table; returns the owner, if any."""
    owner = await live.read(lambda conn: owner_of_table(conn, table))
    owns = owner == person.id and person.role is not Role.AUDITOR
    if person.role is not Role.OPERATOR and not owns:
        raise forbidden()
    return owner


async def run_table_command(
    live: Tables, person: Person, key: str, table: int, command: TableCommand
) -> DoneData:
    """Run a command at a table; raises `Refused`."""
    act = act_of(live, person, key)
    outcome = await live.ask(TableRequest(table, act.actor, act.key, command), once=True)
    return DoneData(n=require_done(outcome).n)
