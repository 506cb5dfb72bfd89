"""Ctrl-C waits while something must be done as a whole."""

from __future__ import annotations

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
    outcome: Future[T] = Future()
    thread = threading.Thread(target=_finish, args=(job, outcome), name="ventiuna-whole")
    pressed: KeyboardInterrupt | None = None
    while not outcome.done():
        try:
            if thread.ident is None:
                thread.start()
            thread.join()
        except KeyboardInterrupt as interrupt:
            pressed = interrupt
    if pressed is not None and outcome.exception() is None:
        raise pressed
    return outcome.result()


def _finish(job: Callable[[], T], outcome: Future[T]) -> None:
    try:
        outcome.set_result(job())
    except BaseException as error:  # noqa: BLE001  (raised again by whoever waits for it)
        outcome.set_exception(error)
