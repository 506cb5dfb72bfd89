"""Which clients are connected to which seats, and what happens when a process dies."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from tests.table.folded import check_table
from tests.table.tables import LiveTable, Room
from ventiuna.table import presence
from ventiuna.table import presence as onlookers
from ventiuna.table.domain.state import SeatStatus
from ventiuna.table.presence import (
    LOST_AFTER,
    OUTAGE,
    DeadlineScheduler,
    heartbeat,
    start_heartbeat,
)
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import process, seat, watching

HELD = 60_000


@pytest.fixture
def table(store: Store) -> LiveTable:
    return Room(store).open().sit(1, 2, 3)


def started(table: LiveTable) -> int:
    """Start a process; return its number."""
    with table.room.store.write() as connection:
        return start_heartbeat(connection, table.room.clock.now())[0]


def connected(table: LiveTable, number: int, by: int) -> int:
    with table.room.store.write() as connection:
        return presence.connect(connection, table.number, number, by)


def look(table: LiveTable, *beating: int) -> int:
    """Send heartbeats for these processes and look for lost seats; return how many were found."""
    now = table.room.clock.now()
    with table.room.store.write() as connection:
        for one in beating:
            heartbeat(connection, one, now)
        return presence.hold_lost_seats(connection, now, now + HELD)


def holds(table: LiveTable) -> dict[int, int | None]:
    query = select(seat.c.number, seat.c.hold_until).where(seat.c.table_id == table.number)
    with table.room.store.read() as connection:
        return {row.number: row.hold_until for row in connection.execute(query)}


def tick(table: LiveTable) -> None:
    """Run the clock keeper once and carry out its requests."""
    with table.room.store.read() as connection:
        requests = DeadlineScheduler(table.room.clock).tick(connection)
    table.room.writer.step(requests)


def test_only_a_dead_processs_seats_are_marked_away(table: LiveTable) -> None:
    dies, lives = started(table), started(table)
    connected(table, 1, dies)
    connected(table, 2, lives)
    connected(table, 3, lives)
    assert look(table, dies, lives) == 0
    clock = table.room.clock
    clock.at += LOST_AFTER
    assert look(table, lives) == 1
    assert holds(table) == {1: clock.at + HELD, 2: None, 3: None}
    assert look(table, lives) == 0, "it's held only once"
    clock.at += HELD
    tick(table)
    assert table.state.seats[1].status is SeatStatus.AWAY
    assert table.state.seats[2].status is SeatStatus.HERE
    clock.at += table.state.clocks.leave
    look(table, lives)
    tick(table)
    assert set(check_table(table).seats) == {2, 3}


def test_a_player_back_through_another_process_isnt_held(table: LiveTable) -> None:
    dies, lives = started(table), started(table)
    for number in (1, 2, 3):
        connected(table, number, dies)
    table.room.clock.at += LOST_AFTER
    assert look(table, lives) == 3
    connected(table, 1, lives)
    assert look(table, lives) == 0
    assert holds(table)[1] is None


def test_a_slow_process_keeps_its_clients(table: LiveTable) -> None:
    slow, other = started(table), started(table)
    for number in (1, 2, 3):
        connected(table, number, slow)
    table.room.clock.at += LOST_AFTER
    assert look(table, other) == 3
    assert look(table, slow) == 0
    assert set(holds(table).values()) == {None}


def test_a_seat_that_was_left_stays_held_when_its_process_beats(table: LiveTable) -> None:
    here = started(table)
    number = connected(table, 1, here)
    with table.room.store.write() as connection:
        presence.disconnect(connection, table.number, 1, number, table.room.clock.at + HELD)
    look(table, here)
    assert holds(table)[1] == table.room.clock.at + HELD


def test_a_seat_whose_process_died_before_it_had_a_client(table: LiveTable) -> None:
    lives = started(table)
    assert look(table, lives) == 3, "nobody is connected yet"
    number = connected(table, 1, lives)
    until = table.room.clock.at + HELD
    assert holds(table) == {1: None, 2: until, 3: until}
    with table.room.store.write() as connection:
        presence.disconnect(connection, table.number, 1, number, until)
        assert presence.held_seats(connection) == {table.number: {1: until}}, (
            "others are about to arrive"
        )


def test_a_forgotten_process_is_registered_again(table: LiveTable) -> None:
    asleep, lives = started(table), started(table)
    connected(table, 1, asleep)
    table.room.clock.at += 61 * OUTAGE
    look(table, lives)
    newest = started(table)
    assert known(table) == {lives, newest}
    look(table, asleep, lives)
    assert known(table) == {asleep, lives, newest}
    assert holds(table)[1] is None


def known(table: LiveTable) -> set[int]:
    with table.room.store.read() as connection:
        return set(connection.scalars(select(process.c.id)))


def test_a_new_process_with_an_old_number_has_no_clients(table: LiveTable) -> None:
    """SQLite reuses the number of a forgotten process."""
    old = started(table)
    connected(table, 1, old)
    with table.room.store.write() as connection:
        presence.reset_seats(connection, old)
    assert look(table, old) == 3
    assert holds(table)[1] == table.room.clock.at + HELD


# --- spectators -------------------------------------------------------------------------------


def note(table: LiveTable, process: int, people: int) -> None:
    with table.room.store.write() as connection:
        onlookers.record_spectators(connection, process, {table.number: people})


def elsewhere(table: LiveTable, process: int) -> int:
    with table.room.store.read() as connection:
        counted = onlookers.spectators_elsewhere(connection, process, table.room.clock.now())
    return counted.get(table.number, 0)


def test_spectators_of_other_live_processes_count(table: LiveTable) -> None:
    one, other, asks = (started(table) for _ in range(3))
    note(table, one, 2)
    note(table, other, 3)
    note(table, asks, 7)
    assert elsewhere(table, asks) == 5
    note(table, one, 1)
    assert elsewhere(table, asks) == 4
    table.room.clock.at += LOST_AFTER
    look(table, other, asks)
    assert elsewhere(table, asks) == 3, "the first process has died"
    note(table, other, 0)
    assert elsewhere(table, asks) == 0


def test_rows_of_forgotten_processes_are_deleted(table: LiveTable) -> None:
    dies = started(table)
    note(table, dies, 2)
    table.room.clock.at += 60 * OUTAGE + 1
    started(table)
    with table.room.store.read() as connection:
        assert connection.execute(select(watching)).all() == []
