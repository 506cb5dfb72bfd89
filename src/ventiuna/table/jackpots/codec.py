"""Events and commands of progressives as plain data for JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping

from ventiuna.engine.errors import DataError, shown
from ventiuna.engine.records import Data, Reader, Records, cents
from ventiuna.engine.stakes import Stakes
from ventiuna.table.jackpots.commands import JackpotCommand
from ventiuna.table.jackpots.events import FORMAT, ByTable, JackpotEvent


def _object(where: str, value: object) -> dict[str, object]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise DataError(f"{where}: give an object, not {shown(value)}.")
    return dict(value)


def _by_table(where: str, value: object) -> ByTable:
    amounts = {}
    for table, amount in _object(where, value).items():
        if not (table.isascii() and table.isdecimal()):
            raise DataError(f"{where}: {shown(table)} is not the number of a table.")
        amounts[int(table)] = cents(f"{where} {table}", amount)
    return Stakes(amounts)


_READERS: dict[str, Reader] = {"Mapping[str, object]": _object, "ByTable": _by_table}
EVENTS: Records[JackpotEvent] = Records("event", JackpotEvent.__args__, _READERS)
COMMANDS: Records[JackpotCommand] = Records("command", JackpotCommand.__args__, _READERS)


def event_data(event: JackpotEvent) -> Data:
    """The event as plain data for JSON."""
    return EVENTS.data(event)


def command_data(command: JackpotCommand) -> Data:
    """The command as plain data for JSON."""
    return COMMANDS.data(command)


def event_from_data(data: object, written: int = FORMAT) -> JackpotEvent:
    """The event that `event_data` wrote under this format; raises `DataError`."""
    return EVENTS.read(_of_today("event", data, written))


def command_from_data(data: object, written: int = FORMAT) -> JackpotCommand:
    """The command that `command_data` wrote under this format; raises `DataError`."""
    return COMMANDS.read(_of_today("command", data, written))


def _of_today(what: str, data: object, written: int) -> Data:
    if written != FORMAT:
        raise DataError(f"{what}: format {shown(written)} of jackpots is not known here.")
    return _object(what, data)
