"""Match the Dealer as exact fractions: a single wager, and several on one hand.

Each dealer card that a hand can match (up card, down card, Bonus Cards) is dealt from the same
cards, so every single wager has the same odds. Several wagers are correlated through the player's
two cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import Annotated

from typing_extensions import TypedDict

from ventiuna.analysis.composition import (
    Basis,
    BasisData,
    CardGroup,
    Composition,
    basis_of,
    cards_of_rank,
    pair_classes,
    usable_composition,
)
from ventiuna.analysis.results import (
    MONEY,
    ONE_IN,
    PERCENT_6,
    Column,
    ExactData,
    Form,
    TabularResult,
    data_of,
    decimal_text,
    gather,
    html_of,
    mean,
    orders,
    percent_text,
    square_root,
    total,
    variance,
)
from ventiuna.core.cards import CARDS
from ventiuna.core.rule_table import RuleTable
from ventiuna.core.side_bets import match_profit, suited_matches, unsuited_matches
from ventiuna.money import plain_amount
from ventiuna.rules.compiled import compile_rules
from ventiuna.rules.model import Problem, Rules, RulesError
from ventiuna.texts import brief_repr

Matches = tuple[int, int]  # number of suited and unsuited matches

OUTCOMES: dict[Matches, str] = {
    (0, 0): "no match",
    (0, 1): "one unsuited match",
    (0, 2): "two unsuited matches",
    (1, 0): "one suited match",
    (1, 1): "one suited and one unsuited match",
    (2, 0): "two suited matches",
}
PLAYER_CARDS = 2


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """One way a Match the Dealer wager can end."""

    suited: int
    unsuited: int
    probability: Fraction
    profit: int  # profit for a wager of 1

    @property
    def name(self) -> str:
        return OUTCOMES[self.suited, self.unsuited]


OUTCOME_COLUMNS = (
    Column("outcome", None, attrgetter("name")),
    Column("profit", Form(plus=True), attrgetter("profit")),
    Column("probability", None, attrgetter("probability")),
    Column("", PERCENT_6, attrgetter("probability")),
    Column("one in", ONE_IN, attrgetter("probability")),
)


class MatchOddsData(TypedDict):
    unsuited: Annotated[int, attrgetter("unsuited_odds")]
    suited: Annotated[int, attrgetter("suited_odds")]


class MatchOutcomeData(TypedDict):
    outcome: Annotated[str, attrgetter("name")]
    suited: int
    unsuited: int
    profit_per_wager: Annotated[int, attrgetter("profit")]
    probability: ExactData


class MatchWagerData(BasisData):
    odds: Annotated[MatchOddsData, lambda wager: wager]
    outcomes: list[MatchOutcomeData]
    win_frequency: ExactData
    house_edge: ExactData
    variance: ExactData
    standard_deviation: float


@dataclass(frozen=True, slots=True)
class MatchWager:
    """One Match the Dealer wager, in units of its stake."""

    basis: Basis
    unsuited_odds: int  # N to 1
    suited_odds: int
    outcomes: tuple[MatchOutcome, ...]

    __repr__ = brief_repr

    @property
    def win_frequency(self) -> Fraction:
        return total(outcome.probability for outcome in self.outcomes if outcome.profit > 0)

    @property
    def ev(self) -> float:
        """The expected value as a float, under the name that other results use."""
        return float(self.expected_value)

    @property
    def expected_value(self) -> Fraction:
        return mean(self.distribution)

    @property
    def house_edge(self) -> Fraction:
        return -self.expected_value

    @property
    def variance(self) -> Fraction:
        return variance(self.distribution)

    @property
    def standard_deviation(self) -> Fraction:
        return square_root(self.variance)

    @property
    def distribution(self) -> dict[int, Fraction]:
        """Profit for a wager of 1, with its probability."""
        return gather((outcome.profit, outcome.probability) for outcome in self.outcomes)

    def as_data(self) -> MatchWagerData:
        return data_of(MatchWagerData, self)

    def _repr_html_(self) -> str:
        caption = (
            f"Match the Dealer, {self.basis.rules} ({self.basis.shoe_text}): "
            f"house edge {percent_text(self.house_edge)}, wins {percent_text(self.win_frequency)}, "
            f"SD {decimal_text(self.standard_deviation, 6)}"
        )
        return html_of(caption, OUTCOME_COLUMNS, self.outcomes)


class MatchProfitData(TypedDict):
    profit_cents: Annotated[int, itemgetter(0)]
    probability: Annotated[ExactData, itemgetter(1)]


class MatchWagersData(BasisData):
    stakes_cents: Annotated[dict[str, int], attrgetter("stakes")]
    win_frequency: ExactData
    profit_frequency: ExactData
    expected_profit_cents: Annotated[ExactData, attrgetter("expected_profit")]
    house_edge: ExactData
    variance_square_cents: Annotated[ExactData, attrgetter("variance")]
    standard_deviation_cents: Annotated[float, attrgetter("standard_deviation")]
    correlation_of_two: Annotated[ExactData | None, attrgetter("correlation")]
    distribution: Annotated[list[MatchProfitData], lambda wagers: wagers.distribution.items()]


@dataclass(frozen=True, slots=True)
class MatchWagers(TabularResult):
    """Several Match the Dealer wagers on one hand, in cents."""

    main_table = "distribution"
    columns = (
        Column("total result", MONEY, itemgetter(0), "profit_cents"),
        Column("probability", PERCENT_6, itemgetter(1), "probability"),
        Column("", None, itemgetter(1)),
    )

    basis: Basis
    stakes: tuple[tuple[str, int], ...]
    distribution: Mapping[int, Fraction]  # total profit in cents, with its probability
    win_frequency: Fraction  # probability that at least one wager wins
    one: MatchWager
    unit_covariance: Fraction  # covariance of two wagers of 1
    pair_outcomes: Mapping[tuple[Matches, Matches], Fraction]  # for any two wagers

    __repr__ = brief_repr

    @property
    def ev(self) -> float:
        """Expected result per chip staked, under the name that other results use."""
        return -float(self.house_edge)

    def records(self) -> list[tuple[int, Fraction]]:
        """Total profits of all wagers, with their probabilities."""
        return sorted(self.distribution.items())

    @property
    def staked(self) -> int:
        return sum(stake for _, stake in self.stakes)

    @property
    def expected_profit(self) -> Fraction:
        return mean(self.distribution)

    @property
    def house_edge(self) -> Fraction:
        """Expected loss per chip staked."""
        return -self.expected_profit / self.staked

    @property
    def variance(self) -> Fraction:
        return variance(self.distribution)

    @property
    def standard_deviation(self) -> Fraction:
        return square_root(self.variance)

    @property
    def correlation(self) -> Fraction | None:
        """Correlation of any two wagers, whatever their stakes; None if the result is certain."""
        return self.unit_covariance / self.one.variance if self.one.variance else None

    @property
    def profit_frequency(self) -> Fraction:
        """Probability that the wagers together make a profit."""
        return total(chance for profit, chance in self.distribution.items() if profit > 0)

    def covariance(self, name: str, other: str) -> Fraction:
        """Covariance of two wagers' results in square cents; the variance if they are the same."""
        stakes = dict(self.stakes)
        unit = self.one.variance if name == other else self.unit_covariance
        return stakes[name] * stakes[other] * unit

    def as_data(self) -> MatchWagersData:
        return data_of(MatchWagersData, self)

    def _repr_html_(self) -> str:
        stakes = ", ".join(f"{name} {plain_amount(stake)}" for name, stake in self.stakes)
        caption = f"Match the Dealer together: {stakes}; {self.basis.rules}"
        return html_of(caption, self.columns, self.distribution.items())


def match_wager(rules: Rules, composition: Composition | None = None) -> MatchWager:
    """One Match the Dealer wager: outcomes, house edge and variance.

    >>> from ventiuna.rules import load_rules
    >>> match_wager(load_rules("wsgc-2021")).house_edge
    Fraction(114, 3731)
    """
    _refuse_without_wager(rules)
    known = usable_composition(rules, composition, PLAYER_CARDS + 1)
    table = compile_rules(rules)
    ways = _ways_of_one(known)
    everything = orders(sum(known), PLAYER_CARDS + 1)
    return MatchWager(
        basis_of(rules, known),
        table.mtd_unsuited,
        table.mtd_suited,
        tuple(
            MatchOutcome(*key, Fraction(ways.get(key, 0), everything), match_profit(table, 1, *key))
            for key in OUTCOMES
        ),
    )


def _refuse_without_wager(rules: Rules) -> None:
    if not rules.mtd_wagers:
        problem = Problem(
            "mtd_configuration",
            str(rules.mtd_configuration),
            "R-015 to R-018",
            "these rules offer no Match the Dealer wager",
            "Use rules that do, such as wsgc-2021.",
        )
        raise RulesError([problem])


def matches(first: int, second: int, dealer_card: int) -> Matches:
    return (
        suited_matches(first, second, dealer_card),
        unsuited_matches(first, second, dealer_card),
    )


@lru_cache(maxsize=64)
def _ways_of_one(composition: Composition) -> dict[Matches, int]:
    """Ways to deal the player's two cards and one dealer card, by outcome."""
    ways = dict.fromkeys(OUTCOMES, 0)
    for dealer_card in range(CARDS):
        if composition[dealer_card] == 0:
            continue
        kinds = _card_groups_beside_one(composition, dealer_card)
        for first in kinds:
            for second in kinds:
                remaining = second.left - (first.card == second.card)
                key = matches(first.card, second.card, dealer_card)
                ways[key] += composition[dealer_card] * first.left * remaining
    return ways


def _card_groups_beside_one(composition: Composition, card: int) -> list[CardGroup]:
    """The card itself, its rank in other suits, and all other cards as one group."""
    same_rank = cards_of_rank(card)
    kinds = [CardGroup(alike, composition[alike] - (alike == card)) for alike in same_rank]
    strangers = sum(composition) - sum(composition[alike] for alike in same_rank)
    return [*kinds, CardGroup((same_rank[-1] + 1) % CARDS, strangers)]


# --- Several wagers on one hand ---

# For the cards left after a player's first two: how many of them give each combination of matches.
_Profile = tuple[tuple[Matches, int], ...]


def match_wagers(
    rules: Rules, stakes: Mapping[str, int] | None = None, composition: Composition | None = None
) -> MatchWagers:
    """Analyze simultaneous wagers on one hand (`up`, `down`, `b1` … `b5`, stakes in cents).

    The default is $1 on every wager that the rules offer.
    """
    _refuse_without_wager(rules)
    chosen = dict(stakes) if stakes else dict.fromkeys(rules.mtd_wagers, 100)
    _refuse_unknown_wagers(rules, chosen)
    known = usable_composition(rules, composition, PLAYER_CARDS + max(2, len(chosen)))
    table = compile_rules(rules)
    profiles = _profiles(known)
    pair = _pair_outcomes(profiles, sum(known))
    one = match_wager(rules, known)
    return MatchWagers(
        basis_of(rules, known),
        tuple(chosen.items()),
        _total_profit(profiles, table, tuple(chosen.values()), sum(known)),
        1 - _none_wins(profiles, len(chosen), sum(known)),
        one,
        _expected_product(table, pair) - one.expected_value**2,
        pair,
    )


def _refuse_unknown_wagers(rules: Rules, stakes: Mapping[str, int]) -> None:
    offered = ", ".join(rules.mtd_wagers)
    problems = [
        Problem(
            "stakes",
            name,
            "R-015 to R-019",
            "these rules don't offer this Match the Dealer wager",
            f"They offer: {offered}.",
        )
        for name in stakes
        if name not in rules.mtd_wagers
    ]
    problems += [
        Problem("stakes", f"{name} {stake}", "R-024", "a stake must be above zero", "Raise it.")
        for name, stake in stakes.items()
        if stake <= 0
    ]
    if problems:
        raise RulesError(problems)


@lru_cache(maxsize=32)
def _profiles(composition: Composition) -> dict[_Profile, int]:
    """Number of the player's pairs, by how the remaining cards would match."""
    ways: dict[_Profile, int] = {}
    for pair in pair_classes(composition):
        counts: dict[Matches, int] = {}
        for card, count in pair.kinds:
            key = matches(pair.one, pair.other, card)
            counts[key] = counts.get(key, 0) + count
        profile = tuple(sorted(counts.items()))
        ways[profile] = ways.get(profile, 0) + pair.ways
    return ways


def _total_profit(
    profiles: Mapping[_Profile, int], table: RuleTable, stakes: tuple[int, ...], cards: int
) -> dict[int, Fraction]:
    ways: dict[int, int] = {}
    for profile, pair_ways in profiles.items():
        for profit, dealer_ways in _profile_profit(profile, table, stakes):
            ways[profit] = ways.get(profit, 0) + pair_ways * dealer_ways
    everything = orders(cards, PLAYER_CARDS + len(stakes))
    return {profit: Fraction(ways[profit], everything) for profit in sorted(ways)}


def _profile_profit(
    profile: _Profile, table: RuleTable, stakes: tuple[int, ...]
) -> Iterable[tuple[int, int]]:
    """Total profits for one class of player cards, with the ways to deal each."""
    outcomes = [key for key, _ in profile]
    states = {(tuple(count for _, count in profile), 0): 1}
    for stake in stakes:
        after: dict[tuple[tuple[int, ...], int], int] = {}
        for (remaining, profit), ways in states.items():
            for place, count in enumerate(remaining):
                if count == 0:
                    continue
                fewer = (*remaining[:place], count - 1, *remaining[place + 1 :])
                key = (fewer, profit + match_profit(table, stake, *outcomes[place]))
                after[key] = after.get(key, 0) + ways * count
        states = after
    return ((profit, ways) for (_, profit), ways in states.items())


def _none_wins(profiles: Mapping[_Profile, int], wagers: int, cards: int) -> Fraction:
    ways = sum(
        pair_ways * orders(dict(profile).get((0, 0), 0), wagers)
        for profile, pair_ways in profiles.items()
    )
    return Fraction(ways, orders(cards, PLAYER_CARDS + wagers))


def _pair_outcomes(
    profiles: Mapping[_Profile, int], cards: int
) -> dict[tuple[Matches, Matches], Fraction]:
    """Outcomes of two wagers on one hand; the same for any two of them."""
    everything = orders(cards, PLAYER_CARDS + 2)
    return gather(
        ((one, other), Fraction(ways * count * (remaining - (one == other)), everything))
        for profile, ways in profiles.items()
        for one, count in profile
        for other, remaining in profile
    )


def _expected_product(
    table: RuleTable, pair: Mapping[tuple[Matches, Matches], Fraction]
) -> Fraction:
    return total(
        match_profit(table, 1, *one) * match_profit(table, 1, *other) * chance
        for (one, other), chance in pair.items()
    )
