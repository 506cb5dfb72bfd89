"""Ramps, risk of ruin and waiting times, compared with closed forms and enumeration."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

from ventiuna.counting.betting import (
    KELLY_RUIN,
    AtCount,
    Ramp,
    adjustment,
    best_spread,
    exact_goal,
    exact_lifetime_ruin,
    exact_trip_ruin,
    goal_before_ruin,
    kelly_bets,
    lifetime_ruin,
    lifetime_ruin_error,
    round_bets,
    score,
    steps_of,
    super_bonus_of,
    trip_ruin,
)
from ventiuna.counting.jackpots import Waiting
from ventiuna.rules import load_rules
from ventiuna.strategy.protocol import PlanError

COUNTS = (
    AtCount(-1, 0.5, -0.02, 1.30, 0.0002),
    AtCount(0, 0.3, -0.005, 1.31, 0.0003),
    AtCount(1, 0.15, 0.005, 1.32, 0.0004),
    AtCount(2, 0.05, 0.02, 1.33, 0.0007),
)


def test_a_ramp_has_the_moments_of_its_mixture() -> None:
    ramp = Ramp(COUNTS, (1, 1, 4, 8))
    mean = 0.5 * -0.02 + 0.3 * -0.005 + 0.15 * 4 * 0.005 + 0.05 * 8 * 0.02
    assert ramp.mean == pytest.approx(mean)
    squares = sum(c.frequency * b * b * (c.variance + c.ev**2) for c, b in
                  zip(COUNTS, ramp.bets, strict=True))  # fmt: skip
    assert ramp.variance == pytest.approx(squares - mean**2)
    assert ramp.n_zero == math.inf or ramp.n_zero == pytest.approx(ramp.variance / mean**2)


@pytest.mark.parametrize(("bet", "paid"), [(500, 1000), (2000, 1000), (2500, 5000), (4000, 5000)])
def test_a_super_bonus_is_paid_by_steps_of_the_bet(bet: int, paid: int) -> None:
    """Rounds simulated at $5 include a bonus of $1,000, which is 200 bets."""
    bonus = super_bonus_of(load_rules("wsgc-2021"), 500)
    assert bonus is not None
    assert bonus.chance == pytest.approx(1 / 668_382)
    rest, spread = -0.01, 1.3  # without the bonus
    ev = rest + 200 * bonus.chance
    at = AtCount(3, 1.0, ev, spread + rest**2 + 200**2 * bonus.chance - ev**2)
    ramp = Ramp((at,), (bet / 500,), 500, bonus).scaled(5)  # in dollars
    assert ramp.bets == (bet / 100,)
    assert ramp.mean == pytest.approx(bet / 100 * rest + paid * bonus.chance)
    squares = (bet / 100) ** 2 * (spread + rest**2) + paid**2 * bonus.chance
    assert ramp.variance == pytest.approx(squares - ramp.mean**2)
    assert super_bonus_of(load_rules("super-fun-21"), 500) is None


def test_the_best_spread_beats_every_ramp_of_whole_bets() -> None:
    best = best_spread(COUNTS, 8)
    enumerated = max(
        Ramp(COUNTS, bets).desirability for bets in product(range(1, 9), repeat=len(COUNTS))
    )
    assert best.desirability >= enumerated - 1e-9
    assert score(COUNTS, 8) == pytest.approx(max(best.desirability, 0) ** 2)


def test_the_best_spread_is_a_stationary_point() -> None:
    """In a strong game the bets are within the limits, and small changes make them worse."""
    counts = tuple(AtCount(c.count, c.frequency, c.ev + 0.01, c.variance) for c in COUNTS)
    best = best_spread(counts, 20)
    assert any(1 < bet < 20 for bet in best.bets)
    for place, change in product(range(len(counts)), (-0.01, 0.01)):
        bets = list(best.bets)
        bets[place] = min(max(bets[place] + change, 1.0), 20.0)
        assert Ramp(counts, tuple(bets)).desirability <= best.desirability + 1e-9


def test_kelly_bets_have_the_highest_certainty_equivalent() -> None:
    """Like the formula, this leaves out the square of the mean."""
    bankroll, fraction = 500.0, 0.5
    best = kelly_bets(COUNTS, bankroll, 1, 8, fraction)
    for place, change in product(range(len(COUNTS)), (-0.1, 0.1)):
        bets = list(best.bets)
        bets[place] = min(max(bets[place] + change, 1.0), 8.0)
        other = Ramp(COUNTS, tuple(bets))
        gain = other.certainty_equivalent(bankroll, fraction)
        assert gain <= best.certainty_equivalent(bankroll, fraction) + other.mean**2


def test_full_kelly_has_a_13_5_percent_risk_of_ruin() -> None:
    """The condition that defines SCORE: the bankroll is variance / mean."""
    ramp = Ramp(COUNTS, (0, 0, 4, 8))
    bankroll = ramp.kelly_bankroll()
    assert lifetime_ruin(ramp.mean, ramp.variance, bankroll) == pytest.approx(KELLY_RUIN)
    half = ramp.kelly_bankroll(0.5)
    assert lifetime_ruin(ramp.mean, ramp.variance, half) == pytest.approx(KELLY_RUIN**2)
    # $10,000 at full Kelly wins DI squared dollars in 100 rounds, which is SCORE.
    unit = 10_000 / bankroll
    assert 100 * ramp.scaled(unit).mean == pytest.approx(ramp.c_score)
    assert ramp.certainty_equivalent(bankroll) == pytest.approx(ramp.mean / 2)


def test_sitting_out_and_whole_bets() -> None:
    ramp = round_bets(kelly_bets(COUNTS, 300, 1, 8, 1.0, sits_out_below=1))
    assert ramp.bets[:2] == (0.0, 0.0)
    assert all(bet == int(bet) for bet in ramp.bets)


def test_a_spread_below_one_is_refused() -> None:
    with pytest.raises(PlanError, match="highest bet"):
        best_spread(COUNTS, 0.5)


# --- ruin ---------------------------------------------------------------------------------------

WIN = 0.51
RATIO = (1 - WIN) / WIN


@pytest.mark.parametrize("bankroll", [1, 10, 40])
def test_exact_ruin_matches_gamblers_ruin(bankroll: int) -> None:
    """Closed form for even money: q/p to the power of the bankroll."""
    steps = steps_of({-1: 1 - WIN, 1: WIN})
    assert exact_lifetime_ruin(steps, bankroll) == pytest.approx(RATIO**bankroll, rel=1e-9)
    goal = (1 - RATIO**bankroll) / (1 - RATIO ** (bankroll + 15))
    assert exact_goal(steps, bankroll, 15) == pytest.approx(goal, rel=1e-9)
    assert math.exp(-adjustment(steps)) == pytest.approx(RATIO)


def test_brownian_ruin_is_near_the_exact_one_for_small_edges() -> None:
    steps = steps_of({-2: 0.1, -1: 0.385, 0: 0.08, 1: 0.3, 2: 0.1, 3: 0.035})
    mean, variance = steps.mean, steps.variance
    assert mean > 0
    for bankroll in (50, 200):
        exact = exact_lifetime_ruin(steps, bankroll)
        assert lifetime_ruin(mean, variance, bankroll) == pytest.approx(exact, rel=0.05)
        trip = exact_trip_ruin(steps, bankroll, 2000)
        assert trip_ruin(mean, variance, bankroll, 2000) == pytest.approx(trip, rel=0.06, abs=1e-5)
        won = exact_goal(steps, bankroll, 100)
        assert goal_before_ruin(mean, variance, bankroll, 100) == pytest.approx(won, rel=0.03)
        rate = adjustment(steps)
        assert math.exp(-rate * (bankroll + 1)) <= exact <= math.exp(-rate * bankroll) + 1e-12


def test_trips_match_all_sequences_of_results() -> None:
    chances = {-2: 0.2, -1: 0.3, 1: 0.35, 2: 0.15}
    ruined = 0.0
    for sequence in product(chances, repeat=6):
        bankroll, chance, alive = 4, 1.0, True
        for result in sequence:
            bankroll += result
            chance *= chances[result]
            alive = alive and bankroll > 0
        ruined += 0.0 if alive else chance
    assert exact_trip_ruin(steps_of(chances), 4, 6) == pytest.approx(ruined, abs=1e-12)


def test_long_trips_approach_lifetime_risk_and_losing_games_certain_ruin() -> None:
    assert trip_ruin(0.01, 1.3, 100, 1e9) == pytest.approx(lifetime_ruin(0.01, 1.3, 100))
    assert trip_ruin(-0.01, 1.3, 100, 1e9) == pytest.approx(1.0)
    assert lifetime_ruin(-0.01, 1.3, 100) == 1.0
    assert trip_ruin(0.01, 1.3, 100, 0) == 0.0
    assert goal_before_ruin(0.0, 1.3, 30, 10) == pytest.approx(0.75)
    assert goal_before_ruin(-5.0, 1.3, 1000, 1000) == pytest.approx(0.0, abs=1e-12)
    steps = steps_of({-1: 0.6, 1: 0.4})
    assert exact_lifetime_ruin(steps, 5) == 1.0


def test_the_error_of_a_risk_follows_from_the_error_of_the_mean() -> None:
    bankroll = 195.0
    slope = (lifetime_ruin(0.0101, 1.3, bankroll) - lifetime_ruin(0.0099, 1.3, bankroll)) / 0.0002
    error = lifetime_ruin_error(0.01, 1.3, bankroll, 0.001)
    assert error == pytest.approx(abs(slope) * 0.001, rel=1e-3)


def test_bets_that_lose_within_their_error_arent_certain_ruin() -> None:
    assert lifetime_ruin_error(-0.01, 1.3, 100, 0.001) == 0.0
    risk = lifetime_ruin(0.01, 1.3, 100)
    assert lifetime_ruin_error(-0.01, 1.3, 100, 0.02) == pytest.approx(1 - risk)


def test_bad_distributions_and_sizes_are_refused() -> None:
    with pytest.raises(PlanError, match="it has no losing results"):
        steps_of({1: 1.0})
    with pytest.raises(PlanError, match="exact solution"):
        exact_goal(steps_of({-1: 0.5, 1: 0.5}), 10**7, 1)


# --- waiting ------------------------------------------------------------------------------------


def test_waiting_for_the_first_hit_is_geometric() -> None:
    waiting = Waiting(Fraction(1, 50))
    assert waiting.mean == 50
    assert waiting.longer_than(30) == pytest.approx(0.98**30)
    median = waiting.quantile(0.5)
    assert 0.98**median <= 0.5 < 0.98 ** (median - 1)


@pytest.mark.parametrize("hits", [1, 2, 5])
def test_waiting_for_several_hits_matches_plain_sums(hits: int) -> None:
    chance = Fraction(1, 7)
    waiting = Waiting(chance, hits)
    exact = sum(math.comb(20, k) * chance**k * (1 - chance) ** (20 - k) for k in range(hits))
    assert waiting.longer_than(20) == pytest.approx(float(exact), rel=1e-12)
    share = waiting.quantile(0.9)
    assert 1 - waiting.longer_than(share) >= 0.9 > 1 - waiting.longer_than(share - 1)


def test_a_line_that_is_never_hit_is_refused() -> None:
    with pytest.raises(PlanError, match="never hit"):
        Waiting(Fraction(0))
    assert Waiting(Fraction(1)).quantile(0.5) == 1
