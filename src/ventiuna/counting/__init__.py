"""Card counting: effects of removal, designing and testing counts, bets, risk, waiting times.

Names are loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ventiuna.counting.betting import Ramp, best_spread, kelly_bets, score
    from ventiuna.counting.design import CountSpec, Design, design_counts
    from ventiuna.counting.efficiency import EffectsCalculator, Goal
    from ventiuna.counting.evaluation import CountReport, evaluate_count
    from ventiuna.counting.files import save_count, with_bets, with_indices
    from ventiuna.counting.indices import IndexStudy, index_numbers
    from ventiuna.counting.jackpots import JackpotWorth, Waiting, jackpot_worth
    from ventiuna.counting.removal import Effects, RemovalStudy, effects_of_removal
    from ventiuna.counting.study import (
        ComparedCounts,
        CountStudy,
        compare_counts,
        study_count,
        study_risk,
    )
    from ventiuna.counting.tags import Depths


_HOMES = {
    "ComparedCounts": "study",
    "CountReport": "evaluation",
    "CountStudy": "study",
    "Depths": "tags",
    "Design": "design",
    "Effects": "removal",
    "Goal": "efficiency",
    "IndexStudy": "indices",
    "JackpotWorth": "jackpots",
    "Ramp": "betting",
    "RemovalStudy": "removal",
    "Waiting": "jackpots",
    "CountSpec": "design",
    "EffectsCalculator": "efficiency",
    "best_spread": "betting",
    "compare_counts": "study",
    "design_counts": "design",
    "effects_of_removal": "removal",
    "evaluate_count": "evaluation",
    "index_numbers": "indices",
    "jackpot_worth": "jackpots",
    "kelly_bets": "betting",
    "save_count": "files",
    "score": "betting",
    "study_count": "study",
    "study_risk": "study",
    "with_bets": "files",
    "with_indices": "files",
}

__all__ = [
    "ComparedCounts",
    "CountReport",
    "CountSpec",
    "CountStudy",
    "Depths",
    "Design",
    "Effects",
    "EffectsCalculator",
    "Goal",
    "IndexStudy",
    "JackpotWorth",
    "Ramp",
    "RemovalStudy",
    "Waiting",
    "best_spread",
    "compare_counts",
    "design_counts",
    "effects_of_removal",
    "evaluate_count",
    "index_numbers",
    "jackpot_worth",
    "kelly_bets",
    "save_count",
    "score",
    "study_count",
    "study_risk",
    "with_bets",
    "with_indices",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
