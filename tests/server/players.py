"""Test clients for a table's socket that record everything they receive."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.server.running import PATIENCE, local_client
from ventiuna.server.hub import Close

PROTOCOL = "ventiuna.1"
Message = dict[str, Any]


class Player:
    """One connection to a table; a spectator if there is no token."""

    def __init__(self, port: int, table: int, token: str = "", known: int | None = None) -> None:
        self.table = table
        self.token = token
        self.n = 0
        self.ask: Message | None = None
        self.you: Message = {}
        self.events: list[Message] = []
        self.heard: list[Message] = []
        self.socket = live_socket(port, table).__enter__()  # closed by the test
        hello: Message = {"type": "hello"} | ({"token": token} if token else {})
        self.say(hello | ({"from": known} if known is not None else {}))
        self.n = known or 0

    def __enter__(self) -> Player:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.socket.close()

    def say(self, message: Message) -> None:
        self.socket.send(json.dumps(message))

    def next(self) -> Message:
        message: Message = json.loads(self.socket.recv(timeout=PATIENCE))
        self.heard.append(message)
        if message["type"] == "snapshot":
            self.n, self.ask = message["n"], message["ask"]
        elif message["type"] == "events":
            assert message["n"] == self.n + 1, "a gap in the event numbers"
            self.n += len(message["events"])
            self.events += message["events"]
            self.ask = message["ask"]
        elif message["type"] == "you":
            self.you = message
        return message

    def until(self, true: Callable[[Message], bool]) -> Message:
        end = time.monotonic() + PATIENCE
        while not true(message := self.next()):
            assert time.monotonic() < end, "it never happened"
        return message

    def until_type(self, kind: str) -> Message:
        return self.until(lambda message: message["type"] == kind)

    def until_event(self, name: str, times: int = 1) -> None:
        """Read until this event has arrived `times` times since the client connected."""
        while sum(event["event"] == name for event in self.events) < times:
            self.next()

    def until_ask(self, *kinds: str) -> Message:
        while self.ask is None or self.ask["kind"] not in kinds:
            self.next()
        return self.ask

    # --- commands ---

    def send(self, command: str, **parts: object) -> str:
        key = secrets.token_hex(8)
        ask = {"ask": self.ask["n"]} if self.ask else {}
        self.say({"type": "command", "key": key, "command": {"command": command, **parts}} | ask)
        return key

    def answer(self, key: str) -> Message:
        return self.until(lambda message: message.get("key") == key)

    def do(self, command: str, **parts: object) -> Message:
        answer = self.answer(self.send(command, **parts))
        assert answer["type"] == "done", answer
        while self.n < answer["n"]:
            self.next()
        return answer

    def sit(self, seat: int, chips: int = 20_000) -> Player:
        self.until_type("you")
        self.do("TakeSeat", seat=seat)
        self.do("BuyChips", amount=chips)
        return self

    def is_asked(self, spot: int) -> bool:
        """Whether the table is waiting for a decision about this spot's cards."""
        kinds = ("decision", "insurance", "blackjack")
        return self.ask is not None and self.ask["kind"] in kinds and spot in self.ask["spots"]

    def stand_by(self, spot: int, until: Callable[[], bool]) -> None:
        """Play the spot the simplest way until the condition holds."""
        answered: set[int] = set()
        while not until():
            ask = self.ask
            if ask is None or ask["n"] in answered or not self._reply(spot, ask):
                self.next()
            elif ask is not None:
                answered.add(ask["n"])

    def _reply(self, spot: int, ask: Message) -> bool:
        if ask["kind"] == "cut_commit":
            self.send("Ready")
        elif not self.is_asked(spot):
            return False
        elif ask["kind"] == "decision":
            self.send("Stand", spot=spot)
        elif ask["kind"] == "insurance":
            self.send("Insure", spot=spot, amount=0)
        else:
            self.send("TakeBlackjack", spot=spot)
        return True

    def wager(self, spot: int, base: int = 1_000) -> None:
        """Place a wager as soon as betting opens, then report ready."""
        self.stand_by(spot, lambda: self.ask is not None and self.ask["kind"] == "wagers")
        self.do("PlaceWagers", spot=spot, base=base)
        self.do("Ready")

    def finish(self, spot: int, rounds: int) -> None:
        """Stand until `rounds` rounds have ended."""
        self.stand_by(spot, lambda: self.rounds() >= rounds)

    def play(self, spot: int, rounds: int) -> None:
        """Play `rounds` rounds from the first wager to the last payment."""
        for ended in range(1, rounds + 1):
            self.wager(spot)
            self.finish(spot, ended)

    def end(self) -> Close:
        """Read the remaining messages and return the close code."""
        try:
            while True:
                self.next()
        except ConnectionClosed as closed:
            return close_code(closed)

    def rounds(self) -> int:
        """Number of rounds that ended since this client connected."""
        return sum(event["event"] == "RoundClosed" for event in self.events)


def play_together(rounds: int, seats: dict[int, Player]) -> None:
    """Play several players at once, one thread per spot."""
    with ThreadPoolExecutor(len(seats)) as threads:
        played = [threads.submit(player.play, spot, rounds) for spot, player in seats.items()]
        for one in played:
            one.result()


def close_code(closed: ConnectionClosed) -> Close:
    assert closed.rcvd is not None, "the connection was lost"
    return Close(closed.rcvd.code)


def live_socket(port: int, table: int, *protocols: str) -> ClientConnection:
    wanted = [Subprotocol(name) for name in protocols or (PROTOCOL,)]
    return connect(
        f"ws://127.0.0.1:{port}/tables/{table}/live",
        subprotocols=wanted,
        open_timeout=PATIENCE,
        ping_interval=None,
    )


def guest(port: int, name: str) -> str:
    """Register a guest and return the access token."""
    with local_client(f"http://127.0.0.1:{port}") as client:
        answer = client.post("/accounts/guest", json={"name": name})
    assert answer.status_code == 201, answer.text
    token: str = answer.json()["tokens"]["access"]
    return token


def cut(commitment: str, seat: int, value: bytes) -> str:
    """Compute a cut commitment independently, as docs/fairness.md describes it."""
    return hashlib.sha256(
        b"ventiuna-cut-1\n" + bytes.fromhex(commitment) + bytes([seat]) + value
    ).hexdigest()
