"""Frozen records as plain data for JSON, and back: whatever comes in is checked.

A record is an object with its name under a tag (`event`, `command`) and its fields. How a field
is read follows from the type that it is declared with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from ventiuna.core.cards import CARDS
from ventiuna.engine.errors import DataError, shown
from ventiuna.engine.events import Advice, Place, Stage
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Stakes, Wager

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Data = dict[str, object]
Reader = Callable[[str, object], object]
T = TypeVar("T")
R = TypeVar("R", bound="DataclassInstance")

LARGEST_NUMBER = 2**63 - 1  # what a database keeps


class _Field(NamedTuple):
    """A field of a record, and how it is read."""

    name: str
    where: str  # for the sentence that refuses it
    read: Reader
    is_needed: bool


class Records(Generic[R]):
    """The records that one tag names."""

    def __init__(
        self, tag: str, kinds: Iterable[type[R]], readers: Mapping[str, Reader] | None = None
    ) -> None:
        self.tag = tag
        self.kinds = {kind.__name__: kind for kind in kinds}
        known: dict[str, Reader] = {**READERS, **(readers or {})}
        self._fields: dict[str, tuple[_Field, ...]] = {
            name: tuple(
                _Field(
                    part.name,
                    f"{name}.{part.name}",
                    known[str(part.type)],
                    part.default is MISSING,
                )
                for part in fields(kind)
            )
            for name, kind in self.kinds.items()
        }
        self._known = {  # what may stand in its data
            name: {tag, *(field.name for field in parts)} for name, parts in self._fields.items()
        }

    def data(self, value: R) -> Data:
        """The record as plain data for JSON."""
        name = type(value).__name__
        data: Data = {self.tag: name}
        for field in self._fields[name]:
            data[field.name] = plain(getattr(value, field.name))
        return data

    def read(self, data: Data) -> R:
        """The record that `data` wrote; raises `DataError`."""
        name = data.get(self.tag)
        kind = self.kinds.get(name) if isinstance(name, str) else None
        if kind is None:
            raise DataError(f"{self.tag} {shown(name)}: write one of {', '.join(self.kinds)}.")
        name = kind.__name__
        if not data.keys() <= self._known[name]:
            raise self._unknown_field(name, data)
        parts = self._fields[name]
        if len(data) > len(parts):  # all of them are there, as in what `data` wrote
            return kind(*[read(where, data[field]) for field, where, read, _ in parts])
        values = {}
        for field, where, read, is_needed in parts:
            if field in data:
                values[field] = read(where, data[field])
            elif is_needed:
                raise DataError(f"{name}: the field {field} is missing; give it too.")
        return kind(**values)

    def _unknown_field(self, name: str, data: Data) -> DataError:
        unknown = next(field for field in data if field not in self._known[name])
        has = ", ".join(field.name for field in self._fields[name]) or "no field"
        return DataError(f"{name}: {shown(unknown)} is not one of its fields ({has}).")


def plain(value: object) -> object:
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Stakes):
        return {str(key): cents for key, cents in value.items()}  # keys are text, as in JSON
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return value


# --- reading one field ------------------------------------------------------------------------


def whole_number(where: str, value: object) -> int:
    if type(value) is not int or not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise DataError(f"{where}: give a whole number of at most 64 bits, not {shown(value)}.")
    return value


def cents(where: str, value: object) -> int:
    if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
        raise DataError(f"{where}: give whole cents from 0 on, not {shown(value)}.")
    return value


def _card(where: str, value: object) -> int:
    if type(value) is not int or not 0 <= value < CARDS:
        raise DataError(f"{where}: give a card as a number from 0 to 51, not {shown(value)}.")
    return value


def text(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise DataError(f"{where}: give a text, not {shown(value)}.")
    return value


def _yes_or_no(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise DataError(f"{where}: give true or false, not {shown(value)}.")
    return value


def one_of(kind: type[StrEnum]) -> Callable[[str, object], StrEnum]:
    members = {str(member): member for member in kind}

    def read(where: str, value: object) -> StrEnum:
        member = members.get(text(where, value))
        if member is None:
            raise DataError(f"{where}: {shown(value)} is not one of {', '.join(kind)}.")
        return member

    return read


def or_nothing(read: Callable[[str, object], T]) -> Callable[[str, object], T | None]:
    return lambda where, value: None if value is None else read(where, value)


def several(read: Callable[[str, object], T]) -> Callable[[str, object], tuple[T, ...]]:
    def read_all(where: str, value: object) -> tuple[T, ...]:
        if not isinstance(value, list | tuple):
            raise DataError(f"{where}: give a list, not {shown(value)}.")
        return tuple(read(where, part) for part in value)

    return read_all


def stakes(
    names: Mapping[str, T], read: Callable[[str, object], int]
) -> Callable[[str, object], Stakes[T]]:
    def read_stakes(where: str, value: object) -> Stakes[T]:
        if not isinstance(value, Mapping):
            example = ", ".join(f'"{name}": 500' for name in [*names][:1])
            raise DataError(f"{where}: give cents by wager, such as {{{example}}}.")
        amounts = {}
        for name, amount in value.items():
            if not isinstance(name, str) or name not in names:
                raise DataError(f"{where}: {shown(name)} is not one of {', '.join(names)}.")
            amounts[names[name]] = read(f"{where} {name}", amount)
        # In the order of the wagers, as the round keeps them: JSON may have turned it.
        return Stakes({key: amounts[key] for key in names.values() if key in amounts})

    return read_stakes


_PARTS = {name: name for name in MTD_WAGERS}
_GAMES = {str(game): game for game in JACKPOT_WAGERS}
# By the type that a field is declared with. Events hold what has happened, so they are read
# strictly; the amounts of a command are the round's to refuse, with the rule.
READERS: dict[str, Reader] = {
    "int": whole_number,
    "int | None": or_nothing(whole_number),
    "tuple[int, ...]": several(whole_number),
    "Cents": cents,
    "Card": _card,
    "Card | None": or_nothing(_card),
    "str": text,
    "bool": _yes_or_no,
    "Stage": one_of(Stage),
    "Place": one_of(Place),
    "Advice": one_of(Advice),
    "Wager": one_of(Wager),
    "Stakes[str]": stakes(_PARTS, cents),
    "Stakes[int]": stakes(_GAMES, cents),
    "Mapping[str, int]": stakes(_PARTS, whole_number),
    "Mapping[int, int]": stakes(_GAMES, whole_number),
}
