"""A shoe dealt to the cut card loses more than fresh shoes, because of the cut card."""

from __future__ import annotations

from benchmarks.cut_card import rounds_of_shoes, together
from ventiuna.rules import load_rules
from ventiuna.simulation.blocks import Tally, play_block
from ventiuna.simulation.exact_play import exact_value
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.result import Result
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import SimulationSpec, make_spec


def best_play(rules: str) -> SimulationSpec:
    plan = Plan(load_rules(rules))
    return make_spec(plan, find_strategy("optimal", plan.rules, plan.base_wager))


def test_the_cut_card_lowers_super_fun_21_below_its_exact_value_o_03() -> None:
    """Rounds that every shoe deals are worth as much as a fresh shoe (see fresh shoes in
    `equivalence/test_exact.py`); rounds that few shoes reach are worth far less."""
    spec = best_play("super-fun-21")
    exact = exact_value(spec).ev
    rounds = rounds_of_shoes(spec, 2_000_000)
    certain = together([each for each in rounds if each.is_certain])
    few = together([each for each in rounds if each.share < 0.5])
    assert [each.number for each in rounds if each.is_certain] == [1, 2, 3, 4, 5]
    assert certain.trials > 1_500_000
    assert abs(certain - exact) < 3 * certain.standard_error
    assert few < exact - 5 * few.standard_error


def test_rounds_by_shoe_add_up_to_the_simulators() -> None:
    spec = best_play("super-fun-21")
    tally = Tally.empty(spec)
    tally.add(play_block(spec, 0, 20_000))
    assert together(rounds_of_shoes(spec, 20_000)) == Result(tally).ev
