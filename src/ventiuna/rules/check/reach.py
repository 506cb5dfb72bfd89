"""Which hands can come at all: a row that no hand fits pays nobody."""

from __future__ import annotations

from collections import Counter
from functools import cache

from ventiuna.cards import SUIT_NAMES, Pack
from ventiuna.core.cards import TEN, rank_of
from ventiuna.core.hand import best_total
from ventiuna.rules.model import PayRow

_SUITS = 4
_MOST_DECKS = 8
_MOST_TOTAL = 21


def wrong_part(row: PayRow, pack: Pack) -> str:
    """What keeps the row from ever being paid, with any number of decks; "" if nothing does."""
    if pack == Pack.SPANISH and TEN in row.ranks:
        return "the Spanish pack has no tens"
    named = named_suits(row.suits)
    if len(named) > row.cards[1]:
        return f"{row.cards[1]} cards can't have {len(named)} suits"
    if not can_come(row, pack, _MOST_DECKS):
        if row.ranks:
            return f"its ranks make {rank_total(row.ranks)}"
        return "no such number of cards makes such a total"
    return ""


def can_come(row: PayRow, pack: Pack, decks: int) -> bool:
    """May a hand from this many decks fit the row?"""
    if row.ranks:
        fits = row.total[0] <= rank_total(row.ranks) <= row.total[1]
        return fits and has_copies(row.ranks, row.suits, decks)
    return any(
        row.cards[0] <= cards <= row.cards[1] and row.total[0] <= total <= row.total[1]
        for cards, total in _hands(pack, decks)
    )


def has_copies(ranks: tuple[int, ...], suits: str, decks: int) -> bool:
    """Have so many decks enough cards of each rank in these suits?"""
    return max(Counter(ranks).values()) <= decks * _suits_of(suits)


def rank_total(ranks: tuple[int, ...]) -> int:
    return best_total(sum(min(rank, TEN) for rank in ranks), ranks.count(1))


def named_suits(suits: str) -> tuple[str, ...]:
    return tuple(word for word in suits.split(" ") if word in SUIT_NAMES)


def _suits_of(suits: str) -> int:
    """How many suits the cards of a row are of, at most."""
    return _SUITS if suits == "any" else len(named_suits(suits)) or 1


@cache
def _hands(pack: Pack, decks: int) -> frozenset[tuple[int, int]]:
    """Number of cards and best total of every hand that is not above 21."""
    found = {(0, 0, 0)}  # cards, hard total, aces
    for rank in sorted({rank_of(card) for card in pack.cards}):
        value, is_ace = min(rank, TEN), rank == 1
        found = {
            (cards + more, hard + more * value, aces + more * is_ace)
            for cards, hard, aces in found
            for more in range(min(_SUITS * decks, (_MOST_TOTAL - hard) // value) + 1)
        }
    return frozenset((cards, best_total(hard, aces)) for cards, hard, aces in found)
