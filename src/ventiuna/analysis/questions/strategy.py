"""The strategy chart for given rules, with its exact price."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.money import read_amount
from ventiuna.rules import Problem, Rules, RulesError, load_rules
from ventiuna.rules.values import shown
from ventiuna.strategy.chart import Chart, built_in_charts, load_chart

if TYPE_CHECKING:
    from ventiuna.analysis.charts.derive.result import ChartResult

POINTS = 100.0  # per cent
SIMPLEST = "100"  # as `worth`: no digit or mark saves that much, so only letters are left


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
        return ReadStrategyQuestion(
            rules, find_chart(self.chart) if self.chart else None, base, worth
        )

    def words(self, rules: Rules) -> list[str]:
        """The command that asks the same."""
        options = option_words(chart=self.chart, base=self.base, worth=self.worth)
        return ["strategy", *rules_words(rules), *options]

    def pocket_words(self, rules: Rules) -> list[str]:
        """The command that writes the chart as a pocket card."""
        return [*self.words(rules), "--pocket", "card.pdf"]


@dataclass(frozen=True, slots=True)
class ReadStrategyQuestion:
    rules: Rules
    chart: Chart | None  # to be priced; else one is derived
    base: int | None
    worth: float | None  # base wagers a round

    def __post_init__(self) -> None:
        if self.chart is not None and self.worth is not None:
            problem = Problem(
                "worth", "", "", "a given chart is priced as it is", "Leave out worth or chart."
            )
            raise RulesError([problem])

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


def given_chart(chart: object) -> Chart:
    """A chart, or the name or file of one."""
    if isinstance(chart, Chart):
        return chart
    if isinstance(chart, str):
        return find_chart(chart)
    message = "it is a chart, its name or its file"
    raise RulesError([Problem("chart", shown(chart), "", message, "Give one.")])


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


def worth_of(points: object, text: str = "") -> float:
    """Base wagers a round, from percentage points, and from how they were written."""
    if isinstance(points, int | float) and type(points) is not bool and 0.0 <= points <= POINTS:
        return points / POINTS
    fix = "Use one such as 0.0001."
    name = text or shown(points)
    raise RulesError([Problem("worth", name, "", "not a number of percentage points", fix)])


def _read_worth(text: str) -> float | None:
    if not text:
        return None
    try:
        points: object = float(text)
    except ValueError:
        points = text
    return worth_of(points, text)
