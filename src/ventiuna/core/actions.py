"""Legal actions, reasons for refusal, and choosing an action by preference."""

from ventiuna.core import refusals as why
from ventiuna.core.base_game import has_won_already
from ventiuna.core.cards import (
    Hand,
    best_total,
    is_blackjack,
    is_bust,
    is_equal_value_pair,
    is_same_rank_pair,
    is_soft,
)
from ventiuna.core.refusals import LEGAL
from ventiuna.core.rule_table import (
    DOUBLE_21_ANY,
    DOUBLE_21_NEVER,
    SPLIT_OFF,
    SPLIT_SAME_RANK,
    SURRENDER_LATE,
    SURRENDER_OFF,
    RuleTable,
)

STAND, HIT, DOUBLE, DOUBLE_DOUBLE, SPLIT, SURRENDER, RESCUE = 0, 1, 2, 3, 4, 5, 6
ACTIONS = 7
ACTION_NAMES = ("stand", "hit", "double", "double-double", "split", "surrender", "rescue")


def refusal(rules: RuleTable, action: int, hand: Hand, hands: int) -> int:
    """Return LEGAL, or the code for the reason the hand can't take the action.

    `hands` is the number of hands on its spot. Hands act only after the dealer's check, so there is
    no dealer blackjack to consider (R-035).
    """
    if is_bust(hand):
        return why.HAND_BUST
    if has_won_already(rules, hand):
        return why.HAND_WON_ALREADY
    if action == STAND:
        return why.LEGAL
    if action == HIT:
        return _hit_refusal(rules, hand)
    if action == DOUBLE:
        return _double_refusal(rules, hand)
    if action == DOUBLE_DOUBLE:
        return _double_double_refusal(rules, hand)
    if action == SPLIT:
        return _split_refusal(rules, hand, hands)
    if action == SURRENDER:
        return _surrender_refusal(rules, hand)
    return _rescue_refusal(rules, hand)


def has_a_choice(rules: RuleTable, hand: Hand, hands: int) -> bool:
    """Return whether the player has a decision; a hand that can only stand ends automatically."""
    if is_bust(hand) or has_won_already(rules, hand):
        return False
    return (
        _hit_refusal(rules, hand) == why.LEGAL
        or _double_refusal(rules, hand) == why.LEGAL
        or _double_double_refusal(rules, hand) == why.LEGAL
        or _split_refusal(rules, hand, hands) == why.LEGAL
        or _surrender_refusal(rules, hand) == why.LEGAL
        or _rescue_refusal(rules, hand) == why.LEGAL
    )


def _hit_refusal(rules: RuleTable, hand: Hand) -> int:
    if is_blackjack(hand):
        return why.NOT_WITH_BLACKJACK
    if hand.doublings > 0:
        return why.NO_HIT_AFTER_DOUBLE
    if best_total(hand.hard, hand.aces) == 21:
        return why.HAND_IS_21  # R-039, O-33
    if hand.split_ace == 1 and rules.split_aces_one_card == 1:
        return why.SPLIT_ACE_ONE_CARD
    return why.LEGAL


def _double_refusal(rules: RuleTable, hand: Hand) -> int:
    if hand.doublings > 0:
        return why.SECOND_DOUBLING if rules.doublings_at_most == 1 else why.ALREADY_DOUBLED
    if is_blackjack(hand):
        return why.LEGAL if rules.double_blackjack == 1 else why.NO_DOUBLE_OF_BLACKJACK
    if hand.split == 1 and rules.double_after_split == 0:
        return why.NO_DOUBLE_AFTER_SPLIT
    if hand.split_ace == 1 and rules.split_aces_one_card == 1:
        return why.SPLIT_ACE_ONE_CARD
    if hand.cards > rules.double_max_cards:
        return why.DOUBLE_TWO_CARDS_ONLY
    if best_total(hand.hard, hand.aces) == 21:
        return _double_of_21_refusal(rules, hand)
    if not rules.double_low <= best_total(hand.hard, hand.aces) <= rules.double_high:
        return why.DOUBLE_TOTAL_NOT_ALLOWED
    return why.LEGAL


def _double_of_21_refusal(rules: RuleTable, hand: Hand) -> int:
    """Return LEGAL, or why this 21 can't be doubled; often only a soft 21 can (R-041, O-06)."""
    if rules.double_on_21 == DOUBLE_21_NEVER:
        return why.NO_DOUBLE_OF_21
    if rules.double_on_21 == DOUBLE_21_ANY or is_soft(hand.hard, hand.aces):
        return why.LEGAL
    return why.NO_DOUBLE_OF_HARD_21


def _double_double_refusal(rules: RuleTable, hand: Hand) -> int:
    if rules.doublings_at_most == 1:
        return why.SECOND_DOUBLING if hand.doublings > 0 else why.DOUBLE_DOUBLE_NOT_OFFERED
    if hand.doublings == 0:
        return why.DOUBLE_DOUBLE_NEEDS_DOUBLE
    if hand.doublings >= rules.doublings_at_most:
        return why.NO_FOURTH_DOUBLING
    if best_total(hand.hard, hand.aces) == 21:
        return _double_of_21_refusal(rules, hand)  # O-07
    return why.LEGAL


def _split_refusal(rules: RuleTable, hand: Hand, hands: int) -> int:
    if rules.split == SPLIT_OFF:
        return why.SPLIT_NOT_OFFERED
    if hand.doublings > 0:
        return why.NO_SPLIT_AFTER_DOUBLE
    if hand.cards != 2:
        return why.SPLIT_TWO_CARDS
    if rules.split == SPLIT_SAME_RANK and not is_same_rank_pair(hand):
        return why.SPLIT_SAME_RANK_ONLY  # D-11
    if not is_equal_value_pair(hand):
        return why.SPLIT_EQUAL_VALUE_ONLY
    if hands >= rules.split_hands:
        return why.SPLIT_HANDS_USED
    if hand.split_ace == 1 and rules.resplit_aces == 0:
        return why.NO_RESPLIT_OF_ACES
    return why.LEGAL


def _surrender_refusal(rules: RuleTable, hand: Hand) -> int:
    if rules.surrender == SURRENDER_OFF:
        return why.SURRENDER_NOT_OFFERED
    if is_blackjack(hand):
        return why.NOT_WITH_BLACKJACK
    if rules.surrender == SURRENDER_LATE:
        if hand.split == 1:
            return why.NO_SURRENDER_AFTER_SPLIT  # O-10
        if hand.cards != 2 or hand.doublings > 0:
            return why.SURRENDER_FIRST_TWO_CARDS
        return why.LEGAL
    if best_total(hand.hard, hand.aces) == 21:
        return why.NO_SURRENDER_WITH_21  # R-109, D-27
    return why.LEGAL


def _rescue_refusal(rules: RuleTable, hand: Hand) -> int:
    if rules.rescue == 0:
        return why.RESCUE_NOT_OFFERED
    if hand.doublings == 0:
        return why.RESCUE_NEEDS_DOUBLE
    if best_total(hand.hard, hand.aces) == 21:
        return why.NO_RESCUE_WITH_21  # O-08
    return why.LEGAL


# --- Choosing by preference ---

# A packed preference lists actions, best first, three bits each, terminated by NO_ACTION.
ACTION_BITS = 3
NO_ACTION = 7


def first_legal(preference: int, legal: int) -> int:
    """Return the first legal action in a packed preference; `legal` has one bit per action."""
    for _ in range(ACTIONS):  # an unwritten row has no terminator
        action = preference & NO_ACTION
        if action == NO_ACTION:
            return STAND
        if legal >> action & 1 == 1:
            return action
        preference >>= ACTION_BITS
    return STAND


def first_legal_of(preferences: tuple[int, ...], legal: int) -> int:
    """Return the first legal action in a list; `legal` has one bit per action."""
    for action in preferences:
        if legal >> action & 1 == 1:
            return action
    return STAND


def first_legal_for(rules: RuleTable, preferences: tuple[int, ...], hand: Hand, hands: int) -> int:
    """Return the first legal action in a list, for a hand on a spot with `hands` hands.

    Stops checking at the first legal action.
    """
    for action in preferences:
        if refusal(rules, action, hand, hands) == LEGAL:
            return action
    return STAND
