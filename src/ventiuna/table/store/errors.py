"""What can be wrong with a database before anything is asked of it."""

from __future__ import annotations

from ventiuna.errors import VentiunaError


class StoreError(VentiunaError):
    """A database that can't be used as it is."""


class StoreInUse(StoreError):
    """Another process holds the file."""


class WrongRevision(StoreError):
    """The schema is not the one that this program knows."""
