"""Exact mathematics: side bets, jackpots and events in fractions, the base game by combination.

Side bets, jackpots and events need the standard library alone. The base game needs NumPy and
Numba (extra `math`); its names are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ventiuna.analysis.blackjacks import BlackjackFrequencies, blackjack_frequencies
from ventiuna.analysis.composition import (
    Composition,
    composition_of,
    fresh_composition,
    without_cards,
)
from ventiuna.analysis.figures import Figure, FigureList, published_figures
from ventiuna.analysis.insurance import InsuranceWager, insurance_wager
from ventiuna.analysis.jackpot_awards import RoundAwards, round_awards
from ventiuna.analysis.jackpots import JackpotReport, jackpot_report, with_jackpot
from ventiuna.analysis.match_the_dealer import MatchWager, MatchWagers, match_wager, match_wagers
from ventiuna.analysis.super_bonus import SuperBonusReport, super_bonus_report

if TYPE_CHECKING:
    from ventiuna.analysis.base_game import analyse, evaluate
    from ventiuna.analysis.base_game_hand import HandValues, hand_values
    from ventiuna.analysis.base_game_result import BaseGameAnalysis
    from ventiuna.analysis.base_game_spread import standard_deviation
    from ventiuna.analysis.split_play import SplitPlay

_COMPILED_HOMES = {
    "BaseGameAnalysis": "base_game_result",
    "HandValues": "base_game_hand",
    "SplitPlay": "split_play",
    "analyse": "base_game",
    "evaluate": "base_game",
    "hand_values": "base_game_hand",
    "standard_deviation": "base_game_spread",
}

__all__ = [
    "BaseGameAnalysis",
    "BlackjackFrequencies",
    "Composition",
    "Figure",
    "FigureList",
    "HandValues",
    "InsuranceWager",
    "JackpotReport",
    "MatchWager",
    "MatchWagers",
    "RoundAwards",
    "SplitPlay",
    "SuperBonusReport",
    "analyse",
    "blackjack_frequencies",
    "composition_of",
    "evaluate",
    "fresh_composition",
    "hand_values",
    "insurance_wager",
    "jackpot_report",
    "match_wager",
    "match_wagers",
    "published_figures",
    "round_awards",
    "standard_deviation",
    "super_bonus_report",
    "with_jackpot",
    "without_cards",
]


def __getattr__(name: str) -> Any:
    if name not in _COMPILED_HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_COMPILED_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_COMPILED_HOMES])
