"""The simulator's generator and the drawing of cards. Never used for a table with players."""

import numpy as np
import numpy.typing as npt

from ventiuna.kernels.jit import compiled_within
from ventiuna.kernels.simulate.layout import PLACE, Integer

U64 = np.uint64
_A, _B, _C, _D, _E = U64(23), U64(41), U64(17), U64(45), U64(19)
_UNUSED_BITS, _USED_BITS = U64(16), U64(48)


@compiled_within
def next_random(s0: U64, s1: U64, s2: U64, s3: U64) -> tuple[U64, U64, U64, U64, U64]:
    """One step of xoshiro256++: the number, then the new state."""
    mixed = s0 + s3
    number = ((mixed << _A) | (mixed >> _B)) + s0
    shifted = s1 << _C
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << _D) | (s3 >> _E)
    return number, s0, s1, s2, s3


@compiled_within
def below(number: U64, limit: int) -> Integer:
    """An index below the limit from 48 random bits: off by less than 2e-12 for any shoe."""
    return np.int64(((number >> _UNUSED_BITS) * U64(limit)) >> _USED_BITS)


@compiled_within
def gather_discards(shoe: npt.NDArray[np.uint8], begin: int) -> int:
    """The shoe ran out within a round: its cards go first, all others can come again.

    Positions from `begin` on hold the cards of the round. Returns the new position, which is
    the shoe's size when every card lies on the table.
    """
    size = len(shoe)
    lying = size - begin
    for i in range(min(lying, begin)):
        # Ends are swapped, not blocks: the order of cards still to be drawn does not matter.
        card = shoe[i]
        shoe[i] = shoe[size - 1 - i]
        shoe[size - 1 - i] = card
    return lying


@compiled_within
def draw(
    shoe: npt.NDArray[np.uint8], pos: int, s0: U64, s1: U64, s2: U64, s3: U64
) -> tuple[Integer, int, U64, U64, U64, U64]:
    """The next card by one step of Fisher and Yates; the caller has seen that there is one."""
    number, s0, s1, s2, s3 = next_random(s0, s1, s2, s3)
    here = pos & PLACE
    there = (pos + below(number, len(shoe) - pos)) & PLACE
    card = np.int64(shoe[there])
    shoe[there] = shoe[here]
    shoe[here] = card
    return card, pos + 1, s0, s1, s2, s3
