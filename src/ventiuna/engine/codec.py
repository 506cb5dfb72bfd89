"""Events and commands as plain data for JSON, and back: whatever comes in is checked.

A stored event is never rewritten. It is kept with the number of its format (`ENGINE`); one of
an older format goes through the upcasters of `UPCASTERS`, one number at a time, when it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from enum import StrEnum
from typing import TypeVar

from ventiuna.core.cards import CARDS
from ventiuna.engine.commands import Command
from ventiuna.engine.errors import DataError, shown
from ventiuna.engine.events import ENGINE, Advice, Event, Place, Stage
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Stakes, Wager

Data = dict[str, object]
Change = Callable[[Data], Data]
T = TypeVar("T")

LARGEST_NUMBER = 2**63 - 1  # what a database keeps
EVENT_TYPES: dict[str, type[Event]] = {kind.__name__: kind for kind in Event.__args__}
COMMAND_TYPES: dict[str, type[Command]] = {kind.__name__: kind for kind in Command.__args__}
_FIELDS: dict[str, dict[str, Field[object]]] = {
    kind.__name__: {part.name: part for part in fields(kind)}
    for kind in (*Event.__args__, *Command.__args__)
}


@dataclass(frozen=True, slots=True)
class Upcaster:
    """Data of one format as data of the next; what did not change stays as it is."""

    event: Change = dict
    command: Change = dict


# By the number of the format that goes in. Format 1 is the first.
UPCASTERS: dict[int, Upcaster] = {}


# --- writing ----------------------------------------------------------------------------------


def event_data(event: Event) -> Data:
    """The event as plain data for JSON."""
    return _written("event", event)


def command_data(command: Command) -> Data:
    """The command as plain data for JSON."""
    return _written("command", command)


def _written(what: str, value: Event | Command) -> Data:
    name = type(value).__name__
    data: Data = {what: name}
    for field in _FIELDS[name]:
        data[field] = _plain(getattr(value, field))
    return data


def _plain(value: object) -> object:
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Stakes):
        return {str(key): cents for key, cents in value.items()}  # keys are text, as in JSON
    return value


# --- reading ----------------------------------------------------------------------------------


def event_from_data(data: object, engine: int = ENGINE) -> Event:
    """The event that `event_data` wrote under this format; raises `DataError`."""
    return _read("event", EVENT_TYPES, _as_of_today(_object("event", data), engine, _event_change))


def command_from_data(data: object, engine: int = ENGINE) -> Command:
    """The command that `command_data` wrote under this format; raises `DataError`.

    Fields with a usual value may be left out. Whether a command has its time and its amount is
    right is for the round to say.
    """
    known = _as_of_today(_object("command", data), engine, _command_change)
    return _read("command", COMMAND_TYPES, known)


def _event_change(upcaster: Upcaster) -> Change:
    return upcaster.event


def _command_change(upcaster: Upcaster) -> Change:
    return upcaster.command


def _as_of_today(data: Data, engine: object, change: Callable[[Upcaster], Change]) -> Data:
    oldest = min(UPCASTERS, default=ENGINE)
    if type(engine) is not int or not oldest <= engine <= ENGINE:
        raise DataError(
            f"engine {shown(engine)}: this program reads formats {oldest} to {ENGINE}; "
            "use one that knows it."
        )
    for number in range(engine, ENGINE):
        data = change(UPCASTERS[number])(data)
    return data


def _object(what: str, data: object) -> Data:
    if not isinstance(data, Mapping):
        raise DataError(f"{what}: give an object with its name and fields, not {shown(data)}.")
    return dict(data)


def _read(what: str, kinds: Mapping[str, type[T]], data: Data) -> T:
    name = data.pop(what, None)
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        raise DataError(f"{what} {shown(name)}: write one of {', '.join(kinds)}.")
    known = _FIELDS[kind.__name__]
    for field in data:
        if field not in known:
            has = ", ".join(known) or "no field"
            raise DataError(f"{kind.__name__}: {shown(field)} is not one of its fields ({has}).")
    values = {}
    for field, part in known.items():
        if field in data:
            values[field] = _READERS[str(part.type)](f"{kind.__name__}.{field}", data[field])
        elif part.default is MISSING:
            raise DataError(f"{kind.__name__}: the field {field} is missing; give it too.")
    return kind(**values)


def _whole_number(where: str, value: object) -> int:
    if type(value) is not int or not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise DataError(f"{where}: give a whole number of at most 64 bits, not {shown(value)}.")
    return value


def _cents(where: str, value: object) -> int:
    if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
        raise DataError(f"{where}: give whole cents from 0 on, not {shown(value)}.")
    return value


def _card(where: str, value: object) -> int:
    if type(value) is not int or not 0 <= value < CARDS:
        raise DataError(f"{where}: give a card as a number from 0 to 51, not {shown(value)}.")
    return value


def _text(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise DataError(f"{where}: give a text, not {shown(value)}.")
    return value


def _yes_or_no(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise DataError(f"{where}: give true or false, not {shown(value)}.")
    return value


def _one_of(kind: type[StrEnum]) -> Callable[[str, object], StrEnum]:
    def read(where: str, value: object) -> StrEnum:
        try:
            return kind(_text(where, value))
        except ValueError:
            names = ", ".join(kind)
            raise DataError(f"{where}: {shown(value)} is not one of {names}.") from None

    return read


def _or_nothing(read: Callable[[str, object], T]) -> Callable[[str, object], T | None]:
    return lambda where, value: None if value is None else read(where, value)


def _stakes(
    names: Mapping[str, T], read: Callable[[str, object], int]
) -> Callable[[str, object], Stakes[T]]:
    def read_stakes(where: str, value: object) -> Stakes[T]:
        if not isinstance(value, Mapping):
            example = ", ".join(f'"{name}": 500' for name in [*names][:1])
            raise DataError(f"{where}: give cents by wager, such as {{{example}}}.")
        cents = {}
        for name, amount in value.items():
            if not isinstance(name, str) or name not in names:
                raise DataError(f"{where}: {shown(name)} is not one of {', '.join(names)}.")
            cents[names[name]] = read(f"{where} {name}", amount)
        return Stakes(cents)

    return read_stakes


_PARTS = {name: name for name in MTD_WAGERS}
_GAMES = {str(game): game for game in JACKPOT_WAGERS}
# By the type that a field is declared with. Events hold what has happened, so they are read
# strictly; the amounts of a command are the round's to refuse, with the rule.
_READERS: dict[str, Callable[[str, object], object]] = {
    "int": _whole_number,
    "int | None": _or_nothing(_whole_number),
    "Cents": _cents,
    "Card": _card,
    "Card | None": _or_nothing(_card),
    "str": _text,
    "bool": _yes_or_no,
    "Stage": _one_of(Stage),
    "Place": _one_of(Place),
    "Advice": _one_of(Advice),
    "Wager": _one_of(Wager),
    "Stakes[str]": _stakes(_PARTS, _cents),
    "Stakes[int]": _stakes(_GAMES, _cents),
    "Mapping[str, int]": _stakes(_PARTS, _whole_number),
    "Mapping[int, int]": _stakes(_GAMES, _whole_number),
}
