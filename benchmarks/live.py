"""A server with many clients over real sockets: command latency, and memory per client.

The server runs in one process and all the clients run in this one, so the two share the machine.
200 commands per second are sent regardless of the responses, so a slow server doesn't slow down its
clients.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import time
from collections import deque
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.disk import flush_seconds, percentile
from benchmarks.figures import Figure
from benchmarks.inside import Inside, Watched

TABLES = 200
PLAYERS = 300
IDLE = 1_000
OFFERED = 200  # commands per second
RULES = "wsgc-spanish-21"
PROTOCOL = Subprotocol("ventiuna.1")
AT_ONCE = 50  # connections opened at the same time
CHIPS = 10**9
PROBE = 2.0  # seconds of measuring just the disk, before and after
FIRST_TABLE = 2  # book 1 is the cashier's


def measure(quick: bool = False) -> Iterator[Figure]:
    seconds = 5.0 if quick else 30.0
    with TemporaryDirectory(prefix="ventiuna-live-") as folder:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        server = context.Process(target=_serve, args=(folder, theirs))
        server.start()
        try:
            port, seats = ours.recv()
            watched = Inside(server.pid or 0, ours)
            yield from asyncio.run(_measured(port, seats, watched, Path(folder), seconds))
        finally:
            ours.send("stop")
            server.join(20)
            server.kill()


# --- The server process ---


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat for a client to take, and the token for it."""

    table: int
    number: int
    token: str


def _serve(folder: str, pipe: Pipe) -> None:
    from threading import Thread

    from benchmarks.houses import OPERATOR
    from ventiuna.rules import load_rules, rules_data
    from ventiuna.server.app import create_app
    from ventiuna.server.serve import build_server, open_house, prepare_to_serve
    from ventiuna.server.settings import ServerSettings
    from ventiuna.table.accounts import IssueMoney, add_guest, handle_cashier_command, issue_tokens
    from ventiuna.table.admin import create_table
    from ventiuna.table.domain import commands as do
    from ventiuna.table.domain.handlers import SERVICE
    from ventiuna.table.writer import SystemClock

    settings = ServerSettings(
        database=str(Path(folder) / "house.sqlite"), port=_free_port(), coaches=1
    )
    opened = open_house(settings)
    now = SystemClock().now()
    rules = rules_data(load_rules(RULES))
    seats = []
    with opened.store.write() as connection:
        for number in range(TABLES):
            command = do.OpenTable(f"Table {number}", rules)
            key = f"open/{number}"
            create_table(connection, opened.house, OPERATOR, key, command, now)
        tables = [row[0] for row in connection.exec_driver_sql("SELECT id FROM game_table")]
        for number in range(PLAYERS):
            person = add_guest(connection, f"Player {number}", now, bytes)
            issue = IssueMoney(person.id, CHIPS, "a benchmark")
            handle_cashier_command(connection, SERVICE, f"welcome/{number}", issue, now)
            tokens = issue_tokens(connection, person, now, _random)
            table = tables[number % TABLES]
            seats.append(Seat(table, 1 + number // TABLES, tokens.access))
    app = create_app(settings, opened.store, opened.house)
    server = build_server(app, settings)
    prepare_to_serve(server)
    watched = Watched(app.state.tables)

    def wait_for_end() -> None:
        while not server.started:
            time.sleep(0.05)
        pipe.send((settings.port, seats))
        while (word := pipe.recv()) != "stop":
            if word == "begin":
                watched.begin()
            else:
                pipe.send(watched.figures())
        server.should_exit = True

    Thread(target=wait_for_end, daemon=True).start()
    server.run()
    opened.store.close()


def _random(size: int) -> bytes:
    import os

    return os.urandom(size)


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# --- The clients ---


@dataclass(slots=True)
class Heard:
    """When the last listener at a table received each event, by table and event number."""

    last: dict[tuple[int, int], float] = field(default_factory=dict)
    messages: int = 0

    def note(self, table: int, message: dict[str, object]) -> None:
        events, first = message.get("events"), message.get("n")
        if isinstance(events, list) and isinstance(first, int):
            self.messages += 1
            self.last[table, first + len(events) - 1] = time.perf_counter()


class Player:
    """A client that plays as soon as the dispatcher allows it."""

    def __init__(self, seat: Seat, socket: ClientConnection, heard: Heard) -> None:
        self.seat = seat
        self._socket = socket
        self._heard = heard
        self._ask: dict[str, object] | None = None
        self._answered: set[tuple[int, str]] = set()
        self._sent: dict[str, float] = {}
        self._keys = 0
        self.took: list[float] = []
        self.until_last: list[tuple[int, float]] = []  # event, time its command was sent

    async def start(self) -> None:
        await self.send({"command": "TakeSeat", "seat": self.seat.number}, None)
        await self.send({"command": "BuyChips", "amount": CHIPS}, None)

    @property
    def is_seated(self) -> bool:
        return len(self.took) >= 2

    async def listen(self) -> None:
        async for text in self._socket:
            message = json.loads(text)
            self._heard.note(self.seat.table, message)
            if "ask" in message:
                self._ask = message["ask"]
            if message["type"] in ("done", "refused"):
                sent = self._sent.pop(message["key"])
                if message["type"] == "done":
                    self.took.append(time.perf_counter() - sent)
                    self.until_last.append((message["n"], sent))

    async def send(self, command: dict[str, object], ask: int | None) -> None:
        self._keys += 1
        key = f"k{self._keys}"
        self._sent[key] = time.perf_counter()
        message = {"type": "command", "key": key, "ask": ask, "command": command}
        await self._socket.send(json.dumps(message))

    async def act(self) -> bool:
        """Send one command that answers the prompt; return False if this seat isn't prompted."""
        ask = self._ask
        command = self._command(ask) if ask else None
        if ask is None or command is None:
            return False
        await self.send(command, int(str(ask["n"])))
        return True

    def _command(self, ask: dict[str, object]) -> dict[str, object] | None:
        number, kind = int(str(ask["n"])), str(ask["kind"])
        spot = self.seat.number
        if kind in ("wagers", "cut_commit", "cut_open"):
            if kind == "wagers" and self._is_first(number, "wagers"):
                return {"command": "PlaceWagers", "spot": spot, "base": 1_000}
            return {"command": "Ready"} if self._is_first(number, "ready") else None
        spots = ask["spots"]
        if not isinstance(spots, list) or spot not in spots or not self._is_first(number, kind):
            return None
        if kind == "insurance":
            return {"command": "Insure", "spot": spot, "amount": 0}
        return {"command": "TakeBlackjack" if kind == "blackjack" else "Stand", "spot": spot}

    def _is_first(self, ask: int, what: str) -> bool:
        if (ask, what) in self._answered:
            return False
        self._answered.add((ask, what))
        return True


async def _measured(
    port: int, seats: list[Seat], inside: Inside, folder: Path, seconds: float
) -> list[Figure]:
    server = inside.process
    heard = Heard()
    async with AsyncExitStack() as stack:
        tasks = await _onlookers(stack, port, heard, TABLES)  # so that all tables are loaded
        before = _memory(server)
        tasks += await _onlookers(stack, port, heard, IDLE)
        with_idle = _memory(server)
        players = await _players(stack, port, seats, heard)
        tasks += [asyncio.create_task(player.listen()) for player in players]
        for player in players:
            await player.start()
        while not all(player.is_seated for player in players):
            await asyncio.sleep(0.1)
        for player in players:
            player.took.clear()
            player.until_last.clear()
        disk = await asyncio.to_thread(flush_seconds, folder, PROBE)
        inside.begin()
        began, cpu = time.perf_counter(), _cpu(server)
        sent = await _offer(players, seconds)
        await asyncio.sleep(1)
        cpu = (_cpu(server) - cpu) / (time.perf_counter() - began)
        told = inside.figures()
        disk += await asyncio.to_thread(flush_seconds, folder, PROBE)
        for task in tasks:
            task.cancel()
    return [
        *_figures(players, heard, sent / seconds),
        *told,
        Figure("disk flushes before and after", len(disk) / sum(disk), "1/s"),
        Figure("disk flush p99 before and after", 1000 * percentile(disk, 0.99), "ms"),
        Figure("server's CPU", 100 * cpu, "% of a core"),
        Figure("memory of an idle client", (with_idle - before) / IDLE, "kB", "<= 50"),
        Figure("server with all clients", _memory(server) / 1024, "MB"),
    ]


def _figures(players: list[Player], heard: Heard, rate: float) -> list[Figure]:
    took = [one for player in players for one in player.took]
    until_last = [
        heard.last[player.seat.table, event] - sent
        for player in players
        for event, sent in player.until_last
        if (player.seat.table, event) in heard.last
    ]
    what = f"{PLAYERS} players, {IDLE:,} spectators"
    return [
        Figure(f"{what}: commands offered", rate, "1/s"),
        Figure("time to answer, p50", 1000 * percentile(took, 0.5), "ms"),
        Figure("time to answer, p99", 1000 * percentile(took, 0.99), "ms", "<= 100"),
        Figure("slowest answer", 1000 * max(took), "ms"),
        Figure("time to last listener, p50", 1000 * percentile(until_last, 0.5), "ms"),
        Figure("time to last listener, p99", 1000 * percentile(until_last, 0.99), "ms"),
    ]


async def _onlookers(
    stack: AsyncExitStack, port: int, heard: Heard, number: int
) -> list[asyncio.Task[None]]:
    """Connect spectators, spread over the tables, who only listen."""
    tasks = []
    for start in range(0, number, AT_ONCE):
        places = range(start, start + AT_ONCE)
        tables = [FIRST_TABLE + place % TABLES for place in places]
        sockets = await asyncio.gather(*(_open(stack, port, table) for table in tables))
        tasks += [
            asyncio.create_task(_watch(heard, table, socket))
            for table, socket in zip(tables, sockets, strict=True)
        ]
    await asyncio.sleep(1)
    return tasks


async def _watch(heard: Heard, table: int, socket: ClientConnection) -> None:
    async for text in socket:
        heard.note(table, json.loads(text))


async def _players(
    stack: AsyncExitStack, port: int, seats: list[Seat], heard: Heard
) -> list[Player]:
    players: list[Player] = []
    for start in range(0, len(seats), AT_ONCE):
        some = seats[start : start + AT_ONCE]
        sockets = await asyncio.gather(
            *(_open(stack, port, seat.table, seat.token) for seat in some)
        )
        players += [Player(seat, socket, heard) for seat, socket in zip(some, sockets, strict=True)]
    return players


async def _open(
    stack: AsyncExitStack, port: int, table: int, token: str | None = None
) -> ClientConnection:
    address = f"ws://127.0.0.1:{port}/tables/{table}/live"
    opening = connect(address, subprotocols=[PROTOCOL], compression=None, ping_interval=None)
    socket = await stack.enter_async_context(opening)
    await socket.send(json.dumps({"type": "hello", "token": token}))
    return socket


async def _offer(players: list[Player], seconds: float) -> int:
    """Send a fixed number of commands per second from whoever is prompted."""
    turn = deque(players)
    sent, began = 0, time.perf_counter()
    while (passed := time.perf_counter() - began) < seconds:
        due = int(passed * OFFERED)
        tried = 0
        while sent < due and tried < len(turn):
            turn.rotate(-1)
            tried += 1
            sent += await turn[0].act()
        await asyncio.sleep(0.002)
    return sent


def _memory(process: int) -> float:
    """Return resident memory in kB."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return float(line.split()[1])
    return 0.0


def _cpu(process: int) -> float:
    """Return the processor seconds used by all threads of the process."""
    import os

    parts = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(") ", 1)[1].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")
