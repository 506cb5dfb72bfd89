"""Exact analysis for clients: a worker pool, the coach, figures, and the hand of the day.

The pool has two lanes: one for quick queries, and one for queries that take seconds and would delay
the others. Answers are cached, and a query that several clients send at the same time is computed
only once.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from random import Random
from time import perf_counter
from typing import Any, ParamSpec, TypeVar

from ventiuna.analysis.base_game.analyzer import hand_values
from ventiuna.analysis.base_game.queries import ParsedHand
from ventiuna.analysis.coaching import Advice, HandContext, PromptType, Valuation, value_choices
from ventiuna.analysis.drills import Drill, deal_drill
from ventiuna.analysis.queries import EdgeQuery
from ventiuna.analysis.query import Query, answer
from ventiuna.analysis.side_bets.queries import JackpotQuery
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules, canonical, load_rules
from ventiuna.server.schemas import load_named_rules
from ventiuna.server.telemetry import Metrics
from ventiuna.server.workers import WorkerPool, processes, threads

Q = TypeVar("Q", bound=Hashable)
A = TypeVar("A")

MAX_QUEUED_QUERIES = 64  # queries
MAX_CACHED_ANSWERS = 2_048  # answers
QUICK_NICENESS, SLOW_NICENESS = 5, 10  # steps below the server's priority
SLOW_WORKERS = 2  # so that a chart can run while one worker is busy
POOL_NAME = "The analysis is"


class SharedAnswers:
    """Cached answers; simultaneous identical questions are computed only once."""

    def __init__(self, maximum: int) -> None:
        self._most = maximum
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._underway: dict[Hashable, asyncio.Future[Any]] = {}

    async def get(
        self,
        key: Hashable,
        work: Callable[[], Coroutine[Any, Any, A]],
        lane: Hashable = None,
        *,
        keep: bool = True,
    ) -> A:
        """Return the cached answer or wait for `work`; a lane answers identical questions once."""
        if key in self._known:
            self._known.move_to_end(key)
            answer: A = self._known[key]
            return answer
        way = (key, lane)
        underway = self._underway.get(way)
        if underway is None:
            underway = asyncio.ensure_future(work())
            self._underway[way] = underway
            underway.add_done_callback(lambda future: self._finish(key, lane, future, keep))
        return await asyncio.shield(underway)  # others may be waiting for it too

    def _finish(
        self, key: Hashable, lane: Hashable, future: asyncio.Future[Any], keep: bool
    ) -> None:
        del self._underway[key, lane]
        if future.cancelled() or future.exception() is not None or not keep:
            return
        self._known[key] = future.result()
        if len(self._known) > self._most:
            self._known.popitem(last=False)


class AnalysisPool:
    """Answers queries from workers or from a cache; identical queries are computed once."""

    def __init__(self) -> None:
        self._quick = WorkerPool(
            POOL_NAME, 1, MAX_QUEUED_QUERIES, partial(processes, 1, QUICK_NICENESS)
        )
        patient = partial(processes, SLOW_WORKERS, SLOW_NICENESS)
        self._patient = WorkerPool(POOL_NAME, SLOW_WORKERS, MAX_QUEUED_QUERIES, patient)
        self._answers = SharedAnswers(MAX_CACHED_ANSWERS)

    def open(self) -> None:
        """Accept queries; each lane starts with its first query."""
        self._quick.open()
        self._patient.open()

    async def start(self) -> None:
        """Warm up the quick lane in advance; the slow lane starts with its first query."""
        self._patient.open()
        await self._quick.start()

    def close(self) -> None:
        self._quick.close()
        self._patient.close()

    async def ask(
        self, study: Callable[[Q], A], question: Q, *, patient: bool = False, keep: bool = True
    ) -> object:
        """Answer a query; `keep` caches the answer, which should be small."""
        workers = self._patient if patient else self._quick
        return await self._answers.get(
            (study, question), lambda: workers.ask(study, question), patient, keep=keep
        )


@lru_cache(maxsize=1_024)
def rules_by_name(text: str) -> Rules:
    """The rules that a client names, cached for each spelling."""
    return load_named_rules(text)


def canonical_rules_name(text: str) -> str:
    """The canonical name, so that identical rules make identical queries."""
    return canonical(rules_by_name(text))


MAX_QUEUED_HANDS = 64  # queries
MAX_CACHED_HANDS = 4_096  # number of answers; everyone at a full table may ask about the same hand

WARM_UP_HAND = ("wsgc-2021", "8c 8d", "6h")  # includes splitting

P = ParamSpec("P")
T = TypeVar("T")


def coach_workers(number: int) -> WorkerPool:
    """Threads with warmed-up kernels; each has its own scratch memory."""
    return WorkerPool("The coach is", number, MAX_QUEUED_HANDS, partial(threads, number, _warm_up))


def _warm_up() -> None:
    hand_values(*WARM_UP_HAND)


class Coach:
    """Answers from a cache or a worker, never on the event loop."""

    def __init__(self, workers: WorkerPool, metrics: Metrics) -> None:
        self._workers = workers
        self._metrics = metrics
        self._answers = SharedAnswers(MAX_CACHED_HANDS)

    async def start(self) -> None:
        await self._workers.start()

    def close(self) -> None:
        self._workers.close()

    async def advise(self, coached: HandContext, added: int | None = None) -> Advice:
        """Advice on a hand; `added` is the amount of a double for less to evaluate, if any."""
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
        """Run another query about hands in a worker."""
        return await self._workers.ask(question, *args, **kwargs)

    async def _valued(self, hand: ParsedHand, asks: PromptType) -> Valuation:
        return await self._answers.get(
            (hand, asks), lambda: self._workers.ask(value_choices, hand, asks)
        )


MAX_FIGURES = 500  # number of rule sets with cached figures


@dataclass(frozen=True, slots=True)
class JackpotFigures:
    """For a $1 wager, the fixed return and the return for each cent on the meter."""

    fixed: float
    per_cent_shown: float
    break_even: int | None  # cents

    def per_dollar(self, displayed: int) -> float:
        """Expected result of $1 at this meter (negative: a loss)."""
        return self.fixed + self.per_cent_shown * displayed - 1


class ExactFigures:
    def __init__(self, analysis_pool: AnalysisPool) -> None:
        self._studies = analysis_pool
        self._edges: dict[str, float] = {}
        self._jackpots: dict[tuple[str, int], JackpotFigures] = {}
        self._tasks: dict[object, asyncio.Task[None]] = {}

    def edge(self, rules: str) -> float | None:
        """The house edge under the rules with this canonical name, or None if not known yet."""
        if rules not in self._edges:
            self._ask(rules, self._find_edge(rules))
        return self._edges.get(rules)

    def jackpot(self, rules: str, game: int) -> JackpotFigures | None:
        key = (rules, game)
        if key not in self._jackpots:
            self._ask(key, self._find_jackpot(rules, game))
        return self._jackpots.get(key)

    def _ask(self, key: object, work: Coroutine[object, object, None]) -> None:
        if key in self._tasks or len(self._edges) + len(self._jackpots) >= MAX_FIGURES:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks[key] = task
        task.add_done_callback(lambda _: self._tasks.pop(key, None))

    async def _find_edge(self, rules: str) -> None:
        found = await self._study(EdgeQuery, rules=rules)
        if found is not None:
            self._edges[rules] = float(found["house_edge"])

    async def _find_jackpot(self, rules: str, game: int) -> None:
        found = await self._study(JackpotQuery, rules=rules, game=game)
        if found is None:
            return
        wager = int(found["wager_cents"])
        even = found["break_even_meter_cents"]
        self._jackpots[rules, game] = JackpotFigures(
            fixed=found["fixed_return"]["value"] + found["prize_return"]["value"],
            per_cent_shown=found["expected_share_of_meter"]["value"] / wager,
            break_even=even,
        )

    async def _study(self, query: type[Query], **settings: Any) -> dict[str, Any] | None:
        """The answer, or None (retry later) if the analysis is busy or can't handle these rules."""
        try:
            found = await self._studies.ask(answer, query(**settings))
        except VentiunaError:
            return None
        return found if isinstance(found, dict) else None


HAND_OF_THE_DAY_RULES = "wsgc-2021(double_double=on)"  # as in the first game offered to new players
DAY_MS = 86_400_000  # milliseconds


class HandOfTheDay:
    def __init__(self, coach: Coach, now: Callable[[], int]) -> None:
        self._coach = coach
        self._now = now
        self._lock = asyncio.Lock()  # concurrent callers wait for the first one
        self._known: tuple[int, Drill] | None = None

    async def drill(self) -> Drill:
        day = self._now() // DAY_MS
        async with self._lock:
            if self._known is None or self._known[0] != day:
                # The day is the seed, so that every process deals the same hand.
                rules = load_rules(HAND_OF_THE_DAY_RULES)
                self._known = day, await self._coach.ask(deal_drill, rules, None, Random(day))
            return self._known[1]
