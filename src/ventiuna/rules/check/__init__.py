"""Contradictions between options: every one is found, each with its rule and a fix."""

from __future__ import annotations

from ventiuna.rules.check.bonus_rows import bonuses
from ventiuna.rules.check.jackpots import jackpots
from ventiuna.rules.check.money import limits, whole_cents
from ventiuna.rules.check.play import blackjack, cards, doubling
from ventiuna.rules.check.side_wagers import match_the_dealer
from ventiuna.rules.check.warnings import find_warnings
from ventiuna.rules.errors import Problem
from ventiuna.rules.model import Rules

__all__ = ["find_problems", "find_warnings"]


def find_problems(rules: Rules) -> list[Problem]:
    return [
        *cards(rules),
        *blackjack(rules),
        *doubling(rules),
        *bonuses(rules),
        *match_the_dealer(rules),
        *jackpots(rules),
        *limits(rules),
        *whole_cents(rules),
    ]
