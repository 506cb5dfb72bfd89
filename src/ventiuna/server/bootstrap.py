"""Sets up a new house: its owner, a first table, and play money for newcomers.

The person who starts a house on their own machine may do anything in it. The terminal shows a link
with a one-time token. The token exists only in this process, so nobody else can know it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from threading import Lock

from sqlalchemy import Connection, select

from ventiuna.rules import Rules, fingerprint, rules_data
from ventiuna.server.deps import Welcome
from ventiuna.server.live_tables import actor_for
from ventiuna.server.telemetry import now_ms
from ventiuna.table.access import PERMISSIONS, Access, Role
from ventiuna.table.accounts import (
    GiveRole,
    IssueMoney,
    Person,
    RandomBytes,
    add_guest,
    find_person,
    handle_cashier_command,
    new_bot,
)
from ventiuna.table.admin import LONGEST_TABLE_NAME, OperatorAction, open_table
from ventiuna.table.domain.commands import OpenTable
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.store.schema import game_table, person
from ventiuna.table.writer import Clock, HouseContext

OWNER_NAME = "Owner"
FIRST_TABLE_NAME = "First table"


@dataclass(frozen=True, slots=True)
class FirstTable:
    """A new house's first table; on request, also opened in an old house that has none like it."""

    rules: Rules
    bots: int = 3
    strategy: str = "chart"
    is_requested: bool = False


class OwnerLink:
    """The token in the owner's link, valid once."""

    def __init__(self, person: int) -> None:
        self.person = person
        self.token = secrets.token_urlsafe(32)
        self._digest = _digest(self.token)
        self._used = False
        self._lock = Lock()

    def use(self, token: str) -> bool:
        with self._lock:
            fits = not self._used and hmac.compare_digest(_digest(token), self._digest)
            self._used = self._used or fits
            return fits


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def set_up_house(
    connection: Connection,
    house: HouseContext,
    first: FirstTable,
    money: int,
    clock: Clock,
    entropy: RandomBytes,
) -> Person:
    """Return the house's owner; first, give a new house play money, a table, and bots."""
    now = clock.now()
    first_operator = (
        select(person.c.name)
        .where(person.c.role.in_([str(role) for role in PERMISSIONS[Access.OPERATE].roles]))
        .order_by(person.c.role != str(Role.OWNER), person.c.id)
    )
    name = connection.scalar(first_operator)
    owner = find_person(connection, name) if name else None
    if owner is None:
        owner = _new_owner(connection, money, now, entropy)
    rules = first.rules
    command = _table_to_open(connection, rules, first.is_requested)
    if command is not None:
        act = OperatorAction(actor_for(owner), f"table {fingerprint(rules)} {now}", clock)
        table = open_table(connection, house, act, command).number
        for _ in range(min(first.bots, rules.seats - 1)):
            new_bot(connection, table, first.strategy, now, entropy)
    return owner


def _table_to_open(connection: Connection, rules: Rules, requested: bool) -> OpenTable | None:
    """A new house's first table, or a table for requested rules that no open table has."""
    if connection.scalar(select(game_table.c.id).limit(1)) is None:
        return OpenTable(FIRST_TABLE_NAME, rules_data(rules), reason="the house is new")
    alike = select(game_table.c.id).where(
        game_table.c.state == "open", game_table.c.rules_fingerprint == fingerprint(rules)
    )
    if not requested or connection.scalar(alike.limit(1)) is not None:
        return None
    name = rules.title[:LONGEST_TABLE_NAME]
    return OpenTable(name, rules_data(rules), reason="requested when the house was started")


def _new_owner(connection: Connection, money: int, now: int, entropy: RandomBytes) -> Person:
    taken = find_person(connection, OWNER_NAME) is not None
    guest = add_guest(connection, "" if taken else OWNER_NAME, now, entropy)
    role = GiveRole(guest.id, str(Role.OWNER), "the house runs on this person's machine")
    handle_cashier_command(connection, SERVICE, f"owner/{guest.id}", role, now)
    if money:
        handle_cashier_command(
            connection, SERVICE, f"welcome/{guest.id}", welcome_grant(guest.id, money), now
        )
    found = find_person(connection, guest.name)
    assert found is not None, "the person was just created"
    return found


def welcome_grant(who: int, cents: int) -> IssueMoney:
    return IssueMoney(who, cents, "starting play money")


def welcome_policy(cents: int) -> Welcome:
    """Grant each newcomer this amount, unless it is 0."""

    def welcome(connection: Connection, person: Person) -> None:
        if cents:
            money = welcome_grant(person.id, cents)
            handle_cashier_command(connection, SERVICE, f"welcome/{person.id}", money, now_ms())

    return welcome
