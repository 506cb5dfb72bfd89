"""Derived charts: their cost, their size, and proof that no other choice is better."""

from __future__ import annotations

import random
import tomllib
from dataclasses import replace

import numpy as np
import pytest

from tests import IS_SOAK
from tests.analysis.charts.studied import (
    BLACKJACK,
    DOUBLE_DOUBLE,
    PRESETS,
    PUBLISHED,
    SPANISH,
    SUPER_FUN,
    derived,
    priced,
)
from tests.support.rule_sets import random_rules
from ventiuna.analysis.base_game.analyzer import analyze, evaluate
from ventiuna.analysis.charts.best_play import Optimum, best_policy, chart_tables
from ventiuna.analysis.charts.derivation import derive_chart, price_chart
from ventiuna.analysis.charts.page import cell_text, row_text
from ventiuna.core.actions import DOUBLE, HIT, STAND
from ventiuna.kernels.exact.tables import composition_index
from ventiuna.rules import compile_rules, load_rules
from ventiuna.strategy.chart import UP_CARDS, Cell, Chart, Rows, built_in_charts, read_chart

AIM = 0.005  # percentage points


def cells_of(rows: Rows, total: int) -> list[str]:
    return row_text(rows[total]).split()


@pytest.mark.parametrize("rules", PRESETS)
def test_no_chart_is_better_than_the_best_play(rules: str) -> None:
    result = derived(rules)
    assert result.ev <= result.optimal_ev
    assert result.optimal_ev == analyze(load_rules(rules)).ev
    assert result.fingerprint == analyze(load_rules(rules)).fingerprint


@pytest.mark.parametrize("chart", list(built_in_charts()))
def test_no_published_chart_is_better_than_the_best_play(chart: str) -> None:
    result = priced(SPANISH, chart)
    assert result.ev < result.optimal_ev
    assert result.cost > 0


@pytest.mark.parametrize(
    "rules",
    [SPANISH, DOUBLE_DOUBLE]
    + ["wsgc-spanish-21(soft_17=stand)", "wsgc-spanish-21(decks=4)"] * IS_SOAK,
)
def test_spanish_21_charts_meet_the_cost_target(rules: str) -> None:
    assert 0 < derived(rules).cost_points < AIM / 4


def test_costs_of_the_charts_for_other_games() -> None:
    """With one deck, the cards in a hand matter more than a chart can express."""
    assert derived(BLACKJACK).cost_points == pytest.approx(0.00118, abs=0.00002)
    assert derived(SUPER_FUN).cost_points == pytest.approx(0.0336, abs=0.0005)


@pytest.mark.parametrize(
    "rules",
    ["wsgc-spanish-21(split=off,double_double=on)", "super-fun-21(split=off)"]
    + ["blackjack(split=off,surrender=late)", "wsgc-spanish-21(split=off)"] * IS_SOAK,
)
def test_without_splits_the_prices_of_cells_add_up_to_the_exact_cost(rules: str) -> None:
    """Compute the same figure in two ways: hand frequency times cost, and the fixed-strategy
    evaluation of the whole game. In the first, splits are only approximate."""
    charts = [built_in_charts()[PUBLISHED]]
    if IS_SOAK:
        charts = [derive_chart(load_rules(rules)).chart, *built_in_charts().values()]
    for chart in charts:
        result = price_chart(load_rules(rules), chart)
        assert sum(cell.cost for cell in result.worst) == pytest.approx(result.cost, abs=1e-14)


@pytest.mark.parametrize("rules", PRESETS)
def test_with_splits_the_prices_nearly_add_up(rules: str) -> None:
    result = derived(rules)
    assert sum(cell.cost for cell in result.worst) == pytest.approx(result.cost, rel=0.2)


def test_worst_cells_come_first_and_show_the_mistake() -> None:
    result = derived(SPANISH)
    costs = [cell.cost for cell in result.worst]
    assert costs == sorted(costs, reverse=True)
    for cell in result.worst:
        assert cell.up in UP_CARDS
        for hand in cell.hands:
            assert 0 < hand.cost <= cell.cost
            assert hand.action != hand.best
    dearest = result.worst[0]
    assert (dearest.row, dearest.up, dearest.cell) == ("hard 14", "3", "H")
    assert (dearest.hands[0].hand, dearest.hands[0].best) == ("4-5-5", "stand")


def test_a_worst_hand_agrees_with_the_exact_values() -> None:
    """Hard 14 made of 4-5-5 against a 3: standing is worth more than the chart's hit."""
    plays = analyze(load_rules(SPANISH)).solution.plays
    place = composition_index((3, 4, 4))
    values = plays["by_action"][2, :, place]
    assert values[STAND] > values[HIT]


def with_cell(chart: Chart, table: str, total: int, column: int, cell: Cell) -> Chart:
    rows = dict(getattr(chart, table))
    row = list(rows[total])
    row[column] = cell
    rows[total] = tuple(row)
    return replace(chart, hard=rows) if table == "hard" else replace(chart, soft=rows)


@pytest.mark.parametrize("rules", [SPANISH, SUPER_FUN])
def test_no_single_cell_can_be_improved(rules: str) -> None:
    """Changing letters or digits in random cells never raises the exact value by more than
    one sign is worth."""
    result = derived(rules)
    house = load_rules(rules)
    optimum = Optimum(compile_rules(house), analyze(house).solution, None)
    generator = random.Random(21)
    for _ in range(14 if IS_SOAK else 5):
        table = generator.choice(["hard", "soft"])
        total = generator.randint(*((9, 17) if table == "hard" else (13, 19)))
        column = generator.randrange(10)
        cell = Cell(generator.choice("HSDR"), "", generator.choice([0, 3, 4, 5]), "", False)
        changed = with_cell(result.chart, table, total, column, cell)
        ev = evaluate(house, chart_tables(optimum, changed), "changed").ev
        place = (table, total, UP_CARDS[column], cell_text(cell))
        assert ev <= result.ev + 1.2e-7, place


def test_illegal_actions_have_no_value() -> None:
    """These rules don't allow doubling a blackjack but allow doubling a split A-10, so the double
    has no value."""
    house = load_rules("casino-card")
    optimum = Optimum(compile_rules(house), analyze(house).solution, None)
    place = composition_index((0, 9))
    assert np.isfinite(optimum.by_action[:, STAND]).all()
    assert np.isnan(optimum.by_action[:, DOUBLE, place]).all()
    assert np.isnan(optimum.two_cards.values[:, 0, place, HIT:]).all()
    assert (best_policy(optimum).two[..., 0, place] == STAND).all()


def test_fewer_signs_cost_more() -> None:
    """The price of a sign determines how many there are."""
    small, usual, large = (derived(SPANISH, None, worth) for worth in (3e-6, 1e-7, 0.0))
    assert small.signs < usual.signs < large.signs
    assert small.cost > usual.cost > large.cost
    assert small.cost_points < AIM


def test_the_plain_blackjack_chart_is_the_well_known_one() -> None:
    chart = derived("blackjack(surrender=late,soft_17=stand)").chart
    assert cells_of(chart.hard, 9) == ["H", "D", "D", "D", "D", "H", "H", "H", "H", "H"]
    assert cells_of(chart.hard, 10) == ["D", "D", "D", "D", "D", "D", "D", "D", "H", "H"]
    assert cells_of(chart.hard, 11) == ["D", "D", "D", "D", "D", "D", "D", "D", "D", "H"]
    assert cells_of(chart.hard, 12) == ["H", "H", "S", "S", "S", "H", "H", "H", "H", "H"]
    assert cells_of(chart.hard, 15) == ["S", "S", "S", "S", "S", "H", "H", "H", "RH", "H"]
    assert cells_of(chart.hard, 16) == ["S", "S", "S", "S", "S", "H", "H", "RH", "RS", "RH"]
    assert cells_of(chart.soft, 18) == ["S", "DS", "DS", "DS", "DS", "S", "S", "H", "H", "H"]
    assert cells_of(chart.pairs, 9) == ["P", "P", "P", "P", "P", "S", "P", "P", "S", "S"]
    assert cells_of(chart.pairs, 1) == ["P"] * 10
    assert chart.doubled == ()


def test_super_fun_21_surrenders_at_any_time_and_aims_at_six_cards() -> None:
    chart = derived(SUPER_FUN).chart
    # With four cards totaling 11, the dealer advises a hit: 21 with five cards pays 2 to 1.
    assert cells_of(chart.hard, 11)[:4] == ["D4"] * 4
    # A soft hand of five cards can't lose by taking a sixth, so S5 hits it.
    assert cells_of(chart.soft, 19)[0] == "S5"
    assert cells_of(chart.hard, 16)[-2:] == ["R4", "R4"]
    # R on a doubled hand gives up one of the two bets.
    hard, _ = chart.doubled[0]
    assert cells_of(hard, 16)[6:] == ["R"] * 4


def test_double_double_has_tables_after_one_two_and_three_doubles() -> None:
    chart = derived(DOUBLE_DOUBLE).chart
    assert len(chart.doubled) == 3
    for number, (hard, _) in enumerate(chart.doubled):
        again = {cell.first for row in hard.values() for cell in row}
        assert again == ({"S", "D", "R"} if number < 2 else {"S", "R"})
    assert len(derived(SPANISH).chart.doubled) == 1


@pytest.mark.parametrize("seed", range(5 if IS_SOAK else 1))
def test_any_valid_rules_have_a_chart(seed: int) -> None:
    """These rules are far from any document; a chart costs the most with a single deck."""
    result = derive_chart(random_rules(random.Random(seed), changes=20))
    assert -1e-14 <= result.cost_points < 0.06
    assert read_chart("again", tomllib.loads(result.toml())).hard == result.chart.hard


def test_the_price_of_the_published_chart() -> None:
    """The chart that players know is almost perfect for its own rules."""
    assert priced(SPANISH, PUBLISHED).cost_points == pytest.approx(0.00018, abs=0.00001)
    assert priced(DOUBLE_DOUBLE, PUBLISHED).cost_points > 0.3
