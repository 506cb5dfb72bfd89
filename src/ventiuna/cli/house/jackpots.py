"""`ventiuna house jackpots`: progressives, from their seed to their removal."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.house.office import (
    Amount,
    Order,
    TableNumber,
    act,
    cents,
    tell,
)
from ventiuna.cli.house_file import DatabaseOption
from ventiuna.cli.output import JsonFlag, RulesArgument, console, plain_table, print_json
from ventiuna.money import money_text
from ventiuna.rules import load_rules
from ventiuna.table.house import administration
from ventiuna.table.house.office import Office, look, office
from ventiuna.table.jackpots import commands as do
from ventiuna.table.jackpots.settings import settings_of
from ventiuna.table.play.commands import LinkJackpot, UnlinkJackpot
from ventiuna.table.records import registers
from ventiuna.table.records.registers import ShownJackpot

commands = App(
    no_args_is_help=True, help="Progressive jackpots: create, link, seed, correct, remove."
)

JackpotNumber = Annotated[int, typer.Argument(metavar="JACKPOT", min=1, show_default=False)]
Game = Annotated[int, typer.Argument(metavar="GAME", min=1, max=2, show_default=False)]
AmountOrNone = Annotated[
    str, typer.Argument(metavar="AMOUNT", help="Dollars, or none.", show_default=False)
]
NONE = "none"


class Direction(StrEnum):
    UP = "up"
    DOWN = "down"


@commands.callback()
def _group() -> None:
    pass


@commands.command("list")
def list_jackpots(database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """List all progressives with their meters and funds."""
    found = look(database, registers.jackpots)
    if as_json:
        print_json([_data(one) for one in found])
        return
    table = plain_table("number", "name", "status", "shows", "reserve", "advanced", "tables")
    for one in found:
        jackpot = one.jackpot
        tables = ", ".join(map(str, sorted(jackpot.tables))) or NONE
        amounts = (money_text(cents) for cents in (one.shown, one.reserve, jackpot.advanced))
        table.add_row(str(jackpot.number), jackpot.name, jackpot.status, *amounts, tables)
    console().print(table)


def _data(one: ShownJackpot) -> dict[str, object]:
    jackpot = one.jackpot
    return {
        "id": jackpot.number,
        "name": jackpot.name,
        "status": jackpot.status,
        "shown_cents": one.shown,
        "reserve_cents": one.reserve,
        "advanced_cents": jackpot.advanced,
        "maximum_cents": jackpot.maximum,
        "advance_limit_cents": jackpot.advance_limit,
        "missing_cents": jackpot.missing,
        "tables": {str(table): game for table, game in sorted(jackpot.tables.items())},
    }


@act(commands)
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", show_default=False)],
    rules: RulesArgument,
    order: Order,
    game: Annotated[int, typer.Option("--game", min=1, max=2, help="The rules' jackpot game.")] = 1,
    maximum: Annotated[
        str, typer.Option("--maximum", help="Highest amount shown, in dollars, or none.")
    ] = NONE,
    reserve_rate: Annotated[
        int,
        typer.Option(
            "--reserve-rate",
            min=0,
            max=10_000,
            help="Share of each wager that goes to the reserve, in ten-thousandths.",
        ),
    ] = 0,
    advance_limit: Annotated[
        str, typer.Option("--advance-limit", help="Maximum seed money, in dollars, or none.")
    ] = NONE,
) -> None:
    """Create a progressive for tables with the same jackpot game as these rules."""
    command = do.CreateJackpot(
        name,
        settings_of(load_rules(rules), game).data(),
        order.reason,
        _limit("--maximum", maximum),
        reserve_rate,
        _limit("--advance-limit", advance_limit),
    )
    with office(order.database) as opened:
        acting = opened.act(order.by)
        number = opened.run(
            lambda connection: administration.create_jackpot(connection, acting, command)
        )
        _tell(opened, number, order.as_json)


def _limit(name: str, text: str) -> int | None:
    return None if text == NONE else cents(name, text)


def _tell(opened: Office, number: int, as_json: bool) -> None:
    one = opened.read(lambda connection: registers.one_jackpot(connection, number))
    jackpot = one.jackpot
    tell(
        as_json,
        f"Jackpot {number} ({jackpot.name}) is {jackpot.status} and shows "
        f"{money_text(one.shown)}; reserve {money_text(one.reserve)}, seed advanced "
        f"{money_text(jackpot.advanced)}.",
        **_data(one),
    )


def _change(number: int, command: do.OperatorCommand | do.RemoveJackpot, order: Order) -> None:
    with office(order.database) as opened:
        acting = opened.act(order.by)
        opened.run(
            lambda connection: administration.change_jackpot(connection, acting, number, command)
        )
        _tell(opened, number, order.as_json)


@act(commands)
def link(jackpot: JackpotNumber, table: TableNumber, game: Game, order: Order) -> None:
    """Link a table's jackpot game to a progressive."""
    with office(order.database) as opened:
        opened.command(order.by, table, LinkJackpot(game, jackpot, order.reason))
        _tell(opened, jackpot, order.as_json)


@act(commands)
def unlink(table: TableNumber, game: Game, order: Order) -> None:
    """Unlink a table's jackpot game; its contributions stay in the meter."""
    with office(order.database) as opened:
        number = opened.command(order.by, table, UnlinkJackpot(game, order.reason))
    tell(order.as_json, f"Game {game} of table {table} has no meter now.", table=table, n=number)


@act(commands)
def suspend(jackpot: JackpotNumber, order: Order) -> None:
    """Stop taking wagers."""
    _change(jackpot, do.SuspendJackpot(order.reason), order)


@act(commands)
def resume(jackpot: JackpotNumber, order: Order) -> None:
    """Take wagers again."""
    _change(jackpot, do.ResumeJackpot(order.reason), order)


@act(commands)
def seed(jackpot: JackpotNumber, amount: Amount, order: Order) -> None:
    """Add seed money to the meter, from the reserve first, then from the house."""
    _change(jackpot, do.SeedJackpot(cents("AMOUNT", amount), order.reason), order)


@act(commands)
def recover(jackpot: JackpotNumber, amount: Amount, order: Order) -> None:
    """Return seed money to the house, at most the amount it advanced."""
    _change(jackpot, do.RecoverSeed(cents("AMOUNT", amount), order.reason), order)


@act(commands)
def maximum(jackpot: JackpotNumber, amount: AmountOrNone, order: Order) -> None:
    """Set the highest amount the meter can show, at or above its current amount."""
    _change(jackpot, do.SetMaximum(_limit("AMOUNT", amount), order.reason), order)


@act(commands, "advance-limit")
def advance_limit(jackpot: JackpotNumber, amount: AmountOrNone, order: Order) -> None:
    """Limit the seed money that the house advances."""
    _change(jackpot, do.SetAdvanceLimit(_limit("AMOUNT", amount), order.reason), order)


@act(commands)
def correct(
    jackpot: JackpotNumber,
    direction: Annotated[Direction, typer.Argument(metavar="up|down", show_default=False)],
    amount: Amount,
    order: Order,
) -> None:
    """Correct a wrong meter display."""
    kind = do.CorrectUp if direction is Direction.UP else do.CorrectDown
    _change(jackpot, kind(cents("AMOUNT", amount), order.reason), order)


@act(commands)
def receipts(jackpot: JackpotNumber, amount: Amount, order: Order) -> None:
    """Withdraw funds that aren't displayed, as gross receipts."""
    _change(jackpot, do.TakeReceipts(cents("AMOUNT", amount), order.reason), order)


@act(commands)
def remove(
    jackpot: JackpotNumber,
    order: Order,
    to: Annotated[
        int | None,
        typer.Option("--to", min=1, help="The progressive that gets the players' money."),
    ] = None,
) -> None:
    """Remove a progressive. Players' money moves to another one, or it stays suspended."""
    _change(jackpot, do.RemoveJackpot(to, order.reason), order)
