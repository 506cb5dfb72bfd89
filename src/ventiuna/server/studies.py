"""Exact analysis that takes from a moment to a minute: one worker, behind everybody else."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial
from typing import TypeVar

from ventiuna.kernels.forms import ANALYSER, DEVIATION, REOPTIMISED
from ventiuna.server.workers import Workers, processes

Q = TypeVar("Q", bound=Hashable)
A = TypeVar("A")

WAITING = 16  # questions
REMEMBERED = 256  # answers
POLITE = 10  # steps behind the server itself


class Studies:
    """Questions and answers are plain; the same question is worked out once."""

    def __init__(self) -> None:
        parts = (ANALYSER, REOPTIMISED, DEVIATION)
        make = partial(processes, 1, parts, POLITE)
        self._workers = Workers("The analysis is", 1, WAITING, make)
        self._known: OrderedDict[Hashable, object] = OrderedDict()

    async def start(self) -> None:
        await self._workers.start()

    def close(self) -> None:
        self._workers.close()

    async def ask(self, study: Callable[[Q], A], question: Q) -> object:
        key = (study, question)
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        answer = await self._workers.ask(study, question)
        self._known[key] = answer
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return answer
