"""How much the edge moves with the cards that are gone: effects of removing one card."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from ventiuna.analysis.base_game.variations import CardGone, shoes_without_one_card
from ventiuna.analysis.composition import Composition
from ventiuna.analysis.questions.edge import Line
from ventiuna.analysis.questions.side_bets import ACES
from ventiuna.analysis.side_bets.insurance import insurance_wager
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
from ventiuna.core.cards import value_of
from ventiuna.rules import Rules


@dataclass(frozen=True, slots=True)
class Removal:
    """One card of a value out of each deck; changes of expected values, + for the player."""

    value: str
    cards: int  # of the value in a deck
    base_game: float  # per base wager
    insurance: Fraction | None  # per insurance wager
    match: Fraction | None  # per Match the Dealer wager

    def as_data(self) -> dict[str, object]:
        return {
            "value": self.value,
            "base_game": self.base_game,
            "insurance": None if self.insurance is None else float(self.insurance),
            "match_the_dealer": None if self.match is None else float(self.match),
        }


def removals(rules: Rules, effects: Iterable[Line]) -> tuple[Removal, ...]:
    """`effects`: those of the base game, as `edge --effects` prints them."""
    shoes: dict[str, list[CardGone]] = {}
    for gone in shoes_without_one_card(rules):
        shoes.setdefault(gone.value, []).append(gone)
    insurance = match = None
    if rules.insurance:
        insurance = _effects(rules, shoes, lambda shoe: _insurance(rules, shoe))
    if rules.mtd_wagers:
        match = _effects(rules, shoes, lambda shoe: match_wager(rules, shoe).expected_value)
    return tuple(
        Removal(
            line.name,
            _cards(rules, line.name),
            line.change or 0.0,
            insurance[line.name] if insurance else None,
            match[line.name] if match else None,
        )
        for line in effects
    )


def spread_of(found: Iterable[Removal]) -> float:
    """Root of the mean square effect of a card: nothing to count where it is nought."""
    squares = [(removal.cards, removal.base_game**2) for removal in found]
    cards = sum(count for count, _ in squares)
    return sqrt(sum(count * square for count, square in squares) / cards)


def _insurance(rules: Rules, shoe: Composition | None) -> Fraction:
    """Against an ace that the shoe still has, no other card seen."""
    up = next(ace for ace in ACES if shoe is None or shoe[ace])
    return insurance_wager(rules, up=up, composition=shoe).expected_value


def _effects(
    rules: Rules,
    shoes: dict[str, list[CardGone]],
    value_of_shoe: Callable[[Composition | None], Fraction],
) -> dict[str, Fraction]:
    """The mean over suits of taking one card out, times the decks."""
    fresh = value_of_shoe(None)
    return {
        value: rules.decks
        * sum((value_of_shoe(gone.composition) - fresh for gone in found), Fraction())
        / len(found)
        for value, found in shoes.items()
    }


def _cards(rules: Rules, value: str) -> int:
    number = 1 if value == "A" else int(value)
    return sum(value_of(card) == number for card in rules.pack.cards)
