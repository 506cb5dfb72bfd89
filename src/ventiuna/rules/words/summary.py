"""Rules in a few words, as a list of tables shows them."""

from __future__ import annotations

from ventiuna.rules.model import Rules, Soft17


def summary(rules: Rules) -> str:
    """What sets a table apart from others of its game.

    >>> from ventiuna.rules import load_rules
    >>> summary(load_rules("wsgc-2021(double_double=on)"))
    '6 decks, dealer hits soft 17, double-double'
    """
    decks = "1 deck" if rules.decks == 1 else f"{rules.decks} decks"
    does = "hits" if rules.soft_17 is Soft17.HIT else "stands on"
    parts = [decks, f"dealer {does} soft 17"]
    if rules.double_double:
        parts.append("double-double")
    if rules.bonus_cards:
        parts.append("Bonus Cards")
    if rules.jackpots:
        games = len(rules.jackpots)
        parts.append("1 jackpot" if games == 1 else f"{games} jackpots")
    return ", ".join(parts)
