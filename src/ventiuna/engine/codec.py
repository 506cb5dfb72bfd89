"""Convert records, such as events and commands, to plain JSON data and back, validating all input.

A record is an object with its class name under a tag (`event`, `command`), plus its fields. The
declared type of a field determines how it is read. Stored events are never rewritten. Each is
stored with its format number (`ENGINE`), and reading an older one passes it through the upcasters
of its `Formats`, one format at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ventiuna.engine.commands import Command, DataError, quoted
from ventiuna.engine.events import (
    CENTS,
    ENGINE,
    INT64,
    LEFT_OUT_AT_DEFAULT,
    Event,
    Stakes,
    Whole,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

# --- Records ---

Data = dict[str, object]
Reader = Callable[[str, object], object]
R = TypeVar("R", bound="DataclassInstance")


class RecordField(NamedTuple):
    name: str
    where: str  # location for error messages
    hint: Any  # the resolved type, with its annotations
    read: Reader
    is_needed: bool


@cache
def record_fields(kind: type[DataclassInstance]) -> tuple[RecordField, ...]:
    """Return the fields of a record with their types and readers."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        RecordField(
            part.name,
            f"{kind.__name__}.{part.name}",
            hints[part.name],
            _reader(hints[part.name]),
            part.default is MISSING,
        )
        for part in fields(kind)
    )


def fields_that_may_be_left_out(
    kind: type[DataclassInstance],
) -> tuple[tuple[str, object], ...]:
    """Return the fields that records omit if they have their default values, with those values."""
    return _fields_that_may_be_left_out(kind)


@cache
def _fields_that_may_be_left_out(
    kind: type[DataclassInstance],
) -> tuple[tuple[str, object], ...]:
    marked = LEFT_OUT_AT_DEFAULT.items()
    return tuple(
        (part.name, part.default) for part in fields(kind) if marked <= part.metadata.items()
    )


def left_out(record: DataclassInstance) -> tuple[str, ...]:
    """Return the fields that are omitted when this record is written."""
    may_be = _fields_that_may_be_left_out(type(record))  # almost always none
    return tuple([name for name, default in may_be if getattr(record, name) == default])


class Formats(NamedTuple):
    """The stored formats that can be read; an upcaster converts data to the next format."""

    name: str
    newest: int
    upcasters: Mapping[int, Callable[[Data], Data]]

    def upcast(self, data: Data, written: object) -> Data:
        if type(written) is int and written == self.newest:
            return data
        oldest = min(self.upcasters, default=self.newest)
        if type(written) is not int or not oldest <= written <= self.newest:
            known = f"formats {oldest} to" if oldest < self.newest else "format"
            raise DataError(
                f"Unknown {self.name} format {quoted(written)}: this version reads {known} "
                f"{self.newest}."
            )
        data = dict(data)  # don't modify the stored data
        for number in range(written, self.newest):
            data = self.upcasters[number](data)
        return data


_NEWEST: Any = object()  # marks an omitted argument; forged data may pass None


class RecordCodec(Generic[R]):
    """Reads and writes all records that share a tag."""

    def __init__(self, tag: str, kinds: Iterable[type[R]], formats: Formats | None = None) -> None:
        self.tag = tag
        self.kinds = {kind.__name__: kind for kind in kinds}
        self._formats = formats

    def fields(self, name: str) -> tuple[RecordField, ...]:
        """Return the fields of the record with this name; none if it is unknown."""
        return record_fields(self.kinds[name]) if name in self.kinds else ()

    def data(self, value: R) -> Data:
        """Return the record as plain JSON data."""
        kind = type(value)
        data: Data = {self.tag: kind.__name__}
        without = left_out(value)
        for field in record_fields(kind):
            if field.name in without:
                continue
            part = getattr(value, field.name)
            data[field.name] = part if type(part) is int else plain_value(part)
        return data

    def read(self, data: object, written: int = _NEWEST) -> R:
        """Read a record that `data` wrote in this format; raises `DataError`.

        Fields with defaults may be omitted. Checks only the data: the round decides whether a
        command is possible now and whether its amount is valid.
        """
        if type(data) is not dict:  # almost always a dict, because it comes from JSON
            if not isinstance(data, Mapping):
                raise DataError(
                    f"{self.tag} must be an object with its name and fields, not {quoted(data)}."
                )
            data = dict(data)
        if self._formats and written is not _NEWEST:
            data = self._formats.upcast(data, written)
        name = data.get(self.tag)
        kind = self.kinds.get(name) if isinstance(name, str) else None
        if kind is None:
            raise DataError(
                f"Unknown {self.tag} {quoted(name)}. Choose from: {', '.join(self.kinds)}."
            )
        parts = record_fields(kind)
        if len(data) == len(parts) + 1:  # every field is present, as in the output of `data`
            try:
                return kind(*[read(where, data[field]) for field, where, _, read, _ in parts])
            except KeyError:  # one field is missing and another is unknown
                pass
        names = [field.name for field in parts]
        for key in data:
            if key != self.tag and key not in names:
                has = ", ".join(names) or "none"
                raise DataError(f"{kind.__name__} has no field {quoted(key)}. Its fields: {has}.")
        values = {}
        for field, where, _, read, is_needed in parts:
            if field in data:
                values[field] = read(where, data[field])
            elif is_needed:
                raise DataError(f"{kind.__name__}: the field {field} is missing.")
        return kind(**values)


def plain_value(value: object) -> object:
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Stakes):
        return {str(key): cents for key, cents in value.items()}  # keys are strings, as in JSON
    if isinstance(value, tuple):
        return [plain_value(part) for part in value]
    return value


# --- Reading one field ---
#
# Events have already happened, so they are read strictly. A command's amounts are checked by the
# round, which cites a rule if it refuses them.


@cache
def _reader(hint: Any) -> Reader:
    """Build the reader for a declared type."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return whole_reader(parts[1])
    if origin is Union or origin is UnionType:
        inner = _reader(parts[0])
        return lambda where, value: None if value is None else inner(where, value)
    if origin is tuple:
        return _tuple_reader(_reader(parts[0]))
    if origin is Stakes:
        return _mapping_reader(parts[0], whole_reader(CENTS))
    if origin is Mapping:
        return _read_object if parts[1] is object else _mapping_reader(parts[0], _reader(parts[1]))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return enum_reader(hint)
    return _READERS[hint]


def whole_reader(whole: Whole) -> Reader:
    minimum, maximum, words = whole

    def read(where: str, value: object) -> int:
        if type(value) is not int or not minimum <= value <= maximum:
            raise DataError(f"{where} must be {words}, not {quoted(value)}.")
        return value

    return read


def read_text(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise DataError(f"{where} must be a string, not {quoted(value)}.")
    return value


def _read_bool(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise DataError(f"{where} must be true or false, not {quoted(value)}.")
    return value


def _read_object(where: str, value: object) -> Data:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise DataError(f"{where} must be an object, not {quoted(value)}.")
    return dict(value)


def enum_reader(kind: type[StrEnum]) -> Reader:
    members = {str(member): member for member in kind}

    def read(where: str, value: object) -> StrEnum:
        member = members.get(read_text(where, value))
        if member is None:
            raise DataError(f"{where} must be one of {', '.join(kind)}, not {quoted(value)}.")
        return member

    return read


def _tuple_reader(read: Reader) -> Reader:
    def read_all(where: str, value: object) -> tuple[object, ...]:
        if not isinstance(value, list | tuple):
            raise DataError(f"{where} must be a list, not {quoted(value)}.")
        return tuple(read(where, part) for part in value)

    return read_all


def _mapping_reader(key: Any, read: Reader) -> Reader:
    """Read amounts keyed by wager name, by any name, or by number."""
    if get_origin(key) is Annotated:
        return _wagers_reader({str(name): name for name in get_args(key)[1]}, read)

    def read_all(where: str, value: object) -> Stakes[Any]:
        amounts: dict[Any, Any] = {}
        for name, amount in _read_object(where, value).items():
            if key is int and not (name.isascii() and name.isdecimal()):
                raise DataError(f"{where}: {quoted(name)} isn't a table number.")
            amounts[key(name)] = read(f"{where} {name}", amount)
        return Stakes(amounts)

    return read_all


def _wagers_reader(names: Mapping[str, Any], read: Reader) -> Reader:
    def read_all(where: str, value: object) -> Stakes[Any]:
        if not isinstance(value, Mapping):
            example = ", ".join(f'"{name}": 500' for name in [*names][:1])
            raise DataError(f"{where} must give the cents for each wager, such as {{{example}}}.")
        amounts: dict[Any, Any] = {}
        for name, amount in value.items():
            if not isinstance(name, str) or name not in names:
                raise DataError(f"{where} has no {quoted(name)}. Choose from: {', '.join(names)}.")
            amounts[names[name]] = read(f"{where} {name}", amount)
        # Restore the order of the wagers, which JSON may have changed.
        return Stakes({key: amounts[key] for key in names.values() if key in amounts})

    return read_all


_READERS: dict[Any, Reader] = {int: whole_reader(INT64), str: read_text, bool: _read_bool}


# --- Events and commands of a round ---


def _house_awards_cite_o39(data: Data) -> Data:
    """Cite O-39 for house jackpot awards; format 1 cited R-095."""
    is_award = data.get("event") == "WagerSettled" and data.get("rule") == "R-095"
    return data | {"rule": "O-39"} if is_award and not data.get("meter") else data


ENGINE_FORMATS = Formats("engine", ENGINE, {1: _house_awards_cite_o39})
EVENTS: RecordCodec[Event] = RecordCodec("event", get_args(Event), ENGINE_FORMATS)
COMMANDS: RecordCodec[Command] = RecordCodec("command", get_args(Command), ENGINE_FORMATS)
event_data, event_from_data = EVENTS.data, EVENTS.read
command_data, command_from_data = COMMANDS.data, COMMANDS.read
