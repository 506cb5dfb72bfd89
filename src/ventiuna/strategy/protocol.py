"""How a simulated player decides: a preference among actions for every hand and up card."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, Protocol

from ventiuna.core.actions import HIT, STAND
from ventiuna.core.dealer import dealer_draws
from ventiuna.core.hand import Hand
from ventiuna.core.rule_table import RuleTable


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
