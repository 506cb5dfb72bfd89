"""A house opened to act in it, or to be looked at.

Whoever only looks may do so beside a server. A SQLite house is changed by one process at a time,
so its server must not run meanwhile; the lock file says who holds it. With PostgreSQL a server may
run, and hears of what is done here.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, func, select

from ventiuna.errors import VentiunaError
from ventiuna.table.house import administration
from ventiuna.table.house.administration import Act
from ventiuna.table.house.houses import house_id
from ventiuna.table.house.keeper import beating
from ventiuna.table.house.lost_keys import REMEDY, check_key, lost_shoes, new_shoes
from ventiuna.table.house.places import database_address, key_of_environment, known_key, open_house
from ventiuna.table.persons.people import Person, find_person
from ventiuna.table.persons.people import Role as PersonRole
from ventiuna.table.play.carrying_out import Actor, Role
from ventiuna.table.play.commands import TableCommand
from ventiuna.table.play.reasons import checked_reason
from ventiuna.table.play.shoes import HouseShoes
from ventiuna.table.ports import SystemClock
from ventiuna.table.shoes.entropy import OsEntropy
from ventiuna.table.shoes.fairness import SECRET
from ventiuna.table.shoes.house_key import HouseKey, key_beside, replace_key
from ventiuna.table.store import schema
from ventiuna.table.store.opening import Store, is_postgres, open_store, telling_failures
from ventiuna.table.writing.requests import Request, done
from ventiuna.table.writing.transaction import House
from ventiuna.table.writing.writer import Writer

T = TypeVar("T")
LONGEST_NAME = 60
FIRST = Actor("house", Role.OPERATOR)  # whoever has the database, before there is an operator


class HouseError(VentiunaError, ValueError):
    """Something about the house that the command line got wrong."""


@dataclass(slots=True)
class Office:
    """An open house."""

    address: str
    store: Store
    house: House
    writer: Writer

    def act(self, name: str) -> Act:
        """The next act of this operator."""
        with self.store.read() as connection:
            found = find_person(connection, name)
            if found is None or found.role is not PersonRole.OPERATOR:
                raise HouseError(f"operator {name}: this is not an operator of the house (--as).")
        return self.act_of(_actor(found))

    def first_act(self, name: str) -> Act:
        """The same, but anyone with the database may act for a house without operators."""
        is_operator = schema.person.c.role == str(PersonRole.OPERATOR)
        count = select(func.count()).select_from(schema.person).where(is_operator)
        if not name and self.read(lambda connection: connection.scalar(count)):
            raise HouseError("--as: this house has operators; say which of them you are.")
        return self.act(name) if name else self.act_of(FIRST)

    def act_of(self, actor: Actor) -> Act:
        return Act(actor, secrets.token_hex(16), SystemClock())

    def run(self, job: Callable[[Connection], T]) -> T:
        return administration.carry_out(self.writer, job)

    def command(self, name: str, table: int, command: TableCommand) -> int:
        """A command that a table carries out; the number of its last event."""
        act = self.act(name)
        outcome = self.writer.step([Request(table, act.actor, act.key, command)]).outcomes[0]
        return done(outcome).n

    def read(self, look: Callable[[Connection], T]) -> T:
        with self.store.read() as connection:
            return look(connection)


def _actor(person: Person) -> Actor:
    return Actor(f"person/{person.id}", Role.OPERATOR, str(person.id), person.name)


@contextmanager
def office(database: str) -> Iterator[Office]:
    """The house in this database, to act in it."""
    address = database_address(database)
    _check_is_there(address)
    with open_database(address) as store:
        with store.read() as connection:
            name = _house_of(connection, address)
            key = known_key(address)
            if key is None:
                raise HouseError(
                    "The house key is missing. Put its file back beside the database, or set "
                    f"VENTIUNA_HOUSE_KEY. {REMEDY}"
                )
            shoes = HouseShoes(key, OsEntropy())
            # A table opened with another key would keep the house from starting with its own.
            check_key(connection, shoes)
        house = House(name, shoes)
        yield Office(address, store, house, Writer(store, house, SystemClock()))


def rotate_key(database: str, by: str, reason: str) -> list[int]:
    """Give the house a new key; return the tables whose rounds are voided and shoes end.

    The new key is the one in the environment; without it, a new one beside the SQLite file.
    """
    address = database_address(database)
    _check_is_there(address)
    given = key_of_environment()
    if given is None and is_postgres(address):
        raise HouseError("VENTIUNA_HOUSE_KEY must hold the new key: 64 hexadecimal digits.")
    key = given or HouseKey(os.urandom(SECRET))
    checked_reason(reason)
    with open_database(address) as store:
        with store.read() as connection:
            name = _house_of(connection, address)
            if is_postgres(address) and beating(connection, SystemClock().now()):
                raise HouseError(
                    "A server was running this house within the last 10 seconds. Stop all "
                    "servers before you rotate the key."
                )
        house = House(name, HouseShoes(key, OsEntropy()))
        opened = Office(address, store, house, Writer(store, house, SystemClock()))
        actor = opened.first_act(by).actor
        if not given:
            replace_key(Path(address), key)  # on disk before any shoe is committed with it
        lost = opened.read(lambda connection: lost_shoes(connection, house.shoes))
        step = opened.writer.step(new_shoes(lost, actor, reason))
        for outcome in step.outcomes:
            done(outcome)
    return list(lost)


def look(database: str, query: Callable[[Connection], T]) -> T:
    """What the house is like, beside whoever plays in it: nothing is locked, nothing written."""
    address = database_address(database)
    _check_is_there(address)
    with open_house(address) as house, house.read() as connection:
        _house_of(connection, address)
        return query(connection)


def _house_of(connection: Connection, address: str) -> str:
    name = connection.scalar(select(schema.house.c.id))
    if name is None:
        raise HouseError(f"{shown_address(address)}: there is no house: ventiuna house create.")
    return str(name)


@contextmanager
def open_database(address: str) -> Iterator[Store]:
    store = open_store(address)
    try:
        with telling_failures():
            yield store
    finally:
        store.close()


def _check_is_there(address: str) -> None:
    if not is_postgres(address) and not Path(address).exists():
        raise HouseError(f"{address}: there is no house: ventiuna house create makes one.")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HouseError(f"{folder} can't be made: {error.strerror or error}.") from None


def shown_address(address: str) -> str:
    """Without what may be a password."""
    return "PostgreSQL" if is_postgres(address) else str(Path(address))


def make_house(database: str, name: str) -> str:
    """A new house in a database that has none, with its secret key; its id."""
    address = database_address(database)
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise HouseError(f"name: give the house 1 to {LONGEST_NAME} printable characters.")
    if not is_postgres(address):
        _make_folder(Path(address).parent)
    elif known_key(address) is None:
        raise HouseError(
            "VENTIUNA_HOUSE_KEY must be set with PostgreSQL: 64 hexadecimal digits, secret."
        )
    with open_database(address) as store:
        with store.read() as connection:
            if connection.scalar(select(schema.house.c.id)) is not None:
                raise HouseError(f"{shown_address(address)}: there is a house already.")
        if known_key(address) is None:
            key_beside(Path(address))
        with store.write() as connection:
            return house_id(connection, name)
