"""Pauses of a server: how much the collector of garbage has to walk, with everybody waiting.

A connected client is some 200 objects that live as long as it does. Python walks all of them
whenever their number has grown by a quarter, so a full collection comes just when many people
do, and with a thousand of them it takes a tenth of a second or more. What dies needs it hardly
ever: almost everything goes with its last reference, and a client that leaves behind some eight
objects that don't.

So what has lived for a second is set aside, out of the collector's sight, and looked through as a
whole once in ten minutes.
"""

from __future__ import annotations

import gc
from itertools import count

WHOLE_EVERY = 600  # calls of `tend`, one a second


class Heap:
    """For a process that serves and does nothing else, once its application is made."""

    def __init__(self) -> None:
        self._calls = count(1)
        _look_through_all()

    def tend(self) -> None:
        """Called every second."""
        if next(self._calls) % WHOLE_EVERY == 0:
            _look_through_all()
        else:
            gc.collect(1)  # what came since the last time
            gc.freeze()


def _look_through_all() -> None:
    gc.unfreeze()
    gc.collect()
    gc.freeze()
