"""A house opened by a terminal: who acts there, and how it is told.

Whoever only looks may do so beside a server. A SQLite house is changed by one process at a time,
so its server must not run meanwhile; the lock file says who holds it. With PostgreSQL a server may
run, and hears of what is done here.
"""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError

from ventiuna.cli.house_file import DatabaseOption, database_address, known_key, open_house
from ventiuna.cli.output import JsonFlag, console, print_json
from ventiuna.engine.errors import Refused
from ventiuna.errors import VentiunaError
from ventiuna.money import parse_amount
from ventiuna.table.house import administration
from ventiuna.table.house.administration import Act
from ventiuna.table.persons.people import Person, find_person
from ventiuna.table.persons.people import Role as PersonRole
from ventiuna.table.play.carrying_out import Actor, Role
from ventiuna.table.play.commands import TableCommand
from ventiuna.table.play.shoes import HouseShoes
from ventiuna.table.ports import SystemClock
from ventiuna.table.shoes.entropy import OsEntropy
from ventiuna.table.store import schema
from ventiuna.table.store.errors import StoreError
from ventiuna.table.store.opening import Store, is_postgres, open_store
from ventiuna.table.writing.requests import Refusal, Request
from ventiuna.table.writing.transaction import House
from ventiuna.table.writing.writer import Writer

__all__ = ["DatabaseOption"]

T = TypeVar("T")
FIRST = Actor("house", Role.OPERATOR)  # whoever has the database, before there is an operator

AsOption = Annotated[
    str,
    typer.Option(
        "--as", metavar="NAME", help="The operator who does it; it stands in the books.",
        show_default=False,
    ),
]  # fmt: skip
ReasonOption = Annotated[
    str,
    typer.Option(
        "--reason", metavar="WHY", help="Why, in one line; it stands in the books.",
        show_default=False,
    ),
]  # fmt: skip


TableNumber = Annotated[int, typer.Argument(metavar="TABLE", min=1, show_default=False)]
PersonName = Annotated[str, typer.Argument(metavar="NAME", show_default=False)]
Amount = Annotated[
    str, typer.Argument(metavar="AMOUNT", help="Dollars, such as 500.", show_default=False)
]


@dataclass(frozen=True, slots=True)
class Order:
    """What every act of an operator comes with."""

    by: str
    reason: str
    database: str
    as_json: bool


def _option(name: str, kind: object, *usual: object) -> inspect.Parameter:
    default = usual[0] if usual else inspect.Parameter.empty
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)


_ORDER = (
    _option("by", AsOption),
    _option("reason", ReasonOption),
    _option("database", DatabaseOption, ""),
    _option("as_json", JsonFlag, False),
)


def act(
    commands: typer.Typer, name: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command that takes an `order` last: on the command line that is its four options."""

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        own = [
            part
            for part in inspect.signature(function, eval_str=True).parameters.values()
            if part.name != "order"
        ]

        @wraps(function)
        def ordered(by: str, reason: str, database: str, as_json: bool, **rest: object) -> None:
            function(**rest, order=Order(by, reason, database, as_json))

        parts = [part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in (*own, *_ORDER)]
        parts.sort(key=lambda part: part.default is not inspect.Parameter.empty)
        ordered.__signature__ = inspect.Signature(parts)  # type: ignore[attr-defined]
        ordered.__annotations__ = {part.name: part.annotation for part in parts}
        return commands.command(name)(ordered)

    return decorated


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
                raise HouseError(f"--as {name}: this is not an operator of the house.")
        return self.act_of(_actor(found))

    def act_of(self, actor: Actor) -> Act:
        return Act(actor, secrets.token_hex(16), SystemClock())

    def run(self, job: Callable[[Connection], T]) -> T:
        return administration.carry_out(self.writer, job)

    def command(self, name: str, table: int, command: TableCommand) -> int:
        """A command that a table carries out; the number of its last event."""
        act = self.act(name)
        outcome = self.writer.step([Request(table, act.actor, act.key, command)]).outcomes[0]
        if isinstance(outcome, Refusal):
            raise Refused(outcome.code, outcome.rules, outcome.reason)
        return outcome.n

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
                "The house key is missing: put its file back beside the database, or give it in "
                "VENTIUNA_HOUSE_KEY."
            )
        house = House(name, HouseShoes(key, OsEntropy()))
        yield Office(address, store, house, Writer(store, house, SystemClock()))


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
    """A database that fails meanwhile is told in one sentence."""
    store = open_store(address)
    try:
        yield store
    except DBAPIError as error:
        reason = str(error.orig).partition("\n")[0]
        raise StoreError(f"The database fails: {reason}.") from None
    finally:
        store.close()


def _check_is_there(address: str) -> None:
    if not is_postgres(address) and not Path(address).exists():
        raise HouseError(f"{address}: there is no house: ventiuna house create makes one.")


def shown_address(address: str) -> str:
    """Without what may be a password."""
    return "PostgreSQL" if is_postgres(address) else str(Path(address))


def operators(connection: Connection) -> int:
    person = schema.person
    wanted = person.c.role == str(PersonRole.OPERATOR)
    return connection.scalar(select(func.count()).select_from(person).where(wanted)) or 0


def person_named(connection: Connection, name: str) -> Person:
    found = find_person(connection, name)
    if found is None:
        raise HouseError(f"{name}: nobody in this house has this name.")
    return found


def cents(name: str, text: str) -> int:
    """An amount in dollars, as everywhere on the command line."""
    amount = parse_amount(text)
    if amount <= 0:
        raise HouseError(f"{name} {text}: give an amount above zero.")
    return amount


def tell(as_json: bool, sentence: str, **data: object) -> None:
    """What was done: a sentence, or data."""
    if as_json:
        print_json(data)
    else:
        console().print(sentence)
