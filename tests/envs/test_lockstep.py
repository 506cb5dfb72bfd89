"""The vector environment and the engine agree, whatever is played."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from tests import IS_SOAK
from tests.envs.lockstep import compare_with_engine
from tests.support.rule_sets import approved_rules
from ventiuna.core import actions
from ventiuna.envs import VectorTable21
from ventiuna.kernels import vector_env_layout as at
from ventiuna.rules import Rules
from ventiuna.rules.model import Soft17

SEATS, STEPS = 48, 40
FEW_SEATS, FEW_STEPS = 10, 20  # for each of the many approved rule sets
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("wsgc-spanish-21", {"double_for_less": True}),
    (
        "wsgc-spanish-21(split=same_rank,burn_cards=1,split_aces=one_card)",
        {"wagers": (1, 2, 5), "double_for_less": True},
    ),
    ("wsgc-2021(double_double=on)", {"autoreset_mode": "SameStep", "episode": "round"}),
    ("wsgc-2021(mtd_configuration=4,bonus_cards=5)", {"wagers": (1,)}),
    ("catfish-bend", {"episode": "round"}),
    ("casino-card(double_double=off)", {"autoreset_mode": "SameStep", "double_for_less": True}),
    ("super-fun-21", {"wagers": (1, 3), "episode": "round"}),
    ("super-fun-21(decks=2,insurance=off)", {"autoreset_mode": "SameStep"}),
    ("blackjack", {"double_for_less": True}),
]


@pytest.mark.parametrize(("rules", "keywords"), TABLES, ids=[name for name, _ in TABLES])
def test_every_observation_mask_and_reward_matches_the_engine(
    rules: str, keywords: dict[str, Any]
) -> None:
    seats = SEATS if IS_SOAK else SEATS // 2
    compared = compare_with_engine(VectorTable21(seats, rules, **keywords), STEPS, seed=21)
    assert not compared.differences
    assert compared.steps == seats * STEPS
    assert compared.rounds > 5 * seats
    assert compared.taken[actions.SPLIT] > 0


# --- every approved rule set ------------------------------------------------------------------


@cache
def approved() -> tuple[Rules, ...]:
    return tuple(approved_rules())


@pytest.mark.parametrize("soft_17", Soft17)
@pytest.mark.parametrize("decks", range(1, 9))
def test_every_approved_set_of_rules_is_in_lockstep(decks: int, soft_17: Soft17) -> None:
    """Similar rule sets share most of their tables, so they are compared together."""
    sets = [rules for rules in approved() if (rules.decks, rules.soft_17) == (decks, soft_17)]
    assert sets
    for number, rules in enumerate(sets if IS_SOAK else sets[:1]):
        env = VectorTable21(
            FEW_SEATS,
            rules,
            wagers=(None, (1, 2))[number % 2],
            episode=("shoe", "round")[number // 2 % 2],
            double_for_less=True,
        )
        compared = compare_with_engine(env, FEW_STEPS, seed=number)
        assert not compared.differences
        assert compared.rounds > 40


def test_the_number_of_approved_rule_sets() -> None:
    """Every choice of decks, soft 17 and double-double in seven documents, and the built-in
    variants."""
    assert len(approved()) == 66 + 5


# --- the comparison detects errors ------------------------------------------------------------


def test_all_actions_occur() -> None:
    """One of the two kinds of doubling is offered, never both (R-050)."""
    for rules, never in (("on", at.DOUBLE_FOR_LESS), ("off", actions.DOUBLE_DOUBLE)):
        env = VectorTable21(
            SEATS, f"wsgc-2021(double_double={rules})", wagers=(1, 2), double_for_less=True
        )
        taken = compare_with_engine(env, STEPS, seed=3).taken
        assert np.flatnonzero(taken == 0).tolist() == [never]


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("insurance_pay", 1),
        ("paid_when", 1),
        ("may_insure", 1),
        ("soft", 1),
        ("for_less", 1),
    ],
)
def test_a_wrong_table_would_be_found(table: str, change: int) -> None:
    env = VectorTable21(SEATS, "wsgc-spanish-21", episode="round")
    wrong = getattr(env._seats.tables, table)
    wrong ^= change
    assert compare_with_engine(env, STEPS, seed=5).differences


@pytest.mark.parametrize("first", [0, 1], ids=["of any hand", "of a double for less"])
def test_a_wrong_payout_would_be_found(first: int) -> None:
    env = VectorTable21(SEATS, "wsgc-spanish-21", episode="round", double_for_less=True)
    # One wager size, then the same size doubled for less.
    by_size = env._seats.play.terminal.reshape(2, -1)
    by_size[first:] += 1
    assert compare_with_engine(env, STEPS, seed=5).differences
