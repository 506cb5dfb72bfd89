"""The base game: the dealer's check and draw, blackjacks, wins and losses, and bonuses.

Amounts are in cents. Loading rules checks the chip units, so no division leaves a remainder.
"""

from ventiuna.core.cards import (
    ACE,
    CARDS,
    CLUBS,
    KING,
    RANKS,
    Hand,
    add_card,
    best_total,
    card_of,
    is_all_diamonds,
    is_blackjack,
    is_soft,
    rank_of,
    value_of,
)
from ventiuna.core.rule_table import (
    ENVY_LOSERS_ONCE,
    ENVY_OFF,
    ENVY_PER_OTHER_WINNER,
    PAID_AT_ONCE,
    PAID_UNLESS_INSURED,
    RuleTable,
)


def is_ace(card: int) -> bool:
    return rank_of(card) == ACE


def dealer_checks(up: int) -> bool:
    """Return whether the dealer checks: only with an ace or a ten-valued card up (R-033, R-120)."""
    return is_ace(up) or value_of(up) == 10


def is_dealer_blackjack(up: int, down: int) -> bool:
    return (is_ace(up) and value_of(down) == 10) or (value_of(up) == 10 and is_ace(down))


def dealer_draws(rules: RuleTable, hard: int, aces: int) -> bool:
    """Return whether the dealer draws: below 17, and on soft 17 by house rule (R-077, R-117)."""
    total = best_total(hard, aces)
    if total == 17 and is_soft(hard, aces):
        return rules.hits_soft_17 == 1
    return total < 17


# --- Blackjacks ---

BEFORE_INSURANCE, AFTER_INSURANCE, AFTER_CHECK = 0, 1, 2


def blackjack_paid_when(rules: RuleTable, up: int, insured: bool) -> int:
    """Return the point in the round at which a blackjack is paid.

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

    The dealer takes every wager (R-035, O-09), except that a player's blackjack is paid or pushes.
    """
    if not has_blackjack:
        return -wager
    return pay if wins else 0


# --- Wins and losses ---


LOSES, PUSHES, WINS = -1, 0, 1


def odds_pay(wager: int, num: int, den: int) -> int:
    """Amount paid: the profit for `num to den`, the total returned for `num for den`."""
    return wager * num // den


def blackjack_profit(rules: RuleTable, hand: Hand, wager: int) -> int:
    """Profit of a blackjack: 3 to 2 in Spanish 21 (R-029).

    In Super Fun 21, diamonds pay 2 to 1 and other blackjacks even money (R-114).
    """
    if is_all_diamonds(hand):
        return odds_pay(wager, rules.diamond_num, rules.diamond_den)
    return odds_pay(wager, rules.blackjack_num, rules.blackjack_den)


def row_profit(rules: RuleTable, row: int, wager: int) -> int:
    """Profit of a Bonus 21 or instant-win row, in place of even money (R-061)."""
    return odds_pay(wager, rules.bonus_num[row], rules.bonus_den[row])


def compare(player: int, dealer: int) -> int:
    """Compare the totals: the one closer to 21 wins, and a dealer bust pays all (R-078, R-119)."""
    if dealer > 21 or player > dealer:
        return WINS
    if player == dealer:
        return PUSHES
    return LOSES


def split_wager(base: int) -> int:
    """Wager on each split hand: the same as the original wager (R-045, R-108)."""
    return base


def doubling_wager(rules: RuleTable, existing: int, doublings: int) -> int:
    """Amount that the next doubling adds to a wager that was doubled `doublings` times.

    R-047, R-052, R-105.
    """
    return existing if doublings == 0 else double_double_wager(rules, existing)


def minimum_double(rules: RuleTable, wager: int, unit: int) -> int:
    """Minimum double: one chip if doubling for less is allowed (R-050, O-40), or else the wager."""
    return min(unit, wager) if rules.double_for_less == 1 else wager


def double_double_wager(rules: RuleTable, existing: int) -> int:
    """Amount of a double-double: the current wager again, at most the table maximum (R-054, R-055).

    The first double equals the base wager, so it is never capped (O-31).
    """
    return min(existing, rules.table_maximum)


def rescue_loss(wager: int, last_portion: int) -> int:
    """Loss on a rescue, which returns only the last doubled portion (R-057, R-058, D-15)."""
    return wager - last_portion


def surrender_loss(wager: int) -> int:
    """Loss on a surrender: half of the wager (R-036), or one bet of a doubled hand (R-110)."""
    return wager // 2


def insurance_is_offered(rules: RuleTable, up: int) -> bool:
    """Return whether the house offers insurance and an ace is up (R-034, R-116)."""
    return rules.insurance == 1 and is_ace(up)


def may_insure(rules: RuleTable, up: int, has_blackjack: bool) -> bool:
    """Return whether the hand may be insured; a blackjack only if the house allows it (R-031)."""
    allowed = rules.insurance_on_blackjack == 1 or not has_blackjack
    return allowed and insurance_is_offered(rules, up)


def maximum_insurance(wager: int) -> int:
    """Maximum insurance: half of the original wager (R-034, O-17, O-34)."""
    return wager // 2


def maximum_insurance_in_chips(wager: int, unit: int) -> int:
    """Maximum insurance, rounded down to a multiple of the chip `unit` (O-18)."""
    return maximum_insurance(wager) // unit * unit


def insurance_profit(rules: RuleTable, wager: int) -> int:
    return odds_pay(wager, rules.insurance_num, rules.insurance_den)


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
