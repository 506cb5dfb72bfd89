"""The mark for the Super Bonus: whether to hit for it, and up to which base wager."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ventiuna.analysis.base_game.analyser import analyse
from ventiuna.analysis.charts.derive.groups import SUPER, column_of
from ventiuna.analysis.charts.derive.optimum import Optimum
from ventiuna.core import actions
from ventiuna.core.cards import CARDS, value_of
from ventiuna.core.hand import EMPTY_HAND, add_card
from ventiuna.core.super_bonus import is_super_bonus, super_bonus_pay
from ventiuna.core.table import RuleTable
from ventiuna.kernels.exact.lattice import VALUES, lattice
from ventiuna.kernels.exact.records import UNSPLIT
from ventiuna.rules import Rules, compile_rules
from ventiuna.strategy.chart import Chart


class SuperMark(NamedTuple):
    """A pair and an up card where the Super Bonus can still come."""

    pair: int  # value of its cards
    column: int
    lowest: int  # cents of base wager from which there is a Super Bonus
    highest: int  # cents up to which hitting for it is right; 0: never


@lru_cache(maxsize=16)
def super_marks(rules: Rules) -> tuple[SuperMark, ...]:
    """Every pair that may win the Super Bonus, by up card."""
    table = compile_rules(rules)
    if table.super_ranks == 0 or table.super_bands == 0:
        return ()
    lowest = table.super_from[0]
    analysis = analyse(rules, base=lowest, super_bonus=True)
    optimum = Optimum(table, analysis.solution, lowest)
    return tuple(
        SuperMark(pair, column_of(up), lowest, _highest(table, optimum, place, up))
        for pair, place in _pairs()
        for up in range(VALUES)
        if optimum.two_cards.chances[up, SUPER, place] > 0.0
    )


def _pairs() -> list[tuple[int, int]]:
    following = lattice().following
    return [(v + 1, int(following[following[0, v], v])) for v in range(VALUES)]


def _highest(table: RuleTable, optimum: Optimum, place: int, up: int) -> int:
    """The largest base wager for which a hit is best.

    The Super Bonus is an amount of money, so in base wagers it shrinks as the wager grows.
    """
    lowest = table.super_from[0]
    values = optimum.two_cards.values[up, SUPER, place]
    legal = int(optimum.game["legal"][UNSPLIT, 0, place])
    others = [a for a in range(actions.ACTIONS) if legal >> a & 1 and a != actions.HIT]
    best_other = max(float(values[action]) for action in others)
    chance = _super_chance(table, optimum, place, up)
    hit_alone = float(values[actions.HIT]) - chance * super_bonus_pay(table, lowest) / lowest
    if float(values[actions.HIT]) <= best_other:
        return 0
    given_up = best_other - hit_alone
    if given_up <= 0.0:
        return table.table_maximum
    return int(chance * super_bonus_pay(table, table.super_from[table.super_bands - 1]) / given_up)


def _super_chance(table: RuleTable, optimum: Optimum, place: int, up: int) -> float:
    """Chance that the next card wins it, over all pairs and up cards that may."""
    game = optimum.game
    total, wins = 0.0, 0.0
    for row in range(int(game["ups"])):
        up_card = int(game["up_card"][row])
        if value_of(up_card) - 1 != up:
            continue
        for pair in np.flatnonzero(game["pair_place"][: int(game["pairs"])] == place):
            first, second = int(game["pair_first"][pair]), int(game["pair_second"][pair])
            if optimum.level(first, second, up_card) == SUPER:
                chance = optimum.card_chance(row, first, second, place)
                total += chance
                wins += chance * _next_card_wins(table, optimum, first, second, up_card)
    return wins / total if total else 0.0


def _next_card_wins(
    table: RuleTable, optimum: Optimum, first: int, second: int, up_card: int
) -> float:
    left = optimum.game["composition"].copy()
    for card in (first, second, up_card):
        left[card] -= 1
    hand = add_card(add_card(EMPTY_HAND, first), second)
    wins = sum(
        int(left[card])
        for card in range(CARDS)
        if is_super_bonus(table, add_card(hand, card), up_card)
    )
    return wins / float(left.sum())


def with_marks(chart: Chart, marks: tuple[SuperMark, ...]) -> Chart:
    """The chart with a `$` wherever hitting for the Super Bonus is right for some wager."""
    pairs = dict(chart.pairs)
    for mark in marks:
        if mark.highest and mark.pair in pairs and pairs[mark.pair][mark.column].first != "H":
            cells = list(pairs[mark.pair])
            cells[mark.column] = cells[mark.column]._replace(for_super=True)
            pairs[mark.pair] = tuple(cells)
    return replace(chart, pairs=pairs)
