"""The bank test: many play at once, and every look at the ledger sums to nothing.

python -m ventiuna.testing.crowd.bank ADDRESS SEED SECONDS TABLES is one process of the house; it
prints what it did as JSON.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event

from ventiuna.engine.events import WagerSettled
from ventiuna.table.books.entries import balances, read_entries
from ventiuna.table.ledger.chart import ACCOUNT_RULES, Bound, PostingCode, kind_of
from ventiuna.table.store.opening import Store, open_store
from ventiuna.table.writing.requests import Refusal
from ventiuna.table.writing.writer import Step
from ventiuna.testing.crowd.furnishing import audited, furnish, jackpots_of, server_on
from ventiuna.testing.crowd.playing import Crowd

LOOK_EVERY = 0.02  # seconds between two looks at the ledger
OPERATE_EVERY = 15  # batches


@dataclass
class Tally:
    """What one process, or all of them, did and saw."""

    commands: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    retries: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    awards: int = 0
    awarded: int = 0  # cents
    slowest: float = 0.0  # seconds of one batch

    def add(self, other: Tally) -> None:
        self.commands += other.commands
        self.outcomes += other.outcomes
        self.retries += other.retries
        self.faults += other.faults
        self.awards += other.awards
        self.awarded += other.awarded
        self.slowest = max(self.slowest, other.slowest)

    def count(self, step: Step, seconds: float) -> None:
        self.commands += len(step.outcomes)
        self.slowest = max(self.slowest, seconds)
        for outcome in step.outcomes:
            self.outcomes[str(outcome.code) if isinstance(outcome, Refusal) else "done"] += 1
        self.faults += [f"{fault.request}: {fault.error!r}" for fault in step.faults]
        for news in step.news:
            for event in news.events:
                if isinstance(event, WagerSettled) and event.meter:
                    self.awards += 1
                    self.awarded += event.paid


def tally_of(data: Mapping[str, object]) -> Tally:
    tally = Tally(**data)  # type: ignore[arg-type]  # as `main` wrote it
    tally.outcomes, tally.retries = Counter(tally.outcomes), Counter(tally.retries)
    return tally


def play(store: Store, seed: int, seconds: float, tables: int) -> Tally:
    """One process of the house, for so long."""
    chance = random.Random(seed)
    server = server_on(store, chance)
    crowd = Crowd(server, f"bot{seed}", chance)
    tally = Tally()
    end = time.monotonic() + seconds
    batches = 0
    while time.monotonic() < end:
        if batches % OPERATE_EVERY == OPERATE_EVERY - 1:
            crowd.operate(tables)
        numbers = crowd.tables()
        requests = crowd.batch(numbers) + crowd.time_ups(numbers)
        began = time.perf_counter()
        step = server.writer.step(requests)
        tally.count(step, time.perf_counter() - began)
        batches += 1
    tally.retries = server.writer.retries
    return tally


# --- looking ----------------------------------------------------------------------------------


@dataclass
class Looks:
    """What a reader saw all the while."""

    number: int = 0
    wrong: list[str] = field(default_factory=list)

    def look(self, store: Store) -> None:
        with store.read() as connection:
            self.judge(balances(connection))

    def judge(self, held: Mapping[str, int]) -> None:
        self.number += 1
        if total := sum(held.values()):
            self.wrong.append(f"all balances are {total}")
        self.wrong += [
            f"{code} holds {cents}" for code, cents in held.items() if not _is_within(code, cents)
        ]


def _is_within(code: str, cents: int) -> bool:
    bound = ACCOUNT_RULES[kind_of(code)].bound
    if bound is Bound.NOT_BELOW_ZERO:
        return cents >= 0
    return bound is Bound.NONE or cents <= 0


def watch(store: Store, done: Event) -> Looks:
    looks = Looks()
    while not done.wait(LOOK_EVERY):
        looks.look(store)
    looks.look(store)
    return looks


# --- the whole test ---------------------------------------------------------------------------


@dataclass
class Found:
    tally: Tally
    looks: Looks
    differences: list[str]
    entries: int
    paid: int  # awards in the jackpots' books, in cents

    @property
    def wrong(self) -> list[str]:
        """Everything that should not be."""
        found = [*self.looks.wrong, *self.tally.faults, *self.differences]
        if self.paid != self.tally.awarded:
            found.append(f"awards of {self.tally.awarded} were told, {self.paid} were paid")
        return found

    @property
    def deadlocks(self) -> int:
        return self.tally.retries["DeadlockDetected"]


def bank_test(
    address: str, seconds: float, tables: int, players: int, *, in_processes: bool
) -> Found:
    """Play in so many processes or threads, and look at the ledger all the while."""
    store = open_store(address)
    try:
        furnish(server_on(store, random.Random(0)), tables)
        done = Event()
        with ThreadPoolExecutor(players + 1) as threads:
            looks = threads.submit(watch, store, done)
            try:
                if in_processes:
                    tallies = _play_in_processes(address, seconds, tables, players)
                else:
                    tallies = _results(
                        threads.submit(play, store, seed, seconds, tables)
                        for seed in range(1, players + 1)
                    )
            finally:
                done.set()
        total = Tally()
        for tally in tallies:
            total.add(tally)
        report = audited(store)
        differences = [str(difference) for difference in report.differences]
        return Found(total, looks.result(), differences, report.counts.entries, awards_paid(store))
    finally:
        store.close()


def _results(futures: Iterable[Future[Tally]]) -> list[Tally]:
    return [future.result() for future in list(futures)]


def _play_in_processes(address: str, seconds: float, tables: int, players: int) -> list[Tally]:
    program = [sys.executable, "-m", "ventiuna.testing.crowd.bank", address]
    running = [
        subprocess.Popen(
            [*program, str(seed), str(seconds), str(tables)], stdout=subprocess.PIPE, text=True
        )
        for seed in range(1, players + 1)
    ]
    tallies = []
    for process in running:
        with process:
            assert process.stdout is not None
            printed = process.stdout.read()
        assert process.returncode == 0, f"a process of the house ended with {process.returncode}"
        tallies.append(tally_of(json.loads(printed)))
    return tallies


def awards_paid(store: Store) -> int:
    """Cents that the meters' own books say."""
    with store.read() as connection:
        return sum(
            line.amount
            for number in jackpots_of(connection)
            for entry in read_entries(connection, number)
            for line in entry.postings
            if line.code is PostingCode.AWARD
        )


def main(arguments: Sequence[str]) -> None:
    address, seed, seconds, tables = arguments
    store = open_store(address)
    try:
        print(json.dumps(vars(play(store, int(seed), float(seconds), int(tables)))))
    finally:
        store.close()


if __name__ == "__main__":
    main(sys.argv[1:])
