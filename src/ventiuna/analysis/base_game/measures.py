"""Measures of the base game for the list of published figures; the analyser loads when asked."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from ventiuna.cards import parse_card, parse_cards
from ventiuna.rules import Rules, change_rules


@lru_cache(maxsize=64)
def expected_value(rules: Rules) -> Fraction:
    """Best play from a fresh shoe, per base wager."""
    from ventiuna.analysis.base_game.analyser import analyse

    return Fraction(analyse(rules).ev)


def house_edge(rules: Rules) -> Fraction:
    return -expected_value(rules)


def standard_deviation(rules: Rules) -> Fraction:
    from ventiuna.analysis.base_game import spread as base_game_spread
    from ventiuna.analysis.base_game.analyser import analyse

    return Fraction(base_game_spread.standard_deviation(rules, analyse(rules)))


def no_surrender_costs(rules: Rules) -> Fraction:
    return expected_value(rules) - expected_value(change_rules(rules, {"surrender": "off"}))


def double_5_6_against_2(rules: Rules) -> Fraction:
    from ventiuna.analysis.base_game.hand import hand_values

    found = hand_values(rules, parse_cards("5c 6d"), parse_card("2h"))
    return next(Fraction(action.ev) for action in found.actions if action.action == "double")


def removal_effect(value: str, rules: Rules) -> Fraction:
    """One card of this value out of the shoe, mean over suits, times the decks."""
    from ventiuna.analysis.base_game.analyser import analyse
    from ventiuna.analysis.base_game.variations import shoes_without_one_card

    shoes = [gone.composition for gone in shoes_without_one_card(rules) if gone.value == value]
    changes = [Fraction(analyse(rules, shoe).ev) - expected_value(rules) for shoe in shoes]
    return rules.decks * sum(changes, Fraction(0)) / len(changes)
