"""Rounds that a lesson wants to come up, written as patterns of cards.

A pattern is a rank and a suit. Rank: `A 2-9 T J Q K`, `F` for any card that counts ten, `m` and `n`
for a rank from 2 to 9 that stays the same within the script. Suit: `c d h s`, `*` for any, `x y z`
for a suit that stays the same within the script, each another. So `7x 7x` are two sevens of one
suit, and against `7y` they are a start to the Super Bonus.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from ventiuna.cards import SUITS, card_text
from ventiuna.records import record

RANK_VARIABLES = "mn"
SUIT_VARIABLES = "xyz"
PLAIN_RANKS = "23456789"
TENS = "TJQK"
ANY_DEALER = "m* 8*"  # nothing special: no blackjack to look for


@record(frozen=True, slots=True)
class Hand:
    """The cards that a spot gets, in their order, and what its player does, in its order."""

    cards: str
    acts: tuple[str, ...] = ()  # hit, stand, double, double:half, keep, insure, rescue …
    base: int = 0  # dollars; 0: any
    wagers: tuple[str, ...] = ()  # that must lie there: up, down, b1 …, j1, j2


@record(frozen=True, slots=True)
class Script:
    """Something that is to be seen: its cards, and the rules that show that it came up."""

    title: str
    hands: tuple[Hand, ...]
    dealer: str = ANY_DEALER  # up card, down card, cards drawn
    bonus_cards: str = ""
    shows: tuple[str, ...] = ()  # rules, reasons or kinds of steps by which it is known
    needs: tuple[str, ...] = ()  # that the rules offer (`offers.py`)


class Pile:
    """The cards of a shoe, from which patterns are picked and other cards drawn by chance."""

    def __init__(self, cards: Iterable[int], chance: random.Random) -> None:
        self._cards = list(cards)
        self._chance = chance
        chance.shuffle(self._cards)

    def draw(self) -> int | None:
        return self._cards.pop() if self._cards else None

    def put_back(self, cards: Iterable[int]) -> None:
        """Cards that were taken off the table, shuffled, for when no other card is left."""
        again = list(cards)
        self._chance.shuffle(again)
        self._cards = again + self._cards

    def pick(self, fitting: set[str]) -> int | None:
        """Any of the cards that are written like this; None where none is left."""
        for place in range(len(self._cards) - 1, -1, -1):
            if card_text(self._cards[place]) in fitting:
                return self._cards.pop(place)
        return None


class Patterns:
    """What the letters of one script stand for."""

    def __init__(self, chance: random.Random) -> None:
        ranks = chance.sample(PLAIN_RANKS, len(RANK_VARIABLES))
        suits = chance.sample(SUITS, len(SUIT_VARIABLES))
        self._ranks = dict(zip(RANK_VARIABLES, ranks, strict=True))
        self._suits = dict(zip(SUIT_VARIABLES, suits, strict=True))

    def cards(self, text: str, pile: Pile) -> list[int]:
        """A card for each pattern, as long as the pile has them."""
        picked = []
        for pattern in text.split():
            card = pile.pick(self.fitting(pattern))
            if card is None:
                break
            picked.append(card)
        return picked

    def fitting(self, pattern: str) -> set[str]:
        """All cards that a pattern may stand for, as texts."""
        rank, suit = pattern[0], pattern[1]
        rank = self._ranks.get(rank, rank)
        suit = self._suits.get(suit, suit)
        ranks = TENS if rank == "F" else rank
        return {r + s for r in ranks for s in (SUITS if suit == "*" else suit)}
