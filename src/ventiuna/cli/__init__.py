"""The command `ventiuna`. Nothing heavy is imported before a command asks for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from ventiuna import __version__
from ventiuna.extras import extra_missing

BROKEN_PIPE = 141  # what a shell reports for a reader that went away
MISSING_EXTRA = 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:  # answered before Typer is even loaded
        print(f"ventiuna {__version__}")
        raise SystemExit(0)
    try:
        from ventiuna.cli.app import app
    except ModuleNotFoundError as error:
        told = extra_missing(error)
        if told is None:
            raise
        print(f"error: {told}", file=sys.stderr)
        raise SystemExit(MISSING_EXTRA) from None
    _open_output()
    try:
        # A name that the terminal's encoding can't show is escaped, never a traceback.
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        app(words, prog_name="ventiuna")
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except BrokenPipeError:
        _leave_pipe()
    finally:
        _flush()


def _open_output() -> None:
    """A program started with its output closed has none: nobody reads it, so it goes nowhere."""
    if sys.stdout is None:
        sys.stdout = _nowhere()
    if sys.stderr is None:
        sys.stderr = _nowhere()


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_pipe()


def _leave_pipe() -> None:
    """Nobody reads any more: say nothing, and keep the interpreter from trying again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(BROKEN_PIPE)
