"""A sentence in parts, so that whoever shows it may show its cards in a way of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

from ventiuna.cards import card_sign, card_text, card_words
from ventiuna.core.dealer import is_dealer_blackjack
from ventiuna.core.hand import best_total, is_blackjack, is_soft
from ventiuna.engine.events import Card
from ventiuna.engine.flow import dealer_hand
from ventiuna.engine.state import PlayerHand, RoundState
from ventiuna.rules.words.facts import listed

Cards: TypeAlias = tuple[Card, ...]
Part: TypeAlias = str | Cards


class CardStyle(StrEnum):
    SIGNS = "signs"  # 7♠
    LETTERS = "letters"  # 7s
    WORDS = "words"  # seven of spades


@dataclass(frozen=True, slots=True)
class Sentence:
    """What happened, for people to read."""

    parts: tuple[Part, ...]
    strong: bool = False  # nobody at the table should miss it

    @property
    def has_cards(self) -> bool:
        return len(self.parts) > 1 or not isinstance(self.parts[0], str)

    def text(self, style: CardStyle = CardStyle.SIGNS) -> str:
        if not self.has_cards:
            return str(self.parts[0])
        return "".join(
            [part if isinstance(part, str) else cards_told(part, style) for part in self.parts]
        )


@dataclass(frozen=True, slots=True)
class Payment(Sentence):
    """A wager that is over; a list of payments shows its figures in columns."""

    what: str = ""  # the wager and why it is paid or lost
    net: int = 0
    rule: str = ""


def cards_told(cards: Sequence[Card], style: CardStyle) -> str:
    if style is CardStyle.WORDS:
        return listed([card_words(card) for card in cards])
    write = card_sign if style is CardStyle.SIGNS else card_text
    return " ".join(write(card).replace("T", "10") for card in cards)


def hand_total(hand: PlayerHand) -> str:
    """`14`, `soft 17`, `blackjack`."""
    if is_blackjack(hand.shape):
        return "blackjack"
    return _total(hand.shape.hard, hand.shape.aces)


def dealer_total(state: RoundState) -> str:
    if len(state.dealer) == 2 and is_dealer_blackjack(state.up, state.down):
        return "blackjack"
    return _total(*dealer_hand(state))


@lru_cache(maxsize=1024)
def _total(hard: int, aces: int) -> str:
    total = best_total(hard, aces)
    return f"soft {total}" if is_soft(hard, aces) else str(total)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
