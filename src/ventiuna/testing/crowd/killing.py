"""Points at which something is killed: before and after every statement and every commit.

The store of the process under test is watched from outside; nothing in it knows of this.
Statements go two ways: through SQLAlchemy, and past it to the driver (`store.rows`).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.interfaces import DBAPICursor

from ventiuna.table.store import rows

Kill = Callable[[Connection], None]


class Victim(StrEnum):
    SERVER = "server"  # the process that writes
    BACKEND = "backend"  # PostgreSQL's process for its connection
    POSTMASTER = "postmaster"


class Countdown:
    """At the k-th point from now on, once; every write of the process passes such points.

    For a process that ends with it: what it listens to it never lets go.
    """

    def __init__(self, points: int, kill: Kill) -> None:
        self._left = points
        self._kill = kill
        event.listen(Engine, "before_cursor_execute", self._at_statement)
        event.listen(Engine, "after_cursor_execute", self._at_statement)
        event.listen(Engine, "commit", self._pass)
        self._listen_to_rows()

    def _listen_to_rows(self) -> None:
        run = rows.run

        def watched(connection: Connection, *asked: Any, **more: Any) -> DBAPICursor:
            self._pass(connection)
            cursor = run(connection, *asked, **more)
            self._pass(connection)
            return cursor

        rows.run = watched

    def _at_statement(self, connection: Connection, *_: object) -> None:
        self._pass(connection)

    def _pass(self, connection: Connection) -> None:
        self._left -= 1
        if not self._left:
            self._kill(connection)

    def after_commit(self) -> None:
        """Committed, and nobody was told yet."""
        self._left -= 1
        if not self._left:
            kill_server(None)


def kill_server(_: Connection | None) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def kill_backend(connection: Connection) -> None:
    """As the system does when memory runs out: all of PostgreSQL recovers from it."""
    driver = connection.connection.driver_connection
    assert driver is not None
    os.kill(driver.info.backend_pid, signal.SIGKILL)
