"""Inspecting a table's decks before it deals, and returning the cards to their boxes (R-010).

A table option, `inspection=required`. The dealer and the supervisor check each deck in turn: for
Spanish 21 they take out the tens and jokers, for Super Fun 21 only the jokers. After the shuffle,
the table may deal. A closing table stays open until the cards taken out are back in their boxes.
Each step is an event in the table's book with both names.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import StrEnum

from ventiuna.cards import Pack
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.codec import Data
from ventiuna.engine.commands import Refused, quoted
from ventiuna.rules import Rules
from ventiuna.table.access import skeletons
from ventiuna.table.domain.commands import (
    LONGEST_FORM_TEXT,
    MOST_JOKERS,
    BoxCards,
    InspectDeck,
    OpenTable,
    Requirement,
    ShuffleDecks,
    event_data,
    event_from_data,
)
from ventiuna.table.domain.events import CardsBoxed, DeckInspected, DecksShuffled
from ventiuna.table.ledger import canonical_json

TENS_IN_DECK = 4
StepEvent = DeckInspected | DecksShuffled | CardsBoxed
StepCommand = InspectDeck | ShuffleDecks | BoxCards


def refused_step(message: str) -> Refused:
    return Refused(RefusalCode.NOT_INSPECTED, ("R-010",), message)


class NextStep(StrEnum):
    """The next step to record; the same words as the operator commands."""

    INSPECT = "inspect"
    SHUFFLE = "shuffle"
    BOX = "box"
    NONE = ""


@dataclass(frozen=True, slots=True)
class InspectionStep:
    """A recorded step and its time."""

    at: int
    event: StepEvent


@dataclass(frozen=True, slots=True)
class Inspection:
    """The steps recorded at one table so far, and the checks for the next one."""

    pack: Pack
    decks: int
    steps: tuple[InspectionStep, ...] = ()

    @property
    def tens(self) -> int:
        """Number of tens to take out of each deck."""
        return TENS_IN_DECK if self.pack is Pack.SPANISH else 0

    @property
    def inspected(self) -> tuple[DeckInspected, ...]:
        events = [step.event for step in self.steps]
        return tuple(event for event in events if isinstance(event, DeckInspected))

    @property
    def is_shuffled(self) -> bool:
        """Whether the table may deal."""
        return any(isinstance(step.event, DecksShuffled) for step in self.steps)

    @property
    def is_over(self) -> bool:
        """Whether no cards remain to be put back into their boxes."""
        return not self.steps or isinstance(self.steps[-1].event, CardsBoxed)

    @property
    def taken_out(self) -> str:
        return "tens and jokers" if self.tens else "jokers"

    def waiting_text(self) -> str:
        """Explain why the table can't deal yet; empty if it can."""
        if self.is_shuffled:
            return ""
        done = len(self.inspected)
        if done < self.decks:
            return (
                f"The table can't deal until its decks are inspected: {done} of {self.decks} are "
                "done (R-010)."
            )
        return "The table can't deal until the inspected decks are shuffled (R-010)."

    def after(self, event: StepEvent, at: int) -> Inspection:
        return replace(self, steps=(*self.steps, InspectionStep(at, event)))

    def check_deck(self, command: InspectDeck) -> DeckInspected:
        """Return the event for an inspected deck; refuses wrong counts and decks out of order."""
        next_deck = len(self.inspected) + 1
        if next_deck > self.decks:
            raise refused_step(f"All {self.decks} decks are inspected. Shuffle them next.")
        if command.deck != next_deck:
            raise refused_step(
                f"Decks are inspected in order. Deck {next_deck} of {self.decks} is next, "
                f"not {quoted(command.deck)}."
            )
        if command.tens != self.tens:
            if not self.tens:
                raise refused_step(
                    f"These decks keep their tens, but {quoted(command.tens)} were taken out. Put "
                    "them back and count the deck again."
                )
            raise refused_step(
                f"Each deck has {self.tens} tens to take out, not {quoted(command.tens)}. Count it "
                "again or replace it."
            )
        if command.cards_left != len(self.pack.cards):
            raise refused_step(
                f"Each deck must have {len(self.pack.cards)} cards without its "
                f"{self.taken_out}, not {quoted(command.cards_left)}. Count it again or replace it."
            )
        if command.jokers not in range(MOST_JOKERS + 1):
            raise refused_step(
                f"Each deck has 0 to {MOST_JOKERS} jokers to take out, not "
                f"{quoted(command.jokers)}. Count them again."
            )
        back = _name(command.back, "The back")
        if self.inspected and back.casefold() != (first := self.inspected[0].back).casefold():
            raise refused_step(
                f"All decks must have the same back. Deck 1 is {quoted(first)}, and this one is "
                f"{quoted(back)}. Replace it."
            )
        dealer, supervisor = _two_people(command)
        return DeckInspected(
            command.deck, command.tens, command.jokers, command.cards_left, back, dealer, supervisor
        )

    def shuffle(self, command: ShuffleDecks) -> DecksShuffled:
        if self.is_shuffled:
            raise refused_step("The decks are already shuffled, so the table may deal.")
        if (done := len(self.inspected)) < self.decks:
            raise refused_step(
                f"The decks can be shuffled only after the inspection, and only {done} of "
                f"{self.decks} are done. Inspect deck {done + 1} next."
            )
        return DecksShuffled(*_two_people(command))

    def box(self, command: BoxCards) -> CardsBoxed:
        if not self.steps:
            raise refused_step("No deck has been inspected, so no cards were taken out.")
        return CardsBoxed(*_two_people(command))

    def next_step(self, is_closing: bool) -> NextStep:
        if is_closing:
            return NextStep.NONE if self.is_over else NextStep.BOX
        if self.is_shuffled:
            return NextStep.NONE
        return NextStep.SHUFFLE if len(self.inspected) == self.decks else NextStep.INSPECT

    def text(self) -> str:
        """The steps as canonical JSON, as stored in the table's row."""
        return canonical_json(self.data())

    def data(self) -> list[Data]:
        return [{"at": step.at, **event_data(step.event)} for step in self.steps]


def inspection_of(rules: Rules, command: OpenTable) -> Inspection | None:
    """The inspection of a table opened with this command; None if it needs none."""
    if command.inspection is Requirement.OFF:
        return None
    return Inspection(rules.pack, rules.decks)


def stored_inspection(rules: Rules, text: str | None) -> Inspection | None:
    """Read the steps in a table's row."""
    if text is None:
        return None
    steps = []
    for data in json.loads(text):
        event = event_from_data({name: part for name, part in data.items() if name != "at"})
        assert isinstance(event, StepEvent)
        steps.append(InspectionStep(data["at"], event))
    return Inspection(rules.pack, rules.decks, tuple(steps))


def require_inspection(found: Inspection | None) -> Inspection:
    if found is None:
        raise refused_step(
            "This table was opened without an inspection of its decks, so there is nothing to "
            "record."
        )
    return found


def _two_people(command: StepCommand) -> tuple[str, str]:
    dealer = _name(command.dealer, "The dealer")
    supervisor = _name(command.supervisor, "The supervisor")
    if not set(skeletons(dealer)).isdisjoint(skeletons(supervisor)):
        raise refused_step(
            "Two people must check the cards, but the dealer and the supervisor are both "
            f"{quoted(dealer)}. Name another supervisor."
        )
    return dealer, supervisor


def _name(text: str, what: str) -> str:
    name = " ".join(text.split())
    if not 0 < len(name) <= LONGEST_FORM_TEXT or not name.isprintable():
        raise refused_step(f"{what} must have 1 to {LONGEST_FORM_TEXT} printable characters.")
    return name
