"""Connections: seats' clients, spectators, live processes, and expired deadlines.

Presence is stored in rows without entries, because neither money nor cards depend on it. Each time
a seat's owner connects, the seat's client number goes up, and commands with an older number are
refused. A seat without a client is held for a while, then marked away, and finally cashed out. Each
seat records the process its client is connected to; other processes look for seats whose process
has no heartbeat. Each process writes only its own spectator counts, and counts from a process
without a heartbeat are ignored.

The deadline scheduler only sends commands. If a command is sent twice, late, or by two processes at
once, its prompt is no longer open, so it does nothing. Running several schedulers is therefore
safe.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, update

from ventiuna.table.domain.commands import RestartClocks, SeatTimeUp, TimeUp
from ventiuna.table.domain.handlers import CLOCK
from ventiuna.table.store.schema import process, seat, waiting, watching
from ventiuna.table.store.statements import Prepared, PreparedStatement
from ventiuna.table.writer import Clock, CommandRequest

LOST_AFTER = 10_000  # milliseconds without a heartbeat

# Built once, because every connection and every heartbeat uses it.
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
    """A query for seats whose holds must change, in order, and a statement to change each one."""

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


# The house's live processes.
LIVE_PROCESSES = select(process.c.id).where(process.c.beat_at > bindparam("since"))
_LOST_SEATS = _holds_where(
    seat.c.hold_until.is_(None) & (seat.c.process.is_(None) | seat.c.process.not_in(LIVE_PROCESSES))
)
_HELD_HERE = _holds_where((seat.c.process == bindparam("here")) & seat.c.hold_until.is_not(None))


def connect(connection: Connection, table: int, number: int, process: int) -> int:
    """Register a new client for this seat, which replaces older ones; return its number."""
    found = _CONNECT.run(connection, of_table=table, of_number=number, of_process=process)
    row = found.fetchone()
    return int(row[0]) if row else 0


def disconnect(connection: Connection, table: int, number: int, client: int, until: int) -> None:
    """Hold the seat until this time after its client left, unless it has a newer client."""
    _DISCONNECT.run(connection, of_table=table, of_number=number, of_client=client, until=until)


def reset_seats(connection: Connection, process: int) -> None:
    """Clear clients recorded for an earlier process with the same number."""
    _RESET_SEATS.run(connection, of_process=process)


def hold_lost_seats(connection: Connection, now: int, until: int) -> int:
    """Hold seats without a live process so that their owners can come back; return the count.

    This includes newly taken seats whose clients aren't registered yet; registering a client ends
    the hold.
    """
    return _set_holds(connection, _LOST_SEATS, {"since": now - LOST_AFTER}, until)


def seats_elsewhere(connection: Connection, table: int, process: int) -> set[int]:
    """A table's seats that have no client connected to this process."""
    rows = connection.execute(
        select(seat.c.number).where(
            seat.c.table_id == table, seat.c.process.is_distinct_from(process)
        )
    )
    return {row.number for row in rows}


def held_seats(connection: Connection) -> dict[int, dict[int, int]]:
    """When the hold ends for each seat whose client is gone, by table and seat.

    Seats that never had a client are left out, because they were just taken.
    """
    holds: dict[int, dict[int, int]] = {}
    for row in _HELD_SEATS.all(connection):
        holds.setdefault(row.table_id, {})[row.number] = row.hold_until
    return holds


def _set_holds(
    connection: Connection, holds: _Holds, seats: dict[str, int], until: int | None
) -> int:
    """Change holds one by one, in order, so that parallel processes don't deadlock."""
    found = holds.find.all(connection, **seats)
    for row in found:
        holds.change.run(
            connection, **seats, of_table=row.table_id, of_number=row.number, until=until
        )
    return len(found)


_SPECTATORS_ELSEWHERE = Prepared(
    select(watching.c.table_id, func.sum(watching.c.people).label("people"))
    .where(watching.c.process != bindparam("here"), watching.c.process.in_(LIVE_PROCESSES))
    .group_by(watching.c.table_id)
)
_RESET_SPECTATORS = PreparedStatement(
    delete(watching).where(
        (watching.c.process == bindparam("here")) | watching.c.process.not_in(select(process.c.id))
    )
)


def record_spectators(connection: Connection, process: int, changed: Mapping[int, int]) -> None:
    """Record this process's spectators at these tables; 0 removes the row."""
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
    """The number of spectators connected to other processes, by table."""
    rows = _SPECTATORS_ELSEWHERE.all(connection, here=process, since=now - LOST_AFTER)
    return {row.table_id: int(row.people) for row in rows}


def remove_spectators(connection: Connection, process: int) -> None:
    """Remove this process's spectators when the process ends."""
    connection.execute(delete(watching).where(watching.c.process == process))


TICK_INTERVAL = 100  # milliseconds between ticks
CLOCK_JUMP = 2_000  # a longer gap between ticks doesn't count against players' time
OUTAGE = 3_000  # milliseconds without a heartbeat from any process


# Built once, because every tick uses it.
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
        self._last: int | None = None  # time of the last tick

    def tick(self, connection: Connection) -> list[CommandRequest]:
        """Return the commands that are due now."""
        now = self._clock.now()
        gap = 0 if self._last is None else now - self._last
        self._last = now
        if gap > CLOCK_JUMP or gap < 0:
            return restart_requests(connection, now, "the house's clock jumped")
        asks = [
            CommandRequest(row.table_id, CLOCK, f"clock/{row.table_id}/{row.ask}", TimeUp(row.ask))
            for row in _OVERDUE_ASKS.all(connection, now=now)
            if row.ask is not None
        ]
        seats = [
            CommandRequest(table, CLOCK, f"away/{table}/{seat}/{until}", SeatTimeUp(seat))
            for table, seat, until in _OVERDUE_SEATS.all(connection, now=now)
        ]
        return asks + seats


def restart_requests(connection: Connection, now: int, reason: str) -> list[CommandRequest]:
    """Commands that restart all running clocks."""
    return [
        CommandRequest(row.table_id, CLOCK, f"restart/{row.table_id}/{now}", RestartClocks(reason))
        for row in _WAITING.all(connection)
    ]


def start_heartbeat(connection: Connection, now: int) -> tuple[int, bool]:
    """Register this process; return its number, and whether the house was down before."""
    last = _LAST_HEARTBEAT.first(connection)
    _FORGET_PROCESSES.run(connection, since=now - 60 * OUTAGE)
    [(number,)] = _START_PROCESS.run(connection, now=now).fetchall()
    reset_seats(connection, number)
    _RESET_SPECTATORS.run(connection, here=number)
    return number, last is None or now - last.beat_at > OUTAGE


def heartbeat(connection: Connection, number: int, now: int) -> None:
    """Record a heartbeat of this process, and release holds on its seats."""
    known = _HEARTBEAT.run(connection, here=number, now=now).rowcount
    if not known:  # silent long enough that its row was deleted
        connection.execute(process.insert().values(id=number, started_at=now, beat_at=now))
    _set_holds(connection, _HELD_HERE, {"here": number}, None)


def live_processes(connection: Connection, now: int) -> set[int]:
    """The house's live processes."""
    since = {"since": now - LOST_AFTER}
    return set(connection.scalars(LIVE_PROCESSES, since))
