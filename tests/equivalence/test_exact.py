"""Kernel and exact analyzer: all shared figures agree, allowing for many comparisons."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import IS_SOAK
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.proof.certificate import (
    InsuringPlayer,
    RowPaid,
    always_tries_super_bonus,
    clustered_check,
    compare_figures,
)
from ventiuna.proof.regret import regret_lines, total_regret
from ventiuna.rules import load_rules
from ventiuna.simulation.exact_play import OptimalPlayer, best_solution, exact_value
from ventiuna.simulation.plan import Plan, ShoeUse
from ventiuna.simulation.result import Result
from ventiuna.simulation.run import simulate
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import make_spec

ROUNDS = 3_000_000 if IS_SOAK else 600_000
TWO_JACKPOTS = "3c:1:wager=5:seed=1000+5c:2:prize=25"


def simulated(rules: str, strategy: str, rounds: int = ROUNDS, seed: int = 2024) -> Result:
    loaded = load_rules(rules)
    player = InsuringPlayer(find_strategy(strategy, loaded, loaded.table_minimum))
    return simulate(
        loaded,
        player,
        rounds,
        match=dict.fromkeys(loaded.mtd_wagers, 100),
        jackpots=tuple(range(1, len(loaded.jackpots) + 1)),
        shoe=ShoeUse.FRESH,
        seed=seed,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "strategy"),
    [
        (f"wsgc-2021(mtd_configuration=4,bonus_cards=2,jackpots={TWO_JACKPOTS})", "chart"),
        ("super-fun-21", "optimal"),
    ]
    + [
        ("catfish-bend", "optimal"),
        ("wsgc-spanish-21", "optimal"),
        ("wsgc-spanish-21(decks=2)", "optimal"),
        ("casino-card", "habits"),
        ("blackjack(soft_17=stand)", "mimic"),
    ]
    * IS_SOAK,
)
def test_simulated_figures_agree_with_the_exact_ones(rules: str, strategy: str) -> None:
    checks = compare_figures(simulated(rules, strategy))
    assert len(checks) > (450 if IS_SOAK else 120)
    failed = [check for check in checks if not check.agrees]
    assert not failed, failed


def test_a_small_error_is_detected() -> None:
    """The comparison can fail: simulated S17 differs from exact H17."""
    stand = simulated("wsgc-spanish-21(soft_17=stand)", "spanish-21-h17")
    hit = simulated("wsgc-spanish-21", "spanish-21-h17", 1000)
    mixed = stand.tally
    mixed.spec = hit.tally.spec
    checks = compare_figures(Result(mixed))
    assert not all(check.agrees for check in checks)


@pytest.mark.parametrize(
    "rules",
    [
        "super-fun-21(split_aces=one_card)",  # split aces may be surrendered after their card
        "wsgc-spanish-21(table_minimum=4)",
    ]
    + ["super-fun-21", "blackjack"] * IS_SOAK,
)
def test_best_play_as_a_table_is_worth_the_optimum(rules: str) -> None:
    """If no Super Bonus is in play, the simulator's table loses nothing."""
    loaded = load_rules(rules)
    plan = Plan(loaded, base=400 if "minimum" in rules else 500)
    player = OptimalPlayer(loaded, plan.base_wager)
    found = exact_value(make_spec(plan, player)).ev
    assert found == pytest.approx(analyze(loaded).ev, abs=1e-12)


def test_the_published_chart_costs_next_to_nothing() -> None:
    rules = load_rules("wsgc-spanish-21")
    plan = Plan(rules)
    values = {
        name: exact_value(make_spec(plan, find_strategy(name, rules, plan.base_wager))).ev
        for name in ("optimal", "spanish-21-h17", "habits")
    }
    assert values["optimal"] == pytest.approx(-0.0077884193, abs=1e-9)
    assert 0 < values["optimal"] - values["spanish-21-h17"] < 1e-5
    assert values["optimal"] > values["habits"]


ONE_ROW = """
title = "One row"
extends = "wsgc-spanish-21"
[[bonus_21]]
name = "5-card 21"
cards = "5+"
pay = "3 to 2"
"""
NO_OTHER_PAY = """
[[bonus_21]]
name = "7-7-7 of one suit"
ranks = "7-7-7"
suits = "one suit"
pay = "1 to 1"
"""
INSTANT_WIN = """
[[instant_wins]]
name = "three cards"
cards = "3+"
total = "at most 20"
pay = "1 to 1"
"""


def test_suits_matter_even_if_only_for_the_super_bonus(tmp_path: Path) -> None:
    """Players hit 7-7 of one suit against a 7 and split other sevens, whatever else pays."""
    values = []
    for name, text in (("one", ONE_ROW), ("more", ONE_ROW + NO_OTHER_PAY)):
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        plan = Plan(load_rules(str(path)), shoe=ShoeUse.FRESH)
        spec = make_spec(plan, find_strategy("optimal", plan.rules, plan.base_wager))
        hands = {(hand.hand, hand.up): hand.ev for hand in exact_value(spec).hands()}
        values.append(hands["7-7", "7"])
    assert values[0] == pytest.approx(values[1], abs=1e-12)


def test_rows_that_pay_several_hands_per_round_have_the_right_error(tmp_path: Path) -> None:
    """This row pays every hand that draws, including split hands."""
    path = tmp_path / "instant.toml"
    path.write_text(ONE_ROW + INSTANT_WIN, encoding="utf-8")
    result = simulated(str(path), "habits", 20_000)
    rows = [check for check in compare_figures(result) if check.group == "bonus"]
    assert rows
    assert all(check.standard_error > 0 or check.exact == check.simulated for check in rows)
    assert all(check.agrees for check in rows)


def test_a_row_paid_more_often_than_there_are_rounds_has_an_error() -> None:
    paid = RowPaid(units=120, alone_squared=40, together_squared=80, most_hands=4, unit=1)
    check = clustered_check("bonus", "every split hand", 1.2, paid, 100)
    # Larger than if every other round had split its hand in two.
    assert check.standard_error > 0.3 / 100**0.5


def test_only_some_strategies_try_for_the_super_bonus() -> None:
    rules = load_rules("wsgc-spanish-21")
    plan = Plan(rules)

    def tries(name: str) -> bool:
        player = find_strategy(name, rules, plan.base_wager)
        return always_tries_super_bonus(make_spec(plan, player))

    assert tries("optimal")
    assert tries("chart")
    assert not tries("habits")  # this chart splits sevens


def test_regret_adds_up_to_the_strategys_cost() -> None:
    """Visits times exact losses equal the difference of exact values, within the visits' error."""
    rules = load_rules("super-fun-21")
    result = simulate(rules, "mimic", ROUNDS, shoe=ShoeUse.FRESH)
    lines = regret_lines(result)
    best = float(best_solution(rules, 500).deals.sum(axis=(0, 1))[1])
    lost = best - exact_value(result.tally.spec).ev
    assert lost > 0.04
    assert total_regret(lines).value == pytest.approx(lost, rel=0.02 if IS_SOAK else 0.045)
    assert 0 < total_regret(lines).standard_error < 0.1 * lost
    assert lines[0].cost.value >= lines[-1].cost.value
    assert {line.action for line in lines} <= {"hit", "stand"}


def test_best_play_has_no_regret() -> None:
    result = simulate("super-fun-21", "optimal", 200_000, shoe=ShoeUse.FRESH)
    assert regret_lines(result) == []
