"""Super Bonus and Envy Bonus."""

from ventiuna.core.cards import CARDS
from ventiuna.core.hand import Hand, add_card
from ventiuna.core.table import (
    ENVY_LOSERS_ONCE,
    ENVY_OFF,
    ENVY_PER_OTHER_WINNER,
    RuleTable,
)


def is_super_bonus(rules: RuleTable, hand: Hand, up: int) -> bool:
    """The first three cards and the up card that win it; void after a split or a double.

    R-067, R-068, R-070.
    """
    return (
        rules.super_ranks != 0
        and hand.ranks == rules.super_ranks
        and hand.split == 0
        and hand.doublings == 0
        and (rules.super_suits >> hand.suits) & 1 == 1
        and (rules.super_up_cards >> up) & 1 == 1
    )


def may_become_super_bonus(rules: RuleTable, hand: Hand, up: int) -> bool:
    """Two qualifying cards and the up card: the supervisor is called (R-072)."""
    if rules.super_ranks == 0 or (rules.super_up_cards >> up) & 1 == 0 or hand.cards != 2:
        return False
    missing = rules.super_ranks - hand.ranks
    if missing <= 0 or missing & (missing - 1) != 0:  # more than one card is missing
        return False
    for card in range(CARDS):
        if is_super_bonus(rules, add_card(hand, card), up):
            return True
    return False


def super_bonus_pay(rules: RuleTable, base: int) -> int:
    """By the player's own base wager (R-069, D-09); 0 below the lowest band (O-13)."""
    pay = 0
    for band in range(rules.super_bands):
        if base >= rules.super_from[band]:
            pay = rules.super_pay[band]
    return pay


def envy_pay(rules: RuleTable, own: int, others: int) -> int:
    """For a betting spot whose player won `own` Super Bonuses while others won `others`.

    R-073 to R-076, D-10.
    """
    if rules.envy == ENVY_OFF or others == 0:
        return 0
    if rules.envy == ENVY_PER_OTHER_WINNER:
        return others * rules.envy_amount
    if own > 0:
        return 0
    return rules.envy_amount if rules.envy == ENVY_LOSERS_ONCE else others * rules.envy_amount
