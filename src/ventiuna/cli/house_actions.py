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
from ventiuna.engine.commands import VoidRound
from ventiuna.engine.events import Stakes
from ventiuna.money import money_text, parse_amount
from ventiuna.rules import load_rules, rules_data
from ventiuna.table import admin, listings
from ventiuna.table.accounts import (
    GiveRole,
    IssueMoney,
    Person,
    PersonKind,
    RedeemMoney,
    Role,
    add_registered,
    checked_password,
    find_person,
)
from ventiuna.table.admin import HouseError, admin_session, read_house
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.commands import TableCommand

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


def _option(name: str, kind: object, *usual: object) -> inspect.Parameter:
    default = usual[0] if usual else inspect.Parameter.empty
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)


_ORDER_OPTIONS = (
    _option("by", AsOption),
    _option("reason", ReasonOption),
    _option("database", DatabaseOption, ""),
    _option("as_json", JsonFlag, False),
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


@operator_commands.callback()
def _operators() -> None:
    pass


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
            admin.give_role(connection, act, GiveRole(who.id, str(role), reason))
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
    from ventiuna.server.web_security import PasswordService  # needs its own extra

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
        opened.run(lambda connection: admin.give_role(connection, act, command))
    print_result(as_json, f"{name} is now a player.", person=who.id, name=name, role=Role.PLAYER)


# --- house money ---

money_commands = App(no_args_is_help=True, help="Issue and redeem play money.")


@money_commands.callback()
def _money() -> None:
    pass


@operator_command(money_commands)
def issue(name: PersonName, amount: Amount, order: OperatorOrder) -> None:
    """Add play money to a player's balance."""
    _move_money(IssueMoney, name, amount, order)


@operator_command(money_commands)
def redeem(name: PersonName, amount: Amount, order: OperatorOrder) -> None:
    """Take play money back, at most the player's balance."""
    _move_money(RedeemMoney, name, amount, order)


def _move_money(
    kind: type[IssueMoney] | type[RedeemMoney], name: str, amount: str, order: OperatorOrder
) -> None:
    moved = parse_cents("AMOUNT", amount)
    with admin_session(order.database) as opened:
        acting = opened.act(order.by)
        who = opened.read(lambda connection: person_named(connection, name))
        command = kind(who.id, moved, order.reason)
        opened.run(lambda connection: admin.move_money(connection, acting, command))
        wallet = opened.read(lambda connection: listings.wallet_of(connection, who.id))
    print_result(
        order.as_json,
        f"{who.name} now has a balance of {money_text(wallet)}.",
        person=who.id,
        name=who.name,
        wallet_cents=wallet,
    )


# --- house tables ---

table_commands = App(no_args_is_help=True, help="Open, close and repair tables.")


@table_commands.callback()
def _tables() -> None:
    pass


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


@operator_command(table_commands)
def close(table: TableNumber, order: OperatorOrder) -> None:
    """Close a table: no new rounds, and everyone is cashed out after the current one."""
    _run_command(table, do.CloseTable(order.reason), order, "is closing")


@operator_command(table_commands)
def void(table: TableNumber, order: OperatorOrder) -> None:
    """Void the current round and return all its bets."""
    _run_command(table, VoidRound(order.reason), order, "voided its round")


@operator_command(table_commands)
def resume(table: TableNumber, order: OperatorOrder) -> None:
    """Let a table continue after an internal error."""
    _run_command(table, do.ResumeTable(order.reason), order, "continues")


@operator_command(table_commands)
def drop(table: TableNumber, order: OperatorOrder) -> None:
    """Move the table bank's result to the house."""
    _run_command(table, do.DropBank(order.reason), order, "dropped its bank")


def _run_command(table: int, command: TableCommand, order: OperatorOrder, words: str) -> None:
    with admin_session(order.database) as opened:
        number = opened.command(order.by, table, command)
    print_result(order.as_json, f"Table {table} {words}.", table=table, n=number)
