"""A served house with live tables and no analysis, and clients connected to its sockets."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.server.cards import plain_cards
from tests.server.clock import HouseClock
from tests.server.running import PATIENCE, Served, served
from tests.support.entropy import TestEntropy
from ventiuna.rules import load_rules
from ventiuna.server.app import create_app
from ventiuna.server.serve import open_house
from ventiuna.server.settings import ServerSettings
from ventiuna.table.access import Role
from ventiuna.table.accounts import (
    GiveRole,
    IssueMoney,
    Person,
    add_registered,
    handle_cashier_command,
    issue_tokens,
)
from ventiuna.table.domain.handlers import Actor, ActorRole
from ventiuna.table.fairness import HouseKey
from ventiuna.table.store.connection import Store

SETTINGS = ServerSettings(port=0, guests_per_hour=100_000, log_ins_per_minute=100_000, test=True)
FAR = 2_000_000_000_000  # far in the future, so tokens issued then don't expire
BANKROLL = 1_000_000_000
# Time limits so long that only the players ever answer.
SLOW = {"wagers": 86_400_000, "answer": 86_400_000, "decision": 86_400_000, "cut": 86_400_000}
HASH = "$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo"  # matches no password

PROTOCOL = Subprotocol("ventiuna.1")

Message = dict[str, Any]


@dataclass
class LiveHouse:
    served: Served
    store: Store
    entropy: TestEntropy
    key: HouseKey
    clock: HouseClock
    people: dict[str, Person] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def add(self, name: str, role: Role = Role.PLAYER, money: int = BANKROLL) -> str:
        """Register a person and return the access token."""
        with self.store.write() as connection:
            added = add_registered(connection, name, HASH, Role.PLAYER, 0)
            house = Actor("house", ActorRole.OPERATOR)
            if role is not Role.PLAYER:
                given = GiveRole(added.id, str(role), "works here")
                handle_cashier_command(connection, house, f"role of {name}", given, 0)
            person = self.people[name] = replace(added, role=role)
            self.tokens[name] = issue_tokens(connection, person, FAR, os.urandom).access
            if money:
                issue = IssueMoney(person.id, money, "a bankroll")
                handle_cashier_command(connection, house, f"bankroll {name}", issue, 0)
        return self.tokens[name]

    def client(self, name: str = "") -> httpx.Client:
        return self.served.client(self.tokens[name] if name else "")

    def post(self, who: str, address: str, **body: object) -> httpx.Response:
        with self.client(who) as client:
            key = f"http-{next(self.numbers)}"
            return client.post(address, json=body, headers={"Idempotency-Key": key})

    def get(self, who: str, address: str) -> httpx.Response:
        with self.client(who) as client:
            return client.get(address)

    def open_table(self, rules: str, *, shuffled: bool = False, **more: object) -> int:
        """Open a table with prescribed cards, with plain cards, or with a real shuffle."""
        if not shuffled and not self.entropy.waiting:
            self.entropy.prescribe(plain_cards(load_rules(rules)))
        answer = self.post(
            "Olga",
            "/tables",
            **{"name": "Table", "rules": rules, "clocks": SLOW, "reason": "a test", **more},
        )
        assert answer.status_code == 201, answer.text
        number: int = answer.json()["id"]
        return number


@asynccontextmanager
async def _only_tables(app: FastAPI) -> AsyncIterator[None]:
    await app.state.tables.start()
    app.state.background.start()
    try:
        yield
    finally:
        await app.state.audits.close()
        await app.state.tables.drain()
        await app.state.background.stop()
        await app.state.tables.stop()


@contextmanager
def live_house(
    folder: Path, shoes: Sequence[Sequence[int]] = (), seal_to: str = ""
) -> Iterator[LiveHouse]:
    """A house with an operator, an auditor, and no tables yet."""
    entropy = TestEntropy(21, shoes)
    settings = replace(SETTINGS, database=str(folder / "house.sqlite"), seal_to=seal_to)
    opened = open_house(settings, entropy)
    clock = HouseClock()
    app = create_app(settings, opened.store, opened.house, clock=clock)
    app.router.lifespan_context = _only_tables
    try:
        with served(app, settings) as running:
            house = LiveHouse(running, opened.store, entropy, opened.key, clock)
            house.add("Olga", Role.OPERATOR, 0)
            house.add("Audrey", Role.AUDITOR, 0)
            yield house
    finally:
        opened.store.close()


class AtTable:
    """One connection to a table, which records every message it receives."""

    def __init__(self, house: LiveHouse, table: int, name: str = "", after: int | None = None):
        address = f"ws://127.0.0.1:{house.served.port}/tables/{table}/live"
        self._stack = ExitStack()
        opened = connect(
            address,
            subprotocols=[PROTOCOL],
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
            ping_interval=None,
        )
        self.socket: ClientConnection = self._stack.enter_context(opened)
        self.heard: list[str] = []
        self.events: list[Message] = []
        self.ask: Message | None = None
        self.snapshot: Message | None = None
        self._numbers = itertools.count()
        self._name = f"{name or 'nobody'}-{next(house.numbers)}"
        hello: Message = {"type": "hello"}
        if name:
            hello["token"] = house.tokens[name]
        if after is not None:
            hello["from"] = after
        self.socket.send(json.dumps(hello))

    def __enter__(self) -> AtTable:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def next_message(self) -> Message:
        text = self.socket.recv(timeout=PATIENCE)
        assert isinstance(text, str)
        self.heard.append(text)
        message: Message = json.loads(text)
        if message["type"] in ("snapshot", "events"):
            self.ask = message["ask"]
            self.events += message.get("events", [])
        if message["type"] == "snapshot":
            self.snapshot = message
        return message

    def until(self, kind: str, **wanted: object) -> Message:
        """Read until a message of this type with these fields arrives."""
        while True:
            message = self.next_message()
            if message["type"] == kind and wanted.items() <= message.items():
                return message

    def repeatable(self, key: str, command: dict[str, object]) -> Message:
        """Send a command under this key and return the response."""
        self.socket.send(json.dumps({"type": "command", "key": key, "command": command}))
        while True:
            message = self.next_message()
            if message.get("key") == key:
                return message

    def say(self, command: str, ask: int | None = None, **fields: object) -> Message:
        """Send a command and return the response."""
        key = f"{self._name}-{next(self._numbers)}"
        sent: Message = {"type": "command", "key": key, "command": {"command": command, **fields}}
        if ask is not None:
            sent["ask"] = ask
        self.socket.send(json.dumps(sent))
        while True:
            message = self.next_message()
            if message["type"] in ("done", "refused") and message["key"] == key:
                return message

    def do(self, command: str, ask: int | None = None, **fields: object) -> int:
        """Send a command that must succeed and return the number of its last event."""
        answer = self.say(command, ask, **fields)
        assert answer["type"] == "done", answer
        number: int = answer["n"]
        return number

    def catch_up(self, number: int) -> None:
        """Read until the event with this number has arrived."""
        while self.told < number:
            self.next_message()

    @property
    def told(self) -> int:
        first = self.snapshot["n"] if self.snapshot else 0
        return int(first) + len(self.events)

    def wait_for_ask(self, *kinds: str) -> Message:
        """Read until the table asks for one of these."""
        while self.ask is None or (kinds and self.ask["kind"] not in kinds):
            self.next_message()
        return self.ask
