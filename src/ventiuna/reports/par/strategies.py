"""The play that the edge assumes, and what simpler plays cost."""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.analysis.base_game.result import BaseGameAnalysis
from ventiuna.rules import Rules
from ventiuna.strategy.chart import built_in_charts

LETTERS_ALONE = 1.0  # no sign beside a letter is worth so much
HABITS = "blackjack-habits"


@dataclass(frozen=True, slots=True)
class StrategyCost:
    name: str
    title: str
    house_edge: float
    cost: float  # against the best play, in base wagers a round
    made_for_other_rules: bool = False

    def as_data(self) -> dict[str, object]:
        return {
            "name": self.name,
            "title": self.title,
            "house_edge": self.house_edge,
            "cost": self.cost,
            "made_for_other_rules": self.made_for_other_rules,
        }


def strategy_costs(rules: Rules, best: BaseGameAnalysis) -> tuple[StrategyCost, ...]:
    """Best play first, then charts: ours, ours in letters alone, those of the game, habits."""
    from ventiuna.analysis.charts.derive.result import Pricing

    found = [StrategyCost("optimal", best.strategy_class, best.house_edge, 0.0)]
    pricing = Pricing(rules, best.base)
    chart, letters = pricing.derive(), pricing.derive(LETTERS_ALONE)
    for name, title, result in (
        ("chart", "the chart that ventiuna strategy derives", chart),
        ("letters", "the same chart without digits and marks", letters),
    ):
        found.append(StrategyCost(name, title, result.house_edge, result.cost))
    for name, built_in in built_in_charts().items():
        if name != HABITS and not name.startswith(str(rules.game)):
            continue
        priced = pricing.price(built_in)
        other = bool(priced.misfit) or _names_other_rules(name, rules)
        found.append(StrategyCost(name, built_in.title, priced.house_edge, priced.cost, other))
    return tuple(found)


def _names_other_rules(name: str, rules: Rules) -> bool:
    """Charts say in their names what they are for where their files hold no fingerprint."""
    made = {"spanish-21-h17": ("hit", False), "spanish-21-s17": ("stand", False)}
    made["spanish-21-double-double"] = ("hit", True)
    return name in made and made[name] != (str(rules.soft_17), rules.double_double)
