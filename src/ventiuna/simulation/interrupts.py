"""Ctrl-C waits while something must be done as a whole."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def as_a_whole(job: Callable[[], T]) -> T:
    """Do it, and only then let Ctrl-C through; the host's own handling of Ctrl-C is not touched.

    Python raises it in the main thread alone, so there the job goes to a thread of its own.
    """
    if threading.current_thread() is not threading.main_thread():
        return job()
    found: list[Future[T]] = []
    claim, ends = threading.Lock(), threading.Lock()
    ends.acquire()
    pressed: KeyboardInterrupt | None = None
    while not found:
        try:
            while not found:
                # `Thread.start` is itself no whole: Ctrl-C in it leaves a thread that never runs.
                # A bare one begins at once or not at all, and one too many finds the job claimed.
                if not claim.locked():
                    _thread.start_new_thread(_finish, (job, found, claim, ends))
                # A bare lock too: Ctrl-C within an event or a condition may leave it held for ever.
                ends.acquire()
        except KeyboardInterrupt as interrupt:
            pressed = interrupt
    outcome = found[0]
    if pressed is not None and outcome.exception() is None:
        raise pressed
    return outcome.result()


def _finish(
    job: Callable[[], T], found: list[Future[T]], claim: threading.Lock, ends: threading.Lock
) -> None:
    if not claim.acquire(blocking=False):
        return
    outcome: Future[T] = Future()
    try:
        outcome.set_result(job())
    except BaseException as error:  # noqa: BLE001  (raised again by whoever waits for it)
        outcome.set_exception(error)
    found.append(outcome)
    ends.release()
