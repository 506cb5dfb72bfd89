"""Cost of a spot per round: exact prices, multiplied stakes, meters compared with break-even."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest

from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.figures import Prices, costs_data, prices_of, signed_cents_text, wagers_of
from ventiuna.analysis.side_bets.jackpots import jackpot_report
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
from ventiuna.engine.commands import Refused
from ventiuna.engine.events import Wager
from ventiuna.rules import Rules, load_rules
from ventiuna.table.presentation import MINUS

FULLEST = "wsgc-2021(mtd_configuration=4,bonus_cards=5,double_double=on,jackpots=3c:1+4d:1:wager=5)"
MTD = {"up": 500, "down": 500, "b1": 100, "b3": 500}
JACKPOTS = {1: 100, 2: 500}
METERS = [412_700, 4_730_910]


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules(FULLEST)


@pytest.fixture(scope="module")
def prices(rules: Rules) -> Prices:
    return prices_of(rules)


def test_edges_match_the_analysis(rules: Rules, prices: Prices) -> None:
    assert prices.base == Fraction(-analyze(rules).ev)
    assert prices.match == match_wager(rules).house_edge
    for game in (1, 2):
        report = jackpot_report(rules, game)
        wager = Wager.JACKPOT_1 if game == 1 else Wager.JACKPOT_2
        for meter in (0, 100_000, 9_999_999):
            assert prices.edge(wager, [meter, meter]) == report.house_edge_at(meter)
    assert pickle.loads(pickle.dumps(prices)) == prices  # prices are computed in another process


def test_rows_and_total_are_exact(rules: Rules, prices: Prices) -> None:
    stakes = wagers_of(rules, 2_500, MTD, JACKPOTS)
    data: Any = costs_data(rules, prices, stakes, METERS)
    assert [(row["title"], row["stake_words"], row["edge_words"]) for row in data["rows"]] == [
        ("Base", "$25", "0.42%"),
        ("Up Card", "$5", "3.06%"),
        ("Down Card", "$5", "3.06%"),
        ("Bonus Card 1", "$1", "3.06%"),
        ("Bonus Card 3", "$5", "3.06%"),
        ("Jackpot 1", "$1", "33.3%"),
        ("Jackpot 2", "$5", "−2.9%"),  # noqa: RUF001
    ]
    assert data["total"]["stake"] == 4_700
    assert data["total"]["average"] == pytest.approx(sum(row["average"] for row in data["rows"]))
    assert data["total"]["average_words"] == "−78.3¢"  # noqa: RUF001
    data = costs_data(rules, prices, wagers_of(rules, 30_000, MTD, JACKPOTS), METERS)
    assert data["total"]["average_words"] == f"{MINUS}$1.93"
    assert all("$" in row["average_words"] for row in data["rows"])
    assert data["note"].startswith("Best play from a fresh shoe of 288 cards; exact.")


def test_a_meter_breaks_even_where_a_wager_loses_nothing(rules: Rules, prices: Prices) -> None:
    for game, break_even in enumerate(prices.break_even, start=1):
        assert break_even is not None
        report = jackpot_report(rules, game)
        assert report.house_edge_at(break_even) <= 0 < report.house_edge_at(break_even - 10)
    data: Any = costs_data(rules, prices, {}, METERS)
    first, second = data["jackpots"]
    assert (first["light"], first["light_words"]) == (False, "costs 33¢ per $1")
    assert (second["light"], second["light_words"]) == (True, "earns 2.9¢ per $1")
    assert first["share_words"] == "26% of the way"
    assert second["share_words"] == "above break-even"
    assert first["break_even_words"] == "breaks even at $15,618.60"
    assert first["chance_words"].endswith("1 in 4,191 wins 10% of it.")
    assert data["rows"] == []
    assert data["total"]["average_words"] == "0.0¢"


def test_games_without_side_wagers_have_one_row() -> None:
    rules = load_rules("super-fun-21")
    data: Any = costs_data(rules, prices_of(rules), wagers_of(rules, 1_000, {}, {}), [])
    assert [row["wager"] for row in data["rows"]] == ["hand"]
    assert data["jackpots"] == []
    assert "Super Bonus" not in data["note"]


def test_a_wager_that_isnt_offered_is_refused() -> None:
    rules = load_rules("wsgc-2021")
    with pytest.raises(Refused, match="This table doesn't offer"):
        wagers_of(rules, 500, {"b1": 500}, {})
    with pytest.raises(Refused, match="this table offers no jackpots"):
        wagers_of(rules, 500, {}, {1: 100})


def test_figures_have_signs() -> None:
    assert signed_cents_text(Fraction(143, 10)) == "+14.3¢"
    assert signed_cents_text(Fraction(1, 1000)) == "0.0¢"
