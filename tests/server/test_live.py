"""A round at a real table over a real socket: every message matches its wire type."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from tests.server.conftest import House
from tests.server.houses import SLOW
from tests.server.running import PATIENCE
from tests.server.test_wire import through_json
from ventiuna.server.live_tables import actor_for
from ventiuna.server.schemas import EVENT, PROTOCOL, SERVER_MESSAGE
from ventiuna.table.accounts import IssueMoney, find_person, handle_cashier_command
from ventiuna.table.domain.handlers import SERVICE

RULES = "wsgc-2021"


@pytest.fixture
def table(house: House) -> int:
    name = f"Table {secrets.token_hex(4)}"
    body = {"name": name, "rules": RULES, "clocks": SLOW, "reason": "to play"}
    with house.served.client(house.tokens["operator"]) as client:
        answer = client.post("/tables", json=body)
    assert answer.status_code == 201, answer.text
    number: int = answer.json()["id"]
    return number


class Listener:
    """Reads messages and checks each against its type."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.seen: list[dict[str, Any]] = []

    def say(self, **message: Any) -> None:
        self._socket.send(json.dumps(message))

    def next(self) -> dict[str, Any]:
        message = json.loads(self._socket.recv(timeout=PATIENCE))
        checked = SERVER_MESSAGE.validate_python(message)
        written = checked.model_dump_json(by_alias=True, exclude_unset=True)
        assert json.loads(written) == message
        for event in message.get("events", ()):
            parsed = through_json(EVENT, event)
            assert isinstance(parsed, dict)
            assert event.items() <= parsed.items()  # parsing adds defaults that were left out
        self.seen.append(message)
        found: dict[str, Any] = message
        return found

    def until(self, kind: str) -> dict[str, Any]:
        while (message := self.next())["type"] != kind:
            pass
        return message

    def command(self, command: str, ask: int | None = None, **fields: Any) -> None:
        key = secrets.token_hex(8)
        named = {} if ask is None else {"ask": ask}
        self.say(type="command", key=key, **named, command={"command": command, **fields})

    def next_ask(self, *kinds: str) -> dict[str, Any] | None:
        """The next thing the table waits for, or None when the round is over."""
        while True:
            message = self.next()
            assert message["type"] != "refused", message
            if message["type"] != "events":
                continue
            if any(event["event"] == "RoundClosed" for event in message["events"]):
                return None
            ask: dict[str, Any] | None = message["ask"]
            if ask is not None and ask["kind"] in kinds:
                return ask


@contextmanager
def listening(house: House, table: int, token: str = "") -> Iterator[Listener]:
    address = house.served.address.replace("http", "ws")
    with connect(
        f"{address}/tables/{table}/live",
        subprotocols=[Subprotocol(PROTOCOL)],
        compression=None,
        open_timeout=PATIENCE,
        ping_interval=None,
    ) as socket:
        listener = Listener(socket)
        listener.say(type="hello", **({"token": token} if token else {}))
        yield listener


@pytest.fixture
def rich(house: House) -> str:
    """Access token of a guest with a thousand dollars."""
    with house.served.client() as client:
        guest = client.post("/accounts/guest", json={}).json()
    with house.store.write() as connection:
        who = find_person(connection, guest["person"]["name"])
        assert who is not None
        assert actor_for(who).person == str(guest["person"]["id"])
        command = IssueMoney(who.id, 100_000, "to play with")
        handle_cashier_command(
            connection, SERVICE, secrets.token_hex(8), command, 1_800_000_000_000
        )
    token: str = guest["tokens"]["access"]
    return token


def test_a_spectator_gets_a_snapshot(house: House, table: int) -> None:
    with listening(house, table) as spectator:
        snapshot = spectator.next()
    assert (snapshot["type"], snapshot["table"]["id"]) == ("snapshot", table)
    with house.served.client() as client:
        assert client.get(f"/tables/{table}").json() == {
            name: part for name, part in snapshot.items() if name not in ("type", "story", "scene")
        }


def test_a_round_matches_the_types_and_the_coach_advises(
    house: House, table: int, rich: str
) -> None:
    advised = 0
    with (
        listening(house, table, rich) as player,
        listening(house, table) as spectator,
        house.served.client(rich) as client,
    ):
        assert client.get(f"/tables/{table}/coach").json()["code"] == "nothing_to_coach"
        player.until("snapshot")
        player.command("TakeSeat", seat=3)
        player.command("BuyChips", amount=50_000)
        ask = player.next_ask("cut_commit")
        assert ask is not None
        player.command("Ready", ask["n"])
        ask = player.next_ask("wagers")
        assert ask is not None
        player.command("PlaceWagers", ask["n"], spot=3, base=1_500)
        while (ask := player.next_ask("wagers", "decision", "insurance", "blackjack")) is not None:
            if ask["kind"] == "wagers":
                player.command("Ready", ask["n"])
            elif ask["kind"] == "blackjack":
                player.command("TakeBlackjack", ask["n"], spot=3)
            else:
                advised += advice_fits(client, table, ask)
                answer = {"amount": 0} if ask["kind"] == "insurance" else {}
                name = "Insure" if ask["kind"] == "insurance" else "Stand"
                player.command(name, ask["n"], spot=3, **answer)
        spectator.until("snapshot")
        while not any(
            event["event"] == "RoundClosed" for event in spectator.until("events")["events"]
        ):
            pass
    public = [message for message in player.seen if message["type"] == "events"]
    heard = [message for message in spectator.seen if message["type"] == "events"]
    same = public[-len(heard) :]  # the same for everyone, except for the actions of a decision
    for message in same:
        if message["ask"] and message["ask"]["kind"] == "decision":
            message["ask"]["options"] = None
    assert heard == same
    assert {"snapshot", "events", "you", "done"} <= {message["type"] for message in player.seen}
    events = [event for message in public for event in message["events"]]
    asked = [event for event in events if event["event"] == "HandStood"]
    assert advised >= len(asked)


def advice_fits(client: httpx.Client, table: int, ask: dict[str, Any]) -> bool:
    """The coach returns values for exactly the actions that the table offers."""
    answer = client.get(f"/tables/{table}/coach")
    assert answer.status_code == 200, answer.text
    found = {choice["action"] for choice in answer.json()["shoe"]["actions"]}
    if ask["kind"] == "insurance":
        assert found == {"insure", "decline"}
    else:
        assert found == {option["name"] for option in ask["options"] if option["legal"]}
    return True


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:1"])
def test_pages_of_other_sites_open_no_socket(house: House, table: int, origin: str) -> None:
    address = house.served.address.replace("http", "ws")
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        connect(
            f"{address}/tables/{table}/live",
            subprotocols=[Subprotocol(PROTOCOL)],
            origin=Origin(origin),
            open_timeout=PATIENCE,
        )
