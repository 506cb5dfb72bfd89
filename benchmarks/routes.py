"""Latency of small responses over one persistent connection, as in browsers.

`ventiuna serve` runs in a separate process with a SQLite house, one table and one guest.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from benchmarks.disk import percentile
from benchmarks.figures import Figure

ROUTES = (
    "/healthz",
    "/readyz",
    "/accounts/me",
    "/wallet",
    "/history",
    "/lobby",
    "/tables",
    "/tables/{table}",
    "/jackpots",
    "/seals/newest",
)
SERVE = (sys.executable, "-m", "ventiuna", "serve", "--port", "0", "--database")
GOAL = "<= 2"
PATIENCE = 60.0  # seconds until the house is ready


def measure(quick: bool = False) -> Iterator[Figure]:
    asked = 100 if quick else 1_000
    with TemporaryDirectory(prefix="ventiuna-routes-") as folder:
        command = (*SERVE, str(Path(folder) / "house.sqlite"))
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            assert server.stdout is not None, "stdout is a pipe"
            address = server.stdout.readline().split()[-1]
            yield from _measured(urlsplit(address).netloc, asked)
        finally:
            server.terminate()
            server.wait()


def _measured(host: str, asked: int) -> Iterator[Figure]:
    client = HTTPConnection(host)
    token = json.loads(_ask(client, "POST", "/accounts/guest", "", {}))["tokens"]["access"]
    own = json.loads(_ask(client, "POST", "/tables/own", token, {"rules": "wsgc-2021"}))
    end = time.monotonic() + PATIENCE
    while not json.loads(_ask(client, "GET", "/readyz", ""))["ready"]:
        assert time.monotonic() < end, "the house didn't become ready"
        time.sleep(0.5)
    for route in ROUTES:
        took = []
        for _ in range(asked):
            began = time.perf_counter()
            _ask(client, "GET", route.format(table=own["table"]), token)
            took.append(1000 * (time.perf_counter() - began))
        yield Figure(f"GET {route}, p50", percentile(took, 0.5), "ms", GOAL)
        yield Figure(f"GET {route}, p95", percentile(took, 0.95), "ms")
    client.close()


def _ask(
    client: HTTPConnection, method: str, address: str, token: str, body: object = None
) -> bytes:
    headers = {"Content-Type": "application/json"} | (
        {"Authorization": f"Bearer {token}"} if token else {}
    )
    client.request(method, address, None if body is None else json.dumps(body), headers)
    return client.getresponse().read()
