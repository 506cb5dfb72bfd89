"""What counts are made and judged by: the effects of removal under some rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from ventiuna.analysis.questions.edge import Each, in_silence
from ventiuna.counting.efficiency import PlayEffects, play_effects
from ventiuna.counting.removal import (
    Effects,
    base_effects,
    insurance_effects,
    jackpot_effects,
    match_effects,
)
from ventiuna.rules import Rules
from ventiuna.strategy.errors import plan_problem


class Goal(StrEnum):
    BETTING = "betting"
    PLAYING = "playing"
    INSURANCE = "insurance"


@dataclass(frozen=True)
class Workshop:
    """The effects of removal under some rules, each worked out once."""

    rules: Rules
    base: int | None = None  # cents; its Super Bonus is in the value then
    each: Each = field(default=in_silence, compare=False)

    @cached_property
    def betting(self) -> Effects:
        return base_effects(self.rules, self.base, each=self.each)

    @cached_property
    def insurance(self) -> Effects | None:
        return insurance_effects(self.rules, self.each) if self.rules.insurance else None

    @cached_property
    def playing(self) -> PlayEffects:
        return play_effects(self.rules, self.base, self.each)

    @cached_property
    def side_wagers(self) -> tuple[Effects, ...]:
        """Match the Dealer and jackpots."""
        found = [match_effects(self.rules, self.each)] if self.rules.mtd_wagers else []
        games = range(1, len(self.rules.jackpots) + 1)
        return (*found, *(jackpot_effects(self.rules, game, each=self.each) for game in games))

    def effects_for(self, goal: Goal) -> Effects:
        if goal == Goal.INSURANCE:
            if self.insurance is None:
                raise plan_problem(
                    "goal", goal, "these rules offer no insurance", "Choose betting.", "R-034"
                )
            return self.insurance
        return self.betting
