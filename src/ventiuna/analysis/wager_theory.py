"""What one unit of a wager brings the house, and its spread: for reports of what was played."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from ventiuna.analysis.base_game.measures import house_edge, standard_deviation
from ventiuna.engine.stakes import Wager, WagerKind
from ventiuna.rules import Rules


@lru_cache(maxsize=256)
def edge_and_deviation(rules: Rules, wager: Wager) -> tuple[Fraction, float] | None:
    """From a fresh shoe; hands by best play. None where it depends on more than the rules.

    A jackpot's edge depends on its meter, insurance on who takes it when; free bonuses have no
    stake.
    """
    if wager.kind is WagerKind.HAND:
        return house_edge(rules), float(standard_deviation(rules))
    if wager.kind is WagerKind.MTD:
        from ventiuna.analysis.side_bets.match_the_dealer import match_wager

        known = match_wager(rules)
        return known.house_edge, float(known.standard_deviation)
    return None
