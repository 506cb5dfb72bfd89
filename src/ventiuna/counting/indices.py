"""Index numbers: the true counts at which the best action of a chart cell changes.

Shoes tilted to a range of true counts (`Tilt`) are analyzed exactly, which gives the value of every
decision at these counts. A cubic through the four nearest counts gives the values in between. A
decision's own cards and the up card have been seen when it is made, so they are part of the true
count that its index refers to. A cell's earnings are the mean, weighted by the frequencies of the
true counts, of the best action's lead over the usual one.

The edge at each count is the average over the shoes that occur there, with its error. Simulated
rounds, dealt to the cut card, supply the unseen cards at the start of each round, as often as a
counter would meet them. No matter what has been seen, the unseen cards are in random order. So a
round's expected result is the exact value of its unseen cards, and the edge at a count is the mean
of these values. It would take days to analyze all of them. Instead, their first-order values, from
the effects of removal, are averaged over all rounds at the count. The difference from the exact
values is averaged over only a few shoes. Play is the best play for a full shoe, without index plays
or insurance.

Side counts in play: each decision has its own best weighted sum of the counts. Nobody can keep
hundreds of sums, so a few are chosen: first the one used for betting, then, one at a time, the sum
that adds most to the gain of all plays (to first order, as in `efficiency`). Shoes are tilted along
each of them and analyzed exactly, and every cell uses the index that earns most.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from io import BytesIO
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Annotated, NamedTuple, NotRequired
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
from typing_extensions import TypedDict

from ventiuna.analysis.charts.best_play import LETTER_OF
from ventiuna.analysis.charts.page import action_text
from ventiuna.analysis.coaching import AGAINST, item_label
from ventiuna.analysis.composition import fresh_composition
from ventiuna.analysis.query import ProgressIterator, without_progress
from ventiuna.analysis.results import TableRow, TitledResult, data_of
from ventiuna.cards import Pack
from ventiuna.core.cards import CARDS, SPADE_ACE, value_of
from ventiuna.counting.decisions import (
    CHOICES,
    PAIR,
    SOFT,
    ByClass,
    ChartSlot,
    Decisions,
    best_play,
    cells_of,
    classes_of,
    decisions_of,
    fresh_solution,
    value_of_play,
    with_splits,
)
from ventiuna.counting.efficiency import EffectsCalculator, PlayEffects, Tilt, by_value
from ventiuna.counting.evaluation import CountReportData
from ventiuna.counting.removal import base_effects
from ventiuna.counting.tags import (
    Depths,
    Scale,
    distinguishing_tags,
    parts_of,
    tags_of,
    ten_name,
    value_name,
)
from ventiuna.errors import VentiunaError
from ventiuna.files import write_file
from ventiuna.kernels.exact.tables import VALUES
from ventiuna.kernels.simulate import layout as at
from ventiuna.rules import Rules, canonical, compile_rules, fingerprint
from ventiuna.simulation.blocks import logged_rounds
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import SimulationSpec, make_spec
from ventiuna.strategy.counting import Bet, Count, Weights
from ventiuna.strategy.protocol import check_range, plan_problem
from ventiuna.texts import brief_repr

# --- Checkpoints ---

Floats = npt.NDArray[np.float64]
SAVE_EVERY = 5.0  # seconds between saves, so an interruption loses little work
_FORMAT = 1


@dataclass
class IndexCheckpoint:
    """A checkpoint of one index study: the number of shoes done, and their sums."""

    path: Path
    goes_on: bool = False  # resume from the file
    _last: float = field(default_factory=time.monotonic)

    def of_sum(self, number: int) -> IndexCheckpoint:
        """The checkpoint for another sum of counts, in a file next to this one."""
        path = self.path.with_name(f"{self.path.name}.{number}")
        return IndexCheckpoint(path, self.goes_on and path.exists())

    def load(self, about: str) -> tuple[int, Mapping[str, Floats]]:
        """The number of finished shoes and the sums so far; empty for a new study."""
        if not self.goes_on:
            return 0, {}
        try:
            with np.load(self.path, allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
            key, done = str(arrays.pop("key")), int(arrays.pop("done"))
        except (ValueError, KeyError, BadZipFile, EOFError) as error:
            raise plan_problem(
                "resume", str(self.path), "not a checkpoint of index numbers",
                "Name a file written by --checkpoint.",
            ) from error  # fmt: skip
        if key != _key(about):
            raise plan_problem(
                "resume", str(self.path),
                "it belongs to different rules, a different count or a different version",
                "Use the same options as when it was started.",
            )  # fmt: skip
        return done, arrays

    def save(self, about: str, done: int, arrays: Mapping[str, Floats], is_last: bool) -> None:
        """Save after a shoe if a few seconds have passed, and always after the last one."""
        if not is_last and time.monotonic() - self._last < SAVE_EVERY:
            return
        self._last = time.monotonic()
        content = BytesIO()
        facts = {"key": np.array(_key(about)), "done": np.array(done)}
        np.savez(content, allow_pickle=False, **facts, **arrays)
        write_file(self.path, content.getvalue())


def _key(about: str) -> str:
    return sha256(f"{_FORMAT} {about}".encode()).hexdigest()


# --- Edge by count ---

Ints = npt.NDArray[np.int64]
ROUNDS = 300_000
SHOES = 16  # shoes analyzed at each count
MAX_SHOES = 1000
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
    each: ProgressIterator = without_progress,
) -> tuple[EdgeAt, ...]:
    """The edge at each count that occurs often enough, lowest count first.

    The Super Bonus is computed for a wager of `base` cents (default: the table minimum).
    """
    check_range("sample", shoes, 2, MAX_SHOES, "shoes")
    wager = rules.table_minimum if base is None else base
    plain = replace(count, bets=(Bet(Fraction(-1000), 1),), plays=(), insurance_at=None)
    plan = Plan(rules, "optimal", base=wager, count=plain, seed=seed)
    spec = make_spec(plan, find_strategy("optimal", rules, wager))
    pieces = list(_round_starts(spec, plain, rounds))
    met = _RoundStarts(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))
    first_order = _first_order(rules, wager, met.unseen)
    default = fresh_solution(rules, wager)
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
        rest[row, column] = value_of_play(rules, wager, default, shoe) - first_order[place]
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


class _RoundStarts(NamedTuple):
    """The state at the start of each round."""

    unseen: Ints  # [round, card]
    counts: Ints  # rounded down
    shoes: Ints  # number of each round's shoe


def _round_starts(spec: SimulationSpec, count: Count, rounds: int) -> Iterator[_RoundStarts]:
    rules, scale = spec.rules, count.scale
    full_shoe = np.array(fresh_composition(rules), dtype=np.int64)
    tags = np.array([int(count.tag(card) * scale) for card in range(CARDS)])
    start = int(count.start_in(rules.pack) * scale * rules.decks)
    deck = len(rules.pack.cards) if count.is_true else 1
    for block, first in enumerate(range(0, rounds, _PIECE)):
        size = min(_PIECE, rounds - first)
        log = logged_rounds(spec, size, block)
        ends = log.rounds[:, at.ROUND_CARDS]
        begins = np.concatenate(([0], ends[:-1]))
        dealt = np.zeros((size, CARDS), dtype=np.int64)
        np.add.at(dealt, (np.repeat(np.arange(size), ends - begins), log.cards[: ends[-1]]), 1)
        before = dealt.cumsum(axis=0) - dealt
        shuffled = log.rounds[:, at.ROUND_SHUFFLED] == 1
        shuffled[0] = True
        shoes = shuffled.cumsum() - 1
        seen = before - before[np.flatnonzero(shuffled)][shoes]
        # An exhausted shoe is shuffled in the middle of a round; later rounds are left out.
        possible = np.flatnonzero((seen <= full_shoe).all(axis=1))
        seen, shoes = seen[possible], shoes[possible]
        unseen = full_shoe - seen
        divisor = unseen.sum(axis=1) if count.is_true else 1
        counts = (start + seen @ tags) * deck // (divisor * scale)
        yield _RoundStarts(unseen, counts, shoes + first)


def _first_order(rules: Rules, base: int, unseen: Ints) -> Floats:
    """First-order values of these unseen cards, from the effects of removal."""
    effects = base_effects(rules, base, fixed=True)
    by_card = np.array([0.0 if effect is None else effect for effect in effects.by_card])
    full_shoe = np.array(fresh_composition(rules), dtype=np.float64)
    shares = unseen / unseen.sum(axis=1, keepdims=True) - full_shoe / full_shoe.sum()
    found: Floats = effects.value - (full_shoe.sum() - 1) * (shares @ by_card)
    return found


def _error(values: Floats, shoes: Ints) -> float:
    """Standard error of the mean; rounds from one shoe are correlated."""
    _, numbers = np.unique(shoes, return_inverse=True)
    sums = np.bincount(numbers, values - values.mean())
    return math.sqrt(float((sums * sums).sum())) / len(values)


# --- Index numbers ---

POINTS = 13  # true counts at which shoes are analyzed; the middle one is 0
FINE = 0.25  # distance between the true counts at which the best action is looked up


@dataclass(frozen=True)
class IndexPoint:
    """The count at which a different action becomes best."""

    at: float
    action: int
    earns: float  # earnings per round, in base wagers

    @property
    def letter(self) -> str:
        return LETTER_OF[self.action]


class TurnData(TypedDict):
    at_count: Annotated[float, attrgetter("at")]
    play: Annotated[str, attrgetter("letter")]
    earns_per_wager: Annotated[float, attrgetter("earns")]


IndexData = TypedDict(
    "IndexData",
    {
        "hand": Annotated[str, attrgetter("cell.hand")],
        "after": Annotated[str | None, lambda index: str(index.cell.after)],
        "bonus": Annotated[
            str | None, lambda index: index.cell.bonus if index.cell.bonus.is_named else None
        ],
        "cards": Annotated[str | None, attrgetter("cell.cards")],
        "up": Annotated[str, lambda index: value_name(index.cell.up)],
        "frequency": Annotated[float, attrgetter("mass")],
        "usual": Annotated[str, lambda index: LETTER_OF[index.usual]],
        "from": Annotated[TurnData | None, attrgetter("above")],
        "below": TurnData | None,
        "weights": Annotated[
            list[float] | None, lambda index: [float(weight) for weight in index.weights] or None
        ],
        "earns_per_wager": Annotated[float, attrgetter("earns")],
    },
)
IndexWords = TypedDict(
    "IndexWords",
    {"hand": str, "up": str, "usual": str, "from": str | None, "below": str | None},
)


class DescribedIndex(IndexData):
    told: IndexWords


class CountAnswer(TypedDict):
    counts: list[CountReportData]
    ten: str  # name of the ten-value cards
    indices: NotRequired[list[DescribedIndex]]
    insurance_at_count: NotRequired[float | None]
    command: str


@dataclass(frozen=True)
class CellIndex:
    """A cell's usual action and the counts at which it changes."""

    cell: ChartSlot
    mass: float  # frequency of the decision per round
    usual: int
    above: IndexPoint | None  # first change at or above 0
    below: IndexPoint | None
    weights: Weights = ()  # weights of the counts in the true count; () for the betting weights

    @property
    def earns(self) -> float:
        return sum(turn.earns for turn in (self.above, self.below) if turn is not None)

    def on(self, scale: Scale) -> CellIndex:
        """The same index, converted from balanced true counts to a count's own scale."""
        above, below = (
            turn and replace(turn, at=scale.own(turn.at)) for turn in (self.above, self.below)
        )
        return replace(self, above=above, below=below)

    def as_data(self) -> IndexData:
        return data_of(IndexData, self)

    def row(self) -> TableRow:
        """The index as a table row."""
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
    ev: Floats  # [point]: value of a round with best play
    fixed_ev: Floats  # [point]: the same with the best play for a full shoe

    def at(self, true_counts: Floats) -> Floats:
        """Values by [decision, choice], each decision at its own true count before the deal."""
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
        """Each decision's true count before its cards were dealt."""
        tags = by_value(self.depths.rules, self.depths.tags) - self.depths.mean
        seen = self.decisions.seen
        cards = self.depths.cards
        remaining = cards - seen.sum(axis=1)
        running = true_count * remaining / self.depths.deck - seen @ tags
        found: Floats = running * self.depths.deck / cards
        return found


def values_by_count(
    depths: Depths,
    base: int | None = None,
    each: ProgressIterator = without_progress,
    number: int = POINTS,
    keep: IndexCheckpoint | None = None,
) -> ValuesByCount:
    """Analyze shoes tilted to `number` true counts, covering the range that occurs.

    With `keep`, finished shoes are saved to a file; a resumed run adds up in the same order and
    gives identical results.
    """
    rules = depths.rules
    decisions = decisions_of(rules, base)
    default = fresh_solution(rules, base)
    highest = _highest(depths)
    points = np.linspace(-highest, highest, number)
    spec = [
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
        for name, stored in known.items():
            sums[name][:] = stored
    for place, weight, shoe in each("tilted shoes", spec[done:]):
        played = best_play(rules, base, shoe, decisions.kinds)
        values[place] += weight * decisions.values(played)
        ev[place] += weight * played.value
        fixed[place] += weight * value_of_play(rules, base, default, shoe)
        done += 1
        if keep is not None:
            keep.save(about, done, sums, is_last=done == len(spec))
    return ValuesByCount(depths, decisions, points, values, ev, fixed)


def _highest(depths: Depths) -> float:
    """The highest true count to which shoes are tilted."""
    needed = depths.highest(4.0)
    while needed > 1.0:
        try:
            for sign in (-1, 1):
                shares = Tilt(depths, sign * needed).shares()
                if (shares[depths.counts > 0] * depths.cards < _MIN_SHARE_OF_CARD).any():
                    raise _TooFar
        except (_TooFar, ValueError):
            needed *= 0.9
        else:
            break
    return needed


_MIN_SHARE_OF_CARD = 0.4  # in expected copies; with less, a shoe of whole cards may lack the card


class _TooFar(VentiunaError):
    pass


@dataclass(frozen=True)
class IndexStudy(TitledResult):
    """Every cell of the chart, best earners first."""

    main_table = "indices"

    depths: Depths
    cells: tuple[CellIndex, ...]
    insurance: float | None  # profitable from this count up
    lowest: float  # lowest count searched
    highest: float
    by_count: ValuesByCount = field(compare=False, repr=False)
    scale: Scale | None = None  # scale of all counts here except `by_count`; None if balanced
    base: int | None = None  # cents; values include its Super Bonus

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

    def rows(self) -> list[TableRow]:
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
        """Earnings of all indices per round at flat bets."""
        return math.fsum(cell.earns for cell in self.cells)

    def edges(
        self, sample: int = SHOES, seed: int = 21, each: ProgressIterator = without_progress
    ) -> tuple[EdgeAt, ...]:
        """The edge at each count with its error, from `sample` shoes analyzed at each."""
        assert self.scale is not None
        count = self.scale.count
        return edges_by_count(self.rules, count, self.base, sample, seed=seed, each=each)

    def worth_knowing(self, maximum: int, share: float = 0.99) -> tuple[CellIndex, ...]:
        """The fewest cells that earn this share of the total, up to `maximum`."""
        worthwhile: list[CellIndex] = []
        earned = 0.0
        for cell in self.cells:
            if len(worthwhile) >= maximum or cell.earns <= 0 or earned >= share * self.earns:
                break
            worthwhile.append(cell)
            earned += cell.earns
        return tuple(worthwhile)


def index_numbers(
    depths: Depths,
    base: int | None = None,
    bets: Bets | None = None,
    each: ProgressIterator = without_progress,
    points: int = POINTS,
    keep: IndexCheckpoint | None = None,
) -> IndexStudy:
    """Index numbers for every cell; earnings are at flat bets unless `bets` are given."""
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
    """A ramp: the bet in base wagers from each true count up."""

    steps: tuple[tuple[float, float], ...]  # sorted by count

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


def _index(
    cell: ChartSlot, mass: float, values: Floats, fine: Floats, weights: Floats
) -> CellIndex:
    """Find the counts at which the best action changes, and the earnings from following it."""
    zero = int(np.abs(fine).argmin())
    default = int(np.nanargmax(values[zero]))
    # Some hands of a class that mixes card counts can't be doubled.
    ahead = values - values[:, default][:, None]
    best = np.nanmax(ahead, axis=1)
    taken = np.nanargmax(ahead, axis=1)
    gain = mass * np.maximum(best, 0.0) * weights
    above, below = (
        _turn(list(side), default, taken, ahead, fine, gain)
        for side in (range(zero, len(fine)), range(zero, -1, -1))
    )
    return CellIndex(cell, mass, CHOICES[default], above, below)


def _turn(
    side: list[int], default: int, taken: Ints, ahead: Floats, fine: Floats, gain: Floats
) -> IndexPoint | None:
    """The first change in the best action, going outward from 0."""
    for before, place in pairwise(side):
        other = int(taken[place])
        if other != default:
            low, high = float(ahead[before, other]), float(ahead[place, other])
            share = 1.0 if high == low else -low / (high - low)
            at = fine[before] + min(max(share, 0.0), 1.0) * (fine[place] - fine[before])
            return IndexPoint(
                float(at), CHOICES[other], float(gain[side[side.index(place) :]].sum())
            )
    return None


def insurance_index(depths: Depths, highest: float) -> float | None:
    """The true count, including the ace up, from which insurance pays; None if beyond `highest`."""
    from ventiuna.core.base_game import insurance_profit

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


# --- The count's own bets ---


def bets_by_true_count(count: Count, rules: Rules) -> Bets | None:
    """The count's bets by true count; None if it bets flat."""
    if len(count.bets) <= 1:
        return None
    scale = Scale(count, rules)
    return Bets(tuple((scale.true(float(bet.at)), float(bet.wagers)) for bet in count.bets))


# --- Weighted sums of counts ---

MAX_SUMS = 8
_STEPS = 2  # weights are halves
_MAX_TRIED = 200  # number of sums to try, chosen from those that are best for some decision
_LARGEST = 20  # largest weight of a side count relative to a main count of 1


def best_sums(playing: PlayEffects, count: Count, depths: Depths, number: int) -> list[Weights]:
    """At most `number` sums to play by, starting with the one for betting."""
    mass, behind, centred = playing.alternatives
    rows = np.array([by_value(playing.rules, tags) for tags in parts_of(count)])
    rows = rows - (rows * playing.shares).sum(axis=1, keepdims=True)
    matrix = (rows * playing.shares) @ rows.T
    against = centred @ (rows * playing.shares).T  # [decision, count]

    def gains(weights: Weights) -> Floats:
        """The gain from each decision when playing by this sum."""
        vector = np.array([float(weight) for weight in weights])
        length = float(vector @ matrix @ vector)
        seen = np.abs(against @ vector) / np.sqrt(length) if length > 0 else np.zeros(len(mass))
        return playing.gains_of(mass, behind, seen, depths)

    tried = {
        weights: gains(weights)
        for weights in _candidate_sums(against @ np.linalg.pinv(matrix), mass)
    }
    chosen = [count.weights]
    reached = gains(count.weights)
    while len(chosen) < number and tried:
        best = max(tried, key=lambda weights: float(np.maximum(tried[weights], reached).sum()))
        better = np.maximum(tried.pop(best), reached)
        if better.sum() <= reached.sum() * (1 + 1e-6):
            break
        chosen.append(best)
        reached = better
    return chosen


def _candidate_sums(slopes: Floats, mass: Floats) -> list[Weights]:
    """The most common rounded sums among those that are best for some decision."""
    found: dict[Weights, float] = {}
    for row, often in zip(slopes, mass, strict=True):
        unit = row[0] if abs(row[0]) * _LARGEST > np.abs(row).max() else np.abs(row).max()
        if unit:
            weights = tuple(Fraction(round(float(item / unit) * _STEPS), _STEPS) for item in row)
            found[weights] = found.get(weights, 0.0) + float(often)
    return sorted(found, key=lambda weights: -found[weights])[:_MAX_TRIED]


def index_by_sums(
    workshop: EffectsCalculator,
    count: Count,
    sums: int = 1,
    bets: Bets | None = None,
    points: int = POINTS,
    keep: IndexCheckpoint | None = None,
) -> IndexStudy:
    """Index numbers for a count, on its own scale; each cell uses the sum that earns most.

    With several sums, all earnings are at flat bets, because bets and plays use different sums.
    """
    rules, base, each = workshop.rules, workshop.base, workshop.each
    check_range("sums", sums, 1, MAX_SUMS, "sums of counts")
    if sums > 1 and not count.sides:
        raise plan_problem(
            "sums", sums, f"the count {count.name} has no side counts, so it has only one sum",
            "Omit it, or name a count that has [[sides]].",
        )  # fmt: skip
    if sums > 1 and bets is not None:
        raise plan_problem(
            "sums", sums, "bets and plays use different counts, so several sums need flat bets",
            "Give at_its_bets=False, or one sum.",
        )  # fmt: skip
    depths = Depths(rules, distinguishing_tags(count, rules.pack))
    study = index_numbers(depths, base, bets, each, points, keep)
    best = {index.cell: index for index in study.cells}
    further = best_sums(workshop.playing, count, depths, sums)[1:] if sums > 1 else []
    for number, weights in enumerate(further, 2):
        along = Depths(rules, tags_of(count, weights))
        beside = None if keep is None else keep.of_sum(number)
        for index in index_numbers(along, base, None, each, points, beside).cells:
            known = best.get(index.cell)
            if known is not None and index.earns > known.earns:
                best[index.cell] = replace(index, weights=weights)
    cells = sorted(best.values(), key=lambda index: (-index.earns, index.cell))
    scale = Scale(count, rules)
    return replace(
        study,
        cells=tuple(index.on(replace(scale, weights=index.weights)) for index in cells),
        insurance=_insurance(count, study),
        lowest=scale.own(study.lowest),
        highest=scale.own(study.highest),
        scale=scale,
        base=base,
    )


def _insurance(count: Count, study: IndexStudy) -> float | None:
    """The insurance index, on the scale of the sum that insurance uses."""
    found = study.insurance
    if count.insurance_weights:
        depths = Depths(study.rules, tags_of(count, count.insurance_weights))
        found = insurance_index(depths, depths.highest(4.0))
    scale = Scale(count, study.rules, count.insurance_weights)
    return None if found is None else scale.own(found)


def sums_of(cells: tuple[CellIndex, ...]) -> list[Weights]:
    """The sums that these cells use, other than the betting sum."""
    return list(dict.fromkeys(index.weights for index in cells if index.weights))


# --- Descriptions ---

TEN = 10


def describe_index(index: CellIndex, rules: Rules) -> IndexWords:
    """Describe an index number's hand, up card and plays in words."""
    cell = index.cell

    def play(action: int) -> str:
        return action_text(LETTER_OF[action], bool(cell.after.doublings), rules.rescue)

    return {
        "hand": ", ".join(filter(None, (_hand_text(cell, rules.pack), cell.situation))),
        "up": ten_name(rules.pack) if cell.up == TEN else value_name(cell.up),
        "usual": play(index.usual),
        "from": play(index.above.action) if index.above else None,
        "below": play(index.below.action) if index.below else None,
    }


def _hand_text(cell: ChartSlot, pack: Pack) -> str:
    number = str(cell.number)
    if cell.kind == PAIR:
        rank = "face" if cell.number == TEN else value_name(cell.number)
        number = f"{rank}-{rank}"
    elif cell.kind == SOFT:
        number = f"soft {number}"
    return item_label(f"{number}{AGAINST}A", pack).hand
