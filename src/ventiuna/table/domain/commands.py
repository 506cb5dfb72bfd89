"""A table's commands from players, the clock, and operators; JSON for commands and events.

The engine defines the commands for rounds. No command contains a card or a meter reading, or closes
betting; those come from the table itself. Every operator command needs a written reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, get_args

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.codec import ENGINE_FORMATS, RecordCodec
from ventiuna.engine.commands import PlayerCommand, VoidRound
from ventiuna.engine.events import LEFT_OUT_AT_DEFAULT, MAX_INT64, Stakes
from ventiuna.table.access import Access
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.ledger import Canonical, record_text

Times: TypeAlias = Mapping[str, int]  # milliseconds by clock name
NO_TIMES: Times = Stakes({})
MAX_NUMBER = 2**53  # the largest whole number that JavaScript represents exactly
GAME_HELP = "A jackpot game of the table's rules, 1 or 2."


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down; the seat plays the spot with the same number until its player chooses others."""

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
    """Finish betting or decline the cut; the table doesn't wait for this seat."""


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
    """Mark a seat away after too long without a client, and later cash it out."""

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
class FormField:
    """A field that the operator fills in; the web form shows the label."""

    label: str
    help: str = ""  # help text for the API and the terminal
    minimum: int = 1
    maximum: int = MAX_NUMBER
    is_money: bool = False  # stored in cents, entered in dollars
    is_optional: bool = False  # whether it may be null
    is_named: bool = False  # a required option in the terminal, instead of an argument
    may_omit: bool = False  # omitting it is the same as null
    choices: tuple[str, ...] = ()
    longest: int = 0  # maximum number of characters in a string
    value: str = ""  # initial value in the form
    example: object = None


def form_field(label: str, **more: Any) -> dict[str, FormField]:
    """The metadata of an operator command's field; see `FormField`."""
    return {"form_field": FormField(label, **more)}


def money_field(
    label: str = "Amount in dollars", example: int = 50_000, **more: Any
) -> dict[str, FormField]:
    return form_field(label, maximum=MAX_INT64, is_money=True, example=example, **more)


Needed: TypeAlias = Literal["jackpot", "open_round", "closed_round"]


@dataclass(frozen=True, slots=True)
class OperatorForm:
    """An operator command with its route, terminal command and web form.

    Users name the subject in the path or as the first argument, before the command's fields.
    """

    kind: type[Any]
    subject: Subject
    word: str  # last part of the route, and the name of the terminal command
    label: str  # label of the button, which says what it does
    title: str  # title of the dialog, with the subject's {name}
    group: str  # group of terminal commands; empty if the terminal covers this with other commands
    help: str
    consequence: str  # what happens next, shown before the operator confirms
    done: str = ""  # printed by the terminal, with the argument values
    statuses: tuple[str, ...] = ()  # subject statuses it applies to; empty for all
    needs: Needed | None = None  # what a table must have
    is_final: bool = False  # whether the command can't be undone
    is_sealed: bool = False  # the server seals the books right after it
    is_step: bool = False  # a procedure step, which the web client offers when due
    needs_second: bool = False  # whether separate duties require a second person's approval
    access: Access = Access.OPERATE  # the permission it needs

    @property
    def path(self) -> str:
        return f"/{self.subject}/{{number}}/{self.word}"

    @property
    def fields(self) -> dict[str, FormField]:
        """The fields to fill in besides the reason, by name."""
        return {
            part.name: part.metadata["form_field"]
            for part in fields(self.kind)
            if "form_field" in part.metadata
        }


FORMS: list[OperatorForm] = []  # forms in order of declaration
# Commands that need a second person's approval in a house with separate duties.
NEEDS_SECOND: set[type[Any]] = set()
C = TypeVar("C", bound=type[Any])


def access_to(kind: type[Any]) -> Access:
    """The permission that an operator command needs."""
    return next((form.access for form in FORMS if form.kind is kind), Access.OPERATE)


def operator_form(subject: Subject, word: str, **more: Any) -> Callable[[C], C]:
    """Declare an operator command; derive any form properties that aren't given."""

    def declare(kind: C) -> C:
        label = more.get("label", word.replace("-", " ").capitalize())
        known = {"title": f"{label} {{name}}", "group": str(subject), "help": kind.__doc__}
        form = OperatorForm(kind, subject, word, **{"label": label, **known, **more})
        FORMS.append(form)
        if form.needs_second:
            NEEDS_SECOND.add(kind)
        return kind

    return declare


@dataclass(frozen=True, slots=True)
class OperatorCommand:
    """A command that only operators send to a table."""

    if TYPE_CHECKING:

        @property
        def reason(self) -> str: ...


class Requirement(StrEnum):
    """Whether a table requires a procedure that the documents leave to the house."""

    OFF = "off"
    REQUIRED = "required"


@dataclass(frozen=True, slots=True)
class OpenTable(OperatorCommand):
    name: str
    rules: Mapping[str, object]  # in the format of `rules_data`
    clocks: Times = NO_TIMES  # only those that differ from the defaults
    reason: str = ""  # required from operators
    # Whether two people inspect the decks before the deal.
    inspection: Requirement = field(default=Requirement.OFF, metadata=LEFT_OUT_AT_DEFAULT)
    # Whether a floor person answers the dealer's calls and authorizes payments.
    supervisor: Requirement = field(default=Requirement.OFF, metadata=LEFT_OUT_AT_DEFAULT)
    # Whether percentage awards are paid by hand, away from the table.
    hand_pay: Requirement = field(default=Requirement.OFF, metadata=LEFT_OUT_AT_DEFAULT)


@operator_form(
    Subject.TABLE,
    "close",
    label="Close table",
    title="Close {name}",
    consequence="The current round is finished first. Then everyone is cashed out, and the "
    "table can't be opened again.",
    done="Table {table} is closing.",
    statuses=("open",),
    is_final=True,
    access=Access.RUN_TABLE,
)
@dataclass(frozen=True, slots=True)
class CloseTable(OperatorCommand):
    """Close a table: no new rounds, and everyone is cashed out after the current one."""

    reason: str


@operator_form(
    Subject.TABLE,
    "resume",
    label="Resume play",
    title="Resume play at {name}",
    consequence="The table continues the round where it stopped, and players can act again.",
    done="Table {table} has resumed.",
    statuses=("fault",),
)
@dataclass(frozen=True, slots=True)
class ResumeTable(OperatorCommand):
    """Resume a table after an internal error."""

    reason: str


@operator_form(
    Subject.TABLE,
    "drop",
    label="Transfer bank to the house",
    consequence="The bank's whole result goes to the house, and the bank starts again at $0. This "
    "is possible only between rounds.",
    title="Transfer {name}'s bank to the house",
    done="Table {table}'s bank was transferred to the house.",
)
@dataclass(frozen=True, slots=True)
class DropBank(OperatorCommand):
    """Move the table bank's result to the house."""

    reason: str


LONGEST_FORM_TEXT = 60
MOST_JOKERS = 8  # in one deck
_DEALER = form_field("Dealer", longest=LONGEST_FORM_TEXT, is_named=True, help="Name of the dealer.")
_SUPERVISOR = form_field(
    "Supervisor", longest=LONGEST_FORM_TEXT, is_named=True, help="Name of the supervisor."
)


@operator_form(
    Subject.TABLE,
    "inspect",
    label="Inspect a deck",
    title="Inspect a deck at {name}",
    consequence="Both names are recorded in the table's book. A recorded deck can't be changed.",
    done="Deck {deck} at table {table} has been inspected.",
    is_step=True,
    access=Access.SUPERVISE,
)
@dataclass(frozen=True, slots=True)
class InspectDeck(OperatorCommand):
    """Record that two people inspected a deck and took out its tens and jokers."""

    deck: int = field(
        metadata=form_field(
            "Deck", maximum=8, help="Number of the deck. Decks are inspected in order."
        )
    )
    tens: int = field(
        metadata=form_field("Tens taken out", minimum=0, maximum=8, is_named=True, example=4)
    )
    jokers: int = field(
        metadata=form_field(
            "Jokers taken out", minimum=0, maximum=MOST_JOKERS, is_named=True, example=2
        )
    )
    cards_left: int = field(
        metadata=form_field("Cards left", maximum=60, is_named=True, example=48)
    )
    back: str = field(
        metadata=form_field(
            "Back of the cards",
            longest=LONGEST_FORM_TEXT,
            is_named=True,
            help="Color and design of the backs, the same for all decks.",
        )
    )
    dealer: str = field(metadata=_DEALER)
    supervisor: str = field(metadata=_SUPERVISOR)
    reason: str


@operator_form(
    Subject.TABLE,
    "shuffle",
    label="Shuffle the decks",
    title="Shuffle the decks at {name}",
    consequence="Both names are recorded in the table's book, and the table may start dealing.",
    done="The decks at table {table} have been shuffled.",
    is_step=True,
    access=Access.SUPERVISE,
)
@dataclass(frozen=True, slots=True)
class ShuffleDecks(OperatorCommand):
    """Record that the dealer shuffled the inspected decks; after that, the table may deal."""

    dealer: str = field(metadata=_DEALER)
    supervisor: str = field(metadata=_SUPERVISOR)
    reason: str


@operator_form(
    Subject.TABLE,
    "box",
    label="Return cards to their boxes",
    title="Return {name}'s cards to their boxes",
    consequence="Both names are recorded in the table's book, and the table closes.",
    done="The cards from table {table} are back in their boxes.",
    is_step=True,
    access=Access.SUPERVISE,
)
@dataclass(frozen=True, slots=True)
class BoxCards(OperatorCommand):
    """Record that the cards taken out are back in their boxes at the end of the day."""

    dealer: str = field(metadata=_DEALER)
    supervisor: str = field(metadata=_SUPERVISOR)
    reason: str


@operator_form(
    Subject.TABLE,
    "link",
    label="Link jackpot",
    title="Link a jackpot to {name}",
    consequence="From now on, wagers on this game raise the jackpot's meter, and the game's awards "
    "are paid from it.",
    statuses=("open",),
    group="jackpots",
)
@dataclass(frozen=True, slots=True)
class LinkJackpot(OperatorCommand):
    """Link a table's jackpot game to a progressive."""

    game: int = field(metadata=form_field("Jackpot game", maximum=2, value="1", help=GAME_HELP))
    jackpot: int = field(metadata=form_field("Jackpot number", example=12))
    reason: str


@operator_form(
    Subject.TABLE,
    "unlink",
    label="Unlink jackpot",
    consequence="The table takes no more wagers on this game until it is linked again. Money "
    "already in the meter stays there.",
    title="Unlink a jackpot from {name}",
    group="jackpots",
    needs="jackpot",
    done="Game {game} at table {table} no longer has a meter.",
)
@dataclass(frozen=True, slots=True)
class UnlinkJackpot(OperatorCommand):
    """Unlink a table's jackpot game; its contributions stay in the meter."""

    game: int = field(metadata=form_field("Jackpot game", maximum=2, value="1", help=GAME_HELP))
    reason: str


operator_form(
    Subject.TABLE,
    "void",
    label="Void round",
    title="Void the round at {name}",
    consequence="Every wager of this round is returned, and payouts already made are taken back. "
    "Its cards don't count, no matter who was winning.",
    help="Void the current round and return all its wagers.",
    done="The round at table {table} was voided.",
    needs="open_round",
    is_final=True,
    needs_second=True,
)(VoidRound)


@operator_form(
    Subject.TABLE,
    "correct",
    label="Correct a round",
    title="Correct a round at {name}",
    consequence="The difference moves from the table's bank to the player's balance, or the other "
    "way. The books keep both results, and the player sees them. Jackpot awards and meters don't "
    "change.",
    done="Round {round_number} at table {table} has been corrected.",
    needs="closed_round",
    needs_second=True,
)
@dataclass(frozen=True, slots=True)
class CorrectRound(OperatorCommand):
    """Correct the amount that a closed round paid to a spot."""

    round_number: int = field(metadata=form_field("Round", help="Number of the round.", example=17))
    spot: int = field(metadata=form_field("Spot", maximum=99, help="Number of the spot."))
    paid: int = field(
        metadata=money_field(
            "Correct payment in dollars, including returned stakes",
            minimum=0,
            help="Total cents that the round should have paid to the spot, including returned "
            "stakes but not jackpots.",
        )
    )
    rule: str = field(
        metadata=form_field(
            "Rule",
            longest=5,
            is_named=True,
            help="Number of the rule that the correct payment follows.",
            example="R-062",
        )
    )
    earlier: int | None = field(
        metadata=form_field(
            "Number of the earlier correction",
            is_optional=True,
            may_omit=True,
            help="Number of the spot's last correction, to correct it again.",
            example=153,
        )
    )
    reason: str


@operator_form(
    Subject.TABLE,
    "acknowledge",
    label="Watch the third card",
    title="Watch the third card at {name}",
    group="floor",
    consequence="Play resumes, and the books record that you are watching the third card.",
    done="Play continues at table {table}.",
    access=Access.SUPERVISE,
    is_step=True,
)
@dataclass(frozen=True, slots=True)
class AcknowledgeCall(OperatorCommand):
    """Answer the dealer's call and watch the third card; play continues."""

    reason: str


@operator_form(
    Subject.TABLE,
    "authorize",
    label="Authorize the payments",
    title="Authorize the payments at {name}",
    group="floor",
    consequence="The table pays the round's bonuses and awards immediately.",
    done="The payments at table {table} are authorized.",
    access=Access.SUPERVISE,
    is_step=True,
)
@dataclass(frozen=True, slots=True)
class AuthorizePayments(OperatorCommand):
    """Authorize the round's Super Bonuses, Envy Bonuses and percentage awards."""

    reason: str


@operator_form(
    Subject.TABLE,
    "hand-pay",
    label="Pay by hand",
    title="Pay an award at {name} by hand",
    group="floor",
    consequence="The award goes to the player's balance; the books record that you paid it.",
    done="Award {award} at table {table} was paid by hand.",
    access=Access.SUPERVISE,
    is_step=True,
)
@dataclass(frozen=True, slots=True)
class PayByHand(OperatorCommand):
    """Pay a percentage award by hand, away from the table, to the player's wallet."""

    award: int = field(
        metadata=form_field("Award number", help="The number shown on the floor page.", example=153)
    )
    reason: str


@operator_form(
    Subject.TABLE,
    "acknowledge-alarm",
    label="Acknowledge the alarm",
    title="Acknowledge an alarm of {name}",
    consequence="The books record that you looked into the alarm, and what you found. The test "
    "begins again, so it raises a new alarm if the fault persists.",
    done="Alarm {alarm} of table {table} is acknowledged.",
    is_step=True,
)
@dataclass(frozen=True, slots=True)
class AcknowledgeAlarm(OperatorCommand):
    """Acknowledge an alarm of the monitor, with what you found as the reason."""

    alarm: int = field(
        metadata=form_field(
            "Alarm number", help="The number that the floor page shows.", example=153
        )
    )
    reason: str


@dataclass(frozen=True, slots=True)
class RaiseAlarm:
    """Record an alarm; sent by the house's monitor."""

    stream: str
    finding: str
    rounds: tuple[int, ...]


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
HouseCommand = ClockCommand | FaultTable | RaiseAlarm
TableCommand = PersonCommand | HouseCommand | OperatorCommand | VoidRound | LoseShoes
OPERATOR_COMMANDS: tuple[type[OperatorCommand | VoidRound], ...] = (
    OpenTable,
    *(form.kind for form in FORMS),
)


FLOOR_COMMANDS = (AcknowledgeCall, AuthorizePayments, PayByHand)

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
        *get_args(HouseCommand),
        *OPERATOR_COMMANDS,
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
