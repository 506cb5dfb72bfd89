"""Table events and commands survive a JSON round trip, and nothing else is accepted."""

from __future__ import annotations

import json
from dataclasses import fields
from itertools import cycle, islice, product
from typing import TypeVar

import pytest

from ventiuna.engine.commands import DataError, Double, PlaceWagers
from ventiuna.engine.events import Advice, Authority, CardDealt, Place, Stage, Stakes, Wager
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import COMMAND_RECORDS as COMMAND_KINDS
from ventiuna.table.domain.commands import EVENT_RECORDS as EVENT_KINDS
from ventiuna.table.domain.commands import (
    command_data,
    command_from_data,
    command_text,
    event_data,
    event_from_data,
    event_texts,
)
from ventiuna.table.journal import posting_rows
from ventiuna.table.ledger import EntryError, Posting, PostingCode, canonical_json

T = TypeVar("T")

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
def test_an_event_survives_a_round_trip_through_json(event: ev.TableEvent) -> None:
    assert event_from_data(json.loads(json.dumps(event_data(event)))) == event


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_a_command_survives_a_round_trip_through_json(command: do.TableCommand) -> None:
    assert command_from_data(json.loads(json.dumps(command_data(command)))) == command


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"command": "TakeSeat"}, "the field seat is missing"),
        ({"command": "TakeSeat", "seat": "1"}, "TakeSeat.seat must be a whole number"),
        ({"command": "ChooseSpots", "spots": 3}, "ChooseSpots.spots must be a list"),
        ({"command": "ChooseSpots", "spots": [1.5]}, "ChooseSpots.spots must be a whole number"),
        ({"command": "OpenTable", "name": "A", "rules": []}, "OpenTable.rules must be an object"),
        ({"command": "Cheat"}, "Choose from: TakeSeat"),
    ],
)
def test_a_damaged_command_is_refused_in_one_sentence(data: object, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        command_from_data(data)


# --- the text that is stored and hashed -------------------------------------------------------

# Values for each declared field type, both typical ones and ones that never occur.
NUMBERS: tuple[object, ...] = (0, 7, -3, 2**63 - 1, True)
TEXTS: tuple[object, ...] = ("", "12", 'é ✓ "x" \\ / \n\t\x00\x7f\u2028', "%s {0} {{}}")
VALUES: dict[str, tuple[object, ...]] = {
    "int": NUMBERS,
    "int | None": (*NUMBERS, None),
    "Cents": NUMBERS,
    "Card": NUMBERS,
    "Card | None": (*NUMBERS, None),
    "str": TEXTS,
    "bool": (True, False),
    "tuple[int, ...]": ((), (1,), (3, 1, 2)),
    "Stage": tuple(Stage),
    "Place": tuple(Place),
    "Advice": tuple(Advice),
    "Authority": tuple(Authority),
    "Requirement": tuple(do.Requirement),
    "Wager": tuple(Wager),
    "AskKind": tuple(ev.AskKind),
    "Stakes[MtdWager]": (Stakes({}), Stakes({"up": 5, "b1": 0, "down": 3})),
    "Stakes[JackpotGame]": (Stakes({}), Stakes({2: 5, 1: 0})),
    "Mapping[MtdWager, int]": (Stakes({}), Stakes({"up": 5, "down": 3}), {"down": 1, "b2": 2}),
    "Mapping[JackpotGame, int]": (Stakes({}), Stakes({2: 5, 1: 3})),
    "Mapping[str, object]": ({}, {"b": [1, None, {"y": "é", "x": True}], "a": "ü"}),
    "Times": (Stakes({}), Stakes({"wagers": 5_000, "decision": 1})),
}
MOST_OF_A_KIND = 500


def _made(kind: type[T]) -> list[T]:
    """Records of a kind that use all these values, in all combinations if there are few."""
    parts = [VALUES[str(field.type)] for field in fields(kind)]  # type: ignore[arg-type]
    rows = [list(islice(cycle(part), 24)) for part in parts]
    in_turn = zip(*rows, strict=True) if rows else iter([()])
    return [kind(*values) for values in (*in_turn, *islice(product(*parts), MOST_OF_A_KIND))]


@pytest.mark.parametrize("kind", EVENT_KINDS.kinds.values(), ids=lambda kind: kind.__name__)
def test_the_text_of_an_event_is_the_canonical_one_of_its_data(kind: type[ev.TableEvent]) -> None:
    for event in _made(kind):
        assert event_texts([event]) == [canonical_json(event_data(event))]


@pytest.mark.parametrize("kind", COMMAND_KINDS.kinds.values(), ids=lambda kind: kind.__name__)
def test_the_text_of_a_command_is_the_canonical_one_of_its_data(
    kind: type[do.TableCommand],
) -> None:
    for command in _made(kind):
        assert command_text(command) == canonical_json(command_data(command))


@pytest.mark.parametrize("value", [1.0, float("nan"), b"1", [1.5], {1: 2}, "\ud800", {"\ud800": 1}])
def test_values_books_cannot_store_are_refused(value: object) -> None:
    for record in (CardDealt(value, Place.UP), ev.TableFaulted(value)):  # type: ignore[arg-type]
        with pytest.raises(EntryError):
            event_texts([record])


@pytest.mark.parametrize(
    "posting",
    [
        Posting(PostingCode.WAGER, "stack/7/3", "stake/7", 500, 12, 34, 3),
        Posting(PostingCode.ISSUE, "mint", "wallet/1", 5, event=0),
        Posting(PostingCode.RECEIPTS, "reserve/2", "house", 2**63 - 1, reason='é "so" \\ ✓'),
    ],
)
def test_the_text_of_a_posting_is_the_canonical_one_of_its_data(posting: Posting) -> None:
    assert posting.text() == canonical_json(posting_rows([posting])[0].data())
