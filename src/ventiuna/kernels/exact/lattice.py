"""Every composition a hand can have, by the values of its cards, and which follows by a card.

Values are numbered 0 (ace), 1 (two) … 8 (nine), 9 (all ten-valued cards). A hand's number of
cards, total and softness follow from its composition, so compositions are all the states that
play needs beside a few suits.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]

VALUES = 10
ACE_VALUE, TEN_VALUE = 0, 9
BUST = -1
EMPTY = 0  # index of the composition without cards; those of one card follow it
COMPOSITIONS = 3083  # with a hard total of at most 21, these eleven included


class Lattice(NamedTuple):
    """Compositions, fewest cards first."""

    counts: Ints  # [composition, value]
    cards: Ints
    hard: Ints
    following: Ints  # [composition, value]: index, or BUST
    adds: Ints  # [composition]: how many values, from the ace on, it may still grow by


@cache
def lattice() -> Lattice:
    found: list[tuple[int, ...]] = [(0,) * VALUES]
    index = {found[0]: EMPTY}
    hard = [0]
    following: list[list[int]] = []
    for place, counts in enumerate(found):
        row = [BUST] * VALUES
        for value in range(min(VALUES, 21 - hard[place])):
            grown = (*counts[:value], counts[value] + 1, *counts[value + 1 :])
            if grown not in index:
                index[grown] = len(found)
                found.append(grown)
                hard.append(hard[place] + value + 1)
            row[value] = index[grown]
        following.append(row)
    counts_array = np.array(found, dtype=np.int64)
    hard_array = np.array(hard, dtype=np.int64)
    return Lattice(
        counts=counts_array,
        cards=counts_array.sum(axis=1),
        hard=hard_array,
        following=np.array(following, dtype=np.int64),
        adds=np.minimum(VALUES, 21 - hard_array),
    )


@cache
def without_value() -> Ints:
    """[value, composition]: the composition that is left without the cards of this value."""
    places = lattice()
    left = np.empty((VALUES, COMPOSITIONS), dtype=np.int64)
    for value in range(VALUES):
        before = np.arange(COMPOSITIONS)
        grows = places.following[:, value] != BUST
        before[places.following[grows, value]] = np.flatnonzero(grows)
        left[value] = np.arange(COMPOSITIONS)
        while places.counts[left[value], value].any():
            left[value] = before[left[value]]
    return left


@cache
def _following() -> list[list[int]]:
    """Single entries of a list are read much faster than those of an array."""
    rows: list[list[int]] = lattice().following.tolist()
    return rows


def composition_index(values: Iterable[int]) -> int:
    """The index of a hand of these values (0 to 9), or BUST."""
    following = _following()
    place = EMPTY
    for value in values:
        if place != BUST:
            place = following[place][value]
    return place
