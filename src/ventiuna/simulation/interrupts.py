"""Ctrl-C waits while something must be done as a whole."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

T = TypeVar("T")


def as_a_whole(job: Callable[[], T]) -> T:
    """Do it, and only then let Ctrl-C through; the host's own handling of Ctrl-C is not touched.

    Python raises it in the main thread alone, so there the job goes to a thread of its own.
    """
    if threading.current_thread() is not threading.main_thread():
        return job()
    outcome: Future[T] = Future()
    claim = threading.Lock()
    pressed: KeyboardInterrupt | None = None
    while not outcome.done():
        try:
            # `Thread.start` is itself no whole: Ctrl-C in it leaves a thread that never runs.
            # A bare one begins at once or not at all, and one too many finds the job claimed.
            if not claim.locked():
                _thread.start_new_thread(_finish, (job, outcome, claim))
            wait([outcome])
        except KeyboardInterrupt as interrupt:
            pressed = interrupt
    if pressed is not None and outcome.exception() is None:
        raise pressed
    return outcome.result()


def _finish(job: Callable[[], T], outcome: Future[T], claim: threading.Lock) -> None:
    if not claim.acquire(blocking=False):
        return
    try:
        outcome.set_result(job())
    except BaseException as error:  # noqa: BLE001  (raised again by whoever waits for it)
        outcome.set_exception(error)
