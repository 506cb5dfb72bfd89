"""When a player's blackjack is paid, and who wins when the dealer has one too."""

from ventiuna.core.dealer import dealer_checks, is_ace
from ventiuna.core.table import PAID_AT_ONCE, PAID_UNLESS_INSURED, RuleTable

BEFORE_INSURANCE, AFTER_INSURANCE, AFTER_CHECK = 0, 1, 2


def blackjack_paid_when(rules: RuleTable, up: int, insured: bool) -> int:
    """At which point of the round the pay of a blackjack is due.

    At once (R-030), or whenever the dealer need not look; in Super Fun 21 an insured one with
    an ace up waits for the dealer's check (R-115, R-120), in plain blackjack all do (O-01).
    """
    if rules.blackjack_paid == PAID_AT_ONCE or not dealer_checks(up):
        return BEFORE_INSURANCE
    if rules.blackjack_paid == PAID_UNLESS_INSURED:
        if not is_ace(up):
            return BEFORE_INSURANCE
        return AFTER_CHECK if insured else AFTER_INSURANCE
    return AFTER_CHECK


def wins_two_blackjacks(rules: RuleTable, paid_before_check: bool) -> bool:
    """Is the player's blackjack paid though the dealer has one too? (R-029, R-114)

    Always where it beats the dealer's; elsewhere it pushes, unless it was paid before the
    dealer looked (O-01).
    """
    return rules.blackjack_beats_blackjack == 1 or paid_before_check


def result_against_blackjack(has_blackjack: bool, wins: bool, pay: int, wager: int) -> int:
    """A dealer blackjack takes every wager (R-035, O-09), but a blackjack is paid or pushes."""
    if not has_blackjack:
        return -wager
    return pay if wins else 0
