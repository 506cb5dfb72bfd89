"""Results behave as Python programmers expect: short reprs, equality, pickles, data frames."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import ventiuna as vt
from ventiuna.counting.indices import IndexStudy, ValuesByCount
from ventiuna.counting.tags import Depths
from ventiuna.proof.certificate import Certificate

HOUSE = "super-fun-21"
SPANISH = "wsgc-2021-jackpot"
ROUND = "rules: wsgc-2021\ndealer: 9 K\nspot 1 Ann: base 10\n  9 J / stand"


def an_index_study() -> IndexStudy:
    arrays: Any = np.zeros(3)
    values = ValuesByCount(*[arrays] * 6)
    return IndexStudy(Depths(vt.rules(HOUSE), (Fraction(0),) * 52), (), None, -1.0, 1.0, values)


def a_certificate() -> Certificate:
    result = vt.simulate(HOUSE, rounds=1000, seed=2)
    return Certificate(vt.rules(HOUSE), "chart", 2, result, (), 0, ())


def a_count_study() -> Any:
    return vt.simulate_count(HOUSE, "level-one", 5000, strategy="chart")


RESULTS: dict[str, Callable[[], Any]] = {
    "rules": lambda: vt.rules(HOUSE, decks=2),
    "analyze": lambda: vt.analyze(HOUSE),
    "hand": lambda: vt.hand(HOUSE, "5c 6d", "2h"),
    "strategy": lambda: vt.strategy(HOUSE, HOUSE),
    "settle": lambda: vt.settle(ROUND),
    "simulate": lambda: vt.simulate(HOUSE, rounds=1000),
    "certify": a_certificate,
    "match": lambda: vt.match(SPANISH),
    "insurance": lambda: vt.insurance(HOUSE),
    "jackpot": lambda: vt.jackpot(SPANISH),
    "jackpot_awards": lambda: vt.jackpot_awards(SPANISH, 3, 500_000),
    "jackpot_worth": lambda: vt.jackpot_worth(SPANISH),
    "super_bonus": lambda: vt.super_bonus("wsgc-2021", 2500),
    "blackjacks": lambda: vt.blackjacks(HOUSE),
    "index_numbers": an_index_study,
    "simulate_count": a_count_study,
    "posting": lambda: vt.posting(SPANISH),
    "pocket": lambda: vt.pocket(HOUSE, HOUSE),
    "ambiguities": lambda: vt.ambiguities("wsgc-2021", ["D-07"]),
    "explain": lambda: vt.explain("R-021"),
    "rule_card": lambda: vt.rule_card(HOUSE),
    "printed_layout": lambda: vt.printed_layout(HOUSE),
    "read_rounds": lambda: vt.read_rounds(ROUND.replace("9 ", "9c ").replace(" K", " Kd ")
                                          .replace(" J", " Jh ")),
    "view": lambda: vt.view(vt.Round(HOUSE).state),
}  # fmt: skip
OTHERS: dict[str, Callable[[], Any]] = {
    "Round": lambda: vt.Round(HOUSE),
    "RoundState": lambda: vt.Round(HOUSE).state,
    "Table": lambda: vt.Table(HOUSE, seed=1),
    "Shoe": lambda: vt.Table(HOUSE, seed=1).shoe,
    "player": lambda: vt.player("chart", HOUSE),
    "RandomPlayer": lambda: vt.RandomPlayer(random.Random(1)),
}


@pytest.fixture(scope="module", params=RESULTS)
def made(request: pytest.FixtureRequest) -> tuple[Any, Callable[[], Any]]:
    make = RESULTS[request.param]
    return make(), make


def is_short(text: str) -> bool:
    return len(text) <= 400 and text.count("\n") < 4 and " at 0x" not in text


def test_a_result_has_a_short_repr(made: tuple[Any, Callable[[], Any]]) -> None:
    assert is_short(repr(made[0])), repr(made[0])


@pytest.mark.parametrize("name", OTHERS)
def test_rounds_and_tables_have_a_short_repr(name: str) -> None:
    assert is_short(repr(OTHERS[name]()))


def test_a_result_equals_its_pickle_and_its_repetition(
    made: tuple[Any, Callable[[], Any]],
) -> None:
    result, make = made
    assert pickle.loads(pickle.dumps(result)) == result
    assert make() == result
    assert result != "something else"


def test_results_of_different_rounds_differ() -> None:
    assert vt.simulate(HOUSE, rounds=1000, seed=3) != vt.simulate(HOUSE, rounds=1000, seed=4)
    assert vt.posting("wsgc-2021") != vt.posting(HOUSE)


def test_every_table_of_a_result_is_a_data_frame(made: tuple[Any, Callable[[], Any]]) -> None:
    result = made[0]
    if not hasattr(result, "to_pandas"):  # rules, lists, and records have none
        return
    assert result.tables
    for name in result.tables:
        frame = result.to_pandas(name)
        assert len(frame) == len(result.to_polars(name)) == len(result.to_arrow(name))
    first = result.to_pandas(result.tables[0])
    assert first.equals(result.to_pandas())
    with pytest.raises(vt.VentiunaError, match=f"there is no such table.*{result.tables[0]}"):
        result.to_pandas("no-such-table")


def test_tables_are_named_by_their_place_in_the_data() -> None:
    found = vt.analyze(HOUSE)
    assert found.tables == ("hands", "by_up")
    assert list(found.to_pandas("by_up")["ev"]) == [line.ev for line in found.by_up]
    chart = vt.strategy(HOUSE, HOUSE)
    assert chart.tables == ("cells", "chart.doubled", "worst", "worst.hands")
    assert set(chart.to_pandas("worst.hands").columns) >= {"worst_row", "hand", "best", "cost"}


def test_json_says_nothing_about_the_time_it_took(made: tuple[Any, Callable[[], Any]]) -> None:
    text = json.dumps(made[0].as_data(), default=str) if hasattr(made[0], "as_data") else ""
    assert '"seconds"' not in text
    assert "per_second" not in text
