"""Where a chart gives most away: its cells, their hands and what the exact play would be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ventiuna.analysis.base_game.result import VALUE_NAMES, hand_name
from ventiuna.analysis.charts.derive.costs import CellKey, Losses, cell_key
from ventiuna.analysis.charts.derive.groups import (
    MIXED_678,
    PLAIN,
    SPADES_678,
    SUITED_678,
    SUPER,
    Group,
)
from ventiuna.analysis.charts.derive.optimum import PLACES_OF_TWO
from ventiuna.analysis.charts.derive.reach import Policy
from ventiuna.analysis.charts.render.notation import Table, cell_text
from ventiuna.core import actions
from ventiuna.kernels.exact.lattice import VALUES, Floats, Ints
from ventiuna.strategy.chart import Chart

_LEVEL_WORDS = {
    PLAIN: "",
    MIXED_678: " of mixed suits",
    SUITED_678: " of one suit",
    SPADES_678: " of spades",
    SUPER: " with the Super Bonus to come",
}
_TIMES = {1: "once doubled", 2: "twice doubled", 3: "three times doubled"}
_MOST_HANDS = 5  # named of a cell


@dataclass(frozen=True, slots=True)
class WorstHand:
    """A hand that a cell does not play in the exact way."""

    hand: str  # by values, as `10-4-2`
    action: str  # what the cell does
    best: str  # what the exact play would be
    cost: float  # base wagers a round

    def as_data(self) -> dict[str, object]:
        return {"hand": self.hand, "action": self.action, "best": self.best, "cost": self.cost}


@dataclass(frozen=True, slots=True)
class WorstCell:
    """A cell with what it gives away; the hands with the largest shares are named."""

    row: str  # as `hard 16`
    up: str
    cell: str
    cost: float  # base wagers a round
    hands: tuple[WorstHand, ...]

    def as_data(self) -> dict[str, object]:
        return {
            "row": self.row,
            "up": self.up,
            "cell": self.cell,
            "cost": self.cost,
            "hands": [hand.as_data() for hand in self.hands],
        }


class _Loss(NamedTuple):
    key: CellKey
    place: int
    level: int
    action: int
    best: int
    cost: float


def worst_cells(losses: Losses, policy: Policy, chart: Chart) -> tuple[WorstCell, ...]:
    """All cells that give anything away, the dearest first."""
    by_cell: dict[CellKey, dict[tuple[str, int, int], float]] = {}
    for loss in _losses(losses, policy):
        hand = hand_name(loss.place) + _LEVEL_WORDS[loss.level]
        found = by_cell.setdefault(loss.key, {})
        name = (hand, loss.action, loss.best)
        found[name] = found.get(name, 0.0) + loss.cost
    cells = [_cell(chart, key, found) for key, found in by_cell.items()]
    return tuple(sorted(cells, key=lambda cell: -cell.cost))


def _cell(chart: Chart, key: CellKey, found: dict[tuple[str, int, int], float]) -> WorstCell:
    hands = [
        WorstHand(hand, actions.ACTION_NAMES[action], actions.ACTION_NAMES[best], cost)
        for (hand, action, best), cost in sorted(found.items(), key=lambda item: -item[1])
    ][:_MOST_HANDS]
    up = VALUE_NAMES[(key.column + 1) % VALUES]
    return WorstCell(_row_name(key), up, _cell_of(chart, key), sum(found.values()), tuple(hands))


def _row_name(key: CellKey) -> str:
    if key.table is Table.PAIRS:
        return f"pair of {'aces' if key.row == 1 else f'{key.row}s'}"
    kind = "soft" if key.table in (Table.SOFT, Table.DOUBLED_SOFT) else "hard"
    doubled = f", {_TIMES[key.doublings]}" if key.doublings else ""
    return f"{kind} {key.row}{doubled}"


def _cell_of(chart: Chart, key: CellKey) -> str:
    if key.table is Table.PAIRS:
        return cell_text(chart.pairs[key.row][key.column])
    if key.doublings == 0:
        rows = chart.soft if key.table is Table.SOFT else chart.hard
        return cell_text(rows[key.row][key.column])
    if not chart.doubled:
        return "S"
    hard, soft = chart.doubled[min(key.doublings, len(chart.doubled)) - 1]
    return cell_text((soft if key.table is Table.DOUBLED_SOFT else hard)[key.row][key.column])


def _losses(losses: Losses, policy: Policy) -> Iterator[_Loss]:
    """Every hand whose play is not the best."""
    optimum = losses.optimum
    for (kind, doublings), (groups, number) in optimum.groupings.items():
        if doublings:
            found = losses.doubled(kind, doublings)
            taken = policy.more[kind][:, doublings]
            yield from _by_composition(found, taken, groups, number, kind, doublings)
            continue
        found = losses.more_cards(kind)
        yield from _by_composition(found, policy.more[kind][:, 0], groups, number, kind, 0)
        pairs = losses.two_cards(kind)
        for place in PLACES_OF_TWO:
            two, taken = pairs[:, :, place], policy.two[kind][:, :, place]
            yield from _of_two_cards(two, taken, groups[number[place]], kind, place)


def _by_composition(
    found: Floats,
    taken: Ints,
    groups: tuple[Group, ...],
    number: Ints,
    kind: int,
    doublings: int,
) -> Iterator[_Loss]:
    costs = np.take_along_axis(found, taken[..., None], axis=-1)[..., 0]
    for up, place in zip(*np.nonzero(costs > 0.0), strict=True):
        group = groups[number[place]]
        key = cell_key(group, kind, int(up), doublings)
        best = _cheapest(found[up, place], group.legal)
        action, cost = int(taken[up, place]), float(costs[up, place])
        yield _Loss(key, int(place), PLAIN, action, best, cost)


def _of_two_cards(
    found: Floats, taken: Ints, group: Group, kind: int, place: int
) -> Iterator[_Loss]:
    for up in range(VALUES):
        for level in range(found.shape[1]):
            action = int(taken[up, level])
            cost = float(found[up, level, action])
            if cost > 0.0:
                best = _cheapest(found[up, level], group.legal)
                yield _Loss(cell_key(group, kind, up), place, level, action, best, cost)


def _cheapest(found: Floats, legal: int) -> int:
    allowed = [action for action in range(actions.ACTIONS) if legal >> action & 1]
    return min(allowed, key=lambda action: float(found[action]))
