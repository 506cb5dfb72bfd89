"""A file that one process holds; it is let go when that process ends, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ventiuna.table.store.errors import StoreInUse

if sys.platform == "win32":
    import msvcrt

    _FAR = 2**30  # a byte beyond the text, so that the holder's number can be read

    def _try_lock(file: int) -> None:
        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def _try_lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class LockFile:
    """Held from its making to its release."""

    def __init__(self, path: Path, what: str) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _try_lock(self._file)
        except OSError:
            holder = os.read(self._file, 32).decode(errors="replace").strip()
            os.close(self._file)
            by = f"process {holder}" if holder.isdigit() else "another process"
            raise StoreInUse(
                f"{what} is in use by {by}: one process at a time may open it."
            ) from None
        os.truncate(self._file, 0)
        os.write(self._file, str(os.getpid()).encode())
        self._held = True

    def release(self) -> None:
        """The file stays: removing it would let two processes hold two files of one name."""
        if self._held:
            self._held = False
            os.close(self._file)
