"""What a round should have paid: its cards and decisions, settled again under the approved rules.

Given the cards and the decisions, nothing about a payment is left to chance. The expectation that
remains after all luck is removed is the right payment itself.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ventiuna.engine import Refused, execute
from ventiuna.engine import events as round_events
from ventiuna.engine.commands import (
    CloseWagers,
    Command,
    DealCard,
    Double,
    DoubleDouble,
    Hit,
    Insure,
    KeepBlackjack,
    PlaceWagers,
    Rescue,
    ShowMeters,
    Split,
    Stand,
    Supervise,
    Surrender,
    TakeBlackjack,
)
from ventiuna.engine.events import (
    BlackjackKept,
    CardDealt,
    Event,
    HandDoubled,
    HandHit,
    HandRescued,
    HandSplit,
    HandSurrendered,
    InsurancePlaced,
    MeterRaised,
    MetersShown,
    Wager,
    WagerSettled,
)
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    SupervisorWanted,
    waiting_for,
)
from ventiuna.engine.state import RoundState
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules
from ventiuna.table.daily_report import last_wagers
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.domain.state import meters_at

_Act = HandHit | HandDoubled | HandSplit | HandSurrendered | HandRescued
_PLAIN: dict[type[Event], type[Hit | Split | Surrender | Rescue]] = {
    HandHit: Hit,
    HandSplit: Split,
    HandSurrendered: Surrender,
    HandRescued: Rescue,
}
Payments = Counter[tuple[int, Wager]]  # the players' results in cents, by spot and wager
Raised = tuple[int, int, int]  # game, cents, remainder


class NotByTheRules(VentiunaError, ValueError):
    """The rules don't allow something in the round, so nothing in it can be settled again."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a round paid, and how its wagers raised the meters."""

    payments: Payments
    raised: tuple[Raised, ...]

    @classmethod
    def of(cls, events: Iterable[TableEvent]) -> Outcome:
        payments: Payments = Counter()
        raised = []
        for event in events:
            if isinstance(event, WagerSettled):
                payments[event.spot, event.wager] += event.net
            elif isinstance(event, MeterRaised):
                raised.append((event.game, event.amount, event.remainder))
        return cls(payments, tuple(raised))


def right_outcome(rules: Rules, opening: ev.RoundOpened, events: Sequence[TableEvent]) -> Outcome:
    """Settle a recorded round again; raises `NotByTheRules`."""
    try:
        return Outcome.of(_Again(rules, opening, events).play())
    except Refused as error:
        raise NotByTheRules(str(error)) from error


class _Again:
    def __init__(self, rules: Rules, opening: ev.RoundOpened, events: Sequence[TableEvent]) -> None:
        meters = meters_at(rules, opening)
        for event in events:
            if isinstance(event, ev.JackpotLinked):
                meters[event.game - 1] = (meters[event.game - 1][0], 0)
        self.state = RoundState(rules, meters, supervised=opening.supervised)
        self.events = events
        self.played: list[Event] = []
        self.steps = deque(event for event in events if isinstance(event, CardDealt | _Act))
        self.readings = deque(event for event in events if isinstance(event, MetersShown))
        self.insured = {
            event.spot: event.amount for event in events if isinstance(event, InsurancePlaced)
        }
        self.kept = {event.spot for event in events if isinstance(event, BlackjackKept)}

    def play(self) -> list[Event]:
        for placed in last_wagers(self.events):
            self._do(
                PlaceWagers(placed.spot, placed.base, placed.person, placed.mtd, placed.jackpots)
            )
        self._do(CloseWagers())
        while not isinstance(prompt := waiting_for(self.state), NothingWanted):
            if isinstance(prompt, CardWanted):
                self._do(DealCard(self._card()))
            elif isinstance(prompt, DecisionWanted):
                self._do(self._decision(prompt))
            elif isinstance(prompt, InsuranceAnswersWanted):
                spot = prompt.spots[0]
                self._do(Insure(spot, self.insured.get(spot, 0)))
            elif isinstance(prompt, BlackjackAnswersWanted):
                spot = prompt.spots[0]
                self._do(KeepBlackjack(spot) if spot in self.kept else TakeBlackjack(spot))
            elif isinstance(prompt, MetersWanted):
                if not self.readings:
                    raise NotByTheRules("The rules pay a jackpot that the table didn't pay.")
                self._do(ShowMeters(self.readings.popleft().meters))
            elif isinstance(prompt, SupervisorWanted):
                self._do(Supervise())
        if self.steps:
            raise NotByTheRules("The table dealt more cards than the rules do.")
        return self.played

    def _do(self, command: Command) -> None:
        self.played += execute(self.state, command)

    def _card(self) -> int:
        step = self.steps.popleft() if self.steps else None
        if not isinstance(step, CardDealt) or step.card is None:
            raise NotByTheRules("The rules deal a card that the table didn't deal.")
        return step.card

    def _decision(self, prompt: DecisionWanted) -> Command:
        """The recorded action; a hand without another action stood."""
        step = self.steps[0] if self.steps else None
        if not isinstance(step, _Act) or (step.spot, step.hand) != (prompt.spot, prompt.hand):
            return Stand(prompt.spot)
        self.steps.popleft()
        if isinstance(step, HandDoubled):
            hand = self.state.spots[prompt.spot].hands[prompt.hand]
            again = hand.shape.doublings > 0
            return DoubleDouble(prompt.spot) if again else Double(prompt.spot, step.amount)
        return _PLAIN[type(step)](prompt.spot)


def was_dealt(events: Iterable[TableEvent]) -> bool:
    return any(isinstance(event, CardDealt) for event in events)


def was_voided(events: Iterable[TableEvent]) -> bool:
    return any(isinstance(event, round_events.RoundVoided) for event in events)
