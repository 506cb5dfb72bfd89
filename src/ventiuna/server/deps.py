"""FastAPI dependencies: services, the signed-in person, live tables, operator actions."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, TypeVar

from fastapi import APIRouter, Depends, Header, Path, Request
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from ventiuna.engine.events import MAX_INT64
from ventiuna.server.analysis_pool import AnalysisPool, Coach
from ventiuna.server.jobs import Jobs
from ventiuna.server.live_tables import CachedReads, Tables, actor_for
from ventiuna.server.problems import PROBLEM_RESPONSES, forbidden, unauthorized
from ventiuna.server.settings import ServerSettings, is_loopback
from ventiuna.server.telemetry import Metrics
from ventiuna.server.web_security import PasswordService, RateLimit
from ventiuna.table.access import PERMISSIONS, Access, may
from ventiuna.table.accounts import (
    Person,
    RandomBytes,
    digest_of,
    valid_tokens,
)
from ventiuna.table.admin import OperatorAction, owner_of_table
from ventiuna.table.domain.commands import FORMS, LONGEST_REASON, TableCommand
from ventiuna.table.ledger import LONGEST_KEY
from ventiuna.table.store.connection import Store
from ventiuna.table.writer import CommandRequest as TableRequest
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
    code_limit: RateLimit
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

    async def find(request: Request) -> T:  # async so that it needs no thread
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
    """The signed-in person; None if there is no token. An invalid token is refused, not ignored."""
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


def _require_monitor(request: Request, person: OptionalPerson) -> None:
    """Allow operators, auditors, and programs on this machine to read the house's metrics.

    Behind a proxy, every request may seem to come from this machine, so a token is required.
    """
    services: Services = request.app.state.services
    if person is not None:
        if not may(person.role, Access.MONITOR):
            raise forbidden()
        return
    if services.settings.behind_proxy or not is_loopback(client_address(request)):
        raise unauthorized()


# The permission that each route needs. Routes of operator commands are not listed: their permission
# is in their declarations.
ROUTES: Mapping[str, Access] = {
    line: access
    for access, lines in {
        Access.ANYONE: """
            POST /accounts/guest
            POST /accounts/log-in
            POST /accounts/owner
            POST /accounts/refresh
            POST /accounts/register
            POST /accounts/reset
            GET /healthz
            GET /jackpots
            GET /learning/day
            GET /learning/kinds
            GET /lobby
            GET /readyz
            GET /rules
            GET /rules/card
            GET /rules/check
            GET /rules/data
            GET /rules/diff
            GET /rules/layout
            GET /rules/number/{number}
            GET /rules/numbers
            GET /rules/options
            GET /rules/procedure
            GET /rules/show
            GET /school/levels
            GET /seals/newest
            GET /seals/{number}
            GET /shared/{number}/{round_number}
            GET /tables
            GET /tables/{number}
            GET /tables/{number}/shoes
            GET /tables/{number}/shoes/{shoe}
            GET /tables/{number}/story
        """,
        Access.SIGNED_IN: """
            POST /accounts/log-out
            GET /accounts/limits
            POST /accounts/limits
            POST /accounts/exclusion
            POST /accounts/name
            POST /accounts/password
            GET /accounts/me
            GET /analysis/change
            GET /analysis/changes
            GET /analysis/design
            GET /analysis/games
            GET /analysis/count
            GET /analysis/edge
            GET /analysis/effects
            GET /analysis/hand
            GET /analysis/jackpot
            GET /analysis/sheet/{sheet}
            GET /analysis/shoe
            GET /analysis/side-bets
            GET /analysis/strategy
            POST /coach/hand
            GET /history
            POST /learning/answers
            POST /learning/drills
            GET /learning/practice
            GET /learning/session
            POST /school/catch/results
            POST /school/catch/rounds
            GET /school/certificate
            GET /school/classes
            POST /school/classes
            POST /school/classes/join
            DELETE /school/classes/{number}
            GET /school/classes/{number}
            GET /school/classes/{number}/results
            DELETE /school/classes/{number}/trainees/{trainee}
            POST /school/console
            DELETE /school/lessons
            GET /school/lessons
            POST /school/lessons
            GET /school/lessons/{number}
            POST /school/lessons/{number}/finish
            POST /school/lessons/{number}/moves
            POST /school/lessons/{number}/rounds
            POST /school/results
            POST /school/rounds
            GET /simulations
            POST /simulations
            GET /simulations/choices
            DELETE /simulations/{number}
            GET /simulations/{number}
            GET /simulations/{number}/result
            POST /simulations/{number}/resume
            POST /simulations/{number}/stop
            GET /tables/{number}/coach
            GET /tables/{number}/costs
            POST /tables/{number}/costs
            GET /wallet
        """,
        Access.PLAY: """
            POST /tables/own
            POST /tables/{number}/seat
            POST /wallet/refill
        """,
        Access.SEE_ROUND: """
            GET /tables/{number}/rounds/{round_number}
            POST /tables/{number}/rounds/{round_number}/share
        """,
        Access.RUN_TABLE: """
            POST /tables/{number}/bots
        """,
        Access.SUPERVISE: """
            GET /commands
        """,
        Access.INSPECT: """
            GET /approvals
            GET /audits
            POST /audits
            DELETE /audits/{number}
            GET /audits/{number}
            GET /books
            GET /books/{number}
            GET /entries
            GET /jackpots/{number}
            GET /jackpots/{number}/history
            GET /jackpots/{number}/movements
            GET /ledger
            GET /persons
            GET /recall/balance
            GET /recall/jackpots/{number}
            GET /recall/tables/{number}
            GET /reports/daily
            GET /tables/{number}/rounds
        """,
        Access.SEE_FLOOR: """
            GET /floor
            GET /tables/{number}/inspection
            GET /tables/{number}/inspection/sheet
        """,
        Access.MONITOR: """
            GET /metrics
        """,
        Access.GOVERN: """
            POST /approvals/required
        """,
        Access.OPERATE: """
            POST /approvals/{number}/approve
            POST /approvals/{number}/refuse
            POST /jackpots
            POST /persons/{number}/reset
            POST /tables
        """,
    }.items()
    for line in map(str.strip, lines.strip().splitlines())
}


def access_of(route: str) -> Access:
    """The permission that a route needs, such as "GET /wallet"."""
    found = ROUTES.get(route)
    if found is not None:
        return found
    return next(form.access for form in FORMS if route == f"POST {form.path}")


def _check_of(access: Access) -> Callable[..., Any] | None:
    """The dependency that checks a permission; the route itself checks ownership."""
    if access is Access.ANYONE:
        return None
    if access is Access.MONITOR:
        return _require_monitor
    permission = PERMISSIONS[access]
    allowed = permission.roles | permission.own

    async def check(person: CurrentPerson) -> None:
        if person.role not in allowed:
            raise forbidden()

    return check


class PermittedRoute(APIRoute):
    """A route for the roles that have its permission."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        (method,) = more["methods"]
        if check := _check_of(access_of(f"{method} {path}")):
            more["dependencies"] = [Depends(check), *(more.get("dependencies") or ())]
        super().__init__(path, endpoint, **more)


def permitted_router(tag: str, prefix: str = "") -> APIRouter:
    """A router whose routes are in the table of permissions."""
    return APIRouter(
        prefix=prefix, tags=[tag], route_class=PermittedRoute, responses=PROBLEM_RESPONSES
    )


LiveTables = Annotated[Tables, from_state("tables", Tables)]
IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=LONGEST_KEY,
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

    n: int = Field(description="Number of the last event that the action caused.", examples=[418])


def act_of(live: Tables, person: Person, key: str) -> OperatorAction:
    return OperatorAction(actor_for(person), key or secrets.token_hex(16), live.clock)


async def check_may_run_table(live: Tables, person: Person, table: int) -> int | None:
    """Require an operator or the private table's owner; returns the owner, if any."""
    owner = await live.read(lambda conn: owner_of_table(conn, table))
    owns = owner == person.id and may(person.role, Access.PLAY)
    if not may(person.role, Access.RUN_TABLE) and not owns:
        raise forbidden()
    return owner


async def run_table_command(
    live: Tables, person: Person, key: str, table: int, command: TableCommand
) -> DoneData:
    """Run a command at a table; raises `Refused`."""
    act = act_of(live, person, key)
    outcome = await live.ask(TableRequest(table, act.actor, act.key, command), once=True)
    return DoneData(n=require_done(outcome).n)
