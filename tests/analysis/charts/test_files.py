"""Charts as TOML files: written, read back and played."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tests import IS_SOAK
from tests.analysis.charts.studied import DOUBLE_DOUBLE, PRESETS, SPANISH, SUPER_FUN, derived
from ventiuna.analysis.charts.derivation import price_chart
from ventiuna.analysis.charts.page import cell_description, cell_text, chart_toml
from ventiuna.rules import load_rules
from ventiuna.simulation.run import simulate
from ventiuna.simulation.settings import find_strategy
from ventiuna.strategy.chart import Cell, built_in_charts, load_chart, read_chart
from ventiuna.strategy.protocol import Insurance, PlanError


@pytest.mark.parametrize("rules", PRESETS if IS_SOAK else [DOUBLE_DOUBLE, SUPER_FUN])
def test_a_derived_chart_survives_a_round_trip(rules: str, tmp_path: Path) -> None:
    result = derived(rules)
    path = tmp_path / "chart.toml"
    path.write_text(result.toml("ventiuna strategy"), encoding="utf-8")
    assert replace(load_chart(path), name=result.chart.name) == result.chart
    assert price_chart(load_rules(rules), load_chart(path)).ev == result.ev
    assert result.fingerprint in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", list(built_in_charts()))
def test_every_built_in_chart_survives_a_round_trip(name: str) -> None:
    chart = built_in_charts()[name]
    assert read_chart(name, tomllib.loads(chart_toml(chart))) == chart


def test_titles_and_habits_survive_whatever_they_contain() -> None:
    chart = replace(
        built_in_charts()["spanish-21-h17"],
        title='A "quoted" title \\ with é and\ttab',
        source="",
        insurance=Insurance.BLACKJACK,
        doubles_blackjack=True,
    )
    assert read_chart(chart.name, tomllib.loads(chart_toml(chart, ["two", "comments"]))) == chart


def test_a_title_that_moves_the_cursor_is_refused() -> None:
    chart = replace(built_in_charts()["spanish-21-h17"], title="up \x1b[2A")
    with pytest.raises(PlanError, match=r"title = .*must be a string on one line"):
        read_chart(chart.name, tomllib.loads(chart_toml(chart)))


def test_the_simulator_plays_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(derived(SPANISH).toml(), encoding="utf-8")
    assert find_strategy(str(path), load_rules(SPANISH), 1000).name == "mine.toml"


@pytest.mark.parametrize("rules", [SUPER_FUN, DOUBLE_DOUBLE])
def test_simulated_rounds_agree_with_the_exact_value(rules: str, tmp_path: Path) -> None:
    """Simulated with a fresh shoe every round, the file agrees within four standard errors."""
    path = tmp_path / "chart.toml"
    path.write_text(derived(rules).toml(), encoding="utf-8")
    result = simulate(rules, str(path), 1_000_000, base=1000, shoe="fresh", seed=21)
    base_game = result.wagers[0]
    assert base_game.name == "base game"
    off = base_game.ev.value - derived(rules).ev
    assert abs(off) < 4 * base_game.ev.standard_error
    wagered = base_game.staked / base_game.placed / 1000
    assert wagered == pytest.approx(derived(rules).wagered, abs=0.002)


def test_the_built_in_chart_of_super_fun_21_is_the_derived_one() -> None:
    built_in, ours = built_in_charts()["super-fun-21"], derived(SUPER_FUN).chart
    assert ours.rules == SUPER_FUN  # built-in charts also serve related rules and name none
    assert built_in == replace(
        ours, name=built_in.name, source=built_in.source, rules="", fingerprint=""
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("H", "hit"),
        ("D4", "double; with 4 or more cards, hit"),
        ("HS3", "hit; with 3 or more cards, stand"),
        ("RH", "surrender, or hit if that isn't allowed"),
        ('S6"', "stand; with 6 or more cards, hit; hit while a 6-7-8 of spades is still possible"),
        ("P$", "split; hit while the Super Bonus is still possible"),
    ],
)
def test_cells_in_words(text: str, words: str) -> None:
    cell = cell_of(text)
    assert cell_text(cell) == text
    assert cell_description(cell) == words


def cell_of(text: str) -> Cell:
    """Parse one cell with the chart reader."""
    chart = built_in_charts()["spanish-21-h17"]
    data = tomllib.loads(chart_toml(chart))
    data["hard"]["9"] = " ".join([text] * 10)
    return read_chart("one cell", data).hard[9][0]
