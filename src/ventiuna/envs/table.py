"""One seat at a table, as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ventiuna.analysis.given import given_cards
from ventiuna.envs.choices import choice_of, reset_options
from ventiuna.envs.dealing import DealtTable
from ventiuna.envs.exact import Judge
from ventiuna.envs.picture import picture
from ventiuna.envs.settings import (
    RENDER_MODES,
    check_render_mode,
    given_settings,
    in_base_wagers,
)
from ventiuna.kernels.seats import layout as at
from ventiuna.rules import Rules

Observation = Any  # columns, or a dict of them and the mask


class Table21(gym.Env[Observation, np.int64]):
    """Spanish 21, Super Fun 21 or any rules, dealt by the engine from a real shoe.

    `rules` is a name or a value, and options of theirs may be given as further keywords. `base`
    is the base wager in cents, which rewards are counted in. With `wagers=(1, 2, 4)` every round
    begins with a choice among these multiples. An `episode` is a shoe or a round. `values`
    ("shoe" or "fresh") puts the exact value of each action into the info, and the regret of the
    last one. `mask_in_observation` makes the observation a dict of `observation` and
    `action_mask`. An illegal action is made as by somebody who does not answer; with
    `strict=True` it raises the reason.
    """

    # Gymnasium prescribes a dict of the class.
    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        rules: Rules | str = "wsgc-spanish-21",
        *,
        base: int | None = None,
        wagers: Sequence[int] | None = None,
        episode: str = "shoe",
        double_for_less: bool = False,
        values: str | None = None,
        mask_in_observation: bool = False,
        strict: bool = False,
        render_mode: str | None = None,
        **changes: object,
    ) -> None:
        self.settings = given_settings(rules, changes, base, wagers, episode, double_for_less)
        check_render_mode(render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.table = DealtTable(self.settings, self._shuffle)
        self.action_space = self.settings.action_space
        self._judge = Judge(self.table, values)
        self._with_mask = mask_in_observation
        self._strict = strict
        self.observation_space: spaces.Space[Any] = self.settings.observation_space
        if mask_in_observation:
            size = len(self.settings.action_names)
            mask = spaces.Box(0, 1, (size,), dtype=np.int8)
            self.observation_space = spaces.Dict(
                {"observation": self.settings.observation_space, "action_mask": mask}
            )

    @property
    def action_names(self) -> tuple[str, ...]:
        """The name of each action, by its number."""
        return self.settings.action_names

    def _shuffle(self, cards: list[int]) -> None:
        cards[:] = [cards[place] for place in self.np_random.permutation(len(cards))]

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """What may be chosen now; under the name that masked learners look for."""
        return self.table.mask().astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode. A seed makes it repeatable and begins with a new shoe.

        `options={"cards": "5c 7h 6d 2s"}` are dealt first: hand, up card, hand, down card.
        """
        super().reset(seed=seed)
        cards = given_cards(reset_options(options, "cards") or ())
        self.table.begin_episode(anew=seed is not None, cards=cards)
        cents, rounds = self.table.take_note()
        passed = in_base_wagers(cents[1], self.settings.base)
        return self._observation(), self._info(rounds, passed)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One action; the reward is what the rounds brought that it closed, in base wagers."""
        table = self.table
        choice = choice_of(action, self.settings.action_names)
        if table.phase == at.OVER or (self._strict and not table.is_legal(choice)):
            table.refuse(choice)
        regret = self._judge.regret(choice)
        legal = table.choose(choice)
        cents, rounds = table.take_note()
        info = self._info(rounds, 0.0, illegal=not legal) | regret
        if self.render_mode == "human":
            print(self._text(), end="")
        reward = in_base_wagers(cents[1], self.settings.base)
        return self._observation(), reward, table.phase == at.OVER, False, info

    def render(self) -> str | None:
        """The table as text."""
        if self.render_mode == "human":
            print(self._text(), end="")
            return None
        return self._text()

    def _text(self) -> str:
        return picture(self.table)

    def _observation(self) -> Observation:
        seen = self.table.observation(1)
        if self._with_mask:
            return {"observation": seen, "action_mask": self.table.mask()}
        return seen

    def _info(self, rounds: int, passed: float, illegal: bool = False) -> dict[str, Any]:
        return {
            "action_mask": self.table.mask(),
            "rounds": rounds,
            "passed": passed,
            "illegal": illegal,
            **self._judge.look(),
        }
