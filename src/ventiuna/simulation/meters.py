"""Meters over a whole run: one history, walked block after block."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.core.table import JACKPOTS, SPECIAL_LINES
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.meters import (
    BlockHits,
    MeterRules,
    MeterState,
    new_meter_counts,
    walk_meters,
)
from ventiuna.simulation.exact_sums import sum_of_products
from ventiuna.simulation.work import Kit, Work

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


class WagerAwards(NamedTuple):
    """What awards add to a wager's sum, its squares by spot and those of a round's spots."""

    total: int
    squared: int
    together: int


NO_AWARDS = WagerAwards(0, 0, 0)


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
    own: list[WagerAwards] = field(default_factory=lambda: [NO_AWARDS] * JACKPOTS)
    points: list[tuple[int, ...]] = field(default_factory=list)  # rounds, then the meters
    every: int = 1  # blocks between points
    blocks: int = 0

    @classmethod
    def starting(cls, cents: tuple[int, ...]) -> MeterHistory:
        padded = [*cents, *[0] * (JACKPOTS - len(cents))]
        return cls(cents=padded, highest=list(padded))

    def walk(
        self, kit: Kit, hits: Ints, rounds: int, totals: Ints, sessions: Ints | None
    ) -> Awards:
        """Pay the hits of the next block of so many rounds, and move its results with them."""
        state = meter_state(tuple(self.cents), tuple(self.remainder))
        state.highest[:] = self.highest
        out = new_meter_counts(len(hits))
        ended = np.zeros((0, 1, 3), dtype=np.int64) if sessions is None else sessions
        walk_meters(
            meter_rules(kit.work),
            state,
            out,
            BlockHits(
                hits=hits,
                rounds=rounds,
                grain=kit.grain,
                totals=totals,
                total_width=kit.total_width,
                sessions=ended,
                session_length=kit.work.session,
            ),
        )
        self.cents = [int(cents) for cents in state.cents]
        self.remainder = [int(part) for part in state.remainder]
        self.highest = [int(cents) for cents in state.highest]
        for game in range(JACKPOTS):
            self.resets[game] += int(out.resets[game])
            self.seeded[game] += int(out.seeded[game])
        self._add_awards(hits, out.payments)
        return Awards(out.payments, added_to_rest(hits, out.payments))

    def _add_awards(self, hits: Ints, payments: Ints) -> None:
        for game in range(JACKPOTS):
            of_game = hits[:, at.HIT_GAME] == game
            for line in range(SPECIAL_LINES):
                paid = payments[of_game & (hits[:, at.HIT_LINE] == line)]
                self.hits[game][line] += len(paid)
                self.paid[game][line] += sum(paid.tolist())
                self.squared[game][line] += sum_of_products(paid, paid)
            added = added_to_wager(hits[of_game], payments[of_game])
            self.own[game] = WagerAwards(
                *(sum(parts) for parts in zip(self.own[game], added, strict=True))
            )

    def note(self, rounds: int) -> None:
        """A point for the plot after so many rounds, fewer and fewer as the run grows."""
        self.blocks += 1
        if self.blocks % self.every == 0:
            self.points.append((rounds, *self.cents))
        if len(self.points) >= MOST_POINTS:
            self.points = self.points[1::2]
            self.every *= 2


# --- what awards add to sums that a block made without them -------------------------------------


@dataclass(frozen=True)
class Awards:
    """What the meters paid for the hits of a block."""

    payments: Ints  # cents of each hit
    rest: list[int]  # added to the sums of all besides the base game, places as in the layout


def added_to_wager(hits: Ints, payments: Ints) -> WagerAwards:
    """By the hits of one game.

    A spot hits a game at most once a round; of n cents more, (own + n)^2 is n (2 own + n) larger.
    """
    rounds = _first_rows(hits, at.HIT_ROUND)
    together = _sums_from(payments, rounds)
    return WagerAwards(
        sum(payments.tolist()),
        _growth_of_squares(hits[:, at.HIT_OWN], payments),
        _growth_of_squares(hits[rounds, at.HIT_TABLE_OWN], together),
    )


def added_to_rest(hits: Ints, payments: Ints) -> list[int]:
    """Awards of all games, gathered by spot and by round."""
    spots = _first_rows(hits, at.HIT_ROUND, at.HIT_SPOT)
    by_spot = _sums_from(payments, spots)
    rounds = _first_rows(hits, at.HIT_ROUND)
    by_round = _sums_from(payments, rounds)
    added = [0] * at.RESTS
    added[at.REST] = sum(payments.tolist())
    added[at.REST_SQUARED] = _growth_of_squares(hits[spots, at.HIT_REST], by_spot)
    added[at.REST_PRODUCT] = sum_of_products(hits[spots, at.HIT_NET], by_spot)
    added[at.TABLE_REST_SQUARED] = _growth_of_squares(hits[rounds, at.HIT_TABLE_REST], by_round)
    added[at.TABLE_REST_PRODUCT] = sum_of_products(hits[rounds, at.HIT_TABLE_NET], by_round)
    return added


def _first_rows(hits: Ints, *columns: int) -> npt.NDArray[np.intp]:
    """The first row of each group of neighbours that are equal in these columns."""
    if not len(hits):
        return np.zeros(0, dtype=np.intp)
    differs = (hits[1:, columns] != hits[:-1, columns]).any(axis=1)
    return np.flatnonzero(np.concatenate(([True], differs)))


def _sums_from(payments: Ints, firsts: npt.NDArray[np.intp]) -> Ints:
    """The payments of each group that begins at one of the rows."""
    return np.add.reduceat(payments, firsts) if len(firsts) else payments


def _growth_of_squares(before: Ints, added: Ints) -> int:
    return 2 * sum_of_products(before, added) + sum_of_products(added, added)
