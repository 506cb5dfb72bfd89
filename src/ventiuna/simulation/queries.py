"""A simulation's settings, used as command options, as a request body, and in checkpoints.

Calculations are imported when they are needed, so that a command's help appears quickly.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field

from ventiuna.analysis.coerce import (
    input_error,
    options_to_args,
    read_number,
    read_share,
    rules_to_args,
)
from ventiuna.analysis.query import QueryOption, find_options
from ventiuna.money import read_amount
from ventiuna.rules import Rules

if TYPE_CHECKING:
    from ventiuna.simulation.plan import Plan

ALL_SIDES = "all"
MAX_SEED = 2**63 - 1  # limit for requests
_Text = Field(max_length=200)
Setting = partial(QueryOption, is_plain=True)


class SimulationSettings(BaseModel):
    """One simulation, as text and numbers that can be stored as JSON.

    The limits apply to requests. Command lines and files skip them, because `plan` checks
    everything and explains problems in our own words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    default_rules: ClassVar[str] = ""

    rules: Annotated[str, Setting("", is_argument=True)] = ""
    strategy: Annotated[
        str,
        _Text,
        Setting(
            "chart, optimal, mimic, habits, a built-in chart, or a chart file (.toml).",
            metavar="NAME",
            show_default=True,
        ),
    ] = "chart"
    spots: Annotated[
        int,
        Field(ge=1, le=100),
        Setting(
            "Number of betting spots, each with its own player.",
            kind=int,
            names=("--spots", "--seats"),
            show_default=True,
        ),
    ] = 1
    base: Annotated[
        str,
        Field(max_length=200, description="Dollars; defaults to the table minimum."),
        Setting("Base wager. Default: the table minimum.", metavar="AMOUNT"),
    ] = ""
    side: Annotated[
        str,
        _Text,
        Setting("up=5,down=5,b1=2,jackpot-1, or all for every side bet offered.", metavar="WAGERS"),
    ] = ""
    shoe: Annotated[
        str,
        _Text,
        Setting("cut-card, or fresh for a new shoe every round.", metavar="USE", show_default=True),
    ] = "cut-card"
    errors: Annotated[
        str, _Text, Setting("Share of wrong decisions, such as 2%.", metavar="SHARE")
    ] = ""
    count: Annotated[
        str, _Text, Setting("Bet and play by a count: a name or file.", metavar="NAME")
    ] = ""
    session: Annotated[
        int,
        Field(ge=0),
        Setting(
            "Rounds per session, for session statistics.",
            parse=lambda name, text: read_number(name, text) if text else 0,
            metavar="ROUNDS",
        ),
    ] = 0
    meter: Annotated[
        str, _Text, Setting("Starting meters, in dollars. Default: their seeds.", metavar="AMOUNTS")
    ] = ""
    seed: Annotated[
        int,
        Field(ge=0, le=MAX_SEED),
        Setting("The same seed gives the same results.", kind=int, show_default=True),
    ] = 21

    @classmethod
    def options(cls) -> dict[str, QueryOption]:
        return dict(find_options(cls))

    @classmethod
    def parse(cls, **texts: Any) -> Self:
        """Read settings from a command line."""
        options = cls.options()
        return cls.model_construct(
            **{name: options[name].parse(name, text) for name, text in texts.items()}
        )

    def plan(self, rules: Rules) -> Plan:
        """The plan for these rules, which the caller names or a checkpoint supplies."""
        from ventiuna.simulation.plan import Plan, check_plan, read_shoe_use
        from ventiuna.simulation.settings import find_count

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

    def words(self, rules: Rules) -> list[str]:
        """The equivalent command line."""
        changed = self.model_dump(exclude={"rules"}, exclude_defaults=True)
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
