"""What a user asks of the simulator, in words: read into a plan, kept in a checkpoint."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ventiuna.cli.reports import option_words, read_amount
from ventiuna.files import make_folder
from ventiuna.rules import canonical
from ventiuna.rules.errors import Problem, RulesError

if TYPE_CHECKING:
    from ventiuna.rules import Rules
    from ventiuna.simulation.plan import Plan

ALL_SIDES = "all"
_NUMBER = re.compile(r"[+-]?[0-9.]{1,30}(e[+-]?[0-9]{1,2})?|[0-9]{1,15}/[0-9]{1,15}", re.IGNORECASE)


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
        from ventiuna.simulation.plan import Plan, check_plan, read_shoe_use
        from ventiuna.simulation.strategies import find_count

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
        return ["simulate", canonical(rules), *option_words(**changed)]


def problem(field: str, value: object, message: str, fix: str, rule: str = "") -> RulesError:
    return RulesError([Problem(field, str(value), rule, message, fix)])


def _fraction(text: str) -> Fraction:
    """A number that can be written out: 1e999999999 would fill the memory."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return Fraction(text)


def make_output_folder(option: str, folder: Path) -> None:
    """Found out before a long run, not after it, that nothing can be written there."""
    if folder.exists() and not folder.is_dir():
        raise problem(option, folder, "a file of this name exists", "Name a folder.")
    try:
        make_folder(folder)
    except (FileExistsError, NotADirectoryError):
        raise problem(option, folder, "a file of this name exists", "Name a folder.") from None


def read_number(field: str, text: str) -> int:
    """`1e9`, `2_000_000`, `5,000`, `3M`, `1G`."""
    plain = text.replace(",", "").replace("_", "").strip()
    factor = {"k": 10**3, "M": 10**6, "G": 10**9}.get(plain[-1:], 1)
    if factor > 1:
        plain = plain[:-1]
    try:
        number = _fraction(plain) * factor
    except (ValueError, ZeroDivisionError):
        number = Fraction(1, 2)
    if number.denominator != 1 or number < 0:
        raise problem(field, text, "not a whole number", "Write it as 5000000, 5e6 or 5M.")
    return int(number)


def read_share(field: str, text: str) -> Fraction:
    """`0.01%`, `2 %` or `0.02`."""
    plain = text.strip()
    percent = plain.endswith("%")
    try:
        share = _fraction(plain.removesuffix("%").strip()) / (100 if percent else 1)
    except (ValueError, ZeroDivisionError):
        raise problem(field, text, "not a share", "Write it as 2% or 0.02.") from None
    if not 0 <= share <= 1:
        raise problem(field, text, "not between 0 and 100 %", "Write it as 2% or 0.02.")
    return share


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
