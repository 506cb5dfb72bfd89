"""Passwords are kept as argon2id hashes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from ventiuna.server.problems import busy

AT_A_TIME = 2  # each takes 64 MiB and a core for a while
WAITING_AT_MOST = 8  # a flood of log-ins must not take every thread


class Passwords:
    """Releases Python's lock while it works."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._turn = BoundedSemaphore(AT_A_TIME)
        self._room = BoundedSemaphore(AT_A_TIME + WAITING_AT_MOST)

    def hashed(self, password: str) -> str:
        with self._at_work():
            return self._hasher.hash(password)

    def fits(self, password: str, hashed: str | None) -> bool:
        """Without a hash it takes as long and never fits: names can't be told by the time."""
        with self._at_work():
            try:
                self._hasher.verify(hashed or self._nobodys, password)
            except (VerificationError, InvalidHashError):
                return False
            return hashed is not None

    @cached_property
    def _nobodys(self) -> str:
        return self._hasher.hash("nobody has this password")

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        if not self._room.acquire(blocking=False):
            raise busy("Log-ins are")
        try:
            with self._turn:
                yield
        finally:
            self._room.release()
