"""`ventiuna serve` and `table`: a house on the network, or your own table in the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import DatabaseOption, JsonFlag, RulesOption, console, print_json
from ventiuna.cli.common.rules_args import DEFAULT_RULES
from ventiuna.rules import load_rules
from ventiuna.table.store import database_address

if TYPE_CHECKING:
    from ventiuna.server.serve import LocalHouse


SealToOption = Annotated[
    str | None,
    typer.Option(
        "--seal-to",
        metavar="FILE|URL",
        help="Copy every seal to this file or database (postgresql://… or sqlite:///FILE).",
    ),
]

# --- serve ---


@command("serve", tables=False)
def serve(
    database: Annotated[
        str, typer.Option(metavar="ADDRESS", help="postgresql://… or a SQLite file.")
    ] = "",
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Number of processes; SQLite allows one.")
    ] = 1,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 picks a free one.")] = None,
    house_key_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="The house's secret key.")
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS", help="https://… address that browsers use. Can be repeated."
        ),
    ] = None,
    tls_certificate: Annotated[str | None, typer.Option(metavar="FILE", help="PEM.")] = None,
    tls_key: Annotated[str | None, typer.Option(metavar="FILE", help="PEM.")] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy on this machine handles TLS.")
    ] = False,
    seal_to: SealToOption = None,
    json: JsonFlag = False,
) -> None:
    """Serve a house's tables. Each option can also be set in the environment as VENTIUNA_….

    With PostgreSQL, any number of processes and machines can serve the same house. Ctrl-C or
    SIGTERM stops the server once pending commands are answered.
    """
    from ventiuna.server.serve import serve_house
    from ventiuna.server.settings import settings_from

    settings = settings_from(
        database=database or None,
        host=host,
        port=port,
        house_key_file=house_key_file,
        origins=tuple(origin) if origin else None,
        tls_certificate=tls_certificate,
        tls_key=tls_key,
        behind_proxy=behind_proxy or None,
        seal_to=seal_to,
    )
    out = console()

    def started(address: str) -> None:
        if json:
            print_json({"address": address})
        else:
            out.print(f"Serving at {address}", soft_wrap=True, highlight=False)
        out.file.flush()

    serve_house(settings, workers, started)


# --- table ---


@command("table", tables=False)
def table(
    database: DatabaseOption = "",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 picks a free one.")] = 8021,
    rules: RulesOption = "",
    bots: Annotated[
        int, typer.Option(min=0, max=6, help="Number of bots at a table that this command opens.")
    ] = 3,
    seal_to: SealToOption = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Don't open a browser.")] = False,
    json: JsonFlag = False,
) -> None:
    """Play at a live table in your browser: your own house, with play money and bots.

    A new house gets a Spanish 21 table, or one for --rules. If the house already exists and no open
    table uses --rules, one is opened. Ctrl-C closes the house.
    """
    from ventiuna.server.bootstrap import FirstTable
    from ventiuna.server.serve import LocalHouse, serve_local_house

    # Load the rules first so that invalid rules don't leave a new house behind.
    first = FirstTable(load_rules(rules or DEFAULT_RULES), bots, is_requested=bool(rules))
    own = LocalHouse(Path(database_address(database)), port, first, seal_to)
    out = console()

    def started(address: str, link: str) -> None:
        if json:
            print_json({"address": address, "link": link, "file": str(own.file)})
        else:
            _print_address(out, own, address, link)
        out.file.flush()
        if not no_browser and _has_display():
            import webbrowser

            webbrowser.open(link)

    serve_local_house(own, started)


def _has_display() -> bool:
    """Whether a graphical browser can open; a text browser would block this terminal."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, named))


def _print_address(out: Console, own: LocalHouse, address: str, link: str) -> None:
    out.print(f"The house {own.file} is open at {address}", soft_wrap=True, highlight=False)
    out.print("Sign in with this one-time link:", highlight=False)
    out.print(link, soft_wrap=True, highlight=False, markup=False)
    out.print("Press Ctrl-C to close it; unfinished rounds are saved.", highlight=False)
