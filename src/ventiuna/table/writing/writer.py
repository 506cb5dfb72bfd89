"""The one writer of a process: commands that wait together share a transaction.

Each command is carried out on a copy of its table. A refusal leaves no trace; what succeeds
becomes the cache when it is committed, and before that nobody is told anything. Dropping the
cache at any time is safe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.table.books.entries import BookMoved
from ventiuna.table.play.carrying_out import SERVICE
from ventiuna.table.play.commands import FaultTable
from ventiuna.table.play.state import TableState
from ventiuna.table.ports import Clock
from ventiuna.table.store.errors import DATABASE_ERRORS, DatabaseError, is_away, why_away
from ventiuna.table.store.opening import Store
from ventiuna.table.writing.requests import News, Outcome, Refusal, Request, Unknown
from ventiuna.table.writing.transaction import FAULTS, Fault, House, Later, Result, Transaction

MOST_TOGETHER = 64  # commands of one transaction
ATTEMPTS = 5
PAUSE = 10  # milliseconds, more with each attempt
UNKNOWN = "It isn't known whether your command was carried out. Send it again in a moment."
FAULT_REASON = "something failed that can't fail; the log of the server names it"

T = TypeVar("T")
Trouble = DatabaseError | BookMoved
TROUBLES = (*DATABASE_ERRORS, BookMoved)
Place = tuple[int, Request]


@dataclass(slots=True)
class Step:
    """What came of the commands, in their order, and what to tell."""

    outcomes: list[Outcome]
    news: list[News]
    faults: list[Fault]


class Writer:
    """Plain methods of one thread; queues and sockets are for others."""

    def __init__(self, store: Store, house: House, clock: Clock) -> None:
        self._store = store
        self._house = house
        self._clock = clock
        self.retries: Counter[str] = Counter()

    def step(self, requests: Sequence[Request]) -> Step:
        """Carry these out, in as few transactions as their tables allow."""
        outcomes: dict[int, Outcome] = {}
        step = Step([], [], [])
        left: list[Place] = list(enumerate(requests))
        while left:
            together, left = left[:MOST_TOGETHER], left[MOST_TOGETHER:]
            later: list[Place] = []
            for (place, request), result in zip(
                together, self._results([request for _, request in together], step), strict=True
            ):
                if result is Later.ALONE:
                    result = self._results([request], step, alone=True)[0]
                if isinstance(result, Later):
                    later.append((place, request))
                else:
                    outcomes[place] = self._outcome(result, step)
            left = later + left
        step.outcomes = [outcomes[place] for place in range(len(requests))]
        return step

    def run(self, job: Callable[[Connection], T]) -> T:
        """Another transaction of this process, tried again where others were in its way."""
        for attempt in range(1, ATTEMPTS):
            try:
                with self._store.write() as connection:
                    return job(connection)
            except TROUBLES as error:
                if not self._goes_away(error):
                    raise
                self._pause(error, attempt)
        with self._store.write() as connection:
            return job(connection)

    def table(self, number: int) -> TableState | None:
        """The table as it is known here."""
        cached = self._house.tables.get(number)
        return cached.state if cached else None

    def forget(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._house.tables.pop(number, None)

    # --- one transaction ----------------------------------------------------------------------

    def _results(
        self, requests: Sequence[Request], step: Step, *, alone: bool = False, again: bool = False
    ) -> list[Result]:
        """Together; and each by itself, `again`, where one of them breaks the transaction."""
        reason = ""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._transact(requests, step, alone=alone)
            except TROUBLES as error:
                self.forget(request.table for request in requests)
                if not self._goes_away(error):
                    return self._each(requests, step, error, alone=alone, again=again)
                reason = UNKNOWN if isinstance(error, BookMoved) else f"{why_away(error)} {UNKNOWN}"
                self._pause(error, attempt)
            except FAULTS as error:
                self.forget(request.table for request in requests)
                return self._each(requests, step, error, alone=alone, again=again)
        return [Unknown(request.table, request.key, reason) for request in requests]

    def _transact(self, requests: Sequence[Request], step: Step, *, alone: bool) -> list[Result]:
        with self._store.write() as connection:
            transaction = Transaction(connection, self._house, self._clock)
            results = transaction.run(requests, alone=alone)
        transaction.keep()
        step.news += transaction.news
        return results

    def _each(
        self,
        requests: Sequence[Request],
        step: Step,
        error: BaseException,
        *,
        alone: bool,
        again: bool,
    ) -> list[Result]:
        """A single command too: the same key may have come through another process meanwhile."""
        if again:
            return [Fault(request, error) for request in requests]
        return [self._results([request], step, alone=alone, again=True)[0] for request in requests]

    def _outcome(self, result: Outcome | Fault, step: Step) -> Outcome:
        if not isinstance(result, Fault):
            return result
        step.faults.append(result)
        request = result.request
        if not isinstance(request.command, FaultTable):
            self._stop_table(request, step)
        return Refusal(
            request.table,
            request.key,
            RefusalCode.SERVER_FAULT,
            "The table met a fault and has stopped: nothing of your command happened.",
        )

    def _stop_table(self, request: Request, step: Step) -> None:
        key = f"fault/{request.table}/{self._clock.now()}/{len(step.faults)}"
        stop = Request(request.table, SERVICE, key, FaultTable(FAULT_REASON))
        step.faults += [
            result for result in self._results([stop], step) if isinstance(result, Fault)
        ]

    # --- what goes away by itself -------------------------------------------------------------

    def _goes_away(self, error: Trouble) -> bool:
        return isinstance(error, BookMoved) or is_away(error)

    def _pause(self, error: Trouble, attempt: int) -> None:
        reason = type(error.orig if isinstance(error, DBAPIError) else error).__name__
        self.retries[reason] += 1
        self._clock.pause(PAUSE * attempt)
