"""Shoes for tests that are about something else than the cards."""

from __future__ import annotations

import random

from ventiuna.cards import RANKS
from ventiuna.core.cards import SUITS, card_of
from ventiuna.rules import Rules


def plain_cards(rules: Rules) -> list[int]:
    """Nines and faces as far as they go: every hand has 18 to 20, is asked once, and the dealer
    draws nothing."""
    cards = [
        card_of(RANKS.index(rank) + 1, suit)
        for rank in "9JQK"
        for suit in range(SUITS)
        for _ in range(rules.decks)
    ]
    random.Random(21).shuffle(cards)
    return cards
