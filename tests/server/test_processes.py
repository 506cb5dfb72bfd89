"""Houses served by separate processes: killed and restarted, and several on PostgreSQL."""

from __future__ import annotations

import itertools
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
from sqlalchemy import Connection, select, update

from tests.server.houses import (
    LIVE,
    RULES,
    SLOW,
    Process,
    World,
    live_house,
    new_table,
    operator_of,
    process,
)
from tests.server.players import Player, guest, play_together
from tests.server.prescribed import (
    BLOCK,
    CARDS,
    LOST_AFTER,
    NO_ANALYSIS,
    SMALL_BLOCKS,
    entropy_of,
)
from tests.server.running import PATIENCE, local_client, until
from tests.table.conftest import Postgres
from tests.table.postgres_server import shared_server
from ventiuna.server import background, job_store, jobs
from ventiuna.server.hub import (
    MAX_PAYLOAD_BYTES,
    decode_payload,
    encode_payloads,
)
from ventiuna.server.serve import open_house
from ventiuna.server.settings import ServerSettings
from ventiuna.table.audit.house import AuditProgress, AuditScope
from ventiuna.table.journal import balances
from ventiuna.table.presence import OUTAGE
from ventiuna.table.store.connection import open_store
from ventiuna.table.store.schema import job
from ventiuna.table.store.schema import process as heartbeat


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Postgres]:
    own = tmp_path_factory.getbasetemp()
    with shared_server(own if worker_id == "master" else own.parent) as socket:
        yield Postgres(socket, worker_id)


@pytest.fixture
def house(postgres: Postgres, tmp_path: Path) -> Iterator[ServerSettings]:
    """A PostgreSQL house for this test only, and its key."""
    name = f"served_{postgres.worker}"
    database = postgres.create_house(name)
    key = tmp_path / "key"
    key.write_text("21" * 32)
    key.chmod(0o600)
    yield replace(LIVE, database=database.program, house_key_file=str(key))
    postgres.drop(name)


def _table(settings: ServerSettings, cards: str = "") -> int:
    opened = open_house(settings, entropy_of(cards))
    try:
        operator = operator_of(opened.store)
        return new_table(opened.store, opened.house, operator, RULES, SLOW)
    finally:
        opened.store.close()


FIFTEEN = "Kh 6d 5c Kd 9s"  # 15 against a six


def test_a_hand_continues_after_the_server_was_killed(tmp_path: Path) -> None:
    settings = replace(LIVE, database=str(tmp_path / "house.sqlite"))
    table = _table(settings, FIFTEEN)
    words = ("serve", "--database", settings.database, "--port", "0")
    cards = {CARDS: FIFTEEN, NO_ANALYSIS: "yes"}
    with process(*words, **cards) as first:
        token = guest(first.port, "Ann")
        player = Player(first.port, table, token).sit(1)
        player.wager(1)
        player.until_ask("decision")
        known, ask = player.n, player.ask
        first.end(signal.SIGKILL)
    # A shorter pause isn't an outage, and real clocks keep running.
    time.sleep((OUTAGE + 500) / 1000)
    with (
        process(*words, **cards) as second,
        Player(second.port, table, token, known=known) as again,
    ):
        again.until_type("you")
        while again.ask is None:
            again.next()
        assert ask is not None
        assert (again.ask["n"], again.ask["kind"]) == (ask["n"], ask["kind"])
        assert [event["event"] for event in again.events][:1] == ["ClocksRestarted"]
        again.finish(1, 1)
        assert second.end(signal.SIGTERM) == 0
    assert not list(tmp_path.glob("*-wal")), "a copy of the file is complete"
    store = open_store(settings.database)
    with store.read() as connection:
        held = balances(connection)
    store.close()
    assert sum(held.values()) == 0
    assert held[f"stake/{table}"] == 0


def test_a_fresh_house_is_ready_as_soon_as_it_has_a_keeper(
    house: ServerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house's first seal doesn't wait for a minute to pass."""
    monkeypatch.setattr(background, "MINUTE", 1e9)
    with live_house(house) as opened, opened.served.client() as client:
        until(lambda: client.get("/readyz").status_code == 200)


def test_two_processes_show_one_table(house: ServerSettings) -> None:
    """Ann is served by one process and Ben by the other; both see every event in order."""
    world = World()
    with live_house(house, world) as here, live_house(house, world) as there:
        table = here.table()
        with (
            Player(here.port, table, guest(here.port, "Ann")).sit(1) as ann,
            Player(there.port, table, guest(there.port, "Ben")).sit(2) as ben,
        ):
            play_together(2, {1: ann, 2: ben})
            while ann.n != ben.n:
                (ann if ann.n < ben.n else ben).next()
            assert ann.events[-10:] == ben.events[-10:]
        tables = [one.served.app.state.tables for one in (here, there)]
        until(lambda: sorted(one.is_leader for one in tables) == [False, True])
    with live_house(house, world) as alone:  # the lock was released when the leader's process ended
        until(lambda: alone.served.app.state.tables.is_leader)


def test_spectators_are_counted_across_all_processes(house: ServerSettings) -> None:
    world = World()
    with live_house(house, world) as here, live_house(house, world) as there:
        table = here.table()
        with Player(here.port, table) as first:
            with Player(there.port, table) as second, Player(there.port, table):
                for player in (first, second):
                    player.until(lambda told: told.get("count") == 3)
            first.until(lambda told: told.get("count") == 1)


def _held(told: dict[str, Any]) -> int:
    """Time until which seat 1 is held."""
    return int(told["seats"].get("1", 0)) if told["type"] == "holds" else 0


def test_everyone_sees_how_long_a_lost_seat_is_held(house: ServerSettings) -> None:
    world = World()
    with live_house(house, world) as here, live_house(house, world) as there:
        table = here.table(away=60_000)
        with Player(there.port, table) as onlooker:
            token = guest(here.port, "Ann")
            with Player(here.port, table, token).sit(1):
                gone_at = world.clock.now()
            due = gone_at + 60_000  # a brief earlier hold may be announced first
            held = onlooker.until(lambda told: _held(told) >= due)
            assert _held(held) <= world.clock.now() + 60_000
            with Player(there.port, table) as late:
                assert late.until_type("holds") == held
            with Player(there.port, table, token):
                onlooker.until(lambda told: told == {"type": "holds", "seats": {}})


def _asks(player: Player, kind: str) -> bool:
    return player.ask is not None and player.ask["kind"] == kind


def test_workers_on_one_port(house: ServerSettings) -> None:
    table = _table(house)
    words = ("serve", "--database", house.database, "--house-key-file", house.house_key_file)
    with process(*words, "--workers", "2", "--port", "0") as served:
        until(lambda: _answers(served.port))
        player = Player(served.port, table, guest(served.port, "Ann"))
        onlookers = [Player(served.port, table) for _ in range(6)]
        player.sit(1)
        player.stand_by(1, lambda: _asks(player, "wagers"))
        for onlooker in onlookers:
            while onlooker.n < player.n:
                onlooker.next()
        for client in (player, *onlookers):
            client.socket.close()
        assert served.end(signal.SIGTERM) == 0


# --- simulations and audits through any process -----------------------------------------------

JOB = {"rules": "wsgc-2021", "strategy": "mimic", "rounds": 100_000_000}


def _asked(served: Process, token: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {token}"}
    return local_client(f"http://127.0.0.1:{served.port}", headers)


def _state(client: httpx.Client, number: str) -> str:
    found = client.get(f"/simulations/{number}")
    assert found.status_code == 200, found.text
    return str(found.json()["state"])


def _forget_heartbeat(settings: ServerSettings, number: str) -> None:
    """Make the last heartbeat of the process that runs this job an old one."""
    store = open_store(settings.database)
    with store.write() as connection:
        runs_it = select(job.c.process).where(job.c.id == number).scalar_subquery()
        connection.execute(update(heartbeat).where(heartbeat.c.id == runs_it).values(beat_at=0))
    store.close()


def test_every_process_reports_a_simulation_and_it_outlives_its_own(
    house: ServerSettings,
) -> None:
    words = ("serve", "--database", house.database, "--house-key-file", house.house_key_file)
    # A busy machine is never mistaken for a dead process.
    given = {LOST_AFTER: f"{1000 * PATIENCE:.0f}", NO_ANALYSIS: "yes", SMALL_BLOCKS: "yes"}
    with (
        process(*words, "--port", "0", **given) as one,
        process(*words, "--port", "0", **given) as other,
    ):
        until(lambda: _answers(one.port) and _answers(other.port))
        token = guest(one.port, "Ann")
        with _asked(one, token) as here, _asked(other, token) as there:
            number = here.post("/simulations", json=JOB).json()["id"]
            until(lambda: there.get(f"/simulations/{number}").json()["progress"] is not None)
            assert [job["id"] for job in there.get("/simulations").json()] == [number]
            # A person's simulations are counted across all processes.
            second = there.post("/simulations", json=JOB).json()["id"]
            third = here.post("/simulations", json=JOB)
            assert (third.status_code, third.json()["code"]) == (429, "too_many")
            # A process can cancel or stop jobs that another process runs.
            assert here.delete(f"/simulations/{second}").json()["state"] == "cancelled"
            until(lambda: _state(there, second) == "cancelled")
            assert there.post(f"/simulations/{number}/stop").json()["state"] == "stopped"
            early = there.get(f"/simulations/{number}/result").json()
            assert early["complete"] is False
            # The job resumes in the other process and, after that process dies, in this one.
            assert there.post(f"/simulations/{number}/resume", json={}).status_code == 202
            until(lambda: _state(here, number) == "running")
            other.end(signal.SIGKILL)
            _forget_heartbeat(house, number)
            until(lambda: _state(here, number) == "interrupted")
            none = here.get(f"/simulations/{number}/result")
            assert (none.status_code, none.json()["code"]) == (409, "no_result")
            rounds = early["rounds"] + 2 * BLOCK
            here.post(f"/simulations/{number}/resume", json={"rounds": rounds})
            until(lambda: _state(here, number) != "running")
            found = here.get(f"/simulations/{number}/result").json()
            assert found["complete"] is True
            assert found["rounds"] >= rounds, "the dead process may have saved more"
        assert one.end(signal.SIGTERM) == 0


def test_any_process_can_report_and_cancel_an_audit(
    house: ServerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World()
    with (
        live_house(house, world) as one,
        live_house(house, world) as other,
        one.operator_client() as here,
        other.operator_client() as there,
    ):
        number = here.post("/audits").json()["id"]
        until(lambda: there.get(f"/audits/{number}").json()["state"] == "done")
        assert there.get(f"/audits/{number}").json() == here.get(f"/audits/{number}").json()
        assert there.get("/audits/999").status_code == 404

        def endless(_connection: Connection, scope: AuditScope) -> NoReturn:
            for entries in itertools.count():
                time.sleep(0.01)
                scope.watch(AuditProgress(1, entries, 1_000_000))
            raise AssertionError

        def torn(_connection: Connection, _scope: AuditScope) -> NoReturn:
            raise KeyError("for unexpected rows")

        monkeypatch.setattr("ventiuna.table.audit.house.audit", torn)
        number = here.post("/audits").json()["id"]
        until(lambda: there.get(f"/audits/{number}").json()["state"] == "failed")
        monkeypatch.setattr("ventiuna.table.audit.house.audit", endless)
        monkeypatch.setattr(jobs, "SHARE_EVERY", 0.01)
        number = here.post("/audits").json()["id"]
        until(lambda: there.get(f"/audits/{number}").json()["entries"] > 0)
        refused = there.post("/audits")
        assert (refused.status_code, refused.json()["code"]) == (409, "audit_running")
        assert there.delete(f"/audits/{number}").json()["state"] == "cancelled"
        until(lambda: here.get(f"/audits/{number}").json()["state"] == "cancelled")
        until(lambda: there.post("/audits").status_code == 202)
        number += 1
        assert there.get(f"/audits/{number}").json()["state"] == "running"
    store = open_store(house.database)  # both processes exited without waiting for it
    with store.read() as connection:
        found = job_store.read_audit(connection, number, ())
    store.close()
    assert found is not None
    assert found.state == "interrupted"


def _answers(port: int) -> bool:
    try:
        address = f"http://127.0.0.1:{port}/healthz"
        return httpx.get(address, timeout=PATIENCE, verify=False).is_success
    except httpx.TransportError:
        return False


def test_notifications_between_processes() -> None:
    moved = dict.fromkeys(range(1, 2000), 10**12)
    texts = list(encode_payloads(moved))
    assert len(texts) > 1
    assert all(len(text.encode()) <= MAX_PAYLOAD_BYTES for text in texts)
    assert {
        table: version for text in texts for table, version in decode_payload(text).items()
    } == moved
    assert decode_payload("7:9,x,:,8:,:3,9:-1,٣:1,") == {7: 9}
