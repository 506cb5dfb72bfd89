"""Commands to a table from players, the clock and operators, and the JSON of commands and events.

The round's commands are in the engine. No command contains a card, a meter reading or the end of
betting: the table supplies those itself. Every operator command needs a written reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.codec import (
    Data,
    Reader,
    RecordCodec,
    enum_reader,
    read_int,
    upcast_command,
    upcast_event,
)
from ventiuna.engine.commands import PlayerCommand, VoidRound
from ventiuna.engine.errors import DataError, quoted
from ventiuna.engine.events import ENGINE, Stakes
from ventiuna.table.domain.events import AskKind, TableEvent
from ventiuna.table.ledger import Canonical, RecordEncoder

Times: TypeAlias = Stakes[str]  # milliseconds by clock name
NO_TIMES: Times = Stakes({})

# --- people -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down; the seat plays the spot with its number until it chooses others."""

    seat: int


@dataclass(frozen=True, slots=True)
class ChooseSpots:
    spots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BuyChips:
    amount: int


@dataclass(frozen=True, slots=True)
class CashOut:
    """Move chips back to the wallet; all of them if no amount is given."""

    amount: int | None = None


@dataclass(frozen=True, slots=True)
class Ready:
    """No more wagers, or no cut: the table doesn't need to wait for this seat."""


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    pass


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Return after an absence, or cancel leaving."""


@dataclass(frozen=True, slots=True)
class CommitCut:
    commitment: str


@dataclass(frozen=True, slots=True)
class OpenCut:
    value: str


# --- the clock --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TimeUp:
    ask: int


@dataclass(frozen=True, slots=True)
class SeatTimeUp:
    """A seat had no client for too long: mark it away, and later cash it out."""

    seat: int


@dataclass(frozen=True, slots=True)
class RestartClocks:
    reason: str


# --- operators --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenTable:
    name: str
    rules: Mapping[str, object]  # in the format of `rules_data`
    clocks: Times = NO_TIMES  # only those that differ from the defaults
    reason: str = ""  # required from operators


@dataclass(frozen=True, slots=True)
class CloseTable:
    reason: str


@dataclass(frozen=True, slots=True)
class ResumeTable:
    reason: str


@dataclass(frozen=True, slots=True)
class DropBank:
    reason: str


@dataclass(frozen=True, slots=True)
class FaultTable:
    """Stop the table because of an internal error; sent by the service itself."""

    reason: str


@dataclass(frozen=True, slots=True)
class LoseShoes:
    """An operator replaced the house key; the new one can't open this shoe or any earlier one."""

    shoe: int
    reason: str


@dataclass(frozen=True, slots=True)
class LinkJackpot:
    game: int
    jackpot: int
    reason: str


@dataclass(frozen=True, slots=True)
class UnlinkJackpot:
    game: int
    reason: str


SeatCommand = (
    TakeSeat | ChooseSpots | BuyChips | CashOut | Ready | LeaveSeat | ComeBack | CommitCut | OpenCut
)
ClockCommand = TimeUp | SeatTimeUp | RestartClocks
OperatorCommand = (
    OpenTable | CloseTable | ResumeTable | DropBank | LinkJackpot | UnlinkJackpot | VoidRound
)
PersonCommand = SeatCommand | PlayerCommand
TableCommand = PersonCommand | ClockCommand | OperatorCommand | FaultTable | LoseShoes


# --- Reasons ---

LONGEST_REASON = 200


def checked_reason(reason: str) -> str:
    text = reason.strip()
    if not text or len(text) > LONGEST_REASON or not text.isprintable():
        raise Refused(
            RefusalCode.NO_REASON,
            (),
            f"Give a reason in one line of at most {LONGEST_REASON} characters.",
        )
    return text


# --- JSON ---


def _object(where: str, value: object) -> dict[str, object]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise DataError(f"{where} must be an object, not {quoted(value)}.")
    return dict(value)


def _times(where: str, value: object) -> Times:
    data = _object(where, value)
    return Stakes({name: read_int(f"{where} {name}", time) for name, time in data.items()})


_READERS: dict[str, Reader] = {
    "AskKind": enum_reader(AskKind),
    "Mapping[str, object]": _object,
    "Times": _times,
}
EVENT_RECORDS: RecordCodec[TableEvent] = RecordCodec("event", TableEvent.__args__, _READERS)
COMMAND_RECORDS: RecordCodec[TableCommand] = RecordCodec("command", TableCommand.__args__, _READERS)
_EVENT_ENCODER = RecordEncoder(EVENT_RECORDS)
_COMMAND_ENCODER = RecordEncoder(COMMAND_RECORDS)


def event_data(event: TableEvent) -> Data:
    """The event as plain data for JSON."""
    return EVENT_RECORDS.data(event)


def command_data(command: TableCommand) -> Data:
    """The command as plain data for JSON."""
    return COMMAND_RECORDS.data(command)


def event_texts(events: Iterable[TableEvent]) -> list[Canonical]:
    """Encode each event as canonical JSON, as stored in books."""
    return _EVENT_ENCODER.texts(events)


def command_text(command: TableCommand) -> Canonical:
    """Encode the command as canonical JSON, as stored in books."""
    return _COMMAND_ENCODER.text(command)


def event_from_data(data: object, engine: int = ENGINE) -> TableEvent:
    """Read an event that `event_data` wrote in this format version; raises `DataError`."""
    return EVENT_RECORDS.read(upcast_event(data, engine))


def command_from_data(data: object, engine: int = ENGINE) -> TableCommand:
    """Read a command that `command_data` wrote in this format version; raises `DataError`."""
    return COMMAND_RECORDS.read(upcast_command(data, engine))
