"""What each option is worth: one option changed at a time, all approved combinations, each card.

These list the rules and shoes to analyse; `ventiuna.analysis.analyse` gives values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from ventiuna.analysis.composition import Composition, fresh_composition
from ventiuna.core.cards import value_of
from ventiuna.rules import Rules, RulesError, canonical, change_rules
from ventiuna.rules.model import PayRow
from ventiuna.rules.options import BY_NAME
from ventiuna.rules.reading.loading import choices_of
from ventiuna.rules.values import value_text
from ventiuna.rules.words.options import change_words, values_of

# Options that the base game's value depends on, in the order people ask for them.
BASE_GAME_OPTIONS = (
    "decks",
    "soft_17",
    "double_double",
    "surrender",
    "rescue",
    "blackjack_pays",
    "diamond_blackjack_pays",
    "blackjack_tie",
    "player_21",
    "double_blackjack",
    "double_on_21",
    "double_cards",
    "double_totals",
    "double_after_split",
    "split",
    "split_hands",
    "split_aces",
    "resplit_aces",
)


@dataclass(frozen=True, slots=True)
class Variation:
    """A set of rules that differs from another in one thing."""

    name: str  # soft_17=stand, or "without 5-card 21"
    rules: Rules
    words: str = ""  # as people say it

    @property
    def is_option(self) -> bool:
        return "=" in self.name


def variations(rules: Rules) -> tuple[Variation, ...]:
    """Every other value of each option, and each pay row left out; contradictions are skipped."""
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
        for value in values_of(BY_NAME[name]):
            if value == present:
                continue
            try:
                changed = change_rules(rules, {name: value} | _following(rules, name))
            except RulesError:
                continue  # a value that these rules contradict is no choice
            yield Variation(f"{name}={value}", changed, change_words(BY_NAME[name], value))


def _following(rules: Rules, name: str) -> dict[str, str]:
    """Jackpot and Match the Dealer tables belong to one number of decks; they go with it."""
    if name != "decks":
        return {}
    return {"jackpots": "none"} if rules.jackpots else {}


def approved_grid(preset: str, rules: Rules) -> tuple[Rules, ...]:
    """All combinations that the preset's document lets the house choose, for the base game."""
    choices = {
        name: values for name, values in choices_of(preset).items() if name in BASE_GAME_OPTIONS
    }
    found: dict[str, Rules] = {}
    for values in product(*choices.values()):
        changes = dict(zip(choices, values, strict=True)) | _following(rules, "decks")
        try:
            combination = change_rules(rules, changes)
        except RulesError:
            continue
        found[canonical(combination)] = combination
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class CardGone:
    """A fresh shoe without one card."""

    value: str
    composition: Composition


def shoes_without_one_card(rules: Rules) -> tuple[CardGone, ...]:
    """For each value four shoes, each without one card of a suit: their mean is its effect."""
    fresh = fresh_composition(rules)
    found = []
    for value in range(1, 11):
        cards = [card for card in rules.pack.cards if value_of(card) == value][-4:]
        for card in cards:
            counts = list(fresh)
            counts[card] -= 1
            found.append(CardGone("A" if value == 1 else str(value), tuple(counts)))
    return tuple(found)
