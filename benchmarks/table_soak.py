"""Simulate houses for hours on all cores, a different house for each seed, checking all invariants.

python -m benchmarks.table_soak --seeds 1000, or --hours 2; Ctrl-C stops and reports what was done.
Houses are in memory or, with --database file or --database postgresql, on disk, which is slower. A
failing seed is reported with the options that repeat it, such as --replay 7 --without
drop,clock_jump; --shrink omits faults that aren't needed for the failure.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from tempfile import TemporaryDirectory

from benchmarks.pool import play_blocks
from tests.simulated_house.disk import Disk, SqliteDisk
from tests.simulated_house.failures import SeedFailed, fault_of, replay_command, run, shrink
from tests.simulated_house.house import COMMANDS, ExcludedFaults

HOUR = 3600
NewDisk = Callable[[], Disk | None]  # None: in memory


@dataclass
class Soaked:
    seeds: int = 0
    commands: int = 0
    milliseconds: int = 0  # virtual time
    cpu: float = 0.0  # seconds
    deaths: int = 0
    views: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)  # in the books, by kind
    failures: list[str] = field(default_factory=list)

    def add(self, other: Soaked) -> None:
        self.seeds += other.seeds
        self.commands += other.commands
        self.milliseconds += other.milliseconds
        self.cpu += other.cpu
        self.deaths += other.deaths
        self.views += other.views
        self.faults += other.faults
        self.events += other.events
        self.failures += other.failures

    @property
    def speed(self) -> float:
        return self.commands / self.cpu if self.cpu else 0.0

    def summary(self) -> str:
        return (
            f"{self.seeds:,} seeds, {self.commands:,} commands, "
            f"{self.milliseconds / 1000 / HOUR:,.1f} virtual hours, {self.deaths:,} deaths, "
            f"{self.speed:,.0f} commands per CPU second"
        )


def _in_memory() -> Disk | None:
    return None


@contextmanager
def disks(database: str) -> Iterator[NewDisk]:
    """Yield a function that provides the disk for each house."""
    if database == "memory":
        yield _in_memory
    elif database == "file":
        numbers = count()
        with TemporaryDirectory(prefix="ventiuna-soak-") as folder:
            yield lambda: SqliteDisk(f"{folder}/{next(numbers)}.sqlite")
    else:
        from tests.simulated_house.postgres_disk import PostgresDisk
        from tests.support.postgres import private_postgres

        with private_postgres() as server:
            yield lambda: PostgresDisk(server.new_house())


def soak_seed(first: int, number: int, commands: int, new_disk: NewDisk = _in_memory) -> Soaked:
    """Run one house; `number` counts from the first seed."""
    start = time.process_time()
    soaked = Soaked(seeds=1)
    try:
        ran = run(first + number, commands=commands, disk=new_disk())
    except SeedFailed as failed:
        soaked.failures.append(str(failed))
    else:
        soaked.commands = ran.commands
        soaked.milliseconds = ran.milliseconds
        soaked.deaths = ran.deaths
        soaked.views = ran.views
        soaked.events = ran.events
        soaked.faults = Counter({str(kind): times for kind, times in ran.faults.items()})
    gc.collect()  # houses are large, and little garbage is collected while they run
    soaked.cpu = time.process_time() - start
    return soaked


def _todo(seeds: int, hours: float, commands: int) -> Iterator[tuple[int, int]]:
    end = time.monotonic() + hours * HOUR
    for number in count():
        if (hours and time.monotonic() > end) or (not hours and number >= seeds):
            return
        yield number, commands


def soak(options: argparse.Namespace) -> Soaked:
    total = Soaked()
    todo = _todo(options.seeds, options.hours, options.commands)
    workers = options.workers if options.database == "memory" else 1
    try:
        with disks(options.database) as new_disk:
            play = partial(soak_seed, new_disk=new_disk)
            for one in play_blocks(play, options.first, todo, workers):
                _add(total, one)
    except KeyboardInterrupt:
        print("\nStopped. Done so far:", file=sys.stderr)
    print("", file=sys.stderr)
    return total


def _add(total: Soaked, one: Soaked) -> None:
    total.add(one)
    print(f"\r{total.summary():<110}", end="", file=sys.stderr, flush=True)
    for failure in one.failures:
        print(f"\n{failure}", file=sys.stderr)


def replay(options: argparse.Namespace) -> int:
    seed, commands = options.replay, options.commands
    left_out: ExcludedFaults = frozenset(map(fault_of, filter(None, options.without.split(","))))
    try:
        with disks(options.database) as new_disk:
            print(run(seed, left_out, commands, new_disk()))
    except SeedFailed as failed:
        print(failed)
        if options.shrink:
            print(f"Shrunk: {replay_command(seed, shrink(seed, commands), commands)}")
        return 1
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.table_soak", description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument(
        "--hours", type=float, default=0.0, help="hours to run, instead of a number of seeds"
    )
    parser.add_argument("--first", type=int, default=1000, help="first seed")
    parser.add_argument("--commands", type=int, default=COMMANDS, help="commands per seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--database", choices=("memory", "file", "postgresql"), default="memory")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--replay", type=int, help="play only this seed")
    parser.add_argument("--without", default="", help="faults to exclude, separated by commas")
    parser.add_argument("--shrink", action="store_true", help="find the faults that make it fail")
    options = parser.parse_args(arguments)
    if options.replay is not None:
        return replay(options)
    total = soak(options)
    if options.json:
        print(json.dumps(vars(total), indent=1))
    else:
        print(f"{total.summary()}; {total.views:,} views compared.")
        faults = ", ".join(f"{kind} {times:,}" for kind, times in sorted(total.faults.items()))
        print(f"Faults: {faults or 'none'}.")
        events = ", ".join(f"{kind} {times:,}" for kind, times in sorted(total.events.items()))
        print(f"Events: {events or 'none'}.")
        print("\n".join(total.failures) or "No failures.")
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main())
