"""How often a player, the dealer or both are dealt a blackjack."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ventiuna.analysis.composition import Basis, Composition, basis_of, usable_composition
from ventiuna.analysis.exact import exact_data, one_in_text, orders, percent_text
from ventiuna.analysis.frames import Framed, Row
from ventiuna.analysis.notebook import html_table
from ventiuna.analysis.side_bets.insurance import makes_blackjack
from ventiuna.core.cards import ACE, CARDS, DIAMONDS, rank_of, suit_of
from ventiuna.rules.model import Rules

HAND_CARDS = 2


@dataclass(frozen=True, slots=True)
class BlackjackFrequencies(Framed):
    """Chances before a round is dealt."""

    main_table = "chances"

    basis: Basis
    player: Fraction
    dealer: Fraction
    both: Fraction
    player_diamonds: Fraction  # both cards diamonds
    both_player_diamonds: Fraction  # and the dealer a blackjack of any suits
    ace_up: Fraction
    dealer_with_ace_up: Fraction  # ace up and blackjack

    @property
    def player_alone(self) -> Fraction:
        return self.player - self.both

    @property
    def dealer_alone(self) -> Fraction:
        return self.dealer - self.both

    @property
    def neither(self) -> Fraction:
        return 1 - self.player - self.dealer + self.both

    @property
    def dealer_given_ace_up(self) -> Fraction:
        return self.dealer_with_ace_up / self.ace_up if self.ace_up else Fraction()

    def rows(self) -> list[Row]:
        return [
            {"event": words, "probability": float(chance)} for _, words, chance in self.chances()
        ]

    def chances(self) -> list[tuple[str, str, Fraction]]:
        """Key, words and chance."""
        return [
            ("player", "player has blackjack", self.player),
            ("player_diamonds", "player has blackjack in diamonds", self.player_diamonds),
            ("dealer", "dealer has blackjack", self.dealer),
            ("both", "both have blackjack", self.both),
            ("both_player_diamonds", "both, the player's in diamonds", self.both_player_diamonds),
            ("player_alone", "the player alone", self.player_alone),
            ("dealer_alone", "the dealer alone", self.dealer_alone),
            ("ace_up", "the up card is an ace", self.ace_up),
            ("dealer_given_ace_up", "dealer's blackjack, ace up", self.dealer_given_ace_up),
        ]

    def as_data(self) -> dict[str, object]:
        chances: dict[str, object] = {key: exact_data(chance) for key, _, chance in self.chances()}
        return {**self.basis.as_data(), **chances}

    def _repr_html_(self) -> str:
        caption = f"Blackjacks, {self.basis.rules} ({self.basis.shoe_text})"
        rows = [
            [words, percent_text(chance, 6), one_in_text(chance)]
            for _, words, chance in self.chances()
        ]
        return html_table(caption, ["", "probability", "one in"], rows)


def blackjack_frequencies(
    rules: Rules, composition: Composition | None = None
) -> BlackjackFrequencies:
    """Blackjacks of one player and the dealer.

    >>> from ventiuna.rules import load_rules
    >>> blackjack_frequencies(load_rules("wsgc-2021")).player
    Fraction(12, 287)
    """
    known = usable_composition(rules, composition, 2 * HAND_CARDS)
    cards = sum(known)
    pairs = _blackjack_pairs(known)
    two, four = orders(cards, HAND_CARDS), orders(cards, 2 * HAND_CARDS)
    diamonds = {pair: ways for pair, ways in pairs.items() if _is_diamonds(*pair)}
    aces = sum(count for card, count in enumerate(known) if rank_of(card) == ACE)
    ace_first = sum(ways for (up, _), ways in pairs.items() if rank_of(up) == ACE)
    any_blackjack = Fraction(sum(pairs.values()), two)
    return BlackjackFrequencies(
        basis_of(rules, known),
        any_blackjack,
        any_blackjack,
        Fraction(_ways_of_both(known, pairs, pairs), four),
        Fraction(sum(diamonds.values()), two),
        Fraction(_ways_of_both(known, diamonds, pairs), four),
        Fraction(aces, cards),
        Fraction(ace_first, two),
    )


def _is_diamonds(one: int, other: int) -> bool:
    return suit_of(one) == DIAMONDS and suit_of(other) == DIAMONDS


@lru_cache(maxsize=64)
def _blackjack_pairs(composition: Composition) -> dict[tuple[int, int], int]:
    """Ordered pairs of cards that are a blackjack, with the ways to be dealt them."""
    return {
        (one, other): composition[one] * composition[other]
        for one in range(CARDS)
        for other in range(CARDS)
        if composition[one] and composition[other] and makes_blackjack(one, other)
    }


def _ways_of_both(
    composition: Composition,
    player: dict[tuple[int, int], int],
    dealer: dict[tuple[int, int], int],
) -> int:
    """Ways to deal the player one of these pairs and the dealer one of those."""
    ways = 0
    for (first, second), player_ways in player.items():
        for up, down in dealer:
            left_up = composition[up] - (up in (first, second))
            left_down = composition[down] - (down in (first, second))
            ways += player_ways * left_up * left_down
    return ways
