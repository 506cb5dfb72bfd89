"""How the processes of one house hear of each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

Moved = Mapping[int, int]  # version by table


class News(Protocol):
    @property
    def is_keeper(self) -> bool:
        """Whether this process keeps the clock, seals and plays the bots."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def tell(self, moved: Moved) -> None:
        """These tables have moved, by commits of this process."""


class NoNews:
    """One process alone has nobody to tell."""

    is_keeper = True

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def tell(self, moved: Moved) -> None:
        pass
