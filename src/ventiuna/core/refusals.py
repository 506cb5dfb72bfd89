"""Why an action is refused: a code for the compiled functions, a sentence for people."""

from ventiuna.core.refusal_codes import RefusalCode

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
        "A blackjack can only be paid or doubled: stand to be paid.",
    ),
    HAND_BUST: (
        RefusalCode.HAND_BUST,
        ("R-013", "R-059", "R-109"),
        "The hand has passed 21 and is lost.",
    ),
    HAND_IS_21: (
        RefusalCode.HAND_IS_21,
        ("R-039", "O-33"),
        "The hand has 21 and takes no further card: stand.",
    ),
    NO_HIT_AFTER_DOUBLE: (
        RefusalCode.NO_HIT_AFTER_DOUBLE,
        ("R-048", "R-107"),
        "A doubled hand gets one card and is never hit.",
    ),
    NO_SPLIT_AFTER_DOUBLE: (
        RefusalCode.NO_SPLIT_AFTER_DOUBLE,
        ("R-048", "R-107"),
        "A doubled hand can't be split.",
    ),
    ALREADY_DOUBLED: (
        RefusalCode.ALREADY_DOUBLED,
        ("R-053", "R-054"),
        "The hand is doubled already: a further doubling is a double-double.",
    ),
    DOUBLE_DOUBLE_NOT_OFFERED: (
        RefusalCode.DOUBLE_DOUBLE_NOT_OFFERED,
        ("R-051", "R-107"),
        "This table does not offer double-double down.",
    ),
    DOUBLE_DOUBLE_NEEDS_DOUBLE: (
        RefusalCode.DOUBLE_DOUBLE_NEEDS_DOUBLE,
        ("R-052",),
        "A double-double comes only after a double: double first.",
    ),
    NO_FOURTH_DOUBLING: (
        RefusalCode.NO_FOURTH_DOUBLING,
        ("R-053", "R-056"),
        "The wager was doubled three times: only stand or rescue are left.",
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
        "A doubled 21 wins and is not rescued.",
    ),
    SURRENDER_NOT_OFFERED: (
        RefusalCode.SURRENDER_NOT_OFFERED,
        ("R-036", "R-109"),
        "This table does not offer surrender.",
    ),
    SURRENDER_FIRST_TWO_CARDS: (
        RefusalCode.SURRENDER_FIRST_TWO_CARDS,
        ("R-036", "R-038"),
        "Surrender is the first decision on the first two cards only.",
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
        "This table does not offer splitting.",
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
        "No further split: the spot has all the hands that splitting may make.",
    ),
    NO_RESPLIT_OF_ACES: (
        RefusalCode.NO_RESPLIT_OF_ACES,
        ("R-043", "R-108"),
        "Split aces can't be split again at this table.",
    ),
    SPLIT_ACE_ONE_CARD: (
        RefusalCode.SPLIT_ACE_ONE_CARD,
        ("R-043", "R-108"),
        "A split ace gets one card only at this table.",
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
        "A hard 21 is paid at once; only a soft 21 may be doubled.",
    ),
    HAND_WON_ALREADY: (
        RefusalCode.HAND_WON_ALREADY,
        ("R-111", "R-112", "O-33"),
        "The hand has won at once and is over.",
    ),
    SECOND_DOUBLING: (
        RefusalCode.SECOND_DOUBLING,
        ("R-048", "R-051", "R-107"),
        "A hand is doubled once only at this table.",
    ),
}
