"""Sums of products as Python ints: whatever the amounts, no digit is lost."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ventiuna.kernels.simulate.layout import WIDE_BITS

Ints = npt.NDArray[np.int64]
_INT64 = 2**63


def wide_values(sums: Ints) -> list[int]:
    """The kernel's wide sums: pairs of a low part and one that counts 2**WIDE_BITS."""
    return [low + (high << WIDE_BITS) for low, high in sums.reshape(-1, 2).tolist()]


def sum_of_products(ones: Ints, others: Ints) -> int:
    """Exact, and fast where 64 bits are enough."""
    if not len(ones):
        return 0
    if _largest(ones) * _largest(others) * len(ones) < _INT64:
        return int(np.dot(ones, others))
    return sum(one * other for one, other in zip(ones.tolist(), others.tolist(), strict=True))


def _largest(numbers: Ints) -> int:
    return max(abs(int(numbers.max())), abs(int(numbers.min())))
