"""Guests, accounts and tokens; wallets; people, money and roles for operators."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

from fastapi import Query, Request
from pydantic import BaseModel, Field

from ventiuna.server.bootstrap import OwnerLink
from ventiuna.server.deps import (
    Credentials,
    CurrentPerson,
    HouseServices,
    LiveTables,
    OptionalPerson,
    Overseer,
    RequestBody,
    client_address,
)
from ventiuna.server.problems import RequestDeclined, Router, unauthorized
from ventiuna.table import listings
from ventiuna.table.accounts import (
    LONGEST_NAME,
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    Person,
    Role,
    Tokens,
    add_guest,
    add_registered,
    begin_login,
    checked_name,
    checked_password,
    issue_tokens,
    login_succeeded,
    person_of,
    register_guest,
    renew_tokens,
    revoke_all,
    revoke_tokens,
)
from ventiuna.table.listings import SeatLine

router = Router(prefix="/accounts", tags=["accounts"])
MAX_TOKEN_LENGTH = 128

Name = Annotated[str, Field(max_length=LONGEST_NAME, examples=["Ana"])]
Password = Annotated[
    str,
    Field(
        min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD, examples=["seven seven seven"]
    ),
]
Token = Annotated[str, Field(max_length=MAX_TOKEN_LENGTH)]


class NewGuest(RequestBody):
    name: Name = Field("", description="Omit it to get a name from the house.")


class NewPerson(RequestBody):
    name: Name = Field("", description="Guests omit it and keep their name and money.")
    password: Password


class LogIn(RequestBody):
    name: Name
    password: Annotated[str, Field(max_length=LONGEST_PASSWORD)]


class Refresh(RequestBody):
    refresh: Token


class LogOut(RequestBody):
    refresh: Token = ""
    everywhere: bool = Field(False, description="End all of this person's sessions.")


@dataclass(frozen=True, slots=True)
class SessionData:
    """The access token is for the `Authorization: Bearer` header and a socket's hello.

    The refresh token works once, to get new tokens. Times are in milliseconds since 1970.
    """

    person: Person
    tokens: Tokens


@router.post("/guest", status_code=201)
def become_guest(body: NewGuest, request: Request, house: HouseServices) -> SessionData:
    """Play without a password: get a name, a bankroll and tokens."""
    house.guest_limit.take(client_address(request))
    now = house.now()
    with house.store.write() as connection:
        guest = add_guest(connection, body.name, now, house.entropy)
        house.welcome(connection, guest)
        tokens = issue_tokens(connection, guest, now, house.entropy)
    return SessionData(guest, tokens)


@router.post("/register", status_code=201)
def register(
    body: NewPerson, request: Request, house: HouseServices, person: OptionalPerson
) -> SessionData:
    """Register with a password; with a guest's token, that guest becomes registered."""
    house.guest_limit.take(client_address(request))
    name = checked_name(body.name) if person is None else ""
    hashed = house.passwords.hashed(checked_password(body.password))
    now = house.now()
    with house.store.write() as connection:
        if person is None:
            who = add_registered(connection, name, hashed, Role.PLAYER, now)
            house.welcome(connection, who)
        else:
            who = register_guest(connection, person, hashed)
        tokens = issue_tokens(connection, who, now, house.entropy)
    return SessionData(who, tokens)


@router.post("/log-in")
def log_in(body: LogIn, request: Request, house: HouseServices) -> SessionData:
    """Sign in with name and password. Three failures lock the account for 15 minutes."""
    house.log_in_limit.take(client_address(request))
    with house.store.write() as connection:
        attempt = begin_login(connection, body.name, house.now())
    fits = house.passwords.fits(body.password, attempt.hashed if attempt else None)
    if attempt is None or not fits:
        raise RequestDeclined(401, "wrong_password", "Wrong name or password.")
    with house.store.write() as connection:
        login_succeeded(connection, attempt)
        tokens = issue_tokens(connection, attempt.person, house.now(), house.entropy)
    return SessionData(attempt.person, tokens)


@router.post("/refresh")
def refresh(body: Refresh, request: Request, house: HouseServices) -> SessionData:
    """Get new tokens for a refresh token, which can be used only once."""
    house.log_in_limit.take(client_address(request))
    with house.store.write() as connection:
        renewal = renew_tokens(connection, body.refresh, house.now(), house.entropy)
    if renewal.person is None or renewal.tokens is None:
        raise unauthorized()
    return SessionData(renewal.person, renewal.tokens)


@router.post("/log-out", status_code=204)
def log_out(body: LogOut, house: HouseServices, person: CurrentPerson, given: Credentials) -> None:
    """Sign out here, or everywhere."""
    access = given.credentials if given else ""
    with house.store.write() as connection:
        if body.everywhere:
            revoke_all(connection, person.id, house.now())
        else:
            revoke_tokens(connection, [access, body.refresh], house.now())


@router.get("/me")
async def me(person: CurrentPerson) -> Person:
    """The person the token belongs to."""
    return person


owner_router = Router(prefix="/accounts", tags=["accounts"])


class OwnerToken(RequestBody):
    token: str = Field(max_length=128, description="From the link; works once.")


@owner_router.post("/owner")
def be_owner(body: OwnerToken, request: Request, house: HouseServices) -> SessionData:
    """Get the house owner's tokens with the link shown in the terminal."""
    house.log_in_limit.take(client_address(request))
    link: OwnerLink | None = request.app.state.owner_link
    if link is None or not link.use(body.token):
        raise unauthorized()
    now = house.now()
    with house.store.write() as connection:
        owner = person_of(connection, link.person)
        tokens = issue_tokens(connection, owner, now, house.entropy)
    return SessionData(owner, tokens)


persons_router = Router(tags=["persons"])


class WalletData(BaseModel):
    wallet: int = Field(description="Balance away from the tables, in cents.", examples=[950_000])
    seats: list[SeatLine]


@dataclass(frozen=True, slots=True)
class PersonLine(Person):
    wallet: int


@persons_router.get("/wallet")
async def wallet(live: LiveTables, person: CurrentPerson) -> WalletData:
    """Your money, and your chips at tables."""
    balance, seats = await live.reads.run(
        ("wallet", person.id),
        lambda conn: (listings.wallet_of(conn, person.id), listings.seats_of(conn, person.id)),
    )
    return WalletData(wallet=balance, seats=seats)


@persons_router.get("/persons")
def list_persons(
    live: LiveTables,
    _: Overseer,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    most: Annotated[int, Query(ge=1, le=500)] = 100,
) -> list[PersonLine]:
    """Everyone, by number."""
    with live.store.read() as connection:
        lines = listings.list_people(connection, after, most)
    return [PersonLine(**asdict(line.person), wallet=line.wallet) for line in lines]
