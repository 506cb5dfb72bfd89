"""Play small blocks and print their counts; tests also run this without the compiler."""

from __future__ import annotations

import hashlib
import json
import sys
from fractions import Fraction
from typing import Any

import numpy as np

from ventiuna.rules import load_rules
from ventiuna.simulation.blocks import Tally, play_block
from ventiuna.simulation.plan import Plan, ShoeUse
from ventiuna.simulation.settings import find_count, find_strategy
from ventiuna.simulation.spec import make_spec

ROUNDS = 300
JACKPOTS = "wsgc-2021(jackpots=3c:1:wager=5:seed=1000+4d:2)"
CASES: dict[str, Plan] = {
    "base game": Plan(load_rules("wsgc-spanish-21")),
    "a small shoe": Plan(load_rules("super-fun-21"), shoe=ShoeUse.FRESH),
    "every wager": Plan(
        load_rules(JACKPOTS), spots=3, match={"up": 500, "down": 500}, jackpots=(1, 2), session=50
    ),
    "a mind": Plan(
        load_rules("wsgc-spanish-21"), errors=Fraction(1, 10), count=find_count("level-one")
    ),
}


def digest_of(plan: Plan) -> str:
    """Digest of everything that a block of the plan counts."""
    spec = make_spec(plan, find_strategy("chart", plan.rules, plan.base_wager))
    block = play_block(spec, 0, ROUNDS)
    tally = Tally.empty(spec)
    tally.add(block)
    parts: dict[str, Any] = {
        name: value.tolist() if isinstance(value, np.ndarray) else str(value)
        for name, value in sorted(vars(tally).items())
        if name != "work"
    }
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


if __name__ == "__main__":
    with np.errstate(over="ignore"):  # the generator counts modulo 2**64
        wanted = sys.argv[1:] or list(CASES)
        json.dump({name: digest_of(CASES[name]) for name in wanted}, sys.stdout)
