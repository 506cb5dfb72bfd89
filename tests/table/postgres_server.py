"""A real PostgreSQL server for one test run, shared only by that run's workers.

The first worker that needs it starts a keeper process, which starts the server and stops it when
the last worker is gone. Each worker holds a shared lock on a file. The system releases the lock
however the worker ends, so a killed run leaves no server behind.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.postgres import prepare, started_server

PATIENCE = 180  # seconds that a busy machine may take to start a server


@contextmanager
def shared_server(meeting: Path) -> Iterator[str]:
    """Share a server with everyone who uses this folder; yields the folder of its socket."""
    address = meeting / "postgres.address"
    with _locked(meeting / "postgres.held", fcntl.LOCK_SH):
        with _locked(meeting / "postgres.start", fcntl.LOCK_EX):
            if not address.exists():
                _start_keeper(meeting)
        yield address.read_text()


@contextmanager
def _locked(path: Path, how: int) -> Iterator[None]:
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(file, how)
        yield
    finally:
        os.close(file)


def _start_keeper(meeting: Path) -> None:
    log = meeting / "postgres.log"
    keeper = os.posix_spawn(  # not Popen: the keeper may outlive the worker that started it
        sys.executable,
        [sys.executable, "-m", "tests.table.postgres_server", str(meeting)],
        os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,  # Ctrl-C must reach only the tests
    )
    end = time.monotonic() + PATIENCE
    while not (meeting / "postgres.address").exists():
        if os.waitpid(keeper, os.WNOHANG) != (0, 0) or time.monotonic() > end:
            raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()}")
        time.sleep(0.05)


# --- the keeper -------------------------------------------------------------------------------


def keep(meeting: Path) -> None:
    server = started_server()
    address = meeting / "postgres.address"
    try:
        prepare(server.get_uri())
        made = meeting / "postgres.new"
        made.write_text(str(server.get_postmaster_info().socket_dir))
        made.rename(address)
        with _locked(meeting / "postgres.held", fcntl.LOCK_EX):  # when all workers are gone
            address.unlink(missing_ok=True)
            server.cleanup()
    finally:
        server.cleanup()


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
