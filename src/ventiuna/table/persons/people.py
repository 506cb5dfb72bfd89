"""Persons of a house and their tokens.

A token is 32 random bytes. The database keeps its SHA-256 alone, so a copy of it opens no
account. Times are milliseconds since 1970 and given by the caller, random bytes too.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import unicodedata
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, select, text, update

from ventiuna.errors import VentiunaError
from ventiuna.table.store.prepared import Prepared
from ventiuna.table.store.schema import person, token

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
ACCESS_LASTS = 15 * MINUTE
REFRESH_LASTS = 30 * DAY
FAILED_AT_MOST = 3
LOCKED_FOR = 15 * MINUTE
TOKEN_BYTES = 32
LONGEST_NAME = 32
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 256

Entropy = Callable[[int], bytes]


class Role(StrEnum):
    PLAYER = "player"
    OPERATOR = "operator"
    AUDITOR = "auditor"


class PersonKind(StrEnum):
    GUEST = "guest"
    REGISTERED = "registered"


class Purpose(StrEnum):
    ACCESS = "access"
    REFRESH = "refresh"


@dataclass(frozen=True, slots=True)
class Person:
    id: int
    name: str
    kind: PersonKind
    role: Role


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a client keeps. Never stored, never logged."""

    access: str
    access_until: int
    refresh: str
    refresh_until: int

    def __repr__(self) -> str:
        return "Tokens(…)"


class PersonError(VentiunaError, ValueError):
    """A name or password that can't be taken, or somebody who is not known."""

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


class AccountLocked(PersonError):
    """Too many failed log-ins."""

    def __init__(self, until: int, now: int) -> None:
        self.seconds = max(1, -(-(until - now) // 1000))
        minutes = -(-self.seconds // 60)
        super().__init__(
            "account_locked",
            f"After {FAILED_AT_MOST} failed log-ins the account is locked: try again in "
            f"{minutes} minute{'s' if minutes > 1 else ''}.",
        )


# --- persons ----------------------------------------------------------------------------------

# Of the number in a guest's name, try by try: short where few guests have come, free in the end.
_GUEST_DIGITS = (3, 4, 4, 5, 5, 9, 9, 9)


def add_guest(connection: Connection, name: str, now: int, entropy: Entropy) -> Person:
    """A guest of this name, or of one that nobody has where none is given."""
    if name:
        return _add(connection, checked_name(name), PersonKind.GUEST, Role.PLAYER, None, now)
    for digits in _GUEST_DIGITS:
        number = int.from_bytes(entropy(4)) % 10**digits
        found = _insert(connection, f"Guest {number}", PersonKind.GUEST, Role.PLAYER, None, now)
        if found is not None:
            return found
    raise PersonError("name_taken", "No free name was found for a guest: choose one.")


def add_registered(connection: Connection, name: str, hashed: str, role: Role, now: int) -> Person:
    """Somebody with a password, given as its hash."""
    return _add(connection, checked_name(name), PersonKind.REGISTERED, role, hashed, now)


def register_guest(connection: Connection, guest: Person, hashed: str) -> Person:
    """The guest stays who they are and keeps the money; from now on with a password."""
    changed = connection.execute(
        update(person)
        .where(person.c.id == guest.id, person.c.kind == str(PersonKind.GUEST))
        .values(kind=str(PersonKind.REGISTERED), password=hashed)
    )
    if changed.rowcount != 1:
        raise PersonError("already_registered", f"{guest.name} is registered already: log in.")
    return Person(guest.id, guest.name, PersonKind.REGISTERED, guest.role)


def find_person(connection: Connection, name: str) -> Person | None:
    row = connection.execute(
        select(person.c.id, person.c.name, person.c.kind, person.c.role).where(
            person.c.name == name
        )
    ).first()
    return None if row is None else _person(*row)


def person_of(connection: Connection, number: int) -> Person:
    """The person of this number, who must be there."""
    row = connection.execute(
        select(person.c.id, person.c.name, person.c.kind, person.c.role).where(
            person.c.id == number
        )
    ).one()
    return _person(*row)


def names_of_persons(connection: Connection, ids: Collection[int]) -> dict[int, str]:
    """How people are called, for views."""
    rows = connection.execute(select(person.c.id, person.c.name).where(person.c.id.in_(ids)))
    return {row.id: row.name for row in rows}


def checked_name(name: str) -> str:
    """The name as it is stored; raises where it can't be one."""
    plain = unicodedata.normalize("NFKC", name)
    if plain != plain.strip() or not 1 <= len(plain) <= LONGEST_NAME or not plain.isprintable():
        raise PersonError(
            "bad_name",
            f"name: give 1 to {LONGEST_NAME} printable characters without spaces around them.",
        )
    return plain


def checked_password(password: str) -> str:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise PersonError(
            "bad_password",
            f"password: give {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters.",
        )
    return password


_INSERT = text(
    "INSERT INTO person (name, kind, role, password, failed, created_at) "
    "VALUES (:name, :kind, :role, :password, 0, :now) "
    "ON CONFLICT (name) DO NOTHING RETURNING id"
)


def _add(
    connection: Connection,
    name: str,
    kind: PersonKind,
    role: Role,
    hashed: str | None,
    now: int,
) -> Person:
    found = _insert(connection, name, kind, role, hashed, now)
    if found is None:
        raise PersonError("name_taken", "name: somebody has this name already. Choose another.")
    return found


def _insert(
    connection: Connection,
    name: str,
    kind: PersonKind,
    role: Role,
    hashed: str | None,
    now: int,
) -> Person | None:
    values = {"name": name, "kind": str(kind), "role": str(role), "password": hashed, "now": now}
    number = connection.scalar(_INSERT, values)
    return None if number is None else Person(int(number), name, kind, role)


def _person(number: int, name: str, kind: str, role: str) -> Person:
    return Person(number, name, PersonKind(kind), Role(role))


# --- log-ins ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attempt:
    """A log-in that was counted as failed before its password was looked at.

    So several at once can't try more passwords than one after the other.
    """

    person: Person
    hashed: str

    def __repr__(self) -> str:
        return f"Attempt({self.person!r}, …)"


def begin_log_in(connection: Connection, name: str, now: int) -> Attempt | None:
    """Count an attempt; None where nobody is registered under the name. May raise `AccountLocked`.

    Commit it before the password is checked, and call `log_in_succeeded` if it fits.
    """
    wanted = (person.c.name == unicodedata.normalize("NFKC", name)) & (
        person.c.kind == str(PersonKind.REGISTERED)
    )
    counted = connection.execute(
        update(person)
        .where(wanted, func.coalesce(person.c.locked_until, 0) <= now)
        .values(failed=person.c.failed + 1)
        .returning(
            person.c.id,
            person.c.name,
            person.c.kind,
            person.c.role,
            person.c.password,
            person.c.failed,
        )
    ).first()
    if counted is None:
        until = connection.scalar(select(person.c.locked_until).where(wanted))
        if until is not None and until > now:
            raise AccountLocked(until, now)
        return None
    *who, hashed, failed = counted
    if failed >= FAILED_AT_MOST:
        connection.execute(
            update(person)
            .where(person.c.id == counted.id)
            .values(failed=0, locked_until=now + LOCKED_FOR)
        )
    return Attempt(_person(*who), hashed)


def log_in_succeeded(connection: Connection, attempt: Attempt) -> None:
    connection.execute(
        update(person).where(person.c.id == attempt.person.id).values(failed=0, locked_until=None)
    )


# --- tokens -----------------------------------------------------------------------------------

_GOOD = (
    select(
        token.c.digest,
        token.c.expires_at,
        person.c.id,
        person.c.name,
        person.c.kind,
        person.c.role,
    )
    .join(person, person.c.id == token.c.person_id)
    .where(
        token.c.purpose == str(Purpose.ACCESS),
        token.c.revoked_at.is_(None),
        token.c.expires_at > bindparam("now"),
    )
)
# Asked with every request and every socket, so not built anew each time.
_GOOD_TOKENS = _GOOD.where(token.c.digest.in_(bindparam("digests", expanding=True)))
_GOOD_TOKEN = Prepared(_GOOD.where(token.c.digest == bindparam("digest")))


def issue_tokens(connection: Connection, who: Person, now: int, entropy: Entropy) -> Tokens:
    access, refresh = entropy(TOKEN_BYTES), entropy(TOKEN_BYTES)
    tokens = Tokens(_written(access), now + ACCESS_LASTS, _written(refresh), now + REFRESH_LASTS)
    connection.execute(
        token.insert(),
        [
            _row(access, who, Purpose.ACCESS, tokens.access_until),
            _row(refresh, who, Purpose.REFRESH, tokens.refresh_until),
        ],
    )
    return tokens


def owner_of(connection: Connection, access: str, now: int) -> Person | None:
    """Whose access token this is, as long as it is good."""
    digest = digest_of(access)
    found = standing_of(connection, [digest], now).get(digest)
    return found.person if found else None


@dataclass(frozen=True, slots=True)
class Standing:
    """Whose access token it is, and until when it is good."""

    person: Person
    until: int


def standing_of(
    connection: Connection, digests: Collection[bytes], now: int
) -> dict[bytes, Standing]:
    """Those of these access tokens that are good now, by their digests."""
    rows: Iterable[Any]
    if len(digests) == 1:
        rows = _GOOD_TOKEN.all(connection, digest=next(iter(digests)), now=now)
    else:
        rows = connection.execute(_GOOD_TOKENS, {"digests": list(digests), "now": now})
    return {digest: Standing(_person(*who), until) for digest, until, *who in rows}


@dataclass(frozen=True, slots=True)
class Renewal:
    """New tokens; none where the refresh token is not good."""

    person: Person | None = None
    tokens: Tokens | None = None


def renew_tokens(connection: Connection, refresh: str, now: int, entropy: Entropy) -> Renewal:
    """A refresh token serves once. One that comes again was stolen: then all of the person end."""
    used = connection.execute(
        update(token)
        .where(
            token.c.digest == digest_of(refresh),
            token.c.purpose == str(Purpose.REFRESH),
            token.c.revoked_at.is_(None),
        )
        .values(revoked_at=now)
        .returning(token.c.person_id, token.c.expires_at)
    ).first()
    if used is None:
        _end_stolen(connection, refresh, now)
        return Renewal()
    if used.expires_at <= now:
        return Renewal()
    row = connection.execute(
        select(person.c.id, person.c.name, person.c.kind, person.c.role).where(
            person.c.id == used.person_id
        )
    ).one()
    who = _person(*row)
    return Renewal(who, issue_tokens(connection, who, now, entropy))


def _end_stolen(connection: Connection, refresh: str, now: int) -> None:
    owner = connection.scalar(
        select(token.c.person_id).where(
            token.c.digest == digest_of(refresh), token.c.purpose == str(Purpose.REFRESH)
        )
    )
    if owner is not None:
        revoke_all(connection, owner, now)


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


def forget_old_tokens(connection: Connection, now: int) -> int:
    """Remove those whose time is over; says how many."""
    return connection.execute(delete(token).where(token.c.expires_at <= now)).rowcount


def digest_of(written: str) -> bytes:
    """SHA-256 of the token; of the text itself where that is not a token, so that none is found."""
    try:
        secret = base64.b64decode(written.encode() + b"=", b"-_", validate=True)
    except (binascii.Error, ValueError):
        secret = written.encode(errors="surrogatepass")
    return hashlib.sha256(secret).digest()


def _written(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).decode().rstrip("=")


def _row(secret: bytes, who: Person, purpose: Purpose, until: int) -> dict[str, object]:
    return {
        "digest": hashlib.sha256(secret).digest(),
        "person_id": who.id,
        "purpose": str(purpose),
        "expires_at": until,
        "revoked_at": None,
    }
