"""The vector environment under Gymnasium's contract: spaces, seeds, autoreset and infos."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import ventiuna as vt
from ventiuna import RulesError
from ventiuna.envs import NotLegal, VectorTable21
from ventiuna.kernels import vector_env_layout as at


def usual(info: dict[str, Any]) -> Any:
    """The first legal action of each seat."""
    return info["action_mask"].argmax(axis=1)


def test_spaces_and_types() -> None:
    env = VectorTable21(7, "super-fun-21", wagers=(1, 2))
    observations, info = env.reset(seed=1)
    for _ in range(60):
        assert env.observation_space.contains(observations)
        for row in observations:
            assert env.single_observation_space.contains(row)
        observations, rewards, over, cut, info = env.step(env.action_space.sample())
        assert rewards.dtype == np.float64
        assert over.dtype == cut.dtype == np.bool_
        assert not cut.any()
        assert info["action_mask"].shape == (7, 14)


def test_a_seed_gives_the_same_everywhere() -> None:
    def told(seed: int, seats: int) -> Any:
        env = VectorTable21(seats)
        _, info = env.reset(seed=seed)
        steps = []
        for _ in range(40):
            observations, rewards, *_, info = env.step(usual(info))
            steps.append((observations[:3].tolist(), rewards[:3].tolist()))
        return steps

    assert told(5, 3) == told(5, 3)
    assert told(5, 3) == told(5, 6)  # a seat's cards don't depend on the number of seats
    assert told(5, 3) != told(6, 3)


def test_seats_are_dealt_different_cards() -> None:
    observations, _ = VectorTable21(50).reset(seed=1)
    assert len({tuple(row) for row in observations.tolist()}) > 40


def test_the_next_step_begins_the_next_episode() -> None:
    env = VectorTable21(20, episode="round")
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    _, info = env.reset(seed=2)
    over = np.zeros(20, dtype=bool)
    for _ in range(30):
        before = over
        observations, rewards, over, _, info = env.step(usual(info))
        assert not over[before].any()
        assert (rewards[before] == 0).all()
        assert (observations[over, at.PHASE] == at.OVER).all()
        assert not info["action_mask"][over].any()
        assert info["action_mask"][~over].any(axis=1).all()


def test_the_same_step_can_begin_the_next_episode() -> None:
    env = VectorTable21(20, episode="round", autoreset_mode=AutoresetMode.SAME_STEP)
    _, info = env.reset(seed=2)
    ended = 0
    for _ in range(30):
        observations, _, over, _, info = env.step(usual(info))
        assert info["action_mask"].any(axis=1).all()
        if over.any():
            ended += int(over.sum())
            assert (info["final_obs"][over, at.PHASE] == at.OVER).all()
            assert (info["_final_obs"] == over).all()
        assert (observations[:, at.PHASE] != at.OVER).all()
    assert ended > 100


def test_autoreset_can_be_disabled() -> None:
    env = VectorTable21(20, episode="round", autoreset_mode=AutoresetMode.DISABLED)
    _, info = env.reset(seed=2)
    _, _, over, _, info = env.step(usual(info))
    assert 0 < over.sum() < 20
    _, rewards, again, _, _ = env.step(usual(info))
    assert again[over].all()
    assert (rewards[over] == 0).all()
    observations, _ = env.reset(options={"reset_mask": over})
    assert (observations[over, at.PHASE] != at.OVER).all()


def test_both_autoresets_play_the_same_rounds() -> None:
    def rewards_of(mode: AutoresetMode) -> list[float]:
        env = VectorTable21(1, episode="round", autoreset_mode=mode)
        _, info = env.reset(seed=4)
        found: list[float] = []
        while len(found) < 50:
            _, rewards, over, _, info = env.step(usual(info))
            found += rewards[over].tolist()
        return found

    assert rewards_of(AutoresetMode.NEXT_STEP) == rewards_of(AutoresetMode.SAME_STEP)


def test_returned_arrays_stay_unchanged_by_default() -> None:
    for copy in (True, False):
        env = VectorTable21(4, copy=copy)
        first, info = env.reset(seed=1)
        kept = first.copy()
        env.step(usual(info))
        assert (first == kept).all() == copy


def test_invalid_settings_are_reported() -> None:
    with pytest.raises(RulesError, match="num_envs"):
        VectorTable21(0)
    with pytest.raises(RulesError, match=r"num_envs = 1000.*from 1 to 10,000,000"):
        VectorTable21(10**30)
    with pytest.raises(RulesError, match="strict = True: only Table21 has this keyword"):
        VectorTable21(2, strict=True)
    with pytest.raises(
        RulesError, match=r"autoreset_mode = Next: .* Choose from: NextStep, SameStep"
    ):
        VectorTable21(2, autoreset_mode="Next")
    with pytest.raises(
        RulesError, match="render_mode = human: vector environments can't be rendered"
    ):
        VectorTable21(2, render_mode="human")
    env = VectorTable21(3)
    with pytest.raises(NotLegal, match="Reset the environment"):
        env.step(np.zeros(3, dtype=np.int64))
    with pytest.raises(RulesError, match=r"reset_mask = .*for each of the 3 seats"):
        env.reset(seed=1, options={"reset_mask": [1, 0, 1]})
    env.reset(seed=1)
    with pytest.raises(RulesError, match="actions"):
        env.step(np.zeros(2, dtype=np.int64))


@pytest.mark.parametrize("wrong", [-1, 12, 99, -(2**62), -(2**63)])
def test_a_number_out_of_range_is_refused_and_changes_nothing(wrong: int) -> None:
    env, twin = VectorTable21(3), VectorTable21(3)
    env.reset(seed=1)
    twin.reset(seed=1)
    with pytest.raises(ValueError, match=f"action must be the number of an action .*, not {wrong}"):
        env.step(np.array([0, wrong, 0]))
    good = np.zeros(3, dtype=np.int64)
    assert (env.step(good)[0] == twin.step(good)[0]).all()


@pytest.mark.parametrize("copied", [lambda env: pickle.loads(pickle.dumps(env)), deepcopy])
def test_a_copy_continues_with_the_same_cards(
    copied: Callable[[VectorTable21], VectorTable21],
) -> None:
    env = VectorTable21(5, "super-fun-21")
    stand = np.zeros(5, dtype=np.int64)
    env.reset(seed=4)
    env.step(stand)
    twin = copied(env)
    for _ in range(20):
        mine, other = env.step(stand), twin.step(stand)
        assert (mine[0] == other[0]).all()
        assert (mine[1] == other[1]).all()
    assert (env.reset(seed=9)[0] == twin.reset(seed=9)[0]).all()


def test_unknown_reset_options_are_refused() -> None:
    env = VectorTable21(2)
    for wrong in ({"mask": [True, False]}, {"cards": "5c"}, "reset_mask"):
        with pytest.raises(ValueError, match=r"reset has no such option.*only option is 'reset_ma"):
            env.reset(seed=1, options=wrong)  # type: ignore[arg-type]


def test_the_mean_of_single_rounds_includes_passed_rounds() -> None:
    """Rounds that end with a dealer blackjack aren't episodes: their results are in `passed`."""
    env = VectorTable21(2048, "wsgc-2021", episode="round")
    _, info = env.reset(seed=21)
    rewarded, won, rounds, episodes = 0.0, info["passed"].sum(), info["rounds"].sum(), 0
    for _ in range(100):
        mask = info["action_mask"]
        choices = np.where(mask[:, 8] == 1, 8, np.where(mask[:, 9] == 1, 9, 0))  # decline, take
        _, rewards, over, _, info = env.step(choices)
        rewarded, episodes = rewarded + rewards.sum(), episodes + over.sum()
        won, rounds = won + rewards.sum() + info["passed"].sum(), rounds + info["rounds"].sum()
    exact = vt.evaluate_policy("wsgc-2021", lambda _: "stand").ev
    assert abs(won / rounds - exact) < 4 / rounds**0.5
    assert rewarded / episodes - exact > 4 / episodes**0.5


def test_gymnasium_can_create_it() -> None:
    env = gym.make_vec("ventiuna/SuperFun21-v0", num_envs=5, wagers=(1, 2))
    observations, _ = env.reset(seed=1)
    assert observations.shape == (5, at.COLUMNS)
    env.close()


def test_the_mean_result_matches_the_simulator() -> None:
    """Always standing loses as much as the simulator says."""
    from ventiuna.simulation import simulate
    from ventiuna.strategy.protocol import HandSeen, Insurance

    class Stands:
        name = "stands"
        insurance = Insurance.NEVER

        def preferences(self, hand: HandSeen, up: int) -> tuple[int, ...]:
            return (0,)

    expected = simulate("wsgc-spanish-21", Stands(), rounds=200_000, seed=3).ev
    env = VectorTable21(500, wagers=(1,), copy=False)
    env.reset(seed=3)
    won, rounds = 0.0, 0
    for _ in range(400):
        _, rewards, _, _, info = env.step(np.full(500, 6))  # never legal here, so the seat stands
        won += float(rewards.sum())
        rounds += int(info["rounds"].sum())
    error = expected.sd / np.sqrt(rounds)
    assert abs(won / rounds - expected.value) < 5 * (error + expected.standard_error)
