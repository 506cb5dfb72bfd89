"""Derive the smallest good chart for given rules, and price any chart exactly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, NamedTuple

import numpy as np
from typing_extensions import TypedDict

from ventiuna.analysis.base_game.analyzer import VALUE_NAMES, analyze, evaluate, hand_name
from ventiuna.analysis.charts.best_play import (
    LETTER_OF,
    MIXED_678,
    PLACES_OF_TWO,
    PLAIN,
    SPADES_678,
    SUITED_678,
    SUPER,
    CellHands,
    CellKey,
    Group,
    Losses,
    Optimum,
    Policy,
    Prices,
    best_policy,
    cell_key,
    chart_policy,
    chart_tables,
    column_of,
    mark_is_met,
    reach_of,
)
from ventiuna.analysis.charts.page import (
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    ChartPage,
    ChartTable,
    Page,
    cell_text,
    chart_toml,
    page_data,
    page_of,
    row_text,
)
from ventiuna.analysis.charts.render import chart_fragment
from ventiuna.analysis.coerce import check_base
from ventiuna.analysis.composition import Basis, BasisData
from ventiuna.analysis.results import TableRow, TabularResult, data_of
from ventiuna.cards import Pack
from ventiuna.core import actions
from ventiuna.core.actions import first_legal_of
from ventiuna.core.base_game import is_super_bonus, super_bonus_pay
from ventiuna.core.cards import CARDS, EMPTY_HAND, add_card, value_of
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.exact.tables import (
    ACE_VALUE,
    TEN_VALUE,
    UNSPLIT,
    VALUES,
    Floats,
    Ints,
    composition_index,
    lattice,
)
from ventiuna.money import money_text
from ventiuna.rules import Rules, canonical, compile_rules
from ventiuna.rules.model import DoubleCards, DoubleTotals, Soft17, Split, Surrender
from ventiuna.rules.text.phrases import decks_words, dollars, number_word
from ventiuna.strategy.chart import (
    UP_CARDS,
    Cell,
    Chart,
    Row,
    Rows,
    cell_preferences,
    doubled_cell_preferences,
)
from ventiuna.texts import brief_repr

# --- The symbols of a cell ---

_MARKS = ("", "*", "'", '"')
_FEWEST, _MOST = 3, 9
_LETTER_ORDER = "SHDPR"  # ties go to the first


def choose_cells(prices: Prices, worth: float) -> dict[CellKey, Cell]:
    """The cheapest cell for each key, if every sign next to a letter costs `worth`."""
    return {key: choose_cell(key, found, worth) for key, found in prices.items()}


def choose_cell(key: CellKey, prices: Mapping[CellHands, Floats], worth: float) -> Cell:
    # Hands that can only stand don't depend on the chart.
    prices = {s: losses for s, losses in prices.items() if s.legal != 1 << actions.STAND} or prices
    if key.table.is_doubled:
        return min(_doubled_cells(prices), key=lambda cell: _rank(key, cell, prices, worth))
    candidates = list(_cells(key, prices))
    plain = [cell for cell in candidates if _signs(cell) == 0]
    best = min(plain, key=lambda cell: _rank(key, cell, prices, worth))
    if cell_loss(key, best, prices) < worth:
        return best  # no sign could save enough to be worthwhile
    return min(candidates, key=lambda cell: _rank(key, cell, prices, worth))


def _rank(
    key: CellKey, cell: Cell, prices: Mapping[CellHands, Floats], worth: float
) -> tuple[float, int, int]:
    loss = cell_loss(key, cell, prices)
    signs = _signs(cell)
    # Round, so that insignificant differences favor the simpler cell.
    return (round(loss + worth * signs, 18), signs, _LETTER_ORDER.index(cell.first))


def _signs(cell: Cell) -> int:
    """Number of signs, not counting a second letter, which only covers illegal plays."""
    second = bool(cell.second) and (cell.cards > 0 or cell.first != SURRENDER)
    return (cell.cards > 0) + bool(cell.mark) + second


def cell_loss(key: CellKey, cell: Cell, prices: Mapping[CellHands, Floats]) -> float:
    """The cost per round of playing this cell."""
    return sum(
        float(losses[cell_action(key, cell, situation)]) for situation, losses in prices.items()
    )


def cell_action(key: CellKey, cell: Cell, situation: CellHands) -> int:
    if key.table.is_doubled:
        return first_legal_of(doubled_cell_preferences(cell), situation.legal)
    preferences = cell_preferences(cell, situation.cards, mark_is_met(cell, situation.level))
    return first_legal_of(preferences, situation.legal)


# --- Candidates ---


def _doubled_cells(prices: Mapping[CellHands, Floats]) -> Iterator[Cell]:
    for letter in _letters(prices):
        yield Cell(letter, "", 0, "", False)


def _letters(prices: Mapping[CellHands, Floats]) -> list[str]:
    """Letters that are legal plays for some hand in the cell."""
    allowed = {
        action
        for situation in prices
        for action in range(actions.ACTIONS)
        if situation.legal >> action & 1
    }
    return sorted({LETTER_OF[action] for action in allowed}, key=_LETTER_ORDER.index)


def _cells(key: CellKey, prices: Mapping[CellHands, Floats]) -> Iterator[Cell]:
    letters = _letters(prices)
    best = _best_letters(prices)
    marks = _MARKS if any(MIXED_678 <= s.level < SUPER for s in prices) else _MARKS[:1]
    counts = {situation.cards for situation in prices}
    digits = [0, *(n for n in range(_FEWEST, _MOST + 1) if min(counts) < n <= max(counts))]
    for_super = _hits_for_super(prices)
    for first in letters:
        for second in _seconds(key, first, prices, best):
            for cards in digits:
                if first == HIT and (cards > 0) != bool(second):
                    continue
                for mark in marks:
                    if mark and first == HIT:
                        continue
                    yield Cell(first, second, cards, mark, for_super and first != HIT)


def _best_letters(prices: Mapping[CellHands, Floats]) -> set[str]:
    """Letters that are best for some hand in the cell."""
    found = set()
    for situation, losses in prices.items():
        allowed = [a for a in range(actions.ACTIONS) if situation.legal >> a & 1]
        found.add(LETTER_OF[min(allowed, key=lambda action: float(losses[action]))])
    return found


def _seconds(
    key: CellKey, first: str, prices: Mapping[CellHands, Floats], best: Iterable[str]
) -> list[str]:
    """Letters that may follow the first; hitting needs no letter except after an R."""
    if first == HIT:
        return ["", STAND]  # S only with a digit: hit, but stand with this many cards
    if first in (STAND, SPLIT):
        return [""]
    others = [letter for letter in _LETTER_ORDER if letter in best and letter not in (first, "R")]
    if first == SURRENDER:
        if key.table is ChartTable.PAIRS or all(s.legal >> actions.SURRENDER & 1 for s in prices):
            return ["", *(letter for letter in others if letter != HIT)]
        return [HIT, *(letter for letter in others if letter != HIT)]
    return ["", *(letter for letter in others if letter == STAND)]


def _hits_for_super(prices: Mapping[CellHands, Floats]) -> bool:
    """Whether hitting is best while the Super Bonus is still possible."""
    for situation, losses in prices.items():
        if situation.level == SUPER:
            allowed = [a for a in range(actions.ACTIONS) if situation.legal >> a & 1]
            return min(allowed, key=lambda action: float(losses[action])) == actions.HIT
    return False


# --- Deriving charts ---

_MAX_ITERATIONS = 5
_ONLY_STAND = Cell(STAND, "", 0, "", False)


def derive(optimum: Optimum, name: str, title: str, source: str, worth: float) -> Chart:
    """Choose all cells, and repeat with the new chart's frequencies until nothing changes."""
    chart = _choose(optimum, best_policy(optimum), name, title, source, worth)
    for _ in range(_MAX_ITERATIONS):
        further = _choose(optimum, chart_policy(optimum, chart), name, title, source, worth)
        if further == chart:
            break
        chart = further
    return chart


def _choose(
    optimum: Optimum, policy: Policy, name: str, title: str, source: str, worth: float
) -> Chart:
    """The best cells, assuming that hands occur as often as under this policy."""
    prices = Losses(optimum, reach_of(optimum, policy), unmet=True).prices()
    return _chart_of(optimum, choose_cells(prices, worth), name, title, source)


def _chart_of(
    optimum: Optimum, cells: Mapping[CellKey, Cell], name: str, title: str, source: str
) -> Chart:
    return Chart(
        name=name,
        title=title,
        source=source,
        hard=_rows(cells, ChartTable.HARD, 0, range(4, 22)),
        soft=_rows(cells, ChartTable.SOFT, 0, range(12, 22)),
        pairs=_rows(cells, ChartTable.PAIRS, 0, range(1, VALUES + 1)),
        doubled=tuple(
            (
                _rows(cells, ChartTable.DOUBLED_HARD, doublings, range(4, 22)),
                _rows(cells, ChartTable.DOUBLED_SOFT, doublings, range(12, 22)),
            )
            for doublings in _doublings_with_a_choice(optimum)
        ),
        doubles_blackjack=_doubles_blackjack(optimum),
    )


def _rows(cells: Mapping[CellKey, Cell], table: ChartTable, doublings: int, rows: range) -> Rows:
    found: dict[int, Row] = {}
    for row in rows:
        found[row] = tuple(
            cells.get(CellKey(table, doublings, row, column), _ONLY_STAND)
            for column in range(len(UP_CARDS))
        )
    return found


def _doublings_with_a_choice(optimum: Optimum) -> range:
    """Numbers of doublings after which a hand can do more than stand."""
    choices = [
        doublings
        for doublings in range(1, optimum.most_doublings + 1)
        if any(
            group.legal != 1 << actions.STAND
            for group in optimum.groupings[UNSPLIT, doublings].groups
        )
    ]
    return range(1, max(choices, default=0) + 1)


def _doubles_blackjack(optimum: Optimum) -> bool:
    """Whether doubling a blackjack is worth more than its payout, over all up cards and suits."""
    place = composition_index((ACE_VALUE, TEN_VALUE))
    groups, number = optimum.groupings[UNSPLIT, 0]
    if not groups[number[place]].allows(actions.DOUBLE):
        return False
    values = optimum.two_cards.values[:, :, place]
    gain = values[..., actions.DOUBLE] - values[..., actions.STAND]
    return float((optimum.two_cards.chances[:, :, place] * gain).sum()) > 0.0


# --- The Super Bonus mark ---


@dataclass(frozen=True, slots=True)
class SuperMark:
    """A pair and an up card for which the Super Bonus is still possible."""

    pair: int  # value of the pair's cards
    column: int
    lowest: int  # lowest base wager in cents with a Super Bonus
    highest: int  # highest base wager in cents for which to hit; 0 if never


@lru_cache(maxsize=16)
def super_marks(rules: Rules) -> tuple[SuperMark, ...]:
    """Every pair that can still win the Super Bonus, by up card."""
    table = compile_rules(rules)
    if table.super_ranks == 0 or table.super_bands == 0:
        return ()
    lowest = table.super_from[0]
    analysis = analyze(rules, base=lowest, super_bonus=True)
    optimum = Optimum(table, analysis.solution, lowest)
    return tuple(
        SuperMark(pair, column_of(up), lowest, _highest(table, optimum, place, up))
        for pair, place in _pairs()
        for up in range(VALUES)
        if optimum.two_cards.chances[up, SUPER, place] > 0.0
    )


def _pairs() -> list[tuple[int, int]]:
    following = lattice().following
    return [(v + 1, int(following[following[0, v], v])) for v in range(VALUES)]


def _highest(table: RuleTable, optimum: Optimum, place: int, up: int) -> int:
    """The highest base wager at which hitting is best.

    The Super Bonus is a fixed amount of money, so in base wagers it shrinks as the wager grows.
    """
    lowest = table.super_from[0]
    values = optimum.two_cards.values[up, SUPER, place]
    legal = int(optimum.game["legal"][UNSPLIT, 0, place])
    others = [a for a in range(actions.ACTIONS) if legal >> a & 1 and a != actions.HIT]
    best_other = max(float(values[action]) for action in others)
    chance = _super_chance(table, optimum, place, up)
    hit_alone = float(values[actions.HIT]) - chance * super_bonus_pay(table, lowest) / lowest
    if float(values[actions.HIT]) <= best_other:
        return 0
    given_up = best_other - hit_alone
    if given_up <= 0.0:
        return table.table_maximum
    return int(chance * super_bonus_pay(table, table.super_from[table.super_bands - 1]) / given_up)


def _super_chance(table: RuleTable, optimum: Optimum, place: int, up: int) -> float:
    """Probability that the next card wins the Super Bonus, over all eligible pairs and up cards."""
    game = optimum.game
    total, wins = 0.0, 0.0
    for row in range(int(game["ups"])):
        up_card = int(game["up_card"][row])
        if value_of(up_card) - 1 != up:
            continue
        for pair in np.flatnonzero(game["pair_place"][: int(game["pairs"])] == place):
            first, second = int(game["pair_first"][pair]), int(game["pair_second"][pair])
            if optimum.level(first, second, up_card) == SUPER:
                chance = optimum.card_chance(row, first, second, place)
                total += chance
                wins += chance * _next_card_wins(table, optimum, first, second, up_card)
    return wins / total if total else 0.0


def _next_card_wins(
    table: RuleTable, optimum: Optimum, first: int, second: int, up_card: int
) -> float:
    remaining = optimum.game["composition"].copy()
    for card in (first, second, up_card):
        remaining[card] -= 1
    hand = add_card(add_card(EMPTY_HAND, first), second)
    wins = sum(
        int(remaining[card])
        for card in range(CARDS)
        if is_super_bonus(table, add_card(hand, card), up_card)
    )
    return wins / float(remaining.sum())


def with_marks(chart: Chart, marks: tuple[SuperMark, ...]) -> Chart:
    """The chart with a `$` wherever hitting for the Super Bonus is right for some wager."""
    pairs = dict(chart.pairs)
    for mark in marks:
        if mark.highest and mark.pair in pairs and pairs[mark.pair][mark.column].first != "H":
            cells = list(pairs[mark.pair])
            cells[mark.column] = cells[mark.column]._replace(for_super=True)
            pairs[mark.pair] = tuple(cells)
    return replace(chart, pairs=pairs)


# --- Costliest cells ---

_LEVEL_WORDS = {
    PLAIN: "",
    MIXED_678: " of mixed suits",
    SUITED_678: " of one suit",
    SPADES_678: " of spades",
    SUPER: " with the Super Bonus still possible",
}
_TIMES = {1: "doubled once", 2: "doubled twice", 3: "doubled three times"}
_MAX_HANDS = 5  # listed per cell


@dataclass(frozen=True, slots=True)
class WorstHand:
    """A hand that a cell plays differently from exact best play."""

    hand: str  # by card value, such as `10-4-2`
    action: str  # the cell's play
    best: str  # exact best play
    cost: float  # base wagers per round


@dataclass(frozen=True, slots=True)
class WorstCell:
    """A cell and its cost, with the hands that contribute most."""

    row: str  # such as `hard 16`
    up: str
    cell: str
    cost: float  # base wagers per round
    hands: tuple[WorstHand, ...]


class _Loss(NamedTuple):
    key: CellKey
    place: int
    level: int
    action: int
    best: int
    cost: float


def worst_cells(losses: Losses, policy: Policy, chart: Chart) -> tuple[WorstCell, ...]:
    """All cells that cost anything, costliest first."""
    by_cell: dict[CellKey, dict[tuple[str, int, int], float]] = {}
    for loss in _losses(losses, policy):
        hand = hand_name(loss.place) + _LEVEL_WORDS[loss.level]
        found = by_cell.setdefault(loss.key, {})
        name = (hand, loss.action, loss.best)
        found[name] = found.get(name, 0.0) + loss.cost
    cells = [_cell(chart, key, found) for key, found in by_cell.items()]
    return tuple(sorted(cells, key=lambda cell: -cell.cost))


def _cell(chart: Chart, key: CellKey, found: dict[tuple[str, int, int], float]) -> WorstCell:
    hands = [
        WorstHand(hand, actions.ACTION_NAMES[action], actions.ACTION_NAMES[best], cost)
        for (hand, action, best), cost in sorted(found.items(), key=lambda item: -item[1])
    ][:_MAX_HANDS]
    up = VALUE_NAMES[(key.column + 1) % VALUES]
    return WorstCell(_row_name(key), up, _cell_of(chart, key), sum(found.values()), tuple(hands))


def _row_name(key: CellKey) -> str:
    if key.table is ChartTable.PAIRS:
        return f"pair of {'aces' if key.row == 1 else f'{key.row}s'}"
    kind = "soft" if key.table in (ChartTable.SOFT, ChartTable.DOUBLED_SOFT) else "hard"
    doubled = f", {_TIMES[key.doublings]}" if key.doublings else ""
    return f"{kind} {key.row}{doubled}"


def _cell_of(chart: Chart, key: CellKey) -> str:
    if key.table is ChartTable.PAIRS:
        return cell_text(chart.pairs[key.row][key.column])
    if key.doublings == 0:
        rows = chart.soft if key.table is ChartTable.SOFT else chart.hard
        return cell_text(rows[key.row][key.column])
    if not chart.doubled:
        return "S"
    hard, soft = chart.doubled[min(key.doublings, len(chart.doubled)) - 1]
    return cell_text((soft if key.table is ChartTable.DOUBLED_SOFT else hard)[key.row][key.column])


def _losses(losses: Losses, policy: Policy) -> Iterator[_Loss]:
    """Every hand that the policy doesn't play optimally."""
    optimum = losses.optimum
    for (kind, doublings), (groups, number) in optimum.groupings.items():
        if doublings:
            found = losses.doubled(kind, doublings)
            taken = policy.more[kind][:, doublings]
            yield from _by_composition(found, taken, groups, number, kind, doublings)
            continue
        found = losses.more_cards(kind)
        yield from _by_composition(found, policy.more[kind][:, 0], groups, number, kind, 0)
        pairs = losses.two_cards(kind)
        for place in PLACES_OF_TWO:
            two, taken = pairs[:, :, place], policy.two[kind][:, :, place]
            yield from _of_two_cards(two, taken, groups[number[place]], kind, place)


def _by_composition(
    found: Floats,
    taken: Ints,
    groups: tuple[Group, ...],
    number: Ints,
    kind: int,
    doublings: int,
) -> Iterator[_Loss]:
    costs = np.take_along_axis(found, taken[..., None], axis=-1)[..., 0]
    for up, place in zip(*np.nonzero(costs > 0.0), strict=True):
        group = groups[number[place]]
        key = cell_key(group, kind, int(up), doublings)
        best = _cheapest(found[up, place], group.legal)
        action, cost = int(taken[up, place]), float(costs[up, place])
        yield _Loss(key, int(place), PLAIN, action, best, cost)


def _of_two_cards(
    found: Floats, taken: Ints, group: Group, kind: int, place: int
) -> Iterator[_Loss]:
    for up in range(VALUES):
        for level in range(found.shape[1]):
            action = int(taken[up, level])
            cost = float(found[up, level, action])
            if cost > 0.0:
                best = _cheapest(found[up, level], group.legal)
                yield _Loss(cell_key(group, kind, up), place, level, action, best, cost)


def _cheapest(found: Floats, legal: int) -> int:
    allowed = [action for action in range(actions.ACTIONS) if legal >> action & 1]
    return min(allowed, key=lambda action: float(found[action]))


# --- Charts and their prices ---

# A sign next to a letter (a digit, a mark) must save this many base wagers per round.
WORTH = 1e-7
STRATEGY_CLASS = (
    "chart by total, up card, number of cards and marks; split hands played by the same chart, "
    "pairs resplit whenever allowed"
)
OPTIMAL_CLASS = "composition-dependent, split hands played as the same cards unsplit (CDZ-)"
PERCENT = 100.0


RowsData = dict[str, list[str]]


class DoubledRowsData(TypedDict):
    hard: Annotated[RowsData, lambda rows: _rows_data(rows[0])]
    soft: Annotated[RowsData, lambda rows: _rows_data(rows[1])]


class ChartData(TypedDict):
    title: str
    hard: Annotated[RowsData, lambda chart: _rows_data(chart.hard)]
    soft: Annotated[RowsData, lambda chart: _rows_data(chart.soft)]
    pairs: Annotated[RowsData, lambda chart: _rows_data(chart.pairs)]
    doubled: list[DoubledRowsData]
    blackjack: Annotated[str, lambda chart: "double" if chart.doubles_blackjack else "take"]
    insurance: str


class StrategyData(BasisData):
    strategy_class: str
    optimal_strategy_class: Annotated[str, lambda _: OPTIMAL_CLASS]
    base_cents: Annotated[int | None, attrgetter("base")]
    super_bonus: bool
    ev: float
    house_edge: float
    wagered: float
    optimal_ev: float
    cost: float
    cost_points: float
    signs: int
    misfit: str | None
    chart: ChartData
    page: Annotated[
        ChartPage, lambda result: page_data(result.page(), result.rescue, result.tens_in_pack)
    ]
    super_bonus_marks: Annotated[list[SuperMark], attrgetter("marks")]
    worst: list[WorstCell]


class StrategyAnswer(StrategyData):
    command: str


@dataclass(frozen=True, slots=True)
class ChartResult(TabularResult):
    """A chart and its cost; all values are per base wager."""

    main_table = "cells"

    basis: Basis
    chart: Chart
    ev: float
    wagered: float
    optimal_ev: float
    worst: tuple[WorstCell, ...]  # all cells that cost anything, costliest first
    base: int | None  # cents
    super_bonus: bool  # whether the values include the Super Bonus of this base wager
    marks: tuple[SuperMark, ...]
    rescue: bool  # R on a doubled hand is a rescue
    double_always: bool  # any hand may be doubled
    tens_in_pack: bool  # a pack without tens has only face cards
    title: str
    subtitle: str
    misfit: str = ""  # a warning if the chart was made for different rules
    strategy_class: str = STRATEGY_CLASS

    __repr__ = brief_repr

    @property
    def cost(self) -> float:
        """The chart's cost relative to best play, in base wagers per round."""
        return self.optimal_ev - self.ev

    @property
    def cost_points(self) -> float:
        """The cost in percentage points of the base wager."""
        return PERCENT * self.cost

    @property
    def house_edge(self) -> float:
        return -self.ev

    @property
    def fingerprint(self) -> str:
        return self.basis.fingerprint

    @property
    def rules(self) -> str:
        return self.basis.rules

    @property
    def signs(self) -> int:
        """Number of digits and marks next to the letters."""
        return sum(
            (cell.cards > 0) + bool(cell.mark) + cell.for_super
            for rows in (self.chart.hard, self.chart.soft, self.chart.pairs)
            for row in rows.values()
            for cell in row
        )

    @property
    def price_sentence(self) -> str:
        wager = f" with a base wager of {money_text(self.base)}" if self.base is not None else ""
        bonus = ", including its Super Bonus" if self.super_bonus else ""
        return (
            f"House edge of this chart{wager}{bonus}: {PERCENT * self.house_edge:.4f}% of the "
            f"base wager. Best play: {-PERCENT * self.optimal_ev:.4f}%. The chart costs "
            f"{self.cost_points:.5f} points. All figures are exact."
        )

    def page(self, command: str = "") -> Page:
        """The page to format, draw or print."""
        footer = [
            self.price_sentence,
            f"Rules {self.rules}, fingerprint {self.fingerprint}, {self.basis.shoe_text}.",
            *([self.misfit] if self.misfit else []),
        ]
        return page_of(
            self.chart,
            title=self.title,
            subtitle=self.subtitle,
            rescue=self.rescue,
            double_always=self.double_always,
            notes=super_bonus_notes(self.marks, self.chart),
            footer=[*footer, f"Made with: {command}"] if command else footer,
        )

    def toml(self, command: str = "") -> str:
        """The chart as a file that `ventiuna simulate --strategy` plays."""
        edge, best = PERCENT * self.house_edge, -PERCENT * self.optimal_ev
        return chart_toml(
            self.chart,
            [
                f"Rules {self.rules}, fingerprint {self.fingerprint}.",
                f"House edge {edge:.6f}% of the base wager, best play {best:.6f}%.",
                *([f"Made with: {command}"] if command else []),
            ],
        )

    def as_data(self) -> StrategyData:
        return data_of(StrategyData, self)

    def rows(self) -> list[TableRow]:
        """Every cell of the chart."""
        chart = self.chart
        sections = {"hard": chart.hard, "soft": chart.soft, "pairs": chart.pairs}
        for number, (hard, soft) in enumerate(chart.doubled, start=1):
            sections |= {f"doubled {number} hard": hard, f"doubled {number} soft": soft}
        return [
            {"section": name, "row": total, "up": up, "cell": cell}
            for name, rows in sections.items()
            for total, row in rows.items()
            for up, cell in zip(UP_CARDS, row_text(row).split(), strict=True)
        ]

    def _repr_html_(self) -> str:
        return chart_fragment(self.page())


def _rows_data(rows: Rows) -> RowsData:
    return {str(total): row_text(row).split() for total, row in rows.items()}


@lru_cache(maxsize=16)
def derive_chart(rules: Rules, base: int | None = None, worth: float = WORTH) -> ChartResult:
    """The smallest good chart for these rules and a fresh shoe, with its exact price.

    A digit or a mark is included if it saves at least `worth` base wagers per round. With a `base`
    wager in cents, the values include its Super Bonus. Without one they don't, and `$` marks the
    cells where hitting for the Super Bonus is right at the smallest wager that qualifies.
    """
    return Pricing(rules, base).derive(worth)


def price_chart(rules: Rules, chart: Chart, base: int | None = None) -> ChartResult:
    """The exact price of any chart under these rules."""
    return Pricing(rules, base).price(chart)


class Pricing:
    """Best play under given rules, computed once, to derive and price charts."""

    def __init__(self, rules: Rules, base: int | None) -> None:
        check_base(base)
        self.rules = rules
        self.base = base
        table = compile_rules(rules)
        self.super_bonus = base is not None and super_bonus_pay(table, base) > 0
        self.analysis = analyze(rules, base=base, super_bonus=self.super_bonus)
        self.optimum = Optimum(table, self.analysis.solution, base)
        self.marks = super_marks(rules)

    def derive(self, worth: float = WORTH) -> ChartResult:
        """Derive a chart; see `derive_chart`."""
        name, known = canonical(self.rules), self.analysis.fingerprint
        source = f"derived from the exact best play, fingerprint {known}"
        chart = derive(self.optimum, name, chart_title(self.rules), source, worth)
        chart = replace(chart, rules=name, fingerprint=known)
        if self.base is None:
            chart = with_marks(chart, self.marks)
        return self.price(chart)

    def price(self, chart: Chart) -> ChartResult:
        tables = chart_tables(self.optimum, chart)
        found = evaluate(
            self.rules,
            tables,
            STRATEGY_CLASS,
            base=self.base,
            super_bonus=self.super_bonus,
        )
        policy = chart_policy(self.optimum, chart)
        losses = Losses(self.optimum, reach_of(self.optimum, policy))
        return ChartResult(
            basis=self.analysis.basis,
            chart=chart,
            ev=found.ev,
            wagered=found.wagered,
            optimal_ev=self.analysis.ev,
            worst=worst_cells(losses, policy, chart),
            base=self.base,
            super_bonus=self.super_bonus,
            marks=self.marks,
            rescue=self.rules.rescue,
            double_always=may_always_double(self.rules),
            tens_in_pack=self.rules.pack == Pack.STANDARD,
            title=chart.title,
            subtitle=chart_subtitle(self.rules),
            misfit=chart.misfit(self.rules),
        )


def chart_title(rules: Rules) -> str:
    soft = "hits" if rules.soft_17 == Soft17.HIT else "stands on"
    decks = f"{rules.decks} deck{'s' if rules.decks > 1 else ''}"
    again = ", double-double" if rules.double_double else ""
    return f"{rules.game.words}: {decks}, dealer {soft} soft 17{again}"


def chart_subtitle(rules: Rules) -> str:
    """The rules that matter most for a chart."""
    parts = [rules.title, decks_words(rules)]
    if rules.surrender is not Surrender.OFF:
        late = rules.surrender is Surrender.LATE
        parts.append("late surrender" if late else "surrender at any time")
    else:
        parts.append("no surrender")
    if rules.double_cards is DoubleCards.TWO:
        parts.append("double on two cards")
    if rules.split is not Split.OFF:
        parts.append(f"split to {number_word(rules.split_hands)} hands")
    return "; ".join(parts)


def may_always_double(rules: Rules) -> bool:
    return (
        rules.double_cards is DoubleCards.TWO_OR_MORE
        and rules.double_totals is DoubleTotals.ANY
        and rules.double_after_split
    )


def super_bonus_notes(marks: tuple[SuperMark, ...], chart: Chart) -> list[str]:
    """Notes on the highest base wager for which a `$` applies."""
    notes = []
    for mark in marks:
        row = chart.pairs.get(mark.pair)
        if row is not None and row[mark.column].for_super and mark.highest:
            notes.append(
                f"$ applies to base wagers from {dollars(mark.lowest)} to "
                f"{dollars(mark.highest // 100 * 100)}."
            )
    return notes
