"""Design to a target: find the rule sets whose exact figures are in given ranges.

Every combination of the varied options is analyzed. Pay tables are far too many for that, so a
search over pay rows first bounds each table's edge from a few analyses:

- With the play fixed, the value of the game is linear in every pay. So the play that is best for
  one pay table gives a lower bound for every other, from the exact marginal value of each row.
- Best play is the maximum over all ways to play, so its value is a convex function of the pays. A
  table that changes k rows is the mean of k tables that change one row each, by k times as much. So
  the mean of their values is an upper bound.

Both bounds hold for best play. Analysis plays split hands like unsplit ones, which costs a little,
so a table is only skipped if it misses the target by more than `MARGIN`. All reported figures come
from a full analysis of the rules.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations, product
from math import comb, inf, prod
from operator import attrgetter
from threading import Event
from typing import Any, NamedTuple, NotRequired

from typing_extensions import TypedDict

from ventiuna.analysis.base_game.analyzer import BaseGameAnalysis, analyze
from ventiuna.analysis.base_game.outcomes import (
    HitRates,
    hit_rates,
    row_rates,
    standard_deviation,
)
from ventiuna.analysis.base_game.queries import BASE_GAME_OPTIONS, rule_combinations
from ventiuna.analysis.base_game.solver import (
    DealerChances,
    dealer_chances_of,
    game_tables,
    solve_deals,
)
from ventiuna.analysis.coerce import input_error
from ventiuna.analysis.query import ProgressIterator
from ventiuna.analysis.results import Column, TabularResult, data_of, html_of
from ventiuna.analysis.targets import (
    CHANGES,
    FIGURES,
    FIGURES_BY_NAME,
    PAYS,
    Aim,
    Figure,
    Range,
    pareto_front,
)
from ventiuna.kernels.exact.tables import DEAL_VALUE, Game, copy_of
from ventiuna.money import Odds
from ventiuna.rules import Rules, RulesError, canonical, fingerprint
from ventiuna.rules.canonical import rules_data
from ventiuna.rules.compiled import winning_rows
from ventiuna.rules.loader import choices_of, split_canonical
from ventiuna.rules.model import OPTIONS_BY_NAME, PLAIN_21, PayRow
from ventiuna.rules.options import did_you_mean, value_text
from ventiuna.rules.text.comparison import departures
from ventiuna.rules.text.references import values_of
from ventiuna.rules.validation import find_problems
from ventiuna.texts import brief_repr, toml_text

MAX_GAMES = 10_000  # combinations of options
MAX_PAY_TABLES = 200_000  # for each combination of options
MAX_WORK = 10_000  # for each combination of options, in analyses: a few minutes
MARGIN = 1e-5  # base wagers; twenty times what playing split hands like unsplit ones costs
THREADS = 4
ALL_ROWS, NOTHING = "bonus", "none"

Pays = tuple[tuple[str, Odds], ...]  # changed pays by row


# --- What varies ---


def open_options(rules: Rules, vary: str, keep: str, approved: bool) -> dict[str, list[str]]:
    """The varied options with their values; by default, those that the document leaves open."""
    choices = choices_of(rules.name)
    named = [name for name in _names(vary) if name in BASE_GAME_OPTIONS]
    if not vary:
        named = [name for name in BASE_GAME_OPTIONS if len(choices.get(name, ())) > 1]
    found = {}
    for name in named:
        if name in _names(keep):
            continue
        present = value_text(getattr(rules, name))
        allowed = choices.get(name, [present]) or values_of(OPTIONS_BY_NAME[name])
        found[name] = (
            [value_text(value) for value in allowed]
            if approved
            else list(dict.fromkeys([present, *values_of(OPTIONS_BY_NAME[name])]))
        )
    return found


def open_rows(rules: Rules, vary: str, keep: str, approved: bool) -> list[str]:
    """The names of the pay rows whose pays vary."""
    known = [row.name for row in (*rules.instant_wins, *rules.bonus_21)]
    every = dict.fromkeys(known)
    known_names = [*BASE_GAME_OPTIONS, ALL_ROWS, NOTHING, *every]
    for option, names in ("vary", _names(vary)), ("keep", _names(keep)):
        for name in names:
            if name not in known_names:
                message = "neither an option of the base game nor a pay row of these rules"
                raise input_error(option, name, message, did_you_mean(name, known_names))
    chosen = [name for name in every if name in _names(vary) or ALL_ROWS in _names(vary)]
    if ALL_ROWS in _names(keep):
        chosen = []
    if chosen and approved:
        message = "the document fixes every pay, so there is nothing to vary"
        raise input_error("vary", vary, message, "Omit --approved, or vary options only.", "R-061")
    return [name for name in chosen if name not in _names(keep)]


def _names(text: str) -> list[str]:
    return [name for name in (part.strip() for part in text.split(",")) if name]


def count_games(rules: Rules, vary: str, keep: str, approved: bool) -> int:
    """The number of combinations, including those that contradict themselves."""
    return prod(map(len, open_options(rules, vary, keep, approved).values()))


def games_of(rules: Rules, vary: str, keep: str, approved: bool) -> tuple[Rules, ...]:
    """All valid combinations of the varied options."""
    open_rows(rules, vary, keep, approved)  # reports unknown names
    choices = open_options(rules, vary, keep, approved)
    if (number := count_games(rules, vary, keep, approved)) > MAX_GAMES:
        message = f"{number:,} combinations are too many; at most {MAX_GAMES:,} are analyzed"
        raise input_error("vary", vary or ", ".join(choices), message, "Vary fewer options.")
    return rule_combinations(rules, choices)


# --- Wishes and solutions ---


@dataclass(frozen=True, slots=True)
class Wish:
    """What a design must meet; `ranges` lists the requested figures."""

    ranges: Mapping[str, Range]
    front: tuple[Aim, ...] = ()
    base: int | None = None  # cents
    per_hour: int = 60  # rounds
    rows: tuple[str, ...] = ()  # pay rows that vary
    pays: Range = PAYS
    changes: int = 2  # maximum number of changed pays
    most: int = 50  # solutions

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures to compute: those with a range or an aim, and the edge."""
        names = {"edge", *self.ranges, *(aim.figure for aim in self.front)}
        return tuple(figure for figure in FIGURES if figure.name in names)


class SolutionData(TypedDict):
    rules: str
    fingerprint: str
    pays: dict[str, str]
    changes: list[str]
    departures: list[str]
    house_edge: float
    win_per_hour_cents: NotRequired[float]
    hands_per_hour: NotRequired[float]
    hits_per_round: NotRequired[float]
    bonus_hits_per_round: NotRequired[float]
    sd: NotRequired[float]
    on_front: bool
    file: str | None


@dataclass(frozen=True, slots=True)
class Solution:
    """One rule set that meets the targets, and how far it is from its document."""

    rules: str  # canonical name, which can't express changed pays
    fingerprint: str
    pays: dict[str, str]  # changed pays, by row
    changes: tuple[str, ...]  # options that differ from the preset
    departures: tuple[str, ...]  # what the document doesn't allow
    house_edge: float
    win_per_hour_cents: float | None = None
    hands_per_hour: float | None = None
    hits_per_round: float | None = None
    bonus_hits_per_round: float | None = None
    sd: float | None = None
    on_front: bool = True
    file: str | None = None  # a rules file, if no canonical name can express these rules
    house_rules: Rules = field(default_factory=Rules, repr=False, compare=False)

    @property
    def number_of_changes(self) -> int:
        return len(self.changes) + len(self.pays)

    @property
    def pays_text(self) -> str:
        return ", ".join(f"{row} {pay}" for row, pay in self.pays.items())

    def cost(self, aim: Aim) -> float:
        """The figure to keep low, with its sign changed if it should be high."""
        if aim.figure == CHANGES:
            value: float | None = self.number_of_changes
        else:
            value = getattr(self, FIGURES_BY_NAME[aim.figure].field)
        if value is None:
            return inf
        return -value if aim.is_high else value


class DesignData(TypedDict):
    rules: str
    fingerprint: str
    games: int
    analyses: int
    is_complete: bool
    without_sd: int
    solutions: list[SolutionData]


class DesignAnswer(DesignData):
    command: str


@dataclass(frozen=True, slots=True)
class Design(TabularResult):
    """The rule sets that meet the targets, the nearest to the document first."""

    main_table = "solutions"
    columns = (
        Column("rules", None, attrgetter("rules"), "rules"),
        Column("pays changed", None, attrgetter("pays_text"), "pays"),
        Column("departures", None, lambda found: str(len(found.departures)), "departures"),
        *(Column(one.heading, one.form, attrgetter(one.field), one.field) for one in FIGURES),
        Column("front", None, lambda found: "yes" if found.on_front else "", "front"),
    )

    rules: str
    fingerprint: str
    games: int  # combinations of options
    analyses: int  # full analyses
    is_complete: bool  # False if the search ended early at its maximum number of solutions
    without_sd: int  # rule sets left out because their standard deviation can't be computed
    solutions: tuple[Solution, ...]

    __repr__ = brief_repr

    def records(self) -> tuple[Solution, ...]:
        return self.solutions

    @property
    def front(self) -> tuple[Solution, ...]:
        """The solutions that no other solution beats."""
        return tuple(found for found in self.solutions if found.on_front)

    def as_data(self) -> DesignData:
        return data_of(DesignData, self)

    def _repr_html_(self) -> str:
        caption = f"{len(self.solutions)} designs from {self.rules}"
        return html_of(caption, self.columns, self.solutions)


def design(games: Sequence[Rules], wish: Wish, progress: ProgressIterator, start: Rules) -> Design:
    """Search these combinations of options for solutions."""
    threads = min(THREADS, os.cpu_count() or 1, len(games) or 1)
    pool = ThreadPoolExecutor(threads)  # the kernels release the GIL
    stop = Event()
    try:
        searches = pool.map(partial(_search, wish=wish, stop=stop), games)
        found = [next(searches) for _ in progress("rule sets", games)]
    finally:
        stop.set()  # after Ctrl-C, threads end at their next analysis
        pool.shutdown(wait=False, cancel_futures=True)
    solutions = sorted(
        (solution for search in found for solution in search.solutions),
        key=lambda one: (len(one.departures), one.number_of_changes, one.house_edge, one.rules),
    )
    kept = solutions[: wish.most]
    if wish.front:
        best = pareto_front(kept, lambda one: [one.cost(aim) for aim in wish.front])
        marks = set(map(id, best))
        kept = [replace(one, on_front=id(one) in marks) for one in kept]
    return Design(
        rules=canonical(start),
        fingerprint=fingerprint(start),
        games=len(games),
        analyses=sum(search.analyses for search in found),
        is_complete=all(search.is_complete for search in found) and len(kept) == len(solutions),
        without_sd=sum(search.without_sd for search in found),
        solutions=tuple(kept),
    )


# --- One combination of options ---


@dataclass(slots=True)
class _Search:
    """The solutions with one combination of options."""

    wish: Wish
    stop: Event
    solutions: list[Solution] = field(default_factory=list)
    analyses: int = 0
    is_complete: bool = True
    without_sd: int = 0
    work: int = 0

    def run(self, rules: Rules) -> None:
        start = self._analyze(rules)
        self._take(rules, (), start)
        if not self.wish.rows:
            return
        tables = PayTables(rules, start, self.wish, self.stop)
        for pays in tables.candidates():
            if len(self.solutions) >= self.wish.most or self.work >= MAX_WORK:
                self.is_complete = False
                break
            changed = with_pays(rules, pays)
            if not find_problems(changed):
                self._take(changed, pays, self._analyze(changed))
        self.analyses += tables.analyses

    def _analyze(self, rules: Rules) -> BaseGameAnalysis:
        _check(self.stop)
        self.analyses += 1
        self.work += 1
        return analyze(rules, base=self.wish.base)

    def _take(self, rules: Rules, pays: Pays, analysis: BaseGameAnalysis) -> None:
        wish, figures = self.wish, _Figures(rules, analysis, self.wish)
        found: dict[str, Any] = {}
        for figure in wish.figures:
            self.work += figure.work
            value = figures.value(figure.name)
            if value is None:
                self.without_sd += 1
                return
            if value * figure.scale not in wish.ranges.get(figure.name, Range()):
                return
            found[figure.field] = value
        name = canonical(rules)
        self.solutions.append(
            Solution(
                rules=name,
                fingerprint=fingerprint(rules),
                pays={row: str(pay) for row, pay in pays},
                changes=tuple(f"{key}={value}" for key, value in split_canonical(name)[1].items()),
                departures=tuple(map(str, departures(rules))),
                file=rules_file(rules) if pays else None,
                house_rules=rules,
                **found,
            )
        )


class _Stopped(Exception):
    """Ends a search whose result is no longer needed."""


def _check(stop: Event) -> None:
    if stop.is_set():
        raise _Stopped


def _search(rules: Rules, wish: Wish, stop: Event) -> _Search:
    search = _Search(wish, stop)
    search.run(rules)
    return search


class _Figures:
    """The exact figures of one rule set, each computed when it is needed."""

    def __init__(self, rules: Rules, analysis: BaseGameAnalysis, wish: Wish) -> None:
        self._rules = rules
        self._analysis = analysis
        self._wish = wish

    @cached_property
    def _rates(self) -> HitRates:
        return hit_rates(self._rules, self._analysis)

    def value(self, name: str) -> float | None:
        edge = self._analysis.house_edge
        if name == "edge":
            return edge
        if name == "win":
            return edge * (self._wish.base or 0) * self._wish.per_hour
        if name == "hands":
            return self._rates.hands * self._wish.per_hour
        if name == "hits":
            return self._rates.won
        if name == "bonus_hits":
            return self._rates.bonus
        try:
            return standard_deviation(self._rules, self._analysis)
        except RulesError:  # can't be computed for these rules
            return None


# --- Pay tables ---


def with_pays(rules: Rules, pays: Pays) -> Rules:
    """The rules with these pays instead, in the rows that apply to their number of decks."""
    changed = dict(pays)

    def paid(row: PayRow) -> PayRow:
        applies = not row.decks or rules.decks in row.decks
        return replace(row, pay=changed[row.name]) if row.name in changed and applies else row

    return replace(
        rules,
        bonus_21=tuple(map(paid, rules.bonus_21)),
        instant_wins=tuple(map(paid, rules.instant_wins)),
    )


def rules_file(rules: Rules) -> str:
    """A rules file with these options and pay rows, which extends their preset."""
    name, changes = split_canonical(canonical(rules))
    lines = [f"title = {toml_text(rules.title)}", f"extends = {toml_text(name)}"]
    lines += [f"{option} = {toml_text(value)}" for option, value in changes.items()]
    data = rules_data(rules)
    for part in ("bonus_21", "instant_wins"):
        rows = data[part]
        assert isinstance(rows, list)
        for row in rows:
            assert isinstance(row, dict)
            lines += ["", f"[[{part}]]"]
            lines += [
                f"{key} = {_toml_value(value)}"
                for key, value in row.items()
                if value not in ("", []) and value != _USUAL.get(key)
            ]
    return "\n".join([*lines, ""])


_USUAL = {"total": "21", "suits": "any", "after_split": True}  # left out of a rules file


def _toml_value(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml_value, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else toml_text(str(value))


class _Step(NamedTuple):
    """A different pay for one row."""

    row: int  # in `winning_rows`
    name: str
    pay: Odds
    change: float


class _Bounds(NamedTuple):
    low: float
    high: float


class PayTables:
    """The pay tables near one rule set's own, with bounds for the value of each."""

    def __init__(
        self, rules: Rules, analysis: BaseGameAnalysis, wish: Wish, stop: Event | None = None
    ) -> None:
        self._rules = rules
        self._analysis = analysis
        self._wish = wish
        self._stop = stop or Event()
        self.analyses = 0
        self._rows = [
            [_Step(place, row.name, pay, change) for pay, change in _other_pays(row, wish.pays)]
            for place, (row, _, _) in enumerate(winning_rows(rules))
            if row.name in wish.rows and row.name != PLAIN_21
        ]
        self._known: dict[tuple[int, float], float] = {}

    @property
    def number(self) -> int:
        """The number of other pay tables, or of those that change as many rows if all are alike."""
        rows, steps = len(self._rows), max(map(len, self._rows), default=0)
        return sum(comb(rows, k) * steps**k for k in range(1, self._wish.changes + 1))

    def candidates(self) -> Iterator[Pays]:
        """Pay tables whose edge can meet the target, the fewest and smallest changes first."""
        if self.number > MAX_PAY_TABLES:
            message = f"{self.number:,} pay tables are too many; at most {MAX_PAY_TABLES:,}"
            fix = "Vary fewer rows, narrow --pays or lower --changes."
            raise input_error("vary", ", ".join(self._wish.rows), message, fix)
        for rows in range(1, min(self._wish.changes, len(self._rows)) + 1):
            found = [
                steps
                for chosen in combinations(self._rows, rows)
                for steps in product(*chosen)
                if self._may_fit(steps)
            ]
            found.sort(key=lambda steps: sum(abs(step.change) for step in steps))
            for steps in found:
                yield tuple((step.name, step.pay) for step in steps)

    def _may_fit(self, steps: tuple[_Step, ...]) -> bool:
        wanted = self._wish.ranges.get("edge", Range())
        if wanted == Range():
            return True
        bounds = self.bounds([(step.row, step.change) for step in steps])
        lowest, highest = -100 * (bounds.high + MARGIN), -100 * (bounds.low - MARGIN)
        return lowest <= wanted.high and highest >= wanted.low

    def bounds(self, changes: Sequence[tuple[int, float]]) -> _Bounds:
        """Bounds for the value of best play if these rows pay this much more (to 1)."""
        start = self._analysis.ev
        low = start + sum(self._rates[row] * change for row, change in changes)
        moved = [self._moved(row, change * len(changes)) for row, change in changes]
        return _Bounds(low, sum(moved) / len(moved))

    @cached_property
    def _rates(self) -> tuple[float, ...]:
        self.analyses += 1
        return row_rates(self._rules, self._analysis)

    @cached_property
    def _game(self) -> Game:
        query = self._analysis.query
        return game_tables(query.table, query.composition, query.base)

    @cached_property
    def _chances(self) -> DealerChances:
        """Dealer probabilities beside unsplit hands, which no pay affects."""
        known = dealer_chances_of(self._analysis.query)
        return DealerChances(known.beside_hands, known.beside_splits[:0])

    def _moved(self, row: int, change: float) -> float:
        """The value of best play if this row alone pays this much more, which may be negative."""
        if (row, change) not in self._known:
            _check(self._stop)
            self.analyses += 1
            query = self._analysis.query
            table = query.table
            raised = list(table.bonus_num)
            raised[row] += table.bonus_den[row]
            other = game_tables(
                table._replace(bonus_num=tuple(raised)), query.composition, query.base
            )
            game = copy_of(self._game)
            for part in ("pay", "suit_pay"):
                game[part] = game[part] + change * (other[part] - self._game[part])
            deals = solve_deals(query._replace(game=game, chances=self._chances))
            self._known[row, change] = float(deals.figures[:, :, DEAL_VALUE].sum())
        return self._known[row, change]


def _other_pays(row: PayRow, pays: Range) -> Iterator[tuple[Odds, float]]:
    """Every other pay within the range in steps of one half, with the change to 1."""
    present = Fraction(row.pay.num, row.pay.den)
    for halves in range(int(2 * pays.low), int(2 * pays.high) + 1):
        pay = Fraction(halves, 2)
        if pays.low <= pay <= pays.high and pay != present:
            yield Odds(pay.numerator, pay.denominator), float(pay - present)
