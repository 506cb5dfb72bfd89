"""Match the Dealer and jackpot wagers: payouts for the player's original two cards.

A hand makes at most one *special* line of a jackpot pay table (a share of the meter or the
operator's prize; line 1 is the highest). It may also make fixed lines with the up card and, in
Tables 4, with the down card. See `meters` for how special lines are paid.
"""

from ventiuna.core.cards import ACE, KING, SPADE_ACE, SPADE_KING, rank_of
from ventiuna.core.rule_table import (
    FAMILY_FOUR_CARDS,
    FAMILY_TWO_DECKS,
    FAMILY_UP,
    FAMILY_UP_AND_DOWN,
    FIXED_LINES,
    RuleTable,
)

# --- Match the Dealer ---


def suited_matches(first: int, second: int, dealer_card: int) -> int:
    """Count cards of the same rank and suit (R-020)."""
    return (1 if first == dealer_card else 0) + (1 if second == dealer_card else 0)


def unsuited_matches(first: int, second: int, dealer_card: int) -> int:
    """Count cards of the same rank in a different suit; a jack does not match a king (R-020)."""
    rank = rank_of(dealer_card)
    same_rank = (1 if rank_of(first) == rank else 0) + (1 if rank_of(second) == rank else 0)
    return same_rank - suited_matches(first, second, dealer_card)


def match_profit(rules: RuleTable, wager: int, suited: int, unsuited: int) -> int:
    """Profit of a Match the Dealer wager: each match pays; the wager loses if nothing matches.

    R-021, R-022; the same for up, down and Bonus Cards (R-023, D-30).
    """
    if suited + unsuited == 0:
        return -wager
    return wager * (suited * rules.mtd_suited + unsuited * rules.mtd_unsuited)


# --- Jackpot pay tables ---

NO_LINE = 0
ONE_NON_SUITED, TWO_NON_SUITED, ONE_SUITED, ONE_NON_SUITED_ONE_SUITED = 1, 2, 3, 4
FIRST, SECOND, THIRD = 1, 2, 3  # special lines, highest first

# Some lines require particular cards in addition to matches: aces, or two spades (R-087, R-089,
#
NAMED_CARDS = (SPADE_ACE, SPADE_KING)
NAMED_RANKS = (ACE, KING)
PLAIN_CARD, OTHER_ACE, THE_SPADE_ACE, THE_SPADE_KING = 0, 1, 2, 3
CARD_KINDS = 4


def card_kind(card: int) -> int:
    """Classify a card for the lines that require particular cards."""
    if card == SPADE_ACE:
        return THE_SPADE_ACE
    if card == SPADE_KING:
        return THE_SPADE_KING
    return OTHER_ACE if rank_of(card) == ACE else PLAIN_CARD


def fixed_line(first: int, second: int, dealer_card: int) -> int:
    """Fixed line with one dealer card (R-091); two suited matches make none (R-101)."""
    suited = suited_matches(first, second, dealer_card)
    unsuited = unsuited_matches(first, second, dealer_card)
    if suited == 2:
        return NO_LINE
    if suited == 1:
        return ONE_NON_SUITED_ONE_SUITED if unsuited == 1 else ONE_SUITED
    if unsuited == 2:
        return TWO_NON_SUITED
    return ONE_NON_SUITED if unsuited == 1 else NO_LINE


def has_lines_with_down_card(rules: RuleTable, game: int) -> bool:
    """Return whether the down card can make fixed lines too, as it can only in Tables 4.

    R-088, R-089, R-099.
    """
    family = rules.jackpot_family[game]
    return family == FAMILY_UP_AND_DOWN or family == FAMILY_TWO_DECKS


def waits_for_down_card(rules: RuleTable, game: int, first: int, second: int, up: int) -> bool:
    """Return whether settling the wager requires the down card (R-096, D-25, O-26)."""
    if has_lines_with_down_card(rules, game):
        return True
    is_four_cards = rules.jackpot_family[game] == FAMILY_FOUR_CARDS
    three_alike = suited_matches(first, second, up) == 2
    return three_alike and (is_four_cards or rules.jackpot_alternate[game] != 0)


def special_line(rules: RuleTable, game: int, first: int, second: int, up: int, down: int) -> int:
    """Special line (share of the meter or prize) of these four cards, or NO_LINE.

    Only the highest line counts (O-25).
    """
    family = rules.jackpot_family[game]
    alternate = rules.jackpot_alternate[game]
    if family == FAMILY_TWO_DECKS:
        return _two_decks_special(first, second, up, down)
    alike_up = suited_matches(first, second, up) == 2
    alike_down = suited_matches(first, second, down) == 2
    ace = rank_of(first) == ACE
    if family == FAMILY_UP:
        return _up_special(alternate, alike_up, first, down)
    if family == FAMILY_FOUR_CARDS or alternate != 0:
        # R-090 and the alternate lines of R-094 differ only in whether the down card can complete
        # three identical cards.
        if alike_up and alike_down:
            return FIRST if ace else SECOND
        alike = alike_up or (alike_down and family == FAMILY_UP_AND_DOWN)
        return THIRD if alike else NO_LINE
    if alike_up and alike_down:
        return FIRST
    return SECOND if alike_up or alike_down else NO_LINE


def _up_special(alternate: int, alike_up: bool, card: int, down: int) -> int:
    """Special line of Tables 3 and their alternates, all for two suited matches with the up card.

    R-087, R-093.
    """
    if not alike_up:
        return NO_LINE
    spade_ace = card == SPADE_ACE
    if alternate == 0:
        return FIRST if spade_ace else SECOND
    if rank_of(card) != ACE:
        return THIRD
    if alternate == 1:
        return FIRST if spade_ace and down == SPADE_KING else SECOND
    return FIRST if spade_ace else SECOND


def _two_decks_special(first: int, second: int, up: int, down: int) -> int:
    """Special line of Table 4a (R-089): As Ks against As Ks, four aces, four of another rank."""
    if _is_spade_ace_king(first, second) and _is_spade_ace_king(up, down):
        return FIRST
    rank = rank_of(first)
    if rank_of(second) == rank and rank_of(up) == rank and rank_of(down) == rank:
        return SECOND if rank == ACE else THIRD
    return NO_LINE


def _is_spade_ace_king(one: int, other: int) -> bool:
    return min(one, other) == SPADE_ACE and max(one, other) == SPADE_KING


def fixed_pay(
    rules: RuleTable, game: int, special: int, first: int, second: int, up: int, down: int
) -> int:
    """Total returned by the fixed lines for the game's wager, in cents (R-091)."""
    with_up, with_down = paid_fixed_lines(rules, game, special, first, second, up, down)
    return line_pay(rules, game, with_up) + line_pay(rules, game, with_down)


def paid_fixed_lines(
    rules: RuleTable, game: int, special: int, first: int, second: int, up: int, down: int
) -> tuple[int, int]:
    """Fixed lines that pay, with the up card and with the down card (R-091, D-24)."""
    if not _fixed_lines_count(rules, game, special):
        return NO_LINE, NO_LINE
    with_up = fixed_line(first, second, up)
    if not has_lines_with_down_card(rules, game):
        return with_up, NO_LINE
    with_down = fixed_line(first, second, down)
    if rules.jackpot_best_only[game] == 0:
        return with_up, with_down
    if line_pay(rules, game, with_up) >= line_pay(rules, game, with_down):
        return with_up, NO_LINE
    return NO_LINE, with_down


def _fixed_lines_count(rules: RuleTable, game: int, special: int) -> bool:
    if special == NO_LINE:
        return True
    if has_lines_with_down_card(rules, game) and rules.jackpot_best_only[game] == 1:
        return False  # the special line is better
    if rules.jackpot_family[game] == FAMILY_TWO_DECKS:
        # As Ks against As Ks may also be paid as two single suited matches (O-23), but four of one
        # rank are paid only as a special line (O-24).
        return special == FIRST and rules.jackpot_top_alone[game] == 0
    return True


def line_pay(rules: RuleTable, game: int, line: int) -> int:
    if line == NO_LINE:
        return 0
    index = game * FIXED_LINES + line
    return (
        rules.jackpot_wager[game] * rules.jackpot_fixed_num[index] // rules.jackpot_fixed_den[index]
    )
