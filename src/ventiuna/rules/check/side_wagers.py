"""Contradictions of the Match the Dealer wagers."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.money import money_text
from ventiuna.rules.data import match_odds
from ventiuna.rules.errors import Problem
from ventiuna.rules.model import Game, Rules
from ventiuna.rules.values import alternatives


def match_the_dealer(rules: Rules) -> Iterator[Problem]:
    configuration = rules.mtd_configuration
    if configuration and (rules.game != Game.SPANISH_21 or rules.decks not in match_odds()):
        decks = alternatives(match_odds())
        yield Problem(
            "mtd_configuration",
            str(configuration),
            "R-022",
            f"Match the Dealer has odds for Spanish 21 with {decks} decks only",
            "Use mtd_configuration=0.",
        )
    low, high = {3: (1, 4), 4: (1, 5)}.get(configuration, (0, 0))
    if not low <= rules.bonus_cards <= high:
        allowed = f"{low} to {high}" if high else "no"
        yield Problem(
            "bonus_cards",
            str(rules.bonus_cards),
            {3: "R-017", 4: "R-018"}.get(configuration, "R-017, R-018"),
            f"Match the Dealer configuration {configuration} has {allowed} Bonus Cards",
            "Change bonus_cards or mtd_configuration.",
        )
    if 0 < rules.mtd_maximum < rules.mtd_minimum:
        yield Problem(
            "mtd_maximum",
            money_text(rules.mtd_maximum),
            "R-024",
            f"it is below mtd_minimum = {money_text(rules.mtd_minimum)}",
            "Raise the maximum or lower the minimum.",
        )
    highest = rules.table_maximum if rules.mtd_at_most_base or not rules.mtd_maximum else None
    if configuration and highest is not None and rules.mtd_minimum > highest:
        yield Problem(
            "mtd_minimum",
            money_text(rules.mtd_minimum),
            "R-024",
            f"no wager can reach it: Match the Dealer wagers end at {money_text(highest)}, "
            "the table maximum",
            "Lower mtd_minimum or raise table_maximum.",
        )
    for name in rules.mtd_required:
        if name not in rules.mtd_wagers:
            yield Problem(
                "mtd_required",
                name,
                "R-025",
                "this Match the Dealer wager is not offered, so it can't be required",
                f"Name any of: {', '.join(rules.mtd_wagers) or 'none'}.",
            )
