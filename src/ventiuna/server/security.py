"""Who asks, and what they may: tokens and roles."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from ventiuna.server.problems import not_allowed, wants_token
from ventiuna.server.services import Services
from ventiuna.server.settings import is_loopback
from ventiuna.table.persons.people import Person, Role, owner_of

_bearer = HTTPBearer(auto_error=False, description="The access token of a log-in.")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


def address_of(request: Request) -> str:
    """Where a request comes from; behind a proxy uvicorn has put the client's address there."""
    return request.client.host if request.client else ""


def visitor(request: Request, credentials: Credentials) -> Person | None:
    """Who asks; None without a token. One that is not good is refused, not passed over."""
    if credentials is None:
        return None
    services: Services = request.app.state.services
    with services.store.read() as connection:
        found = owner_of(connection, credentials.credentials, services.now())
    if found is None:
        raise wants_token()
    request.state.person = found.id  # for the log
    return found


Visitor = Annotated[Person | None, Depends(visitor)]


async def person(found: Visitor) -> Person:
    if found is None:
        raise wants_token()
    return found


Somebody = Annotated[Person, Depends(person)]


def only(*roles: Role) -> Callable[[Person], Coroutine[None, None, Person]]:
    """A dependency that lets persons of these roles pass."""

    async def allowed(found: Somebody) -> Person:
        if found.role not in roles:
            raise not_allowed()
        return found

    return allowed


def watcher(request: Request, found: Visitor) -> None:
    """Operators, auditors, and programs on this machine: for figures of the house.

    Behind a proxy every request may seem to come from this machine; then a token is needed.
    """
    services: Services = request.app.state.services
    if found is not None:
        if found.role not in (Role.OPERATOR, Role.AUDITOR):
            raise not_allowed()
        return
    if services.settings.behind_proxy or not is_loopback(address_of(request)):
        raise wants_token()
