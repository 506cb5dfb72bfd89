"""Output formats of a result: tables, frames, plots and certificates."""

from __future__ import annotations

import csv
import json
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
from pydantic import TypeAdapter

from tests.reports.checked_html import check_html
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.cli.common.exports import ResultOptions, write_outputs
from ventiuna.errors import MissingExtra
from ventiuna.proof.certificate import Certificate, certify
from ventiuna.proof.lockstep import Divergence
from ventiuna.reports.certificate import certificate_data, certificate_document, headline
from ventiuna.reports.render import document_html
from ventiuna.rules import fingerprint, load_rules
from ventiuna.simulation import result as export
from ventiuna.simulation import result as plots
from ventiuna.simulation.blocks import Tally, play_block
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.result import FiguresData, Result
from ventiuna.simulation.run import begin_run, simulate
from ventiuna.simulation.statistics import Estimate
from ventiuna.strategy.protocol import PlanError

RULES = "wsgc-2021(jackpots=3c:1:wager=5:seed=1000)"


@pytest.fixture(scope="module")
def result() -> Result:
    return simulate(RULES, rounds=50_000, spots=2, match={"up": 500}, jackpots=(1,), session=100)


def test_every_table_is_written_as_csv(result: Result, tmp_path: Path) -> None:
    assert write_outputs(result, ResultOptions(csv=tmp_path)) == []
    for name in export.TABLES:
        with (tmp_path / f"{name}.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        columns = result.table(name)
        assert list(rows[0]) == list(columns)
        assert len(rows) == len(next(iter(columns.values())))


def test_estimates_always_have_errors(result: Result) -> None:
    for name in ("wagers", "events", "starts", "convergence", "meters"):
        assert "standard_error" in result.table(name)
    data = result.as_data()
    for name in ("ev", "total_ev", "sd", "average_stake", "element_of_risk", "covariance"):
        beside = {"ev": "standard_error", "total_ev": "total_standard_error"}
        assert beside.get(name, f"{name}_standard_error") in data
    assert json.loads(json.dumps(data))["rounds"] == 50_000


def test_the_data_contains_everything_counted(result: Result) -> None:
    data = result.as_data()
    assert len(data["starts"]) == len(result.starts)
    assert len(data["decisions"]) == len(result.decisions)
    assert data["n0_standard_error"] > 0
    [meter] = data["meters"]
    assert meter["history"][-1] == {"rounds": 50_000, "meter_cents": meter["last_cents"]}
    often = [line for line in meter["lines"] if line["hits"] > 1]
    assert often
    for line in often:
        assert line["average_cents"] == line["paid_cents"] / line["hits"]
        assert line["standard_error_cents"] > 0


@pytest.mark.parametrize("rounds", [0, 1])
@pytest.mark.parametrize("spots", [1, 3])
def test_unknown_values_are_null(rounds: int, spots: int) -> None:
    """JSON has no infinity, and a single round has no standard error."""
    plan = Plan(load_rules(RULES), spots=spots, jackpots=(1,), session=1)
    run = begin_run(plan, 1)
    if rounds:
        run.tally.add(play_block(run.spec, 0, 1))
    data = json.loads(json.dumps(Result(run.tally).as_data(), allow_nan=False))
    TypeAdapter(FiguresData).validate_python(data)
    assert data["rounds"] == rounds
    assert data["n0"] is None
    assert data["standard_error"] is None


def test_tables_without_content_are_not_written(result: Result) -> None:
    assert set(result.tables) == set(export.TABLES)
    plain = simulate("super-fun-21", rounds=1000)
    left = set(export.TABLES) - set(plain.tables)
    assert left == {"sessions", "session_lows", "losing_runs", "meters", "meter_history"}


def test_event_errors_account_for_the_shared_dealers_hand() -> None:
    """The spread of forty runs matches each run's own estimate, with five spots at the table."""
    found: dict[str, list[Estimate]] = {}
    for seed in range(40):
        one = simulate("wsgc-2021", rounds=4000, spots=5, seed=seed, workers=1)
        for line in (*one.events, *one.dealer):
            found.setdefault(line.name, []).append(line.frequency)
    ratios = {
        name: stdev(each.value for each in estimates) / fmean(e.standard_error for e in estimates)
        for name, estimates in found.items()
        if len(estimates) == 40 and min(each.value for each in estimates) > 0.01
    }
    assert len(ratios) > 10
    assert {name: ratio for name, ratio in ratios.items() if not 0.65 < ratio < 1.4} == {}


def test_session_errors_account_for_the_shared_table() -> None:
    found: dict[str, list[Estimate]] = {}
    for seed in range(40):
        one = simulate("wsgc-2021", rounds=4000, spots=7, session=100, seed=seed, workers=1)
        found.setdefault("mean", []).append(one.session_mean)
        found.setdefault("ruin", []).append(one.ruin(10))
        found.setdefault("median", []).append(one.session_quantile(0.5))
    for name, estimates in found.items():
        spread = stdev(each.value for each in estimates)
        said = fmean(each.standard_error for each in estimates)
        assert 0.6 < spread / said < 1.4, name


def test_an_unknown_table_is_refused(result: Result) -> None:
    with pytest.raises(PlanError, match="there is no such table"):
        result.table("hands")


def test_parquet_and_arrow_have_the_same_content(result: Result, tmp_path: Path) -> None:
    parquet: Any = import_module("pyarrow.parquet")

    assert write_outputs(result, ResultOptions(parquet=tmp_path)) == []
    assert parquet.read_table(tmp_path / "starts.parquet").to_pydict() == result.table("starts")


@pytest.mark.parametrize("name", export.TABLES)
def test_data_frames_have_the_same_content(result: Result, name: str) -> None:
    columns = result.table(name)
    assert columns
    assert result.to_arrow(name).to_pydict() == columns
    assert result.to_polars(name).to_dict(as_series=False) == columns
    frame = result.to_pandas(name)
    known = frame.astype(object).where(frame.notna(), None)  # pandas uses NaN for a missing payout
    assert {column: known[column].tolist() for column in known} == columns


def test_a_notebook_shows_every_wager_with_its_error(result: Result) -> None:
    shown = result._repr_html_()
    for line in result.wagers:
        assert f"<th>{line.name}</th>" in shown
        assert f"{100 * line.ev.standard_error:.4f}%" in shown
    assert fingerprint(result.tally.spec.rules) in shown


def test_a_prompt_shows_one_line(result: Result) -> None:
    text = repr(result)
    assert text.startswith("<Result: wsgc-2021(jackpots=3c:1:wager=5:seed=1000), strategy spanish")
    assert "50,000 rounds, house edge" in text
    assert "±" in text
    assert len(text) < 200


def test_a_missing_library_is_reported(result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"pandas.*pip install 'ventiuna.data"):
        result.to_pandas("wagers")


def test_plots_are_valid_svg(result: Result) -> None:
    sheets = [
        plots.convergence_svg(result),
        plots.distribution_svg(result),
        plots.sessions_svg(result),
        plots.meter_svg(result, 1),
    ]
    for sheet in sheets:
        root = ElementTree.fromstring(sheet)
        assert root.tag.endswith("svg")
        assert "NaN" not in sheet
        assert "inf" not in sheet
    bars = [part for part in ElementTree.fromstring(sheets[1]) if part.tag.endswith("rect")]
    assert len(bars) > 10


def test_empty_plots_are_valid_too() -> None:
    run = begin_run(Plan(load_rules("super-fun-21")), 10)
    empty = Result(Tally.empty(run.spec))
    for sheet in (plots.convergence_svg(empty), plots.distribution_svg(empty)):
        ElementTree.fromstring(sheet)
    assert empty.as_data()["rounds"] == 0


# --- certificates -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    return certify(load_rules("super-fun-21"), rounds=400_000, lockstep_rounds=600, seed=4)


def test_a_certificate_says_what_agrees(certificate: Certificate) -> None:
    assert certificate.agrees
    data = certificate.as_data()
    assert data["fingerprint"]
    assert data["lockstep_rounds"] == 600
    assert len(data["checks"]) > 100
    assert {"exact", "simulated", "standard_error", "sigmas"} <= set(data["checks"][0])
    page = document_html(certificate_document(certificate, "2026-03-01"))
    text = check_html(page)
    assert "agreement: exact analysis, kernel and engine give the same results" in text
    assert data["fingerprint"] in text
    assert "±" in text
    assert "2026-03-01" in text
    assert "Your choices" in text  # the rules in words


def test_a_certificate_says_why_its_figure_differs_from_edge(certificate: Certificate) -> None:
    found = headline(certificate)
    assert found.house_edge == analyze("super-fun-21").house_edge
    assert found.certified_house_edge >= found.house_edge  # no player beats best play
    assert abs(found.simulated_house_edge - found.certified_house_edge) < 5 * found.standard_error
    data = certificate_data(certificate, "2026-03-01")
    assert data["date"] == "2026-03-01"
    assert data["house_edge"] == found.house_edge
    assert "exactly" in str(data["why"])


def test_a_certificate_says_what_disagrees(certificate: Certificate) -> None:
    first = replace(certificate.checks[0], agrees=False)
    wrong = replace(
        certificate,
        checks=(first, *certificate.checks[1:]),
        differences=(Divergence(3, "spot 1 hand 0: kernel +1.00, engine -1.00", "round <3>"),),
    )
    assert not wrong.agrees
    assert wrong.verdict.startswith("DISAGREEMENT: 1 figures differ: expectation; 1 rounds differ")
    page = document_html(certificate_document(wrong, "2026-03-01"))
    assert "round &lt;3&gt;" in page
    assert 'class="strong warns"' in page
    assert "DIFFERS: expectation" in check_html(page)
