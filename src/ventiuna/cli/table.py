"""`ventiuna table`: a house of one's own on this machine, opened in the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.cli.commands import App
from ventiuna.cli.house_file import DatabaseOption
from ventiuna.cli.output import JsonFlag, RulesOption, console, print_json
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.rules import load_rules
from ventiuna.table.house.places import database_address

if TYPE_CHECKING:
    from ventiuna.server.own_house import OwnHouse


def register(app: App) -> None:
    app.command("table", tables=False)(table)


def table(
    database: DatabaseOption = "",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 picks a free one.")] = 8021,
    rules: RulesOption = "",
    bots: Annotated[
        int, typer.Option(min=0, max=6, help="Bots at a table that this command opens.")
    ] = 3,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Don't open a browser.")] = False,
    json: JsonFlag = False,
) -> None:
    """Play at a live table in your browser: your own house, with play money and bots.

    A new house gets a table of Spanish 21, or of --rules. If the house already exists and no open
    table uses --rules, one is opened. Ctrl-C closes the house.
    """
    from ventiuna.server.first_use import FirstTable
    from ventiuna.server.own_house import OwnHouse, serve_own_house

    # Read before anything is made: rules that are wrong leave no house behind.
    first = FirstTable(load_rules(rules or DEFAULT_RULES), bots, asked=bool(rules))
    own = OwnHouse(Path(database_address(database)), port, first)
    out = console()

    def started(address: str, link: str) -> None:
        if json:
            print_json({"address": address, "link": link, "file": str(own.file)})
        else:
            _tell(out, own, address, link)
        out.file.flush()
        if not no_browser and _has_windows():
            import webbrowser

            webbrowser.open(link)

    serve_own_house(own, started)


def _has_windows() -> bool:
    """Else a browser for terminals would take this one, and keep the house waiting."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, named))


def _tell(out: Console, own: OwnHouse, address: str, link: str) -> None:
    out.print(f"The house {own.file} is open at {address}", soft_wrap=True, highlight=False)
    out.print("Sign in with this one-time link:", highlight=False)
    out.print(link, soft_wrap=True, highlight=False, markup=False)
    out.print("Press Ctrl-C to close it; unfinished rounds are saved.", highlight=False)
