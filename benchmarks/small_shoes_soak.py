"""Compare the analyzer with exact fractions on decisions from random small shoes, on all cores.

python -m benchmarks.small_shoes_soak --rounds 4000; Ctrl-C stops and reports what was done. Each
round is one hand with three to twelve unseen cards, which may run out.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.pool import Soaked, add_up, blocks, play_blocks, read_options
from tests.analysis.base_game.small_shoes import compare, is_played, random_small_shoe

BLOCK = 50  # shoes per worker and batch
MOST_CARDS = 12


@dataclass
class Compared:
    shoes: int = 0
    refused: int = 0
    values: int = 0
    differences: list[str] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.shoes

    @property
    def failures(self) -> list[str]:
        return self.differences

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
    found = soak(options.seed, options.rounds, options.workers)
    soaked = add_up(total, found, options.rounds)
    _report(total, options, soaked)
    return 1 if total.differences else 0


def _report(total: Compared, options: argparse.Namespace, soaked: Soaked) -> None:
    if options.json:
        data = {"seed": options.seed, **vars(total), "seconds": round(soaked.seconds, 1)}
        print(json.dumps(data | {"stopped": soaked.stopped}, indent=1))
        return
    if soaked.stopped:
        print("Stopped. Done so far:")
    print(
        f"{total.shoes:,} small shoes with {total.values:,} values, {total.refused:,} rejected by "
        f"both, in {soaked.seconds:,.0f} s (seed {options.seed})."
    )
    print("\n".join(total.differences) or "Analyzer and exact fractions agree on all of them.")


if __name__ == "__main__":
    sys.exit(main())
