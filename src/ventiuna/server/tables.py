"""The live tables of one process: its writer, its clock, its listeners.

Commands go in by `submit`. What came of them is told on the event loop, after the commit: first
to who asked, then to everybody who listens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from ventiuna.engine.events import RoundVoided, WagerSettled
from ventiuna.server.hub import Client, Hub
from ventiuna.server.logs import log
from ventiuna.server.metrics import Metrics
from ventiuna.server.writing import Finished, Sink, WriterThread
from ventiuna.table import events as ev
from ventiuna.table import presence
from ventiuna.table.books import balances, read_entries, read_heads
from ventiuna.table.chain import Entry
from ventiuna.table.clocks import Clocks
from ventiuna.table.keeper import EVERY, ClockKeeper, beat, restarts, start_beating
from ventiuna.table.loading import events_of, load_table, version_of_event
from ventiuna.table.ports import Clock
from ventiuna.table.requests import Done, News, Outcome, Request
from ventiuna.table.seals import seal_books
from ventiuna.table.state import TableState
from ventiuna.table.store.opening import Store
from ventiuna.table.transaction import House
from ventiuna.table.writer import Writer

SEAL_EVERY = 60.0  # seconds
BEAT_EVERY = 1.0
LOOK_EVERY = 1.0  # at tables that other processes may have moved
WEIGH_EVERY = 10.0  # the sum of all balances
AFTER_OUTAGE = "the house was out"

T = TypeVar("T")
Listener = Callable[[News], None]
Missed = tuple[TableState | None, list[Entry]]


class Tables:
    def __init__(self, store: Store, house: House, clock: Clock, metrics: Metrics) -> None:
        self.store = store
        self.house = house
        self.clock = clock
        self.hub = Hub()
        self.writer = Writer(store, house, clock)
        self.last_seal_at: int | None = None
        self.imbalance = 0
        self._metrics = metrics
        self._thread = WriterThread(self.writer, self._finished)
        self._keeper = ClockKeeper(clock)
        self._listeners: list[Listener] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._errands: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0

    # --- coming and going ---

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        await asyncio.to_thread(self._begin)
        for work, every in (
            (self._keep_time, EVERY / 1000),
            (self._beat, BEAT_EVERY),
            (self._look, LOOK_EVERY),
            (self._seal, SEAL_EVERY),
            (self._weigh, WEIGH_EVERY),
        ):
            self._tasks.append(asyncio.create_task(_again_and_again(work, every)))

    async def stop(self) -> None:
        """Nothing new is begun; what waits is carried out and told."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._thread.stop)
        self.hub.say_goodbye("restart", 1500)
        await asyncio.to_thread(self._seal_now)

    def _begin(self) -> None:
        """Say that this process is here; after an outage everybody gets a new clock."""
        now = self.clock.now()
        with self.store.write() as connection:
            self._process, was_out = start_beating(connection, now)
            requests = restarts(connection, now, AFTER_OUTAGE) if was_out else []
            if was_out:
                presence.hold_all(connection, now + 60_000)
        for request in requests:
            self._thread.submit(request)
        if requests:
            self._metrics.clock_restarts.inc()

    # --- commands ---

    def submit(self, request: Request, sink: Sink | None = None) -> None:
        self._thread.submit(request, sink)

    async def ask(self, request: Request) -> Outcome:
        """A command and its outcome, for those who wait for nothing else."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Outcome] = loop.create_future()
        self.submit(request, answer.set_result)
        return await answer

    def _finished(self, finished: Finished) -> None:
        assert self._loop is not None, "the writer runs before the loop"
        self._loop.call_soon_threadsafe(self._tell, finished)

    def _tell(self, finished: Finished) -> None:
        step = finished.step
        for waiting, outcome in zip(finished.waited, step.outcomes, strict=True):
            kind = type(waiting.request.command).__name__
            result = "done" if isinstance(outcome, Done) else str(outcome.code)
            self._metrics.commands.labels(kind, result).inc()
            self._metrics.queue_seconds.observe(finished.began - waiting.since)
            if waiting.sink is not None:
                waiting.sink(outcome)
        self._metrics.commit_seconds.observe(finished.ended - finished.began)
        self._metrics.commands_per_commit.observe(len(finished.waited))
        for fault in step.faults:
            log(
                "table_fault",
                table=fault.request.table,
                command=type(fault.request.command).__name__,
                error=type(fault.error).__name__,
            )
        for news in step.news:
            self.hub.tell(news.state, news.first_event, news.events)
            self._count(news)
            for listener in self._listeners:
                listener(news)

    def listen(self, listener: Listener) -> None:
        """Called on the event loop with everything that this process commits."""
        self._listeners.append(listener)

    def _count(self, news: News) -> None:
        is_void = any(isinstance(event, RoundVoided) for event in news.events)
        for event in news.events:
            if isinstance(event, ev.RoundClosed):
                self._metrics.rounds.labels("void" if is_void else "closed").inc()
            elif isinstance(event, ev.TimeRanOut):
                self._metrics.time_ups.inc()
            elif isinstance(event, ev.ShoeCut):
                self._metrics.withheld_cuts.inc(len(event.withheld))
            elif isinstance(event, WagerSettled) and event.meter:
                self._metrics.awards.inc()

    # --- tables ---

    async def state(self, number: int) -> TableState | None:
        """A table as it is committed; None where there is none."""
        return self.writer.table(number) or await asyncio.to_thread(self._load, number)

    def _load(self, number: int) -> TableState | None:
        with self.store.read() as connection:
            return self._loaded(connection, number)

    def _loaded(self, connection: Connection, number: int) -> TableState | None:
        head = read_heads(connection, [number]).get(number)
        if head is None:
            return None
        return load_table(connection, self.house.name, head, self.house.shoes, self.house.rules)

    def away_after(self, number: int) -> int:
        """How long a seat of this table is held without a client."""
        state = self.writer.table(number)
        return state.clocks.away if state else Clocks().away

    # --- clients ---

    def spawn(self, work: Coroutine[object, object, None]) -> None:
        """Something that nobody waits for."""
        task = asyncio.create_task(work)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def tell_own(self, client: Client) -> None:
        """What belongs to a person alone: seat, chips and wallet."""
        if client.actor is None:
            return
        wallet_code = f"wallet/{client.actor.person}"
        held = await asyncio.to_thread(self._read, lambda one: balances(one, [wallet_code]))
        state = self.writer.table(client.table)
        seat = state.seat_of(client.actor.person) if state else None
        client.seat = seat.number if seat else client.seat
        self.hub.send(
            client,
            {
                "type": "you",
                "person": client.actor.person,
                "seat": seat.number if seat else None,
                "client": client.number,
                "stack": state.stack(seat.number) if state and seat else 0,
                "wallet": held.get(wallet_code, 0),
            },
        )

    def count_socket(self, client: Client, how: str, *, resumed: bool) -> None:
        if resumed:
            self._metrics.resumes.labels(how).inc()

    # --- what is done again and again ---

    async def _keep_time(self) -> None:
        for request in await asyncio.to_thread(self._read, self._keeper.tick):
            self._thread.submit(request)

    async def _beat(self) -> None:
        await asyncio.to_thread(self._beat_now)

    def _beat_now(self) -> None:
        with self.store.write() as connection:
            beat(connection, self._process, self.clock.now())

    async def _look(self) -> None:
        """Other processes may have moved a table that somebody listens to here."""
        watched = self.hub.watched
        if not watched:
            return
        heads = await asyncio.to_thread(self._read, lambda one: read_heads(one, watched))
        for number, head in heads.items():
            if head.events > self.hub.last_told(number):
                await self._catch_up(number)

    async def _catch_up(self, number: int) -> None:
        known = self.hub.last_told(number)
        state, entries = await asyncio.to_thread(
            self._read, lambda one: self._since(one, number, known)
        )
        assert state is not None, "a table that somebody listens to"
        for entry in entries:
            events = [numbered.event for numbered in events_of(entry)]
            self.hub.tell(state, entry.first_event, events)

    def _since(self, connection: Connection, number: int, known: int) -> Missed:
        """The table now, and the entries behind the event that is known here."""
        version = version_of_event(connection, number, known) or 0
        entries = list(read_entries(connection, number, version))
        return self._loaded(connection, number), entries

    async def _seal(self) -> None:
        await asyncio.to_thread(self._seal_now)

    def _seal_now(self) -> None:
        now = self.clock.now()
        try:
            with self.store.write() as connection:
                seal_books(connection, now)
        except IntegrityError:
            pass  # another process sealed at the same moment
        self.last_seal_at = now
        self._metrics.seal_age_seconds.set(0)

    async def _weigh(self) -> None:
        held = await asyncio.to_thread(self._read, balances)
        self.imbalance = sum(held.values())
        self._metrics.ledger_imbalance_cents.set(self.imbalance)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self.store.read() as connection:
            return work(connection)


async def _again_and_again(work: Callable[[], Awaitable[None]], every: float) -> None:
    """Until it is cancelled; a database that is away for a while ends nothing."""
    while True:
        try:
            await work()
        except DBAPIError as error:
            log("database_error", error=type(error).__name__)
        await asyncio.sleep(every)
