"""Index plays: from a count on, or below it, another play than the chart's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from ventiuna.core import actions
from ventiuna.core.cards import value_of
from ventiuna.core.hand import Hand, best_total, is_equal_value_pair, is_soft
from ventiuna.core.table import RuleTable
from ventiuna.strategy.bonuses import Bonus, bonus_of
from ventiuna.strategy.chart import DOUBLED_LETTERS

Weights = tuple[Fraction, ...]
MOST_CARDS = 21  # of a hand
_UNDOUBLED_PLAYS = {
    "H": actions.HIT,
    "S": actions.STAND,
    "D": actions.DOUBLE,
    "P": actions.SPLIT,
    "R": actions.SURRENDER,
}
_DOUBLED_PLAYS = {letter: wanted[0] for letter, wanted in DOUBLED_LETTERS.items()}


class After(StrEnum):
    """How hands came to be that a play is for."""

    ANY = ""  # not doubled
    DEAL = "deal"
    SPLIT = "split"
    SPLIT_ACES = "split of aces"
    DOUBLE = "double"
    SECOND_DOUBLE = "second double"
    THIRD_DOUBLE = "third double"

    @property
    def doublings(self) -> int:
        return DOUBLED.index(self) if self in DOUBLED else 0

    @property
    def words(self) -> str:
        if self == After.ANY:
            return ""
        return "as dealt" if self == After.DEAL else f"after a {self}"

    def concerns(self, shape: Hand) -> bool:
        if self.doublings != shape.doublings:
            return False
        if self == After.DEAL:
            return not shape.split
        if self in (After.SPLIT, After.SPLIT_ACES):
            return bool(shape.split) and bool(shape.split_ace) == (self == After.SPLIT_ACES)
        return True


DOUBLED = (After.ANY, After.DOUBLE, After.SECOND_DOUBLE, After.THIRD_DOUBLE)  # by doublings


@dataclass(frozen=True)
class IndexPlay:
    kind: str  # hard, soft, pair
    number: int  # total, or value of the pair's cards
    up: int  # value
    at: Fraction
    action: int
    is_below: bool = False  # the play is made below the count, not from it on
    fewest: int = 2  # cards of the hand
    most: int = MOST_CARDS
    after: After = After.ANY
    weights: Weights = ()  # of main and side counts in the count it goes by; (): those of bets
    bonus: Bonus = Bonus.ANY  # that the hand may still win

    def concerns(self, rules: RuleTable, shape: Hand, up: int) -> bool:
        if not self.is_of_row(shape, up):
            return False
        return self.bonus == Bonus.ANY or self.bonus == bonus_of(rules, shape, up)

    def is_of_row(self, shape: Hand, up: int) -> bool:
        """Is it the chart's row and column, whatever the hand may still win?"""
        if not self.after.concerns(shape) or value_of(up) != self.up:
            return False
        if not self.fewest <= shape.cards <= self.most:
            return False
        if self.kind == "pair":
            return is_equal_value_pair(shape) and shape.hard == 2 * self.number
        total = best_total(shape.hard, shape.aces)
        return total == self.number and is_soft(shape.hard, shape.aces) == (self.kind == "soft")

    def action_among(self, legal: int) -> int | None:
        """The action, if these bits have it; "R" of a doubled hand is a rescue or a surrender."""
        wanted: tuple[int, ...] = (self.action,)
        if self.after.doublings and self.action in DOUBLED_LETTERS["R"]:
            wanted = DOUBLED_LETTERS["R"]
        return next((action for action in wanted if legal >> action & 1), None)


def plays_by_letter(after: After) -> Mapping[str, int]:
    """Letters that a count's file may have for such hands, and their actions."""
    return _DOUBLED_PLAYS if after.doublings else _UNDOUBLED_PLAYS


def play_letter(action: int) -> str:
    """As a count's file names it."""
    known = (*_UNDOUBLED_PLAYS.items(), *_DOUBLED_PLAYS.items())
    return next(letter for letter, meant in known if meant == action)
