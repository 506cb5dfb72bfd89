"""Requirements of a server: small results, and concurrent calls from several threads."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ventiuna.proof.regret import regret_lines
from ventiuna.simulation import simulate
from ventiuna.simulation.result import Result
from ventiuna.strategy.protocol import PlanError

RULES = "wsgc-2021(jackpots=3c:1:wager=5:seed=1000)"
CALLS: list[dict[str, Any]] = [
    {"rules": "wsgc-spanish-21", "rounds": 20_000},
    {"rules": RULES, "rounds": 20_000, "match": {"up": 500}, "jackpots": (1,)},
    {"rules": "super-fun-21", "rounds": 20_000, "strategy": "habits"},
    {"rules": RULES, "rounds": 20_000, "match": {"up": 500}, "jackpots": (1,), "seed": 5},
]


def digits(result: Result) -> dict[str, Any]:
    return result.as_data()


def played(call: dict[str, Any]) -> dict[str, Any]:
    return digits(simulate(**call, workers=1))


def test_calls_from_several_threads_give_the_same_digits() -> None:
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(played, [*CALLS, *CALLS]))
    assert together == [played(call) for call in CALLS] * 2


def test_a_light_result_has_the_same_figures_in_less_space() -> None:
    full = simulate(**CALLS[1])
    light = simulate(**CALLS[1], records=False)
    wanted = digits(full) | {"decisions": None}
    assert digits(light) == wanted
    assert digits(pickle.loads(pickle.dumps(light))) == wanted
    assert len(pickle.dumps(light)) < 500_000 < len(pickle.dumps(full.tally))
    assert light.without_records() is light


def test_a_light_result_reports_what_it_omits() -> None:
    light = simulate("super-fun-21", rounds=1000, records=False)
    for ask in (
        lambda: light.decisions,
        lambda: regret_lines(light),
        lambda: light.table("decisions"),
    ):
        with pytest.raises(PlanError, match="it has no record of decisions"):
            ask()
