"""A table's rules in one line, as they stand above its felt."""

from __future__ import annotations

from ventiuna.rules.model import Rules
from ventiuna.rules.words.facts import dollars


def headline(rules: Rules) -> str:
    """`Spanish 21 · 6 decks · $5 to $300 · double-double`."""
    decks = "1 deck" if rules.decks == 1 else f"{rules.decks} decks"
    parts = [rules.game.words, decks, limits_words(rules)]
    if rules.double_double:
        parts.append("double-double")
    return " · ".join(parts)


def limits_words(rules: Rules) -> str:
    """`$5 to $300`, of the base wager."""
    return f"{dollars(rules.table_minimum)} to {dollars(rules.table_maximum)}"
