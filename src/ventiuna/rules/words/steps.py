"""A step of the dealer's procedure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ventiuna.rules.model import Game, Rules

# The stages of a round by the names the engine gives them, between opening and closing a table.
HEADINGS = {
    "opening": "Opening the table",
    "wagers": "Wagers",
    "deal": "The deal",
    "up_card_wagers": "Wagers settled before the base game",
    "blackjacks": "Player blackjacks",
    "insurance": "Insurance",
    "uninsured_blackjacks": "Blackjacks without insurance",
    "check": "The dealer's check",
    "blackjacks_after_check": "Blackjacks after the check",
    "play": "The players act",
    "dealer": "The dealer's hand",
    "settlement": "Settlement",
    "down_card_wagers": "Wagers that need the down card",
    "awards": "Jackpot awards",
    "super_bonus": "Super Bonus and Envy Bonus",
    "closed": "End of the round",
    "closing": "Closing the table",
}


class Step(NamedTuple):
    stage: str
    text: str
    numbers: str  # of the rules behind it

    @property
    def heading(self) -> str:
        return HEADINGS[self.stage]

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.numbers.split(", ")))


Steps = Iterator[Step]


def cite(rules: Rules, spanish: str, super_fun: str, standard: str = "O-01") -> str:
    """The rule numbers for the game that is played."""
    return {
        Game.SPANISH_21: spanish,
        Game.SUPER_FUN_21: super_fun,
        Game.BLACKJACK: standard,
    }[rules.game]
