"""Exact analysis in workers of its own, behind everybody else.

There are two ways: what takes a moment and somebody waits for, and what takes seconds and would
keep the others waiting. Answers are remembered, and what several ask at once is worked out once.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache, partial
from typing import Any, TypeVar

from ventiuna.rules import Rules, canonical
from ventiuna.server.given import house_rules
from ventiuna.server.workers import Workers, processes

Q = TypeVar("Q", bound=Hashable)
A = TypeVar("A")

WAITING = 64  # questions
REMEMBERED = 2_048  # answers
QUICK_NICE, PATIENT_NICE = 5, 10  # steps behind the server itself
PATIENT = 2  # the second begins where the first is busy: a chart need not wait for a spread
NAME = "The analysis is"


class Studies:
    """Questions and answers are plain; the same question is worked out once."""

    def __init__(self) -> None:
        self._quick = Workers(NAME, 1, WAITING, partial(processes, 1, QUICK_NICE))
        patient = partial(processes, PATIENT, PATIENT_NICE)
        self._patient = Workers(NAME, PATIENT, WAITING, patient)
        self._known: OrderedDict[Hashable, object] = OrderedDict()
        self._underway: dict[Hashable, asyncio.Future[Any]] = {}

    def open(self) -> None:
        """Take questions; each way begins with its first."""
        self._quick.open()
        self._patient.open()

    async def start(self) -> None:
        """The quick way is warm before anybody asks, the other begins with its first question."""
        self._patient.open()
        await self._quick.start()

    def close(self) -> None:
        self._quick.close()
        self._patient.close()

    async def ask(
        self, study: Callable[[Q], A], question: Q, *, patient: bool = False, keep: bool = True
    ) -> object:
        """`keep`: remember the answer, which is small."""
        key = (study, question)
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        way = (key, patient)
        underway = self._underway.get(way)
        if underway is None:
            workers = self._patient if patient else self._quick
            underway = asyncio.ensure_future(workers.ask(study, question))
            self._underway[way] = underway
            underway.add_done_callback(lambda done: self._finish(way, done, keep))
        return await asyncio.shield(underway)  # others may wait for it too

    def _finish(self, way: tuple[Hashable, bool], done: asyncio.Future[Any], keep: bool) -> None:
        del self._underway[way]
        if done.cancelled() or done.exception() is not None or not keep:
            return
        self._known[way[0]] = done.result()
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


@lru_cache(maxsize=1_024)
def studied_rules(text: str) -> Rules:
    """The rules that a client names: however it writes them, they are read once."""
    return house_rules(text)


def one_name(text: str) -> str:
    """The canonical string, so that the same rules are the same question."""
    return canonical(studied_rules(text))
