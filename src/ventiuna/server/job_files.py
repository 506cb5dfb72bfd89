"""Simulations on disk: what is known of each, and the checkpoint from which it can go on.

A house in a SQLite file has them in a folder beside it; another one in the folder that its settings
name, or in one that goes with the server. Processes that share a folder each take a part of it that
no other holds, so what a process has left is taken over by the next one that starts.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ventiuna.files import write_file
from ventiuna.server.logs import log
from ventiuna.server.settings import Settings
from ventiuna.table.store.errors import StoreInUse
from ventiuna.table.store.lock_file import LockFile
from ventiuna.texts import json_text

MOST_PARTS = 100  # processes with one folder
_FACTS = ".json"

Facts = dict[str, Any]


class JobFiles:
    """Opened with the first question, so that a server without simulations leaves no trace."""

    def __init__(self, settings: Settings) -> None:
        self._place = _place(settings)
        self._folder: Path | None = None
        self._lock: LockFile | None = None
        self._temporary: TemporaryDirectory[str] | None = None

    def checkpoint(self, number: str) -> Path:
        return self._open() / number

    def keep(self, number: str, facts: Mapping[str, object]) -> None:
        """A full disk costs what is kept, not what is shown."""
        try:
            write_file(self._open() / f"{number}{_FACTS}", json_text(facts, None))
        except OSError as error:
            log("job_not_kept", error=type(error).__name__)

    def forget(self, number: str) -> None:
        for name in (number, f"{number}{_FACTS}"):
            (self._open() / name).unlink(missing_ok=True)

    def kept(self) -> Iterator[Facts]:
        """Of earlier servers, the oldest first; what can't be read is left alone."""
        if self._place is None or not self._place.exists():
            return
        files = [(path.stat().st_mtime, path) for path in self._open().glob(f"*{_FACTS}")]
        for _, path in sorted(files):
            with contextlib.suppress(OSError, ValueError):
                yield json.loads(path.read_text())

    def close(self) -> None:
        if self._lock is not None:
            self._lock.release()
        if self._temporary is not None:
            self._temporary.cleanup()

    def _open(self) -> Path:
        if self._folder is None:
            self._folder = self._temporary_folder() if self._place is None else self._part()
        return self._folder

    def _temporary_folder(self) -> Path:
        self._temporary = TemporaryDirectory(prefix="ventiuna-jobs-")
        return Path(self._temporary.name)

    def _part(self) -> Path:
        assert self._place is not None
        for number in range(MOST_PARTS):
            part = self._place / str(number)
            part.mkdir(parents=True, exist_ok=True, mode=0o700)
            with contextlib.suppress(StoreInUse):
                self._lock = LockFile(part / "lock", "This folder of simulations")
                return part
        return self._temporary_folder()


def _place(settings: Settings) -> Path | None:
    if settings.simulations:
        return Path(settings.simulations)
    is_file = settings.database and "://" not in settings.database
    return Path(f"{settings.database}.simulations") if is_file else None
