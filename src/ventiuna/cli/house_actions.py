"""`ventiuna house operators`, `money` and `tables`: actions that record operator and reason."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlalchemy import Connection

from ventiuna.cli.common.commands import App
from ventiuna.cli.common.console import (
    DatabaseOption,
    JsonFlag,
    RulesArgument,
    console,
    plain_table,
    print_json,
)
from ventiuna.engine.events import Stakes
from ventiuna.money import parse_amount
from ventiuna.rules import load_rules, rules_data
from ventiuna.table import admin, listings
from ventiuna.table.accounts import (
    GiveRole,
    Person,
    PersonKind,
    Role,
    add_registered,
    checked_password,
    find_person,
)
from ventiuna.table.admin import HouseError, admin_session, read_house
from ventiuna.table.domain import commands as do

# --- Shared by all actions ---

AsOption = Annotated[
    str,
    typer.Option(
        "--as", metavar="NAME", help="Operator taking this action, for the books.",
        show_default=False,
    ),
]  # fmt: skip
OptionalAs = Annotated[
    str,
    typer.Option(
        "--as", metavar="NAME", show_default=False,
        help="Operator taking this action; not needed until the house has one.",
    ),
]  # fmt: skip
ReasonOption = Annotated[
    str,
    typer.Option(
        "--reason", metavar="WHY", help="Reason for the books, in one line.",
        show_default=False,
    ),
]  # fmt: skip


TableNumber = Annotated[int, typer.Argument(metavar="TABLE", min=1, show_default=False)]
PersonName = Annotated[str, typer.Argument(metavar="NAME", show_default=False)]
Amount = Annotated[
    str, typer.Argument(metavar="AMOUNT", help="Dollars, such as 500.", show_default=False)
]


@dataclass(frozen=True, slots=True)
class OperatorOrder:
    """Options that every operator action has."""

    by: str
    reason: str
    database: str
    as_json: bool


def parameter(name: str, kind: object, *usual: object) -> inspect.Parameter:
    """A parameter of a terminal command, with its default if it has one."""
    default = usual[0] if usual else inspect.Parameter.empty
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)


_ORDER_OPTIONS = (
    parameter("by", AsOption),
    parameter("reason", ReasonOption),
    parameter("database", DatabaseOption, ""),
    parameter("as_json", JsonFlag, False),
)


def operator_command(
    commands: typer.Typer, name: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a command whose last parameter, `order`, becomes four options."""

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        own = [
            part
            for part in inspect.signature(function, eval_str=True).parameters.values()
            if part.name != "order"
        ]

        @wraps(function)
        def ordered(by: str, reason: str, database: str, as_json: bool, **rest: object) -> None:
            function(**rest, order=OperatorOrder(by, reason, database, as_json))

        parts = [
            part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in (*own, *_ORDER_OPTIONS)
        ]
        parts.sort(key=lambda part: part.default is not inspect.Parameter.empty)
        registered: Any = ordered
        registered.__signature__ = inspect.Signature(parts)
        registered.__annotations__ = {part.name: part.annotation for part in parts}
        return commands.command(name)(ordered)

    return decorated


def person_named(connection: Connection, name: str) -> Person:
    found = find_person(connection, name)
    if found is None:
        raise HouseError(f"Nobody in this house is named {name}.")
    return found


def parse_cents(name: str, text: str) -> int:
    """Parse an amount in dollars, which must be above zero."""
    amount = parse_amount(text)
    if amount <= 0:
        raise HouseError(f"{name} must be more than zero, not {text}.")
    return amount


def print_result(as_json: bool, sentence: str, **data: object) -> None:
    """Print the result as a sentence or as JSON."""
    if as_json:
        print_json(data)
    else:
        console().print(sentence)


# --- house operators ---

operator_commands = App(no_args_is_help=True, help="Appoint and dismiss operators and auditors.")


@operator_commands.command()
def add(
    name: PersonName,
    reason: ReasonOption,
    by: OptionalAs = "",
    auditor: Annotated[
        bool,
        typer.Option(
            "--auditor", help="Appoint an auditor, who can see everything but change nothing."
        ),
    ] = False,
    password_file: Annotated[
        str,
        typer.Option(
            "--password-file",
            metavar="FILE",
            help="File with a new person's password in its first line. Default: prompt for it.",
            show_default=False,
        ),
    ] = "",
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Appoint an operator or auditor; new people are registered automatically."""
    role = Role.AUDITOR if auditor else Role.OPERATOR
    with admin_session(database) as opened:
        act = opened.first_act(by)
        found = opened.read(lambda connection: find_person(connection, name))
        if found is not None and found.kind is PersonKind.GUEST:
            raise HouseError(f"{name} is a guest. Only a person with a password can have a role.")
        hashed = "" if found else _password_hash(password_file)

        def give(connection: Connection) -> Person:
            who = found or add_registered(connection, name, hashed, Role.PLAYER, act.at)
            admin.change_person(connection, act, GiveRole(who.id, str(role), reason))
            return who

        who = opened.run(give)
    print_result(
        as_json,
        f"{who.name} is now {'an auditor' if auditor else 'an operator'}.",
        person=who.id,
        name=who.name,
        role=role,
    )


def _password_hash(password_file: str) -> str:
    from ventiuna.server.web_security import PasswordService  # loaded only if needed

    if password_file:
        text = Path(password_file).read_text(encoding="utf-8").splitlines()
        password = text[0] if text else ""
    else:
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return PasswordService().hashed(checked_password(password))


@operator_commands.command()
def remove(
    name: PersonName,
    reason: ReasonOption,
    by: OptionalAs = "",
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Make an operator or auditor a player again. The last operator must stay."""
    with admin_session(database) as opened:
        act = opened.first_act(by)
        who = opened.read(lambda connection: person_named(connection, name))
        command = GiveRole(who.id, str(Role.PLAYER), reason)
        opened.run(lambda connection: admin.change_person(connection, act, command))
    print_result(as_json, f"{name} is now a player.", person=who.id, name=name, role=Role.PLAYER)


# --- house money ---

money_commands = App(no_args_is_help=True, help="Issue and redeem play money.")


# --- house tables ---

table_commands = App(no_args_is_help=True, help="Open, close and repair tables.")


@table_commands.command("list")
def list_tables(database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """List all tables, including closed ones."""
    rows = read_house(database, listings.list_tables)
    if as_json:
        print_json(rows)
        return
    table = plain_table("table", "name", "rules", "fingerprint", "status")
    for row in rows:
        columns = ("id", "name", "rules", "fingerprint", "status")
        table.add_row(*(str(row[column]) for column in columns))
    console().print(table)


@operator_command(table_commands, "open")
def open_table(
    name: Annotated[str, typer.Argument(metavar="NAME", show_default=False)],
    rules: RulesArgument,
    order: OperatorOrder,
    clock: Annotated[
        list[str] | None,
        typer.Option(
            "--clock",
            metavar="NAME=MS",
            help="Time limit in milliseconds for wagers, answer, decision, cut, away or leave.",
            show_default=False,
        ),
    ] = None,
    jackpot: Annotated[
        list[str] | None,
        typer.Option(
            "--jackpot",
            metavar="GAME=NUMBER",
            help="Progressive that a game contributes to. Default: a new one for this table.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Open a table. Its rules never change."""
    clocks = dict(map(_pair, clock or ()))
    linked = {_game(word): number for word, number in map(_pair, jackpot or ())}
    command = do.OpenTable(name, rules_data(load_rules(rules)), Stakes(clocks), order.reason)
    with admin_session(order.database) as opened:
        acting = opened.act(order.by)
        house = opened.house
        opened_table = opened.run(
            lambda connection: admin.open_table(connection, house, acting, command, linked)
        )
    meters = "".join(
        f", jackpot game {game} uses jackpot {one}"
        for game, one in sorted(opened_table.jackpots.items())
    )
    print_result(
        order.as_json,
        f"Table {opened_table.number} is open{meters}.",
        table=opened_table.number,
        jackpot_of_game={str(game): one for game, one in sorted(opened_table.jackpots.items())},
    )


def _pair(text: str) -> tuple[str, int]:
    word, _, number = text.partition("=")
    if not number.isdecimal() or len(number) > 15:
        raise HouseError(
            f"{text} must be a name and a whole number, such as decision=30000 or 1=3."
        )
    return word, int(number)


def _game(word: str) -> int:
    if word not in ("1", "2"):
        raise HouseError(f"--jackpot {word}: the game must be 1 or 2.")
    return int(word)
