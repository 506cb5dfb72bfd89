"""Shared output: JSON, tables, messages. Readable at 80 columns and without colour."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any, Literal

import typer
from rich.console import Console, ConsoleDimensions, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.segment import Segment

from ventiuna.cli.completion import complete_rules
from ventiuna.cli.rules_words import METAVAR
from ventiuna.cli.sheets import Output, Sheet
from ventiuna.cli.streams import is_dumb_terminal, takes_all_characters
from ventiuna.texts import ascii_json, json_text, one_line

PLAIN_WIDTH = 80  # where no terminal says how wide it is
DUMB_LINES = 25
WIDEST = 100  # longer lines are hard to read
NARROWEST = 20  # no table can be told in less
OUTPUT_PANEL = "Output"  # of a command's help

JsonFlag = Annotated[
    bool,
    typer.Option("--json", help="Print JSON instead of text.", rich_help_panel=OUTPUT_PANEL),
]
PlainFlag = Annotated[
    bool,
    typer.Option(
        "--plain",
        help="For screen readers and simple terminals: sentences, no columns, no colors.",
        rich_help_panel=OUTPUT_PANEL,
    ),
]
CsvOption = Annotated[
    str,
    typer.Option(
        metavar="FILE|FOLDER",
        help="Write every printed table as CSV, one file each, with a description.",
        show_default=False,
        rich_help_panel=OUTPUT_PANEL,
    ),
]
ParquetOption = Annotated[
    str,
    typer.Option(
        metavar="FILE|FOLDER",
        help="The same as Parquet; includes rules, fingerprint, seed and version.",
        show_default=False,
        rich_help_panel=OUTPUT_PANEL,
    ),
]
RulesArgument = Annotated[
    str,
    typer.Argument(
        metavar=METAVAR,
        help="A preset or a rules file (.toml), and any changes: wsgc-2021 decks=8 "
        "soft_17=stand. See `ventiuna rules list` and `ventiuna rules options`.",
        autocompletion=complete_rules,
    ),
]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar=METAVAR,
        help="Other rules, with any changes: wsgc-2021 decks=8.",
        show_default=False,
        autocompletion=complete_rules,
    ),
]

_output: ContextVar[Output] = ContextVar("output")


def output() -> Output:
    """What the running command was asked to do with its output."""
    found = _output.get(None)
    return Output() if found is None else found


@contextmanager
def output_as(wanted: Output) -> Iterator[None]:
    token = _output.set(wanted)
    try:
        yield
    finally:
        _output.reset(token)


def is_plain() -> bool:
    """Whether plain output was requested, or is all that the terminal can show."""
    return output().plain or is_dumb_terminal()


def sees_bars(out: Console) -> bool:
    """Is a person watching who sees a bar move?"""
    return out.is_terminal and not out.is_dumb_terminal and not is_plain()


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

    @property
    def _is_dumb_window(self) -> bool:
        """Rich takes every dumb terminal for 80 columns; its window may be narrower."""
        return self._width is None and self.is_dumb_terminal

    @property
    def size(self) -> ConsoleDimensions:
        """Followed when the window changes; longer lines are hard to read."""
        width, height = _window() if self._is_dumb_window else super().size
        return ConsoleDimensions(max(NARROWEST, min(width, WIDEST)), height)

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size

    def print(self, *objects: Any, **settings: Any) -> None:
        """Tables that are printed are those that are exported."""
        wanted, plain = output(), is_plain()
        for each in objects:
            sheet = each.renderable if isinstance(each, Padding) else each
            if isinstance(sheet, Sheet):
                sheet.read_aloud = plain
                wanted.sheets.append(sheet)
        super().print(*objects, **settings)


def _window() -> tuple[int, int]:
    """Columns and lines of the terminal that standard output is."""
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1)
    except (OSError, ValueError):
        return PLAIN_WIDTH, DUMB_LINES


def console() -> Console:
    """A console on standard output: no colours for pipes, no escape codes at all with NO_COLOR."""
    wanted = output()
    on_terminal = wanted.buffer is not None or Console().is_terminal
    columns = os.environ.get("COLUMNS", "")
    width: int | None = None  # as wide as the window is at the moment
    if columns.isdigit():  # for pipes, too: somebody has said it
        width = max(NARROWEST, min(int(columns), WIDEST))
    elif not on_terminal:
        width = PLAIN_WIDTH
    # By itself Rich would keep bold and dim with NO_COLOR, and those are escape codes too.
    without = os.environ.get("NO_COLOR") or is_plain()
    colours: Literal["auto"] | None = None if without else "auto"
    return SafeConsole(
        file=wanted.buffer,
        force_terminal=True if wanted.buffer is not None else None,
        highlight=False,
        markup=False,
        emoji=False,
        width=width,
        color_system=colours,
    )


def print_json(data: object) -> None:
    """On standard output; where that can't write every character, JSON's own escapes do."""
    text = json_text(data) + "\n"
    sys.stdout.write(text if takes_all_characters(sys.stdout) else ascii_json(text))


def note(text: str) -> None:
    """A line on standard error, beside the result."""
    print(one_line(text), file=sys.stderr)


def plain_table(*headings: str, name: str = "") -> Sheet:
    """A table of words without lines. Add rows with `add_row`; a cell is a text."""
    return Sheet(*headings, name=name)


def number_table(*headings: str, words: int = 1, gap: int = 2, name: str = "") -> Sheet:
    """A table whose first columns are words and whose others are numbers, right-aligned.

    A cell is a text or, with its exact value for exports, a `Figure`.
    """
    return Sheet(*headings, name=name, words=words, gap=gap)
