"""A table's events from its book, as they are told and shown.

Told from the opening of a round, because later sentences speak of its cards: so they are the
same as those that were told when it happened.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from threading import Lock
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from ventiuna.engine.events import AdviceGiven, Stage, StageReached
from ventiuna.engine.records import Data
from ventiuna.table import events as ev
from ventiuna.table.books.entries import read_events
from ventiuna.table.events import TableEvent
from ventiuna.table.play.state import TableState
from ventiuna.table.records.recall import people_at
from ventiuna.table.store.prepared import Prepared
from ventiuna.table.store.schema import round_
from ventiuna.table.telling.shown import Shown, Telling
from ventiuna.table.telling.views import public_event
from ventiuna.table.writing.loading import Numbered, events_of, version_of_event

MOST_TABLES = 64  # whose stories are kept
MOST_EVENTS = 160  # of a table, at least, that stay told
MOST_LINES = 40  # that somebody who comes to the table reads
_SEARCHED = (80, 160, 320, 640)  # events; the first is nearly always enough


class ToldEvent(NamedTuple):
    number: int
    event: TableEvent
    shown: Shown


def told_since(connection: Connection, state: TableState, after: int) -> list[ToldEvent]:
    """Everything behind the event `after`, up to where the table stands in `state`."""
    return _Kept(connection, state, after).told


class Stories:
    """What happened lately at the tables of a process, told once for all who ask.

    Who comes to a table is told where the last one who came was told, and from there on.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[int, _Kept] = OrderedDict()  # the one asked for last is the last
        self._locks: defaultdict[int, Lock] = defaultdict(Lock)

    def since(self, connection: Connection, state: TableState, after: int) -> list[ToldEvent]:
        """As `told_since`."""
        with self._locks[state.number]:
            kept = self._kept.pop(state.number, None)
            if kept is None or after < kept.after:
                kept = _Kept(connection, state, after)
            else:
                kept.go_on(connection, state)
            found = kept.between(after, state.head.events)
            kept.trim()
            self._kept[state.number] = kept
        while len(self._kept) > MOST_TABLES:
            with suppress(KeyError):  # somebody asks for the oldest at this moment
                self._kept.popitem(last=False)
        return found

    def recent(self, connection: Connection, state: TableState) -> Data:
        """The parts of a snapshot for somebody who arrives at a table: its story and its scene."""
        told: list[ToldEvent] = []
        lines: list[Data] = []
        scene: list[Data] = []
        for searched in _SEARCHED:
            after = max(0, state.head.events - searched)
            told = self.since(connection, state, after)
            lines = lines_of(told)[-MOST_LINES:]
            scene = scene_of(told)
            if (scene and len(lines) == MOST_LINES) or not after:
                break
        return {"story": lines, "scene": scene}


class _Kept:
    """A stretch of a table's events as they are told, and who goes on telling."""

    def __init__(self, connection: Connection, state: TableState, after: int) -> None:
        before = _begin(connection, state.number, after)
        stored = list(_stored(connection, state, before))
        self.after = after  # number of the last event that is not told
        self.told: list[ToldEvent] = []
        self._telling = _telling(connection, state, before, stored)
        self._is_open = False  # the opening of a round was told
        self._tell(stored, state)

    def go_on(self, connection: Connection, state: TableState) -> None:
        """What happened since; nothing where the state is older than what is told."""
        if state.head.version > self._version:
            self._tell(list(_stored(connection, state, self._version)), state)

    def between(self, after: int, last: int) -> list[ToldEvent]:
        first = bisect_right(self.told, after, key=_number)
        return self.told[first : bisect_right(self.told, last, key=_number)]

    def trim(self) -> None:
        if len(self.told) > 2 * MOST_EVENTS:
            self.after = self.told[-MOST_EVENTS].number - 1
            del self.told[:-MOST_EVENTS]

    def _tell(self, stored: Iterable[Numbered], state: TableState) -> None:
        for numbered in stored:
            event = numbered.event
            self._is_open = self._is_open or isinstance(event, ev.RoundOpened)
            if not self._is_open and not isinstance(event, ev.OwnEvent):
                continue  # the end of a round that is not told here
            if numbered.number > self.after:
                shown = self._telling.show(event)
                self.told.append(ToldEvent(numbered.number, event, shown))
            else:
                self._telling.follow(event)
        self._version = state.head.version


def _number(told: ToldEvent) -> int:
    return told.number


def lines_of(told: list[ToldEvent]) -> list[Data]:
    return [
        {"n": one.number, "event": type(one.event).__name__, **one.shown.told}
        for one in told
        if one.shown.told is not None
    ]


def scene_of(told: list[ToldEvent]) -> list[Data]:
    """The events that led to what is on the felt now.

    They begin with the opening of the round that was dealt last: its cards stay visible while
    wagers for the next one are placed. Empty if that opening isn't among these events. Only
    sentences about payments and advice are included; they stay visible at their hands.
    """
    opened = first = None
    for index, one in enumerate(told):
        if isinstance(one.event, ev.RoundOpened):
            opened = index
        elif isinstance(one.event, StageReached) and one.event.stage is Stage.DEAL:
            first = opened
    if first is None:
        return []
    return [_scene_step(one) for one in told[first:] if _is_on_felt(one.event)]


def _is_on_felt(event: TableEvent) -> bool:
    kept = ev.RoundOpened | ev.RoundClosed | ev.TimeRanOut
    return isinstance(event, kept) or not isinstance(event, ev.OwnEvent)


def _scene_step(one: ToldEvent) -> Data:
    told = one.shown.told
    is_kept = told is not None and ("payment" in told or isinstance(one.event, AdviceGiven))
    return {
        "event": public_event(one.event),
        "told": told if is_kept else None,
        "after": one.shown.after,
    }


def _stored(connection: Connection, state: TableState, before: int) -> Iterator[Numbered]:
    for entry in read_events(connection, state.number, before):
        if entry.version > state.head.version:
            return
        yield from events_of(entry)


def _telling(
    connection: Connection, state: TableState, before: int, stored: list[Numbered]
) -> Telling:
    """Who sits there now sat there then, unless somebody has left meanwhile."""
    if any(isinstance(numbered.event, ev.SeatLeft) for numbered in stored):
        names, seats = people_at(connection, state.number, before + 1)
    else:
        names = {seat.person: seat.name for seat in state.seats.values()}
        seats = {seat.number: seat.person for seat in state.seats.values()}
    return Telling(state.rules, names, seats)


def _begin(connection: Connection, table: int, after: int) -> int:
    """The version before the first entry that is read.

    The entry that ends a round opens the next one as well, so it takes the opening before it.
    """
    first = version_of_event(connection, table, after + 1) or 1
    opened = _OPENING.first(connection, table=table, before=first).version
    return (opened or first) - 1


_OPENING = Prepared(
    select(func.max(round_.c.first_version).label("version")).where(
        round_.c.table_id == bindparam("table"), round_.c.first_version < bindparam("before")
    )
)
