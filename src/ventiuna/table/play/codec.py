"""Events and commands of a table, the round's own among them, as plain data for JSON, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ventiuna.engine.codec import command_of_today, event_of_today
from ventiuna.engine.errors import DataError, shown
from ventiuna.engine.events import ENGINE
from ventiuna.engine.records import Data, Reader, Records, one_of, whole_number
from ventiuna.engine.stakes import Stakes
from ventiuna.table.events import AskKind, TableEvent
from ventiuna.table.ledger.chain import Canonical
from ventiuna.table.ledger.record_texts import RecordTexts
from ventiuna.table.play.commands import TableCommand, Times


def _object(where: str, value: object) -> dict[str, object]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise DataError(f"{where}: give an object, not {shown(value)}.")
    return dict(value)


def _times(where: str, value: object) -> Times:
    given = _object(where, value)
    return Stakes({name: whole_number(f"{where} {name}", time) for name, time in given.items()})


_READERS: dict[str, Reader] = {
    "AskKind": one_of(AskKind),
    "Mapping[str, object]": _object,
    "Times": _times,
}
EVENTS: Records[TableEvent] = Records("event", TableEvent.__args__, _READERS)
COMMANDS: Records[TableCommand] = Records("command", TableCommand.__args__, _READERS)
_EVENT_TEXTS = RecordTexts(EVENTS)
_COMMAND_TEXTS = RecordTexts(COMMANDS)


def event_data(event: TableEvent) -> Data:
    """The event as plain data for JSON."""
    return EVENTS.data(event)


def command_data(command: TableCommand) -> Data:
    """The command as plain data for JSON."""
    return COMMANDS.data(command)


def event_texts(events: Iterable[TableEvent]) -> list[Canonical]:
    """The canonical JSON of each event's data, as books keep it."""
    return _EVENT_TEXTS.texts(events)


def command_text(command: TableCommand) -> Canonical:
    """The canonical JSON of `command_data`, as books keep it."""
    return _COMMAND_TEXTS.text(command)


def event_from_data(data: object, engine: int = ENGINE) -> TableEvent:
    """The event that `event_data` wrote under this format; raises `DataError`."""
    return EVENTS.read(event_of_today(data, engine))


def command_from_data(data: object, engine: int = ENGINE) -> TableCommand:
    """The command that `command_data` wrote under this format; raises `DataError`."""
    return COMMANDS.read(command_of_today(data, engine))
