"""The console: shared options, tables and JSON on standard output, a pager, a prompt."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import StringIO
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console, ConsoleDimensions, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.segment import Segment

from ventiuna.cli.common.rules_args import (
    METAVAR,
    complete_rules,
    complete_rules_or_changes,
)
from ventiuna.cli.common.stdio import LONGEST_LINE, encodes_unicode, is_dumb_terminal
from ventiuna.cli.common.tables import CommandOutput, OutputTable
from ventiuna.texts import ascii_json, json_text, one_line

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

PLAIN_WIDTH = 80  # assumed if the terminal's width is unknown
DUMB_LINES = 25
WIDEST = 100  # longer lines are hard to read
NARROWEST = 20  # minimum width of any table
OUTPUT_PANEL = "Output"  # panel name in help

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
        help="Write each printed table to a CSV file, with a description.",
        show_default=False,
        rich_help_panel=OUTPUT_PANEL,
    ),
]
ParquetOption = Annotated[
    str,
    typer.Option(
        metavar="FILE|FOLDER",
        help="Like --csv, but as Parquet files with the rules, fingerprint, seed and version.",
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
        autocompletion=complete_rules_or_changes,
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

_current_output: ContextVar[CommandOutput] = ContextVar("output")


def current_output() -> CommandOutput:
    """Return the output settings of the running command."""
    found = _current_output.get(None)
    return CommandOutput() if found is None else found


@contextmanager
def output_as(output: CommandOutput) -> Iterator[None]:
    token = _current_output.set(output)
    try:
        yield
    finally:
        _current_output.reset(token)


def is_plain() -> bool:
    """Whether plain output was requested or the terminal can't show anything else."""
    return current_output().plain or is_dumb_terminal()


def progress_console() -> Console | None:
    """Standard error, or None unless someone is watching on a terminal that can show progress."""
    out = Console(stderr=True)
    return out if out.is_terminal and not out.is_dumb_terminal and not is_plain() else None


@contextmanager
def progress_bar(*columns: ProgressColumn) -> Iterator[Progress | None]:
    """A progress bar on standard error, or None if nobody is watching."""
    out = progress_console()
    if out is None:
        yield None
        return
    from rich.progress import Progress  # takes a while to import

    with Progress(*columns, console=out, transient=True) as bar:
        yield bar


class SafeConsole(Console):
    """A console that escapes control characters so that no text can move the cursor.

    Titles, names and files come from outside the program. Only requested styles become escape
    codes, and Rich keeps those separate from the text.
    """

    def __init__(self, *, width: int | None = None, **settings: Any) -> None:
        self._follows_window = width is None
        super().__init__(width=width, **settings)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            text, style, control = segment
            if control or text == "\n" or text.isprintable():
                yield segment
            else:
                safe = "\n".join(map(one_line, text.split("\n")))
                yield Segment(safe, style)

    @property
    def size(self) -> ConsoleDimensions:
        """Current window size, with the width limited to readable lines."""
        # Rich assumes 80 columns for every dumb terminal.
        measured = self._follows_window and self.is_dumb_terminal
        width, height = _window_size() if measured else super().size
        return ConsoleDimensions(max(NARROWEST, min(width, WIDEST)), height)

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self.width, self.height = new_size

    def print(self, *objects: Any, **settings: Any) -> None:
        """Print, and collect printed tables for export."""
        output, plain = current_output(), is_plain()
        for each in objects:
            sheet = each.renderable if isinstance(each, Padding) else each
            if isinstance(sheet, OutputTable):
                sheet.read_aloud = plain
                output.sheets.append(sheet)
        super().print(*objects, **settings)


def _window_size() -> tuple[int, int]:
    """Return the columns and lines of the terminal on standard output."""
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1)
    except (OSError, ValueError):
        return PLAIN_WIDTH, DUMB_LINES


def console() -> Console:
    """Create a console on standard output: no colors for pipes, no escape codes with NO_COLOR."""
    output = current_output()
    on_terminal = output.buffer is not None or Console().is_terminal
    columns = os.environ.get("COLUMNS", "")
    width: int | None = None  # the window's current width
    if columns.isdigit():  # set by the user, so it applies to pipes too
        width = max(NARROWEST, min(int(columns), WIDEST))
    elif not on_terminal:
        width = PLAIN_WIDTH
    # With NO_COLOR, Rich would still print the escape codes for bold and dim.
    without = os.environ.get("NO_COLOR") or is_plain()
    colors: Literal["auto"] | None = None if without else "auto"
    return SafeConsole(
        file=output.buffer,
        force_terminal=True if output.buffer is not None else None,
        highlight=False,
        markup=False,
        emoji=False,
        width=width,
        color_system=colors,
    )


def print_json(data: object) -> None:
    """Print JSON to standard output, with JSON escapes if its encoding isn't Unicode."""
    text = json_text(data) + "\n"
    sys.stdout.write(text if encodes_unicode(sys.stdout) else ascii_json(text))


def note(text: str) -> None:
    """Print a line to standard error, separate from the result."""
    print(one_line(text), file=sys.stderr)


def plain_table(*headings: str, name: str = "") -> OutputTable:
    """Create a borderless table of text. Add rows with `add_row`."""
    return OutputTable(*headings, name=name)


def number_table(*headings: str, words: int = 1, gap: int = 2, name: str = "") -> OutputTable:
    """Create a table with `words` text columns followed by right-aligned number columns."""
    return OutputTable(*headings, name=name, words=words, gap=gap)


# --- House database ---

DatabaseOption = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="DATABASE",
        help="A SQLite file or postgresql://…. Default: the house in your data folder.",
        show_default=False,
    ),
]


# --- Pager ---

DEFAULT_PAGER = "less"
LESS = "FRX"  # exit if everything fits, show colors, and leave the text on the screen


@contextmanager
def paged(output: CommandOutput) -> Iterator[None]:
    """Send output through a pager if it is longer than the window."""
    if not _is_interactive():
        yield
        return
    output.buffer = StringIO()
    try:
        yield
    finally:
        text, output.buffer = output.buffer.getvalue(), None
        _page_or_print(text)


def _is_interactive() -> bool:
    """Whether a person is at a full-featured terminal, with a keyboard and a pager."""
    streams = sys.stdin, sys.stdout
    if is_plain() or not all(stream is not None and stream.isatty() for stream in streams):
        return False
    return os.environ.get("PAGER", DEFAULT_PAGER) not in ("", "cat")


def _page_or_print(text: str) -> None:
    height = os.get_terminal_size(sys.stdout.fileno()).lines
    if text.count("\n") < height or not _through_pager(text):
        sys.stdout.write(text)
        sys.stdout.flush()


def _through_pager(text: str) -> bool:
    """Show the text in a pager; return False if it can't be started."""
    sys.stdout.flush()
    settings = {"LESS": LESS, "LESSCHARSET": "utf-8", **os.environ}
    try:
        pager = subprocess.Popen(
            shlex.split(os.environ.get("PAGER", DEFAULT_PAGER)), stdin=subprocess.PIPE, env=settings
        )
    except (OSError, ValueError):
        return False
    try:
        pager.communicate(text.encode("utf-8", "replace"))
    except KeyboardInterrupt:  # meant for the pager, which runs until the user quits
        pager.wait()
    return True


# --- Prompt ---

MIN_ECHO = 10


def accept_any_bytes() -> None:
    """Replace bytes that can't be decoded with a character that no command contains."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")


def edit_lines() -> None:
    """Enable line editing and history with the arrow keys, if Python has readline."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    try:
        import readline  # importing it is enough for input() to use it
    except ImportError:  # Windows
        return
    readline.set_completer(lambda text, state: None)  # otherwise Tab lists files
    readline.parse_and_bind("set enable-bracketed-paste off")  # no escape code at prompts


class Prompt:
    """Prompts on the console and reads a line; raises `EOFError` at the end of input."""

    def __init__(self, out: Console) -> None:
        self._out = out

    def ask(self, question: str) -> str:
        if sys.stdin is None:
            raise EOFError
        if sys.stdin.isatty():
            return self._read_from_terminal(question)
        return self._read_from_pipe(question)

    def _read_from_terminal(self, question: str) -> str:
        try:
            return input(question).strip()
        except EOFError:
            self._out.print()  # Ctrl-D leaves the cursor after the prompt
            raise

    def _read_from_pipe(self, question: str) -> str:
        """Read a line and echo it, so that the transcript is readable."""
        self._out.file.write(question)
        self._out.file.flush()
        line = sys.stdin.readline(LONGEST_LINE)
        if not line or len(line) == LONGEST_LINE:  # end of input, or a line that is too long
            self._out.file.write("\n")
            raise EOFError
        text = line.strip()
        room = max(self._out.width - len(question), MIN_ECHO)
        self._out.file.write(one_line(text[:room])[:room] + "\n")
        return text
