"""The PAR sheet: figures from other commands, added up, and identical in every run."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256

import pytest

from tests import IS_SOAK
from tests.cli.running import good, run
from tests.cli.test_json_names import unnamed_numbers
from tests.reports.checked_html import check_html
from ventiuna.analysis.base_game.outcomes import standard_deviation
from ventiuna.analysis.base_game.queries import OUTCOMES, dealer_outcomes
from ventiuna.analysis.queries import EdgeQuery
from ventiuna.analysis.side_bets.jackpots import jackpot_report
from ventiuna.analysis.side_bets.queries import SideBetsQuery
from ventiuna.reports.document import Grid
from ventiuna.reports.par import ParStudy, funding
from ventiuna.reports.par_document import side_wager_parts
from ventiuna.reports.queries import ParQuery
from ventiuna.reports.render import document_html, document_pdf
from ventiuna.rules import load_rules
from ventiuna.rules.text.references import explain
from ventiuna.texts import json_text

RULES = "super-fun-21"
QUESTION = ParQuery.parse(rules=RULES)

_SUMS = f"""
import pickle, sys
from hashlib import sha256
from ventiuna.reports.render import document_html
from ventiuna.reports.render import document_pdf
from ventiuna.reports.queries import ParQuery
from ventiuna.texts import json_text
question = ParQuery.parse(rules={RULES!r})
study = pickle.load(sys.stdin.buffer) or question.run()
document = question.document(study)
for content in (
    document_html(document).encode(), document_pdf(document),
    json_text(question.data(study)).encode(),
):
    print(sha256(content).hexdigest())
"""


@pytest.fixture(scope="module")
def study() -> ParStudy:
    return QUESTION.run()


def test_the_same_input_gives_the_same_bytes_in_two_processes(study: ParStudy) -> None:
    document = QUESTION.document(study)
    contents = (
        document_html(document).encode(),
        document_pdf(document),
        json_text(QUESTION.data(study)).encode(),
    )
    given = pickle.dumps(None if IS_SOAK else study)  # a soak also recomputes the figures
    done = subprocess.run(
        [sys.executable, "-c", _SUMS], input=given, capture_output=True, check=True
    )
    assert done.stdout.decode().split() == [sha256(content).hexdigest() for content in contents]


def test_it_lists_the_chances_of_the_dealers_totals(study: ParStudy) -> None:
    assert study.dealer == dealer_outcomes(study.rules)
    data = QUESTION.data(study)
    assert data["dealer_outcomes"] == study.dealer.as_data()["up_cards"]
    [part] = [
        part
        for part in QUESTION.document(study).parts
        if part.heading == "The dealer's final totals"
    ]
    grid = part.blocks[0]
    assert isinstance(grid, Grid)
    assert grid.headings[1:] == OUTCOMES
    assert grid.rows[-1][0] == "all"


def test_its_figures_match_the_edge_command(study: ParStudy) -> None:
    edge = EdgeQuery(rules=QUESTION.rules, vary=True).run()
    data = QUESTION.data(study)
    assert data["house_edge"] == edge.house_edge
    assert data["element_of_risk"] == edge.element_of_risk
    assert data["wagered"] == edge.wagered
    assert data["sd"] == standard_deviation(study.rules, edge)
    assert [(each.variation.name, each.change) for each in study.varied] == [
        (line.name, line.change) for line in edge.vary or () if line.change is not None
    ]
    assert study.events.total == pytest.approx(edge.ev, abs=1e-14)
    printed = sum(Fraction(row[-1]) for row in _grid(study, "Events", 0)[:-1])
    last = Fraction(_grid(study, "Events", 0)[-1][-1])
    assert abs(printed - last) <= Fraction(len(study.events.events), 2 * 10**7)


def _grid(study: ParStudy, heading: str, number: int) -> tuple[tuple[str, ...], ...]:
    part = next(p for p in QUESTION.document(study).parts if p.heading == heading)
    return part.blocks[number].rows  # type: ignore[union-attr, return-value]


def test_best_play_costs_nothing_and_all_other_play_costs_something(study: ParStudy) -> None:
    best, *others = study.strategies
    assert best.cost == 0.0
    assert best.house_edge == study.analysis.house_edge
    assert all(other.cost > 0 for other in others)
    assert {"chart", "letters", "super-fun-21", "blackjack-habits"} <= {s.name for s in others}


def test_a_band_contains_the_expected_hold_and_narrows(study: ParStudy) -> None:
    for hold in study.holds:
        assert hold.low_cents < hold.expected_cents < hold.high_cents
        edge = study.analysis.house_edge
        assert hold.expected_cents == pytest.approx(edge * hold.rounds * hold.spots * study.wager)
    widths = [high - low for _, low, high in (hold.shares for hold in study.holds[:3])]
    assert widths[0] == pytest.approx(10 * widths[2])


def test_removal_effects_match_the_edge_command(study: ParStudy) -> None:
    edge = EdgeQuery(rules=QUESTION.rules, effects=True).run()
    ours = study.countability.effects()["base game"]
    for line in edge.effects or ():
        assert ours[line.name] == pytest.approx(line.change, abs=1e-12)
    low, high = (deviation for _, deviation in study.countability.deviations())
    assert 0 < low < high
    first, second = study.countability.counts
    assert 0.8 < first.betting <= second.betting <= 1


def test_side_wagers_and_jackpots_match_their_commands(study: ParStudy) -> None:
    name = "casino-card"
    rules = load_rules(name)
    side_bets = SideBetsQuery.parse(rules=name).run()
    other = replace(
        study, rules=rules, side_bets=side_bets, funding=tuple(map(funding, side_bets.jackpots))
    )
    parts = {part.heading: part for part in side_wager_parts(other)}
    match = parts["Match the Dealer odds"].blocks[1]
    assert ("house edge", "3.055481%") in match.rows  # type: ignore[union-attr]
    jackpot = next(part for heading, part in parts.items() if heading.startswith("Jackpot"))
    report = jackpot_report(rules)
    facts = dict(jackpot.blocks[1].rows)  # type: ignore[union-attr, arg-type]
    even = report.break_even_cents
    assert even is not None
    assert facts["break-even meter"] == f"${even / 100:,.2f}"


def test_in_the_long_run_a_meter_receives_what_it_pays() -> None:
    found = funding(jackpot_report(load_rules("wsgc-2021(jackpots=3c:1:seed=1000)")))
    mean = found.mean_meter
    assert mean is not None
    coming = found.contribution + found.emptied * 100_000
    assert coming == mean * (found.emptied + found.lowered)
    assert found.reserve_share == found.emptied * 100_000 / 100
    house = funding(jackpot_report(load_rules("wsgc-2021(jackpots=3c:1:kind=house:seed=1000)")))
    assert house.mean_meter is None


def test_the_page_is_valid_and_explains_every_number(study: ParStudy) -> None:
    page = document_html(QUESTION.document(study))
    text = check_html(page)
    assert explain("R-109").text in text
    assert 'href="#R-109" title="' in page
    assert "http" not in page


def test_bad_input_gets_one_sentence_and_nothing_is_written(tmp_path: object) -> None:
    done = run("par", "super-fun-21", "--base", "few")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "base" in done.err
    done = run("par", "super-fun-21", "--pdf", "/nowhere/at/all.pdf")
    assert done.code == 2
    assert "/nowhere/at/all.pdf" in done.err


def test_the_command_prints_a_summary_or_json(
    study: ParStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ventiuna.reports.par.par_study", lambda *_: study)
    text = good("par", "super-fun-21")
    assert "house edge, per base wager" in text
    assert "To repeat: ventiuna par super-fun-21" in text
    data = json.loads(good("par", "super-fun-21", "--json"))
    assert data["house_edge"] == study.analysis.house_edge
    assert "seconds" not in json.dumps(data)
    assert unnamed_numbers(data) == set()
