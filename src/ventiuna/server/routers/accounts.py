"""Guests, accounts, and tokens; wallets; people, money, and roles for operators."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Annotated

from fastapi import Query, Request
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from ventiuna.server.bootstrap import OwnerLink
from ventiuna.server.deps import (
    Credentials,
    CurrentPerson,
    HouseServices,
    LiveTables,
    OptionalPerson,
    PathId,
    ReasonBody,
    RequestBody,
    Services,
    act_of,
    client_address,
    permitted_router,
)
from ventiuna.server.live_tables import Tables, actor_for
from ventiuna.server.problems import RequestDeclined, unauthorized
from ventiuna.server.web_security import client_network
from ventiuna.table import admin, listings
from ventiuna.table.access import (
    LONGEST_PASSWORD,
    LONGEST_PERSON_NAME,
    SHORTEST_PASSWORD,
    Role,
    checked_name,
    checked_password,
)
from ventiuna.table.accounts import (
    DAY,
    RESET_LIFETIME,
    Person,
    PersonKind,
    RenameGuest,
    Tokens,
    add_guest,
    add_registered,
    begin_login,
    cashier_book,
    handle_cashier_command,
    issue_tokens,
    login_succeeded,
    person_of,
    register_guest,
    renew_tokens,
    revoke_all,
    revoke_tokens,
    set_password,
    use_reset,
)
from ventiuna.table.domain.commands import MAX_NUMBER
from ventiuna.table.duties import (
    LONGEST_EXCLUSION,
    DutyCommand,
    ExcludePerson,
    LimitOneself,
    Restriction,
    restriction_of,
)
from ventiuna.table.journal import lock_books
from ventiuna.table.listings import SeatLine

router = permitted_router("accounts", "/accounts")
MAX_TOKEN_LENGTH = 128

Name = Annotated[str, Field(max_length=LONGEST_PERSON_NAME, examples=["Ana"])]
Password = Annotated[
    str,
    Field(
        min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD, examples=["seven seven seven"]
    ),
]
Token = Annotated[str, Field(max_length=MAX_TOKEN_LENGTH)]


class NewGuest(RequestBody):
    name: Name = Field("", description="Omit this to get a generated name.")


class NewPerson(RequestBody):
    name: Name = Field("", description="Guests omit this and keep their name and money.")
    password: Password


class LogIn(RequestBody):
    name: Name
    password: Annotated[str, Field(max_length=LONGEST_PASSWORD)]


class NewName(RequestBody):
    name: Name


class NewPassword(RequestBody):
    password: Annotated[str, Field(max_length=LONGEST_PASSWORD)]
    new: Password


class Reset(RequestBody):
    name: Name
    code: Token = Field(description="The one-time code from an operator.")
    password: Password


class Exclusion(RequestBody):
    days: int = Field(ge=1, le=LONGEST_EXCLUSION, examples=[30])


OwnLimit = Annotated[int, Field(ge=0, le=MAX_NUMBER, examples=[50_000])]


class OwnLimits(RequestBody):
    """Limits that are left out stay as they are; 0 removes a limit after the cooling-off time."""

    deposit: OwnLimit | None = Field(None, description="Money received in any 24 hours.")
    loss: OwnLimit | None = Field(
        None, description="Chips bought minus chips cashed out in any 24 hours."
    )
    wager: OwnLimit | None = Field(None, description="Chips wagered in any 24 hours.")


class Refresh(RequestBody):
    refresh: Token


class LogOut(RequestBody):
    refresh: Token = ""
    everywhere: bool = Field(False, description="End all of this person's sessions.")


@dataclass(frozen=True, slots=True)
class SessionData:
    """The access token is for the `Authorization: Bearer` header and a socket's hello.

    The refresh token gets new tokens and works only once. Times are in milliseconds since 1970.
    """

    person: Person
    tokens: Tokens


@router.post("/guest", status_code=201)
def become_guest(body: NewGuest, request: Request, house: HouseServices) -> SessionData:
    """Play without a password: get a name, a bankroll, and tokens."""
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
    """Register with a password; with a guest's token, register that guest."""
    house.guest_limit.take(client_address(request))
    name = checked_name(body.name) if person is None else ""
    hashed = house.passwords.hashed(
        checked_password(body.password, name or (person.name if person else ""))
    )
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
    """Sign in with name and password. After three failures, an address has to wait."""
    house.log_in_limit.take(client_address(request))
    return _signed_in(house, _check_login(house, request, body.name, body.password))


def _check_login(house: Services, request: Request, name: str, password: str) -> Person:
    """The person with this name and password, who may be restricted."""
    with house.store.write() as connection:
        address = client_network(client_address(request))
        attempt = begin_login(connection, name, address, house.now())
    fits = house.passwords.fits(password, attempt.hashed)
    if attempt.person is None or not fits:
        raise RequestDeclined(401, "wrong_password", "Wrong name or password.")
    with house.store.write() as connection:
        login_succeeded(connection, attempt)
    return attempt.person


def _signed_in(house: Services, who: Person) -> SessionData:
    with house.store.write() as connection:
        restriction_of(connection, who.id).check_admitted(house.now())
        return SessionData(who, issue_tokens(connection, who, house.now(), house.entropy))


@router.post("/password")
def change_password(
    body: NewPassword, request: Request, house: HouseServices, person: CurrentPerson
) -> SessionData:
    """Change your password. You are signed out everywhere else."""
    house.log_in_limit.take(client_address(request))
    if person.kind is PersonKind.GUEST:
        raise RequestDeclined(409, "no_password", "Guests have no password. Register first.")
    who = _check_login(house, request, person.name, body.password)
    hashed = house.passwords.hashed(checked_password(body.new, who.name))
    with house.store.write() as connection:
        set_password(connection, who, hashed, house.now())
    return _signed_in(house, who)


@router.post("/reset")
def reset_password(body: Reset, request: Request, house: HouseServices) -> SessionData:
    """Choose a new password with a one-time code from an operator."""
    house.log_in_limit.take(client_address(request))
    hashed = house.passwords.hashed(checked_password(body.password, body.name))
    with house.store.write() as connection:
        who = use_reset(connection, body.name, body.code, house.now())
        if who is not None:
            set_password(connection, who, hashed, house.now())
    if who is None:
        raise RequestDeclined(
            401, "wrong_code", "This code isn't valid for this name. Ask an operator for a new one."
        )
    return _signed_in(house, who)


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
    """The token's owner."""
    return person


@dataclass(frozen=True, slots=True)
class RestrictionData(Restriction):
    """The house's and your own limits in cents for any 24 hours, and the end of a self-exclusion.

    `later` holds your own limits from `later_at` on, which is 0 if no higher ones are pending.
    """


own_duties_router = permitted_router("accounts", "/accounts")
OWN_REASON = "the player's own choice"


def _own_change(
    live: Tables, person: Person, command_after: Callable[[Restriction], DutyCommand]
) -> RestrictionData:
    """Carry out a command based on the person's restrictions, which are locked until it is done."""

    def change(connection: Connection) -> RestrictionData:
        lock_books(connection, [cashier_book(connection)])
        now = live.clock.now()
        command = command_after(restriction_of(connection, person.id))
        key = secrets.token_hex(16)
        handle_cashier_command(connection, actor_for(person), key, command, now)
        return _restrictions(connection, person, now)

    return admin.run_action(live.writer, change)


def _restrictions(connection: Connection, person: Person, now: int) -> RestrictionData:
    found = restriction_of(connection, person.id).at(now)
    return RestrictionData(**{part.name: getattr(found, part.name) for part in fields(found)})


@own_duties_router.post("/name")
def rename_me(
    body: NewName, request: Request, live: LiveTables, house: HouseServices, person: CurrentPerson
) -> Person:
    """Change a guest's name. The rules for names are the same as for registering."""
    house.guest_limit.take(client_address(request))
    command = RenameGuest(person.id, checked_name(body.name), OWN_REASON)

    def change(connection: Connection) -> Person:
        key, now = secrets.token_hex(16), live.clock.now()
        handle_cashier_command(connection, actor_for(person), key, command, now)
        return person_of(connection, person.id)

    return admin.run_action(live.writer, change)


@own_duties_router.get("/limits")
def my_limits(live: LiveTables, person: CurrentPerson) -> RestrictionData:
    """Your limits and self-exclusion."""
    with live.store.read() as connection:
        return _restrictions(connection, person, live.clock.now())


@own_duties_router.post("/limits")
def set_my_limits(body: OwnLimits, live: LiveTables, person: CurrentPerson) -> RestrictionData:
    """Set your own limits: lower ones apply at once, higher ones 24 hours later.

    The house's limits for you also apply.
    """
    given = body.model_dump(exclude_none=True)

    def chosen(before: Restriction) -> DutyCommand:
        limits = asdict(before.chosen) | {name: cents or None for name, cents in given.items()}
        return LimitOneself(person.id, **limits, reason=OWN_REASON)

    return _own_change(live, person, chosen)


@own_duties_router.post("/exclusion")
def exclude_me(body: Exclusion, live: LiveTables, person: CurrentPerson) -> RestrictionData:
    """Exclude yourself: you are signed out and can't sign in until the exclusion ends.

    Nobody can shorten it.
    """
    until = live.clock.now() + body.days * DAY
    return _own_change(live, person, lambda _: ExcludePerson(person.id, until, OWN_REASON))


owner_router = permitted_router("accounts", "/accounts")


class OwnerToken(RequestBody):
    token: str = Field(max_length=128, description="From the link; works only once.")


@owner_router.post("/owner")
def be_owner(body: OwnerToken, request: Request, house: HouseServices) -> SessionData:
    """Get the house owner's tokens with the link from the terminal."""
    house.log_in_limit.take(client_address(request))
    link: OwnerLink | None = request.app.state.owner_link
    if link is None or not link.use(body.token):
        raise unauthorized()
    now = house.now()
    with house.store.write() as connection:
        owner = person_of(connection, link.person)
        tokens = issue_tokens(connection, owner, now, house.entropy)
    return SessionData(owner, tokens)


persons_router = permitted_router("persons")


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


class ResetCode(BaseModel):
    code: str = Field(description="Works once; give it to the person.")
    until: int


@persons_router.post("/persons/{number}/reset")
def allow_reset(
    number: PathId,
    body: ReasonBody,
    live: LiveTables,
    house: HouseServices,
    person: CurrentPerson,
) -> ResetCode:
    """Get a one-time code that lets a person choose a new password within a day."""
    act, now = act_of(live, person, ""), house.now()

    def change(connection: Connection) -> str:
        return admin.reset_password(connection, act, number, body.reason, now, house.entropy)

    code = admin.run_action(live.writer, change)
    return ResetCode(code=code, until=now + RESET_LIFETIME)


@persons_router.get("/persons")
def list_persons(
    live: LiveTables,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    most: Annotated[int, Query(ge=1, le=500)] = 100,
) -> list[PersonLine]:
    """Everyone, by number."""
    with live.store.read() as connection:
        lines = listings.list_people(connection, after, most)
    return [PersonLine(**asdict(line.person), wallet=line.wallet) for line in lines]
