"""Who is connected to a seat: rows without an entry, because no cent and no card depends on them.

Each connection of a seat's person raises the seat's client number, and commands with an older
one are refused. A seat without a client is held for a while; then it is away, and in the end
cashed out.

A seat names the process that its client is connected to, for as long as it is. A process that
dies says nothing any more, so the others look for seats whose process no longer beats.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, select, update

from ventiuna.table.store.schema import process as processes
from ventiuna.table.store.schema import seat

LOST_AFTER = 10_000  # milliseconds without a beat


def connect(connection: Connection, table: int, number: int, process: int) -> int:
    """A new client of this seat; the older ones count no more."""
    client = connection.scalar(
        update(seat)
        .where(seat.c.table_id == table, seat.c.number == number)
        .values(client=seat.c.client + 1, hold_until=None, process=process)
        .returning(seat.c.client)
    )
    return int(client or 0)


def disconnect(connection: Connection, table: int, number: int, client: int, until: int) -> None:
    """The client is gone, and the seat is held so long; nothing where another one has come."""
    connection.execute(
        update(seat)
        .where(
            seat.c.table_id == table,
            seat.c.number == number,
            seat.c.client == client,
            seat.c.process.is_not(None),
        )
        .values(hold_until=until, process=None)
    )


def begin(connection: Connection, process: int) -> None:
    """A new process has no clients; an older one of its number may have had some."""
    connection.execute(update(seat).where(seat.c.process == process).values(process=None))


def hold_lost(connection: Connection, now: int, until: int) -> int:
    """Hold the seats that no process speaks for, so that their people can come back; how many.

    Besides those whose process died, seats that were taken a moment ago: their client is about
    to be counted, and then they are held no more.
    """
    beating = select(processes.c.id).where(processes.c.beat_at > now - LOST_AFTER)
    return _set_holds(
        connection,
        seat.c.hold_until.is_(None) & (seat.c.process.is_(None) | seat.c.process.not_in(beating)),
        until,
    )


def take_back(connection: Connection, process: int) -> int:
    """This process beats again: seats that were held meanwhile had their clients all the time."""
    return _set_holds(
        connection, (seat.c.process == process) & seat.c.hold_until.is_not(None), None
    )


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
    rows = connection.execute(
        select(seat.c.table_id, seat.c.number, seat.c.hold_until)
        .where(seat.c.hold_until <= now)
        .order_by(seat.c.table_id, seat.c.number)
    )
    return [(row.table_id, row.number, row.hold_until) for row in rows]


def _set_holds(connection: Connection, which: ColumnElement[bool], until: int | None) -> int:
    """One by one and in their order: two processes that do it at once don't block each other."""
    found = connection.execute(
        select(seat.c.table_id, seat.c.number).where(which).order_by(seat.c.table_id, seat.c.number)
    ).all()
    for row in found:
        connection.execute(
            update(seat)
            .where(seat.c.table_id == row.table_id, seat.c.number == row.number, which)
            .values(hold_until=until)
        )
    return len(found)
