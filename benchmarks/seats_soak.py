"""Compiled seats and engine in lockstep: all approved rules, then random ones, with random actions.

python -m benchmarks.seats_soak --rounds 1000000 --checkpoint FILE; Ctrl-C stops and reports what
was done, and the same command resumes from there.
"""

from __future__ import annotations

import random
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from benchmarks.comparing import Compared, compare, report, some_rules
from tests.envs.lockstep import compare_with_engine
from tests.support.rule_sets import approved_rules
from ventiuna.engine import Refused
from ventiuna.envs import VectorTable21
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules, RulesError

BLOCK = 4_000  # approximate rounds under one rule set
SEATS = 64
STEPS = 3  # per round, at most
FOR_LESS = 0.8  # share of tables that allow doubling for less


@dataclass
class SeatsCompared(Compared):
    steps: int = 0
    tables: int = 0


def compare_block(seed: int, block: int, rounds: int) -> SeatsCompared:
    """Compare one table with random rules, wagers and episodes."""
    generator = random.Random(f"seats {seed}/{block}")
    approved = _approved()
    env = _playable(generator, approved[block] if block < len(approved) else None)
    found = compare_with_engine(env, rounds * STEPS // SEATS, generator.getrandbits(31))
    return SeatsCompared(found.rounds, found.differences, steps=found.steps, tables=1)


@cache
def _approved() -> tuple[Rules, ...]:
    return tuple(approved_rules())


def _playable(generator: random.Random, rules: Rules | None) -> VectorTable21:
    while True:
        with suppress(RulesError, Refused, VentiunaError):  # e.g. wagers beyond a limit
            return VectorTable21(
                SEATS,
                rules or some_rules(generator),
                wagers=generator.choice([None, (1,), (1, 2, 4)]),
                episode=generator.choice(["round", "shoe"]),
                double_for_less=generator.random() < FOR_LESS,
                autoreset_mode=generator.choice(["NextStep", "SameStep"]),
            )


def main(arguments: list[str] | None = None) -> int:
    total = SeatsCompared()
    options, soaked = compare(
        "benchmarks.seats_soak", __doc__, 1_000_000, BLOCK, compare_block, total, arguments
    )
    played = f"{total.rounds:,} rounds, {total.steps:,} steps at {total.tables:,} tables"
    agreed = "Compiled seats and engine agree on everything they report."
    return report(total, options, soaked, played, [agreed])


if __name__ == "__main__":
    sys.exit(main())
