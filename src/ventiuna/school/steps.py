"""A dealer's steps, and how the events of a round are grouped into them."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from ventiuna.engine import events as ev
from ventiuna.engine.events import Advice, Card, Cents, Event, Place, Stage, Wager, WagerKind
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    Waiting,
)
from ventiuna.engine.state import RoundState, apply
from ventiuna.errors import VentiunaError
from ventiuna.records import record

# --- Steps ---


class SchoolError(VentiunaError, ValueError):
    """The school can't do what was asked."""


class StepKind(StrEnum):
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
WITH_PLACE = frozenset({StepKind.CARD})
WITH_HAND = frozenset({StepKind.ASK, StepKind.ADVISE, StepKind.REMOVE})
WITH_WAGER = frozenset({StepKind.PAY, StepKind.TAKE, StepKind.PUSH})
WITH_AMOUNT = frozenset({StepKind.PAY, StepKind.TAKE})


@record(frozen=True, slots=True)
class DealerStep:
    """One step that the rules ask of the dealer, and what comes of it."""

    kind: StepKind
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
        return self.kind is StepKind.TAKE and self.amount != self.stake


@record(frozen=True, slots=True)
class StepInput:
    """A step as a learner does it. An amount of None takes the whole wager."""

    kind: StepKind
    spot: int = 0
    hand: int = 0
    place: Place | None = None
    wager: Wager | None = None
    amount: Cents | None = None


def correct_input(step: DealerStep) -> StepInput:
    """The step itself, as whoever knows it would do it."""
    if step.kind in WITH_PLACE:
        return StepInput(step.kind, step.spot, step.hand, step.place)
    if step.kind in WITH_HAND:
        return StepInput(step.kind, step.spot, step.hand)
    if step.kind is StepKind.SUPERVISOR:
        return StepInput(step.kind, step.spot)
    if step.kind in WITH_WAGER:
        amount = step.amount if step.kind in WITH_AMOUNT else None
        return StepInput(step.kind, step.spot, step.hand, None, step.wager, amount)
    return StepInput(step.kind)


# --- From events to steps ---

NOWHERE = (0, -1)


@record(frozen=True, slots=True)
class RoundMove:
    """What the round waited for, and what the answer to it brought about."""

    wanted: Waiting
    events: tuple[Event, ...]


class _OpenStep:
    """A step that events are still added to."""

    def __init__(self, kind: StepKind, stage: Stage, **about: Any) -> None:
        self.kind = kind
        self.stage = stage
        self.about = about
        self.events: list[Event] = []

    def closed(self) -> DealerStep:
        return DealerStep(self.kind, self.stage, tuple(self.events), **self.about)


class StepTracker:
    """Follows a round on a state of its own; give it every move in its order.

    What happens before the first step (wagers, and the deal where somebody else deals) is `before`.
    """

    def __init__(self, start: RoundState, deals: bool = True) -> None:
        self.state = start.copy()
        self._deals = deals  # the initial deal is the dealer's own work too
        self.before: list[Event] = []
        self._steps: list[_OpenStep] = []
        self._coming: list[Event] = []  # a stage that was reached, for the first step of it
        self._present = NOWHERE  # the hand that the dealer stands before
        self._deed = ""  # what a hand did that its next card is for
        self._asked: Stage | None = None  # the whole table, at this stage

    @property
    def steps(self) -> list[DealerStep]:
        return [step.closed() for step in self._steps]

    def follow(self, move: RoundMove) -> None:
        self._ask(move.wanted)
        for event in move.events:
            steps = len(self._steps)
            begin = _HANDLERS.get(type(event))
            if begin is not None:
                begin(self, event)
            apply(self.state, event)
            self._keep(event, is_step=len(self._steps) > steps)

    def _keep(self, event: Event, is_step: bool) -> None:
        """A stage is reached with its first step: those before it may come in another order."""
        if self._coming or (_begins_stage(event) and not is_step):
            self._coming.append(event)
        else:
            (self._steps[-1].events if self._steps else self.before).append(event)

    # --- what the dealer asks ---

    def _ask(self, wanted: Waiting) -> None:
        if isinstance(wanted, DecisionWanted):
            self._ask_hand(wanted.spot, wanted.hand)
        elif isinstance(wanted, BlackjackAnswersWanted):
            self._ask_table(StepKind.BLACKJACKS)
        elif isinstance(wanted, InsuranceAnswersWanted):
            self._ask_table(StepKind.INSURANCE)

    def _ask_hand(self, spot: int, hand: int) -> None:
        """Once when the dealer comes to the hand; after a card its player goes on unasked."""
        if self._present != (spot, hand):
            self._present = (spot, hand)
            self._begin(StepKind.ASK, spot=spot, hand=hand, hands=self._hands(spot))

    def _ask_table(self, kind: StepKind) -> None:
        if self._asked is not self.state.stage:
            self._asked = self.state.stage
            self._begin(kind)

    # --- what the dealer does ---

    def _begin(self, kind: StepKind, **about: Any) -> None:
        step = _OpenStep(kind, self.state.stage, **about)
        step.events, self._coming = self._coming, []
        self._steps.append(step)

    def _stage(self, event: ev.StageReached) -> None:
        if event.stage is Stage.DEAL and self._deals:
            self._begin(StepKind.CLOSE)
        elif event.stage is Stage.CLOSED and not self._is_collecting():
            self._begin(StepKind.COLLECT)

    def _card(self, event: ev.CardDealt) -> None:
        is_initial = self.state.stage is Stage.DEAL and event.place is not Place.BONUS
        if is_initial and not self._deals:
            return
        if self.state.stage is Stage.PLAY:
            if self._present != (event.spot, event.hand):
                self._deed = "split"  # the second card of a hand that a split made
            self._present = (event.spot, event.hand)
        number = len(self.state.bonus_cards) if event.place is Place.BONUS else event.hand
        hands = self._hands(event.spot) if event.place is Place.PLAYER else 1
        self._begin(
            StepKind.CARD,
            spot=event.spot,
            hand=number,
            place=event.place,
            card=event.card,
            reason=self._deed if self.state.stage is Stage.PLAY else "",
            hands=hands,
        )

    def _settled(self, event: ev.WagerSettled) -> None:
        kind, amount = _movement(event)
        meter = self.state.meters[event.meter - 1].cents if event.meter else None
        self._begin(
            kind,
            spot=event.spot,
            hand=event.hand,
            wager=event.wager,
            amount=amount,
            stake=event.stake,
            back=event.paid,
            odds=event.odds,
            rule=event.rule,
            reason=event.reason,
            meter=meter,
            hands=self._hands(event.spot),
        )

    def _removed(self, event: ev.HandRemoved) -> None:
        """Cards go with their wager; those whose wager was settled earlier are a step."""
        if self.state.stage is Stage.SUPER_BONUS:
            if not self._is_collecting():
                self._begin(StepKind.COLLECT)
        elif not self._settles_hand(event.spot, event.hand):
            self._begin(
                StepKind.REMOVE,
                spot=event.spot,
                hand=event.hand,
                reason="dealer blackjack" if self.state.down_exposed else "",
                hands=self._hands(event.spot),
            )

    def _supervisor(self, event: ev.SupervisorCalled) -> None:
        self._begin(StepKind.SUPERVISOR, spot=event.spot)

    def _locked(self, _: ev.BonusCardsLocked) -> None:
        self._begin(StepKind.LOCK)

    def _checked(self, _: ev.DealerChecked) -> None:
        self._begin(StepKind.CHECK)

    def _exposed(self, event: ev.DownCardExposed) -> None:
        self._begin(StepKind.EXPOSE, card=event.card)

    def _advised(self, event: ev.AdviceGiven) -> None:
        spot, hand = event.spot, event.hand
        self._begin(
            StepKind.ADVISE, spot=spot, hand=hand, advice=event.advice, hands=self._hands(spot)
        )

    def _hit(self, _: ev.HandHit) -> None:
        self._deed = "hit"

    def _doubled(self, event: ev.HandDoubled) -> None:
        again = self.state.spots[event.spot].hands[event.hand].shape.doublings
        self._deed = "double-double" if again else "double"

    def _split(self, _: ev.HandSplit) -> None:
        self._deed = "split"

    def _hands(self, spot: int) -> int:
        return len(self.state.spots[spot].hands)

    def _is_collecting(self) -> bool:
        return bool(self._steps) and self._steps[-1].kind is StepKind.COLLECT

    def _settles_hand(self, spot: int, hand: int) -> bool:
        """Is the step at hand the payment of this very hand?"""
        if not self._steps or self._steps[-1].about.get("wager") is not Wager.HAND:
            return False
        about = self._steps[-1].about
        return (about["spot"], about["hand"]) == (spot, hand)


def _begins_stage(event: Event) -> bool:
    """Not the deal, which may be somebody else's, and not the end, which nothing follows."""
    ends = (Stage.DEAL, Stage.CLOSED)
    return isinstance(event, ev.StageReached) and event.stage not in ends


def _movement(event: ev.WagerSettled) -> tuple[StepKind, int]:
    """Which way chips go, and how many.

    A jackpot's pay is "for": the wager is gone with it (R-091). All others stay with their player
    beside what is paid.
    """
    if event.wager.kind is WagerKind.JACKPOT:
        is_lost = event.stake > 0 and event.paid == 0
        return (StepKind.TAKE, event.stake) if is_lost else (StepKind.PAY, event.paid)
    if event.net > 0:
        return StepKind.PAY, event.net
    if event.net < 0:
        return StepKind.TAKE, -event.net
    return StepKind.PUSH, 0


_HANDLERS: dict[type[Event], Callable[[StepTracker, Any], None]] = {
    ev.StageReached: StepTracker._stage,
    ev.CardDealt: StepTracker._card,
    ev.WagerSettled: StepTracker._settled,
    ev.HandRemoved: StepTracker._removed,
    ev.SupervisorCalled: StepTracker._supervisor,
    ev.BonusCardsLocked: StepTracker._locked,
    ev.DealerChecked: StepTracker._checked,
    ev.DownCardExposed: StepTracker._exposed,
    ev.AdviceGiven: StepTracker._advised,
    ev.HandHit: StepTracker._hit,
    ev.HandDoubled: StepTracker._doubled,
    ev.HandSplit: StepTracker._split,
}
