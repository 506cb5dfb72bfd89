"""Shared output: JSON, tables, messages. Readable at 80 columns and without colour."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Annotated, Literal

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table

from ventiuna.cli.streams import takes_all_characters
from ventiuna.rules.errors import RulesError
from ventiuna.texts import ascii_json, json_text, one_line

PLAIN_WIDTH = 80  # where no terminal says how wide it is
WIDEST = 100  # longer lines are hard to read
NARROWEST = 20  # no table can be told in less

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


class SafeConsole(Console):
    """A console on which no text from outside moves the cursor: its control characters are shown.

    Titles, names and files are others' words. Only the styles that are asked for become escape
    codes, and those are no text.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            text, style, control = segment
            if control or text == "\n" or text.isprintable():
                yield segment
            else:
                shown = "\n".join(map(one_line, text.split("\n")))
                yield Segment(shown, style)


def console() -> Console:
    """A console on standard output: no colours for pipes, no escape codes at all with NO_COLOR."""
    probe = Console(highlight=False, markup=False, emoji=False)
    width = PLAIN_WIDTH
    if probe.is_terminal:  # one that is narrower folds the lines itself
        width = max(NARROWEST, min(probe.width, WIDEST))
    # By itself Rich would keep bold and dim with NO_COLOR, and those are escape codes too.
    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    return SafeConsole(
        highlight=False, markup=False, emoji=False, width=width, color_system=colours
    )


def print_json(data: object) -> None:
    """On standard output; where that can't write every character, JSON's own escapes do."""
    text = json_text(data) + "\n"
    sys.stdout.write(text if takes_all_characters(sys.stdout) else ascii_json(text))


def note(text: str) -> None:
    """A line on standard error, beside the result."""
    print(one_line(text), file=sys.stderr)


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
