"""Seeds whose house failed: how to replay them, and which faults they need."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.simulated_house.disk import Disk
from tests.simulated_house.house import COMMANDS, ExcludedFaults, RunSummary, SimulatedHouse
from tests.simulated_house.world import FaultKind, FaultStrike

COLLECTING = (50_000, 20, 20)  # the default is 700 new objects
MOST_STRIKES = 60  # maximum number to exclude one by one
Fails = Callable[[ExcludedFaults], bool]


class SeedFailed(AssertionError):
    """A seed whose house broke, and the faults up to then."""

    def __init__(self, sentence: str, struck: Counter[FaultKind]) -> None:
        super().__init__(sentence)
        self.struck = struck


def run(
    seed: int,
    left_out: ExcludedFaults = frozenset(),
    commands: int = COMMANDS,
    disk: Disk | None = None,
) -> RunSummary:
    """Run a whole house, in memory or on this disk.

    Raises `SeedFailed`, which says how to repeat the run.
    """
    with _seldom_collecting():
        house = SimulatedHouse(seed, left_out, disk)
        try:
            return house.run(commands)
        except Exception as error:
            raise SeedFailed(
                f"seed {seed} after {house.checker.commands} commands: {type(error).__name__}: "
                f"{error}\nTo repeat: {replay_command(seed, left_out, commands)}",
                house.faults.struck,
            ) from error
        finally:
            house.close()


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Collect garbage rarely, as a server does (`heap`).

    Reference counting frees nearly everything in a house, and the collector would keep walking
    through everything the program has loaded.
    """
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*COLLECTING)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def replay_command(seed: int, left_out: ExcludedFaults, commands: int) -> str:
    without = ",".join(sorted(map(text_of, left_out)))
    words = f"python -m benchmarks.table_soak --replay {seed} --commands {commands}"
    return f"{words} --without {without}" if without else words


def text_of(fault: FaultKind | FaultStrike) -> str:
    return str(fault) if isinstance(fault, FaultKind) else f"{fault.kind}:{fault.number}"


def fault_of(text: str) -> FaultKind | FaultStrike:
    """Parse a fault written by `text_of`; raises `ValueError`."""
    kind, _, number = text.partition(":")
    return FaultStrike(FaultKind(kind), int(number)) if number else FaultKind(kind)


# --- shrinking --------------------------------------------------------------------------------


def shrink(seed: int, commands: int = COMMANDS) -> ExcludedFaults:
    """Find the faults this seed doesn't need to fail: whole kinds first, then single strikes."""

    def fails(left_out: ExcludedFaults) -> bool:
        try:
            run(seed, left_out, commands)
        except SeedFailed:
            return True
        return False

    left_out = without_kinds(fails)
    try:
        run(seed, left_out, commands)
    except SeedFailed as failed:
        struck = failed.struck
    else:
        return left_out
    strikes = [FaultStrike(kind, number + 1) for kind in struck for number in range(struck[kind])]
    return without_strikes(fails, left_out, strikes[:MOST_STRIKES])


def without_kinds(fails: Fails) -> ExcludedFaults:
    left_out: ExcludedFaults = frozenset()
    for kind in FaultKind:
        if fails(left_out | {kind}):
            left_out |= {kind}
    return left_out


def without_strikes(
    fails: Fails, left_out: ExcludedFaults, strikes: list[FaultStrike]
) -> ExcludedFaults:
    for strike in strikes:
        if fails(left_out | {strike}):
            left_out |= {strike}
    return left_out
