"""Guests, registered persons, and their tokens."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field

from ventiuna.server.problems import Declined, wants_token
from ventiuna.server.security import Credentials, Somebody, Visitor, address_of
from ventiuna.server.services import Services, services_of
from ventiuna.table.persons.people import (
    LONGEST_NAME,
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    Person,
    Role,
    Tokens,
    add_guest,
    add_registered,
    begin_log_in,
    checked_name,
    checked_password,
    issue_tokens,
    log_in_succeeded,
    register_guest,
    renew_tokens,
    revoke_all,
    revoke_tokens,
)

router = APIRouter(prefix="/accounts", tags=["accounts"])
HouseServices = Annotated[Services, Depends(services_of)]
LONGEST_TOKEN = 128

Name = Annotated[str, Field(max_length=LONGEST_NAME, examples=["Ana"])]
Password = Annotated[
    str,
    Field(
        min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD, examples=["seven seven seven"]
    ),
]
Token = Annotated[str, Field(max_length=LONGEST_TOKEN)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class NewGuest(_Body):
    name: Name = Field("", description="Left out: the house finds one.")


class NewPerson(_Body):
    name: Name = Field("", description="Left out by a guest, who keeps name and money.")
    password: Password


class LogIn(_Body):
    name: Name
    password: Annotated[str, Field(max_length=LONGEST_PASSWORD)]


class Refresh(_Body):
    refresh: Token


class LogOut(_Body):
    refresh: Token = ""
    everywhere: bool = Field(False, description="Every log-in of this person ends.")


class PersonData(BaseModel):
    id: int
    name: str
    kind: Literal["guest", "registered"]
    role: Literal["player", "operator", "auditor"]


class TokensData(BaseModel):
    access: str = Field(description="For the header Authorization: Bearer, and a socket's hello.")
    access_until: int = Field(description="Milliseconds since 1970.")
    refresh: str = Field(description="Serves once, for new tokens.")
    refresh_until: int


class SessionData(BaseModel):
    person: PersonData
    tokens: TokensData


def _person_data(found: Person) -> PersonData:
    return PersonData(id=found.id, name=found.name, kind=found.kind.value, role=found.role.value)


def session_data(found: Person, tokens: Tokens) -> SessionData:
    return SessionData(
        person=_person_data(found),
        tokens=TokensData(
            access=tokens.access,
            access_until=tokens.access_until,
            refresh=tokens.refresh,
            refresh_until=tokens.refresh_until,
        ),
    )


@router.post("/guest", status_code=201)
def become_guest(asked: NewGuest, request: Request, house: HouseServices) -> SessionData:
    """Sit down without a password: a name, a bankroll and tokens."""
    house.guest_limit.take(address_of(request))
    now = house.now()
    with house.store.write() as connection:
        guest = add_guest(connection, asked.name, now, house.entropy)
        house.welcome(connection, guest)
        tokens = issue_tokens(connection, guest, now, house.entropy)
    return session_data(guest, tokens)


@router.post("/register", status_code=201)
def register(
    asked: NewPerson, request: Request, house: HouseServices, found: Visitor
) -> SessionData:
    """Become somebody with a password; a guest's token makes it the same person."""
    house.guest_limit.take(address_of(request))
    name = checked_name(asked.name) if found is None else ""
    hashed = house.passwords.hashed(checked_password(asked.password))
    now = house.now()
    with house.store.write() as connection:
        if found is None:
            who = add_registered(connection, name, hashed, Role.PLAYER, now)
            house.welcome(connection, who)
        else:
            who = register_guest(connection, found, hashed)
        tokens = issue_tokens(connection, who, now, house.entropy)
    return session_data(who, tokens)


@router.post("/log-in")
def log_in(asked: LogIn, request: Request, house: HouseServices) -> SessionData:
    """Tokens for name and password. Three failures lock the account for a quarter of an hour."""
    house.log_in_limit.take(address_of(request))
    with house.store.write() as connection:
        attempt = begin_log_in(connection, asked.name, house.now())
    fits = house.passwords.fits(asked.password, attempt.hashed if attempt else None)
    if attempt is None or not fits:
        raise Declined(401, "wrong_password", "Name and password don't go together.")
    with house.store.write() as connection:
        log_in_succeeded(connection, attempt)
        tokens = issue_tokens(connection, attempt.person, house.now(), house.entropy)
    return session_data(attempt.person, tokens)


@router.post("/refresh")
def refresh(asked: Refresh, request: Request, house: HouseServices) -> SessionData:
    """New tokens for a refresh token, which is used up by it."""
    house.log_in_limit.take(address_of(request))
    with house.store.write() as connection:
        renewal = renew_tokens(connection, asked.refresh, house.now(), house.entropy)
    if renewal.person is None or renewal.tokens is None:
        raise wants_token()
    return session_data(renewal.person, renewal.tokens)


@router.post("/log-out", status_code=204)
def log_out(asked: LogOut, house: HouseServices, found: Somebody, given: Credentials) -> None:
    """Log out here, or everywhere."""
    access = given.credentials if given else ""
    with house.store.write() as connection:
        if asked.everywhere:
            revoke_all(connection, found.id, house.now())
        else:
            revoke_tokens(connection, [access, asked.refresh], house.now())


@router.get("/me")
async def me(found: Somebody) -> PersonData:
    """Who the token belongs to."""
    return _person_data(found)
