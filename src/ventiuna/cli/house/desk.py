"""`ventiuna house`: make a house and look at it; the rest are groups of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import Column, Connection, func, select

from ventiuna.cli.commands import App
from ventiuna.cli.house import jackpots, money, operators, tables
from ventiuna.cli.house.office import (
    DatabaseOption,
    HouseError,
    look,
    open_database,
    shown_address,
    tell,
)
from ventiuna.cli.house_file import database_address, known_key
from ventiuna.cli.output import JsonFlag, console, plain_table, print_json
from ventiuna.money import money_text
from ventiuna.table.books.entries import balances
from ventiuna.table.books.seals import newest_seal
from ventiuna.table.house.houses import house_id
from ventiuna.table.records import registers
from ventiuna.table.shoes.house_key import key_beside
from ventiuna.table.store import schema
from ventiuna.table.store.opening import is_postgres

commands = App()
commands.add_typer(operators.commands, name="operators")
commands.add_typer(money.commands, name="money")
commands.add_typer(tables.commands, name="tables")
commands.add_typer(jackpots.commands, name="jackpots")


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
    """Set up PostgreSQL, or bring it to this version, as the owner of its schema.

    ROLE gets the rights that serving needs and no more. A SQLite file does this by itself.
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
    name: Annotated[str, typer.Option("--name", help="How the house is called.")] = "Ventiuna",
    as_json: JsonFlag = False,
) -> None:
    """Make a house: its database and its secret key. Then name an operator."""
    address = database_address(database)
    if is_postgres(address):
        if known_key(address) is None:
            raise HouseError(
                "VENTIUNA_HOUSE_KEY must be set with PostgreSQL: 64 hexadecimal digits, secret."
            )
    else:
        Path(address).parent.mkdir(parents=True, exist_ok=True)
    with open_database(address) as store:
        with store.read() as connection:
            if connection.scalar(select(schema.house.c.id)) is not None:
                raise HouseError(f"{shown_address(address)}: there is a house already.")
        if not is_postgres(address):
            key_beside(Path(address))
        with store.write() as connection:
            number = house_id(connection, name)
    tell(
        as_json,
        f"House {number} stands in {shown_address(address)}. Name an operator: ventiuna house "
        "operators add NAME.",
        house=number,
        name=name,
        database=shown_address(address),
    )


@commands.command()
def status(database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """What there is: people, tables, jackpots, money, the newest seal."""
    address = database_address(database)
    data = {"database": shown_address(address), **look(database, _status)}
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


def _status(connection: Connection) -> dict[str, object]:
    house, person, table = schema.house, schema.person, schema.game_table
    row = connection.execute(select(house.c.id, house.c.name)).one()
    states = _counts(connection, table.c.state)
    roles = _counts(connection, person.c.role)
    seal = newest_seal(connection)
    held = balances(connection)
    return {
        "house": row.id,
        "name": row.name,
        "operators": roles.get("operator", 0),
        "auditors": roles.get("auditor", 0),
        "players": roles.get("player", 0),
        "open_tables": states.get("open", 0),
        "closing_tables": states.get("closing", 0),
        "tables_in_fault": states.get("fault", 0),
        "jackpots": len(registers.jackpots(connection)),
        "issued_cents": -held.get("mint", 0),
        "imbalance_cents": sum(held.values()),
        "newest_seal": seal.hash.hex() if seal else None,
    }


def _counts(connection: Connection, column: Column[str]) -> dict[str, int]:
    rows = connection.execute(select(column, func.count()).group_by(column))
    return {str(value): int(number) for value, number in rows}


@commands.command()
def persons(
    database: DatabaseOption = "",
    after: Annotated[int, typer.Option("--after", min=0, help="Those behind this number.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Everybody by number, with role and wallet; a hundred at a time."""
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
