"""This process among those that serve its house, for work that any of them may be asked about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection

from ventiuna.server.logs import now_ms
from ventiuna.table.house.keeper import beating
from ventiuna.table.store.opening import Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Peers:
    store: Store
    own: Callable[[], int] = lambda: 0  # the number of this process
    is_alone: Callable[[], bool] = lambda: True
    now: Callable[[], int] = now_ms

    def living(self, connection: Connection) -> set[int]:
        """Other processes that are alive: what they have begun is theirs."""
        if self.is_alone():
            return set()
        return beating(connection, self.now()) - {self.own()}

    # --- the database, off the event loop ---

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self._read, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self.write_here, work)

    def write_here(self, work: Callable[[Connection], T]) -> T:
        """In this thread."""
        with self.store.write() as connection:
            return work(connection)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self.store.read() as connection:
            return work(connection)
