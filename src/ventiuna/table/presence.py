"""Who is connected to a seat: rows without an entry, because no cent and no card depends on them.

Each connection of a seat's person raises the seat's client number, and commands with an older
one are refused. A seat without a client is held for a while; then it is away, and in the end
cashed out.
"""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from ventiuna.table.store.schema import seat


def connect(connection: Connection, table: int, number: int) -> int:
    """A new client of this seat; the older ones count no more."""
    client = connection.scalar(
        update(seat)
        .where(seat.c.table_id == table, seat.c.number == number)
        .values(client=seat.c.client + 1, hold_until=None)
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
            seat.c.hold_until.is_(None),
        )
        .values(hold_until=until)
    )


def hold_all(connection: Connection, until: int) -> None:
    """The house was out: nobody is connected, and everybody has time to come back."""
    connection.execute(update(seat).where(seat.c.hold_until.is_(None)).values(hold_until=until))


def overdue(connection: Connection, now: int) -> list[tuple[int, int, int]]:
    """Seats whose time is over: (table, seat, until)."""
    rows = connection.execute(
        select(seat.c.table_id, seat.c.number, seat.c.hold_until)
        .where(seat.c.hold_until <= now)
        .order_by(seat.c.table_id, seat.c.number)
    )
    return [(row.table_id, row.number, row.hold_until) for row in rows]
