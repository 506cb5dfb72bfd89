"""Estimates from sums."""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter

import pytest

from ventiuna.simulation.statistics import (
    Estimate,
    holm_rejections,
    mean_of,
    n_zero,
    normal_tail,
    poisson_tail,
    quantile,
    share_of,
    share_of_spots,
    table_mean,
)


def test_mean_deviation_and_error_match_the_sample() -> None:
    generator = random.Random(4)
    sample = [generator.randint(-9, 12) for _ in range(500)]
    found = mean_of(sum(sample), sum(x * x for x in sample), len(sample), 2)
    assert found.value == pytest.approx(statistics.mean(sample) / 2)
    assert found.sd == pytest.approx(statistics.pstdev(sample) / 2)
    error = statistics.stdev(sample) / 2 / math.sqrt(len(sample))
    assert found.standard_error == pytest.approx(error)


def test_sums_beyond_64_bits_keep_their_digits() -> None:
    found = mean_of(10**30, 10**30 + 10**15, 10**30)
    assert found.value == 1.0
    assert found.sd == pytest.approx(math.sqrt(1e-15))


def test_spots_that_win_together_count_as_one_trial() -> None:
    # Two spots that always have the same result have the same error as one spot.
    alone = mean_of(0, 100, 100)
    both = table_mean(0, 200, 400, 100, 2, 1)
    assert both.sd == alone.sd
    assert both.standard_error == pytest.approx(alone.standard_error)


def test_no_rounds_give_an_infinite_error() -> None:
    assert mean_of(0, 0, 0).standard_error == math.inf
    assert mean_of(3, 9, 1).standard_error == math.inf
    assert share_of(0, 10).value == 0.0


def test_an_event_seen_never_or_always_isnt_certain() -> None:
    for count in (0, 1000):
        assert share_of(count, 1000).value == count / 1000
        assert share_of(count, 1000).standard_error == pytest.approx(0.001)
    one = share_of(1, 1000).standard_error
    assert one == pytest.approx(0.001, rel=0.01)
    assert share_of_spots(0, 500, 2, []).standard_error == pytest.approx(1 / 500)


def test_n0_has_an_error_too() -> None:
    mean = mean_of(10, 1000, 100)
    assert n_zero(mean).value == pytest.approx(9.99 / 0.01)
    # Moving the mean by a fraction of its error moves N0 by about the same fraction of its own
    # error.
    raised = mean + mean.standard_error / 1000
    more = n_zero(Estimate(raised, mean.standard_error, mean.sd, mean.trials))
    moved = abs(more.value - n_zero(mean).value) * 1000
    assert n_zero(mean).standard_error == pytest.approx(moved, rel=0.01)
    assert n_zero(mean_of(0, 4, 4)).value == math.inf


def test_spots_that_share_a_card_are_not_independent_trials() -> None:
    """One up card decides all five spots alike, so five spots say no more than one."""
    classes = [(0.25, 1.0), (0.75, 0.0)]
    together = share_of_spots(5 * 250, 1000, 5, classes)
    alone = share_of(250, 1000)
    assert together.standard_error == pytest.approx(alone.standard_error, rel=0.001)
    apart = share_of_spots(5 * 250, 1000, 5, [(1.0, 0.25)])
    assert apart.standard_error == pytest.approx(share_of(1250, 5000).standard_error, rel=0.001)


def test_tails() -> None:
    assert normal_tail(0) == 1.0
    assert normal_tail(1.959964) == pytest.approx(0.05, abs=1e-6)
    assert poisson_tail(0, 10) == pytest.approx(2 * math.exp(-10))
    assert poisson_tail(10, 10) > 0.9
    assert poisson_tail(0, 0) == 1.0
    assert poisson_tail(1, 0) == 0.0


def test_holm_rejects_the_least_likely_first() -> None:
    assert holm_rejections([0.5, 0.0001, 0.004], 0.01) == [False, True, True]
    assert holm_rejections([0.5, 0.0001, 0.006], 0.01) == [False, True, False]
    assert holm_rejections([0.004, 0.004, 0.004], 0.01) == [False, False, False]
    assert holm_rejections([], 0.01) == []


def test_a_quantile_and_its_error_need_no_distribution() -> None:
    rng = random.Random(5)
    places = []
    for _ in range(200):
        drawn = Counter(int(rng.expovariate(0.02)) for _ in range(400))
        places.append(quantile(sorted(drawn.items()), 0.95))
    spread = statistics.stdev(place for place, _ in places)
    assert statistics.fmean(error for _, error in places) == pytest.approx(spread, rel=0.2)
    assert statistics.fmean(place for place, _ in places) == pytest.approx(50 * math.log(20), abs=3)


def test_quantiles_of_few_values() -> None:
    assert quantile([(-3, 1)], 0.5) == (-3, math.inf)
    assert quantile([(-3, 50), (4, 50)], 0.05)[0] == -3
    assert quantile([(-3, 50), (4, 50)], 0.95)[0] == 4
    wide = quantile([(value, 10) for value in range(100)], 0.5, 2.0)[1]
    assert wide == pytest.approx(2 * quantile([(v, 10) for v in range(100)], 0.5)[1])
