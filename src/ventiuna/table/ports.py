"""What a table service needs of the world, so that a test can be the world."""

from __future__ import annotations

import random
import time
from typing import Protocol

from sqlalchemy import text

from ventiuna.table.store.opening import Store

_DATABASE_NOW = text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")


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


class AnchoredClock(SystemClock):
    """Follows the clock of the database, which all processes of a house share."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._last = 0
        self.anchor(store)

    def anchor(self, store: Store) -> None:
        before = time.monotonic_ns()
        with store.read() as connection:
            there = int(connection.scalar(_DATABASE_NOW) or 0)
            after = time.monotonic_ns()
        self._start = there * 1_000_000 - (before + after) // 2

    def now(self) -> int:
        self._last = max(self._last, super().now())
        return self._last
