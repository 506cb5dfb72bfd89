"""Data that clients send and receive: rule names, events, commands, and all socket messages.

The socket of a table is `/tables/{id}/live`, subprotocol `ventiuna.1`. Models of events and
commands are generated from our records; they validate input and produce the JSON Schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from dataclasses import Field as RecordField
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from ventiuna.core.cards import CARDS
from ventiuna.engine.codec import MAX_INT64
from ventiuna.engine.errors import DataError
from ventiuna.engine.events import Advice, Place, Stage, Stakes, Wager
from ventiuna.engine.options import ActionOption, InsuranceOption
from ventiuna.engine.state import HandStatus
from ventiuna.engine.views import OPTION_KINDS, HandView, SpotView
from ventiuna.engine.wagers import WagerOption
from ventiuna.rules import Problem, Rules, RulesError, load_rules
from ventiuna.rules.loader import split_canonical
from ventiuna.table.domain.commands import PersonCommand, TableCommand, command_from_data
from ventiuna.table.domain.events import AskKind, TableEvent
from ventiuna.table.ledger import LONGEST_NAME

# --- Rules, charts and counts by name: only built-in ones, never a file on the server ---

RULES_FILE_SUFFIX = ".toml"


def load_named_rules(text: str) -> Rules:
    """Load a preset, optionally with changes."""
    check_rules_name(text)
    return load_rules(text)


def check_rules_name(text: str) -> None:
    name, _ = split_canonical(text)
    _refuse_file("rules", name)


def check_names(**named: str) -> None:
    """Check the names of charts, strategies and counts."""
    for field, name in named.items():
        _refuse_file(field, name)


def _refuse_file(field: str, name: str) -> None:
    if name.strip().lower().endswith(RULES_FILE_SUFFIX):
        message = "a server doesn't read files for its clients"
        raise RulesError([Problem(field, name, "", message, "Name a built-in one.")])


# --- Models of our records ---

MAX_TEXT_LENGTH = 4_096
MAX_LIST_LENGTH = 64

Number = Annotated[int, Field(strict=True, ge=-MAX_INT64, le=MAX_INT64)]
Cents = Annotated[int, Field(strict=True, ge=0, le=MAX_INT64)]
Card = Annotated[int, Field(strict=True, ge=0, lt=CARDS)]
Text = Annotated[str, Field(max_length=MAX_TEXT_LENGTH)]
StrictBool = Annotated[bool, Field(strict=True)]
MtdWager = Literal["up", "down", "b1", "b2", "b3", "b4", "b5"]
JackpotGame = Literal["1", "2"]

# Model types by the declared type of a field. Keys are strings in JSON.
FIELD_TYPES: dict[str, Any] = {
    "int": Number,
    "int | None": Number | None,
    "Cents": Cents,
    "Cents | None": Cents | None,
    "Card": Card,
    "Card | None": Card | None,
    "str": Text,
    "bool": StrictBool,
    "Stage": Stage,
    "Place": Place,
    "Advice": Advice,
    "Wager": Wager,
    "Wager | None": Wager | None,
    "HandStatus": HandStatus,
    "AskKind": AskKind,
    "Stakes[str]": dict[MtdWager, Cents],
    "Stakes[int]": dict[JackpotGame, Cents],
    "Mapping[str, int]": dict[MtdWager, Number],
    "Mapping[int, int]": dict[JackpotGame, Number],
    "Times": dict[str, Number],
    "Mapping[str, object]": dict[str, Any],
    "tuple[int, ...]": Annotated[list[Number], Field(max_length=MAX_LIST_LENGTH)],
    "tuple[str, ...]": Annotated[list[Text], Field(max_length=MAX_LIST_LENGTH)],
    "tuple[Card, ...]": Annotated[list[Card], Field(max_length=MAX_LIST_LENGTH)],
    "tuple[Cents, ...]": Annotated[list[Cents], Field(max_length=MAX_LIST_LENGTH)],
    "tuple[Wager, ...]": Annotated[list[Wager], Field(max_length=MAX_LIST_LENGTH)],
    "tuple[Card | None, ...]": Annotated[list[Card | None], Field(max_length=MAX_LIST_LENGTH)],
}
# Output has every field; input may omit fields that have a default.
STRICT_CONFIG = ConfigDict(
    extra="forbid", hide_input_in_errors=True, json_schema_serialization_defaults_required=True
)
NO_FIELD_TYPES: Mapping[str, Any] = {}


def model_of(
    kind: type[Any], tag: str = "", name: str = "", types: Mapping[str, Any] = NO_FIELD_TYPES
) -> type[BaseModel]:
    """The model of one record; with a tag, that field holds the record's name (or `name`).

    `types` maps the declared types of fields that contain other records.
    """
    parts: dict[str, Any] = {}
    if tag:
        parts[tag] = (Literal[name or kind.__name__], ...)
    for part in fields(kind):
        known = types.get(str(part.type)) or FIELD_TYPES[str(part.type)]
        parts[part.name] = (known, _default_of(part))
    model: type[BaseModel] = create_model(
        kind.__name__, __config__=STRICT_CONFIG, __doc__=record_doc(kind), **parts
    )
    return model


def record_doc(kind: type[Any]) -> str | None:
    """A record's docstring without its examples; None if `dataclass` generated it."""
    text = (kind.__doc__ or "").partition(">>>")[0].strip()
    return None if not text or text.startswith(f"{kind.__name__}(") else text


def _default_of(part: RecordField[Any]) -> Any:
    """The field's default, or `...` if it is required."""
    if part.default is MISSING:
        return ...
    if isinstance(part.default, Stakes):
        return {str(key): cents for key, cents in part.default.items()}
    return list(part.default) if isinstance(part.default, tuple) else part.default


def models_of(kinds: Iterable[type[Any]], tag: str) -> Any:
    """A union of all models, discriminated by the tag: for fields, adapters and schemas."""
    return union_of([model_of(kind, tag) for kind in kinds], tag)


def union_of(models: Iterable[Any], tag: str) -> Any:
    return Annotated[reduce(or_, models), Field(discriminator=tag)]


if TYPE_CHECKING:  # these unions are built at run time
    WireEvent = Any
    WireCommand = Any
else:
    WireEvent = models_of(TableEvent.__args__, "event")
    WireCommand = models_of(PersonCommand.__args__, "command")
EVENT: TypeAdapter[Any] = TypeAdapter(WireEvent)
COMMAND: TypeAdapter[Any] = TypeAdapter(WireCommand)


# --- Messages of the socket ---

PROTOCOL = "ventiuna.1"
MAX_TOKEN_LENGTH = 128


class _ClientMessageBase(BaseModel):
    model_config = STRICT_CONFIG


# --- from a client ----------------------------------------------------------------------------


class Hello(_ClientMessageBase):
    """The first message, due within five seconds; sent again after a gap in `n`."""

    type: Literal["hello"]
    token: Annotated[str, Field(max_length=MAX_TOKEN_LENGTH)] = Field(
        "", description="Omit it to watch as a spectator."
    )
    from_: Annotated[int, Field(strict=True, ge=0)] = Field(
        0, alias="from", description="Number of the last event the client has."
    )


class CommandMessage(_ClientMessageBase):
    """A person's command."""

    type: Literal["command"]
    key: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)] = Field(
        description="Chosen by the client: new for each command, the same if a command is repeated."
    )
    ask: Number | None = Field(None, description="The prompt that this answers.")
    sent: Number | None = Field(
        None, description="When it was sent, in milliseconds, if it answers no prompt."
    )
    command: WireCommand


ClientMessage = Annotated[Hello | CommandMessage, Field(discriminator="type")]
CLIENT_MESSAGE: TypeAdapter[Hello | CommandMessage] = TypeAdapter(
    ClientMessage, config=ConfigDict(hide_input_in_errors=True)
)


def read_message(text: str | bytes) -> Hello | CommandMessage:
    """Parse a client's message; `DataError` says where it is wrong but never repeats the input."""
    try:
        return CLIENT_MESSAGE.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "message"
        raise DataError(f"{where}: {first['msg']}.") from None


def message_command(message: CommandMessage) -> TableCommand:
    """The command in a parsed message."""
    return command_from_data(message.command.model_dump(mode="json"))


# --- views ------------------------------------------------------------------------------------


class _ServerMessagePart(BaseModel):
    """Omitted fields are empty or false."""

    model_config = ConfigDict(extra="forbid")


class MessageText(_ServerMessagePart):
    """Text for people, with cards as symbols."""

    text: Text
    spoken: Text = Field(
        "", description="For screen readers, with cards in words; omitted if the same as `text`."
    )


class PromptText(MessageText):
    short: Text = Field("", description="The prompt without the possible actions.")


class Payment(_ServerMessagePart):
    """A settled wager, for the label next to it."""

    wager: Wager
    title: Text
    spot: Number
    hand: Number | None
    stake: Cents
    paid: Cents = Field(description="Everything returned to the player.")
    net: Number
    odds: Text
    reason: Text
    rule: Text
    tag: Text
    amount: Text = Field(description="With sign, or `push`.")


class EventText(MessageText):
    """An event as a sentence, the same for everyone."""

    rules: list[Text] = Field([], description="Numbers of the rules behind it.")
    strong: StrictBool = Field(False, description="Whether nobody at the table should miss it.")
    you: dict[str, MessageText] = Field(
        {}, description="The sentence for the people it is about, by person."
    )
    payment: Payment | None = None


class TimelineEvent(EventText):
    n: Number
    event: Text = Field(description="Name of the event.")


class TimedPrompt(MessageText):
    you: dict[str, PromptText] = Field(
        {}, description="The sentence for the people who may answer, by person."
    )


class HandAfter(_ServerMessagePart):
    spot: Number
    hand: Number
    count: Text
    words: Text


class MoneyAfter(_ServerMessagePart):
    spot: Number
    in_play: Cents = Field(description="Chips still in play on the spot.")
    net: Number = Field(description="Result of the wagers already settled.")
    riding: dict[Wager, Cents] = Field(description="Wagers still in play other than the hands.")


class After(_ServerMessagePart):
    """The felt after an event, for clients that show events one by one."""

    hands: list[HandAfter] = []
    dealer: MessageText | None = None
    money: MoneyAfter | None = None


class SceneStep(_ServerMessagePart):
    """An event of the most recent round, or after it."""

    event: WireEvent
    told: EventText | None = Field(description="For payments and advice.")
    after: After | None


def _extended(model: type[BaseModel], **parts: Any) -> type[BaseModel]:
    """The model with extra fields."""
    extended: type[BaseModel] = create_model(
        model.__name__, __base__=model, __doc__=model.__doc__, **parts
    )
    return extended


WireHand = _extended(
    model_of(HandView),
    count=(Text, Field(description="`14`, `soft 17`, `Blackjack`; empty without cards.")),
    words=(Text, Field(description="`18 stands`, `20 doubled, stands`, `24 busts`.")),
)
WireSpot = _extended(
    model_of(SpotView, types={"tuple[HandView, ...]": list[WireHand]}),  # type: ignore[valid-type]  # created at run time
    in_play=(Cents, Field(description="Chips still in play on the spot.")),
    net=(Number, Field(description="Result of the wagers already settled.")),
    riding=(dict[Wager, Cents], Field(description="Wagers still in play other than the hands.")),
)


def _option_model(kind: type[Any], name: str) -> type[BaseModel]:
    """The model of an option as `option_data` and the table write it, without the action number."""
    model = model_of(kind, "kind", name)
    parts: dict[str, Any] = {
        part: (info.annotation, info)
        for part, info in model.model_fields.items()
        if part != "action"
    }
    if kind is WagerOption:
        parts["fixed"] = (Cents | None, ...)
    if kind in (ActionOption, InsuranceOption):
        parts["covered"] = (StrictBool, Field(description="Whether the player has enough chips."))
    option: type[BaseModel] = create_model(
        kind.__name__, __config__=STRICT_CONFIG, __doc__=record_doc(kind), **parts
    )
    return option


WireOption = union_of([_option_model(kind, name) for kind, name in OPTION_KINDS.items()], "kind")


class TableData(_ClientMessageBase):
    id: Number
    name: Text
    rules: Text = Field(description="The preset or file.")
    canonical: Text = Field(description="The rules with their changes.")
    fingerprint: Text = Field(description="The same for all rules that decide alike.")
    game: Text
    headline: Text = Field(description="The rules in one line.")
    limits: Text
    status: Literal["open", "closing", "closed", "fault"]
    seats: Number
    jackpots: dict[str, Number] = Field(description="Jackpot numbers by game.")


class SeatData(_ClientMessageBase):
    seat: Number
    person: Text
    name: Text
    status: Literal["here", "away", "leaving"]
    spots: list[Number]
    stack: Cents
    ready: StrictBool


class CutData(_ClientMessageBase):
    commitment: Text
    value: Text | None


class ShoeData(_ClientMessageBase):
    """The shoe in play, and known facts about the next one."""

    number: Number | None
    commitment: Text | None
    left: Number | None
    size: Number | None
    to_cut: Number | None = Field(description="Cards before the cut card; 0 if it has come out.")
    discards: Number | None
    words: Text
    next: Number | None
    next_commitment: Text | None
    cuts: dict[str, CutData]


class RoundData(_ClientMessageBase):
    number: Number
    stage: Stage
    dealer: list[Card | None]
    dealer_words: MessageText | None
    bonus_cards: list[Card]
    spots: list[WireSpot]  # type: ignore[valid-type]  # created at run time
    meters: list[Cents]


class AskData(_ClientMessageBase):
    """The open prompt with its deadline and the possible answers."""

    n: Number
    kind: AskKind
    spots: list[Number]
    hand: Number
    until: Number | None
    told: TimedPrompt
    options: list[WireOption]  # type: ignore[valid-type]  # created at run time


# --- from the server --------------------------------------------------------------------------


class TableView(_ClientMessageBase):
    """The whole table after event `n`."""

    n: Number
    table: TableData
    seats: list[SeatData]
    shoe: ShoeData
    round: RoundData | None
    ask: AskData | None


class Snapshot(TableView):
    type: Literal["snapshot"]
    story: list[TimelineEvent] = Field(description="The last lines of the log.")
    scene: list[SceneStep] = Field(description="The events that led to the current felt.")


class EventsMessage(_ClientMessageBase):
    """New events; `n` is the number of the first one."""

    type: Literal["events"]
    n: Number
    events: list[WireEvent]
    told: list[EventText | None] = Field(description="The sentence for each event; null for none.")
    after: list[After | None] = Field(description="The felt after each event; null if unchanged.")
    round: RoundData | None = Field(description="After the last event.")
    ask: AskData | None
    stacks: dict[str, Cents] = Field(description="Chips of every seat after the last event.")
    seats: list[SeatData] | None = Field(description="null if unchanged.")
    shoe: ShoeData | None = Field(description="null if unchanged.")


class You(_ClientMessageBase):
    """Private data of this person."""

    type: Literal["you"]
    person: Text
    seat: Number | None
    client: Number | None
    token_until: Number | None = Field(
        description="When the socket closes. Send another hello with a new token before then."
    )
    stack: Cents
    wallet: Cents


class MeterMessage(_ClientMessageBase):
    type: Literal["meter"]
    jackpot: Number
    cents: Cents


class WatchersMessage(_ClientMessageBase):
    """Number of spectators, over all processes of the house."""

    type: Literal["watchers"]
    count: Number


class HoldsMessage(_ClientMessageBase):
    """Seats held for clients that disconnected."""

    type: Literal["holds"]
    seats: dict[str, Number] = Field(
        description="When each hold ends; the seat then goes away or, if it is away, cashes out."
    )


class DoneMessage(_ClientMessageBase):
    """The command is committed; `n` is the number of its last event."""

    type: Literal["done"]
    key: Text
    n: Number


class RefusedMessage(_ClientMessageBase):
    """Nothing has changed."""

    type: Literal["refused"]
    key: Text
    code: Text
    reason: Text
    rules: list[Text]


class UnknownMessage(_ClientMessageBase):
    """The database is unavailable: the command may have been carried out. Send it again."""

    type: Literal["unknown"]
    key: Text
    reason: Text


class Bye(_ClientMessageBase):
    """The server is closing; reconnect after `retry_ms`. After `token_over`, send a new token."""

    type: Literal["bye"]
    code: Text
    retry_ms: Number


ServerMessage = Annotated[
    Snapshot
    | EventsMessage
    | You
    | MeterMessage
    | WatchersMessage
    | HoldsMessage
    | DoneMessage
    | RefusedMessage
    | UnknownMessage
    | Bye,
    Field(discriminator="type"),
]
SERVER_MESSAGE: TypeAdapter[Any] = TypeAdapter(ServerMessage)
