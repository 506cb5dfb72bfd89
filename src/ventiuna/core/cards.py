"""Cards as small ints, and hands as the few ints that the rules need.

Card 0 is the ace of clubs, 51 the king of spades. Ranks are 1 (ace) to 13 (king); suits are 0 to 3
in the order clubs, diamonds, hearts, spades. Only this module knows which number stands for which
card, and how several cards are packed into one int. A hand's *ranks* are four-bit counts, aces
lowest. Its *suits* are one bit per suit. The order of its cards doesn't matter.
"""

from collections.abc import Iterable
from typing import NamedTuple

ACE, SEVEN, TEN, JACK, QUEEN, KING = 1, 7, 10, 11, 12, 13
CLUBS, DIAMONDS, HEARTS, SPADES = 0, 1, 2, 3
RANKS, SUITS = 13, 4
CARDS = RANKS * SUITS

RANK_BITS = 4
ONE_RANK = (1 << RANK_BITS) - 1  # the bits of one rank's count
ANY_SUITS = (1 << (1 << SUITS)) - 1  # all 16 sets of suits, one bit each


def card_of(rank: int, suit: int) -> int:
    return SUITS * (rank - 1) + suit


def rank_of(card: int) -> int:
    return card // SUITS + 1


def suit_of(card: int) -> int:
    return card % SUITS


def value_of(card: int) -> int:
    """Card value: 10 for tens and faces, 1 for an ace, otherwise the rank (R-011)."""
    rank = card // SUITS + 1
    return 10 if rank > 10 else rank


def card_of_value(value: int) -> int:
    """Return a card of this value that is in both packs: a king for 10, not a ten."""
    return card_of(KING if value == 10 else value, CLUBS)


def suit_bit(suit: int) -> int:
    return 1 << suit


def suit_bit_of(card: int) -> int:
    return 1 << card % SUITS


def one_of_rank(rank: int) -> int:
    """One card of this rank, as packed ranks."""
    return 1 << (RANK_BITS * (rank - 1))


def count_of_rank(ranks: int, rank: int) -> int:
    """Return how many cards of this rank are in the packed ranks."""
    return ranks >> (RANK_BITS * (rank - 1)) & ONE_RANK


def ranks_below(ranks: int, rank: int) -> int:
    """Return only the packed ranks below this rank."""
    return ranks & (one_of_rank(rank) - 1)


def packed_ranks(ranks: Iterable[int]) -> int:
    return sum([one_of_rank(rank) for rank in ranks])


def unpacked_ranks(ranks: int) -> list[int]:
    """Return the rank of every card, lowest first."""
    return [rank for rank in range(1, RANKS + 1) for _ in range(count_of_rank(ranks, rank))]


SPADE_ACE = card_of(ACE, SPADES)
SPADE_KING = card_of(KING, SPADES)


# --- Hands ---


class Hand(NamedTuple):
    cards: int  # number of cards
    hard: int  # total with every ace as 1
    aces: int  # number of aces
    ranks: int  # count of each rank, four bits per rank, aces lowest
    suits: int  # bit mask of the suits present
    doublings: int  # number of times the wager was doubled
    split: int  # 1 if the hand came from a split
    split_ace: int  # 1 if it came from a split pair of aces


EMPTY_HAND = Hand(0, 0, 0, 0, 0, 0, 0, 0)


def add_card(hand: Hand, card: int) -> Hand:
    rank = rank_of(card)
    return Hand(
        hand.cards + 1,
        hand.hard + value_of(card),
        hand.aces + (1 if rank == ACE else 0),
        hand.ranks + one_of_rank(rank),
        hand.suits | suit_bit_of(card),
        hand.doublings,
        hand.split,
        hand.split_ace,
    )


def doubled_hand(hand: Hand) -> Hand:
    """Return the same cards with the wager doubled once more."""
    return Hand(
        hand.cards,
        hand.hard,
        hand.aces,
        hand.ranks,
        hand.suits,
        hand.doublings + 1,
        hand.split,
        hand.split_ace,
    )


def split_hand(card: int) -> Hand:
    """Return an undoubled hand with one card of a split pair (R-044, O-32)."""
    rank = rank_of(card)
    return Hand(
        1,
        value_of(card),
        1 if rank == ACE else 0,
        one_of_rank(rank),
        suit_bit_of(card),
        0,
        1,
        1 if rank == ACE else 0,
    )


def best_total(hard: int, aces: int) -> int:
    """Best total: an ace counts 11 unless that exceeds 21 (R-011)."""
    return hard + 10 if aces > 0 and hard <= 11 else hard


def is_soft(hard: int, aces: int) -> bool:
    return aces > 0 and hard <= 11


def is_bust(hand: Hand) -> bool:
    return hand.hard > 21


def is_blackjack(hand: Hand) -> bool:
    """Return whether an unsplit hand is an ace and a ten-valued card (R-012, O-05)."""
    return (
        hand.cards == 2
        and hand.aces == 1
        and hand.hard == 11
        and hand.split == 0
        and hand.doublings == 0
    )


def is_all_diamonds(hand: Hand) -> bool:
    return hand.suits == suit_bit(DIAMONDS)


def is_same_rank_pair(hand: Hand) -> bool:
    # Two cards of one rank leave a single bit set in the four-bit counters.
    return hand.cards == 2 and hand.ranks & (hand.ranks - 1) == 0


def is_equal_value_pair(hand: Hand) -> bool:
    """Return whether the hand is two cards of equal value, such as a jack and a king (R-042)."""
    return is_same_rank_pair(hand) or (hand.cards == 2 and hand.hard == 20)
