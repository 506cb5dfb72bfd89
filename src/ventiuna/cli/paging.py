"""Long texts through a pager, for people at a terminal."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

from ventiuna.cli.output import is_plain
from ventiuna.cli.sheets import Output

USUAL_PAGER = "less"
LESS = "FRX"  # leaves at once where all fits, shows colours, keeps the text on the screen


@contextmanager
def paged(wanted: Output) -> Iterator[None]:
    """What is printed inside goes through a pager where it is longer than the window."""
    if not _has_reader():
        yield
        return
    wanted.buffer = StringIO()
    try:
        yield
    finally:
        text, wanted.buffer = wanted.buffer.getvalue(), None
        _show(text)


def _has_reader() -> bool:
    """Somebody who looks at a whole terminal and can press keys."""
    streams = sys.stdin, sys.stdout
    if is_plain() or not all(stream is not None and stream.isatty() for stream in streams):
        return False
    return os.environ.get("PAGER", USUAL_PAGER) not in ("", "cat")


def _show(text: str) -> None:
    height = os.get_terminal_size(sys.stdout.fileno()).lines
    if text.count("\n") < height or not _through_pager(text):
        sys.stdout.write(text)
        sys.stdout.flush()


def _through_pager(text: str) -> bool:
    """False where there is no such program."""
    sys.stdout.flush()
    settings = {"LESS": LESS, "LESSCHARSET": "utf-8", **os.environ}
    try:
        pager = subprocess.Popen(
            shlex.split(os.environ.get("PAGER", USUAL_PAGER)), stdin=subprocess.PIPE, env=settings
        )
    except (OSError, ValueError):
        return False
    try:
        pager.communicate(text.encode("utf-8", "replace"))
    except KeyboardInterrupt:  # it is the pager's: it goes on until its reader leaves
        pager.wait()
    return True
