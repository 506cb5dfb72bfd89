"""Counting tests share one effects calculator, because effects take seconds to compute."""

from functools import cache

import pytest

from ventiuna.counting.efficiency import EffectsCalculator, Tilt, WeightedShoe
from ventiuna.counting.removal import Effects, base_effects
from ventiuna.rules import load_rules

RULES = load_rules("wsgc-2021")
WORKSHOP = EffectsCalculator(RULES)


@cache
def effects_of_fixed_play() -> Effects:
    return base_effects(RULES, fixed=True)


def use_one_shoe_for_each_count(patch: pytest.MonkeyPatch) -> None:
    """Replace a tilted shoe with the nearest shoe of whole cards, for speed."""
    shoes = Tilt.shoes

    def nearest(tilt: Tilt) -> list[WeightedShoe]:
        best = max(shoes(tilt), key=lambda shoe: shoe.weight)
        return [best._replace(weight=1.0)]

    patch.setattr(Tilt, "shoes", nearest)
