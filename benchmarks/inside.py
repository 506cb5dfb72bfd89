"""Measurements from inside a server while clients measure it from outside."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from typing import TYPE_CHECKING

from benchmarks.disk import percentile
from benchmarks.figures import Figure

if TYPE_CHECKING:
    from ventiuna.server.live_tables import CommittedBatch, Tables

LOOK_EVERY = 0.01  # seconds between checks of how late the server's loop is


@dataclass(frozen=True, slots=True)
class Inside:
    """The server process: figures from the system, and those it reports itself."""

    process: int
    pipe: Pipe

    def begin(self) -> None:
        self.pipe.send("begin")

    def figures(self) -> list[Figure]:
        self.pipe.send("figures")
        figures: list[Figure] = self.pipe.recv()
        return figures


class Watched:
    """Possible causes of slow responses, measured from inside: collections, commits, the loop."""

    def __init__(self, tables: Tables) -> None:
        self._collections: list[float] = []
        self._commits: list[float] = []
        self._queued: list[float] = []
        self._lags: list[float] = []
        self._since = 0.0
        self._tables = tables
        self._done = tables._thread._done
        tables._thread._done = self._finished
        gc.callbacks.append(self._collected)

    def begin(self) -> None:
        for seen in (self._collections, self._commits, self._queued, self._lags):
            seen.clear()
        loop = self._tables._loop
        assert loop is not None, "the server is running"
        loop.call_soon_threadsafe(self._look, time.perf_counter())

    def figures(self) -> list[Figure]:
        return [
            Figure("wait for the transaction, p99", _milliseconds(self._queued, 0.99), "ms"),
            Figure("transaction, p50", _milliseconds(self._commits, 0.5), "ms"),
            Figure("transaction, p99", _milliseconds(self._commits, 0.99), "ms"),
            Figure("event loop lag, p99", _milliseconds(self._lags, 0.99), "ms"),
            Figure("longest event loop lag", _milliseconds(self._lags, 1), "ms"),
            Figure("collections", len(self._collections), ""),
            Figure("longest collection", _milliseconds(self._collections, 1), "ms"),
        ]

    def _collected(self, phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            self._since = time.perf_counter()
        else:
            self._collections.append(time.perf_counter() - self._since)

    def _finished(self, finished: CommittedBatch) -> None:
        self._commits.append(finished.ended - finished.began)
        self._queued += [finished.began - waiting.since for waiting in finished.waited]
        self._done(finished)

    def _look(self, due: float) -> None:
        now = time.perf_counter()
        self._lags.append(now - due)
        if self._tables._loop is not None:
            self._tables._loop.call_later(LOOK_EVERY, self._look, now + LOOK_EVERY)


def _milliseconds(seconds: list[float], share: float) -> float:
    return 1000 * percentile(seconds, share) if seconds else 0.0
