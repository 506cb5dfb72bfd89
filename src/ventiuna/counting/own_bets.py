"""The bets that a count comes with, by its true count."""

from __future__ import annotations

from ventiuna.counting.indices import Bets
from ventiuna.counting.scales import Scale
from ventiuna.rules import Rules
from ventiuna.strategy.counting import Count


def own_bets(count: Count, rules: Rules) -> Bets | None:
    """None where it bets the same whatever it says."""
    if len(count.bets) <= 1:
        return None
    scale = Scale(count, rules)
    return Bets(tuple((scale.true(float(bet.at)), float(bet.wagers)) for bet in count.bets))
