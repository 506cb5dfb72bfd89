"""Shoes for tests that don't depend on specific cards."""

from __future__ import annotations

import random

from ventiuna.cards import RANKS
from ventiuna.core.cards import SUITS, card_of
from ventiuna.rules import Rules


def plain_cards(rules: Rules) -> list[int]:
    """Arrange nines and faces first, as long as they last.

    Every hand totals 18 to 20 and needs one decision, and the dealer never draws.
    """
    cards = [
        card_of(RANKS.index(rank) + 1, suit)
        for rank in "9JQK"
        for suit in range(SUITS)
        for _ in range(rules.decks)
    ]
    random.Random(21).shuffle(cards)
    return cards
