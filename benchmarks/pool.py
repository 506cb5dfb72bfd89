"""Blocks of work on all cores; the same seed gives the same blocks, whoever plays them."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from typing import Protocol, Self, TypeVar

Done = TypeVar("Done")
PlayBlock = Callable[[int, int, int], Done]  # seed, number of the block, rounds


def blocks(rounds: int, size: int) -> Iterator[tuple[int, int]]:
    """Numbers of blocks with their rounds; without end for 0 rounds."""
    if rounds == 0:
        yield from ((number, size) for number in count())
    for number, start in enumerate(range(0, rounds, size)):
        yield number, min(size, rounds - start)


def play_blocks(
    play: PlayBlock[Done], seed: int, todo: Iterator[tuple[int, int]], workers: int
) -> Iterator[Done]:
    """The blocks as they are done."""
    if workers == 1:
        for number, rounds in todo:
            yield play(seed, number, rounds)
        return
    # Fresh interpreters: a fork of a program with threads may hang.
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, _leave_interrupts_to_the_parent) as pool:
        pending: set[Future[Done]] = set()
        try:
            while True:
                for number, rounds in todo:
                    pending.add(pool.submit(play, seed, number, rounds))
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


def read_options(
    program: str, description: str | None, rounds: int, arguments: list[str] | None
) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=description)
    parser.add_argument("--rounds", type=_number, default=rounds, help="0: until stopped")
    parser.add_argument("--seed", type=_number, default=21)
    parser.add_argument("--workers", type=_number, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true", help="the result as JSON")
    options = parser.parse_args(arguments)
    options.workers = max(1, options.workers)
    return options


def _number(text: str) -> int:
    value = int(text.replace(",", "").replace("_", ""))
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is below zero")
    return value


class Total(Protocol):
    """What blocks add up to."""

    @property
    def done(self) -> int:
        """Rounds."""

    @property
    def failures(self) -> list[str]:
        """What must not be."""

    def add(self, other: Self) -> None:
        """Count a block in."""


@dataclass(frozen=True)
class Soaked:
    """How a soak came to its end."""

    seconds: float
    stopped: bool  # by Ctrl-C


Sum = TypeVar("Sum", bound=Total)


def add_up(total: Sum, found: Iterator[Sum], rounds: int) -> Soaked:
    """Count all blocks into the total, with progress; the first failure or Ctrl-C ends it."""
    start = time.monotonic()
    stopped = False
    try:
        for block in found:
            total.add(block)
            show_progress(total.done, rounds, time.monotonic() - start)
            if total.failures:
                break
    except KeyboardInterrupt:
        stopped = True
    print("", file=sys.stderr)
    return Soaked(time.monotonic() - start, stopped)


def show_progress(done: int, rounds: int, seconds: float) -> None:
    speed = done / seconds if seconds else 0
    goal = f" of {rounds:,}" if rounds else ""
    left = f", {(rounds - done) / speed:,.0f} s left" if rounds and speed else ""
    text = f"{done:,}{goal} rounds, {speed:,.0f} a second{left}"
    print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)
