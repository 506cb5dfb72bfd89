"""The writer's own thread: commands wait in a queue, and those that wait together go together."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread

from ventiuna.table.writing.requests import Outcome, Request
from ventiuna.table.writing.writer import MOST_TOGETHER, Step, Writer

Sink = Callable[[Outcome], None]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A command in the queue, and who wants to know what came of it."""

    request: Request
    sink: Sink | None
    since: float


@dataclass(frozen=True, slots=True)
class Finished:
    """A batch that is committed."""

    waited: list[Waiting]
    step: Step
    began: float
    ended: float


class WriterThread:
    """`done` is called in this thread, after the commit."""

    def __init__(self, writer: Writer, done: Callable[[Finished], None]) -> None:
        self._writer = writer
        self._done = done
        self._queue: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._thread = Thread(target=self._run, name="ventiuna-writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def submit(self, request: Request, sink: Sink | None = None) -> None:
        self._queue.put(Waiting(request, sink, time.perf_counter()))

    def stop(self) -> None:
        """Carry out what waits, then end."""
        self._queue.put(None)
        self._thread.join()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def _run(self) -> None:
        goes_on = True
        while goes_on:
            first = self._queue.get()
            if first is None:
                return
            batch = [first]
            while len(batch) < MOST_TOGETHER and goes_on:
                try:
                    one = self._queue.get_nowait()
                except queue.Empty:
                    break
                if one is None:
                    goes_on = False
                else:
                    batch.append(one)
            began = time.perf_counter()
            step = self._writer.step([waiting.request for waiting in batch])
            self._done(Finished(batch, step, began, time.perf_counter()))
