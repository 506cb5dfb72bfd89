"""Index plays by several sums of counts, and studies that are stopped and resumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import IS_SOAK
from tests.counting import RULES, WORKSHOP, use_one_shoe_for_each_count
from ventiuna.counting.design import CountSpec, design_counts
from ventiuna.counting.efficiency import Tilt
from ventiuna.counting.files import with_indices
from ventiuna.counting.indices import (
    Bets,
    IndexCheckpoint,
    best_sums,
    index_by_sums,
    sums_of,
    values_by_count,
)
from ventiuna.counting.tags import Depths, Scale, read_tags, tags_of
from ventiuna.strategy.counting import built_in_counts
from ventiuna.strategy.protocol import PlanError

POINTS = 5 if IS_SOAK else 4


@pytest.fixture(autouse=True)
def one_shoe_for_each_count(monkeypatch: pytest.MonkeyPatch) -> None:
    use_one_shoe_for_each_count(monkeypatch)


def test_plays_use_the_best_sum(tmp_path: Path) -> None:
    """With a side count of sevens, each added sum gains more and insurance ignores the sevens."""
    [count] = design_counts(WORKSHOP, CountSpec(sides=("7",)))
    depths = Depths(RULES, tags_of(count))
    chosen = best_sums(WORKSHOP.playing, count, depths, 3)
    assert chosen[0] == count.weights
    assert len(set(chosen)) == 3
    kept = tmp_path / "kept"
    one = index_by_sums(WORKSHOP, count, points=POINTS, keep=IndexCheckpoint(kept))
    goes_on = IndexCheckpoint(kept, goes_on=True)  # the first sum is the same for both
    two = index_by_sums(WORKSHOP, count, 2, points=POINTS, keep=goes_on)
    assert two.earns > one.earns
    [weights] = sums_of(two.cells)
    assert weights == chosen[1]
    saved = with_indices(count, RULES, two.worth_knowing(40), two.insurance)
    assert {play.weights for play in saved.plays} == {(), weights}
    # At the index of the insurance sum, a third of the unseen cards are tens: 2 to 1 breaks even.
    assert two.insurance is not None
    assert count.insurance_weights
    along = Depths(RULES, tags_of(count, count.insurance_weights))
    scale = Scale(count, RULES, count.insurance_weights)
    shares = Tilt(along, scale.true(two.insurance)).shares((0,))
    assert shares[36:].sum() == pytest.approx(1 / 3, abs=1e-3)
    assert float(saved.insurance_at or 0) == pytest.approx(two.insurance, abs=0.05)
    # Each sum has its own checkpoint.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "kept.2"]
    if IS_SOAK:
        again = index_by_sums(
            WORKSHOP, count, 2, points=POINTS, keep=IndexCheckpoint(kept, goes_on=True)
        )
        assert again.cells == two.cells
    with pytest.raises(PlanError, match="several sums need flat bets"):
        index_by_sums(WORKSHOP, count, 2, Bets(((0.0, 1.0),)))
    with pytest.raises(PlanError, match="sums = 9: must be 1 to 8 sums"):
        index_by_sums(WORKSHOP, count, 9)


def test_a_single_count_has_one_sum_and_distinguishes_cards() -> None:
    with pytest.raises(PlanError, match="sums = 2: the count level-one has no side counts"):
        index_by_sums(WORKSHOP, built_in_counts()["level-one"], 2)
    with pytest.raises(PlanError, match="all cards count the same"):
        index_by_sums(WORKSHOP, read_tags("2=0"))


def test_a_resumed_study_gives_the_same_digits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ventiuna.counting.indices.SAVE_EVERY", 0.0)
    depths = Depths(RULES, tags_of(built_in_counts()["level-one"]))
    path = tmp_path / "shoes.npz"

    def stopped(_what: str, items: Sequence[Any], /) -> Iterator[Any]:
        yield from items[:2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        values_by_count(depths, None, stopped, 4, IndexCheckpoint(path))
    left: list[int] = []

    def counted(_what: str, items: Sequence[Any], /) -> Sequence[Any]:
        left.append(len(items))
        return items

    gone_on = values_by_count(depths, None, counted, 4, IndexCheckpoint(path, goes_on=True))
    at_once = values_by_count(depths, None, number=4)
    assert left == [2]
    assert np.array_equal(gone_on.values, at_once.values, equal_nan=True)
    assert gone_on.fixed_ev.tolist() == at_once.fixed_ev.tolist()
    with pytest.raises(PlanError, match="different rules, a different count"):
        values_by_count(depths, None, number=5, keep=IndexCheckpoint(path, goes_on=True))
    path.write_text("nothing", encoding="utf-8")
    with pytest.raises(PlanError, match="not a checkpoint of index numbers"):
        values_by_count(depths, None, number=4, keep=IndexCheckpoint(path, goes_on=True))
