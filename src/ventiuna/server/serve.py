"""Opens a house and serves it with uvicorn: in one process, in several, or for a single player.

Clients must send request headers in time, the server answers running commands before it stops, and
garbage collection is tuned for a long-running process.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from itertools import count
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

from ventiuna.server.app import create_app
from ventiuna.server.bootstrap import FirstTable, OwnerLink, set_up_house, welcome_policy
from ventiuna.server.problems import MEDIA_TYPE, Problem
from ventiuna.server.settings import ServerSettings, SettingsError, settings_from
from ventiuna.server.socket import DIRECT_WRITES
from ventiuna.server.telemetry import log, write_logs
from ventiuna.server.workers import are_threads_busy
from ventiuna.table.admin import (
    LOST_KEY_REMEDY,
    WrongHouseKey,
    check_house_key,
    has_open_shoes,
    house_id,
)
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.fairness import (
    Entropy,
    HouseKey,
    OsEntropy,
    check_entropy,
    given_key,
    key_beside,
    key_file,
)
from ventiuna.table.store.connection import Store, open_store
from ventiuna.table.writer import HouseContext, SystemClock
from ventiuna.texts import json_text

WHOLE_EVERY = 600  # calls to `tend`; it runs once per second


class HeapTuner:
    """Tunes garbage collection in a dedicated server process, once the application is built."""

    def __init__(self) -> None:
        self._calls = count(1)
        _collect_everything()

    def tend(self) -> None:
        """Called every second."""
        if next(self._calls) % WHOLE_EVERY == 0:
            _collect_everything()
        else:
            gc.collect(1)  # recently created objects only
            gc.freeze()


def _collect_everything() -> None:
    gc.unfreeze()
    gc.collect()
    gc.freeze()


HEADERS_WITHIN = 10.0  # seconds from the first byte, or from the start of a new connection


class HeaderTimeoutProtocol(H11Protocol):
    """Closes a connection whose next request headers don't arrive in time."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._start_timer()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE or not self.conn.trailing_data[0]:
            self._stop_timer()  # all headers have arrived, or no request has begun

    def _start_timer(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(HEADERS_WITHIN, self._give_up)

    def _stop_timer(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        self._late = None
        if self.transport.is_closing():
            return
        if self.conn.trailing_data[0]:  # some connections are opened but never used
            self.transport.write(_timeout_response())
        self.transport.close()


def _timeout_response() -> bytes:
    sentence = f"The headers took more than {HEADERS_WITHIN:.0f} seconds to arrive."
    body = json_text(Problem(408, "too_slow", sentence).as_data(), None).encode()
    head = (
        f"HTTP/1.1 408 {HTTPStatus.REQUEST_TIMEOUT.phrase}\r\n"
        f"content-type: {MEDIA_TYPE}\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body


class DirectWriteProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that can write a message immediately, without waking up a task."""

    async def run_asgi(self) -> None:
        extensions = self.scope["extensions"]
        assert extensions is not None, "uvicorn lists its extensions"
        extensions[DIRECT_WRITES] = {"write": self.write_text}
        await super().run_asgi()

    def write_text(self, text: str) -> bool:
        """Send a message; False if the connection is closing or the client is behind."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(_text_frame(text))
        return True


@lru_cache(maxsize=16)  # all of a table's clients get the same messages
def _text_frame(text: str) -> bytes:
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def listen(settings: ServerSettings) -> socket.socket:
    """Open the listening socket; raises `SettingsError` on failure."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Explicit, because asyncio sets TCP_NODELAY only on sockets that declare themselves TCP.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise SettingsError(
                f"Port {settings.port} is already in use. Choose another with --port; 0 "
                "picks a free one."
            ) from None
        raise SettingsError(
            f"Can't listen on {settings.host}, port {settings.port}: {error.strerror}."
        ) from None
    listener.listen(socket.SOMAXCONN)
    return listener


@dataclass(frozen=True, slots=True)
class OpenHouse:
    """A house ready for play; close its store when done."""

    store: Store
    house: HouseContext
    key: HouseKey


def open_house(settings: ServerSettings, entropy: Entropy | None = None) -> OpenHouse:
    """Open the house's database, or create a house in it if it is empty.

    Refuses a key that doesn't open the open tables' shoes.
    """
    chance = entropy or OsEntropy()
    check_entropy(chance, settings.test)
    store = open_store(settings.database)
    try:
        with store.read() as connection:
            key = _house_key(settings, may_make=not has_open_shoes(connection))
            shoes = HouseShoeFactory(key, chance)
            check_house_key(connection, shoes)
        with store.write() as connection:
            name = house_id(connection)
    except BaseException:
        store.close()
        raise
    return OpenHouse(store, HouseContext(name, shoes), key)


def _house_key(settings: ServerSettings, may_make: bool) -> HouseKey:
    key = given_key(settings.house_key_file, settings.house_key)
    if key is not None:
        return key
    if "://" in settings.database:
        raise SettingsError(
            "With PostgreSQL, house_key_file must name a file of 64 hexadecimal digits that only "
            "you may read. Alternatively, put the digits in VENTIUNA_HOUSE_KEY."
        )
    database = Path(settings.database)
    if not may_make and not key_file(database).exists():
        raise WrongHouseKey(
            f"The house key is missing. Put {key_file(database).name} back next to the "
            f"database. {LOST_KEY_REMEDY}"
        )
    return key_beside(database)


MAX_MESSAGE_BYTES = 16_384  # bytes per message; the table's socket enforces its own limit
PING_EVERY = 20.0  # seconds
KEEP_ALIVE = 20
MAX_HEADER_BYTES = 16_384  # bytes
LOOP_TICKS_PER_SECOND = 10  # in uvicorn
SWITCH_INTERVAL = 0.0005  # seconds before a thread yields the interpreter
INTERRUPTED = 130  # exit code after Ctrl-C
DRAIN_SECONDS = 10  # seconds for open requests at shutdown
SAME_PRESS = 1.0  # seconds between two signals that come from one Ctrl-C


class GracefulServer(uvicorn.Server):
    """Shuts down gracefully: answers running commands before closing connections."""

    heap: HeapTuner | None = None  # only in a dedicated server process
    _stopped_at = 0.0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; a second Ctrl-C forces it.

        Launchers such as `uvx` forward a Ctrl-C that the terminal has already sent, so two signals
        in quick succession count as one.
        """
        now = time.monotonic()
        if self.should_exit and now < self._stopped_at + SAME_PRESS:
            return
        self._stopped_at = now
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        if self.heap is not None and counter % LOOP_TICKS_PER_SECOND == 0:
            self.heap.tend()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app = self.config.app
        if isinstance(app, FastAPI) and getattr(app.state, "tables", None) is not None:
            await app.state.tables.drain()
            # Waiting for analyses would delay shutdown by seconds; clients can retry.
            app.state.services.analysis_pool.close()
            app.state.services.coach.close()
        await super().shutdown(sockets)


def build_server(app: FastAPI, settings: ServerSettings) -> GracefulServer:
    """A server ready to run in any event loop."""
    return GracefulServer(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            http=HeaderTimeoutProtocol,
            ws=DirectWriteProtocol,
            ws_max_size=MAX_MESSAGE_BYTES,
            ws_ping_interval=PING_EVERY,
            ws_per_message_deflate=False,
            access_log=False,  # it would log URLs with query strings; we log routes ourselves
            log_config=None,
            server_header=False,
            proxy_headers=settings.behind_proxy,
            forwarded_allow_ips=list(settings.proxies),
            ssl_certfile=settings.tls_certificate or None,
            ssl_keyfile=settings.tls_key or None,
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=DRAIN_SECONDS,
        )
    )


def unwind_on_sigterm() -> None:
    """Make SIGTERM end this program like Ctrl-C so that the house is closed.

    After a graceful shutdown, uvicorn raises the signal again; that would kill the process before
    its SQLite file is complete.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _exit_interrupted)


def _exit_interrupted(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit


@contextmanager
def abandoning_busy_threads() -> Iterator[None]:
    """On exit, don't wait for a coach thread that is still compiling.

    By default, Python would wait up to a minute if nothing is cached yet.
    """
    try:
        yield
    finally:
        ends = sys.exc_info()[1]
        if isinstance(ends, KeyboardInterrupt | SystemExit | None) and are_threads_busy():
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(INTERRUPTED if isinstance(ends, KeyboardInterrupt) else 0)


def prepare_to_serve(server: GracefulServer) -> None:
    """Tune a dedicated server process once its application is built.

    Each statement in a transaction releases the GIL and has to get it back, so the writer and the
    event loop must hand it over quickly.
    """
    server.heap = HeapTuner()
    sys.setswitchinterval(SWITCH_INTERVAL)


CHECK_WORKERS_EVERY = 0.5  # seconds
MIN_WORKER_LIFETIME = 5.0  # seconds; a worker that dies sooner is not restarted right away


def serve_house(settings: ServerSettings, workers: int, started: Callable[[str], None]) -> None:
    """Serve until a signal ends it."""
    if not settings.database:
        raise SettingsError(
            "The database must be a postgresql://… address or the path of a SQLite file."
        )
    if workers > 1 and "://" not in settings.database:
        raise SettingsError(
            f"A SQLite file can only be served by one process, not {workers} workers. Use "
            "PostgreSQL for more."
        )
    listening = listen(settings)
    scheme = "https" if settings.has_tls else "http"
    address = f"{scheme}://{settings.host}:{listening.getsockname()[1]}/"
    try:
        if workers == 1:
            serve_in_process(settings, listening, lambda: started(address))
        else:
            open_house(settings).store.close()  # report errors once, before any worker starts
            started(address)
            _serve_in_workers(settings, workers, listening)
    finally:
        listening.close()


def serve_in_process(
    settings: ServerSettings, listening: socket.socket, opened_well: Callable[[], None]
) -> None:
    unwind_on_sigterm()
    write_logs()
    opened = open_house(settings)
    opened_well()
    with abandoning_busy_threads():
        try:
            welcome = welcome_policy(settings.welcome)
            app = create_app(settings, opened.store, opened.house, welcome=welcome)
            server = build_server(app, settings)
            prepare_to_serve(server)
            asyncio.run(server.serve([listening]))
        finally:
            opened.store.close()


def _serve_in_workers(settings: ServerSettings, workers: int, listening: socket.socket) -> None:
    """Run the workers; if one dies, restart it while the others continue."""
    ended = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    context = multiprocessing.get_context("spawn")

    def begin() -> SpawnProcess:
        worker = context.Process(target=_serve_in_worker, args=(settings, listening))
        worker.start()
        return worker

    processes = [(begin(), time.monotonic()) for _ in range(workers)]
    while not ended.wait(CHECK_WORKERS_EVERY):
        for place, (process, since) in enumerate(processes):
            if not process.is_alive() and time.monotonic() - since > MIN_WORKER_LIFETIME:
                log("worker_died", code=process.exitcode)
                processes[place] = begin(), time.monotonic()
    for process, _ in processes:
        process.terminate()  # SIGTERM, so the worker drains its connections first
    for process, _ in processes:
        process.join()


def _serve_in_worker(settings: ServerSettings, listening: socket.socket) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process stops us
    serve_in_process(settings, listening, lambda: None)  # the main process announces the address


LOCAL_LOG_LEVEL = 30  # only warnings, because the player is using the same terminal

OnStarted = Callable[[str, str], None]  # the address and the owner's link


@dataclass(frozen=True, slots=True)
class LocalHouse:
    file: Path
    port: int
    first: FirstTable
    seal_to: str | None = None


def serve_local_house(own: LocalHouse, started: OnStarted) -> None:
    """Serve until interrupted; running commands are answered first."""
    settings = settings_from(
        database=str(own.file), port=own.port, host="127.0.0.1", seal_to=own.seal_to
    )
    own.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unwind_on_sigterm()
    listening = listen(settings)
    write_logs(level=LOCAL_LOG_LEVEL)
    opened = open_house(settings)
    with abandoning_busy_threads():
        try:
            store, house, cents = opened.store, opened.house, settings.welcome
            with store.write() as connection:
                owner = set_up_house(connection, house, own.first, cents, SystemClock(), os.urandom)
            link = OwnerLink(owner.id)
            app = create_app(settings, store, house, welcome=welcome_policy(cents), owner=link)
            server = build_server(app, settings)
            prepare_to_serve(server)
            address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
            asyncio.run(
                _run_until_stopped(
                    server, listening, lambda: started(address, f"{address}#owner={link.token}")
                )
            )
        finally:
            opened.store.close()
            listening.close()


async def _run_until_stopped(
    server: GracefulServer, listening: socket.socket, started: Callable[[], None]
) -> None:
    serving = asyncio.create_task(server.serve([listening]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if server.started:
        started()
    await serving
