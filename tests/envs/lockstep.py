"""Compiled seats and the engine play the same cards and actions and must always agree."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions
from ventiuna.envs.dealt_table import CountedShoe, DealtTable
from ventiuna.envs.settings import FIELDS, EnvSettings
from ventiuna.envs.vector_env import VectorTable21
from ventiuna.kernels import vector_env_layout as at
from ventiuna.rules import canonical
from ventiuna.simulation.seats import new_card_log

_MAX_CARDS = 4096  # generous limit for one step of a seat
# Weights that make some actions likelier, so that long and rare hands occur.
_ACTION_WEIGHTS = {
    actions.HIT: 4,
    actions.SPLIT: 8,
    actions.DOUBLE: 2,
    actions.DOUBLE_DOUBLE: 4,
    at.KEEP: 3,
}
_ILLEGAL_CHANCE = 0.02  # share of deliberately illegal actions


class _FedShoe(CountedShoe):
    """Deals the cards that the compiled seat drew."""

    def __init__(self, settings: EnvSettings) -> None:
        self.feed: deque[int] = deque()
        super().__init__(settings.rules, lambda cards: None)

    def shuffle_all(self) -> None:
        super().shuffle_all()
        for _ in range(self.rules.burn_cards if self.feed else 0):
            self.feed.popleft()

    def draw(self) -> int:
        card = self.feed.popleft()
        self._cards.pop()
        self.undrawn[card] -= 1
        return card


@dataclass
class Comparison:
    """Counts of steps, rounds and actions, and the first differences."""

    steps: int = 0
    rounds: int = 0
    taken: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    differences: list[str] = field(default_factory=list)


def compare_with_engine(env: VectorTable21, steps: int, seed: int) -> Comparison:
    """Play random legal actions and some illegal ones; stop at the first step that differs."""
    generator = np.random.default_rng(seed)
    log = new_card_log(env.num_envs, _MAX_CARDS)
    env.log_cards(log)
    settings = env.settings
    seats = [_Seat(settings) for _ in range(env.num_envs)]
    compared = Comparison(taken=np.zeros(len(settings.action_names), dtype=np.int64))
    observations, info = env.reset(seed=seed)
    for number, seat in enumerate(seats):
        seat.feed(log, number)
        compared.differences += seat.begin().differences(settings, number, observations, info)
    autoreset = env._seats.tables.autoreset
    while not compared.differences and compared.steps < steps * env.num_envs:
        log.drawn[:] = 0
        chosen = _random_actions(generator, info["action_mask"])
        observations, rewards, terminated, _, info = env.step(chosen)
        for number, seat in enumerate(seats):
            seat.feed(log, number)
            seat.step(int(chosen[number]), autoreset)
            told = {**info, "reward": rewards, "terminated": terminated}
            compared.differences += seat.differences(settings, number, observations, told)
        compared.steps += env.num_envs
        compared.rounds += int(info["rounds"].sum())
        compared.taken += np.bincount(chosen[~info["illegal"]], minlength=len(compared.taken))
    env.log_cards(None)
    return compared


def _random_actions(
    generator: np.random.Generator, masks: npt.NDArray[np.int8]
) -> npt.NDArray[np.int64]:
    weights = masks.astype(np.float64)
    for choice, weight in _ACTION_WEIGHTS.items():
        weights[:, choice] *= weight
    chances = weights * generator.random(weights.shape)
    chosen = chances.argmax(axis=1)
    is_illegal = generator.random(len(masks)) < _ILLEGAL_CHANCE
    return np.where(is_illegal, generator.integers(masks.shape[1], size=len(masks)), chosen)


class _Seat:
    """One seat as the engine plays it."""

    def __init__(self, settings: EnvSettings) -> None:
        self.table = DealtTable(settings, lambda cards: None)
        self.table.shoe = _FedShoe(settings)
        self.told: dict[str, Any] = {}

    def feed(self, log: at.CardLog, number: int) -> None:
        shoe = self.table.shoe
        assert isinstance(shoe, _FedShoe)
        shoe.feed.extend(log.cards[number, : log.drawn[number]].tolist())

    def begin(self) -> _Seat:
        self.table.begin_episode(anew=True)
        self.told = self._episode_begun()
        return self

    def _episode_begun(self) -> dict[str, Any]:
        cents, rounds = self.table.take_results()
        passed = cents[1] / self.table.settings.base
        return {"rounds": rounds, "passed": passed, "illegal": False}

    def step(self, choice: int, autoreset: int) -> None:
        table = self.table
        if table.phase == at.OVER:
            table.begin_episode()
            self.told = {**self._episode_begun(), "reward": 0.0, "terminated": False}
            return
        legal = table.choose(choice)
        cents, rounds = table.take_results()
        over = table.phase == at.OVER
        self.told = {
            "rounds": rounds,
            "passed": 0.0,
            "illegal": not legal,
            "reward": cents[1] / table.settings.base,
            "terminated": over,
        }
        if over and autoreset == at.SAME_STEP:
            self.told["final_obs"] = table.observation(1)
            table.begin_episode()
            begun = self._episode_begun()
            self.told |= {"rounds": rounds + begun["rounds"], "passed": begun["passed"]}

    def differences(
        self,
        settings: EnvSettings,
        number: int,
        observations: npt.NDArray[np.int16],
        told: dict[str, Any],
    ) -> list[str]:
        """Differences between the engine and this seat."""
        where = f"{canonical(settings.rules)}, seat {number}"
        row, mask = self.table.observation(1), self.table.mask()
        found = [
            f"{where}: {FIELDS[column]} is {observations[number, column]}, engine {row[column]}"
            for column in np.flatnonzero(row != observations[number])
        ]
        found += [
            f"{where}: {settings.action_names[choice]} legal, engine {mask[choice]}"
            for choice in np.flatnonzero(mask != told["action_mask"][number])
        ]
        for name, value in self.told.items():
            if np.any(told[name][number] != value):
                found.append(f"{where}: {name} is {told[name][number]}, engine {value}")
        shoe = self.table.shoe
        if isinstance(shoe, _FedShoe) and shoe.feed:
            found.append(f"{where}: the engine leaves {len(shoe.feed)} card(s)")
        return found
