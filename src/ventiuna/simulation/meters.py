"""Meters over a whole run: one history, walked block after block."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ventiuna.core.table import JACKPOTS, SPECIAL_LINES
from ventiuna.kernels.simulate.meters import (
    MeterCounts,
    MeterRules,
    MeterState,
    new_meter_counts,
    walk_meters,
)
from ventiuna.simulation.work import Work

Ints = npt.NDArray[np.int64]
MOST_POINTS = 512


def meter_rules(work: Work) -> MeterRules:
    """How the meters of this work grow and pay."""
    wagered = [stake * work.spots for stake in work.jackpots]
    columns = [getattr(work.table, name) for name in MeterRules._fields[:-1]]
    columns.append(wagered + [0] * (JACKPOTS - len(wagered)))
    return MeterRules(*(np.array(column, dtype=np.int64) for column in columns))


def meter_state(cents: tuple[int, ...], remainder: tuple[int, ...] = ()) -> MeterState:
    state = MeterState(*(np.zeros(JACKPOTS, dtype=np.int64) for _ in range(3)))
    state.cents[: len(cents)] = cents
    state.remainder[: len(remainder)] = remainder
    state.highest[: len(cents)] = cents
    return state


@dataclass
class MeterHistory:
    """What the meters did so far; amounts in cents, by game."""

    cents: list[int]
    remainder: list[int] = field(default_factory=lambda: [0] * JACKPOTS)
    highest: list[int] = field(default_factory=lambda: [0] * JACKPOTS)
    resets: list[int] = field(default_factory=lambda: [0] * JACKPOTS)
    seeded: list[int] = field(default_factory=lambda: [0] * JACKPOTS)
    hits: list[list[int]] = field(
        default_factory=lambda: [[0] * SPECIAL_LINES for _ in range(JACKPOTS)]
    )
    paid: list[list[int]] = field(
        default_factory=lambda: [[0] * SPECIAL_LINES for _ in range(JACKPOTS)]
    )
    squared: list[list[int]] = field(
        default_factory=lambda: [[0] * SPECIAL_LINES for _ in range(JACKPOTS)]
    )
    own: list[list[int]] = field(default_factory=lambda: [[0, 0, 0] for _ in range(JACKPOTS)])
    points: list[tuple[int, ...]] = field(default_factory=list)  # rounds, then the meters
    every: int = 1  # blocks between points
    blocks: int = 0

    @classmethod
    def starting(cls, cents: tuple[int, ...]) -> MeterHistory:
        padded = [*cents, *[0] * (JACKPOTS - len(cents))]
        return cls(cents=padded, highest=list(padded))

    def walk(
        self,
        work: Work,
        hits: Ints,
        rounds: int,
        done: int,
        grain: int,
        totals: Ints,
        total_width: int,
        sessions: Ints | None,
    ) -> MeterCounts:
        """Pay the hits of the next block of so many rounds; `done` rounds came before."""
        state = meter_state(tuple(self.cents), tuple(self.remainder))
        state.highest[:] = self.highest
        out = new_meter_counts(len(hits))
        ended = np.zeros((0, 1, 3), dtype=np.int64) if sessions is None else sessions
        walk_meters(
            meter_rules(work),
            state,
            out,
            hits,
            rounds,
            grain,
            totals,
            total_width,
            ended,
            work.session,
        )
        self.cents = [int(cents) for cents in state.cents]
        self.remainder = [int(part) for part in state.remainder]
        self.highest = [int(cents) for cents in state.highest]
        for game in range(JACKPOTS):
            self.resets[game] += int(out.resets[game])
            self.seeded[game] += int(out.seeded[game])
            for line in range(SPECIAL_LINES):
                self.hits[game][line] += int(out.hits[game, line])
                self.paid[game][line] += int(out.paid[game, line])
                self.squared[game][line] += int(out.squared[game, line])
            for place in range(3):
                self.own[game][place] += int(out.own[game, place])
        self._note(done + rounds)
        return out

    def _note(self, rounds: int) -> None:
        """A point for the plot, fewer and fewer as the run grows."""
        self.blocks += 1
        if self.blocks % self.every == 0:
            self.points.append((rounds, *self.cents))
        if len(self.points) >= MOST_POINTS:
            self.points = self.points[1::2]
            self.every *= 2
