"""Virtual time: what happens next is the first of a heap, and ties are drawn by the seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

START = 1_790_000_000_000
SECOND = 1_000
MINUTE = 60 * SECOND

Action = Callable[[], None]


class World:
    """Time in milliseconds, and what is to happen when."""

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
        """The next thing that happens."""
        self.now, _, _, action = heappop(self._heap)
        action()

    def end(self) -> None:
        """Nothing happens any more."""
        self._heap.clear()

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def between(self, least: int, most: int) -> int:
        """Like `randint`, without its cost."""
        return least + int(self.random.random() * (most - least + 1))


class VirtualClock:
    """The clock of one process: a little off, and it may jump."""

    def __init__(self, world: World, offset: int) -> None:
        self._world = world
        self.offset = offset

    def now(self) -> int:
        return self._world.now + self.offset

    def pause(self, milliseconds: int) -> None:
        """Nobody else gets on meanwhile: there is but one thread."""
