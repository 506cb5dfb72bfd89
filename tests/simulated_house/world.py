"""Virtual time and faults, both drawn from the seed.

The next action is the first one on a heap; ties are broken by the seed. Each kind of fault has its
own random stream, so excluding one doesn't change the others.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from heapq import heappop, heappush
from itertools import count

# --- Virtual time ---

START = 1_790_000_000_000
SECOND = 1_000
MINUTE = 60 * SECOND

Action = Callable[[], None]


class World:
    """Virtual time in milliseconds, and the scheduled actions."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"house/{seed}")
        self.now = START
        self._ties = random.Random(f"ties/{seed}")
        self._numbers = count()
        self._heap: list[tuple[int, float, int, Action]] = []

    def after(self, milliseconds: int, action: Action) -> None:
        tie = self._ties.random()
        heappush(self._heap, (self.now + milliseconds, tie, next(self._numbers), action))

    def step(self) -> None:
        """Run the next action."""
        self.now, _, _, action = heappop(self._heap)
        action()

    def end(self) -> None:
        """Drop all scheduled actions."""
        self._heap.clear()

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def between(self, least: int, most: int) -> int:
        """Like `randint`, but cheaper."""
        return least + int(self.random.random() * (most - least + 1))


class VirtualClock:
    """One process's clock: slightly off, and it may jump."""

    def __init__(self, world: World, offset: int) -> None:
        self._world = world
        self.offset = offset

    def now(self) -> int:
        return self._world.now + self.offset

    def pause(self, milliseconds: int) -> None:
        """Do nothing: there is only one thread, so nobody else makes progress during a pause."""


# --- Faults ---


class FaultKind(StrEnum):
    # --- a process dies ---
    KILL_BEFORE_BEGIN = "kill_before_begin"
    KILL_AFTER_STATEMENT = "kill_after_statement"
    KILL_BEFORE_COMMIT = "kill_before_commit"
    KILL_AFTER_COMMIT = "kill_after_commit"
    KILL_BEFORE_ANSWER = "kill_before_answer"
    KILL_AFTER_ANSWER = "kill_after_answer"
    KILL_BEFORE_NEWS = "kill_before_news"
    # --- the database ---
    DISK_ERROR = "disk_error"  # a statement fails
    DISK_FULL = "disk_full"  # really full: SQLite may not allocate another page
    COMMIT_LOST = "commit_lost"  # the caller can't tell, but the commit failed
    COMMIT_UNHEARD = "commit_unheard"  # the caller can't tell, but the commit succeeded
    DATABASE_AWAY = "database_away"
    # --- time ---
    CLOCK_JUMP = "clock_jump"
    # --- messages in transit ---
    DUPLICATE = "duplicate"
    REORDER = "reorder"
    DELAY = "delay"
    DROP = "drop"
    HANG_UP = "hang_up"
    SLOW_CLIENT = "slow_client"
    # --- people ---
    SECOND_WINDOW = "second_window"
    FORGED = "forged"
    OPERATOR = "operator"
    AWAY = "away"
    FLOOR_GONE = "floor_gone"
    APPROVER_REFUSES = "approver_refuses"
    CORRECTION = "correction"


# Chance of each kind of fault per opportunity: a statement, a transaction, a message, a moment.
DEFAULT_CHANCES: dict[FaultKind, float] = {
    FaultKind.KILL_BEFORE_BEGIN: 0.002,
    FaultKind.KILL_AFTER_STATEMENT: 0.0004,
    FaultKind.KILL_BEFORE_COMMIT: 0.003,
    FaultKind.KILL_AFTER_COMMIT: 0.003,
    FaultKind.KILL_BEFORE_ANSWER: 0.003,
    FaultKind.KILL_AFTER_ANSWER: 0.003,
    FaultKind.KILL_BEFORE_NEWS: 0.003,
    FaultKind.DISK_ERROR: 0.001,
    FaultKind.DISK_FULL: 0.002,
    FaultKind.COMMIT_LOST: 0.01,
    FaultKind.COMMIT_UNHEARD: 0.01,
    FaultKind.DATABASE_AWAY: 0.002,
    FaultKind.CLOCK_JUMP: 0.01,
    FaultKind.DUPLICATE: 0.05,
    FaultKind.REORDER: 0.03,
    FaultKind.DELAY: 0.01,
    FaultKind.DROP: 0.01,
    FaultKind.HANG_UP: 0.005,
    FaultKind.SLOW_CLIENT: 0.002,
    FaultKind.SECOND_WINDOW: 0.02,
    FaultKind.FORGED: 0.03,
    FaultKind.OPERATOR: 0.2,
    FaultKind.AWAY: 0.004,
    FaultKind.FLOOR_GONE: 0.1,
    FaultKind.APPROVER_REFUSES: 0.2,
    FaultKind.CORRECTION: 0.1,
}


@dataclass(frozen=True, slots=True)
class FaultStrike:
    """One fault that happened: the `number`th of its kind."""

    kind: FaultKind
    number: int


class Faults:
    """The faults that a seed draws, and how often; those in `left_out` don't happen."""

    def __init__(
        self, seed: int, left_out: frozenset[FaultKind | FaultStrike] = frozenset()
    ) -> None:
        drawing = random.Random(f"faults/{seed}")
        self.rates = {
            kind: rate * drawing.choice((0.3, 1.0, 3.0)) if drawing.random() < 0.6 else 0.0
            for kind, rate in DEFAULT_CHANCES.items()
        }
        for kind in left_out:
            if isinstance(kind, FaultKind):
                self.rates[kind] = 0.0
        self.struck: Counter[FaultKind] = Counter()
        self.stopped = False
        self._left_out = left_out
        self._chances = {kind: random.Random(f"{kind}/{seed}") for kind in FaultKind}

    def strikes(self, kind: FaultKind) -> bool:
        rate = self.rates[kind]
        if not rate or self.stopped or self._chances[kind].random() >= rate:
            return False
        self.struck[kind] += 1
        return FaultStrike(kind, self.struck[kind]) not in self._left_out

    def draw(self, kind: FaultKind) -> random.Random:
        """Random stream for the details of a fault of this kind."""
        return self._chances[kind]
