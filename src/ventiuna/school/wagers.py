"""Wagers on a training table: those that a script needs, others by chance."""

from __future__ import annotations

import random

from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Wager
from ventiuna.engine.wager_options import WagerOption, wager_options
from ventiuna.rules import Rules
from ventiuna.school.scripts import Hand

BASE_DOLLARS = (5, 10, 10, 15, 15, 20, 25, 25, 35, 50, 75, 100)
SIDE_DOLLARS = (1, 2, 3, 5, 5, 10)
NO_HAND = Hand("")


def wagers_of(
    rules: Rules, spot: int, person: str, chance: random.Random, share: float, hand: Hand = NO_HAND
) -> PlaceWagers:
    """`share` is how many of the side wagers that no script names lie there."""
    base_option, *others = wager_options(rules)
    stakes = {Wager.HAND: _amount(base_option, hand.base or chance.choice(BASE_DOLLARS), 0)}
    named = {_wager(name) for name in hand.wagers}
    for option in others:
        wanted = option.wager in named or option.required or chance.random() < share
        if option.legal and (wanted or _is_needed(option.wager, named, others)):
            dollars = chance.choice(SIDE_DOLLARS)
            most = stakes[Wager.HAND] if option.at_most is Wager.HAND else 0
            stakes[option.wager] = _amount(option, dollars, most)
    kept = {
        option.wager
        for option in others
        if option.wager in stakes and all(need in stakes for need in option.needs)
    }
    return PlaceWagers.of(
        spot,
        {wager: cents for wager, cents in stakes.items() if wager is Wager.HAND or wager in kept},
        person,
    )


def _wager(name: str) -> Wager:
    return JACKPOT_WAGERS[int(name[1:])] if name[0] == "j" else MTD_WAGERS[name]


def _is_needed(wager: Wager, named: set[Wager], options: list[WagerOption]) -> bool:
    """Must it lie there because of one that a script names?"""
    return any(option.wager in named and wager in option.needs for option in options)


def _amount(option: WagerOption, dollars: int, most: int) -> int:
    """So many dollars, as far as the table takes them."""
    highest = min(option.most, most or option.most)
    cents = max(option.least, min(dollars * 100, highest))
    return cents - cents % option.unit
