"""What a dealer does: one step at a time, with its place and its amount."""

from __future__ import annotations

from enum import StrEnum

from ventiuna.engine.events import Advice, Card, Cents, Event, Place, Stage
from ventiuna.engine.stakes import Wager
from ventiuna.errors import VentiunaError
from ventiuna.records import record


class SchoolError(VentiunaError, ValueError):
    """The school can't do what was asked."""


class Kind(StrEnum):
    """The kinds of steps, in the order in which a round may first need them."""

    CLOSE = "close"  # no more wagers
    CARD = "card"  # to a hand, to the dealer, to a Bonus Card's place
    PAY = "pay"  # out of the rack, or of a meter
    TAKE = "take"  # a wager, or a part of it
    PUSH = "push"  # the wager stays its player's
    LOCK = "lock"  # the Bonus Cards are out of play
    SUPERVISOR = "supervisor"  # is called to watch the third card
    BLACKJACKS = "blackjacks"  # are asked: paid, or kept for doubling
    INSURANCE = "insurance"  # is offered to all spots at once
    REMOVE = "remove"  # cards of a hand whose wager was settled before
    CHECK = "check"  # the down card for blackjack
    ADVISE = "advise"  # the player of a promising hand
    ASK = "ask"  # the next hand what it does
    EXPOSE = "expose"  # the down card
    COLLECT = "collect"  # what is left on the table


# What has to be said with each kind, besides the kind itself.
WITH_PLACE = frozenset({Kind.CARD})
WITH_HAND = frozenset({Kind.ASK, Kind.ADVISE, Kind.REMOVE})
WITH_WAGER = frozenset({Kind.PAY, Kind.TAKE, Kind.PUSH})
WITH_AMOUNT = frozenset({Kind.PAY, Kind.TAKE})


@record(frozen=True, slots=True)
class Step:
    """One step that the rules ask of the dealer, and what comes of it."""

    kind: Kind
    stage: Stage
    events: tuple[Event, ...]  # of the step itself and of the players' answers to it
    spot: int = 0
    hand: int = 0  # -1: on no hand
    place: Place | None = None
    card: Card | None = None
    wager: Wager | None = None
    amount: Cents = 0  # that the dealer pays out or takes in
    stake: Cents = 0
    back: Cents = 0  # all that the player has of it afterwards
    odds: str = ""
    rule: str = ""  # behind the amount
    reason: str = ""
    meter: Cents | None = None  # what the meter shows that pays it
    advice: Advice | None = None
    hands: int = 1  # of the spot at this moment

    @property
    def is_part(self) -> bool:
        """Only a part of the wager is taken (surrender, rescue)."""
        return self.kind is Kind.TAKE and self.amount != self.stake


@record(frozen=True, slots=True)
class Tried:
    """A step as a learner does it. An amount of None takes the whole wager."""

    kind: Kind
    spot: int = 0
    hand: int = 0
    place: Place | None = None
    wager: Wager | None = None
    amount: Cents | None = None


def done_right(step: Step) -> Tried:
    """The step itself, as whoever knows it would do it."""
    if step.kind in WITH_PLACE:
        return Tried(step.kind, step.spot, step.hand, step.place)
    if step.kind in WITH_HAND:
        return Tried(step.kind, step.spot, step.hand)
    if step.kind is Kind.SUPERVISOR:
        return Tried(step.kind, step.spot)
    if step.kind in WITH_WAGER:
        amount = step.amount if step.kind in WITH_AMOUNT else None
        return Tried(step.kind, step.spot, step.hand, None, step.wager, amount)
    return Tried(step.kind)
