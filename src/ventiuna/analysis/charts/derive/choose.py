"""Which signs a cell gets: the fewest that are worth their ink."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ventiuna.analysis.charts.derive.costs import CellKey, Prices, Situation
from ventiuna.analysis.charts.derive.groups import (
    LETTER_OF,
    MIXED_678,
    SUPER,
    mark_is_met,
)
from ventiuna.analysis.charts.render.notation import HIT, SPLIT, STAND, SURRENDER, Table
from ventiuna.core import actions
from ventiuna.core.preferences import first_legal_of
from ventiuna.kernels.exact.lattice import Floats
from ventiuna.strategy.chart import Cell, cell_preferences, doubled_cell_preferences

_MARKS = ("", "*", "'", '"')
_FEWEST, _MOST = 3, 9
_LETTER_ORDER = "SHDPR"  # among equals the first


def choose_cells(prices: Prices, worth: float) -> dict[CellKey, Cell]:
    """The cheapest cell for each key, where every sign beside a letter costs `worth`."""
    return {key: choose_cell(key, found, worth) for key, found in prices.items()}


def choose_cell(key: CellKey, prices: Mapping[Situation, Floats], worth: float) -> Cell:
    # Hands that can only stand don't ask the chart.
    prices = {s: losses for s, losses in prices.items() if s.legal != 1 << actions.STAND} or prices
    if key.table.is_doubled:
        return min(_doubled_cells(prices), key=lambda cell: _rank(key, cell, prices, worth))
    candidates = list(_cells(key, prices))
    plain = [cell for cell in candidates if _signs(cell) == 0]
    best = min(plain, key=lambda cell: _rank(key, cell, prices, worth))
    if cell_loss(key, best, prices) < worth:
        return best  # no sign can save as much as it costs
    return min(candidates, key=lambda cell: _rank(key, cell, prices, worth))


def _rank(
    key: CellKey, cell: Cell, prices: Mapping[Situation, Floats], worth: float
) -> tuple[float, int, int]:
    loss = cell_loss(key, cell, prices)
    signs = _signs(cell)
    # Rounded, so that differences without meaning leave the choice to the simpler cell.
    return (round(loss + worth * signs, 18), signs, _LETTER_ORDER.index(cell.first))


def _signs(cell: Cell) -> int:
    """A second letter alone is free: it only says what to do where the first is not allowed."""
    second = bool(cell.second) and (cell.cards > 0 or cell.first != SURRENDER)
    return (cell.cards > 0) + bool(cell.mark) + second


def cell_loss(key: CellKey, cell: Cell, prices: Mapping[Situation, Floats]) -> float:
    """What playing this cell gives away in a round."""
    return sum(
        float(losses[cell_action(key, cell, situation)]) for situation, losses in prices.items()
    )


def cell_action(key: CellKey, cell: Cell, situation: Situation) -> int:
    if key.table.is_doubled:
        return first_legal_of(doubled_cell_preferences(cell), situation.legal)
    preferences = cell_preferences(cell, situation.cards, mark_is_met(cell, situation.level))
    return first_legal_of(preferences, situation.legal)


# --- candidates ---------------------------------------------------------------------------------


def _doubled_cells(prices: Mapping[Situation, Floats]) -> Iterator[Cell]:
    for letter in _letters(prices):
        yield Cell(letter, "", 0, "", False)


def _letters(prices: Mapping[Situation, Floats]) -> list[str]:
    """Letters that some hand of the cell may be played by."""
    allowed = {
        action
        for situation in prices
        for action in range(actions.ACTIONS)
        if situation.legal >> action & 1
    }
    return sorted({LETTER_OF[action] for action in allowed}, key=_LETTER_ORDER.index)


def _cells(key: CellKey, prices: Mapping[Situation, Floats]) -> Iterator[Cell]:
    letters = _letters(prices)
    best = _best_letters(prices)
    marks = _MARKS if any(MIXED_678 <= s.level < SUPER for s in prices) else _MARKS[:1]
    counts = {situation.cards for situation in prices}
    digits = [0, *(n for n in range(_FEWEST, _MOST + 1) if min(counts) < n <= max(counts))]
    for_super = _hits_for_super(prices)
    for first in letters:
        for second in _seconds(key, first, prices, best):
            for cards in digits:
                if first == HIT and (cards > 0) != bool(second):
                    continue
                for mark in marks:
                    if mark and first == HIT:
                        continue
                    yield Cell(first, second, cards, mark, for_super and first != HIT)


def _best_letters(prices: Mapping[Situation, Floats]) -> set[str]:
    """Letters that are best for some hands of the cell."""
    found = set()
    for situation, losses in prices.items():
        allowed = [a for a in range(actions.ACTIONS) if situation.legal >> a & 1]
        found.add(LETTER_OF[min(allowed, key=lambda action: float(losses[action]))])
    return found


def _seconds(
    key: CellKey, first: str, prices: Mapping[Situation, Floats], best: Iterable[str]
) -> list[str]:
    """What may stand behind the first letter; hitting needs no letter but behind an R."""
    if first == HIT:
        return ["", STAND]  # the second only with a digit: with so many cards stand
    if first in (STAND, SPLIT):
        return [""]
    others = [letter for letter in _LETTER_ORDER if letter in best and letter not in (first, "R")]
    if first == SURRENDER:
        if key.table is Table.PAIRS or all(s.legal >> actions.SURRENDER & 1 for s in prices):
            return ["", *(letter for letter in others if letter != HIT)]
        return [HIT, *(letter for letter in others if letter != HIT)]
    return ["", *(letter for letter in others if letter == STAND)]


def _hits_for_super(prices: Mapping[Situation, Floats]) -> bool:
    """Is hitting best while the Super Bonus can still come?"""
    for situation, losses in prices.items():
        if situation.level == SUPER:
            allowed = [a for a in range(actions.ACTIONS) if situation.legal >> a & 1]
            return min(allowed, key=lambda action: float(losses[action])) == actions.HIT
    return False
