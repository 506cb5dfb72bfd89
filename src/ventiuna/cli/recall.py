"""`ventiuna recall`: a round of a live table, step by step, as the books have it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.house_file import DatabaseOption
from ventiuna.cli.output import JsonFlag, console, print_json
from ventiuna.table.house.places import database_address, open_house
from ventiuna.texts import one_line


class Form(StrEnum):
    TEXT = "text"
    NOTATION = "notation"


def register(app: App) -> None:
    app.command("recall", tables=False, pages=True)(recall)


def recall(
    table: Annotated[int, typer.Argument(metavar="TABLE", help="The table's number.")],
    number: Annotated[
        int, typer.Argument(metavar="ROUND", help="The round's number; 0 for the last.")
    ] = 0,
    database: DatabaseOption = "",
    form: Annotated[
        Form, typer.Option("--as", help="Sentences, or notation that `settle` reads.")
    ] = Form.TEXT,
    down_card: Annotated[
        bool,
        typer.Option("--down-card", help="Show a down card that is still secret."),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Recall a round: every step in order, marked as a replay."""
    from ventiuna.engine.views import DEALER, EVERYONE
    from ventiuna.table.records.recall import notation, recalled_data, told
    from ventiuna.table.records.recall import recall as recall_round

    with open_house(database_address(database)) as house, house.read() as connection:
        found = recall_round(connection, table, number, DEALER if down_card else EVERYONE)
    if as_json:
        print_json(recalled_data(found))
    elif form is Form.NOTATION:
        print("\n".join(map(one_line, notation(found).split("\n"))), end="")
    else:
        out = console()
        for line in told(found):
            out.print(line)
