"""Locks that one process holds; the system releases them when that process ends, however it ends.

A SQLite house has two. The lock file beside it names its holder. The lease is a lock on a byte of
the database itself, which everyone who opens the file meets, under whatever name.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path

from ventiuna.table.store.errors import StoreInUse

# Far beyond what a file holds. SQLite locks bytes from 2**30 to 2**30 + 511.
_LEASE = 2**62

if sys.platform == "win32":
    import msvcrt

    _FAR = 2**30  # a byte beyond the text, so that the holder's number can be read

    def _try_lock(file: int) -> None:
        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)

    def _try_lease(file: int) -> None:
        """Do nothing: Windows locks keep others from reading, so there is only the lock file."""
else:
    import fcntl

    def _try_lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _try_lease(file: int) -> None:
        """Lock this open file; SQLite would release a lock of the process.

        Systems without such locks have only the lock file.
        """
        command = getattr(fcntl, "F_OFD_SETLK", None)
        if command is not None:
            wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, _LEASE, 1, 0)
            fcntl.fcntl(file, command, wanted)


class Locks:
    """The locks of a database, held from creation to release.

    The lease's file is opened before SQLite opens its own and closed after them: closing any file
    of a database releases all of SQLite's locks on it. A missing database is created, readable only
    by its owner, because it will hold the down card of every round in play. SQLite gives its log
    the same permissions.
    """

    def __init__(self, database: Path) -> None:
        self._files: list[int] = []
        try:
            lock = self._open(database.with_name(f"{database.name}.lock"))
            holder = os.read(lock, 32).decode(errors="replace").strip()
            self._take(_try_lock, lock, database, holder)
            self._take(_try_lease, self._open(database), database)
            os.truncate(lock, 0)
            os.lseek(lock, 0, os.SEEK_SET)
            os.write(lock, str(os.getpid()).encode())
        except BaseException:
            self.release()
            raise

    def _open(self, path: Path) -> int:
        self._files.append(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        return self._files[-1]

    def _take(
        self, attempt: Callable[[int], None], file: int, database: Path, holder: str = ""
    ) -> None:
        try:
            attempt(file)
        except OSError:
            by = f"process {holder}" if holder.isdigit() else "another process"
            raise StoreInUse(
                f"{database} is in use by {by}: one process at a time may open it."
            ) from None

    def release(self) -> None:
        """The lock file stays: removing it would let two processes hold two files of one name."""
        for file in self._files:
            os.close(file)
        self._files = []
