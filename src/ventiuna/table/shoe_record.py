"""A shoe's public record as a JSON document, and a check that the shoe was dealt as committed.

The record is published when the shoe ends; docs/fairness.md describes each field. The check follows
the steps there and computes everything from the record. A record can't prove that its rounds are
the ones people saw, or why a table was closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from string import hexdigits
from typing import Any, Required, cast

from typing_extensions import TypedDict

from ventiuna.cards import Pack, card_text
from ventiuna.engine.codec import (
    Reader,
    enum_reader,
    event_data,
    event_from_data,
    read_text,
    whole_reader,
)
from ventiuna.engine.commands import DataError, quoted
from ventiuna.engine.dealing import OutOfCards
from ventiuna.engine.events import (
    ENGINE,
    MAX_INT64,
    CardDealt,
    DownCardExposed,
    Event,
    HandRemoved,
    HandSplit,
    Place,
    RoundVoided,
    Stage,
    StageReached,
    Whole,
)
from ventiuna.errors import VentiunaError
from ventiuna.notation.json_format import parse_json
from ventiuna.notation.records import NotationError
from ventiuna.table.fairness import (
    SECRET_BYTES,
    ContextError,
    EntropySource,
    LiveShoe,
    ShoeContext,
    ShoeError,
    cut_commitment,
    mix_of,
    shoe_commitment,
)
from ventiuna.texts import brief_repr, pluralize

RECORD_FORMAT = "ventiuna-shoe-record-1"
RECIPE = "ventiuna-shoe-1"
LARGEST_RECORD = 4_000_000  # bytes; an eight-deck shoe takes tens of thousands
MAX_SEATS = 255  # a seat is one byte in the recipe


class RecordError(VentiunaError, ValueError):
    """The text isn't a shoe record."""


class Ending(StrEnum):
    """The reason a shoe ended."""

    CUT_CARD = "cut_card"  # the cut card was reached, or the cards ran out in the last round
    VOID = "void"  # the last round was voided
    CLOSED = "closed"  # the table was closed


@dataclass(frozen=True, slots=True)
class CutRecord:
    seat: int
    commitment: bytes
    value: bytes | None  # None if withheld


@dataclass(frozen=True, slots=True)
class DealtRound:
    """The card events of one round."""

    number: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class PublicRecord:
    context: ShoeContext
    source: EntropySource
    commitment: bytes
    cuts: tuple[CutRecord, ...]  # by seat
    mix: bytes
    seed: bytes
    rounds: tuple[DealtRound, ...]
    ended: Ending

    __repr__ = brief_repr


def dealt_round(number: int, events: Iterable[Event]) -> DealtRound:
    """A finished round for the record: only its card movements, without names."""
    return DealtRound(number, tuple(event for event in events if _is_recorded(event)))


def _is_recorded(event: Event) -> bool:
    if isinstance(event, StageReached):
        return event.stage is Stage.CLOSED
    return isinstance(event, CardDealt | HandSplit | HandRemoved | DownCardExposed | RoundVoided)


_OTHER_NAMES = {"shoe": "number", "cut": "cut_percent"}  # JSON names of context fields


class ContextData(TypedDict):
    house: str
    table: str
    shoe: int
    rules: str
    pack: Pack
    decks: int
    burn: int
    cut: int


class CutRecordData(TypedDict):
    seat: int
    commitment: str
    value: str | None


class RecordEvent(TypedDict, total=False):
    """An event that moved cards, with the fields that apply to it."""

    event: Required[str]
    card: int | None
    place: str
    spot: int
    hand: int
    stage: str
    reason: str


class DealtRoundData(TypedDict):
    number: int
    events: list[RecordEvent]


class RecordData(TypedDict):
    format: str
    recipe: str
    engine: int
    source: EntropySource
    context: ContextData
    commitment: str
    cuts: list[CutRecordData]
    mix: str
    seed: str
    rounds: list[DealtRoundData]
    ended: Ending


def record_data(record: PublicRecord) -> RecordData:
    """The record as plain data for JSON."""
    written = {"format": RECORD_FORMAT, "recipe": RECIPE, "engine": ENGINE}
    rest = {name: _plain(getattr(record, name)) for name in _RECORD if name not in written}
    return cast(RecordData, written | rest)


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, ShoeContext):
        return {name: _plain(getattr(value, _OTHER_NAMES.get(name, name))) for name in _CONTEXT}
    if isinstance(value, CutRecord):
        return {name: _plain(getattr(value, name)) for name in _CUT}
    if isinstance(value, DealtRound):
        return {"number": value.number, "events": [event_data(event) for event in value.events]}
    return value


def read_record(text: str) -> PublicRecord:
    """Parse a record from JSON; raises `RecordError` with a one-sentence message."""
    if len(text) > LARGEST_RECORD:
        raise RecordError(f"The record is longer than {LARGEST_RECORD:,} characters.")
    try:
        data = parse_json(text, "the record")
    except NotationError as error:
        raise RecordError(f"{error}.") from None
    return record_from_data(data)


def record_from_data(data: object) -> PublicRecord:
    """Read a record written by `record_data`; raises `RecordError` with a one-sentence message."""
    found = _read_object("", data, _RECORD)
    rounds = _read_rounds(found.pop("rounds"), found["engine"])
    return PublicRecord(
        rounds=rounds,
        **{name: value for name, value in found.items() if name in PublicRecord.__slots__},
    )


def _read_object(where: str, data: object, parts: Mapping[str, Reader]) -> dict[str, Any]:
    """Read an object with exactly these fields."""
    if not isinstance(data, Mapping):
        raise RecordError(f"{where or 'The record'} must be an object, not {quoted(data)}.")
    prefix = f"{where}." if where else ""
    found = {}
    for name, read in parts.items():
        if name not in data:
            raise RecordError(f"{prefix}{name} is missing from the record.")
        try:
            found[name] = read(f"{prefix}{name}", data[name])
        except DataError as error:
            raise RecordError(str(error)) from None
    for name in data:
        if name not in parts:
            raise RecordError(f"{prefix}{quoted(name)} isn't a field of a record.")
    return found


def _constant(known: str) -> Reader:
    def read(where: str, value: object) -> str:
        if value != known:
            raise RecordError(f"{where} must be {known}, not {quoted(value)}.")
        return known

    return read


def _whole(minimum: int, maximum: int = MAX_INT64) -> Reader:
    return whole_reader(Whole(minimum, maximum, f"a whole number from {minimum} to {maximum}"))


def _read_list(where: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise RecordError(f"{where} must be a list, not {quoted(value)}.")
    return value


def _read_hash(where: str, value: object) -> bytes:
    text = read_text(where, value)
    if len(text) != 2 * SECRET_BYTES or not set(text) <= set(hexdigits):
        raise RecordError(
            f"{where} must be {2 * SECRET_BYTES} hexadecimal digits, not {quoted(value)}."
        )
    return bytes.fromhex(text)


def _read_context(where: str, data: object) -> ShoeContext:
    found = _read_object(where, data, _CONTEXT)
    try:
        return ShoeContext(**{_OTHER_NAMES.get(name, name): found[name] for name in found})
    except ContextError as error:
        raise RecordError(f"{where}.{error}") from None


def _read_cuts(where: str, data: object) -> tuple[CutRecord, ...]:
    cuts: list[CutRecord] = []
    for index, each in enumerate(_read_list(where, data)):
        cut = CutRecord(**_read_object(f"{where}[{index}]", each, _CUT))
        if cuts and cut.seat <= cuts[-1].seat:
            raise RecordError(
                f"{where}[{index}].seat is out of order. List the cuts by seat, each seat once."
            )
        cuts.append(cut)
    return tuple(cuts)


def _read_rounds(data: list[object], engine: int) -> tuple[DealtRound, ...]:
    rounds: list[DealtRound] = []
    for index, each in enumerate(data):
        where = f"rounds[{index}]"
        number, events = _read_object(where, each, _ROUND).values()
        if rounds and number <= rounds[-1].number:
            raise RecordError(f"{where}.number is out of order. List the rounds in order.")
        read = [
            _read_event(event, engine, f"round {number}, event {place}")
            for place, event in enumerate(events, start=1)
        ]
        rounds.append(DealtRound(number, tuple(read)))
    return tuple(rounds)


_CONTEXT: dict[str, Reader] = {
    "house": read_text,
    "table": read_text,
    "shoe": _whole(1),
    "rules": read_text,
    "pack": enum_reader(Pack),
    "decks": _whole(1),
    "burn": _whole(0),
    "cut": _whole(0, 100),
}
_CUT: dict[str, Reader] = {
    "seat": _whole(0, MAX_SEATS),
    "commitment": _read_hash,
    "value": lambda where, value: None if value is None else _read_hash(where, value),
}
_ROUND: dict[str, Reader] = {"number": _whole(1), "events": _read_list}
_RECORD: dict[str, Reader] = {
    "format": _constant(RECORD_FORMAT),
    "recipe": _constant(RECIPE),
    "engine": _whole(1),
    "source": enum_reader(EntropySource),
    "context": _read_context,
    "commitment": _read_hash,
    "cuts": _read_cuts,
    "mix": _read_hash,
    "seed": _read_hash,
    "rounds": _read_list,
    "ended": enum_reader(Ending),
}


def _read_event(data: object, engine: int, where: str) -> Event:
    try:
        event = event_from_data(data, engine)
    except DataError as error:
        raise RecordError(f"{where}: {error}") from None
    if isinstance(event, CardDealt) and event.card is None:
        raise RecordError(
            f"{where}: the card is hidden, but the record of an ended shoe must show it."
        )
    if isinstance(event, CardDealt | HandSplit | HandRemoved) and (
        event.spot < 0 or event.hand < 0
    ):
        raise RecordError(f"{where}: spots and hands can't be negative.")
    return event


# Real rounds have at most one or two. Each reshuffle restarts the generator, so without a limit, a
# forged record could keep the check busy for hours.
MAX_RESHUFFLES = 100


@dataclass(frozen=True, slots=True)
class Check:
    """A successful check."""

    steps: str  # numbers of the recipe's steps
    words: str


@dataclass(frozen=True, slots=True)
class Verification:
    """The successful checks, and the first fault."""

    checked: tuple[Check, ...]
    fault: str = ""

    __repr__ = brief_repr

    @property
    def holds(self) -> bool:
        return not self.fault


class WrongRecord(VentiunaError, ValueError):
    """The record contradicts itself."""


def verify(record: PublicRecord) -> Verification:
    """Go through the recipe to the end or to the first fault."""
    checked: list[Check] = []
    try:
        checked.extend(_checks(record))  # keeps the checks before an error
    except WrongRecord as wrong:
        return Verification(tuple(checked), str(wrong))
    return Verification(tuple(checked))


def _checks(record: PublicRecord) -> Iterator[Check]:
    if shoe_commitment(record.context, record.seed) != record.commitment:
        raise WrongRecord("The commitment doesn't match the context and the seed (step 2).")
    yield Check("1, 2", "the commitment matches the context and the seed")
    yield _check_cuts(record)
    opened = {cut.seat: cut.value for cut in record.cuts if cut.value is not None}
    if mix_of(record.commitment, opened) != record.mix:
        raise WrongRecord("The mix doesn't match the opened cuts (step 4).")
    yield Check("4", "the mix matches the opened cuts")
    shoe = LiveShoe(record.context, record.seed, record.mix)
    yield _check_cards(record, shoe)
    yield _check_ending(record, shoe)


def _check_cuts(record: PublicRecord) -> Check:
    opened = 0
    for cut in record.cuts:
        if cut.value is None:
            continue
        if cut_commitment(record.commitment, cut.seat, cut.value) != cut.commitment:
            raise WrongRecord(f"Seat {cut.seat}'s cut doesn't match its commitment (step 3).")
        opened += 1
    withheld = len(record.cuts) - opened
    words = f"{pluralize(opened, 'cut')} opened as committed, {withheld} withheld"
    if not opened:
        words += "; only the house influenced the order"
    return Check("3", words)


def _check_cards(record: PublicRecord, shoe: LiveShoe) -> Check:
    for dealt in record.rounds:
        try:
            shoe.begin_round()
        except ShoeError:
            raise WrongRecord(
                f"Round {dealt.number} was dealt after the cut card had come out (step 8)."
            ) from None
        _check_round(dealt, shoe)
    words = (
        f"{pluralize(shoe.dealt, 'card')} from {pluralize(len(record.rounds), 'round')} in the "
        "right place"
    )
    if shoe.reshuffles:  # the reshuffled round is the last one, because the shoe ends with it
        times = "once" if shoe.reshuffles == 1 else f"{shoe.reshuffles} times"
        words += f", reshuffled {times}"
    return Check("5 to 9", words)


def _check_round(dealt: DealtRound, shoe: LiveShoe) -> None:
    """Draw the round's cards again and follow each one."""
    down: int | None = None
    cards = 0
    for event in dealt.events:
        if isinstance(event, CardDealt):
            cards += 1
            _check_draw(event, shoe, f"Round {dealt.number}, card {cards}")
            if event.place is Place.DOWN:
                down = event.card
        elif isinstance(event, DownCardExposed) and event.card != down:
            raise WrongRecord(
                f"Round {dealt.number}: the down card turned over is not the one that was dealt."
            )
        shoe.follow(event)


def _check_draw(event: CardDealt, shoe: LiveShoe, where: str) -> None:
    assert event.card is not None, "a record hides no card"
    dealt = card_text(event.card)
    try:
        card = shoe.draw()
    except OutOfCards:
        raise WrongRecord(
            f"{where}: the record has {dealt}, but every card of the shoe is on the table (step 9)."
        ) from None
    except ShoeError as error:
        raise WrongRecord(f"{where}: {error} (step 9)") from None
    if shoe.reshuffles > MAX_RESHUFFLES:
        raise WrongRecord(
            f"{where}: the round is reshuffled more than {MAX_RESHUFFLES} times (step 9)."
        )
    if card != event.card:
        raise WrongRecord(
            f"{where}, card {shoe.dealt} of the shoe: the record has {dealt}, but the shoe "
            f"has {card_text(card)} (step {9 if shoe.reshuffles else 8})."
        )


def _check_ending(record: PublicRecord, shoe: LiveShoe) -> Check:
    """Check that every round was finished and the shoe wasn't revealed or abandoned early."""
    for dealt in record.rounds:
        if not any(_ends_round(event) for event in dealt.events):
            raise WrongRecord(
                f"Round {dealt.number} was not finished, so its shoe must not be revealed "
                "(step 10)."
            )
    void = [dealt.number for dealt in record.rounds if _is_void(dealt)]
    if void and void[0] != record.rounds[-1].number:
        raise WrongRecord(f"Round {void[0]} was voided, which must end its shoe (step 10).")
    if bool(void) != (record.ended is Ending.VOID):
        is_void = "was" if void else "was not"
        raise WrongRecord(
            f"The last round {is_void} voided, but the record says {record.ended} (step 10)."
        )
    if record.ended is Ending.CUT_CARD and not shoe.cut_card_came:
        before = shoe.cards_left - record.context.behind_cut
        raise WrongRecord(
            f"The record says {record.ended}, but the cut card was still "
            f"{pluralize(before, 'card')} away (step 8)."
        )
    return Check("8, 10", _ENDINGS[record.ended])


_ENDINGS = {
    Ending.CUT_CARD: "the shoe ended with the round in which the cut card came out",
    Ending.VOID: "the shoe ended with a void round",
    Ending.CLOSED: "the house closed the table",
}


def _ends_round(event: Event) -> bool:
    if isinstance(event, StageReached):
        return event.stage is Stage.CLOSED
    return isinstance(event, RoundVoided)


def _is_void(dealt: DealtRound) -> bool:
    return any(isinstance(event, RoundVoided) for event in dealt.events)
