"""Is this the shoe that the house committed to, and was every card of it dealt in its place?

Everything is worked out from the public record alone, step by step as docs/fairness.md tells
them. What the record can't tell is told: whether its rounds are those that people saw, and why
a table was closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ventiuna.cards import card_text
from ventiuna.engine.events import (
    CardDealt,
    DownCardExposed,
    Event,
    Place,
    RoundVoided,
    Stage,
    StageReached,
)
from ventiuna.engine.shoe import OutOfCards
from ventiuna.errors import VentiunaError
from ventiuna.records import brief_repr
from ventiuna.table.shoes.fairness import cut_commitment, mix_of, shoe_commitment
from ventiuna.table.shoes.shoe import LiveShoe, ShoeError
from ventiuna.table.shoes.shoe_record import DealtRound, Ending, PublicRecord

# Real rounds have one or two. Each starts the generator anew, so a made-up record could ask for
# hours of them.
MOST_RESHUFFLES = 100


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was worked out again and is as the record says."""

    steps: str  # of the recipe
    words: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked, and the first thing that is wrong."""

    checked: tuple[Check, ...]
    fault: str = ""

    __repr__ = brief_repr

    @property
    def holds(self) -> bool:
        return not self.fault


class WrongRecord(VentiunaError, ValueError):
    """A record that contradicts itself."""


def verify(record: PublicRecord) -> Verification:
    """Work through the recipe until the end or the first thing that is wrong."""
    checked: list[Check] = []
    try:
        checked.extend(_checks(record))  # keeps those before an error
    except WrongRecord as wrong:
        return Verification(tuple(checked), str(wrong))
    return Verification(tuple(checked))


def _checks(record: PublicRecord) -> Iterator[Check]:
    yield _commitment(record)
    yield _cuts(record)
    yield _mix(record)
    shoe = LiveShoe(record.context, record.seed, record.mix)
    yield _cards(record, shoe)
    yield _ending(record, shoe)


def _commitment(record: PublicRecord) -> Check:
    if shoe_commitment(record.context, record.seed) != record.commitment:
        raise WrongRecord("The commitment does not follow from the context and the seed (step 2).")
    return Check("1, 2", "the commitment follows from context and seed")


def _cuts(record: PublicRecord) -> Check:
    opened = 0
    for cut in record.cuts:
        if cut.value is None:
            continue
        if cut_commitment(record.commitment, cut.seat, cut.value) != cut.commitment:
            raise WrongRecord(f"The cut of seat {cut.seat} does not fit its commitment (step 3).")
        opened += 1
    withheld = len(record.cuts) - opened
    words = f"{_count(opened, 'opened cut')} as committed, {withheld} withheld"
    if not opened:
        words += ": nobody but the house had a part in the order"
    return Check("3", words)


def _mix(record: PublicRecord) -> Check:
    opened = {cut.seat: cut.value for cut in record.cuts if cut.value is not None}
    if mix_of(record.commitment, opened) != record.mix:
        raise WrongRecord("The mix does not follow from the opened cuts (step 4).")
    return Check("4", "the mix follows from the opened cuts")


def _cards(record: PublicRecord, shoe: LiveShoe) -> Check:
    for dealt in record.rounds:
        try:
            shoe.begin_round()
        except ShoeError:
            raise WrongRecord(
                f"Round {dealt.number} was dealt although the cut card had come before it (step 8)."
            ) from None
        _deal(dealt, shoe)
    words = f"{_count(shoe.dealt, 'card')} of {_count(len(record.rounds), 'round')} in place"
    if shoe.reshuffles:  # the shoe ends with such a round, so none came before the last
        times = "once" if shoe.reshuffles == 1 else f"{shoe.reshuffles} times"
        words += f", shuffled again {times}"
    return Check("5 to 9", words)


def _deal(dealt: DealtRound, shoe: LiveShoe) -> None:
    """Draw the round's cards again, each where it went."""
    down: int | None = None
    cards = 0
    for event in dealt.events:
        if isinstance(event, CardDealt):
            cards += 1
            _draw(event, shoe, f"Round {dealt.number}, card {cards}")
            if event.place is Place.DOWN:
                down = event.card
        elif isinstance(event, DownCardExposed) and event.card != down:
            raise WrongRecord(
                f"Round {dealt.number}: another card was turned over than the down card dealt."
            )
        shoe.follow(event)


def _draw(event: CardDealt, shoe: LiveShoe, where: str) -> None:
    assert event.card is not None, "a record hides no card"
    dealt = card_text(event.card)
    try:
        card = shoe.draw()
    except OutOfCards:
        raise WrongRecord(
            f"{where}: the record has {dealt}, but every card of the shoe lies on the table "
            "(step 9)."
        ) from None
    except ShoeError as error:
        raise WrongRecord(f"{where}: {error} (step 9)") from None
    if shoe.reshuffles > MOST_RESHUFFLES:
        raise WrongRecord(f"{where}: no round is shuffled again {MOST_RESHUFFLES} times (step 9).")
    if card != event.card:
        raise WrongRecord(
            f"{where}, card {shoe.dealt} of the shoe: the record has {dealt}, the shoe has "
            f"{card_text(card)} there (step {9 if shoe.reshuffles else 8})."
        )


def _ending(record: PublicRecord, shoe: LiveShoe) -> Check:
    """Every round was finished, and the shoe was not revealed or left before its time."""
    for dealt in record.rounds:
        if not any(_ends_round(event) for event in dealt.events):
            raise WrongRecord(
                f"Round {dealt.number} was not finished: its shoe may not be revealed (step 10)."
            )
    void = [dealt.number for dealt in record.rounds if _is_void(dealt)]
    if void and void[0] != record.rounds[-1].number:
        raise WrongRecord(f"Round {void[0]} was called off, which ends its shoe (step 10).")
    if bool(void) != (record.ended is Ending.VOID):
        is_void = "was" if void else "was not"
        raise WrongRecord(
            f"The last round {is_void} called off, but the record says {record.ended} (step 10)."
        )
    if record.ended is Ending.CUT_CARD and not shoe.cut_card_came:
        before = shoe.cards_left - record.context.behind_cut
        raise WrongRecord(
            f"The record says {record.ended}, but {_count(before, 'card')} lay before it (step 8)."
        )
    return Check("8, 10", _ENDINGS[record.ended])


_ENDINGS = {
    Ending.CUT_CARD: "the shoe ended with the round in which the cut card came",
    Ending.VOID: "the shoe ended with a round that was called off",
    Ending.CLOSED: "the table was closed, says the house",
}


def _ends_round(event: Event) -> bool:
    if isinstance(event, StageReached):
        return event.stage is Stage.CLOSED
    return isinstance(event, RoundVoided)


def _is_void(dealt: DealtRound) -> bool:
    return any(isinstance(event, RoundVoided) for event in dealt.events)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
