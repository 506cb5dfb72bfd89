"""Which simulation kernels are compiled, and for which arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.meters import BlockHits, new_meter_counts, walk_meters
from ventiuna.kernels.simulate.rounds import play_rounds
from ventiuna.rules import load_rules
from ventiuna.simulation.blocks import call_for
from ventiuna.simulation.meters import meter_rules, meter_state
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.strategies import find_strategy
from ventiuna.simulation.work import Work, make_work

_METERS = "wsgc-2021(jackpots=3c:1:wager=5:seed=1000)"


def sample_works() -> Iterator[tuple[str, Work]]:
    """One for each variant of the round kernel, by name."""
    rules = load_rules("wsgc-spanish-21")
    base = Plan(rules)
    player = find_strategy("chart", rules, base.base_wager)
    yield "base game", make_work(base, player)
    yield "several spots", make_work(replace(base, spots=2), player)
    sides = replace(base, match={"up": 100})
    yield "side wagers", make_work(sides, player)
    yield "several spots, side wagers", make_work(replace(sides, spots=2), player)
    errors = Fraction(1, 100)
    yield "counts, errors and sessions", make_work(replace(base, errors=errors), player)
    yield "the same, side wagers", make_work(replace(sides, errors=errors), player)


def simulation_signatures() -> list[tuple[Callable[..., object], tuple[object, ...]]]:
    """Each kernel with arguments of the types that a simulation passes it."""
    rounds = [(play_rounds, tuple(call_for(work, 0, 1))) for _, work in sample_works()]
    return [*rounds, (walk_meters, _meters_call())]


def _meters_call() -> tuple[object, ...]:
    rules = load_rules(_METERS)
    plan = Plan(rules, jackpots=(1,))
    work = make_work(plan, find_strategy("chart", rules, plan.base_wager))
    hits = np.zeros((0, at.HIT_COLUMNS), dtype=np.int64)
    totals = np.zeros(0, dtype=np.int64)
    ended = np.zeros((0, 1, 3), dtype=np.int64)
    counts = new_meter_counts(0)
    block = BlockHits(hits, 0, 0, totals, 0, ended, 0)
    return (meter_rules(work), meter_state((0,)), counts, block)
