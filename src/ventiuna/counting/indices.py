"""Index numbers: the true counts at which the best action of a chart cell changes.

Shoes tilted to a range of true counts are analysed exactly (`tilt`), each decision of each is read,
and between them a cubic through the four nearest gives the rest. A decision's own cards and the up
card have been seen when it is made, so they are in the true count that its index names.

Cells are those of a chart (`cells`). What one earns is the mean, over
how often each true count is met, of what the best action there is ahead of the usual one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.charts.derive.groups import LETTER_OF
from ventiuna.analysis.questions.edge import Each, in_silence
from ventiuna.core.cards import SPADE_ACE, value_of
from ventiuna.counting.cells import ByClass, Cell, cells_of, classes_of, with_splits
from ventiuna.counting.decisions import CHOICES, Decisions, decisions_of
from ventiuna.counting.depth import Depths
from ventiuna.counting.edges import SHOES, EdgeAt, edges_by_count
from ventiuna.counting.efficiency import by_value
from ventiuna.counting.frames import CountTable, Row
from ventiuna.counting.keeping import KeptShoes
from ventiuna.counting.play import best_play, fresh_solution, value_of_play
from ventiuna.counting.scales import Scale
from ventiuna.counting.tags import value_name
from ventiuna.counting.tilt import Tilt
from ventiuna.errors import VentiunaError
from ventiuna.kernels.exact.lattice import VALUES
from ventiuna.records import brief_repr
from ventiuna.rules import Rules, canonical, compile_rules, fingerprint
from ventiuna.strategy.plays import Weights

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
POINTS = 13  # true counts at which shoes are analysed; the middle one is 0
FINE = 0.25  # steps between which the best action is looked up


@dataclass(frozen=True)
class Turn:
    """From this count on, or below it, another action is best."""

    at: float
    action: int
    earns: float  # per round, in base wagers

    @property
    def letter(self) -> str:
        return LETTER_OF[self.action]

    def as_data(self) -> dict[str, object]:
        return {"at_count": self.at, "play": self.letter, "earns_per_wager": self.earns}


@dataclass(frozen=True)
class CellIndex:
    """A cell's usual action and where it changes."""

    cell: Cell
    mass: float  # how often the decision is met, per round
    usual: int
    above: Turn | None  # at 0 or above it
    below: Turn | None
    weights: Weights = ()  # of main and side counts in the true count; (): those of bets

    @property
    def earns(self) -> float:
        return sum(turn.earns for turn in (self.above, self.below) if turn is not None)

    def on(self, scale: Scale) -> CellIndex:
        """The same index, moved from balanced true counts to a count's own scale."""
        above, below = (
            turn and replace(turn, at=scale.own(turn.at)) for turn in (self.above, self.below)
        )
        return replace(self, above=above, below=below)

    def as_data(self) -> dict[str, object]:
        return {
            "hand": self.cell.hand,
            "after": str(self.cell.after) or None,
            "bonus": str(self.cell.bonus) if self.cell.bonus.is_named else None,
            "cards": self.cell.cards or None,
            "up": value_name(self.cell.up),
            "frequency": self.mass,
            "usual": LETTER_OF[self.usual],
            "from": self.above.as_data() if self.above else None,
            "below": self.below.as_data() if self.below else None,
            "weights": [float(weight) for weight in self.weights] or None,
            "earns_per_wager": self.earns,
        }

    def row(self) -> Row:
        """The same in one line."""
        above, below = self.above, self.below
        return {
            "hand": self.cell.hand,
            "situation": self.cell.situation or None,
            "cards": self.cell.cards or None,
            "up": value_name(self.cell.up),
            "frequency": self.mass,
            "usual": LETTER_OF[self.usual],
            "from_count": above.at if above else None,
            "from_play": above.letter if above else None,
            "below_count": below.at if below else None,
            "below_play": below.letter if below else None,
            "weights": " ".join(f"{float(weight):g}" for weight in self.weights) or None,
            "earns_per_wager": self.earns,
        }


@dataclass(frozen=True)
class ValuesByCount:
    """All decisions at evenly spaced true counts (of the shoe before the deal)."""

    depths: Depths
    decisions: Decisions
    points: Floats
    values: Floats  # [point, decision, choice]
    ev: Floats  # [point]: of the round with best play
    fixed_ev: Floats  # and with the play of a whole shoe

    def at(self, true_counts: Floats) -> Floats:
        """[decision, choice] at a true count of its own for each decision, its cards seen."""
        step = self.points[1] - self.points[0]
        place = (true_counts - self.points[0]) / step
        first = np.clip(np.floor(place).astype(int) - 1, 0, len(self.points) - 4)
        x = place - first
        weights = [
            -(x - 1) * (x - 2) * (x - 3) / 6,
            x * (x - 2) * (x - 3) / 2,
            -x * (x - 1) * (x - 3) / 2,
            x * (x - 1) * (x - 2) / 6,
        ]
        rows = np.arange(len(self.decisions))
        found = np.zeros(self.values.shape[1:])
        for k, weight in enumerate(weights):
            found += weight[:, None] * self.values[first + k, rows]
        return found

    def before_deal(self, true_count: float) -> Floats:
        """For each decision the true count before its cards were dealt."""
        tags = by_value(self.depths.rules, self.depths.tags) - self.depths.mean
        seen = self.decisions.seen
        cards = self.depths.cards
        left = cards - seen.sum(axis=1)
        running = true_count * left / self.depths.deck - seen @ tags
        found: Floats = running * self.depths.deck / cards
        return found


def values_by_count(
    depths: Depths,
    base: int | None = None,
    each: Each = in_silence,
    number: int = POINTS,
    keep: KeptShoes | None = None,
) -> ValuesByCount:
    """Analyse shoes tilted to so many true counts, as far out as they are met.

    With `keep` the shoes done are kept in a file; sums go on in the same order, to the same digits.
    """
    rules = depths.rules
    decisions = decisions_of(rules, base)
    usual = fresh_solution(rules, base)
    highest = _highest(depths)
    points = np.linspace(-highest, highest, number)
    work = [
        (place, shoe.weight, shoe.composition)
        for place, point in enumerate(points)
        for shoe in Tilt(depths, float(point)).shoes()
    ]
    values = np.zeros((number, len(decisions), len(CHOICES)))
    ev, fixed = np.zeros(number), np.zeros(number)
    sums = {"values": values, "ev": ev, "fixed": fixed}
    about = f"{fingerprint(rules)} {base} {number} {[str(tag) for tag in depths.tags]}"
    done = 0
    if keep is not None:
        done, known = keep.load(about)
        for name, kept in known.items():
            sums[name][:] = kept
    for place, weight, shoe in each("tilted shoes", work[done:]):
        played = best_play(rules, base, shoe, decisions.kinds)
        values[place] += weight * decisions.values(played)
        ev[place] += weight * played.value
        fixed[place] += weight * value_of_play(rules, base, usual, shoe)
        done += 1
        if keep is not None:
            keep.save(about, done, sums, is_last=done == len(work))
    return ValuesByCount(depths, decisions, points, values, ev, fixed)


def _highest(depths: Depths) -> float:
    """The highest true count that shoes are tilted to."""
    wanted = depths.highest(4.0)
    while wanted > 1.0:
        try:
            for sign in (-1, 1):
                shares = Tilt(depths, sign * wanted).shares()
                if (shares[depths.counts > 0] * depths.cards < _FEWEST).any():
                    raise _TooFar
        except (_TooFar, ValueError):
            wanted *= 0.9
        else:
            break
    return wanted


_FEWEST = 0.4  # of a card, in a tilted shoe: fewer and some lack it altogether


class _TooFar(VentiunaError):
    pass


@dataclass(frozen=True)
class IndexStudy(CountTable):
    """Every cell of the chart, best earners first."""

    main_table = "indices"

    depths: Depths
    cells: tuple[CellIndex, ...]
    insurance: float | None  # it gains from this count on
    lowest: float  # of the counts searched
    highest: float
    by_count: ValuesByCount = field(compare=False, repr=False)
    scale: Scale | None = None  # of all counts here except `by_count`; None: balanced
    base: int | None = None  # cents; its Super Bonus is in the values

    __repr__ = brief_repr

    @property
    def count(self) -> str:
        """The count's name."""
        return self.scale.count.name if self.scale else ""

    @property
    def rules(self) -> Rules:
        return self.depths.rules

    @property
    def title(self) -> str:
        return f"Index numbers of {self.count}, {canonical(self.rules)}"

    def rows(self) -> list[Row]:
        return [cell.row() for cell in self.cells]

    def more_facts(self) -> dict[str, object]:
        return {
            "count": self.count,
            "scale": self.scale.text() if self.scale else "",
            "insurance_at_count": self.insurance,
            "lowest_count": self.lowest,
            "highest_count": self.highest,
        }

    @property
    def earns(self) -> float:
        """All indices together, per round at flat bets."""
        return math.fsum(cell.earns for cell in self.cells)

    def edges(
        self, sample: int = SHOES, seed: int = 21, each: Each = in_silence
    ) -> tuple[EdgeAt, ...]:
        """The edge at each count from `sample` shoes analyzed at each, with its error."""
        assert self.scale is not None
        count = self.scale.count
        return edges_by_count(self.rules, count, self.base, sample, seed=seed, each=each)

    def worth_knowing(self, most: int, share: float = 0.99) -> tuple[CellIndex, ...]:
        """The fewest cells that earn this share of all, at most so many."""
        kept: list[CellIndex] = []
        earned = 0.0
        for cell in self.cells:
            if len(kept) >= most or cell.earns <= 0 or earned >= share * self.earns:
                break
            kept.append(cell)
            earned += cell.earns
        return tuple(kept)


def index_numbers(
    depths: Depths,
    base: int | None = None,
    bets: Bets | None = None,
    each: Each = in_silence,
    points: int = POINTS,
    keep: KeptShoes | None = None,
) -> IndexStudy:
    """Index numbers of every cell; what they earn is at flat bets, or at those given."""
    found = values_by_count(depths, base, each, points, keep)
    fine = np.arange(found.points[0], found.points[-1] + FINE / 2, FINE)
    weights = depths.density(fine) * FINE
    if bets is not None:
        weights = weights * bets.at(fine)
    by_class = with_splits(_by_class(found, fine))
    zero = int(np.abs(fine).argmin())
    cells = [
        _index(cell, by_class.mass[members].sum(), _mean(by_class, members), fine, weights)
        for cell, members in cells_of(by_class, zero)
    ]
    cells.sort(key=lambda index: (-index.earns, index.cell))
    return IndexStudy(
        depths=depths,
        cells=tuple(cells),
        insurance=insurance_index(depths, float(found.points[-1])),
        lowest=float(found.points[0]),
        highest=float(found.points[-1]),
        by_count=found,
    )


@dataclass(frozen=True)
class Bets:
    """A ramp: from each true count on so many base wagers."""

    steps: tuple[tuple[float, float], ...]  # rising

    def at(self, counts: Floats) -> Floats:
        found = np.ones_like(counts)
        for start, wagers in self.steps:
            found = np.where(counts >= start, wagers, found)
        return found


def _by_class(found: ValuesByCount, fine: Floats) -> ByClass:
    """Means over the decisions of each class."""
    numbers, classes = classes_of(found.decisions)
    mass = found.decisions.mass
    totals = np.bincount(numbers, mass, len(classes)).astype(np.float64)
    values = np.zeros((len(classes), len(fine), len(CHOICES)))
    for place, true_count in enumerate(fine):
        at = found.at(found.before_deal(float(true_count)))
        for choice in CHOICES:
            summed = np.bincount(numbers, mass * at[:, choice], len(classes))
            values[:, place, choice] = summed / totals
    return ByClass(classes, totals, values)


def _mean(found: ByClass, members: list[int]) -> Floats:
    weights = found.mass[members][:, None, None]
    mean: Floats = (weights * found.values[members]).sum(axis=0) / weights.sum()
    return mean


def _index(cell: Cell, mass: float, values: Floats, fine: Floats, weights: Floats) -> CellIndex:
    """Where the best action changes, and what it earns to follow."""
    zero = int(np.abs(fine).argmin())
    usual = int(np.nanargmax(values[zero]))
    # Doubling is not legal for some hands of a class that mixes numbers of cards.
    ahead = values - values[:, usual][:, None]
    best = np.nanmax(ahead, axis=1)
    taken = np.nanargmax(ahead, axis=1)
    gain = mass * np.maximum(best, 0.0) * weights
    above, below = (
        _turn(list(side), usual, taken, ahead, fine, gain)
        for side in (range(zero, len(fine)), range(zero, -1, -1))
    )
    return CellIndex(cell, mass, CHOICES[usual], above, below)


def _turn(
    side: list[int], usual: int, taken: Ints, ahead: Floats, fine: Floats, gain: Floats
) -> Turn | None:
    """The first change of the best action on the way from 0 outwards."""
    for before, place in pairwise(side):
        other = int(taken[place])
        if other != usual:
            low, high = float(ahead[before, other]), float(ahead[place, other])
            share = 1.0 if high == low else -low / (high - low)
            at = fine[before] + min(max(share, 0.0), 1.0) * (fine[place] - fine[before])
            return Turn(float(at), CHOICES[other], float(gain[side[side.index(place) :]].sum()))
    return None


def insurance_index(depths: Depths, highest: float) -> float | None:
    """The true count, an ace up and seen, from which insurance gains; None within the range."""
    from ventiuna.core.payouts import insurance_profit

    if not depths.rules.insurance:
        return None
    table = compile_rules(depths.rules)
    profit = insurance_profit(table, table.insurance_den) / table.insurance_den
    needed = 1.0 / (profit + 1.0)

    def missing(true_count: float) -> float:
        shares = Tilt(depths, true_count).shares((SPADE_ACE,))
        return needed - sum(float(shares[card]) for card in range(52) if value_of(card) == VALUES)

    try:
        low, high = -highest, highest
        if missing(low) * missing(high) > 0 or missing(low) < 0:
            return None
    except ValueError:
        return None
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (middle, high) if missing(middle) > 0 else (low, middle)
    return (low + high) / 2
