"""Environment steps per second on one core, compared with Gymnasium's blackjack in the same run.

Seconds are the thread's processor time, because wall time on a busy machine includes other work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from benchmarks.figures import Figure
from ventiuna.core.actions import HIT, STAND
from ventiuna.envs import Table21, VectorTable21
from ventiuna.kernels import vector_env_layout as at

REPEATS = 5  # the best run counts; the others were slowed by other work
HITS_TO = 17


def measure(quick: bool) -> Iterator[Figure]:
    size = 1 if quick else 4
    for rules in ("wsgc-spanish-21", "super-fun-21"):
        for seats in (512, 4096, 16384):
            rate, rounds = _vector(rules, seats, 100 * size)
            yield Figure(f"vector, {seats} seats, {rules}", rate / 1e6, "M steps/s", ">= 5")
            yield Figure(f"the same in rounds, {seats} seats, {rules}", rounds / 1e6, "M/s")
    yield Figure("one seat, dealt by the engine", _single(Table21(), 2000 * size), "steps/s")
    yield Figure(
        "one seat with exact values", _single(Table21(values="shoe"), 50 * size), "steps/s"
    )
    steps, rounds = _gymnasium_blackjack(20_000 * size)
    yield Figure("Gymnasium's Blackjack-v1", steps, "steps/s")
    yield Figure("the same in rounds", rounds, "rounds/s")


def _choices(rows: npt.NDArray[np.int16]) -> npt.NDArray[np.int64]:
    """Play like the dealer; other prompts get the default answer."""
    hits = (rows[:, at.PHASE] == at.PLAY) & (rows[:, at.TOTAL] < HITS_TO)
    return np.where(hits, HIT, STAND)


def _vector(rules: str, seats: int, steps: int) -> tuple[float, float]:
    """Return steps and rounds per second, excluding the player's own time."""
    env = VectorTable21(seats, rules, copy=False)
    rows, _ = env.reset(seed=21)
    best = (0.0, 0.0)
    for _ in range(REPEATS):
        seconds, rounds = 0.0, 0
        for _ in range(steps):
            choices = _choices(rows)
            began = time.thread_time()
            rows, _, _, _, info = env.step(choices)
            seconds += time.thread_time() - began
            rounds += int(info["rounds"].sum())
        best = max(best, (steps * seats / seconds, rounds / seconds))
    return best


def _single(env: Table21, steps: int) -> float:
    rows, _ = env.reset(seed=21)

    def play() -> int:
        nonlocal rows
        for _ in range(steps):
            rows, _, over, _, _ = env.step(int(_choices(rows[None])[0]))
            if over:
                rows, _ = env.reset()
        return steps

    return _best_rate(play)


def _gymnasium_blackjack(steps: int) -> tuple[float, float]:
    env = gym.make("Blackjack-v1", sab=True, disable_env_checker=True)
    found, _ = env.reset(seed=21)
    rounds = 0

    def play() -> int:
        nonlocal found, rounds
        for _ in range(steps):
            found, _, over, _, _ = env.step(int(found[0] < HITS_TO))
            if over:
                found, _ = env.reset()
                rounds += 1
        return steps

    rate = _best_rate(play)
    return rate, rate * rounds / (REPEATS * steps)


def _best_rate(play: Callable[[], int]) -> float:
    best = 0.0
    for _ in range(REPEATS):
        began = time.thread_time()
        done = play()
        best = max(best, done / (time.thread_time() - began))
    return best
