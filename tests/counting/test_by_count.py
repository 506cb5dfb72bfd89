"""Rounds by count: the kernel's table compared with the same rounds counted one by one."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import floor

import numpy as np
import pytest

from tests import IS_SOAK
from ventiuna.kernels.simulate import layout as at
from ventiuna.proof.lockstep import find_differences, trace_rounds
from ventiuna.rules import load_rules
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.run import simulate
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import SimulationSpec, compiled_tables, make_spec
from ventiuna.strategy.counting import Count, read_count
from ventiuna.strategy.protocol import PlanError

ROUNDS = 3_000 if IS_SOAK else 1_000
COUNT = {
    "start": 0,
    "tags": {"3": 1, "4": 1, "5": 1.5, "6": 1, "10": -1, "A": -1, "7s": -0.5},
    "sides": [
        {"name": "nines", "weight": 0.5, "start": 0, "tags": {"9": 1}},
        {"name": "sevens", "weight": 0, "start": -4, "tags": {"7": 1}},
    ],
    "insurance_at": 3,
    "insurance_weights": [1, 0.5, -0.25],
    "bets": [{"at": 1, "wagers": 2}, {"at": 2.5, "wagers": 5}],
    "plays": [
        {"hand": "hard 15", "up": "10", "at": 1, "play": "S", "cards": "2-3"},
        {"hand": "hard 14", "up": "10", "at": -4.5, "play": "S", "weights": [0, 0.75, 1]},
        {"hand": "hard 12", "up": "4", "below": -8, "play": "S", "weights": [1, -1, 2]},
        {"hand": "hard 13", "up": "5", "below": 0.5, "play": "H"},
        {"hand": "hard 11", "up": "10", "below": -1, "play": "H", "cards": "2"},
        {"hand": "soft 18", "up": "9", "at": 0, "play": "S", "cards": "3+"},
        {"hand": "pair 9", "up": "7", "below": -2, "play": "S"},
        {"hand": "hard 12", "up": "6", "at": 0, "play": "S", "after": "split"},
        {"hand": "hard 16", "up": "10", "at": 0, "play": "R", "after": "deal"},
        {"hand": "soft 15", "up": "5", "at": 0, "play": "H", "after": "split of aces"},
        *(
            {"hand": f"hard {total}", "up": up, "at": 0, "play": play, "after": after}
            for total, play in ((12, "R"), (13, "D"), (16, "R"), (17, "R"), (18, "R"))
            for up in ("6", "9", "10")
            for after in ("double", "second double")
        ),
    ],
}


def a_work(
    count: Count, spots: int = 1, seed: int = 5, name: str = "wsgc-2021"
) -> tuple[SimulationSpec, object]:
    rules = load_rules(name)
    plan = Plan(rules, "chart", spots=spots, count=count, seed=seed, block=ROUNDS)
    strategy = find_strategy("chart", rules, plan.base_wager)
    return make_spec(plan, strategy), strategy


@pytest.mark.parametrize(
    ("spots", "rules"),
    [(3, "wsgc-2021(double_double=on)"), (2, "super-fun-21")] + [(1, "wsgc-2021")] * IS_SOAK,
)
def test_plays_by_count_cards_splits_and_doubles_match_the_engine(spots: int, rules: str) -> None:
    spec, strategy = a_work(read_count("mine", COUNT), spots, name=rules)
    assert find_differences(spec, strategy, ROUNDS // 2) == []  # type: ignore[arg-type]


def test_plays_of_doubled_hands_change_the_actions() -> None:
    """The plays rescue hands that the chart wouldn't; without the plays there are no rescues."""
    count = read_count("mine", COUNT)
    spec, _ = a_work(count, name="wsgc-2021(double_double=on)")
    plays = compiled_tables(spec).index_plays
    modes = {int(mode) for mode in np.nonzero(plays.codes >= at.INDEX_PLAY)[0]}
    doubled = {at.DOUBLED_ONCE, at.DOUBLED_TWICE}
    assert doubled | {at.AS_DEALT, at.FROM_SPLIT, at.FROM_ACES} <= modes
    assert at.DOUBLED_THRICE not in modes


@pytest.mark.parametrize(
    ("after", "letter", "sentence"),
    [("lunch", "S", "not one of the choices"), ("double", "H", "Use one of S, D, R")],
)
def test_plays_that_fit_no_hand_are_refused(after: str, letter: str, sentence: str) -> None:
    play = {"hand": "hard 15", "up": "9", "at": 1, "play": letter, "after": after}
    with pytest.raises(PlanError, match=sentence):
        read_count("mine", {**COUNT, "plays": [play]})


def test_the_table_by_count_matches_the_rounds() -> None:
    count = read_count("mine", COUNT)
    spec, _ = a_work(count)
    traced, _history = trace_rounds(spec, ROUNDS)
    size = spec.rules.shoe_size
    running, left = Fraction(0), size
    expected: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in traced:
        if row.shuffled:
            running, left = Fraction(0), size
        place = floor(running * 48 / left)
        cents = sum(row.results.values())
        found = expected[place]
        found[0] += 1
        found[1] += cents
        found[2] += cents * cents
        running += sum(map(count.tag, row.cards), Fraction(0))
        left -= len(row.cards)
    result = simulate(spec.rules, "chart", ROUNDS, count=count, seed=5)
    tally = result.tally
    for line in result.by_count:
        first = (line.count - at.LOWEST_COUNT) * at.COUNTED_SUMS
        sums = [line.rounds, *tally.count_results[first : first + 2]]
        assert sums == expected.pop(line.count)
    assert not expected


def test_the_table_adds_up_to_the_whole_result() -> None:
    result = simulate("wsgc-2021", rounds=20_000, count="level-one", spots=2, seed=3)
    lines = result.by_count
    assert sum(line.rounds for line in lines) == result.rounds
    mean = sum(line.rounds * line.result.value for line in lines) / result.rounds
    assert mean == pytest.approx(result.total.value * result.average_bet.value)
    assert [row["at_count"] for row in result.as_data()["by_count"]] == [
        line.count for line in lines
    ]
    assert simulate("wsgc-2021", rounds=100).by_count == ()
