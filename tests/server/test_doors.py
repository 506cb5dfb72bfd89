"""Checks applied to every request: hosts, origins, sizes, headers, errors, logs, metrics."""

from __future__ import annotations

import io
import json
import logging
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import httpx
import pytest
from fastapi import APIRouter

from tests.server.conftest import OPEN, House
from tests.server.running import PATIENCE, Served, served, until
from ventiuna.cards import CardError
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import Refused
from ventiuna.server import serve, web_security
from ventiuna.server.app import create_app
from ventiuna.server.problems import RequestDeclined, problem_for
from ventiuna.server.settings import ServerSettings
from ventiuna.server.telemetry import LOGGER, write_logs
from ventiuna.server.web_security import SECURITY_HEADERS, AllowedOrigins, RateLimit, client_network
from ventiuna.table.store.connection import Store
from ventiuna.table.store.statements import StoreError

SECRET = "the down card is the seven of spades"
PUBLIC = ServerSettings(
    port=0,
    host="0.0.0.0",
    behind_proxy=True,
    origins=("https://play.example",),
    house_key_file="key",
)


@pytest.fixture
def bare(store: Store) -> Iterator[Served]:
    """A server without pools, with one route that fails."""
    app = create_app(OPEN, store)
    router = APIRouter()

    @router.get("/fails/{what}")
    def fails(what: str) -> None:
        raise RuntimeError(f"{SECRET} {what}")

    app.include_router(router)
    with served(app, OPEN, pools=False) as running:
        yield running


@pytest.fixture
def client(bare: Served) -> Iterator[httpx.Client]:
    with bare.client() as found:
        yield found


@pytest.mark.parametrize("address", ["/healthz", "/nothing", "/accounts/me", "/fails/x"])
def test_every_response_has_the_security_headers(client: httpx.Client, address: str) -> None:
    serve = client.get(address).headers
    assert {name: serve[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert serve["Cache-Control"] == "no-store"
    assert "Server" not in serve
    assert "Strict-Transport-Security" not in serve  # this server doesn't use HTTPS


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_pages_of_other_sites_change_nothing(client: httpx.Client, origin: str) -> None:
    answer = client.post("/accounts/guest", json={}, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
    assert client.get("/healthz", headers={"Origin": origin}).status_code == 200


def test_our_own_page_can_make_changes(client: httpx.Client) -> None:
    own = str(client.base_url).rstrip("/")
    assert client.post("/accounts/guest", json={}, headers={"Origin": own}).status_code == 201


def test_an_unknown_host_name_is_refused(client: httpx.Client) -> None:
    answer = client.get("/metrics", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.json()["code"]) == (421, "unknown_host")


def test_a_public_server_accepts_its_own_host_names() -> None:
    doors = AllowedOrigins(PUBLIC)
    assert doors.knows_host("play.example")
    assert doors.knows_origin("https://play.example", "play.example")
    assert not doors.knows_host("play.example.evil.example")
    assert not doors.knows_origin("http://play.example", "play.example")


def test_a_body_that_is_too_long_is_refused(client: httpx.Client) -> None:
    long = b'{"name": "' + b"x" * OPEN.body_bytes + b'"}'
    chunks = (long[start : start + 1000] for start in range(0, len(long), 1000))
    for content in (long, chunks):  # with and without a Content-Length
        answer = client.post("/accounts/guest", content=content)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    "content", [b"", b"[", b"[]", b'{"name": 1}', b'{"surprise": 1}', b"\xff\xfe", b'{"name":NaN}']
)
def test_an_invalid_body_is_reported(client: httpx.Client, content: bytes) -> None:
    answer = client.post("/accounts/guest", content=content)
    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "bad_request"


def test_a_body_that_never_ends_is_not_waited_for(
    bare: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_security, "BODY_WITHIN", 0.05)
    head = "POST /accounts/guest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{"
    with socket.create_connection(("127.0.0.1", bare.port), timeout=60) as stalled:
        stalled.sendall(head.encode())
        answer = stalled.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"too_slow" in answer
    assert b"connection: close" in answer.lower()


def test_headers_that_never_end_are_not_waited_for(
    bare: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server gives up even if a byte arrives now and then, and on a reused connection, too."""
    whole = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    for before, within in ((b"", 1.0), (whole, PATIENCE)):
        monkeypatch.setattr(serve, "HEADERS_WITHIN", within)
        with socket.create_connection(("127.0.0.1", bare.port), timeout=PATIENCE) as slow:
            slow.sendall(before)
            answer = b""
            while before and not answer.endswith(b"}"):
                answer += _received(slow)
            monkeypatch.setattr(serve, "HEADERS_WITHIN", 0.05)
            slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            slow.settimeout(0.05)
            answer = b""
            while not answer:
                slow.sendall(b"a")
                with suppress(TimeoutError):
                    answer = _received(slow)
        assert answer.startswith(b"HTTP/1.1 408")
        assert b"too_slow" in answer


def _received(connection: socket.socket) -> bytes:
    """The next bytes; fails if the connection was closed, since every read would be empty."""
    part = connection.recv(4096)
    assert part, "it was closed without a response"
    return part


def test_a_silent_connection_is_closed(bare: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "HEADERS_WITHIN", 0.05)
    with socket.create_connection(("127.0.0.1", bare.port), timeout=60) as silent:
        assert silent.recv(1) == b""


def test_input_is_not_echoed_in_errors(client: httpx.Client) -> None:
    body = {"name": "Ana", "password": ["my secret password"]}
    answer = client.post("/accounts/log-in", json=body)
    assert answer.status_code == 422
    assert "secret" not in answer.text
    assert [place["field"] for place in answer.json()["problems"]] == ["password"]


@pytest.mark.parametrize(
    ("method", "address", "status", "code"),
    [
        ("GET", "/nothing", 404, "not_found"),
        ("GET", "/../etc/passwd", 404, "not_found"),
        ("PUT", "/accounts/me", 405, "not_offered"),
        ("GET", "/docs", 404, "not_found"),
    ],
)
def test_a_missing_page_is_reported(
    client: httpx.Client, method: str, address: str, status: int, code: str
) -> None:
    answer = client.request(method, address)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize("number", [0, -1, 2**63, 10**40, "x", "1e3"])
def test_numbers_too_large_for_the_database_are_refused(house: House, number: object) -> None:
    with house.served.client(house.tokens["player"]) as client:
        for address in (f"/tables/{number}", f"/tables/{number}/coach"):
            answer = client.get(address)
            assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")


def test_a_failure_reveals_no_details(bare: Served) -> None:
    lines = io.StringIO()
    handler = write_logs(lines)
    try:
        with bare.client() as client:
            answer = client.get("/fails/token-in-the-address?query=hidden")
        until(lambda: '"event":"request",' in lines.getvalue())
    finally:
        for name in (LOGGER.name, "uvicorn.error"):
            logging.getLogger(name).removeHandler(handler)
    assert (answer.status_code, answer.json()["code"]) == (500, "server_fault")
    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    failed = next(line for line in logged if line["event"] == "request_failed")
    assert (failed["error"], failed["level"]) == ("RuntimeError", "error")
    assert failed["at"].startswith("test_doors.py:")
    asked = next(line for line in logged if line["event"] == "request")
    assert (asked["route"], asked["status"]) == ("/fails/{what}", 500)
    for told in (answer.text, lines.getvalue()):
        assert "seven" not in told
        assert "token-in-the-address" not in told
        assert "hidden" not in told


def test_metrics_contain_routes_but_no_client_input(client: httpx.Client) -> None:
    client.get("/accounts/me")
    client.get("/made/up/by/a/client")
    counted = 'ventiuna_requests_total{method="GET",route="%s",status="%s"} 1.0'
    until(lambda: counted % ("/accounts/me", 401) in client.get("/metrics").text)
    until(lambda: counted % ("none", 404) in client.get("/metrics").text)
    assert "made" not in client.get("/metrics").text


METRICS = (
    "commands_total",
    "commit_seconds",
    "commands_per_commit",
    "queue_seconds",
    "settle_seconds",
    "rounds_total",
    "meter_cents",
    "ledger_imbalance_cents",
    "open_tables",
    "sockets",
    "slow_clients_total",
    "resumes_total",
    "time_ups_total",
    "awards_total",
    "seal_age_seconds",
    "clock_restarts_total",
    "retries_total",
    "withheld_cuts_total",
)


@pytest.mark.parametrize("name", METRICS)
def test_every_planned_metric_exists(client: httpx.Client, name: str) -> None:
    assert f"# TYPE ventiuna_{name} " in client.get("/metrics").text


def test_behind_a_proxy_metrics_need_a_token(store: Store) -> None:
    settings = replace(OPEN, behind_proxy=True)
    with (
        served(create_app(settings, store), settings, pools=False) as running,
        running.client() as client,
    ):
        answer = client.get("/metrics")
        assert (answer.status_code, answer.json()["code"]) == (401, "token_wanted")
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_readiness_lists_the_failed_checks(store: Store) -> None:
    checks = {"seal": True}
    app = create_app(OPEN, store, readiness={"seal": lambda: checks["seal"]})
    with served(app, OPEN, pools=False) as running, running.client() as client:
        assert client.get("/readyz").json() == {
            "ready": True,
            "checks": {"database": True, "seal": True},
        }
        checks["seal"] = False
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["ready"]) == (503, False)


def test_errors_of_the_family_have_their_code_and_rules() -> None:
    refused = problem_for(Refused(RefusalCode.NOT_RULES, ("R-042",), "No."))
    assert (refused.status, refused.code, refused.rules) == (409, "not_rules", ("R-042",))
    assert problem_for(CardError("no card")).code == "bad_card"
    away = problem_for(StoreError("postgresql://user:password@host is away"))
    assert (away.status, away.code) == (503, "database_away")
    assert "password" not in away.sentence


def test_a_rate_limit_says_when_to_retry(store: Store) -> None:
    limit = RateLimit(store, "tries", 2, 60.0, lambda: 1_790_000_000_000)
    limit.take("10.0.0.1")
    limit.take("10.0.0.1")
    with pytest.raises(RequestDeclined, match="Too many tries from your address") as refused:
        limit.take("10.0.0.1")
    assert refused.value.problem.headers == {"Retry-After": "30"}


def test_a_household_shares_one_limit() -> None:
    assert (
        client_network("2001:db8::1")
        == client_network("2001:db8::ffff")
        != client_network("2001:db8:0:1::1")
    )
    assert (
        client_network("::ffff:10.0.0.1")
        == client_network("10.0.0.1")
        != client_network("10.0.0.2")
    )
