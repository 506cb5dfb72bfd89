"""Threads in one process return the same digits as sequential calls; results are small."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests import IS_SOAK
from ventiuna.analysis.base_game.analyzer import analyze, hand_values
from ventiuna.analysis.base_game.solver import solve_deals
from ventiuna.analysis.composition import SplitPlay

RULES = ["wsgc-spanish-21(double_double=on)", "super-fun-21"]
RULES += ["wsgc-spanish-21", "blackjack"] * IS_SOAK
HANDS = (("5c 6d", "2h"), ("2c 2d", "7h"), ("7s 7s", "7h"), ("Ac Ad", "Kh"), ("8c 8d", "Ah"))
THREADS = 6


@pytest.fixture(autouse=True)
def every_shoe_is_solved_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the cache of solved shoes that the other tests use."""
    monkeypatch.setattr("ventiuna.analysis.base_game.analyzer.solve_deals", solve_deals)


def _whole(rules: str, split_play: SplitPlay) -> tuple[float, ...]:
    found = analyze(rules, split_play=split_play)
    return (found.ev, found.wagered, *(result.ev for result in found.by_up))


def _decision(rules: str, cards: str, up: str) -> tuple[float, ...]:
    return tuple(action.ev for action in hand_values(rules, cards, up).actions)


def test_several_threads_give_the_same_digits_as_one() -> None:
    wholes = [(rules, split_play) for rules in RULES for split_play in SplitPlay]
    decisions = [
        (rules, cards.replace("7s 7s", "7s 7d") if rules == "super-fun-21" else cards, up)
        for rules in RULES
        for cards, up in HANDS
    ]
    alone = [_whole(*job) for job in wholes] + [_decision(*job) for job in decisions]
    with ThreadPoolExecutor(THREADS) as pool:
        waiting = [pool.submit(_whole, *job) for job in wholes]
        waiting += [pool.submit(_decision, *job) for job in decisions]
        together = [job.result() for job in waiting]
    assert together == alone


def test_a_result_is_small() -> None:
    found = analyze("wsgc-spanish-21")
    assert len(pickle.dumps(found)) < 200_000
    assert len(pickle.dumps(hand_values("wsgc-spanish-21", "8c 8d", "6h"))) < 5_000
    again = found.solution
    assert np.array_equal(again.deals, found.deals.figures)
