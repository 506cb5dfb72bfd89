"""What a learner sees and may do, and what is kept of every seat: codes and places in arrays."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.core.actions import ACTIONS
from ventiuna.core.cards import RANKS

# What the seat is asked for.
WAGER, BLACKJACK, INSURANCE, PLAY, OVER = 0, 1, 2, 3, 4

# Choices: the actions of `core` first, then the answers, then the wagers by size.
INSURE, DECLINE, TAKE, KEEP, DOUBLE_FOR_LESS = 7, 8, 9, 10, 11
FIRST_WAGER = 12
assert INSURE == ACTIONS
MAX_WAGERS = 16

# Columns of an observation. The hand's are 0 when the seat has none in play.
PHASE, TOTAL, SOFT, CARDS, DOUBLINGS = 0, 1, 2, 3, 4
SPLIT, HANDS, HAND, UP, LEVEL, INSURED, FOR_LESS, SUITS = 5, 6, 7, 8, 9, 10, 11, 12
RANK = 13  # how many of each rank the hand has, aces first
LEFT = RANK + RANKS  # cards in the shoe
UNSEEN = LEFT + 1  # by value, aces first: shoe, down card and burnt cards
VALUES = 10
COLUMNS = UNSEEN + VALUES

# How a hand came to be split.
NOT_SPLIT, FROM_PAIR, FROM_ACES = 0, 1, 2

# Where a round is: the stages of the engine that may have to wait for the seat.
BEGIN, DEAL, PAID_FIRST, ASK_INSURANCE, PAID_UNINSURED = 0, 1, 2, 3, 4
CHECK, PAID_AFTER_CHECK, TURN, END_OF_HAND, DEALER, CLOSE = 5, 6, 7, 8, 9, 10

# Where the next card goes. From FIRST on in the order of the deal.
NO_CARD, BURNT, TO_HAND, TO_DEALER, FIRST, UP_CARD, SECOND, DOWN, BONUS = 0, 1, 2, 3, 4, 5, 6, 7, 8

# What a seat may be told besides a choice: begin an episode, do nothing.
NEW_EPISODE, NO_CHOICE = -(1 << 62), -(1 << 62) - 1

# Whether a blackjack was taken.
UNANSWERED, TAKEN, KEPT = 0, 1, 2

# When an episode ends, and what comes then.
ROUNDS, SHOES = 0, 1
NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2

MAX_HANDS = 16
SEAT = np.dtype(
    [
        ("state", np.uint64, 4),  # of the generator
        ("pos", np.int64),  # cards of the shoe that are dealt
        ("begin", np.int64),  # of these, before the round
        ("settled", np.int64),  # grains
        ("cents", np.int64),  # won or lost besides the base game
        ("waiting", np.int64),  # cards that wait for their turn after a split
        ("standing", np.int64),  # hands that wait for the dealer
        ("standing_wager", np.int64, MAX_HANDS),
        ("standing_total", np.uint8, MAX_HANDS),
        ("split_cards", np.uint8, MAX_HANDS),
        ("phase", np.uint8),
        ("stage", np.uint8),
        ("level", np.uint8),  # size of the wager
        ("mode", np.uint8),
        ("node", np.uint16),
        ("first", np.uint8),  # the hand's first card
        ("last", np.uint8),
        ("doublings", np.uint8),
        ("for_less", np.uint8),  # 1: the hand was doubled for less
        ("split", np.uint8),
        ("hands", np.uint8),
        ("finished", np.uint8),  # hands
        ("up", np.uint8),
        ("down", np.uint8),
        ("hidden", np.uint8),  # 1: the down card lies face down
        ("dealer", np.uint8),
        ("insured", np.uint8),
        ("answer", np.uint8),
        ("paid", np.uint8),  # 1: the blackjack is paid
        ("void", np.uint8),
    ],
    align=True,
)


class SeatTables(NamedTuple):
    """What a seat's choices need besides the tables of play, asked of `core` beforehand."""

    cards: npt.NDArray[np.uint8]  # of each node: how many
    soft: npt.NDArray[np.uint8]
    fresh: npt.NDArray[np.int16]  # cards of a full shoe by value
    paid_when: npt.NDArray[np.uint8]  # by class of up card and insured
    may_insure: npt.NDArray[np.uint8]  # by class of up card and blackjack
    checks: npt.NDArray[np.uint8]  # by class of up card: does the dealer look?
    wins_both: int  # 1: a blackjack that is not paid yet beats the dealer's
    insurance_stake: npt.NDArray[np.int64]  # by size of the wager, cents
    insurance_pay: npt.NDArray[np.int64]
    for_less: npt.NDArray[np.uint8]  # by size of the wager: 1: it can be doubled for less
    sizes: int  # of the wager; amounts of hands doubled for less follow those of all sizes
    base: int  # cents: what rewards are counted in
    wagers: int  # sizes to choose from; 0: the seat is not asked
    episode: int
    autoreset: int


class Seats(NamedTuple):
    """All that is kept, by seat."""

    seats: npt.NDArray[np.void]  # of SEAT
    shoes: npt.NDArray[np.uint8]


class StepOutput(NamedTuple):
    """What a step tells, by seat."""

    observations: npt.NDArray[np.int16]
    masks: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float64]
    terminated: npt.NDArray[np.bool_]
    rounds: npt.NDArray[np.int64]  # that were closed
    passed: npt.NDArray[np.float64]  # result of rounds before an episode's first choice
    illegal: npt.NDArray[np.bool_]
    final_observations: npt.NDArray[np.int16]


class CardLog(NamedTuple):
    """Every card drawn, for the proof against the engine."""

    cards: npt.NDArray[np.uint8]
    drawn: npt.NDArray[np.int64]
