"""The strategy chart for given rules, with its exact price."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.money import read_amount
from ventiuna.rules import Problem, Rules, RulesError, load_rules
from ventiuna.strategy.chart import Chart, built_in_charts, load_chart

if TYPE_CHECKING:
    from ventiuna.analysis.charts.derive.result import ChartResult

POINTS = 100.0  # per cent


@dataclass(frozen=True, slots=True)
class StrategyQuestion:
    """As the command line words it."""

    rules: str
    chart: str = ""
    base: str = ""
    worth: str = ""

    def read(self) -> ReadStrategyQuestion:
        """Understood and checked; raises what is wrong with it."""
        rules = load_rules(self.rules)
        base = read_amount("base", self.base) if self.base else None
        worth = _read_worth(self.worth)
        if self.chart and worth is not None:
            problem = Problem(
                "worth", "", "", "a given chart is priced as it is", "Leave out --worth or --chart."
            )
            raise RulesError([problem])
        return ReadStrategyQuestion(
            rules, find_chart(self.chart) if self.chart else None, base, worth
        )

    def words(self, rules: Rules) -> list[str]:
        """The command that asks the same."""
        options = option_words(chart=self.chart, base=self.base, worth=self.worth)
        return ["strategy", *rules_words(rules), *options]


@dataclass(frozen=True, slots=True)
class ReadStrategyQuestion:
    rules: Rules
    chart: Chart | None  # to be priced; else one is derived
    base: int | None
    worth: float | None

    def result(self) -> ChartResult:
        from ventiuna.analysis.charts.derive.result import WORTH, derive_chart, price_chart

        if self.chart is not None:
            return price_chart(self.rules, self.chart, self.base)
        return derive_chart(self.rules, self.base, WORTH if self.worth is None else self.worth)


def strategy_data(question: StrategyQuestion) -> dict[str, object]:
    """The whole answer as plain data."""
    read = question.read()
    words = question.words(read.rules)
    return read.result().as_data() | {"command": command_text([*words, "--json"])}


def find_chart(name: str) -> Chart:
    """A built-in chart, or that of a file."""
    if name.endswith(".toml"):
        return load_chart(name)
    charts = built_in_charts()
    if name not in charts:
        problem = Problem(
            "chart",
            name,
            "",
            "there is no such chart",
            f"Give a file ending in .toml, or {', '.join(charts)}.",
        )
        raise RulesError([problem])
    return charts[name]


def _read_worth(text: str) -> float | None:
    """Base wagers a round, from points."""
    if not text:
        return None
    try:
        points = float(text)
    except ValueError:
        points = math.nan
    if not 0.0 <= points <= POINTS:
        problem = Problem(
            "worth", text, "", "not a number of percentage points", "Use one such as 0.0001."
        )
        raise RulesError([problem])
    return points / POINTS
