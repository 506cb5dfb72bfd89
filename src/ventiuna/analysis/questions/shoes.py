"""A shoe in words: what is left of it, or what is gone."""

from __future__ import annotations

from ventiuna.analysis.composition import Composition, fresh_composition, without_cards
from ventiuna.cards import RANKS, SUITS, CardError, parse_card, parse_cards
from ventiuna.core.cards import CARDS, card_of
from ventiuna.rules.model import Rules


def shoe_of(rules: Rules, gone: str, left: str = "") -> Composition:
    """The shoe that the user described: what is left of it, less the cards that are gone."""
    shoe = _read_shoe(left) if left else fresh_composition(rules)
    return without_cards(shoe, parse_cards(gone))


def _read_shoe(text: str) -> Composition:
    """`7s:3 K:12 2:20`, separated by spaces or commas."""
    counts = [0] * CARDS
    for word in text.replace(",", " ").split():
        name, _, number = word.partition(":")
        if not number.isdecimal() or len(number) > 4:
            raise CardError(f"shoe {word[:40]!r}: write a card or rank and how many, such as 7s:3")
        for card, count in _shared_out(name, int(number)):
            counts[card] += count
    return tuple(counts)


def _shared_out(name: str, count: int) -> list[tuple[int, int]]:
    """A card with its count, or a rank with its count shared out over the suits."""
    rank = RANKS.find(name.upper().replace("10", "T"))
    if rank < 0 or len(name.replace("10", "T")) != 1:
        return [(parse_card(name), count)]
    if count % len(SUITS):
        raise CardError(
            f"shoe {name}:{count}: {count} cards can't be shared out evenly over four suits; "
            f"name the cards, such as {RANKS[rank]}s:{count}"
        )
    return [(card_of(rank + 1, suit), count // len(SUITS)) for suit in range(len(SUITS))]
