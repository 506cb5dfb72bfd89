"""Who may sign in, and who may do what: names, passwords, roles and permissions.

Routes, operator commands, the documentation and the tests all read the table of permissions. A
route's permission is in `ventiuna.server.deps`, and an operator command's is in its declaration.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from ventiuna.errors import VentiunaError


class Role(StrEnum):
    """A person's role; guests are players without a password."""

    PLAYER = "player"
    FLOOR = "floor"
    OPERATOR = "operator"
    AUDITOR = "auditor"
    OWNER = "owner"


class Access(StrEnum):
    """A permission."""

    ANYONE = "anyone"
    SIGNED_IN = "signed in"
    PLAY = "play"
    SEE_ROUND = "see a round"
    RUN_TABLE = "run a table"
    SEE_FLOOR = "see the floor"
    SUPERVISE = "supervise"
    INSPECT = "inspect"
    MONITOR = "monitor"
    OPERATE = "operate"
    GOVERN = "govern"


@dataclass(frozen=True, slots=True)
class Permission:
    """The roles with a permission in general, and the roles with it only for their own things."""

    meaning: str
    roles: frozenset[Role]
    own: frozenset[Role] = frozenset()
    needs_token: bool = True


_ALL = frozenset(Role)
_OPERATORS = frozenset((Role.OPERATOR, Role.OWNER))
_INSPECTORS = _OPERATORS | {Role.AUDITOR}
_PLAYERS = _ALL - {Role.AUDITOR}  # auditors can't change anything

PERMISSIONS: Mapping[Access, Permission] = {
    Access.ANYONE: Permission("public information, and signing in", _ALL, needs_token=False),
    Access.SIGNED_IN: Permission("analysis, and your own account and records", _ALL),
    Access.PLAY: Permission("take a seat, open a private table", _PLAYERS),
    Access.SEE_ROUND: Permission(
        "open a round; your own rounds are the ones you bet in", _INSPECTORS, _ALL - _INSPECTORS
    ),
    Access.RUN_TABLE: Permission(
        "close a table, set its bots; your own table is your private one",
        _OPERATORS,
        _PLAYERS - _OPERATORS,
    ),
    Access.SEE_FLOOR: Permission("see the live floor", _INSPECTORS | {Role.FLOOR}),
    Access.SUPERVISE: Permission(
        "answer the dealers' calls at live tables", _OPERATORS | {Role.FLOOR}
    ),
    Access.INSPECT: Permission("read the books, people and reports, run audits", _INSPECTORS),
    Access.MONITOR: Permission(
        "read the metrics; also programs on this machine (not behind a proxy)",
        _INSPECTORS,
        needs_token=False,
    ),
    Access.OPERATE: Permission("run the house: money, tables, jackpots, people", _OPERATORS),
    Access.GOVERN: Permission("appoint owners, set house options", frozenset((Role.OWNER,))),
}


def may(role: str, access: Access) -> bool:
    """Whether this role has the permission in general, not only for its own things."""
    return role in PERMISSIONS[access].roles


def holders(access: Access) -> str:
    """The roles that have a permission, for messages; owners are operators, too."""
    roles = PERMISSIONS[access].roles
    named = roles - {Role.OWNER} or roles
    return " or ".join(role for role in Role if role in named)


# --- Names that nobody can mistake for another, and passwords that are hard to guess ---


LONGEST_PERSON_NAME = 32
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 256
COMMON_PASSWORDS = "common_passwords.txt"  # one per line, in lower case
LOOK_ALIKES = "look_alikes.txt"  # a letter, then its look-alikes in lower case
_PAIRS = (("rn", "m"), ("vv", "w"))
_CAPITALS = str.maketrans(
    "\u0396\u0397\u039c\u039d\u03a5", "ZHMNY"
)  # Greek letters that look Latin only as capitals
_OVERLAYS = re.compile("[\u0334-\u0338]")  # strokes through the letter before them
# Invisible printable characters: joiners and variation selectors, then those that take up space.
_INVISIBLE = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_BLANK = re.compile("[\\s\u115f\u1160\u2800\u3164\uffa0]+")


class PersonError(VentiunaError, ValueError):
    """The name or password is unacceptable, or the person is unknown."""

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


def checked_name(name: str) -> str:
    """Return the normalized name; raises `PersonError` if it is invalid."""
    plain = unicodedata.normalize("NFKC", name)
    seen = _visible(plain)
    is_padded = seen != seen.strip()
    if is_padded or not seen or len(plain) > LONGEST_PERSON_NAME or not plain.isprintable():
        raise PersonError(
            "bad_name",
            f"A name must have 1 to {LONGEST_PERSON_NAME} printable characters and can't begin or "
            "end with a space.",
        )
    return plain


def skeleton(name: str) -> str:
    """The same string for all names that look alike; two people can't have the same one.

    >>> skeleton("ANA") == skeleton("\\u0410na")  # this one begins with a Cyrillic letter
    True
    """
    folded = unicodedata.normalize("NFKC", _OVERLAYS.sub("", _visible(name))).casefold()
    plain = _visible(unicodedata.normalize("NFKC", folded)).strip().translate(_latin())
    for pair, letter in _PAIRS:
        plain = plain.replace(pair, letter)
    return plain


def skeletons(name: str) -> list[str]:
    """The skeletons of a name in small letters and in capitals, which may look like others.

    >>> skeletons("\\u039daa")  # a Greek capital nu looks like N, but a small one looks like v
    ['vaa', 'naa']
    """
    capitals = unicodedata.normalize("NFKC", name).upper().translate(_CAPITALS)
    return list(dict.fromkeys((skeleton(name), skeleton(capitals))))


def _visible(name: str) -> str:
    """The name without invisible characters, and with each run of blanks as one space."""
    return _BLANK.sub(" ", _INVISIBLE.sub("", name))


def checked_password(password: str, name: str = "") -> str:
    """Return the password; raises `PersonError` if it is too short, too long or easy to guess."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise PersonError(
            "bad_password",
            f"A password must have {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters.",
        )
    plain = password.casefold().strip()
    if len(set(plain)) < 3:
        raise PersonError("bad_password", "A password must have at least 3 different characters.")
    if plain in _common_passwords() or (name and plain == name.casefold()):
        raise PersonError(
            "bad_password", "This password is one of the first that attackers try. Choose another."
        )
    return password


@cache
def _common_passwords() -> frozenset[str]:
    return frozenset(_lines(COMMON_PASSWORDS))


@cache
def _latin() -> dict[int, str]:
    return {ord(alike): line[0] for line in _lines(LOOK_ALIKES) for alike in line[2:]}


def _lines(file: str) -> list[str]:
    return files("ventiuna.table").joinpath(file).read_text(encoding="utf-8").splitlines()
