"""Decisions from random small shoes, the analyser against fractions, on all cores.

python -m benchmarks.small_shoes_soak --rounds 4000; Ctrl-C stops and says what was done. Each
round is one hand beside three to twelve unseen cards, where running out of them is near.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.pool import blocks, play_blocks, read_options, show_progress
from ventiuna.testing.small_shoes import compare, is_played, random_small_shoe

BLOCK = 50  # shoes that one worker compares at a time
MOST_CARDS = 12


@dataclass
class Compared:
    shoes: int = 0
    refused: int = 0
    values: int = 0
    differences: list[str] = field(default_factory=list)

    def add(self, other: Compared) -> None:
        self.shoes += other.shoes
        self.refused += other.refused
        self.values += other.values
        self.differences += other.differences


def compare_block(seed: int, block: int, shoes: int) -> Compared:
    generator = random.Random(f"{seed}/{block}")
    done = Compared()
    while done.shoes < shoes:
        shoe = random_small_shoe(generator, generator.randint(4, MOST_CARDS))
        if not is_played(shoe):
            continue
        found = compare(shoe)
        done.shoes += 1
        done.refused += found.values == 0
        done.values += found.values
        if found.difference:
            done.differences.append(found.difference)
    return done


def soak(seed: int, shoes: int, workers: int) -> Iterator[Compared]:
    return play_blocks(compare_block, seed, blocks(shoes, BLOCK), workers)


def main(arguments: list[str] | None = None) -> int:
    options = read_options("benchmarks.small_shoes_soak", __doc__, 4000, arguments)
    total = Compared()
    start = time.monotonic()
    stopped = False
    try:
        for compared in soak(options.seed, options.rounds, options.workers):
            total.add(compared)
            show_progress(total.shoes, options.rounds, time.monotonic() - start)
            if total.differences:
                break
    except KeyboardInterrupt:
        stopped = True
    print("", file=sys.stderr)
    _report(total, options, time.monotonic() - start, stopped)
    return 1 if total.differences else 0


def _report(total: Compared, options: argparse.Namespace, seconds: float, stopped: bool) -> None:
    if options.json:
        data = {"seed": options.seed, **vars(total), "seconds": round(seconds, 1)}
        print(json.dumps(data | {"stopped": stopped}, indent=1))
        return
    if stopped:
        print("Stopped. Done so far:")
    print(
        f"{total.shoes:,} small shoes with {total.values:,} values, {total.refused:,} refused by "
        f"both, in {seconds:,.0f} s (seed {options.seed})."
    )
    print("\n".join(total.differences) or "Analyser and fractions agree on every one.")


if __name__ == "__main__":
    sys.exit(main())
