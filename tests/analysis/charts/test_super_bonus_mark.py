"""`$`, the mark for hitting suited 7-7 for the Super Bonus: when it is right."""

from __future__ import annotations

import pytest

from tests import IS_SOAK
from tests.analysis.charts.studied import BLACKJACK, SPANISH, SUPER_FUN, derived
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.charts.best_play import SUPER, Optimum
from ventiuna.core.actions import HIT, SPLIT
from ventiuna.kernels.exact.tables import composition_index
from ventiuna.rules import compile_rules, load_rules

SEVEN = 6  # index of its value, from the ace


def marked(rules: str, base: int | None = None) -> list[tuple[int, int]]:
    chart = derived(rules, base).chart
    return [
        (value, column)
        for value, row in chart.pairs.items()
        for column, cell in enumerate(row)
        if cell.for_super
    ]


def test_only_games_with_a_super_bonus_have_the_mark() -> None:
    assert marked(SPANISH) == [(7, 5)]
    assert marked(SUPER_FUN) == marked(BLACKJACK) == []
    assert derived(BLACKJACK).marks == ()


@pytest.mark.parametrize("rules", [SPANISH] + ["wsgc-spanish-21(decks=2)"] * IS_SOAK)
def test_the_mark_is_right_only_up_to_the_stated_wager(rules: str) -> None:
    (mark,) = derived(rules).marks
    house = load_rules(rules)
    place = composition_index((SEVEN, SEVEN))
    for base, is_right in ((mark.highest - 100, True), (mark.highest + 100, False)):
        solution = analyze(house, base=base, super_bonus=True).solution
        optimum = Optimum(compile_rules(house), solution, base)
        values = optimum.two_cards.values[SEVEN, SUPER, place]
        assert (values[HIT] > values[SPLIT]) == is_right
    assert marked(rules, mark.lowest) == [(7, 5)]
    assert marked(rules, mark.highest + 100) == []


def test_a_wager_below_the_lowest_band_has_no_mark() -> None:
    assert derived(SPANISH).marks[0].lowest == 500
    assert marked(SPANISH, 499) == []
    assert marked(SPANISH, 500) == [(7, 5)]


def test_the_super_bonus_is_in_the_values_only_with_a_wager() -> None:
    without, with_wager = derived(SPANISH), derived(SPANISH, 500)
    assert not without.super_bonus
    assert with_wager.super_bonus
    assert with_wager.ev > without.ev
    house = load_rules(SPANISH)
    assert with_wager.optimal_ev == analyze(house, base=500, super_bonus=True).ev
    assert "including its Super Bonus" in with_wager.price_sentence
    assert "Super Bonus" not in without.price_sentence


def test_the_page_states_the_highest_wager() -> None:
    assert "$ applies to base wagers from $5 to $371." in derived(SPANISH).page().notes
