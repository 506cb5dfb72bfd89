"""Rounds by the billion: plans, seeds, blocks, mergeable results, executors.

Names are loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ventiuna.simulation.result import Result
    from ventiuna.simulation.run import Progress, simulate
    from ventiuna.simulation.settings import find_strategy
    from ventiuna.strategy.counting import Count, load_count
    from ventiuna.strategy.protocol import Strategy


_HOMES = {
    "Count": "strategy.counting",
    "Progress": "simulation.run",
    "Result": "simulation.result",
    "Strategy": "strategy.protocol",
    "find_strategy": "simulation.settings",
    "load_count": "strategy.counting",
    "simulate": "simulation.run",
}

__all__ = [
    "Count",
    "Progress",
    "Result",
    "Strategy",
    "find_strategy",
    "load_count",
    "simulate",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"ventiuna.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
