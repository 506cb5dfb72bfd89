"""Insurance, exactly, by what is known of the shoe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ventiuna.analysis.composition import (
    Basis,
    Composition,
    basis_of,
    usable_composition,
    without_cards,
)
from ventiuna.analysis.exact import exact_data, percent_text, square_root
from ventiuna.analysis.frames import Framed, Row
from ventiuna.analysis.notebook import html_table
from ventiuna.cards import card_text, cards_text
from ventiuna.core.cards import ACE, CARDS, SPADE_ACE, rank_of
from ventiuna.core.hand import EMPTY_HAND, add_card, is_blackjack
from ventiuna.core.payouts import insurance_profit
from ventiuna.core.table import RuleTable
from ventiuna.rules.compiled import compile_rules
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.model import Rules


@dataclass(frozen=True, slots=True)
class InsuranceWager(Framed):
    """Insurance against the dealer's blackjack, per chip of the insurance wager."""

    main_table = "insurance"

    basis: Basis
    up: int
    seen: tuple[int, ...]
    win_frequency: Fraction  # the down card makes a blackjack
    profit: Fraction  # when it does, for a wager of 1

    @property
    def ev(self) -> float:
        """The expected value, as other results have it."""
        return float(self.expected_value)

    def rows(self) -> list[Row]:
        return [
            {
                "up_card": card_text(self.up),
                "win_frequency": float(self.win_frequency),
                "break_even_frequency": float(self.break_even_frequency),
                "ev": self.ev,
                "standard_deviation": float(self.standard_deviation),
            }
        ]

    @property
    def expected_value(self) -> Fraction:
        return self.win_frequency * (self.profit + 1) - 1

    @property
    def house_edge(self) -> Fraction:
        return -self.expected_value

    @property
    def standard_deviation(self) -> Fraction:
        wins = self.win_frequency
        return square_root(wins * (1 - wins)) * (self.profit + 1)

    @property
    def break_even_frequency(self) -> Fraction:
        """How often the dealer must have blackjack for insurance to lose nothing."""
        return 1 / (self.profit + 1)

    def as_data(self) -> dict[str, object]:
        return {
            **self.basis.as_data(),
            "up_card": card_text(self.up),
            "seen": cards_text(self.seen),
            "win_frequency": exact_data(self.win_frequency),
            "break_even_frequency": exact_data(self.break_even_frequency),
            "expected_value": exact_data(self.expected_value),
            "house_edge": exact_data(self.house_edge),
            "standard_deviation": float(self.standard_deviation),
        }

    def _repr_html_(self) -> str:
        seen = cards_text(self.seen) or "no other card"
        caption = f"Insurance against {card_text(self.up)}, {seen} seen, {self.basis.rules}"
        rows = [
            ["expected value", percent_text(self.expected_value, 6)],
            ["dealer has blackjack", percent_text(self.win_frequency, 6)],
            ["needed to break even", percent_text(self.break_even_frequency, 6)],
        ]
        return html_table(caption, ["", ""], rows)


def insurance_wager(
    rules: Rules,
    seen: Iterable[int] = (),
    up: int = SPADE_ACE,
    composition: Composition | None = None,
) -> InsuranceWager:
    """Insurance for somebody who has seen the up card and these cards besides.

    The composition is that of the shoe before the up card and the seen cards left it.

    >>> from ventiuna.rules import load_rules
    >>> insurance_wager(load_rules("wsgc-2021")).expected_value
    Fraction(-71, 287)
    """
    if not rules.insurance or rank_of(up) != ACE:
        raise RulesError([_no_insurance(rules, up)])
    known = tuple(seen)
    shoe = usable_composition(rules, composition, len(known) + 2)
    unseen = without_cards(shoe, (up, *known))
    table = compile_rules(rules)
    wins = sum(unseen[down] for down in range(CARDS) if makes_blackjack(up, down))
    return InsuranceWager(
        basis_of(rules, shoe), up, known, Fraction(wins, sum(unseen)), _profit(table)
    )


def _no_insurance(rules: Rules, up: int) -> Problem:
    if not rules.insurance:
        return Problem(
            "insurance", "off", "R-034", "these rules offer no insurance", "Use insurance=on."
        )
    return Problem(
        "up", card_text(up), "R-034", "insurance is offered against an ace", "Give an ace."
    )


def makes_blackjack(one: int, other: int) -> bool:
    return is_blackjack(add_card(add_card(EMPTY_HAND, one), other))


def _profit(table: RuleTable) -> Fraction:
    return Fraction(insurance_profit(table, table.insurance_den), table.insurance_den)
