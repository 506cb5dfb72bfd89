"""Count files."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ventiuna.kernels.simulate import layout as at
from ventiuna.rules import load_rules
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.run import simulate
from ventiuna.strategy.counting import built_in_counts, load_count, read_count
from ventiuna.strategy.protocol import PlanError


def data(**changes: Any) -> dict[str, Any]:
    return {"tags": {"5": 1, "10": -1}, "bets": [{"at": 1, "wagers": 4}]} | changes


def test_bets_are_sorted_and_start_with_one_wager() -> None:
    bets = [{"at": 3, "wagers": 8}, {"at": 1.5, "wagers": 4}]
    count = read_count("mine", data(bets=bets))
    assert [(bet.at, bet.wagers) for bet in count.bets][1:] == [(Fraction(3, 2), 4), (3, 8)]
    assert count.bets[0].wagers == 1


def test_half_tags_are_scaled_to_whole_numbers() -> None:
    count = read_count("mine", data(tags={"5": 1.5, "10": -0.25}))
    assert count.scale == 4
    assert count.threshold(Fraction(2)) == 2 * 4 * 100


def test_all_mistakes_are_reported_at_once() -> None:
    wrong = data(
        count="fancy",
        tags={"11": 1, "2": "one"},
        bets=[{"at": 1, "wagers": 0}],
        plays=[{"hand": "hard", "up": "10", "at": 1, "play": "S"}],
        ramp=1,
    )
    with pytest.raises(PlanError) as caught:
        read_count("mine.toml", wrong)
    text = str(caught.value)
    for part in (
        "fancy",
        "11",
        "must be a number",
        "from 1 to 1000",
        "not a hand",
        "no such field",
    ):
        assert part in text


def test_a_file_is_read_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[tags]\n"5" = 1\n', encoding="utf-8")
    assert load_count(path).tags[4] == 1
    path.write_text("tags", encoding="utf-8")
    with pytest.raises(PlanError, match="invalid TOML"):
        load_count(path)


def test_bets_above_the_table_maximum_are_refused_before_the_first_card() -> None:
    count = read_count("mine", data(bets=[{"at": 1, "wagers": 100}]))
    with pytest.raises(ValueError, match=r"must be from \$5\.00 to \$300\.00"):
        simulate("wsgc-spanish-21", rounds=10, count=count)


def test_sizes_of_the_base_wager_follow_the_ramp() -> None:
    plan = Plan(load_rules("wsgc-spanish-21"), count=built_in_counts()["level-one"])
    assert plan.bases == (500, 1000, 2000, 4000)


def test_a_ramp_bets_more_and_wins_more_of_its_wagers() -> None:
    """Bets that follow the count earn more per wager than flat bets, by far more than chance."""
    flat = simulate("wsgc-spanish-21(cut_card=90)", rounds=2_000_000, seed=3)
    ramp = simulate(
        "wsgc-spanish-21(cut_card=90)",
        rounds=2_000_000,
        seed=3,
        count=built_in_counts()["level-one"],
    )
    assert ramp.base_wager > flat.base_wager
    gain = ramp.ev.value - flat.ev.value
    assert gain > 5 * (ramp.ev.standard_error**2 + flat.ev.standard_error**2) ** 0.5


def test_insuring_from_a_count_of_zero_isnt_insuring_always() -> None:
    """Zero is a threshold like any other, not a missing one."""
    placed = {}
    tags = {"3": 1, "4": 1, "5": 1, "6": 1, "10": -1}
    for first in (-100, 0, 2):
        count = read_count("mine", data(insurance_at=first, tags=tags, bets=[]))
        result = simulate("blackjack", "habits", 20_000, count=count, seed=3)
        [line] = [line for line in result.wagers if line.name == "insurance"]
        placed[first] = line.placed
    assert placed[2] < placed[0] < 0.8 * placed[-100]


def test_a_pair_that_is_split_is_not_played_as_its_total() -> None:
    play = {"hand": "hard 16", "up": "10", "at": -1000, "play": "S"}
    result = simulate(
        "blackjack", "habits", 20_000, count=read_count("mine", data(plays=[play], bets=[])), seed=3
    )
    found = {
        (line.hand, line.action)
        for line in result.decisions
        if line.up == "10" and line.state == "first hand" and line.hand in ("hard 16", "pair 8")
    }
    assert found == {("hard 16", "stand"), ("pair 8", "split")}


def test_the_average_bet_follows_the_ramp() -> None:
    result = simulate("wsgc-2021", rounds=20_000, count="level-one", seed=3)
    levels = result.tally.counters[at.FIRST_LEVEL : at.FIRST_LEVEL + 4]
    assert sum(levels) == 20_000
    bets = sum(bet * times for bet, times in zip((1, 2, 4, 8), levels, strict=True))
    assert result.average_bet.value == pytest.approx(bets / 20_000)
    assert result.average_bet.value > 1.2
    assert 0 < result.average_bet.standard_error < 0.05
    plain = simulate("wsgc-2021", rounds=100)
    assert (plain.average_bet.value, plain.average_bet.standard_error) == (1.0, 0.0)
