"""The clock keeper: looks at the deadlines and asks the tables to act on them.

It only ever sends commands. Sent twice, late, or by two keepers at once they find another ask
and do nothing, so correctness does not depend on there being one.
"""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from ventiuna.table.persons import onlookers, presence
from ventiuna.table.play.carrying_out import CLOCK
from ventiuna.table.play.commands import RestartClocks, SeatTimeUp, TimeUp
from ventiuna.table.ports import Clock
from ventiuna.table.store.prepared import Prepared, PreparedStatement
from ventiuna.table.store.schema import process, waiting
from ventiuna.table.writing.requests import Request

EVERY = 100  # milliseconds between two looks
JUMP = 2_000  # a gap between two looks in which people's time may not run
OUTAGE = 3_000  # without a heartbeat of any process


# What every look asks is not built anew each time.
_OVERDUE = Prepared(
    select(waiting.c.table_id, waiting.c.ask)
    .where(waiting.c.deadline_at <= bindparam("now"))
    .order_by(waiting.c.deadline_at)
)
_WAITING = Prepared(
    select(waiting.c.table_id)
    .where(waiting.c.deadline_at.is_not(None))
    .order_by(waiting.c.table_id)
)
_LAST_BEAT = Prepared(select(process.c.beat_at).order_by(process.c.beat_at.desc()).limit(1))
_FORGET = PreparedStatement(process.delete().where(process.c.beat_at < bindparam("since")))
_START = PreparedStatement(
    process.insert()
    .values(started_at=bindparam("now"), beat_at=bindparam("now"))
    .returning(process.c.id)
)
_BEAT = PreparedStatement(
    process.update().where(process.c.id == bindparam("here")).values(beat_at=bindparam("now"))
)


class ClockKeeper:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last: int | None = None  # look

    def tick(self, connection: Connection) -> list[Request]:
        """What is to be asked now."""
        now = self._clock.now()
        gap = 0 if self._last is None else now - self._last
        self._last = now
        if gap > JUMP or gap < 0:
            return restarts(connection, now, "the clock of the house jumped")
        return [*_time_ups(connection, now), *_seat_time_ups(connection, now)]


def _time_ups(connection: Connection, now: int) -> list[Request]:
    rows = _OVERDUE.all(connection, now=now)
    return [
        Request(row.table_id, CLOCK, f"clock/{row.table_id}/{row.ask}", TimeUp(row.ask))
        for row in rows
        if row.ask is not None
    ]


def _seat_time_ups(connection: Connection, now: int) -> list[Request]:
    return [
        Request(table, CLOCK, f"away/{table}/{seat}/{until}", SeatTimeUp(seat))
        for table, seat, until in presence.overdue(connection, now)
    ]


def restarts(connection: Connection, now: int, reason: str) -> list[Request]:
    """A full new clock for everybody whose time runs."""
    return [
        Request(row.table_id, CLOCK, f"restart/{row.table_id}/{now}", RestartClocks(reason))
        for row in _WAITING.all(connection)
    ]


# --- heartbeats -------------------------------------------------------------------------------


def start_beating(connection: Connection, now: int) -> tuple[int, bool]:
    """The number of this process, and whether the house was out before it came."""
    last = _LAST_BEAT.first(connection)
    _FORGET.run(connection, since=now - 60 * OUTAGE)
    [(number,)] = _START.run(connection, now=now).fetchall()
    presence.begin(connection, number)
    onlookers.begin(connection, number)
    return number, last is None or now - last.beat_at > OUTAGE


def beat(connection: Connection, number: int, now: int) -> None:
    """This process is here, and so are its clients, whoever thought otherwise."""
    known = _BEAT.run(connection, here=number, now=now).rowcount
    if not known:  # it was silent for so long that others forgot it
        connection.execute(process.insert().values(id=number, started_at=now, beat_at=now))
    presence.take_back(connection, number)


def beating(connection: Connection, now: int) -> set[int]:
    """The processes of the house that are alive."""
    since = {"since": now - presence.LOST_AFTER}
    return set(connection.scalars(presence.BEATING, since))
