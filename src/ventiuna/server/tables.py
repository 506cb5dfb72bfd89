"""The live tables of one process: its writer, its listeners, and what other processes tell.

Commands go in by `submit`. What came of them is told on the event loop, after the commit: first
to who asked, then to everybody who listens.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection

from ventiuna.engine.events import RoundVoided, WagerSettled
from ventiuna.engine.records import Data
from ventiuna.server.copies import Refusals
from ventiuna.server.hub import Client, Hub
from ventiuna.server.logs import log, log_database_error, log_failure
from ventiuna.server.metrics import Metrics
from ventiuna.server.news import Moved, NoNews
from ventiuna.server.news import News as Processes
from ventiuna.server.writing import Finished, Sink, WriterThread
from ventiuna.table import events as ev
from ventiuna.table.books.entries import balances, read_heads
from ventiuna.table.house.keeper import restarts, start_beating
from ventiuna.table.persons import presence
from ventiuna.table.play.clocks import Clocks
from ventiuna.table.play.state import TableState
from ventiuna.table.ports import Clock
from ventiuna.table.records.story import Stories, ToldEvent
from ventiuna.table.store.errors import DATABASE_ERRORS
from ventiuna.table.store.opening import Store
from ventiuna.table.telling.shown import Shown, Telling
from ventiuna.table.writing.loading import load_table
from ventiuna.table.writing.requests import News, Outcome, Refusal, Request, Unknown
from ventiuna.table.writing.transaction import House
from ventiuna.table.writing.writer import UNKNOWN, Writer

RESTARTING = f"The house is restarting. {UNKNOWN}"
AFTER_OUTAGE = "the house was out"
MOST_MISSED = 400  # events that are told one by one; above it the whole table is shown
JOIN_ATTEMPTS = 5
RETRY_MS = 1_500
GOODBYE_WITHIN = 2.0  # seconds that clients get to take it

T = TypeVar("T")
Listener = Callable[[TableState], None]
Missed = tuple[TableState | None, list[ToldEvent], Data]


class Tables:
    def __init__(self, store: Store, house: House, clock: Clock, metrics: Metrics) -> None:
        self.store = store
        self.house = house
        self.clock = clock
        self.metrics = metrics
        self.hub = Hub()
        self.refusals = Refusals()
        self.stories = Stories()
        self.writer = Writer(store, house, clock)
        self.process = 0
        self._thread = WriterThread(self.writer, self._finished)
        self._processes: Processes = NoNews()
        self._listeners: list[Listener] = []
        self._own_tables: set[int] = set()  # followed here without a client
        self._told: dict[int, int] = {}  # versions by table
        self._jackpots: dict[int, frozenset[int]] = {}  # linked ones by table
        self._behind: set[int] = set()  # tables whose news are being fetched
        self._errands: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._drains = False
        self._retries: Counter[str] = Counter()
        self._gone: dict[tuple[int, int, int], int] = {}  # clients that left seats: held until

    # --- coming and going ---

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        address = getattr(self.store, "address", None)
        if address is not None:
            from ventiuna.server.postgres_news import PostgresNews  # an extra of its own

            self._processes = PostgresNews(address, self._heard)
        requests = await asyncio.to_thread(self._begin)
        self._thread.start()
        self._processes.start()
        for request in requests:
            self._thread.submit(request)

    async def drain(self) -> None:
        """Nothing new is begun; what waits is carried out and told, and everybody is let go."""
        if self._drains or self._loop is None:
            return
        self._drains = True
        await asyncio.to_thread(self._thread.stop)
        end = time.monotonic() + GOODBYE_WITHIN
        while self.hub.clients() and time.monotonic() < end:
            self.hub.say_goodbye("restart", RETRY_MS)  # to those too who came meanwhile
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        await self.drain()
        await asyncio.to_thread(self._processes.stop)

    def _begin(self) -> list[Request]:
        """Say that this process is here; after an outage everybody gets a new clock."""
        self.process, was_out, requests = self.writer.run(self._enter)
        if was_out:
            self.metrics.clock_restarts.inc()
        return requests

    def _enter(self, connection: Connection) -> tuple[int, bool, list[Request]]:
        now = self.clock.now()
        process, was_out = start_beating(connection, now)
        requests = restarts(connection, now, AFTER_OUTAGE) if was_out else []
        return process, was_out, requests

    @property
    def is_writing(self) -> bool:
        return self._thread.is_alive

    @property
    def is_alone(self) -> bool:
        """Whether no other process can serve this house."""
        return isinstance(self._processes, NoNews)

    @property
    def is_keeper(self) -> bool:
        """Whether this process keeps the house's clock, seals its books and plays its bots."""
        return self._processes.is_keeper

    # --- commands ---

    def submit(self, request: Request, sink: Sink | None = None) -> None:
        if not self._drains:
            self._thread.submit(request, sink)
        elif sink is not None:
            sink(Unknown(request.table, request.key, RESTARTING))

    async def ask(self, request: Request) -> Outcome:
        """A command and its outcome, for those who wait for nothing else."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Outcome] = loop.create_future()

        def answered(outcome: Outcome) -> None:
            if not answer.done():  # who asked may have gone
                answer.set_result(outcome)

        self.submit(request, answered)
        return await answer

    def _finished(self, finished: Finished) -> None:
        assert self._loop is not None, "the writer runs before the loop"
        self._loop.call_soon_threadsafe(self._tell, finished)

    def _tell(self, finished: Finished) -> None:
        step = finished.step
        for waiting, outcome in zip(finished.waited, step.outcomes, strict=True):
            kind = type(waiting.request.command).__name__
            name = outcome.code if isinstance(outcome, Refusal) else type(outcome).__name__.lower()
            self.metrics.commands.labels(kind, str(name)).inc()
            self.metrics.queue_seconds.observe(finished.began - waiting.since)
            if waiting.sink is not None:
                waiting.sink(outcome)
        self._count_step(finished)
        for fault in step.faults:
            log(
                "table_fault",
                table=fault.request.table,
                command=type(fault.request.command).__name__,
                error=type(fault.error).__name__,
            )
        for news in step.news:
            if self.hub.is_next(news.table, news.first_event):
                self._tell_events(news.state, news.first_event, news.events, partial(_shown, news))
            else:  # another process was there between
                self._fetch(news.table)
            self._count(news)
        self._processes.tell({news.table: news.version for news in step.news})

    def _tell_events(
        self,
        state: TableState,
        first: int,
        events: Sequence[ev.TableEvent],
        shown: Callable[[], list[Shown]],
    ) -> None:
        self.hub.tell(state, first, events, shown)
        self._told[state.number] = state.head.version
        self._note_links(state)
        for listener in self._listeners:
            listener(state)

    def listen(self, listener: Listener) -> None:
        """Called on the event loop with every table that has moved, as it stands then."""
        self._listeners.append(listener)

    def _count_step(self, finished: Finished) -> None:
        took = finished.ended - finished.began
        self.metrics.commit_seconds.observe(took)
        self.metrics.commands_per_commit.observe(len(finished.waited))
        for reason, times in list(self.writer.retries.items()):
            self.metrics.retries.labels(reason).inc(times - self._retries[reason])
            self._retries[reason] = times
        ended = [
            news
            for news in finished.step.news
            if any(isinstance(event, ev.RoundClosed) for event in news.events)
        ]
        for _ in ended:
            self.metrics.settle_seconds.observe(took)

    def _count(self, news: News) -> None:
        is_void = any(isinstance(event, RoundVoided) for event in news.events)
        for event in news.events:
            if isinstance(event, ev.RoundClosed):
                self.metrics.rounds.labels("void" if is_void else "closed").inc()
            elif isinstance(event, ev.TimeRanOut):
                self.metrics.time_ups.inc()
            elif isinstance(event, ev.ShoeCut):
                self.metrics.withheld_cuts.inc(len(event.withheld))
            elif isinstance(event, WagerSettled) and event.meter:
                self.metrics.awards.inc()

    # --- tables ---

    async def state(self, number: int) -> TableState | None:
        """A table as it is committed; None where there is none."""
        known = self.writer.table(number)
        if known is not None and self.is_alone:
            return known
        return await asyncio.to_thread(self._load, number, known)

    def _load(self, number: int, known: TableState | None) -> TableState | None:
        with self.store.read() as connection:
            return self._loaded(connection, number, known)

    def _loaded(
        self, connection: Connection, number: int, known: TableState | None = None
    ) -> TableState | None:
        head = read_heads(connection, [number]).get(number)
        if head is None:
            return None
        if known is not None and known.head == head:
            return known
        return load_table(connection, self.house.name, head, self.house.shoes, self.house.rules)

    def away_after(self, number: int) -> int:
        """How long a seat of this table is held without a client."""
        state = self.writer.table(number)
        return state.clocks.away if state else Clocks().away

    # --- what other processes do ---

    @property
    def followed(self) -> list[int]:
        """Tables that somebody listens to here."""
        return sorted({*self.hub.watched, *self._own_tables})

    def follow(self, number: int) -> None:
        """Hear of this table for good, also where other processes move it."""
        self._own_tables.add(number)

    def _heard(self, moved: Moved) -> None:
        """Called in the thread that listens."""
        assert self._loop is not None, "news before the loop"
        self._loop.call_soon_threadsafe(self.notice, moved)

    def notice(self, moved: Moved) -> None:
        """These are the tables' versions; what is not known here is fetched."""
        for number in moved.keys() & set(self.followed):
            if self._told.get(number, -1) < moved[number]:
                self._fetch(number)

    def _fetch(self, number: int) -> None:
        if number not in self._behind:
            self._behind.add(number)
            self.spawn(self._catch_up(number))

    async def _catch_up(self, number: int) -> None:
        known = self.hub.last_told(number)
        try:
            state, told, recent = await self.read(lambda one: self._since(one, number, known))
        finally:
            self._behind.discard(number)
        if state is None or self.hub.last_told(number) != known:
            return  # told meanwhile; the next look finds what is still missing
        self._told[number] = state.head.version
        if told:
            events = [one.event for one in told]
            self._tell_events(state, told[0].number, events, lambda: [one.shown for one in told])
        elif state.head.events > known:
            self.hub.show(state, recent)

    def _since(self, connection: Connection, number: int, known: int | None) -> Missed:
        """The table now, and what happened behind the event that is known: told, or its story."""
        state = self._loaded(connection, number, self.writer.table(number))
        if state is None:
            return state, [], {}
        missed = state.head.events - (known or 0)
        if known and 0 < missed <= MOST_MISSED:
            return state, self.stories.since(connection, state, known), {}
        return state, [], self.stories.recent(connection, state)

    # --- clients ---

    async def join(self, client: Client, after: int | None) -> str | None:
        """Tell a client where the table stands; from then on it hears everything.

        With `after`, the number of the last event it knows, it gets what it missed, as long as
        that is not too much; else all of it. Says which: `events` or `snapshot`; None where
        there is no such table.
        """
        with self.hub.expecting(client.table):
            for _ in range(JOIN_ATTEMPTS):
                if after is not None and self.hub.resume(client, after):
                    return "events"
                state, told, recent = await self.read(
                    lambda one: self._since(one, client.table, after)
                )
                if state is None:
                    return None
                text = self.hub.message(state, told, recent)
                if self.hub.join(client, state.head.events, text):
                    return "events" if told else "snapshot"
        raise AssertionError("a table that moves faster than it can be read")

    def spawn(self, work: Coroutine[object, object, None]) -> None:
        """Something that nobody waits for."""
        task = asyncio.create_task(work)
        self._errands.add(task)
        task.add_done_callback(self._errand_ended)

    def _errand_ended(self, task: asyncio.Task[None]) -> None:
        self._errands.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, DATABASE_ERRORS):
            log_database_error(error)
        elif error is not None:
            log_failure("errand_failed", error)

    async def connect(self, table: int, seat: int) -> int:
        """A client of a seat is here; its number among those of the seat."""
        return await self.write(lambda one: presence.connect(one, table, seat, self.process))

    async def disconnect(self, table: int, seat: int, client: int) -> None:
        """It is gone: the seat is held for its person, from now or from when it can be written."""
        until = self.clock.now() + self.away_after(table)
        self._gone[table, seat, client] = until
        await self.tell_gone()

    async def tell_gone(self) -> None:
        """What the database was not told yet: else those seats would be held by nobody for ever."""
        for gone, until in list(self._gone.items()):
            table, seat, client = gone
            leave = partial(
                presence.disconnect, table=table, number=seat, client=client, until=until
            )
            try:
                await self.write(leave)
            except DATABASE_ERRORS as error:
                log_database_error(error)
                return
            self._gone.pop(gone, None)

    async def tell_own(self, client: Client) -> None:
        """What belongs to a person alone: seat, chips and wallet."""
        if client.actor is None:
            return
        wallet_code = f"wallet/{client.actor.person}"
        held = await self.read(lambda one: balances(one, [wallet_code]))
        state = await self.state(client.table)
        seat = state.seat_of(client.actor.person) if state else None
        client.seat = seat.number if seat else client.seat
        self.hub.send(
            client,
            {
                "type": "you",
                "person": client.actor.person,
                "seat": seat.number if seat else None,
                "client": client.number,
                "token_until": client.token_until,
                "stack": state.stack(seat.number) if state and seat else 0,
                "wallet": held.get(wallet_code, 0),
            },
        )

    # --- meters ---

    def show_meters(self, shown: Mapping[int, int]) -> None:
        """What the progressives show now; told where it is another amount than before."""
        before, self.house.shown = self.house.shown, dict(shown)
        for jackpot, cents in shown.items():
            if before.get(jackpot) != cents:
                self.metrics.meter_cents.labels(str(jackpot)).set(cents)
                self.hub.tell_meter(self._linked(jackpot), jackpot, cents)
        for jackpot in before.keys() - shown.keys():
            self.metrics.meter_cents.remove(str(jackpot))

    def show_suspended(self, suspended: frozenset[int]) -> None:
        """Set the jackpots that take no bets, and show the affected tables again."""
        changed, self.hub.suspended = suspended ^ self.hub.suspended, suspended
        for number in {table for jackpot in changed for table in self._linked(jackpot)}:
            self.spawn(self._show_again(number))

    async def _show_again(self, number: int) -> None:
        known = self.hub.last_told(number)
        state, _, lines = await self.read(lambda one: self._since(one, number, None))
        if state is not None and self.hub.last_told(number) == known:  # else it was sent meanwhile
            self._told[number] = state.head.version
            self.hub.show(state, lines)

    def _linked(self, jackpot: int) -> list[int]:
        """Tables with listeners that show this jackpot."""
        return [number for number in self.hub.watched if jackpot in self._jackpots.get(number, ())]

    def _note_links(self, state: TableState) -> None:
        self._jackpots[state.number] = frozenset(link.jackpot for link in state.links.values())

    async def tell_meters(self, client: Client) -> None:
        """What a newcomer sees at once."""
        state = await self.state(client.table)
        if state is None:
            return
        self._note_links(state)
        for link in state.links.values():
            if link.jackpot in self.house.shown:
                cents = self.house.shown[link.jackpot]
                self.hub.tell_meter_to(client, link.jackpot, cents)

    # --- the database, off the event loop ---

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self._read, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self.writer.run, work)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self.store.read() as connection:
            return work(connection)


def _shown(news: News) -> list[Shown]:
    return Telling.at(news.before).show_all(news.events)
