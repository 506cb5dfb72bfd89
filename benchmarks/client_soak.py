"""Play rounds on all cores with a client that has no rules, only views and options.

Run it with python -m benchmarks.client_soak --rounds 100000. Everything offered must be accepted,
and everything else must be refused. The same seed plays the same rounds, regardless of the number
of workers.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass, field

from benchmarks.pool import add_up, blocks, play_blocks, read_options
from benchmarks.soak import documented
from tests.support.client_rounds import ClientTally, play_as_client
from tests.support.rule_sets import random_rules
from ventiuna.rules import canonical
from ventiuna.testing.invariants import InvariantBroken

BLOCK = 500  # rounds per worker and batch
A_TABLE = 25  # rounds under one rule set
PROBES = 0.05  # share of states in which everything that isn't offered is tried


@dataclass
class Played:
    tally: ClientTally = field(default_factory=ClientTally)
    tables: int = 0
    broken: list[str] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.tally.dealt

    @property
    def failures(self) -> list[str]:
        return self.broken

    def add(self, other: Played) -> None:
        self.tally.add(other.tally)
        self.tables += other.tables
        self.broken += other.broken


def play_block(seed: int, block: int, rounds: int) -> Played:
    """Play one table after another; every second table follows a preset's document."""
    generator = random.Random(f"client/{seed}/{block}")
    played = Played()
    for start in range(0, rounds, A_TABLE):
        rules = documented(generator) if generator.random() < 0.5 else random_rules(generator)
        number = min(A_TABLE, rounds - start)
        played.tables += 1
        try:
            played.tally.add(play_as_client(rules, number, generator.getrandbits(32), PROBES))
        except InvariantBroken as broken:
            played.broken.append(f"block {block}, {canonical(rules)}: {broken}")
    return played


def main(arguments: list[str] | None = None) -> int:
    options = read_options("benchmarks.client_soak", __doc__, 100_000, arguments)
    total = Played()
    todo = blocks(options.rounds, BLOCK)
    found = play_blocks(play_block, options.seed, todo, options.workers)
    soaked = add_up(total, found, options.rounds)
    tally = total.tally
    if options.json:
        facts = {
            "seed": options.seed,
            "rounds": tally.rounds,
            "abandoned": tally.abandoned,
            "tables": total.tables,
            "seconds": round(soaked.seconds, 1),
            "stopped": soaked.stopped,
            "commands": tally.commands,
            "probes": tally.probes,
            "waits": dict(sorted(tally.waits.items())),
            "broken": total.broken,
        }
        print(json.dumps(facts, indent=1))
    else:
        if soaked.stopped:
            print("Stopped. Done so far:")
        print(
            f"{tally.rounds:,} rounds under {total.tables:,} rule sets, {tally.commands:,} "
            f"commands taken from options, {tally.probes:,} other probes "
            f"(seed {options.seed}).\n"
            f"{tally.abandoned:,} rounds ended early: the shoe ran out of cards."
        )
        print("\n".join(total.broken) or "Every offered command was accepted, and no other.")
    return 1 if total.broken else 0


if __name__ == "__main__":
    sys.exit(main())
