"""Exact values of policies, compared with the analyzer, the chart's cost, and simulation."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import ventiuna as vt
from ventiuna import envs
from ventiuna.core import actions
from ventiuna.strategy.players import StrategyPlayer
from ventiuna.strategy.protocol import HandSeen, Insurance

HOUSE = "wsgc-2021"
ONE_DECK = "super-fun-21"


def never_bust(hand: vt.PolicyHand) -> str:
    return "hit" if hand.soft or hand.total < 12 else "stand"


def reckless(hand: vt.PolicyHand) -> list[str]:
    """Split every pair and double whenever possible."""
    return ["split", "double", "hit"] if hand.total < 17 else ["stand"]


class Reckless:
    """The same policy as a simulator strategy."""

    name = "reckless"
    insurance = Insurance.NEVER

    def preferences(self, hand: HandSeen, _: int) -> tuple[int, ...]:
        soft = hand.shape.aces > 0 and hand.shape.hard <= 11
        if hand.shape.hard + 10 * soft >= 17:
            return (actions.STAND,)
        return (actions.SPLIT, actions.DOUBLE, actions.HIT)


@pytest.fixture(scope="module")
def careful() -> vt.PolicyValue:
    return vt.evaluate_policy(ONE_DECK, never_bust)


def test_the_best_play_has_the_edge_of_the_analyzer_and_no_regret() -> None:
    found = vt.evaluate_policy(ONE_DECK, "optimal")
    assert found.ev == pytest.approx(vt.analyze(ONE_DECK).ev, abs=1e-12)
    assert found.regret == pytest.approx(0.0, abs=1e-12)


def test_a_base_wager_includes_its_super_bonus() -> None:
    found = vt.evaluate_policy(HOUSE, "optimal", base=500)
    assert found.super_bonus
    assert found.ev == pytest.approx(vt.analyze(HOUSE, base=500).ev_with_super_bonus, abs=1e-12)
    assert found.regret == pytest.approx(0.0, abs=1e-12)


def test_a_charts_cost_matches_the_strategy_command() -> None:
    priced = vt.strategy(ONE_DECK, ONE_DECK)
    for policy in (priced, ONE_DECK):
        found = vt.evaluate_policy(ONE_DECK, policy)
        assert found.ev == pytest.approx(priced.ev, abs=1e-12)
        assert found.regret == pytest.approx(priced.cost, abs=1e-12)


def test_a_bad_policy_is_worth_what_a_simulation_of_it_wins() -> None:
    found = vt.evaluate_policy(ONE_DECK, reckless)
    played = vt.simulate(ONE_DECK, rounds=400_000, strategy=Reckless(), shoe="fresh")
    assert found.ev < -0.1
    assert abs(played.ev - found.ev) < 4 * played.ev.standard_error
    assert vt.evaluate_policy(ONE_DECK, StrategyPlayer(Reckless())).ev == found.ev


def test_the_regret_of_hands_adds_up(careful: vt.PolicyValue) -> None:
    rows = careful.rows()
    assert sum(float(row["regret"] or 0) for row in rows) == pytest.approx(careful.regret)
    assert sum(float(row["chance"] or 0) for row in rows) == pytest.approx(1.0)
    assert careful.policy == "never_bust"
    assert careful.tables == ("hands", "by_up")
    assert pickle.loads(pickle.dumps(careful)) == careful
    assert len(repr(careful)) < 400
    assert careful._repr_html_().startswith("<table")


def test_an_array_is_a_policy(careful: vt.PolicyValue) -> None:
    table = np.zeros((22, 11, 2), dtype=np.int64)
    table[:12, :, 0] = table[:, :, 1] = actions.HIT
    assert vt.evaluate_policy(ONE_DECK, table).ev == careful.ev
    values = np.full((22, 11, 2, actions.ACTIONS), -2.0)
    values[..., actions.STAND] = -1.0
    values[:12, :, 0, actions.HIT] = values[:, :, 1, actions.HIT] = 1.0
    assert vt.evaluate_policy(ONE_DECK, values).ev == careful.ev


def test_a_policy_sees_what_the_environment_shows() -> None:
    env = envs.Table21(ONE_DECK)
    asked: dict[tuple[tuple[str, ...], str, int, bool], vt.PolicyHand] = {}

    def note(hand: vt.PolicyHand) -> int:
        asked.setdefault((hand.cards, hand.up, hand.doublings, hand.split), hand)
        return int(np.argmax(hand.action_mask))

    vt.evaluate_policy(ONE_DECK, note)
    own_suits = [envs.FIELDS.index(name) for name in ("suits", "up")]
    for cards, seen in {
        "5c 7h 6d 2s": (("5", "6"), "7", 0, False),
        "Ac 7h Kd 2s": (("A", "10"), "7", 0, False),
    }.items():
        row, info = env.reset(seed=1, options={"cards": cards})
        hand = asked[seen]
        row[own_suits] = hand.observation[own_suits]
        ranks = slice(envs.FIELDS.index("rank_T"), envs.FIELDS.index("rank_K") + 1)
        assert row[ranks].sum() == hand.observation[ranks].sum()
        row[ranks] = hand.observation[ranks]
        assert row.tolist() == hand.observation.tolist()
        assert info["action_mask"].tolist() == hand.action_mask.tolist()


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (5, "policy = 5: an array must hold whole numbers in shape"),
        (np.zeros((3, 3)), r"array of shape \(3, 3\)"),
        ([[1, 2], [3]], "an array must hold whole numbers in shape"),
        (
            np.zeros((22, 11, 2)),
            "policy = float64 array of shape .*: an array must hold",
        ),
        (np.full((22, 11, 2, 7), np.nan), "policy = nan: an array can't contain nan"),
        (lambda _: {"hit", "stand"}, "policy = .*: a set has no order. Return one action, or a"),
        ("luck", "there is no such strategy"),
        (lambda _: "fly", "policy = fly: this isn't an action. Return one of stand, hit"),
        (lambda _: None, "policy = None: this isn't an action"),
        (lambda _: True, "policy = True: this isn't an action"),
    ],
)
def test_an_invalid_policy_gets_one_sentence(policy: Any, sentence: str) -> None:
    with pytest.raises(vt.VentiunaError, match=sentence):
        vt.evaluate_policy(ONE_DECK, policy)
