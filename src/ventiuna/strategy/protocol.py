"""How a simulated player decides: a preference among actions for every hand and up card.

Errors in plans, charts and counts are here, too.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, Protocol

from ventiuna.core.actions import HIT, STAND
from ventiuna.core.base_game import dealer_draws
from ventiuna.core.cards import Hand
from ventiuna.core.rule_table import RuleTable
from ventiuna.rules.model import Problem, RulesError
from ventiuna.rules.options import short_repr


class HandSeen(NamedTuple):
    """A hand from its player's point of view."""

    cards: tuple[int, ...]
    shape: Hand
    hands: int  # number of hands on its spot


class Insurance(StrEnum):
    NEVER = "never"
    ALWAYS = "always"
    BLACKJACK = "blackjack"  # insure only a blackjack ("even money")
    COUNT = "count"  # insure from a given count up


class Strategy(Protocol):
    """Actions in order of preference; the first legal one is taken.

    Hands that the rules treat alike must be treated alike. These are hands with the same card
    values and the same bonus rows within reach, doubled the same number of times. For undoubled
    hands, it also matters whether they come from a split.
    """

    @property
    def name(self) -> str: ...

    @property
    def insurance(self) -> Insurance: ...

    def preferences(self, hand: HandSeen, up: int) -> tuple[int, ...]: ...


class MimicDealer:
    """Draws and stands like the dealer; never splits, doubles, surrenders or insures."""

    name = "mimic"
    insurance = Insurance.NEVER

    def __init__(self, rules: RuleTable) -> None:
        self._rules = rules

    def preferences(self, hand: HandSeen, up: int) -> tuple[int, ...]:
        draws = hand.shape.doublings == 0 and dealer_draws(
            self._rules, hand.shape.hard, hand.shape.aces
        )
        return (HIT,) if draws else (STAND,)


# --- Errors, each with a fix ---


class PlanError(RulesError):
    """A simulation that can't be run as requested."""


def plan_problem(field: str, value: object, message: str, fix: str, rule: str = "") -> PlanError:
    return PlanError([Problem(field, _value_text(value), rule, message, fix)])


def check_range(field: str, value: object, low: int, high: int, things: str) -> None:
    """Require a whole number of things in this range."""
    if type(value) is not int or not low <= value <= high:
        message = f"must be {low} to {high:,} {things}"
        raise plan_problem(field, value, message, "Choose a number in that range.")


def _value_text(value: object) -> str:
    """A path or a choice as the user wrote it, or a number of any length."""
    return short_repr(value) if isinstance(value, int | tuple | list | dict) else str(value)
