"""A shoe in words: what is left of it, or what is gone."""

from __future__ import annotations

from collections.abc import Sequence

from ventiuna.analysis.composition import (
    Composition,
    check_pack,
    fresh_composition,
    without_cards,
)
from ventiuna.analysis.given import card_codes
from ventiuna.cards import RANKS, SUITS, CardError, Pack, card_text, parse_card
from ventiuna.core.cards import CARDS, card_of, rank_of
from ventiuna.rules.model import Rules
from ventiuna.texts import counted


def shoe_of(
    rules: Rules, gone: Sequence[int] | str, left: str = "", seen: Sequence[int] = ()
) -> Composition:
    """The shoe that the user described: what is left of it, less the cards that are gone.

    Cards that are `seen` lie on the table: they are out of a fresh shoe, and are not among what
    is said to be left.
    """
    check_pack(rules, seen)
    if not left:
        return without_cards(without_cards(fresh_composition(rules), card_codes(gone)), seen)
    shoe = _read_shoe(left)
    check_pack(rules, (card for card, count in enumerate(shoe) if count))
    _check_decks(rules, shoe, seen)
    return without_cards(shoe, card_codes(gone))


def _check_decks(rules: Rules, shoe: Composition, seen: Sequence[int]) -> None:
    """Refuse more of a card than the decks have (R-008, R-103)."""
    for card, count in enumerate(shoe):
        on_table = seen.count(card)
        if count + on_table > rules.decks:
            name, named, held = _as_it_was_named(rules, shoe, card, on_table)
            decks = f"{counted(rules.decks, 'deck')} of the {rules.pack} pack"
            verb = "has" if rules.decks == 1 else "have"
            lying = f", {on_table} of them on the table" if on_table else ""
            rule = "R-007, R-008" if rules.pack is Pack.SPANISH else "R-103"
            raise CardError(
                f"shoe {name}:{named}: {decks} {verb} {held} of {name}{lying} ({rule}). "
                f"Name {held - on_table} at most."
            )


def _as_it_was_named(
    rules: Rules, shoe: Composition, card: int, on_table: int
) -> tuple[str, int, int]:
    """The card, or its rank where all suits are alike; how many of it, and how many there are."""
    rank = rank_of(card)
    suits = [shoe[card_of(rank, suit)] for suit in range(len(SUITS))]
    if len(set(suits)) == 1 and not on_table:
        return RANKS[rank - 1], sum(suits), rules.decks * len(SUITS)
    return card_text(card), shoe[card], rules.decks


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
