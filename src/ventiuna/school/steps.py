"""The dealer's steps, and how a round's events are grouped into them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from ventiuna.engine import events as ev
from ventiuna.engine.events import Advice, Card, Cents, Event, Place, Stage, Wager, WagerKind
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    Waiting,
)
from ventiuna.engine.settlement import wins_super_bonus
from ventiuna.engine.state import RoundState, apply
from ventiuna.errors import VentiunaError

# --- Steps ---


class SchoolError(VentiunaError, ValueError):
    """The school can't do what was requested."""


class StepKind(StrEnum):
    """The kinds of steps, in the order a round may first need them."""

    CLOSE = "close"  # no more bets
    CARD = "card"  # deal to a hand, the dealer, or a Bonus Card position
    PAY = "pay"  # pay from the rack or from a meter
    TAKE = "take"  # take a wager, or part of it
    PUSH = "push"  # the player keeps the wager
    LOCK = "lock"  # put the Bonus Cards out of play
    SUPERVISOR = "supervisor"  # call a supervisor to watch the third card
    WAIT = "wait"  # wait for the supervisor whom the table requires
    BLACKJACKS = "blackjacks"  # ask whether to pay a blackjack or keep it for doubling
    INSURANCE = "insurance"  # offer insurance to all spots at once
    REMOVE = "remove"  # remove a hand's cards after its wager was settled
    CHECK = "check"  # check the down card for blackjack
    ADVISE = "advise"  # inform the player of a promising hand
    ASK = "ask"  # ask for the next hand's decision
    EXPOSE = "expose"  # expose the down card
    COLLECT = "collect"  # collect the remaining cards


# Required details for each kind of step.
WITH_PLACE = frozenset({StepKind.CARD})
WITH_HAND = frozenset({StepKind.ASK, StepKind.ADVISE, StepKind.REMOVE})
WITH_WAGER = frozenset({StepKind.PAY, StepKind.TAKE, StepKind.PUSH})
WITH_AMOUNT = frozenset({StepKind.PAY, StepKind.TAKE})


@dataclass(frozen=True, slots=True)
class DealerStep:
    """One step that the rules require from the dealer, and its results."""

    kind: StepKind
    stage: Stage
    events: tuple[Event, ...]  # events of the step and the players' answers
    spot: int = 0
    hand: int = 0  # -1 if not on a hand
    place: Place | None = None
    card: Card | None = None
    wager: Wager | None = None
    amount: Cents = 0  # paid out or taken by the dealer
    stake: Cents = 0
    back: Cents = 0  # everything the player gets back
    odds: str = ""
    rule: str = ""  # the rule for the amount
    reason: str = ""
    meter: Cents | None = None  # amount shown on the meter that pays
    advice: Advice | None = None
    hands: int = 1  # number of hands on the spot at this moment
    supervised: bool = False  # the table requires a supervisor for this step

    @property
    def is_part(self) -> bool:
        """Whether only part of the wager is taken (surrender, rescue)."""
        return self.kind is StepKind.TAKE and self.amount != self.stake


@dataclass(frozen=True, slots=True)
class StepInput:
    """A step as entered by the learner; without an amount, the whole wager is taken."""

    kind: StepKind
    spot: int = 0
    hand: int = 0
    place: Place | None = None
    wager: Wager | None = None
    amount: Cents | None = None


def correct_input(step: DealerStep) -> StepInput:
    """The input that does this step correctly."""
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
_OUTER_STAGES = (Stage.DEAL, Stage.CLOSED)


@dataclass(frozen=True, slots=True)
class RoundMove:
    """A pending prompt in the round, and the events that answered it."""

    prompt: Waiting
    events: tuple[Event, ...]


_TABLE_QUESTIONS: dict[type[Waiting], StepKind] = {
    BlackjackAnswersWanted: StepKind.BLACKJACKS,
    InsuranceAnswersWanted: StepKind.INSURANCE,
}


class _OpenStep(NamedTuple):
    """A step that is still collecting events."""

    kind: StepKind
    stage: Stage
    about: dict[str, Any]
    events: list[Event]


class StepTracker:
    """Follows a round on its own copy of the state; call this with every move in order.

    `before` has everything that comes before the first step: the wagers, and the deal if someone
    else deals.
    """

    def __init__(self, start: RoundState, deals: bool = True) -> None:
        self.state = start.copy()
        self._deals = deals  # the dealer also does the initial deal
        self.before: list[Event] = []
        self._steps: list[_OpenStep] = []
        self._coming: list[Event] = []  # events of a new stage, for its first step
        self._present = NOWHERE  # the dealer's current hand
        self._deed = ""  # the action that needs the next card
        self._prompted_stage: Stage | None = None  # the stage at which the whole table was asked
        self._watched: set[int] = set()  # spots whose third card the supervisor watches

    @property
    def steps(self) -> list[DealerStep]:
        return [
            DealerStep(step.kind, step.stage, tuple(step.events), **step.about)
            for step in self._steps
        ]

    def follow(self, move: RoundMove) -> None:
        self._ask(move.prompt)
        for event in move.events:
            steps = len(self._steps)
            self._deed = _DEEDS.get(type(event), self._deed)
            begin = _HANDLERS.get(type(event))
            if begin is not None:
                begin(self, event)
            apply(self.state, event)
            is_step = len(self._steps) > steps
            # A new stage belongs to its first step, because the order of earlier steps may vary.
            # The deal (which someone else may do) and the end are exceptions.
            begins = isinstance(event, ev.StageReached) and event.stage not in _OUTER_STAGES
            is_answer = isinstance(event, ev.SupervisorAnswered | ev.PaymentsAuthorized)
            if not is_answer and (self._coming or (begins and not is_step)):
                self._coming.append(event)
            else:
                (self._steps[-1].events if self._steps else self.before).append(event)

    # --- questions by the dealer ---

    def _ask(self, prompt: Waiting) -> None:
        kind = _TABLE_QUESTIONS.get(type(prompt))
        if kind is not None and self._prompted_stage is not self.state.stage:
            self._prompted_stage = self.state.stage
            self._begin(kind)
        # The player is asked when the dealer reaches the hand, and continues after a card without
        # being asked.
        if isinstance(prompt, DecisionWanted) and self._present != (prompt.spot, prompt.hand):
            spot, hand = self._present = (prompt.spot, prompt.hand)
            self._begin(StepKind.ASK, spot=spot, hand=hand, hands=self._hands(spot))

    # --- actions by the dealer ---

    def _begin(self, kind: StepKind, **about: Any) -> None:
        self._steps.append(_OpenStep(kind, self.state.stage, about, self._coming))
        self._coming = []

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
                self._deed = "split"  # the second card of a split hand
            self._present = (event.spot, event.hand)
        number = len(self.state.bonus_cards) if event.place is Place.BONUS else event.hand
        hands = self._hands(event.spot) if event.place is Place.PLAYER else 1
        is_third = event.spot in self._watched and self._deed == "hit" and hands == 1
        self._begin(
            StepKind.CARD,
            spot=event.spot,
            hand=number,
            place=event.place,
            card=event.card,
            reason=self._deed if self.state.stage is Stage.PLAY else "",
            hands=hands,
            supervised=is_third and len(self.state.spots[event.spot].hands[0].cards) == 2,
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
            supervised=self._is_instructed(event),
        )

    def _is_instructed(self, event: ev.WagerSettled) -> bool:
        """Whether the dealer makes this payment on the supervisor's instruction."""
        if event.wager is Wager.HAND and event.spot in self._watched:
            spot = self.state.spots[event.spot]
            return wins_super_bonus(self.state, spot, spot.hands[event.hand])
        return self.state.supervised and event.wager is Wager.ENVY

    def _called(self, event: ev.SupervisorCalled) -> None:
        if self.state.supervised:
            self._watched.add(event.spot)
        self._begin(StepKind.SUPERVISOR, spot=event.spot, supervised=self.state.supervised)

    def _answered(self, _: ev.SupervisorAnswered | ev.PaymentsAuthorized) -> None:
        """Wait; a new stage still belongs to the step that follows."""
        about = {"supervised": True}
        self._steps.append(_OpenStep(StepKind.WAIT, self.state.stage, about, []))

    def _removed(self, event: ev.HandRemoved) -> None:
        """Remove cards with their wager; for a hand settled earlier, this is a separate step."""
        if self.state.stage is Stage.SUPER_BONUS:
            if not self._is_collecting():
                self._begin(StepKind.COLLECT)
            return
        about = self._steps[-1].about if self._steps else {}
        settled = about.get("spot"), about.get("hand"), about.get("wager")
        if settled != (event.spot, event.hand, Wager.HAND):
            self._begin(
                StepKind.REMOVE,
                spot=event.spot,
                hand=event.hand,
                reason="dealer blackjack" if self.state.down_exposed else "",
                hands=self._hands(event.spot),
            )

    def _advised(self, event: ev.AdviceGiven) -> None:
        spot, hand = event.spot, event.hand
        self._begin(
            StepKind.ADVISE, spot=spot, hand=hand, advice=event.advice, hands=self._hands(spot)
        )

    def _doubled(self, event: ev.HandDoubled) -> None:
        again = self.state.spots[event.spot].hands[event.hand].shape.doublings
        self._deed = "double-double" if again else "double"

    def _hands(self, spot: int) -> int:
        return len(self.state.spots[spot].hands)

    def _is_collecting(self) -> bool:
        return bool(self._steps) and self._steps[-1].kind is StepKind.COLLECT


def _movement(event: ev.WagerSettled) -> tuple[StepKind, int]:
    """The direction in which chips move, and the amount.

    Jackpots pay "for" a wager, which isn't returned (R-091). On all other wins, the player keeps
    the wager in addition to the pay.
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
    ev.SupervisorCalled: StepTracker._called,
    ev.SupervisorAnswered: StepTracker._answered,
    ev.PaymentsAuthorized: StepTracker._answered,
    ev.BonusCardsLocked: lambda it, _: it._begin(StepKind.LOCK),
    ev.DealerChecked: lambda it, _: it._begin(StepKind.CHECK),
    ev.DownCardExposed: lambda it, event: it._begin(StepKind.EXPOSE, card=event.card),
    ev.AdviceGiven: StepTracker._advised,
    ev.HandDoubled: StepTracker._doubled,
}
_DEEDS: dict[type[Event], str] = {ev.HandHit: "hit", ev.HandSplit: "split"}
