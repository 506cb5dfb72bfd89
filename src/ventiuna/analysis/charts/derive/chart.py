"""The smallest good chart for given rules, derived from the best play."""

from __future__ import annotations

from collections.abc import Mapping

from ventiuna.analysis.charts.derive.choose import choose_cells
from ventiuna.analysis.charts.derive.costs import CellKey, Losses
from ventiuna.analysis.charts.derive.optimum import Optimum
from ventiuna.analysis.charts.derive.reach import Policy, best_policy, chart_policy, reach_of
from ventiuna.analysis.charts.render.notation import STAND, UPS, Table
from ventiuna.core import actions
from ventiuna.kernels.exact.lattice import ACE_VALUE, TEN_VALUE, VALUES, composition_index
from ventiuna.kernels.exact.records import UNSPLIT
from ventiuna.strategy.chart import Cell, Chart, Row, Rows

_MOST_ROUNDS = 5
_ONLY_STAND = Cell(STAND, "", 0, "", False)


def derive(optimum: Optimum, name: str, title: str, source: str, worth: float) -> Chart:
    """Choose all cells, then again with the frequencies of the chart so found, until it stays."""
    chart = _choose(optimum, best_policy(optimum), name, title, source, worth)
    for _ in range(_MOST_ROUNDS):
        further = _choose(optimum, chart_policy(optimum, chart), name, title, source, worth)
        if further == chart:
            break
        chart = further
    return chart


def _choose(
    optimum: Optimum, policy: Policy, name: str, title: str, source: str, worth: float
) -> Chart:
    """The best cells where hands are met as often as this policy meets them."""
    prices = Losses(optimum, reach_of(optimum, policy), unmet=True).prices()
    return _chart_of(optimum, choose_cells(prices, worth), name, title, source)


def _chart_of(
    optimum: Optimum, cells: Mapping[CellKey, Cell], name: str, title: str, source: str
) -> Chart:
    return Chart(
        name=name,
        title=title,
        source=source,
        hard=_rows(cells, Table.HARD, 0, range(4, 22)),
        soft=_rows(cells, Table.SOFT, 0, range(12, 22)),
        pairs=_rows(cells, Table.PAIRS, 0, range(1, VALUES + 1)),
        doubled=tuple(
            (
                _rows(cells, Table.DOUBLED_HARD, doublings, range(4, 22)),
                _rows(cells, Table.DOUBLED_SOFT, doublings, range(12, 22)),
            )
            for doublings in _doublings_with_a_choice(optimum)
        ),
        doubles_blackjack=_doubles_blackjack(optimum),
    )


def _rows(cells: Mapping[CellKey, Cell], table: Table, doublings: int, rows: range) -> Rows:
    found: dict[int, Row] = {}
    for row in rows:
        found[row] = tuple(
            cells.get(CellKey(table, doublings, row, column), _ONLY_STAND)
            for column in range(len(UPS))
        )
    return found


def _doublings_with_a_choice(optimum: Optimum) -> range:
    """Tables for doubled hands, where there is anything to do but stand."""
    choices = [
        doublings
        for doublings in range(1, optimum.most_doublings + 1)
        if any(
            group.legal != 1 << actions.STAND
            for group in optimum.groupings[UNSPLIT, doublings].groups
        )
    ]
    return range(1, max(choices, default=0) + 1)


def _doubles_blackjack(optimum: Optimum) -> bool:
    """Is doubling a blackjack better than its pay, all up cards and suits together?"""
    place = composition_index((ACE_VALUE, TEN_VALUE))
    groups, number = optimum.groupings[UNSPLIT, 0]
    if not groups[number[place]].allows(actions.DOUBLE):
        return False
    values = optimum.two_cards.values[:, :, place]
    gain = values[..., actions.DOUBLE] - values[..., actions.STAND]
    return float((optimum.two_cards.chances[:, :, place] * gain).sum()) > 0.0
