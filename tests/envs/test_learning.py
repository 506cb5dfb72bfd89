"""The example learns: its exact regret falls."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from examples.learning import Learner, learn, plot, state_of, states_of
from ventiuna.core.cards import EMPTY_HAND, add_card
from ventiuna.envs import Table21
from ventiuna.kernels import vector_env_layout as at
from ventiuna.rules import load_rules


def test_regret_falls(tmp_path: Path) -> None:
    rules = load_rules("wsgc-spanish-21(decks=2)")
    points = list(learn(rules, 150_000, seats=1024, points=2))
    regrets = [point.regret for point in points]
    assert regrets[0] > 0.1
    assert regrets[-1] < 0.5 * regrets[0]
    assert all(regret > 0 for regret in regrets)  # no policy beats the best play
    plot(points, rules, str(tmp_path / "regret.png"))
    assert (tmp_path / "regret.png").stat().st_size > 1000


def test_the_analyzer_and_the_seats_use_the_same_states() -> None:
    env = Table21()
    for seed in range(40):
        row, _ = env.reset(seed=seed)
        current = env.table.current
        if row[at.PHASE] == at.PLAY and current is not None:
            found = state_of(at.PLAY, current[1].shape, env.table.round.up)
            assert states_of(row[None])[0] == found
    assert state_of(at.PLAY, add_card(EMPTY_HAND, 0), 0) > 0


def test_untried_actions_come_last() -> None:
    learner = Learner()
    learner.credit(np.array([3]), np.array([1]), np.array([-1.0]))
    assert learner.means(np.array([3]))[0].argmax() == 1
