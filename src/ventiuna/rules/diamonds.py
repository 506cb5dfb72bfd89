"""What a blackjack in diamonds pays where nobody says so (R-114)."""

from __future__ import annotations

from collections.abc import Mapping

from ventiuna.rules.model import Rules
from ventiuna.rules.values import Values

BLACKJACK_PAY, DIAMOND_PAY = "blackjack_pays", "diamond_blackjack_pays"


def with_diamonds(before: Mapping[str, object], changes: Values) -> Values:
    """A blackjack in diamonds that had no pay of its own (R-114) takes that of all others."""
    has_own_pay = before.get(DIAMOND_PAY) != before.get(BLACKJACK_PAY)
    if BLACKJACK_PAY not in changes or DIAMOND_PAY in changes or has_own_pay:
        return changes
    return changes | {DIAMOND_PAY: changes[BLACKJACK_PAY]}


def pays_of(rules: Rules) -> Values:
    return {BLACKJACK_PAY: rules.blackjack_pays, DIAMOND_PAY: rules.diamond_blackjack_pays}


def implied_start(rules: Rules) -> Values:
    """The options of the preset or file itself, as these rules have them without a change."""
    return implied_by(dict(rules.origin.start), rules)


def implied_by(before: Values, rules: Rules) -> Values:
    """The values before, with a blackjack in diamonds as `rules` have it when they say nothing
    of it."""
    if rules.blackjack_pays == before.get(BLACKJACK_PAY):
        return before
    implied = with_diamonds(before, {BLACKJACK_PAY: rules.blackjack_pays})
    return before | {name: implied[name] for name in implied if name != BLACKJACK_PAY}
