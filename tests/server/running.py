"""A server in a thread of the test process, on a free local port."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from threading import Thread
from typing import Any
from unittest.mock import patch

import httpx
from argon2 import PasswordHasher
from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.routing import Match

from ventiuna.server import analysis_pool, live_tables, socket, web_security
from ventiuna.server.analysis_pool import AnalysisPool
from ventiuna.server.serve import GracefulServer, build_server
from ventiuna.server.settings import ServerSettings
from ventiuna.server.workers import threads

PATIENCE = 120.0  # seconds, enough for a busy machine

# Hash passwords as cheaply as possible. Tests of the real cost restore it.
CHEAP = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
setattr(web_security, "PasswordHasher", CHEAP)  # noqa: B010

# Wait practically forever for clients. Tests of timeouts set their own.
socket.HELLO_TIMEOUT = PATIENCE
socket.GOODBYE_TIMEOUT = live_tables.GOODBYE_WITHIN = PATIENCE / 4


def local_client(address: str, headers: Mapping[str, str] | None = None) -> httpx.Client:
    """A client without TLS, because loading the CA certificates takes longer than a request."""
    return httpx.Client(base_url=address, headers=headers, timeout=PATIENCE, verify=False)


@dataclass(frozen=True)
class Served:
    """A running server: its address and clients for it."""

    app: FastAPI
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, token: str = "") -> httpx.Client:
        """A client that also checks every response against the model of its route."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        client = local_client(self.address, headers)
        client.event_hooks = {"response": [self._check]}
        return client

    def _check(self, response: httpx.Response) -> None:
        if response.status_code >= 300 or "json" not in response.headers.get("Content-Type", ""):
            return
        request = response.request
        scope = {"type": "http", "path": request.url.path, "method": request.method}
        for route in self.app.routes:
            if isinstance(route, APIRoute) and route.matches(scope)[0] is Match.FULL:
                if route.response_model is not None:
                    _check_model(route.response_model, response)
                return


def _check_model(kind: Any, response: httpx.Response) -> None:
    """The model accepts the response and knows all of its fields."""
    adapter = _adapter(kind)
    found = adapter.validate_json(response.read())
    known = adapter.dump_python(found, mode="json", by_alias=True, exclude_unset=True)
    assert known == response.json(), response.request.url


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def until(true: Callable[[], bool]) -> None:
    """Wait for work that the server does after it has responded."""
    end = time.monotonic() + PATIENCE
    pause = 0.01
    while not true():
        assert time.monotonic() < end, "it never happened"
        time.sleep(pause)
        pause = min(pause * 1.5, 0.2)  # polling costs CPU time, both here and in the server


def _in_threads(number: int, nice: int = 0) -> Executor:
    return threads(number, lambda: None)


# Worker processes are tested in test_workers.py and wherever the server is a separate process. In
# all other houses, starting them would only waste CPU time.
setattr(analysis_pool, "processes", _in_threads)  # noqa: B010


@contextmanager
def served(app: FastAPI, settings: ServerSettings, pools: bool = True) -> Iterator[Served]:
    """Serve the app. Without pools, no analysis is started and the server is up at once.

    With pools, analysis starts with the first question, which most tests never ask. Tests that run
    the server as a separate process check that it is warmed up beforehand.
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
    assert not thread.is_alive(), "the server didn't stop"


def _wait_for_start(server: GracefulServer, thread: Thread) -> None:
    end = time.monotonic() + PATIENCE
    while not server.started:
        assert thread.is_alive(), "the server stopped before it was ready"
        assert time.monotonic() < end, "the server didn't start"
        time.sleep(0.01)


async def _open(opened: AnalysisPool) -> None:
    opened.open()
