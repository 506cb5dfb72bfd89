"""Bonus 21 payouts and instant wins: which row of the house's list a hand fits."""

from ventiuna.core.hand import Hand, best_total, is_blackjack
from ventiuna.core.table import RuleTable


def bonus_row_fits(rules: RuleTable, row: int, hand: Hand) -> bool:
    """By all cards of the hand in any order, a split card included (O-11, O-12); on a split
    hand where the row says so (R-046), never on a doubled one (R-066, R-113, O-35)."""
    total = best_total(hand.hard, hand.aces)
    return (
        rules.bonus_min_cards[row] <= hand.cards <= rules.bonus_max_cards[row]
        and rules.bonus_min_total[row] <= total <= rules.bonus_max_total[row]
        and (rules.bonus_ranks[row] == 0 or rules.bonus_ranks[row] == hand.ranks)
        and (rules.bonus_suits[row] >> hand.suits) & 1 == 1
        and (hand.split == 0 or rules.bonus_split[row] == 1)
        and (hand.doublings == 0 or rules.bonus_doubled[row] == 1)
    )


def winning_row(rules: RuleTable, hand: Hand) -> int:
    """The row that pays this hand at once, or -1: it is compared with the dealer (R-040, R-112).

    A blackjack is not a row: it has pays of its own (R-029, R-114).
    """
    if best_total(hand.hard, hand.aces) < rules.bonus_lowest_total or is_blackjack(hand):
        return -1
    for row in range(rules.bonus_rows):
        if bonus_row_fits(rules, row, hand):
            return row
    return -1


def has_won_already(rules: RuleTable, hand: Hand) -> bool:
    """An instant win that ends the hand whatever the player would like (R-111, R-112)."""
    row = winning_row(rules, hand)
    return row >= 0 and rules.bonus_forced[row] == 1
