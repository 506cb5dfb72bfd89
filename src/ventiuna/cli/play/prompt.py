"""One line from the person at the keyboard, or from a pipe."""

from __future__ import annotations

import sys

from rich.console import Console

from ventiuna.cli.streams import LONGEST_LINE
from ventiuna.texts import one_line

LEAST_ECHO = 10


def accept_any_bytes() -> None:
    """A byte that the encoding does not know becomes a sign that no command has."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")


def edit_lines() -> None:
    """Let arrow keys move in the line and recall earlier ones, if Python has readline."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    try:
        import readline  # input() uses it from now on
    except ImportError:  # Windows
        return
    readline.set_completer(lambda text, state: None)  # Tab would list files
    readline.parse_and_bind("set enable-bracketed-paste off")  # an escape code at every question


class Prompt:
    """Asks on the console and reads a line; `EOFError` when there are no more."""

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
            self._out.print()  # Ctrl-D leaves the cursor behind the question
            raise

    def _read_from_pipe(self, question: str) -> str:
        """Nobody sees what comes through a pipe, so it is echoed: the transcript stays readable."""
        self._out.file.write(question)
        self._out.file.flush()
        line = sys.stdin.readline(LONGEST_LINE)
        if not line or len(line) == LONGEST_LINE:  # the end, or a line that may have none
            self._out.file.write("\n")
            raise EOFError
        text = line.strip()
        room = max(self._out.width - len(question), LEAST_ECHO)
        self._out.file.write(one_line(text[:room])[:room] + "\n")
        return text
