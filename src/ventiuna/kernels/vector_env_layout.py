"""Layout of a learner's observations and choices and of each seat's state in arrays."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.core.actions import ACTIONS
from ventiuna.core.cards import RANKS

# The kind of choice the seat must make.
WAGER, BLACKJACK, INSURANCE, PLAY, OVER = 0, 1, 2, 3, 4

# Choices: the actions in `core`, then the answers, then the wagers by size.
INSURE, DECLINE, TAKE, KEEP, DOUBLE_FOR_LESS = 7, 8, 9, 10, 11
FIRST_WAGER = 12
assert INSURE == ACTIONS
MAX_WAGERS = 16

# Columns of an observation. Hand columns are 0 if the seat has no hand in play.
PHASE, TOTAL, SOFT, CARDS, DOUBLINGS = 0, 1, 2, 3, 4
SPLIT, HANDS, HAND, UP, LEVEL, INSURED, FOR_LESS, SUITS = 5, 6, 7, 8, 9, 10, 11, 12
RANK = 13  # count of each rank in the hand, aces first
LEFT = RANK + RANKS  # cards left in the shoe
UNSEEN = LEFT + 1  # by value, aces first: shoe, down card and burned cards
VALUES = 10
COLUMNS = UNSEEN + VALUES

# Split history of a hand.
NOT_SPLIT, FROM_PAIR, FROM_ACES = 0, 1, 2

# Stages of a round: the engine's stages that may have to wait for the seat.
BEGIN, DEAL, PAID_FIRST, ASK_INSURANCE, PAID_UNINSURED = 0, 1, 2, 3, 4
CHECK, PAID_AFTER_CHECK, TURN, END_OF_HAND, DEALER, CLOSE = 5, 6, 7, 8, 9, 10

# Destination of the next card. From FIRST on, in the order of the deal.
NO_CARD, BURNT, TO_HAND, TO_DEALER, FIRST, UP_CARD, SECOND, DOWN, BONUS = 0, 1, 2, 3, 4, 5, 6, 7, 8

# Commands to a seat other than choices: begin an episode, do nothing.
NEW_EPISODE, NO_CHOICE = -(1 << 62), -(1 << 62) - 1

# Whether a blackjack was taken.
UNANSWERED, TAKEN, KEPT = 0, 1, 2

# When an episode ends, and how the next one begins.
ROUNDS, SHOES = 0, 1
NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2

MAX_HANDS = 16
SEAT = np.dtype(
    [
        ("state", np.uint64, 4),  # state of the random generator
        ("pos", np.int64),  # cards dealt from the shoe
        ("begin", np.int64),  # cards dealt before the round
        ("settled", np.int64),  # grains
        ("cents", np.int64),  # won or lost outside the base game
        ("waiting", np.int64),  # split cards waiting for their turn
        ("standing", np.int64),  # hands waiting for the dealer
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
        ("for_less", np.uint8),  # 1 if the hand was doubled for less
        ("split", np.uint8),
        ("hands", np.uint8),
        ("finished", np.uint8),  # finished hands
        ("up", np.uint8),
        ("down", np.uint8),
        ("hidden", np.uint8),  # 1 if the down card is face down
        ("dealer", np.uint8),
        ("insured", np.uint8),
        ("answer", np.uint8),
        ("paid", np.uint8),  # 1 if the blackjack is paid
        ("void", np.uint8),
    ],
    align=True,
)


class SeatTables(NamedTuple):
    """Tables for a seat's choices other than playing a hand, precomputed from `core`."""

    cards: npt.NDArray[np.uint8]  # number of cards of each node
    soft: npt.NDArray[np.uint8]
    fresh: npt.NDArray[np.int16]  # cards of a full shoe by value
    paid_when: npt.NDArray[np.uint8]  # by up card class and insured
    may_insure: npt.NDArray[np.uint8]  # by up card class and blackjack
    checks: npt.NDArray[np.uint8]  # by up card class: 1 if the dealer checks
    wins_both: int  # 1 if an unpaid blackjack beats the dealer's
    insurance_stake: npt.NDArray[np.int64]  # by wager size, cents
    insurance_pay: npt.NDArray[np.int64]
    for_less: npt.NDArray[np.uint8]  # by wager size: 1 if it can be doubled for less
    sizes: int  # number of wager sizes; amounts of hands doubled for less follow those of all sizes
    base: int  # cents; the unit of rewards
    wagers: int  # number of sizes to choose from; 0 if there is no choice
    episode: int
    autoreset: int


class Seats(NamedTuple):
    """The complete state, by seat."""

    seats: npt.NDArray[np.void]  # records of SEAT
    shoes: npt.NDArray[np.uint8]


class StepOutput(NamedTuple):
    """Output of a step, by seat."""

    observations: npt.NDArray[np.int16]
    masks: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float64]
    terminated: npt.NDArray[np.bool_]
    rounds: npt.NDArray[np.int64]  # completed rounds
    passed: npt.NDArray[np.float64]  # result of rounds before an episode's first choice
    illegal: npt.NDArray[np.bool_]
    final_observations: npt.NDArray[np.int16]


class CardLog(NamedTuple):
    """Every card drawn, for comparison with the engine."""

    cards: npt.NDArray[np.uint8]
    drawn: npt.NDArray[np.int64]
