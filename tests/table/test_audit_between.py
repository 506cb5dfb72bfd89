"""Entries that follow from other books: the audit recomputes awards and removals."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from tests.table.floor import create, order, remove
from tests.table.tables import OPERATOR, LiveTable, Room, cards
from tests.table.tampering import rolled_back, take_guards_away
from ventiuna.engine.commands import PlaceWagers, Stand
from ventiuna.rules import load_rules
from ventiuna.table.audit.house import AuditReport, AuditScope, audit
from ventiuna.table.domain import commands as do
from ventiuna.table.jackpots.progressive import CorrectUp, SetMaximum
from ventiuna.table.journal import seal_books
from ventiuna.table.ledger import canonical_json
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import entry, seal

RULES = load_rules("wsgc-2021(decks=8,jackpots=3d:1:seed=1000)")
TWO_WIN = cards("5h 5h 5h 5h 5h Kd 2c")  # two suited matches on each spot
Change = Callable[[list[dict[str, Any]]], None]


@pytest.fixture
def room(owned: Store) -> Room:
    return Room(owned, shoes=[TWO_WIN])


def awarded(room: Room) -> tuple[LiveTable, int]:
    """A table with two winners, and its jackpot."""
    jackpot = create(room.store, RULES, reserve_rate=300)
    table = room.open(RULES)
    table.do(OPERATOR, do.LinkJackpot(1, jackpot, "one meter"))
    table.sit(1, 2).cut()
    for who in (1, 2):
        table.do(who, PlaceWagers(who, 1000, jackpots={1: 100}))
    table.ready(1, 2)
    for who in (1, 2):
        table.do(who, Stand(who))
    return table, jackpot


def removed(room: Room) -> tuple[int, int]:
    """A removed progressive, and the one that received its money."""
    jackpot, receiver = create(room.store, RULES), create(room.store, RULES)
    order(room.store, jackpot, CorrectUp(5_000, "found in the drawer"))
    order(room.store, receiver, SetMaximum(102_000, "its sign has five digits"))
    remove(room.store, jackpot, receiver)
    return jackpot, receiver


def audited(connection: Connection, room: Room, from_seal: int | None = None) -> AuditReport:
    return audit(connection, AuditScope(on_top=room.entropy.on_top, from_seal=from_seal))


def change(connection: Connection, book: int, command: str, how: Change) -> int:
    """Rewrite the events of this book's entry for a command; return the entry's version."""
    found = connection.execute(
        select(entry.c.version, entry.c.events).where(
            entry.c.book_id == book, entry.c.command.like(f"%{command}%")
        )
    ).one()
    events = json.loads(found.events)
    how(events)
    where = (entry.c.book_id == book) & (entry.c.version == found.version)
    connection.execute(update(entry).where(where).values(events=canonical_json(events)))
    return int(found.version)


def told(report: AuditReport, book: int, version: int) -> set[str]:
    return {
        f"{one.kind}: {one.what}"
        for one in report.differences
        if (one.place.book, one.place.version) == (book, version)
    }


def test_intact_books_pass(room: Room) -> None:
    awarded(room)
    removed(room)
    with room.store.write() as connection:
        seal_books(connection, room.clock.now())
    with room.store.read() as connection:
        assert audited(connection, room).differences == []
        assert audited(connection, room, from_seal=1).differences == []


def _to_seat_two(events: list[dict[str, Any]]) -> None:
    first = next(event for event in events if event["event"] == "AwardPaid")
    first["seat"] = 2


def _in_another_order(events: list[dict[str, Any]]) -> None:
    events[-2:] = reversed(events[-2:])


def _suspended(events: list[dict[str, Any]]) -> None:
    events.append({"event": "JackpotSuspended", "reason": "nobody knows"})


@pytest.mark.parametrize("how", [_to_seat_two, _in_another_order, _suspended])
def test_an_award_that_the_round_does_not_justify(room: Room, how: Change) -> None:
    _, jackpot = awarded(room)
    with rolled_back(room.store) as connection:
        take_guards_away(connection)
        version = change(connection, jackpot, "PayAwards", how)
        assert "event: its events" in told(audited(connection, room), jackpot, version)


def test_an_award_without_its_round_and_a_round_without_its_award(room: Room) -> None:
    table, jackpot = awarded(room)
    with rolled_back(room.store) as connection:
        take_guards_away(connection)
        paid = (entry.c.book_id == jackpot) & entry.c.command.like("%PayAwards%")
        other = canonical_json({"command": "PayAwards", "table": 77, "version": 3, "game": 1})
        connection.execute(update(entry).where(paid).values(command=other))
        report = audited(connection, room)
    found = {(one.place.book, f"{one.kind}: {one.what}") for one in report.differences}
    assert (jackpot, "command: the entry in another book that it follows from") in found
    assert (table.number, f"jackpot: its entry in the book of jackpot {jackpot}") in found


def _more_for_the_house(events: list[dict[str, Any]]) -> None:
    recovered = next(event for event in events if event["event"] == "SeedRecovered")
    recovered["from_meter"] += 1


def _nothing_overflows(events: list[dict[str, Any]]) -> None:
    events[:] = [event for event in events if event["event"] != "Overflowed"]


@pytest.mark.parametrize(
    ("command", "how"),
    [("RemoveJackpot", _more_for_the_house), ("ReceiveMoney", _nothing_overflows)],
)
def test_a_removal_that_the_books_do_not_justify(room: Room, command: str, how: Change) -> None:
    jackpot, receiver = removed(room)
    book = jackpot if command == "RemoveJackpot" else receiver
    with rolled_back(room.store) as connection:
        take_guards_away(connection)
        version = change(connection, book, command, how)
        assert "event: its events" in told(audited(connection, room), book, version)


@pytest.mark.parametrize("hours", [-2, 2])
def test_a_changed_time_is_found_in_entries_and_seals(room: Room, hours: int) -> None:
    table, jackpot = awarded(room)
    with room.store.write() as connection:
        seal_books(connection, room.clock.now())
    moved = hours * 3_600_000
    for book in (table.number, jackpot):  # contradicts its own book, the other book, and the seal
        with rolled_back(room.store) as connection:
            take_guards_away(connection)
            where = (entry.c.book_id == book) & (entry.c.version == 2)
            connection.execute(update(entry).where(where).values(at=entry.c.at + moved))
            assert any(one.startswith("chain") for one in told(audited(connection, room), book, 2))
    with rolled_back(room.store) as connection:
        take_guards_away(connection)
        connection.execute(update(seal).values(at=seal.c.at + moved))
        kinds = {str(one.kind) for one in audited(connection, room).differences}
        assert kinds == {"guard", "seal"}, "and it doesn't determine what came first"
