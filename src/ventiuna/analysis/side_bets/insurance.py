"""Insurance and blackjacks as exact fractions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import Annotated

from ventiuna.analysis.composition import (
    Basis,
    BasisData,
    Composition,
    basis_of,
    usable_composition,
    without_cards,
)
from ventiuna.analysis.results import (
    ONE_IN,
    PERCENT_6,
    Column,
    ExactData,
    TableRow,
    TabularResult,
    data_of,
    html_of,
    html_table,
    orders,
    percent_text,
    square_root,
)
from ventiuna.cards import card_text, cards_text
from ventiuna.core.base_game import insurance_profit
from ventiuna.core.cards import (
    ACE,
    CARDS,
    DIAMONDS,
    EMPTY_HAND,
    SPADE_ACE,
    add_card,
    is_blackjack,
    rank_of,
    suit_of,
)
from ventiuna.core.rule_table import RuleTable
from ventiuna.rules.compiled import compile_rules
from ventiuna.rules.model import Problem, Rules, RulesError


class InsuranceData(BasisData):
    up_card: Annotated[str, lambda wager: card_text(wager.up)]
    seen: Annotated[str, lambda wager: cards_text(wager.seen)]
    win_frequency: ExactData
    break_even_frequency: ExactData
    expected_value: ExactData
    house_edge: ExactData
    standard_deviation: float


@dataclass(frozen=True, slots=True)
class InsuranceWager(TabularResult):
    """Insurance against the dealer's blackjack, per chip of the insurance wager."""

    main_table = "insurance"

    basis: Basis
    up: int
    seen: tuple[int, ...]
    win_frequency: Fraction  # probability that the down card makes a blackjack
    profit: Fraction  # profit in that case, for a wager of 1

    @property
    def ev(self) -> float:
        """The expected value as a float, under the name that other results use."""
        return float(self.expected_value)

    def rows(self) -> list[TableRow]:
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
        """How often the dealer must have blackjack for insurance to break even."""
        return 1 / (self.profit + 1)

    def as_data(self) -> InsuranceData:
        return data_of(InsuranceData, self)

    def _repr_html_(self) -> str:
        seen = cards_text(self.seen) or "no other cards"
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
    """Insurance for a player who has seen the up card and the `seen` cards.

    `composition` is the shoe before the up card and the seen cards were dealt.

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
        "up", card_text(up), "R-034", "insurance is offered only against an ace", "Give an ace."
    )


def makes_blackjack(one: int, other: int) -> bool:
    return is_blackjack(add_card(add_card(EMPTY_HAND, one), other))


def _profit(table: RuleTable) -> Fraction:
    return Fraction(insurance_profit(table, table.insurance_den), table.insurance_den)


# --- Blackjack frequencies ---

HAND_CARDS = 2


class BlackjacksData(BasisData):
    player: ExactData
    player_diamonds: ExactData
    dealer: ExactData
    both: ExactData
    both_player_diamonds: ExactData
    player_alone: ExactData
    dealer_alone: ExactData
    ace_up: ExactData
    dealer_given_ace_up: ExactData


@dataclass(frozen=True, slots=True)
class BlackjackFrequencies(TabularResult):
    """Probabilities before a round is dealt."""

    main_table = "chances"
    columns = (
        Column("", None, itemgetter(1), "event"),
        Column("probability", None, itemgetter(2), "probability"),
        Column("", PERCENT_6, itemgetter(2)),
        Column("one in", ONE_IN, itemgetter(2)),
    )

    basis: Basis
    player: Fraction
    dealer: Fraction
    both: Fraction
    player_diamonds: Fraction  # the player has a blackjack of two diamonds
    both_player_diamonds: Fraction  # the same, and the dealer has any blackjack
    ace_up: Fraction
    dealer_with_ace_up: Fraction  # the dealer has a blackjack with an ace up

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

    def chances(self) -> list[tuple[str, str, Fraction]]:
        """Key, label and probability."""
        return [
            ("player", "player has blackjack", self.player),
            ("player_diamonds", "player has an all-diamond blackjack", self.player_diamonds),
            ("dealer", "dealer has blackjack", self.dealer),
            ("both", "both have blackjack", self.both),
            ("both_player_diamonds", "both, the player's all diamonds", self.both_player_diamonds),
            ("player_alone", "only the player", self.player_alone),
            ("dealer_alone", "only the dealer", self.dealer_alone),
            ("ace_up", "the up card is an ace", self.ace_up),
            (
                "dealer_given_ace_up",
                "dealer has blackjack, with an ace up",
                self.dealer_given_ace_up,
            ),
        ]

    records = chances

    def as_data(self) -> BlackjacksData:
        return data_of(BlackjacksData, self)

    def _repr_html_(self) -> str:
        caption = f"Blackjacks, {self.basis.rules} ({self.basis.shoe_text})"
        return html_of(caption, self.columns, self.chances())


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
    """Ordered pairs of cards that make a blackjack, with the number of ways to deal them."""
    return {
        (item, other): composition[item] * composition[other]
        for item in range(CARDS)
        for other in range(CARDS)
        if composition[item] and composition[other] and makes_blackjack(item, other)
    }


def _ways_of_both(
    composition: Composition,
    player: dict[tuple[int, int], int],
    dealer: dict[tuple[int, int], int],
) -> int:
    """Ways to deal one of these pairs to the player and one to the dealer."""
    ways = 0
    for (first, second), player_ways in player.items():
        for up, down in dealer:
            left_up = composition[up] - (up in (first, second))
            left_down = composition[down] - (down in (first, second))
            ways += player_ways * left_up * left_down
    return ways
