"""A house of one's own: its operator, a first table and the link that opens it.

Whoever starts a house on this machine may do everything in it. The terminal shows a link with a
token that serves once and lives in this process alone; nobody else can know it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from threading import Lock

from sqlalchemy import Connection, select

from ventiuna.rules import Rules, fingerprint, rules_data
from ventiuna.server.actors import actor_of
from ventiuna.table.house.administration import Act, open_table
from ventiuna.table.house.houses import LONGEST_TABLE_NAME
from ventiuna.table.persons.bot_rows import new_bot
from ventiuna.table.persons.cashier import GiveRole, IssueMoney, carry_out
from ventiuna.table.persons.people import Entropy, Person, Role, add_guest, find_person
from ventiuna.table.play.carrying_out import SERVICE
from ventiuna.table.play.commands import OpenTable
from ventiuna.table.ports import Clock
from ventiuna.table.store.schema import game_table, person
from ventiuna.table.writing.transaction import House

OWNER = "Owner"
FIRST_TABLE = "First table"


@dataclass(frozen=True, slots=True)
class FirstTable:
    """What a fresh house begins with; rules that were asked for have a table in any house."""

    rules: Rules
    bots: int = 3
    strategy: str = "chart"
    asked: bool = False


class OwnerLink:
    """The token of the link; good once."""

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


def prepare(
    connection: Connection,
    house: House,
    first: FirstTable,
    money: int,
    clock: Clock,
    entropy: Entropy,
) -> Person:
    """The owner of the house; where it is new, with play money, a table and bots."""
    now = clock.now()
    owner = find_owner(connection)
    if owner is None:
        owner = _new_owner(connection, money, now, entropy)
    rules = first.rules
    command = _wanted_table(connection, rules, first.asked)
    if command is not None:
        act = Act(actor_of(owner), f"table {fingerprint(rules)} {now}", clock)
        table = open_table(connection, house, act, command).number
        for _ in range(min(first.bots, rules.seats - 1)):
            new_bot(connection, table, first.strategy, now, entropy)
    return owner


def _wanted_table(connection: Connection, rules: Rules, asked: bool) -> OpenTable | None:
    """The first one of a new house; later one for rules that were asked for and that no open
    table has."""
    if connection.scalar(select(game_table.c.id).limit(1)) is None:
        return OpenTable(FIRST_TABLE, rules_data(rules), reason="the house is new")
    alike = select(game_table.c.id).where(
        game_table.c.state == "open", game_table.c.rules_fingerprint == fingerprint(rules)
    )
    if not asked or connection.scalar(alike.limit(1)) is not None:
        return None
    name = rules.title[:LONGEST_TABLE_NAME]
    return OpenTable(name, rules_data(rules), reason="asked for when the house was started")


def find_owner(connection: Connection) -> Person | None:
    """The first operator of the house."""
    name = connection.scalar(
        select(person.c.name).where(person.c.role == str(Role.OPERATOR)).order_by(person.c.id)
    )
    return find_person(connection, name) if name else None


def _new_owner(connection: Connection, money: int, now: int, entropy: Entropy) -> Person:
    taken = find_person(connection, OWNER) is not None
    made = add_guest(connection, "" if taken else OWNER, now, entropy)
    role = GiveRole(made.id, str(Role.OPERATOR), "the house runs on this person's machine")
    carry_out(connection, SERVICE, f"owner/{made.id}", role, now)
    if money:
        carry_out(connection, SERVICE, f"welcome/{made.id}", welcome_money(made.id, money), now)
    found = find_person(connection, made.name)
    assert found is not None, "somebody who was just made"
    return found


def welcome_money(who: int, cents: int) -> IssueMoney:
    return IssueMoney(who, cents, "play money to begin with")
