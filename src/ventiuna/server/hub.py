"""Who listens to which table, and what each of them is sent. Plain methods, no sockets.

Everything about a table is encoded once and the same text goes to all. What a client is sent
waits in its outbox; one that does not take it in time is let go and may come back where it was.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from ventiuna.table.carrying_out import Actor
from ventiuna.table.events import TableEvent
from ventiuna.table.requests import Done, Outcome
from ventiuna.table.state import TableState
from ventiuna.table.views import ask_data, public_events, snapshot

KEPT_EVENTS = 500  # of each table, for clients that come back
MOST_MESSAGES = 256  # in an outbox
MOST_BYTES = 256 * 1024

Message = dict[str, object]
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Close(IntEnum):
    """Why a socket is closed."""

    NO_HELLO = 4001
    NOT_ALLOWED = 4003
    TOO_SLOW = 4008
    TOO_MUCH = 4009
    OTHER_CLIENT = 4010
    RESTART = 4012
    VERSION = 4015


class Client:
    """One connection to one table."""

    def __init__(self, table: int, actor: Actor | None, wake: Callable[[], None]) -> None:
        self.table = table
        self.actor = actor  # None: an onlooker
        self.seat: int | None = None
        self.number: int | None = None  # of this connection among those of the seat
        self.closed: Close | None = None
        self._wake = wake
        self._messages: deque[str] = deque()
        self._bytes = 0
        self._meters: dict[int, str] = {}  # by jackpot: a newer one replaces the older

    def send(self, text: str) -> None:
        if self.closed is not None:
            return
        self._messages.append(text)
        self._bytes += len(text)
        if len(self._messages) > MOST_MESSAGES or self._bytes > MOST_BYTES:
            self.close(Close.TOO_SLOW)
        self._wake()

    def send_meter(self, jackpot: int, text: str) -> None:
        self._meters[jackpot] = text
        self._wake()

    def close(self, why: Close) -> None:
        """Nothing more is sent but what explains it."""
        if self.closed is None:
            self.closed = why
            if why is Close.TOO_SLOW:
                self._messages.clear()
            self._wake()

    def take(self) -> list[str]:
        """What waits to be sent, in order."""
        taken = [*self._messages, *self._meters.values()]
        self._messages.clear()
        self._meters.clear()
        self._bytes = 0
        return taken


@dataclass(slots=True)
class _Room:
    """The listeners of a table and its last messages."""

    clients: set[Client] = field(default_factory=set)
    last: int = 0  # number of the last event told
    kept: deque[tuple[int, int, str]] = field(default_factory=deque)  # first, last, message


class Hub:
    def __init__(self) -> None:
        self._rooms: dict[int, _Room] = {}

    @property
    def watched(self) -> list[int]:
        """Tables that somebody listens to."""
        return [table for table, room in self._rooms.items() if room.clients]

    def clients(self, table: int | None = None) -> list[Client]:
        rooms = self._rooms.values() if table is None else [self._room(table)]
        return [client for room in rooms for client in room.clients]

    def last_told(self, table: int) -> int:
        return self._room(table).last

    # --- coming and going ---

    def join(self, client: Client, state: TableState, after: int | None) -> str:
        """Tell a client where the table stands; from then on it hears everything.

        With `after`, the number of the last event it knows, it gets what it missed as long as
        that is kept; else all of it. Says which: `events` or `snapshot`.
        """
        room = self._room(client.table)
        room.last = max(room.last, state.head.events)
        missed = None if after is None else self._missed(room, after)
        room.clients.add(client)
        if missed is None:
            client.send(_encode({"type": "snapshot", **snapshot(state)}))
            return "snapshot"
        for text in missed:
            client.send(text)
        return "events"

    def _missed(self, room: _Room, after: int) -> list[str] | None:
        if after == room.last:
            return []
        kept = [text for first, _, text in room.kept if first > after]
        starts = [first for first, _, _ in room.kept if first > after]
        return kept if starts and starts[0] == after + 1 else None

    def leave(self, client: Client) -> None:
        self._room(client.table).clients.discard(client)

    def replace(self, newcomer: Client) -> None:
        """One client plays a seat: the others of the same person are told and let go."""
        for client in self.clients(newcomer.table):
            is_older = client is not newcomer and client.seat == newcomer.seat
            if is_older and client.actor == newcomer.actor:
                client.close(Close.OTHER_CLIENT)

    # --- telling ---

    def tell(self, state: TableState, first: int, events: Sequence[TableEvent]) -> None:
        """New events of a table, to all its listeners. Those told before are passed over."""
        room = self._room(state.number)
        last = first + len(events) - 1
        if last <= room.last and room.last:
            return
        text = events_message(state, first, events)
        room.last = last
        room.kept.append((first, last, text))
        while room.kept and room.last - room.kept[0][0] >= KEPT_EVENTS:
            room.kept.popleft()
        for client in list(room.clients):
            client.send(text)

    def answer(self, client: Client, outcome: Outcome) -> None:
        client.send(_encode(outcome_message(outcome)))

    def send(self, client: Client, message: Mapping[str, object]) -> None:
        client.send(_encode(message))

    def tell_meter(self, tables: Iterable[int], jackpot: int, cents: int) -> None:
        text = _encode({"type": "meter", "jackpot": jackpot, "cents": cents})
        for table in tables:
            for client in self.clients(table):
                client.send_meter(jackpot, text)

    def say_goodbye(self, code: str, retry_ms: int) -> None:
        """The server stops: everybody may come back in a moment."""
        text = _encode({"type": "bye", "code": code, "retry_ms": retry_ms})
        for client in self.clients():
            client.send(text)
            client.close(Close.RESTART)

    def _room(self, table: int) -> _Room:
        return self._rooms.setdefault(table, _Room())


def events_message(state: TableState, first: int, events: Sequence[TableEvent]) -> str:
    """`n` is the number of the first event; ask and stacks are those after the last."""
    return _encode(
        {
            "type": "events",
            "n": first,
            "events": public_events(events),
            "ask": ask_data(state),
            "stacks": {str(seat): state.stack(seat) for seat in sorted(state.seats)},
        }
    )


def outcome_message(outcome: Outcome) -> Message:
    if isinstance(outcome, Done):
        return {"type": "done", "key": outcome.key, "n": outcome.n}
    return {
        "type": "refused",
        "key": outcome.key,
        "code": str(outcome.code),
        "reason": outcome.reason,
        "rules": list(outcome.rules),
    }
