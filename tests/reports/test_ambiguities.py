"""Readings of open points: exact if possible, and marked as such if not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.cli.running import good, run
from tests.reports.checked_html import check_html
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.side_bets.jackpots import round_awards
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
from ventiuna.reports.ambiguities import (
    AmbiguityStudy,
    StudiedPoint,
    Valued,
)
from ventiuna.reports.ambiguity_readings import POINTS
from ventiuna.reports.queries import AmbiguitiesQuery
from ventiuna.reports.render import document_html
from ventiuna.rules import Rules, change_rules, load_rules
from ventiuna.rules.model import Winners
from ventiuna.rules.text.comparison import DecidedBy
from ventiuna.rules.text.references import references_by_number

RULES = "wsgc-2021(jackpots=4d:1)"


@pytest.fixture(scope="module")
def study() -> AmbiguityStudy:
    return AmbiguitiesQuery.parse(rules=RULES).run()


def point(study: AmbiguityStudy, number: str) -> StudiedPoint:
    return next(each for each in study.points if each.point.number == number)


def reading(study: AmbiguityStudy, number: str, words: str) -> Valued:
    return next(v for v in point(study, number).readings if v.reading.words.startswith(words))


def test_every_open_point_has_readings_an_argument_or_a_reason() -> None:
    numbers = {number for number in references_by_number() if number[0] in "DO"}
    assert {each.number for each in POINTS} == numbers
    for each in POINTS:
        kinds = (each.readings, each.zero, each.settled, each.unknown)
        assert sum(map(bool, kinds)) == 1, each.number


def test_few_points_are_left_open() -> None:
    """The only open point, the cut card's effect on the average round, can't be enumerated."""
    rules = load_rules("wsgc-2021")
    left = [each.number for each in POINTS if each.unknown and each.only(rules)]
    assert left == ["O-03"]


def test_a_split_hand_counted_without_its_split_card(study: AmbiguityStudy) -> None:
    """Worse for players than our reading, but better than no many-card payouts on split hands."""
    rules = load_rules(RULES)
    rows = tuple(row if row.ranks else replace(row, after_split=False) for row in rules.bonus_21)
    without = analyze(replace(rules, bonus_21=rows)).ev
    counted = reading(study, "O-12", "without the card").value
    assert counted is not None
    assert without < counted < analyze(rules).ev


def test_bounds_are_marked_as_bounds(study: AmbiguityStudy) -> None:
    for number in ("O-11", "O-32"):
        *_, bound = point(study, number).readings
        assert bound.note.startswith("a lower bound")
        assert bound.change is not None
        assert bound.change < 0


def test_one_reading_of_each_point_is_implemented(study: AmbiguityStudy) -> None:
    for each in study.points:
        if each.readings:
            built = [valued for valued in each.readings if valued.is_present]
            assert built, each.point.number
            assert all(valued.change == 0.0 for valued in built)


def test_values_match_the_edge_command(study: AmbiguityStudy) -> None:
    rules = load_rules(RULES)
    stand = reading(study, "D-12", "the dealer stands")
    ev = analyze(change_rules(rules, {"soft_17": "stand"})).ev
    assert stand.value == ev
    assert stand.dollars == pytest.approx((ev - analyze(rules).ev) * 500 * 1000)
    assert reading(study, "D-01", "8 decks").value == analyze("wsgc-2021(decks=8)").ev


def test_readings_that_no_option_expresses(study: AmbiguityStudy) -> None:
    """A reading that favors players is worth more; one that nobody would use is worth nothing."""
    exactly = reading(study, "D-07", "exactly seven").change
    assert exactly is not None
    assert -1e-5 < exactly < 0
    after_split = reading(study, "O-05", "yes").change
    assert after_split is not None
    assert 0.001 < after_split < 0.003
    letter = reading(study, "D-15", "read literally")
    assert letter.change is not None
    assert letter.change > 0.01
    assert "lower bound" in letter.note
    assert reading(study, "O-10", "yes").change == 0.0
    either = reading(study, "D-30", "only the better").change
    assert either is not None
    pays = {outcome.name: outcome for outcome in match_wager(load_rules(RULES)).outcomes}
    lost = (
        4 * pays["two unsuited matches"].probability
        + 4 * pays["one suited and one unsuited match"].probability
        + 9 * pays["two suited matches"].probability
    )
    assert either == pytest.approx(-float(lost))


def test_a_blackjack_after_a_split_needs_a_split() -> None:
    """Fewer split hands make the hand rarer, and without splits the point doesn't apply."""
    changes = []
    for hands in (2, 4):
        rules = f"wsgc-2021(split_hands={hands})"
        found = AmbiguitiesQuery.parse(rules=rules, numbers=("O-05",)).run()
        changes.append(reading(found, "O-05", "yes").change or 0.0)
    assert 0 < changes[0] < changes[1]
    none = AmbiguitiesQuery.parse(rules="wsgc-2021(split=off)", numbers=("O-05",)).run()
    assert none.points == ()


def test_only_points_that_apply_to_the_rules_are_listed() -> None:
    question = AmbiguitiesQuery.parse(
        rules="super-fun-21", numbers=("D-28", "D-30", "O-33", "O-14")
    )
    numbers = [each.point.number for each in question.run().points]
    assert numbers == ["D-28", "O-33"]


def test_the_page_counts_each_kind_of_point(study: AmbiguityStudy) -> None:
    document = AmbiguitiesQuery.parse(rules=RULES).document(study)
    text = check_html(document_html(document))
    assert "provably worth nothing" in text
    standings = [e.status for e in study.points if e.decided_by is DecidedBy.SILENT]
    assert f"{standings.count('worth nothing')} provably worth nothing" in text


@pytest.mark.parametrize(
    ("rules", "house", "fixed", "silent"),
    [
        (RULES, "D-01 D-04 D-12 D-13 D-20 D-23 O-04", "D-08 D-10 D-16 D-17 D-33", "D-07 D-15 O-05"),
        ("casino-card", "D-04 D-13", "D-10 D-12 D-20", "D-01 D-05 D-11 D-17 D-18 D-24 D-33"),
        ("catfish-bend", "", "D-01 D-03 D-13 D-33", "D-08 D-10 D-12 D-16 D-34"),
        ("super-fun-21", "D-01", "D-12", "D-27 D-28 D-31 O-33"),
    ],
)
def test_true_ambiguities_are_separate_from_options_left_to_the_house(
    rules: str, house: str, fixed: str, silent: str
) -> None:
    loaded = load_rules(rules)
    found = {each.number: each.decided_by(loaded) for each in POINTS if each.only(loaded)}
    assert {found[number] for number in house.split()} <= {DecidedBy.HOUSE}
    assert {found[number] for number in fixed.split()} == {DecidedBy.FIXED}
    assert {found[number] for number in silent.split()} == {DecidedBy.SILENT}


def test_the_page_has_a_part_for_each_group(study: AmbiguityStudy) -> None:
    headings = [part.heading for part in AmbiguitiesQuery.parse(rules=RULES).document(study).parts]
    groups = [heading.partition(":")[0] for heading in headings]
    assert list(dict.fromkeys(groups)) == [
        "Ambiguities",
        "Left to the house by the document",
        "Clear in this document, different in others",
    ]
    assert point(study, "D-01").as_data()["decided_by"] == "house"
    assert point(study, "O-05").as_data()["decided_by"] == "silent"


def test_d33_d34_the_two_contradictions_of_the_casinos_are_listed() -> None:
    for rules, number in (("casino-card", "D-33"), ("catfish-bend", "D-34")):
        found = AmbiguitiesQuery.parse(rules=rules, numbers=(number,)).run()
        [each] = found.points
        assert each.decided_by is DecidedBy.SILENT
        assert any(number in notice for notice in load_rules(rules).origin.notices)
    assert "those on this card" in " ".join(good("rules", "card", "casino-card").split())


def test_d12_standing_on_soft_17_is_a_reading_of_document_002() -> None:
    found = AmbiguitiesQuery.parse(rules="catfish-bend", numbers=("D-12",)).run()
    stand = reading(found, "D-12", "the dealer stands")
    assert stand.change == pytest.approx(0.00394264, abs=1e-8)


@pytest.mark.parametrize("built", list(Winners))
def test_o39_both_readings_of_a_house_jackpot_are_computed(built: Winners) -> None:
    rules = f"wsgc-2021(seats=3,jackpots=4d:1:kind=house:seed=100000:winners={built})"
    found = AmbiguitiesQuery.parse(rules=rules, numbers=("O-39",)).run()
    full = reading(found, "O-39", "each winner gets the full share")
    in_turn = reading(found, "O-39", "paid in sequence")
    assert full.is_present is (built is Winners.EACH_IN_FULL)
    assert in_turn.is_present is (built is Winners.IN_SEQUENCE)
    loaded = load_rules(rules)
    awards = {
        way: [
            float(seat.expected_award or 0)
            for seat in round_awards(_paying(loaded, way), 3, 100_000_00).seats
        ]
        for way in Winners
    }
    gained = sum(awards[Winners.EACH_IN_FULL]) - sum(awards[Winners.IN_SEQUENCE])
    assert gained > 0
    assert full.value is not None
    assert in_turn.value is not None
    assert full.value - in_turn.value == pytest.approx(gained / 3 / 100, rel=1e-6)
    alone = round_awards(_paying(loaded, Winners.EACH_IN_FULL), 1, 100_000_00)
    assert awards[Winners.EACH_IN_FULL] == [float(alone.seats[0].expected_award or 0)] * 3


def _paying(rules: Rules, winners: Winners) -> Rules:
    return replace(rules, jackpots=(replace(rules.jackpots[0], winners=winners),))


def test_o39_applies_only_to_house_jackpots() -> None:
    [point] = [each for each in POINTS if each.number == "O-39"]
    assert not point.only(load_rules(RULES))
    assert not point.only(load_rules("wsgc-2021"))
    assert point.only(load_rules("wsgc-2021-house-jackpot"))


def test_the_command_refuses_points_that_arent_open() -> None:
    done = run("rules", "ambiguities", "wsgc-2021", "--number", "R-036")
    assert done.code == 2
    assert "D- and O-numbers" in done.err
    done = run("rules", "ambiguities", "wsgc-2021", "--number", "D-99")
    assert done.code == 2
    assert "D-01 to D-34" in done.err
    assert (
        "cost of a rescue" in good("rules", "ambiguities", "wsgc-2021", "--number", "d-15").lower()
    )
