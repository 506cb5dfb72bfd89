"""Safe text for terminals, markup, TOML, JSON and spreadsheets, and short representations.

Titles, names and file names come from outside the program. They must not move the cursor, add line
breaks, corrupt a file's syntax or run as a formula.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import fields, is_dataclass
from html import escape
from typing import Any

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


# --- Representations and comparison of results ---


__all__ = ["brief_repr", "equal_fields"]

_LONGEST_PART = 60
_LONGEST_REPR = 320


def brief_repr(value: object) -> str:
    """The `__repr__` of a result: its fields, with long ones abbreviated.

    >>> from ventiuna import rules, settle
    >>> rules("wsgc-2021", decks=8)
    <Rules wsgc-2021(decks=8)>
    """
    text = type(value).__name__ + "("
    for number, name in enumerate(_repr_fields(value)):
        part = f"{', ' if number else ''}{name}={_brief(getattr(value, name))}"
        if len(text) + len(part) > _LONGEST_REPR:
            return f"{text}, …)"
        text += part
    return f"{text})"


def _repr_fields(value: Any) -> list[str]:
    if isinstance(value, tuple):  # a NamedTuple
        return list(getattr(value, "_fields", ()))
    return [field.name for field in fields(value) if field.repr]


def _brief(part: object) -> str:
    if isinstance(part, list | tuple | dict) and not hasattr(part, "_fields"):
        kinds = {type(item).__name__ for item in part}
        if len(part) > 3 or any(hasattr(item, "__dataclass_fields__") for item in part):
            return f"<{len(part)} {kinds.pop() if len(kinds) == 1 else 'items'}>"
    if hasattr(part, "shape") and hasattr(part, "dtype"):
        return f"<array {part.shape}>"
    text = repr(part)
    return text if len(text) <= _LONGEST_PART else f"<{type(part).__name__}>"


def equal_fields(one: Any, other: Any) -> bool:
    """The `__eq__` of a dataclass that has array fields."""
    if type(one) is not type(other):
        return False
    return all(
        _equal(getattr(one, field.name), getattr(other, field.name))
        for field in fields(one)
        if field.compare
    )


def _equal(one: Any, other: Any) -> bool:
    if hasattr(one, "shape") and hasattr(other, "shape"):
        return bool(one.shape == other.shape and (one == other).all())
    return bool(one == other)
