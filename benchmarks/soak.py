"""Random rounds with all presets and options, on all cores, with every invariant checked.

python -m benchmarks.soak --rounds 1000000; Ctrl-C stops and reports what was done. The same seed
plays the same rounds, regardless of the number of workers.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from benchmarks.pool import Soaked, add_up, blocks, play_blocks, read_options
from tests.support.rule_sets import every_choice, random_choices, random_rules
from ventiuna.rules import Rules, canonical, preset_ids
from ventiuna.testing.conformance import Tally, check_rules
from ventiuna.testing.invariants import InvariantBroken

BLOCK = 500  # rounds per worker and batch
A_TABLE = 25  # rounds under one rule set
STEPS = 0.01  # share of decisions at which all options, the view and a refusal are checked


@dataclass
class Played:
    """Results of a block, or of all blocks."""

    tally: Tally = field(default_factory=Tally)
    tables: int = 0
    broken: list[str] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.tally.rounds + self.tally.abandoned

    @property
    def failures(self) -> list[str]:
        return self.broken

    def add(self, other: Played) -> None:
        self.tally.add(other.tally)
        self.tables += other.tables
        self.broken += other.broken


def play_block(seed: int, block: int, rounds: int) -> Played:
    """Play one table after another; every second table follows a preset's document."""
    generator = random.Random(f"{seed}/{block}")
    played = Played()
    left = rounds
    while left > 0:
        rules = documented(generator) if generator.random() < 0.5 else random_rules(generator)
        number = min(left, A_TABLE)
        left -= number
        played.tables += 1
        try:
            played.tally.add(check_rules(rules, number, generator.getrandbits(32), STEPS))
        except InvariantBroken as broken:
            played.broken.append(f"block {block}, {canonical(rules)}: {broken}")
    return played


def documented(generator: random.Random) -> Rules:
    preset = generator.choice(preset_ids())
    return random_choices(generator.choice(_main_choices(preset)), preset, generator)


@cache
def _main_choices(preset: str) -> tuple[Rules, ...]:
    return tuple(every_choice(preset))


def soak(seed: int, rounds: int, workers: int) -> Iterator[Played]:
    return play_blocks(play_block, seed, blocks(rounds, BLOCK), workers)


# --- Command line ---


def main(arguments: list[str] | None = None) -> int:
    options = read_options("benchmarks.soak", __doc__, 1_000_000, arguments)
    total = Played()
    found = soak(options.seed, options.rounds, options.workers)
    soaked = add_up(total, found, options.rounds)
    _report(total, options, soaked)
    return 1 if total.broken else 0


def _report(total: Played, options: argparse.Namespace, soaked: Soaked) -> None:
    tally = total.tally
    if options.json:
        data = {
            "seed": options.seed,
            "rounds": tally.rounds,
            "spots": tally.spots,
            "abandoned": tally.abandoned,
            "tables": total.tables,
            "seconds": round(soaked.seconds, 1),
            "stopped": soaked.stopped,
            "broken": total.broken,
            "seen": dict(sorted(tally.seen.items())),
        }
        print(json.dumps(data, indent=1))
        return
    if soaked.stopped:
        print("Stopped. Done so far:")
    rare = {name: tally.seen[name] for name in ("stage super_bonus", "stage awards", "HandSplit")}
    print(
        f"{tally.rounds:,} rounds with {tally.spots:,} spots under {total.tables:,} rule sets "
        f"in {soaked.seconds:,.0f} s (seed {options.seed}).\n"
        f"They include {rare['HandSplit']:,} splits, {rare['stage awards']:,} rounds with jackpot "
        f"awards, {rare['stage super_bonus']:,} with a Super Bonus."
    )
    if tally.abandoned:
        print(f"{tally.abandoned:,} rounds ended early: the shoe ran out of cards.")
    print("\n".join(total.broken) if total.broken else "No invariant was broken.")


if __name__ == "__main__":
    sys.exit(main())
