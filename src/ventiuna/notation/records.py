"""A round as a record: cards, wagers and actions, and optionally its stated results."""

from __future__ import annotations

from dataclasses import dataclass, field

from ventiuna.engine.events import Wager
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules
from ventiuna.texts import brief_repr


class NotationError(VentiunaError, ValueError):
    """A round that can't be parsed, or whose cards and actions are inconsistent."""


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """An action on a hand: a word, the amount of a double for less, and the card dealt."""

    action: str  # hit, stand, double, double-double, split, surrender, rescue, keep
    card: int | None = None
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A hand's first two cards and its actions.

    A hand that ends in a split is followed by the two resulting hands, in playing order.
    """

    cards: tuple[int, int]
    steps: tuple[RecordedAction, ...] = ()

    @property
    def is_split(self) -> bool:
        return bool(self.steps) and self.steps[-1].action == "split"


def person_name(person: str, spot: int) -> str:
    """Return the name of a spot's player in a record, even if anonymous."""
    return person or f"P{spot}"


@dataclass(frozen=True, slots=True)
class SpotRecord:
    number: int
    person: str  # empty if anonymous
    base: int
    hands: tuple[HandRecord, ...]
    mtd: dict[str, int] = field(default_factory=dict)
    jackpots: dict[int, int] = field(default_factory=dict)
    insurance: int = 0
    # Stated results in cents by wager; one per hand under "hand". None if not stated.
    net: dict[str, tuple[int, ...]] | None = None

    @property
    def name(self) -> str:
        return person_name(self.person, self.number)

    @property
    def keeps_blackjack(self) -> bool:
        first = self.hands[0].steps[:1]
        return bool(first) and first[0].action != "stand"


@dataclass(frozen=True, slots=True)
class StatedPayment:
    person: str
    wager: Wager
    net: int


@dataclass(frozen=True, slots=True)
class RoundRecord:
    id: str
    rules: Rules
    up: int
    down: int
    spots: tuple[SpotRecord, ...]
    draws: tuple[int, ...] = ()
    bonus_cards: tuple[int, ...] = ()
    meters: tuple[tuple[int, int], ...] = ()  # cents and remainder, before the round
    title: str = ""
    refs: tuple[str, ...] = ()
    order: tuple[StatedPayment, ...] = ()
    meters_after: tuple[int, ...] | None = None
    # Jackpot games for which the file omits the operator's prize; the text format always states it.
    unknown_prizes: tuple[int, ...] = field(default=(), compare=False)

    __repr__ = brief_repr


def check_record(record: object) -> None:
    """Reject arguments that aren't a record; callers sometimes pass text or events."""
    if not isinstance(record, RoundRecord):
        raise NotationError("record: must be a record from read_rounds or record_of")
