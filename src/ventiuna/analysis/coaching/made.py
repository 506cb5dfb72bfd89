"""Decisions that were made in a round, and what each of them cost by the cards then unseen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from ventiuna.analysis.coaching.advice import (
    DECLINE,
    INSURE,
    Coached,
    NothingToCoach,
    Valued,
    coached_hand,
    value,
)
from ventiuna.analysis.coaching.kinds import Kind, item_of, kind_of
from ventiuna.core.actions import (
    ACTION_NAMES,
    DOUBLE,
    DOUBLE_DOUBLE,
    HIT,
    RESCUE,
    SPLIT,
    STAND,
    SURRENDER,
    has_a_choice,
)
from ventiuna.core.payouts import most_insurance
from ventiuna.engine import events as ev
from ventiuna.engine.events import Event, Stage
from ventiuna.engine.options import KEEP, TAKE
from ventiuna.engine.stakes import Wager
from ventiuna.engine.state import RoundState, apply
from ventiuna.engine.views import EVERYONE, view
from ventiuna.engine.waiting import BlackjackAnswersWanted, waiting_for
from ventiuna.rules import Rules

Act = (
    ev.HandStood | ev.HandHit | ev.HandDoubled | ev.HandSplit | ev.HandSurrendered | ev.HandRescued
)
_ACTIONS: dict[type[Event], int] = {
    ev.HandStood: STAND,
    ev.HandHit: HIT,
    ev.HandDoubled: DOUBLE,
    ev.HandSplit: SPLIT,
    ev.HandSurrendered: SURRENDER,
    ev.HandRescued: RESCUE,
}


@dataclass(frozen=True, slots=True)
class Made:
    """A decision, what its player could know then, and what was chosen."""

    index: int  # among the events of the round
    spot: int
    hand: int
    coached: Coached
    done: str
    amount: int = 0  # of insurance, or of a double for less


@dataclass(frozen=True, slots=True)
class Priced:
    """A decision with its price."""

    made: Made
    valued: Valued
    kind: Kind
    item: str
    best: str
    cost: float  # in base wagers
    cents: float  # of this round's wager; exact, so it may have parts of a cent

    @property
    def is_mistake(self) -> bool:
        return self.cost > SAME


SAME = 1e-9  # nearer values are equal: sums of floats differ by their order


def decisions_of(
    start: RoundState,
    rules: Rules,
    events: Iterable[Event],
    spots: Collection[int],
    seen_before: Collection[int] = (),
) -> Iterator[Made]:
    """What these spots decided in a round that begins with `start`, which is changed.

    Decisions after a shuffle within the round are left out: what was unseen can't be told then.
    """
    decided: tuple[int, int] | None = None  # spot and hand of the last act: what follows it is paid
    for index, event in enumerate(events):
        done = _choice(start, event, spots, decided)
        if isinstance(event, Act):
            decided = event.spot, event.hand
        elif isinstance(event, ev.CardDealt):
            decided = None
        if done is not None:
            spot, hand, name, amount = done
            seen = view(start, EVERYONE)
            yield Made(
                index, spot, hand, coached_hand(rules, seen, seen_before, spot), name, amount
            )
        apply(start, event)


def _choice(
    state: RoundState, event: Event, spots: Collection[int], decided: tuple[int, int] | None
) -> tuple[int, int, str, int] | None:
    """Spot, hand, choice and amount where the event is a decision of one of these spots."""
    if isinstance(event, ev.InsurancePlaced):
        name = INSURE if event.amount else DECLINE
        return (event.spot, 0, name, event.amount) if event.spot in spots else None
    if isinstance(event, ev.BlackjackTaken | ev.BlackjackKept):
        name = TAKE if isinstance(event, ev.BlackjackTaken) else KEEP
        is_asked = event.spot in spots and isinstance(waiting_for(state), BlackjackAnswersWanted)
        return (event.spot, 0, name, 0) if is_asked else None
    if isinstance(event, ev.WagerSettled) and event.spot in spots:
        is_decided = (event.spot, event.hand) == decided
        stood = not is_decided and _was_stood_on(state, event)
        return (event.spot, event.hand, ACTION_NAMES[STAND], 0) if stood else None
    if not isinstance(event, Act) or event.spot not in spots:
        return None
    action, amount = _ACTIONS[type(event)], 0
    if isinstance(event, ev.HandDoubled):
        hand = state.spots[event.spot].hands[event.hand]
        is_first = not hand.shape.doublings
        action = DOUBLE if is_first else DOUBLE_DOUBLE
        amount = event.amount if is_first and event.amount < hand.wager else 0
    return event.spot, event.hand, ACTION_NAMES[action], amount


def _was_stood_on(state: RoundState, event: ev.WagerSettled) -> bool:
    """A hand that has won is paid when its player stands, without an event of the standing."""
    if state.stage is not Stage.PLAY or event.wager is not Wager.HAND:
        return False
    hands = state.spots[event.spot].hands
    return has_a_choice(state.table, hands[event.hand].shape, len(hands))


def price(made: Made) -> Priced | None:
    """What it cost; None where there was no choice, or cards might have run out."""
    try:
        valued = value(made.coached.hand, made.coached.asks)
    except NothingToCoach:  # a blackjack that can't be doubled is taken without a question
        return None
    if len(valued.choices) < 2:
        return None
    base = made.coached.hand.base
    assert base is not None, "a hand at a table has a wager"
    cost = _cost(made, valued)
    stake = most_insurance(base) if made.coached.insurance else base
    return Priced(
        made=made,
        valued=valued,
        kind=kind_of(made.coached, valued),
        item=item_of(made.coached),
        best=valued.choices[0].action,
        cost=cost,
        cents=cost * stake,
    )


def _cost(made: Made, valued: Valued) -> float:
    best = valued.choices[0]
    done = next(choice for choice in valued.choices if choice.action == made.done)
    asked = made.coached.hand
    if made.coached.insurance:
        assert asked.base is not None
        return _insurance_cost(valued, made.amount / most_insurance(asked.base))
    if made.done == KEEP:
        return 0.0  # it can still be paid; doubling it is a decision of its own
    if made.amount:  # a double for less has a value of its own
        less = value(replace(asked, added=made.amount))
        done = next(choice for choice in less.choices if choice.action == made.done)
    return max(0.0, best.ev - done.ev)


def _insurance_cost(valued: Valued, share: float) -> float:
    """Part of the insurance may be taken: the rest, or the part, was the mistake."""
    ev_of_full = next(choice.ev for choice in valued.choices if choice.action == INSURE)
    return ev_of_full * (1 - share) if ev_of_full > 0 else -ev_of_full * share
