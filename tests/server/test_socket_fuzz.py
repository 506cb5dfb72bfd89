"""Whatever a client sends, the server stays up, nothing changes, and one sentence says why."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import fields
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.server.live_house import PROTOCOL, AtTable, LiveHouse, live_house
from tests.server.running import PATIENCE
from tests.server.test_administration import play_to_decision
from ventiuna.engine.commands import PlayerCommand
from ventiuna.server.hub import Client, Close, Hub
from ventiuna.table.domain.commands import COMMAND_RECORDS, OPERATOR_COMMANDS, TableCommand
from ventiuna.table.domain.handlers import ANSWERS, Actor, ActorRole

CONNECTIONS = 24
MESSAGES = 16  # per connection; the limit for a burst
TOO_MANY = 400  # messages: still too many when a slow server takes a few seconds to read them
LONGEST_SENTENCE = 600  # a refusal that lists all commands is this long

JUNK: tuple[object, ...] = (
    None, True, False, -1, 8, 99, 2**31, 2**53, 2**63 - 1, 2**63, 2**64, -(2**63), 10**30, 1.5,
    -0.0, 1e308, "", " ", "1", "\x00", "a\x00b", "\ud800", "x\udfff", "\u202e", "🂡" * 40, "x" * 900,
    "Robert'); DROP TABLE seat;--", "%s%n", [], {}, [[]], [None], [1, "2"], {"a": {"b": []}},
    {"1": "x"}, {"up": -5}, {"up": 2**64}, {"\x00": 1}, {"\ud800": 1},
)  # fmt: skip
RAW = (
    "nonsense", "{", "}", "[]", "null", "1", '"text"', "{}", "\x00", '{"type":"command"', "NaN",
    '{"type":NaN}', '{"type":Infinity,"key":1e999}', "[" * 3_000, '{"a":' * 600, "\ufeff{}",
    '{"type":"command","type":"command"}', "9" * 4_000, "-" + "9" * 4_000,
    '"' + "\\ud800" * 600 + '"',
    '{"type":"command","key":"\\ud800","command":{"command":"Ready"}}',
    '{"type":"command","key":"k","command":{"command":"\\udfff\\u0000"}}',
)  # fmt: skip


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveHouse]:
    with live_house(tmp_path_factory.mktemp("fuzzed")) as house:
        for name in ("Ann", "Bob"):
            house.add(name)
        house.add("Eve", money=0)
        yield house


@pytest.fixture(scope="module")
def table(floor: LiveHouse) -> int:
    """A table where Ann and Bob are seated and Ann has a decision to make."""
    number = floor.open_table("wsgc-spanish-21")
    with ExitStack() as stack:
        ann, bob = (stack.enter_context(AtTable(floor, number, name)) for name in ("Ann", "Bob"))
        ann.do("TakeSeat", seat=1)
        ann.do("BuyChips", amount=100_000)
        play_to_decision(ann)
        bob.do("TakeSeat", seat=2)
    return number


def books(floor: LiveHouse) -> Any:
    return floor.get("Audrey", "/books").json()


# --- invalid messages -------------------------------------------------------------------------


def bad_messages(chance: random.Random, ask: int, name: str) -> Iterator[str]:
    while True:
        kind = chance.randrange(4)
        if kind == 0:
            yield chance.choice(RAW)
        elif kind == 1:
            yield json.dumps(_wrong_shape(chance))
        else:
            yield json.dumps(_wrong_command(chance, ask, name))


def _wrong_shape(chance: random.Random) -> dict[str, object]:
    message: dict[str, object] = {"type": "command", "key": f"k{chance.random()}"}
    message["command"] = {"command": "Ready"}
    spoilt = chance.choice(("type", "key", "command", "command"))
    if chance.random() < 0.3:
        del message[spoilt]
    elif spoilt == "command":
        names = ["TimeUp", "FaultTable", "DealCard", "CloseWagers", "ShowMeters", "Hello", "_"]
        message[spoilt] = {"command": chance.choice([*names, *JUNK]), "ask": 1, "card": 3}
    elif spoilt == "key":
        message[spoilt] = chance.choice([one for one in JUNK if not _is_key(one)])
    else:
        message[spoilt] = chance.choice([*JUNK, "hello", "Command", "ping"])
    return message


def _is_key(junk: object) -> bool:
    return isinstance(junk, str) and 0 < len(junk) <= 64 and junk.isprintable()


def _wrong_command(chance: random.Random, ask: int, name: str) -> dict[str, object]:
    """A command with junk in it, for someone else's spot, or answering a question nobody asked."""
    kind: type[TableCommand] = chance.choice(list(COMMANDS_OF[name]))
    command = {part.name: chance.choice(JUNK) for part in fields(kind)}
    if "spot" in command and chance.random() < 0.5:
        command["spot"] = 2  # Bob's
    if kind in ANSWER_KINDS and "spot" not in command:
        ask += 1
    elif "spot" in command and command["spot"] in (True, 1):
        command["spot"] = 2
    asks: list[object] = [ask - 1, ask + 1, 0, 2**62, None, "x", 1.5, True, -1, [], {}]
    message: dict[str, object] = {
        "type": "command",
        "key": f"k{chance.random()}",
        "command": {"command": kind.__name__, **command},
    }
    answers_rightly = "spot" in command and chance.random() < 0.5
    message["ask"] = ask if answers_rightly else chance.choice(asks)
    if chance.random() < 0.2:
        message["sent"] = chance.choice(JUNK)
    return message


ANSWER_KINDS = tuple(kind for one in ANSWERS for kind in getattr(one, "__args__", (one,)))
SEATED = (*PlayerCommand.__args__, *ANSWER_KINDS, *OPERATOR_COMMANDS)
# Eve has no seat and no money, so all her commands are refused except taking a free seat.
EVES = tuple(kind for name, kind in COMMAND_RECORDS.kinds.items() if name != "TakeSeat")
COMMANDS_OF = {"Ann": SEATED, "Eve": EVES, "": EVES}


@pytest.mark.parametrize("name", COMMANDS_OF)
def test_nonsense_gets_one_sentence_and_changes_nothing(
    floor: LiveHouse, table: int, name: str
) -> None:
    chance = random.Random(f"fuzz {name}")
    ask = floor.get("", f"/tables/{table}").json()["ask"]["n"]
    before = books(floor)
    for _ in range(CONNECTIONS // 3):
        with AtTable(floor, table, name) as client:
            client.until("snapshot")
            source = bad_messages(chance, ask, name)
            for _ in range(MESSAGES):
                text = next(source)
                client.socket.send(text)
                check_refused(client, text)
    assert books(floor) == before
    assert floor.get("", "/healthz").status_code == 200


def check_refused(client: AtTable, text: str) -> None:
    while True:
        answer = client.next_message()
        if answer["type"] in ("refused", "done"):
            break
    assert answer["type"] == "refused", text
    reason = answer["reason"]
    assert reason, text
    assert len(reason) <= LONGEST_SENTENCE, text
    assert reason.isprintable(), text


def test_half_a_character_is_refused(floor: LiveHouse, table: int) -> None:
    """A refusal is stored with its command, and the books can't store half a character."""
    with AtTable(floor, table, "Ann") as ann:
        ann.until("snapshot")
        command = {"command": "VoidRound", "reason": "\ud800"}
        text = json.dumps({"type": "command", "key": "half", "command": command})
        for _ in range(2):
            ann.socket.send(text)
            assert ann.until("refused")["reason"] == "This isn't valid JSON."


def test_a_key_used_for_another_command_is_refused(floor: LiveHouse, table: int) -> None:
    before = books(floor)
    with AtTable(floor, table, "Ann") as ann:
        command = {"command": "BuyChips", "amount": 5}
        with floor.store.read() as connection:
            used = connection.exec_driver_sql(
                "SELECT key FROM entry WHERE actor LIKE 'person/%' AND command LIKE '%TakeSeat%'"
            ).scalar()
        ann.socket.send(json.dumps({"type": "command", "key": used, "command": command}))
        answer = ann.until("refused")
    assert answer["code"] == "key_reused"
    assert books(floor) == before


# --- connecting -------------------------------------------------------------------------------


def closed_with(floor: LiveHouse, address: str, *texts: str | bytes, speaks: bool = True) -> int:
    """Send these messages and return the server's close code."""
    where = f"ws://127.0.0.1:{floor.served.port}{address}"
    protocols = [PROTOCOL] if speaks else None
    with connect(
        where, subprotocols=protocols, compression=None, open_timeout=PATIENCE, ping_interval=None
    ) as socket:
        with contextlib.suppress(ConnectionClosed):
            for text in texts:
                socket.send(text)
        return closing_code(socket)


def closing_code(socket: ClientConnection) -> int:
    """The server's close code, or 1006 if it gives no reason."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            socket.recv(timeout=PATIENCE)
    return socket.close_code or 0


HELLO = '{"type":"hello"}'


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "{}",
        '{"type":"command","key":"k","command":{"command":"Ready"}}',
        '{"type":"hello","token":5}',
        '{"type":"hello","token":"\\ud800"}',
        '{"type":"hello","from":-1}',
        '{"type":"hello","from":1e9}',
        '{"type":"hello","from":' + "9" * 30 + "}",
        "[" * 3_000,
        b"\x00\xff",
        b"{}",
    ],
)
def test_a_client_without_hello_is_disconnected(
    floor: LiveHouse, table: int, text: str | bytes
) -> None:
    assert closed_with(floor, f"/tables/{table}/live", text) == 4001


@pytest.mark.parametrize("token", ["", "x", "\\u0000", "A" * 43, "é" * 100])
def test_an_invalid_token_is_refused(floor: LiveHouse, table: int, token: str) -> None:
    hello = f'{{"type":"hello","token":"{token}"}}'
    assert closed_with(floor, f"/tables/{table}/live", hello) == 4003


@pytest.mark.parametrize("number", ["0", "-1", "1", "987654", "9" * 19, "9" * 40])
def test_a_missing_table_is_reported(floor: LiveHouse, number: str) -> None:
    """Number 1 is the cashier's book."""
    assert closed_with(floor, f"/tables/{number}/live", HELLO) == 4003


def test_an_unsupported_protocol_is_reported(floor: LiveHouse, table: int) -> None:
    assert closed_with(floor, f"/tables/{table}/live", speaks=False) == 4015


@pytest.mark.parametrize("size", [4_097, 100_000])
def test_a_message_that_is_too_long_closes_the_socket(
    floor: LiveHouse, table: int, size: int
) -> None:
    address = f"/tables/{table}/live"
    assert closed_with(floor, address, HELLO, "x" * size) in (4009, 1009)


def test_too_many_messages_close_the_socket(floor: LiveHouse, table: int) -> None:
    before = books(floor)
    assert closed_with(floor, f"/tables/{table}/live", HELLO, *["{}"] * TOO_MANY) == 4009
    assert books(floor) == before


def test_a_second_window_takes_the_seat_over(floor: LiveHouse, table: int) -> None:
    with AtTable(floor, table, "Ann") as first:
        first.until("you", seat=1)
        with AtTable(floor, table, "Ann") as second:
            second.until("you", seat=1)
            assert closing_code(first.socket) == 4010


def test_a_message_is_written_at_once_unless_others_are_waiting() -> None:
    written: list[str] = []
    accepts = True

    def write(text: str) -> bool:
        if accepts:
            written.append(text)
        return accepts

    client = Client(7, None, lambda: None, write)
    client.send("1")
    accepts = False
    client.send("2")
    accepts = True
    client.send("3")  # queued behind the message that is still waiting
    assert written == ["1"]
    sent = []
    for text in client.take():
        sent.append(text)
        if text == "2":
            client.send("4")
    assert sent == ["2", "3", "4"]
    client.send("5")
    assert written == ["1", "5"]


def test_an_older_window_never_takes_the_seat_back() -> None:
    """The first of two windows may learn its own number last."""
    hub = Hub()
    ann = Actor("person/1", ActorRole.PLAYER, "1", "Ann")
    first, second = (Client(7, ann, lambda: None) for _ in range(2))
    for number, client in enumerate((first, second), start=1):
        client.seat, client.number = 1, number
        hub._channel(7).clients[client] = None
    hub.replace(first)
    assert (first.closed, second.closed) == (None, None)
    hub.replace(second)
    assert (first.closed, second.closed) == (Close.OTHER_CLIENT, None)
