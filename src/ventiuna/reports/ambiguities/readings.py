"""A reading of an open point, and ways to work out what it is worth.

Values are expected gains of the player per unit of a wager. Where all readings are worth the same
the argument is told, and where a worth can't be worked out the reason: no figure is made up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial

from ventiuna.analysis.base_game.analyser import analyse
from ventiuna.analysis.base_game.solve import Question, solve_deals
from ventiuna.analysis.base_game.tables import game_tables
from ventiuna.analysis.composition import fresh_composition
from ventiuna.core.table import RuleTable
from ventiuna.kernels.exact.records import DEAL_VALUE, Game
from ventiuna.rules import (
    Rules,
    RulesError,
    change_rules,
    compile_rules,
    fingerprint,
    load_rules,
)
from ventiuna.rules.words.departures import Standing, standing

BASE_WAGER = "base wager"
MATCH_WAGER = "Match the Dealer wager"
JACKPOT_WAGER = "jackpot wager"
FULL_TABLE_JACKPOT = "jackpot wager at a full table where everyone makes it"
ENVY_BONUS = "base wager, Envy Bonus alone"
SUPER_BONUS = "base wager of $25, Super Bonus alone"


@dataclass(frozen=True, slots=True)
class Case:
    """The rules that are asked about, and the base wager in cents."""

    rules: Rules
    base: int


@dataclass(frozen=True, slots=True)
class Found:
    """What a reading is worth."""

    value: float | None  # None: it can't be had with these rules
    is_present: bool = False
    note: str = ""


Worth = Callable[[Case], Found]


@dataclass(frozen=True, slots=True)
class Reading:
    words: str
    worth: Worth = field(compare=False, repr=False)
    documents: str = ""  # that read it so

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the function, which is often local; a studied point has its value."""
        return Reading, (self.words, as_they_are, self.documents)


@dataclass(frozen=True, slots=True)
class Point:
    """One open point: readings with their worth, or the sentence that settles it."""

    number: str
    readings: tuple[Reading, ...] = ()
    of: str = BASE_WAGER  # what values are per unit of
    zero: str = ""  # why no reading changes what a wager is worth
    settled: str = ""  # what shows that one reading alone can be meant
    unknown: str = ""  # why it can't be worked out here
    only: Callable[[Rules], bool] = field(
        default=lambda _: True, compare=False, repr=False
    )  # rules that it is about
    option: str = ""  # whose standing in the preset says who decides; if there is none:
    house_in: tuple[str, ...] = ()  # documents that leave it to the house
    open_in: tuple[str, ...] | None = None  # documents that don't settle it; None: none does

    def decided_by(self, rules: Rules) -> Standing:
        """SILENT is a true ambiguity: the document is silent, or contradicts itself."""
        if self.option:
            return standing(rules.origin.preset, self.option)
        document = load_rules(rules.origin.preset).document[:3]
        if document in self.house_in:
            return Standing.HOUSE
        is_open = self.open_in is None or document in self.open_in
        return Standing.SILENT if is_open else Standing.FIXED

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the function, as readings do."""
        kept = {each.name: getattr(self, each.name) for each in fields(self) if each.compare}
        return partial(Point, **kept), ()


# --- the base game ------------------------------------------------------------------------------


def as_they_are(case: Case) -> Found:
    """These rules themselves."""
    return Found(analyse(case.rules).ev, is_present=True)


def with_options(**changes: str) -> Worth:
    """The rules with these options; a contradiction is told."""

    def worth(case: Case) -> Found:
        wanted: Mapping[str, str] = changes
        if "decks" in changes and case.rules.jackpots:
            wanted = {**changes, "jackpots": "none"}  # their tables belong to a number of decks
        try:
            changed = change_rules(case.rules, dict(wanted))
        except RulesError as error:
            return Found(None, note=str(error.problems[0]))
        same = fingerprint(changed) == fingerprint(case.rules)
        has = all(_has(case.rules, name, value) for name, value in changes.items())
        return Found(analyse(changed).ev, same or has)

    return worth


def _has(rules: Rules, name: str, value: str) -> bool:
    present = getattr(rules, name)
    text = ("on" if present else "off") if isinstance(present, bool) else str(present)
    return text == value


def with_rules(change: Callable[[Rules], Rules], note: str = "") -> Worth:
    """Rules that options alone do not write."""

    def worth(case: Case) -> Found:
        changed = change(case.rules)
        same = compile_rules(changed) == compile_rules(case.rules)
        return Found(analyse(changed).ev, same, note)

    return worth


def with_table(change: Callable[[RuleTable], RuleTable]) -> Worth:
    """What the compiled rules could say, though no option does."""

    def worth(case: Case) -> Found:
        table = change(compile_rules(case.rules))
        return Found(_value(case.rules, table, None))

    return worth


def with_game(change: Callable[[Game, Case], None], note: str = "") -> Worth:
    """Other pays, losses or legal actions of hands, though no option has them."""

    def worth(case: Case) -> Found:
        table = compile_rules(case.rules)
        game = game_tables(table, fresh_composition(case.rules))
        change(game, case)
        return Found(_value(case.rules, table, game), note=note)

    return worth


def _value(rules: Rules, table: RuleTable, game: Game | None) -> float:
    question = Question(table, fresh_composition(rules), game=game)
    return float(solve_deals(question).figures.sum(axis=(0, 1))[DEAL_VALUE])
