"""The monitor of a running house: it tests new rounds and records alarms in the books."""

from __future__ import annotations

import time

from sqlalchemy import Connection

from ventiuna.server.live_tables import Tables
from ventiuna.server.telemetry import log, log_failure
from ventiuna.table.journal import read_heads
from ventiuna.table.monitor import (
    TableMonitor,
    alarm_request,
    follow,
    load_progress,
    new_monitors,
    save_progress,
)
from ventiuna.table.store.statements import DATABASE_ERRORS
from ventiuna.table.writer import Done, Refusal

WORK = 0.5  # seconds of work at a time, to catch up gradually with an old house
SAVE_EVERY = 60.0  # seconds


class LiveMonitor:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._monitors: dict[int, TableMonitor] = {}
        self._versions: dict[int, int] = {}  # of the books, as far as they were read
        self._unsaved: set[int] = set()
        self._failed: set[int] = set()  # tables whose books can't be read
        self._saved_at = 0.0
        self._asked: set[str] = set()  # keys of answered requests

    async def look(self) -> None:
        """Test new rounds, record alarms, and remember the progress."""
        if not self._tables.is_leader:
            self._forget()
            return
        await self._tables.read(self._read)
        for monitor in list(self._monitors.values()):
            for stream in monitor.due:
                request = alarm_request(monitor, stream)
                if request.key in self._asked:
                    continue  # refused, for example because the house key was lost
                outcome = await self._tables.ask(request)
                if isinstance(outcome, Done | Refusal):
                    self._asked.add(request.key)
                if isinstance(outcome, Done):
                    log("monitor_alarm", table=monitor.table, stream=str(stream.key))
                    self._saved_at = 0.0
        self._show()
        if self._unsaved and time.monotonic() - self._saved_at >= SAVE_EVERY:
            await self._tables.write(self._save)
            self._saved_at = time.monotonic()

    def _forget(self) -> None:
        """Start over when this process becomes the leader again."""
        self._monitors.clear()
        self._versions.clear()
        self._unsaved.clear()
        self._failed.clear()

    def _read(self, connection: Connection) -> None:
        heads = {number: head.version for number, head in read_heads(connection).items()}
        fresh = new_monitors(connection, known=self._monitors.keys())
        load_progress(connection, fresh)
        self._monitors |= {monitor.table: monitor for monitor in fresh}
        until = time.monotonic() + WORK
        for number, monitor in self._monitors.items():
            if number in self._failed or self._versions.get(number) == heads[number]:
                continue
            try:
                for _ in follow(connection, monitor):
                    self._unsaved.add(number)
                    if time.monotonic() > until:
                        return
            except DATABASE_ERRORS:
                raise
            except Exception as error:  # noqa: BLE001 - an unreadable book must not stop the others
                log_failure("monitor_failed", error, table=number)
                self._failed.add(number)
            self._versions[number] = heads[number]

    def _show(self) -> None:
        for number, monitor in self._monitors.items():
            metrics = self._tables.metrics
            metrics.monitor_alarms.labels(str(number)).set(len(monitor.raised))
            metrics.monitor_evidence.labels(str(number)).set(monitor.nearest)

    def _save(self, connection: Connection) -> None:
        for number in sorted(self._unsaved):
            save_progress(connection, self._monitors[number])
        self._unsaved.clear()
