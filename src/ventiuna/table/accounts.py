"""A house's people and bots: accounts, tokens, rate limits, and the cashier's book.

A token is 32 random bytes. The database stores only its SHA-256, so nobody can sign in with a copy
of the database. The caller supplies times (milliseconds since 1970) and random bytes.

A rate limit starts full. Each request uses part of it, and it refills over time. The database
stores only the time when the limit will be full again. Addresses are stored as digests, and only
until that time. All of a house's processes share the limits.

The cashier's book belongs to the house. It records when play money is issued or redeemed and when
roles are granted; each entry names its actor and reason. Each bot is stored with its table and
strategy, so bots survive a restart.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import unicodedata
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias, get_args

from sqlalchemy import Connection, bindparam, delete, insert, select, text, update

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.codec import RecordCodec
from ventiuna.engine.commands import quoted
from ventiuna.money import money_text
from ventiuna.table.access import (
    PersonError,
    Role,
    checked_name,
    skeleton,
    skeletons,
)
from ventiuna.table.domain.commands import (
    Subject,
    checked_reason,
    form_field,
    money_field,
    operator_form,
)
from ventiuna.table.domain.handlers import SERVICE, Actor
from ventiuna.table.duties import (
    DutiesSeparated,
    DutyCommand,
    DutyEvent,
    HouseCommand,
    HouseEvent,
    PersonBlocked,
    PersonExcluded,
    PersonUnblocked,
    check_deposit,
    check_duty,
    check_house_command,
    check_second_person,
    duty_event,
    house_event,
    write_duty,
)
from ventiuna.table.journal import (
    BookKind,
    account_numbers,
    append,
    find_duplicate,
    lock_accounts,
    lock_books,
)
from ventiuna.table.ledger import (
    AccountKind,
    EntryRequest,
    Posting,
    PostingCode,
    account_code,
    check_amount,
    request_hash,
)
from ventiuna.table.store.schema import (
    allowance,
    book,
    bot,
    game_table,
    house,
    name_key,
    person,
    seat,
    token,
)
from ventiuna.table.store.statements import Prepared

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
ACCESS_LIFETIME = 15 * MINUTE
REFRESH_LIFETIME = 30 * DAY
MAX_FAILED_LOGINS = 3
LOCKOUT = 15 * MINUTE
TOKEN_BYTES = 32
REPEAT_WITHIN = 30_000  # a refresh token used again within this time gets new tokens
RESET_LIFETIME = DAY
RESET_BYTES = 14  # 19 letters

RandomBytes = Callable[[int], bytes]


class PersonKind(StrEnum):
    GUEST = "guest"
    REGISTERED = "registered"


class TokenPurpose(StrEnum):
    ACCESS = "access"
    REFRESH = "refresh"
    REFRESHED = "refreshed"  # a used refresh token
    RESET = "reset"  # the one-time code for a new password


@dataclass(frozen=True, slots=True)
class Person:
    id: int
    name: str
    kind: PersonKind
    role: Role


@dataclass(frozen=True, slots=True)
class Tokens:
    """A client's tokens. Never stored, never logged."""

    access: str
    access_until: int
    refresh: str
    refresh_until: int

    def __repr__(self) -> str:
        return "Tokens(…)"


class AccountLocked(PersonError):
    """Too many failed sign-ins from one address."""

    def __init__(self, wait: int) -> None:
        self.seconds = max(1, -(-wait // 1000))
        minutes = -(-self.seconds // 60)
        super().__init__(
            "account_locked",
            f"Too many wrong passwords for this name from your address. Try again in {minutes} "
            f"minute{'s' if minutes > 1 else ''}.",
        )


PERSON_COLUMNS = (person.c.id, person.c.name, person.c.kind, person.c.role)

# Digits in a guest's name on each attempt: few at first, then enough to be unique.
_GUEST_DIGITS = (3, 4, 4, 5, 5, 9, 9, 9)


def add_guest(connection: Connection, name: str, now: int, entropy: RandomBytes) -> Person:
    """Add a guest with this name, or a generated name if `name` is empty."""
    if name:
        return _add_person(connection, checked_name(name), PersonKind.GUEST, Role.PLAYER, None, now)
    for digits in _GUEST_DIGITS:
        number = int.from_bytes(entropy(4)) % 10**digits
        found = _insert_person(
            connection, f"Guest {number}", PersonKind.GUEST, Role.PLAYER, None, now
        )
        if found is not None:
            return found
    raise PersonError("name_taken", "No unused guest name was found. Choose a name.")


def add_registered(connection: Connection, name: str, hashed: str, role: Role, now: int) -> Person:
    """Add a person with a password, given as its hash."""
    return _add_person(connection, checked_name(name), PersonKind.REGISTERED, role, hashed, now)


def register_guest(connection: Connection, guest: Person, hashed: str) -> Person:
    """Register a guest with a password; the guest keeps the account and its money."""
    changed = connection.execute(
        update(person)
        .where(person.c.id == guest.id, person.c.kind == str(PersonKind.GUEST))
        .values(kind=str(PersonKind.REGISTERED), password=hashed)
    )
    if changed.rowcount != 1:
        raise PersonError(
            "already_registered", f"{guest.name} is already registered. Sign in instead."
        )
    return Person(guest.id, guest.name, PersonKind.REGISTERED, guest.role)


def find_person(connection: Connection, name: str) -> Person | None:
    """The person with this name, or else the one whose name looks like it."""
    query = select(*PERSON_COLUMNS)
    row = connection.execute(query.where(person.c.name == name)).first()
    if row is None:
        is_alike = name_key.c.skeleton.in_(skeletons(name))
        alike = select(name_key.c.person_id).where(is_alike).order_by(name_key.c.person_id).limit(1)
        row = connection.execute(query.where(person.c.id == alike.scalar_subquery())).first()
    return None if row is None else read_person(*row)


def person_of(connection: Connection, number: int) -> Person:
    """Return the person with this number, who must exist."""
    row = connection.execute(select(*PERSON_COLUMNS).where(person.c.id == number)).one()
    return read_person(*row)


NAME_TAKEN = "This name or one that looks like it is already taken. Choose another."

_INSERT_PERSON = text(
    "INSERT INTO person (name, kind, role, password, failed, created_at) "
    "VALUES (:name, :kind, :role, :password, 0, :now) "
    "ON CONFLICT (name) DO NOTHING RETURNING id"
)


_INSERT_NAME = text(
    "INSERT INTO name_key (skeleton, person_id) VALUES (:skeleton, :person) "
    "ON CONFLICT (skeleton) DO NOTHING RETURNING person_id"
)


def _add_person(
    connection: Connection,
    name: str,
    kind: PersonKind,
    role: Role,
    hashed: str | None,
    now: int,
) -> Person:
    found = _insert_person(connection, name, kind, role, hashed, now)
    if found is None:
        raise PersonError("name_taken", NAME_TAKEN)
    return found


def _insert_person(
    connection: Connection,
    name: str,
    kind: PersonKind,
    role: Role,
    hashed: str | None,
    now: int,
) -> Person | None:
    values = {"name": name, "kind": str(kind), "role": str(role), "password": hashed, "now": now}
    keys = skeletons(name)
    is_alike = select(name_key.c.person_id).where(name_key.c.skeleton.in_(keys)).limit(1)
    if connection.scalar(is_alike) is not None:
        return None
    number = connection.scalar(_INSERT_PERSON, values)
    if number is None:
        return None
    _claim_name(connection, name, int(number))
    return Person(int(number), name, kind, role)


def _claim_name(connection: Connection, name: str, number: int) -> None:
    """Record that a name belongs to this person; raises `PersonError` if it is someone else's."""
    for key in skeletons(name):
        alike = select(name_key.c.person_id).where(name_key.c.skeleton == key)
        owner = connection.scalar(alike)
        if owner is None:  # the insertion returns nothing if someone else took the name since
            owner = connection.scalar(_INSERT_NAME, {"skeleton": key, "person": number})
        if owner != number:
            raise PersonError("name_taken", NAME_TAKEN)


def read_person(number: int, name: str, kind: str, role: str) -> Person:
    return Person(number, name, PersonKind(kind), Role(role))


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """A sign-in that counts as failed until its password is checked.

    Otherwise, parallel attempts could try more passwords than sequential ones.
    """

    person: Person | None  # None if nobody is registered under the name
    hashed: str | None
    limit: tuple[str, str]

    def __repr__(self) -> str:
        return f"LoginAttempt({self.person!r}, …)"


def begin_login(connection: Connection, name: str, address: str, now: int) -> LoginAttempt:
    """Count an attempt for this name from this address; may raise `AccountLocked`.

    Others can't lock out the account's owner, who signs in from a different address. Commit before
    checking the password, and call `login_succeeded` if it matches.
    """
    limit = (_login_limit(name), address)
    wait = use_rate_limit(connection, *limit, maximum=MAX_FAILED_LOGINS, per=LOCKOUT, now=now)
    if wait:
        raise AccountLocked(wait)
    found = find_person(connection, unicodedata.normalize("NFKC", name))
    if found is None or found.kind is PersonKind.GUEST:
        return LoginAttempt(None, None, limit)
    hashed = connection.scalar(select(person.c.password).where(person.c.id == found.id))
    return LoginAttempt(found, hashed, limit)


def login_succeeded(connection: Connection, attempt: LoginAttempt) -> None:
    what, address = attempt.limit
    connection.execute(
        delete(allowance).where(
            allowance.c.what == what, allowance.c.address == _address_digest(what, address)
        )
    )


def _login_limit(name: str) -> str:
    return f"log-in {hashlib.sha256(skeleton(name).encode()).hexdigest()[:32]}"


def unlock(connection: Connection, name: str) -> None:
    """Forget wrong passwords for this name from all addresses."""
    connection.execute(delete(allowance).where(allowance.c.what == _login_limit(name)))


def set_password(connection: Connection, who: Person, hashed: str, now: int) -> None:
    """Change the password and sign the person out everywhere."""
    connection.execute(update(person).where(person.c.id == who.id).values(password=hashed))
    revoke_all(connection, who.id, now)
    unlock(connection, who.name)


def issue_reset(connection: Connection, who: Person, now: int, entropy: RandomBytes) -> str:
    """Create a one-time code for choosing a new password; it replaces any earlier code."""
    codes = (token.c.person_id == who.id) & (token.c.purpose == str(TokenPurpose.RESET))
    connection.execute(delete(token).where(codes))
    secret = entropy(RESET_BYTES)
    until = now + RESET_LIFETIME
    connection.execute(token.insert(), [_token_row(secret, who, TokenPurpose.RESET, until)])
    return _token_text(secret)


def use_reset(connection: Connection, name: str, code: str, now: int) -> Person | None:
    """Use up a code; None if it isn't valid for this name."""
    who = find_person(connection, unicodedata.normalize("NFKC", name))
    if who is None:
        return None
    used = connection.execute(
        delete(token).where(
            token.c.digest == digest_of(code.strip()),
            token.c.person_id == who.id,
            token.c.purpose == str(TokenPurpose.RESET),
            token.c.expires_at > now,
        )
    )
    return who if used.rowcount == 1 else None


_VALID = (
    select(token.c.digest, token.c.expires_at, *PERSON_COLUMNS)
    .join(person, person.c.id == token.c.person_id)
    .where(
        token.c.purpose == str(TokenPurpose.ACCESS),
        token.c.revoked_at.is_(None),
        token.c.expires_at > bindparam("now"),
    )
)
# Built once, because every request and every socket uses it.
_VALID_TOKENS = _VALID.where(token.c.digest.in_(bindparam("digests", expanding=True)))
_VALID_TOKEN = Prepared(_VALID.where(token.c.digest == bindparam("digest")))


def issue_tokens(connection: Connection, who: Person, now: int, entropy: RandomBytes) -> Tokens:
    access, refresh = entropy(TOKEN_BYTES), entropy(TOKEN_BYTES)
    tokens = Tokens(
        _token_text(access), now + ACCESS_LIFETIME, _token_text(refresh), now + REFRESH_LIFETIME
    )
    connection.execute(
        token.insert(),
        [
            _token_row(access, who, TokenPurpose.ACCESS, tokens.access_until),
            _token_row(refresh, who, TokenPurpose.REFRESH, tokens.refresh_until),
        ],
    )
    return tokens


@dataclass(frozen=True, slots=True)
class TokenStatus:
    """An access token's owner and expiration time."""

    person: Person
    until: int


def valid_tokens(
    connection: Connection, digests: Collection[bytes], now: int
) -> dict[bytes, TokenStatus]:
    """Return all valid access tokens, by digest."""
    rows: Iterable[Any]
    if len(digests) == 1:
        rows = _VALID_TOKEN.all(connection, digest=next(iter(digests)), now=now)
    else:
        rows = connection.execute(_VALID_TOKENS, {"digests": list(digests), "now": now})
    return {digest: TokenStatus(read_person(*who), until) for digest, until, *who in rows}


@dataclass(frozen=True, slots=True)
class Renewal:
    """New tokens; empty if the refresh token isn't valid."""

    person: Person | None = None
    tokens: Tokens | None = None


def renew_tokens(connection: Connection, refresh: str, now: int, entropy: RandomBytes) -> Renewal:
    """Exchange a refresh token for new tokens.

    A client that got no answer may send the token again within `REPEAT_WITHIN`. If a used token
    arrives later, it must have been stolen, so all of the person's tokens are revoked. Guests keep
    theirs, because they have no password to sign in again.
    """
    used = connection.execute(
        update(token)
        .where(
            token.c.digest == digest_of(refresh),
            token.c.purpose == str(TokenPurpose.REFRESH),
            token.c.revoked_at.is_(None),
        )
        .values(revoked_at=now, purpose=str(TokenPurpose.REFRESHED))
        .returning(token.c.person_id, token.c.expires_at)
    ).first()
    if used is None:
        used = _refreshed(connection, refresh)
        if used is None:
            return Renewal()
        if used.purpose == TokenPurpose.REFRESH or used.revoked_at <= now - REPEAT_WITHIN:
            if used.kind != PersonKind.GUEST:
                revoke_all(connection, used.person_id, now)
            return Renewal()
    if used.expires_at <= now:
        return Renewal()
    who = person_of(connection, used.person_id)
    return Renewal(who, issue_tokens(connection, who, now, entropy))


def _refreshed(connection: Connection, refresh: str) -> Any:
    """A refresh token that was used or revoked, with its owner's kind; None if it is unknown."""
    return connection.execute(
        select(token, person.c.kind)
        .join(person, person.c.id == token.c.person_id)
        .where(
            token.c.digest == digest_of(refresh),
            token.c.purpose.in_([str(TokenPurpose.REFRESH), str(TokenPurpose.REFRESHED)]),
        )
    ).first()


def revoke_tokens(connection: Connection, texts: Collection[str], now: int) -> None:
    digests = [digest_of(written) for written in texts]
    connection.execute(
        update(token)
        .where(token.c.digest.in_(digests), token.c.revoked_at.is_(None))
        .values(revoked_at=now)
    )


def revoke_all(connection: Connection, person_id: int, now: int) -> None:
    connection.execute(
        update(token)
        .where(token.c.person_id == person_id, token.c.revoked_at.is_(None))
        .values(revoked_at=now)
    )
    used = (token.c.person_id == person_id) & (token.c.purpose == str(TokenPurpose.REFRESHED))
    connection.execute(update(token).where(used).values(purpose=str(TokenPurpose.REFRESH)))


def forget_old_tokens(connection: Connection, now: int) -> int:
    """Remove expired tokens; return their number."""
    return connection.execute(delete(token).where(token.c.expires_at <= now)).rowcount


def digest_of(written: str) -> bytes:
    """The token's SHA-256. A string that isn't a token is hashed as is and matches nothing."""
    try:
        secret = base64.b64decode(written.encode() + b"=", b"-_", validate=True)
    except (binascii.Error, ValueError):
        secret = written.encode(errors="surrogatepass")
    return hashlib.sha256(secret).digest()


def _token_text(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).decode().rstrip("=")


def _token_row(secret: bytes, who: Person, purpose: TokenPurpose, until: int) -> dict[str, object]:
    return {
        "digest": hashlib.sha256(secret).digest(),
        "person_id": who.id,
        "purpose": str(purpose),
        "expires_at": until,
        "revoked_at": None,
    }


# In a single statement, so two parallel requests can't both use the last slot.
_USE_RATE_LIMIT = text(
    "INSERT INTO allowance (what, address, full_at) VALUES (:what, :address, :now + :part) "
    "ON CONFLICT (what, address) DO UPDATE SET full_at = :part + "
    "CASE WHEN allowance.full_at > :now THEN allowance.full_at ELSE :now END "
    "WHERE allowance.full_at + :part <= :now + :whole RETURNING full_at"
)


def use_rate_limit(
    connection: Connection, what: str, address: str, *, maximum: int, per: int, now: int
) -> int:
    """Use up one of the `maximum` requests allowed per `per` milliseconds.

    Returns 0, or the time to wait in milliseconds if none is left.
    """
    digest = _address_digest(what, address)
    part = max(1, per // maximum)
    capacity = part * maximum
    parameters = {"what": what, "address": digest, "now": now, "part": part, "whole": capacity}
    if connection.execute(_USE_RATE_LIMIT, parameters).first() is not None:
        return 0
    full_at = connection.scalar(
        select(allowance.c.full_at).where(allowance.c.what == what, allowance.c.address == digest)
    )
    return max(1, (full_at or now) + part - capacity - now)


def _address_digest(what: str, address: str) -> bytes:
    return hashlib.sha256(f"{what}\n{address}".encode()).digest()


def forget_expired_limits(connection: Connection, now: int) -> int:
    """Remove limits that are full again; return their number."""
    return connection.execute(delete(allowance).where(allowance.c.full_at <= now)).rowcount


CASHIER_FORMAT = 1
MINT_ACCOUNT = "mint"


@operator_form(
    Subject.PERSON,
    "issue",
    label="Issue money",
    title="Issue play money to {name}",
    consequence="The player can use the money right away. You can take it back only by redeeming "
    "it from the player's balance.",
    group="money",
    needs_second=True,
)
@dataclass(frozen=True, slots=True)
class IssueMoney:
    """Add play money to a player's balance."""

    person: int
    amount: int = field(metadata=money_field())
    reason: str


@operator_form(
    Subject.PERSON,
    "redeem",
    label="Redeem money",
    title="Redeem play money from {name}",
    consequence="The money leaves the player's balance at once. Chips on tables aren't affected.",
    group="money",
)
@dataclass(frozen=True, slots=True)
class RedeemMoney:
    """Take back play money, up to the player's balance."""

    person: int
    amount: int = field(metadata=money_field())
    reason: str


@operator_form(
    Subject.PERSON,
    "role",
    label="Change role",
    title="Change the role of {name}",
    consequence="The new permissions apply at the person's next action, including at open tables.",
    group="",
)
@dataclass(frozen=True, slots=True)
class GiveRole:
    """Change a person's role; everyone but players needs a password."""

    person: int
    role: str = field(metadata=form_field("Role", choices=tuple(map(str, Role))))
    reason: str


@dataclass(frozen=True, slots=True)
class MoneyIssued:
    person: int
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class MoneyRedeemed:
    person: int
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class RoleGiven:
    person: int
    role: str
    reason: str


@dataclass(frozen=True, slots=True)
class RenameGuest:
    """Give a guest a name of the guest's choice."""

    person: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class GuestRenamed:
    person: int
    name: str
    reason: str


CashierCommand: TypeAlias = (
    IssueMoney | RedeemMoney | GiveRole | RenameGuest | DutyCommand | HouseCommand
)
CashierEvent: TypeAlias = (
    MoneyIssued | MoneyRedeemed | RoleGiven | GuestRenamed | DutyEvent | HouseEvent
)

CASHIER_COMMANDS: RecordCodec[CashierCommand] = RecordCodec("command", get_args(CashierCommand))
CASHIER_EVENTS: RecordCodec[CashierEvent] = RecordCodec("event", get_args(CashierEvent))


def cashier_postings(event: CashierEvent, number: int) -> tuple[Posting, ...]:
    """Return the postings of a cashier event; `number` is its number in the book."""
    if not isinstance(event, MoneyIssued | MoneyRedeemed):
        return ()
    wallet = account_code(AccountKind.WALLET, event.person)
    if isinstance(event, MoneyIssued):
        return (Posting(PostingCode.ISSUE, MINT_ACCOUNT, wallet, event.amount, event=number),)
    return (Posting(PostingCode.REDEEM, wallet, MINT_ACCOUNT, event.amount, event=number),)


def cashier_book(connection: Connection) -> int:
    number = connection.scalar(select(book.c.id).where(book.c.kind == str(BookKind.CASHIER)))
    assert number is not None, "every house has a cashier"
    return int(number)


def handle_cashier_command(
    connection: Connection, actor: Actor, key: str, command: CashierCommand, at: int
) -> None:
    """Add an entry to the cashier's book; a duplicate command adds nothing."""
    content = request_hash(CASHIER_COMMANDS.data(command))
    number = cashier_book(connection)
    head = lock_books(connection, [number])[number]
    if find_duplicate(connection, actor.name, key, content) is not None:
        return
    event = cashier_event(command)
    if isinstance(command, IssueMoney):
        subject = f"person {command.person}"
        check_second_person(connection, actor, key, subject, CASHIER_COMMANDS.data(command))
    if isinstance(command, HouseCommand):
        check_house_command(connection, actor, command, at)
    elif connection.scalar(select(person.c.id).where(person.c.id == command.person)) is None:
        raise Refused(RefusalCode.NO_SUCH_PERSON, (), f"There is no person {command.person}.")
    if isinstance(event, MoneyIssued | MoneyRedeemed):
        if isinstance(event, MoneyIssued):
            check_deposit(connection, event.person, event.amount, at)
        _check_covered(connection, event)
    elif isinstance(event, GuestRenamed):
        _rename_guest(connection, event)
    elif isinstance(event, DutyEvent):
        check_duty(connection, event)
    entry, _ = head.next_entry(
        EntryRequest(
            actor=actor.name,
            key=key,
            at=at,
            request=content,
            command=CASHIER_COMMANDS.data(command),
            events=[CASHIER_EVENTS.data(event)],
            engine=CASHIER_FORMAT,
            postings=cashier_postings(event, head.events + 1),
        )
    )
    append(connection, [entry])
    if isinstance(event, DutiesSeparated):
        connection.execute(house.update().values(separate_duties=int(event.is_on)))
    elif isinstance(event, RoleGiven):
        changed = person.update().where(person.c.id == event.person).values(role=event.role)
        connection.execute(changed)
    elif isinstance(event, DutyEvent):
        write_duty(connection, event, at)
        if isinstance(event, PersonBlocked | PersonExcluded):
            revoke_all(connection, event.person, at)
        elif isinstance(event, PersonUnblocked):
            unlock(connection, person_of(connection, event.person).name)


def cashier_event(command: CashierCommand) -> CashierEvent:
    """The event for a command, without checking it against the database; raises `Refused`."""
    if isinstance(command, DutyCommand):
        return duty_event(command)
    if isinstance(command, HouseCommand):
        return house_event(command)
    reason = checked_reason(command.reason)
    if isinstance(command, RenameGuest):
        return GuestRenamed(command.person, checked_name(command.name), reason)
    if isinstance(command, GiveRole):
        if command.role not in tuple(Role):
            raise Refused(
                RefusalCode.BAD_COMMAND,
                (),
                f"The role must be one of {', '.join(Role)}, not {quoted(command.role)}.",
            )
        return RoleGiven(command.person, command.role, reason)
    check_amount(command.amount, "give")
    happens = MoneyIssued if isinstance(command, IssueMoney) else MoneyRedeemed
    return happens(command.person, command.amount, reason)


def _rename_guest(connection: Connection, event: GuestRenamed) -> None:
    """Give a guest without a seat a name that nobody else has; raises `Refused`.

    A seat keeps the name with which it was taken, and nobody else gets a name that was once used.
    """
    guest = person_of(connection, event.person)
    if guest.kind is not PersonKind.GUEST:
        raise Refused(RefusalCode.NOT_ALLOWED, (), "Only a guest's name can be changed.")
    if connection.scalar(select(seat.c.number).where(seat.c.person_id == guest.id).limit(1)):
        raise Refused(
            RefusalCode.NOT_ALLOWED, (), "Leave your seat first. Then you can change your name."
        )
    _claim_name(connection, event.name, guest.id)
    connection.execute(update(person).where(person.c.id == guest.id).values(name=event.name))


def _check_covered(connection: Connection, event: MoneyIssued | MoneyRedeemed) -> None:
    wallet = account_code(AccountKind.WALLET, event.person)
    numbers = account_numbers(connection, [wallet, MINT_ACCOUNT])
    balance = lock_accounts(connection, numbers.values())[numbers[wallet]]
    if isinstance(event, MoneyRedeemed) and event.amount > balance:
        raise Refused(
            RefusalCode.NOT_COVERED,
            (),
            f"{money_text(event.amount)} is more than the {money_text(balance)} in the wallet.",
        )


BOT_BANKROLL = 10_000_000  # cents
BOT_BANKROLL_REASON = "a bot's bankroll"


@dataclass(frozen=True, slots=True)
class BotRow:
    person: int
    name: str
    table: int
    strategy: str


_BOT_ROWS = (
    select(bot.c.person_id, person.c.name, bot.c.table_id, bot.c.strategy)
    .join(person, person.c.id == bot.c.person_id)
    .join(game_table, game_table.c.id == bot.c.table_id)
)


def first_money_key(who: int) -> str:
    """Key of the cashier entry that proves the house created this bot."""
    return f"bot/{who}"


def new_bot(
    connection: Connection, table: int, strategy: str, now: int, entropy: RandomBytes
) -> BotRow:
    """Create a bot: a guest played by the house, with a bankroll."""
    who = add_guest(connection, free_bot_name(connection), now, entropy)
    add_bot(connection, who.id, table, strategy)
    money = IssueMoney(who.id, BOT_BANKROLL, BOT_BANKROLL_REASON)
    handle_cashier_command(connection, SERVICE, first_money_key(who.id), money, now)
    return BotRow(who.id, who.name, table, strategy)


def add_bot(connection: Connection, who: int, table: int, strategy: str) -> None:
    connection.execute(insert(bot).values(person_id=who, table_id=table, strategy=strategy))


def remove_bot(connection: Connection, who: int) -> None:
    connection.execute(delete(bot).where(bot.c.person_id == who))


def move_bot(connection: Connection, row: BotRow, table: int, strategy: str) -> None:
    """Move a bot from a closed table to another."""
    remove_bot(connection, row.person)
    add_bot(connection, row.person, table, strategy)


def idle_bot(connection: Connection) -> BotRow | None:
    """A bot whose table is closed, if any.

    Such bots are reused, so a house with many short-lived tables doesn't fill up with bots.
    """
    row = connection.execute(
        _BOT_ROWS.where(game_table.c.state == "closed").order_by(bot.c.person_id).limit(1)
    ).first()
    return BotRow(*row) if row else None


def all_bots(connection: Connection) -> list[BotRow]:
    """The bots at all tables that aren't closed."""
    rows = connection.execute(
        _BOT_ROWS.where(game_table.c.state != "closed").order_by(bot.c.person_id)
    )
    return [BotRow(*row) for row in rows]


def free_bot_name(connection: Connection) -> str:
    """The first unused name among `Bot 1`, `Bot 2` and so on."""
    alike = name_key.c.skeleton.like(f"{skeleton('Bot')} %")
    taken = set(connection.scalars(select(name_key.c.skeleton).where(alike)))
    names = (f"Bot {number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if skeleton(name) not in taken)
