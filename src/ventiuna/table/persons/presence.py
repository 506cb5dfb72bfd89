"""Who is connected to a seat: rows without an entry, because no cent and no card depends on them.

Each connection of a seat's person raises the seat's client number, and commands with an older
one are refused. A seat without a client is held for a while; then it is away, and in the end
cashed out.

A seat names the process that its client is connected to, for as long as it is. A process that
dies says nothing any more, so the others look for seats whose process no longer beats.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, select, update

from ventiuna.table.store.prepared import Prepared, PreparedStatement
from ventiuna.table.store.schema import process as processes
from ventiuna.table.store.schema import seat

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
_BEGIN = PreparedStatement(
    update(seat).where(seat.c.process == bindparam("of_process")).values(process=None)
)
_OVERDUE = Prepared(
    select(seat.c.table_id, seat.c.number, seat.c.hold_until)
    .where(seat.c.hold_until <= bindparam("now"))
    .order_by(seat.c.table_id, seat.c.number)
)

_HELD = Prepared(
    select(seat.c.table_id, seat.c.number, seat.c.hold_until)
    .where(seat.c.hold_until.is_not(None), seat.c.client > 0)
    .order_by(seat.c.table_id, seat.c.number)
)


class _Holds(NamedTuple):
    """Seats whose hold is to change, in their order, and the change of one of them."""

    find: Prepared
    change: PreparedStatement


def _holds(which: ColumnElement[bool]) -> _Holds:
    found = select(seat.c.table_id, seat.c.number).where(which)
    return _Holds(
        Prepared(found.order_by(seat.c.table_id, seat.c.number)),
        PreparedStatement(
            update(seat).where(*_OF_SEAT, which).values(hold_until=bindparam("until"))
        ),
    )


# Processes of the house that are alive.
BEATING = select(processes.c.id).where(processes.c.beat_at > bindparam("since"))
_LOST = _holds(
    seat.c.hold_until.is_(None) & (seat.c.process.is_(None) | seat.c.process.not_in(BEATING))
)
_HELD_HERE = _holds((seat.c.process == bindparam("here")) & seat.c.hold_until.is_not(None))


def connect(connection: Connection, table: int, number: int, process: int) -> int:
    """A new client of this seat; the older ones count no more."""
    found = _CONNECT.run(connection, of_table=table, of_number=number, of_process=process)
    row = found.fetchone()
    return int(row[0]) if row else 0


def disconnect(connection: Connection, table: int, number: int, client: int, until: int) -> None:
    """The client is gone, and the seat is held so long; nothing where another one has come."""
    _DISCONNECT.run(connection, of_table=table, of_number=number, of_client=client, until=until)


def begin(connection: Connection, process: int) -> None:
    """A new process has no clients; an older one of its number may have had some."""
    _BEGIN.run(connection, of_process=process)


def hold_lost(connection: Connection, now: int, until: int) -> int:
    """Hold the seats that no process speaks for, so that their people can come back; how many.

    Besides those whose process died, seats that were taken a moment ago: their client is about
    to be counted, and then they are held no more.
    """
    return _set_holds(connection, _LOST, {"since": now - LOST_AFTER}, until)


def take_back(connection: Connection, process: int) -> int:
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


def overdue(connection: Connection, now: int) -> list[tuple[int, int, int]]:
    """Seats whose time is over: (table, seat, until)."""
    rows = _OVERDUE.all(connection, now=now)
    return [(row.table_id, row.number, row.hold_until) for row in rows]


def held(connection: Connection) -> dict[int, dict[int, int]]:
    """Until when each seat whose client is gone is held: seats by table.

    One that never had a client was taken a moment ago, and nobody misses its person yet.
    """
    holds: dict[int, dict[int, int]] = {}
    for row in _HELD.all(connection):
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
