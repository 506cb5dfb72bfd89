"""The coach: the value of every choice for a hand in play, with this shoe and with a fresh one.

The coach knows only what a player at the table could know: the rules, the face-up cards, and the
cards seen since the shuffle. The down card is unseen, like the cards in the shoe.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from typing_extensions import TypedDict

from ventiuna.analysis.base_game.analyzer import (
    HandValues,
    explain_hand,
    hand_of,
    pays_bonus,
    per_dollar,
    shares_of,
)
from ventiuna.analysis.base_game.queries import ParsedHand
from ventiuna.analysis.composition import (
    Composition,
    EmptyShoe,
    fresh_composition,
    with_cards,
    without_cards,
)
from ventiuna.analysis.results import percent_text
from ventiuna.analysis.side_bets.insurance import InsuranceWager, insurance_wager
from ventiuna.cards import RANKS, CardError, Pack
from ventiuna.core.actions import ACTION_NAMES, DOUBLE, SPLIT, STAND, SURRENDER, refusal
from ventiuna.core.base_game import (
    dealer_checks,
    is_dealer_blackjack,
    maximum_insurance,
    wins_two_blackjacks,
)
from ventiuna.core.cards import (
    ACE,
    CARDS,
    Hand,
    add_card,
    best_total,
    is_blackjack,
    is_soft,
    rank_of,
    value_of,
)
from ventiuna.core.refusals import LEGAL
from ventiuna.engine.events import Stage
from ventiuna.engine.options import KEEP, TAKE
from ventiuna.engine.prompts import BlackjackAnswersWanted, DecisionWanted, InsuranceAnswersWanted
from ventiuna.engine.views import RoundView, SpotView
from ventiuna.errors import VentiunaError
from ventiuna.money import money_text
from ventiuna.rules import Rules, compile_rules
from ventiuna.strategy.chart import DOUBLED_SECTIONS, UP_CARDS

INSURE, DECLINE = "insure", "decline"


class NothingToCoach(VentiunaError, ValueError):
    """The round isn't waiting for a decision that the coach can value."""


class PromptType(StrEnum):
    """The decision a round is waiting for."""

    DECISION = "decision"
    INSURANCE = "insurance"
    BLACKJACK = "blackjack"  # paid now, or kept to double; the dealer may have a blackjack too
    CHECKED_BLACKJACK = "checked_blackjack"  # the same, after the dealer has checked


@dataclass(frozen=True, slots=True)
class HandContext:
    """A hand of a round and everything its player could know."""

    hand: ParsedHand
    asks: PromptType = PromptType.DECISION

    @property
    def insurance(self) -> bool:
        return self.asks is PromptType.INSURANCE

    @property
    def fresh_hand(self) -> ParsedHand:
        """The same cards from a full shoe, with nothing else seen."""
        hand = self.hand
        shoe = fresh_composition(hand.rules)
        return ParsedHand(
            rules=hand.rules,
            cards=hand.cards,
            up=hand.up,
            unseen=without_cards(shoe, (*hand.cards, hand.up)),
            doublings=hand.doublings,
            hands=hand.hands,
            base=hand.base,
            added=hand.added,
        )


def coached_hand(
    rules: Rules, seen_round: RoundView, seen_before: Iterable[int] = (), spot: int = 0
) -> HandContext:
    """The pending decision of the spot whose turn it is, or of `spot`.

    `seen_round` is the round as a player sees it; `seen_before` holds the cards that were face
    up in earlier rounds of this shoe.
    """
    asks, number, index = _question(seen_round, spot)
    place = next(item for item in seen_round.spots if item.number == number)
    up = seen_round.dealer[0]
    assert up is not None, "the up card is face up"
    removed = [*seen_before, *_face_up(seen_round)]
    unseen = without_cards(fresh_composition(rules), removed)
    return HandContext(_parsed_hand(rules, place, index, up, unseen), asks)


def _question(seen_round: RoundView, spot: int) -> tuple[PromptType, int, int]:
    """The type of the pending decision, with its spot and hand."""
    waiting = seen_round.waiting
    if isinstance(waiting, DecisionWanted) and spot in (0, waiting.spot):
        return PromptType.DECISION, waiting.spot, waiting.hand
    if isinstance(waiting, InsuranceAnswersWanted | BlackjackAnswersWanted) and (
        spot in waiting.spots or not spot
    ):
        return _prompt_before_play(seen_round), spot or waiting.spots[0], 0
    raise NothingToCoach("There is no decision to make right now.")


def _prompt_before_play(seen_round: RoundView) -> PromptType:
    if isinstance(seen_round.waiting, InsuranceAnswersWanted):
        return PromptType.INSURANCE
    is_checked = seen_round.stage is Stage.BLACKJACKS_AFTER_CHECK
    return PromptType.CHECKED_BLACKJACK if is_checked else PromptType.BLACKJACK


def _parsed_hand(
    rules: Rules, spot: SpotView, index: int, up: int, unseen: Composition
) -> ParsedHand:
    hand = spot.hands[index]
    return ParsedHand(
        rules=rules,
        cards=hand.cards,
        up=up,
        unseen=unseen,
        doublings=hand.doublings,
        hands=len(spot.hands),
        base=spot.base,
    )


def _face_up(seen: RoundView) -> list[int]:
    """Every card of this round that a player can see."""
    cards = [card for card in seen.dealer if card is not None]
    cards += seen.bonus_cards
    for spot in seen.spots:
        for hand in spot.hands:
            cards += hand.cards
    return cards


# --- Answers ---


@dataclass(frozen=True, slots=True)
class Choice:
    """One action: its expected result and its cost, in base wagers."""

    action: str
    ev: float
    cost: float


@dataclass(frozen=True, slots=True)
class Valuation:
    """All choices, valued for one shoe, best first, with the reason; empty if cards may run out."""

    unseen: int
    choices: tuple[Choice, ...]
    why: str

    def as_data(self) -> ValuedData:
        return {
            "unseen": self.unseen,
            "best": self.choices[0].action if self.choices else None,
            "actions": list(self.choices),
            "why": self.why,
        }


class ValuedData(TypedDict):
    unseen: int
    best: str | None
    actions: list[Choice]
    why: str


def value_of_hand(hand: ParsedHand) -> Valuation:
    """Exact values of all legal actions."""
    try:
        values = hand.values()
    except EmptyShoe:
        return _may_run_out(hand)
    sentence = explain_hand(hand.rules, values, hand.unseen)
    return Valuation(sum(hand.unseen), _choices(values), sentence)


def _may_run_out(hand: ParsedHand) -> Valuation:
    sentence = "Too few cards are left for exact advice: the shoe may run out."
    return Valuation(sum(hand.unseen), (), sentence)


def _choices(values: HandValues) -> tuple[Choice, ...]:
    best = values.best.ev
    return tuple(Choice(action.action, action.ev, best - action.ev) for action in values.actions)


def value_of_insurance(hand: ParsedHand) -> Valuation:
    """Values of taking and declining insurance, per chip of the insurance wager."""
    if not hand.rules.insurance or rank_of(hand.up) != ACE:
        raise NothingToCoach("Insurance is offered only against an ace, if at all.")
    wager = insurance_wager(hand.rules, (), hand.up, with_cards(hand.unseen, (hand.up,)))
    choices = _ranked({INSURE: float(wager.expected_value), DECLINE: 0.0})
    return Valuation(sum(hand.unseen), choices, _insurance_sentence(wager))


def _ranked(values: dict[str, float]) -> tuple[Choice, ...]:
    best = max(values.values())
    ranked = sorted(values, key=lambda name: -values[name])
    return tuple(Choice(name, values[name], best - values[name]) for name in ranked)


def _insurance_sentence(wager: InsuranceWager) -> str:
    verdict = "Insurance wins" if wager.expected_value > 0 else "Insurance loses"
    return (
        f"{verdict} {per_dollar(float(wager.expected_value))} per $1 wagered on average: the "
        f"dealer has blackjack {percent_text(wager.win_frequency, 1)} of the time, and breaking "
        f"even takes {percent_text(wager.break_even_frequency, 1)}."
    )


def value_of_blackjack(parsed: ParsedHand, checked: bool) -> Valuation:
    """Value of taking the payout, and of keeping the blackjack to double it (R-032, R-106).

    A blackjack kept against a dealer's blackjack can't be doubled anymore (O-09).
    """
    table, hand = compile_rules(parsed.rules), hand_of(parsed.cards)
    if not is_blackjack(hand) or refusal(table, DOUBLE, hand, 1) != LEGAL:
        raise NothingToCoach("This isn't a blackjack that can be kept to double (R-032, R-106).")
    try:
        values = {action.action: action.ev for action in parsed.values().actions}
    except EmptyShoe:
        return _may_run_out(parsed)
    pay, doubled = values[ACTION_NAMES[STAND]], values[ACTION_NAMES[DOUBLE]]
    met = 0.0 if checked else _dealer_blackjack(parsed)
    wins = wins_two_blackjacks(table, paid_before_check=False)
    kept = met * (pay if wins else 0.0) + (1 - met) * doubled
    share = shares_of((pay, kept))
    sentence = (
        f"Keeping it costs nothing by itself: if you stand, you're still paid {share(pay)} "
        f"per $1. Doubling {'wins' if kept > 0 else 'loses'} {share(kept)} on average, "
        f"{share(pay - kept)} {'less' if kept < pay else 'more'}."
    )
    return Valuation(sum(parsed.unseen), _ranked({TAKE: pay, KEEP: kept}), sentence)


def _dealer_blackjack(hand: ParsedHand) -> float:
    """Probability that the dealer has a blackjack, before the check."""
    if not dealer_checks(hand.up):
        return 0.0
    makers = sum(
        count for card, count in enumerate(hand.unseen) if is_dealer_blackjack(hand.up, card)
    )
    return makers / sum(hand.unseen)


@dataclass(frozen=True, slots=True)
class Advice:
    """The coach's complete answer."""

    coached: HandContext
    shoe: Valuation
    fresh: Valuation
    less: Valuation | None = None  # value of the chosen double for less

    def as_data(self, done: str = "") -> AdviceData:
        hand = self.coached.hand
        return {
            "cards": list(hand.cards),
            "up": hand.up,
            "asks": _ASKED[self.coached.asks],
            "shoe": self.shoe.as_data(),
            "fresh": self.fresh.as_data(),
            "done": self.done_data(done) if done else None,
        }

    def done_data(self, action: str) -> ChoiceCost:
        """The cost of the chosen action with this shoe."""
        found = self._less(action) or next(
            (choice for choice in self.shoe.choices if choice.action == action), None
        )
        if found is None:
            names = ", ".join(choice.action for choice in self.shoe.choices) or "none"
            raise CardError(f"{action[:20]!r} isn't one of the hand's choices: {names}.")
        stake = self._stake
        cents = None if stake is None else round(found.cost * stake)
        return {
            "action": action,
            "cost": found.cost,
            "cents": cents,
            "sentence": _cost_sentence(found, self.shoe.choices, cents),
        }

    def _less(self, action: str) -> Choice | None:
        """The chosen double for less, at its own value; the best choice stays the same."""
        if self.less is None or action != ACTION_NAMES[DOUBLE] or not self.shoe.choices:
            return None
        found = next((choice for choice in self.less.choices if choice.action == action), None)
        cost = self.shoe.choices[0].ev - found.ev if found else 0.0
        return Choice(action, found.ev, max(0.0, cost)) if found else None

    @property
    def _stake(self) -> int | None:
        """The unit of all values, in cents: the base wager, or the largest insurance wager."""
        base = self.coached.hand.base
        return base if base is None or not self.coached.insurance else maximum_insurance(base)


Asked = Literal["decision", "insurance", "blackjack"]
_ASKED: dict[PromptType, Asked] = {
    PromptType.DECISION: "decision",
    PromptType.INSURANCE: "insurance",
    PromptType.BLACKJACK: "blackjack",
    PromptType.CHECKED_BLACKJACK: "blackjack",
}


class ChoiceCost(TypedDict):
    action: str
    cost: float
    cents: int | None
    sentence: str


class AdviceData(TypedDict):
    cards: list[int]
    up: int
    asks: Asked
    shoe: ValuedData
    fresh: ValuedData
    done: ChoiceCost | None


def _cost_sentence(chosen: Choice, choices: Sequence[Choice], cents: int | None) -> str:
    best = choices[0]
    if chosen.action == best.action:
        return f"{chosen.action.capitalize()} was the best choice."
    amount = "" if cents is None else f", {money_text(cents)} on average"
    share = shares_of(choice.ev for choice in choices)
    return (
        f"{chosen.action.capitalize()} gives away {share(chosen.cost)} per $1{amount}; "
        f"{best.action} was best."
    )


def value_choices(hand: ParsedHand, asks: PromptType = PromptType.DECISION) -> Valuation:
    """Value the choices for one shoe; worker processes run this part."""
    if asks is PromptType.DECISION:
        return value_of_hand(hand)
    if asks is PromptType.INSURANCE:
        return value_of_insurance(hand)
    return value_of_blackjack(hand, checked=asks is PromptType.CHECKED_BLACKJACK)


def advise(coached: HandContext) -> Advice:
    """Value the choices for both shoes in this process."""
    shoe = value_choices(coached.hand, coached.asks)
    return Advice(coached, shoe, value_choices(coached.fresh_hand, coached.asks))


# --- Categories of decisions ---

MANY = 4  # number of cards from which a five-card 21 is possible
NEAR = 0.1  # in base wagers; surrender is worth considering if it is this close to the best choice
_FACE = 10


class DecisionCategory(StrEnum):
    """Decision categories, in matching order: the first that fits applies."""

    INSURANCE = "insurance"
    BLACKJACK = "blackjack"  # paid or kept for doubling; reviewed, not drilled
    AFTER_SPLIT = "after_split"
    AFTER_DOUBLE = "after_double"
    SURRENDER = "surrender"
    PAIR = "pair"
    MANY_CARDS = "many_cards"
    BONUS_DRAW = "bonus_draw"
    SOFT = "soft"
    HARD = "hard"


DRILLED = tuple(kind for kind in DecisionCategory if kind is not DecisionCategory.BLACKJACK)
_BY_SHAPE = (
    DecisionCategory.INSURANCE,
    DecisionCategory.BLACKJACK,
    DecisionCategory.AFTER_SPLIT,
    DecisionCategory.AFTER_DOUBLE,
)


def category_of(coached: HandContext, valued: Valuation) -> DecisionCategory:
    """The category of a decision; the values decide whether surrender is a real option."""
    shape = shape_of(coached)
    if shape in _BY_SHAPE:
        return shape
    if any(
        choice.action == ACTION_NAMES[SURRENDER] and choice.cost <= NEAR
        for choice in valued.choices
    ):
        return DecisionCategory.SURRENDER
    return shape


def shape_of(coached: HandContext) -> DecisionCategory:
    """The category based only on the cards."""
    hand = coached.hand
    if coached.asks is not PromptType.DECISION:
        return DecisionCategory.INSURANCE if coached.insurance else DecisionCategory.BLACKJACK
    if hand.hands > 1:
        return DecisionCategory.AFTER_SPLIT
    if hand.doublings:
        return DecisionCategory.AFTER_DOUBLE
    if _may_split(hand):
        return DecisionCategory.PAIR
    if len(hand.cards) >= MANY:
        return DecisionCategory.MANY_CARDS
    if has_bonus_draw(hand):
        return DecisionCategory.BONUS_DRAW
    return DecisionCategory.SOFT if _is_soft(hand_of(hand.cards)) else DecisionCategory.HARD


def _is_soft(hand: Hand) -> bool:
    return is_soft(hand.hard, hand.aces)


def _may_split(hand: ParsedHand) -> bool:
    return refusal(compile_rules(hand.rules), SPLIT, hand_of(hand.cards), hand.hands) == LEGAL


def has_bonus_draw(parsed: ParsedHand) -> bool:
    """Whether the next card can make a 21 that pays more than even money, such as 6-7-8."""
    table, hand = compile_rules(parsed.rules), hand_of(parsed.cards)
    return any(
        parsed.unseen[card] and pays_bonus(table, add_card(hand, card)) for card in range(CARDS)
    )


def item_of(coached: HandContext) -> str:
    """The hand's class: `14 v 4`, `soft 17 v 6`, `8-8 v 9`."""
    parsed = coached.hand
    up = _value_name(parsed.up)
    if coached.asks is not PromptType.DECISION:
        return "insurance" if coached.insurance else f"blackjack v {up}"
    hand = hand_of(parsed.cards)
    name = f"{'soft ' if _is_soft(hand) else ''}{best_total(hand.hard, hand.aces)}"
    if parsed.doublings:
        name = f"{name} doubled {parsed.doublings}"
    elif _may_split(parsed):
        name = f"{_value_name(parsed.cards[0])}-{_value_name(parsed.cards[1])}"
    elif len(parsed.cards) >= MANY:
        name = f"{name} in {len(parsed.cards)} cards"
    elif has_bonus_draw(parsed):
        name = "-".join(sorted(_value_name(card) for card in parsed.cards)) + " draw"
    if parsed.hands > 1:
        name = f"{name} of a split"
    return f"{name} v {up}"


def _value_name(card: int) -> str:
    return "face" if value_of(card) == _FACE else RANKS[rank_of(card) - 1]


@dataclass(frozen=True, slots=True)
class CellAddress:
    """Position of the hand in a chart: section, row and the up card's column."""

    section: str  # hard, soft, pairs; doubled.hard etc.
    row: int
    column: int

    def as_data(self) -> CellData:
        return {"section": self.section, "row": str(self.row), "column": self.column}


class CellData(TypedDict):
    section: str
    row: str
    column: int


def cell_of(parsed: ParsedHand) -> CellAddress:
    hand, up = hand_of(parsed.cards), value_of(parsed.up)
    column = len(UP_CARDS) - 1 if up == ACE else up - 2
    if not parsed.doublings and _may_split(parsed):
        return CellAddress("pairs", value_of(parsed.cards[0]), column)
    section = "soft" if _is_soft(hand) else "hard"
    if parsed.doublings:
        section = f"{DOUBLED_SECTIONS[parsed.doublings - 1]}.{section}"
    return CellAddress(section, best_total(hand.hard, hand.aces), column)


# --- Labels ---

AGAINST = " v "
_TIMES = {"1": "once", "2": "twice", "3": "three times"}
_DOUBLED = re.compile(r" doubled (\d)$")
_MANY = re.compile(r" in (\d+) cards$")
_TOTAL = re.compile(r"(soft )?\d+")
_PAIR = re.compile(r"(\w+)-(\1)")
_SPLIT, _DRAW = " of a split", " draw"


@dataclass(frozen=True, slots=True)
class ItemLabel:
    """The player's hand and the dealer's up card, in words."""

    hand: str
    up: str  # up card with its article

    @property
    def full_text(self) -> str:
        return f"{self.hand}{',' if ',' in self.hand else ''} against {self.up}"


def item_label(item: str, pack: Pack) -> ItemLabel:
    """Label for an item from `item_of`; insurance is offered only against an ace."""
    name, _, up = item.partition(AGAINST)
    return ItemLabel(_hand_label(name, pack), _up_label(up or "A", pack))


def shape_of_item(item: str) -> DecisionCategory:
    """The category based only on the cards, for an item from `item_of`."""
    name, _, _ = item.partition(AGAINST)
    if name in ("insurance", "blackjack"):
        return DecisionCategory(name)
    if name.endswith(_SPLIT):
        return DecisionCategory.AFTER_SPLIT
    if _DOUBLED.search(name):
        return DecisionCategory.AFTER_DOUBLE
    if _PAIR.fullmatch(name):
        return DecisionCategory.PAIR
    if _MANY.search(name):
        return DecisionCategory.MANY_CARDS
    if name.endswith(_DRAW):
        return DecisionCategory.BONUS_DRAW
    return DecisionCategory.SOFT if name.startswith("soft") else DecisionCategory.HARD


def _hand_label(name: str, pack: Pack) -> str:
    more = []
    if name.endswith(_SPLIT):
        name = name.removesuffix(_SPLIT)
        more.append("after a split")
    if found := _DOUBLED.search(name):
        name = name[: found.start()]
        more.insert(0, f"doubled {_TIMES[found[1]]}")
    if found := _MANY.search(name):
        name = name[: found.start()]
        more.insert(0, f"{found[1]} cards")
    if name.endswith(_DRAW):
        name = name.removesuffix(_DRAW).replace("face", _ten(pack))
        more.insert(0, "one card short of a bonus")
    elif found := _PAIR.fullmatch(name):
        name = _pair_label(found[1], pack)
    elif _TOTAL.fullmatch(name) and not name.startswith("soft"):
        name = f"hard {name}"
    return ", ".join([name, *more])


def _ten(pack: Pack) -> str:
    """Name of a ten-valued card; a Spanish pack has no tens (R-007)."""
    return "face" if pack is Pack.SPANISH else "ten"


def _pair_label(rank: str, pack: Pack) -> str:
    if rank == "face":
        return "two face cards" if pack is Pack.SPANISH else "two ten-valued cards"
    return "a pair of aces" if rank == "A" else f"a pair of {rank}s"


def _up_label(rank: str, pack: Pack) -> str:
    if rank == "face":
        return "a face card" if pack is Pack.SPANISH else "a ten-valued card"
    if rank == "A":
        return "an ace"
    return f"an {rank}" if rank == "8" else f"a {rank}"
