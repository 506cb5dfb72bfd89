"""Convert a round's events and commands to plain JSON data and back, validating all input.

A record is an object with its name under a tag (`event`, `command`), plus its fields. The declared
type of a field determines how it is read. Stored events are never rewritten. Each is stored with
its format number (`ENGINE`), and reading an older one passes it through `UPCASTERS`, one format at
a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from ventiuna.core.cards import CARDS
from ventiuna.engine.commands import Command
from ventiuna.engine.errors import DataError, quoted
from ventiuna.engine.events import (
    ENGINE,
    JACKPOT_WAGERS,
    MTD_WAGERS,
    Advice,
    Event,
    Place,
    Stage,
    Stakes,
    Wager,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# --- Records ---

Data = dict[str, object]
Reader = Callable[[str, object], object]
T = TypeVar("T")
R = TypeVar("R", bound="DataclassInstance")

MAX_INT64 = 2**63 - 1  # the largest database integer


class _Field(NamedTuple):
    """A field of a record, and its reader."""

    name: str
    where: str  # for error messages
    read: Reader
    is_needed: bool


class RecordCodec(Generic[R]):
    """Reads and writes all records that share a tag."""

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
        self._known = {  # allowed keys
            name: {tag, *(field.name for field in parts)} for name, parts in self._fields.items()
        }

    def data(self, value: R) -> Data:
        """Return the record as plain JSON data."""
        name = type(value).__name__
        data: Data = {self.tag: name}
        for field in self._fields[name]:
            data[field.name] = plain_value(getattr(value, field.name))
        return data

    def read(self, data: Data) -> R:
        """Read a record written by `data`; raises `DataError`."""
        name = data.get(self.tag)
        kind = self.kinds.get(name) if isinstance(name, str) else None
        if kind is None:
            raise DataError(
                f"Unknown {self.tag} {quoted(name)}. Choose from: {', '.join(self.kinds)}."
            )
        name = kind.__name__
        if not data.keys() <= self._known[name]:
            raise self._unknown_field(name, data)
        parts = self._fields[name]
        if len(data) > len(parts):  # every field is present, as in the output of `data`
            return kind(*[read(where, data[field]) for field, where, read, _ in parts])
        values = {}
        for field, where, read, is_needed in parts:
            if field in data:
                values[field] = read(where, data[field])
            elif is_needed:
                raise DataError(f"{name}: the field {field} is missing.")
        return kind(**values)

    def _unknown_field(self, name: str, data: Data) -> DataError:
        unknown = next(field for field in data if field not in self._known[name])
        has = ", ".join(field.name for field in self._fields[name]) or "none"
        return DataError(f"{name} has no field {quoted(unknown)}. Its fields: {has}.")


def plain_value(value: object) -> object:
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Stakes):
        return {str(key): cents for key, cents in value.items()}  # keys are strings, as in JSON
    if isinstance(value, tuple):
        return [plain_value(part) for part in value]
    return value


# --- Reading one field ---


def read_int(where: str, value: object) -> int:
    if type(value) is not int or not -MAX_INT64 <= value <= MAX_INT64:
        raise DataError(f"{where} must be a whole number of at most 64 bits, not {quoted(value)}.")
    return value


def read_cents(where: str, value: object) -> int:
    if type(value) is not int or not 0 <= value <= MAX_INT64:
        raise DataError(
            f"{where} must be a whole number of cents, at least 0, not {quoted(value)}."
        )
    return value


def _read_card(where: str, value: object) -> int:
    if type(value) is not int or not 0 <= value < CARDS:
        raise DataError(f"{where} must be a card, a number from 0 to 51, not {quoted(value)}.")
    return value


def read_text(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise DataError(f"{where} must be a string, not {quoted(value)}.")
    return value


def _read_bool(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise DataError(f"{where} must be true or false, not {quoted(value)}.")
    return value


def enum_reader(kind: type[StrEnum]) -> Callable[[str, object], StrEnum]:
    members = {str(member): member for member in kind}

    def read(where: str, value: object) -> StrEnum:
        member = members.get(read_text(where, value))
        if member is None:
            raise DataError(f"{where} must be one of {', '.join(kind)}, not {quoted(value)}.")
        return member

    return read


def optional_reader(read: Callable[[str, object], T]) -> Callable[[str, object], T | None]:
    return lambda where, value: None if value is None else read(where, value)


def tuple_reader(read: Callable[[str, object], T]) -> Callable[[str, object], tuple[T, ...]]:
    def read_all(where: str, value: object) -> tuple[T, ...]:
        if not isinstance(value, list | tuple):
            raise DataError(f"{where} must be a list, not {quoted(value)}.")
        return tuple(read(where, part) for part in value)

    return read_all


def stakes_reader(
    names: Mapping[str, T], read: Callable[[str, object], int]
) -> Callable[[str, object], Stakes[T]]:
    def read_stakes(where: str, value: object) -> Stakes[T]:
        if not isinstance(value, Mapping):
            example = ", ".join(f'"{name}": 500' for name in [*names][:1])
            raise DataError(f"{where} must give the cents for each wager, such as {{{example}}}.")
        amounts = {}
        for name, amount in value.items():
            if not isinstance(name, str) or name not in names:
                raise DataError(f"{where} has no {quoted(name)}. Choose from: {', '.join(names)}.")
            amounts[names[name]] = read(f"{where} {name}", amount)
        # Restore the order of the wagers, which JSON may have changed.
        return Stakes({key: amounts[key] for key in names.values() if key in amounts})

    return read_stakes


_MTD_NAMES = {name: name for name in MTD_WAGERS}
_JACKPOT_NAMES = {str(game): game for game in JACKPOT_WAGERS}
# Readers by declared field type. Events have already happened, so they are read strictly; a
# command's amounts are left for the round to refuse, citing the rule.
READERS: dict[str, Reader] = {
    "int": read_int,
    "int | None": optional_reader(read_int),
    "tuple[int, ...]": tuple_reader(read_int),
    "Cents": read_cents,
    "Card": _read_card,
    "Card | None": optional_reader(_read_card),
    "str": read_text,
    "bool": _read_bool,
    "Stage": enum_reader(Stage),
    "Place": enum_reader(Place),
    "Advice": enum_reader(Advice),
    "Wager": enum_reader(Wager),
    "Stakes[str]": stakes_reader(_MTD_NAMES, read_cents),
    "Stakes[int]": stakes_reader(_JACKPOT_NAMES, read_cents),
    "Mapping[str, int]": stakes_reader(_MTD_NAMES, read_int),
    "Mapping[int, int]": stakes_reader(_JACKPOT_NAMES, read_int),
}


# --- Events and commands ---

Change = Callable[[Data], Data]

EVENTS: RecordCodec[Event] = RecordCodec("event", Event.__args__)
COMMANDS: RecordCodec[Command] = RecordCodec("command", Command.__args__)
EVENT_TYPES = EVENTS.kinds
COMMAND_TYPES = COMMANDS.kinds


@dataclass(frozen=True, slots=True)
class Upcaster:
    """Converts data from one format to the next; by default, just copies it."""

    event: Change = dict
    command: Change = dict


def _house_awards_cite_o39(data: Data) -> Data:
    """Cite O-39 for house jackpot awards; format 1 cited R-095."""
    is_award = data.get("event") == "WagerSettled" and data.get("rule") == "R-095"
    return data | {"rule": "O-39"} if is_award and not data.get("meter") else data


# Keyed by the source format. Format 1 is the first.
UPCASTERS: dict[int, Upcaster] = {1: Upcaster(event=_house_awards_cite_o39)}


def event_data(event: Event) -> Data:
    """Return the event as plain JSON data."""
    return EVENTS.data(event)


def command_data(command: Command) -> Data:
    """Return the command as plain JSON data."""
    return COMMANDS.data(command)


def event_from_data(data: object, engine: int = ENGINE) -> Event:
    """Read an event written by `event_data` in this format; raises `DataError`."""
    return EVENTS.read(upcast_event(data, engine))


def command_from_data(data: object, engine: int = ENGINE) -> Command:
    """Read a command written by `command_data` in this format; raises `DataError`.

    Fields with defaults may be omitted. Checks the data only: the round decides whether the command
    is possible now and whether its amount is right.
    """
    return COMMANDS.read(upcast_command(data, engine))


def upcast_event(data: object, engine: int) -> Data:
    """Convert an event's data to the newest format."""
    return _upcast(_as_object("event", data), engine, _event_change)


def upcast_command(data: object, engine: int) -> Data:
    return _upcast(_as_object("command", data), engine, _command_change)


def _event_change(upcaster: Upcaster) -> Change:
    return upcaster.event


def _command_change(upcaster: Upcaster) -> Change:
    return upcaster.command


def _upcast(data: Data, engine: object, change: Callable[[Upcaster], Change]) -> Data:
    if type(engine) is int and engine == ENGINE:
        return data
    oldest = min(UPCASTERS, default=ENGINE)
    if type(engine) is not int or not oldest <= engine <= ENGINE:
        raise DataError(
            f"Unknown engine format {quoted(engine)}: this version reads formats {oldest} to "
            f"{ENGINE}."
        )
    data = dict(data)  # don't modify the stored data
    for number in range(engine, ENGINE):
        data = change(UPCASTERS[number])(data)
    return data


def _as_object(what: str, data: object) -> Data:
    if type(data) is dict:  # fast path for JSON objects: cheaper than the Mapping check
        return data
    if not isinstance(data, Mapping):
        raise DataError(f"{what} must be an object with its name and fields, not {quoted(data)}.")
    return dict(data)
