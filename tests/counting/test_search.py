"""The best tags, compared with every possible set of tags."""

from __future__ import annotations

from itertools import product
from math import gcd

import numpy as np
import pytest

from ventiuna.cards import Pack
from ventiuna.core.cards import CARDS
from ventiuna.counting.design import WeightedEffects, best_tags, by_card
from ventiuna.counting.removal import Effects, best_fit, correlation, joint_correlation
from ventiuna.counting.tags import CardClass, classes_by_suit, value_classes
from ventiuna.strategy.protocol import PlanError

PACK = Pack.SPANISH


def drawn_effects(seed: int, pack: Pack = PACK) -> Effects:
    """Random effects by value, like those of a base game."""
    generator = np.random.default_rng(seed)
    by_value = {kind.name: float(generator.normal()) for kind in value_classes(pack)}
    shoe = [0] * CARDS
    effects: list[float | None] = [None] * CARDS
    for kind in value_classes(pack):
        for card in kind.cards:
            shoe[card], effects[card] = 6, by_value[kind.name]
    return Effects("drawn", 0.0, tuple(effects), None, tuple(shoe))


def brute_force(weighed: WeightedEffects, level: int, balanced: bool | None) -> float:
    """The highest correlation of all tags, checked one by one."""
    values = range(-level, level + 1)
    rows = np.array(list(product(values, repeat=len(weighed.classes))), dtype=np.int64)
    if balanced is not None:
        drifts = weighed.drifts(rows)
        rows = rows[(drifts == 0) == balanced]
    return float(weighed.correlations(rows).max())


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("balanced", [True, False, None])
def test_tags_of_level_one_are_the_best_of_all(seed: int, balanced: bool | None) -> None:
    weighed = WeightedEffects(drawn_effects(seed), value_classes(PACK))
    [found] = best_tags(weighed, 1, balanced)
    assert found.correlation == pytest.approx(brute_force(weighed, 1, balanced), abs=1e-12)


@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_higher_levels_with_fewer_classes(level: int, seed: int) -> None:
    """Merge values into five classes of two sizes, so that every set can be checked."""
    plain = value_classes(PACK)
    joined = [
        CardClass(f"{start}", plain[start].cards + plain[start + 1].cards)
        for start in range(0, 8, 2)
    ]
    classes = (*joined, plain[9])
    weighed = WeightedEffects(drawn_effects(seed), classes)
    [found] = best_tags(weighed, level, True)
    assert found.correlation == pytest.approx(brute_force(weighed, level, True), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_tags_with_a_side_count(seed: int) -> None:
    classes = value_classes(PACK)
    sevens = by_card(classes, [int(kind.name == "7") for kind in classes])
    effects = drawn_effects(seed)
    weighed = WeightedEffects(effects, classes, [sevens])
    [found] = best_tags(weighed, 1, None)
    assert found.correlation == pytest.approx(brute_force(weighed, 1, None), abs=1e-12)
    joint = joint_correlation(effects, [by_card(classes, found.tags), sevens])
    assert joint == pytest.approx(found.correlation)
    alone = correlation(effects, by_card(classes, found.tags))
    assert alone is not None
    assert joint is not None
    assert joint >= alone - 1e-12


def test_a_perfect_count_correlates_fully() -> None:
    classes = value_classes(PACK)
    effects = drawn_effects(0)
    single = [by_card(classes, [int(k is kind) for k in classes]) for kind in classes[:-1]]
    fit = best_fit(effects, single)
    assert fit is not None
    assert fit.correlation == pytest.approx(1.0)


def test_classes_by_suit_are_weighted_by_their_cards() -> None:
    classes = classes_by_suit(PACK, ["7"])
    weighed = WeightedEffects(drawn_effects(1), classes)
    sizes = dict(zip((kind.name for kind in classes), weighed.weights.tolist(), strict=True))
    assert (sizes["7s"], sizes["6"], sizes["10"]) == (6, 24, 72)
    assert sum(sizes.values()) == 48 * 6


def test_the_smallest_of_equally_good_tags_are_chosen() -> None:
    for one in best_tags(WeightedEffects(drawn_effects(2), value_classes(PACK)), 3, True, 5):
        assert gcd(*one.tags) == 1


def test_levels_beyond_three_are_refused() -> None:
    with pytest.raises(PlanError, match="1, 2 or 3"):
        best_tags(WeightedEffects(drawn_effects(0), value_classes(PACK)), 4)
