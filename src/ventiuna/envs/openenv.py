"""`TextTable21` for OpenEnv, whose hub publishes environments as small servers.

    from openenv.core.env_server.http_server import create_app
    from ventiuna.envs.openenv import OpenTable21, PlayerAnswer, TableMessage

    app = create_app(OpenTable21, PlayerAnswer, TableMessage)

Requires `openenv-core`, which isn't installed with any extra. The classes are created on first use.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from uuid import uuid4

from ventiuna.envs.text_env import TextTable21

NAMES = ("OpenTable21", "PlayerAnswer", "TableMessage")


@cache
def _classes() -> dict[str, type]:
    try:
        from openenv.core.env_server.interfaces import Environment
        from openenv.core.env_server.types import Action, Observation, State
    except ModuleNotFoundError:
        raise ImportError("OpenEnv isn't installed. Install it: pip install openenv-core") from None

    class PlayerAnswer(Action):  # type: ignore[misc]
        """What the model answers."""

        text: str

    class TableMessage(Observation):  # type: ignore[misc]
        """The next question, or the result of the round. Only `text` is for the model."""

        text: str
        choices: tuple[str, ...] = ()
        # About the previous answer; OpenEnv's servers don't send an observation's metadata.
        action: str = ""
        understood: bool = True
        regret: float = 0.0
        best: str = ""
        result: float = 0.0

    class OpenTable21(Environment):  # type: ignore[misc]
        """One round per episode. Keywords are those of `TextTable21`."""

        SUPPORTS_CONCURRENT_SESSIONS = True

        def __init__(self, **settings: Any) -> None:
            super().__init__()
            self.table = TextTable21(**settings)
            self._state = State()

        def reset(
            self, seed: int | None = None, episode_id: str | None = None, **more: Any
        ) -> TableMessage:
            """Deal a round; `cards` are dealt first."""
            self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
            question = self.table.reset(seed, more.get("cards", ""))
            text = f"{self.table.instructions}\n\n{question}"
            return TableMessage(text=text, choices=self.table.choices, done=False, reward=0.0)

        def step(
            self, action: PlayerAnswer, timeout_s: float | None = None, **_more: Any
        ) -> TableMessage:
            turn = self.table.step(action.text)
            self._state.step_count += 1
            facts = turn.as_data()
            return TableMessage(
                done=facts.pop("is_over"),
                choices=() if turn.is_over else self.table.choices,
                **facts,
            )

        @property
        def state(self) -> State:
            return self._state

    return dict(zip(NAMES, (OpenTable21, PlayerAnswer, TableMessage), strict=True))


def __getattr__(name: str) -> type:
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _classes()[name]
