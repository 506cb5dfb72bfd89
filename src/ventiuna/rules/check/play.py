"""Contradictions of cards, dealer, blackjack and doubling."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.rules.errors import Problem
from ventiuna.rules.model import BlackjackPaid, BlackjackTie, Game, Rules, Soft17, Surrender
from ventiuna.rules.values import alternatives

DECKS = {
    Game.SPANISH_21: ((2, 4, 5, 6, 8), "R-008"),
    Game.SUPER_FUN_21: ((1, 2), "R-103"),
    Game.BLACKJACK: ((1, 2, 3, 4, 5, 6, 7, 8), "O-01"),
}
SMALLEST_CUT = 10


def cards(rules: Rules) -> Iterator[Problem]:
    decks, rule = DECKS[rules.game]
    if rules.decks not in decks:
        names = alternatives(decks)
        yield Problem(
            "decks",
            str(rules.decks),
            rule,
            f"{rules.game.words} is played with {names} decks",
            f"Use decks={names}.",
        )
    wanted = "spanish" if rules.game == Game.SPANISH_21 else "standard"
    if rules.pack != wanted:
        yield Problem(
            "pack",
            rules.pack,
            "R-007" if wanted == "spanish" else "R-103",
            f"{rules.game.words} uses the {wanted} pack",
            f"Use pack={wanted}.",
        )
    if 0 < rules.cut_card < SMALLEST_CUT:
        yield Problem(
            "cut_card",
            str(rules.cut_card),
            "O-03",
            f"the cut card lies behind at least {SMALLEST_CUT} % of the shoe",
            "Use 0 for the usual place or a larger number.",
        )


def blackjack(rules: Rules) -> Iterator[Problem]:
    if (
        rules.blackjack_tie == BlackjackTie.PUSHES
        and rules.blackjack_paid != BlackjackPaid.AFTER_CHECK
    ):
        yield Problem(
            "blackjack_tie",
            rules.blackjack_tie,
            "R-029, R-030",
            "a blackjack that is paid before the dealer's check can't push",
            "Use blackjack_tie=wins or blackjack_paid=after_check.",
        )


def doubling(rules: Rules) -> Iterator[Problem]:
    # A document that always offers double-double doesn't tie it to soft 17 (D-12).
    is_always_offered = dict(rules.origin.choices).get("double_double") == ("on",)
    if rules.double_double and rules.soft_17 == Soft17.STAND and not is_always_offered:
        yield Problem(
            "double_double",
            "on",
            "R-051",
            "double-double down may be offered only where the dealer hits soft 17",
            "Use double_double=off or soft_17=hit.",
        )
    if rules.double_double and rules.game == Game.SUPER_FUN_21:
        yield Problem(
            "double_double",
            "on",
            "R-107",
            "Super Fun 21 has no second doubling",
            "Use double_double=off.",
        )
    if rules.double_for_less and rules.surrender == Surrender.ANY_TIME:
        yield Problem(
            "double_for_less",
            "on",
            "R-107, R-110",
            "surrender of a doubled hand gives up one of two equal wagers",
            "Use double_for_less=off or surrender=late.",
        )
    if rules.double_double and rules.surrender == Surrender.ANY_TIME:
        yield Problem(
            "surrender",
            rules.surrender,
            "R-110",
            "a hand doubled more than once can't be surrendered for one of two wagers",
            "Use surrender=late or double_double=off.",
        )
