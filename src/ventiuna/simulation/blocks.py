"""Play blocks of rounds, each with its own seed, and add them up in order.

The sums are the same, to the last digit, on every machine and with any number of workers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions
from ventiuna.core.rule_table import JACKPOTS, SPECIAL_LINES
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.layout import WIDE_BITS
from ventiuna.kernels.simulate.rounds import play_rounds
from ventiuna.kernels.simulate.side_bets import (
    BlockHits,
    MeterRules,
    MeterState,
    new_meter_counts,
    walk_meters,
)
from ventiuna.rules import load_rules
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import CompiledTables, SimulationSpec, compiled_tables, make_spec
from ventiuna.strategy.protocol import plan_problem
from ventiuna.texts import equal_fields

# --- One block ---

FIRST_HITS = 1 << 14
_MAX_CARDS = 24  # more than a hand can have


@dataclass(frozen=True)
class BlockResult:
    """The counts of one block; visits are sparse because most hands never occur."""

    number: int
    rounds: int
    results: Ints
    starts: Ints
    visited: npt.NDArray[np.uint32]  # indices
    visits: npt.NDArray[np.uint32]  # counts
    sums: Mapping[str, Ints]  # sums of the kernel's records by name; side bets may be missing
    hits: Ints | None = None
    sessions: Ints | None = None


def block_state(spec: SimulationSpec, number: int) -> npt.NDArray[np.uint64]:
    """Random state of a block, from its own seed sequence; the same on every machine."""
    sequence = np.random.SeedSequence(spec.seed, spawn_key=(number,))
    return sequence.generate_state(4, np.uint64).astype(np.uint64)


def play_blocks(spec: SimulationSpec, rounds: Mapping[int, int]) -> list[BlockResult]:
    """Play several blocks by number, as one task for a remote worker."""
    return [play_block(spec, number, size) for number, size in rounds.items()]


class Call(NamedTuple):
    """The arguments of `play_rounds`."""

    tables: at.PlayTables
    rounds: int
    several: int | None
    desk: at.DealBuffers
    out: at.Counts
    side: np.void | None
    hits: Ints | None
    player_model: np.void | None
    sessions: at.Sessions | None
    log: at.Log | None = None


def call_for(spec: SimulationSpec, number: int, rounds: int, capacity: int = FIRST_HITS) -> Call:
    """The kernel call for a block.

    Arguments that are None are compiled out. One spot, several spots and side bets have separate
    compiled variants. To save compilation time, counting, errors and sessions share one variant
    that includes everything; unused parts have no effect.
    """
    kit = compiled_tables(spec)
    is_rare = spec.thinks or spec.session > 0
    return Call(
        tables=kit.tables,
        rounds=rounds,
        several=spec.spots if is_rare or spec.spots > 1 else None,
        desk=at.DealBuffers(
            block_state(spec, number), kit.new_shoe(), at.new_record(at.ROUND_IN_PLAY)
        ),
        out=kit.new_counts(),
        side=kit.new_sides() if spec.has_sides else None,
        hits=np.zeros((capacity, at.HIT_COLUMNS), dtype=np.int64) if spec.has_sides else None,
        player_model=kit.player_model if is_rare else None,
        sessions=kit.new_sessions(rounds) if is_rare else None,
    )


def play_block(spec: SimulationSpec, number: int, rounds: int) -> BlockResult:
    """Play one block, with identical results on every machine."""
    capacity = FIRST_HITS
    while True:
        call = call_for(spec, number, rounds, capacity)
        play_rounds(*call)
        out = call.out
        found = int(out.sums["counters"][at.HITS])
        if found <= capacity:
            break
        capacity = 2 * found  # play the block again; the results stay the same
    visited = np.flatnonzero(out.visits).astype(np.uint32)
    sums = {name: out.sums[name].copy() for name in _SUMS}
    side, hits = call.side, call.hits
    if side is not None and hits is not None:
        sums |= {name: side[name].copy() for name in _SIDE_SUMS}
        hits = hits[:found].copy()
    return BlockResult(
        number=number,
        rounds=rounds,
        results=out.results,
        starts=out.starts,
        visited=visited,
        visits=out.visits[visited],
        sums=sums,
        hits=hits,
        sessions=call.sessions.ended if call.sessions is not None and spec.session else None,
    )


# --- Logged rounds ---


def logged_rounds(spec: SimulationSpec, rounds: int, number: int = 0) -> at.Log:
    """The first rounds of a block as raw kernel arrays, for sums over very many rounds."""
    call = logged_call(spec, rounds, number)
    play_rounds(*call)
    assert call.log is not None
    return call.log


def logged_call(
    spec: SimulationSpec, rounds: int, number: int = 0, shoe: npt.NDArray[np.uint8] | None = None
) -> Call:
    """A call that logs every card, hand and decision."""
    kit = compiled_tables(spec)
    most_hands = spec.spots * max(1, spec.rules.split_hands)
    log = at.Log(
        cards=np.zeros(rounds * (most_hands + 1) * _MAX_CARDS, dtype=np.uint8),
        hands=np.zeros((rounds * most_hands, at.LOG_HAND), dtype=np.int64),
        spots=np.zeros((rounds, spec.spots, at.LOG_SPOT), dtype=np.int64),
        decisions=np.zeros((rounds * most_hands * _MAX_CARDS, at.LOG_DECISION), dtype=np.int64),
        rounds=np.zeros((rounds, at.LOG_ROUND), dtype=np.int64),
    )
    capacity = max(FIRST_HITS, rounds * spec.spots * 2)
    return Call(
        tables=kit.tables,
        rounds=rounds,
        several=spec.spots,
        desk=at.DealBuffers(
            block_state(spec, number),
            kit.new_shoe() if shoe is None else shoe.copy(),
            at.new_record(at.ROUND_IN_PLAY),
        ),
        # All traces use the variant with counts and errors, so that only one has to be compiled. It
        # plays the same for a player without them.
        out=kit.new_counts(deviations=1 + actions.ACTIONS),
        side=kit.new_sides(),
        hits=np.zeros((capacity, at.HIT_COLUMNS), dtype=np.int64),
        player_model=kit.player_model,
        sessions=None,
        log=log,
    )


# --- Wide integers ---

_INT64 = 2**63


def wide_values(sums: Ints) -> list[int]:
    """Convert wide sums, pairs of a low int and a multiple of 2**WIDE_BITS, to plain ints."""
    return [low + (high << WIDE_BITS) for low, high in sums.reshape(-1, 2).tolist()]


def sum_of_products(ones: Ints, others: Ints) -> int:
    """Exact sum of products, fast if 64 bits are enough."""
    if not len(ones):
        return 0
    if _largest(ones) * _largest(others) * len(ones) < _INT64:
        return int(np.dot(ones, others))
    return sum(one * other for one, other in zip(ones.tolist(), others.tolist(), strict=True))


def _largest(numbers: Ints) -> int:
    return max(abs(int(numbers.max())), abs(int(numbers.min())))


# --- Meters during a run ---

MAX_POINTS = 512


def meter_rules(spec: SimulationSpec) -> MeterRules:
    """The rules by which the meters grow and pay."""
    wagered = [stake * spec.spots for stake in spec.jackpots]
    columns = [getattr(spec.table, name) for name in MeterRules._fields[:-1]]
    columns.append(wagered + [0] * (JACKPOTS - len(wagered)))
    return MeterRules(*(np.array(column, dtype=np.int64) for column in columns))


def meter_state(cents: tuple[int, ...], remainder: tuple[int, ...] = ()) -> MeterState:
    state = MeterState(*(np.zeros(JACKPOTS, dtype=np.int64) for _ in range(3)))
    state.cents[: len(cents)] = cents
    state.remainder[: len(remainder)] = remainder
    state.highest[: len(cents)] = cents
    return state


class WagerAwards(NamedTuple):
    """Amounts that awards add to a wager's sum and to its sums of squares by spot and by round."""

    total: int
    squared: int
    together: int


NO_AWARDS = WagerAwards(0, 0, 0)


@dataclass
class MeterHistory:
    """The history of the meters; amounts in cents, by game."""

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
    points: list[tuple[int, ...]] = field(default_factory=list)  # number of rounds, then meters
    every: int = 1  # blocks between points
    blocks: int = 0

    @classmethod
    def starting(cls, cents: tuple[int, ...]) -> MeterHistory:
        padded = [*cents, *[0] * (JACKPOTS - len(cents))]
        return cls(cents=padded, highest=list(padded))

    def walk(
        self, kit: CompiledTables, hits: Ints, rounds: int, totals: Ints, sessions: Ints | None
    ) -> Ints:
        """Pay the hits of the next block of `rounds` rounds, in cents, and adjust its results."""
        state = meter_state(tuple(self.cents), tuple(self.remainder))
        state.highest[:] = self.highest
        out = new_meter_counts(len(hits))
        ended = np.zeros((0, 1, 3), dtype=np.int64) if sessions is None else sessions
        walk_meters(
            meter_rules(kit.spec),
            state,
            out,
            BlockHits(
                hits=hits,
                rounds=rounds,
                grain=kit.grain,
                totals=totals,
                total_width=kit.total_width,
                sessions=ended,
                session_length=kit.spec.session,
            ),
        )
        self.cents = [int(cents) for cents in state.cents]
        self.remainder = [int(part) for part in state.remainder]
        self.highest = [int(cents) for cents in state.highest]
        for game in range(JACKPOTS):
            self.resets[game] += int(out.resets[game])
            self.seeded[game] += int(out.seeded[game])
        self._add_awards(hits, out.payments)
        return out.payments

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
        """Add a point to the plot; points get sparser as the run grows."""
        self.blocks += 1
        if self.blocks % self.every == 0:
            self.points.append((rounds, *self.cents))
        if len(self.points) >= MAX_POINTS:
            self.points = self.points[1::2]
            self.every *= 2


# --- Adding awards to a block's sums ---


def added_to_wager(hits: Ints, payments: Ints) -> WagerAwards:
    """The amounts that awards add, from the hits of one game.

    A spot hits a game at most once per round; n more cents increase own^2 by n (2 own + n).
    """
    rounds = _first_rows(hits, at.HIT_ROUND)
    together = _sums_from(payments, rounds)
    return WagerAwards(
        sum(payments.tolist()),
        _growth_of_squares(hits[:, at.HIT_OWN], payments),
        _growth_of_squares(hits[rounds, at.HIT_TABLE_OWN], together),
    )


def added_to_rest(hits: Ints, payments: Ints) -> list[int]:
    """The amounts that awards of all games add to the sums of everything but the base game."""
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
    """The first row of each group of consecutive rows that are equal in these columns."""
    if not len(hits):
        return np.zeros(0, dtype=np.intp)
    differs = (hits[1:, columns] != hits[:-1, columns]).any(axis=1)
    return np.flatnonzero(np.concatenate(([True], differs)))


def _sums_from(payments: Ints, firsts: npt.NDArray[np.intp]) -> Ints:
    """The payments of each group that begins at one of these rows."""
    return np.add.reduceat(payments, firsts) if len(firsts) else payments


def _growth_of_squares(before: Ints, added: Ints) -> int:
    return 2 * sum_of_products(before, added) + sum_of_products(added, added)


# --- Tally ---

Ints = npt.NDArray[np.int64]


@dataclass
class SessionTally:
    """Sessions by result, lowest point (in base wagers) and longest losing streak."""

    sessions: int = 0
    total: int = 0  # cents
    squared: int = 0
    results: Counter[int] = field(default_factory=Counter)
    lowest: Counter[int] = field(default_factory=Counter)
    losing: Counter[int] = field(default_factory=Counter)

    def add(self, ended: Ints, base: int) -> None:
        """Add sessions [session, spot, result, lowest, longest] in cents."""
        rows = ended.reshape(-1, 3)
        self.sessions += len(rows)
        results = rows[:, at.RESULT].tolist()
        self.total += sum(results)
        self.squared += sum(cents * cents for cents in results)
        for counter, found in (
            (self.results, rows[:, at.RESULT] // base),
            # Drawdowns are counted in whole wagers: four and a half is four.
            (self.lowest, -(-rows[:, at.LOWEST] // base)),
            (self.losing, rows[:, at.LONGEST]),
        ):
            values, times = np.unique(found, return_counts=True)
            for value, count in zip(values.tolist(), times.tolist(), strict=True):
                counter[value] += count


@dataclass(frozen=True)
class ConvergencePoint:
    """The edge so far, for the convergence plot."""

    rounds: int
    ev: float
    standard_error: float


# Sums from the kernel's records, kept as arrays or as lists of Python ints, which can't overflow.
ARRAYS = ("compared", "match_counts", "jackpot_counts", "totals")
_WIDE = ("rest", "count_results", "match_squared", "jackpot_squared")
_SUMS = at.SUMS.names or ()
_SIDE_SUMS = ("match_counts", "match_squared", "jackpot_counts", "jackpot_squared", "totals")
LISTS = tuple(name for name in (*_SUMS, *_SIDE_SUMS) if name not in ARRAYS)


def _new_sum(name: str) -> Ints | list[int]:
    size = (at.SUMS if name in _SUMS else at.SIDE_BETS)[name].shape[0]
    if name in ARRAYS:
        return np.zeros(size, dtype=np.int64)
    return [0] * (size // at.WIDE if name in _WIDE else size)


@dataclass
class Tally:
    """The sums of blocks 0 to `blocks` - 1."""

    spec: SimulationSpec
    results: Ints
    starts: Ints
    visits: Ints
    meters: MeterHistory
    counters: list[int]
    compared: Ints
    spots: list[int]
    insured: list[int]
    supers: list[int]
    rest: list[int]
    count_rounds: list[int]
    count_results: list[int]
    match_counts: Ints
    jackpot_counts: Ints
    match_squared: list[int]
    jackpot_squared: list[int]
    totals: Ints
    sessions: SessionTally = field(default_factory=SessionTally)
    blocks: int = 0
    block_sums: int = 0  # sum of results in grains, over whole blocks
    block_squares: int = 0
    whole_blocks: int = 0
    points: list[ConvergencePoint] = field(default_factory=list)
    every: int = 1

    __eq__ = equal_fields

    @classmethod
    def empty(cls, spec: SimulationSpec, meters: tuple[int, ...] = ()) -> Tally:
        counts = compiled_tables(spec).new_counts()
        start = meters or tuple(jackpot.seed for jackpot in spec.rules.jackpots)
        sums: dict[str, Any] = {name: _new_sum(name) for name in (*_SUMS, *_SIDE_SUMS)}
        visits = counts.visits.astype(np.int64)
        meter = MeterHistory.starting(start)
        return cls(spec, counts.results, counts.starts, visits, meter, **sums)

    @property
    def rounds(self) -> int:
        """Rounds played to the end."""
        return self.counters[at.ROUNDS] - self.counters[at.VOID]

    @property
    def dealt(self) -> int:
        """Rounds dealt, including void ones."""
        return self.counters[at.ROUNDS]

    def visits_by_decision(self) -> Ints:
        """How often each decision occurred: [deviation, mode, node, class of up card]."""
        if not len(self.visits):
            raise plan_problem(
                "result", "", "it has no record of decisions", "Simulate with records=True."
            )
        kit = compiled_tables(self.spec)
        return self.visits.reshape(kit.deviations, at.MODES, len(kit.graph), at.UPS)

    def without_records(self) -> Tally:
        """The same sums without the visits by decision, which take up nearly all of the space."""
        return replace(self, visits=np.zeros(0, dtype=np.int64))

    def add(self, block: BlockResult) -> None:
        """Add the next block."""
        if block.number != self.blocks:
            raise plan_problem(
                "tally",
                "",
                f"the next block is {self.blocks}, not {block.number}",
                "Add the blocks in order.",
            )
        self.results += block.results
        self.starts += block.starts
        self.visits[block.visited] += block.visits
        for name, found in block.sums.items():
            own = getattr(self, name)
            if name in ARRAYS:
                own += found
            else:
                _add(own, wide_values(found) if name in _WIDE else found.tolist())
        if block.hits is not None and any(self.spec.jackpots):
            kit = compiled_tables(self.spec)
            paid = self.meters.walk(kit, block.hits, block.rounds, self.totals, block.sessions)
            self.meters.note(self.counters[at.ROUNDS])
            _add(self.rest, added_to_rest(block.hits, paid))
        if block.sessions is not None:
            self.sessions.add(block.sessions, self.spec.bases[0])
        if block.rounds == self.spec.block_rounds:
            kit = compiled_tables(self.spec)
            places = np.arange(kit.results, dtype=np.int64) - kit.tables.offset
            total = int((block.results * places).sum())
            self.block_sums += total
            self.block_squares += total * total
            self.whole_blocks += 1
        self.blocks += 1

    def note(self, ev: float, standard_error: float) -> None:
        """Add a point to the convergence plot; points get sparser as the run grows."""
        if self.blocks % self.every == 0:
            self.points.append(ConvergencePoint(self.rounds, ev, standard_error))
        if len(self.points) >= MAX_POINTS:
            self.points = self.points[1::2]
            self.every *= 2


def _add(sums: list[int], more: list[int]) -> None:
    for place, number in enumerate(more):
        sums[place] += number


# --- Kernels to compile ---

_METERS = "wsgc-2021(jackpots=3c:1:wager=5:seed=1000)"


def sample_specs() -> Iterator[tuple[str, SimulationSpec]]:
    """One spec per variant of the round kernel, by name."""
    rules = load_rules("wsgc-spanish-21")
    base = Plan(rules)
    player = find_strategy("chart", rules, base.base_wager)
    yield "base game", make_spec(base, player)
    yield "several spots", make_spec(replace(base, spots=2), player)
    sides = replace(base, match={"up": 100})
    yield "side wagers", make_spec(sides, player)
    yield "several spots, side wagers", make_spec(replace(sides, spots=2), player)
    errors = Fraction(1, 100)
    yield "counts, errors and sessions", make_spec(replace(base, errors=errors), player)
    yield "the same, side wagers", make_spec(replace(sides, errors=errors), player)


def simulation_signatures() -> list[tuple[Callable[..., object], tuple[object, ...]]]:
    """Each kernel with arguments of the types that a simulation passes."""
    rounds = [(play_rounds, tuple(call_for(spec, 0, 1))) for _, spec in sample_specs()]
    return [*rounds, (walk_meters, _meters_call())]


def _meters_call() -> tuple[object, ...]:
    rules = load_rules(_METERS)
    plan = Plan(rules, jackpots=(1,))
    spec = make_spec(plan, find_strategy("chart", rules, plan.base_wager))
    hits = np.zeros((0, at.HIT_COLUMNS), dtype=np.int64)
    totals = np.zeros(0, dtype=np.int64)
    ended = np.zeros((0, 1, 3), dtype=np.int64)
    counts = new_meter_counts(0)
    block = BlockHits(hits, 0, 0, totals, 0, ended, 0)
    return (meter_rules(spec), meter_state((0,)), counts, block)
