"""`ventiuna house jackpots`: progressives, from their seed to their removal."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ventiuna.cli.house.office import (
    AsOption,
    DatabaseOption,
    Office,
    ReasonOption,
    cents,
    office,
    tell,
)
from ventiuna.cli.output import JsonFlag, RulesArgument, console, plain_table, print_json
from ventiuna.money import money_text
from ventiuna.rules import load_rules
from ventiuna.table import administration, registers
from ventiuna.table.commands import LinkJackpot, UnlinkJackpot
from ventiuna.table.jackpots import commands as do
from ventiuna.table.jackpots.settings import settings_of
from ventiuna.table.registers import ShownJackpot

commands = typer.Typer(
    no_args_is_help=True, help="Progressive jackpots: create, link, seed, correct, remove."
)

JackpotNumber = Annotated[int, typer.Argument(metavar="JACKPOT", min=1, show_default=False)]
TableNumber = Annotated[int, typer.Argument(metavar="TABLE", min=1, show_default=False)]
Game = Annotated[int, typer.Argument(metavar="GAME", min=1, max=2, show_default=False)]
Amount = Annotated[
    str, typer.Argument(metavar="AMOUNT", help="Dollars, such as 500.", show_default=False)
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
    """All progressives with what they show and what they hold."""
    with office(database) as opened:
        found = opened.read(registers.jackpots)
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
        "shown": one.shown,
        "reserve": one.reserve,
        "advanced": jackpot.advanced,
        "maximum": jackpot.maximum,
        "advance_limit": jackpot.advance_limit,
        "missing": jackpot.missing,
        "tables": {str(table): game for table, game in sorted(jackpot.tables.items())},
    }


@commands.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", show_default=False)],
    rules: RulesArgument,
    by: AsOption,
    reason: ReasonOption,
    game: Annotated[int, typer.Option("--game", min=1, max=2, help="Of those rules.")] = 1,
    maximum: Annotated[
        str, typer.Option("--maximum", help="The most that is shown, in dollars; or none.")
    ] = NONE,
    reserve_rate: Annotated[
        int,
        typer.Option("--reserve-rate", min=0, max=10_000, help="Ten-thousandths of each wager."),
    ] = 0,
    advance_limit: Annotated[
        str, typer.Option("--advance-limit", help="Seed money at most, in dollars; or none.")
    ] = NONE,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """A progressive for tables whose jackpot game is like that of these rules."""
    command = do.CreateJackpot(
        name,
        settings_of(load_rules(rules), game).data(),
        reason,
        _limit("--maximum", maximum),
        reserve_rate,
        _limit("--advance-limit", advance_limit),
    )
    with office(database) as opened:
        act = opened.act(by)
        number = opened.run(
            lambda connection: administration.create_jackpot(connection, act, command)
        )
        _tell(opened, number, as_json)


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


def _change(
    number: int,
    command: do.OperatorCommand | do.RemoveJackpot,
    by: str,
    database: str,
    as_json: bool,
) -> None:
    with office(database) as opened:
        act = opened.act(by)
        opened.run(
            lambda connection: administration.change_jackpot(connection, act, number, command)
        )
        _tell(opened, number, as_json)


@commands.command()
def link(
    jackpot: JackpotNumber,
    table: TableNumber,
    game: Game,
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """A table's game feeds it from now on."""
    with office(database) as opened:
        opened.command(by, table, LinkJackpot(game, jackpot, reason))
        _tell(opened, jackpot, as_json)


@commands.command()
def unlink(
    table: TableNumber,
    game: Game,
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """A table's game feeds it no more; what was contributed stays in the meter."""
    with office(database) as opened:
        number = opened.command(by, table, UnlinkJackpot(game, reason))
    tell(as_json, f"Game {game} of table {table} has no meter now.", table=table, n=number)


@commands.command()
def suspend(
    jackpot: JackpotNumber,
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """It takes no wagers."""
    _change(jackpot, do.SuspendJackpot(reason), by, database, as_json)


@commands.command()
def resume(
    jackpot: JackpotNumber,
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """It takes wagers again."""
    _change(jackpot, do.ResumeJackpot(reason), by, database, as_json)


@commands.command()
def seed(
    jackpot: JackpotNumber,
    amount: Amount,
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Seed money into the meter: from the reserve first, the rest from the house."""
    _change(jackpot, do.SeedJackpot(cents("AMOUNT", amount), reason), by, database, as_json)


@commands.command()
def recover(
    jackpot: JackpotNumber,
    amount: Amount,
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Seed money back to the house, at most what it advanced."""
    _change(jackpot, do.RecoverSeed(cents("AMOUNT", amount), reason), by, database, as_json)


@commands.command()
def maximum(
    jackpot: JackpotNumber,
    amount: Annotated[
        str, typer.Argument(metavar="AMOUNT", help="Dollars, or none.", show_default=False)
    ],
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """The most that is shown: at or above the present amount."""
    _change(jackpot, do.SetMaximum(_limit("AMOUNT", amount), reason), by, database, as_json)


@commands.command("advance-limit")
def advance_limit(
    jackpot: JackpotNumber,
    amount: Annotated[
        str, typer.Argument(metavar="AMOUNT", help="Dollars, or none.", show_default=False)
    ],
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """How much seed money the house advances at most."""
    _change(jackpot, do.SetAdvanceLimit(_limit("AMOUNT", amount), reason), by, database, as_json)


@commands.command()
def correct(
    jackpot: JackpotNumber,
    direction: Annotated[Direction, typer.Argument(metavar="up|down", show_default=False)],
    amount: Amount,
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Mend a wrong display."""
    kind = do.CorrectUp if direction is Direction.UP else do.CorrectDown
    _change(jackpot, kind(cents("AMOUNT", amount), reason), by, database, as_json)


@commands.command()
def receipts(
    jackpot: JackpotNumber,
    amount: Amount,
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Take out funds that are not displayed, as gross receipts."""
    _change(jackpot, do.TakeReceipts(cents("AMOUNT", amount), reason), by, database, as_json)


@commands.command()
def remove(
    jackpot: JackpotNumber,
    by: AsOption,
    reason: ReasonOption,
    to: Annotated[
        int | None,
        typer.Option("--to", min=1, help="The progressive that gets the players' money."),
    ] = None,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Out of play; players' money moves to another progressive, or it stays, suspended."""
    _change(jackpot, do.RemoveJackpot(to, reason), by, database, as_json)
