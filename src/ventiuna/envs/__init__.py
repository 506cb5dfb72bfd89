"""Reinforcement learning environments: Gymnasium, vectorized, and PettingZoo for several seats.

    import gymnasium as gym
    import ventiuna.envs

    env = gym.make("ventiuna/Spanish21-v0", rules="wsgc-2021", decks=8)

Without the import, the id must name the module: `gym.make("ventiuna.envs:ventiuna/Spanish21-v0")`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ventiuna.package import require_library

require_library("gymnasium")

if TYPE_CHECKING:
    from ventiuna.envs.aec_env import Seats21
    from ventiuna.envs.dealt_table import NotLegal
    from ventiuna.envs.env import Table21
    from ventiuna.envs.settings import FIELDS, Episode
    from ventiuna.envs.text_env import TextTable21, TextTurn
    from ventiuna.envs.vector_env import VectorTable21

_HOMES = {
    "FIELDS": "settings",
    "Episode": "settings",
    "NotLegal": "dealt_table",
    "Seats21": "aec_env",
    "Table21": "env",
    "TextTable21": "text_env",
    "TextTurn": "text_env",
    "VectorTable21": "vector_env",
}
# Default rules of each id.
IDS = {"ventiuna/Spanish21-v0": "wsgc-spanish-21", "ventiuna/SuperFun21-v0": "super-fun-21"}

__all__ = [
    "FIELDS",
    "IDS",
    "Episode",
    "NotLegal",
    "Seats21",
    "Table21",
    "TextTable21",
    "TextTurn",
    "VectorTable21",
    "register",
]


def register() -> None:
    """Register the ids with Gymnasium; this happens when the module is imported."""
    from gymnasium.envs import registration

    for name, rules in IDS.items():
        if name not in registration.registry:
            registration.register(
                name,
                entry_point="ventiuna.envs.env:Table21",
                vector_entry_point="ventiuna.envs.vector_env:VectorTable21",
                kwargs={"rules": rules},
            )


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


register()
