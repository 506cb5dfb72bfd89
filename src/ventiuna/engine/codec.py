"""Events and commands of a round as plain data for JSON, and back.

A stored event is never rewritten. It is kept with the number of its format (`ENGINE`); one of
an older format goes through the upcasters of `UPCASTERS`, one number at a time, when it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ventiuna.engine.commands import Command
from ventiuna.engine.errors import DataError, shown
from ventiuna.engine.events import ENGINE, Event
from ventiuna.engine.records import Data, Records

Change = Callable[[Data], Data]

EVENTS: Records[Event] = Records("event", Event.__args__)
COMMANDS: Records[Command] = Records("command", Command.__args__)
EVENT_TYPES = EVENTS.kinds
COMMAND_TYPES = COMMANDS.kinds


@dataclass(frozen=True, slots=True)
class Upcaster:
    """Data of one format as data of the next; what did not change stays as it is."""

    event: Change = dict
    command: Change = dict


def _house_awards_cite_o39(data: Data) -> Data:
    """Format 1 cited R-095 for the awards of house jackpots too."""
    is_award = data.get("event") == "WagerSettled" and data.get("rule") == "R-095"
    return data | {"rule": "O-39"} if is_award and not data.get("meter") else data


# By the number of the format that goes in. Format 1 is the first.
UPCASTERS: dict[int, Upcaster] = {1: Upcaster(event=_house_awards_cite_o39)}


def event_data(event: Event) -> Data:
    """The event as plain data for JSON."""
    return EVENTS.data(event)


def command_data(command: Command) -> Data:
    """The command as plain data for JSON."""
    return COMMANDS.data(command)


def event_from_data(data: object, engine: int = ENGINE) -> Event:
    """The event that `event_data` wrote under this format; raises `DataError`."""
    return EVENTS.read(event_of_today(data, engine))


def command_from_data(data: object, engine: int = ENGINE) -> Command:
    """The command that `command_data` wrote under this format; raises `DataError`.

    Fields with a usual value may be left out. Whether a command has its time and its amount is
    right is for the round to say.
    """
    return COMMANDS.read(command_of_today(data, engine))


def event_of_today(data: object, engine: int) -> Data:
    """An event's data as the newest format has them."""
    return _as_of_today(_object("event", data), engine, _event_change)


def command_of_today(data: object, engine: int) -> Data:
    return _as_of_today(_object("command", data), engine, _command_change)


def _event_change(upcaster: Upcaster) -> Change:
    return upcaster.event


def _command_change(upcaster: Upcaster) -> Change:
    return upcaster.command


def _as_of_today(data: Data, engine: object, change: Callable[[Upcaster], Change]) -> Data:
    if type(engine) is int and engine == ENGINE:
        return data
    oldest = min(UPCASTERS, default=ENGINE)
    if type(engine) is not int or not oldest <= engine <= ENGINE:
        raise DataError(
            f"engine {shown(engine)}: this program reads formats {oldest} to {ENGINE}; "
            "use one that knows it."
        )
    data = dict(data)  # what is stored stays
    for number in range(engine, ENGINE):
        data = change(UPCASTERS[number])(data)
    return data


def _object(what: str, data: object) -> Data:
    if type(data) is dict:  # what JSON gives: the question costs less than that for a mapping
        return data
    if not isinstance(data, Mapping):
        raise DataError(f"{what}: give an object with its name and fields, not {shown(data)}.")
    return dict(data)
