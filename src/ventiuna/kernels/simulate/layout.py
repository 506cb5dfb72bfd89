"""Codes, array positions, tables and counts shared by the simulator's compiled functions."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.core.rule_table import JACKPOTS, SPECIAL_LINES

Record = np.void  # a record of one of the dtypes below
Integer = Any  # an integer of whatever width Numba infers

# A mask that leaves any array index unchanged but proves that it isn't negative, which spares the
# compiled loop a check at every lookup.
PLACE = (1 << 40) - 1

# Origin of a hand. Together with its cards, it determines the hand's legal actions. A "last" hand
# belongs to a spot that already has the maximum number of hands.
AS_DEALT, FROM_SPLIT, FROM_SPLIT_LAST, FROM_ACES, FROM_ACES_LAST = 0, 1, 2, 3, 4
DOUBLED_ONCE, DOUBLED_TWICE, DOUBLED_THRICE = 5, 6, 7
MODES = 8

# Codes in the action table: actions as in `core`, except those that end the hand. Codes from
# TERMINAL on end it with that entry of `terminal`; codes from INDEX_PLAY on depend on the count.
TERMINAL, INDEX_PLAY = 32, 128
INDEX_PLAYS = 128
# Entries of `terminal`: a row of the pay list, one of these, or SUPER + row.
BLACKJACK, DIAMOND_BLACKJACK, BUSTED, SURRENDERED, RESCUED, SUPER = 24, 25, 26, 27, 28, 32
TERMINALS = 64

UPS = 16  # up card classes, and the width of every row by up card
LEVELS = 16  # base wager sizes in a bet ramp
WAGERS = 4  # a hand's wager after 0 to 3 doublings
DEALER_BLACKJACK, DEALER_DONE = 127, 128  # from DEALER_DONE on: DEALER_DONE + total
BY_VALUE = 16  # width of a row by card value
BY_TOTAL = 32  # width of a row by hand total
CELL = 3  # per starting hand and up card: rounds, sum, sum of squares
MAX_SPOTS = 7
BLANK_CARD = 52  # a card that matches nothing and pays nothing

UNSUITED_MATCH, SUITED_MATCH = 1, 4  # chosen so that all sums of two codes differ
MATCH_CODES = 9
CODE_PAIRS = MATCH_CODES * MATCH_CODES  # pairs of codes: one for the up card, one for the down card
JACKPOT_CELLS = SPECIAL_LINES * CODE_PAIRS
CARD_KINDS = 256  # kinds of four cards; see `ventiuna.simulation.spec`
TOTAL_PLACES = 4096
MATCHES = 7  # Match the Dealer wagers: up, down, Bonus Cards 1 to 5

# Indexes into `Counts.counters`
ROUNDS, SHUFFLES, VOID, CARDS_DEALT, EXTRA_STAKE, DEALER_BLACKJACKS = 0, 1, 2, 3, 4, 5
BLACKJACKS_PAID, BLACKJACKS_PUSHED, HITS, EXTRA_SQUARED = 6, 7, 8, 9
FIRST_LEVEL = 16  # rounds at each base wager size
COUNTERS = FIRST_LEVEL + LEVELS

# Number of rounds in which a given number of spots, from 0 to all, won a payout that is the same
# for each of them. Sums and squares of the payments follow from these counts, however large the
# amounts are.
ANY_SPOTS = MAX_SPOTS + 1
INSURANCES = 2 * LEVELS * ANY_SPOTS  # by lost or won, base wager size, spots insured
SUPERS = LEVELS * ANY_SPOTS  # by base wager size, spots with a Super Bonus

# Rounds by the count at the time of the bet, in whole counts: the index is the count rounded
# down, minus LOWEST_COUNT; counts outside the range use the first or the last index.
LOWEST_COUNT, COUNT_PLACES = -64, 128
# Wide sums per count index, in cents, of base game and everything else: each spot's result, its
# square, and, with several spots, the square of their total.
COUNTED, COUNTED_SQUARED, COUNTED_TABLE_SQUARED = 0, 1, 2
COUNTED_SUMS = 3
SMALL_RESULT = 1 << 18  # cents; the squares of smaller results fit into the low int of a sum

# A wide sum is two ints; the second counts 2**WIDE_BITS. See `side_bets`.
WIDE, WIDE_BITS = 2, 62
# Indexes into `Counts.rest`: the rest is a spot's result outside the base game, in cents. Wide sums
# over spots of the rest, its square and its product with the base game's result in grains; then,
# with several spots, the same squares and products for the round's totals.
REST, REST_SQUARED, REST_PRODUCT, TABLE_REST_SQUARED, TABLE_REST_PRODUCT = 0, 1, 2, 3, 4
RESTS = 5
SMALL_REST = 1 << 23  # cents; amounts closer to 0 are added to the low int without a carry
CARRIED = 1 << 10  # rounds between carries of these sums' low ints

# Columns of `Log.spots`: results in cents.
LOG_INSURANCE, LOG_MATCH, LOG_JACKPOT, LOG_SUPER, LOG_ENVY = 0, 1, 8, 10, 11
LOG_SPOT = 12
# Columns of `Log.hands`: result and wager in grains.
HAND_ROUND, HAND_SPOT, HAND_NUMBER, HAND_RESULT, HAND_WAGER = 0, 1, 2, 3, 4
LOG_HAND = 5
# Columns of `Log.decisions`; the cell combines mode and node.
DECISION_SPOT, DECISION_CELL, DECISION_CODE = 0, 1, 2
LOG_DECISION = 3
# Columns of `Log.rounds`: entries logged so far, wager size (-1 if void), freshly shuffled.
ROUND_CARDS, ROUND_HANDS, ROUND_DECISIONS, ROUND_LEVEL, ROUND_SHUFFLED = 0, 1, 2, 3, 4
LOG_ROUND = 5

# Columns of a hit on a meter: position, line, and the results without awards of its wager, of its
# spot (base game, rest) and of all spots.
HIT_ROUND, HIT_SPOT, HIT_GAME, HIT_LINE, HIT_OWN, HIT_TABLE_OWN = 0, 1, 2, 3, 4, 5
HIT_NET, HIT_REST, HIT_TABLE_NET, HIT_TABLE_REST = 6, 7, 8, 9
HIT_COLUMNS = 10


class PlayTables(NamedTuple):
    """Lookup tables for the order of play; amounts are grains (fractions of the base wager)."""

    column: npt.NDArray[np.uint8]
    shift: int
    following: npt.NDArray[np.uint16]
    one_card: npt.NDArray[np.uint16]
    nodes: int
    action: npt.NDArray[np.uint8]  # by mode, node, up card
    stand_code: npt.NDArray[np.uint8]  # the same for a hand that gets no more cards
    legal: npt.NDArray[np.uint8]  # by mode and node: one bit per action
    total: npt.NDArray[np.uint8]
    starts_with_ace: npt.NDArray[np.uint8]  # by node of one card
    blackjack_entry: npt.NDArray[np.uint8]  # by node: entry of `terminal`; 0 if not a blackjack
    paid_first: npt.NDArray[np.uint8]  # by entry, up card, insured: 1 if it wins in any case
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
    cut: int  # shuffle when this many cards or fewer are left
    burn: int
    bonus_cards: int
    grain: int  # cents
    offset: int  # index of result 0 in the histogram


# Wagers outside the base game and their counts; amounts are cents. A record, because compiled
# functions pass its address instead of copying a tuple of arrays.
SIDE_BETS = np.dtype(
    [
        ("match_codes", np.uint8, 64 * 64),  # by player card and dealer card
        ("match_stake", np.int64, MATCHES),
        ("match_pay", np.int64, MATCHES * MATCH_CODES),
        ("jackpot_stake", np.int64, JACKPOTS),
        ("card_kind", np.uint8, 64),
        ("jackpot_possible", np.uint8, JACKPOTS * CODE_PAIRS),  # 1 if a special line is possible
        ("jackpot_line", np.uint8, JACKPOTS * CODE_PAIRS * CARD_KINDS),
        ("jackpot_pay", np.int64, JACKPOTS * JACKPOT_CELLS),  # result without awards
        ("from_meter", np.uint8, JACKPOTS * SPECIAL_LINES),
        ("insures", np.uint8, 2),  # whether to insure an ordinary hand, a blackjack
        ("insurance_stake", np.int64, LEVELS),
        ("insurance_pay", np.int64, LEVELS),
        ("total_width", np.int64),
        ("match_counts", np.int64, MATCHES * MATCH_CODES),
        # Wide sums of the squares of all spots' totals per round. The squares of single spots
        # follow from the counts.
        ("match_squared", np.int64, WIDE * MATCHES),
        ("jackpot_counts", np.int64, JACKPOTS * JACKPOT_CELLS),
        ("jackpot_squared", np.int64, WIDE * JACKPOTS),
        ("totals", np.int64, TOTAL_PLACES),  # histogram of a spot's total result
    ],
    align=True,
)
NO_INSURANCE, INSURES, INSURES_BY_COUNT = 0, 1, 2

# Parallel counts: the main count, then its side counts.
PARTS = 5
# A player who counts or makes errors. Thresholds are hundredths of a tag.
PLAYER_MODEL = np.dtype(
    [
        ("tags", np.int64, 64),  # by card: for the combined count used for bets
        ("parts", np.int64),  # counts kept for other combinations; 0 if the bet count is enough
        ("part_tags", np.int64, PARTS * 64),
        ("part_start", np.int64, PARTS),
        ("play_by_parts", np.uint8, INDEX_PLAYS),  # 1 if the play has its own combination
        ("play_weights", np.int64, INDEX_PLAYS * PARTS),
        ("insure_by_parts", np.int64),
        ("insure_weights", np.int64, PARTS),
        ("start", np.int64),
        ("scale", np.int64),  # makes tags whole numbers
        ("is_true", np.int64),  # 1 if thresholds apply to the true count
        ("deck", np.int64),  # cards per deck
        ("levels", np.int64),
        ("ramp", np.int64, LEVELS),
        ("play_at", np.int64, INDEX_PLAYS),
        ("play_below", np.uint8, INDEX_PLAYS),  # codes
        ("play_above", np.uint8, INDEX_PLAYS),
        ("departs_below", np.uint8, INDEX_PLAYS),  # 1 if it applies below the threshold
        ("insure_at", np.int64),
        ("error_limit", np.uint64),  # errors per 2**53 decisions
    ],
    align=True,
)


def new_record(kind: "np.dtype[np.void]") -> Record:
    record: Record = np.zeros(1, kind)[0]
    return record


class Sessions(NamedTuple):
    length: int
    running: npt.NDArray[np.int64]  # by spot: result, lowest, losing streak, longest
    ended: npt.NDArray[np.int64]  # by session and spot: result, lowest, longest losing streak


RESULT, LOWEST, LONGEST, LOSING = 0, 1, 2, 3  # columns of a session


# Counts that every block has, whatever its rules. All are integers, so that merging blocks gives
# identical results.
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
    """Everything a block counts except side bets."""

    sums: Record  # a record of SUMS
    results: npt.NDArray[np.int64]  # histogram of a spot's base game results in grains
    starts: npt.NDArray[np.int64]  # by starting hand and up card: CELL numbers
    visits: npt.NDArray[np.uint32]  # by deviation, mode, node, up card


# The current round.
ROUND_IN_PLAY = np.dtype(
    [
        ("dealt", np.uint8, 32),
        ("stack", np.uint16, 8),  # split cards waiting for their turn
        ("standing_total", np.uint8, 32),  # hands to compare with the dealer's
        ("standing_wager", np.int64, 32),
        ("standing_spot", np.uint8, 32),
        ("standing_row", np.int64, 32),
        ("net", np.int64, ANY_SPOTS),  # by spot: base game in grains
        ("rest", np.int64, ANY_SPOTS),  # by spot: everything else in cents
        ("parts", np.int64, (ANY_SPOTS, LOG_SPOT)),  # the rest by spot; columns as in the log
        ("insured", np.uint8, ANY_SPOTS),
        ("cells", np.int64, ANY_SPOTS),  # by spot: index of the starting hand
        ("counts", np.int64, PARTS),  # the parallel counts
    ],
    align=True,
)


class DealBuffers(NamedTuple):
    """Working memory of a block: the generator's state, the shoe, the current round."""

    state: npt.NDArray[np.uint64]
    shoe: npt.NDArray[np.uint8]
    scratch: Record  # a record of ROUND_IN_PLAY


class Log(NamedTuple):
    """A log of everything, for the lockstep proof and for single rounds."""

    cards: npt.NDArray[np.uint8]
    hands: npt.NDArray[np.int64]
    spots: npt.NDArray[np.int64]
    decisions: npt.NDArray[np.int64]
    rounds: npt.NDArray[np.int64]
