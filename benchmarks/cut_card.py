"""Effect of the cut card on simulated figures: rounds by position after the shuffle.

Unseen cards are random, so for a player who ignores the discards, every round that is certain to be
dealt has the same expectation. With a cut card, the last rounds of a shoe are dealt only if the
earlier rounds used few cards. In such shoes, many high cards are gone, so the remaining cards are
worse than usual, and rounds dealt to the cut card lose more on average than rounds from fresh
shoes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ventiuna.kernels.simulate import layout as at
from ventiuna.simulation.blocks import logged_rounds
from ventiuna.simulation.spec import SimulationSpec, compiled_tables
from ventiuna.simulation.statistics import Estimate, mean_of

PIECE = 50_000  # rounds logged at a time
NEARLY_ALL = 0.999  # share of shoes that must reach a round for it to count as certain

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RoundOfShoe:
    """All rounds at the same position after a shuffle."""

    number: int  # 1: the first
    share: float  # share of the shoes that reached it
    dealt: int
    total: int  # sum of results, in grains
    squares: int
    unit: Fraction  # grains per base wager

    @property
    def ev(self) -> Estimate:
        return mean_of(self.total, self.squares, self.dealt, self.unit)

    @property
    def is_certain(self) -> bool:
        return self.share >= NEARLY_ALL


def rounds_of_shoes(work: SimulationSpec, rounds: int) -> tuple[RoundOfShoe, ...]:
    """Play the base game of one spot, dealt to the cut card."""
    dealt, totals, squares = np.zeros((3, work.rules.shoe_size), dtype=np.int64)
    for number, result in _numbered_results(work, rounds):
        np.add.at(dealt, number, 1)
        np.add.at(totals, number, result)
        np.add.at(squares, number, result * result)
    unit = Fraction(work.bases[0], compiled_tables(work).grain)
    return tuple(
        RoundOfShoe(
            int(place) + 1,
            float(dealt[place] / dealt[0]),
            int(dealt[place]),
            int(totals[place]),
            int(squares[place]),
            unit,
        )
        for place in np.flatnonzero(dealt)
    )


def together(rounds: Sequence[RoundOfShoe]) -> Estimate:
    """Return the average value of these rounds."""
    dealt = sum(each.dealt for each in rounds)
    total, squares = sum(each.total for each in rounds), sum(each.squares for each in rounds)
    return mean_of(total, squares, dealt, rounds[0].unit)


def _numbered_results(work: SimulationSpec, rounds: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield each round's position after the shuffle and its result in grains, in pieces."""
    for block, first in enumerate(range(0, rounds, PIECE)):
        size = min(PIECE, rounds - first)
        log = logged_rounds(work, size, block)
        hands = log.hands[: log.rounds[-1, at.ROUND_HANDS]]
        results = np.zeros(size, dtype=np.int64)
        np.add.at(results, hands[:, at.HAND_ROUND], hands[:, at.HAND_RESULT])
        places = np.arange(size)
        shuffled = np.where(log.rounds[:, at.ROUND_SHUFFLED] == 1, places, 0)
        yield places - np.maximum.accumulate(shuffled), results
