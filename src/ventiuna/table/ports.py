"""What a table service needs of the world, so that a test can be the world."""

from __future__ import annotations

import random
import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since 1970; it never goes back."""

    def pause(self, milliseconds: int) -> None:
        """Let others go first."""


class SystemClock:
    """Anchored to the wall when it starts, monotonic from then on."""

    def __init__(self) -> None:
        self._start = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        return (self._start + time.monotonic_ns()) // 1_000_000

    def pause(self, milliseconds: int) -> None:
        time.sleep(milliseconds / 1000 * random.uniform(0.5, 1.5))
