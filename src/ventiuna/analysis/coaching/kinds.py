"""Kinds of decisions, as people practise them and as a review counts them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ventiuna.analysis.base_game.why import hand_of, pays_bonus
from ventiuna.analysis.coaching.advice import Asks, Coached, Valued
from ventiuna.analysis.questions.hand import AskedHand
from ventiuna.cards import RANKS
from ventiuna.core.actions import ACTION_NAMES, SPLIT, SURRENDER, refusal
from ventiuna.core.cards import ACE, CARDS, rank_of, value_of
from ventiuna.core.hand import Hand, add_card, best_total, is_soft
from ventiuna.core.refusals import LEGAL
from ventiuna.rules import compile_rules
from ventiuna.strategy.chart import DOUBLED_SECTIONS, UPS

MANY = 4  # cards: the next one may make a five-card 21
NEAR = 0.1  # base wagers: surrender is a thought worth having
_FACE = 10


class Kind(StrEnum):
    """In the order in which a decision is sorted: the first that fits."""

    INSURANCE = "insurance"
    BLACKJACK = "blackjack"  # paid or kept: reviewed, not drilled
    AFTER_SPLIT = "after_split"
    AFTER_DOUBLE = "after_double"
    SURRENDER = "surrender"
    PAIR = "pair"
    MANY_CARDS = "many_cards"
    BONUS_DRAW = "bonus_draw"
    SOFT = "soft"
    HARD = "hard"


DRILLED = tuple(kind for kind in Kind if kind is not Kind.BLACKJACK)
_BY_SHAPE = (Kind.INSURANCE, Kind.BLACKJACK, Kind.AFTER_SPLIT, Kind.AFTER_DOUBLE)


def kind_of(coached: Coached, valued: Valued) -> Kind:
    """What is practised with this decision: the values tell whether surrender is a question."""
    shape = shape_of(coached)
    if shape in _BY_SHAPE:
        return shape
    if any(one.action == ACTION_NAMES[SURRENDER] and one.cost <= NEAR for one in valued.choices):
        return Kind.SURRENDER
    return shape


def shape_of(coached: Coached) -> Kind:
    """The kind as its cards alone tell it."""
    asked = coached.hand
    if coached.asks is not Asks.DECISION:
        return Kind.INSURANCE if coached.insurance else Kind.BLACKJACK
    if asked.hands > 1:
        return Kind.AFTER_SPLIT
    if asked.doublings:
        return Kind.AFTER_DOUBLE
    if _may_split(asked):
        return Kind.PAIR
    if len(asked.cards) >= MANY:
        return Kind.MANY_CARDS
    if has_bonus_draw(asked):
        return Kind.BONUS_DRAW
    return Kind.SOFT if _is_soft(hand_of(asked.cards)) else Kind.HARD


def _is_soft(hand: Hand) -> bool:
    return is_soft(hand.hard, hand.aces)


def _may_split(asked: AskedHand) -> bool:
    return refusal(compile_rules(asked.rules), SPLIT, hand_of(asked.cards), asked.hands) == LEGAL


def has_bonus_draw(asked: AskedHand) -> bool:
    """May the next card make a 21 that pays more than even money, such as 6-7-8?"""
    table, hand = compile_rules(asked.rules), hand_of(asked.cards)
    return any(
        asked.unseen[card] and pays_bonus(table, add_card(hand, card)) for card in range(CARDS)
    )


def item_of(coached: Coached) -> str:
    """The class of hands that this one stands for: `14 v 4`, `soft 17 v 6`, `8-8 v 9`."""
    asked = coached.hand
    up = _value_name(asked.up)
    if coached.asks is not Asks.DECISION:
        return "insurance" if coached.insurance else f"blackjack v {up}"
    hand = hand_of(asked.cards)
    name = f"{'soft ' if _is_soft(hand) else ''}{best_total(hand.hard, hand.aces)}"
    if asked.doublings:
        name = f"{name} doubled {asked.doublings}"
    elif _may_split(asked):
        name = f"{_value_name(asked.cards[0])}-{_value_name(asked.cards[1])}"
    elif len(asked.cards) >= MANY:
        name = f"{name} in {len(asked.cards)} cards"
    elif has_bonus_draw(asked):
        name = "-".join(sorted(_value_name(card) for card in asked.cards)) + " draw"
    if asked.hands > 1:
        name = f"{name} of a split"
    return f"{name} v {up}"


def _value_name(card: int) -> str:
    return "face" if value_of(card) == _FACE else RANKS[rank_of(card) - 1]


@dataclass(frozen=True, slots=True)
class CellAddress:
    """Where a chart has the hand: its section, its row and the column of the up card."""

    section: str  # hard, soft, pairs; doubled.hard and so on
    row: int
    column: int

    def as_data(self) -> dict[str, object]:
        return {"section": self.section, "row": str(self.row), "column": self.column}


def cell_of(asked: AskedHand) -> CellAddress:
    hand, up = hand_of(asked.cards), value_of(asked.up)
    column = len(UPS) - 1 if up == ACE else up - 2
    if not asked.doublings and _may_split(asked):
        return CellAddress("pairs", value_of(asked.cards[0]), column)
    section = "soft" if _is_soft(hand) else "hard"
    if asked.doublings:
        section = f"{DOUBLED_SECTIONS[asked.doublings - 1]}.{section}"
    return CellAddress(section, best_total(hand.hard, hand.aces), column)
