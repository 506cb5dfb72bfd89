"""Speed of the disk itself, measured alongside the code that is compared with it."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def flush_seconds(folder: Path, seconds: float) -> list[float]:
    """Return the duration of each of many small flushes."""
    took = []
    descriptor = os.open(folder / "probe", os.O_RDWR | os.O_CREAT)
    try:
        end = time.perf_counter() + seconds
        while (begin := time.perf_counter()) < end:
            os.write(descriptor, bytes(4096))
            os.fdatasync(descriptor)
            took.append(time.perf_counter() - begin)
    finally:
        os.close(descriptor)
    return took


class RowCommits:
    """SQLite with the house's settings, one row per commit: the minimum cost of a command."""

    def __init__(self, folder: Path) -> None:
        self._connection = sqlite3.connect(folder / "rows.sqlite", isolation_level=None)
        for setting in ("journal_mode = WAL", "synchronous = FULL", "mmap_size = 0"):
            self._connection.execute(f"PRAGMA {setting}")
        self._connection.execute("CREATE TABLE row (number INTEGER PRIMARY KEY, text TEXT) STRICT")

    def run(self, seconds: float) -> list[float]:
        took = []
        end = time.perf_counter() + seconds
        while (begin := time.perf_counter()) < end:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("INSERT INTO row (text) VALUES (?)", ("x" * 300,))
            self._connection.execute("COMMIT")
            took.append(time.perf_counter() - begin)
        return took

    def close(self) -> None:
        self._connection.close()
