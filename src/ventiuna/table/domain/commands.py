"""Commands to a table from players, the clock and operators; JSON encoding of commands and events.

The round's commands are in the engine. No command contains a card, a meter reading or the end of
betting: the table supplies those itself. Every operator command needs a written reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, get_args

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.codec import ENGINE_FORMATS, RecordCodec
from ventiuna.engine.commands import PlayerCommand, VoidRound
from ventiuna.engine.events import MAX_INT64, Stakes
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.ledger import Canonical, record_text

Times: TypeAlias = Mapping[str, int]  # milliseconds by clock name
NO_TIMES: Times = Stakes({})
MAX_NUMBER = 2**53  # the largest whole number that JavaScript represents exactly
GAME_HELP = "A jackpot game of the table's rules, 1 or 2."


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


class Subject(StrEnum):
    """The records that operators change; also the first part of the commands' routes."""

    TABLE = "tables"
    JACKPOT = "jackpots"
    PERSON = "persons"


@dataclass(frozen=True, slots=True)
class Asked:
    """A field that the operator fills in; the web form shows its label."""

    label: str
    help: str = ""  # help text for the API and the terminal
    minimum: int = 1
    maximum: int = MAX_NUMBER
    is_money: bool = False  # stored in cents, entered in dollars
    is_optional: bool = False  # whether it may be null
    may_omit: bool = False  # omitting it is the same as null
    choices: tuple[str, ...] = ()
    longest: int = 0  # maximum number of characters, if it is a string
    value: str = ""  # initial value in the form
    example: object = None


def asked(label: str, **more: Any) -> dict[str, Asked]:
    """The metadata of an operator command's field; see `Asked`."""
    return {"asked": Asked(label, **more)}


def asked_money(
    label: str = "Amount in dollars", example: int = 50_000, **more: Any
) -> dict[str, Asked]:
    return asked(label, maximum=MAX_INT64, is_money=True, example=example, **more)


@dataclass(frozen=True, slots=True)
class OperatorForm:
    """An operator command with its route, terminal command and web form.

    Users name the subject in the path or as an argument; the command's fields come after it.
    """

    kind: type[Any]
    subject: Subject
    word: str  # last part of its route, and its name in the terminal
    label: str  # label of its button
    title: str  # title of its dialog, with the {name} of the subject
    group: str  # group of terminal commands; empty if the terminal has other ones for it
    help: str
    done: str = ""  # printed by the terminal, with the arguments' values
    statuses: tuple[str, ...] = ()  # statuses of subjects it can be used on; empty for all
    is_final: bool = False  # whether it can't be undone
    for_owners: bool = False  # owners of private tables may send it too
    is_sealed: bool = False  # the server seals the books right after it

    @property
    def fields(self) -> dict[str, Asked]:
        """The fields to fill in besides the reason, by name."""
        return {
            part.name: part.metadata["asked"]
            for part in fields(self.kind)
            if "asked" in part.metadata
        }


FORMS: list[OperatorForm] = []  # forms in the order of their declarations
C = TypeVar("C", bound=type[Any])


def operator_form(subject: Subject, word: str, **more: Any) -> Callable[[C], C]:
    """Declare an operator command; properties of its form that aren't given are derived."""

    def declare(kind: C) -> C:
        label = more.get("label", word.replace("-", " ").capitalize())
        known = {"title": f"{label} {{name}}", "group": str(subject), "help": kind.__doc__}
        FORMS.append(OperatorForm(kind, subject, word, **{"label": label, **known, **more}))
        return kind

    return declare


@dataclass(frozen=True, slots=True)
class OperatorCommand:
    """A command that only operators send to a table."""

    if TYPE_CHECKING:

        @property
        def reason(self) -> str: ...


@dataclass(frozen=True, slots=True)
class OpenTable(OperatorCommand):
    name: str
    rules: Mapping[str, object]  # in the format of `rules_data`
    clocks: Times = NO_TIMES  # only those that differ from the defaults
    reason: str = ""  # required from operators


@operator_form(
    Subject.TABLE, "close", done="Table {table} is closing.", is_final=True, for_owners=True
)
@dataclass(frozen=True, slots=True)
class CloseTable(OperatorCommand):
    """Close a table: no new rounds, and everyone is cashed out after the current one."""

    reason: str


@operator_form(Subject.TABLE, "resume", done="Table {table} has resumed.", statuses=("fault",))
@dataclass(frozen=True, slots=True)
class ResumeTable(OperatorCommand):
    """Let a table continue after an internal error."""

    reason: str


@operator_form(
    Subject.TABLE,
    "drop",
    title="Transfer {name}'s bank to the house",
    done="Table {table}'s bank was transferred to the house.",
)
@dataclass(frozen=True, slots=True)
class DropBank(OperatorCommand):
    """Move the table bank's result to the house."""

    reason: str


@operator_form(Subject.TABLE, "link", title="Link a jackpot to {name}", group="jackpots")
@dataclass(frozen=True, slots=True)
class LinkJackpot(OperatorCommand):
    """Link a table's jackpot game to a progressive."""

    game: int = field(metadata=asked("Jackpot game", maximum=2, value="1", help=GAME_HELP))
    jackpot: int = field(metadata=asked("Jackpot number", example=12))
    reason: str


@operator_form(
    Subject.TABLE,
    "unlink",
    title="Unlink a jackpot from {name}",
    group="jackpots",
    done="Game {game} of table {table} no longer has a meter.",
)
@dataclass(frozen=True, slots=True)
class UnlinkJackpot(OperatorCommand):
    """Unlink a table's jackpot game; its contributions stay in the meter."""

    game: int = field(metadata=asked("Jackpot game", maximum=2, value="1", help=GAME_HELP))
    reason: str


operator_form(
    Subject.TABLE,
    "void",
    title="Void the round at {name}",
    help="Void the current round and return all its bets.",
    done="The round at table {table} was voided.",
    is_final=True,
)(VoidRound)


@dataclass(frozen=True, slots=True)
class FaultTable:
    """Stop the table because of an internal error; sent by the service itself."""

    reason: str


@dataclass(frozen=True, slots=True)
class LoseShoes:
    """An operator replaced the house key; the new one can't open this shoe or any earlier one."""

    shoe: int
    reason: str


SeatCommand = (
    TakeSeat | ChooseSpots | BuyChips | CashOut | Ready | LeaveSeat | ComeBack | CommitCut | OpenCut
)
ClockCommand = TimeUp | SeatTimeUp | RestartClocks
PersonCommand = SeatCommand | PlayerCommand
TableCommand = PersonCommand | ClockCommand | OperatorCommand | VoidRound | FaultTable | LoseShoes
OPERATOR_COMMANDS: tuple[type[OperatorCommand | VoidRound], ...] = (
    OpenTable,
    *(form.kind for form in FORMS),
)


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


EVENT_RECORDS: RecordCodec[TableEvent] = RecordCodec("event", get_args(TableEvent), ENGINE_FORMATS)
COMMAND_RECORDS: RecordCodec[TableCommand] = RecordCodec(
    "command",
    (
        *get_args(PersonCommand),
        *get_args(ClockCommand),
        *OPERATOR_COMMANDS,
        FaultTable,
        LoseShoes,
    ),
    ENGINE_FORMATS,
)
event_data, event_from_data = EVENT_RECORDS.data, EVENT_RECORDS.read
command_data, command_from_data = COMMAND_RECORDS.data, COMMAND_RECORDS.read


def event_texts(events: Iterable[TableEvent]) -> list[Canonical]:
    """Encode each event as canonical JSON, as stored in books."""
    return [record_text("event", event) for event in events]


def command_text(command: TableCommand) -> Canonical:
    """Encode the command as canonical JSON, as stored in books."""
    return record_text("command", command)
