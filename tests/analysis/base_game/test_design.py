"""Design to a target: the search finds exactly the rule sets that brute force finds."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import ventiuna as vt
from tests.cli.running import run
from ventiuna.analysis.base_game import design
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.base_game.design import MARGIN, PayTables, Wish, rules_file, with_pays
from ventiuna.analysis.base_game.outcomes import (
    hit_rates,
    round_events,
    row_rates,
    standard_deviation,
)
from ventiuna.analysis.base_game.queries import BASE_GAME_OPTIONS
from ventiuna.analysis.queries import DesignQuery
from ventiuna.analysis.targets import Range, pareto_front
from ventiuna.money import Odds
from ventiuna.rules import (
    Rules,
    RulesError,
    change_rules,
    fingerprint,
    load_rules,
)
from ventiuna.rules.compiled import winning_rows
from ventiuna.rules.loader import choices_of

SMALL = "super-fun-21"


# --- Options ---


def _brute_force(rules: Rules, choices: dict[str, Any]) -> dict[str, float]:
    """The edge of every valid combination, by fingerprint."""
    found = {}
    for values in product(*choices.values()):
        try:
            one = change_rules(rules, dict(zip(choices, values, strict=True)))
        except RulesError:
            continue
        found[fingerprint(one)] = analyze(one).house_edge
    return found


@pytest.mark.parametrize("preset", [SMALL, "casino-card", "catfish-bend", "wsgc-2021"])
def test_the_approved_grid_equals_brute_force(preset: str) -> None:
    approved = {
        name: values for name, values in choices_of(preset).items() if name in BASE_GAME_OPTIONS
    }
    edges = _brute_force(load_rules(preset), approved)
    wanted = Range(100 * sorted(edges.values())[len(edges) // 3], 100 * max(edges.values()))
    found = vt.design(preset, edge=wanted, approved=True)
    assert {one.fingerprint: one.house_edge for one in found.solutions} == {
        name: edge for name, edge in edges.items() if 100 * edge in wanted
    }
    assert found.is_complete
    assert found.games == len(edges)
    assert all(one.departures == () for one in found.solutions)


@pytest.mark.parametrize("seed", range(3))
def test_random_small_grids_of_options_equal_brute_force(seed: int) -> None:
    draw = random.Random(seed)
    values = {
        "decks": ["1", "2"],
        "soft_17": ["hit", "stand"],
        "surrender": ["off", "late", "any_time"],
        "double_on_21": ["never", "soft", "any"],
        "resplit_aces": ["on", "off"],
        "blackjack_tie": ["wins", "pushes"],
    }
    varied = draw.sample(sorted(values), 2)
    edges = _brute_force(load_rules(SMALL), {name: values[name] for name in varied})
    low, high = sorted(draw.uniform(min(edges.values()), max(edges.values())) for _ in "ab")
    wanted = Range(100 * low, 100 * high)
    found = vt.design(SMALL, ",".join(varied), edge=wanted, most=1000)
    kept = {name: edge for name, edge in edges.items() if 100 * edge in wanted}
    assert kept.items() <= {one.fingerprint: one.house_edge for one in found.solutions}.items()
    assert all(100 * one.house_edge in wanted for one in found.solutions)


# --- Pay tables ---


def _pay_tables(rules: Rules, rows: list[str], pays: list[Fraction]) -> dict[str, float]:
    """The edge with each combination of pays, by fingerprint."""
    found = {}
    for chosen in product(pays, repeat=len(rows)):
        odds = [Odds(pay.numerator, pay.denominator) for pay in chosen]
        changed = with_pays(rules, tuple(zip(rows, odds, strict=True)))
        found[fingerprint(changed)] = analyze(changed).house_edge
    return found


@pytest.mark.parametrize("seed", range(3))
def test_random_small_pay_tables_equal_brute_force(seed: int) -> None:
    draw = random.Random(seed)
    rules = load_rules(draw.choice([SMALL, "wsgc-2021"]))
    names = [row.name for row in (*rules.instant_wins, *rules.bonus_21_rows())]
    rows = draw.sample(names, 2)
    pays = [Fraction(halves, 2) for halves in range(2, 7)]  # 1 to 3
    edges = _pay_tables(rules, rows, pays)
    middle = sorted(edges.values())[draw.randrange(len(edges))]
    wanted = Range(100 * middle - 0.1, 100 * middle + 0.1)
    found = vt.design(rules, ",".join(rows), pays="1..3", edge=wanted, most=1000)
    assert {one.fingerprint: one.house_edge for one in found.solutions} == {
        name: pytest.approx(edge, abs=1e-15) for name, edge in edges.items() if 100 * edge in wanted
    }
    assert found.is_complete


def test_bounds_hold_for_large_changes_of_three_rows() -> None:
    rules = load_rules("wsgc-2021")
    rows = ["5-card 21", "6-7-8 of mixed suits", "6-card 21"]
    start = analyze(rules)
    wish = Wish({"edge": Range(0.0, 1.0)}, rows=tuple(rows), changes=3)
    tables = PayTables(rules, start, wish)
    places = {row.name: place for place, (row, _, _) in enumerate(winning_rows(rules))}
    for changes in ((1, 1, 1), (-0.5, 1.5, 1), (-0.5, -0.5, -1), (1.5, 0.5, -1)):
        pays = []
        for name, change in zip(rows, changes, strict=True):
            row = next(row for row in rules.bonus_21 if row.name == name)
            pay = Fraction(row.pay.num, row.pay.den) + Fraction(change)
            pays.append((name, Odds(pay.numerator, pay.denominator)))
        value = analyze(with_pays(rules, tuple(pays))).ev
        moved = [(places[name], float(change)) for name, change in zip(rows, changes, strict=True)]
        bounds = tables.bounds(moved)
        assert bounds.low - MARGIN <= value <= bounds.high + MARGIN
        assert bounds.high - bounds.low < 0.02  # narrow enough to skip most tables


def test_a_changed_pay_table_can_be_saved_and_loaded(tmp_path: Path) -> None:
    found = vt.design("wsgc-2021", "5-card 21", edge="..0.7", pays="2..2", keep="decks")
    [one] = found.solutions
    assert (one.pays, len(one.departures)) == ({"5-card 21": "2 to 1"}, 1)
    assert one.file == rules_file(one.house_rules)
    path = tmp_path / "house.toml"
    path.write_text(one.file or "")
    again = load_rules(str(path))
    assert (fingerprint(again), analyze(again).house_edge) == (one.fingerprint, one.house_edge)


def test_the_command_writes_the_first_solution(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    words = ["design", SMALL, "--vary", "soft_17", "--edge", "..0.9", "--output", str(path)]
    [found] = run(*words, "--json").data["solutions"]
    assert fingerprint(load_rules(str(path))) == found["fingerprint"]
    assert found["changes"] == ["soft_17=stand"]
    assert len(found["departures"]) == 1
    printed = run(*words[:-2]).out
    assert f"{100 * found['house_edge']:.6f}%" in printed
    assert "1 solution" in printed


def test_a_stopped_search_ends_at_its_next_analysis() -> None:
    before = set(threading.enumerate())

    def interrupted(_: str, _items: Sequence[Any], /) -> Iterator[Any]:
        raise KeyboardInterrupt

    query = DesignQuery.parse(
        rules="wsgc-2021", vary="decks,bonus", edge="0.1..0.2", changes=3, pays="1..2"
    )
    with pytest.raises(KeyboardInterrupt):
        query.run(interrupted)
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()


def test_a_search_with_too_much_work_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(design, "MAX_WORK", 3)
    found = vt.design(SMALL, "bonus", edge="..")
    assert len(found.solutions) == 3
    assert not found.is_complete


# --- Figures and the front ---


def test_figures_are_those_of_the_other_analyses() -> None:
    [one] = vt.design(
        SMALL, "none", edge="..", sd="..", hits="..", bonus_hits="..", hands="..", win="..",
        base=1000, per_hour=80,
    ).solutions  # fmt: skip
    analysis = analyze(SMALL, base=1000)
    events = round_events(load_rules(SMALL), 1000)
    won = sum(event.count for event in events.events if event.part > 1e-15)
    assert one.hits_per_round == pytest.approx(won, abs=1e-12)
    bonus = [event.count for event in events.events if event.name in BONUSES]
    assert one.bonus_hits_per_round == pytest.approx(sum(bonus), abs=1e-12)
    assert len(bonus) == 2
    assert one.hands_per_hour == pytest.approx(80 * events.hands)
    assert one.win_per_hour_cents == pytest.approx(80 * 1000 * analysis.house_edge)
    assert one.sd == standard_deviation(SMALL, analysis)


BONUSES = ("21 with five or more cards", "20 or less in six cards")


def test_a_rows_marginal_value_is_its_frequency() -> None:
    rules = load_rules("wsgc-2021")
    analysis = analyze(rules)
    rates = row_rates(rules, analysis)
    events = {event.name: event.count for event in round_events(rules).events}
    assert rates[1] == pytest.approx(events["6-card 21"], abs=1e-15)
    assert rates[5] == pytest.approx(events["6-7-8 of mixed suits"], abs=1e-15)
    assert hit_rates(rules, analysis).bonus == pytest.approx(sum(rates[:-1]), abs=1e-15)


def test_only_solutions_in_every_range_are_found() -> None:
    every = vt.design(SMALL, "soft_17,decks", edge="..", hits="..").solutions
    hits = sorted(100 * (one.hits_per_round or 0.0) for one in every)[1]
    edge = sorted(100 * one.house_edge for one in every)[2]
    found = vt.design(SMALL, "soft_17,decks", edge=f"..{edge!r}", hits=f"{hits!r}..").solutions
    expected = {
        one.rules
        for one in every
        if 100 * one.house_edge <= edge and 100 * (one.hits_per_round or 0.0) >= hits
    }
    assert {one.rules for one in found} == expected
    assert 0 < len(expected) < len(every) == 4


def test_the_front_has_no_beaten_solution() -> None:
    found = vt.design("wsgc-2021", front="low edge, low changes")
    pairs = [(one.house_edge, one.number_of_changes) for one in found.solutions]
    for one in found.solutions:
        beaten = any(
            edge <= one.house_edge and changes <= one.number_of_changes
            and (edge, changes) != (one.house_edge, one.number_of_changes)
            for edge, changes in pairs
        )  # fmt: skip
        assert one.on_front is not beaten
    assert 1 < len(found.front) < len(found.solutions)


def test_the_front_equals_brute_force_on_random_points() -> None:
    draw = random.Random(21)
    points = [tuple(draw.randrange(9) for _ in range(3)) for _ in range(200)]
    best = pareto_front(points, lambda point: point)
    for point in points:
        beaten = any(
            other != point and all(a <= b for a, b in zip(other, point, strict=True))
            for other in points
        )
        assert (point in best) is not beaten


def test_rule_sets_without_a_standard_deviation_are_counted() -> None:
    found = vt.design("blackjack", "none", sd="..", edge="..")
    assert (len(found.solutions), found.without_sd) == (1, 0)


# --- Refusals ---


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--edge", "much"], "edge = much: not a range"),
        (["--edge", "0.9..0.6"], "a range starts with its lower end. Write 0.6..0.9."),
        (["--edge", "nan.."], "edge = nan..: not a range"),
        (["--edge", "inf.."], "edge = inf..: not a range"),
        (["--edge", "0.3..1e400"], "edge = 0.3..1e400: not a range"),
        (["--vary", "dekcs"], "Did you mean decks?"),
        (["--keep", "dekcs"], "keep = dekcs: neither an option"),
        (["-o", "house.txt"], "a rules file must end with .toml"),
        (["--vary", "bonus", "--approved"], "the document fixes every pay"),
        (["--win", "10.."], "Give the base wager too"),
        (["--front", "cheap"], "not a figure to compare"),
        (["--front", "low fun"], "not a figure to compare"),
        (["--vary", "bonus", "--pays", "0..1"], "a varied row pays from 1"),
        (["--vary", "bonus", "--pays", "1.2..1.4"], "no pay in steps of a half"),
        (["--vary", "bonus", "--pays", "1.."], "a varied row pays from 1"),
        (["--vary", ",".join(BASE_GAME_OPTIONS)], "combinations are too many"),
        (["--vary", "bonus", "--changes", "9", "--pays", "1..9"], "pay tables are too many"),
    ],
)
def test_refusals(words: list[str], message: str) -> None:
    refused = run("design", "wsgc-2021", *words)
    assert refused.code == 2
    assert message in " ".join(refused.err.split())


def test_library_arguments_are_checked() -> None:
    with pytest.raises(RulesError, match="changes = x"):
        vt.design(SMALL, changes="x")  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="edge = 5"):
        vt.design(SMALL, edge=5)  # type: ignore[arg-type]
