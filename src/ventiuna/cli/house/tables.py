"""`ventiuna house tables`: open, close, mend."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.house.office import Order, TableNumber, act, tell
from ventiuna.cli.house_file import DatabaseOption
from ventiuna.cli.output import JsonFlag, RulesArgument, console, plain_table, print_json
from ventiuna.engine.commands import VoidRound
from ventiuna.engine.stakes import Stakes
from ventiuna.rules import load_rules, rules_data
from ventiuna.table.house import administration
from ventiuna.table.house.office import HouseError, look, office
from ventiuna.table.play import commands as do
from ventiuna.table.play.commands import TableCommand
from ventiuna.table.records import overview

commands = App(no_args_is_help=True, help="Open, close and repair tables.")


@commands.callback()
def _group() -> None:
    pass


@commands.command("list")
def list_tables(database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """List all tables, including closed ones."""
    rows = look(database, overview.tables)
    if as_json:
        print_json(rows)
        return
    table = plain_table("table", "name", "rules", "fingerprint", "status")
    for row in rows:
        shown = ("id", "name", "rules", "fingerprint", "status")
        table.add_row(*(str(row[column]) for column in shown))
    console().print(table)


@act(commands, "open")
def open_table(
    name: Annotated[str, typer.Argument(metavar="NAME", show_default=False)],
    rules: RulesArgument,
    order: Order,
    clock: Annotated[
        list[str] | None,
        typer.Option(
            "--clock",
            metavar="NAME=MS",
            help="wagers, answer, decision, cut, away or leave, in milliseconds.",
            show_default=False,
        ),
    ] = None,
    jackpot: Annotated[
        list[str] | None,
        typer.Option(
            "--jackpot",
            metavar="GAME=NUMBER",
            help="The progressive that a game feeds; without it, the game gets its own.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Open a table. Its rules never change."""
    clocks = dict(map(_pair, clock or ()))
    linked = {_game(word): number for word, number in map(_pair, jackpot or ())}
    command = do.OpenTable(name, rules_data(load_rules(rules)), Stakes(clocks), order.reason)
    with office(order.database) as opened:
        acting = opened.act(order.by)
        house = opened.house
        made = opened.run(
            lambda connection: administration.open_table(connection, house, acting, command, linked)
        )
    meters = "".join(f", jackpot {game} is {one}" for game, one in sorted(made.jackpots.items()))
    tell(
        order.as_json,
        f"Table {made.number} is open{meters}.",
        table=made.number,
        jackpot_of_game={str(game): one for game, one in sorted(made.jackpots.items())},
    )


def _pair(text: str) -> tuple[str, int]:
    word, _, number = text.partition("=")
    if not number.isdecimal() or len(number) > 15:
        raise HouseError(f"{text}: write a name and a whole number, such as decision=30000.")
    return word, int(number)


def _game(word: str) -> int:
    if word not in ("1", "2"):
        raise HouseError(f"--jackpot {word}: a table has games 1 and 2.")
    return int(word)


@act(commands)
def close(table: TableNumber, order: Order) -> None:
    """Close a table: no new rounds, and everyone is cashed out after the current one."""
    _command(table, do.CloseTable(order.reason), order, "is closing")


@act(commands)
def void(table: TableNumber, order: Order) -> None:
    """Void the current round and return all its bets."""
    _command(table, VoidRound(order.reason), order, "has called its round off")


@act(commands)
def resume(table: TableNumber, order: Order) -> None:
    """Let a table continue after an internal error."""
    _command(table, do.ResumeTable(order.reason), order, "goes on")


@act(commands)
def drop(table: TableNumber, order: Order) -> None:
    """Move the table bank's result to the house."""
    _command(table, do.DropBank(order.reason), order, "has dropped its bank")


def _command(table: int, command: TableCommand, order: Order, words: str) -> None:
    with office(order.database) as opened:
        number = opened.command(order.by, table, command)
    tell(order.as_json, f"Table {table} {words}.", table=table, n=number)
