"""How often counts occur, and what bets that follow them win: simulation compared with theory."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import comb, sqrt

import numpy as np
import numpy.typing as npt
import pytest

from ventiuna.counting.betting import Ramp
from ventiuna.counting.files import with_bets
from ventiuna.counting.study import (
    CountStudy,
    PlayConditions,
    counting_run,
    moments,
    play_run,
    study_count,
)
from ventiuna.counting.tags import read_tags, tags_of
from ventiuna.kernels.simulate import layout as at
from ventiuna.rules import load_rules
from ventiuna.simulation.blocks import logged_rounds
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import make_spec

Ints = npt.NDArray[np.int64]
COUNT = read_tags("3=1 4=1 5=1 6=1 10=-1 A=-1", "plain")


@lru_cache
def shoes(name: str, rounds: int) -> tuple[Ints, Ints, Ints]:
    """One row per whole shoe: every card's tag in dealing order, the start of each round, and the
    number of rounds."""
    rules = load_rules(name)
    plan = Plan(rules, "chart", seed=8)
    log = logged_rounds(make_spec(plan, find_strategy("chart", rules, plan.base_wager)), rounds)
    ends = log.rounds[:, at.ROUND_CARDS]
    begins = np.concatenate(([0], ends[:-1]))
    firsts = np.flatnonzero(log.rounds[:, at.ROUND_SHUFFLED])
    whole = list(pairwise(firsts))
    tag = np.array([int(tag) for tag in tags_of(COUNT)])
    cards = np.zeros((len(whole), rules.shoe_size), dtype=np.int64)
    starts = np.zeros((len(whole), max(last - first for first, last in whole)), dtype=np.int64)
    for row, (first, last) in enumerate(whole):
        dealt = tag[log.cards[begins[first] : ends[last - 1]]][: rules.shoe_size]
        cards[row, : len(dealt)] = dealt
        starts[row, : last - first] = begins[first:last] - begins[first]
    return cards, starts, np.array([last - first for first, last in whole])


@pytest.mark.parametrize(("name", "seen"), [("wsgc-2021", 72), ("wsgc-2021", 200),
                                            ("super-fun-21", 26)])  # fmt: skip
def test_counts_after_a_given_number_of_cards_have_the_exact_frequencies(
    name: str, seen: int
) -> None:
    """Chi-squared of all shoes against the hypergeometric distribution of the running count."""
    rules = load_rules(name)
    tags = [int(tags_of(COUNT)[card]) for card in rules.pack.cards for _ in range(rules.decks)]
    plus, minus = tags.count(1), tags.count(-1)
    rest = len(tags) - plus - minus
    ways: dict[int, int] = {}
    for up in range(min(plus, seen) + 1):
        for down in range(min(minus, seen - up) + 1):
            others = comb(rest, seen - up - down)
            ways[up - down] = ways.get(up - down, 0) + comb(plus, up) * comb(minus, down) * others
    cards, _, _ = shoes(name, 150_000)
    found = cards[:, :seen].sum(axis=1)
    expected = {count: len(found) * way / comb(len(tags), seen) for count, way in ways.items()}
    often = [count for count, times in expected.items() if times >= 10]
    groups = [(int((found == count).sum()), expected[count]) for count in often]
    groups.append((len(found) - sum(g[0] for g in groups), len(found) - sum(g[1] for g in groups)))
    freedom = len(groups) - 1
    chi_squared = sum((times - wanted) ** 2 / wanted for times, wanted in groups)
    assert freedom >= 15
    assert abs(chi_squared - freedom) < 4 * sqrt(2 * freedom)


@pytest.mark.parametrize("name", ["wsgc-2021", "super-fun-21"])
def test_the_true_count_averages_0_in_every_round_that_is_always_dealt(name: str) -> None:
    """The share of each rank among unseen cards is a martingale: at any stopping time, its mean is
    that of a fresh shoe. Rounds that only some shoes reach occur at low counts."""
    cards, starts, rounds = shoes(name, 150_000)
    running = np.concatenate((np.zeros((len(cards), 1), np.int64), cards.cumsum(axis=1)), axis=1)
    rules = load_rules(name)
    unseen = rules.shoe_size - starts
    # Per deck; the true count starts and ends at this value.
    drift = float(COUNT.drift(rules.pack))
    left = rules.decks * drift - np.take_along_axis(running, starts, axis=1)
    true = drift - left * len(rules.pack.cards) / unseen
    for number in range(1, int(rounds.min())):
        mean, error = _mean(true[:, number])
        assert abs(mean) < 4.5 * error
    last = rounds.max() - 2  # few shoes have the last two rounds
    mean, error = _mean(true[rounds > last, last])
    assert mean < -4.5 * error


def _mean(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    return float(values.mean()), float(values.std() / sqrt(len(values)))


# --- results of a ramp --------------------------------------------------------------------------

RULES = load_rules("super-fun-21")  # no bonus depends on the size of the wager
ROUNDS = 600_000


@lru_cache
def flat_study() -> CountStudy:
    return study_count(RULES, COUNT, ROUNDS, PlayConditions("chart", seed=4))


def played(ramp: Ramp, seed: int) -> tuple[float, float, float]:
    run = counting_run(RULES, with_bets(COUNT, ramp), ROUNDS, PlayConditions("chart", seed=seed))
    return moments(play_run(run))


def ramp_of(study: CountStudy) -> Ramp:
    """Whole bets from 1 to 4 on the unsmoothed figures."""
    return Ramp(study.simulated, tuple(float(min(max(1, c.count), 4)) for c in study.simulated))


def test_a_ramps_win_rate_and_deviation_match_actual_play() -> None:
    """The same seed deals the same cards for any bets, so formulas and rounds agree exactly."""
    ramp = ramp_of(flat_study())
    mean, variance, _ = played(ramp, seed=4)
    assert ramp.mean == pytest.approx(mean, rel=1e-9)
    assert ramp.variance == pytest.approx(variance, rel=1e-9)
    assert ramp.desirability == pytest.approx(1000 * mean / sqrt(variance), rel=1e-9)


def test_other_shoes_agree_with_the_formulas_within_their_errors() -> None:
    ramp = ramp_of(flat_study())
    mean, variance, error = played(ramp, seed=5)
    both = sqrt(error**2 + ramp.mean_error**2)
    assert abs(mean - ramp.mean) < 3.5 * both
    assert ramp.mean_error == pytest.approx(error, rel=0.01)
    assert ramp.variance == pytest.approx(variance, rel=0.01)
