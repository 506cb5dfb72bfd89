"""A server in a thread of the test, on a free port of this machine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from unittest.mock import patch

import httpx
from fastapi import FastAPI

from ventiuna.server import socket, tables
from ventiuna.server.running import Server, server_for
from ventiuna.server.settings import Settings
from ventiuna.server.studies import Studies

PATIENCE = 120.0  # seconds, on a busy machine

# What a server does not wait for is tested where it is set anew; elsewhere it waits for everybody.
socket.HELLO_WITHIN = PATIENCE
socket.GOODBYE_WITHIN = tables.GOODBYE_WITHIN = PATIENCE / 4


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
        return httpx.Client(base_url=self.address, headers=headers, timeout=PATIENCE)


def until(true: Callable[[], bool]) -> None:
    """Wait for what the server does after its answer is out."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)


@contextmanager
def served(app: FastAPI, settings: Settings, pools: bool = True) -> Iterator[Served]:
    """Without pools nothing is started that analyses, and the server is up at once.

    With them the analysis begins with the first question, which most tests do not ask; that it
    is warm before anybody asks is tested where a server is a process of its own.
    """
    server = server_for(app, settings)
    if not pools:
        server.config.lifespan = "off"
    thread = Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    with patch.object(Studies, "start", _open):
        thread.start()
        _wait_for_start(server, thread)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Served(app, port)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
    assert not thread.is_alive(), "the server did not end"


def _wait_for_start(server: Server, thread: Thread) -> None:
    end = time.monotonic() + PATIENCE
    while not server.started:
        assert thread.is_alive(), "the server ended before it began"
        assert time.monotonic() < end, "the server did not start"
        time.sleep(0.01)


async def _open(studies: Studies) -> None:
    studies.open()
