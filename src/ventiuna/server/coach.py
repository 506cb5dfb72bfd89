"""The coach as a service: workers that value hands, and what they found lately."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import ParamSpec, TypeVar

from ventiuna.analysis.base_game.hand import hand_values
from ventiuna.analysis.coaching import Advice, Asks, Coached, Valued, value
from ventiuna.analysis.questions.hand import AskedHand
from ventiuna.server.metrics import Metrics
from ventiuna.server.workers import Workers, threads

WAITING = 64  # questions
REMEMBERED = 4_096  # answers; a full table's people ask the same of a hand

PRACTICE = ("wsgc-2021", "8c 8d", "6h")  # splits too

Key = tuple[AskedHand, Asks]
P = ParamSpec("P")
T = TypeVar("T")


def coaches(number: int) -> Workers:
    """Threads that are warm: each keeps room of its own for the kernels."""
    return Workers("The coach is", number, WAITING, partial(threads, number, _prepare))


def _prepare() -> None:
    hand_values(*PRACTICE)


class Coach:
    """Answers from memory or by a worker, never on the event loop."""

    def __init__(self, workers: Workers, metrics: Metrics) -> None:
        self._workers = workers
        self._metrics = metrics
        self._known: OrderedDict[Key, Valued] = OrderedDict()
        self._underway: dict[Key, asyncio.Future[Valued]] = {}

    async def start(self) -> None:
        await self._workers.start()

    def close(self) -> None:
        self._workers.close()

    async def advise(self, coached: Coached, added: int | None = None) -> Advice:
        """`added`: by a double for less that is to be priced."""
        started = perf_counter()
        shoe, fresh = await asyncio.gather(
            self._valued(coached.hand, coached.asks),
            self._valued(coached.fresh_hand, coached.asks),
        )
        less = None
        if added is not None:
            less = await self._valued(replace(coached.hand, added=added), coached.asks)
        self._metrics.coach_seconds.observe(perf_counter() - started)
        return Advice(coached, shoe, fresh, less)

    async def ask(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Another question about hands, by a worker."""
        return await self._workers.ask(question, *args, **kwargs)

    async def _valued(self, asked: AskedHand, asks: Asks) -> Valued:
        key = (asked, asks)
        known = self._known.get(key)
        if known is not None:
            self._known.move_to_end(key)
            return known
        underway = self._underway.get(key)
        if underway is None:
            underway = asyncio.ensure_future(self._workers.ask(value, asked, asks))
            self._underway[key] = underway
            underway.add_done_callback(lambda done: self._keep(key, done))
        return await asyncio.shield(underway)  # others may wait for it too

    def _keep(self, key: Key, done: asyncio.Future[Valued]) -> None:
        del self._underway[key]
        if done.cancelled() or done.exception() is not None:
            return
        self._known[key] = done.result()
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
