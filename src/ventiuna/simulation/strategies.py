"""Strategies by name: `chart`, `optimal`, `mimic`, `habits`, a built-in chart or a chart file."""

from __future__ import annotations

from ventiuna.rules import Rules, compile_rules
from ventiuna.rules.model import Game
from ventiuna.simulation.chart import ChartPlayer, built_in_charts, load_chart
from ventiuna.simulation.errors import plan_problem
from ventiuna.simulation.strategy import MimicDealer, Strategy

HABITS = "blackjack-habits"
_CHARTS = {
    Game.SPANISH_21: "spanish-21-h17",
    Game.SUPER_FUN_21: "super-fun-21",
    Game.BLACKJACK: HABITS,
}


def strategy_names() -> tuple[str, ...]:
    return ("chart", "mimic", "habits", *built_in_charts())


def find_strategy(name: str, rules: Rules, base: int) -> Strategy:
    """The strategy of this name for these rules and this base wager."""
    table = compile_rules(rules)
    if name == "mimic":
        return MimicDealer(table)
    charts = built_in_charts()
    if name.endswith(".toml"):
        return ChartPlayer(load_chart(name), table, base)
    wanted = {"chart": _CHARTS[rules.game], "habits": HABITS}.get(name, name)
    if wanted not in charts:
        raise plan_problem(
            "strategy",
            name,
            "there is no such strategy",
            f"Use {', '.join(strategy_names())}, or the path of a chart ending in .toml.",
        )
    return ChartPlayer(charts[wanted], table, base)
