"""What the simulator's compiled functions share: codes, places in arrays, tables and counts."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.core.rule_table import JACKPOTS, SPECIAL_LINES

Record = np.void  # of one of the kinds below
Integer = Any  # an integer of whichever width Numba infers

# A mask that changes no place in an array, but says that the place is not counted from the end:
# the compiled loop is spared the question at every look-up.
PLACE = (1 << 40) - 1

# How a hand came to be: decides, with its cards, what it may do. A "last" hand belongs to a
# spot that has all the hands splitting may make.
AS_DEALT, FROM_SPLIT, FROM_SPLIT_LAST, FROM_ACES, FROM_ACES_LAST = 0, 1, 2, 3, 4
DOUBLED_ONCE, DOUBLED_TWICE, DOUBLED_THRICE = 5, 6, 7
MODES = 8

# What the action table says: actions as in `core`, but for those that end the hand. Codes from
# TERMINAL on end it with that entry of `terminal`, codes from INDEX_PLAY on depend on the count.
TERMINAL, INDEX_PLAY = 32, 128
INDEX_PLAYS = 128
# Entries of `terminal`: a row of the pay list, one of these, or SUPER + row.
BLACKJACK, DIAMOND_BLACKJACK, BUSTED, SURRENDERED, RESCUED, SUPER = 24, 25, 26, 27, 28, 32
TERMINALS = 64

UPS = 16  # classes of up cards, and the width of every row by up card
LEVELS = 16  # sizes of the base wager in a bet ramp
WAGERS = 4  # a hand's wager after 0 to 3 doublings
DEALER_BLACKJACK, DEALER_DONE = 127, 128  # from DEALER_DONE on: DEALER_DONE + total
BY_VALUE = 16  # width of a row by card value
BY_TOTAL = 32  # and by a hand's total
CELL = 3  # of each starting hand and up card: rounds, sum, sum of squares
MAX_SPOTS = 7
BLANK_CARD = 52  # counts for nothing

UNSUITED_MATCH, SUITED_MATCH = 1, 4  # sums of two cards' codes are all different
MATCH_CODES = 9
CODE_PAIRS = MATCH_CODES * MATCH_CODES  # with the up card, with the down card
JACKPOT_CELLS = SPECIAL_LINES * CODE_PAIRS
CARD_KINDS = 256  # of four cards, see `ventiuna.simulation.spec`
TOTAL_PLACES = 4096
MATCHES = 7  # Match the Dealer wagers: up, down, Bonus Cards 1 to 5

# Places in `Counts.counters`
ROUNDS, SHUFFLES, VOID, CARDS_DEALT, EXTRA_STAKE, DEALER_BLACKJACKS = 0, 1, 2, 3, 4, 5
BLACKJACKS_PAID, BLACKJACKS_PUSHED, HITS, EXTRA_SQUARED = 6, 7, 8, 9
FIRST_LEVEL = 16  # rounds at each size of the base wager
COUNTERS = FIRST_LEVEL + LEVELS

# Rounds in which so many spots, none to all, met something that pays each of them alike. Sums and
# squares of what they got follow from these counts, however large the amounts are.
ANY_SPOTS = MAX_SPOTS + 1
INSURANCES = 2 * LEVELS * ANY_SPOTS  # by lost or won, size of the base wager, spots insured
SUPERS = LEVELS * ANY_SPOTS  # by size of the base wager, spots with a Super Bonus

# Rounds by the count at which they were bet on, in whole counts: a place is the count rounded down,
# from LOWEST_COUNT on; what lies beyond the ends goes to the last place.
LOWEST_COUNT, COUNT_PLACES = -64, 128
# Wide sums of each place, in cents, base game and all else: of every spot's result, of its square,
# and, with several spots, of the square of what they came to together.
COUNTED, COUNTED_SQUARED, COUNTED_TABLE_SQUARED = 0, 1, 2
COUNTED_SUMS = 3
SMALL_RESULT = 1 << 18  # cents, up and down: squares of a block's fit into the low int of a sum

# A wide sum is two ints, of which the second counts 2**WIDE_BITS: see `side_bets`.
WIDE, WIDE_BITS = 2, 62
# Places in `Counts.rest`: the rest is what a spot wins or loses besides the base game, in cents.
# Wide sums over spots of the rest, its square and its product with the base game's result in
# grains; then, with several spots, the same squares and products for all of a round together.
REST, REST_SQUARED, REST_PRODUCT, TABLE_REST_SQUARED, TABLE_REST_PRODUCT = 0, 1, 2, 3, 4
RESTS = 5
SMALL_REST = 1 << 23  # cents, up and down: smaller ones are added as to plain sums
CARRIED = 1 << 10  # rounds after which the low ints of these sums are looked after

# Columns of `Log.spots`: results in cents.
LOG_INSURANCE, LOG_MATCH, LOG_JACKPOT, LOG_SUPER, LOG_ENVY = 0, 1, 8, 10, 11
LOG_SPOT = 12
# Columns of `Log.hands`: result and wager in grains.
HAND_ROUND, HAND_SPOT, HAND_NUMBER, HAND_RESULT, HAND_WAGER = 0, 1, 2, 3, 4
LOG_HAND = 5
# Columns of `Log.decisions`: the cell is mode and node.
DECISION_SPOT, DECISION_CELL, DECISION_CODE = 0, 1, 2
LOG_DECISION = 3
# Columns of `Log.rounds`: what was logged so far, size of the wager (-1: void), freshly shuffled.
ROUND_CARDS, ROUND_HANDS, ROUND_DECISIONS, ROUND_LEVEL, ROUND_SHUFFLED = 0, 1, 2, 3, 4
LOG_ROUND = 5

# Columns of a hit on a meter: where, which line, and the results without awards of its wager, of
# its spot (base game, rest) and of all spots.
HIT_ROUND, HIT_SPOT, HIT_GAME, HIT_LINE, HIT_OWN, HIT_TABLE_OWN = 0, 1, 2, 3, 4, 5
HIT_NET, HIT_REST, HIT_TABLE_NET, HIT_TABLE_REST = 6, 7, 8, 9
HIT_COLUMNS = 10


class PlayTables(NamedTuple):
    """What the order of play looks up; amounts are grains (parts of the base wager)."""

    column: npt.NDArray[np.uint8]
    shift: int
    following: npt.NDArray[np.uint16]
    one_card: npt.NDArray[np.uint16]
    nodes: int
    action: npt.NDArray[np.uint8]  # by mode, node, up card
    stand_code: npt.NDArray[np.uint8]  # the same of a hand that takes no more cards
    legal: npt.NDArray[np.uint8]  # by mode and node: a bit for each action
    total: npt.NDArray[np.uint8]
    starts_with_ace: npt.NDArray[np.uint8]  # by node of one card
    blackjack_entry: npt.NDArray[np.uint8]  # by node: entry of `terminal`, 0: no blackjack
    paid_first: npt.NDArray[np.uint8]  # by entry, up card, insured: does it win anyway?
    up_class: npt.NDArray[np.uint8]
    value: npt.NDArray[np.uint8]
    dealer_start: npt.NDArray[np.uint8]  # by the values of up card and down card
    dealer_next: npt.NDArray[np.uint8]  # by state and value
    compare: npt.NDArray[np.int8]  # by dealer total and player total
    wagers: npt.NDArray[np.int64]  # by level and number of doublings
    terminal: npt.NDArray[np.int64]  # by level, mode, entry
    super_pay: npt.NDArray[np.int64]  # by level, cents
    envy_pay: npt.NDArray[np.int64]  # by own and others' Super Bonuses, cents
    split_hands: int
    cut: int  # shuffle when so many cards or fewer are left
    burn: int
    bonus_cards: int
    grain: int  # cents
    offset: int  # of result 0 in the histogram


# Wagers besides the base game, and what is counted of them; amounts are cents. A record, because
# compiled functions pass its address where they would copy a tuple of arrays.
SIDE_BETS = np.dtype(
    [
        ("match_codes", np.uint8, 64 * 64),  # by player card and dealer card
        ("match_stake", np.int64, MATCHES),
        ("match_pay", np.int64, MATCHES * MATCH_CODES),
        ("jackpot_stake", np.int64, JACKPOTS),
        ("card_kind", np.uint8, 64),
        ("jackpot_possible", np.uint8, JACKPOTS * CODE_PAIRS),  # may it be a special line?
        ("jackpot_line", np.uint8, JACKPOTS * CODE_PAIRS * CARD_KINDS),
        ("jackpot_pay", np.int64, JACKPOTS * JACKPOT_CELLS),  # result without awards
        ("from_meter", np.uint8, JACKPOTS * SPECIAL_LINES),
        ("insures", np.uint8, 2),  # habit with a plain hand, with a blackjack
        ("insurance_stake", np.int64, LEVELS),
        ("insurance_pay", np.int64, LEVELS),
        ("total_width", np.int64),
        ("match_counts", np.int64, MATCHES * MATCH_CODES),
        # Wide sums of squares of all spots of a round together; one spot's follow from the counts.
        ("match_squared", np.int64, WIDE * MATCHES),
        ("jackpot_counts", np.int64, JACKPOTS * JACKPOT_CELLS),
        ("jackpot_squared", np.int64, WIDE * JACKPOTS),
        ("totals", np.int64, TOTAL_PLACES),  # histogram of a spot's whole result
    ],
    align=True,
)
NO_INSURANCE, INSURES, INSURES_BY_COUNT = 0, 1, 2

# Counts kept side by side: the main count, then its side counts.
PARTS = 5
# A player who counts or errs. Thresholds are hundredths of a tag.
PLAYER_MODEL = np.dtype(
    [
        ("tags", np.int64, 64),  # by card: of the sum of counts that bets are made by
        ("parts", np.int64),  # counts kept for other sums of them; 0: bets' sum serves for all
        ("part_tags", np.int64, PARTS * 64),
        ("part_start", np.int64, PARTS),
        ("play_by_parts", np.uint8, INDEX_PLAYS),  # 1: the play has a sum of its own
        ("play_weights", np.int64, INDEX_PLAYS * PARTS),
        ("insure_by_parts", np.int64),
        ("insure_weights", np.int64, PARTS),
        ("start", np.int64),
        ("scale", np.int64),  # makes tags whole numbers
        ("is_true", np.int64),  # 1: thresholds are for the true count
        ("deck", np.int64),  # cards of a deck
        ("levels", np.int64),
        ("ramp", np.int64, LEVELS),
        ("play_at", np.int64, INDEX_PLAYS),
        ("play_below", np.uint8, INDEX_PLAYS),  # codes
        ("play_above", np.uint8, INDEX_PLAYS),
        ("departs_below", np.uint8, INDEX_PLAYS),  # 1: it is below that the chart is left
        ("insure_at", np.int64),
        ("error_limit", np.uint64),  # of 2**53 decisions so many are errors
    ],
    align=True,
)


def new_record(kind: "np.dtype[np.void]") -> Record:
    record: Record = np.zeros(1, kind)[0]
    return record


class Sessions(NamedTuple):
    length: int
    running: npt.NDArray[np.int64]  # by spot: result, lowest, losing run, longest
    ended: npt.NDArray[np.int64]  # by session and spot: result, lowest, longest losing run


RESULT, LOWEST, LONGEST, LOSING = 0, 1, 2, 3  # columns of a session


# What every block counts, whatever its rules. All integers, so blocks merge to the same digits.
SUMS = np.dtype(
    [
        ("counters", np.int64, COUNTERS),
        ("compared", np.int64, BY_TOTAL * BY_TOTAL),  # by dealer total and player total
        ("spots", np.int64, MAX_SPOTS * (1 + MAX_SPOTS)),  # sums, then sums of products
        ("insured", np.int64, INSURANCES),
        ("supers", np.int64, SUPERS),
        ("rest", np.int64, WIDE * RESTS),
        ("count_rounds", np.int64, COUNT_PLACES),
        ("count_results", np.int64, WIDE * COUNT_PLACES * COUNTED_SUMS),
    ],
    align=True,
)


class Counts(NamedTuple):
    """Everything a block counts besides the side wagers."""

    sums: Record  # a record of SUMS
    results: npt.NDArray[np.int64]  # histogram of a spot's base game in grains
    starts: npt.NDArray[np.int64]  # by starting hand and up card: CELL numbers
    visits: npt.NDArray[np.uint32]  # by deviation, mode, node, up card


# The round in play.
ROUND_IN_PLAY = np.dtype(
    [
        ("dealt", np.uint8, 32),
        ("stack", np.uint16, 8),  # split cards that wait for their turn
        ("standing_total", np.uint8, 32),  # hands to be compared with the dealer's
        ("standing_wager", np.int64, 32),
        ("standing_spot", np.uint8, 32),
        ("standing_row", np.int64, 32),
        ("net", np.int64, ANY_SPOTS),  # by spot: the base game in grains
        ("rest", np.int64, ANY_SPOTS),  # by spot: all else in cents
        ("parts", np.int64, (ANY_SPOTS, LOG_SPOT)),  # of the rest, by spot; columns as in the log
        ("insured", np.uint8, ANY_SPOTS),
        ("cells", np.int64, ANY_SPOTS),  # by spot: place of the starting hand
        ("counts", np.int64, PARTS),  # kept side by side
    ],
    align=True,
)


class DealBuffers(NamedTuple):
    """Where a block is played: the generator's state, the shoe, the round in play."""

    state: npt.NDArray[np.uint64]
    shoe: npt.NDArray[np.uint8]
    scratch: Record  # a record of ROUND_IN_PLAY


class Log(NamedTuple):
    """Everything that happened, for the lockstep proof and for single rounds."""

    cards: npt.NDArray[np.uint8]
    hands: npt.NDArray[np.int64]
    spots: npt.NDArray[np.int64]
    decisions: npt.NDArray[np.int64]
    rounds: npt.NDArray[np.int64]
