"""Counting results as data frames, with their metadata."""

from __future__ import annotations

import pytest

from tests.counting.tables import facts_of_table
from ventiuna.analysis.results import TitledResult
from ventiuna.cards import parse_card
from ventiuna.counting.efficiency import EffectsCalculator
from ventiuna.counting.evaluation import evaluate_count
from ventiuna.counting.jackpots import jackpot_worth
from ventiuna.counting.removal import RemovalStudy, insurance_effects
from ventiuna.counting.study import (
    CountStudy,
    PlayConditions,
    compare_counts,
    study_count,
    study_risk,
)
from ventiuna.rules import canonical, fingerprint, load_rules
from ventiuna.strategy.counting import built_in_counts

RULES = load_rules("super-fun-21")
COUNT = built_in_counts()["level-one"]


@pytest.fixture(scope="module")
def study() -> CountStudy:
    return study_count(RULES, COUNT, 20_000, PlayConditions("chart", seed=4))


def facts_of(result: TitledResult) -> dict[str, str]:
    """The result's facts, which include rules and fingerprint in addition to every table's."""
    facts = facts_of_table(result)
    assert (facts["rules"], facts["fingerprint"]) == (canonical(RULES), fingerprint(RULES))
    return facts


def test_effects_of_removal_are_a_row_for_each_wager_and_card() -> None:
    result = RemovalStudy(RULES, (insurance_effects(RULES),))
    facts_of(result)
    ten = next(row for row in result.rows() if row["card"] == "10")
    assert ten["wager"] == "insurance"
    assert ten["cards_of_the_shoe"] == 16
    assert ten["effect_per_wager"] == result.wagers[0].by_card[parse_card("Kc")]
    field = result.to_arrow().schema.field("effect_per_wager")
    assert field.metadata == {b"unit": b"per_wager"}


def test_tags_of_a_count_with_their_quality() -> None:
    report = evaluate_count(EffectsCalculator(RULES), COUNT, playing=False)
    facts = facts_of(report)
    assert float(facts["betting_correlation"]) == report.betting
    assert "playing_efficiency" not in facts  # it was not computed
    assert {"count": "level-one", "card": "10", "tag": -1.0} in report.rows()


def test_rounds_by_the_count_bets_and_risks(study: CountStudy) -> None:
    facts = facts_of(study)
    assert facts["count"] == "level-one"
    assert facts["seed"] == "4"
    assert facts["rounds"] == "20000"
    assert sum(int(row["rounds"] or 0) for row in study.rows()) == 20_000
    alone = [row["standard_error"] for row in study.rows() if row["rounds"] == 1]
    assert alone == [None] * len(alone)  # a single round has no standard error
    ramp = study.spread_ramp(4)
    facts_of_table(ramp)
    assert [row["bet"] for row in ramp.rows()] == list(ramp.bets)
    risk = study_risk(RULES, COUNT, ramp, 20, 100, 20, 5_000, PlayConditions("chart"))
    assert facts_of(risk)["trip_rounds"] == "100"


def test_counts_side_by_side_are_a_row_each() -> None:
    found = compare_counts(RULES, [COUNT], [50, 60], 4, 5_000, PlayConditions("chart", seed=4))
    assert facts_of(found)["seed"] == "4"
    assert [row["penetration_percent"] for row in found.to_pandas().to_dict("records")] == [50, 60]
    assert len(found) == 2
    assert found[1].penetration == 60


def test_a_jackpot_is_a_row_for_each_seat() -> None:
    worth = jackpot_worth(load_rules("wsgc-2021-jackpot"), players=3, ours=2)
    facts = facts_of_table(worth)
    assert facts["fingerprint"] == worth.basis.fingerprint
    assert facts["team_seats"] == "2"
    assert [row["is_of_the_team"] for row in worth.rows()] == [True, True, False]
    assert worth.team_break_even is not None
    assert float(facts["team_break_even_cents"]) == float(worth.team_break_even)
