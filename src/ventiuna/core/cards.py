"""Cards as small ints: 0 is the ace of clubs, 51 the king of spades.

`card = 4 * (rank - 1) + suit`, with ranks 1 (ace) to 13 (king) and suits in the
order clubs, diamonds, hearts, spades.
"""

ACE, SEVEN, TEN, JACK, QUEEN, KING = 1, 7, 10, 11, 12, 13
CLUBS, DIAMONDS, HEARTS, SPADES = 0, 1, 2, 3
CARDS = 52

SPADE_ACE = 4 * (ACE - 1) + SPADES
SPADE_KING = 4 * (KING - 1) + SPADES


def rank_of(card: int) -> int:
    return card // 4 + 1


def suit_of(card: int) -> int:
    return card % 4


def value_of(card: int) -> int:
    """Faces and tens count 10, other cards their number; an ace 1 here (R-011)."""
    rank = card // 4 + 1
    return 10 if rank > 10 else rank
