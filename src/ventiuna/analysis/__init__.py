"""Exact analysis: fractions for side bets, jackpots and events; combinatorics for the base game.

Names are loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.analyzer import (
        BaseGameAnalysis,
        HandValues,
        analyze,
        evaluate,
        hand_values,
    )
    from ventiuna.analysis.base_game.outcomes import standard_deviation
    from ventiuna.analysis.composition import (
        Composition,
        SplitPlay,
        composition_of,
        fresh_composition,
        without_cards,
    )
    from ventiuna.analysis.figures import Figure, FigureList, published_figures
    from ventiuna.analysis.side_bets.insurance import (
        BlackjackFrequencies,
        InsuranceWager,
        blackjack_frequencies,
        insurance_wager,
    )
    from ventiuna.analysis.side_bets.jackpots import (
        JackpotReport,
        RoundAwards,
        jackpot_report,
        round_awards,
        with_jackpot,
    )
    from ventiuna.analysis.side_bets.match_the_dealer import (
        MatchWager,
        MatchWagers,
        match_wager,
        match_wagers,
    )
    from ventiuna.analysis.side_bets.super_bonus import SuperBonusReport, super_bonus_report

_HOMES = {
    "BlackjackFrequencies": "side_bets.insurance",
    "Composition": "composition",
    "Figure": "figures",
    "FigureList": "figures",
    "InsuranceWager": "side_bets.insurance",
    "JackpotReport": "side_bets.jackpots",
    "MatchWager": "side_bets.match_the_dealer",
    "MatchWagers": "side_bets.match_the_dealer",
    "RoundAwards": "side_bets.jackpots",
    "SuperBonusReport": "side_bets.super_bonus",
    "blackjack_frequencies": "side_bets.insurance",
    "composition_of": "composition",
    "fresh_composition": "composition",
    "insurance_wager": "side_bets.insurance",
    "jackpot_report": "side_bets.jackpots",
    "match_wager": "side_bets.match_the_dealer",
    "match_wagers": "side_bets.match_the_dealer",
    "published_figures": "figures",
    "round_awards": "side_bets.jackpots",
    "super_bonus_report": "side_bets.super_bonus",
    "with_jackpot": "side_bets.jackpots",
    "without_cards": "composition",
    "BaseGameAnalysis": "base_game.analyzer",
    "HandValues": "base_game.analyzer",
    "SplitPlay": "composition",
    "analyse": "base_game.analyzer",
    "analyze": "base_game.analyzer",
    "evaluate": "base_game.analyzer",
    "hand_values": "base_game.analyzer",
    "standard_deviation": "base_game.outcomes",
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
    "analyze",
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
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
