"""A step of the dealer's procedure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ventiuna.rules.model import Game, Rules

_DOCUMENT = re.compile(r"00[0-4]\b")
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
    borrowed: tuple[tuple[str, str], ...] = ()  # documents and their rules, if not the table's own

    @property
    def heading(self) -> str:
        return HEADINGS[self.stage]

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.numbers.split(", ")))

    @property
    def readings(self) -> tuple[str, ...]:
        """D- and O-numbers: our readings, not a document's words."""
        return tuple(number for number in self.rules if not number.startswith("R"))

    @property
    def source(self) -> str:
        """`R-007; from document 002: R-010; our reading: O-03`."""
        foreign = {number for _, number in self.borrowed}
        own = [number for number in self.rules if number[0] == "R" and number not in foreign]
        parts = [", ".join(own)]
        for documents in dict.fromkeys(documents for documents, _ in self.borrowed):
            numbers = ", ".join(number for place, number in self.borrowed if place == documents)
            several = "s" if "," in documents else ""
            parts.append(f"from document{several} {documents}: {numbers}")
        if self.readings:
            parts.append(f"our reading: {', '.join(self.readings)}")
        return "; ".join(filter(None, parts))


Steps = Iterator[Step]


def document_id(rules: Rules) -> str:
    """The rule document that the table's rules start from, as `003`; "" if they name none."""
    found = _DOCUMENT.match(rules.document)
    return found[0] if found else ""


def cite(rules: Rules, spanish: str, super_fun: str, standard: str = "O-01") -> str:
    """The rule numbers for the game that is played."""
    return {
        Game.SPANISH_21: spanish,
        Game.SUPER_FUN_21: super_fun,
        Game.BLACKJACK: standard,
    }[rules.game]
