"""Card counting: time for effects, a design and index numbers; rounds per second with a count."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from benchmarks.figures import Figure
from ventiuna.analysis.composition import fresh_composition
from ventiuna.counting.decisions import best_value, fresh_solution
from ventiuna.counting.design import CountSpec, design_counts
from ventiuna.counting.efficiency import EffectsCalculator, Goal, sampled_efficiency
from ventiuna.counting.evaluation import evaluate_count
from ventiuna.counting.files import flat, with_indices
from ventiuna.counting.indices import index_numbers
from ventiuna.counting.removal import effects_of_removal
from ventiuna.counting.tags import Depths, tags_of
from ventiuna.rules import load_rules
from ventiuna.simulation.blocks import play_block
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import SimulationSpec, make_spec
from ventiuna.strategy.counting import Count, built_in_counts

RULES = "wsgc-2021"
BLOCK = 1_000_000
REPEATS = 5


def seconds(what: Callable[[], object], repeats: int = 1) -> float:
    """Return the minimum processor time of several runs."""
    found = []
    for _ in range(repeats):
        started = time.process_time()
        what()
        found.append(time.process_time() - started)
    return min(found)


def measure(quick: bool) -> Iterator[Figure]:
    rules = load_rules(RULES)
    best_value(rules, None, fresh_composition(rules))  # compile or load
    repeats = 1 if quick else 3
    yield Figure("effects of removal, all wagers", seconds(lambda: effects_of_removal(rules)), "s")

    def design(level: int) -> None:
        workshop = EffectsCalculator(rules)
        evaluate_count(workshop, design_counts(workshop, CountSpec(level))[0])

    for level in (1, 3):
        name = f"count design, level {level}, with its correlations and playing efficiency"
        yield Figure(name, seconds(partial(design, level), repeats), "s")
    if not quick:
        workshop = EffectsCalculator(rules)
        wish = CountSpec(2, goal=Goal.PLAYING)
        yield Figure(
            "count design for playing, level 2", seconds(lambda: design_counts(workshop, wish)), "s"
        )
    level_one = built_in_counts()["level-one"]
    depths = Depths(rules, tags_of(level_one))
    fresh_solution(rules, None)
    yield Figure("index numbers of every cell", seconds(lambda: index_numbers(depths)), "s")
    shoes = 8 if quick else 40
    sampled = seconds(lambda: sampled_efficiency(rules, depths.tags, shoes))
    yield Figure("playing efficiency by drawing, a shoe", 1000 * sampled / shoes, "ms")
    yield from _rounds(level_one, quick)


def _rounds(level_one: Count, quick: bool) -> Iterator[Figure]:
    rules = load_rules(RULES)
    study = index_numbers(Depths(rules, tags_of(level_one)), points=5)
    many = with_indices(flat(level_one), rules, study.worth_knowing(60), 10.0)
    nothing = with_indices(flat(level_one), rules, (), None)
    for name, count in (
        ("plain simulation, best play", None),
        ("the same by the count, flat bets", nothing),
        ("the same with 60 index plays and insurance", many),
    ):
        rate = _rate(rules_work(count), 2 if quick else REPEATS)
        yield Figure(name, rate / 1e6, "M rounds/s")


def rules_work(count: Count | None) -> SimulationSpec:
    rules = load_rules(RULES)
    plan = Plan(rules, "optimal", count=count, errors=Fraction(0))
    return make_spec(plan, find_strategy("optimal", rules, plan.base_wager))


def _rate(work: SimulationSpec, repeats: int) -> float:
    play_block(work, 0, 1000)
    return BLOCK / seconds(lambda: play_block(work, 0, BLOCK), repeats)
