"""Commands to a table from players, the clock and operators, and the JSON of commands and events.

The round's commands are in the engine. No command contains a card, a meter reading or the end of
betting: the table supplies those itself. Every operator command needs a written reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, get_args

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.codec import ENGINE_FORMATS, RecordCodec
from ventiuna.engine.commands import PlayerCommand, VoidRound
from ventiuna.engine.events import Stakes
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.ledger import Canonical, record_text

Times: TypeAlias = Mapping[str, int]  # milliseconds by clock name
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

EVENT_RECORDS: RecordCodec[TableEvent] = RecordCodec("event", get_args(TableEvent), ENGINE_FORMATS)
COMMAND_RECORDS: RecordCodec[TableCommand] = RecordCodec(
    "command", get_args(TableCommand), ENGINE_FORMATS
)
event_data, event_from_data = EVENT_RECORDS.data, EVENT_RECORDS.read
command_data, command_from_data = COMMAND_RECORDS.data, COMMAND_RECORDS.read


def event_texts(events: Iterable[TableEvent]) -> list[Canonical]:
    """Encode each event as canonical JSON, as stored in books."""
    return [record_text("event", event) for event in events]


def command_text(command: TableCommand) -> Canonical:
    """Encode the command as canonical JSON, as stored in books."""
    return record_text("command", command)
