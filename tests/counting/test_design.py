"""Counts designed, judged, written to files and read again."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from ventiuna.counting.depth import Depths
from ventiuna.counting.design import (
    Goal,
    Wish,
    Workshop,
    design_counts,
    evaluate_count,
    misfit_text,
)
from ventiuna.counting.files import count_text, save_count, with_bets
from ventiuna.counting.ramp import AtCount, Ramp
from ventiuna.counting.scales import Scale
from ventiuna.counting.tags import read_tags, tags_of
from ventiuna.rules import load_rules
from ventiuna.strategy.counting import IndexPlay, SideCount, load_count
from ventiuna.strategy.errors import PlanError

RULES = load_rules("wsgc-2021")
WORKSHOP = Workshop(RULES)
HI_LO = "2=1 3=1 4=1 5=1 6=1 10=-1 A=-1"


def test_the_best_level_one_count_balances_on_the_spanish_pack() -> None:
    [count] = design_counts(WORKSHOP, Wish())
    report = evaluate_count(WORKSHOP, count, playing=False)
    assert report.drift == 0
    assert report.warnings == ()
    assert report.betting == pytest.approx(0.9349434, abs=1e-6)
    assert report.break_even == pytest.approx(1.55, abs=0.05)


def test_higher_levels_and_side_counts_never_do_worse() -> None:
    found = [
        evaluate_count(WORKSHOP, design_counts(WORKSHOP, wish)[0], playing=False).betting
        for wish in (Wish(1), Wish(1, sides=("7",)), Wish(2), Wish(3))
    ]
    assert found[1] > found[0]
    assert found[0] < found[2] < found[3] < 1


def test_an_unbalanced_count_starts_where_its_drift_ends() -> None:
    [count] = design_counts(WORKSHOP, Wish(balanced=False, running=True))
    drift = count.drift(RULES.pack)
    assert drift != 0
    assert count.start == -drift
    assert not count.is_true
    assert evaluate_count(WORKSHOP, count, playing=False).warnings == ()


def test_a_count_for_another_pack_is_told_with_its_drift() -> None:
    """Hi-Lo has five low ranks against aces and sixteen ten-valued cards; here these are twelve."""
    count = read_tags(HI_LO, "hi-lo")
    text = misfit_text(count, RULES)
    assert "+4 in a deck of 48 cards" in text
    assert "-24 with 6" in text
    assert misfit_text(count, load_rules("blackjack")) == ""


def test_a_design_for_playing_plays_better_than_one_for_betting() -> None:
    betting, playing = (
        evaluate_count(WORKSHOP, design_counts(WORKSHOP, Wish(goal=goal))[0]).playing
        for goal in (Goal.BETTING, Goal.PLAYING)
    )
    assert betting is not None
    assert playing is not None
    assert playing >= betting


def test_a_design_for_insurance_counts_tens_against_all_else() -> None:
    [count] = design_counts(WORKSHOP, Wish(level=3, goal=Goal.INSURANCE))
    report = evaluate_count(WORKSHOP, count, playing=False)
    assert report.insurance == pytest.approx(1.0)
    assert set(count.tags[:9]) == {Fraction(1)}
    assert count.tags[9] == -3


def test_suits_may_be_told_apart() -> None:
    [count] = design_counts(WORKSHOP, Wish(level=2, suits=("7",)))
    plain = design_counts(WORKSHOP, Wish(level=2))[0]
    with_suits, without = (
        evaluate_count(WORKSHOP, one, playing=False).betting for one in (count, plain)
    )
    assert with_suits >= without - 1e-9


def test_wishes_that_can_not_be_met_are_refused() -> None:
    with pytest.raises(PlanError, match="Add --unbalanced"):
        design_counts(WORKSHOP, Wish(running=True))
    with pytest.raises(PlanError, match="1, 2 or 3"):
        design_counts(WORKSHOP, Wish(level=7))
    with pytest.raises(PlanError, match="all cards count the same"):
        evaluate_count(WORKSHOP, read_tags("A=0"))
    with pytest.raises(PlanError, match="not a tag"):
        read_tags("2=x")


def test_a_count_is_written_and_read_again(tmp_path: Path) -> None:
    [count] = design_counts(WORKSHOP, Wish(level=2, sides=("7",)))
    count = replace(
        count,
        plays=(
            IndexPlay("hard", 16, 10, Fraction(31, 10), 1, False, 2, 3),
            IndexPlay("pair", 1, 5, Fraction(-2), 1, True),
        ),
        insurance_at=Fraction(99, 10),
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
def test_a_counts_own_scale_is_that_of_cards_counted_at_the_table(is_true: bool) -> None:
    """Half-way to the cut card: what is seen adds up to t a deck beyond the drift of the pack."""
    count = replace(read_tags(HI_LO), start=Fraction(-4), is_true=is_true)
    scale = Scale(count, RULES)
    unseen = Depths(RULES, tags_of(count)).middle / 48
    running = -4 * 6 + 4 * (6 - unseen) + 2.5 * unseen  # start, drift of what is gone, count
    assert scale.own(2.5) == pytest.approx(running / unseen if is_true else running)
    assert scale.true(scale.own(2.5)) == pytest.approx(2.5)
    if is_true:
        assert scale.own(2.5) == pytest.approx(2.5 - 4)
    balanced = design_counts(WORKSHOP, Wish())[0]
    assert Scale(balanced, RULES).own(3.1) == pytest.approx(3.1)
