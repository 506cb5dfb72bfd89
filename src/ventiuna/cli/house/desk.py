"""`ventiuna house`: create a house and inspect it; its other commands are groups of their own."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.house import jackpots, money, operators, tables
from ventiuna.cli.house.office import OptionalAs, ReasonOption, tell
from ventiuna.cli.house_file import DatabaseOption
from ventiuna.cli.output import JsonFlag, console, plain_table, print_json
from ventiuna.money import money_text
from ventiuna.table.house.office import HouseError, look, make_house, rotate_key, shown_address
from ventiuna.table.house.places import database_address
from ventiuna.table.records import overview, registers
from ventiuna.table.store.opening import is_postgres

commands = App(
    no_args_is_help=True,
    help="Manage a house of live tables: operators, tables, jackpots, play money. Every action is "
    "recorded in the books with who did it and why.",
)
commands.add_typer(operators.commands, name="operators")
commands.add_typer(money.commands, name="money")
commands.add_typer(tables.commands, name="tables")
commands.add_typer(jackpots.commands, name="jackpots")


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="house")


@commands.callback()
def _group() -> None:
    pass


@commands.command()
def migrate(
    role: Annotated[
        str, typer.Argument(metavar="ROLE", help="The database role that serves the house.")
    ],
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Set up or upgrade PostgreSQL, as the owner of its schema.

    ROLE gets only the rights that serving needs. SQLite files are upgraded automatically.
    """
    address = database_address(database)
    if not is_postgres(address):
        raise HouseError(f"{address}: a SQLite file is brought up when it is opened.")
    from ventiuna.table.store.postgres import migrate as bring_up  # an extra of its own

    bring_up(address, role)
    told = shown_address(address)
    tell(as_json, f"{told} is ready for {role}.", database=told, role=role)


@commands.command()
def create(
    database: DatabaseOption = "",
    name: Annotated[str, typer.Option("--name", help="Name of the house.")] = "Ventiuna",
    as_json: JsonFlag = False,
) -> None:
    """Create a house: its database and secret key. Then appoint an operator."""
    number = make_house(database, name)
    place = shown_address(database_address(database))
    tell(
        as_json,
        f"House {number} stands in {place}. Name an operator: ventiuna house operators add NAME.",
        house=number,
        name=name,
        database=place,
    )


@commands.command("rotate-key")
def rotate(
    reason: ReasonOption,
    by: OptionalAs = "",
    void_open_rounds: Annotated[
        bool,
        typer.Option(
            "--void-open-rounds", help="Confirm: open rounds are voided and bets returned."
        ),
    ] = False,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Replace the house's secret key, for example because it is lost.

    Every open round is voided, and its shoe ends without a reveal, so nobody can check it. Each
    table's book records who did this and why. The new key is written beside a SQLite file; if
    VENTIUNA_HOUSE_KEY is set, it holds the new key.
    """
    if not void_open_rounds:
        raise HouseError(
            "A new key voids every open round, and nobody can check their shoes. Confirm this with "
            "--void-open-rounds."
        )
    tables = rotate_key(database, by, reason)
    numbers = ", ".join(map(str, tables)) or "none"
    tell(as_json, f"The house has a new key. Tables with a new shoe: {numbers}.", tables=tables)


@commands.command()
def status(database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """Show a summary: people, tables, jackpots, money, the newest seal."""
    address = database_address(database)
    data = {"database": shown_address(address), **look(database, overview.summary)}
    if as_json:
        print_json(data)
        return
    table = plain_table("", "")
    for what, value in data.items():
        if what.endswith("_cents"):
            table.add_row(what.removesuffix("_cents"), money_text(int(str(value))))
        else:
            table.add_row(what.replace("_", " "), "none" if value is None else str(value))
    console().print(table)


@commands.command()
def persons(
    database: DatabaseOption = "",
    after: Annotated[int, typer.Option("--after", min=0, help="Start after this number.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """List everyone by number, with role and balance; a hundred at a time."""
    lines = look(database, lambda connection: registers.persons(connection, after))
    if as_json:
        print_json(
            [
                {
                    "id": line.person.id,
                    "name": line.person.name,
                    "kind": line.person.kind,
                    "role": line.person.role,
                    "wallet_cents": line.wallet,
                }
                for line in lines
            ]
        )
        return
    table = plain_table("number", "name", "kind", "role", "wallet")
    for line in lines:
        who = line.person
        table.add_row(str(who.id), who.name, who.kind, who.role, money_text(line.wallet))
    console().print(table)
