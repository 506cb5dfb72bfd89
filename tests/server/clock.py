"""The clock of a house that is tested: it does not know how busy the machine is."""

from __future__ import annotations

import itertools
import time


class HouseClock:
    """A millisecond passes with every look, and as much more as a test says.

    A real clock would run on while a busy machine does nothing: times would be up before anybody
    could act, and the keeper would take the gap between two looks for a jump.
    """

    def __init__(self) -> None:
        self._start = time.time_ns() // 1_000_000
        self._looks = itertools.count()  # counts for several threads at once

    def now(self) -> int:
        return self._start + next(self._looks)

    def pass_by(self, milliseconds: int) -> None:
        self._start += milliseconds

    def pause(self, milliseconds: int) -> None:
        time.sleep(milliseconds / 1000)


class SteadyClock(HouseClock):
    """For browsers, which have a clock of their own: behind a stop it catches up by and by."""

    STEP = 100  # milliseconds that pass with a look, at most: far from a jump

    def __init__(self) -> None:
        super().__init__()
        self._last = self._start

    def now(self) -> int:
        real = time.time_ns() // 1_000_000
        self._last = max(self._last, min(real, self._last + self.STEP))
        return self._last

    def pass_by(self, milliseconds: int) -> None:
        self._last += milliseconds
