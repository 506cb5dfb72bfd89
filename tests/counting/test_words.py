"""Index numbers in players' terms."""

from __future__ import annotations

import pytest

from ventiuna.core import actions
from ventiuna.counting.decisions import HARD, PAIR, SOFT, ChartSlot
from ventiuna.counting.indices import CellIndex, IndexPoint, IndexWords, describe_index
from ventiuna.rules import load_rules
from ventiuna.strategy.counting import After


def _told(rules: str, cell: ChartSlot, usual: int, above: int) -> IndexWords:
    index = CellIndex(cell, 0.01, usual, IndexPoint(2.0, above, 0.001), None)
    return describe_index(index, load_rules(rules))


@pytest.mark.parametrize(
    ("rules", "cell", "usual", "above", "words"),
    [
        (
            "wsgc-2021",
            ChartSlot(HARD, 16, 10, 2, 3),
            actions.HIT,
            actions.SURRENDER,
            ("hard 16", "face", "hit", "surrender"),
        ),
        (
            "super-fun-21",
            ChartSlot(PAIR, 10, 10, 2, 2),
            actions.STAND,
            actions.SPLIT,
            ("two ten-valued cards", "10", "stand", "split"),
        ),
        (
            "wsgc-2021",
            ChartSlot(PAIR, 8, 1, 2, 2, After.DEAL),
            actions.SPLIT,
            actions.HIT,
            ("a pair of 8s, as dealt", "A", "split", "hit"),
        ),
        (
            "wsgc-2021",
            ChartSlot(SOFT, 18, 9, 2, 6, After.DOUBLE),
            actions.STAND,
            actions.RESCUE,
            ("soft 18, after a double", "9", "stand", "rescue"),
        ),
    ],
)
def test_an_index_number_in_words(
    rules: str, cell: ChartSlot, usual: int, above: int, words: tuple[str, ...]
) -> None:
    told = _told(rules, cell, usual, above)
    assert tuple(told[name] for name in ("hand", "up", "usual", "from")) == words
    assert told["below"] is None
