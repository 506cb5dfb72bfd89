"""Who is at a table besides its events: onlookers, and seats that are held without a client.

Neither is in a book: no cent and no card depends on them. All processes of a house count together.
"""

from __future__ import annotations

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from ventiuna.server.hub import NO_HOLDS
from ventiuna.server.logs import log
from ventiuna.server.tables import Tables
from ventiuna.table.persons import onlookers, presence
from ventiuna.table.store.errors import StoreError

ByTable = dict[int, int]


class Attendance:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._noted: ByTable = {}  # onlookers here, as the other processes know them

    async def look(self) -> None:
        """Count anew, and tell the tables where something has changed."""
        here = self._tables.hub.onlookers()
        if not self._tables.is_alone:
            await self._note({table: people for table, people in here.items() if people})
        if not here:
            return
        elsewhere, holds = await self._tables.read(self._others)
        for table, people in here.items():
            watching = people + elsewhere.get(table, 0)
            self._tables.hub.tell_attendance(table, watching, holds.get(table, NO_HOLDS))

    async def leave(self) -> None:
        """This process ends: its onlookers are on their way to others."""
        if not self._noted:
            return
        try:
            await self._tables.write(lambda one: onlookers.leave(one, self._tables.process))
        except (SQLAlchemyError, StoreError) as error:  # they are forgotten without a heartbeat
            log("database_error", error=type(error).__name__)

    async def _note(self, here: ByTable) -> None:
        changed = {
            table: here.get(table, 0)
            for table in here.keys() | self._noted.keys()
            if here.get(table, 0) != self._noted.get(table, 0)
        }
        if changed:
            process = self._tables.process
            await self._tables.write(lambda one: onlookers.note(one, process, changed))
            self._noted = here

    def _others(self, connection: Connection) -> tuple[ByTable, dict[int, dict[int, int]]]:
        counted: ByTable = {}
        if not self._tables.is_alone:
            now = self._tables.clock.now()
            counted = onlookers.elsewhere(connection, self._tables.process, now)
        return counted, presence.held(connection)
