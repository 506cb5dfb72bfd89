"""Exact mathematics: side bets, jackpots and events in fractions, the base game by combination.

This package imports the standard library alone; what needs compiled kernels is imported
from its own module.
"""

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

__all__ = [
    "BlackjackFrequencies",
    "Composition",
    "Figure",
    "FigureList",
    "InsuranceWager",
    "JackpotReport",
    "MatchWager",
    "MatchWagers",
    "RoundAwards",
    "SuperBonusReport",
    "blackjack_frequencies",
    "composition_of",
    "fresh_composition",
    "insurance_wager",
    "jackpot_report",
    "match_wager",
    "match_wagers",
    "published_figures",
    "round_awards",
    "super_bonus_report",
    "with_jackpot",
    "without_cards",
]
