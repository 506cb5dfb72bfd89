"""A process's live tables: command queue, writer thread, and listeners.

A person can open a private table and sit down there in a single request.
"""

from __future__ import annotations

import asyncio
import queue
import secrets
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.codec import Data
from ventiuna.engine.commands import Refused
from ventiuna.engine.events import RoundVoided, WagerSettled
from ventiuna.rules import Rules
from ventiuna.server.hub import (
    Client,
    Hub,
    Notifications,
    PostgresNotifications,
    TableVersions,
    merged,
)
from ventiuna.server.idempotency import Answers, OutcomeCallback
from ventiuna.server.problems import RequestDeclined
from ventiuna.server.telemetry import Metrics, log, log_database_error, log_failure
from ventiuna.table import admin, listings, presence
from ventiuna.table.accounts import Person
from ventiuna.table.admin import OperatorAction
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import BuyChips, CloseTable, TableCommand, TakeSeat
from ventiuna.table.domain.handlers import Actor, ActorRole
from ventiuna.table.domain.state import Clocks, TableState
from ventiuna.table.history import TimelineEvent, Timelines
from ventiuna.table.journal import balances, read_heads
from ventiuna.table.moments import Moments
from ventiuna.table.presence import restart_requests, start_heartbeat
from ventiuna.table.read_model import load_table
from ventiuna.table.store.connection import Store
from ventiuna.table.store.statements import DATABASE_ERRORS
from ventiuna.table.writer import (
    MAX_BATCH,
    UNKNOWN,
    BatchResult,
    Clock,
    CommandOutcome,
    CommandRequest,
    HouseContext,
    Refusal,
    TableUpdate,
    Unknown,
    Writer,
    require_done,
)


def actor_for(person: Person) -> Actor:
    return Actor(f"person/{person.id}", ActorRole(str(person.role)), str(person.id), person.name)


MAX_READS_KEPT = 256
T = TypeVar("T")


class _Results(NamedTuple):
    """Results that stay valid as long as the number of writes doesn't change."""

    writes: int | None
    by_key: dict[Hashable, Any]


class CachedReads:
    """Runs reads outside the event loop and reuses results until the next write.

    A SQLite house belongs to one process that counts its writes, so the file changes only when the
    count does. Other processes may write to a PostgreSQL house, so nothing is reused.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._results = _Results(None, {})  # replaced as a whole so that threads need no lock

    async def run(self, key: Hashable, work: Callable[[Connection], T]) -> T:
        """Return the result of `work`; it must depend only on the database and the key."""
        cached = self._results
        if cached.writes is not None and cached.writes == self._writes() and key in cached.by_key:
            result: T = cached.by_key[key]
            return result
        return await asyncio.to_thread(self._read, key, work)

    def _read(self, key: Hashable, work: Callable[[Connection], T]) -> T:
        writes = self._writes()  # read before the data so that a concurrent write isn't missed
        with self._store.read() as connection:
            result = work(connection)
        if writes is not None:
            cached = self._results
            if cached.writes != writes or len(cached.by_key) >= MAX_READS_KEPT:
                cached = self._results = _Results(writes, {})
            cached.by_key[key] = result
        return result

    def _writes(self) -> int | None:
        return getattr(self._store, "writes", None)


@dataclass(frozen=True, slots=True)
class QueuedCommand:
    """A command in the queue, with the callback for its outcome."""

    request: CommandRequest
    sink: OutcomeCallback | None
    since: float


@dataclass(frozen=True, slots=True)
class CommittedBatch:
    """A committed batch of commands and its results."""

    waited: list[QueuedCommand]
    step: BatchResult
    began: float
    ended: float


class WriterThread:
    """Runs queued commands in a thread and calls `done` in that thread after each commit."""

    def __init__(self, writer: Writer, on_commit: Callable[[CommittedBatch], None]) -> None:
        self._writer = writer
        self._done = on_commit
        self._queue: queue.SimpleQueue[QueuedCommand | None] = queue.SimpleQueue()
        self._thread = Thread(target=self._run, name="ventiuna-writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def submit(self, request: CommandRequest, sink: OutcomeCallback | None = None) -> None:
        self._queue.put(QueuedCommand(request, sink, time.perf_counter()))

    def stop(self) -> None:
        """Finish the queued commands, then end the thread."""
        self._queue.put(None)
        self._thread.join()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def _run(self) -> None:
        goes_on = True
        while goes_on:
            first = self._queue.get()
            if first is None:
                return
            batch = [first]
            while len(batch) < MAX_BATCH and goes_on:
                try:
                    one = self._queue.get_nowait()
                except queue.Empty:
                    break
                if one is None:
                    goes_on = False
                else:
                    batch.append(one)
            began = time.perf_counter()
            step = self._writer.step([waiting.request for waiting in batch])
            self._done(CommittedBatch(batch, step, began, time.perf_counter()))


RESTARTING = f"The house is restarting. {UNKNOWN}"
AFTER_OUTAGE = "the house was down"
MAX_MISSED_EVENTS = 400  # with more missed events, the client gets a snapshot instead
JOIN_ATTEMPTS = 5
RETRY_MS = 1_500
GOODBYE_WITHIN = 2.0  # seconds for clients to receive the goodbye

_COUNTED_EVENTS = frozenset({ev.RoundClosed, ev.TimeRanOut, ev.ShoeCut, WagerSettled})

Listener = Callable[[TableState], None]
MissedEvents = tuple[TableState | None, list[TimelineEvent], Data]


class Tables:
    def __init__(self, store: Store, house: HouseContext, clock: Clock, metrics: Metrics) -> None:
        self.store = store
        self.reads = CachedReads(store)
        self.house = house
        self.clock = clock
        self.metrics = metrics
        self.hub = Hub()
        self.answers = Answers()
        self.timelines = Timelines()
        self.moments = Moments()
        self.writer = Writer(store, house, clock)
        self.process = 0
        self._thread = WriterThread(self.writer, self._finished)
        self._processes = Notifications()
        self._listeners: list[Listener] = []
        self._own_tables: set[int] = set()  # followed here without a client
        self._versions_sent: dict[int, int] = {}  # last version sent by table
        self._jackpots: dict[int, frozenset[int]] = {}  # linked jackpots by table
        self._behind: set[int] = set()  # tables with a fetch in progress
        self._errands: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._drains = False
        self._retries: Counter[str] = Counter()
        # when the hold ends, by departed client
        self._departures: dict[tuple[int, int, int], int] = {}

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        address = getattr(self.store, "address", None)
        if address is not None:
            self._processes = PostgresNotifications(address, self._on_notification)
        requests = await asyncio.to_thread(self._begin)
        self._thread.start()
        self._processes.start()
        for request in requests:
            self._thread.submit(request)

    async def drain(self) -> None:
        """Accept no new commands, finish and report queued commands, then dismiss all clients."""
        if self._drains or self._loop is None:
            return
        self._drains = True
        await asyncio.to_thread(self._thread.stop)
        end = time.monotonic() + GOODBYE_WITHIN
        while self.hub.clients() and time.monotonic() < end:
            self.hub.say_goodbye("restart", RETRY_MS)  # including newly connected clients
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        await self.drain()
        await asyncio.to_thread(self._processes.stop)

    def _begin(self) -> list[CommandRequest]:
        """Register this process; after an outage, restart all clocks."""

        def enter(connection: Connection) -> tuple[int, bool, list[CommandRequest]]:
            now = self.clock.now()
            process, was_out = start_heartbeat(connection, now)
            requests = restart_requests(connection, now, AFTER_OUTAGE) if was_out else []
            return process, was_out, requests

        self.process, was_out, requests = self.writer.run(enter)
        if was_out:
            self.metrics.clock_restarts.inc()
        return requests

    @property
    def is_writing(self) -> bool:
        return self._thread.is_alive

    @property
    def is_alone(self) -> bool:
        """Whether this is the only process that can serve this house."""
        return type(self._processes) is Notifications

    @property
    def is_leader(self) -> bool:
        """Whether this process runs the house's clock, seals its books, and plays its bots."""
        return self._processes.is_leader

    def submit(self, request: CommandRequest, sink: OutcomeCallback | None = None) -> None:
        if not self._drains:
            self._thread.submit(request, sink)
        elif sink is not None:
            sink(Unknown(request.table, request.key, RESTARTING))

    async def ask(self, request: CommandRequest, *, once: bool = False) -> CommandOutcome:
        """Run a command and wait for its outcome; with `once`, copies get the same outcome."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[CommandOutcome] = loop.create_future()

        def answered(outcome: CommandOutcome) -> None:
            if not answer.done():  # the caller may have gone away
                answer.set_result(outcome)

        if once:
            self.answers.run(request, answer, self.submit, answered)
        else:
            self.submit(request, answered)
        return await answer

    def _finished(self, finished: CommittedBatch) -> None:
        assert self._loop is not None, "the writer ran before the event loop"
        self._loop.call_soon_threadsafe(self._finish_batch, finished)

    def _finish_batch(self, finished: CommittedBatch) -> None:
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
        for update in step.updates:
            self._count(update)
        for update in merged(step.updates):
            if self.hub.is_next(update.table, update.first_event):
                self.hub.broadcast(update)
                self._mark_sent(update.state)
            else:  # another process changed the table in between
                self._fetch(update.table)
        self._processes.publish({update.table: update.version for update in step.updates})

    def _mark_sent(self, state: TableState) -> None:
        """Record that all clients have this state, and notify the listeners."""
        self._versions_sent[state.number] = state.head.version
        self._note_links(state)
        for listener in self._listeners:
            listener(state)

    def listen(self, listener: Listener) -> None:
        """Call `listener` on the event loop with every changed table."""
        self._listeners.append(listener)

    def _count_step(self, finished: CommittedBatch) -> None:
        took = finished.ended - finished.began
        self.metrics.commit_seconds.observe(took)
        self.metrics.commands_per_commit.observe(len(finished.waited))
        for reason, times in list(self.writer.retries.items()):
            self.metrics.retries.labels(reason).inc(times - self._retries[reason])
            self._retries[reason] = times
        for update in finished.step.updates:
            if any(isinstance(event, ev.RoundClosed) for event in update.events):
                self.metrics.settle_seconds.observe(took)

    def _count(self, update: TableUpdate) -> None:
        kinds = {type(event) for event in update.events}
        if kinds.isdisjoint(_COUNTED_EVENTS):
            return
        is_void = RoundVoided in kinds
        for event in update.events:
            if isinstance(event, ev.RoundClosed):
                self.metrics.rounds.labels("void" if is_void else "closed").inc()
            elif isinstance(event, ev.TimeRanOut):
                self.metrics.time_ups.inc()
            elif isinstance(event, ev.ShoeCut):
                self.metrics.withheld_cuts.inc(len(event.withheld))
            elif isinstance(event, WagerSettled) and event.meter:
                self.metrics.awards.inc()

    async def state(self, number: int) -> TableState | None:
        """A table's committed state, or None if there is no such table."""
        known = self.writer.table(number)
        if known is not None and self.is_alone:
            return known
        return await self.read(lambda conn: self._loaded(conn, number, known))

    def _loaded(
        self, connection: Connection, number: int, known: TableState | None
    ) -> TableState | None:
        head = read_heads(connection, [number]).get(number)
        if head is None:
            return None
        if known is not None and known.head == head:
            return known
        return load_table(connection, self.house.name, head, self.house.shoes, self.house.rules)

    def away_after(self, number: int) -> int:
        """Milliseconds that this table holds a seat without a client."""
        state = self.writer.table(number)
        return state.clocks.away if state else Clocks().away

    @property
    def followed(self) -> list[int]:
        """Tables with listeners in this process."""
        return sorted({*self.hub.watched, *self._own_tables})

    def follow(self, number: int) -> None:
        """Keep following this table, including changes made by other processes."""
        self._own_tables.add(number)

    def _on_notification(self, moved: TableVersions) -> None:
        """Called in the listening thread."""
        assert self._loop is not None, "a notification came before the event loop"
        self._loop.call_soon_threadsafe(self.notice, moved)

    def notice(self, moved: TableVersions) -> None:
        """Compare with the current table versions and fetch any missing updates."""
        for number in moved.keys() & set(self.followed):
            if self._versions_sent.get(number, -1) < moved[number]:
                self._fetch(number)

    def _fetch(self, number: int) -> None:
        if number not in self._behind:
            self._behind.add(number)
            self.spawn(self._catch_up(number))

    async def _catch_up(self, number: int) -> None:
        known = self.hub.last_sent(number)
        try:
            state, lines, recent = await self.read(lambda conn: self._since(conn, number, known))
        finally:
            self._behind.discard(number)
        if state is None or self.hub.last_sent(number) != known:
            return  # already updated; the next check finds any other missing updates
        self._versions_sent[number] = state.head.version
        if lines:
            self.hub.broadcast_recorded(state, lines)
            self._mark_sent(state)
        elif state.head.events > known:
            self.hub.show(state, recent)

    def _since(self, connection: Connection, number: int, known: int | None) -> MissedEvents:
        """The current table, with either the events after `known` or the recent history."""
        state = self._loaded(connection, number, self.writer.table(number))
        if state is None:
            return state, [], {}
        missed = state.head.events - (known or 0)
        if known and 0 < missed <= MAX_MISSED_EVENTS:
            return state, self.timelines.since(connection, state, known), {}
        return state, [], self.timelines.recent(connection, state)

    async def join(self, client: Client, after: int | None) -> str | None:
        """Bring a client up to date and subscribe it to the table.

        If `after` is the number of the client's last event, the client gets the events that it
        missed, or a snapshot if there are too many. Returns `events` or `snapshot`, or None if
        there is no such table.
        """
        with self.hub.expecting(client.table):
            for _ in range(JOIN_ATTEMPTS):
                if after is not None and self.hub.resume(client, after):
                    return "events"
                state, lines, recent = await self.read(
                    lambda conn: self._since(conn, client.table, after)
                )
                if state is None:
                    return None
                text = self.hub.message(state, lines, recent)
                if self.hub.join(client, state.head.events, text):
                    return "events" if lines else "snapshot"
        raise AssertionError("a table that changes faster than it can be read")

    def spawn(self, work: Coroutine[object, object, None]) -> None:
        """Run a task in the background; its errors are logged."""
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
        """Record that a client is playing the seat; return its number among the seat's clients."""
        return await self.write(lambda conn: presence.connect(conn, table, seat, self.process))

    async def disconnect(self, table: int, seat: int, client: int) -> None:
        """Hold the seat for its person; if the database is unavailable, record it later."""
        until = self.clock.now() + self.away_after(table)
        self._departures[table, seat, client] = until
        await self.record_departures()

    async def record_departures(self) -> None:
        """Record departures missing from the database; otherwise, the seats would stay occupied."""
        for removed, until in list(self._departures.items()):
            table, seat, client = removed
            leave = partial(
                presence.disconnect, table=table, number=seat, client=client, until=until
            )
            try:
                await self.write(leave)
            except DATABASE_ERRORS as error:
                log_database_error(error)
                return
            self._departures.pop(removed, None)

    async def send_private_data(self, client: Client) -> None:
        """Send the client its private data: seat, chips, and wallet."""
        if client.actor is None:
            return
        wallet_code = f"wallet/{client.actor.person}"
        wallets = await self.read(lambda conn: balances(conn, [wallet_code]))
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
                "wallet": wallets.get(wallet_code, 0),
            },
        )

    def show_meters(self, displayed: Mapping[int, int]) -> None:
        """Set the progressive meters and send those that changed."""
        before, self.house.shown = self.house.shown, dict(displayed)
        for jackpot, cents in displayed.items():
            if before.get(jackpot) != cents:
                self.metrics.meter_cents.labels(str(jackpot)).set(cents)
                self.hub.broadcast_meter(self._linked(jackpot), jackpot, cents)
        for jackpot in before.keys() - displayed.keys():
            self.metrics.meter_cents.remove(str(jackpot))

    def show_suspended(self, suspended: frozenset[int]) -> None:
        """Set the suspended jackpots and resend the affected tables."""
        changed, self.hub.suspended = suspended ^ self.hub.suspended, suspended
        for number in {table for jackpot in changed for table in self._linked(jackpot)}:
            self.spawn(self._resend(number))

    async def _resend(self, number: int) -> None:
        known = self.hub.last_sent(number)
        state, _, lines = await self.read(lambda conn: self._since(conn, number, None))
        if state is not None and self.hub.last_sent(number) == known:  # otherwise already sent
            self._versions_sent[number] = state.head.version
            self.hub.show(state, lines)

    def _linked(self, jackpot: int) -> list[int]:
        """Tables with listeners that show this jackpot."""
        return [number for number in self.hub.watched if jackpot in self._jackpots.get(number, ())]

    def _note_links(self, state: TableState) -> None:
        self._jackpots[state.number] = frozenset(link.jackpot for link in state.links.values())

    async def send_meters(self, client: Client) -> None:
        """Send a new client the current meters."""
        state = await self.state(client.table)
        if state is None:
            return
        self._note_links(state)
        for link in state.links.values():
            if link.jackpot in self.house.shown:
                cents = self.house.shown[link.jackpot]
                self.hub.send_meter(client, link.jackpot, cents)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self._read, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self.writer.run, work)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self.store.read() as connection:
            return work(connection)


MAX_CHIPS = 100_000  # default buy-in limit, in cents


async def open_personal_table(
    live: Tables, who: Person, key: str, name: str, rules: Rules, maximum: int
) -> int:
    """Open a private table, closing the person's previous one."""
    for old in await live.read(lambda conn: admin.own_tables(conn, who.id)):
        await _close_previous_table(live, who, old.table)
    if len(await live.read(admin.own_tables)) >= maximum:
        raise RequestDeclined(
            503,
            "busy",
            "The house already has the maximum number of private tables. Try again later, or join "
            "a public table.",
        )
    act = OperatorAction(admin.owner_actor(who.id), key or secrets.token_hex(16), live.clock)
    return await live.write(lambda conn: admin.open_own_table(conn, live.house, act, name, rules))


async def _close_previous_table(live: Tables, who: Person, table: int) -> None:
    state = await live.state(table)
    if state is not None and (state.is_dealt or state.stake):
        raise RequestDeclined(
            409,
            "hand_waits",
            f"You have an unfinished hand at {state.name}. Finish it first.",
        )
    await run_for_owner(live, who.id, table, CloseTable(admin.REPLACED_REASON))


async def run_for_owner(live: Tables, owner: int, table: int, command: TableCommand) -> int:
    """Run a command on behalf of the table's owner; return the number of the last event."""
    return await _run_command(live, admin.owner_actor(owner), table, command)


async def close_abandoned_tables(live: Tables) -> None:
    """Close private tables whose owner hasn't come back."""
    if not live.is_leader:
        return
    now = live.clock.now()
    for item in await live.read(lambda conn: admin.abandoned_tables(conn, now)):
        key = f"close/{item.table}"
        command = CloseTable(admin.CLOSED_REASON)
        live.submit(CommandRequest(item.table, admin.owner_actor(item.owner), key, command))


async def seat_person(
    live: Tables, who: Person, table: int, seat: int | None, chips: int | None
) -> int:
    """Seat the person, in their current seat if they have one, and buy chips; return the seat."""
    state = await live.state(table)
    if state is None:
        raise RequestDeclined(404, "no_such_table", f"There is no table {table}.")
    check_table_owner(await live.read(lambda conn: admin.owner_of_table(conn, table)), str(who.id))
    current = state.seat_of(str(who.id))
    number = current.number if current else seat or _free_seat(state)
    if current is None:
        await _run_command(live, actor_for(who), table, TakeSeat(number))
        await live.write(lambda conn: _hold_seat(live, conn, state, number))
    if current is None or chips is not None:
        wallet = await live.read(lambda conn: listings.wallet_of(conn, who.id))
        amount = min(wallet, MAX_CHIPS) if chips is None else chips
        if amount:
            await _run_command(live, actor_for(who), table, BuyChips(amount))
    return number


def check_table_owner(owner: int | None, person: str) -> None:
    """Raise `Refused` if the table is someone else's private table."""
    if owner is not None and str(owner) != person:
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            (),
            "This is someone else's private table. You may watch it, or open your own.",
        )


def _free_seat(state: TableState) -> int:
    """The free seat nearest to the middle."""
    middle = (state.rules.seats + 1) / 2
    free = [number for number in range(1, state.rules.seats + 1) if number not in state.seats]
    if not free:
        raise RequestDeclined(
            409, "table_full", "This table has no free seat. Watch, or try another table."
        )
    return min(free, key=lambda number: abs(number - middle))


def _hold_seat(live: Tables, connection: Connection, state: TableState, seat: int) -> None:
    """Hold a seat that has no connection yet, as if the connection had been lost."""
    client = presence.connect(connection, state.number, seat, live.process)
    until = live.clock.now() + state.clocks.away
    presence.disconnect(connection, state.number, seat, client, until)


async def _run_command(live: Tables, actor: Actor, table: int, command: TableCommand) -> int:
    outcome = await live.ask(CommandRequest(table, actor, secrets.token_hex(16), command))
    return require_done(outcome).n
