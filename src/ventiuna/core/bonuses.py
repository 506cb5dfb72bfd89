"""Bonus 21, instant wins, Super Bonus, Envy Bonus, and the dealer's advice on them."""

from ventiuna.core.cards import CARDS, CLUBS, KING, RANKS, card_of
from ventiuna.core.hand import Hand, add_card, best_total, is_blackjack, is_soft
from ventiuna.core.rule_table import ENVY_LOSERS_ONCE, ENVY_OFF, ENVY_PER_OTHER_WINNER, RuleTable

# --- Bonus 21 payouts and instant wins ---


def bonus_row_fits(rules: RuleTable, row: int, hand: Hand) -> bool:
    """Return whether the hand matches the row.

    All cards count, in any order, including a split card (O-11, O-12). Split and doubled hands
    match only if the row allows it (R-046, R-066, R-113, O-35).
    """
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
    """Return the row that pays this hand immediately, or -1 if it is compared with the dealer.

    R-040, R-112. No row covers blackjacks, whose payouts are separate (R-029, R-114).
    """
    if best_total(hand.hard, hand.aces) < rules.bonus_lowest_total or is_blackjack(hand):
        return -1
    for row in range(rules.bonus_rows):
        if bonus_row_fits(rules, row, hand):
            return row
    return -1


def has_won_already(rules: RuleTable, hand: Hand) -> bool:
    """Return whether an instant win ends the hand even if the player wants to continue.

    R-111, R-112.
    """
    row = winning_row(rules, hand)
    return row >= 0 and rules.bonus_forced[row] == 1


# --- Super Bonus and Envy Bonus ---


def is_super_bonus(rules: RuleTable, hand: Hand, up: int) -> bool:
    """Return whether the first three cards and the up card win the Super Bonus.

    Void after a split or a double (R-067, R-068, R-070).
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
    """Return whether two qualifying cards require calling the supervisor (R-072)."""
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
    """Super Bonus for the player's own base wager (R-069, D-09); 0 below the lowest band (O-13)."""
    pay = 0
    for band in range(rules.super_bands):
        if base >= rules.super_from[band]:
            pay = rules.super_pay[band]
    return pay


def envy_pay(rules: RuleTable, own: int, others: int) -> int:
    """Envy Bonus for a betting spot whose player won `own` Super Bonuses while others won `others`.

    R-073 to R-076, D-10.
    """
    if rules.envy == ENVY_OFF or others == 0:
        return 0
    if rules.envy == ENVY_PER_OTHER_WINNER:
        return others * rules.envy_amount
    if own > 0:
        return 0
    return rules.envy_amount if rules.envy == ENVY_LOSERS_ONCE else others * rules.envy_amount


# --- The dealer's advice in Super Fun 21 (R-118) ---


def next_card_cannot_lose(rules: RuleTable, hand: Hand) -> bool:
    """Return whether this is a soft hand that any next card turns into an instant win."""
    if hand.doublings > 0 or not is_soft(hand.hard, hand.aces):
        return False
    for rank in range(1, RANKS + 1):
        if not has_won_already(rules, add_card(hand, card_of(rank, CLUBS))):
            return False
    return True


def eleven_is_better_hit(rules: RuleTable, hand: Hand) -> bool:
    """Return whether this is an 11 that, if not doubled, wins instantly with a ten-valued card."""
    if hand.doublings > 0 or best_total(hand.hard, hand.aces) != 11:
        return False
    return has_won_already(rules, add_card(hand, card_of(KING, CLUBS)))
