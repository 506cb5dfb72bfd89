"""docs/socket.md describes every message correctly: examples parse and tables are current."""

from __future__ import annotations

import json
import re

import pytest

from tests.pages import is_written
from tests.socket_page import PAGE, page
from ventiuna.server.hub import Close
from ventiuna.server.schemas import CLIENT_MESSAGE, SERVER_MESSAGE, ClientMessage, ServerMessage

TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]
CLIENTS = ("hello", "command")


def test_the_tables_are_up_to_date() -> None:
    assert is_written(PAGE, page()), "stale: run make docs"


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda message: message["type"])
def test_an_example_is_a_message(message: dict[str, object]) -> None:
    adapter = CLIENT_MESSAGE if message["type"] in CLIENTS else SERVER_MESSAGE
    adapter.validate_json(json.dumps(message))


def test_every_message_has_an_example() -> None:
    both = (ClientMessage.__args__[0], ServerMessage.__args__[0])
    kinds = {
        kind.model_fields["type"].annotation.__args__[0]
        for union in both
        for kind in union.__args__
    }
    assert kinds == {message["type"] for message in EXAMPLES}


def test_every_close_code_is_documented() -> None:
    assert {int(code) for code in re.findall(r"^\| (4\d{3}) \|", TEXT, re.MULTILINE)} == set(Close)
