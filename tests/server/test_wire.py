"""Wire types are built from our own records: they accept what we write, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from tests.socket_page import example
from tests.support.dealt_rounds import paused_rounds
from tests.table.test_table_codec import COMMANDS, EVENTS
from tools.typescript import typescript
from ventiuna.engine.chips import Chips
from ventiuna.engine.codec import command_data, event_data, fields_that_may_be_left_out
from ventiuna.engine.views import option_data, view
from ventiuna.rules import load_rules
from ventiuna.server.schemas import (
    CLIENT_MESSAGE,
    COMMAND,
    EVENT,
    SENT_COMMANDS,
    BadMessage,
    CommandMessage,
    RoundData,
    WireOption,
    read_message,
)
from ventiuna.table.domain import commands
from ventiuna.table.domain.commands import OpenTable
from ventiuna.table.presentation import felt_data

ROOT = Path(__file__).parents[2]
RULES = ("wsgc-2021", "super-fun-21", "catfish-bend")


def through_json(adapter: TypeAdapter[Any], data: object) -> object:
    """Parse with the model and serialize again."""
    text = json.dumps(data)
    return json.loads(adapter.dump_json(adapter.validate_json(text), by_alias=True))


def test_the_typescript_file_is_up_to_date() -> None:
    written = (ROOT / "client" / "src" / "wire.ts").read_text(encoding="utf-8")
    assert written == typescript(), "stale: run make types"


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_events_of_a_table_keep_every_field(event: Any) -> None:
    data = commands.event_data(event)
    defaults = json.loads(json.dumps(dict(fields_that_may_be_left_out(type(event)))))
    assert through_json(EVENT, data) == defaults | data


@pytest.mark.parametrize(
    "command",
    [command for command in COMMANDS if not isinstance(command, OpenTable)],
    ids=lambda command: type(command).__name__,
)
def test_commands_of_people_keep_every_field(command: Any) -> None:
    data = commands.command_data(command)
    assert through_json(COMMAND, data) == data


@pytest.mark.parametrize("name", RULES)
def test_rounds_views_and_options_match_the_types(name: str) -> None:
    options: TypeAdapter[Any] = TypeAdapter(list[WireOption])
    seen_options = set()
    for moment in paused_rounds(load_rules(name), seed=7, rounds=12):
        for event in moment.events:
            data = event_data(event)
            assert through_json(EVENT, data) == data
        data = command_data(moment.command)
        assert through_json(COMMAND, data) == data
        offered = [option_data(option) for option in view(moment.state).options]
        covered = [
            option | ({"covered": True} if option["kind"] in ("action", "insurance") else {})
            for option in offered
        ]
        assert through_json(options, covered) == covered
        seen_options |= {option["kind"] for option in offered}
        chips = Chips().add_all(spot.wagers_placed() for spot in moment.state.order)
        felt = {"number": 1, **felt_data(moment.state, chips, {})}
        whole = RoundData.model_validate(felt).model_dump(mode="json", exclude_unset=True)
        assert whole == felt
    assert "action" in seen_options


@pytest.mark.parametrize(
    "message",
    [
        {"type": "hello"},
        {"type": "hello", "token": "x" * 43, "from": 412},
        {"type": "command", "key": "7f3a", "ask": 414, "command": {"command": "Double", "spot": 3}},
        {
            "type": "command",
            "key": "7f",
            "sent": 1,
            "command": {"command": "BuyChips", "amount": 5},
        },
        {"type": "command", "key": "1", "command": {"command": "CloseTable", "reason": "late"}},
        {"type": "command", "key": "1", "command": {"command": "VoidRound", "reason": "a card"}},
    ],
)
def test_messages_of_a_client_are_read(message: dict[str, Any]) -> None:
    found = read_message(json.dumps(message))
    assert found.type == message["type"]
    if isinstance(found, CommandMessage):
        read = commands.command_data(found.table_command())
        assert {name: read[name] for name in message["command"]} == message["command"]


DOUBLE = {"command": "Double", "spot": 3}


@pytest.mark.parametrize(
    "message",
    [
        [],
        {"type": "goodbye"},
        {"type": "hello", "from": -1},
        {"type": "hello", "from": True},
        {"type": "hello", "token": "x" * 129},
        {"type": "hello", "surprise": 1},
        {"type": "command", "key": "", "command": DOUBLE},
        {"type": "command", "key": "x" * 65, "command": DOUBLE},
        {"type": "command", "key": "1", "command": {"command": "Double"}},
        {"type": "command", "key": "1", "command": {"command": "Double", "spot": "3"}},
        {"type": "command", "key": "1", "command": {"command": "Double", "spot": True}},
        {"type": "command", "key": "1", "command": {"command": "Double", "spot": 3.0}},
        {"type": "command", "key": "1", "command": {"command": "Double", "spot": 2**63}},
        {"type": "command", "key": "1", "command": {"command": "DealCard", "card": 3}},
        {"type": "command", "key": "1", "command": {"command": "FaultTable", "reason": "mine"}},
        {"type": "command", "key": "1", "command": {"command": "TimeUp", "ask": 3}},
        {"type": "command", "key": "1", "command": {**DOUBLE, "person": "12"}},
    ],
)
def test_forbidden_messages_are_not_read(message: object) -> None:
    with pytest.raises(BadMessage) as refused:
        read_message(json.dumps(message))
    assert "xxxxx" not in str(refused.value)  # the input isn't echoed


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ([], "A message must be an object whose type is hello or command."),
        ({"type": "bye"}, "A message must be an object whose type is hello or command."),
        ({"type": "hello", "token": 7}, "hello.token must be a valid string."),
        ({"type": "hello", "tokn": ""}, "hello has no field 'tokn'."),
        ({"type": "command", "key": "1"}, "command: the field command is missing."),
        (
            {"type": "command", "key": "1", "command": {"command": "Double"}},
            "Double: the field spot is missing.",
        ),
        (
            {"type": "command", "key": "1", "command": {"command": "Hit", "spot": "3"}},
            "Hit.spot must be a valid integer.",
        ),
        (
            {"type": "command", "key": "k" * 65, "command": {"command": "Ready"}},
            "command.key must have at most 64 characters.",
        ),
        (
            {
                "type": "command",
                "key": "1",
                "command": {"command": "PlaceWagers", "spot": 1, "base": 5, "mtd": {"up": "5"}},
            },
            "PlaceWagers.mtd.up must be a valid integer.",
        ),
    ],
)
def test_the_error_says_what_is_wrong(message: object, sentence: str) -> None:
    with pytest.raises(BadMessage) as refused:
        read_message(json.dumps(message))
    assert str(refused.value) == sentence
    key = message.get("key", "") if isinstance(message, dict) else ""
    assert refused.value.key == key[:64], "so the sender knows which command it was"


# --- The published schema and the server agree ---

SCALARS = (None, "", "x", "x" * 65, "x" * 129, "\n", "é", "Hit", 0, 1, -1, 2**63, 1.5, True)
LISTS: tuple[list[object], ...] = ([], [1], ["x"], [1] * 65)
OBJECTS: tuple[dict[str, int], ...] = ({}, {"up": 1}, {"up": -1}, {"1": 1}, {"3": 1})
JUNK = st.sampled_from([*SCALARS, *LISTS, *OBJECTS])
SCHEMA = jsonschema_rs.validator_for(CLIENT_MESSAGE.json_schema())


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    """Valid messages, and messages with one or two changes."""
    command = example(draw(st.sampled_from(SENT_COMMANDS)), "command")
    message: dict[str, Any] = draw(
        st.sampled_from(
            [
                {"type": "hello", "token": "x" * 43, "from": 412},
                {"type": "command", "key": "7f3a", "ask": 4, "sent": 5, "command": command},
            ]
        )
    )
    for _ in range(draw(st.integers(0, 2))):
        part = command if "command" in message and draw(st.booleans()) else message
        field = draw(st.sampled_from([*part, "surprise"]))
        if draw(st.booleans()):
            part[field] = draw(JUNK)
        else:
            part.pop(field, None)
    return message


@settings(max_examples=300)
@given(messages())
def test_the_server_reads_exactly_the_messages_of_its_schema(message: dict[str, Any]) -> None:
    try:
        found = read_message(json.dumps(message))
    except BadMessage:
        assert not SCHEMA.is_valid(message), message
    else:
        assert SCHEMA.is_valid(message), message
        if isinstance(found, CommandMessage):
            read = commands.command_data(found.table_command())
            assert message["command"].items() <= read.items()
