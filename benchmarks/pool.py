"""Blocks of work on all cores; a seed gives the same blocks, no matter which worker plays them."""

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
from pathlib import Path
from typing import Protocol, Self, TypeVar

Done = TypeVar("Done")
PlayBlock = Callable[[int, int, int], Done]  # seed, block number, rounds
A_LINE = 30  # seconds between progress lines in a file


def blocks(rounds: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield block numbers with their rounds; endless for 0 rounds."""
    if rounds == 0:
        yield from ((number, size) for number in count())
    for number, start in enumerate(range(0, rounds, size)):
        yield number, min(size, rounds - start)


def play_blocks(
    play: PlayBlock[Done], seed: int, todo: Iterator[tuple[int, int]], workers: int
) -> Iterator[Done]:
    """Yield the blocks as they finish; Ctrl-C stops them, even in a background job."""
    heed_interrupts()
    if workers == 1:
        for number, rounds in todo:
            yield play(seed, number, rounds)
        return
    # Fresh interpreters: forking a program with threads may hang.
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


def heed_interrupts() -> None:
    """Restore Ctrl-C, which a shell disables for background programs."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# --- Command line ---


def read_options(
    program: str,
    description: str | None,
    rounds: int,
    arguments: list[str] | None,
    goes_on: bool = False,
) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=description)
    parser.add_argument(
        "--rounds", type=_number, default=rounds, help="number of rounds; 0 to run until stopped"
    )
    parser.add_argument("--seed", type=_number, default=21)
    parser.add_argument("--workers", type=_number, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    if goes_on:
        parser.add_argument(
            "--checkpoint",
            type=Path,
            metavar="FILE",
            help="save progress here; running the same command again continues from it",
        )
    options = parser.parse_args(arguments)
    options.workers = max(1, options.workers)
    return options


def _number(text: str) -> int:
    value = int(text.replace(",", "").replace("_", ""))
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return value


class Total(Protocol):
    """The sum of all blocks."""

    @property
    def done(self) -> int:
        """Return the number of rounds."""

    @property
    def failures(self) -> list[str]:
        """Return the violations found."""

    def add(self, other: Self) -> None:
        """Add a block."""


@dataclass(frozen=True)
class Soaked:
    """How a soak ended."""

    seconds: float
    stopped: bool  # by Ctrl-C


Sum = TypeVar("Sum", bound=Total)


def add_up(
    total: Sum, found: Iterator[Sum], rounds: int, keep: Callable[[], None] = lambda: None
) -> Soaked:
    """Add all blocks to the total, showing progress; the first failure or Ctrl-C ends it.

    `keep` is called after every block.
    """
    start = time.monotonic()
    progress = Progress(rounds, total.done)
    stopped = False
    try:
        for block in found:
            total.add(block)
            keep()
            progress.show(total.done)
            if total.failures:
                break
    except KeyboardInterrupt:
        stopped = True
    print("", file=sys.stderr)
    return Soaked(time.monotonic() - start, stopped)


class Progress:
    """Progress, as one line that is updated in place or, in a file, as an occasional line."""

    def __init__(self, rounds: int, before: int = 0) -> None:
        self._rounds = rounds
        self._before = before  # done in earlier runs
        self._start = time.monotonic()
        self._next = 0.0

    def show(self, done: int) -> None:
        seconds = time.monotonic() - self._start
        if sys.stderr.isatty():
            print(f"\r{self._text(done, seconds):<78}", end="", file=sys.stderr, flush=True)
        elif seconds >= self._next:
            print(self._text(done, seconds), file=sys.stderr, flush=True)
            self._next = seconds + A_LINE

    def _text(self, done: int, seconds: float) -> str:
        rounds = self._rounds
        speed = (done - self._before) / seconds if seconds else 0
        goal = f" of {rounds:,}" if rounds else ""
        left = f", {max(0, rounds - done) / speed:,.0f} s left" if rounds and speed else ""
        return f"{done:,}{goal} rounds, {speed:,.0f} per second{left}"
