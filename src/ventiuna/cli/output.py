"""Shared output: JSON, tables, messages. Readable at 80 columns and without colour."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table

from ventiuna.errors import one_line
from ventiuna.rules.errors import RulesError

PLAIN_WIDTH = 80  # where no terminal says how wide it is
WIDEST = 100  # longer lines are hard to read

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
RulesArgument = Annotated[
    str,
    typer.Argument(
        metavar="RULES",
        help="A preset, a rules file (.toml), or either with changes: "
        "'wsgc-2021(decks=8,soft_17=stand)'.",
        show_default=False,
    ),
]


def console() -> Console:
    """A console on standard output: no colours for pipes, no escape codes at all with NO_COLOR."""
    probe = Console(highlight=False, markup=False, emoji=False)
    width = min(probe.width, WIDEST) if probe.is_terminal else PLAIN_WIDTH
    # By itself Rich would keep bold and dim with NO_COLOR, and those are escape codes too.
    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    return Console(highlight=False, markup=False, emoji=False, width=width, color_system=colours)


def json_text(data: Any) -> str:
    """Stable keys in the order given; enums and tuples as text and lists."""
    return json.dumps(data, indent=2, ensure_ascii=False, default=str) + "\n"


def print_json(data: Any) -> None:
    sys.stdout.write(json_text(data))


def plain_table(*headings: str) -> Table:
    """A table without lines. Add columns' content with `add_row`; a cell is a text."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=any(headings))
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def error_lines(error: Exception) -> Iterable[str]:
    """One line for each thing that is wrong."""
    if isinstance(error, RulesError):
        return [str(problem) for problem in error.problems]
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        return [one_line(f"{place}{error.strerror}")]
    return [one_line(str(error))]
