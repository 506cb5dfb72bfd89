"""Counts: designed, evaluated, written to files and read back."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests import IS_SOAK
from tests.counting import RULES, WORKSHOP
from ventiuna.core import actions
from ventiuna.counting.betting import AtCount, Ramp
from ventiuna.counting.design import (
    AllSets,
    CountSpec,
    PlayingSearch,
    WeightedEffects,
    by_card,
    design,
    design_counts,
)
from ventiuna.counting.efficiency import Goal
from ventiuna.counting.evaluation import evaluate_count
from ventiuna.counting.files import count_text, save_count, with_bets
from ventiuna.counting.removal import joint_correlation
from ventiuna.counting.tags import Depths, Scale, parts_of, read_tags, tags_of, value_classes
from ventiuna.rules import load_rules
from ventiuna.strategy.chart import Bonus
from ventiuna.strategy.counting import (
    After,
    Count,
    IndexPlay,
    SideCount,
    built_in_counts,
    load_count,
    read_count,
)
from ventiuna.strategy.protocol import PlanError

WORKSHOP_TAGS = tags_of(read_tags("5=1 10=-1"))
HI_LO = "2=1 3=1 4=1 5=1 6=1 10=-1 A=-1"


def test_the_best_level_one_count_balances_on_the_spanish_pack() -> None:
    [count] = design_counts(WORKSHOP, CountSpec())
    report = evaluate_count(WORKSHOP, count, playing=False)
    assert report.drift == 0
    assert report.warnings == ()
    assert report.betting == pytest.approx(0.9349434, abs=1e-6)
    assert report.break_even == pytest.approx(1.55, abs=0.05)


def test_higher_levels_and_side_counts_never_do_worse() -> None:
    found = [
        evaluate_count(WORKSHOP, design_counts(WORKSHOP, wish)[0], playing=False).betting
        for wish in (CountSpec(1), CountSpec(1, sides=("7",)), CountSpec(2), CountSpec(3))
    ]
    assert found[1] > found[0]
    assert found[0] < found[2] < found[3] < 1


def test_an_unbalanced_count_starts_where_its_drift_ends() -> None:
    [count] = design_counts(WORKSHOP, CountSpec(balanced=False, running=True))
    drift = count.drift(RULES.pack)
    assert drift != 0
    assert count.start == -drift
    assert not count.is_true
    assert evaluate_count(WORKSHOP, count, playing=False).warnings == ()


def test_hi_lo_starts_where_the_pack_requires() -> None:
    """Hi-Lo has five low ranks against aces and sixteen ten-valued cards; here there are only
    twelve."""
    spanish, blackjack = RULES.pack, load_rules("blackjack").pack
    for count in (built_in_counts()["hi-lo"], read_tags(HI_LO, "hi-lo")):
        assert [count.start_in(pack) for pack in (spanish, blackjack)] == [Fraction(-4), 0]
        assert count.misfit(spanish) == count.misfit(blackjack) == ""
    sides = read_count("mine", {"tags": {"5": 1, "10": -1}, "sides": [{"tags": {"7": 1}}]}).sides
    assert sides[0].start_in(spanish) == -4


def test_the_count_that_breaks_even_is_on_the_counts_own_scale() -> None:
    hi_lo = evaluate_count(WORKSHOP, built_in_counts()["hi-lo"], playing=False)
    assert hi_lo.break_even == pytest.approx(-hi_lo.ev / hi_lo.slope - 4)
    assert hi_lo.as_data()["start"] == -4


def test_a_design_says_what_it_searched_and_claims_no_more() -> None:
    """Unbalanced Hi-Lo follows the effects better than the best balanced tags of its level."""
    balanced, other = (design(WORKSHOP, CountSpec(balanced=wanted)) for wanted in (True, False))
    words = "Searched: every possible set of {} tags up to 1, but no other tags."
    assert balanced.text() == words.format("balanced")
    assert other.text() == words.format("unbalanced")
    assert balanced.proof.as_data()["searched"] == "balanced tags up to 1"
    hi_lo = evaluate_count(WORKSHOP, built_in_counts()["hi-lo"], playing=False)
    assert balanced.best < hi_lo.betting <= other.best


def test_a_start_that_lets_the_count_drift_is_reported() -> None:
    count = read_count("mine", {"tags": dict.fromkeys("23456", 1) | {"10": -1}, "start": 0})
    text = count.misfit(RULES.pack)
    assert "add up to +8 in a deck of this pack, but it starts at +0 per deck" in text
    assert text.endswith("Remove start from its file, or set it to -8.")


@pytest.fixture(scope="module")
def for_playing() -> PlayingSearch:
    weighed = WeightedEffects(WORKSHOP.betting, value_classes(RULES.pack))
    return PlayingSearch(WORKSHOP.playing, weighed, Depths(RULES, WORKSHOP_TAGS))


def test_a_design_for_playing_is_proven_the_best(for_playing: PlayingSearch) -> None:
    """Level 1 has 3,123 balanced sets of tags, not counting negatives. A few are checked again."""
    found = design(WORKSHOP, CountSpec(goal=Goal.PLAYING))
    [count] = found.counts
    playing = evaluate_count(WORKSHOP, count).playing
    betting = evaluate_count(WORKSHOP, design_counts(WORKSHOP, CountSpec())[0]).playing
    assert playing == pytest.approx(found.best, abs=1e-9)
    assert betting is not None
    assert found.best > betting
    assert found.proof.looked_at == 3123
    assert found.text().startswith("Searched: all 3,123 sets of balanced tags up to 1, ")
    sets = AllSets(for_playing.weighed, 1, True)
    some = sets.tags(np.arange(sets.number))[::40]
    assert max(for_playing.efficiency(tags) for tags in some.tolist()) <= found.best


def test_no_tags_gain_more_than_their_bounds(for_playing: PlayingSearch) -> None:
    """The quadratic form and the table are both upper bounds on the gain, for all kinds of tags."""
    top = (-1, 0, 1, 1, 1, 1, 0, 0, -1, -1)
    offset, form = for_playing.lines(top)
    ceiling = for_playing.bound(top)
    generator = np.random.default_rng(5)
    for tags in generator.integers(-3, 4, (60 if IS_SOAK else 20, 10)):
        rows = tags @ for_playing.rows
        gained = for_playing.efficiency(tags.tolist()) * for_playing.perfect
        possible = offset + float(rows @ form @ rows / (rows @ rows))
        assert gained <= for_playing.at_most(tags[None])[0] + 1e-12
        assert gained <= possible + 1e-12
        assert possible <= ceiling * for_playing.perfect + 1e-12
        parts = [by_card(value_classes(RULES.pack), tags.tolist())]
        assert gained == pytest.approx(WORKSHOP.playing.gains(parts, for_playing.depths)[0])


def test_with_too_many_tags_to_try_the_gap_is_reported(
    for_playing: PlayingSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ventiuna.counting.design.MAX_SETS", 10)
    found = design(WORKSHOP, CountSpec(goal=Goal.PLAYING))
    assert not found.proof.proven
    assert found.proof.bound is not None
    assert found.best < found.proof.bound < 0.8
    assert "not proven best: no tags can exceed" in found.text()


def test_side_counts_have_their_gains_and_insurance_its_own_sum() -> None:
    """With tens and sevens counted separately, insurance is tracked exactly, whatever the bet
    weights."""
    [count] = design_counts(WORKSHOP, CountSpec(sides=("10", "7")))
    report = evaluate_count(WORKSHOP, count, playing=False)
    assert report.insurance == pytest.approx(1.0)
    assert report.one_sum_insurance is not None
    assert report.one_sum_insurance < 0.95
    assert count.insurance_weights[0] == 0
    assert count.insurance_weights[1] == -1
    assert [side.start for side in count.sides] == [-12, -4]
    assert count.misfit(RULES.pack) == ""
    tens, sevens = report.side_gains
    assert tens.insurance == pytest.approx(1 - (joint_without(count, 1) or 0))
    assert sevens.betting > 0
    assert report.betting - sevens.betting >= report.main_betting


def joint_without(count: Count, side: int) -> float | None:
    assert WORKSHOP.insurance is not None
    parts = parts_of(count)
    return joint_correlation(WORKSHOP.insurance, [*parts[:side], *parts[side + 1 :]])


def test_a_design_for_insurance_counts_tens_against_all_else() -> None:
    [count] = design_counts(WORKSHOP, CountSpec(level=3, goal=Goal.INSURANCE))
    report = evaluate_count(WORKSHOP, count, playing=False)
    assert report.insurance == pytest.approx(1.0)
    assert set(count.tags[:9]) == {Fraction(1)}
    assert count.tags[9] == -3


def test_suits_can_be_distinguished() -> None:
    [count] = design_counts(WORKSHOP, CountSpec(level=2, suits=("7",)))
    plain = design_counts(WORKSHOP, CountSpec(level=2))[0]
    with_suits, without = (
        evaluate_count(WORKSHOP, one, playing=False).betting for one in (count, plain)
    )
    assert with_suits >= without - 1e-9


def test_impossible_requirements_are_refused() -> None:
    with pytest.raises(PlanError, match="Add --unbalanced"):
        design_counts(WORKSHOP, CountSpec(running=True))
    with pytest.raises(PlanError, match="level = 7: the largest tag must be 1, 2 or 3"):
        design_counts(WORKSHOP, CountSpec(level=7))
    with pytest.raises(PlanError, match="all cards count the same"):
        evaluate_count(WORKSHOP, read_tags("A=0"))
    with pytest.raises(PlanError, match="not a tag"):
        read_tags("2=x")


def test_a_count_survives_a_round_trip(tmp_path: Path) -> None:
    [count] = design_counts(WORKSHOP, CountSpec(level=2, sides=("7",)))
    count = replace(
        count,
        plays=(
            IndexPlay("hard", 16, 10, Fraction(31, 10), 1, False, 2, 3),
            IndexPlay("pair", 1, 5, Fraction(-2), 1, True),
            IndexPlay("hard", 17, 1, Fraction(8), actions.RESCUE, after=After.SECOND_DOUBLE),
            IndexPlay("hard", 12, 1, Fraction(8), 0, weights=tuple(map(Fraction, (0, 2, 1)))),
            *(IndexPlay("hard", 13, 2, Fraction(9), 0, bonus=bonus) for bonus in Bonus),
        ),
        insurance_at=Fraction(99, 10),
        insurance_weights=(Fraction(1), Fraction(1, 4), Fraction(0)),
        card_tags=((11, Fraction(2)),),
        sides=(*count.sides, SideCount("aces", Fraction(1, 2), (Fraction(1), *count.tags[1:]))),
    )
    counts = tuple(AtCount(at, 0.25, 0.0, 1.0) for at in range(-1, 3))
    count = with_bets(count, Ramp(counts, (1, 1, 4, 9)))
    assert [(int(bet.at), bet.wagers) for bet in count.bets] == [(-1000, 1), (1, 4), (2, 9)]
    path = tmp_path / "mine.toml"
    save_count(path, count, RULES.pack)
    read = load_count(path)
    assert replace(read, name=count.name) == count
    assert count_text(read, RULES.pack) == path.read_text(encoding="utf-8")
    assert "was made for" in read.unlike(load_rules("wsgc-2021(decks=8)"))
    assert read.unlike(RULES) == ""


@pytest.mark.parametrize("is_true", [True, False])
def test_a_counts_scale_matches_cards_counted_at_the_table(is_true: bool) -> None:
    """Halfway to the cut card, the tags seen add up to t per deck beyond the pack's drift."""
    count = replace(read_tags(HI_LO), start=Fraction(-4), is_true=is_true)
    scale = Scale(count, RULES)
    unseen = Depths(RULES, tags_of(count)).middle / 48
    # Start, drift of the cards dealt so far, count.
    running = -4 * 6 + 4 * (6 - unseen) + 2.5 * unseen
    assert scale.own(2.5) == pytest.approx(running / unseen if is_true else running)
    assert scale.true(scale.own(2.5)) == pytest.approx(2.5)
    if is_true:
        assert scale.own(2.5) == pytest.approx(2.5 - 4)
    balanced = design_counts(WORKSHOP, CountSpec())[0]
    assert Scale(balanced, RULES).own(3.1) == pytest.approx(3.1)
