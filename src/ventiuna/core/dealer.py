"""The dealer's check and draw, and blackjacks: when they are paid and who wins a tie."""

from ventiuna.core.cards import ACE, rank_of, value_of
from ventiuna.core.hand import best_total, is_soft
from ventiuna.core.rule_table import PAID_AT_ONCE, PAID_UNLESS_INSURED, RuleTable


def is_ace(card: int) -> bool:
    return rank_of(card) == ACE


def dealer_checks(up: int) -> bool:
    """The dealer checks the down card with an ace or a ten-valued card up (R-033, R-120)."""
    return is_ace(up) or value_of(up) == 10


def is_dealer_blackjack(up: int, down: int) -> bool:
    return (is_ace(up) and value_of(down) == 10) or (value_of(up) == 10 and is_ace(down))


def dealer_draws(rules: RuleTable, hard: int, aces: int) -> bool:
    """The dealer draws to 17 or more; on soft 17, the house decides (R-077, R-117)."""
    total = best_total(hard, aces)
    if total == 17 and is_soft(hard, aces):
        return rules.hits_soft_17 == 1
    return total < 17


# --- Blackjacks ---

BEFORE_INSURANCE, AFTER_INSURANCE, AFTER_CHECK = 0, 1, 2


def blackjack_paid_when(rules: RuleTable, up: int, insured: bool) -> int:
    """Return when in the round a blackjack is paid.

    In Spanish 21, it is paid immediately (R-030), as in any game if the dealer doesn't need to
    check. If the dealer checks, an insured blackjack against an ace waits for the check in Super
    Fun 21 (R-115, R-120), and every blackjack waits in plain blackjack (O-01).
    """
    if rules.blackjack_paid == PAID_AT_ONCE or not dealer_checks(up):
        return BEFORE_INSURANCE
    if rules.blackjack_paid == PAID_UNLESS_INSURED:
        if not is_ace(up):
            return BEFORE_INSURANCE
        return AFTER_CHECK if insured else AFTER_INSURANCE
    return AFTER_CHECK


def wins_two_blackjacks(rules: RuleTable, paid_before_check: bool) -> bool:
    """Return whether the player's blackjack is paid even if the dealer has one (R-029, R-114).

    True if the rules say it beats the dealer's. Otherwise it pushes unless it was paid before the
    dealer checked (O-01).
    """
    return rules.blackjack_beats_blackjack == 1 or paid_before_check


def result_against_blackjack(has_blackjack: bool, wins: bool, pay: int, wager: int) -> int:
    """Result of a hand against a dealer blackjack.

    A dealer blackjack wins every wager (R-035, O-09), except that a player's blackjack is paid or
    pushes.
    """
    if not has_blackjack:
        return -wager
    return pay if wins else 0
