"""Bets against a fair shoe: on every card, that its rank or suit comes too often or too rarely.

Before a card, the cards left in the shoe give the probability `p` of each rank and suit. A bet on
`odds` multiplies its stake by `odds / (1 + (odds - 1) * p)` if the card belongs to the category and
by `1 / (1 + (odds - 1) * p)` if it doesn't. That factor averages exactly 1 in a fair shoe, so a
fair shoe makes nobody rich (docs/explanation/monitor.md).

Part of the stake waits and is bet from later rounds on. A fault that begins late is then found
almost as quickly as one that was always there.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ventiuna.core.cards import RANKS, SUITS, rank_of, suit_of
from ventiuna.kernels.jit import compiled, compiled_within

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

CATEGORIES = RANKS + SUITS
ALL_LEFT = CATEGORIES  # place of the number of cards left, after those of each category
ODDS = np.array([0.5, 0.8, 0.9, 1.1, 1.25, 2.0])  # how much more often a category comes
BETS = CATEGORIES * len(ODDS)
MAX_WEALTH = 1e100


def category_counts(cards: Bytes) -> Ints:
    """The number of these cards in each category, and of all."""
    counts = np.zeros(CATEGORIES + 1, dtype=np.int64)
    for card in cards:
        counts[rank_of(int(card)) - 1] += 1
        counts[RANKS + suit_of(int(card))] += 1
        counts[ALL_LEFT] += 1
    return counts


@compiled_within
def bet_on_card(left: Ints, rank: int, suit: int, won: Floats, cost: Floats, odds: Floats) -> None:
    """Settle all bets on a card."""
    size = len(odds)
    for category in range(CATEGORIES):
        p = left[category] / left[ALL_LEFT]
        for k in range(size):
            cost[category * size + k] *= 1.0 + (odds[k] - 1.0) * p
    for k in range(size):
        won[rank * size + k] *= odds[k]
        won[suit * size + k] *= odds[k]


@compiled
def bet_on_rounds(
    cards: Bytes,
    chosen: Bytes,
    ends: Ints,
    shuffled: Bytes,
    full: Ints,
    left: Ints,
    odds: Floats,
    wealth: Floats,
    clock: Ints,
    won: Floats,
    cost: Floats,
    evidence: Floats,
) -> None:
    """Bet on the chosen cards of these rounds, and write the evidence after each one.

    `ends` are the ends of the rounds among the cards. `left`, `wealth` and `clock` (the number of
    rounds bet on so far) are updated. `won` and `cost` are working memory.
    """
    start = 0
    for number in range(len(ends)):
        if shuffled[number] == 1:
            for place in range(len(left)):
                left[place] = full[place]
        begun = False
        possible = True
        for index in range(start, ends[number]):
            rank = rank_of(int(cards[index])) - 1
            suit = RANKS + suit_of(int(cards[index]))
            if chosen[index] == 1 and not begun:
                begun = True
                for k in range(len(wealth)):
                    won[k] = 1.0
                    cost[k] = 1.0
            if left[ALL_LEFT] <= 0:
                continue  # more cards than the shoe has, or one that it doesn't have
            if left[rank] == 0 or left[suit] == 0:
                possible = possible and chosen[index] == 0
                left[ALL_LEFT] = 0
                continue
            if chosen[index] == 1:
                bet_on_card(left, rank, suit, won, cost, odds)
            left[rank] -= 1
            left[suit] -= 1
            left[ALL_LEFT] -= 1
        start = ends[number]
        if begun:
            clock[0] += 1
            # 1/2, 1/6, 1/12 …: all stakes add up to 1.
            stake = 1.0 / (clock[0] * (clock[0] + 1.0))
            for k in range(len(wealth)):
                wealth[k] = min((wealth[k] + stake) * won[k] / cost[k], MAX_WEALTH)
                if not possible:
                    wealth[k] = MAX_WEALTH
        evidence[number] = wealth.mean() + 1.0 / (clock[0] + 1.0)


def luck_signature() -> tuple[Callable[..., object], tuple[object, ...]]:
    """The kernel with arguments of the types that the monitor passes."""
    ints, floats = np.zeros(1, dtype=np.int64), np.ones(1)
    cards = np.zeros(1, dtype=np.uint8)
    arguments = (cards, cards, ints, cards, ints, ints, ODDS, floats, ints, floats, floats, floats)
    return bet_on_rounds, arguments
