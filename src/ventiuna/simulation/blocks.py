"""One block of rounds: its seed, its play, what it counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.rounds import play_rounds
from ventiuna.simulation.work import Work, kit_of

Ints = npt.NDArray[np.int64]
FIRST_HITS = 1 << 14


@dataclass(frozen=True)
class BlockResult:
    """What one block counted; visits are sparse because most hands never come."""

    number: int
    rounds: int
    counters: Ints
    results: Ints
    starts: Ints
    visited: npt.NDArray[np.uint32]  # places
    visits: npt.NDArray[np.uint32]  # how often
    compared: Ints
    spots: Ints
    insured: Ints
    supers: Ints
    rest: Ints  # wide
    match_counts: Ints | None = None
    jackpot_counts: Ints | None = None
    match_squared: Ints | None = None
    jackpot_squared: Ints | None = None
    totals: Ints | None = None
    hits: Ints | None = None
    sessions: Ints | None = None


def block_state(work: Work, number: int) -> npt.NDArray[np.uint64]:
    """Block `number` draws from a seed sequence of its own, wherever it is played."""
    sequence = np.random.SeedSequence(work.seed, spawn_key=(number,))
    return sequence.generate_state(4, np.uint64).astype(np.uint64)


def play_blocks(work: Work, rounds: Mapping[int, int]) -> list[BlockResult]:
    """Several blocks by number: one task for a far worker."""
    return [play_block(work, number, size) for number, size in rounds.items()]


def play_block(work: Work, number: int, rounds: int) -> BlockResult:
    """Play one block; the same digits on every machine."""
    kit = kit_of(work)
    capacity = FIRST_HITS
    while True:
        out = kit.new_counts()
        side = hits = None
        if work.has_sides:
            side = kit.new_sides()
            hits = np.zeros((capacity, at.HIT_COLUMNS), dtype=np.int64)
        sessions = kit.new_sessions(rounds) if work.session else None
        play_rounds(
            kit.tables,
            rounds,
            work.spots if work.spots > 1 else None,
            at.Desk(block_state(work, number), kit.new_shoe(), at.new_record(at.ROUND_IN_PLAY)),
            out,
            side,
            hits,
            kit.mind if work.thinks else None,
            sessions,
            None,
        )
        found = int(out.sums["counters"][at.HITS])
        if found <= capacity:
            break
        capacity = 2 * found  # the block is played again, to the same digits
    visited = np.flatnonzero(out.visits).astype(np.uint32)
    more: Mapping[str, Ints] = {}
    if side is not None and hits is not None:
        counted = ("match_counts", "match_squared", "jackpot_counts", "jackpot_squared", "totals")
        more = {name: side[name].copy() for name in counted} | {"hits": hits[:found].copy()}
    return BlockResult(
        number=number,
        rounds=rounds,
        counters=out.sums["counters"].copy(),
        results=out.results,
        starts=out.starts,
        visited=visited,
        visits=out.visits[visited],
        compared=out.sums["compared"].copy(),
        spots=out.sums["spots"].copy(),
        insured=out.sums["insured"].copy(),
        supers=out.sums["supers"].copy(),
        rest=out.sums["rest"].copy(),
        sessions=sessions.ended if sessions is not None else None,
        **more,
    )
