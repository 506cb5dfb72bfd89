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
from ventiuna.table.chain import LONGEST_NAME
from ventiuna.table.codec import command_from_data
from ventiuna.table.commands import TableCommand
from ventiuna.table.events import AskKind

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

WireHand = model_of(HandView)
WireSpot = model_of(SpotView, types={"tuple[HandView, ...]": list[WireHand]})  # type: ignore[valid-type]


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
    next: Number | None
    next_commitment: Text | None
    cuts: dict[str, CutData]


class RoundData(_Message):
    number: Number
    stage: Stage
    dealer: list[Card | None]
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


class EventsMessage(_Message):
    """What happened: `n` is the number of the first event."""

    type: Literal["events"]
    n: Number
    events: list[WireEvent]
    ask: AskData | None
    stacks: dict[str, Cents] = Field(description="Chips of every seat after the last event.")


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


class Bye(_Message):
    """The server closes; come back after so long. `token_over`: with a new token."""

    type: Literal["bye"]
    code: Text
    retry_ms: Number


ServerMessage = Annotated[
    Snapshot | EventsMessage | You | MeterMessage | DoneMessage | RefusedMessage | Bye,
    Field(discriminator="type"),
]
SERVER_MESSAGE: TypeAdapter[Any] = TypeAdapter(ServerMessage)
