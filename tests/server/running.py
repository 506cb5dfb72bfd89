"""A server in a thread of the test, on a free port of this machine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Thread
from unittest.mock import patch

import httpx
from argon2 import PasswordHasher
from fastapi import FastAPI

from ventiuna.server import analysis_pool, live_tables, socket, web_security
from ventiuna.server.analysis_pool import AnalysisPool
from ventiuna.server.serve import GracefulServer, build_server
from ventiuna.server.settings import ServerSettings
from ventiuna.server.workers import threads

PATIENCE = 120.0  # seconds, on a busy machine

# What passwords cost is tested where it is set anew; elsewhere they cost hardly anything.
CHEAP = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
setattr(web_security, "PasswordHasher", CHEAP)  # noqa: B010

# What a server does not wait for is tested where it is set anew; elsewhere it waits for everybody.
socket.HELLO_TIMEOUT = PATIENCE
socket.GOODBYE_TIMEOUT = live_tables.GOODBYE_WITHIN = PATIENCE / 4


def local_client(address: str, headers: Mapping[str, str] | None = None) -> httpx.Client:
    """Without TLS: to read the certificates of all the world takes longer than to be served."""
    return httpx.Client(base_url=address, headers=headers, timeout=PATIENCE, verify=False)


@dataclass(frozen=True)
class Served:
    """Where it listens, and who asks it."""

    app: FastAPI
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, token: str = "") -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return local_client(self.address, headers)


def until(true: Callable[[], bool]) -> None:
    """Wait for what the server does after its answer is out."""
    end = time.monotonic() + PATIENCE
    pause = 0.01
    while not true():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(pause)
        pause = min(pause * 1.5, 0.2)  # asking costs CPU time, here and in the server


def _in_threads(number: int, nice: int = 0) -> Executor:
    return threads(number, lambda: None)


# Processes are tested in test_workers.py and where a server is a process of its own. In every
# other house they would only cost the CPU time of starting them.
setattr(analysis_pool, "processes", _in_threads)  # noqa: B010


@contextmanager
def served(app: FastAPI, settings: ServerSettings, pools: bool = True) -> Iterator[Served]:
    """Without pools nothing is started that analyses, and the server is up at once.

    With them the analysis begins with the first question, which most tests do not ask; that it
    is warm before anybody asks is tested where a server is a process of its own.
    """
    server = build_server(app, settings)
    if not pools:
        server.config.lifespan = "off"
    thread = Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    with patch.object(AnalysisPool, "start", _open):
        thread.start()
        _wait_for_start(server, thread)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Served(app, port)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
    assert not thread.is_alive(), "the server did not end"


def _wait_for_start(server: GracefulServer, thread: Thread) -> None:
    end = time.monotonic() + PATIENCE
    while not server.started:
        assert thread.is_alive(), "the server ended before it began"
        assert time.monotonic() < end, "the server did not start"
        time.sleep(0.01)


async def _open(opened: AnalysisPool) -> None:
    opened.open()
