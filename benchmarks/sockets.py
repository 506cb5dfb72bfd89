"""The whole path of a command over real sockets: server CPU, bytes and latency.

There is one server process, and six clients at each table answer as soon as they are prompted. One
process runs all the clients; a message that several of them receive is parsed only once.

`python -m benchmarks.sockets --against OTHER/src` also runs the server from another source tree.
Its blocks alternate with ours, so both run under the same conditions.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.disk import RowCommits, percentile
from benchmarks.figures import Figure, report

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "src"
SEATS = 6
TABLES = (1, 20)
BLOCK = 2.0  # seconds
PROBE = 0.5  # seconds of one-row commits before each block
WARM_UP = 1.0
RULES = "wsgc-spanish-21"
CHIPS = 10**9
BASE = 1_000
PROTOCOL = Subprotocol("ventiuna.1")
NANOSECONDS = 1e9

Message = dict[str, object]


def measure(quick: bool = False) -> Iterator[Figure]:
    yield from compare({"": HERE}, blocks=2 if quick else 5)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("benchmarks.sockets", description=__doc__)
    parser.add_argument("--against", type=Path, help="another source tree to compare with")
    parser.add_argument("--blocks", type=int, default=3, help="blocks per tree")
    parser.add_argument("--tables", type=int, nargs="*", default=TABLES)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve:
        _serve(Path(options.serve), options.tables[0])
        return 0
    trees = {"": HERE}
    if options.against:
        trees = {"old, ": options.against.resolve(), "new, ": HERE}
    print(report(list(compare(trees, options.blocks, options.tables)), as_json=False))
    return 0


# --- The server process ---


def _serve(folder: Path, tables: int) -> None:
    """Serve a house with full tables, reporting on stdout, until stdin ends."""
    import threading

    from ventiuna.rules import load_rules, rules_data
    from ventiuna.server import socket as table_socket
    from ventiuna.server.app import create_app
    from ventiuna.server.serve import build_server, listen, open_house, prepare_to_serve
    from ventiuna.server.settings import ServerSettings
    from ventiuna.table.accounts import IssueMoney, add_guest, handle_cashier_command, issue_tokens
    from ventiuna.table.admin import create_table
    from ventiuna.table.domain import commands as do
    from ventiuna.table.domain.handlers import SERVICE, Actor, ActorRole
    from ventiuna.table.writer import SystemClock

    table_socket.MAX_MESSAGES_PER_SECOND = 10**6  # these clients are faster than people
    settings = ServerSettings(database=str(folder / "house.sqlite"), port=0, coaches=1)
    opened = open_house(settings)
    now = SystemClock().now()
    operator = Actor("person/0", ActorRole.OPERATOR, "0", "Operator")
    rules = rules_data(load_rules(RULES))
    seats = []
    with opened.store.write() as connection:
        for number in range(tables):
            command = do.OpenTable(f"Table {number}", rules)
            table = create_table(connection, opened.house, operator, f"open/{number}", command, now)
            for seat in range(1, SEATS + 1):
                person = add_guest(connection, f"Player {number}/{seat}", now, bytes)
                issue = IssueMoney(person.id, CHIPS, "a benchmark")
                handle_cashier_command(connection, SERVICE, f"welcome/{person.id}", issue, now)
                token = issue_tokens(connection, person, now, os.urandom).access
                seats.append((table, seat, token))
    app = create_app(settings, opened.store, opened.house)
    listening = listen(settings)
    server = build_server(app, settings)
    prepare_to_serve(server)

    def report_and_wait() -> None:
        while not server.started:
            time.sleep(0.05)
        [writer] = [one for one in threading.enumerate() if one.name == "ventiuna-writer"]
        port = listening.getsockname()[1]
        print(json.dumps([port, writer.native_id, seats]), flush=True)
        sys.stdin.read()
        server.should_exit = True

    threading.Thread(target=report_and_wait, daemon=True).start()
    asyncio.run(server.serve([listening]))
    opened.store.close()


@dataclass(slots=True)
class Server:
    """A running server process."""

    process: int
    writer: int  # the thread that commits
    port: int
    seats: list[tuple[int, int, str]]  # table, seat and token

    def cpu(self) -> tuple[float, float, float]:
        """Processor seconds of all threads, of the event loop, and of the writer."""
        threads = {
            int(path.name): int((path / "schedstat").read_text(encoding="ascii").split()[0])
            for path in Path(f"/proc/{self.process}/task").iterdir()
        }
        seconds = (sum(threads.values()), threads[self.process], threads[self.writer])
        return seconds[0] / NANOSECONDS, seconds[1] / NANOSECONDS, seconds[2] / NANOSECONDS

    def memory(self) -> float:
        """Resident memory in MB."""
        status = Path(f"/proc/{self.process}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@contextmanager
def _server(source: Path, tables: int) -> Iterator[Server]:
    with TemporaryDirectory(prefix="ventiuna-sockets-") as folder:
        command = [sys.executable, "-m", "benchmarks.sockets", "--serve", folder]
        process = subprocess.Popen(
            [*command, "--tables", str(tables)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": f"{source}:{ROOT}"},
        )
        assert process.stdin is not None, "a pipe"
        assert process.stdout is not None, "a pipe"
        try:
            yield _started(process.pid, process.stdout)
        finally:
            process.stdin.close()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _started(process: int, output: IO[bytes]) -> Server:
    port, writer, seats = json.loads(output.readline())
    return Server(process, writer, port, [(table, seat, token) for table, seat, token in seats])


# --- The clients ---


@dataclass(slots=True)
class Parsed:
    """A table's last message, which all of its clients receive."""

    text: str = ""
    message: Message = field(default_factory=dict)

    def read(self, text: str) -> Message:
        if text != self.text:
            self.text, self.message = text, json.loads(text)
        return self.message


@dataclass(slots=True)
class Traffic:
    """Everything that was sent and received at one server's tables."""

    plays: bool = False
    counts: bool = False
    took: list[float] = field(default_factory=list)  # seconds until the answer
    refused: int = 0
    events: list[int] = field(default_factory=list)  # bytes of each events message


class Player:
    """Answers every prompt as soon as it arrives."""

    def __init__(
        self, seat: int, socket: ClientConnection, parsed: Parsed, traffic: Traffic
    ) -> None:
        self._seat = seat
        self._socket = socket
        self._parsed = parsed
        self._traffic = traffic
        self._ask: Message | None = None
        self._answered: set[tuple[int, str]] = set()
        self._sent: dict[str, float] = {}
        self._keys = 0
        self.is_seated = asyncio.Event()

    async def listen(self) -> None:
        async for text in self._socket:
            assert isinstance(text, str), "the server sends text"
            message = self._parsed.read(text)
            if message["type"] == "events" and self._traffic.counts:
                self._traffic.events.append(len(text.encode()))
            if "ask" in message:
                ask = message["ask"]
                self._ask = ask if isinstance(ask, dict) else None
                await self.act()
            elif message["type"] in ("done", "refused"):
                self._answered_by_server(message)

    def _answered_by_server(self, message: Message) -> None:
        took = time.perf_counter() - self._sent.pop(str(message["key"]))
        if message["key"] == "k2":  # the chips
            self.is_seated.set()
        if message["type"] == "refused":
            self._traffic.refused += 1
        elif self._traffic.counts:
            self._traffic.took.append(took)

    async def sit_down(self) -> None:
        await self._send({"command": "TakeSeat", "seat": self._seat}, None)
        await self._send({"command": "BuyChips", "amount": CHIPS}, None)
        await self.is_seated.wait()

    async def act(self) -> None:
        ask = self._ask
        if ask is None or not self._traffic.plays:
            return
        if (command := self._command(ask)) is not None:
            await self._send(command, int(str(ask["n"])))

    async def _send(self, command: Message, ask: int | None) -> None:
        self._keys += 1
        key = f"k{self._keys}"
        self._sent[key] = time.perf_counter()
        message = {"type": "command", "key": key, "ask": ask, "command": command}
        await self._socket.send(json.dumps(message))

    def _command(self, ask: Message) -> Message | None:
        number, kind = int(str(ask["n"])), str(ask["kind"])
        if kind in ("wagers", "cut_commit", "cut_open"):
            if kind == "wagers" and self._is_first(number, "wagers"):
                return {"command": "PlaceWagers", "spot": self._seat, "base": BASE}
            return {"command": "Ready"} if self._is_first(number, "ready") else None
        spots = ask["spots"]
        assert isinstance(spots, list), "a prompt has spots"
        if self._seat not in spots or not self._is_first(number, kind):
            return None
        if kind == "insurance":
            return {"command": "Insure", "spot": self._seat, "amount": 0}
        if kind == "blackjack":
            return {"command": "TakeBlackjack", "spot": self._seat}
        return {"command": "Hit" if number % 2 else "Stand", "spot": self._seat}

    def _is_first(self, ask: int, what: str) -> bool:
        if (ask, what) in self._answered:
            return False
        self._answered.add((ask, what))
        return True


class Crowd:
    """The clients at all tables of one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.traffic = Traffic()
        self.cpu = [0.0, 0.0, 0.0]  # all threads, the loop, the writer
        self.idle = 0.0  # processor seconds per second, without commands
        self.seconds = 0.0
        self._players: list[Player] = []

    async def join(self, stack: AsyncExitStack, tasks: list[asyncio.Task[None]]) -> None:
        parsed: dict[int, Parsed] = {}
        for table, seat, token in self.server.seats:
            opening = connect(
                f"ws://127.0.0.1:{self.server.port}/tables/{table}/live",
                subprotocols=[PROTOCOL],
                compression=None,
                ping_interval=None,
            )
            socket = await stack.enter_async_context(opening)
            await socket.send(json.dumps({"type": "hello", "token": token}))
            player = Player(seat, socket, parsed.setdefault(table, Parsed()), self.traffic)
            self._players.append(player)
            tasks.append(asyncio.create_task(player.listen()))
        for player in self._players:
            await player.sit_down()

    async def rest(self, seconds: float) -> None:
        """Measure the server while nobody plays."""
        before = self.server.cpu()[0]
        await asyncio.sleep(seconds)
        self.idle = (self.server.cpu()[0] - before) / seconds

    async def play(self, seconds: float, *, counts: bool = True) -> None:
        """Play for this long, then wait for the last answers."""
        self.traffic.plays, self.traffic.counts = True, counts
        cpu, began = self.server.cpu(), time.perf_counter()
        for player in self._players:
            await player.act()
        await asyncio.sleep(seconds)
        self.traffic.plays = False
        while any(player._sent for player in self._players):
            await asyncio.sleep(0.005)
        if counts:
            self.seconds += time.perf_counter() - began
            spent = [now - before for now, before in zip(self.server.cpu(), cpu, strict=True)]
            self.cpu = [total + more for total, more in zip(self.cpu, spent, strict=True)]


# --- Measuring ---


def compare(
    trees: Mapping[str, Path], blocks: int, tables: Sequence[int] = TABLES
) -> Iterator[Figure]:
    """Measure the servers of these source trees side by side."""
    for number in tables:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="ventiuna-probe-")))
            rows = RowCommits(folder)
            stack.callback(rows.close)
            crowds = {
                name: Crowd(stack.enter_context(_server(source, number)))
                for name, source in trees.items()
            }
            commits = asyncio.run(_play(list(crowds.values()), blocks, rows))
            one_row = len(commits) / sum(commits)
            for name, crowd in crowds.items():
                yield from _figures(f"{name}{number} table{'s' if number > 1 else ''}", crowd)
                if number == 1:
                    rate = len(crowd.traffic.took) / crowd.seconds
                    what = f"{name}1 table: ratio to one-row commits"
                    yield Figure(what, rate / one_row, "")


async def _play(crowds: Sequence[Crowd], blocks: int, rows: RowCommits) -> list[float]:
    commits = []
    tasks: list[asyncio.Task[None]] = []
    async with AsyncExitStack() as stack:
        for crowd in crowds:
            await crowd.join(stack, tasks)
            await crowd.play(WARM_UP, counts=False)
            await crowd.rest(BLOCK)
        for _ in range(blocks):
            commits += rows.run(PROBE)
            for crowd in crowds:
                await crowd.play(BLOCK)
        for task in tasks:
            task.cancel()
    return commits


def _figures(what: str, crowd: Crowd) -> Iterator[Figure]:
    traffic = crowd.traffic
    assert not traffic.refused, f"{traffic.refused} commands were refused"
    commands = len(traffic.took)
    everything, loop, writer = (1000 * seconds / commands for seconds in crowd.cpu)
    yield Figure(f"{what}: commands", commands / crowd.seconds, "1/s")
    yield Figure(f"{what}: server CPU per command", everything, "ms", "<= 0.8")
    idle = 1000 * crowd.idle * crowd.seconds / commands
    yield Figure(f"{what}: of periodic tasks, without commands", idle, "ms")
    yield Figure(f"{what}: of the event loop", loop, "ms")
    yield Figure(f"{what}: of the writer", writer, "ms")
    aim = ">= 1,000" if what.endswith("20 tables") else ""
    yield Figure(f"{what}: commands per CPU second", commands / crowd.cpu[0], "1/s", aim)
    yield Figure(f"{what}: time to answer, p50", 1000 * percentile(traffic.took, 0.5), "ms")
    yield Figure(f"{what}: time to answer, p99", 1000 * percentile(traffic.took, 0.99), "ms")
    mean = sum(traffic.events) / len(traffic.events)
    yield Figure(f"{what}: events message", mean, "bytes")
    each = len(traffic.events) / SEATS / commands
    yield Figure(f"{what}: events messages per command", each, "")
    yield Figure(f"{what}: server memory", crowd.server.memory(), "MB")


if __name__ == "__main__":
    sys.exit(main())
