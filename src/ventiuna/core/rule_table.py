"""House rules compiled to ints for the functions in `core`.

`ventiuna.rules.compiled` builds the table from readable rules. The compiled kernels replace the
tuples with arrays of the same content and length.
"""

from typing import NamedTuple

BONUS_ROWS = 24
SUPER_BANDS = 4
JACKPOTS = 2
FIXED_LINES = 5  # none, then the four fixed lines of a jackpot pay table
SPECIAL_LINES = 4  # none, then the percentage and prize lines, highest first

# When a player's blackjack is paid (R-030, R-115, standard blackjack).
PAID_AT_ONCE, PAID_UNLESS_INSURED, PAID_AFTER_CHECK = 0, 1, 2
# Doubling on 21 (R-041, O-06, O-33).
DOUBLE_21_NEVER, DOUBLE_21_SOFT, DOUBLE_21_ANY = 0, 1, 2
SURRENDER_OFF, SURRENDER_LATE, SURRENDER_ANY_TIME = 0, 1, 2
SPLIT_OFF, SPLIT_EQUAL_VALUE, SPLIT_SAME_RANK = 0, 1, 2
ENVY_OFF, ENVY_PER_OTHER_WINNER, ENVY_LOSERS_ONLY, ENVY_LOSERS_ONCE = 0, 1, 2, 3
# Which cards a jackpot pay table compares.
FAMILY_UP, FAMILY_UP_AND_DOWN, FAMILY_TWO_DECKS, FAMILY_FOUR_CARDS = 3, 4, 40, 5


class RuleTable(NamedTuple):
    decks: int
    has_tens: int  # 1 for the 52-card pack, 0 for the Spanish pack without tens
    hits_soft_17: int
    # Player blackjack
    blackjack_num: int
    blackjack_den: int
    diamond_num: int  # for two diamonds; equal to the odds above in other games
    diamond_den: int
    blackjack_beats_blackjack: int
    blackjack_paid: int
    double_blackjack: int
    # 21, doubling, rescue, surrender, splits, insurance
    player_21_wins: int
    double_on_21: int
    double_max_cards: int
    double_low: int  # totals that may be doubled, inclusive
    double_high: int
    double_after_split: int
    doublings_at_most: int
    double_for_less: int
    rescue: int
    surrender: int
    split: int
    split_hands: int
    split_aces_one_card: int
    resplit_aces: int
    insurance: int
    insurance_num: int
    insurance_den: int
    insurance_on_blackjack: int
    table_maximum: int  # cents; caps a double-double wager
    # Bonus 21 payouts and instant wins: ordered rows; the first match pays
    bonus_rows: int
    bonus_lowest_total: int  # no row pays a lower total
    bonus_min_cards: tuple[int, ...]
    bonus_max_cards: tuple[int, ...]
    bonus_min_total: tuple[int, ...]
    bonus_max_total: tuple[int, ...]
    bonus_ranks: tuple[int, ...]  # packed like Hand.ranks; 0 for any
    bonus_suits: tuple[int, ...]  # which of the 16 suit masks match, one bit each
    bonus_split: tuple[int, ...]  # 1 if the row also pays split hands
    bonus_doubled: tuple[int, ...]  # 1 if the row also pays doubled hands
    bonus_forced: tuple[int, ...]  # 1 if the row ends the hand, so that it can't be doubled
    bonus_num: tuple[int, ...]
    bonus_den: tuple[int, ...]
    # Super Bonus and Envy Bonus
    super_ranks: int  # 0 if there is no Super Bonus
    super_suits: int
    super_up_cards: int  # bit mask of the 52 cards
    super_bands: int
    super_from: tuple[int, ...]  # cents of base wager, ascending
    super_pay: tuple[int, ...]  # cents
    envy: int
    envy_amount: int
    # Match the Dealer
    mtd_unsuited: int  # N to 1
    mtd_suited: int
    # Jackpot games; each array has JACKPOTS times its lines
    jackpots: int
    jackpot_family: tuple[int, ...]
    jackpot_alternate: tuple[int, ...]
    jackpot_wager: tuple[int, ...]
    jackpot_fixed_num: tuple[int, ...]  # JACKPOTS * FIXED_LINES, N for M
    jackpot_fixed_den: tuple[int, ...]
    jackpot_percent: tuple[int, ...]  # JACKPOTS * SPECIAL_LINES, percent of the meter
    jackpot_prize: tuple[int, ...]  # JACKPOTS * SPECIAL_LINES, cents per $1 of wager
    jackpot_best_only: tuple[int, ...]  # pay only the better of up and down (D-24)
    jackpot_top_alone: tuple[int, ...]  # Table 4a: the 100% line excludes the fixed payouts (O-23)
    # Meters, by game
    jackpot_is_house: tuple[int, ...]  # 1 for a house's posted amount, 0 for a progressive
    jackpot_in_sequence: tuple[int, ...]  # winners of a house jackpot are paid in sequence (O-39)
    jackpot_contribution: tuple[int, ...]  # ten-thousandths of each wager (O-19)
    jackpot_seed: tuple[int, ...]  # cents
    jackpot_reseeds_after_round: tuple[int, ...]  # 0 if reseeded immediately (O-20)
    jackpot_prize_from_meter: tuple[int, ...]  # 0 if the house pays prizes (R-092, O-37)
