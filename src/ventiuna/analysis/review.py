"""Review a finished round: its result, the expected cost of its wagers, and the cost of mistakes.

Result = house edge + mistakes + luck. Mistakes are the exact costs of all decisions, given the
cards unseen at the time. The house edge is the expected loss on each wager, with best play from a
fresh shoe. Luck is the rest. The Super Bonus and the Envy Bonus have no stake, so their payouts
count as luck.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from typing_extensions import TypedDict

from ventiuna.analysis.coaching import (
    DECLINE,
    INSURE,
    CellData,
    DecisionCategory,
    HandContext,
    NothingToCoach,
    PromptType,
    Valuation,
    ValuedData,
    category_of,
    cell_of,
    coached_hand,
    item_of,
    value_choices,
)
from ventiuna.analysis.figures import house_edge, standard_deviation
from ventiuna.analysis.side_bets.jackpots import JackpotReport, jackpot_report
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
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
from ventiuna.core.base_game import maximum_insurance
from ventiuna.engine import events as ev
from ventiuna.engine.chips import Chips
from ventiuna.engine.events import (
    JACKPOT_WAGERS,
    MTD_WAGERS,
    Event,
    Stage,
    Wager,
    WagerKind,
    WagersPlaced,
    WagersWithdrawn,
)
from ventiuna.engine.options import KEEP, TAKE
from ventiuna.engine.prompts import BlackjackAnswersWanted, waiting_for
from ventiuna.engine.state import RoundState, apply
from ventiuna.engine.views import EVERYONE, view
from ventiuna.rules import Rules

# --- Decisions and their costs ---

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
class Decision:
    """A decision, what the player knew at the time, and the choice made."""

    index: int  # position among the round's events
    spot: int
    hand: int
    coached: HandContext
    done: str
    amount: int = 0  # insurance taken, or added by a double for less


@dataclass(frozen=True, slots=True)
class ScoredDecision:
    """A decision and its cost."""

    decision: Decision
    valued: Valuation
    kind: DecisionCategory
    item: str
    best: str
    cost: float  # in base wagers
    cents: float  # cost at this round's wager; may include fractions of a cent

    @property
    def is_mistake(self) -> bool:
        return self.cost > SAME


SAME = 1e-9  # closer values count as equal, because float sums depend on their order


def decisions_of(
    start: RoundState,
    rules: Rules,
    events: Iterable[Event],
    spots: Collection[int],
    seen_before: Collection[int] = (),
) -> Iterator[Decision]:
    """Yield the decisions of these spots in a round that begins with `start`, which is modified.

    Decisions after a mid-round shuffle are skipped, because the unseen cards aren't known.
    """
    decided: tuple[int, int] | None = None  # spot and hand that acted last; a payment may follow
    for index, event in enumerate(events):
        choice = _choice(start, event, spots, decided)
        if isinstance(event, Act):
            decided = event.spot, event.hand
        elif isinstance(event, ev.CardDealt):
            decided = None
        if choice is not None:
            spot, hand, name, amount = choice
            seen = view(start, EVERYONE)
            yield Decision(
                index, spot, hand, coached_hand(rules, seen, seen_before, spot), name, amount
            )
        apply(start, event)


def _choice(
    state: RoundState, event: Event, spots: Collection[int], decided: tuple[int, int] | None
) -> tuple[int, int, str, int] | None:
    """Spot, hand, choice and amount if the event is a decision by one of these spots."""
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
    """Whether a winning hand was paid because its player stood, for which there is no event."""
    if state.stage is not Stage.PLAY or event.wager is not Wager.HAND:
        return False
    hands = state.spots[event.spot].hands
    return has_a_choice(state.table, hands[event.hand].shape, len(hands))


def score_decision(decision: Decision) -> ScoredDecision | None:
    """Price a decision; None if there was no choice or if the cards might have run out."""
    try:
        valued = value_choices(decision.coached.hand, decision.coached.asks)
    except NothingToCoach:  # a blackjack that can't be doubled is paid without asking
        return None
    if len(valued.choices) < 2:
        return None
    base = decision.coached.hand.base
    assert base is not None, "a hand at a table has a wager"
    cost = _cost(decision, valued)
    stake = maximum_insurance(base) if decision.coached.insurance else base
    return ScoredDecision(
        decision=decision,
        valued=valued,
        kind=category_of(decision.coached, valued),
        item=item_of(decision.coached),
        best=valued.choices[0].action,
        cost=cost,
        cents=cost * stake,
    )


def _cost(decision: Decision, valued: Valuation) -> float:
    best = valued.choices[0]
    chosen = next(choice for choice in valued.choices if choice.action == decision.done)
    hand = decision.coached.hand
    if decision.coached.insurance:
        assert hand.base is not None
        return _insurance_cost(valued, decision.amount / maximum_insurance(hand.base))
    if decision.done == KEEP:
        return 0.0  # the blackjack can still be paid; doubling it is a separate decision
    if decision.amount:  # a double for less is valued separately
        less = value_choices(replace(hand, added=decision.amount))
        chosen = next(choice for choice in less.choices if choice.action == decision.done)
    return max(0.0, best.ev - chosen.ev)


def _insurance_cost(valued: Valuation, share: float) -> float:
    """Cost of partial insurance: either the part taken or the rest was a mistake."""
    ev_of_full = next(choice.ev for choice in valued.choices if choice.action == INSURE)
    return ev_of_full * (1 - share) if ev_of_full > 0 else -ev_of_full * share


# --- The review ---

REVIEW_FORMAT = 2  # stored reviews in a different format are recomputed


@dataclass(frozen=True, slots=True)
class ReviewRound:
    """A finished round and its player, as plain data that can be sent to another process."""

    rules: Rules
    events: tuple[Event, ...]
    meters: tuple[tuple[int, int], ...]  # cents and remainder of each meter when betting opened
    person: str
    seen_before: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StakedWager:
    """A wager before the deal; for a jackpot, with its meter."""

    wager: Wager
    cents: int
    meter: int = 0


class ReviewedDecision(TypedDict):
    event: int
    spot: int
    hand: int
    cards: list[int]
    up: int
    doublings: int
    hands: int
    insurance: bool
    kind: str
    item: str
    done: str
    best: str
    cost: float
    cents: float
    valued: ValuedData | None  # the values of all choices, if it was a mistake
    cell: CellData | None


class StakedData(TypedDict):
    wager: str
    cents: int
    meter: int


class ReviewData(TypedDict):
    form: int
    net: int
    base: int
    wagers: list[StakedData]
    cost: float
    decisions: list[ReviewedDecision]


def review(played: ReviewRound) -> ReviewData:
    """Review a round: its result and the cost of its decisions in cents, and the wagers staked."""
    placed = _placed(played)
    priced = [item for item in map(score_decision, _decisions(played, placed)) if item is not None]
    chips = Chips()
    for event in played.events:
        chips.add(event)
    return {
        "form": REVIEW_FORMAT,
        "net": sum(chips.spots.get(spot, 0) for spot in placed),
        "base": sum(wagers.base for wagers in placed.values()),
        "wagers": [
            {"wager": str(item.wager), "cents": item.cents, "meter": item.meter}
            for item in _staked(played, placed)
        ],
        "cost": sum(item.cents for item in priced),
        "decisions": [_decision_data(item) for item in priced],
    }


def _placed(played: ReviewRound) -> dict[int, WagersPlaced]:
    """The player's final wagers, by spot."""
    placed: dict[int, WagersPlaced] = {}
    for event in played.events:
        if isinstance(event, WagersPlaced) and event.person == played.person:
            placed[event.spot] = event
        elif isinstance(event, WagersWithdrawn):
            placed.pop(event.spot, None)
    return placed


def _decisions(played: ReviewRound, placed: dict[int, WagersPlaced]) -> Iterator[Decision]:
    start = RoundState(played.rules, list(played.meters))
    return decisions_of(start, played.rules, played.events, placed.keys(), played.seen_before)


def _staked(played: ReviewRound, placed: dict[int, WagersPlaced]) -> Iterator[StakedWager]:
    for wagers in placed.values():
        yield StakedWager(Wager.HAND, wagers.base)
        for part, cents in wagers.mtd.items():
            yield StakedWager(MTD_WAGERS[part], cents)
        for game, cents in wagers.jackpots.items():
            yield StakedWager(JACKPOT_WAGERS[game], cents, played.meters[game - 1][0])


# --- Expected results of wagers ---


def expected(rules: Rules, staked: tuple[StakedWager, ...]) -> tuple[float, ...]:
    """Expected result of each wager for the player, in cents, with best play from a fresh shoe."""
    return tuple(-float(_edge(rules, item)) * item.cents for item in staked)


def deviation_of_hand(rules: Rules) -> float:
    """Standard deviation of a hand in base wagers; takes seconds."""
    return float(standard_deviation(rules))


def variances(rules: Rules, staked: tuple[StakedWager, ...], of_hand: float) -> tuple[float, ...]:
    """Variance of each wager in square cents, treating spots and wagers as independent."""
    return tuple(_variance(rules, item, of_hand) for item in staked)


def _edge(rules: Rules, staked: StakedWager) -> Fraction:
    if staked.wager.kind is WagerKind.JACKPOT:
        return _jackpot(rules, staked.wager.game).house_edge_at(staked.meter)
    if staked.wager.kind is WagerKind.MTD:
        return match_wager(rules).house_edge
    return house_edge(rules)


def _variance(rules: Rules, staked: StakedWager, of_hand: float) -> float:
    if staked.wager.kind is WagerKind.JACKPOT:
        return float(_jackpot(rules, staked.wager.game).variance_at(staked.meter))
    is_match = staked.wager.kind is WagerKind.MTD
    deviation = float(match_wager(rules).standard_deviation) if is_match else of_hand
    return (deviation * staked.cents) ** 2


@lru_cache(maxsize=64)
def _jackpot(rules: Rules, game: int) -> JackpotReport:
    return jackpot_report(rules, game)


def _decision_data(priced: ScoredDecision) -> ReviewedDecision:
    decision, hand = priced.decision, priced.decision.coached.hand
    return {
        "event": decision.index,
        "spot": decision.spot,
        "hand": decision.hand,
        "cards": list(hand.cards),
        "up": hand.up,
        "doublings": hand.doublings,
        "hands": hand.hands,
        "insurance": decision.coached.insurance,
        "kind": str(priced.kind),
        "item": priced.item,
        "done": decision.done,
        "best": priced.best,
        "cost": priced.cost,
        "cents": priced.cents,
        "valued": priced.valued.as_data() if priced.is_mistake else None,
        "cell": cell_of(hand).as_data() if decision.coached.asks is PromptType.DECISION else None,
    }
