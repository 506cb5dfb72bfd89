"""Kernel and engine in lockstep: ten million rounds with all presets, options and players.

python -m benchmarks.lockstep_soak --rounds 10000000 --checkpoint FILE; Ctrl-C stops and reports
what was done, and the same command resumes from there. A round on which the two differ is printed
in notation.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from benchmarks.comparing import Compared, compare, report, some_rules
from benchmarks.pool import blocks
from ventiuna.engine import Refused
from ventiuna.proof.lockstep import find_differences
from ventiuna.rules import Rules, canonical
from ventiuna.simulation.plan import Plan, ShoeUse
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import SimulationSpec, make_spec
from ventiuna.strategy.counting import built_in_counts, read_count
from ventiuna.strategy.protocol import PlanError, Strategy

BLOCK = 10_000  # rounds under one rule set
PIECE = 2_000  # rounds traced at a time, because a trace stores every card
# One spot is fastest and covers the rules for single hands; several spots share a shoe and meters.
SPOTS = (1, 1, 1, 1, 1, 1, 2, 3, 7)
STRATEGIES = ("chart", "chart", "chart", "habits", "mimic", "optimal")
ERRORS = (Fraction(0), Fraction(0), Fraction(1, 10), Fraction(1, 2))
COUNTING = 0.15  # share of players who count
# Parallel counts with different weights for each use, and plays for all kinds of hands.
SIDE_BY_SIDE = {
    "tags": {"3": 1, "4": 1, "5": 1.5, "6": 1, "10": -1, "A": -1, "7s": -0.5},
    "sides": [
        {"name": "nines", "weight": 0.5, "tags": {"9": 1}},
        {"name": "sevens", "weight": 0, "start": -4, "tags": {"7": 1}},
    ],
    "insurance_at": 2,
    "insurance_weights": [1, 0.5, -0.25],
    "bets": [{"at": 1, "wagers": 2}],
    "plays": [
        {"hand": "hard 15", "up": "10", "at": 1, "play": "S", "cards": "2-3"},
        {"hand": "hard 14", "up": "10", "at": -4.5, "play": "S", "weights": [0, 0.75, 1]},
        {"hand": "hard 12", "up": "6", "below": -8, "play": "H", "weights": [1, -1, 2]},
        {"hand": "hard 13", "up": "6", "at": 0, "play": "H", "after": "split"},
        {"hand": "hard 16", "up": "9", "at": 0, "play": "R", "after": "deal"},
        {"hand": "soft 15", "up": "5", "at": 0, "play": "H", "after": "split of aces"},
        {"hand": "hard 17", "up": "10", "at": 0, "play": "R", "after": "double"},
        {"hand": "hard 13", "up": "5", "at": 0, "play": "D", "after": "double"},
        {"hand": "hard 16", "up": "7", "at": 0, "play": "R", "after": "second double"},
    ],
}


@dataclass
class RoundsCompared(Compared):
    spots: int = 0
    presets: Counter[str] = field(default_factory=Counter)
    strategies: Counter[str] = field(default_factory=Counter)


def compare_block(seed: int, block: int, rounds: int) -> RoundsCompared:
    """Compare one table with random rules, random wagers and a random player."""
    generator = random.Random(f"lockstep {seed}/{block}")
    work, player, name = _playable_table(generator)
    compared = RoundsCompared()
    for piece, (_, size) in enumerate(blocks(rounds, PIECE)):
        for difference in find_differences(work, player, size, number=piece):
            about = f"block {block}, {canonical(work.rules)}, {name}"
            compared.differences.append(f"{about}: {difference}")
    compared.rounds = rounds
    compared.spots = rounds * work.spots
    compared.presets[canonical(work.rules).partition("(")[0]] = rounds
    compared.strategies[name] = rounds
    return compared


def _playable_table(generator: random.Random) -> tuple[SimulationSpec, Strategy, str]:
    while True:
        with suppress(PlanError, Refused):  # e.g. amounts without a common unit: try another table
            return _table(generator)


def _table(generator: random.Random) -> tuple[SimulationSpec, Strategy, str]:
    rules = some_rules(generator)
    name = generator.choice(STRATEGIES)
    counts = (built_in_counts()["level-one"], read_count("side-by-side", SIDE_BY_SIDE))
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
        count=generator.choice(counts) if generator.random() < COUNTING else None,
        seed=generator.getrandbits(32),
    )
    player = find_strategy(name, rules, plan.base_wager)
    return make_spec(plan, player), player, name


def _match(rules: Rules, generator: random.Random) -> dict[str, int]:
    """Return some of the Match the Dealer wagers offered, always including required ones."""
    stake = max(rules.mtd_minimum, rules.chip_unit)
    return {
        name: stake
        for name in rules.mtd_wagers
        if name in rules.mtd_required or generator.random() < 0.6
    }


# --- Command line ---


def main(arguments: list[str] | None = None) -> int:
    total = RoundsCompared()
    options, soaked = compare(
        "benchmarks.lockstep_soak", __doc__, 10_000_000, BLOCK, compare_block, total, arguments
    )
    played = f"{total.rounds:,} rounds with {total.spots:,} spots"
    presets = [f"  {name:<16} {rounds:>12,}" for name, rounds in sorted(total.presets.items())]
    agreed = "Kernel and engine agree on every hand, card and cent."
    return report(total, options, soaked, played, [*presets, agreed])


if __name__ == "__main__":
    sys.exit(main())
