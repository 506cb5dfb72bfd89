"""Thousands of seats, each at a separate table, stepped together by compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ventiuna.envs.dealt_table import NOT_DEALT, NotLegal
from ventiuna.envs.settings import (
    EnvSettings,
    Episode,
    check_render_mode,
    read_actions,
    read_flags,
    read_reset_options,
    read_settings,
)
from ventiuna.kernels import vector_env_layout as at
from ventiuna.kernels.jit import bound
from ventiuna.kernels.vector_env import step_seats
from ventiuna.rules import Problem, Rules, RulesError
from ventiuna.rules.options import short_repr
from ventiuna.simulation.seats import SeatPlan, ordered_shoe, seat_arguments

Observations = npt.NDArray[np.int16]
Choices = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]
MAX_SEATS = 10_000_000  # more seats than fit in memory

_AUTORESETS = {
    AutoresetMode.NEXT_STEP: at.NEXT_STEP,
    AutoresetMode.SAME_STEP: at.SAME_STEP,
    AutoresetMode.DISABLED: at.DISABLED,
}


class VectorTable21(VectorEnv[Observations, Choices, Numbers]):
    """Many seats, each alone at a table with its own shoe.

    Keywords, actions, observations, masks and rewards are the same as for `Table21`, but there are
    no exact values, strict mode or rendering. With `copy=False` the next step overwrites the
    returned arrays.
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = "wsgc-spanish-21",
        *,
        base: int | None = None,
        wagers: Sequence[int] | None = None,
        episode: str = "shoe",
        double_for_less: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        **changes: object,
    ) -> None:
        self.settings = read_settings(rules, changes, base, wagers, episode, double_for_less)
        mode = _read_autoreset_mode(autoreset_mode)
        if type(num_envs) is not int or not 1 <= num_envs <= MAX_SEATS:
            message = "the number of environments is invalid"
            fix = f"Use a whole number from 1 to {MAX_SEATS:,}."
            raise RulesError([Problem("num_envs", short_repr(num_envs), "", message, fix)])
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        check_render_mode(render_mode, ())
        self.render_mode = render_mode
        self.single_action_space = self.settings.action_space
        self.single_observation_space = self.settings.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._copy = copy
        self._is_dealt = False  # whether every seat has a shoe and a generator
        self._seats = seat_arguments(_seat_plan(self.settings, mode), num_envs)
        self._everybody = np.ones(num_envs, dtype=np.bool_)
        self._never = np.zeros(num_envs, dtype=np.bool_)
        self._choices = np.zeros(num_envs, dtype=np.int64)
        self.log_cards(None)

    @property
    def action_names(self) -> tuple[str, ...]:
        """The name of each action, by its number."""
        return self.settings.action_names

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start episodes at every seat, or only at those for which `options["reset_mask"]` is true.

        A seed gives every seat a new random generator and a new shoe.
        """
        mask = read_reset_options(options, "reset_mask")
        chosen = read_flags(self._everybody if mask is None else mask, self.num_envs)
        super().reset(seed=seed)
        kept = self._seats.kept
        seats = kept.seats
        if seed is not None or not self._is_dealt:
            sequence = np.random.SeedSequence(int(self.np_random.integers(2**63)))
            states = sequence.generate_state(4 * self.num_envs, np.uint64)
            seats["state"] = states.reshape(self.num_envs, 4)
            seats["phase"] = at.WAGER  # forces a new shuffle
            kept.shoes[:] = ordered_shoe(self.settings.rules)
            self._is_dealt = True
        self._choices[:] = np.where(chosen, at.NEW_EPISODE, at.NO_CHOICE)
        self._step()
        return self._output(self._seats.shown.observations), self._info()

    def step(
        self, actions: Choices
    ) -> tuple[Observations, Numbers, Numbers, Numbers, dict[str, Any]]:
        """Take one action at every seat; illegal actions are replaced by default ones."""
        choices = read_actions(actions, self.num_envs, self.action_names)
        if not self._is_dealt:
            raise NotLegal(NOT_DEALT)
        self._choices[:] = choices
        shown = self._seats.shown
        self._step()
        info = self._info()
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP and shown.terminated.any():
            info["final_obs"] = self._output(shown.final_observations)
            info["_final_obs"] = self._output(shown.terminated)
        return (
            self._output(shown.observations),
            self._output(shown.rewards),
            self._output(shown.terminated),
            self._output(self._never),
            info,
        )

    def log_cards(self, log: at.CardLog | None) -> None:
        """Log every card from now on, for comparison with the engine; None turns it off.

        A step always uses the same arrays, so the call is prepared once.
        """
        self._step = bound(step_seats, *self._seats, self._choices, log)

    def __getstate__(self) -> dict[str, Any]:
        """State for copying and pickling, without the prepared call, which is bound to arrays."""
        return {name: part for name, part in self.__dict__.items() if name != "_step"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.log_cards(None)

    def _info(self) -> dict[str, Any]:
        shown = self._seats.shown
        return {
            "action_mask": self._output(shown.masks),
            "rounds": self._output(shown.rounds),
            "passed": self._output(shown.passed),
            "illegal": self._output(shown.illegal),
        }

    def _output(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copy else array


def _read_autoreset_mode(mode: object) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(known.value for known in AutoresetMode)
        fix = f"Choose from: {names}."
        problem = Problem("autoreset_mode", short_repr(mode), "", "unknown mode", fix)
        raise RulesError([problem]) from None


def _seat_plan(settings: EnvSettings, mode: AutoresetMode) -> SeatPlan:
    return SeatPlan(
        rules=settings.rules,
        bases=settings.bases,
        unit=settings.base,
        is_asked=bool(settings.wagers),
        for_less=settings.for_less,
        episode=at.SHOES if settings.episode is Episode.SHOE else at.ROUNDS,
        autoreset=_AUTORESETS[mode],
    )
