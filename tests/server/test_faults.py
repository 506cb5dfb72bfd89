"""A house with a full disk, a suspended jackpot, and what the log says about them."""

from __future__ import annotations

import gc
import io
import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.live_house import PROTOCOL, AtTable, LiveHouse, Message, live_house
from tests.server.running import until
from ventiuna.server import background
from ventiuna.server.hub import Close
from ventiuna.server.schemas import BadMessage, read_message
from ventiuna.server.telemetry import LOGGER, write_logs
from ventiuna.table.store.connection import LONG_LOG, SqliteStore

RULES = "wsgc-2021(jackpots=3c:1:seed=1000)"
FULL = "The house's disk is full."


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveHouse]:
    with live_house(tmp_path_factory.mktemp("house")) as house:
        house.add("Ann")
        yield house


@pytest.fixture
def table(floor: LiveHouse) -> int:
    return floor.open_table(RULES)


def disk_full() -> OperationalError:
    """A full disk as SQLite reports it."""
    tiny = sqlite3.connect(":memory:")
    tiny.execute("PRAGMA max_page_count = 1")
    with pytest.raises(sqlite3.OperationalError) as raised:
        tiny.execute("CREATE TABLE more (a, b)")
    tiny.close()
    return OperationalError("INSERT", {}, raised.value)


@contextmanager
def full_disk() -> Iterator[None]:
    """Let every read succeed and every write fail."""
    with patch.object(SqliteStore, "_connection", side_effect=disk_full()):
        yield


@contextmanager
def logged() -> Iterator[Callable[[], list[Message]]]:
    """Server log lines so far."""
    lines = io.StringIO()
    handler = write_logs(lines)
    try:
        yield lambda: [json.loads(line) for line in lines.getvalue().splitlines()]
    finally:
        for name in (LOGGER.name, "uvicorn.error"):
            logging.getLogger(name).removeHandler(handler)


def sit(at: AtTable) -> None:
    """Take seat 1 and wait until the house counts this client as its player."""
    at.do("TakeSeat", seat=1)
    while at.until("you", seat=1)["client"] is None:
        pass


def close_of(at: AtTable) -> tuple[int, str]:
    try:
        while True:
            at.next_message()
    except ConnectionClosed as closed:
        return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "no close frame")


def readiness(floor: LiveHouse) -> dict[str, bool]:
    found: dict[str, bool] = floor.get("", "/readyz").json()["checks"]
    return found


# --- a full disk ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "address", "body"),
    [
        ("", "/accounts/log-in", {"name": "Ann", "password": "seven seven seven"}),
        ("", "/accounts/guest", {}),
        ("", "/accounts/refresh", {"refresh": "x"}),
        ("Ann", "/accounts/log-out", {}),
        ("Ann", "/tables/own", {"rules": "wsgc-2021"}),
        ("Olga", "/persons/1/issue", {"amount": 100, "reason": "a test"}),
        ("Olga", "/jackpots", {"name": "J", "rules": RULES, "game": 1, "reason": "a test"}),
        ("Olga", "/tables/1/close", {"reason": "a test"}),
    ],
)
def test_a_full_disk_is_reported_with_a_retry_time(
    floor: LiveHouse, who: str, address: str, body: dict[str, Any]
) -> None:
    with full_disk(), floor.client(who) as client:
        answer = client.post(address, json=body)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2"), answer.text
    assert answer.json()["detail"].startswith(FULL)
    assert "may or may not have been applied" in answer.json()["detail"]


def test_the_log_states_the_reason_person_and_request(floor: LiveHouse) -> None:
    with logged() as lines, full_disk(), floor.client("Ann") as client:
        answer = client.post("/accounts/log-out", json={}, params={"secret": "hidden"})
        until(lambda: "request" in {line["event"] for line in lines()})
    number, person = answer.headers["X-Request-Id"], floor.people["Ann"].id
    ours = [line for line in lines() if line.get("request") == number]
    assert {line["event"]: line["reason"] for line in ours} == {
        "database_error": "database or disk is full",
        "request": "database_away",
    }
    assert all(line["person"] == person for line in ours)
    assert "hidden" not in str(lines())


def test_a_house_that_cannot_write_is_not_ready(floor: LiveHouse) -> None:
    until(lambda: readiness(floor)["writable"])
    with full_disk():
        until(lambda: not readiness(floor)["writable"])
    until(lambda: readiness(floor)["writable"])
    assert background.HEARTBEAT_EVERY <= 1, "so the failure is known within two seconds"


def test_a_command_on_a_full_disk_has_an_unknown_outcome(floor: LiveHouse, table: int) -> None:
    buy: dict[str, object] = {"command": "BuyChips", "amount": 500}
    with AtTable(floor, table, "Ann") as ann:
        sit(ann)
        with full_disk():
            first = ann.repeatable("chips", buy)
            again = ann.repeatable("chips", buy)
        done = ann.repeatable("chips", buy)
        repeated = ann.repeatable("chips", buy)
    assert first == again
    assert (first["type"], first["reason"].startswith(FULL)) == ("unknown", True)
    assert done["type"] == "done"
    assert repeated == done


def test_a_database_failure_closes_the_socket_with_a_reason(floor: LiveHouse, table: int) -> None:
    with AtTable(floor, table, "Ann") as ann:
        sit(ann)
    with full_disk(), AtTable(floor, table, "Ann") as ann:
        assert close_of(ann) == (Close.AWAY, FULL)


def test_no_task_fails_silently(floor: LiveHouse, table: int) -> None:
    heard: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("asyncio").addHandler(handler)
    try:
        with logged() as lines, AtTable(floor, table, "Ann") as ann:
            ann.until("you")
            with patch.object(SqliteStore, "read", side_effect=disk_full()):
                ann.socket.send(json.dumps({"type": "hello", "token": floor.tokens["Ann"]}))
                until(lambda: floor.get("", "/readyz").status_code == 503)
                gc.collect()
    finally:
        logging.getLogger("asyncio").removeHandler(handler)
    assert not [text for text in heard if "never retrieved" in text]
    assert "database or disk is full" in {line.get("reason") for line in lines()}


def test_the_log_of_the_file_is_kept_short(floor: LiveHouse) -> None:
    assert isinstance(floor.store, SqliteStore)
    log = floor.store.path.with_name(f"{floor.store.path.name}-wal")
    while not log.exists() or log.stat().st_size <= LONG_LOG:
        with floor.store.write() as connection:
            connection.exec_driver_sql("CREATE TEMP TABLE IF NOT EXISTS t (a)")
            connection.exec_driver_sql("CREATE TABLE padding AS SELECT zeroblob(600000) AS a")
            connection.exec_driver_sql("DROP TABLE padding")
    floor.store.shorten_log()
    floor.add(f"after {floor.numbers}")
    assert log.stat().st_size <= LONG_LOG


def test_a_warning_comes_before_the_disk_is_full(floor: LiveHouse) -> None:
    with logged() as lines, patch.object(SqliteStore, "free_bytes", return_value=2**20):
        until(lambda: not readiness(floor)["disk"])
    until(lambda: readiness(floor)["disk"])
    warned = [line for line in lines() if line["event"] == "disk_low"]
    # Other houses served by this process use the same disk, so they warn too.
    assert {(line["level"], line["free_mb"]) for line in warned} == {("warning", 1)}


# --- jackpots, hello, log ---------------------------------------------------------------------


def jackpot_option(ask: Message) -> Message:
    return next(one for one in ask["options"] if one.get("wager") == "jackpot 1")


def test_a_suspended_jackpot_is_not_offered(floor: LiveHouse, table: int) -> None:
    jackpot = floor.get("", f"/tables/{table}").json()["table"]["jackpots"]["1"]
    with AtTable(floor, table, "Ann") as ann:
        ann.do("TakeSeat", seat=1)
        ann.do("BuyChips", amount=10_000)
        cut = ann.wait_for_ask("cut_commit")
        ann.do("Ready", ask=cut["n"])
        assert jackpot_option(ann.wait_for_ask("wagers"))["legal"]
        floor.post("Olga", f"/jackpots/{jackpot}/suspend", reason="a test")
        option = jackpot_option(ann.until("snapshot")["ask"])
        assert (option["legal"], option["code"]) == (False, "jackpot_suspended")
        shown = floor.get("", f"/tables/{table}").json()["ask"]
        assert not jackpot_option(shown)["legal"]
        floor.post("Olga", f"/jackpots/{jackpot}/resume", reason="a test")
        assert jackpot_option(ann.until("snapshot")["ask"])["legal"]
        unlinked = floor.post("Olga", f"/tables/{table}/unlink", game=1, reason="a test")
        assert unlinked.status_code == 200
        option = jackpot_option(ann.until("events")["ask"])
        assert (option["legal"], option["code"]) == (False, "jackpot_not_linked")


@pytest.mark.parametrize("field", ["tokn", "key", "ask"])
def test_hello_refuses_unknown_fields(field: str) -> None:
    with pytest.raises(BadMessage, match=field):
        read_message(json.dumps({"type": "hello", "from": 1, field: 1}))


def test_the_log_contains_no_socket_query(floor: LiveHouse, table: int) -> None:
    where = f"ws://127.0.0.1:{floor.served.port}/tables/{table}/live?token=hidden"
    with logged() as lines, connect(where, subprotocols=[PROTOCOL], compression=None) as socket:
        socket.send('{"type": "hello"}')
        socket.recv(timeout=60)
    assert "hidden" not in str(lines())
