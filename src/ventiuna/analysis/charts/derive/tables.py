"""A chart as the exact analyser plays it: preferences of every hand."""

from __future__ import annotations

import numpy as np

from ventiuna.analysis.base_game.result import packed_preference
from ventiuna.analysis.base_game.solve import TWO_CARD_PLACES, StrategyTables
from ventiuna.analysis.charts.derive.groups import (
    LEVELS,
    PLAIN,
    SUPER,
    chart_doubled_preferences,
    chart_preferences,
    column_of,
)
from ventiuna.analysis.charts.derive.optimum import PLACES_OF_TWO, Hands
from ventiuna.kernels.exact.lattice import COMPOSITIONS, VALUES, Ints
from ventiuna.kernels.exact.records import DOUBLINGS, SPLIT_HAND, UNSPLIT
from ventiuna.strategy.chart import Chart


def chart_tables(hands: Hands, chart: Chart) -> StrategyTables:
    """Preferences by composition, and by cards where suits count."""
    unsplit, by_level = _preferences(hands, chart, UNSPLIT)
    split, split_by_level = _preferences(hands, chart, SPLIT_HAND)
    game = hands.game
    rows, ups = int(game["pairs"]), int(game["ups"])
    suited = np.zeros((rows, ups), dtype=np.int64)
    suited_split = np.zeros((rows, ups), dtype=np.int64)
    for pair in range(rows):
        place = int(game["pair_place"][pair])
        first, second = int(game["pair_first"][pair]), int(game["pair_second"][pair])
        for row in range(ups):
            up = int(game["up_value"][row])
            level = hands.level(first, second, int(game["up_card"][row]))
            suited[pair, row] = by_level[up, level, place]
            after_split = PLAIN if level == SUPER else level
            suited_split[pair, row] = split_by_level[up, after_split, place]
    return StrategyTables(unsplit, split, suited, suited_split)


def _preferences(hands: Hands, chart: Chart, kind: int) -> tuple[Ints, Ints]:
    """[up, doublings, composition], and [up, level, composition of two cards]."""
    found = np.zeros((VALUES, DOUBLINGS, COMPOSITIONS), dtype=np.int64)
    by_level = np.zeros((VALUES, LEVELS, TWO_CARD_PLACES), dtype=np.int64)
    for doublings in range(hands.most_doublings + 1):
        groups, number = hands.groupings[kind, doublings]
        known = number >= 0
        for up in range(VALUES):
            column = column_of(up)
            if doublings:
                wanted = [chart_doubled_preferences(chart, g, column, doublings) for g in groups]
                packed = np.array([packed_preference(actions) for actions in wanted])
                found[up, doublings, known] = packed[number[known]]
                continue
            wanted = [
                chart_preferences(chart, group, column, PLAIN, kind == UNSPLIT) for group in groups
            ]
            packed = np.array([packed_preference(actions) for actions in wanted])
            found[up, 0, known] = packed[number[known]]
            for place in PLACES_OF_TWO:
                group = groups[number[place]]
                for level in range(LEVELS):
                    actions = chart_preferences(chart, group, column, level, kind == UNSPLIT)
                    by_level[up, level, place] = packed_preference(actions)
    for place in PLACES_OF_TWO:
        level = hands.level_without_suits(place)
        found[:, 0, place] = by_level[:, level, place]
    return found, by_level
