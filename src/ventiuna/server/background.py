"""A process's periodic tasks: clocks, heartbeats, seals, meters, spectators, expired sessions."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from functools import partial

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import SQLAlchemyError

from ventiuna.server.hub import NO_HOLDS, Close
from ventiuna.server.live_tables import Tables, actor_for, close_abandoned_tables
from ventiuna.server.telemetry import log, log_database_error, log_failure
from ventiuna.table import presence
from ventiuna.table.accounts import forget_expired_limits, forget_old_tokens, valid_tokens
from ventiuna.table.jackpots.repository import (
    fold_over_maximum,
    over_maximum,
    read_displayed_amounts,
    read_suspended,
)
from ventiuna.table.journal import balances, newest_seal, read_heads
from ventiuna.table.monitor import (
    TableMonitor,
    alarm_request,
    follow,
    load_progress,
    new_monitors,
    save_progress,
)
from ventiuna.table.outside_seals import OutsideSealError, SealCopier, outside_seals
from ventiuna.table.presence import TICK_INTERVAL, DeadlineScheduler, heartbeat
from ventiuna.table.store.connection import SqliteStore
from ventiuna.table.store.schema import game_table
from ventiuna.table.store.statements import DATABASE_ERRORS, StoreError
from ventiuna.table.writer import AnchoredClock, Done, Refusal


async def close_expired_sessions(tables: Tables) -> None:
    """Disconnect clients whose tokens are no longer valid, and update the others' roles."""
    people = [(client, client.token) for client in tables.hub.clients() if client.token is not None]
    if not people:
        return
    tokens = {token for _, token in people}
    now = tables.clock.now()
    valid = await tables.read(lambda conn: valid_tokens(conn, tokens, now))
    for client, token in people:
        if token in valid:
            client.actor = actor_for(valid[token].person)
        elif client.token == token:  # unless the client has sent a new token since
            tables.hub.send(client, {"type": "bye", "code": "token_over", "retry_ms": 0})
            client.close(Close.NOT_ALLOWED)


MONITOR_WORK = 0.5  # seconds of work at a time, to catch up gradually with an old house
MONITOR_SAVE_INTERVAL = 60.0  # seconds


class LiveMonitor:
    """Tests new rounds and records alarms in the books."""

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
        if self._unsaved and time.monotonic() - self._saved_at >= MONITOR_SAVE_INTERVAL:
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
        until = time.monotonic() + MONITOR_WORK
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


CountsByTable = dict[int, int]


class Attendance:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._noted: CountsByTable = {}  # local spectators, as last recorded for other processes

    async def recount(self) -> None:
        """Recount spectators and held seats, and notify tables where either changed."""
        here = self._tables.hub.onlookers()
        if not self._tables.is_alone:
            await self._note({table: people for table, people in here.items() if people})
        if not here:
            return
        elsewhere, holds = await self._tables.read(self._others)
        for table, people in here.items():
            watching = people + elsewhere.get(table, 0)
            self._tables.hub.broadcast_attendance(table, watching, holds.get(table, NO_HOLDS))

    async def leave(self) -> None:
        """Remove this process's spectators on shutdown; they will reconnect to another process."""
        if not self._noted:
            return
        try:
            await self._tables.write(
                lambda conn: presence.remove_spectators(conn, self._tables.process)
            )
        except (SQLAlchemyError, StoreError) as error:  # without a heartbeat, they expire anyway
            log("database_error", error=type(error).__name__)

    async def _note(self, here: CountsByTable) -> None:
        changed = {
            table: here.get(table, 0)
            for table in here.keys() | self._noted.keys()
            if here.get(table, 0) != self._noted.get(table, 0)
        }
        if changed:
            process = self._tables.process
            await self._tables.write(
                lambda conn: presence.record_spectators(conn, process, changed)
            )
            self._noted = here

    def _others(self, connection: Connection) -> tuple[CountsByTable, dict[int, dict[int, int]]]:
        counted: CountsByTable = {}
        if not self._tables.is_alone:
            now = self._tables.clock.now()
            counted = presence.spectators_elsewhere(connection, self._tables.process, now)
        return counted, presence.held_seats(connection)


HEARTBEAT_EVERY = 1.0  # seconds
CHECK_TABLES_EVERY = 1.0  # catch changes by other processes
METERS_EVERY = 0.5
ATTENDANCE_EVERY = 0.5
CHECK_BALANCE_EVERY = 10.0  # check that all balances add up to 0
MONITOR_EVERY = 5.0  # test new rounds
MINUTE, HOUR = 60.0, 3_600.0
SEAL_EVERY = 60_000  # milliseconds
COPY_SEALS_EVERY = 5.0
MAX_SEAL_AGE = 180_000  # milliseconds without a new seal before a house counts as not ready
MAX_HEARTBEAT_AGE = 10_000
MB = 2**20
# bytes: warn below the first number; not ready below the second
LOW_DISK, MIN_DISK = 256 * MB, 4 * MB
DISK_NEARLY_FULL = "The house's disk is nearly full. Free some space before play stops."
SEATS_HELD_FOR = 60_000  # milliseconds that a dead process's seats wait for their clients

TaskFunction = Callable[[], Awaitable[None]]


class PeriodicTasks:
    def __init__(self, tables: Tables, seal_to: str = "") -> None:
        self._tables = tables
        self._metrics = tables.metrics
        self._copier = SealCopier(outside_seals(seal_to)) if seal_to else None
        self._copied_at = tables.clock.now()  # when the copy of the seals was last complete
        self._copy_failed_at: int | None = None
        self._keeper = DeadlineScheduler(tables.clock)
        self._attendance = Attendance(tables)
        self._monitor = LiveMonitor(tables)
        self._tasks: list[asyncio.Task[None]] = []
        self.imbalance: int | None = None  # None if not computed yet
        self.sealed_at: int | None = None  # time of the latest seal by any process
        self.beat_at: int | None = None  # None if writing fails
        self.disk_free: float = math.inf  # bytes; known only for SQLite
        self._metrics.seal_age_seconds.set_function(self._seal_age)
        if seal_to:
            self._metrics.seal_copy_age_seconds.set_function(self._copy_age)

    def start(self) -> None:
        chores: list[tuple[TaskFunction, float]] = [
            (self._keep_time, TICK_INTERVAL / 1000),
            (self._beat, HEARTBEAT_EVERY),
            (self._check_file, HEARTBEAT_EVERY),
            (self._hold_lost, HEARTBEAT_EVERY),
            (self._tables.record_departures, HEARTBEAT_EVERY),
            (self._check_tables, CHECK_TABLES_EVERY),
            (partial(close_expired_sessions, self._tables), CHECK_TABLES_EVERY),
            (self._read_meters, METERS_EVERY),
            (self._attendance.recount, ATTENDANCE_EVERY),
            (self._weigh, CHECK_BALANCE_EVERY),
            (self._monitor.look, MONITOR_EVERY),
            (self._anchor, MINUTE),
            (self._seal, CHECK_TABLES_EVERY),
            (self.copy_seals, COPY_SEALS_EVERY),
            (self._fold, MINUTE),
            (partial(close_abandoned_tables, self._tables), MINUTE),
            (self._forget, HOUR),
        ]
        self._tasks = [
            asyncio.create_task(_run_periodically(work, every)) for work, every in chores
        ]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._attendance.leave()

    def checks(self) -> dict[str, Callable[[], bool]]:
        """Readiness checks, in addition to a responding database."""
        now = self._tables.clock.now
        copied = {"seals copied": lambda: self._copy_age() * 1000 < MAX_SEAL_AGE}
        return {
            **(copied if self._copier is not None else {}),
            "writer": lambda: self._tables.is_writing,
            "writable": lambda: (
                self.beat_at is not None and now() - self.beat_at < MAX_HEARTBEAT_AGE
            ),
            "disk": lambda: self.disk_free >= MIN_DISK,
            "balanced": lambda: self.imbalance == 0,
            "sealed": lambda: self.sealed_at is not None and now() - self.sealed_at < MAX_SEAL_AGE,
        }

    async def _beat(self) -> None:
        now = self._tables.clock.now()
        try:
            await self._tables.write(lambda conn: heartbeat(conn, self._tables.process, now))
        except DATABASE_ERRORS:
            self.beat_at = None
            raise
        self.beat_at = now

    async def _check_file(self) -> None:
        """Keep SQLite's write-ahead log short, and warn before the disk is full."""
        store = self._tables.store
        if not isinstance(store, SqliteStore):
            return

        def shorten() -> int:
            store.shorten_log()
            return store.free_bytes()

        free = await asyncio.to_thread(shorten)
        self._metrics.disk_free_bytes.set(free)
        if free < LOW_DISK <= self.disk_free:
            log("disk_low", logging.WARNING, free_mb=free // MB, reason=DISK_NEARLY_FULL)
        self.disk_free = free

    async def _check_tables(self) -> None:
        """Check for changes by other processes to tables followed here."""
        followed = self._tables.followed
        if followed:
            heads = await self._tables.read(lambda conn: read_heads(conn, followed))
            self._tables.notice({number: head.version for number, head in heads.items()})

    async def _read_meters(self) -> None:
        displayed, suspended = await self._tables.read(
            lambda conn: (read_displayed_amounts(conn), read_suspended(conn))
        )
        self._tables.show_meters(displayed)
        self._tables.show_suspended(suspended)

    async def _weigh(self) -> None:
        totals = await self._tables.read(balances)
        self.imbalance = sum(totals.values())
        self._metrics.ledger_imbalance_cents.set(self.imbalance)
        query = select(func.count()).select_from(game_table).where(game_table.c.state == "open")
        open_tables = await self._tables.read(lambda conn: conn.scalar(query))
        self._metrics.open_tables.set(open_tables or 0)

    async def _anchor(self) -> None:
        """Sync the clock with the database clock, which all processes share."""
        clock = self._tables.clock
        if isinstance(clock, AnchoredClock):
            await asyncio.to_thread(clock.anchor, self._tables.store)

    async def _keep_time(self) -> None:
        if self._tables.is_leader:
            for request in await self._tables.read(self._keeper.tick):
                self._tables.submit(request)

    async def _hold_lost(self) -> None:
        """Hold dead processes' seats, including seats lost in an outage of this house."""
        if self._tables.is_leader:
            now = self._tables.clock.now()
            until = now + SEATS_HELD_FOR
            await self._tables.write(lambda conn: presence.hold_lost_seats(conn, now, until))

    async def _seal(self) -> None:
        """Seal the books every minute, or right away if the house has no seal yet."""
        age = self._tables.clock.now() - (self.sealed_at or 0)
        if 0 <= age < SEAL_EVERY:
            return
        if self._tables.is_leader:
            await self.seal()
        newest = await self._tables.read(newest_seal)
        self.sealed_at = newest.at if newest else None

    async def seal(self) -> None:
        await asyncio.to_thread(self._tables.writer.seal)

    async def copy_seals(self) -> None:
        """Copy new seals out of the house. A failure is reported, but nothing else waits for it."""
        copier, now = self._copier, self._tables.clock.now()
        if copier is None:
            return
        if not self._tables.is_leader:
            copier.forget()
            self._copied_at = now
            return
        try:
            await asyncio.to_thread(copier.copy, self._tables.store)
        except OutsideSealError as error:
            self._metrics.seal_copy_failures.inc()
            if self._copy_failed_at is None:
                log("seals_not_copied", logging.ERROR, reason=str(error))
            self._copy_failed_at = now
        else:
            if self._copy_failed_at is not None:
                log("seals_copied_again")
            self._copied_at, self._copy_failed_at = now, None

    def _copy_age(self) -> float:
        return (self._tables.clock.now() - self._copied_at) / 1000

    async def _fold(self) -> None:
        """Move jackpot funds above the maximum to the reserves."""
        if not self._tables.is_leader:
            return
        now = self._tables.clock.now()
        for number in await self._tables.read(over_maximum):
            await self._tables.write(partial(fold_over_maximum, number=number, at=now))

    async def _forget(self) -> None:
        """Delete expired tokens and rate limits, which would otherwise pile up."""
        if self._tables.is_leader:
            now = self._tables.clock.now()
            await self._tables.write(lambda conn: forget_old_tokens(conn, now))
            await self._tables.write(lambda conn: forget_expired_limits(conn, now))

    def _seal_age(self) -> float:
        sealed_at = self.sealed_at
        return 0.0 if sealed_at is None else (self._tables.clock.now() - sealed_at) / 1000


async def _run_periodically(work: TaskFunction, seconds: float) -> None:
    """Run a task periodically until canceled, surviving database outages."""
    was_away = False
    while True:
        try:
            await work()
        except DATABASE_ERRORS as error:
            if not was_away:
                log_database_error(error)
            was_away = True
        else:
            was_away = False
        await asyncio.sleep(seconds)
