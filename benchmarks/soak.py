"""Random rounds over all presets and options, every invariant checked, on all cores.

python -m benchmarks.soak --rounds 1000000; Ctrl-C stops and says what was done. The same seed
plays the same rounds, whatever the number of workers.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from multiprocessing import get_context

from ventiuna.engine.conformance import Tally, check_rules
from ventiuna.engine.invariants import InvariantBroken
from ventiuna.rules import Rules, canonical, preset_ids
from ventiuna.rules.variations import every_choice, random_choices, random_rules

BLOCK = 500  # rounds that one worker plays at a time
A_TABLE = 25  # rounds under one set of rules
STEPS = 0.01  # share of decisions at which all options, the view and a refusal are tried


@dataclass
class Played:
    """What a block, or all of them, came to."""

    tally: Tally = field(default_factory=Tally)
    tables: int = 0
    broken: list[str] = field(default_factory=list)

    def add(self, other: Played) -> None:
        self.tally.add(other.tally)
        self.tables += other.tables
        self.broken += other.broken


def play_block(seed: int, block: int, rounds: int) -> Played:
    """Tables one after the other; every other one keeps to a preset's document."""
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


# --- many blocks ------------------------------------------------------------------------------


def blocks(rounds: int) -> Iterator[tuple[int, int]]:
    """Numbers of blocks with their rounds; without end for 0 rounds."""
    if rounds == 0:
        yield from ((number, BLOCK) for number in count())
    for number, start in enumerate(range(0, rounds, BLOCK)):
        yield number, min(BLOCK, rounds - start)


def soak(seed: int, rounds: int, workers: int) -> Iterator[Played]:
    """The blocks as they are done."""
    if workers == 1:
        for number, size in blocks(rounds):
            yield play_block(seed, number, size)
        return
    todo = blocks(rounds)
    # Fresh interpreters: a fork of a program with threads may hang.
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, _leave_interrupts_to_the_parent) as pool:
        pending: set[Future[Played]] = set()
        try:
            while True:
                for number, size in todo:
                    pending.add(pool.submit(play_block, seed, number, size))
                    if len(pending) >= 2 * workers:
                        break
                if not pending:
                    return
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# --- command line -----------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--rounds", type=_number, default=1_000_000, help="0: until stopped")
    parser.add_argument("--seed", type=_number, default=21)
    parser.add_argument("--workers", type=_number, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true", help="the result as JSON")
    options = parser.parse_args(arguments)
    total = Played()
    start = time.monotonic()
    stopped = False
    try:
        for played in soak(options.seed, options.rounds, max(1, options.workers)):
            total.add(played)
            _show_progress(total, options.rounds, time.monotonic() - start)
            if total.broken:
                break
    except KeyboardInterrupt:
        stopped = True
    print("", file=sys.stderr)
    _report(total, options, time.monotonic() - start, stopped)
    return 1 if total.broken else 0


def _number(text: str) -> int:
    value = int(text.replace(",", "").replace("_", ""))
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is below zero")
    return value


def _show_progress(total: Played, rounds: int, seconds: float) -> None:
    done = total.tally.rounds + total.tally.abandoned
    speed = done / seconds if seconds else 0
    goal = f" of {rounds:,}" if rounds else ""
    left = f", {(rounds - done) / speed:,.0f} s left" if rounds and speed else ""
    text = f"{done:,}{goal} rounds, {speed:,.0f} a second{left}"
    print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)


def _report(total: Played, options: argparse.Namespace, seconds: float, stopped: bool) -> None:
    tally = total.tally
    if options.json:
        data = {
            "seed": options.seed,
            "rounds": tally.rounds,
            "spots": tally.spots,
            "abandoned": tally.abandoned,
            "tables": total.tables,
            "seconds": round(seconds, 1),
            "stopped": stopped,
            "broken": total.broken,
            "seen": dict(sorted(tally.seen.items())),
        }
        print(json.dumps(data, indent=1))
        return
    if stopped:
        print("Stopped. Done so far:")
    rare = {name: tally.seen[name] for name in ("stage super_bonus", "stage awards", "HandSplit")}
    print(
        f"{tally.rounds:,} rounds with {tally.spots:,} spots under {total.tables:,} sets of rules "
        f"in {seconds:,.0f} s (seed {options.seed}).\n"
        f"Among them {rare['HandSplit']:,} splits, {rare['stage awards']:,} rounds with awards of "
        f"a meter, {rare['stage super_bonus']:,} with a Super Bonus."
    )
    if tally.abandoned:
        print(f"{tally.abandoned:,} rounds ended early: every card of the shoe was on the table.")
    print("\n".join(total.broken) if total.broken else "No invariant was broken.")


if __name__ == "__main__":
    sys.exit(main())
