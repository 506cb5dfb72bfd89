"""Groups the events of a round into the dealer's steps, as the round goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ventiuna.engine import events as ev
from ventiuna.engine.events import Event, Place, Stage
from ventiuna.engine.stakes import Wager, WagerKind
from ventiuna.engine.state import RoundState, apply
from ventiuna.engine.waiting import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    Waiting,
)
from ventiuna.records import record
from ventiuna.school.steps import Kind, Step

NOWHERE = (0, -1)


@record(frozen=True, slots=True)
class Move:
    """What the round waited for, and what the answer to it brought about."""

    wanted: Waiting
    events: tuple[Event, ...]


class _Open:
    """A step that events are still added to."""

    def __init__(self, kind: Kind, stage: Stage, **about: Any) -> None:
        self.kind = kind
        self.stage = stage
        self.about = about
        self.events: list[Event] = []

    def closed(self) -> Step:
        return Step(self.kind, self.stage, tuple(self.events), **self.about)


class Follower:
    """Follows a round on a state of its own; give it every move in its order.

    What happens before the first step (wagers, and the deal where somebody else deals) is `before`.
    """

    def __init__(self, start: RoundState, deals: bool = True) -> None:
        self.state = start.copy()
        self._deals = deals  # the initial deal is the dealer's own work too
        self.before: list[Event] = []
        self._steps: list[_Open] = []
        self._coming: list[Event] = []  # a stage that was reached, for the first step of it
        self._present = NOWHERE  # the hand that the dealer stands before
        self._deed = ""  # what a hand did that its next card is for
        self._asked: Stage | None = None  # the whole table, at this stage

    @property
    def steps(self) -> list[Step]:
        return [step.closed() for step in self._steps]

    def follow(self, move: Move) -> None:
        self._ask(move.wanted)
        for event in move.events:
            steps = len(self._steps)
            begin = _STEPS.get(type(event))
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
            self._ask_table(Kind.BLACKJACKS)
        elif isinstance(wanted, InsuranceAnswersWanted):
            self._ask_table(Kind.INSURANCE)

    def _ask_hand(self, spot: int, hand: int) -> None:
        """Once when the dealer comes to the hand; after a card its player goes on unasked."""
        if self._present != (spot, hand):
            self._present = (spot, hand)
            self._begin(Kind.ASK, spot=spot, hand=hand, hands=self._hands(spot))

    def _ask_table(self, kind: Kind) -> None:
        if self._asked is not self.state.stage:
            self._asked = self.state.stage
            self._begin(kind)

    # --- what the dealer does ---

    def _begin(self, kind: Kind, **about: Any) -> None:
        step = _Open(kind, self.state.stage, **about)
        step.events, self._coming = self._coming, []
        self._steps.append(step)

    def _stage(self, event: ev.StageReached) -> None:
        if event.stage is Stage.DEAL and self._deals:
            self._begin(Kind.CLOSE)
        elif event.stage is Stage.CLOSED and not self._is_collecting():
            self._begin(Kind.COLLECT)

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
            Kind.CARD,
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
                self._begin(Kind.COLLECT)
        elif not self._settles_hand(event.spot, event.hand):
            self._begin(
                Kind.REMOVE,
                spot=event.spot,
                hand=event.hand,
                reason="dealer blackjack" if self.state.down_exposed else "",
                hands=self._hands(event.spot),
            )

    def _supervisor(self, event: ev.SupervisorCalled) -> None:
        self._begin(Kind.SUPERVISOR, spot=event.spot)

    def _locked(self, _: ev.BonusCardsLocked) -> None:
        self._begin(Kind.LOCK)

    def _checked(self, _: ev.DealerChecked) -> None:
        self._begin(Kind.CHECK)

    def _exposed(self, event: ev.DownCardExposed) -> None:
        self._begin(Kind.EXPOSE, card=event.card)

    def _advised(self, event: ev.AdviceGiven) -> None:
        spot, hand = event.spot, event.hand
        self._begin(Kind.ADVISE, spot=spot, hand=hand, advice=event.advice, hands=self._hands(spot))

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
        return bool(self._steps) and self._steps[-1].kind is Kind.COLLECT

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


def _movement(event: ev.WagerSettled) -> tuple[Kind, int]:
    """Which way chips go, and how many.

    A jackpot's pay is "for": the wager is gone with it (R-091). All others stay with their player
    beside what is paid.
    """
    if event.wager.kind is WagerKind.JACKPOT:
        is_lost = event.stake > 0 and event.paid == 0
        return (Kind.TAKE, event.stake) if is_lost else (Kind.PAY, event.paid)
    if event.net > 0:
        return Kind.PAY, event.net
    if event.net < 0:
        return Kind.TAKE, -event.net
    return Kind.PUSH, 0


_STEPS: dict[type[Event], Callable[[Follower, Any], None]] = {
    ev.StageReached: Follower._stage,
    ev.CardDealt: Follower._card,
    ev.WagerSettled: Follower._settled,
    ev.HandRemoved: Follower._removed,
    ev.SupervisorCalled: Follower._supervisor,
    ev.BonusCardsLocked: Follower._locked,
    ev.DealerChecked: Follower._checked,
    ev.DownCardExposed: Follower._exposed,
    ev.AdviceGiven: Follower._advised,
    ev.HandHit: Follower._hit,
    ev.HandDoubled: Follower._doubled,
    ev.HandSplit: Follower._split,
}
