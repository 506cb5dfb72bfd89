"""Compositions: how many of each card are left, without their order.

A composition is a tuple of 52 counts by card (see `ventiuna.core.cards`), so it can be the
key of a cache. The up card, the down card and the players' cards are still in it unless a
function says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ventiuna.cards import CardError, card_text, new_shoe
from ventiuna.core.cards import CARDS
from ventiuna.rules.canonical import canonical, fingerprint
from ventiuna.rules.errors import Problem
from ventiuna.rules.model import Rules
from ventiuna.rules.values import shown

Composition = tuple[int, ...]


def composition_of(cards: Iterable[int]) -> Composition:
    """
    >>> sum(composition_of([0, 0, 51]))
    3
    """
    counts = [0] * CARDS
    for card in cards:
        counts[card] += 1
    return tuple(counts)


@lru_cache(maxsize=64)
def fresh_composition(rules: Rules) -> Composition:
    """All cards of a new shoe."""
    return composition_of(new_shoe(rules.pack, rules.decks))


def without_cards(composition: Composition, cards: Iterable[int]) -> Composition:
    """What is left when these cards are gone."""
    counts = list(composition)
    for card in cards:
        if counts[card] == 0:
            raise CardError(
                f"card {card_text(card)}: the shoe has {composition[card]} of it, no more can be "
                "gone. Name each card as often as it was dealt, at most."
            )
        counts[card] -= 1
    return tuple(counts)


def with_cards(composition: Composition, cards: Iterable[int]) -> Composition:
    """The composition before these cards left it."""
    counts = list(composition)
    for card in cards:
        counts[card] += 1
    return tuple(counts)


def check_pack(rules: Rules, cards: Iterable[int]) -> None:
    """Refuse a card that the pack does not have."""
    for card in cards:
        if card not in rules.pack.cards:
            raise CardError(
                f"card {card_text(card)}: the {rules.pack} pack has none (R-007). Leave it out."
            )


def usable_composition(rules: Rules, composition: Composition | None, needed: int) -> Composition:
    """The given composition, or a fresh one, checked: cards of the rules' pack, and enough.

    It may hold more of a card than the decks do: what a count would be worth is studied in shoes
    that nobody deals. A shoe that somebody describes is `analysis.questions.shoes`' to check.
    """
    if composition is None:
        return fresh_composition(rules)
    if (
        type(composition) is not tuple
        or len(composition) != CARDS
        or any(type(n) is not int or n < 0 for n in composition)
    ):
        raise CardError(
            f"composition: it is a tuple of {CARDS} counts of zero or more, one for each card. "
            "Make one with composition_of or without_cards."
        )
    check_pack(rules, (card for card, count in enumerate(composition) if count))
    if sum(composition) < needed:
        raise CardError(
            f"composition: {sum(composition)} cards are left and this wager needs {needed}. "
            "Shuffle first."
        )
    return composition


def players_problem(rules: Rules, players: int) -> Problem | None:
    """More players than the table has seats, or none (O-02)."""
    if type(players) is int and 1 <= players <= rules.seats:
        return None
    return Problem(
        "players",
        shown(players),
        "O-02",
        f"this table seats 1 to {rules.seats} players",
        "Choose a number in that range.",
    )


class Basis(NamedTuple):
    """What a result was worked out for."""

    rules: str  # canonical
    fingerprint: str
    cards: int  # in the composition
    fresh: bool  # a new shoe

    @property
    def shoe_text(self) -> str:
        return f"fresh shoe, {self.cards} cards" if self.fresh else f"{self.cards} cards left"

    def __repr__(self) -> str:
        return f"<{self.rules}, {self.shoe_text}>"

    def as_data(self) -> dict[str, object]:
        return {
            "rules": self.rules,
            "fingerprint": self.fingerprint,
            "cards": self.cards,
            "fresh_shoe": self.fresh,
        }


def basis_of(rules: Rules, composition: Composition) -> Basis:
    fresh = composition == fresh_composition(rules)
    return Basis(*names_of(rules), sum(composition), fresh)


@lru_cache(maxsize=64)
def names_of(rules: Rules) -> tuple[str, str]:
    """Canonical name and fingerprint."""
    return canonical(rules), fingerprint(rules)
