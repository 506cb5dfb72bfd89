"""One block of rounds: its seed, its play, what it counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.rounds import play_rounds
from ventiuna.simulation.work import Work, kit_of

Ints = npt.NDArray[np.int64]
FIRST_HITS = 1 << 14
_MOST_CARDS = 24  # in a hand, with room to spare


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
    count_rounds: Ints
    count_results: Ints  # wide
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


class Call(NamedTuple):
    """The arguments of `play_rounds`."""

    tables: at.PlayTables
    rounds: int
    several: int | None
    desk: at.Desk
    out: at.Counts
    side: np.void | None
    hits: Ints | None
    mind: np.void | None
    sessions: at.Sessions | None
    log: at.Log | None = None


def call_for(work: Work, number: int, rounds: int, capacity: int = FIRST_HITS) -> Call:
    """A block's call.

    What is None is compiled out. One spot, several spots, side wagers have forms of their own;
    those who count, err or play sessions share one with all of these: it changes nothing where
    it is not used, and there is less to compile.
    """
    kit = kit_of(work)
    is_rare = work.thinks or work.session > 0
    sessions = None
    if is_rare:
        sessions = kit.new_sessions(rounds) if work.session else _no_sessions(work, rounds)
    return Call(
        tables=kit.tables,
        rounds=rounds,
        several=work.spots if is_rare or work.spots > 1 else None,
        desk=at.Desk(block_state(work, number), kit.new_shoe(), at.new_record(at.ROUND_IN_PLAY)),
        out=kit.new_counts(),
        side=kit.new_sides() if work.has_sides else None,
        hits=np.zeros((capacity, at.HIT_COLUMNS), dtype=np.int64) if work.has_sides else None,
        mind=kit.mind if is_rare else None,
        sessions=sessions,
    )


def _no_sessions(work: Work, rounds: int) -> at.Sessions:
    """One that does not end."""
    return at.Sessions(
        length=rounds + 1,
        running=np.zeros((at.MOST_SPOTS + 1, 4), dtype=np.int64),
        ended=np.zeros((0, work.spots, 3), dtype=np.int64),
    )


def play_block(work: Work, number: int, rounds: int) -> BlockResult:
    """Play one block; the same digits on every machine."""
    capacity = FIRST_HITS
    while True:
        call = call_for(work, number, rounds, capacity)
        play_rounds(*call)
        out = call.out
        found = int(out.sums["counters"][at.HITS])
        if found <= capacity:
            break
        capacity = 2 * found  # the block is played again, to the same digits
    visited = np.flatnonzero(out.visits).astype(np.uint32)
    more: Mapping[str, Ints] = {}
    side, hits = call.side, call.hits
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
        count_rounds=out.sums["count_rounds"].copy(),
        count_results=out.sums["count_results"].copy(),
        sessions=call.sessions.ended if call.sessions is not None and work.session else None,
        **more,
    )


# --- rounds with a log --------------------------------------------------------------------------


def logged_rounds(work: Work, rounds: int, number: int = 0) -> at.Log:
    """The first rounds of a block as the kernel's own arrays, for sums over very many."""
    call = logged_call(work, rounds, number)
    play_rounds(*call)
    assert call.log is not None
    return call.log


def logged_call(
    work: Work, rounds: int, number: int = 0, shoe: npt.NDArray[np.uint8] | None = None
) -> Call:
    """A call that logs every card, hand and decision."""
    kit = kit_of(work)
    most_hands = work.spots * max(1, work.rules.split_hands)
    log = at.Log(
        cards=np.zeros(rounds * (most_hands + 1) * _MOST_CARDS, dtype=np.uint8),
        hands=np.zeros((rounds * most_hands, at.LOG_HAND), dtype=np.int64),
        spots=np.zeros((rounds, work.spots, at.LOG_SPOT), dtype=np.int64),
        decisions=np.zeros((rounds * most_hands * _MOST_CARDS, at.LOG_DECISION), dtype=np.int64),
        rounds=np.zeros((rounds, at.LOG_ROUND), dtype=np.int64),
    )
    capacity = max(FIRST_HITS, rounds * work.spots * 2)
    return Call(
        tables=kit.tables,
        rounds=rounds,
        several=work.spots,
        desk=at.Desk(
            block_state(work, number),
            kit.new_shoe() if shoe is None else shoe.copy(),
            at.new_record(at.ROUND_IN_PLAY),
        ),
        # One compiled form serves all traces: a mind without count and errors changes nothing.
        out=kit.new_counts(deviations=1 + actions.ACTIONS),
        side=kit.new_sides(),
        hits=np.zeros((capacity, at.HIT_COLUMNS), dtype=np.int64),
        mind=kit.mind,
        sessions=None,
        log=log,
    )
