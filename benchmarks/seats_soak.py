"""Compiled seats and engine in lockstep: random rules and actions, everything compared.

python -m benchmarks.seats_soak --rounds 1000000; Ctrl-C stops and says what was done.
"""

from __future__ import annotations

import random
import sys
from contextlib import suppress
from dataclasses import dataclass

from benchmarks.comparing import Compared, compare, some_rules
from ventiuna.engine import Refused
from ventiuna.envs import VectorTable21
from ventiuna.envs.lockstep import compare_with_engine
from ventiuna.errors import VentiunaError
from ventiuna.rules import RulesError

BLOCK = 4_000  # rounds under one set of rules, about
SEATS = 64


@dataclass
class SeatsCompared(Compared):
    steps: int = 0
    tables: int = 0


def compare_block(seed: int, block: int, rounds: int) -> SeatsCompared:
    """One table, its rules, wagers and episodes at random."""
    generator = random.Random(f"seats {seed}/{block}")
    env = _playable(generator)
    found = compare_with_engine(env, rounds * 2 // SEATS, generator.getrandbits(31))
    return SeatsCompared(found.rounds, found.differences, found.steps, 1)


def _playable(generator: random.Random) -> VectorTable21:
    while True:
        with suppress(RulesError, Refused, VentiunaError):  # wagers beyond a limit, say
            return VectorTable21(
                SEATS,
                some_rules(generator),
                wagers=generator.choice([None, (1,), (1, 2, 4)]),
                episode=generator.choice(["round", "shoe"]),
                autoreset_mode=generator.choice(["NextStep", "SameStep"]),
            )


def main(arguments: list[str] | None = None) -> int:
    total = SeatsCompared()
    options, soaked = compare(
        "benchmarks.seats_soak", __doc__, 1_000_000, BLOCK, compare_block, total, arguments
    )
    print(
        f"{total.rounds:,} rounds, {total.steps:,} steps at {total.tables:,} tables in lockstep in "
        f"{soaked.seconds:,.0f} s (seed {options.seed})."
    )
    print("\n".join(total.differences) or "Compiled seats and engine agree on all they tell.")
    return 1 if total.differences else 0


if __name__ == "__main__":
    sys.exit(main())
