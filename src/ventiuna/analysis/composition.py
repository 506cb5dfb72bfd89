"""Compositions: how many of each card are left in the shoe, regardless of order.

A composition is a tuple of 52 counts by card (see `ventiuna.core.cards`), so it can be a cache key.
Unless a function says otherwise, it includes the up card, the down card and the players' cards.

Deals are enumerated by class, not card by card. The jackpot line that four cards make depends on
matching ranks and suits, and on the cards that the tables name: aces and kings, and the ace and
king of spades (R-087 to R-094). So, given two cards, only the named cards and cards of the same
ranks are distinguished. All others are *strangers*: one class, represented by one card. Pairs with
the same counts that differ only in ranks that no table names are enumerated once and weighted.
Tests check these shortcuts against enumerations of all card orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, NamedTuple

from typing_extensions import TypedDict

from ventiuna.cards import CardError, card_text, new_shoe
from ventiuna.core.cards import CARDS, SUITS, card_of, rank_of, suit_of
from ventiuna.core.side_bets import NAMED_CARDS, NAMED_RANKS
from ventiuna.rules.canonical import canonical, fingerprint
from ventiuna.rules.model import Problem, Rules, RulesError
from ventiuna.rules.options import short_repr

Composition = tuple[int, ...]


def composition_of(cards: Iterable[int]) -> Composition:
    """Count cards into a composition.

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
    """The composition after removing these cards."""
    counts = list(composition)
    for card in cards:
        if counts[card] == 0:
            raise CardError(
                f"card {card_text(card)}: the shoe has {composition[card]} left. Name each card "
                "no more often than it was dealt."
            )
        counts[card] -= 1
    return tuple(counts)


def with_cards(composition: Composition, cards: Iterable[int]) -> Composition:
    """The composition before these cards were removed."""
    counts = list(composition)
    for card in cards:
        counts[card] += 1
    return tuple(counts)


def check_pack(rules: Rules, cards: Iterable[int]) -> None:
    """Reject cards that aren't in the pack."""
    for card in cards:
        if card not in rules.pack.cards:
            pack = rules.pack.capitalize()
            raise CardError(f"card {card_text(card)} isn't in the {pack} pack (R-007). Omit it.")


def usable_composition(rules: Rules, composition: Composition | None, needed: int) -> Composition:
    """The given composition or a fresh one, with enough cards and only from the rules' pack.

    It may have more copies of a card than the decks do, because counting studies use hypothetical
    shoes. `parse_shoe` checks shoes that users describe.
    """
    if composition is None:
        return fresh_composition(rules)
    if (
        type(composition) is not tuple
        or len(composition) != CARDS
        or any(type(n) is not int or n < 0 for n in composition)
    ):
        raise CardError(
            f"composition: must be a tuple of {CARDS} counts of zero or more, one for each card. "
            "Make one with composition_of or without_cards."
        )
    check_pack(rules, (card for card, count in enumerate(composition) if count))
    if sum(composition) < needed:
        raise CardError(
            f"composition: {sum(composition)} cards are left, but this wager needs {needed}. "
            "Shuffle first."
        )
    return composition


def players_problem(rules: Rules, players: int) -> Problem | None:
    """The error if there are no players or more players than seats (O-02); otherwise None."""
    if type(players) is int and 1 <= players <= rules.seats:
        return None
    return Problem(
        "players",
        short_repr(players),
        "O-02",
        f"this table seats 1 to {rules.seats} players",
        "Choose a number in that range.",
    )


class BasisData(TypedDict):
    """The rules and the shoe of a result, read from its `basis`."""

    rules: Annotated[str, attrgetter("basis.rules")]
    fingerprint: Annotated[str, attrgetter("basis.fingerprint")]
    cards: Annotated[int, attrgetter("basis.cards")]
    fresh_shoe: Annotated[bool, attrgetter("basis.fresh")]


class Basis(NamedTuple):
    """The rules and the shoe on which a result is based."""

    rules: str  # canonical
    fingerprint: str
    cards: int  # number of cards in the composition
    fresh: bool  # a new shoe

    @property
    def shoe_text(self) -> str:
        return f"fresh shoe, {self.cards} cards" if self.fresh else f"{self.cards} cards left"

    def __repr__(self) -> str:
        return f"<{self.rules}, {self.shoe_text}>"

    def as_data(self) -> BasisData:
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


# --- Too few cards ---


class EmptyShoe(CardError):
    """The shoe may run out of cards."""

    def __init__(self, cards: int) -> None:
        super().__init__(
            f"composition: with {cards} cards, the shoe may run out during a round. "
            "Use a composition with more cards."
        )


# --- How split hands are played ---


class SplitPlay(StrEnum):
    """How split hands are played. Either way, pairs are resplit whenever allowed."""

    AS_UNSPLIT = "as_unsplit"
    """Cards are played as if they hadn't come from a split (known as CDZ-). If that isn't allowed
    for a split hand, it takes the next best action."""

    REOPTIMISED = "reoptimised"
    """Best play of the split hand by its own cards, with one more pair card removed (CDP1)."""

    @property
    def text(self) -> str:
        return _SPLIT_PLAY_TEXTS[self]


_SPLIT_PLAY_TEXTS = {
    SplitPlay.AS_UNSPLIT: "split hands played as the same cards unsplit (CDZ-)",
    SplitPlay.REOPTIMISED: "split hands re-optimized with one more pair card removed (CDP1)",
}


def coerce_split_play(split_play: SplitPlay | str) -> SplitPlay:
    """Convert the name of a `SplitPlay`; a `SplitPlay` is returned as is."""
    try:
        return SplitPlay(split_play)
    except ValueError:
        names = " or ".join(SplitPlay)
        problem = Problem(
            "split_play", short_repr(split_play), "", f"must be {names}", "Choose one."
        )
        raise RulesError([problem]) from None


# --- Deals by equivalence class ---


class CardGroup(NamedTuple):
    """Cards that are equivalent, given a pair."""

    card: int  # a representative
    left: int  # number of cards left


class PairClass(NamedTuple):
    """Equivalent ordered pairs of cards, with one representative."""

    ways: int  # ordered pairs of physical cards in the class
    one: int
    other: int
    kinds: tuple[CardGroup, ...]  # groups of the remaining cards, none of them empty


def cards_of_rank(card: int) -> range:
    """The four cards of this card's rank."""
    lowest = card_of(rank_of(card), 0)
    return range(lowest, lowest + SUITS)


def card_groups_beside(composition: Composition, one: int, other: int) -> tuple[CardGroup, ...]:
    """The cards left after these two are dealt, in groups, with strangers last."""
    known = sorted({*cards_of_rank(one), *cards_of_rank(other), *NAMED_CARDS})
    removed = {card: (one == card) + (other == card) for card in known}
    kinds = [CardGroup(card, composition[card] - removed[card]) for card in known]
    strangers = [card for card in range(CARDS) if card not in removed and composition[card]]
    if strangers:
        kinds.append(CardGroup(strangers[0], sum(composition[card] for card in strangers)))
    return tuple(kind for kind in kinds if kind.left)


@lru_cache(maxsize=32)
def pair_classes(composition: Composition) -> tuple[PairClass, ...]:
    """All ordered pairs of cards, in classes; the ways add up to the total for two cards."""
    found: dict[tuple[object, ...], tuple[int, int, int]] = {}
    for one, other, ways in _ordered_pairs(composition):
        key = _class_key(composition, one, other)
        so_far = found[key][0] if key in found else 0
        found[key] = (so_far + ways, one, other)
    return tuple(
        PairClass(ways, one, other, card_groups_beside(composition, one, other))
        for ways, one, other in found.values()
    )


def _ordered_pairs(composition: Composition) -> Iterator[tuple[int, int, int]]:
    """Two cards and the number of ways to deal them in this order."""
    for item in range(CARDS):
        for other in range(CARDS):
            ways = composition[item] * (composition[other] - (item == other))
            if ways:
                yield item, other, ways


def _class_key(composition: Composition, one: int, other: int) -> tuple[object, ...]:
    """Key shared by pairs with the same suits and counts whose ranks no table distinguishes."""
    first, second = rank_of(one), rank_of(other)
    return (
        first if first in NAMED_RANKS else 0,
        second if second in NAMED_RANKS else 0,
        first == second,
        suit_of(one),
        suit_of(other),
        tuple(composition[card] for card in cards_of_rank(one)),
        tuple(composition[card] for card in cards_of_rank(other)),
    )


class Deal(NamedTuple):
    ways: int
    first: int
    second: int
    up: int
    down: int


@lru_cache(maxsize=8)
def deals(composition: Composition) -> tuple[Deal, ...]:
    """All deals of the player's two cards, the up card and the down card, in classes."""
    found = []
    for pair in pair_classes(composition):
        for up in pair.kinds:
            for down in pair.kinds:
                ways = pair.ways * up.left * (down.left - (up.card == down.card))
                if ways:
                    found.append(Deal(ways, pair.one, pair.other, up.card, down.card))
    return tuple(found)
