"""Match the Dealer: the player's original two cards against one card of the dealer's."""

from ventiuna.core.cards import rank_of
from ventiuna.core.table import RuleTable


def suited_matches(first: int, second: int, dealer_card: int) -> int:
    """Cards of the same rank and suit (R-020)."""
    return (1 if first == dealer_card else 0) + (1 if second == dealer_card else 0)


def unsuited_matches(first: int, second: int, dealer_card: int) -> int:
    """Cards of the same rank in another suit; a jack does not match a king (R-020)."""
    rank = rank_of(dealer_card)
    same_rank = (1 if rank_of(first) == rank else 0) + (1 if rank_of(second) == rank else 0)
    return same_rank - suited_matches(first, second, dealer_card)


def match_profit(rules: RuleTable, wager: int, suited: int, unsuited: int) -> int:
    """Each matching card is paid; the wager loses only when neither matches.

    R-021, R-022; for up, down and Bonus Cards alike (R-023, D-30).
    """
    if suited + unsuited == 0:
        return -wager
    return wager * (suited * rules.mtd_suited + unsuited * rules.mtd_unsuited)
