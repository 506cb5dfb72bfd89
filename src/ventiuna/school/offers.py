"""Which rounds a table's rules can bring about at all."""

from __future__ import annotations

from collections.abc import Callable

from ventiuna.rules import Rules
from ventiuna.rules.data import jackpot_tables
from ventiuna.rules.model import BlackjackPaid, Envy, Game, Surrender

Offer = Callable[[Rules], bool]


def offers(rules: Rules, need: str) -> bool:
    """Do the rules have what a script needs: a name below, or a wager such as `up`, `b2`, `j1`?"""
    named = _OFFERS.get(need)
    if named is not None:
        return named(rules)
    if need.startswith("j"):
        return len(rules.jackpots) >= int(need[1:])
    return need in rules.mtd_wagers


def _suited_super_bonus(rules: Rules) -> bool:
    form = rules.super_bonus_form()
    return form is not None and form.suits == "one suit"


def _family(rules: Rules, game: int, family: int) -> bool:
    """Is a jackpot game's table one of Tables 3, 4 or 5, with its own lines?"""
    if len(rules.jackpots) < game:
        return False
    jackpot = rules.jackpots[game - 1]
    return jackpot.alternate == 0 and jackpot_tables()[jackpot.table].id.startswith(str(family))


_OFFERS: dict[str, Offer] = {
    "spanish 21": lambda rules: rules.game is Game.SPANISH_21,
    "super fun 21": lambda rules: rules.game is Game.SUPER_FUN_21,
    "insurance": lambda rules: rules.insurance,
    "blackjack insured": lambda rules: rules.insurance and rules.insurance_on_blackjack,
    "paid at once": lambda rules: rules.blackjack_paid is BlackjackPaid.AT_ONCE,
    "blackjack kept": lambda rules: rules.double_blackjack,
    "bonus 21": lambda rules: bool(rules.bonus_21_rows()),
    "four decks": lambda rules: rules.decks >= 4,
    "super bonus": _suited_super_bonus,
    "envy": lambda rules: rules.envy is not Envy.OFF,
    "double-double": lambda rules: rules.double_double,
    "double for less": lambda rules: rules.offers_double_for_less,
    "rescue": lambda rules: rules.rescue,
    "surrender": lambda rules: rules.surrender is not Surrender.OFF,
    "surrender any time": lambda rules: rules.surrender is Surrender.ANY_TIME,
    "instant wins": lambda rules: bool(rules.instant_wins),
    "match the dealer": lambda rules: bool(rules.mtd_configuration),
    "bonus cards": lambda rules: rules.bonus_cards > 0,
    "down card wager": lambda rules: rules.offers_down_wager,
    "jackpots": lambda rules: bool(rules.jackpots),
    "jackpot 1 of tables 3": lambda rules: _family(rules, 1, 3),
    "jackpot 2 of tables 4": lambda rules: _family(rules, 2, 4) and rules.decks >= 4,
}
