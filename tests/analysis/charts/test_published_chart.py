"""The derived chart for 6 decks, H17, compared with the published one, with reasons for
differences."""

from __future__ import annotations

import pytest

from tests.analysis.charts.studied import PUBLISHED, SPANISH, derived, priced
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.charts.best_play import (
    CellKey,
    Losses,
    Optimum,
    Prices,
    chart_policy,
    reach_of,
)
from ventiuna.analysis.charts.derivation import WORTH, cell_action, cell_loss
from ventiuna.analysis.charts.page import ChartTable, cell_text
from ventiuna.rules import compile_rules, load_rules
from ventiuna.strategy.chart import UP_CARDS, Cell, Chart, built_in_charts

# Published cell and derived cell. Except for the first, they differ only by digits and marks that
# save too little to be worth a sign. For 16 against 2 with five cards, the choice is so close that
# each is right for some hands.
DIFFERENT = {
    ("hard", 16, "2"): ("S6", "S5"),
    ("hard", 10, "2"): ("D5", "D"),
    ("hard", 10, "3"): ("D5", "D"),
    ("hard", 11, "3"): ("D5", "D"),
    ("hard", 11, "4"): ("D5", "D"),
    ("hard", 11, "5"): ("D5", "D"),
    ("hard", 11, "6"): ("D5", "D"),
    ("hard", 14, "6"): ('S6"', 'S"'),
    ("soft", 17, "6"): ("D5", "D"),
    ("soft", 18, "6"): ("D6", "D"),
    ("soft", 18, "7"): ("S6", "S"),
    ("soft", 19, "A"): ("S6", "S"),
    # Equivalent, because a pair of eights may always be surrendered before it is split.
    ("pairs", 8, "A"): ("RP", "R"),
}


@pytest.fixture(scope="module")
def prices() -> Prices:
    """Cost of each play in each cell, weighted by how often the derived chart reaches each hand."""
    house = load_rules(SPANISH)
    optimum = Optimum(compile_rules(house), analyze(house).solution, None)
    policy = chart_policy(optimum, derived(SPANISH).chart)
    return Losses(optimum, reach_of(optimum, policy)).prices()


def cells(chart: Chart, published: Chart) -> dict[tuple[str, int, str], tuple[Cell, Cell]]:
    """Both charts' cells by table, row and up card."""
    return {
        (name, total, up): (printed, ours)
        for name in ("hard", "soft", "pairs")
        for total, row in getattr(published, name).items()
        for up, printed, ours in zip(UP_CARDS, row, getattr(chart, name)[total], strict=True)
    }


def test_the_charts_agree_except_in_close_cells() -> None:
    found = {
        place: (cell_text(printed), cell_text(ours))
        for place, (printed, ours) in cells(
            derived(SPANISH).chart, built_in_charts()[PUBLISHED]
        ).items()
        if printed != ours
    }
    assert found == DIFFERENT


def test_the_first_letter_is_the_same_everywhere() -> None:
    for printed, ours in cells(derived(SPANISH).chart, built_in_charts()[PUBLISHED]).values():
        assert printed.first == ours.first


def test_exact_values_explain_every_difference(prices: Prices) -> None:
    """Our cell costs less, or so little more that no sign would be worth it."""
    both = cells(derived(SPANISH).chart, built_in_charts()[PUBLISHED])
    for table, total, up in DIFFERENT:
        key = CellKey(ChartTable(table), 0, total, UP_CARDS.index(up))
        printed, ours = both[table, total, up]
        saved = cell_loss(key, ours, prices[key]) - cell_loss(key, printed, prices[key])
        assert saved < WORTH, (key, saved)
        same_play = all(
            cell_action(key, printed, situation) == cell_action(key, ours, situation)
            for situation in prices[key]
        )
        assert same_play == ((table, total) == ("pairs", 8))


def test_our_digit_for_16_against_2_is_better(prices: Prices) -> None:
    key = CellKey(ChartTable.HARD, 0, 16, 0)
    five, six = Cell("S", "", 5, "", False), Cell("S", "", 6, "", False)
    assert cell_loss(key, five, prices[key]) < cell_loss(key, six, prices[key])


def test_after_a_double_the_charts_agree_on_hands_that_can_occur() -> None:
    ours, printed = derived(SPANISH), priced(SPANISH, PUBLISHED)
    shown = [
        [section for section in result.page().sections if section.title.startswith("After")]
        for result in (ours, printed)
    ]
    assert shown[0] == shown[1]
    (section,) = shown[0]
    assert section.title == "After one double, hard"
    assert [row.label for row in section.rows] == ["12-16", "17"]
    assert section.rows[0].cells == ("S", "S", "S", "S", "S", "S", "R", "R", "R", "R")
    assert section.rows[1].cells == ("S", "S", "S", "S", "S", "S", "S", "S", "S", "R")


def test_the_super_bonus_mark_is_in_the_printed_cells() -> None:
    for chart in (derived(SPANISH).chart, built_in_charts()[PUBLISHED]):
        marked = [
            (value, UP_CARDS[column])
            for value, row in chart.pairs.items()
            for column, cell in enumerate(row)
            if cell.for_super
        ]
        assert marked == [(7, "7")]
