"""Studies of the base game: rule variations, the choices of a hand, and the dealer's final totals.

These are the calculations; the queries that run them are declared in `analysis.queries`.

Dealer totals are exact: every order in which the dealer can draw cards is counted, in integers.
Suits don't matter to the dealer, so cards are counted by value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import perm
from operator import attrgetter, methodcaller
from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from ventiuna.analysis.base_game.analyzer import (
    VALUE_NAMES,
    BaseGameAnalysis,
    BaseGameData,
    HandResult,
    HandValues,
    analyze,
    hand_values,
)
from ventiuna.analysis.base_game.solver import value_counts
from ventiuna.analysis.coerce import input_error, parse_shoe
from ventiuna.analysis.composition import (
    Basis,
    Composition,
    EmptyShoe,
    SplitPlay,
    basis_of,
    fresh_composition,
    usable_composition,
    with_cards,
)
from ventiuna.analysis.query import ProgressIterator, without_progress
from ventiuna.analysis.results import (
    PERCENT_4,
    PERCENT_6,
    POINTS,
    Column,
    TabularResult,
    data_of,
    exact_data,
    html_of,
    total,
)
from ventiuna.analysis.side_bets.insurance import InsuranceWager, insurance_wager
from ventiuna.cards import RANKS, parse_card
from ventiuna.core.base_game import dealer_draws, is_dealer_blackjack
from ventiuna.core.cards import (
    ACE,
    CLUBS,
    KING,
    best_total,
    card_of,
    card_of_value,
    rank_of,
    value_of,
)
from ventiuna.core.rule_table import RuleTable
from ventiuna.rules import (
    Rules,
    RulesError,
    canonical,
    change_rules,
    compile_rules,
    fingerprint,
)
from ventiuna.rules.loader import choices_of
from ventiuna.rules.model import OPTIONS, OPTIONS_BY_NAME, PayRow
from ventiuna.rules.options import value_text
from ventiuna.rules.text.references import change_words, values_of
from ventiuna.texts import brief_repr

# --- Rule variations ---

# Options that affect the value of the base game, most interesting first.
BASE_GAME_OPTIONS = tuple(
    option.name for option in sorted(OPTIONS, key=attrgetter("varied")) if option.varied
)


@dataclass(frozen=True, slots=True)
class Variation:
    """A rule set that differs from another in one respect."""

    name: str  # soft_17=stand, or "without 5-card 21"
    rules: Rules
    words: str = ""  # description in plain words

    @property
    def is_option(self) -> bool:
        return "=" in self.name


def variations(rules: Rules) -> tuple[Variation, ...]:
    """All valid rules that differ in one option or lack one pay row."""
    bonus_rows = [
        _without(row, replace(rules, bonus_21=_others(rules.bonus_21, row)))
        for row in rules.bonus_21_rows()
    ]
    instant_wins = [
        _without(row, replace(rules, instant_wins=_others(rules.instant_wins, row)))
        for row in rules.instant_wins
    ]
    return (*_option_variations(rules), *bonus_rows, *instant_wins)


def _without(row: PayRow, rules: Rules) -> Variation:
    return Variation(f"without {row.name}", rules, row.name)


def _others(rows: tuple[PayRow, ...], left_out: PayRow) -> tuple[PayRow, ...]:
    return tuple(row for row in rows if row is not left_out)


def _option_variations(rules: Rules) -> Iterator[Variation]:
    for name in BASE_GAME_OPTIONS:
        present = value_text(getattr(rules, name))
        for value in values_of(OPTIONS_BY_NAME[name]):
            if value == present:
                continue
            try:
                changed = change_rules(rules, {name: value} | _following(rules, name))
            except RulesError:
                continue  # skip values that contradict these rules
            yield Variation(f"{name}={value}", changed, change_words(OPTIONS_BY_NAME[name], value))


def _following(rules: Rules, name: str) -> dict[str, str]:
    """Additional changes required by a different number of decks, because jackpots depend on it.

    Match the Dealer has odds for every number of decks that its game allows.
    """
    if name != "decks":
        return {}
    return {"jackpots": "none"} if rules.jackpots else {}


def approved_grid(preset: str, rules: Rules) -> tuple[Rules, ...]:
    """All combinations of base-game options that the preset's document allows."""
    choices = {
        name: values for name, values in choices_of(preset).items() if name in BASE_GAME_OPTIONS
    }
    return rule_combinations(change_rules(rules, _following(rules, "decks")), choices)


def rule_combinations(
    rules: Rules, choices: Mapping[str, Sequence[str | int]]
) -> tuple[Rules, ...]:
    """All valid combinations of these values, each once."""
    found: dict[str, Rules] = {}
    for values in product(*choices.values()):
        changes: dict[str, object] = dict(zip(choices, values, strict=True))
        if str(changes.get("decks", rules.decks)) != str(rules.decks):
            changes |= _following(rules, "decks")
        try:
            combination = change_rules(rules, changes)
        except RulesError:
            continue  # skip values that contradict each other
        found[canonical(combination)] = combination
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class ShoeWithoutCard:
    """A fresh shoe without one card."""

    value: str
    composition: Composition


def shoes_without_one_card(rules: Rules) -> tuple[ShoeWithoutCard, ...]:
    """Four shoes for each value, each without one card, so that effects average over suits."""
    fresh = fresh_composition(rules)
    found = []
    for value in range(1, 11):
        cards = [card for card in rules.pack.cards if value_of(card) == value][-4:]
        for card in cards:
            counts = list(fresh)
            counts[card] -= 1
            found.append(ShoeWithoutCard("A" if value == 1 else str(value), tuple(counts)))
    return tuple(found)


# --- House edge ---


@dataclass(frozen=True, slots=True)
class ComparisonLine:
    """One rule set or one shoe in a comparison."""

    name: str
    ev: float
    change: float | None  # compared with the first line
    fingerprint: str

    @property
    def house_edge(self) -> float:
        return -self.ev


class ComparisonLineData(TypedDict):
    name: str
    ev: float
    house_edge: float
    change: float | None
    fingerprint: str


VARY_COLUMNS = (
    Column("option", None, attrgetter("name")),
    Column("house edge", PERCENT_6, attrgetter("house_edge")),
    Column("change", POINTS, attrgetter("change")),
)
GRID_COLUMNS = (
    Column("rules", None, attrgetter("name")),
    Column("house edge", PERCENT_6, attrgetter("house_edge")),
    Column("fingerprint", None, attrgetter("fingerprint")),
)
EFFECT_COLUMNS = (
    Column("value", None, attrgetter("name")),
    Column("change", POINTS, attrgetter("change")),
)


def compare_options(
    rules: Rules,
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT,
    base: int | None = None,
    each: ProgressIterator = without_progress,
) -> tuple[ComparisonLine, ...]:
    """The unchanged rules, and then each possible change."""
    start = analyze(rules, None, split_play, base)
    lines = [ComparisonLine("unchanged", start.ev, None, start.fingerprint)]
    for variation in each("options", variations(rules)):
        ev = analyze(variation.rules, None, split_play, base).ev
        lines.append(
            ComparisonLine(variation.name, ev, ev - start.ev, fingerprint(variation.rules))
        )
    return tuple(lines)


def compare_grid(
    rules: Rules, split_play: SplitPlay, base: int | None, each: ProgressIterator
) -> tuple[ComparisonLine, ...]:
    found = (
        analyze(combination, None, split_play, base)
        for combination in each("combinations", approved_grid(rules.name, rules))
    )
    return tuple(ComparisonLine(one.rules, one.ev, None, one.fingerprint) for one in found)


def compare_removals(
    rules: Rules, split_play: SplitPlay, base: int | None, each: ProgressIterator
) -> tuple[ComparisonLine, ...]:
    """Effect of removing one card per deck: the mean over suits, times the number of decks."""
    start = analyze(rules, None, split_play, base)
    changes: dict[str, list[float]] = {}
    for removed in each("cards", shoes_without_one_card(rules)):
        ev = analyze(rules, removed.composition, split_play, base).ev
        changes.setdefault(removed.value, []).append(ev - start.ev)
    lines = []
    for value, found in changes.items():
        change = rules.decks * sum(found) / len(found)
        lines.append(ComparisonLine(value, start.ev + change, change, start.fingerprint))
    return tuple(lines)


class EdgeData(BaseGameData):
    sd: NotRequired[float]
    ev_with_super_bonus: NotRequired[float]
    vary: NotRequired[list[ComparisonLineData]]
    grid: NotRequired[list[ComparisonLineData]]
    effects: NotRequired[list[ComparisonLineData]]


class EdgeAnswer(EdgeData):
    hands: NotRequired[list[HandResult]]
    command: str


@dataclass(frozen=True, slots=True)
class EdgeAnalysis(BaseGameAnalysis):
    """The base game and any requested extras; the others are None."""

    sd: float | None = None  # standard deviation of a round
    ev_with_super_bonus: float | None = None  # value at the given base wager
    vary: tuple[ComparisonLine, ...] | None = None  # results with one option changed at a time
    grid: tuple[ComparisonLine, ...] | None = None  # combinations the document approves
    effects: tuple[ComparisonLine, ...] | None = None  # results with one card per deck removed

    __repr__ = brief_repr

    def as_data(self) -> EdgeData:
        return data_of(EdgeData, self)


# --- Single rule changes ---


class ChangeData(TypedDict):
    name: str
    words: str
    kind: Annotated[Literal["option", "row"], lambda found: "option" if found.is_option else "row"]
    rules: str | None
    fingerprint: str


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One change: a different value of an option, or a pay row left out."""

    name: str
    words: str
    is_option: bool
    rules: str | None  # the rules after the change; None if no canonical string can express them
    fingerprint: str

    def as_data(self) -> ChangeData:
        return data_of(ChangeData, self)


def rule_changes(rules: Rules) -> tuple[RuleChange, ...]:
    """Every change the rules allow, without analyzing any."""
    return tuple(
        RuleChange(
            variation.name,
            variation.words,
            variation.is_option,
            canonical(variation.rules) if variation.is_option else None,
            fingerprint(variation.rules),
        )
        for variation in variations(rules)
    )


def find_change(changes: tuple[RuleChange, ...], name: str) -> RuleChange:
    for change in changes:
        if change.name == name:
            return change
    raise input_error("name", name, "these rules have no such change", "Choose one from the list.")


# --- A hand ---


@dataclass(frozen=True, slots=True)
class ParsedHand:
    """The hand whose choices are evaluated."""

    rules: Rules
    cards: tuple[int, ...]
    up: int
    unseen: Composition
    doublings: int = 0
    hands: int = 1  # number of hands on the spot
    base: int | None = None
    added: int | None = None  # cents that a double for less adds

    def values(self) -> HandValues:
        return hand_values(
            self.rules,
            self.cards,
            self.up,
            self.unseen,
            doublings=self.doublings,
            split=self.hands > 1,
            hands=self.hands,
            base=self.base,
            super_bonus=self.base is not None and self.rules.super_bonus_form() is not None,
            double_amount=self.added,
        )

    def insurance(self) -> InsuranceWager | None:
        """The insurance wager, if this hand is offered one (R-034)."""
        is_asked = self.rules.insurance and rank_of(self.up) == ACE and len(self.cards) <= 2
        if not is_asked or self.doublings or self.hands > 1:
            return None
        before = with_cards(self.unseen, (*self.cards, self.up))
        return insurance_wager(self.rules, self.cards, self.up, before)


# --- The dealer's final totals ---

BLACKJACK, BUST = "blackjack", "bust"
OUTCOMES = ("17", "18", "19", "20", "21", BLACKJACK, BUST)  # 21 without blackjacks
ALL_UPS = "all"
HIGHEST_TOTAL = 21


@dataclass(frozen=True, slots=True)
class UpOutcomes:
    """The probabilities of the dealer's outcomes with up cards of one value."""

    up: str  # A, 2 … 9, 10; "all" for any up card
    chance: Fraction  # probability of this up card
    chances: tuple[Fraction, ...]  # in the order of OUTCOMES

    def of(self, outcome: str) -> Fraction:
        """Probability of an outcome: `17` to `21`, `blackjack` or `bust`."""
        return self.chances[OUTCOMES.index(outcome)]

    def after_check(self, outcome: str) -> Fraction:
        """Probability after the dealer has checked and has no blackjack."""
        if outcome == BLACKJACK:
            return Fraction()
        return self.of(outcome) / (1 - self.of(BLACKJACK))

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
class DealerOutcomes(TabularResult):
    """The dealer's final totals by up card, assuming that the dealer plays out the hand."""

    main_table = "up_cards"
    columns = (
        Column("up card", None, attrgetter("up"), "up"),
        Column("chance", PERCENT_4, attrgetter("chance"), "chance"),
        *(Column(name, PERCENT_4, methodcaller("of", name), name) for name in OUTCOMES),
    )

    basis: Basis
    up_cards: tuple[UpOutcomes, ...]

    __repr__ = brief_repr

    def of(self, up: str) -> UpOutcomes:
        """The outcomes of one up card: `A`, `2` … `10`, or `all`."""
        return next(card for card in self.up_cards if card.up == up)

    def records(self) -> tuple[UpOutcomes, ...]:
        return self.up_cards

    def as_data(self) -> dict[str, object]:
        found = [outcomes.as_data() for outcomes in self.up_cards]
        return {**self.basis.as_data(), "up_cards": found}

    def _repr_html_(self) -> str:
        caption = f"The dealer's final totals, {self.basis.rules} ({self.basis.shoe_text})"
        return html_of(caption, self.columns, self.up_cards)


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
    composition = with_cards(parse_shoe(rules, without, shoe, seen), seen)
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
            total(item.chance * item.chances[place] for item in found)
            for place in range(len(OUTCOMES))
        )
        found.append(UpOutcomes(ALL_UPS, Fraction(1), every))
    return DealerOutcomes(basis_of(rules, composition), tuple(found))


def _up_card(rules: Rules, up: str) -> int:
    """Parse a rank, such as `6`, `K` or `10`, or a rank and suit, such as `6h`."""
    rank = up.strip().upper().replace("10", "T")
    if len(rank) != 1 or rank not in RANKS:
        return parse_card(up)
    number = RANKS.index(rank) + 1
    has_it = card_of(number, CLUBS) in rules.pack.cards  # a Spanish pack has no tens
    return card_of(number if has_it else KING, CLUBS)


def _chances(table: RuleTable, shoe: list[int], up: int) -> tuple[Fraction, ...]:
    """Probability of each outcome with this value up; `shoe` still includes the up card."""
    remaining = shoe.copy()
    remaining[up - 1] -= 1
    draws = _Draws(table, remaining, up)
    return tuple(
        total(Fraction(count, perm(sum(remaining), cards)) for cards, count in by_cards.items())
        for by_cards in draws.ways.values()
    )


class _Draws:
    """Counts every order in which the dealer can draw."""

    def __init__(self, table: RuleTable, remaining: list[int], up: int) -> None:
        self.ways: dict[str, dict[int, int]] = {outcome: {} for outcome in OUTCOMES}
        self._table = table
        self._left = remaining
        self._up = card_of_value(up)
        self._draw(up, int(up == ACE), 0, 1)

    def _draw(self, hard: int, aces: int, drawn: int, ways: int) -> None:
        """Draw the next card to a hand that can arise in `ways` ways."""
        if drawn and not dealer_draws(self._table, hard, aces):
            self._end(str(best_total(hard, aces)) if hard <= HIGHEST_TOTAL else BUST, drawn, ways)
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
