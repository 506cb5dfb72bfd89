"""Exact chances of the dealer's final totals, by up card.

Every order of cards that the dealer may draw is counted, in whole numbers. Suits don't matter, so
cards count by value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import perm

from ventiuna.analysis.base_game.result import VALUE_NAMES
from ventiuna.analysis.base_game.tables import value_counts
from ventiuna.analysis.composition import Basis, basis_of, usable_composition, with_cards
from ventiuna.analysis.empty_shoe import EmptyShoe
from ventiuna.analysis.exact import exact_data, percent_text, total
from ventiuna.analysis.frames import Framed, Row
from ventiuna.analysis.notebook import html_table
from ventiuna.analysis.questions.again import option_words, rules_words
from ventiuna.analysis.questions.shoes import shoe_of
from ventiuna.cards import RANKS, parse_card
from ventiuna.core.cards import ACE, CLUBS, KING, card_of, card_of_value, value_of
from ventiuna.core.dealer import dealer_draws, is_dealer_blackjack
from ventiuna.core.hand import best_total
from ventiuna.core.table import RuleTable
from ventiuna.records import brief_repr
from ventiuna.rules import Rules, compile_rules, load_rules

BLACKJACK, BUST = "blackjack", "bust"
OUTCOMES = ("17", "18", "19", "20", "21", BLACKJACK, BUST)  # 21 has three or more cards
ALL_UPS = "all"
MOST = 21


@dataclass(frozen=True, slots=True)
class UpOutcomes:
    """The chances of the dealer's outcomes with up cards of one value."""

    up: str  # A, 2 … 9, 10; "all" for any up card
    chance: Fraction  # that this is the up card
    chances: tuple[Fraction, ...]  # in the order of OUTCOMES

    def of(self, outcome: str) -> Fraction:
        """The chance of an outcome: `17` to `21`, `blackjack` or `bust`."""
        return self.chances[OUTCOMES.index(outcome)]

    def after_check(self, outcome: str) -> Fraction:
        """The same once the dealer has checked and has no blackjack."""
        if outcome == BLACKJACK:
            return Fraction()
        return self.of(outcome) / (1 - self.of(BLACKJACK))

    def row(self) -> Row:
        cells = {name: float(found) for name, found in zip(OUTCOMES, self.chances, strict=True)}
        return {"up": self.up, "chance": float(self.chance), **cells}

    def as_data(self) -> dict[str, object]:
        return {
            "up": self.up,
            "chance": exact_data(self.chance),
            "outcomes": [
                {"outcome": name, "chance": exact_data(found)}
                for name, found in zip(OUTCOMES, self.chances, strict=True)
            ],
        }


@dataclass(frozen=True, slots=True)
class DealerOutcomes(Framed):
    """The dealer's final totals by up card, if the dealer has to draw."""

    main_table = "up_cards"

    basis: Basis
    up_cards: tuple[UpOutcomes, ...]

    __repr__ = brief_repr

    def of(self, up: str) -> UpOutcomes:
        """The outcomes of one up card: `A`, `2` … `10`, or `all`."""
        return next(found for found in self.up_cards if found.up == up)

    def rows(self) -> list[Row]:
        return [found.row() for found in self.up_cards]

    def as_data(self) -> dict[str, object]:
        found = [outcomes.as_data() for outcomes in self.up_cards]
        return {**self.basis.as_data(), "up_cards": found}

    def _repr_html_(self) -> str:
        caption = f"The dealer's final totals, {self.basis.rules} ({self.basis.shoe_text})"
        rows = [(found.up, *map(percent_text, found.chances)) for found in self.up_cards]
        return html_table(caption, ("up card", *OUTCOMES), rows)


@dataclass(frozen=True, slots=True)
class DealerQuestion:
    """The question as the command line asks it."""

    rules: str
    up: str = ""
    shoe: str = ""
    without: str = ""

    def read(self) -> tuple[Rules, DealerOutcomes]:
        rules = load_rules(self.rules)
        return rules, dealer_outcomes(rules, self.up, self.shoe, self.without)

    def words(self, rules: Rules) -> list[str]:
        """The command that asks the same question."""
        options = option_words(up=self.up, shoe=self.shoe, without=self.without)
        return ["dealer", *rules_words(rules), *options]


def dealer_outcomes(
    rules: Rules, up: str = "", shoe: str = "", without: Sequence[int] | str = ()
) -> DealerOutcomes:
    """Outcomes for one up card, or for each up card in the shoe and for all of them together.

    >>> from ventiuna.rules import load_rules
    >>> found = dealer_outcomes(load_rules("wsgc-2021"), "6h")
    >>> round(float(found.of("6").of("bust")), 4)
    0.4014
    """
    seen = (_up_card(rules, up),) if up else ()
    composition = with_cards(shoe_of(rules, without, shoe, seen), seen)
    composition = usable_composition(rules, composition, 2)
    counts = [int(count) for count in value_counts(composition)]
    table, cards = compile_rules(rules), sum(counts)
    every_value = [place + 1 for place, count in enumerate(counts) if count]
    values = [value_of(card) for card in seen] or every_value
    found: list[UpOutcomes] = []
    for value in values:
        chance = Fraction(counts[value - 1], cards)
        found.append(UpOutcomes(VALUE_NAMES[value - 1], chance, _chances(table, counts, value)))
    if not up:
        every = tuple(
            total(one.chance * one.chances[place] for one in found)
            for place in range(len(OUTCOMES))
        )
        found.append(UpOutcomes(ALL_UPS, Fraction(1), every))
    return DealerOutcomes(basis_of(rules, composition), tuple(found))


def _up_card(rules: Rules, up: str) -> int:
    """A card of the rank, such as `6`, `K` or `10`, or of the rank and suit, such as `6h`."""
    rank = up.strip().upper().replace("10", "T")
    if len(rank) != 1 or rank not in RANKS:
        return parse_card(up)
    number = RANKS.index(rank) + 1
    has_it = card_of(number, CLUBS) in rules.pack.cards  # a Spanish pack has faces, but no tens
    return card_of(number if has_it else KING, CLUBS)


def _chances(table: RuleTable, shoe: list[int], up: int) -> tuple[Fraction, ...]:
    """The chance of each outcome with this value up; the up card is still in `shoe`."""
    left = shoe.copy()
    left[up - 1] -= 1
    draws = _Draws(table, left, up)
    return tuple(
        total(Fraction(count, perm(sum(left), cards)) for cards, count in by_cards.items())
        for by_cards in draws.ways.values()
    )


class _Draws:
    """Counts every order in which the dealer can draw."""

    def __init__(self, table: RuleTable, left: list[int], up: int) -> None:
        self.ways: dict[str, dict[int, int]] = {outcome: {} for outcome in OUTCOMES}
        self._table = table
        self._left = left
        self._up = card_of_value(up)
        self._draw(up, int(up == ACE), 0, 1)

    def _draw(self, hard: int, aces: int, drawn: int, ways: int) -> None:
        """Draw the next card to a hand that can arise in `ways` ways."""
        if drawn and not dealer_draws(self._table, hard, aces):
            self._end(str(best_total(hard, aces)) if hard <= MOST else BUST, drawn, ways)
            return
        if not any(self._left):
            raise EmptyShoe(drawn + 1)
        for place, count in enumerate(self._left):
            if count == 0:
                continue
            value = place + 1
            if not drawn and is_dealer_blackjack(self._up, card_of_value(value)):
                self._end(BLACKJACK, 1, count)
                continue
            self._left[place] -= 1
            self._draw(hard + value, aces + (value == ACE), drawn + 1, ways * count)
            self._left[place] += 1

    def _end(self, outcome: str, drawn: int, ways: int) -> None:
        found = self.ways[outcome]
        found[drawn] = found.get(drawn, 0) + ways
