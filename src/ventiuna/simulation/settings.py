"""What a user asks of the simulator, in words: read into a plan, kept in a checkpoint."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from ventiuna.analysis.questions.again import option_words, rules_words
from ventiuna.analysis.questions.numbers import problem, read_share
from ventiuna.money import read_amount
from ventiuna.rules import Rules
from ventiuna.simulation.plan import Plan, check_plan, read_shoe_use
from ventiuna.simulation.strategies import find_count

ALL_SIDES = "all"


@dataclass(frozen=True)
class Settings:
    """One simulation, as text and numbers that JSON can keep."""

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
        """The plan under these rules: those that are named, or those of a checkpoint."""
        match, jackpots = read_side(self.side, rules)
        if self.meter and rules.jackpots and not jackpots:
            raise problem(
                "meter", self.meter, "no jackpot is bet on", "Add --side jackpot-1.", "R-085"
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
        """The command line that says the same."""
        usual = Settings(self.rules)
        changed = {
            name: value for name, value in asdict(self).items() if value != getattr(usual, name)
        }
        return ["simulate", *rules_words(rules), *option_words(**changed)]


def read_side(text: str, rules: Rules) -> tuple[dict[str, int], tuple[int, ...]]:
    """`up=5,down=5,b1=2,jackpot-1`, or `all` that the table offers at the smallest stake."""
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
            raise problem(
                "side",
                word,
                "this wager is not offered",
                f"Offered: {', '.join(offered) or 'none'}.",
                "R-015 to R-018, R-082",
            )
        if name.startswith("jackpot-"):
            game = int(name.removeprefix("jackpot-"))
            fixed = rules.jackpots[game - 1].wager
            if amount and read_amount(f"side {name}", amount) != fixed:
                raise problem(
                    "side", word, f"the wager is fixed at ${fixed / 100:.2f}", f"Write {name}.",
                    "R-085",
                )  # fmt: skip
            jackpots.append(game)
        else:
            match[name] = read_amount(f"side {name}", amount) if amount else smallest
    return match, tuple(sorted(set(jackpots)))
