"""Our records as Pydantic models: they check what comes in, and write JSON Schema.

The records of `engine` and `table` are the only source. How a field looks on the wire follows
from the type that it is declared with, as in their codec.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from dataclasses import Field as RecordField
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from ventiuna.core.cards import CARDS
from ventiuna.engine.events import Advice, Place, Stage
from ventiuna.engine.records import LARGEST_NUMBER
from ventiuna.engine.stakes import Stakes, Wager
from ventiuna.engine.state import HandStatus
from ventiuna.table.events import AskKind, TableEvent
from ventiuna.table.play.commands import PersonCommand

LONGEST_TEXT = 4_096
MOST_LISTED = 64

Number = Annotated[int, Field(strict=True, ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
Cents = Annotated[int, Field(strict=True, ge=0, le=LARGEST_NUMBER)]
Card = Annotated[int, Field(strict=True, ge=0, lt=CARDS)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
YesOrNo = Annotated[bool, Field(strict=True)]
MtdWager = Literal["up", "down", "b1", "b2", "b3", "b4", "b5"]
JackpotGame = Literal["1", "2"]

# By the type that a field is declared with. Keys are text in JSON.
FIELD_TYPES: dict[str, Any] = {
    "int": Number,
    "int | None": Number | None,
    "Cents": Cents,
    "Cents | None": Cents | None,
    "Card": Card,
    "Card | None": Card | None,
    "str": Text,
    "bool": YesOrNo,
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
    "tuple[int, ...]": Annotated[list[Number], Field(max_length=MOST_LISTED)],
    "tuple[str, ...]": Annotated[list[Text], Field(max_length=MOST_LISTED)],
    "tuple[Card, ...]": Annotated[list[Card], Field(max_length=MOST_LISTED)],
    "tuple[Cents, ...]": Annotated[list[Cents], Field(max_length=MOST_LISTED)],
    "tuple[Wager, ...]": Annotated[list[Wager], Field(max_length=MOST_LISTED)],
    "tuple[Card | None, ...]": Annotated[list[Card | None], Field(max_length=MOST_LISTED)],
}
# What we send has every field; what comes in may leave out those with a usual value.
CLOSED = ConfigDict(
    extra="forbid", hide_input_in_errors=True, json_schema_serialization_defaults_required=True
)
NO_TYPES: Mapping[str, Any] = {}


def model_of(
    kind: type[Any], tag: str = "", name: str = "", types: Mapping[str, Any] = NO_TYPES
) -> type[BaseModel]:
    """The model of one record; with a tag, its name (or this one) stands under it.

    `types` are those of fields that hold other records, by the type they are declared with.
    """
    parts: dict[str, Any] = {}
    if tag:
        parts[tag] = (Literal[name or kind.__name__], ...)
    for part in fields(kind):
        known = types.get(str(part.type)) or FIELD_TYPES[str(part.type)]
        parts[part.name] = (known, _usual(part))
    model: type[BaseModel] = create_model(
        kind.__name__, __config__=CLOSED, __doc__=about(kind), **parts
    )
    return model


def about(kind: type[Any]) -> str | None:
    """A record's docstring without its examples; None if it has only the one `dataclass` writes."""
    text = (kind.__doc__ or "").partition(">>>")[0].strip()
    return None if not text or text.startswith(f"{kind.__name__}(") else text


def _usual(part: RecordField[Any]) -> Any:
    """What a field is when it is left out; `...` where it may not be."""
    if part.default is MISSING:
        return ...
    if isinstance(part.default, Stakes):
        return {str(key): cents for key, cents in part.default.items()}
    return list(part.default) if isinstance(part.default, tuple) else part.default


def models_of(kinds: Iterable[type[Any]], tag: str) -> Any:
    """All of them as one type, told apart by the tag: for fields, adapters and schemas."""
    return one_of([model_of(kind, tag) for kind in kinds], tag)


def one_of(models: Iterable[Any], tag: str) -> Any:
    return Annotated[reduce(or_, models), Field(discriminator=tag)]


WireEvent = models_of(TableEvent.__args__, "event")
WireCommand = models_of(PersonCommand.__args__, "command")
EVENT: TypeAdapter[Any] = TypeAdapter(WireEvent)
COMMAND: TypeAdapter[Any] = TypeAdapter(WireCommand)
