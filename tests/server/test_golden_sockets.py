"""Worked rounds pay the same when played over real sockets.

tests/table/test_golden_tables.py plays all of them at live tables. Sockets add nothing that depends
on the round, so only every third one is played here, and all of them in a soak.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import pytest

from tests import IS_SOAK
from tests.golden.test_worked_rounds import ROUNDS
from tests.server.live_house import SLOW, AtTable, LiveHouse, live_house
from ventiuna.engine import execute
from ventiuna.engine.commands import CloseWagers, Command, PlaceWagers, PlayerCommand
from ventiuna.engine.events import CardDealt, Event, Stakes
from ventiuna.engine.state import RoundState
from ventiuna.notation import replay, round_from_data
from ventiuna.notation.records import RoundRecord
from ventiuna.notation.replay import Replay
from ventiuna.rules import rules_data
from ventiuna.server.live_tables import actor_for
from ventiuna.table import admin
from ventiuna.table.admin import OpenedTable, OperatorAction
from ventiuna.table.domain.commands import OpenTable, command_data, event_data
from ventiuna.table.jackpots import repository
from ventiuna.table.jackpots.progressive import CorrectDown, CorrectUp
from ventiuna.table.store.schema import link

RECORDS = {data["id"]: round_from_data(data) for data in ROUNDS[:: 1 if IS_SOAK else 3]}
CHIPS = 1_000_000
MOST_PEOPLE = max(len(record.spots) for record in RECORDS.values())


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveHouse]:
    with live_house(tmp_path_factory.mktemp("golden")) as house:
        for number in range(MOST_PEOPLE):
            house.add(f"player {number}")
        yield house


@pytest.mark.parametrize("name", RECORDS)
def test_a_worked_round_over_sockets(floor: LiveHouse, name: str) -> None:
    record = RECORDS[name]
    played, commands = people_do(record)
    opened = open_for(floor, played)
    set_meters(floor, record, opened)
    with ExitStack() as stack:
        seats = sit_down(floor, stack, record, opened.number)
        play(seats, commands)
        onlooker = next(iter(seats.values()))
        told = [event for event in onlooker.events if event["event"] == "WagerSettled"]
        assert told == json.loads(json.dumps([event_data(paid) for paid in played.payments]))
        check_stacks(onlooker, seats, played)
    for game, number in opened.jackpots.items():
        shown = floor.get("Audrey", f"/jackpots/{number}").json()["shown"]
        assert shown == played.state.meters[game - 1].cents


def people_do(record: RoundRecord) -> tuple[Replay, list[Command]]:
    """The round as the engine plays it, and the players' commands."""
    found: list[Command] = []

    def watched(state: RoundState, command: Command) -> list[Event]:
        found.append(command)
        return execute(state, command)

    with patch(f"{replay.__module__}.execute", watched):
        return replay(record), found


def open_for(floor: LiveHouse, played: Replay) -> OpenedTable:
    """Open a table whose first shoe has the round's cards on top."""
    dealt = [
        event.card
        for event in played.events
        if isinstance(event, CardDealt) and event.card is not None
    ]
    floor.entropy.prescribe(dealt)
    tables = floor.served.app.state.tables
    act = OperatorAction(
        actor_for(floor.people["Olga"]), f"open-{next(floor.numbers)}", tables.clock
    )
    command = OpenTable("Worked", rules_data(played.record.rules), Stakes(SLOW), "a worked round")
    opened: OpenedTable = admin.run_action(
        tables.writer,
        lambda connection: admin.open_table(connection, tables.house, act, command),
    )
    return opened


def set_meters(floor: LiveHouse, record: RoundRecord, opened: OpenedTable) -> None:
    """Set the meters to the amounts in the record."""
    if not record.meters:
        return
    for game, number in opened.jackpots.items():
        cents, remainder = record.meters[game - 1]
        more = cents - floor.get("Audrey", f"/jackpots/{number}").json()["shown"]
        if more:
            _correct(floor, number, more)
        with floor.store.write() as connection:
            connection.execute(
                link.update().where(link.c.jackpot_id == number).values(remainder=remainder)
            )
    floor.served.app.state.tables.writer.forget([opened.number])


def _correct(floor: LiveHouse, number: int, more: int) -> None:
    """Correct a meter beyond the operators' daily limit."""
    change = CorrectUp if more > 0 else CorrectDown
    act = OperatorAction(
        actor_for(floor.people["Olga"]),
        f"meter-{next(floor.numbers)}",
        floor.served.app.state.tables.clock,
    )
    with floor.store.write() as connection:
        command = change(abs(more), "the record's meter")
        repository.handle(connection, number, command, act.sender)


def sit_down(
    floor: LiveHouse, stack: ExitStack, record: RoundRecord, table: int
) -> dict[int, AtTable]:
    """Seat each person at their first spot and return each spot's player."""
    spots: dict[str, list[int]] = {}
    for spot in record.spots:
        spots.setdefault(spot.person or f"spot {spot.number}", []).append(spot.number)
    seats: dict[int, AtTable] = {}
    for number, own in enumerate(spots.values()):
        person = stack.enter_context(AtTable(floor, table, f"player {number}"))
        person.do("TakeSeat", seat=min(own))
        person.do("ChooseSpots", spots=own)
        last = person.do("BuyChips", amount=CHIPS)
        person.catch_up(last)
        seats |= dict.fromkeys(own, person)
    return seats


def play(seats: dict[int, AtTable], commands: list[Command]) -> None:
    people = list(dict.fromkeys(seats.values()))
    last = max(person.told for person in people)
    last = answer_all(people, last, "cut_commit")  # nobody cuts
    for command in commands:
        if isinstance(command, PlaceWagers):
            command = PlaceWagers(
                command.spot, command.base, mtd=command.mtd, jackpots=command.jackpots
            )
        if isinstance(command, CloseWagers):
            last = answer_all(people, last, "wagers")
        elif isinstance(command, PlayerCommand):
            person = seats[command.spot]
            person.catch_up(last)
            assert person.ask is not None, "the table is waiting for someone"
            data: dict[str, Any] = command_data(command)
            last = person.do(ask=person.ask["n"], **data)
    for person in people:
        person.catch_up(last)


def answer_all(people: list[AtTable], last: int, kind: str) -> int:
    """Everyone reports ready if the table asks for this."""
    for person in people:
        person.catch_up(last)
        if person.ask is not None and person.ask["kind"] == kind:
            last = person.do("Ready", person.ask["n"])
    return last


def check_stacks(onlooker: AtTable, seats: dict[int, AtTable], played: Replay) -> None:
    messages: list[dict[str, Any]] = [json.loads(text) for text in onlooker.heard]
    stacks = [message for message in messages if message["type"] == "events"][-1]["stacks"]
    for person in dict.fromkeys(seats.values()):
        own = [spot for spot, who in seats.items() if who is person]
        won = sum(sum(sum(played.net(spot).values(), ())) for spot in own)
        assert stacks[str(min(own))] == CHIPS + won
