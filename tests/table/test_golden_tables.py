"""Every worked round, played by people at a live table, pays the same."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.golden.test_worked_rounds import ROUNDS
from tests.table.folded import check_table
from tests.table.tables import LiveTable, Room
from ventiuna.engine import execute
from ventiuna.engine.commands import Command, PlaceWagers, PlayerCommand
from ventiuna.engine.events import CardDealt, Event, WagerSettled
from ventiuna.engine.state import RoundState
from ventiuna.notation import read_worked_round, replay
from ventiuna.notation.records import RoundRecord
from ventiuna.rules.model import JackpotKind
from ventiuna.table.commands import BuyChips, ChooseSpots, TakeSeat
from ventiuna.table.store.sqlite import MemoryStore


def on_a_meter(record: RoundRecord) -> bool:
    """Somebody wagers on a progressive: its meter must be linked first."""
    jackpots = record.rules.jackpots
    return any(
        jackpots[game - 1].kind is not JackpotKind.HOUSE
        for spot in record.spots
        for game, cents in spot.jackpots.items()
        if cents
    )


RECORDS = {data["id"]: read_worked_round(data) for data in ROUNDS}
WITHOUT_METERS = [name for name, record in RECORDS.items() if not on_a_meter(record)]
ON_A_METER = [name for name, record in RECORDS.items() if on_a_meter(record)]


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[Command]:
    """What the people of a replayed round do."""
    found: list[Command] = []

    def watched(state: RoundState, command: Command) -> list[Event]:
        found.append(command)
        return execute(state, command)

    monkeypatch.setattr(sys.modules[replay.__module__], "execute", watched)
    return found


@pytest.mark.parametrize("name", WITHOUT_METERS)
def test_a_worked_round_at_a_live_table(name: str, commands: list[Command]) -> None:
    played = replay(RECORDS[name])
    dealt = [event.card for event in played.events if isinstance(event, CardDealt)]
    room = Room(MemoryStore(), shoes=[dealt], people=len(RECORDS[name].spots))
    table = room.open(RECORDS[name].rules)
    owners = sit_down(table, RECORDS[name])
    before = room.balances()
    for command in commands:
        if isinstance(command, PlayerCommand):
            take_part(table, owners, command)
        elif type(command).__name__ == "CloseWagers":
            table.ready(*dict.fromkeys(owners.values()))
    told: list[Any] = [event for news in table.news for event in news.events]
    assert [event for event in told if isinstance(event, WagerSettled)] == played.payments
    assert table.state.rounds == 2, "the next round is open"
    for spot, person in owners.items():
        stack = f"stack/{table.number}/{seat_of(owners, person)}"
        mine = [number for number, owner in owners.items() if owner == person]
        won = sum(sum(sum(played.net(number).values(), ())) for number in mine)
        assert room.balances()[stack] - before[stack] == won, spot
    check_table(table)


def sit_down(table: LiveTable, record: RoundRecord) -> dict[int, int]:
    """Each person on the seat of his first spot; the number of the person by spot."""
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
