"""`ventiuna serve`: a house for many, on one machine or several."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.output import JsonFlag, console, print_json


def register(app: App) -> None:
    app.command("serve", tables=False)(serve)


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
            metavar="ADDRESS", help="https://… address that browsers use; may be repeated."
        ),
    ] = None,
    tls_certificate: Annotated[str | None, typer.Option(metavar="FILE", help="PEM.")] = None,
    tls_key: Annotated[str | None, typer.Option(metavar="FILE", help="PEM.")] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy on this machine handles TLS.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Serve a house's tables. Each option can also be set in the environment as VENTIUNA_….

    With PostgreSQL, any number of processes and machines can serve the same house. Ctrl-C or
    SIGTERM stops it after pending commands are answered.
    """
    from ventiuna.server.serving import serve_house
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
    )
    out = console()

    def started(address: str) -> None:
        if json:
            print_json({"address": address})
        else:
            out.print(f"Serving at {address}", soft_wrap=True, highlight=False)
        out.file.flush()

    serve_house(settings, workers, started)
