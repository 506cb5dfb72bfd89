"""Rounds by the count at which they were bet on: how often, what they came to, their spread."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ventiuna.kernels.simulate import layout as at
from ventiuna.simulation.statistics import Estimate, table_mean
from ventiuna.simulation.tally import Tally


@dataclass(frozen=True)
class CountLine:
    """All rounds that were bet on at counts from `count` to less than `count` + 1.

    Results are all that a spot won or lost, side wagers and bonuses too (awards of a meter are
    not), in smallest base wagers.
    """

    count: int
    rounds: int
    result: Estimate

    def as_data(self) -> dict[str, object]:
        return {
            "at_count": self.count,
            "rounds": self.rounds,
            "ev": self.result.value,
            "standard_error": self.result.standard_error,
            "sd": self.result.sd,
        }


def count_lines(tally: Tally) -> tuple[CountLine, ...]:
    """By rising count; nothing where nobody counted."""
    work = tally.work
    if work.count is None:
        return ()
    lines = []
    for place, rounds in enumerate(tally.count_rounds):
        if rounds:
            first = place * at.COUNTED_SUMS
            found = tally.count_results[first : first + at.COUNTED_SUMS]
            result = table_mean(
                found[at.COUNTED],
                found[at.COUNTED_SQUARED],
                found[at.COUNTED_TABLE_SQUARED],
                rounds,
                work.spots,
                Fraction(work.bases[0]),
            )
            lines.append(CountLine(place + at.LOWEST_COUNT, rounds, result))
    return tuple(lines)
