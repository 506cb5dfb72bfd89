"""The public record of a shoe as a JSON document, and the check that it was dealt as committed.

The record is published when the shoe has ended; docs/fairness.md describes it field by field. The
check computes everything from the record only, in the steps of docs/fairness.md, and says what a
record can't prove: that its rounds are the ones people saw, and why a table was closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Required, TypeVar, cast

from typing_extensions import TypedDict

from ventiuna.cards import Pack, card_text
from ventiuna.engine.codec import event_data, event_from_data
from ventiuna.engine.dealing import OutOfCards
from ventiuna.engine.errors import DataError, quoted
from ventiuna.engine.events import (
    ENGINE,
    CardDealt,
    DownCardExposed,
    Event,
    HandRemoved,
    HandSplit,
    Place,
    RoundVoided,
    Stage,
    StageReached,
)
from ventiuna.errors import VentiunaError
from ventiuna.notation.json_format import parse_json
from ventiuna.notation.records import NotationError
from ventiuna.records import brief_repr
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

# --- Public record ---

RECORD_FORMAT = "ventiuna-shoe-record-1"
RECIPE = "ventiuna-shoe-1"
LARGEST_RECORD = 4_000_000  # bytes; an eight-deck shoe takes tens of thousands
MAX_SEATS = 255  # a seat is one byte in the recipe
Name = TypeVar("Name", bound=StrEnum)
Data = dict[str, object]


class RecordError(VentiunaError, ValueError):
    """The text isn't the record of a shoe."""


class Ending(StrEnum):
    """The reason a shoe ended."""

    CUT_CARD = "cut_card"  # it was reached, or the cards ran out in the last round
    VOID = "void"  # the last round was voided
    CLOSED = "closed"  # the table was closed


@dataclass(frozen=True, slots=True)
class CutRecord:
    seat: int
    commitment: bytes
    value: bytes | None  # None: withheld


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
    """A finished round for the record: only the movements of its cards, without names."""
    return DealtRound(number, tuple(event for event in events if _is_recorded(event)))


def _is_recorded(event: Event) -> bool:
    if isinstance(event, StageReached):
        return event.stage is Stage.CLOSED
    return isinstance(event, CardDealt | HandSplit | HandRemoved | DownCardExposed | RoundVoided)


# --- writing ----------------------------------------------------------------------------------


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
    context = record.context
    return {
        "format": RECORD_FORMAT,
        "recipe": RECIPE,
        "engine": ENGINE,
        "source": record.source,
        "context": {
            "house": context.house,
            "table": context.table,
            "shoe": context.number,
            "rules": context.rules,
            "pack": context.pack,
            "decks": context.decks,
            "burn": context.burn,
            "cut": context.cut_percent,
        },
        "commitment": record.commitment.hex(),
        "cuts": [_cut_data(cut) for cut in record.cuts],
        "mix": record.mix.hex(),
        "seed": record.seed.hex(),
        "rounds": [
            {
                "number": dealt.number,
                "events": [cast(RecordEvent, event_data(event)) for event in dealt.events],
            }
            for dealt in record.rounds
        ],
        "ended": record.ended,
    }


def _cut_data(cut: CutRecord) -> CutRecordData:
    value = None if cut.value is None else cut.value.hex()
    return {"seat": cut.seat, "commitment": cut.commitment.hex(), "value": value}


# --- reading ----------------------------------------------------------------------------------


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
    """Read a record that `record_data` wrote; raises `RecordError` with a one-sentence message."""
    fields = _FieldReader(data, "")
    for name, known in (("format", RECORD_FORMAT), ("recipe", RECIPE)):
        if (value := fields.take(name)) != known:
            raise RecordError(f"{name} must be {known}, not {quoted(value)}.")
    engine = fields.number("engine", 1)
    record = PublicRecord(
        source=fields.one_of("source", EntropySource),
        context=_read_context(fields.take("context")),
        commitment=fields.hash("commitment"),
        cuts=_read_cuts(fields.list("cuts")),
        mix=fields.hash("mix"),
        seed=fields.hash("seed"),
        rounds=_read_rounds(fields.list("rounds"), engine),
        ended=fields.one_of("ended", Ending),
    )
    fields.check_empty()
    return record


class _FieldReader:
    """Reads an object of the record, removing each field it reads."""

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, Mapping):
            raise RecordError(f"{where or 'The record'} must be an object, not {quoted(data)}.")
        self._left = dict(data)
        self._prefix = f"{where}." if where else ""

    def take(self, name: str) -> object:
        if name not in self._left:
            raise RecordError(f"{self._prefix}{name} is missing from the record.")
        return self._left.pop(name)

    def check_empty(self) -> None:
        for name in self._left:
            raise RecordError(f"{self._prefix}{quoted(name)} isn't a field of a record.")

    def number(self, name: str, minimum: int, maximum: int = 2**63 - 1) -> int:
        value = self.take(name)
        if type(value) is not int or not minimum <= value <= maximum:
            raise RecordError(
                f"{self._prefix}{name} must be a whole number from {minimum} to {maximum}, not "
                f"{quoted(value)}."
            )
        return value

    def text(self, name: str) -> str:
        value = self.take(name)
        if not isinstance(value, str):
            raise RecordError(f"{self._prefix}{name} must be a string, not {quoted(value)}.")
        return value

    def list(self, name: str) -> list[object]:
        value = self.take(name)
        if not isinstance(value, list):
            raise RecordError(f"{self._prefix}{name} must be a list, not {quoted(value)}.")
        return value

    def one_of(self, name: str, kind: type[Name]) -> Name:
        value = self.text(name)
        try:
            return kind(value)
        except ValueError:
            raise RecordError(
                f"{self._prefix}{name} must be one of {', '.join(kind)}, not {quoted(value)}."
            ) from None

    def hash(self, name: str) -> bytes:
        """Read 32 bytes in hexadecimal."""
        value = self.text(name)
        try:
            content = bytes.fromhex(value)
        except ValueError:
            content = b""
        if len(content) != SECRET_BYTES or len(value) != 2 * SECRET_BYTES:
            raise RecordError(
                f"{self._prefix}{name} must be {2 * SECRET_BYTES} hexadecimal digits, not "
                f"{quoted(value)}."
            )
        return content

    def hash_or_nothing(self, name: str) -> bytes | None:
        if name in self._left and self._left[name] is None:
            del self._left[name]
            return None
        return self.hash(name)


def _read_context(data: object) -> ShoeContext:
    fields = _FieldReader(data, "context")
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


def _read_cuts(data: list[object]) -> tuple[CutRecord, ...]:
    cuts: list[CutRecord] = []
    for index, each in enumerate(data):
        fields = _FieldReader(each, f"cuts[{index}]")
        cut = CutRecord(
            seat=fields.number("seat", 0, MAX_SEATS),
            commitment=fields.hash("commitment"),
            value=fields.hash_or_nothing("value"),
        )
        fields.check_empty()
        if cuts and cut.seat <= cuts[-1].seat:
            raise RecordError(
                f"cuts[{index}].seat is out of order. List the cuts by seat, each seat once."
            )
        cuts.append(cut)
    return tuple(cuts)


def _read_rounds(data: list[object], engine: int) -> tuple[DealtRound, ...]:
    rounds: list[DealtRound] = []
    for index, each in enumerate(data):
        fields = _FieldReader(each, f"rounds[{index}]")
        number = fields.number("number", 1)
        if rounds and number <= rounds[-1].number:
            raise RecordError(f"rounds[{index}].number is out of order. List the rounds in order.")
        events = [
            _read_event(event, engine, f"round {number}, event {place}")
            for place, event in enumerate(fields.list("events"), start=1)
        ]
        fields.check_empty()
        rounds.append(DealtRound(number, tuple(events)))
    return tuple(rounds)


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


# --- Verification ---

# Real rounds have one or two at most. Each reshuffle restarts the generator, so a forged record
# could keep the check busy for hours.
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
    yield _check_commitment(record)
    yield _check_cuts(record)
    yield _check_mix(record)
    shoe = LiveShoe(record.context, record.seed, record.mix)
    yield _check_cards(record, shoe)
    yield _check_ending(record, shoe)


def _check_commitment(record: PublicRecord) -> Check:
    if shoe_commitment(record.context, record.seed) != record.commitment:
        raise WrongRecord("The commitment doesn't match the context and the seed (step 2).")
    return Check("1, 2", "the commitment matches the context and the seed")


def _check_cuts(record: PublicRecord) -> Check:
    opened = 0
    for cut in record.cuts:
        if cut.value is None:
            continue
        if cut_commitment(record.commitment, cut.seat, cut.value) != cut.commitment:
            raise WrongRecord(f"The cut of seat {cut.seat} doesn't match its commitment (step 3).")
        opened += 1
    withheld = len(record.cuts) - opened
    words = f"{_pluralize(opened, 'opened cut')} as committed, {withheld} withheld"
    if not opened:
        words += "; only the house influenced the order"
    return Check("3", words)


def _check_mix(record: PublicRecord) -> Check:
    opened = {cut.seat: cut.value for cut in record.cuts if cut.value is not None}
    if mix_of(record.commitment, opened) != record.mix:
        raise WrongRecord("The mix doesn't match the opened cuts (step 4).")
    return Check("4", "the mix matches the opened cuts")


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
        f"{_pluralize(shoe.dealt, 'card')} of {_pluralize(len(record.rounds), 'round')} in "
        "the right place"
    )
    if shoe.reshuffles:  # the shoe ends with such a round, so it is the last
        times = "once" if shoe.reshuffles == 1 else f"{shoe.reshuffles} times"
        words += f", reshuffled {times}"
    return Check("5 to 9", words)


def _check_round(dealt: DealtRound, shoe: LiveShoe) -> None:
    """Draw the round's cards again, and follow each one."""
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
    """Check that every round was finished and that the shoe wasn't revealed or abandoned early."""
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
            f"{_pluralize(before, 'card')} away (step 8)."
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


def _pluralize(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
