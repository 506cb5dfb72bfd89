"""Compiled seats and engine in lockstep: random rules and actions, everything compared.

python -m benchmarks.seats_soak --rounds 1000000; Ctrl-C stops and says what was done.
"""

from __future__ import annotations

import random
import sys
from contextlib import suppress
from dataclasses import dataclass, field

from benchmarks.pool import add_up, blocks, play_blocks, read_options
from benchmarks.soak import documented
from ventiuna.engine import Refused
from ventiuna.envs import VectorTable21
from ventiuna.envs.lockstep import compare_with_engine
from ventiuna.errors import VentiunaError
from ventiuna.rules import RulesError
from ventiuna.testing.variations import random_rules

BLOCK = 4_000  # rounds under one set of rules, about
SEATS = 64
WILD = 0.2  # share of rule sets far off every document


@dataclass
class Compared:
    """What a block, or all of them, came to."""

    rounds: int = 0
    steps: int = 0
    tables: int = 0
    differences: list[str] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.rounds

    @property
    def failures(self) -> list[str]:
        return self.differences

    def add(self, other: Compared) -> None:
        self.rounds += other.rounds
        self.steps += other.steps
        self.tables += other.tables
        self.differences += other.differences


def compare_block(seed: int, block: int, rounds: int) -> Compared:
    """One table, its rules, wagers and episodes at random."""
    generator = random.Random(f"seats {seed}/{block}")
    env = _playable(generator)
    found = compare_with_engine(env, rounds * 2 // SEATS, generator.getrandbits(31))
    return Compared(found.rounds, found.steps, 1, found.differences)


def _playable(generator: random.Random) -> VectorTable21:
    while True:
        with suppress(RulesError, Refused, VentiunaError):  # wagers beyond a limit, say
            rules = random_rules(generator) if generator.random() < WILD else documented(generator)
            return VectorTable21(
                SEATS,
                rules,
                wagers=generator.choice([None, (1,), (1, 2, 4)]),
                episode=generator.choice(["round", "shoe"]),
                autoreset_mode=generator.choice(["NextStep", "SameStep"]),
            )


def main(arguments: list[str] | None = None) -> int:
    options = read_options("benchmarks.seats_soak", __doc__, 1_000_000, arguments)
    total = Compared()
    found = play_blocks(compare_block, options.seed, blocks(options.rounds, BLOCK), options.workers)
    soaked = add_up(total, found, options.rounds)
    print(
        f"{total.rounds:,} rounds, {total.steps:,} steps at {total.tables:,} tables in lockstep in "
        f"{soaked.seconds:,.0f} s (seed {options.seed})."
    )
    print("\n".join(total.differences) or "Compiled seats and engine agree on all they tell.")
    return 1 if total.differences else 0


if __name__ == "__main__":
    sys.exit(main())
