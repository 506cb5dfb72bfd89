"""The public record of one shoe: all that somebody needs to check it, as one JSON document.

It is published when the shoe has ended. docs/fairness.md describes it field by field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from ventiuna.cards import Pack
from ventiuna.engine.codec import event_data, event_from_data
from ventiuna.engine.errors import DataError, shown
from ventiuna.engine.events import (
    ENGINE,
    CardDealt,
    DownCardExposed,
    Event,
    HandRemoved,
    HandSplit,
    RoundVoided,
    Stage,
    StageReached,
)
from ventiuna.errors import VentiunaError
from ventiuna.notation.records import NotationError
from ventiuna.notation.shapes import parse_json
from ventiuna.records import brief_repr
from ventiuna.table.shoes.entropy import Source
from ventiuna.table.shoes.fairness import SECRET, ContextError, ShoeContext

FORMAT = "ventiuna-shoe-record-1"
RECIPE = "ventiuna-shoe-1"
LARGEST_RECORD = 4_000_000  # bytes; a shoe of eight decks takes some ten thousand
MOST_SEATS = 255  # a seat is one byte of the recipe
Name = TypeVar("Name", bound=StrEnum)
Data = dict[str, object]


class RecordError(VentiunaError, ValueError):
    """A text that is not the record of a shoe."""


class Ending(StrEnum):
    """Why the shoe was dealt no further."""

    CUT_CARD = "cut_card"  # it came, or the cards ran out within the last round
    VOID = "void"  # the last round was called off
    CLOSED = "closed"  # the table was closed


@dataclass(frozen=True, slots=True)
class CutRecord:
    seat: int
    commitment: bytes
    value: bytes | None  # None: withheld


@dataclass(frozen=True, slots=True)
class DealtRound:
    """What became of the cards in one round."""

    number: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class PublicRecord:
    context: ShoeContext
    source: Source
    commitment: bytes
    cuts: tuple[CutRecord, ...]  # by seat
    mix: bytes
    seed: bytes
    rounds: tuple[DealtRound, ...]
    ended: Ending

    __repr__ = brief_repr


def dealt_round(number: int, events: Iterable[Event]) -> DealtRound:
    """A finished round for the record: where its cards went, and nobody's name."""
    return DealtRound(number, tuple(event for event in events if _matters(event)))


def _matters(event: Event) -> bool:
    if isinstance(event, StageReached):
        return event.stage is Stage.CLOSED
    return isinstance(event, CardDealt | HandSplit | HandRemoved | DownCardExposed | RoundVoided)


# --- writing ----------------------------------------------------------------------------------


def record_data(record: PublicRecord) -> Data:
    """The record as plain data for JSON."""
    context = record.context
    return {
        "format": FORMAT,
        "recipe": RECIPE,
        "engine": ENGINE,
        "source": str(record.source),
        "context": {
            "house": context.house,
            "table": context.table,
            "shoe": context.number,
            "rules": context.rules,
            "pack": str(context.pack),
            "decks": context.decks,
            "burn": context.burn,
            "cut": context.cut_percent,
        },
        "commitment": record.commitment.hex(),
        "cuts": [_cut_data(cut) for cut in record.cuts],
        "mix": record.mix.hex(),
        "seed": record.seed.hex(),
        "rounds": [
            {"number": dealt.number, "events": [event_data(event) for event in dealt.events]}
            for dealt in record.rounds
        ],
        "ended": str(record.ended),
    }


def _cut_data(cut: CutRecord) -> Data:
    value = None if cut.value is None else cut.value.hex()
    return {"seat": cut.seat, "commitment": cut.commitment.hex(), "value": value}


# --- reading ----------------------------------------------------------------------------------


def read_record(text: str) -> PublicRecord:
    """The record in this JSON text; raises `RecordError` with one sentence."""
    if len(text) > LARGEST_RECORD:
        raise RecordError(f"The record is longer than {LARGEST_RECORD:,} characters.")
    try:
        data = parse_json(text, "the record")
    except NotationError as error:
        raise RecordError(f"{error}.") from None
    return record_from_data(data)


def record_from_data(data: object) -> PublicRecord:
    """The record that `record_data` wrote; raises `RecordError` with one sentence."""
    fields = _Fields(data, "")
    for name, known in (("format", FORMAT), ("recipe", RECIPE)):
        if (value := fields.take(name)) != known:
            raise RecordError(f"{name}: this program reads {known}, not {shown(value)}.")
    engine = fields.number("engine", 1)
    record = PublicRecord(
        source=fields.one_of("source", Source),
        context=_context(fields.take("context")),
        commitment=fields.hash("commitment"),
        cuts=_cuts(fields.list("cuts")),
        mix=fields.hash("mix"),
        seed=fields.hash("seed"),
        rounds=_rounds(fields.list("rounds"), engine),
        ended=fields.one_of("ended", Ending),
    )
    fields.check_empty()
    return record


class _Fields:
    """An object of the record, emptied field by field."""

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, Mapping):
            raise RecordError(f"{where or 'The record'}: give an object, not {shown(data)}.")
        self._left = dict(data)
        self._prefix = f"{where}." if where else ""

    def take(self, name: str) -> object:
        if name not in self._left:
            raise RecordError(f"{self._prefix}{name}: it is missing from the record.")
        return self._left.pop(name)

    def check_empty(self) -> None:
        for name in self._left:
            raise RecordError(f"{self._prefix}{shown(name)}: a record has no such field.")

    def number(self, name: str, least: int, most: int = 2**63 - 1) -> int:
        value = self.take(name)
        if type(value) is not int or not least <= value <= most:
            raise RecordError(
                f"{self._prefix}{name}: give a whole number from {least} to {most}, "
                f"not {shown(value)}."
            )
        return value

    def text(self, name: str) -> str:
        value = self.take(name)
        if not isinstance(value, str):
            raise RecordError(f"{self._prefix}{name}: give a text, not {shown(value)}.")
        return value

    def list(self, name: str) -> list[object]:
        value = self.take(name)
        if not isinstance(value, list):
            raise RecordError(f"{self._prefix}{name}: give a list, not {shown(value)}.")
        return value

    def one_of(self, name: str, kind: type[Name]) -> Name:
        value = self.text(name)
        try:
            return kind(value)
        except ValueError:
            raise RecordError(
                f"{self._prefix}{name}: {shown(value)} is not one of {', '.join(kind)}."
            ) from None

    def hash(self, name: str) -> bytes:
        """32 bytes in hexadecimal digits."""
        value = self.text(name)
        try:
            content = bytes.fromhex(value)
        except ValueError:
            content = b""
        if len(content) != SECRET or len(value) != 2 * SECRET:
            raise RecordError(
                f"{self._prefix}{name}: give {2 * SECRET} hexadecimal digits, not {shown(value)}."
            )
        return content

    def hash_or_nothing(self, name: str) -> bytes | None:
        if name in self._left and self._left[name] is None:
            del self._left[name]
            return None
        return self.hash(name)


def _context(data: object) -> ShoeContext:
    fields = _Fields(data, "context")
    try:
        context = ShoeContext(
            house=fields.text("house"),
            table=fields.text("table"),
            number=fields.number("shoe", 1),
            rules=fields.text("rules"),
            pack=fields.one_of("pack", Pack),
            decks=fields.number("decks", 1),
            burn=fields.number("burn", 0),
            cut_percent=fields.number("cut", 0, 100),
        )
    except ContextError as error:
        raise RecordError(f"context.{error}") from None
    fields.check_empty()
    return context


def _cuts(data: list[object]) -> tuple[CutRecord, ...]:
    cuts: list[CutRecord] = []
    for index, each in enumerate(data):
        fields = _Fields(each, f"cuts[{index}]")
        cut = CutRecord(
            seat=fields.number("seat", 0, MOST_SEATS),
            commitment=fields.hash("commitment"),
            value=fields.hash_or_nothing("value"),
        )
        fields.check_empty()
        if cuts and cut.seat <= cuts[-1].seat:
            raise RecordError(f"cuts[{index}].seat: list the cuts by seat, each seat once.")
        cuts.append(cut)
    return tuple(cuts)


def _rounds(data: list[object], engine: int) -> tuple[DealtRound, ...]:
    rounds: list[DealtRound] = []
    for index, each in enumerate(data):
        fields = _Fields(each, f"rounds[{index}]")
        number = fields.number("number", 1)
        if rounds and number <= rounds[-1].number:
            raise RecordError(f"rounds[{index}].number: list the rounds in their order.")
        events = [
            _event(event, engine, f"round {number}, event {place}")
            for place, event in enumerate(fields.list("events"), start=1)
        ]
        fields.check_empty()
        rounds.append(DealtRound(number, tuple(events)))
    return tuple(rounds)


def _event(data: object, engine: int, where: str) -> Event:
    try:
        event = event_from_data(data, engine)
    except DataError as error:
        raise RecordError(f"{where}: {error}") from None
    if isinstance(event, CardDealt) and event.card is None:
        raise RecordError(f"{where}: the card is hidden; the record of an ended shoe shows it.")
    if isinstance(event, CardDealt | HandSplit | HandRemoved) and (
        event.spot < 0 or event.hand < 0
    ):
        raise RecordError(f"{where}: spots and hands are numbered from 0 on.")
    return event
