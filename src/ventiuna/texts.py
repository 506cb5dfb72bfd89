"""Make external text safe for terminals, markup, TOML, JSON and spreadsheets.

Titles, names and file names come from outside the program. They must not move the cursor, add line
breaks, corrupt a file's syntax or run as a formula.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import fields, is_dataclass
from html import escape

_SPECIAL = re.compile(r"[^\x20-\x7e\n]")  # characters that may need escaping
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[-+]?[0-9][0-9,]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\s?%?")
_LARGEST_TWO_BYTES = 0xFFFF
_SURROGATES = range(0xD800, 0xE000)


def one_line(text: str) -> str:
    """Escape line breaks and control characters, so that the text is safe to show on a terminal."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in _whole_characters(text)
    )


def _whole_characters(text: str) -> str:
    """Decode surrogate-escaped bytes of a file name as UTF-8, if they are valid."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return text


def markup_text(text: str) -> str:
    """Escape text for HTML and SVG content and attributes, including control characters."""
    return escape(one_line(text))


def toml_text(text: str) -> str:
    """Format text as a quoted TOML string."""
    return _SPECIAL.sub(_toml_escape, json.dumps(text, ensure_ascii=False))


def _toml_escape(found: re.Match[str]) -> str:
    char = found[0]
    if char.isprintable():
        return char
    if ord(char) in _SURROGATES:  # a lone surrogate, which TOML can't represent
        return "\N{REPLACEMENT CHARACTER}"
    return f"\\u{ord(char):04x}" if ord(char) <= _LARGEST_TWO_BYTES else f"\\U{ord(char):08x}"


def json_text(data: object, indent: int | None = 2) -> str:
    """Format data as JSON that keeps its order and is safe to show on a terminal.

    Enums become strings, tuples become lists and dataclasses become objects. Infinity and NaN
    become null.
    """
    try:
        text = json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False, default=_plain)
    except ValueError:
        text = json.dumps(finite(data), indent=indent, ensure_ascii=False, default=str)
    return _SPECIAL.sub(_json_escape, text)


def _plain(value: object) -> object:
    return finite(value) if is_dataclass(value) else str(value)


def _json_escape(found: re.Match[str]) -> str:
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]


def ascii_json(text: str) -> str:
    """Escape JSON to pure ASCII, for a stream that can't encode anything else."""
    return _SPECIAL.sub(lambda found: json.dumps(found[0])[1:-1], text)


def finite(data: object) -> object:
    """Plain data for JSON, with dataclasses as dictionaries and None for infinities and NaN."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {key: finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [finite(value) for value in data]
    if is_dataclass(data) and not isinstance(data, type):
        return {field.name: finite(getattr(data, field.name)) for field in fields(data)}
    return data


def csv_cell(value: object) -> object:
    """Prefix text with ' if a spreadsheet would run it as a formula; numbers don't change."""
    if (
        isinstance(value, str)
        and value.startswith(_FORMULA_STARTS)
        and not _NUMBER.fullmatch(value)
    ):
        return f"'{value}"
    return value


def pluralize(number: int, one: str, many: str = "") -> str:
    """Format a number with its noun.

    >>> pluralize(1, "book"), pluralize(1200, "entry", "entries")
    ('1 book', '1,200 entries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
