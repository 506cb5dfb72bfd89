"""Who may do what: roles and their permissions.

Routes, operator commands, the documentation and the tests all read this table. What a route needs
is in `ventiuna.server.deps`, what an operator command needs in its declaration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


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
    """The roles that have a permission, and those that have it for their own things only."""

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
        "open a round; your own are those you bet in", _INSPECTORS, _ALL - _INSPECTORS
    ),
    Access.RUN_TABLE: Permission(
        "close a table, set its bots; your own is your private table",
        _OPERATORS,
        _PLAYERS - _OPERATORS,
    ),
    Access.SEE_FLOOR: Permission("see the live floor", _INSPECTORS | {Role.FLOOR}),
    Access.SUPERVISE: Permission(
        "acknowledge and authorize at live tables", _OPERATORS | {Role.FLOOR}
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
    """Whether this role has the permission, whatever it is used on."""
    return role in PERMISSIONS[access].roles


def holders(access: Access) -> str:
    """The roles that have a permission, for messages; owners are operators, too."""
    roles = PERMISSIONS[access].roles
    named = roles - {Role.OWNER} or roles
    return " or ".join(role for role in Role if role in named)
