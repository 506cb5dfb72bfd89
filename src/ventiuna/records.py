"""Short representations and comparison of large results."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

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
