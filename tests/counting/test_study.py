"""Simulated counts: figures compared with exact ones, trips, comparisons and jackpots."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ventiuna.counting.betting import Ramp, trip_ruin
from ventiuna.counting.indices import edges_by_count
from ventiuna.counting.jackpots import jackpot_worth
from ventiuna.counting.removal import base_effects, slope_per_true_count
from ventiuna.counting.study import (
    PlayConditions,
    by_count_svg,
    compare_counts,
    compared_svg,
    moments,
    study_count,
    study_risk,
)
from ventiuna.counting.tags import read_tags, tags_of
from ventiuna.rules import load_rules
from ventiuna.strategy.counting import built_in_counts
from ventiuna.strategy.protocol import PlanError

RULES = load_rules("wsgc-2021")
SUPER_FUN = load_rules("super-fun-21")
PLAIN = read_tags("3=1 4=1 5=1 6=1 10=-1 A=-1", "plain")
ROUNDS = 1_500_000


def test_simulated_expectation_follows_the_exact_slope() -> None:
    """With one play for all counts, the value rises with the count as the effects of removal
    predict.

    Rounds in a bin have counts from its lower bound to the next, so half a count is added.
    """
    study = study_count(RULES, PLAIN, ROUNDS, PlayConditions("optimal", seed=4))
    effects = base_effects(RULES, fixed=True)
    slope = slope_per_true_count(effects, tags_of(PLAIN), 48)
    known = [at for at in study.simulated if abs(at.count + 0.5) < 4]
    weights = [1 / at.ev_error**2 for at in known]
    middle = sum(w * (at.count + 0.5) for w, at in zip(weights, known, strict=True)) / sum(weights)
    spread = sum(w * (at.count + 0.5 - middle) ** 2 for w, at in zip(weights, known, strict=True))
    found = sum(w * (at.count + 0.5 - middle) * at.ev for w, at in
                zip(weights, known, strict=True)) / spread  # fmt: skip
    assert abs(found - slope) < 4.5 / math.sqrt(spread) + 0.1 * slope
    mean = sum(at.frequency * at.ev for at in study.simulated)
    error = math.sqrt(sum((at.frequency * at.ev_error) ** 2 for at in study.simulated))
    assert abs(mean - effects.value) < 4.5 * error + 0.0008  # the cut card costs a little
    svg = by_count_svg(study)
    assert svg.startswith("<svg")


def test_three_ways_to_compute_trips_agree() -> None:
    study = study_count(RULES, PLAIN, 200_000, PlayConditions("chart", seed=4))
    flat = Ramp(study.counts, tuple(1.0 for _ in study.counts))
    risk = study_risk(RULES, PLAIN, flat, 30, 500, 30, 1_500_000, PlayConditions("chart", seed=5))
    trip = risk.risks[1]
    assert trip.independent is not None
    assert trip.simulated is not None
    assert trip.simulated_error is not None
    assert abs(trip.simulated - trip.independent) < 5 * trip.simulated_error + 0.01
    assert trip.brownian == pytest.approx(trip_ruin(risk.mean, risk.variance, 30, 500))
    assert trip.brownian == pytest.approx(trip.independent, rel=0.15)
    assert risk.risks[0].brownian == 1.0
    with pytest.raises(PlanError, match="one round or unit"):
        study_risk(RULES, PLAIN, flat, 30, 0, 30, 1000)


def test_moments_by_count_add_up_to_the_whole() -> None:
    study = study_count(RULES, built_in_counts()["level-one"], 50_000, PlayConditions("chart"))
    mean, variance, error = moments(study.result)
    assert mean == pytest.approx(study.result.total.value)
    assert variance == pytest.approx(study.result.total.sd**2)
    assert error == pytest.approx(study.result.total.standard_error, rel=1e-3)


def test_counts_and_penetrations_side_by_side() -> None:
    found = compare_counts(
        RULES,
        [PLAIN, built_in_counts()["level-one"]],
        [60, 90],
        8,
        100_000,
        PlayConditions("chart"),
    )
    assert [(one.count, one.penetration) for one in found] == [
        ("plain", 60),
        ("level-one", 60),
        ("plain", 90),
        ("level-one", 90),
    ]
    assert found[2].study.rules.cut_card_percent == 90
    assert "SCORE by penetration" in compared_svg(found)


def test_the_same_tags_have_the_same_score_however_they_are_given() -> None:
    """The same tags built in, given as a string, or with an explicit start."""
    tags = "2=1 3=1 4=1 5=1 6=1 10=-1 A=-1"
    started = replace(read_tags(tags, "started"), start=Fraction(-4))
    counts = [built_in_counts()["hi-lo"], read_tags(tags, "written"), started]
    found = compare_counts(RULES, counts, [75], 8, 100_000, PlayConditions("chart"))
    rows = [{name: cell for name, cell in row.items() if name != "count"} for row in found.rows()]
    assert rows[0] == rows[1] == rows[2]
    assert rows[0]["score"] != 0


def test_the_edge_at_every_count_matches_simulated_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Averages of exact values over random shoes, compared with results from other shoes."""
    monkeypatch.setattr("ventiuna.counting.indices.RAREST", 0.02)
    hi_lo = built_in_counts()["hi-lo"]
    edges = edges_by_count(RULES, hi_lo, rounds=100_000, shoes=5)
    simulated = {
        at.count: at for at in study_count(RULES, hi_lo, 4_000_000, PlayConditions()).simulated
    }
    assert len(edges) >= 9
    chi_squared = 0.0
    for edge in edges:
        at = simulated[edge.count]
        assert edge.frequency == pytest.approx(at.frequency, rel=0.15)
        assert edge.error < at.ev_error
        chi_squared += (edge.ev - at.ev) ** 2 / (edge.error**2 + at.ev_error**2)
    assert chi_squared < len(edges) + 3 * math.sqrt(2 * len(edges))


def test_a_ramps_results_follow_from_the_table_by_the_formulas() -> None:
    """Bets are chosen on a smoothed curve; their results are not smoothed."""
    study = study_count(SUPER_FUN, PLAIN, 100_000, PlayConditions("chart", seed=4))
    ramp, frame = study.spread_ramp(8), study.to_pandas()
    assert len(set(ramp.bets)) > 1
    frequency, bets = frame["frequency"], np.array(ramp.bets)
    mean = (frequency * bets * frame["ev"]).sum()
    squares = (frequency * bets**2 * (frame["sd"] ** 2 + frame["ev"] ** 2)).sum()
    assert ramp.mean == pytest.approx(mean)
    assert ramp.variance == pytest.approx(squares - mean**2)
    smooth = (frequency * bets * frame["smoothed_per_wager"]).sum()
    assert ramp.mean != pytest.approx(smooth, rel=1e-3)


# --- jackpots -----------------------------------------------------------------------------------

JACKPOT = load_rules("wsgc-2021(jackpots=3c:1:wager=5:seed=1000)")


def test_a_seat_breaks_even_where_the_report_says() -> None:
    worth = jackpot_worth(JACKPOT)
    assert worth.seats[0].break_even == worth.report.break_even_meter
    assert worth.round_value(10**12) > 0 > worth.round_value(0)
    assert worth.any_award > worth.emptied > 0


def test_the_value_of_staying_matches_playing_round_by_round() -> None:
    """Follow the expected meter through the rounds until almost nothing is left of it."""
    worth = jackpot_worth(JACKPOT, players=3, ours=2)
    meter = 5_000_000.0
    cost, raised = float(2 * worth.cost), float(worth.raised)
    team, table, emptied = (
        float(worth.team_share),
        float(worth.table_share),
        float(worth.emptied),
    )
    alive, held, value = 1.0, meter, 0.0  # chance of still playing, and the meter in that case
    for _ in range(2_500_000):
        held += alive * raised
        value += team * held - cost * alive
        held *= 1.0 - table  # awards reduce the meter, to nothing if they empty it
        alive *= 1.0 - emptied
        if alive < 1e-12:
            break
    staying = worth.staying_value(5_000_000)
    assert staying is not None
    assert value == pytest.approx(float(staying), rel=1e-6)
    even = worth.staying_break_even
    assert even is not None
    found = worth.own_share * even + (worth.own_share * worth.raised - 2 * worth.cost) / (
        worth.emptied
    )
    assert found == Fraction(0)


def test_more_players_empty_the_meter_sooner_and_teams_fit_the_table() -> None:
    one, three = (jackpot_worth(JACKPOT, players=n) for n in (1, 3))
    assert one.emptied < three.emptied < 3 * one.emptied + Fraction(1, 10**12)
    waiting = three.waiting()
    assert waiting is not None
    assert waiting.mean == 1 / three.emptied
    assert three.seats[0].share > three.seats[2].share
    with pytest.raises(PlanError, match="more seats than the"):
        jackpot_worth(JACKPOT, players=2, ours=3)
