"""Several seats at one table, as a PettingZoo AEC environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding

from ventiuna.analysis.coerce import coerce_cards
from ventiuna.envs.dealt_table import NOT_DEALT, DealtTable, NotLegal
from ventiuna.envs.env import ActionJudge, render_text
from ventiuna.envs.settings import (
    RENDER_MODES,
    check_render_mode,
    read_action,
    read_reset_options,
    read_settings,
)
from ventiuna.kernels import vector_env_layout as at
from ventiuna.package import load_library
from ventiuna.rules import Rules

_AECEnv: Any = load_library("pettingzoo").AECEnv

Observation = dict[str, npt.NDArray[Any]]
_API_TEST_OPTIONS = {"options": 1}  # options that PettingZoo's API test passes to `reset`


class Seats21(_AECEnv):  # type: ignore[misc]  # PettingZoo is optional
    """One to seven seats at one table with one shoe, acting in turn from the dealer's left.

    Keywords are the same as for `Table21`. The seat whose turn it is gets the exact values, and the
    seat that has just acted gets its regret. An observation is a dict of `observation` and
    `action_mask`; out of turn, a seat has the phase "over", no hand and no legal action. All seats
    get their rewards when the round ends.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": [*RENDER_MODES],
        "name": "ventiuna_seats_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: Rules | str = "wsgc-spanish-21",
        *,
        seats: int = 3,
        base: int | None = None,
        wagers: Sequence[int] | None = None,
        episode: str = "shoe",
        double_for_less: bool = False,
        values: str | None = None,
        strict: bool = False,
        render_mode: str | None = None,
        **changes: object,
    ) -> None:
        super().__init__()
        self.settings = read_settings(rules, changes, base, wagers, episode, double_for_less, seats)
        check_render_mode(render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{number}" for number in range(seats)]
        self.agents = self.possible_agents[:]
        self._spots = {agent: number + 1 for number, agent in enumerate(self.possible_agents)}
        self.agent_selection: str | None = None  # None until the first turn
        self._generator, _ = seeding.np_random()
        self.table = DealtTable(self.settings, self._shuffle)
        self._judge = ActionJudge(self.table, values)
        self._strict = strict
        mask = spaces.Box(0, 1, (len(self.settings.action_names),), dtype=np.int8)
        seen = self.settings.observation_space
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = dict.fromkeys(self.possible_agents, self.settings.action_space)

    @property
    def action_names(self) -> tuple[str, ...]:
        """The name of each action, by its number."""
        return self.settings.action_names

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def _shuffle(self, cards: list[int]) -> None:
        cards[:] = [cards[place] for place in self._generator.permutation(len(cards))]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode. A seed makes it repeatable and starts with a new shoe.

        The cards in `options={"cards": "5c 7h 6d 2s"}` are dealt first: one card to each seat from
        the dealer's left, the up card, a second card to each seat, and the down card.
        """
        if options == _API_TEST_OPTIONS:
            options = None
        cards = coerce_cards(read_reset_options(options, "cards") or ())
        if seed is not None:
            self._generator, _ = seeding.np_random(seed)
        self.table.begin_episode(anew=seed is not None, cards=cards)
        cents, rounds = self.table.take_results()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {
            agent: self._info(agent, rounds) | {"passed": self._in_wagers(cents, agent)}
            for agent in self.agents
        }
        self.agent_selection = self._acting_agent()
        self.infos[self.agent_selection] |= self._judge.info()

    def step(self, action: int | np.int64 | None) -> None:
        """Take one action for the seat whose turn it is, or None once its episode is over."""
        agent = self.agent_selection
        if agent is None:
            raise NotLegal(NOT_DEALT)
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        choice = read_action(action, self.settings.action_names)
        if self._strict and not self.table.is_legal(choice):
            self.table.refuse(choice)
        self._cumulative_rewards[agent] = 0.0
        regret = self._judge.regret(choice)
        legal = self.table.choose(choice)
        cents, rounds = self.table.take_results()
        for other in self.agents:
            self.rewards[other] = self._in_wagers(cents, other)
            self.infos[other] = self._info(other, rounds)
        self.infos[agent] |= {"illegal": not legal, **regret}
        over = self.table.phase == at.OVER
        self.terminations = dict.fromkeys(self.agents, over)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0] if over else self._acting_agent()
        self.infos[self.agent_selection] |= self._judge.info()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        spot = self._spots[agent]
        return {"observation": self.table.observation(spot), "action_mask": self._mask(spot)}

    def render(self) -> str | None:
        text = render_text(self.table)
        if self.render_mode == "human":
            print(text, end="")
            return None
        return text

    def close(self) -> None:
        """Do nothing, because there is nothing to close."""

    def _acting_agent(self) -> str:
        return self.possible_agents[self.table.acting - 1]

    def _mask(self, spot: int) -> npt.NDArray[np.int8]:
        mask = self.table.mask()
        return mask if spot == self.table.acting else np.zeros_like(mask)

    def _info(self, agent: str, rounds: int) -> dict[str, Any]:
        mask = self._mask(self._spots[agent])
        return {"action_mask": mask, "rounds": rounds, "passed": 0.0, "illegal": False}

    def _in_wagers(self, cents: list[int], agent: str) -> float:
        return cents[self._spots[agent]] / self.settings.base
