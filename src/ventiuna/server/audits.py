"""Audits that the house's own servers run: each in a thread, one at a time, the last ones kept.

Whichever process of the house is asked: how far an audit is and what it found stand in the database
(`audit_rows`), and any process may cancel it.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from threading import Event

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from ventiuna.server import audit_rows as rows
from ventiuna.server.audit_rows import AuditRun, AuditState
from ventiuna.server.logs import log
from ventiuna.server.peers import Peers
from ventiuna.server.problems import Declined, not_found
from ventiuna.table.audit.auditing import Progress, Report, Scope, audit
from ventiuna.table.audit.recorded import OnTop, nothing_on_top
from ventiuna.table.store.errors import StoreError

TELL_EVERY = 1.0  # seconds between two words to other processes
AGAIN = 1.0  # seconds before an end is written once more


class _LetGo(Exception):
    """It was cancelled, or its server ends."""


class Running:
    """An audit that this process runs, in a thread."""

    def __init__(self, found: AuditRun, peers: Peers, on_top: OnTop) -> None:
        self.found = found
        self._peers = peers
        self._on_top = on_top
        self._is_let_go = Event()
        self._closes = Event()  # with its server
        self._told = time.monotonic()

    def let_go(self) -> None:
        """The database says that it is cancelled."""
        self._is_let_go.set()

    def close(self) -> None:
        """Its server ends, whether the database can be told or not."""
        self._closes.set()
        self._is_let_go.set()

    def run(self) -> None:
        ended = self._ended()
        while not self._keep(ended) and not self._closes.wait(AGAIN):
            pass  # else it would be taken for running

    def _ended(self) -> AuditRun:
        try:
            with self._peers.store.read() as connection:
                report = audit(connection, Scope(on_top=self._on_top, watch=self._watch))
        except _LetGo:
            return replace(self.found, state=AuditState.INTERRUPTED)
        except Exception as error:  # noqa: BLE001 - else all processes would take it for running
            log("audit_failed", error=type(error).__name__)
            return replace(self.found, state=AuditState.FAILED)
        return replace(self.found, state=AuditState.DONE, result=result_data(report))

    def _watch(self, progress: Progress) -> None:
        self.found.entries, self.found.of = progress.entries, progress.of
        if not self._peers.is_alone() and time.monotonic() - self._told > TELL_EVERY:
            self._told = time.monotonic()
            self._keep(self.found)
        if self._is_let_go.is_set():
            raise _LetGo

    def _keep(self, found: AuditRun) -> bool:
        """False where the database is away."""
        try:
            goes_on = self._peers.write_here(lambda one: rows.keep(one, found))
        except (SQLAlchemyError, StoreError) as error:
            log("audit_not_kept", error=type(error).__name__)
            return False
        if not goes_on:
            self.let_go()
        return True


class Audits:
    """They read one moment of the database, beside play."""

    def __init__(self, peers: Peers, on_top: OnTop = nothing_on_top) -> None:
        self._peers = peers
        self._on_top = on_top
        self._begins = asyncio.Lock()
        self._running: Running | None = None
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> AuditRun:
        async with self._begins:
            made = None
            if self._task is None or self._task.done():
                made = await self._peers.write(self._new)
            if made is None:
                raise Declined(
                    409, "audit_running", "An audit is running already: look at that one."
                )
            self._running = Running(made, self._peers, self._on_top)
            self._task = asyncio.create_task(asyncio.to_thread(self._running.run))
            return made

    def _new(self, connection: Connection) -> AuditRun | None:
        return rows.begin(connection, self._peers.own(), self._peers.living(connection))

    async def find(self, number: int) -> AuditRun:
        """As the database has it, so that all processes say the same."""
        found = await self._peers.read(lambda one: rows.read_audit(one, number, self._alive(one)))
        if found is None:
            raise not_found("audit")
        return self._to_the_moment(found)

    async def last(self) -> list[AuditRun]:
        """The last ones, the newest first."""
        found = await self._peers.read(lambda one: rows.read_audits(one, self._alive(one)))
        return [self._to_the_moment(one) for one in found]

    def _alive(self, connection: Connection) -> set[int]:
        own = set() if self._running is None else {self._peers.own()}
        return own | self._peers.living(connection)

    def _to_the_moment(self, found: AuditRun) -> AuditRun:
        """How far it is, where it runs here."""
        here = self._here(found.id)
        if here is None or found.state is not AuditState.RUNNING:
            return found
        return replace(here.found)

    def _here(self, number: int) -> Running | None:
        running = self._running
        return running if running is not None and running.found.id == number else None

    async def cancel(self, number: int) -> AuditRun:
        """End it, whichever process runs it; one that is over stays as it is."""
        await self.find(number)
        await self._peers.write(lambda one: rows.cancel(one, number))
        here = self._here(number)
        if here is not None:
            here.let_go()
        return await self.find(number)

    async def close(self) -> None:
        """The one that runs ends with its next entries: it holds a connection."""
        if self._task is not None and self._running is not None:
            self._running.close()
            await self._task


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
