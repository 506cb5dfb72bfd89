"""Every chart cell, including split, doubled and suited hands, compared with single hands."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ventiuna.analysis.base_game.analyzer import hand_values
from ventiuna.analysis.charts.best_play import SUITED_678
from ventiuna.analysis.composition import fresh_composition
from ventiuna.cards import parse_card, parse_cards
from ventiuna.core import actions
from ventiuna.core.cards import value_of
from ventiuna.counting.decisions import (
    ByClass,
    Decisions,
    HandClass,
    best_play,
    cells_of,
    decisions_of,
    with_splits,
)
from ventiuna.kernels.exact.tables import SPLIT_ACE_HAND, SPLIT_HAND, UNSPLIT
from ventiuna.rules import load_rules
from ventiuna.strategy.chart import Bonus
from ventiuna.strategy.counting import After

REDOUBLES = "wsgc-2021(double_double=on)"


@cache
def known(rules: str) -> tuple[Decisions, np.ndarray]:
    loaded = load_rules(rules)
    decisions = decisions_of(loaded)
    played = best_play(loaded, None, fresh_composition(loaded), decisions.kinds)
    return decisions, decisions.values(played)


def row_of(decisions: Decisions, cards: str, up: str, kind: int, doublings: int) -> int:
    counts = np.bincount([value_of(card) - 1 for card in parse_cards(cards)], minlength=10)
    [row] = np.flatnonzero(
        (decisions.counts == counts).all(axis=1)
        & (decisions.up == value_of(parse_card(up)) - 1)
        & (decisions.kind == kind)
        & (decisions.doublings == doublings)
    )
    return int(row)


@pytest.mark.parametrize(
    ("rules", "cards", "up", "kind", "doublings"),
    [
        ("wsgc-2021", "7c 4d 2h", "Kh", UNSPLIT, 1),
        (REDOUBLES, "2c 3d 4h", "6h", UNSPLIT, 1),
        (REDOUBLES, "2c 3d 2h 5h", "6h", UNSPLIT, 2),
        ("super-fun-21", "6c 4d 5h", "9h", UNSPLIT, 1),
        ("wsgc-2021", "8c 2d", "6h", SPLIT_HAND, 0),
        ("wsgc-2021", "8c 5d 2h", "Kh", SPLIT_HAND, 0),
        ("wsgc-2021", "Ac 6d", "4h", SPLIT_ACE_HAND, 0),
        ("super-fun-21", "8c 5d", "6h", SPLIT_HAND, 0),
    ],
)
def test_decisions_have_the_values_of_single_hands(
    rules: str, cards: str, up: str, kind: int, doublings: int
) -> None:
    decisions, values = known(rules)
    row = row_of(decisions, cards, up, kind, doublings)
    split = bool(kind != UNSPLIT)
    hands = 2 if split else None
    found = hand_values(rules, cards, up, doublings=doublings, split=split, hands=hands)
    wanted = {action.action: action.ev for action in found.actions if action.action != "split"}
    ours = {
        actions.ACTION_NAMES[choice]: float(value)
        for choice, value in enumerate(values[row])
        if not np.isnan(value)
    }
    assert ours == pytest.approx(wanted, abs=1e-12)


def test_split_and_doubled_hands_have_the_right_frequencies() -> None:
    """Each split pair makes two or more hands; doubled hands are counted after the double."""
    decisions, _ = known("wsgc-2021")
    split = decisions.mass[(decisions.kind == SPLIT_HAND) & (decisions.counts.sum(axis=1) == 2)]
    assert 0.02 < split.sum() < 0.06
    doubled = decisions.mass[decisions.doublings == 1]
    assert 0.03 < doubled.sum() < 0.12
    assert (decisions.doublings < 2).all()
    assert (known(REDOUBLES)[0].doublings == 3).any()
    assert (decisions.level == SUITED_678).any()


def by_class(*rows: tuple[After, int, list[list[float]]]) -> ByClass:
    classes = [HandClass("hard", 16, 10, after, Bonus.NONE, cards) for after, cards, _ in rows]
    return ByClass(classes, np.ones(len(rows)), np.array([values for *_, values in rows]))


def test_split_hands_are_separate_if_the_best_action_is_illegal() -> None:
    """Three true counts, three actions; the third isn't allowed after a split."""
    nan = float("nan")
    dealt = [[0.0, 1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 1.0, 2.0]]
    split = [[0.0, 1.0, nan], [0.0, 2.0, nan], [1.0, 0.0, nan]]
    apart = with_splits(by_class((After.ANY, 2, dealt), (After.SPLIT, 2, split)))
    assert [found.after for found in apart.classes] == [After.DEAL, After.SPLIT]
    never = [[0.0, 1.0, -1.0]] * 3
    together = with_splits(by_class((After.ANY, 2, never), (After.SPLIT, 2, split)))
    assert [found.after for found in together.classes] == [After.ANY]
    assert together.mass.tolist() == [2.0]
    assert together.values[0, 1, :2].tolist() == [0.0, 1.5]


def test_a_cell_ends_where_more_cards_make_the_best_action_illegal() -> None:
    """A two-card surrender above some count isn't lost among hands that may not surrender."""
    nan = float("nan")
    two = [[0.0, 1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 1.0, 2.0]]
    three = [[0.0, 1.0, nan], [0.0, 1.0, nan], [0.0, 1.0, nan]]
    found = cells_of(by_class((After.ANY, 2, two), (After.ANY, 3, three)), 1)
    assert [(cell.cards, members) for cell, members in found] == [("2", [0]), ("3+", [1])]
    plain = [[0.0, 1.0, -1.0]] * 3
    [(cell, members)] = cells_of(by_class((After.ANY, 2, plain), (After.ANY, 3, three)), 1)
    assert (cell.cards, members) == ("", [0, 1])
