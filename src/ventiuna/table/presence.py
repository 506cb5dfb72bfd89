"""Who is connected: clients of seats, spectators, live processes, and deadlines that have passed.

Presence is kept in rows without entries, because no cent and no card depends on it. Each connection
of a seat's owner raises the seat's client number, and commands with an older one are refused. A
seat without a client is held for a while, then away, and finally cashed out. A seat names the
process that its client is connected to; the other processes look for seats whose process has no
heartbeat. Each process writes only its own counts of spectators, and those of a process without a
heartbeat don't count.

The deadline scheduler only sends commands. If they are sent twice, late, or by two processes at
once, they find another prompt and do nothing, so correctness doesn't depend on there being only
one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, update

from ventiuna.table.domain.commands import RestartClocks, SeatTimeUp, TimeUp
from ventiuna.table.domain.handlers import CLOCK
from ventiuna.table.store.schema import process, seat, waiting, watching
from ventiuna.table.store.schema import process as processes
from ventiuna.table.store.statements import Prepared, PreparedStatement
from ventiuna.table.writer import Clock, Request

# --- Seats ---

LOST_AFTER = 10_000  # milliseconds without a beat

# What every connection and every beat asks is not built anew each time.
_OF_SEAT = (seat.c.table_id == bindparam("of_table"), seat.c.number == bindparam("of_number"))
_CONNECT = PreparedStatement(
    update(seat)
    .where(*_OF_SEAT)
    .values(client=seat.c.client + 1, hold_until=None, process=bindparam("of_process"))
    .returning(seat.c.client)
)
_DISCONNECT = PreparedStatement(
    update(seat)
    .where(*_OF_SEAT, seat.c.client == bindparam("of_client"), seat.c.process.is_not(None))
    .values(hold_until=bindparam("until"), process=None)
)
_RESET_SEATS = PreparedStatement(
    update(seat).where(seat.c.process == bindparam("of_process")).values(process=None)
)
_OVERDUE_SEATS = Prepared(
    select(seat.c.table_id, seat.c.number, seat.c.hold_until)
    .where(seat.c.hold_until <= bindparam("now"))
    .order_by(seat.c.table_id, seat.c.number)
)

_HELD_SEATS = Prepared(
    select(seat.c.table_id, seat.c.number, seat.c.hold_until)
    .where(seat.c.hold_until.is_not(None), seat.c.client > 0)
    .order_by(seat.c.table_id, seat.c.number)
)


class _Holds(NamedTuple):
    """Seats whose hold is to change, in their order, and the change of one of them."""

    find: Prepared
    change: PreparedStatement


def _holds_where(which: ColumnElement[bool]) -> _Holds:
    found = select(seat.c.table_id, seat.c.number).where(which)
    return _Holds(
        Prepared(found.order_by(seat.c.table_id, seat.c.number)),
        PreparedStatement(
            update(seat).where(*_OF_SEAT, which).values(hold_until=bindparam("until"))
        ),
    )


# Processes of the house that are alive.
LIVE_PROCESSES = select(processes.c.id).where(processes.c.beat_at > bindparam("since"))
_LOST_SEATS = _holds_where(
    seat.c.hold_until.is_(None) & (seat.c.process.is_(None) | seat.c.process.not_in(LIVE_PROCESSES))
)
_HELD_HERE = _holds_where((seat.c.process == bindparam("here")) & seat.c.hold_until.is_not(None))


def connect(connection: Connection, table: int, number: int, process: int) -> int:
    """A new client of this seat; the older ones count no more."""
    found = _CONNECT.run(connection, of_table=table, of_number=number, of_process=process)
    row = found.fetchone()
    return int(row[0]) if row else 0


def disconnect(connection: Connection, table: int, number: int, client: int, until: int) -> None:
    """The client is gone, and the seat is held so long; nothing where another one has come."""
    _DISCONNECT.run(connection, of_table=table, of_number=number, of_client=client, until=until)


def reset_seats(connection: Connection, process: int) -> None:
    """A new process has no clients; an older one of its number may have had some."""
    _RESET_SEATS.run(connection, of_process=process)


def hold_lost_seats(connection: Connection, now: int, until: int) -> int:
    """Hold the seats that no process speaks for, so that their people can come back; how many.

    Besides those whose process died, seats that were taken a moment ago: their client is about
    to be counted, and then they are held no more.
    """
    return _set_holds(connection, _LOST_SEATS, {"since": now - LOST_AFTER}, until)


def release_holds(connection: Connection, process: int) -> int:
    """This process beats again: seats that were held meanwhile had their clients all the time."""
    return _set_holds(connection, _HELD_HERE, {"here": process}, None)


def seats_elsewhere(connection: Connection, table: int, process: int) -> set[int]:
    """Seats of a table whose clients, if they have any, are not connected to this process."""
    rows = connection.execute(
        select(seat.c.number).where(
            seat.c.table_id == table, seat.c.process.is_distinct_from(process)
        )
    )
    return {row.number for row in rows}


def overdue_seats(connection: Connection, now: int) -> list[tuple[int, int, int]]:
    """Seats whose time is over: (table, seat, until)."""
    rows = _OVERDUE_SEATS.all(connection, now=now)
    return [(row.table_id, row.number, row.hold_until) for row in rows]


def held_seats(connection: Connection) -> dict[int, dict[int, int]]:
    """Until when each seat whose client is gone is held: seats by table.

    One that never had a client was taken a moment ago, and nobody misses its person yet.
    """
    holds: dict[int, dict[int, int]] = {}
    for row in _HELD_SEATS.all(connection):
        holds.setdefault(row.table_id, {})[row.number] = row.hold_until
    return holds


def _set_holds(
    connection: Connection, holds: _Holds, asked: dict[str, int], until: int | None
) -> int:
    """One by one and in their order: two processes that do it at once don't block each other."""
    found = holds.find.all(connection, **asked)
    for row in found:
        holds.change.run(
            connection, **asked, of_table=row.table_id, of_number=row.number, until=until
        )
    return len(found)


# --- Spectators ---

_SPECTATORS_ELSEWHERE = Prepared(
    select(watching.c.table_id, func.sum(watching.c.people).label("people"))
    .where(watching.c.process != bindparam("here"), watching.c.process.in_(LIVE_PROCESSES))
    .group_by(watching.c.table_id)
)
_RESET_SPECTATORS = PreparedStatement(
    delete(watching).where(
        (watching.c.process == bindparam("here"))
        | watching.c.process.not_in(select(processes.c.id))
    )
)


def record_spectators(connection: Connection, process: int, changed: Mapping[int, int]) -> None:
    """So many look on at these tables through this process now; 0 takes the row away."""
    own = watching.c.process == process
    connection.execute(delete(watching).where(own, watching.c.table_id.in_(changed)))
    rows = [
        {"process": process, "table_id": table, "people": people}
        for table, people in changed.items()
        if people
    ]
    if rows:
        connection.execute(insert(watching), rows)


def spectators_elsewhere(connection: Connection, process: int, now: int) -> dict[int, int]:
    """Those of all other processes together, by table."""
    rows = _SPECTATORS_ELSEWHERE.all(connection, here=process, since=now - LOST_AFTER)
    return {row.table_id: int(row.people) for row in rows}


def reset_spectators(connection: Connection, process: int) -> None:
    """A new process has no onlookers: an older one of its number may have had some, and others
    that nobody remembers."""
    _RESET_SPECTATORS.run(connection, here=process)


def remove_spectators(connection: Connection, process: int) -> None:
    """This process ends."""
    connection.execute(delete(watching).where(watching.c.process == process))


# --- Deadlines ---

TICK_INTERVAL = 100  # milliseconds between two looks
CLOCK_JUMP = 2_000  # a gap between two looks in which people's time may not run
OUTAGE = 3_000  # without a heartbeat of any process


# What every look asks is not built anew each time.
_OVERDUE_ASKS = Prepared(
    select(waiting.c.table_id, waiting.c.ask)
    .where(waiting.c.deadline_at <= bindparam("now"))
    .order_by(waiting.c.deadline_at)
)
_WAITING = Prepared(
    select(waiting.c.table_id)
    .where(waiting.c.deadline_at.is_not(None))
    .order_by(waiting.c.table_id)
)
_LAST_HEARTBEAT = Prepared(select(process.c.beat_at).order_by(process.c.beat_at.desc()).limit(1))
_FORGET_PROCESSES = PreparedStatement(
    process.delete().where(process.c.beat_at < bindparam("since"))
)
_START_PROCESS = PreparedStatement(
    process.insert()
    .values(started_at=bindparam("now"), beat_at=bindparam("now"))
    .returning(process.c.id)
)
_HEARTBEAT = PreparedStatement(
    process.update().where(process.c.id == bindparam("here")).values(beat_at=bindparam("now"))
)


class DeadlineScheduler:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last: int | None = None  # look

    def tick(self, connection: Connection) -> list[Request]:
        """What is to be asked now."""
        now = self._clock.now()
        gap = 0 if self._last is None else now - self._last
        self._last = now
        if gap > CLOCK_JUMP or gap < 0:
            return restart_requests(connection, now, "the clock of the house jumped")
        return [*_time_up_requests(connection, now), *_seat_time_up_requests(connection, now)]


def _time_up_requests(connection: Connection, now: int) -> list[Request]:
    rows = _OVERDUE_ASKS.all(connection, now=now)
    return [
        Request(row.table_id, CLOCK, f"clock/{row.table_id}/{row.ask}", TimeUp(row.ask))
        for row in rows
        if row.ask is not None
    ]


def _seat_time_up_requests(connection: Connection, now: int) -> list[Request]:
    return [
        Request(table, CLOCK, f"away/{table}/{seat}/{until}", SeatTimeUp(seat))
        for table, seat, until in overdue_seats(connection, now)
    ]


def restart_requests(connection: Connection, now: int, reason: str) -> list[Request]:
    """A full new clock for everybody whose time runs."""
    return [
        Request(row.table_id, CLOCK, f"restart/{row.table_id}/{now}", RestartClocks(reason))
        for row in _WAITING.all(connection)
    ]


# --- heartbeats -------------------------------------------------------------------------------


def start_heartbeat(connection: Connection, now: int) -> tuple[int, bool]:
    """The number of this process, and whether the house was out before it came."""
    last = _LAST_HEARTBEAT.first(connection)
    _FORGET_PROCESSES.run(connection, since=now - 60 * OUTAGE)
    [(number,)] = _START_PROCESS.run(connection, now=now).fetchall()
    reset_seats(connection, number)
    reset_spectators(connection, number)
    return number, last is None or now - last.beat_at > OUTAGE


def heartbeat(connection: Connection, number: int, now: int) -> None:
    """This process is here, and so are its clients, whoever thought otherwise."""
    known = _HEARTBEAT.run(connection, here=number, now=now).rowcount
    if not known:  # it was silent for so long that others forgot it
        connection.execute(process.insert().values(id=number, started_at=now, beat_at=now))
    release_holds(connection, number)


def live_processes(connection: Connection, now: int) -> set[int]:
    """The processes of the house that are alive."""
    since = {"since": now - LOST_AFTER}
    return set(connection.scalars(LIVE_PROCESSES, since))
