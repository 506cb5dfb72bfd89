"""Practice hands, dealt by the engine from a fresh shoe.

A situation is a single hand at the table, or one hand of a split spot. The next situation is chosen
by how much a mistake would cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import exp
from random import Random

from ventiuna.analysis.coaching import (
    MANY,
    Advice,
    DecisionCategory,
    HandContext,
    NothingToCoach,
    Valuation,
    category_of,
    coached_hand,
    shape_of,
)
from ventiuna.analysis.coaching import value_choices as value_of
from ventiuna.analysis.composition import check_pack
from ventiuna.cards import CardError, card_text
from ventiuna.core.actions import ACTION_NAMES, DOUBLE, HIT, SPLIT, SURRENDER
from ventiuna.core.base_game import is_dealer_blackjack
from ventiuna.core.cards import ACE, add_card, best_total, rank_of, split_hand
from ventiuna.engine import commands as do
from ventiuna.engine.commands import Command, Refused
from ventiuna.engine.dealing import OutOfCards
from ventiuna.engine.decide import execute
from ventiuna.engine.events import Place
from ventiuna.engine.options import ActionOption, Option, options
from ventiuna.engine.prompts import (
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    WagersWanted,
    Waiting,
    waiting_for,
)
from ventiuna.engine.state import RoundState
from ventiuna.engine.views import EVERYONE, RoundView, view
from ventiuna.rules import Rules

SPOT = 1
TRIES = 1_000  # rounds to try before giving up: some rules never produce a category
CANDIDATES = 5  # situations valued per drill; costly mistakes are drilled more often
TEMPTING = 0.06  # in base wagers; a mistake that costs this much more tempts e times fewer players
MIN_WEIGHT = 0.001  # added so that trivial and well-known decisions still come up now and then


@dataclass(frozen=True, slots=True)
class Situation:
    """A hand before a decision; the last `doublings` of its cards were drawn by doubling."""

    cards: tuple[int, ...]
    up: int
    doublings: int = 0
    insurance: bool = False
    hands: int = 1  # number of hands on the spot; hands after this one still wait for cards
    hand: int = 0  # index of this hand; earlier hands stand on two cards


@dataclass(frozen=True, slots=True)
class Drill:
    """A situation as dealt by the engine: the player's view, the legal actions, their values."""

    situation: Situation
    seen: RoundView
    coached: HandContext
    valued: Valuation

    @property
    def kind(self) -> DecisionCategory:
        return category_of(self.coached, self.valued)

    @property
    def options(self) -> tuple[Option, ...]:
        return self.seen.options

    @property
    def advice(self) -> Advice:
        """The advice for this drill; the shoe is fresh, so both valuations are the same."""
        return Advice(self.coached, self.valued, self.valued)


# --- From a description ---


class _ScriptedCards:
    """Fixed cards for some positions; the down card never ends the round."""

    def __init__(self, rules: Rules, situation: Situation) -> None:
        first, *others = situation.cards
        pairs = list(_pair_cards(rules, situation))
        taken = [*situation.cards, *pairs, situation.up]
        before = list(_second_cards(rules, situation, taken))
        # Each split inserts the new hand right after the first, so hand 1 has the last pair card.
        split = [*pairs]
        split.insert((situation.hands - situation.hand) % situation.hands, first)
        self._mine = iter([*split, *before, *others])
        self._up = situation.up
        taken += before
        self._down = next(
            card
            for card in rules.pack.cards
            if not is_dealer_blackjack(situation.up, card) and taken.count(card) < rules.decks
        )

    def card(self, prompt: CardWanted) -> int:
        if prompt.place is Place.PLAYER:
            return next(self._mine)
        return self._up if prompt.place is Place.UP else self._down


def _pair_cards(rules: Rules, situation: Situation) -> Iterator[int]:
    """Yield the first cards of the spot's other hands: the first hand's rank, suit by suit."""
    first = situation.cards[0]
    taken = [*situation.cards, situation.up]
    for _ in range(situation.hands - 1):
        equal = (card for card in rules.pack.cards if rank_of(card) == rank_of(first))
        found = next((card for card in equal if taken.count(card) < rules.decks), None)
        if found is None:
            return
        taken.append(found)
        yield found


def _second_cards(rules: Rules, situation: Situation, taken: list[int]) -> Iterator[int]:
    """Yield second cards for the hands before the drilled one, so that they can stand."""
    first = situation.cards[0]
    drawn = list(taken)
    for _ in range(situation.hand):
        found = next(
            card
            for card in rules.pack.cards
            if rank_of(card) != rank_of(first)
            and drawn.count(card) < rules.decks
            and _is_stood_on(first, card)
        )
        drawn.append(found)
        yield found


def _is_stood_on(first: int, second: int) -> bool:
    hand = add_card(split_hand(first), second)
    return best_total(hand.hard, hand.aces) < 21  # a 21 is paid, not played


def drill_of(rules: Rules, situation: Situation) -> Drill:
    """Deal the situation; raise `NothingToCoach` if it can't occur under these rules."""
    _check_cards(rules, situation)
    scripted = _ScriptedCards(rules, situation)
    state = _start_round(rules)
    drawn = 0
    while not _is_reached(state, situation, drawn):
        prompt = waiting_for(state)
        try:
            if isinstance(prompt, CardWanted):
                execute(state, do.DealCard(scripted.card(prompt)))
                drawn += prompt.place is Place.PLAYER
            else:
                execute(state, _next_step(state, situation, prompt, drawn))
        except (Refused, StopIteration) as refused:
            raise _unreachable(rules, situation) from refused
    if state.spots[SPOT].hands[situation.hand].shape.doublings != situation.doublings:
        raise _unreachable(rules, situation)
    return _drill(rules, situation, state)


def _start_round(rules: Rules) -> RoundState:
    state = RoundState(rules)
    execute(state, do.PlaceWagers(SPOT, rules.table_minimum))
    execute(state, do.CloseWagers())
    return state


def _is_reached(state: RoundState, situation: Situation, drawn: int) -> bool:
    prompt = waiting_for(state)
    if isinstance(prompt, InsuranceAnswersWanted):
        return situation.insurance
    is_its = isinstance(prompt, DecisionWanted) and prompt.hand == situation.hand
    return is_its and drawn == _cards_to_draw(situation)


def _cards_to_draw(situation: Situation) -> int:
    """Number of cards the whole spot draws before the decision."""
    return len(situation.cards) + situation.hands - 1 + situation.hand


def _next_step(state: RoundState, situation: Situation, prompt: Waiting, drawn: int) -> Command:
    if isinstance(prompt, InsuranceAnswersWanted):
        return do.Insure(SPOT, 0)
    if not isinstance(prompt, DecisionWanted):
        raise StopIteration
    to_come = _cards_to_draw(situation) - drawn
    if len(state.spots[SPOT].hands) < situation.hands:
        return do.Split(SPOT)
    if prompt.hand < situation.hand:
        return do.Stand(SPOT)
    if to_come > situation.doublings:
        return do.Hit(SPOT)
    return do.Double(SPOT) if to_come == situation.doublings else do.DoubleDouble(SPOT)


def _unreachable(rules: Rules, situation: Situation) -> NothingToCoach:
    cards = " ".join(card_text(card) for card in situation.cards)
    return NothingToCoach(
        f"cards {cards} against {card_text(situation.up)}: under {rules.name}, this hand has no "
        "decision to make."
    )


def _drill(rules: Rules, situation: Situation, state: RoundState) -> Drill:
    seen = view(state, EVERYONE)
    coached = coached_hand(rules, seen)
    return Drill(situation, seen, coached, value_of(coached.hand, coached.asks))


# --- At random ---


def deal_drill(rules: Rules, kind: DecisionCategory | None, chance: Random) -> Drill:
    """Deal a random hand of this category, or of any, favoring hands with costly mistakes."""
    found: list[Drill] = []
    for drill in _candidate_drills(rules, kind, chance):
        if len(drill.valued.choices) > 1 and kind in (None, drill.kind):
            found.append(drill)
        if len(found) == CANDIDATES:
            break
    if not found:
        raise NothingToCoach("No such hand occurs under these rules.")
    return chance.choices(found, [_weight(drill.valued) for drill in found])[0]


def _weight(valued: Valuation) -> float:
    """The cost of the second-best choice times the share of players it tempts."""
    cost = valued.choices[1].cost
    return MIN_WEIGHT + cost * exp(-cost / TEMPTING)


def _candidate_drills(
    rules: Rules, kind: DecisionCategory | None, chance: Random
) -> Iterator[Drill]:
    """Yield drills that may fit the category; the caller makes the slow final check."""
    for _ in range(TRIES):
        dealt = _situation(rules, kind, chance)
        if dealt is None:
            continue
        situation, state = dealt
        if kind is None or _could_be(kind, coached_hand(rules, view(state, EVERYONE)), state):
            # Deal the hand again from its description, which omits the other cards of a split spot.
            # An insured blackjack can't be described.
            with suppress(NothingToCoach):
                yield drill_of(rules, situation)


def _could_be(kind: DecisionCategory, coached: HandContext, state: RoundState) -> bool:
    if kind is DecisionCategory.SURRENDER:
        return ACTION_NAMES[SURRENDER] in _legal(state)
    return shape_of(coached) is kind


def _situation(
    rules: Rules, kind: DecisionCategory | None, chance: Random
) -> tuple[Situation, RoundState] | None:
    """Play one round up to a decision that may fit the category; None if it ends sooner."""
    state = _start_round(rules)
    cards = _Shuffled(rules, chance)
    while True:
        prompt = waiting_for(state)
        if isinstance(prompt, CardWanted):
            try:
                execute(state, do.DealCard(cards.draw()))
            except OutOfCards:
                return None
        elif isinstance(prompt, InsuranceAnswersWanted):
            if kind in (None, DecisionCategory.INSURANCE) and (kind or chance.random() < 0.05):
                return _described(state, insurance=True), state
            execute(state, do.Insure(SPOT, 0))
        elif isinstance(prompt, DecisionWanted):
            if kind is DecisionCategory.INSURANCE:
                return None
            step = _next_command(state, prompt.hand, kind, chance)
            if step is None:
                return _described(state, prompt.hand), state
            execute(state, step)
        elif isinstance(prompt, WagersWanted) or not _answers_blackjack(state, prompt):
            return None


def _answers_blackjack(state: RoundState, prompt: Waiting) -> bool:
    spots = getattr(prompt, "spots", None)
    if not spots:
        return False
    execute(state, do.TakeBlackjack(SPOT))
    return True


def _described(state: RoundState, index: int = 0, *, insurance: bool = False) -> Situation:
    hands = state.spots[SPOT].hands
    cards, doublings = tuple(hands[index].cards), hands[index].shape.doublings
    return Situation(cards, state.dealer[0], doublings, insurance, len(hands), index)


def _next_command(
    state: RoundState, index: int, kind: DecisionCategory | None, chance: Random
) -> Command | None:
    """The next step toward a hand of this category; None if this decision fits."""
    hands = state.spots[SPOT].hands
    hand = hands[index]
    legal = _legal(state)
    may_split = ACTION_NAMES[SPLIT] in legal
    if kind is DecisionCategory.AFTER_SPLIT and len(hands) == 1:
        return do.Split(SPOT) if may_split else None
    if index < len(hands) - 1 and chance.random() < 1 - 1 / (len(hands) - index):
        return do.Stand(SPOT)  # so that each hand of the spot is drilled equally often
    if kind is DecisionCategory.AFTER_DOUBLE and not hand.shape.doublings:
        can = ACTION_NAMES[DOUBLE] in legal
        return do.Double(SPOT) if can and chance.random() < 0.7 else _hit(legal)
    if kind is DecisionCategory.MANY_CARDS and len(hand.cards) < MANY:
        return _hit(legal)
    if kind in (None, DecisionCategory.AFTER_SPLIT) and chance.random() < 0.35:
        return do.Split(SPOT) if may_split else _hit(legal)
    return None


def _legal(state: RoundState) -> set[str]:
    return {
        option.name
        for option in options(state)
        if isinstance(option, ActionOption) and option.legal
    }


def _hit(legal: set[str]) -> Command | None:
    return do.Hit(SPOT) if ACTION_NAMES[HIT] in legal else None


class _Shuffled:
    """A fresh shuffled shoe for one drill; nothing is at stake, so any generator will do."""

    def __init__(self, rules: Rules, chance: Random) -> None:
        self._cards = [card for card in rules.pack.cards for _ in range(rules.decks)]
        self._chance = chance

    def draw(self) -> int:
        if not self._cards:
            raise OutOfCards
        place = self._chance.randrange(len(self._cards))
        self._cards[place], self._cards[-1] = self._cards[-1], self._cards[place]
        return self._cards.pop()


def _check_cards(rules: Rules, situation: Situation) -> None:
    """Reject cards that aren't in the shoe."""
    taken = [*situation.cards, situation.up]
    check_pack(rules, taken)
    for card in taken:
        if taken.count(card) > rules.decks:
            raise CardError(f"card {card_text(card)}: the shoe has only {rules.decks}")
    if situation.insurance and rank_of(situation.up) != ACE:
        raise CardError("up: insurance is offered only against an ace (R-034)")
