"""`ventiuna restore`: a copy of a house put into an empty database."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.cli.backup import FileArgument, tell_copy
from ventiuna.cli.commands import App
from ventiuna.cli.output import JsonFlag


def register(app: App) -> None:
    app.command("restore", tables=False)(restore)


def restore(
    file: FileArgument,
    database: Annotated[
        str,
        typer.Option(
            "--database",
            metavar="DATABASE",
            help="A new SQLite file, or postgresql://… as the owner of an empty schema.",
            show_default=False,
        ),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Restore a copy into an empty database and audit it.

    Nothing is restored unless the audit finds no difference. Copy the house's key yourself.
    """
    from ventiuna.table.backup.restoring import restore_into

    copied = restore_into(file, database)
    tell_copy(copied, "Restored. Rounds in play need the house's key to go on.", as_json)
