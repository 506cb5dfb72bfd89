"""Cards and packs: card notation such as `7s`, and the 48-card and 52-card packs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from ventiuna.core.cards import CARDS, TEN, card_of, rank_of, suit_of
from ventiuna.errors import VentiunaError

RANKS = "A23456789TJQK"
SUITS = "cdhs"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
SUIT_SIGNS = "♣♦♥♠"
RANK_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king"),
)

_CODES = {
    letter + sign: card_of(rank, suit)
    for rank, letter in enumerate(RANKS, start=1)
    for suit, sign in enumerate(SUITS)
}
_SUIT_OF_SIGN = str.maketrans(SUIT_SIGNS + "\u2667\u2662\u2661\u2664", SUITS * 2, "\ufe0e\ufe0f")
_ONE_CARD = re.compile(r"(?:10|[A2-9TJQK])[cdhs]", re.IGNORECASE)
_TEXTS = {code: text for text, code in _CODES.items()}


class CardError(VentiunaError, ValueError):
    """The text isn't a card, or the card isn't in the pack."""


class Pack(StrEnum):
    """The cards in one deck."""

    SPANISH = "spanish"  # 48 cards: no tens, no jokers
    STANDARD = "standard"  # 52 cards

    @property
    def cards(self) -> tuple[int, ...]:
        return _PACKS[self]


_PACKS = {
    Pack.SPANISH: tuple(card for card in range(CARDS) if rank_of(card) != TEN),
    Pack.STANDARD: tuple(range(CARDS)),
}


def parse_card(text: str) -> int:
    """Parse a card written as rank and suit: `7s`, `Kh`, `Ad`, `Tc`, or `7♠`.

    >>> parse_card("7s")
    27
    """
    if not isinstance(text, str):
        raise CardError(f"a card must be a string such as 7s or Kh, not a {type(text).__name__}")
    stripped = text.strip().translate(_SUIT_OF_SIGN)
    normal = (stripped[:-1].upper().replace("10", "T") + stripped[-1:].lower()) if stripped else ""
    if normal not in _CODES:
        raise CardError(
            f"{text[:20]!r} isn't a card: write a rank (A 2-9 T J Q K) and a suit (c d h s), "
            "such as 7s or Kh"
        )
    return _CODES[normal]


def parse_cards(text: str) -> tuple[int, ...]:
    """Parse cards, with or without spaces between them.

    >>> parse_cards("5c 6d") == parse_cards("5c6d")
    True
    """
    if not isinstance(text, str):
        raise CardError("cards must be a string such as 5c 6d")
    return tuple(parse_card(card) for word in text.split() for card in _split_cards(word))


def _split_cards(word: str) -> list[str]:
    """Split `5c6d` into cards; return an invalid word unchanged, for the error message."""
    plain = word.translate(_SUIT_OF_SIGN)
    cards = _ONE_CARD.findall(plain)
    return cards if "".join(cards) == plain else [word]


def card_text(card: int) -> str:
    """
    >>> card_text(27)
    '7s'
    """
    try:
        return _TEXTS[card]
    except (KeyError, TypeError):  # not a valid card number, or not a number at all
        raise CardError("a card must be a number from 0 to 51, as returned by parse_card") from None


def cards_text(cards: Iterable[int]) -> str:
    return " ".join(map(card_text, cards))


def card_sign(card: int) -> str:
    """The card with its suit symbol, such as `7♠`."""
    return RANKS[rank_of(card) - 1] + SUIT_SIGNS[suit_of(card)]


def card_words(card: int) -> str:
    """
    >>> card_words(27)
    'seven of spades'
    """
    return f"{RANK_NAMES[rank_of(card) - 1]} of {SUIT_NAMES[suit_of(card)]}"


def new_shoe(pack: Pack, decks: int) -> list[int]:
    """Return all cards of an unshuffled shoe."""
    return list(pack.cards) * decks
