"""Cards as small ints: 0 is the ace of clubs, 51 the king of spades.

Ranks are 1 (ace) to 13 (king); suits are 0 to 3 in the order clubs, diamonds, hearts, spades. Only
this module knows which number stands for which card, and how several cards are packed into one int.
A hand's *ranks* are four-bit counts, aces lowest. Its *suits* are one bit per suit.
"""

from collections.abc import Iterable

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
