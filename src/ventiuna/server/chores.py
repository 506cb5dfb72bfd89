"""What a process does again and again beside the commands: clocks, heartbeats, seals, meters.

Clocks and seals are kept by one process of the house; two that do it at once do no harm.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import IntegrityError

from ventiuna.server.attendance import Attendance
from ventiuna.server.logs import log, log_database_error
from ventiuna.server.own_tables import close_forsaken
from ventiuna.server.standing import check_standing
from ventiuna.server.tables import Tables
from ventiuna.table.books.entries import balances, read_heads
from ventiuna.table.books.seals import newest_seal, seal_books
from ventiuna.table.house.keeper import EVERY, ClockKeeper, beat
from ventiuna.table.jackpots.rows import over_maximum, read_shown, read_suspended
from ventiuna.table.jackpots.writing import fold_over_maximum
from ventiuna.table.persons import presence
from ventiuna.table.persons.allowances import forget_full
from ventiuna.table.persons.people import forget_old_tokens
from ventiuna.table.ports import AnchoredClock
from ventiuna.table.store.errors import DATABASE_ERRORS
from ventiuna.table.store.schema import game_table
from ventiuna.table.store.sqlite import SqliteStore

BEAT_EVERY = 1.0  # seconds
LOOK_EVERY = 1.0  # at tables that other processes may have moved
METERS_EVERY = 0.5
ATTENDANCE_EVERY = 0.5
WEIGH_EVERY = 10.0  # the sum of all balances
MINUTE, HOUR = 60.0, 3_600.0
SEAL_EVERY = 60_000  # milliseconds
OLDEST_SEAL = 180_000  # milliseconds that a house is ready without a new one
OLDEST_BEAT = 10_000
MB = 2**20
LOW_DISK, LEAST_DISK = 256 * MB, 4 * MB  # free: warn below the first, not ready below the other
FULL_SOON = "The house's disk is nearly full. Free some space before play stops."
HELD_FOR = 60_000  # milliseconds that seats of a process that died wait for their clients

Work = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Chore:
    work: Work
    every: float  # seconds


class Chores:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._metrics = tables.metrics
        self._keeper = ClockKeeper(tables.clock)
        self._attendance = Attendance(tables)
        self._tasks: list[asyncio.Task[None]] = []
        self.imbalance: int | None = None  # None: not weighed yet
        self.sealed_at: int | None = None  # by whatever process
        self.beat_at: int | None = None  # None: nothing can be written
        self.disk_free: float = math.inf  # bytes; known only for SQLite
        self._metrics.seal_age_seconds.set_function(self._seal_age)

    def start(self) -> None:
        for chore in (
            Chore(self._keep_time, EVERY / 1000),
            Chore(self._beat, BEAT_EVERY),
            Chore(self._mind_file, BEAT_EVERY),
            Chore(self._hold_lost, BEAT_EVERY),
            Chore(self._tables.tell_gone, BEAT_EVERY),
            Chore(self._look, LOOK_EVERY),
            Chore(partial(check_standing, self._tables), LOOK_EVERY),
            Chore(self._read_meters, METERS_EVERY),
            Chore(self._attendance.look, ATTENDANCE_EVERY),
            Chore(self._weigh, WEIGH_EVERY),
            Chore(self._anchor, MINUTE),
            Chore(self._seal, LOOK_EVERY),
            Chore(self._fold, MINUTE),
            Chore(partial(close_forsaken, self._tables), MINUTE),
            Chore(self._forget, HOUR),
        ):
            self._tasks.append(asyncio.create_task(_again_and_again(chore)))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._attendance.leave()

    def checks(self) -> dict[str, Callable[[], bool]]:
        """What must hold for a house that is ready, besides a database that answers."""
        now = self._tables.clock.now
        return {
            "writer": lambda: self._tables.is_writing,
            "writable": lambda: self.beat_at is not None and now() - self.beat_at < OLDEST_BEAT,
            "disk": lambda: self.disk_free >= LEAST_DISK,
            "balanced": lambda: self.imbalance == 0,
            "sealed": lambda: self.sealed_at is not None and now() - self.sealed_at < OLDEST_SEAL,
        }

    # --- of every process ---

    async def _beat(self) -> None:
        now = self._tables.clock.now()
        try:
            await self._tables.write(lambda one: beat(one, self._tables.process, now))
        except DATABASE_ERRORS:
            self.beat_at = None
            raise
        self.beat_at = now

    async def _mind_file(self) -> None:
        """Keep SQLite's write-ahead log short, and warn before the disk is full."""
        store = self._tables.store
        if not isinstance(store, SqliteStore):
            return
        await asyncio.to_thread(store.shorten_log)
        free = await asyncio.to_thread(store.free_bytes)
        self._metrics.disk_free_bytes.set(free)
        if free < LOW_DISK <= self.disk_free:
            log("disk_low", logging.WARNING, free_mb=free // MB, reason=FULL_SOON)
        self.disk_free = free

    async def _look(self) -> None:
        """Other processes may have moved a table that somebody follows here."""
        followed = self._tables.followed
        if followed:
            heads = await self._tables.read(lambda one: read_heads(one, followed))
            self._tables.notice({number: head.version for number, head in heads.items()})

    async def _read_meters(self) -> None:
        self._tables.show_meters(await self._tables.read(read_shown))
        self._tables.show_suspended(await self._tables.read(read_suspended))

    async def _weigh(self) -> None:
        held = await self._tables.read(balances)
        self.imbalance = sum(held.values())
        self._metrics.ledger_imbalance_cents.set(self.imbalance)
        self._metrics.open_tables.set(await self._tables.read(_open_tables))

    async def _anchor(self) -> None:
        """The clock follows that of the database, which all processes share."""
        clock = self._tables.clock
        if isinstance(clock, AnchoredClock):
            await asyncio.to_thread(clock.anchor, self._tables.store)

    # --- of one process ---

    async def _keep_time(self) -> None:
        if self._tables.is_keeper:
            for request in await self._tables.read(self._keeper.tick):
                self._tables.submit(request)

    async def _hold_lost(self) -> None:
        """Seats whose process died, this house's before an outage too."""
        if self._tables.is_keeper:
            now = self._tables.clock.now()
            until = now + HELD_FOR
            await self._tables.write(lambda one: presence.hold_lost(one, now, until))

    async def _seal(self) -> None:
        """Each minute; at once where a house has none, as soon as some process keeps it."""
        age = self._tables.clock.now() - (self.sealed_at or 0)
        if 0 <= age < SEAL_EVERY:
            return
        if self._tables.is_keeper:
            await self.seal()
        newest = await self._tables.read(newest_seal)
        self.sealed_at = newest.at if newest else None

    async def seal(self) -> None:
        now = self._tables.clock.now()
        with contextlib.suppress(IntegrityError):  # another process sealed at the same moment
            await self._tables.write(lambda one: seal_books(one, now))

    async def _fold(self) -> None:
        """What jackpots hold above their maximum goes to their reserves."""
        if not self._tables.is_keeper:
            return
        now = self._tables.clock.now()
        for number in await self._tables.read(over_maximum):
            await self._tables.write(partial(_fold_one, number=number, now=now))

    async def _forget(self) -> None:
        """Tokens and allowances whose time is over: a busy house would gather them for ever."""
        if self._tables.is_keeper:
            now = self._tables.clock.now()
            await self._tables.write(lambda one: forget_old_tokens(one, now))
            await self._tables.write(lambda one: forget_full(one, now))

    def _seal_age(self) -> float:
        sealed_at = self.sealed_at
        return 0.0 if sealed_at is None else (self._tables.clock.now() - sealed_at) / 1000


def _open_tables(connection: Connection) -> int:
    query = select(func.count()).select_from(game_table).where(game_table.c.state == "open")
    return connection.scalar(query) or 0


def _fold_one(connection: Connection, number: int, now: int) -> None:
    fold_over_maximum(connection, number, now)


async def _again_and_again(chore: Chore) -> None:
    """Until it is cancelled; a database that is away for a while ends nothing."""
    was_away = False
    while True:
        try:
            await chore.work()
        except DATABASE_ERRORS as error:
            if not was_away:
                log_database_error(error)
            was_away = True
        else:
            was_away = False
        await asyncio.sleep(chore.every)
