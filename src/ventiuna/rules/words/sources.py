"""The numbers behind each part of the sign: those of the options that it puts into words."""

from __future__ import annotations

import re

from ventiuna.rules.model import Rules
from ventiuna.rules.options import BY_NAME

_NUMBER = re.compile(r"([RDO])-([0-9]{2,3})(?: to [RDO]-([0-9]{2,3}))?")
# By the first words of a heading.
_OPTIONS = {
    "The game": ("game", "pack", "decks", "dealt_from", "soft_17", "player_21"),
    "Blackjack": ("blackjack_pays", "diamond_blackjack_pays", "blackjack_tie", "blackjack_paid"),
    "Your choices": (
        "double_cards",
        "double_totals",
        "double_after_split",
        "double_for_less",
        "double_blackjack",
        "double_on_21",
        "double_double",
        "rescue",
        "split",
        "split_hands",
        "split_aces",
        "resplit_aces",
        "surrender",
        "insurance",
        "insurance_pays",
        "insurance_on_blackjack",
    ),
    "Bonus 21": ("bonus_21",),
    "Instant wins": ("instant_wins",),
    "Super Bonus": ("super_bonus", "super_bonus_bands", "envy", "envy_amount"),
    "Match the Dealer": (
        "mtd_configuration",
        "bonus_cards",
        "mtd_minimum",
        "mtd_at_most_base",
        "down_requires_up",
        "mtd_required",
        "down_settled",
    ),
    "Limits": ("table_minimum", "table_maximum", "chip_unit", "limit_profile"),
}
_JACKPOTS = ("jackpots",)


def section_numbers(rules: Rules, heading: str) -> list[str]:
    """R-, D- and O-numbers behind a part of the sign, each once."""
    options = _OPTIONS.get(heading, _JACKPOTS if "jackpot" in heading.lower() else ())
    sources = rules.sources
    texts = (sources.get(name) or _usual(name) for name in options)
    return list(dict.fromkeys(number for text in texts for number in numbers_in(text)))


def numbers_in(text: str) -> list[str]:
    """
    >>> numbers_in("R-061 to R-063, D-07")
    ['R-061', 'R-062', 'R-063', 'D-07']
    """
    return [
        f"{kind}-{number:0{len(first)}}"
        for kind, first, last in _NUMBER.findall(text)
        for number in range(int(first), int(last or first) + 1)
    ]


def _usual(name: str) -> str:
    option = BY_NAME.get(name)
    return option.rule if option else ""
