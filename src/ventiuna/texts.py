"""Text from outside made safe for where it goes: a terminal, markup, TOML, JSON, a spreadsheet.

Titles, names and file names are written by others. None of them may move a cursor, end a line,
break a file's syntax or be taken for a formula.
"""

from __future__ import annotations

import json
import math
import re
from html import escape

_SPECIAL = re.compile(r"[^\x20-\x7e\n]")  # what is worth a second look
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[-+]?[0-9][0-9,]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\s?%?")
_LARGEST_TWO_BYTES = 0xFFFF
_SURROGATES = range(0xD800, 0xE000)


def one_line(text: str) -> str:
    """The text with line breaks and control characters escaped, safe to show on a terminal."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in _whole_characters(text)
    )


def _whole_characters(text: str) -> str:
    """Bytes of a file's name that the system's encoding did not know, read as UTF-8."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return text


def markup_text(text: str) -> str:
    """For HTML and SVG, between tags and in attributes: XML has no control characters at all."""
    return escape(one_line(text))


def toml_text(text: str) -> str:
    """A TOML string in its quotes."""
    return _SPECIAL.sub(_toml_escape, json.dumps(text, ensure_ascii=False))


def _toml_escape(found: re.Match[str]) -> str:
    char = found[0]
    if char.isprintable():
        return char
    if ord(char) in _SURROGATES:  # half a character, which TOML can't hold
        return "\N{REPLACEMENT CHARACTER}"
    return f"\\u{ord(char):04x}" if ord(char) <= _LARGEST_TWO_BYTES else f"\\U{ord(char):08x}"


def json_text(data: object, indent: int | None = 2) -> str:
    """JSON in the order given; enums and tuples as text and lists; safe to show on a terminal.

    JSON has no Infinity and no NaN: null stands for a number that does not exist.
    """
    try:
        text = json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False, default=str)
    except ValueError:
        text = json.dumps(finite(data), indent=indent, ensure_ascii=False, default=str)
    return _SPECIAL.sub(_json_escape, text)


def _json_escape(found: re.Match[str]) -> str:
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]


def ascii_json(text: str) -> str:
    """The same JSON in ASCII alone, for a stream that takes nothing else."""
    return _SPECIAL.sub(lambda found: json.dumps(found[0])[1:-1], text)


def finite(data: object) -> object:
    """The same data with None for numbers that do not exist."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {key: finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [finite(value) for value in data]
    return data


def csv_cell(value: object) -> object:
    """A text that a spreadsheet would run as a formula gets a ' before it; numbers stay."""
    if (
        isinstance(value, str)
        and value.startswith(_FORMULA_STARTS)
        and not _NUMBER.fullmatch(value)
    ):
        return f"'{value}"
    return value


def pluralize(number: int, one: str, many: str = "") -> str:
    """So many of something.

    >>> pluralize(1, "book"), pluralize(1200, "entry", "entries")
    ('1 book', '1,200 entries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
