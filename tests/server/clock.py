"""A clock for houses under test that doesn't depend on how busy the machine is."""

from __future__ import annotations

import itertools
import time


class HouseClock:
    """A clock that advances one millisecond per reading, plus whatever the test adds.

    A real clock keeps running while a busy machine does nothing. Time limits would expire before
    anyone could act, and the keeper would mistake the gap between two readings for a clock jump.
    """

    def __init__(self) -> None:
        self._start = time.time_ns() // 1_000_000
        self._looks = itertools.count()  # safe across threads

    def now(self) -> int:
        return self._start + next(self._looks)

    def pass_by(self, milliseconds: int) -> None:
        self._start += milliseconds

    def pause(self, milliseconds: int) -> None:
        time.sleep(milliseconds / 1000)


class SteadyClock(HouseClock):
    """A clock for browser tests: it follows real time and catches up gradually after a pause."""

    STEP = 100  # maximum milliseconds per reading, well below what counts as a jump

    def __init__(self) -> None:
        super().__init__()
        self._last = self._start

    def now(self) -> int:
        real = time.time_ns() // 1_000_000
        self._last = max(self._last, min(real, self._last + self.STEP))
        return self._last

    def pass_by(self, milliseconds: int) -> None:
        self._last += milliseconds
