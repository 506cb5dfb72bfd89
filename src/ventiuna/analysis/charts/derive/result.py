"""Charts with their exact price against the best play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ventiuna.analysis.base_game.analyser import analyse, evaluate
from ventiuna.analysis.charts.derive.chart import derive
from ventiuna.analysis.charts.derive.costs import Losses
from ventiuna.analysis.charts.derive.optimum import Optimum
from ventiuna.analysis.charts.derive.reach import chart_policy, reach_of
from ventiuna.analysis.charts.derive.super_mark import SuperMark, super_marks, with_marks
from ventiuna.analysis.charts.derive.tables import chart_tables
from ventiuna.analysis.charts.derive.worst import WorstCell, worst_cells
from ventiuna.analysis.charts.render.files import chart_toml
from ventiuna.analysis.charts.render.layout import Page, page_of
from ventiuna.analysis.charts.render.notation import row_text
from ventiuna.analysis.charts.render.page_data import page_data
from ventiuna.analysis.charts.render.page_html import chart_part
from ventiuna.analysis.composition import Basis
from ventiuna.analysis.frames import Framed, Row
from ventiuna.cards import Pack
from ventiuna.core.super_bonus import super_bonus_pay
from ventiuna.money import money_text
from ventiuna.records import brief_repr
from ventiuna.rules import Problem, Rules, RulesError, canonical, compile_rules
from ventiuna.rules.model import DoubleCards, DoubleTotals, Soft17, Split, Surrender
from ventiuna.rules.words.facts import decks_words, dollars, number_word
from ventiuna.strategy.chart import UPS, Chart, Rows

# A sign beside a letter (a digit, a mark) is printed when it saves this many base wagers a round.
WORTH = 1e-7
STRATEGY_CLASS = (
    "chart by total, up card, number of cards and marks; split hands played by the same chart, "
    "pairs split again while they may be"
)
OPTIMAL_CLASS = "composition-dependent, split hands played as the same cards unsplit (CDZ-)"
PERCENT = 100.0


@dataclass(frozen=True, slots=True)
class ChartResult(Framed):
    """A chart and what it costs; all values per base wager."""

    main_table = "cells"

    basis: Basis
    chart: Chart
    ev: float
    wagered: float
    optimal_ev: float
    worst: tuple[WorstCell, ...]  # all cells that give anything away, the dearest first
    base: int | None  # cents
    super_bonus: bool  # is the Super Bonus of this base wager in the values?
    marks: tuple[SuperMark, ...]
    rescue: bool  # R on a doubled hand is a rescue
    double_always: bool  # any hand may be doubled
    tens_in_pack: bool  # a pack without them has faces alone
    title: str
    subtitle: str
    misfit: str = ""  # the sentence that tells a chart made for other rules
    strategy_class: str = STRATEGY_CLASS

    __repr__ = brief_repr

    @property
    def cost(self) -> float:
        """What the chart gives away against the best play, in base wagers a round."""
        return self.optimal_ev - self.ev

    @property
    def cost_points(self) -> float:
        """The same in percentage points of the base wager."""
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
        """Digits and marks beside the letters."""
        return sum(
            (cell.cards > 0) + bool(cell.mark) + cell.for_super
            for rows in (self.chart.hard, self.chart.soft, self.chart.pairs)
            for row in rows.values()
            for cell in row
        )

    @property
    def price_sentence(self) -> str:
        wager = f" with a base wager of {money_text(self.base)}" if self.base is not None else ""
        bonus = ", its Super Bonus included" if self.super_bonus else ""
        return (
            f"House edge of this chart{wager}{bonus}: {PERCENT * self.house_edge:.4f} % of the "
            f"base wager; of the best play {-PERCENT * self.optimal_ev:.4f} %; the chart costs "
            f"{self.cost_points:.5f} points. All exact."
        )

    def page(self, command: str = "") -> Page:
        """Ready to be written, drawn or printed."""
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
                f"House edge {edge:.6f} % of the base wager, best play {best:.6f} %.",
                *([f"Made with: {command}"] if command else []),
            ],
        )

    def as_data(self) -> dict[str, Any]:
        chart = self.chart
        return {
            **self.basis.as_data(),
            "strategy_class": self.strategy_class,
            "optimal_strategy_class": OPTIMAL_CLASS,
            "base_cents": self.base,
            "super_bonus": self.super_bonus,
            "ev": self.ev,
            "house_edge": self.house_edge,
            "wagered": self.wagered,
            "optimal_ev": self.optimal_ev,
            "cost": self.cost,
            "cost_points": self.cost_points,
            "signs": self.signs,
            "misfit": self.misfit or None,
            "chart": {
                "title": chart.title,
                "hard": _rows_data(chart.hard),
                "soft": _rows_data(chart.soft),
                "pairs": _rows_data(chart.pairs),
                "doubled": [
                    {"hard": _rows_data(hard), "soft": _rows_data(soft)}
                    for hard, soft in chart.doubled
                ],
                "blackjack": "double" if chart.doubles_blackjack else "take",
                "insurance": str(chart.insurance),
            },
            "page": page_data(self.page(), self.rescue, self.tens_in_pack),
            "super_bonus_marks": [mark._asdict() for mark in self.marks],
            "worst": [cell.as_data() for cell in self.worst],
        }

    def rows(self) -> list[Row]:
        """Every cell of the chart."""
        chart = self.chart
        sections = {"hard": chart.hard, "soft": chart.soft, "pairs": chart.pairs}
        for number, (hard, soft) in enumerate(chart.doubled, start=1):
            sections |= {f"doubled {number} hard": hard, f"doubled {number} soft": soft}
        return [
            {"section": name, "row": total, "up": up, "cell": cell}
            for name, rows in sections.items()
            for total, row in rows.items()
            for up, cell in zip(UPS, row_text(row).split(), strict=True)
        ]

    def _repr_html_(self) -> str:
        return chart_part(self.page())


def _rows_data(rows: Rows) -> dict[str, list[str]]:
    return {str(total): row_text(row).split() for total, row in rows.items()}


@lru_cache(maxsize=16)
def derive_chart(rules: Rules, base: int | None = None, worth: float = WORTH) -> ChartResult:
    """The smallest good chart for these rules and a fresh shoe, with its exact price.

    A digit or a mark is in it when it saves at least `worth` base wagers a round. With a `base`
    wager in cents its Super Bonus is in the values; without one it is not, and `$` is marked
    where hitting for it is right for the smallest wager that has one.
    """
    return Pricing(rules, base).derive(worth)


def price_chart(rules: Rules, chart: Chart, base: int | None = None) -> ChartResult:
    """The exact price of any chart under these rules."""
    return Pricing(rules, base).price(chart)


class Pricing:
    """The best play under some rules, worked out once, to derive and price charts."""

    def __init__(self, rules: Rules, base: int | None) -> None:
        if base is not None and base <= 0:
            raise RulesError(
                [Problem("base", money_text(base), "R-003", "a wager is above zero", "Raise it.")]
            )
        self.rules = rules
        self.base = base
        table = compile_rules(rules)
        self.super_bonus = base is not None and super_bonus_pay(table, base) > 0
        self.analysis = analyse(rules, base=base, super_bonus=self.super_bonus)
        self.optimum = Optimum(table, self.analysis.solution, base)
        self.marks = super_marks(rules)

    def derive(self, worth: float = WORTH) -> ChartResult:
        """As `derive_chart`."""
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
    """The rules that a chart depends on most."""
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
    """Up to which base wager a `$` is right."""
    notes = []
    for mark in marks:
        row = chart.pairs.get(mark.pair)
        if row is not None and row[mark.column].for_super and mark.highest:
            notes.append(
                f"$ is right for base wagers from {dollars(mark.lowest)} to "
                f"{dollars(mark.highest // 100 * 100)}."
            )
    return notes
