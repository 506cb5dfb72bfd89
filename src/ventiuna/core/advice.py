"""What Super Fun 21's dealer tells a player (R-118), worked out from the instant-win rows."""

from ventiuna.core.bonus import has_won_already
from ventiuna.core.cards import CLUBS, KING, RANKS, card_of
from ventiuna.core.hand import Hand, add_card, best_total, is_soft
from ventiuna.core.table import RuleTable


def next_card_cannot_lose(rules: RuleTable, hand: Hand) -> bool:
    """A soft hand whose next card wins at once whatever it is."""
    if hand.doublings > 0 or not is_soft(hand.hard, hand.aces):
        return False
    for rank in range(1, RANKS + 1):
        if not has_won_already(rules, add_card(hand, card_of(rank, CLUBS))):
            return False
    return True


def eleven_is_better_hit(rules: RuleTable, hand: Hand) -> bool:
    """An 11 that a ten-valued card makes a 21 paid at once, if the hand is not doubled."""
    if hand.doublings > 0 or best_total(hand.hard, hand.aces) != 11:
        return False
    return has_won_already(rules, add_card(hand, card_of(KING, CLUBS)))
