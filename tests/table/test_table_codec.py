"""Events and commands of a table survive the way through JSON, and nothing else is read."""

from __future__ import annotations

import json

import pytest

from ventiuna.engine.commands import Double, PlaceWagers
from ventiuna.engine.errors import DataError
from ventiuna.engine.events import CardDealt, Place
from ventiuna.engine.stakes import Stakes
from ventiuna.table import commands as do
from ventiuna.table import events as ev
from ventiuna.table.codec import command_data, command_from_data, event_data, event_from_data

EVENTS: list[ev.TableEvent] = [
    ev.SpotsChosen(2, (2, 3)),
    ev.AskRaised(ev.AskKind.INSURANCE, (1, 4)),
    ev.RoundOpened(7, 2, Stakes({1: 500_000}), Stakes({1: 9_999})),
    ev.ShoeCut(1, "ab" * 32, (3,)),
    ev.TableClosed(),
    CardDealt(12, Place.UP),
]
COMMANDS: list[do.TableCommand] = [
    do.TakeSeat(3),
    do.ChooseSpots((1, 2)),
    do.CashOut(),
    do.OpenTable("A", {"extends": "wsgc-spanish-21"}, Stakes({"wagers": 5_000})),
    PlaceWagers(1, 500, "12", {"up": 500}, {1: 100}),
    Double(1),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_comes_back_from_json(event: ev.TableEvent) -> None:
    assert event_from_data(json.loads(json.dumps(event_data(event)))) == event


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_a_command_comes_back_from_json(command: do.TableCommand) -> None:
    assert command_from_data(json.loads(json.dumps(command_data(command)))) == command


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"command": "TakeSeat"}, "the field seat is missing"),
        ({"command": "TakeSeat", "seat": "1"}, "TakeSeat.seat: give a whole number"),
        ({"command": "ChooseSpots", "spots": 3}, "ChooseSpots.spots: give a list"),
        ({"command": "ChooseSpots", "spots": [1.5]}, "ChooseSpots.spots: give a whole number"),
        ({"command": "OpenTable", "name": "A", "rules": []}, "OpenTable.rules: give an object"),
        ({"command": "Cheat"}, "write one of TakeSeat"),
    ],
)
def test_a_damaged_command_is_refused_in_one_sentence(data: object, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        command_from_data(data)
