"""`ventiuna table`: a house of one's own on this machine, opened in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ventiuna.cli.house_file import DatabaseOption, database_address
from ventiuna.cli.output import console


def register(app: typer.Typer) -> None:
    app.command("table")(table)


def table(
    database: DatabaseOption = "",
    port: Annotated[int, typer.Option(help="Where it listens; 0 takes a free one.")] = 8021,
    rules: Annotated[
        str, typer.Option(metavar="RULES", help="Of the first table of a new house.")
    ] = "wsgc-spanish-21",
    bots: Annotated[
        int, typer.Option(min=0, max=6, help="That wait at the first table of a new house.")
    ] = 3,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
) -> None:
    """Play at a live table: a house of your own, with play money and bots. Ctrl-C ends it."""
    from ventiuna.server.first_use import FirstTable
    from ventiuna.server.own_house import OwnHouse, serve_own_house

    own = OwnHouse(Path(database_address(database)), port, FirstTable(rules, bots))
    out = console()

    def started(address: str, link: str) -> None:
        out.print(f"The house {own.file} is open at {address}", soft_wrap=True, highlight=False)
        out.print("Your own way in, good once:", highlight=False)
        out.print(link, soft_wrap=True, highlight=False, markup=False)
        out.print("Ctrl-C closes it; rounds in play wait for you.", highlight=False)
        out.file.flush()
        if not no_browser:
            import webbrowser

            webbrowser.open(link)

    serve_own_house(own, started)
