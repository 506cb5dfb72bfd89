"""Exact mathematics: side bets, jackpots and events in fractions, the base game by combination.

This package imports the standard library alone; what needs compiled kernels is imported
from its own module.
"""

from ventiuna.analysis.composition import (
    Composition,
    composition_of,
    fresh_composition,
    without_cards,
)
from ventiuna.analysis.jackpot_awards import RoundAwards, round_awards
from ventiuna.analysis.jackpots import JackpotReport, jackpot_report, with_jackpot
from ventiuna.analysis.match_the_dealer import MatchWager, MatchWagers, match_wager, match_wagers

__all__ = [
    "Composition",
    "JackpotReport",
    "MatchWager",
    "MatchWagers",
    "RoundAwards",
    "composition_of",
    "fresh_composition",
    "jackpot_report",
    "match_wager",
    "match_wagers",
    "round_awards",
    "with_jackpot",
    "without_cards",
]
