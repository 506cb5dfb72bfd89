"""Settings of a simulation as text, and strategies and counts by name."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ventiuna.analysis.coerce import input_error, options_to_args, read_share, rules_to_args
from ventiuna.core.rule_table import RuleTable
from ventiuna.money import read_amount
from ventiuna.rules import Rules, compile_rules
from ventiuna.rules.model import Game, Soft17
from ventiuna.simulation.plan import Plan, check_plan, read_shoe_use
from ventiuna.strategy.chart import ChartPlayer, built_in_charts, load_chart
from ventiuna.strategy.counting import Count, built_in_counts, load_count
from ventiuna.strategy.errors import plan_problem
from ventiuna.strategy.protocol import MimicDealer, Strategy

# --- Strategies and counts by name ---

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
    """The strategy of this name for these rules and this base wager."""
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
    """The count of this name, or from the file at this path."""
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


# --- Settings ---

ALL_SIDES = "all"


@dataclass(frozen=True)
class SimulationSettings:
    """One simulation, as text and numbers that can be stored as JSON."""

    rules: str
    strategy: str = "chart"
    spots: int = 1
    base: str = ""
    side: str = ""
    shoe: str = "cut-card"
    errors: str = ""
    count: str = ""
    session: int = 0
    meter: str = ""
    seed: int = 21

    def plan(self, rules: Rules) -> Plan:
        """The plan under these rules: the named ones, or those of a checkpoint."""
        match, jackpots = read_side(self.side, rules)
        if self.meter and rules.jackpots and not jackpots:
            raise input_error(
                "meter", self.meter, "no jackpot wager is placed", "Add --side jackpot-1.", "R-085"
            )
        plan = Plan(
            rules=rules,
            strategy=self.strategy,
            spots=self.spots,
            base=read_amount("base", self.base) if self.base else 0,
            match=match,
            jackpots=jackpots,
            shoe=read_shoe_use(self.shoe),
            errors=read_share("errors", self.errors) if self.errors else Fraction(0),
            count=find_count(self.count) if self.count else None,
            session=self.session,
            meters=tuple(read_amount("meter", word) for word in self.meter.split(",") if word),
            seed=self.seed,
        )
        check_plan(plan)
        return plan

    def as_data(self) -> dict[str, Any]:
        return asdict(self)

    def words(self, rules: Rules) -> list[str]:
        """The equivalent command line."""
        default = SimulationSettings(self.rules)
        changed = {
            name: value for name, value in asdict(self).items() if value != getattr(default, name)
        }
        return ["simulate", *rules_to_args(rules), *options_to_args(**changed)]


def read_side(text: str, rules: Rules) -> tuple[dict[str, int], tuple[int, ...]]:
    """Parse `up=5,down=5,b1=2,jackpot-1`, or `all` for every wager offered, at its minimum."""
    offered = [*rules.mtd_wagers, *(f"jackpot-{n + 1}" for n in range(len(rules.jackpots)))]
    smallest = max(rules.mtd_minimum, rules.chip_unit)
    if text == ALL_SIDES:
        games = range(1, len(rules.jackpots) + 1)
        return dict.fromkeys(rules.mtd_wagers, smallest), tuple(games)
    match: dict[str, int] = {}
    jackpots: list[int] = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        name, _, amount = word.partition("=")
        if name not in offered:
            raise input_error(
                "side",
                word,
                "this wager isn't offered",
                f"Offered: {', '.join(offered) or 'none'}.",
                "R-015 to R-018, R-082",
            )
        if name.startswith("jackpot-"):
            game = int(name.removeprefix("jackpot-"))
            fixed = rules.jackpots[game - 1].wager
            if amount and read_amount(f"side {name}", amount) != fixed:
                raise input_error(
                    "side", word, f"the wager is fixed at ${fixed / 100:.2f}", f"Write {name}.",
                    "R-085",
                )  # fmt: skip
            jackpots.append(game)
        else:
            match[name] = read_amount(f"side {name}", amount) if amount else smallest
    return match, tuple(sorted(set(jackpots)))
