"""Data that clients send and receive: rule names, events, commands, and all socket messages.

A table's socket is `/tables/{id}/live`, subprotocol `ventiuna.1`. Models of events and commands are
generated from our records; they validate input and produce the JSON Schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from functools import partial, reduce
from operator import or_
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model
from pydantic_core import ErrorDetails, from_json

from ventiuna.core.cards import CARDS
from ventiuna.engine import events
from ventiuna.engine.codec import fields_that_may_be_left_out, plain_value
from ventiuna.engine.commands import quoted
from ventiuna.engine.events import MAX_INT64, Stage, Stakes, Wager, Whole
from ventiuna.engine.options import ActionOption, InsuranceOption
from ventiuna.engine.views import OPTION_KINDS, HandView, SpotView
from ventiuna.engine.wagers import WagerOption
from ventiuna.errors import VentiunaError
from ventiuna.rules import Problem, Rules, RulesError, load_rules
from ventiuna.rules.loader import split_canonical
from ventiuna.table.domain.commands import (
    OPERATOR_COMMANDS,
    OpenTable,
    PersonCommand,
    TableCommand,
    command_from_data,
)
from ventiuna.table.domain.events import AskKind, TableEvent
from ventiuna.table.ledger import LONGEST_KEY
from ventiuna.texts import one_line

RULES_FILE_SUFFIX = ".toml"


def load_named_rules(text: str) -> Rules:
    """Load a preset, optionally with changes."""
    name, _ = split_canonical(text)
    check_names(rules=name)
    return load_rules(text)


def check_names(**named: str) -> None:
    """Check the names of rules, charts, strategies, and counts."""
    for field, name in named.items():
        if name.strip().lower().endswith(RULES_FILE_SUFFIX):
            message = "a server doesn't read files for its clients"
            raise RulesError([Problem(field, name, "", message, "Name a built-in one.")])


MAX_TEXT_LENGTH = 4_096
MAX_LIST_LENGTH = 64

Number = Annotated[int, Field(strict=True, ge=-MAX_INT64, le=MAX_INT64)]
Cents = Annotated[int, Field(strict=True, ge=0, le=MAX_INT64)]
Card = Annotated[int, Field(strict=True, ge=0, lt=CARDS)]
Text = Annotated[str, Field(max_length=MAX_TEXT_LENGTH)]
StrictBool = Annotated[bool, Field(strict=True)]
_SCALARS: dict[Any, Any] = {int: Number, str: Text, bool: StrictBool, object: Any}


def wire_type(hint: Any) -> Any:
    """The model type for a field's declared type. Keys are strings in JSON."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        allowed = parts[1]
        if isinstance(allowed, Whole):
            return Annotated[int, Field(strict=True, ge=allowed.minimum, le=allowed.maximum)]
        return Literal[tuple(map(str, allowed))]
    if origin is Union or origin is UnionType:
        return reduce(or_, map(wire_type, parts))
    if origin is tuple:
        return Annotated[list[wire_type(parts[0])], Field(max_length=MAX_LIST_LENGTH)]  # type: ignore[misc]  # built at run time
    if origin is Stakes:
        return dict[wire_type(parts[0]), Cents]  # type: ignore[misc]
    if origin is Mapping:
        return dict[wire_type(parts[0]), wire_type(parts[1])]  # type: ignore[misc]
    return _SCALARS.get(hint, hint)


if TYPE_CHECKING:  # these types are built at run time
    MtdWager = str
    JackpotGame = str
else:
    MtdWager = wire_type(events.MtdWager)
    JackpotGame = wire_type(events.JackpotGame)
# Output has every field; input may omit fields that have a default.
STRICT_CONFIG = ConfigDict(
    extra="forbid", hide_input_in_errors=True, json_schema_serialization_defaults_required=True
)


def model_of(
    kind: type[Any], tag: str = "", name: str = "", *, leave_out: str = "", **added: Any
) -> type[BaseModel]:
    """The model for one record; with a tag, that field holds the record's name (or `name`)."""
    parts: dict[str, Any] = {tag: (Literal[name or kind.__name__], ...)} if tag else {}
    hints = get_type_hints(kind, include_extras=True)
    for part in fields(kind):
        if part.name != leave_out:
            default = ... if part.default is MISSING else plain_value(part.default)
            parts[part.name] = (wire_type(hints[part.name]), default)
    config = ConfigDict(**STRICT_CONFIG, json_schema_extra=partial(_mark_left_out, kind))
    model: type[BaseModel] = create_model(
        kind.__name__, __config__=config, __doc__=record_doc(kind), **parts, **added
    )
    return model


def _mark_left_out(kind: type[Any], schema: dict[str, Any]) -> None:
    """Mark the fields that records leave out at their defaults as optional, in output too."""
    for name, _ in fields_that_may_be_left_out(kind):
        schema["properties"][name].pop("default", None)
        if name in schema.get("required", ()):
            schema["required"].remove(name)


def record_doc(kind: type[Any]) -> str | None:
    """A record's docstring without its examples; None if `dataclass` generated it."""
    text = (kind.__doc__ or "").partition(">>>")[0].strip()
    return None if not text or text.startswith(f"{kind.__name__}(") else text


def union_of(models: Iterable[Any], tag: str) -> Any:
    """A union of models, discriminated by the tag: for fields, adapters and schemas."""
    return Annotated[reduce(or_, models), Field(discriminator=tag)]


# Operators may also send their commands over a table's socket.
SENT_COMMANDS = tuple(
    kind for kind in (*get_args(PersonCommand), *OPERATOR_COMMANDS) if kind is not OpenTable
)
if TYPE_CHECKING:
    WireEvent = Any
    WireCommand = Any
else:
    WireEvent = union_of([model_of(kind, "event") for kind in get_args(TableEvent)], "event")
    WireCommand = union_of([model_of(kind, "command") for kind in SENT_COMMANDS], "command")
EVENT: TypeAdapter[Any] = TypeAdapter(WireEvent)
COMMAND: TypeAdapter[Any] = TypeAdapter(WireCommand)


PROTOCOL = "ventiuna.1"
MAX_TOKEN_LENGTH = 128
MAX_SENTENCE_LENGTH = 400
PRINTABLE = r"^( |[^\p{C}\p{Z}])*$"  # no control characters or line breaks

NotNegative = Annotated[int, Field(strict=True, ge=0, le=MAX_INT64)]


class _ClientMessageBase(BaseModel):
    model_config = STRICT_CONFIG


class Hello(_ClientMessageBase):
    """The first message, due within five seconds; sent again after a gap in `n`."""

    type: Literal["hello"]
    token: Annotated[str, Field(max_length=MAX_TOKEN_LENGTH)] | None = Field(
        None, description="Omit this to watch as a spectator."
    )
    from_: NotNegative | None = Field(
        None, alias="from", description="Number of the last event the client has."
    )


class CommandMessage(_ClientMessageBase):
    """A person's command."""

    type: Literal["command"]
    key: Annotated[str, Field(min_length=1, max_length=LONGEST_KEY, pattern=PRINTABLE)] = Field(
        description="Chosen by the client: new for each command, unchanged for a repeat."
    )
    ask: NotNegative | None = Field(None, description="The prompt that this answers.")
    sent: NotNegative | None = Field(
        None, description="When it was sent, in milliseconds, if it doesn't answer a prompt."
    )
    command: WireCommand

    def table_command(self) -> TableCommand:
        return command_from_data(self.command.model_dump())


ClientMessage = Annotated[Hello | CommandMessage, Field(discriminator="type")]
CLIENT_MESSAGE: TypeAdapter[Hello | CommandMessage] = TypeAdapter(
    ClientMessage, config=ConfigDict(hide_input_in_errors=True)
)


class BadMessage(VentiunaError, ValueError):
    """An invalid message; the text is for the client."""

    def __init__(self, sentence: str, key: str = "") -> None:
        super().__init__(sentence)
        self.key = key  # the command's key, if it has one


def read_message(text: str) -> Hello | CommandMessage:
    """Parse a client's message; raises `BadMessage`."""
    try:
        return CLIENT_MESSAGE.validate_json(text)
    except ValidationError as error:
        raise BadMessage(_sentence(error.errors(include_url=False)[0]), _key_of(text)) from None


def _sentence(error: ErrorDetails) -> str:
    """One sentence about an error, with its location, such as `Hit.spot`."""
    kind, message = error["type"], error["msg"]
    place = [str(part) for part in error["loc"] if part != "[key]"]
    if kind == "json_invalid":
        return "This isn't valid JSON."
    if kind.startswith("union_tag") and place:
        name = error["input"].get("command") if isinstance(error["input"], dict) else None
        listed = ", ".join(kind.__name__ for kind in get_args(PersonCommand))
        return f"{quoted(name)} isn't a command that a client can send. Choose from: {listed}."
    if not place:
        return "A message must be an object whose type is hello or command."
    last = place[-1]
    where = ".".join(place[2:-1]) or place[0]  # name the record inside `command.command`, if any
    if kind == "missing":
        return f"{where}: the field {last} is missing."
    if kind == "extra_forbidden":
        return f"{where} has no field {quoted(last)}."
    must = re.sub(r"^\w+ should", "must", message)
    return one_line(f"{where}.{last} {must}.")[:MAX_SENTENCE_LENGTH]


def _key_of(text: str) -> str:
    """The key of an invalid message; it shows the sender which command was refused."""
    try:
        message = from_json(text)
    except ValueError:
        return ""
    key = message.get("key", "") if isinstance(message, dict) else ""
    return str(key)[:LONGEST_KEY]


class _ServerMessagePart(BaseModel):
    """Omitted fields are empty or false."""

    model_config = ConfigDict(extra="forbid")


class MessageText(_ServerMessagePart):
    """Text for people, with cards as symbols."""

    text: Text
    spoken: Text = Field(
        "", description="For screen readers, with cards in words; omitted if the same as `text`."
    )


class EventWords(MessageText):
    talk: Text | None = Field(
        None,
        description="What a dealer would say, if it differs from `text`; empty if a dealer "
        "wouldn't mention it.",
    )


class PromptText(MessageText):
    short: Text = Field("", description="The prompt without the possible actions.")


class Payment(_ServerMessagePart):
    """A settled wager, for the label next to its chips."""

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
    amount: Text = Field(description="Signed amount, or `push`.")


class EventText(EventWords):
    """An event as a sentence, the same for everyone."""

    rules: list[Text] = Field([], description="Numbers of the rules behind it.")
    strong: StrictBool = Field(False, description="Whether everyone at the table should notice it.")
    you: dict[str, EventWords] = Field(
        {}, description="The sentence addressed to each person it concerns, by person."
    )
    payment: Payment | None = None


class TimelineEvent(EventText):
    n: Number
    event: Text = Field(description="Name of the event.")


class TimedPrompt(MessageText):
    you: dict[str, PromptText] = Field(
        {}, description="The sentence addressed to each person who may answer, by person."
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
    """The felt after an event, for clients that show events one at a time."""

    hands: list[HandAfter] = []
    dealer: MessageText | None = None
    money: MoneyAfter | None = None


class SceneStep(_ServerMessagePart):
    """An event during or after the most recent round."""

    event: WireEvent
    told: EventText | None = Field(description="For payments and advice.")
    after: After | None


WireHand = model_of(
    HandView,
    count=(Text, Field(description="`14`, `soft 17`, `Blackjack`; empty if there are no cards.")),
    words=(Text, Field(description="`18 stands`, `20 doubled, stands`, `24 busts`.")),
)
_SCALARS[HandView] = WireHand
WireSpot = model_of(
    SpotView,
    in_play=(Cents, Field(description="Chips still in play on the spot.")),
    net=(Number, Field(description="Result of the wagers already settled.")),
    riding=(dict[Wager, Cents], Field(description="Wagers still in play other than the hands.")),
)
_COVERED = (StrictBool, Field(description="Whether the player has enough chips."))
_ADDED_TO_OPTIONS: dict[type[Any], dict[str, Any]] = {
    WagerOption: {"fixed": (Cents | None, ...)},
    ActionOption: {"covered": _COVERED},
    InsuranceOption: {"covered": _COVERED},
}
# As written by `option_data` and the table, without the action's number.
WireOption = union_of(
    [
        model_of(kind, "kind", name, leave_out="action", **_ADDED_TO_OPTIONS.get(kind, {}))
        for kind, name in OPTION_KINDS.items()
    ],
    "kind",
)


class TableData(_ClientMessageBase):
    id: Number
    name: Text
    rules: Text = Field(description="The preset or file.")
    canonical: Text = Field(description="The rules with their changes.")
    fingerprint: Text = Field(description="The same for all rules that play alike.")
    game: Text
    headline: Text = Field(description="The rules in one line.")
    limits: Text
    status: Literal["open", "closing", "closed", "fault"]
    seats: Number
    jackpots: dict[str, Number] = Field(description="Jackpot numbers by game.")
    waits: Text | None = Field(description="Why the table can't deal yet; null if it can.")


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
    """The shoe in play, and what is known about the next one."""

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
    options: list[WireOption] | None = Field(  # type: ignore[valid-type]  # created at run time
        description="null with new events if they are the same as before, or if someone else must "
        "decide."
    )


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
    scene: list[SceneStep] = Field(description="The events that produced the current felt.")


class EventsMessage(_ClientMessageBase):
    """New events; `n` is the number of the first one."""

    type: Literal["events"]
    n: Number
    events: list[WireEvent]
    told: list[EventText | None] = Field(description="The sentence for each event; null for none.")
    after: list[After | None] = Field(description="The felt after each event; null if unchanged.")
    round: RoundData | None = Field(
        description="The round after the last event, with the spots that these events changed."
    )
    ask: AskData | None
    stacks: dict[str, Cents] = Field(description="Every seat's chips after the last event.")
    seats: list[SeatData] | None = Field(description="null if only chips changed.")
    shoe: ShoeData | None = Field(description="null if unchanged.")


class You(_ClientMessageBase):
    """This person's private data."""

    type: Literal["you"]
    person: Text
    seat: Number | None
    client: Number | None
    token_until: Number | None = Field(
        description="When the socket closes. Before then, send another hello with a new token."
    )
    stack: Cents
    wallet: Cents


class MeterMessage(_ClientMessageBase):
    type: Literal["meter"]
    jackpot: Number
    cents: Cents


class WatchersMessage(_ClientMessageBase):
    """Number of spectators across all processes of the house."""

    type: Literal["watchers"]
    count: Number


class HoldsMessage(_ClientMessageBase):
    """Seats held for clients that disconnected."""

    type: Literal["holds"]
    seats: dict[str, Number] = Field(
        description="When each hold ends; the player is then marked away or cashed out."
    )


class DoneMessage(_ClientMessageBase):
    """The command is committed; `n` is the number of its last event."""

    type: Literal["done"]
    key: Text
    n: Number


class RefusedMessage(_ClientMessageBase):
    """The command changed nothing."""

    type: Literal["refused"]
    key: Text
    code: Text
    reason: Text
    rules: list[Text]


class UnknownMessage(_ClientMessageBase):
    """The database is unavailable, and the command may have been carried out. Send it again."""

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
