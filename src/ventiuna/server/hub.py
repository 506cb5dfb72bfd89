"""Each table's clients and their messages; notifications between a house's processes.

This module uses only plain methods, not sockets. Each table update is encoded once, and all clients
get the same string, except that the person who must decide also gets the options. A message goes
out immediately if the connection accepts it; otherwise, it waits in the client's outbox. A client
that is too slow is dropped and may reconnect and resume.
"""

from __future__ import annotations

import json
import queue
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from threading import Event, Thread
from typing import TYPE_CHECKING, NamedTuple

from pydantic import TypeAdapter

from ventiuna.engine.codec import Data
from ventiuna.server.telemetry import log
from ventiuna.table.domain.events import AskKind, TableEvent
from ventiuna.table.domain.handlers import Actor
from ventiuna.table.domain.state import TableState
from ventiuna.table.history import TimelineEvent
from ventiuna.table.presentation import (
    CHANGES_SHOE,
    NO_JACKPOTS,
    EventPresenter,
    PresentedEvent,
    ask_data,
    changed_spots,
    has_same_options,
    has_same_seats,
    public_texts,
    round_data,
    seats_data,
    shoe_data,
    snapshot,
)
from ventiuna.table.writer import CommandOutcome, Done, TableUpdate, Unknown

if TYPE_CHECKING:
    import psycopg

TableVersions = Mapping[int, int]  # version by table


class Notifications:
    """Notifications between processes; with a single process, there are no others to notify."""

    @property
    def is_leader(self) -> bool:
        """Whether this process runs the clock, seals the books, and plays the bots."""
        return True

    def start(self) -> None:
        """Start listening."""

    def stop(self) -> None:
        """Stop listening."""

    def publish(self, moved: TableVersions) -> None:
        """Announce that this process's commits changed these tables."""


MAX_EVENTS_KEPT = 500  # number of events kept per table for reconnecting clients
MAX_BYTES_KEPT = 192 * 1024
MAX_OUTBOX_MESSAGES = 256  # messages per outbox
MAX_OUTBOX_BYTES = 512 * 1024

Message = dict[str, object]
_JSON: TypeAdapter[object] = TypeAdapter(object)  # a compiled encoder
# Answers repeat the client's input, which may contain a lone surrogate that isn't valid UTF-8.
_encode_answer = json.JSONEncoder(separators=(",", ":")).encode


def _encode(message: object) -> str:
    return _JSON.dump_json(message).decode()


class Close(IntEnum):
    """Why a socket was closed."""

    NO_HELLO = 4001
    NOT_ALLOWED = 4003
    TOO_SLOW = 4008
    TOO_MUCH = 4009
    OTHER_CLIENT = 4010
    RESTART = 4012
    AWAY = 4013
    VERSION = 4015


class Client:
    """One connection to one table."""

    def __init__(
        self,
        table: int,
        actor: Actor | None,
        wake: Callable[[], None],
        write: Callable[[str], bool] | None = None,
    ) -> None:
        self.table = table
        self.actor = actor  # None for a spectator
        self.token: bytes | None = None  # digest of the most recent token
        self.token_until: int | None = None
        self.seat: int | None = None
        self.asks_for_seat = False  # the client's command to take a seat is still running
        self.number: int | None = None  # this client's number among the seat's connections
        self.closed: Close | None = None
        self.gone = False  # the connection has ended
        self.message = 0  # number of the last event sent
        self._wake = wake
        self._write = write  # sends a message immediately; False if the connection can't accept it
        self._messages: deque[str] = deque()
        self._bytes = 0
        self._latest: dict[str, str] = {}  # by topic: a new message replaces the old one

    def send(self, text: str) -> None:
        if self.closed is not None:
            return
        if self._write is not None and not self._messages and self._write(text):
            return
        self._messages.append(text)
        self._bytes += len(text)
        if len(self._messages) > MAX_OUTBOX_MESSAGES or self._bytes > MAX_OUTBOX_BYTES:
            self.close(Close.TOO_SLOW)
        self._wake()

    def send_latest(self, what: str, text: str) -> None:
        """Queue an update that replaces any unsent one on the same topic."""
        self._latest[what] = text
        self._wake()

    def close(self, why: Close) -> None:
        """Disconnect the client, sending nothing more except the explanation."""
        if self.closed is None:
            self.closed = why
            if why is Close.TOO_SLOW:
                self._messages.clear()
            self._wake()

    def take(self) -> Iterator[str]:
        """Yield the queued messages in order; each stays queued until the next one is requested.

        This prevents a later message from overtaking it.
        """
        while self._messages:
            text = self._messages[0]
            yield text
            if self._messages:  # false if the client was dropped in the meantime
                self._messages.popleft()
                self._bytes -= len(text)
        while self._latest:
            yield self._latest.pop(next(iter(self._latest)))


Holds = Mapping[int, int]  # when the hold ends, by seat without a client
NO_HOLDS: Holds = {}


class EventsText(NamedTuple):
    """The message with these events; for a prompted person, it includes the options."""

    first: int
    last: int
    text: str
    person: str = ""
    own: str = ""

    def text_for(self, client: Client) -> str:
        is_own = self.person and client.actor is not None and client.actor.person == self.person
        return self.own if is_own else self.text


@dataclass(slots=True)
class _Channel:
    """A table's clients and its latest messages, without gaps."""

    clients: dict[Client, None] = field(default_factory=dict)  # clients in order of arrival
    coming: int = 0  # clients in the process of joining
    last: int = 0  # number of the last event sent
    messages: deque[EventsText] = field(default_factory=deque)
    presenter: EventPresenter | None = None  # presenter as of the last event sent
    kept_bytes: int = 0
    watchers: int = 0  # last value sent
    holds: Holds = field(default_factory=dict)  # last value sent

    def messages_after(self, known: int) -> list[EventsText] | None:
        """Stored messages after this event, or None if some are missing."""
        if known >= self.last:
            return []
        newer = [message for message in self.messages if message.first > known]
        is_whole = bool(newer) and newer[0].first == known + 1 and newer[-1].last == self.last
        return newer if is_whole else None

    def keep(self, message: EventsText) -> None:
        if self.messages and self.messages[-1].last != message.first - 1:
            self.forget(message.last)
        self.last = message.last
        self.messages.append(message)
        self.kept_bytes += len(message.text) + len(message.own)
        while self.messages and (
            message.last - self.messages[0].first >= MAX_EVENTS_KEPT
            or self.kept_bytes > MAX_BYTES_KEPT
        ):
            oldest = self.messages.popleft()
            self.kept_bytes -= len(oldest.text) + len(oldest.own)

    def forget(self, last: int) -> None:
        """Discard all messages up to this event."""
        self.last = last
        self.messages.clear()
        self.kept_bytes = 0
        self.presenter = None


class Hub:
    def __init__(self) -> None:
        self._channels: dict[int, _Channel] = {}
        self.suspended = NO_JACKPOTS  # jackpots that take no bets

    @property
    def watched(self) -> list[int]:
        """Tables with clients."""
        return [table for table, channel in self._channels.items() if channel.clients]

    def clients(self, table: int | None = None) -> list[Client]:
        rooms = self._channels.values() if table is None else [self._channel(table)]
        return [client for channel in rooms for client in channel.clients]

    def last_sent(self, table: int) -> int:
        return self._channel(table).last

    @contextmanager
    def expecting(self, table: int) -> Iterator[None]:
        """Store messages sent while a client is joining."""
        channel = self._channel(table)
        channel.coming += 1
        try:
            yield
        finally:
            channel.coming -= 1

    def join(self, client: Client, known: int, text: str) -> bool:
        """Subscribe a client; the message `text` covers everything up to event `known`.

        False if later messages are no longer stored; read the table again and retry.
        """
        channel = self._channel(client.table)
        if not channel.clients and known > channel.last:
            channel.forget(known)
        return self._subscribe(client, channel, known, text)

    def resume(self, client: Client, known: int) -> bool:
        """Resume after event `known`; False if later messages are no longer stored here."""
        channel = self._channel(client.table)
        return 0 < known <= channel.last and self._subscribe(client, channel, known)

    def _subscribe(self, client: Client, channel: _Channel, known: int, text: str = "") -> bool:
        newer = channel.messages_after(known)
        if newer is None:
            return False
        client.message = known
        channel.clients[client] = None
        if text:
            client.send(text)
        for message in newer:
            self._send(client, message)
        return True

    def leave(self, client: Client) -> None:
        self._channel(client.table).clients.pop(client, None)

    def replace(self, newcomer: Client) -> None:
        """Disconnect the person's older clients, because only one client may play a seat.

        Compare client numbers to see which is older, because a client may get its number late.
        """
        assert newcomer.number is not None, "a client with a seat has a number"
        for client in self.clients(newcomer.table):
            is_older = client.number is not None and client.number < newcomer.number
            if is_older and client.seat == newcomer.seat and client.actor == newcomer.actor:
                client.close(Close.OTHER_CLIENT)

    def is_next(self, table: int, first: int) -> bool:
        """Whether these events can be sent now because no listener is missing earlier ones."""
        channel = self._channel(table)
        return not channel.clients or first <= channel.last + 1

    def broadcast(self, update: TableUpdate) -> None:
        """Send a command's events and changes to all of its table's clients."""
        first, events = update.first_event, update.events
        channel = self._channel(update.table)
        if not self._has_listeners(channel, first + len(events) - 1):
            return
        presenter = channel.presenter
        if presenter is None or channel.last != first - 1:
            presenter = EventPresenter.at(update.before)
        presented = presenter.show_all(events)
        before = update.before if channel.last == first - 1 else None
        self._send_all(
            channel, events_message(update.state, first, events, presented, self.suspended, before)
        )
        channel.presenter = presenter

    def broadcast_recorded(self, state: TableState, recorded: Sequence[TimelineEvent]) -> None:
        """Send events from the book to all of a table's clients."""
        channel = self._channel(state.number)
        if self._has_listeners(channel, recorded[-1].number):
            self._send_all(channel, _recorded_message(state, recorded, self.suspended))

    def _has_listeners(self, channel: _Channel, last: int) -> bool:
        """Whether anyone is waiting for these events; False if they were already sent."""
        if last <= channel.last:
            return False
        if not channel.clients and not channel.coming:
            channel.forget(last)  # nobody is connected; new clients read from the book
            return False
        return True

    def _send_all(self, channel: _Channel, message: EventsText) -> None:
        channel.keep(message)
        channel.presenter = None
        for client in list(channel.clients):
            self._send(client, message)

    def message(self, state: TableState, recorded: Sequence[TimelineEvent], recent: Data) -> str:
        """The events that a client missed, in one message, or a snapshot of the table."""
        if not recorded:
            return snapshot_message(state, recent, self.suspended)
        return _recorded_message(state, recorded, self.suspended).text

    def show(self, state: TableState, recent: Data) -> None:
        """Send everyone a snapshot, because too many events were missed."""
        channel = self._channel(state.number)
        text = snapshot_message(state, recent, self.suspended)
        channel.forget(state.head.events)
        for client in list(channel.clients):
            client.message = channel.last
            client.send(text)

    def _send(self, client: Client, message: EventsText) -> None:
        if message.first > client.message:
            client.message = message.last
            client.send(message.text_for(client))

    def answer(self, client: Client, outcome: CommandOutcome) -> None:
        client.send(_encode_answer(outcome_message(outcome)))

    def send(self, client: Client, message: Mapping[str, object]) -> None:
        client.send(_encode(message))

    def broadcast_meter(self, tables: Iterable[int], jackpot: int, cents: int) -> None:
        text = meter_message(jackpot, cents)
        for table in tables:
            for client in self.clients(table):
                client.send_latest(f"meter {jackpot}", text)

    def send_meter(self, client: Client, jackpot: int, cents: int) -> None:
        client.send_latest(f"meter {jackpot}", meter_message(jackpot, cents))

    def onlookers(self) -> dict[int, int]:
        """Number of spectators in this process, for each table with clients."""
        return {
            table: sum(1 for client in channel.clients if client.seat is None)
            for table, channel in self._channels.items()
            if channel.clients
        }

    def broadcast_attendance(self, table: int, watchers: int, holds: Holds) -> None:
        """Send everyone at the table the number of spectators and the held seats, if changed."""
        channel = self._channel(table)
        if watchers != channel.watchers:
            channel.watchers = watchers
            self._broadcast_latest(channel, "watchers", watchers_message(watchers))
        if holds != channel.holds:
            channel.holds = holds
            self._broadcast_latest(channel, "holds", holds_message(holds))

    def send_attendance(self, client: Client) -> None:
        """Send the latest attendance to one client."""
        channel = self._channel(client.table)
        client.send_latest("watchers", watchers_message(channel.watchers))
        if channel.holds:
            client.send_latest("holds", holds_message(channel.holds))

    def _broadcast_latest(self, channel: _Channel, what: str, text: str) -> None:
        for client in channel.clients:
            client.send_latest(what, text)

    def say_goodbye(self, code: str, retry_ms: int) -> None:
        """Notify all clients that the server is stopping and that they can reconnect shortly."""
        text = _encode({"type": "bye", "code": code, "retry_ms": retry_ms})
        for client in self.clients():
            client.send(text)
            client.close(Close.RESTART)

    def _channel(self, table: int) -> _Channel:
        return self._channels.setdefault(table, _Channel())


def snapshot_message(
    state: TableState, recent: Data, suspended: frozenset[int] = NO_JACKPOTS
) -> str:
    """A snapshot; `recent` has the latest history lines and the scene on the felt."""
    return _encode({"type": "snapshot", **snapshot(state, suspended), **recent})


def merged(updates: Iterable[TableUpdate]) -> list[TableUpdate]:
    """Merge each table's consecutive updates, which were committed together."""
    latest: dict[int, TableUpdate] = {}
    gaps: list[TableUpdate] = []
    for update in updates:
        before = latest.get(update.table)
        if before is not None and before.first_event + len(before.events) == update.first_event:
            events = (*before.events, *update.events)
            update = before._replace(version=update.version, events=events, state=update.state)
        elif before is not None:  # another process changed the table in between
            gaps.append(before)
        latest[update.table] = update
    return [*gaps, *latest.values()]


def _recorded_message(
    state: TableState, recorded: Sequence[TimelineEvent], suspended: frozenset[int]
) -> EventsText:
    events = [item.event for item in recorded]
    presented = [item.shown for item in recorded]
    return events_message(state, recorded[0].number, events, presented, suspended)


def events_message(
    state: TableState,
    first: int,
    events: Sequence[TableEvent],
    presented: Sequence[PresentedEvent],
    suspended: frozenset[int] = NO_JACKPOTS,
    before: TableState | None = None,
) -> EventsText:
    """A message with new events; `n` is the number of the first one.

    All other fields describe the state after the last event. Parts that are unchanged since the
    state `before` are left out, and only the person who must decide gets the options.
    """
    same_options = before is not None and has_same_options(before, state, events)
    ask = ask_data(state, suspended, with_options=not same_options)
    changes_shoe = any(type(event) in CHANGES_SHOE for event in events)
    shown = ",".join(public_texts(events))
    rest = _encode(
        {
            "told": [item.message for item in presented],
            "after": [item.after for item in presented],
            "round": round_data(state, changed_spots(before, state, events)),
            "stacks": {str(seat): state.stack(seat) for seat in sorted(state.seats)},
            "seats": None if before and has_same_seats(before, state) else seats_data(state),
            "shoe": shoe_data(state) if changes_shoe else None,
        }
    )

    def with_ask(ask: Data | None) -> str:
        start = f'{{"type":"events","n":{first},"events":[{shown}],'
        return f'{start}{rest[1:-1]},"ask":{_encode(ask)}}}'

    last = first + len(events) - 1
    decision = state.ask if state.ask and state.ask.kind is AskKind.DECISION else None
    if before is None or decision is None or ask is None or ask["options"] is None:
        return EventsText(first, last, with_ask(ask))
    person = state.open_round.spots[decision.spots[0]].person
    own = with_ask(ask)
    return EventsText(first, last, with_ask(ask | {"options": None}), person, own)


def meter_message(jackpot: int, cents: int) -> str:
    return _encode({"type": "meter", "jackpot": jackpot, "cents": cents})


def watchers_message(count: int) -> str:
    return _encode({"type": "watchers", "count": count})


def holds_message(holds: Holds) -> str:
    return _encode({"type": "holds", "seats": {str(seat): until for seat, until in holds.items()}})


def outcome_message(outcome: CommandOutcome) -> Message:
    if isinstance(outcome, Done):
        return {"type": "done", "key": outcome.key, "n": outcome.n}
    if isinstance(outcome, Unknown):
        return {"type": "unknown", "key": outcome.key, "reason": outcome.reason}
    return {
        "type": "refused",
        "key": outcome.key,
        "code": str(outcome.code),
        "reason": outcome.reason,
        "rules": list(outcome.rules),
    }


# --- Notifications through PostgreSQL ---


CHANNEL = "ventiuna"
MAX_PAYLOAD_BYTES = 7_900  # PostgreSQL allows 8,000
SCHEDULER_LOCK = 21_2022  # advisory lock; any number will do
CHECK_LOCK_EVERY = 1.0  # seconds
RECONNECT_PAUSE = 1.0  # seconds before reconnecting


class PostgresNotifications(Notifications):
    """Two threads: one notifies and holds the lock, one listens and calls `heard`."""

    def __init__(self, address: str, on_change: Callable[[TableVersions], None]) -> None:
        self._address = address
        self._heard = on_change
        self._queue: queue.SimpleQueue[TableVersions | None] = queue.SimpleQueue()
        self._stopped = Event()
        self._threads = [
            Thread(target=self._run_periodically, args=(work,), name=name, daemon=True)
            for work, name in ((self._speak, "ventiuna-news"), (self._listen, "ventiuna-ear"))
        ]
        self._keeps = False
        self._own = 0  # process id of the notifying backend

    @property
    def is_leader(self) -> bool:
        return self._keeps

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def publish(self, moved: TableVersions) -> None:
        if moved:
            self._queue.put(dict(moved))

    def _run_periodically(self, work: Callable[[psycopg.Connection], None]) -> None:
        import psycopg  # an optional extra

        while not self._stopped.is_set():
            try:
                with psycopg.connect(self._address, autocommit=True) as connection:
                    work(connection)
            except psycopg.Error as error:
                log("news_lost", error=type(error).__name__)
                self._stopped.wait(RECONNECT_PAUSE)

    def _speak(self, connection: psycopg.Connection) -> None:
        connection.execute("SET synchronous_commit = off")
        self._own = connection.info.backend_pid
        try:
            while not self._stopped.is_set():
                if not self._keeps:
                    found = connection.execute("SELECT pg_try_advisory_lock(%s)", (SCHEDULER_LOCK,))
                    self._keeps = found.fetchone() == (True,)
                for payload in encode_payloads(self._waiting()):
                    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
        finally:
            self._keeps = False  # the lock is released with the connection

    def _waiting(self) -> dict[int, int]:
        """Changes to announce; empty if none arrive within a second."""
        moved: dict[int, int] = {}
        try:
            moved |= self._queue.get(timeout=CHECK_LOCK_EVERY) or {}
            while True:
                moved |= self._queue.get_nowait() or {}
        except queue.Empty:
            return moved

    def _listen(self, connection: psycopg.Connection) -> None:
        connection.execute(f"LISTEN {CHANNEL}".encode())
        while not self._stopped.is_set():
            for notification in connection.notifies(timeout=CHECK_LOCK_EVERY):
                if notification.pid != self._own:
                    self._heard(decode_payload(notification.payload))


def encode_payloads(moved: TableVersions) -> Iterator[str]:
    """Encode as `table:version,…` in strings short enough for PostgreSQL."""
    text = ""
    for table, version in moved.items():
        part = f"{table}:{version}"
        if text and len(text) + 1 + len(part) > MAX_PAYLOAD_BYTES:
            yield text
            text = ""
        text += f",{part}" if text else part
    if text:
        yield text


def decode_payload(text: str) -> dict[int, int]:
    """Decode a payload, ignoring anything malformed, because any client can send notifications."""
    moved: dict[int, int] = {}
    for part in text.split(","):
        table, _, version = part.partition(":")
        if part.isascii() and table.isdecimal() and version.isdecimal() and len(part) < 40:
            moved[int(table)] = int(version)
    return moved
