"""Standard input and output: encodings, closed pipes, full disks, limits, error messages."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer


BROKEN_PIPE = 141  # exit code that shells report for SIGPIPE
CANNOT_WRITE = 2
ERROR_HANDLER = "ventiuna.readable"  # our handler for characters that an encoding lacks
LONGEST_LINE = 1_000_000  # characters; longer than any valid input at a table


class _StandardOutput(io.FileIO):
    """A raw stream that remembers why writing failed so that the error can be reported later."""

    failure: OSError | None = None

    def write(self, data: Buffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            type(self).failure = error
            raise


def prepare_output() -> None:
    """Set up standard output and error so that they exist, can write any text, and record errors.

    If a stream was closed when the program started, its output is discarded.
    """
    _StandardOutput.failure = None
    codecs.register_error(ERROR_HANDLER, _replace_unencodable)
    sys.stdout = _wrap_stream(sys.stdout)
    if sys.stderr is None:
        sys.stderr = _null_stream()
    elif isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors=ERROR_HANDLER)


def _wrap_stream(stream: TextIO | None) -> TextIO:
    if stream is None:
        return _null_stream()
    if not isinstance(stream, io.TextIOWrapper):
        return stream  # the caller has replaced the stream
    binary: object = stream.buffer  # a raw file if Python runs unbuffered
    if not isinstance(getattr(binary, "raw", binary), io.FileIO):
        return stream
    stream.flush()
    raw = _StandardOutput(stream.fileno(), "wb", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        stream.encoding,
        ERROR_HANDLER,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _null_stream() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _replace_unencodable(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write `é` as `e` if the encoding lacks é; escape characters without a similar letter."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(map(_ascii_likeness, text)), error.end


def _ascii_likeness(char: str) -> str:
    plain = "".join(part for part in unicodedata.normalize("NFKD", char) if part.isascii())
    return plain or _ASCII_SIGNS.get(char) or char.encode("ascii", "backslashreplace").decode()


_ASCII_SIGNS = {
    "\N{EN DASH}": "-",
    "\N{MINUS SIGN}": "-",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{CENT SIGN}": "c",
    "\N{PLUS-MINUS SIGN}": "+/-",
    "\N{BLACK CLUB SUIT}": "c",
    "\N{BLACK DIAMOND SUIT}": "d",
    "\N{BLACK HEART SUIT}": "h",
    "\N{BLACK SPADE SUIT}": "s",
}


def is_dumb_terminal() -> bool:
    """Whether the terminal can't move its cursor, even if output goes through a pipe."""
    return os.environ.get("TERM") == "dumb"


def encodes_unicode(stream: TextIO) -> bool:
    """Whether the stream can write any character."""
    try:
        name = codecs.lookup(stream.encoding or "ascii").name
    except LookupError:
        return False
    return name.startswith("utf")


def read_input(file: str, maximum: int) -> bytes:
    """Read a file, or standard input for `-`, up to `maximum` + 1 bytes.

    The caller must reject anything longer than `maximum`; a file may be endless.
    """
    if file != "-":
        with Path(file).open("rb") as document:
            return document.read(maximum + 1)
    return b"" if sys.stdin is None else sys.stdin.buffer.read(maximum + 1)


def write_output(content: bytes) -> None:
    """Write UTF-8 bytes, whatever the terminal's encoding; the document declares its encoding."""
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:  # a text-only stream
        sys.stdout.write(content.decode())
        return
    sys.stdout.flush()
    raw.write(content)
    raw.flush()


def output_error() -> OSError | None:
    """Return the error that prevents writing to standard output, if any."""
    try:
        sys.stdout.flush()
    except ValueError:  # already closed
        return None
    except OSError as error:
        return error
    return _StandardOutput.failure


def finish_output() -> None:
    """Flush standard output; if that fails, report it once and exit."""
    error = output_error()
    if error is None:
        return
    # Otherwise, the interpreter would flush again at exit and print its own error.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # the reader is gone, so there is nobody to notify
        raise SystemExit(BROKEN_PIPE)
    print_error(f"standard output: {error.strerror}")
    raise SystemExit(CANNOT_WRITE)


def print_error(sentence: str) -> None:
    """Print one line to standard error, if possible."""
    try:
        print(f"error: {sentence}", file=sys.stderr)
    except OSError:
        return


def error_lines(error: Exception) -> list[str]:
    """Return one line for each problem."""
    from ventiuna.rules.model import RulesError
    from ventiuna.texts import one_line

    if isinstance(error, RulesError):
        return [str(problem) for problem in error.problems]
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        return [one_line(f"{place}{error.strerror}")]
    return [one_line(str(error))]


def print_warnings() -> None:
    """Print each warning once, as a sentence, without its source line."""
    from ventiuna.texts import one_line

    printed: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
        sentence = one_line(f"warning: {message}")
        if sentence not in printed:
            printed.add(sentence)
            print(sentence, file=sys.stderr)

    warnings.showwarning = show
