"""Kernel and engine in lockstep: ten million rounds over all presets, options and players.

python -m benchmarks.lockstep_soak --rounds 10000000; Ctrl-C stops and says what was done. A
round on which the two differ is printed in notation.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from benchmarks.pool import Soaked, add_up, blocks, play_blocks, read_options
from benchmarks.soak import documented
from ventiuna.engine import Refused
from ventiuna.proof.lockstep import find_differences
from ventiuna.rules import Rules, canonical
from ventiuna.simulation.plan import Plan, ShoeUse
from ventiuna.simulation.strategies import find_strategy
from ventiuna.simulation.work import Work, make_work
from ventiuna.strategy.counting import built_in_counts
from ventiuna.strategy.errors import PlanError
from ventiuna.strategy.strategy import Strategy
from ventiuna.testing.variations import random_rules

BLOCK = 10_000  # rounds under one set of rules
PIECE = 2_000  # of them traced at a time: a trace keeps every card
# One spot is quickest, and where rules of single hands show; several share shoe and meters.
SPOTS = (1, 1, 1, 1, 1, 1, 2, 3, 7)
STRATEGIES = ("chart", "chart", "chart", "habits", "mimic", "optimal")
ERRORS = (Fraction(0), Fraction(0), Fraction(1, 10), Fraction(1, 2))
WILD = 0.2  # share of rule sets far off every document


@dataclass
class Compared:
    """What a block, or all of them, came to."""

    rounds: int = 0
    spots: int = 0
    presets: Counter[str] = field(default_factory=Counter)
    strategies: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.rounds

    @property
    def failures(self) -> list[str]:
        return self.differences

    def add(self, other: Compared) -> None:
        self.rounds += other.rounds
        self.spots += other.spots
        self.presets += other.presets
        self.strategies += other.strategies
        self.differences += other.differences


def compare_block(seed: int, block: int, rounds: int) -> Compared:
    """One table, its rules, wagers and player at random."""
    generator = random.Random(f"lockstep {seed}/{block}")
    work, player, name = _playable_table(generator)
    compared = Compared()
    for piece, (_, size) in enumerate(blocks(rounds, PIECE)):
        for difference in find_differences(work, player, size, number=piece):
            about = f"block {block}, {canonical(work.rules)}, {name}"
            compared.differences.append(f"{about}: {difference}")
    compared.rounds = rounds
    compared.spots = rounds * work.spots
    compared.presets[canonical(work.rules).partition("(")[0]] = rounds
    compared.strategies[name] = rounds
    return compared


def _playable_table(generator: random.Random) -> tuple[Work, Strategy, str]:
    while True:
        with suppress(PlanError, Refused):  # amounts without a common unit, say: another table
            return _table(generator)


def _table(generator: random.Random) -> tuple[Work, Strategy, str]:
    wild = generator.random() < WILD
    rules = random_rules(generator) if wild else documented(generator)
    name = generator.choice(STRATEGIES)
    counts = built_in_counts()
    plan = Plan(
        rules,
        spots=min(generator.choice(SPOTS), rules.seats),
        base=generator.choice([0, 0, 2 * rules.table_minimum, rules.table_maximum]),
        match=_match(rules, generator),
        jackpots=tuple(
            game for game in range(1, 1 + len(rules.jackpots)) if generator.random() < 0.8
        ),
        shoe=generator.choice(list(ShoeUse)),
        errors=generator.choice(ERRORS),
        count=counts["level-one"] if generator.random() < 0.1 else None,
        seed=generator.getrandbits(32),
    )
    player = find_strategy(name, rules, plan.base_wager)
    return make_work(plan, player), player, name


def _match(rules: Rules, generator: random.Random) -> dict[str, int]:
    """Some of the Match the Dealer wagers on offer, and always those that are required."""
    stake = max(rules.mtd_minimum, rules.chip_unit)
    return {
        name: stake
        for name in rules.mtd_wagers
        if name in rules.mtd_required or generator.random() < 0.6
    }


def soak(seed: int, rounds: int, workers: int) -> Iterator[Compared]:
    return play_blocks(compare_block, seed, blocks(rounds, BLOCK), workers)


# --- command line -----------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    options = read_options("benchmarks.lockstep_soak", __doc__, 10_000_000, arguments)
    total = Compared()
    found = soak(options.seed, options.rounds, options.workers)
    soaked = add_up(total, found, options.rounds)
    _report(total, options, soaked)
    return 1 if total.differences else 0


def _report(total: Compared, options: argparse.Namespace, soaked: Soaked) -> None:
    if options.json:
        data = {
            "seed": options.seed,
            "rounds": total.rounds,
            "spots": total.spots,
            "seconds": round(soaked.seconds, 1),
            "stopped": soaked.stopped,
            "differences": total.differences,
            "presets": dict(sorted(total.presets.items())),
            "strategies": dict(sorted(total.strategies.items())),
        }
        print(json.dumps(data, indent=1))
        return
    if soaked.stopped:
        print("Stopped. Done so far:")
    print(
        f"{total.rounds:,} rounds with {total.spots:,} spots in lockstep in "
        f"{soaked.seconds:,.0f} s (seed {options.seed})."
    )
    for name, rounds in sorted(total.presets.items()):
        print(f"  {name:<16} {rounds:>12,}")
    if total.differences:
        print("\n".join(total.differences))
    else:
        print("Kernel and engine agree on every hand, card and cent.")


if __name__ == "__main__":
    sys.exit(main())
