"""A house opened by a terminal: who acts there, and how it is told."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Annotated

import typer
from sqlalchemy import Connection

from ventiuna.cli.house_file import DatabaseOption
from ventiuna.cli.output import JsonFlag, console, print_json
from ventiuna.money import parse_amount
from ventiuna.table.house.office import HouseError
from ventiuna.table.persons.people import Person, find_person

AsOption = Annotated[
    str,
    typer.Option(
        "--as", metavar="NAME", help="The operator who does this, for the books.",
        show_default=False,
    ),
]  # fmt: skip
OptionalAs = Annotated[
    str,
    typer.Option(
        "--as", metavar="NAME", show_default=False,
        help="The operator who does this; not needed before the house has one.",
    ),
]  # fmt: skip
ReasonOption = Annotated[
    str,
    typer.Option(
        "--reason", metavar="WHY", help="The reason, in one line, for the books.",
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
