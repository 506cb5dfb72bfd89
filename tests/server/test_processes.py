"""Houses served by processes of their own: killed and started again, and several on PostgreSQL."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.server.houses import (
    LIVE,
    RULES,
    SLOW,
    World,
    live_house,
    new_table,
    operator_of,
    process,
)
from tests.server.players import Player, guest, play_together
from tests.server.prescribed import CARDS, entropy_of
from tests.server.running import PATIENCE, until
from tests.table.conftest import Postgres
from tests.table.postgres_server import PROGRAM, shared_server
from ventiuna.server import chores
from ventiuna.server.house import open_house
from ventiuna.server.postgres_news import LONGEST_PAYLOAD, payloads, read_payload
from ventiuna.server.settings import Settings
from ventiuna.table.books.entries import balances
from ventiuna.table.house.keeper import OUTAGE
from ventiuna.table.store.opening import open_store
from ventiuna.table.store.postgres import migrate


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Postgres]:
    own = tmp_path_factory.getbasetemp()
    with shared_server(own if worker_id == "master" else own.parent) as socket:
        yield Postgres(socket, worker_id)


@pytest.fixture
def house(postgres: Postgres, tmp_path: Path) -> Iterator[Settings]:
    """A house on PostgreSQL of this test alone, and its key."""
    name = f"served_{postgres.worker}"
    database = postgres.create(name)
    migrate(database.owner, PROGRAM)
    key = tmp_path / "key"
    key.write_text("21" * 32)
    key.chmod(0o600)
    yield replace(LIVE, database=database.program, house_key_file=str(key))
    postgres.drop(name)


def _table(settings: Settings, cards: str = "") -> int:
    opened = open_house(settings, entropy_of(cards))
    try:
        operator = operator_of(opened.store)
        return new_table(opened.store, opened.house, operator, RULES, SLOW)
    finally:
        opened.store.close()


FIFTEEN = "Kh 6d 5c Kd 9s"  # against a six


def test_a_hand_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    settings = replace(LIVE, database=str(tmp_path / "house.sqlite"))
    table = _table(settings, FIFTEEN)
    words = ("serve", "--database", settings.database, "--port", "0")
    cards = {CARDS: FIFTEEN}
    with process(*words, **cards) as first:
        token = guest(first.port, "Ann")
        player = Player(first.port, table, token).sit(1)
        player.wager(1)
        player.until_ask("decision")
        known, ask = player.n, player.ask
        first.end(signal.SIGKILL)
    time.sleep((OUTAGE + 500) / 1000)  # less would not be an outage, and clocks go on
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
    assert not list(tmp_path.glob("*-wal")), "whoever copies the file has all of it"
    store = open_store(settings.database)
    with store.read() as connection:
        held = balances(connection)
    store.close()
    assert sum(held.values()) == 0
    assert held[f"stake/{table}"] == 0


def test_a_fresh_house_is_ready_as_soon_as_it_has_a_keeper(
    house: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first seal waits for no minute to pass."""
    monkeypatch.setattr(chores, "MINUTE", 1e9)
    with live_house(house) as opened, opened.served.client() as client:
        until(lambda: client.get("/readyz").status_code == 200)


def test_two_processes_show_one_table(house: Settings) -> None:
    """Ann is served by one, Ben by the other; both see every event, in its order."""
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
        until(lambda: sorted(one.is_keeper for one in tables) == [False, True])
    with live_house(house, world) as alone:  # the lock went with the process that held it
        until(lambda: alone.served.app.state.tables.is_keeper)


def test_onlookers_of_all_processes_are_counted_together(house: Settings) -> None:
    world = World()
    with live_house(house, world) as here, live_house(house, world) as there:
        table = here.table()
        with Player(here.port, table) as first:
            with Player(there.port, table) as second, Player(there.port, table):
                for player in (first, second):
                    player.until(lambda told: told.get("count") == 3)
            first.until(lambda told: told.get("count") == 1)


def test_everybody_hears_how_long_a_lost_seat_is_held(house: Settings) -> None:
    world = World()
    with live_house(house, world) as here, live_house(house, world) as there:
        table = here.table(away=60_000)
        with Player(there.port, table) as onlooker:
            token = guest(here.port, "Ann")
            with Player(here.port, table, token).sit(1):
                gone_at = world.clock.now()
            held = onlooker.until(lambda told: "1" in told.get("seats", []))
            assert gone_at + 60_000 <= held["seats"]["1"] <= world.clock.now() + 60_000
            with Player(there.port, table) as late:
                assert late.until_type("holds") == held
            with Player(there.port, table, token):
                onlooker.until(lambda told: told == {"type": "holds", "seats": {}})


def _asks(player: Player, kind: str) -> bool:
    return player.ask is not None and player.ask["kind"] == kind


def test_workers_on_one_port(house: Settings) -> None:
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


def _answers(port: int) -> bool:
    try:
        address = f"http://127.0.0.1:{port}/healthz"
        return httpx.get(address, timeout=PATIENCE).is_success
    except httpx.TransportError:
        return False


def test_what_processes_tell_each_other() -> None:
    moved = dict.fromkeys(range(1, 2000), 10**12)
    texts = list(payloads(moved))
    assert len(texts) > 1
    assert all(len(text.encode()) <= LONGEST_PAYLOAD for text in texts)
    assert {
        table: version for text in texts for table, version in read_payload(text).items()
    } == moved
    assert read_payload("7:9,x,:,8:,:3,9:-1,٣:1,") == {7: 9}
