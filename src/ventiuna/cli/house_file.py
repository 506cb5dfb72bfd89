"""The option that names the database of a house."""

from __future__ import annotations

from typing import Annotated

import typer

DatabaseOption = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="DATABASE",
        help="A SQLite file or postgresql://…; default: the house in your data folder.",
        show_default=False,
    ),
]
