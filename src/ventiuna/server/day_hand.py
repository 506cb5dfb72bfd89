"""The hand of the day: one for everybody, from midnight to midnight (UTC), worked out once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from ventiuna.analysis.coaching.drills import Drill, deal_drill
from ventiuna.rules import load_rules
from ventiuna.server.coach import Coach

RULES = "wsgc-2021(double_double=on)"  # those that a newcomer is offered first
DAY = 86_400_000  # milliseconds


class HandOfTheDay:
    def __init__(self, coach: Coach, now: Callable[[], int]) -> None:
        self._coach = coach
        self._now = now
        self._lock = asyncio.Lock()  # whoever comes meanwhile waits for the first one's
        self._known: tuple[int, Drill] | None = None

    async def drill(self) -> Drill:
        day = self._now() // DAY
        async with self._lock:
            if self._known is None or self._known[0] != day:
                self._known = day, await self._deal(day)
            return self._known[1]

    async def _deal(self, day: int) -> Drill:
        """The day is the seed, so every process of a house deals the same hand."""
        return await self._coach.ask(deal_drill, load_rules(RULES), None, Random(day))
