"""Audits that the house's own server runs: each in a thread, one at a time, the last ones kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.exc import SQLAlchemyError

from ventiuna.errors import VentiunaError
from ventiuna.server.logs import log
from ventiuna.server.problems import Declined, kept_elsewhere, not_found
from ventiuna.table.audit.auditing import Progress, Report, Scope, audit
from ventiuna.table.audit.recorded import OnTop, nothing_on_top
from ventiuna.table.store.opening import Store

KEPT = 10
MOST = 1_000_000  # audits of one process


@dataclass(slots=True)
class RunningAudit:
    id: int
    state: str = "running"  # done, failed
    entries: int = 0
    of: int = 0
    result: dict[str, object] | None = None

    def watch(self, progress: Progress) -> None:
        self.entries, self.of = progress.entries, progress.of


class Audits:
    """They read one moment of the database, beside play."""

    def __init__(
        self,
        store: Store,
        process: Callable[[], int] = lambda: 0,
        on_top: OnTop = nothing_on_top,
    ) -> None:
        self._store = store
        self._on_top = on_top
        self._process = process  # of the house: it is part of each number
        self._audits: dict[int, RunningAudit] = {}
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> RunningAudit:
        if self._task is not None and not self._task.done():
            raise Declined(409, "audit_running", "An audit is running already: look at that one.")
        made = RunningAudit(max(self._audits, default=self._process() * MOST) + 1)
        self._audits[made.id] = made
        for old in sorted(self._audits)[:-KEPT]:
            del self._audits[old]
        self._task = asyncio.create_task(asyncio.to_thread(self._run, made))
        return made

    def find(self, number: int) -> RunningAudit:
        found = self._audits.get(number)
        if found is None and number // MOST != self._process():
            raise kept_elsewhere("audit", str(number // MOST))
        if found is None:
            raise not_found("audit")
        return found

    async def close(self) -> None:
        """Wait for the one that runs: it holds a connection."""
        if self._task is not None:
            await self._task

    def _run(self, running: RunningAudit) -> None:
        try:
            with self._store.read() as connection:
                report = audit(connection, Scope(on_top=self._on_top, watch=running.watch))
        except (SQLAlchemyError, VentiunaError) as error:
            log("audit_failed", error=type(error).__name__)
            running.state = "failed"
        else:
            running.result = result_data(report)
            running.state = "done"


def result_data(report: Report) -> dict[str, object]:
    """What was found, as plain data."""
    return {
        "holds": report.holds,
        "house": report.house,
        "books": report.books,
        "entries": report.counts.entries,
        "accounts": report.accounts,
        "seals": report.seals,
        "newest_seal": report.newest.hash.hex() if report.newest else None,
        "notes": list(report.notes),
        "differences": [difference.data() for difference in report.differences],
        "total": report.total,
    }
