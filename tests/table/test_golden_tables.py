"""Every worked round, played by people at a live table, pays the same."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.golden.test_worked_rounds import ROUNDS
from tests.support.memory_store import MemoryStore
from tests.table.floor import create, order, read
from tests.table.folded import check_table
from tests.table.tables import OPERATOR, LiveTable, Room
from ventiuna.engine import execute
from ventiuna.engine.commands import CloseWagers, Command, PlaceWagers, PlayerCommand
from ventiuna.engine.events import CardDealt, Event, WagerSettled
from ventiuna.engine.state import RoundState
from ventiuna.notation import replay, round_from_data
from ventiuna.notation.records import RoundRecord
from ventiuna.notation.replay import Replay
from ventiuna.rules.model import JackpotKind
from ventiuna.table.domain.commands import BuyChips, ChooseSpots, LinkJackpot, TakeSeat
from ventiuna.table.jackpots.progressive import CorrectDown, CorrectUp, displayed_amount
from ventiuna.table.store.schema import link


def on_a_meter(record: RoundRecord) -> bool:
    """Whether someone wagers on a progressive, whose meter must be linked first."""
    jackpots = record.rules.jackpots
    return any(
        jackpots[game - 1].kind is not JackpotKind.HOUSE
        for spot in record.spots
        for game, cents in spot.jackpots.items()
        if cents
    )


RECORDS = {data["id"]: round_from_data(data) for data in ROUNDS}
WITHOUT_METERS = [name for name, record in RECORDS.items() if not on_a_meter(record)]
ON_A_METER = [name for name, record in RECORDS.items() if on_a_meter(record)]


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[Command]:
    """The commands of a replayed round."""
    found: list[Command] = []

    def watched(state: RoundState, command: Command) -> list[Event]:
        found.append(command)
        return execute(state, command)

    monkeypatch.setattr(sys.modules[replay.__module__], "execute", watched)
    return found


@pytest.mark.parametrize("name", WITHOUT_METERS)
def test_a_worked_round_at_a_live_table(name: str, commands: list[Command]) -> None:
    played = replay(RECORDS[name])
    table = table_for(played)
    play(table, played, commands)
    check_table(table)


@pytest.mark.parametrize("name", ON_A_METER)
def test_a_worked_round_with_linked_meters(name: str, commands: list[Command]) -> None:
    record = RECORDS[name]
    played = replay(record)
    table = table_for(played)
    jackpots = link_meters(table, record)
    play(table, played, commands)
    for number, meter in zip(jackpots, played.state.meters, strict=True):
        assert displayed_amount(read(table.room.store, number)) == meter.cents
    links = table.loaded().links
    assert [links[game].remainder for game in sorted(links)] == [
        meter.remainder for meter in played.state.meters
    ]


def link_meters(table: LiveTable, record: RoundRecord) -> list[int]:
    """Link a progressive to each game, displaying the record's amount; return their numbers."""
    jackpots = []
    meters = record.meters or [(jackpot.seed, 0) for jackpot in record.rules.jackpots]
    for game, (cents, remainder) in enumerate(meters, start=1):
        number = create(table.room.store, record.rules, game)
        jackpots.append(number)
        more = cents - displayed_amount(read(table.room.store, number))
        if more > 0:
            order(table.room.store, number, CorrectUp(more, "the record's meter"))
        elif more < 0:
            order(table.room.store, number, CorrectDown(-more, "the record's meter"))
        table.do(OPERATOR, LinkJackpot(game, number, "a worked round"))
        with table.room.store.write() as connection:
            connection.execute(
                link.update().where(link.c.jackpot_id == number).values(remainder=remainder)
            )
    table.room.restart()
    return jackpots


def table_for(played: Replay) -> LiveTable:
    dealt = [
        event.card
        for event in played.events
        if isinstance(event, CardDealt) and event.card is not None
    ]
    room = Room(MemoryStore(), shoes=[dealt], people=len(played.record.spots))
    return room.open(played.record.rules)


def play(table: LiveTable, played: Replay, commands: list[Command]) -> None:
    """Replay the record's commands and check that everyone is paid the same."""
    room = table.room
    owners = sit_down(table, played.record)
    before = room.balances()
    for command in commands:
        if isinstance(command, PlayerCommand):
            take_part(table, owners, command)
        elif isinstance(command, CloseWagers):
            table.ready(*dict.fromkeys(owners.values()))
    told: list[Any] = [event for update in table.updates for event in update.events]
    assert [event for event in told if isinstance(event, WagerSettled)] == played.payments
    assert table.state.rounds == 2, "the next round is open"
    for spot, person in owners.items():
        stack = f"stack/{table.number}/{seat_of(owners, person)}"
        mine = [number for number, owner in owners.items() if owner == person]
        won = sum(sum(sum(played.net(number).values(), ())) for number in mine)
        assert room.balances()[stack] - before[stack] == won, spot


def sit_down(table: LiveTable, record: RoundRecord) -> dict[int, int]:
    """Seat each person at their first spot; return the person number by spot."""
    people: dict[str, int] = {}
    owners = {}
    for spot in record.spots:
        name = spot.person or f"spot {spot.number}"
        owners[spot.number] = people.setdefault(name, len(people) + 1)
    for person in people.values():
        table.do(person, TakeSeat(seat_of(owners, person)))
        spots = tuple(spot for spot, owner in owners.items() if owner == person)
        table.do(person, ChooseSpots(spots))
        table.do(person, BuyChips(1_000_000))
    table.cut()
    return owners


def seat_of(owners: dict[int, int], person: int) -> int:
    return min(spot for spot, owner in owners.items() if owner == person)


def take_part(table: LiveTable, owners: dict[int, int], command: PlayerCommand) -> None:
    if isinstance(command, PlaceWagers):
        command = PlaceWagers(
            command.spot, command.base, mtd=command.mtd, jackpots=command.jackpots
        )
    table.do(owners[command.spot], command)
