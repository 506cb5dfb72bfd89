"""Super Bonus and Envy Bonus as exact fractions, for any number of players and bet sizes.

Assumption: a player with two qualifying cards against a qualifying up card always hits for the
third card (never splits, doubles or surrenders), and the shoe doesn't run out before that. Nothing
else about anyone's play matters. No matter what was drawn before, the next card is equally likely
to be any unseen card. So the third cards of several such players have the same joint distribution
as the next cards in the shoe. Therefore, the probability that particular players all win is exact,
and by inclusion-exclusion, so is everything here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, prod
from operator import attrgetter
from typing import Annotated

from typing_extensions import TypedDict

from ventiuna.analysis.composition import (
    Basis,
    BasisData,
    Composition,
    basis_of,
    players_problem,
    usable_composition,
)
from ventiuna.analysis.results import (
    CENTS_6,
    MONEY,
    Column,
    ExactData,
    TabularResult,
    data_of,
    html_notes,
    html_of,
    one_in_text,
    orders,
    total,
)
from ventiuna.core.base_game import envy_pay, is_super_bonus, super_bonus_pay
from ventiuna.core.cards import CARDS, EMPTY_HAND, add_card, count_of_rank, rank_of
from ventiuna.core.rule_table import RuleTable
from ventiuna.money import money_text
from ventiuna.rules.compiled import compile_rules
from ventiuna.rules.model import Problem, Rules, RulesError
from ventiuna.texts import brief_repr

HAND_CARDS = 3

ASSUMPTION = (
    "Assumes that a player with two qualifying cards against a qualifying up card always hits, "
    "and that the shoe never runs out."
)


@dataclass(frozen=True, slots=True)
class SpotBonuses:
    """The expected bonuses of one spot in a round, in cents."""

    person: str
    base: int
    super_bonus: int  # cents if the hand wins it; 0 if the base wager is too small (O-13)
    win_frequency: Fraction  # probability of a paid Super Bonus
    envy_frequency: Fraction  # probability of any Envy Bonus
    expected_super_bonus: Fraction
    expected_envy: Fraction

    @property
    def share_of_base(self) -> Fraction:
        """Expected value of both bonuses per base wager."""
        return (self.expected_super_bonus + self.expected_envy) / self.base


class SpotBonusesData(TypedDict):
    person: str
    base_cents: Annotated[int, attrgetter("base")]
    super_bonus_cents: Annotated[int, attrgetter("super_bonus")]
    win_frequency: ExactData
    envy_frequency: ExactData
    expected_super_bonus_cents: Annotated[ExactData, attrgetter("expected_super_bonus")]
    expected_envy_cents: Annotated[ExactData, attrgetter("expected_envy")]
    share_of_base: ExactData


class SuperBonusReportData(BasisData):
    hand: str
    up_card: Annotated[str, attrgetter("up")]
    assumption: str
    event: ExactData
    event_one_in: Annotated[float | None, lambda found: 1 / found.event if found.event else None]
    winners_in_a_round: Annotated[list[ExactData], attrgetter("winners")]
    spots: list[SpotBonusesData]


@dataclass(frozen=True, slots=True)
class SuperBonusReport(TabularResult):
    """The Super Bonus at a table: one row per spot."""

    main_table = "spots"
    columns = (
        Column("player", None, attrgetter("person"), "person"),
        Column("base wager", MONEY, attrgetter("base"), "base_cents"),
        Column("Super Bonus", MONEY, attrgetter("super_bonus"), "super_bonus_cents"),
        Column(None, None, attrgetter("win_frequency"), "win_frequency"),
        Column(
            "expected", CENTS_6, attrgetter("expected_super_bonus"), "expected_super_bonus_cents"
        ),
        Column("expected Envy", CENTS_6, attrgetter("expected_envy"), "expected_envy_cents"),
        Column(None, None, attrgetter("share_of_base"), "share_of_base"),
    )

    basis: Basis
    hand: str
    up: str
    event: Fraction  # probability that a given hand wins it
    spots: tuple[SpotBonuses, ...]
    winners: tuple[Fraction, ...]  # probability of exactly 0, 1, 2 … Super Bonuses in a round

    __repr__ = brief_repr

    def records(self) -> tuple[SpotBonuses, ...]:
        return self.spots

    @property
    def ev(self) -> float:
        """Expected value of the Super Bonus and Envy Bonus per base wager, over all spots."""
        paid = sum(spot.expected_super_bonus + spot.expected_envy for spot in self.spots)
        return float(paid / sum(spot.base for spot in self.spots))

    @property
    def assumption(self) -> str:
        return ASSUMPTION

    def as_data(self) -> SuperBonusReportData:
        return data_of(SuperBonusReportData, self)

    def _repr_html_(self) -> str:
        caption = (
            f"Super Bonus, {self.basis.rules}: {self.hand} against {self.up}, "
            f"1 in {one_in_text(self.event, 2)} hands"
        )
        return html_of(caption, self.columns, self.spots) + html_notes([self.assumption])


def super_bonus_report(
    rules: Rules,
    bases: Sequence[int],
    persons: Sequence[str] | None = None,
    composition: Composition | None = None,
) -> SuperBonusReport:
    """Report for spots with these base wagers in cents.

    Without `persons`, each spot is a different player.
    """
    form = rules.super_bonus_form()
    if form is None:
        raise RulesError([_no_super_bonus(rules)])
    owners = tuple(persons) if persons else tuple(f"player {n + 1}" for n in range(len(bases)))
    _refuse_spots(rules, bases, owners)
    known = usable_composition(rules, composition, 1 + HAND_CARDS * len(bases))
    table = compile_rules(rules)
    pays = [super_bonus_pay(table, base) for base in bases]
    eligible = [spot for spot, pay in enumerate(pays) if pay]
    exactly = _exactly(table, known, len(eligible))
    spots = []
    for spot, (base, owner) in enumerate(zip(bases, owners, strict=True)):
        win = all_win(rules, 1, known) if pays[spot] else Fraction()
        envies = _envy_chances(table, owners, owner, eligible, exactly)
        expected = total(amount * chance for amount, chance in envies)
        some = total(chance for amount, chance in envies if amount)
        spots.append(SpotBonuses(owner, base, pays[spot], win, some, win * pays[spot], expected))
    return SuperBonusReport(
        basis_of(rules, known),
        form.hand,
        form.up,
        all_win(rules, 1, known),
        tuple(spots),
        tuple(comb(len(eligible), won) * chance for won, chance in enumerate(exactly)),
    )


def _no_super_bonus(rules: Rules) -> Problem:
    return Problem(
        "super_bonus",
        "none",
        "R-067, R-068",
        f"{rules.name} with {rules.decks} decks has no Super Bonus",
        "Use rules that do, such as wsgc-2021.",
    )


def _refuse_spots(rules: Rules, bases: Sequence[int], owners: Sequence[str]) -> None:
    spots = players_problem(rules, len(bases))
    problems = [spots] if spots else []
    if len(owners) != len(bases):
        problems.append(
            Problem("persons", str(len(owners)), "O-14", "each spot needs one person", "Name them.")
        )
    problems += [
        Problem("base", money_text(base), "R-014", "a base wager must be above zero", "Raise it.")
        for base in bases
        if base <= 0
    ]
    if problems:
        raise RulesError(problems)


def all_win(rules: Rules, hands: int, composition: Composition | None = None) -> Fraction:
    """Probability that `hands` particular hands all win the Super Bonus in one round.

    >>> from ventiuna.rules import load_rules
    >>> 1 / all_win(load_rules("wsgc-2021"), 1)
    Fraction(668382, 1)
    """
    known = usable_composition(rules, composition, 1 + HAND_CARDS * hands)
    return _all_win(compile_rules(rules), known, hands)


@lru_cache(maxsize=256)
def _all_win(table: RuleTable, composition: Composition, hands: int) -> Fraction:
    if table.super_ranks == 0:
        return Fraction()
    ways = 0
    for up in range(CARDS):
        if (table.super_up_cards >> up) & 1 and composition[up]:
            winning = tuple(_winning_hands(table, up))
            ways += composition[up] * _ways_to_win(winning, _less(composition, up), hands)
    dealt = 1 + HAND_CARDS * hands
    return Fraction(ways, orders(sum(composition), dealt)) if ways else Fraction()


def _less(composition: Composition, *cards: int) -> Composition:
    counts = list(composition)
    for card in cards:
        counts[card] -= 1
    return tuple(counts)


def _winning_hands(table: RuleTable, up: int) -> Iterator[tuple[int, ...]]:
    """The three-card sets that win against this up card."""
    usable = [card for card in range(CARDS) if count_of_rank(table.super_ranks, rank_of(card))]
    for cards in combinations_with_replacement(usable, HAND_CARDS):
        hand = EMPTY_HAND
        for card in cards:
            hand = add_card(hand, card)
        if is_super_bonus(table, hand, up):
            yield cards


def _ways_to_win(winning: tuple[tuple[int, ...], ...], composition: Composition, hands: int) -> int:
    """Ways to deal `hands` winning hands in sequence, with the cards of each in any order."""
    if hands == 0:
        return 1
    ways = 0
    for cards in winning:
        counts = {card: cards.count(card) for card in cards}
        if all(composition[card] >= count for card, count in counts.items()):
            # Ways to pick the cards of each kind, times the orderings of distinct cards.
            picks = prod(orders(composition[card], count) for card, count in counts.items())
            arrangements = factorial(len(cards)) // prod(map(factorial, counts.values()))
            others = _ways_to_win(winning, _less(composition, *cards), hands - 1)
            ways += picks * arrangements * others
    return ways


def _exactly(table: RuleTable, composition: Composition, eligible: int) -> list[Fraction]:
    """Probability, by set size, that a set of hands wins and no other eligible hand does."""
    together = [_all_win(table, composition, n) if n else Fraction(1) for n in range(eligible + 1)]
    return [
        total(
            (-1) ** more * comb(eligible - won, more) * together[won + more]
            for more in range(eligible - won + 1)
        )
        for won in range(eligible + 1)
    ]


def _envy_chances(
    table: RuleTable,
    owners: Sequence[str],
    owner: str,
    eligible: Sequence[int],
    exactly: Sequence[Fraction],
) -> list[tuple[int, Fraction]]:
    """Envy Bonus on one of this owner's spots, for every set of winning spots (O-14)."""
    found = []
    for won in range(1, len(eligible) + 1):
        for winners in combinations(eligible, won):
            own = sum(1 for winner in winners if owners[winner] == owner)
            found.append((envy_pay(table, own, won - own), exactly[won]))
    return found
