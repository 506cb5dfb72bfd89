"""Tests of counting share one workshop, because its effects take seconds to work out."""

from functools import cache

from ventiuna.counting.removal import Effects, base_effects
from ventiuna.counting.workshop import Workshop
from ventiuna.rules import load_rules

RULES = load_rules("wsgc-2021")
WORKSHOP = Workshop(RULES)


@cache
def effects_of_fixed_play() -> Effects:
    return base_effects(RULES, fixed=True)
