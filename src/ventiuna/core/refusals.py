"""Refusal codes, with rule numbers and a message for each refused action."""

from enum import StrEnum


class RefusalCode(StrEnum):
    # Actions on a hand, refused by `actions.refusal`.
    NOT_WITH_BLACKJACK = "not_with_blackjack"
    HAND_BUST = "hand_bust"
    HAND_IS_21 = "hand_is_21"
    NO_HIT_AFTER_DOUBLE = "no_hit_after_double"
    NO_SPLIT_AFTER_DOUBLE = "no_split_after_double"
    ALREADY_DOUBLED = "already_doubled"
    DOUBLE_DOUBLE_NOT_OFFERED = "double_double_not_offered"
    DOUBLE_DOUBLE_NEEDS_DOUBLE = "double_double_needs_double"
    NO_FOURTH_DOUBLING = "no_fourth_doubling"
    RESCUE_NOT_OFFERED = "rescue_not_offered"
    RESCUE_NEEDS_DOUBLE = "rescue_needs_double"
    NO_RESCUE_WITH_21 = "no_rescue_with_21"
    SURRENDER_NOT_OFFERED = "surrender_not_offered"
    SURRENDER_FIRST_TWO_CARDS = "surrender_first_two_cards"
    NO_SURRENDER_AFTER_SPLIT = "no_surrender_after_split"
    NO_SURRENDER_WITH_21 = "no_surrender_with_21"
    SPLIT_NOT_OFFERED = "split_not_offered"
    SPLIT_TWO_CARDS = "split_two_cards"
    SPLIT_EQUAL_VALUE_ONLY = "split_equal_value_only"
    SPLIT_SAME_RANK_ONLY = "split_same_rank_only"
    SPLIT_HANDS_USED = "split_hands_used"
    NO_RESPLIT_OF_ACES = "no_resplit_of_aces"
    SPLIT_ACE_ONE_CARD = "split_ace_one_card"
    DOUBLE_TWO_CARDS_ONLY = "double_two_cards_only"
    DOUBLE_TOTAL_NOT_ALLOWED = "double_total_not_allowed"
    NO_DOUBLE_AFTER_SPLIT = "no_double_after_split"
    NO_DOUBLE_OF_BLACKJACK = "no_double_of_blackjack"
    NO_DOUBLE_OF_21 = "no_double_of_21"
    NO_DOUBLE_OF_HARD_21 = "no_double_of_hard_21"
    HAND_WON_ALREADY = "hand_won_already"
    SECOND_DOUBLING = "second_doubling"

    # Wagers before the deal.
    NOT_A_NAME = "not_a_name"
    NOT_WAGERS = "not_wagers"
    NOT_CENTS = "not_cents"
    AMOUNT_RANGE = "amount_range"
    CHIP_UNIT = "chip_unit"
    NO_SUCH_SPOT = "no_such_spot"
    BASE_FIRST = "base_first"
    NO_BASE = "no_base"
    TABLE_LIMITS = "table_limits"
    MTD_NOT_OFFERED = "mtd_not_offered"
    DOWN_REQUIRES_UP = "down_requires_up"
    MTD_REQUIRED = "mtd_required"
    MTD_LIMITS = "mtd_limits"
    MTD_AT_MOST_BASE = "mtd_at_most_base"
    NO_SUCH_JACKPOT = "no_such_jackpot"
    JACKPOT_WAGER_FIXED = "jackpot_wager_fixed"
    NO_WAGERS = "no_wagers"
    WAGERS_CLOSED = "wagers_closed"

    # Malformed commands, and commands the round isn't waiting for.
    UNKNOWN_COMMAND = "unknown_command"
    SPOT_NOT_BETTING = "spot_not_betting"
    NO_CARD = "no_card"
    NOT_IN_PACK = "not_in_pack"
    NO_CARD_WANTED = "no_card_wanted"
    TOO_MANY_COPIES = "too_many_copies"
    NO_BLACKJACK_TO_ANSWER = "no_blackjack_to_answer"
    NO_INSURANCE_NOW = "no_insurance_now"
    INSURANCE_ABOVE_HALF = "insurance_above_half"
    DOUBLE_AMOUNT = "double_amount"
    NO_DOUBLE_FOR_LESS = "no_double_for_less"
    CARD_FIRST = "card_first"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_TIME_TO_ACT = "not_time_to_act"
    DEALER_BLACKJACK = "dealer_blackjack"
    BLACKJACK_PAID = "blackjack_paid"
    HAND_OVER = "hand_over"
    NOT_METERS = "not_meters"
    NOT_RULES = "not_rules"
    NO_METERS_WANTED = "no_meters_wanted"
    TOO_LATE_TO_VOID = "too_late_to_void"
    NO_REASON = "no_reason"
    NOTHING_TO_KEEP = "nothing_to_keep"

    # Checks that need table state rather than round state: seats, balances and the shoe.
    SHOE_DEALS = "shoe_deals"
    BUY_IN = "buy_in"
    NOT_YOUR_SPOT = "not_your_spot"
    OUT_OF_CARDS = "out_of_cards"
    NOT_COVERED = "not_covered"
    BAD_COMMAND = "bad_command"
    STALE = "stale"
    NOT_ALLOWED = "not_allowed"
    NO_SUCH_PERSON = "no_such_person"
    NO_SUCH_TABLE = "no_such_table"
    TABLE_CLOSED = "table_closed"
    TABLE_FAULT = "table_fault"
    NO_SUCH_SEAT = "no_such_seat"
    SEAT_TAKEN = "seat_taken"
    ALREADY_SEATED = "already_seated"
    NOT_SEATED = "not_seated"
    SPOT_TAKEN = "spot_taken"
    IN_ROUND = "in_round"
    NOTHING_TO_CASH_OUT = "nothing_to_cash_out"
    NO_CUT_NOW = "no_cut_now"
    CUT_BARRED = "cut_barred"
    NOT_A_CUT = "not_a_cut"
    NOT_A_CLOCK = "not_a_clock"
    NO_ROUND = "no_round"
    NOTHING_TO_RESUME = "nothing_to_resume"
    ALREADY_LINKED = "already_linked"
    JACKPOT_NOT_LINKED = "jackpot_not_linked"
    JACKPOT_SUSPENDED = "jackpot_suspended"
    NOT_INSPECTED = "not_inspected"

    # Delivery of a command to its table.
    KEY_REUSED = "key_reused"
    TOO_OLD = "too_old"
    OTHER_CLIENT = "other_client"
    SERVER_FAULT = "server_fault"

    # Progressive jackpots.
    NOT_PROGRESSIVE = "not_progressive"
    NO_SUCH_PROGRESSIVE = "no_such_progressive"
    RESERVE_RATE = "reserve_rate"
    MAXIMUM_TOO_LOW = "maximum_too_low"
    ABOVE_MAXIMUM = "above_maximum"
    ADVANCE_LIMIT = "advance_limit"
    MORE_THAN_ADVANCED = "more_than_advanced"
    FUND_SHORT = "fund_short"
    CORRECTION_LIMIT = "correction_limit"
    JACKPOT_OPEN = "jackpot_open"
    JACKPOT_UNDERFUNDED = "jackpot_underfunded"
    JACKPOT_REMOVED = "jackpot_removed"
    STILL_LINKED = "still_linked"
    OTHER_SETTINGS = "other_settings"
    NOTHING_TO_FOLD = "nothing_to_fold"
    MONEY_LEFT = "money_left"


LEGAL = 0
NOT_WITH_BLACKJACK = 1
HAND_BUST = 2
HAND_IS_21 = 3
NO_HIT_AFTER_DOUBLE = 4
NO_SPLIT_AFTER_DOUBLE = 5
ALREADY_DOUBLED = 6
DOUBLE_DOUBLE_NOT_OFFERED = 7
DOUBLE_DOUBLE_NEEDS_DOUBLE = 8
NO_FOURTH_DOUBLING = 9
RESCUE_NOT_OFFERED = 10
RESCUE_NEEDS_DOUBLE = 11
NO_RESCUE_WITH_21 = 12
SURRENDER_NOT_OFFERED = 13
SURRENDER_FIRST_TWO_CARDS = 14
NO_SURRENDER_AFTER_SPLIT = 15
NO_SURRENDER_WITH_21 = 16
SPLIT_NOT_OFFERED = 17
SPLIT_TWO_CARDS = 18
SPLIT_EQUAL_VALUE_ONLY = 19
SPLIT_SAME_RANK_ONLY = 20
SPLIT_HANDS_USED = 21
NO_RESPLIT_OF_ACES = 22
SPLIT_ACE_ONE_CARD = 23
DOUBLE_TWO_CARDS_ONLY = 24
DOUBLE_TOTAL_NOT_ALLOWED = 25
NO_DOUBLE_AFTER_SPLIT = 26
NO_DOUBLE_OF_BLACKJACK = 27
NO_DOUBLE_OF_21 = 28
NO_DOUBLE_OF_HARD_21 = 29
HAND_WON_ALREADY = 30
SECOND_DOUBLING = 31

# number: (code, rule numbers, sentence)
REASONS: dict[int, tuple[RefusalCode, tuple[str, ...], str]] = {
    NOT_WITH_BLACKJACK: (
        RefusalCode.NOT_WITH_BLACKJACK,
        ("R-029", "R-032", "R-106", "R-114"),
        "A blackjack can only be paid or doubled. Stand to be paid.",
    ),
    HAND_BUST: (
        RefusalCode.HAND_BUST,
        ("R-013", "R-059", "R-109"),
        "The hand is over 21 and has lost.",
    ),
    HAND_IS_21: (
        RefusalCode.HAND_IS_21,
        ("R-039", "O-33"),
        "The hand has 21 and takes no more cards. Stand.",
    ),
    NO_HIT_AFTER_DOUBLE: (
        RefusalCode.NO_HIT_AFTER_DOUBLE,
        ("R-048", "R-107"),
        "A doubled hand gets one card and can't be hit.",
    ),
    NO_SPLIT_AFTER_DOUBLE: (
        RefusalCode.NO_SPLIT_AFTER_DOUBLE,
        ("R-048", "R-107"),
        "A doubled hand can't be split.",
    ),
    ALREADY_DOUBLED: (
        RefusalCode.ALREADY_DOUBLED,
        ("R-053", "R-054"),
        "The hand is already doubled. Doubling it again is a double-double.",
    ),
    DOUBLE_DOUBLE_NOT_OFFERED: (
        RefusalCode.DOUBLE_DOUBLE_NOT_OFFERED,
        ("R-051", "R-107"),
        "This table doesn't offer double-double down.",
    ),
    DOUBLE_DOUBLE_NEEDS_DOUBLE: (
        RefusalCode.DOUBLE_DOUBLE_NEEDS_DOUBLE,
        ("R-052",),
        "A double-double is only possible after a double. Double first.",
    ),
    NO_FOURTH_DOUBLING: (
        RefusalCode.NO_FOURTH_DOUBLING,
        ("R-053", "R-056"),
        "The wager has been doubled three times. You can only stand or rescue.",
    ),
    RESCUE_NOT_OFFERED: (RefusalCode.RESCUE_NOT_OFFERED, ("R-057",), "This game has no rescue."),
    RESCUE_NEEDS_DOUBLE: (
        RefusalCode.RESCUE_NEEDS_DOUBLE,
        ("R-057", "R-060"),
        "Only a doubled hand can be rescued.",
    ),
    NO_RESCUE_WITH_21: (
        RefusalCode.NO_RESCUE_WITH_21,
        ("R-039", "O-08"),
        "A doubled 21 wins and can't be rescued.",
    ),
    SURRENDER_NOT_OFFERED: (
        RefusalCode.SURRENDER_NOT_OFFERED,
        ("R-036", "R-109"),
        "This table doesn't offer surrender.",
    ),
    SURRENDER_FIRST_TWO_CARDS: (
        RefusalCode.SURRENDER_FIRST_TWO_CARDS,
        ("R-036", "R-038"),
        "Surrender is only possible as the first decision on the first two cards.",
    ),
    NO_SURRENDER_AFTER_SPLIT: (
        RefusalCode.NO_SURRENDER_AFTER_SPLIT,
        ("R-036", "O-10"),
        "A split hand can't be surrendered.",
    ),
    NO_SURRENDER_WITH_21: (
        RefusalCode.NO_SURRENDER_WITH_21,
        ("R-109", "D-27"),
        "Only a hand below 21 can be surrendered.",
    ),
    SPLIT_NOT_OFFERED: (
        RefusalCode.SPLIT_NOT_OFFERED,
        ("R-042", "R-108"),
        "This table doesn't offer splitting.",
    ),
    SPLIT_TWO_CARDS: (
        RefusalCode.SPLIT_TWO_CARDS,
        ("R-042", "R-108"),
        "Only a hand of two cards can be split.",
    ),
    SPLIT_EQUAL_VALUE_ONLY: (
        RefusalCode.SPLIT_EQUAL_VALUE_ONLY,
        ("R-042", "R-108"),
        "Only two cards of equal value can be split.",
    ),
    SPLIT_SAME_RANK_ONLY: (
        RefusalCode.SPLIT_SAME_RANK_ONLY,
        ("R-042", "D-11"),
        "Only two cards of the same rank can be split at this table.",
    ),
    SPLIT_HANDS_USED: (
        RefusalCode.SPLIT_HANDS_USED,
        ("R-042", "R-108"),
        "The spot already has the maximum number of split hands.",
    ),
    NO_RESPLIT_OF_ACES: (
        RefusalCode.NO_RESPLIT_OF_ACES,
        ("R-043", "R-108"),
        "Split aces can't be split again at this table.",
    ),
    SPLIT_ACE_ONE_CARD: (
        RefusalCode.SPLIT_ACE_ONE_CARD,
        ("R-043", "R-108"),
        "A split ace gets only one card at this table.",
    ),
    DOUBLE_TWO_CARDS_ONLY: (
        RefusalCode.DOUBLE_TWO_CARDS_ONLY,
        ("R-047", "R-105"),
        "Only the first two cards of a hand can be doubled at this table.",
    ),
    DOUBLE_TOTAL_NOT_ALLOWED: (
        RefusalCode.DOUBLE_TOTAL_NOT_ALLOWED,
        ("R-047", "R-105"),
        "This total can't be doubled at this table.",
    ),
    NO_DOUBLE_AFTER_SPLIT: (
        RefusalCode.NO_DOUBLE_AFTER_SPLIT,
        ("R-047", "R-105"),
        "Split hands can't be doubled at this table.",
    ),
    NO_DOUBLE_OF_BLACKJACK: (
        RefusalCode.NO_DOUBLE_OF_BLACKJACK,
        ("R-032", "R-106", "D-17"),
        "A blackjack can't be doubled at this table.",
    ),
    NO_DOUBLE_OF_21: (
        RefusalCode.NO_DOUBLE_OF_21,
        ("R-041", "D-17"),
        "A 21 can't be doubled at this table.",
    ),
    NO_DOUBLE_OF_HARD_21: (
        RefusalCode.NO_DOUBLE_OF_HARD_21,
        ("R-039", "R-041", "O-06"),
        "A hard 21 is paid at once. Only a soft 21 can be doubled.",
    ),
    HAND_WON_ALREADY: (
        RefusalCode.HAND_WON_ALREADY,
        ("R-111", "R-112", "O-33"),
        "The hand has already won and is over.",
    ),
    SECOND_DOUBLING: (
        RefusalCode.SECOND_DOUBLING,
        ("R-048", "R-051", "R-107"),
        "A hand can be doubled only once at this table.",
    ),
}
