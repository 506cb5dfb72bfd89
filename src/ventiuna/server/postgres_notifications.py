"""Notifies a house's processes about changed tables through PostgreSQL."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from threading import Event, Thread

import psycopg

from ventiuna.server.hub import Notifications, TableVersions
from ventiuna.server.telemetry import log

CHANNEL = "ventiuna"
MAX_PAYLOAD_BYTES = 7_900  # PostgreSQL allows 8,000
SCHEDULER_LOCK = 21_2022  # advisory lock; any number will do
CHECK_LOCK_EVERY = 1.0  # seconds
RECONNECT_PAUSE = 1.0  # seconds before reconnecting


class PostgresNotifications(Notifications):
    """Two threads: one notifies and holds the lock, one listens and calls `heard`."""

    def __init__(self, address: str, on_change: Callable[[TableVersions], None]) -> None:
        self._address = address
        self._heard = on_change
        self._queue: queue.SimpleQueue[TableVersions | None] = queue.SimpleQueue()
        self._stopped = Event()
        self._threads = [
            Thread(target=self._run_periodically, args=(work,), name=name, daemon=True)
            for work, name in ((self._speak, "ventiuna-news"), (self._listen, "ventiuna-ear"))
        ]
        self._keeps = False
        self._own = 0  # process id of the notifying backend

    @property
    def is_leader(self) -> bool:
        return self._keeps

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def publish(self, moved: TableVersions) -> None:
        if moved:
            self._queue.put(dict(moved))

    def _run_periodically(self, work: Callable[[psycopg.Connection], None]) -> None:
        while not self._stopped.is_set():
            try:
                with psycopg.connect(self._address, autocommit=True) as connection:
                    work(connection)
            except psycopg.Error as error:
                log("news_lost", error=type(error).__name__)
                self._stopped.wait(RECONNECT_PAUSE)

    def _speak(self, connection: psycopg.Connection) -> None:
        connection.execute("SET synchronous_commit = off")
        self._own = connection.info.backend_pid
        try:
            while not self._stopped.is_set():
                if not self._keeps:
                    found = connection.execute("SELECT pg_try_advisory_lock(%s)", (SCHEDULER_LOCK,))
                    self._keeps = found.fetchone() == (True,)
                for payload in encode_payloads(self._waiting()):
                    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
        finally:
            self._keeps = False  # the lock is released with the connection

    def _waiting(self) -> dict[int, int]:
        """Changes to announce; empty if none arrive within a second."""
        moved: dict[int, int] = {}
        try:
            moved |= self._queue.get(timeout=CHECK_LOCK_EVERY) or {}
            while True:
                moved |= self._queue.get_nowait() or {}
        except queue.Empty:
            return moved

    def _listen(self, connection: psycopg.Connection) -> None:
        connection.execute(f"LISTEN {CHANNEL}".encode())
        while not self._stopped.is_set():
            for notification in connection.notifies(timeout=CHECK_LOCK_EVERY):
                if notification.pid != self._own:
                    self._heard(decode_payload(notification.payload))


def encode_payloads(moved: TableVersions) -> Iterator[str]:
    """Encode as `table:version,…` in strings short enough for PostgreSQL."""
    text = ""
    for table, version in moved.items():
        part = f"{table}:{version}"
        if text and len(text) + 1 + len(part) > MAX_PAYLOAD_BYTES:
            yield text
            text = ""
        text += f",{part}" if text else part
    if text:
        yield text


def decode_payload(text: str) -> dict[int, int]:
    """Decode a payload, ignoring anything malformed, because any client can send notifications."""
    moved: dict[int, int] = {}
    for part in text.split(","):
        table, _, version = part.partition(":")
        if part.isascii() and table.isdecimal() and version.isdecimal() and len(part) < 40:
            moved[int(table)] = int(version)
    return moved
