"""The vector environment and the engine tell the same, whatever is played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ventiuna.core import actions
from ventiuna.envs import VectorTable21
from ventiuna.envs.lockstep import compare_with_engine
from ventiuna.kernels.seats import layout as at

SEATS, STEPS = 48, 80
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("wsgc-spanish-21", {}),
    ("wsgc-spanish-21(split=same_rank,burn_cards=1,split_aces=one_card)", {"wagers": (1, 2, 5)}),
    ("wsgc-2021(double_double=on)", {"autoreset_mode": "SameStep", "episode": "round"}),
    ("wsgc-2021(mtd_configuration=4,bonus_cards=5)", {"wagers": (1,)}),
    ("catfish-bend", {"episode": "round"}),
    ("casino-card", {"autoreset_mode": "SameStep"}),
    ("super-fun-21", {"wagers": (1, 3), "episode": "round"}),
    ("super-fun-21(decks=2,insurance=off)", {"autoreset_mode": "SameStep"}),
    ("blackjack", {}),
]


@pytest.mark.parametrize(("rules", "keywords"), TABLES, ids=[name for name, _ in TABLES])
def test_every_observation_mask_and_reward_is_the_engines(
    rules: str, keywords: dict[str, Any]
) -> None:
    compared = compare_with_engine(VectorTable21(SEATS, rules, **keywords), STEPS, seed=21)
    assert not compared.differences
    assert compared.steps == SEATS * STEPS
    assert compared.rounds > 500
    assert compared.taken[actions.SPLIT] > 0


def test_all_actions_are_met() -> None:
    env = VectorTable21(SEATS, "wsgc-2021(double_double=on)", wagers=(1, 2))
    taken = compare_with_engine(env, 2 * STEPS, seed=3).taken
    assert np.flatnonzero(taken == 0).tolist() == [at.DOUBLE_FOR_LESS]


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("insurance_pay", 1),
        ("paid_when", 1),
        ("may_insure", 1),
        ("soft", 1),
    ],
)
def test_a_wrong_table_would_be_found(table: str, change: int) -> None:
    env = VectorTable21(SEATS, "wsgc-spanish-21", episode="round")
    wrong = getattr(env._seats.tables, table)
    wrong ^= change
    assert compare_with_engine(env, STEPS, seed=5).differences


def test_a_wrong_pay_would_be_found() -> None:
    env = VectorTable21(SEATS, "wsgc-spanish-21", episode="round")
    env._seats.play.terminal[:] += 1
    assert compare_with_engine(env, STEPS, seed=5).differences
