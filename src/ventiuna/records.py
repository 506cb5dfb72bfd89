"""Frozen records that are fast to define, and short representations of large ones.

The engine has about forty event and command types. For each, `dataclass` would generate and compile
six methods at startup, which takes up most of the engine's import time. Here, a record gets only
its own `__init__` and shares the other methods. To type checkers, `fields` and `replace`, it is a
frozen dataclass with slots.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["brief_repr", "equal_fields", "record"]

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:

    def record(*, frozen, slots):
        """Define a record; takes the place of `dataclass(frozen=True, slots=True)`."""
        assert frozen
        assert slots
        return _make_record


def _make_record(kind: type) -> type:
    declared: type = dataclass(init=False, repr=False, eq=False, slots=True)(kind)
    methods = {
        name: _RecordMethods.__dict__[name] for name in _METHOD_NAMES if name not in kind.__dict__
    }
    methods["__init__"] = _init_of(declared)
    methods["_values"] = _values_of(declared)
    for name, method in methods.items():
        setattr(declared, name, method)
    return declared


def _init_of(kind: type) -> object:
    """Create an `__init__` that sets slots through their descriptors, since records are frozen."""
    arguments, lines = ["self"], []
    names: dict[str, object] = {}
    for field in fields(kind):
        name = field.name
        names[f"set_{name}"] = kind.__dict__[name].__set__
        lines.append(f"    set_{name}(self, {name})")
        if field.default is MISSING:
            arguments.append(name)
        else:
            names[f"usual_{name}"] = field.default
            arguments.append(f"{name}=usual_{name}")
    if hasattr(kind, "__post_init__"):
        lines.append("    self.__post_init__()")
    exec(f"def __init__({', '.join(arguments)}):\n" + "\n".join(lines or ["    pass"]), names)
    return names["__init__"]


def _values_of(kind: type) -> object:
    """Return a getter for all fields; it isn't a function, so it isn't bound as a method."""
    names = [field.name for field in fields(kind)]
    return attrgetter(*names) if names else type


class _RecordMethods:
    """Methods shared by all records."""

    __slots__ = ()
    __match_args__: tuple[str, ...]  # field names
    _values: Callable[[object], object]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not type(self):
            return NotImplemented
        return self._values(self) == self._values(other)

    def __hash__(self) -> int:
        return hash((type(self), *[getattr(self, name) for name in self.__match_args__]))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__qualname__}({values})"

    def __setattr__(self, name: str, _: object) -> None:
        raise FrozenInstanceError(f"{type(self).__name__}: {name} can't be changed")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"{type(self).__name__}: {name} can't be deleted")

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Support copying and pickling."""
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)


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


_METHOD_NAMES = ("__eq__", "__hash__", "__repr__", "__setattr__", "__delattr__", "__reduce__")
