"""Every message of a table's socket, `/tables/{id}/live`, subprotocol `ventiuna.1`.

Those of a client are checked by these models. Those of the server are plain data made by the
table's views; here is how they look, for JSON Schema and TypeScript.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from ventiuna.engine.errors import DataError
from ventiuna.engine.events import Stage
from ventiuna.engine.options import ActionOption, InsuranceOption
from ventiuna.engine.stakes import Wager
from ventiuna.engine.view_data import OPTION_KINDS
from ventiuna.engine.views import HandView, SpotView
from ventiuna.engine.wager_options import WagerOption
from ventiuna.server.wire import (
    CLOSED,
    Card,
    Cents,
    Number,
    Text,
    WireCommand,
    WireEvent,
    YesOrNo,
    about,
    model_of,
    one_of,
)
from ventiuna.table.events import AskKind
from ventiuna.table.ledger.chain import LONGEST_NAME
from ventiuna.table.play.codec import command_from_data
from ventiuna.table.play.commands import TableCommand

PROTOCOL = "ventiuna.1"
LONGEST_TOKEN = 128


class _Message(BaseModel):
    model_config = CLOSED


# --- from a client ----------------------------------------------------------------------------


class Hello(_Message):
    """The first message, within five seconds; again after a gap in `n`."""

    type: Literal["hello"]
    token: Annotated[str, Field(max_length=LONGEST_TOKEN)] = Field(
        "", description="Without it: a spectator."
    )
    from_: Annotated[int, Field(strict=True, ge=0)] = Field(
        0, alias="from", description="The last event that the client has."
    )


class CommandMessage(_Message):
    """Something that a person does."""

    type: Literal["command"]
    key: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)] = Field(
        description="Chosen by the client, new for each command, the same for each copy of it."
    )
    ask: Number | None = Field(None, description="The ask that it answers.")
    sent: Number | None = Field(None, description="Milliseconds; where it answers no ask.")
    command: WireCommand


ClientMessage = Annotated[Hello | CommandMessage, Field(discriminator="type")]
CLIENT_MESSAGE: TypeAdapter[Hello | CommandMessage] = TypeAdapter(
    ClientMessage, config=ConfigDict(hide_input_in_errors=True)
)


def read_message(text: str | bytes) -> Hello | CommandMessage:
    """A client's message; raises `DataError` with where it is wrong, never with what was sent."""
    try:
        return CLIENT_MESSAGE.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "message"
        raise DataError(f"{where}: {first['msg']}.") from None


def command_of(message: CommandMessage) -> TableCommand:
    """The command itself, of a message that was read."""
    return command_from_data(message.command.model_dump(mode="json"))


# --- views ------------------------------------------------------------------------------------


class _Told(BaseModel):
    """What is left out is empty or not so."""

    model_config = ConfigDict(extra="forbid")


class Words(_Told):
    """As people read it: cards as signs."""

    text: Text
    spoken: Text = Field("", description="For the ear, cards in words; left out where the same.")


class AskWords(Words):
    short: Text = Field("", description="Without what may be done.")


class Payment(_Told):
    """A wager that is over, for a tag beside it."""

    wager: Wager
    title: Text
    spot: Number
    hand: Number | None
    stake: Cents
    paid: Cents = Field(description="All that comes back.")
    net: Number
    odds: Text
    reason: Text
    rule: Text
    tag: Text
    amount: Text = Field(description="With its sign, or `push`.")


class Told(Words):
    """An event in a sentence, the same for all."""

    rules: list[Text] = Field([], description="Numbers of the rules behind it.")
    strong: YesOrNo = Field(False, description="Nobody at the table should miss it.")
    you: dict[str, Words] = Field({}, description="To whom it is about, by person.")
    payment: Payment | None = None


class StoryLine(Told):
    n: Number
    event: Text = Field(description="The name of the event.")


class AskTold(Words):
    you: dict[str, AskWords] = Field({}, description="To who may answer, by person.")


class HandAfter(_Told):
    spot: Number
    hand: Number
    count: Text
    words: Text


class MoneyAfter(_Told):
    spot: Number
    in_play: Cents = Field(description="Chips that still ride on the spot.")
    net: Number = Field(description="What came of those that don't.")
    riding: dict[Wager, Cents] = Field(description="Wagers besides the hands that still ride.")


class After(_Told):
    """What an event has left on the felt, for those who show event by event."""

    hands: list[HandAfter] = []
    dealer: Words | None = None
    money: MoneyAfter | None = None


class SceneStep(_Told):
    """One event of the round dealt last, or after it."""

    event: WireEvent
    told: Told | None = Field(description="Of payments and advice.")
    after: After | None


def _with(model: type[BaseModel], **parts: Any) -> type[BaseModel]:
    """The model with more fields."""
    made: type[BaseModel] = create_model(
        model.__name__, __base__=model, __doc__=model.__doc__, **parts
    )
    return made


WireHand = _with(
    model_of(HandView),
    count=(Text, Field(description="`14`, `soft 17`, `Blackjack`; empty without cards.")),
    words=(Text, Field(description="`18 stands`, `20 doubled, stands`, `24 busts`.")),
)
WireSpot = _with(
    model_of(SpotView, types={"tuple[HandView, ...]": list[WireHand]}),  # type: ignore[valid-type]
    in_play=(Cents, Field(description="Chips that still ride on the spot.")),
    net=(Number, Field(description="What came of those that don't.")),
    riding=(dict[Wager, Cents], Field(description="Wagers besides the hands that still ride.")),
)


def _option_model(kind: type[Any], name: str) -> type[BaseModel]:
    """As `option_data` and the table write it: an action's number stays off the wire."""
    model = model_of(kind, "kind", name)
    parts: dict[str, Any] = {
        part: (info.annotation, info)
        for part, info in model.model_fields.items()
        if part != "action"
    }
    if kind is WagerOption:
        parts["fixed"] = (Cents | None, ...)
    if kind in (ActionOption, InsuranceOption):
        parts["covered"] = (YesOrNo, Field(description="Are there chips enough?"))
    made: type[BaseModel] = create_model(
        kind.__name__, __config__=CLOSED, __doc__=about(kind), **parts
    )
    return made


WireOption = one_of([_option_model(kind, name) for kind, name in OPTION_KINDS.items()], "kind")


class TableData(_Message):
    id: Number
    name: Text
    rules: Text = Field(description="The preset or file.")
    canonical: Text = Field(description="With what differs from it.")
    fingerprint: Text = Field(description="Equal for rules that decide alike.")
    game: Text
    headline: Text = Field(description="The rules in one line.")
    limits: Text
    status: Literal["open", "closing", "closed", "fault"]
    seats: Number
    jackpots: dict[str, Number] = Field(description="Numbers of jackpots by game.")


class SeatData(_Message):
    seat: Number
    person: Text
    name: Text
    status: Literal["here", "away", "leaving"]
    spots: list[Number]
    stack: Cents
    ready: YesOrNo


class CutData(_Message):
    commitment: Text
    value: Text | None


class ShoeData(_Message):
    """The shoe in play, and what is known of the next one."""

    number: Number | None
    commitment: Text | None
    left: Number | None
    size: Number | None
    to_cut: Number | None = Field(description="Cards before the cut card; 0: it has come.")
    discards: Number | None
    words: Text
    next: Number | None
    next_commitment: Text | None
    cuts: dict[str, CutData]


class RoundData(_Message):
    number: Number
    stage: Stage
    dealer: list[Card | None]
    dealer_words: Words | None
    bonus_cards: list[Card]
    spots: list[WireSpot]  # type: ignore[valid-type]
    meters: list[Cents]


class AskData(_Message):
    """What the table waits for, until when, and what may be answered."""

    n: Number
    kind: AskKind
    spots: list[Number]
    hand: Number
    until: Number | None
    told: AskTold
    options: list[WireOption]  # type: ignore[valid-type]


# --- from the server --------------------------------------------------------------------------


class Snapshot(_Message):
    """The whole table after event `n`."""

    type: Literal["snapshot"]
    n: Number
    table: TableData
    seats: list[SeatData]
    shoe: ShoeData
    round: RoundData | None
    ask: AskData | None
    story: list[StoryLine] = Field(description="The last lines of what happened before.")
    scene: list[SceneStep] = Field(description="The events that put on the felt what lies there.")


class EventsMessage(_Message):
    """What happened: `n` is the number of the first event."""

    type: Literal["events"]
    n: Number
    events: list[WireEvent]
    told: list[Told | None] = Field(description="Of each event; null: nothing is said.")
    after: list[After | None] = Field(description="Of each event; null: nothing has changed.")
    round: RoundData | None = Field(description="After the last event.")
    ask: AskData | None
    stacks: dict[str, Cents] = Field(description="Chips of every seat after the last event.")
    seats: list[SeatData] | None = Field(description="null: as they were.")
    shoe: ShoeData | None = Field(description="null: as it was.")


class You(_Message):
    """To this person alone."""

    type: Literal["you"]
    person: Text
    seat: Number | None
    client: Number | None
    token_until: Number | None = Field(
        description="Say hello again with a new token before; then the socket is closed."
    )
    stack: Cents
    wallet: Cents


class MeterMessage(_Message):
    type: Literal["meter"]
    jackpot: Number
    cents: Cents


class WatchersMessage(_Message):
    """How many look on without a seat, through all processes of the house."""

    type: Literal["watchers"]
    count: Number


class HoldsMessage(_Message):
    """Seats whose client is gone."""

    type: Literal["holds"]
    seats: dict[str, Number] = Field(
        description="Until when each is held: then it is away, or if it is, cashed out."
    )


class DoneMessage(_Message):
    """The command is committed; `n` is the number of its last event."""

    type: Literal["done"]
    key: Text
    n: Number


class RefusedMessage(_Message):
    """Nothing has changed."""

    type: Literal["refused"]
    key: Text
    code: Text
    reason: Text
    rules: list[Text]


class UnknownMessage(_Message):
    """The database is unavailable: the command may have been carried out. Send it again."""

    type: Literal["unknown"]
    key: Text
    reason: Text


class Bye(_Message):
    """The server closes; come back after so long. `token_over`: with a new token."""

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
