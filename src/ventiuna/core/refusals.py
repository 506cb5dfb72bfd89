"""Why an action is refused: a code for the compiled functions, a sentence for people."""

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

# code: (short name, rule numbers, sentence)
REASONS: dict[int, tuple[str, tuple[str, ...], str]] = {
    NOT_WITH_BLACKJACK: (
        "not_with_blackjack",
        ("R-029", "R-032", "R-106", "R-114"),
        "A blackjack can only be paid or doubled: stand to be paid.",
    ),
    HAND_BUST: (
        "hand_bust",
        ("R-013", "R-059", "R-109"),
        "The hand has passed 21 and is lost.",
    ),
    HAND_IS_21: (
        "hand_is_21",
        ("R-039", "O-33"),
        "The hand has 21 and takes no further card: stand.",
    ),
    NO_HIT_AFTER_DOUBLE: (
        "no_hit_after_double",
        ("R-048", "R-107"),
        "A doubled hand gets one card and is never hit.",
    ),
    NO_SPLIT_AFTER_DOUBLE: (
        "no_split_after_double",
        ("R-048", "R-107"),
        "A doubled hand can't be split.",
    ),
    ALREADY_DOUBLED: (
        "already_doubled",
        ("R-053", "R-054"),
        "The hand is doubled already: a further doubling is a double-double.",
    ),
    DOUBLE_DOUBLE_NOT_OFFERED: (
        "double_double_not_offered",
        ("R-051", "R-107"),
        "This table does not offer double-double down.",
    ),
    DOUBLE_DOUBLE_NEEDS_DOUBLE: (
        "double_double_needs_double",
        ("R-052",),
        "A double-double comes only after a double: double first.",
    ),
    NO_FOURTH_DOUBLING: (
        "no_fourth_doubling",
        ("R-053", "R-056"),
        "The wager was doubled three times: only stand or rescue are left.",
    ),
    RESCUE_NOT_OFFERED: ("rescue_not_offered", ("R-057",), "This game has no rescue."),
    RESCUE_NEEDS_DOUBLE: (
        "rescue_needs_double",
        ("R-057", "R-060"),
        "Only a doubled hand can be rescued.",
    ),
    NO_RESCUE_WITH_21: (
        "no_rescue_with_21",
        ("R-039", "O-08"),
        "A doubled 21 wins and is not rescued.",
    ),
    SURRENDER_NOT_OFFERED: (
        "surrender_not_offered",
        ("R-036", "R-109"),
        "This table does not offer surrender.",
    ),
    SURRENDER_FIRST_TWO_CARDS: (
        "surrender_first_two_cards",
        ("R-036", "R-038"),
        "Surrender is the first decision on the first two cards only.",
    ),
    NO_SURRENDER_AFTER_SPLIT: (
        "no_surrender_after_split",
        ("R-036", "O-10"),
        "A split hand can't be surrendered.",
    ),
    NO_SURRENDER_WITH_21: (
        "no_surrender_with_21",
        ("R-109", "D-27"),
        "Only a hand below 21 can be surrendered.",
    ),
    SPLIT_NOT_OFFERED: (
        "split_not_offered",
        ("R-042", "R-108"),
        "This table does not offer splitting.",
    ),
    SPLIT_TWO_CARDS: (
        "split_two_cards",
        ("R-042", "R-108"),
        "Only a hand of two cards can be split.",
    ),
    SPLIT_EQUAL_VALUE_ONLY: (
        "split_equal_value_only",
        ("R-042", "R-108"),
        "Only two cards of equal value can be split.",
    ),
    SPLIT_SAME_RANK_ONLY: (
        "split_same_rank_only",
        ("R-042", "D-11"),
        "Only two cards of the same rank can be split at this table.",
    ),
    SPLIT_HANDS_USED: (
        "split_hands_used",
        ("R-042", "R-108"),
        "No further split: the spot has all the hands that splitting may make.",
    ),
    NO_RESPLIT_OF_ACES: (
        "no_resplit_of_aces",
        ("R-043", "R-108"),
        "Split aces can't be split again at this table.",
    ),
    SPLIT_ACE_ONE_CARD: (
        "split_ace_one_card",
        ("R-043", "R-108"),
        "A split ace gets one card only at this table.",
    ),
    DOUBLE_TWO_CARDS_ONLY: (
        "double_two_cards_only",
        ("R-047", "R-105"),
        "Only the first two cards of a hand can be doubled at this table.",
    ),
    DOUBLE_TOTAL_NOT_ALLOWED: (
        "double_total_not_allowed",
        ("R-047", "R-105"),
        "This total can't be doubled at this table.",
    ),
    NO_DOUBLE_AFTER_SPLIT: (
        "no_double_after_split",
        ("R-047", "R-105"),
        "Split hands can't be doubled at this table.",
    ),
    NO_DOUBLE_OF_BLACKJACK: (
        "no_double_of_blackjack",
        ("R-032", "R-106", "D-17"),
        "A blackjack can't be doubled at this table.",
    ),
    NO_DOUBLE_OF_21: ("no_double_of_21", ("R-041", "D-17"), "A 21 can't be doubled at this table."),
    NO_DOUBLE_OF_HARD_21: (
        "no_double_of_hard_21",
        ("R-039", "R-041", "O-06"),
        "A hard 21 is paid at once; only a soft 21 may be doubled.",
    ),
    HAND_WON_ALREADY: (
        "hand_won_already",
        ("R-111", "R-112", "O-33"),
        "The hand has won at once and is over.",
    ),
    SECOND_DOUBLING: (
        "second_doubling",
        ("R-048", "R-051", "R-107"),
        "A hand is doubled once only at this table.",
    ),
}
