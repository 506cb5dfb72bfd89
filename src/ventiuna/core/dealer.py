"""The dealer's check and draw."""

from ventiuna.core.cards import ACE, rank_of, value_of
from ventiuna.core.hand import best_total, is_soft
from ventiuna.core.table import RuleTable


def is_ace(card: int) -> bool:
    return rank_of(card) == ACE


def dealer_checks(up: int) -> bool:
    """With an ace or a ten-valued card up the dealer looks at the down card (R-033, R-120)."""
    return is_ace(up) or value_of(up) == 10


def is_dealer_blackjack(up: int, down: int) -> bool:
    return (is_ace(up) and value_of(down) == 10) or (value_of(up) == 10 and is_ace(down))


def dealer_draws(rules: RuleTable, hard: int, aces: int) -> bool:
    """Draws to 17 or more; on a soft 17 by house choice (R-077, R-117)."""
    total = best_total(hard, aces)
    if total == 17 and is_soft(hard, aces):
        return rules.hits_soft_17 == 1
    return total < 17
