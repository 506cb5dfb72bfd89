"""A server process of the simulated house, with a real writer, hub, and clock keeper.

The world's heap replaces asyncio and threads. Other things can happen between the commit, the
answers, and the updates, and the process may die.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from tests.simulated_house.disk import Killed
from tests.simulated_house.world import MINUTE, Action, FaultKind, Faults, VirtualClock, World
from ventiuna.engine.codec import Data
from ventiuna.rules import Rules
from ventiuna.server.hub import Client, Hub
from ventiuna.server.idempotency import Answers
from ventiuna.table import presence
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.domain.state import TableState
from ventiuna.table.history import TimelineEvent, Timelines
from ventiuna.table.jackpots.repository import (
    fold_over_maximum,
    over_maximum,
    read_displayed_amounts,
)
from ventiuna.table.journal import JournalConflict, read_heads, seal_books
from ventiuna.table.presence import DeadlineScheduler, heartbeat, restart_requests, start_heartbeat
from ventiuna.table.read_model import load_table
from ventiuna.table.store.connection import Store
from ventiuna.table.writer import (
    MAX_BATCH,
    BatchResult,
    CommandOutcome,
    CommandRequest,
    HouseContext,
    TableUpdate,
    Writer,
)

TICK_EVERY = 1_000  # milliseconds
BEAT_EVERY = 2_500
LOOK_EVERY = 1_500
NOTHING_RECENT: Data = {"story": [], "scene": []}
SHARE_OF_STORIES = 0.25  # share of clients that get a story; any value would do

T = TypeVar("T")
Sink = Callable[[CommandOutcome], None]
Waiting = tuple[CommandRequest, Sink | None]


class Watcher(Protocol):
    """Checks what servers do."""

    def committed(self) -> None:
        """A transaction may have changed the books."""

    def happened(self, step: BatchResult) -> None:
        """A step reported its results; nobody has been notified yet."""


class Server:
    def __init__(
        self,
        world: World,
        faults: Faults,
        store: Store,
        house: str,
        shoes: HouseShoeFactory,
        rules: dict[str, Rules],
        watcher: Watcher,
    ) -> None:
        self.world = world
        self.faults = faults
        self.store = store
        self.is_up = False
        self.deaths = 0
        self._house = house
        self._shoes = shoes
        self._rules = rules  # shared by all processes, because rules never change
        self._watcher = watcher
        self._on_death: dict[Action, None] = {}  # has one callback per connected client
        self.start()

    # --- starting and dying ---

    def start(self) -> None:
        """Start a new process that knows only the database."""
        self.house = HouseContext(self._house, self._shoes, rules=self._rules)
        self._loaded_last: dict[int, TableState] = {}  # cached so that a second load is free
        self._messages: dict[tuple[int, int | None], tuple[int, str]] = {}  # event and text
        self.clock = VirtualClock(self.world, self.world.between(-800, 800))
        self.writer = Writer(self.store, self.house, self.clock)
        self.hub = Hub()
        self.answers = Answers(lambda: self.clock.now() / 1_000)
        self._stories = Timelines()
        self._keeper = DeadlineScheduler(self.clock)
        self._queue: list[Waiting] = []
        self._is_working = False
        self._process: int | None = None
        self.is_up = True
        for work, every in (
            (self._keep_time, TICK_EVERY),
            (self._beat, BEAT_EVERY),
            (self._look, LOOK_EVERY),
            (self._each_minute, MINUTE),
        ):
            self._again(work, every, self.world.between(1, every))

    def die(self) -> None:
        """End all connections and forget all pending work; the process is restarted later."""
        self.deaths += 1
        self.is_up = False
        listening, self._on_death = list(self._on_death), {}
        for hang_up in listening:
            hang_up()
        self.world.after(self.world.between(200, 6_000), self.start)

    def when_it_dies(self, hang_up: Action) -> None:
        self._on_death[hang_up] = None

    def forget(self, hang_up: Action) -> None:
        self._on_death.pop(hang_up, None)

    def later(self, milliseconds: int, work: Action) -> None:
        """Schedule work, unless this process has died by then."""
        life = self.deaths

        def in_this_life() -> None:
            if self.deaths == life:
                self._run(work)

        self.world.after(milliseconds, in_this_life)

    def _again(self, work: Action, every: int, first: int) -> None:
        def once() -> None:
            self.later(every, once)
            work()

        self.later(first, once)

    def _run(self, work: Action) -> None:
        try:
            work()
        except Killed:
            self.die()
        except (DBAPIError, JournalConflict):
            pass  # retried next time
        self._watcher.committed()

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self.store.read() as connection:
            return work(connection)

    # --- commands ---

    def submit(self, request: CommandRequest, sink: Sink | None = None) -> None:
        self._queue.append((request, sink))
        if not self._is_working:
            self._is_working = True
            self.later(self.world.between(0, 4), self._work)

    def _work(self) -> None:
        batch, self._queue = self._queue[:MAX_BATCH], self._queue[MAX_BATCH:]
        step = self.writer.step([request for request, _ in batch])
        self._watcher.committed()
        self._watcher.happened(step)
        self.later(self.world.between(0, 2), lambda: self._answer(batch, step))
        self._is_working = bool(self._queue)
        if self._queue:
            self.later(self.world.between(0, 4), self._work)

    def _answer(self, batch: list[Waiting], step: BatchResult) -> None:
        self._kill(FaultKind.KILL_BEFORE_ANSWER)
        for (_, sink), outcome in zip(batch, step.outcomes, strict=True):
            if sink is not None:
                sink(outcome)
                self._kill(FaultKind.KILL_AFTER_ANSWER)
        self._kill(FaultKind.KILL_BEFORE_NEWS)
        self._tell(step.updates)

    def _tell(self, told: list[TableUpdate]) -> None:
        for update in told:
            if self.hub.is_next(update.table, update.first_event):
                self.hub.broadcast(update)
            else:  # another process wrote in between
                self.later(self.world.between(0, 5), partial(self._catch_up, update.table))

    def _kill(self, point: FaultKind) -> None:
        if self.faults.strikes(point):
            raise Killed(point)

    # --- tables and clients ---

    def state(self, number: int) -> TableState | None:
        """The committed state, whichever process wrote it."""
        return self._read(lambda conn: self.loaded(conn, number))

    def loaded(self, connection: Connection, number: int) -> TableState | None:
        """The committed state; only a changed table is read."""
        head = read_heads(connection, [number]).get(number)
        if head is None:
            return None
        for known in (self.writer.table(number), self._loaded_last.get(number)):
            if known is not None and known.head == head:
                return known
        loaded = load_table(connection, self._house, head, self._shoes, self.house.rules)
        if loaded is not None:
            self._loaded_last[number] = loaded
        return loaded

    def join(self, client: Client, after: int | None) -> TableState | None:
        """Join a client as a real server does; return the table, or None if there is none."""
        if after is not None and self.hub.resume(client, after):
            return self.state(client.table)
        state, text = self._read(lambda conn: self._shown(conn, client.table, after))
        if state is not None:
            self.hub.join(client, state.head.events, text)
        return state

    def _shown(
        self, connection: Connection, number: int, after: int | None
    ) -> tuple[TableState | None, str]:
        """The current table and its message, built once for all clients with the same events."""
        state = self.loaded(connection, number)
        if state is None:
            return None, ""
        now = state.head.events
        kept, text = self._messages.get((number, after), (0, ""))
        if kept != now:
            _, told, recent = self._since(connection, number, after)
            text = self.hub.message(state, told, recent)
            self._messages[number, after] = now, text
        return state, text

    def connect(self, table: int, seat: int) -> int:
        if self._process is None:
            self._beat()
        assert self._process is not None, "a process that has sent a heartbeat has a number"
        with self.store.write() as connection:
            return presence.connect(connection, table, seat, self._process)

    def disconnect(self, client: Client) -> None:
        if client.seat is None or client.number is None:
            return
        state = self.writer.table(client.table)
        until = self.clock.now() + (state.clocks.away if state else MINUTE)
        with self.store.write() as connection:
            presence.disconnect(connection, client.table, client.seat, client.number, until)

    # --- recurring work ---

    def _keep_time(self) -> None:
        if self.faults.strikes(FaultKind.CLOCK_JUMP):
            self.clock.offset += self.faults.draw(FaultKind.CLOCK_JUMP).randint(500, 15_000)
        for request in self._read(self._keeper.tick):
            self.submit(request)

    def _beat(self) -> None:
        now = self.clock.now()
        requests: list[CommandRequest] = []
        with self.store.write() as connection:
            if self._process is None:
                number, was_out = start_heartbeat(connection, now)
                if was_out:
                    requests = restart_requests(connection, now, "the house was down")
            else:
                number = self._process
                heartbeat(connection, number, now)
            presence.hold_lost_seats(connection, now, now + MINUTE)
        self._process = number
        for request in requests:
            self.submit(request)

    def _look(self) -> None:
        """Check for changes by other processes at tables that are watched here."""
        watched = self.hub.watched
        with self.store.read() as connection:
            self.house.shown = read_displayed_amounts(connection)
            heads = read_heads(connection, watched)
        for number, head in heads.items():
            if head.events > self.hub.last_sent(number):
                self._catch_up(number)

    def _catch_up(self, number: int) -> None:
        known = self.hub.last_sent(number)
        state, told, _ = self._read(lambda conn: self._since(conn, number, known))
        if state is not None and told:
            self.hub.broadcast_recorded(state, told)

    def _since(
        self, connection: Connection, number: int, known: int | None
    ) -> tuple[TableState | None, list[TimelineEvent], Data]:
        """The current table, and the events after the last known one, or its story."""
        state = self.loaded(connection, number)
        if state is None:
            return None, [], {}
        if not known or known >= state.head.events:
            wants = self.world.chance(SHARE_OF_STORIES)
            return state, [], self._stories.recent(connection, state) if wants else NOTHING_RECENT
        return state, self._stories.since(connection, state, known), {}

    def _each_minute(self) -> None:
        now = self.clock.now()
        try:
            with self.store.write() as connection:
                seal_books(connection, now)
        except IntegrityError:
            pass  # another process sealed at the same moment
        for number in self._read(over_maximum):
            with self.store.write() as connection:
                fold_over_maximum(connection, number, now)
