"""Strategies and counts by name."""

from __future__ import annotations

from functools import lru_cache

from ventiuna.core.rule_table import RuleTable
from ventiuna.rules import Rules, compile_rules
from ventiuna.rules.model import Game, Soft17
from ventiuna.strategy.chart import ChartPlayer, built_in_charts, load_chart
from ventiuna.strategy.counting import Count, built_in_counts, load_count
from ventiuna.strategy.protocol import MimicDealer, Strategy, plan_problem

HABITS = "blackjack-habits"


def default_chart(rules: Rules) -> str:
    """The built-in chart that fits these rules best."""
    if rules.game == Game.SUPER_FUN_21:
        return "super-fun-21"
    if rules.game == Game.BLACKJACK:
        return HABITS
    if rules.double_double:
        return "spanish-21-double-double"
    return "spanish-21-s17" if rules.soft_17 == Soft17.STAND else "spanish-21-h17"


def strategy_names() -> tuple[str, ...]:
    return ("chart", "optimal", "mimic", "habits", *built_in_charts())


def find_strategy(name: str, rules: Rules, base: int) -> Strategy:
    """The strategy with this name, for these rules and this base wager."""
    table = compile_rules(rules)
    if name == "mimic":
        return MimicDealer(table)
    if name == "optimal":
        # Load the analyzer only on demand.
        from ventiuna.simulation.exact_play import OptimalPlayer

        return OptimalPlayer(rules, base)
    charts = built_in_charts()
    if name.endswith(".toml"):
        return ChartPlayer(load_chart(name), table, base)
    strategy = {"chart": default_chart(rules), "habits": HABITS}.get(name, name)
    if strategy not in charts:
        raise plan_problem(
            "strategy",
            name,
            "there is no such strategy",
            f"Choose from {', '.join(strategy_names())}, or give a chart file ending in .toml.",
        )
    return _built_in_player(strategy, table, base)


@lru_cache(maxsize=32)
def _built_in_player(chart: str, table: RuleTable, base: int) -> ChartPlayer:
    """The same object each time, so that `tables.decisions` queries it only once."""
    return ChartPlayer(built_in_charts()[chart], table, base)


def find_count(name: str) -> Count:
    """The count with this name, or from the file at this path."""
    if name.endswith(".toml"):
        return load_count(name)
    known = built_in_counts()
    if name not in known:
        raise plan_problem(
            "count",
            name,
            "there is no such count",
            f"Choose from {', '.join(known)}, or give a file ending in .toml.",
        )
    return known[name]
