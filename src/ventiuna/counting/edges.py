"""The edge at each count: the average over the shoes that occur there, with its error.

Rounds are simulated to the cut card, which gives the unseen cards at the start of each round in
exactly the proportions in which a counter meets them. Whatever has been seen, the unseen cards are
in random order, so the expected result of a round is the exact value of its unseen cards, and the
edge at a count is the mean of these values. Analyzing all of them would take days. Their values to
first order, from the effects of removal, are averaged over all rounds at the count instead, and
the rest over a few shoes that are analyzed exactly.

Play is the best play for a full shoe, without index plays or insurance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.composition import fresh_composition
from ventiuna.analysis.questions.edge import Each, in_silence
from ventiuna.core.cards import CARDS
from ventiuna.counting.play import fresh_solution, value_of_play
from ventiuna.counting.removal import base_effects
from ventiuna.kernels.simulate import layout as at
from ventiuna.rules import Rules
from ventiuna.simulation.blocks import logged_rounds
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.strategies import find_strategy
from ventiuna.simulation.work import Work, make_work
from ventiuna.strategy.counting import Bet, Count
from ventiuna.strategy.errors import plan_problem

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ROUNDS = 300_000
SHOES = 16  # analyzed at each count
MOST_SHOES = 1000
RAREST = 1e-3  # share of rounds; rarer counts are left out
_PIECE = 25_000  # rounds logged at a time


@dataclass(frozen=True)
class EdgeAt:
    """Rounds at counts from `count` to less than `count` + 1, on the count's own scale."""

    count: int
    frequency: float
    ev: float  # per base wager
    error: float  # standard error

    def as_data(self) -> dict[str, object]:
        return {
            "at_count": self.count,
            "frequency": self.frequency,
            "ev": self.ev,
            "standard_error": self.error,
        }


def edges_by_count(
    rules: Rules,
    count: Count,
    base: int | None = None,
    shoes: int = SHOES,
    rounds: int = ROUNDS,
    seed: int = 21,
    each: Each = in_silence,
) -> tuple[EdgeAt, ...]:
    """The edge at each count that occurs often enough, lowest count first.

    The Super Bonus is that of `base` cents, the table minimum if none is given.
    """
    if type(shoes) is not int or not 2 <= shoes <= MOST_SHOES:
        raise plan_problem("sample", shoes, f"2 to {MOST_SHOES:,} shoes", "Choose in between.")
    wager = rules.table_minimum if base is None else base
    plain = replace(count, bets=(Bet(Fraction(-1000), 1),), plays=(), insurance_at=None)
    plan = Plan(rules, "optimal", base=wager, count=plain, seed=seed)
    met = _met(make_work(plan, find_strategy("optimal", rules, wager)), plain, rounds)
    first_order = _first_order(rules, wager, met.unseen)
    usual = fresh_solution(rules, wager)
    generator = np.random.default_rng(seed)
    places = [
        np.flatnonzero(met.counts == found)
        for found, times in zip(*np.unique(met.counts, return_counts=True), strict=True)
        if times >= max(RAREST * len(met.counts), 2 * shoes)
    ]
    drawn = [generator.choice(mine, shoes, replace=False) for mine in places]
    rest = np.zeros((len(places), shoes))
    for row, column in each("shoes", list(np.ndindex(rest.shape))):
        place = int(drawn[row][column])
        shoe = tuple(met.unseen[place].tolist())
        rest[row, column] = value_of_play(rules, wager, usual, shoe) - first_order[place]
    return tuple(
        EdgeAt(
            count=int(met.counts[mine[0]]),
            frequency=len(mine) / len(met.counts),
            ev=float(first_order[mine].mean() + rest[row].mean()),
            error=math.hypot(
                _error(first_order[mine], met.shoes[mine]),
                float(rest[row].std(ddof=1)) / math.sqrt(shoes),
            ),
        )
        for row, mine in enumerate(places)
    )


class _Met(NamedTuple):
    """The state at the start of each round."""

    unseen: Ints  # [round, card]
    counts: Ints  # rounded down
    shoes: Ints  # the number of the shoe


def _met(work: Work, count: Count, rounds: int) -> _Met:
    pieces = list(_pieces(work, count, rounds))
    unseen, counts, shoes = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    return _Met(unseen, counts, shoes)


def _pieces(work: Work, count: Count, rounds: int) -> Iterator[_Met]:
    rules, scale = work.rules, count.scale
    whole = np.array(fresh_composition(rules), dtype=np.int64)
    tags = np.array([int(count.tag(card) * scale) for card in range(CARDS)])
    start = int(count.start_in(rules.pack) * scale * rules.decks)
    deck = len(rules.pack.cards) if count.is_true else 1
    for block, first in enumerate(range(0, rounds, _PIECE)):
        size = min(_PIECE, rounds - first)
        log = logged_rounds(work, size, block)
        ends = log.rounds[:, at.ROUND_CARDS]
        begins = np.concatenate(([0], ends[:-1]))
        dealt = np.zeros((size, CARDS), dtype=np.int64)
        np.add.at(dealt, (np.repeat(np.arange(size), ends - begins), log.cards[: ends[-1]]), 1)
        before = dealt.cumsum(axis=0) - dealt
        shuffled = log.rounds[:, at.ROUND_SHUFFLED] == 1
        shuffled[0] = True
        shoes = shuffled.cumsum() - 1
        seen = before - before[np.flatnonzero(shuffled)][shoes]
        # A shoe that runs out is shuffled in the middle of a round; what follows is left out.
        kept = np.flatnonzero((seen <= whole).all(axis=1))
        seen, shoes = seen[kept], shoes[kept]
        unseen = whole - seen
        divisor = unseen.sum(axis=1) if count.is_true else 1
        counts = (start + seen @ tags) * deck // (divisor * scale)
        yield _Met(unseen, counts, shoes + first)


def _first_order(rules: Rules, base: int, unseen: Ints) -> Floats:
    """Values of these unseen cards by the effects of removal."""
    effects = base_effects(rules, base, fixed=True)
    by_card = np.array([0.0 if effect is None else effect for effect in effects.by_card])
    whole = np.array(fresh_composition(rules), dtype=np.float64)
    shares = unseen / unseen.sum(axis=1, keepdims=True) - whole / whole.sum()
    found: Floats = effects.value - (whole.sum() - 1) * (shares @ by_card)
    return found


def _error(values: Floats, shoes: Ints) -> float:
    """Standard error of the mean; rounds from one shoe are correlated."""
    _, numbers = np.unique(shoes, return_inverse=True)
    sums = np.bincount(numbers, values - values.mean())
    return math.sqrt(float((sums * sums).sum())) / len(values)
