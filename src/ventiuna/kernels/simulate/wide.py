"""Sums beyond 64 bits, exact: squares of large wagers and awards over millions of rounds.

A wide sum is two neighbouring ints, `low + high * 2**WIDE_BITS`. Nearly every amount is small:
it is added to the low int as to a plain sum, and `carry` looks after that one every so often.
"""

import numpy as np
import numpy.typing as npt

from ventiuna.kernels.jit import compiled_within
from ventiuna.kernels.simulate.layout import WIDE_BITS, Integer

Ints = npt.NDArray[np.int64]
_CARRY = 1 << WIDE_BITS
_LOW = _CARRY - 1
_HALF_BITS = WIDE_BITS // 2
_HALF = 1 << _HALF_BITS
_HALF_LOW = _HALF - 1
MOST_FACTOR = 1 << 60  # of a product, up and down


@compiled_within
def carry(sums: Ints, place: int) -> None:
    """Bring the low int between -2**62 and 2**62."""
    add_wide(sums, place, 0)


@compiled_within
def add_wide(sums: Ints, place: int, amount: Integer) -> None:
    """Add an amount between -2**62 and 2**62 where the low int is between them too."""
    low = sums[2 * place] + amount
    if low >= _CARRY or low <= -_CARRY:
        sums[2 * place + 1] += low >> WIDE_BITS
        low &= _LOW
    sums[2 * place] = low


@compiled_within
def add_product(sums: Ints, place: int, one: Integer, other: Integer) -> None:
    """Add a product of two factors up to MOST_FACTOR."""
    if -_HALF < one < _HALF and -_HALF < other < _HALF:
        add_wide(sums, place, one * other)
        return
    one_high, one_low = one >> _HALF_BITS, one & _HALF_LOW
    other_high, other_low = other >> _HALF_BITS, other & _HALF_LOW
    crossed = one_high * other_low + one_low * other_high
    sums[2 * place + 1] += one_high * other_high + (crossed >> _HALF_BITS)
    add_wide(sums, place, (crossed & _HALF_LOW) << _HALF_BITS)
    add_wide(sums, place, one_low * other_low)
