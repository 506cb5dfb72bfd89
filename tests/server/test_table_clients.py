"""Several people at one table over real sockets: one stream for all, bots, absence, shutdown."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, RowMapping, select, update
from sqlalchemy.exc import DatabaseError
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.server.houses import LIVE, SLOW, LiveHouse, live_house
from tests.server.players import Player, close_code, cut, guest, live_socket, play_together
from tests.server.running import PATIENCE, until
from ventiuna.server import socket
from ventiuna.server.hub import MAX_OUTBOX_MESSAGES, Close
from ventiuna.server.telemetry import now_ms
from ventiuna.table import presence
from ventiuna.table.accounts import all_bots, digest_of
from ventiuna.table.journal import balances
from ventiuna.table.store.schema import seat, token


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveHouse]:
    path = tmp_path_factory.mktemp("live") / "house.sqlite"
    with live_house(replace(LIVE, database=str(path))) as found:
        yield found


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the rate limit, because tests are quicker than people."""
    monkeypatch.setattr(socket, "MAX_MESSAGES_PER_SECOND", 100_000)


# --- people, bots, and a spectator ------------------------------------------------------------


@pytest.mark.usefixtures("many")
def test_two_players_with_bots_and_a_spectator_see_the_same(house: LiveHouse) -> None:
    table = house.table()
    with house.operator_client() as operator:
        answer = operator.post(f"/tables/{table}/bots", json={"count": 2, "strategy": "habits"})
        assert len(answer.json()["names"]) == 2, answer.text
    ann, ben = guest(house.port, "Ann"), guest(house.port, "Ben")
    with (
        Player(house.port, table) as onlooker,
        Player(house.port, table, ann) as first,
        Player(house.port, table, ben) as second,
    ):
        onlooker.until_type("snapshot")
        start = onlooker.n
        first.sit(6)
        second.sit(7)
        onlooker.until_event("ChipsBought", times=4)  # the bots sat down too
        play_together(2, {6: first, 7: second})
        while onlooker.n < max(first.n, second.n):
            onlooker.next()
        for person in (first, second):
            seen = person.events[-20:]
            assert seen == onlooker.events[: person.n - start][-20:]
        wagers = {one["spot"] for one in onlooker.events if one["event"] == "WagersPlaced"}
        assert wagers == {1, 2, 6, 7}
        hidden = [one for one in onlooker.events if one.get("place") == "down"]
        assert hidden
        assert all(one["card"] is None for one in hidden)
    with house.store.read() as connection:
        assert sum(balances(connection).values()) == 0
    _check_story(house, table)


def _check_story(house: LiveHouse, table: int) -> None:
    """The story is the same, whichever event it is read from."""
    with house.served.client() as client:
        story = client.get(f"/tables/{table}/story").json()
        lines = story["lines"]
        since = lines[0]["n"]
        for after in range(since, story["n"], 9):
            told = client.get(f"/tables/{table}/story?after={after}").json()["lines"]
            assert told == [line for line in lines if line["n"] > after]


@pytest.mark.usefixtures("many")
def test_bots_leave_when_dismissed_and_never_play_alone(house: LiveHouse) -> None:
    table = house.table()
    address = f"/tables/{table}/bots"
    with (
        house.operator_client() as operator,
        Player(house.port, table, guest(house.port, "")) as person,
    ):
        operator.post(address, json={"count": 1, "strategy": "steady"})
        person.sit(7)
        person.until_ask("cut_commit")
        person.do("Ready")
        person.until_event("ChipsBought", times=2)
        operator.post(address, json={"count": 0, "strategy": "steady"})
        person.until_event("SeatLeft")
        names = [event["event"] for event in person.events]
        assert "WagersPlaced" not in names
        assert "CutCommitted" not in names
    with house.store.read() as connection:
        assert not [row for row in all_bots(connection) if row.table == table]


@pytest.mark.usefixtures("many")
def test_the_first_person_to_sit_down_can_cut_before_the_bots(house: LiveHouse) -> None:
    table = house.table(cut=60_000)
    with (
        house.operator_client() as operator,
        Player(house.port, table, guest(house.port, "")) as person,
    ):
        body = {"count": 2, "strategy": "steady"}
        operator.post(f"/tables/{table}/bots", json=body).raise_for_status()
        time.sleep(1.2)  # one polling interval of the bots
        house.world.clock.pass_by(60_000)  # enough time to cut the shoe, if they had sat down
        person.sit(5)
        names = [event["event"] for event in person.events]
        assert not {"ShoeCut", "SeatLeft"} & set(names)
        assert names[:2] == ["SeatTaken", "SpotsChosen"]
        person.until_event("SeatTaken", times=3)
        person.do("LeaveSeat")
        person.until_event("SeatLeft", times=3)  # the bots have nobody left to play with
    with house.store.read() as connection:
        assert len([row for row in all_bots(connection) if row.table == table]) == 2


@pytest.mark.usefixtures("many")
def test_all_bots_bet_after_one_pause(tmp_path: Path) -> None:
    """Six commands with a pause each would take at least 1.2 seconds, even on an idle machine."""
    settings = replace(LIVE, database=str(tmp_path / "house.sqlite"), bot_pause=400)
    with live_house(settings) as paused:
        table = paused.table()
        with (
            paused.operator_client() as operator,
            Player(paused.port, table, guest(paused.port, "")) as person,
        ):
            body = {"count": 3, "strategy": "steady"}
            operator.post(f"/tables/{table}/bots", json=body).raise_for_status()
            person.sit(7)
            person.until_event("ChipsBought", times=4)
            person.until_ask("cut_commit")
            person.do("Ready")
            seconds = []
            for number in range(1, 4):  # one fast round is enough on a busy machine
                person.until_ask("wagers")
                person.wager(7)
                before = time.monotonic()
                person.until_event("StageReached", times=number)
                seconds.append(time.monotonic() - before)
                if min(seconds) < 1.2:
                    return
                person.finish(7, number)
    pytest.fail(f"the bots bet after {seconds} seconds")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"count": 7, "strategy": "chart"}, "too_many_bots"),
        ({"count": 1, "strategy": "none"}, "no_such_strategy"),
    ],
)
def test_impossible_bots_are_refused(house: LiveHouse, body: dict[str, object], code: str) -> None:
    with house.operator_client() as operator:
        answer = operator.post(f"/tables/{house.table()}/bots", json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, code)


def test_a_cut_by_the_recipe(house: LiveHouse) -> None:
    table = house.table()
    with Player(house.port, table, guest(house.port, "Cutter")) as player:
        shoe = player.until_type("snapshot")["shoe"]
        player.sit(3)
        value = bytes(range(32))
        assert player.ask is not None
        player.do("CommitCut", commitment=cut(shoe["next_commitment"], 3, value))
        player.until_ask("cut_open")
        player.do("OpenCut", value=value.hex())
        player.until_ask("wagers")
        made = [event for event in player.events if event["event"] == "ShoeCut"]
        assert made[0]["withheld"] == []


def test_events_are_described_in_sentences(house: LiveHouse) -> None:
    table = house.table()
    with Player(house.port, table, guest(house.port, "Storyteller")) as player:
        player.sit(2)
    with house.served.client() as client:
        story = client.get(f"/tables/{table}/story").json()
        numbers = [line["n"] for line in story["lines"]]
        assert numbers == sorted(numbers)
        assert any("Storyteller" in line["text"] for line in story["lines"])
        for after in (story["n"], story["n"] + 1, 2**53):
            assert client.get(f"/tables/{table}/story?after={after}").json()["lines"] == []


def test_linked_tables_show_one_meter(house: LiveHouse) -> None:
    """Spectators of one table see another table's contributions without asking."""
    rules = "wsgc-2021(jackpots=3c:1:seed=1000)"
    why = {"reason": "a test"}
    with house.operator_client() as operator:
        made = operator.post("/jackpots", json={"name": "Linked", "rules": rules} | why).json()
        tables = [
            operator.post(
                "/tables",
                json={"name": name, "rules": rules, "jackpots": {"1": made["id"]}, "clocks": SLOW}
                | why,
            ).json()["id"]
            for name in ("Here", "There")
        ]
        before = operator.get(f"/jackpots/{made['id']}").json()["shown"]
    token = guest(house.port, "Feeder")
    with (
        Player(house.port, tables[0], token).sit(1) as player,
        Player(house.port, tables[1]) as far,
    ):
        far.until(lambda message: message["type"] == "meter" and message["cents"] == before)
        player.stand_by(1, lambda: player.ask is not None and player.ask["kind"] == "wagers")
        player.do("PlaceWagers", spot=1, base=1_000, jackpots={"1": made["wager"]})
        player.do("Ready")
        told = far.until(lambda message: message["type"] == "meter" and message["cents"] > before)
        assert told["jackpot"] == made["id"]


# --- several clients for one seat -------------------------------------------------------------


def test_a_second_window_takes_the_seat_over(house: LiveHouse) -> None:
    table = house.table()
    token = guest(house.port, "Twice")
    first = Player(house.port, table, token).sit(1)
    with first, Player(house.port, table, token) as second:
        assert second.until_type("you")["seat"] == 1
        assert first.end() == Close.OTHER_CLIENT
        second.do("Ready")


def test_a_window_from_before_the_seat_was_taken_does_not_play_it(house: LiveHouse) -> None:
    table = house.table()
    token = guest(house.port, "Earlier")
    with Player(house.port, table, token) as earlier:
        earlier.until_type("you")
        with Player(house.port, table, token).sit(1):
            answer = earlier.answer(earlier.send("CashOut"))
            assert answer["code"] == "other_client"


def test_away_and_back(house: LiveHouse) -> None:
    table = house.table(away=60_000)
    token = guest(house.port, "Wanderer")
    with Player(house.port, table) as onlooker:
        Player(house.port, table, token).sit(1).socket.close()
        _hold_is_over(house, table)
        onlooker.until_event("SeatAway")
        with Player(house.port, table, token):
            onlooker.until_event("SeatBack")


def test_seats_of_a_process_that_died_are_held(house: LiveHouse) -> None:
    table = house.table()
    with Player(house.port, table, guest(house.port, "")) as player:
        player.sit(1)
        until(lambda: _presence(house, table)["process"] is not None)
        with house.store.write() as connection:  # as a killed process leaves it
            connection.execute(update(seat).where(seat.c.table_id == table).values(process=9_999))
        until(lambda: _presence(house, table)["hold_until"] is not None)


def test_a_seat_is_held_even_if_that_cannot_be_saved_at_once(
    house: LiveHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.table()
    failed: list[int] = []
    disconnect = presence.disconnect

    def at_the_second_try(connection: Connection, **of: int) -> None:
        if of["table"] == table and not failed:
            failed.append(table)
            raise DatabaseError("", None, Exception("the disk is full"))
        disconnect(connection, **of)

    monkeypatch.setattr(presence, "disconnect", at_the_second_try)
    with Player(house.port, table, guest(house.port, "")) as player:
        player.sit(1)
    until(lambda: _presence(house, table)["hold_until"] is not None)
    assert failed


def _hold_is_over(house: LiveHouse, table: int) -> None:
    """Let the hold expire: a minute passes once the seat is held."""
    until(lambda: _presence(house, table)["hold_until"] is not None)
    house.world.clock.pass_by(60_000)


def _presence(house: LiveHouse, table: int) -> RowMapping:
    with house.store.read() as connection:
        query = select(seat.c.hold_until, seat.c.process).where(seat.c.table_id == table)
        return connection.execute(query).mappings().one()


def test_disconnecting_in_the_middle_of_a_command(house: LiveHouse) -> None:
    """The command counts, and the seat is held as for anyone who loses the connection."""
    table = house.table(away=60_000)
    with Player(house.port, table) as onlooker:
        player = Player(house.port, table, guest(house.port, "Gone")).sit(1)
        player.send("Ready")
        player.socket.close()
        onlooker.until_event("SeatReady")
        _hold_is_over(house, table)
        onlooker.until_event("SeatAway")


def test_a_returning_client_gets_the_missed_events(house: LiveHouse) -> None:
    table = house.table()
    with Player(house.port, table) as onlooker:
        onlooker.until_type("snapshot")
        known = onlooker.n
        with Player(house.port, table, guest(house.port, "Somebody")).sit(1) as player:
            last = player.n
    with Player(house.port, table, known=known) as again:
        while again.n < last:
            assert again.next()["type"] == "events"
    with Player(house.port, table, known=10**9) as stranger:
        assert stranger.next()["type"] == "snapshot"


# --- attacks ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ('{"type":"command"}', Close.NO_HELLO),
        ("[]", Close.NO_HELLO),
        ("nothing", Close.NO_HELLO),
        (b"\x00\x01", Close.NO_HELLO),
        ('{"type":"hello","token":"' + "x" * 43 + '"}', Close.NOT_ALLOWED),
        ('{"type":"hello","from":-1}', Close.NO_HELLO),
        ('{"type":"hello","token":"' + "x" * 5_000 + '"}', Close.NO_HELLO),
        ("", Close.NO_HELLO),
    ],
)
def test_a_bad_hello(house: LiveHouse, sent: str | bytes, code: Close) -> None:
    with live_socket(house.port, house.table()) as client:
        client.send(sent)
        assert _code(client) == code


def test_no_hello_at_all(house: LiveHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "HELLO_TIMEOUT", 0.05)
    with live_socket(house.port, house.table()) as client:
        assert _code(client) == Close.NO_HELLO


def test_another_protocol(house: LiveHouse) -> None:
    with live_socket(house.port, house.table(), "ventiuna.0") as client:
        assert _code(client) == Close.VERSION


def test_an_address_has_a_limited_number_of_sockets(tmp_path: Path) -> None:
    settings = replace(LIVE, database=str(tmp_path / "house.sqlite"), sockets_per_address=2)

    def is_admitted(client: ClientConnection) -> bool:
        with suppress(ConnectionClosed):
            client.send('{"type":"hello"}')
            return bool(json.loads(client.recv(PATIENCE))["type"] == "snapshot")
        return False

    with live_house(settings) as found:
        table = found.table()
        with live_socket(found.port, table) as one, live_socket(found.port, table) as two:
            assert is_admitted(one)
            assert is_admitted(two)
            with live_socket(found.port, table) as third:
                assert _code(third) == Close.TOO_MUCH
            two.close()

            def has_room() -> bool:
                with live_socket(found.port, table) as again:
                    return is_admitted(again)

            until(has_room)


@pytest.mark.parametrize("number", [0, 1, 10**15])
def test_a_book_that_isnt_a_table(house: LiveHouse, number: int) -> None:
    """Book 1 is the cashier's."""
    with live_socket(house.port, number) as client:
        client.send('{"type":"hello"}')
        assert _code(client) == Close.NOT_ALLOWED


@pytest.mark.parametrize(
    "sent", ['{"type":"hello","token":7}', "nothing", b"\x00", "[]", '{"type":7}']
)
def test_bad_messages_are_only_refused(house: LiveHouse, sent: str | bytes) -> None:
    with Player(house.port, house.table(), guest(house.port, "")) as player:
        player.until_type("you")
        player.socket.send(sent)
        assert player.until_type("refused")["code"] == "bad_command"
        player.do("TakeSeat", seat=1)


@pytest.mark.parametrize("name", ["TimeUp", "OpenTable", "Cheat", None])
def test_only_players_commands_are_listed(house: LiveHouse, name: str | None) -> None:
    with Player(house.port, house.table(), guest(house.port, "")) as player:
        player.until_type("you")
        player.say({"type": "command", "key": "k", "command": {"command": name}})
        told = player.until_type("refused")
    assert told["code"] == "bad_command"
    assert told["reason"].startswith(
        f"{name!r} isn't a command that a client can send. Choose from: TakeSeat,"
    )
    assert not {"TimeUp", "FaultTable", "CloseTable"} & set(told["reason"].split(": ")[1].split())


@pytest.mark.usefixtures("many")
def test_a_dismissed_operator_loses_access(house: LiveHouse) -> None:
    with house.served.client() as client:
        made = client.post("/accounts/register", json={"name": "Otto", "password": "one two three"})
    otto = made.json()
    address = f"/persons/{otto['person']['id']}/role"
    table = house.table()
    with house.operator_client() as operator:
        operator.post(address, json={"role": "operator", "reason": "helps out"}).raise_for_status()
        with Player(house.port, table, otto["tokens"]["access"]) as player:
            player.until_type("you")
            player.do("DropBank", reason="the end of the day")
            operator.post(address, json={"role": "player", "reason": "went"}).raise_for_status()
            until(lambda: _is_refused(player))


def _is_refused(player: Player) -> bool:
    return player.answer(player.send("DropBank", reason="once more")).get("code") == "not_allowed"


def test_signing_out_everywhere_closes_the_tables_sockets(house: LiveHouse) -> None:
    token = guest(house.port, "Lena")
    with Player(house.port, house.table(), token) as player:
        player.until_type("you")
        with house.served.client(token) as client:
            client.post("/accounts/log-out", json={"everywhere": True}).raise_for_status()
        assert player.end() == Close.NOT_ALLOWED


def _end(house: LiveHouse, access: str) -> None:
    """Make this token expire."""
    with house.store.write() as connection:
        ended = update(token).where(token.c.digest == digest_of(access))
        now = min(now_ms(), house.world.clock.now())  # tests advance the house's clock
        connection.execute(ended.values(expires_at=now))


def test_a_socket_ends_with_its_token(house: LiveHouse) -> None:
    table, access = house.table(), guest(house.port, "")
    with Player(house.port, table, access) as player:
        player.until_type("you")
        assert player.you["token_until"] > now_ms()
        _end(house, access)
        assert player.until_type("bye")["code"] == "token_over"
        assert player.end() == Close.NOT_ALLOWED


def test_a_hello_with_a_new_token_keeps_the_socket_and_its_seat(house: LiveHouse) -> None:
    with house.served.client() as client:
        tokens = client.post("/accounts/guest", json={}).json()["tokens"]
        with Player(house.port, house.table(), tokens["access"]) as player:
            player.sit(1)
            body = {"refresh": tokens["refresh"]}
            renewed = client.post("/accounts/refresh", json=body).json()["tokens"]
            player.say({"type": "hello", "token": renewed["access"]})
            player.until(lambda one: one.get("token_until") == renewed["access_until"])
            assert player.you["seat"] == 1
            _end(house, tokens["access"])
            until(lambda: client.get("/accounts/me", headers=_bearer(tokens)).status_code == 401)
            time.sleep(1.5)  # one and a half intervals of the periodic access check
            player.do("BuyChips", amount=100)


def _bearer(tokens: dict[str, str]) -> dict[str, str]:
    return {"Authorization": f"Bearer {tokens['access']}"}


def test_a_hello_from_someone_else_or_with_a_bad_token_changes_nothing(house: LiveHouse) -> None:
    table, other = house.table(), guest(house.port, "")
    with (
        Player(house.port, table, guest(house.port, "")) as player,
        Player(house.port, table) as onlooker,
    ):
        player.sit(2)
        onlooker.until_type("snapshot")
        for who, given in (
            (player, other),
            (player, "nonsense"),
            (player, None),
            (onlooker, other),
        ):
            who.say({"type": "hello", "token": given})
            assert who.until_type("refused")["code"] == "not_allowed"
        player.do("BuyChips", amount=100)


def test_a_message_that_is_too_long_closes_the_socket(house: LiveHouse) -> None:
    with Player(house.port, house.table(), guest(house.port, "")) as player:
        player.until_type("you")
        player.socket.send(" " * 5_000)
        assert player.end() == Close.TOO_MUCH


def test_too_many_messages_close_the_socket(house: LiveHouse) -> None:
    with Player(house.port, house.table(), guest(house.port, "")) as player:
        player.until_type("you")
        with suppress(ConnectionClosed):
            for _ in range(
                20 * socket.MAX_MESSAGES_PER_SECOND
            ):  # too many even if spread over 12 seconds
                player.socket.send("{}")
        assert player.end() == Close.TOO_MUCH


@pytest.mark.usefixtures("many")
def test_a_client_that_doesnt_read_is_disconnected(house: LiveHouse) -> None:
    table = house.table()
    tables = house.served.app.state.tables
    hub = tables.hub
    with Player(house.port, table, guest(house.port, "Talker")) as player:
        player.until_type("you")
        deaf = next(iter(hub.clients(table)))
        deaf._write = lambda _: False  # the connection can't take any message immediately

        def tell_much() -> None:
            """Send a burst in one turn of the event loop, before the connection accepts any."""
            for _ in range(MAX_OUTBOX_MESSAGES + 1):
                hub.send(deaf, {"type": "watchers", "count": 1})

        tables._loop.call_soon_threadsafe(tell_much)
        assert player.end() == Close.TOO_SLOW
    with house.served.client() as client:
        until(lambda: "ventiuna_slow_clients_total 1.0" in client.get("/metrics").text)


def _code(client: ClientConnection) -> int:
    with pytest.raises(ConnectionClosed) as caught:
        client.recv(timeout=PATIENCE)
    return close_code(caught.value)


def test_a_joined_client_that_cannot_be_served_is_removed(
    house: LiveHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(_connection: Connection, _table: int) -> None:
        raise DatabaseError("", None, Exception("the database is away"))

    monkeypatch.setattr(socket, "owner_of_table", torn)
    table = house.table()
    with Player(house.port, table) as onlooker, pytest.raises(ConnectionClosed):
        onlooker.until_type("holds")
    until(lambda: not house.served.app.state.tables.hub.clients(table))


# --- closing ----------------------------------------------------------------------------------


def test_shutdown_answers_commands_and_says_goodbye(tmp_path: Path) -> None:
    settings = replace(LIVE, database=str(tmp_path / "house.sqlite"))
    with live_house(settings) as house:
        table = house.table()
        player = Player(house.port, table, guest(house.port, "Last")).sit(1)
        key = player.send("Ready")
        player.socket.send(json.dumps({"type": "x"}))
        player.answer(key)
    assert player.end() == Close.RESTART
    assert {"type": "bye", "code": "restart", "retry_ms": 1500} in player.heard
