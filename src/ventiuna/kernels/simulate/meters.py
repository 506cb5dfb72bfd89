"""Walks the meters through the hits of a block, in the order of rounds and seats.

Blocks are played anywhere and in any order; a meter is one history. So a block only notes its
hits, and this walk, done block after block, pays them: each award is the meter's own cents.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.core.meters import (
    contribution,
    empties_meter,
    raised_by,
    remainder_after,
    seed_after_round,
    seed_at_once,
    shown_to_next,
    special_pay,
    taken_off_meter,
)
from ventiuna.core.table import JACKPOTS
from ventiuna.kernels.jit import compiled, compiled_within
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.sides import total_place

Ints = npt.NDArray[np.int64]


class MeterRules(NamedTuple):
    """What `core.meters` reads of a RuleTable, under the same names, as arrays."""

    jackpot_percent: Ints
    jackpot_prize: Ints
    jackpot_wager: Ints
    jackpot_is_house: Ints
    jackpot_in_sequence: Ints
    jackpot_contribution: Ints
    jackpot_seed: Ints
    jackpot_reseeds_after_round: Ints
    jackpot_prize_from_meter: Ints
    wagered: Ints  # by round and game, all spots together


AsTable = Any  # MeterRules, which the functions of `core` take for a RuleTable


class MeterState(NamedTuple):
    cents: Ints
    remainder: Ints
    highest: Ints


class MeterCounts(NamedTuple):
    """What the hits of a block do to the meters, by game, and what each is paid."""

    resets: Ints
    seeded: Ints  # cents put in by the house after a reset
    payments: Ints  # [hit]: cents paid


class BlockHits(NamedTuple):
    """The hits of a block, and its results that awards move."""

    hits: Ints
    rounds: int
    grain: int  # cents of a unit of the base game
    totals: Ints  # histogram of whole results
    total_width: int
    sessions: Ints  # that ended
    session_length: int


@compiled_within
def grow(m: AsTable, state: MeterState, game: int, rounds: int) -> None:
    """Contributions of so many rounds."""
    added = rounds * contribution(m, game, m.wagered[game])
    state.cents[game] += raised_by(state.remainder[game], added)
    state.remainder[game] = remainder_after(state.remainder[game], added)
    state.highest[game] = max(state.highest[game], state.cents[game])


@compiled_within
def add_seed(state: MeterState, out: MeterCounts, game: int, seed: int) -> None:
    state.cents[game] += seed
    out.seeded[game] += seed


@compiled
def walk_meters(
    m: AsTable,
    state: MeterState,
    out: MeterCounts,
    block: BlockHits,
) -> None:
    """Pay all hits of a block, and move its results with the awards."""
    hits, totals, sessions = block.hits, block.totals, block.sessions
    grown = np.zeros(JACKPOTS, dtype=np.int64)  # rounds whose contributions are in
    shown = np.zeros(JACKPOTS, dtype=np.int64)  # to the round's next winner
    seeds = np.zeros(JACKPOTS, dtype=np.int64)  # that come after the round
    last_round = -1
    last_spot = -1
    won_by_spot = 0
    for row in range(hits.shape[0]):
        hit = hits[row]
        number = hit[at.HIT_ROUND]
        spot = hit[at.HIT_SPOT]
        game = hit[at.HIT_GAME]
        line = hit[at.HIT_LINE]
        if number != last_round:
            for other in range(JACKPOTS):
                add_seed(state, out, other, seeds[other])
                seeds[other] = 0
                grow(m, state, other, number + 1 - grown[other])
                grown[other] = number + 1
                shown[other] = state.cents[other]
        if number != last_round or spot != last_spot:
            won_by_spot = 0
        last_round = number
        last_spot = spot
        paid = special_pay(m, game, line, shown[game])
        shown[game] = shown_to_next(m, game, line, shown[game])
        state.cents[game] -= taken_off_meter(m, game, paid)
        add_seed(state, out, game, seed_at_once(m, game, line))
        if empties_meter(m, game, line):
            out.resets[game] += 1
            seeds[game] = seed_after_round(m, game, line)
        out.payments[row] = paid
        total = hit[at.HIT_NET] * block.grain + hit[at.HIT_REST] + won_by_spot
        totals[total_place(total, block.total_width)] -= 1
        totals[total_place(total + paid, block.total_width)] += 1
        if block.session_length > 0 and number // block.session_length < sessions.shape[0]:
            sessions[number // block.session_length, spot, at.RESULT] += paid
        won_by_spot += paid
    for game in range(JACKPOTS):
        add_seed(state, out, game, seeds[game])
        grow(m, state, game, block.rounds - grown[game])


def new_meter_counts(hits: int) -> MeterCounts:
    return MeterCounts(*(np.zeros(size, dtype=np.int64) for size in (JACKPOTS, JACKPOTS, hits)))
