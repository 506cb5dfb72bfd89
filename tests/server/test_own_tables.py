"""Your own table: opened, played, replaced, and closed without an operator, and recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.server.live_house import AtTable, LiveHouse, Message, live_house
from ventiuna.server.telemetry import now_ms
from ventiuna.table.admin import IDLE_LIMIT, abandoned_tables, own_tables
from ventiuna.table.audit.house import AuditScope, audit
from ventiuna.table.store.schema import entry

RULES = "wsgc-2021(jackpots=3c:1:seed=1000)"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[LiveHouse]:
    with live_house(tmp_path) as opened:
        opened.add("Ana", money=150_000)
        opened.add("Ben", money=150_000)
        yield opened


def own_table(house: LiveHouse, who: str, rules: str = RULES) -> int:
    answer = house.post(who, "/tables/own", rules=rules)
    assert answer.status_code == 201, answer.text
    number: int = answer.json()["table"]
    return number


def ask_for_wagers(owner: AtTable) -> Message:
    """Skip the cut and wait for betting to open."""
    ask = owner.wait_for_ask("cut_commit", "wagers")
    if ask["kind"] == "cut_commit":
        owner.do("Ready", ask["n"])
    return owner.wait_for_ask("wagers")


def test_opening_a_table_gives_a_seat_and_chips(house: LiveHouse) -> None:
    number = own_table(house, "Ana")
    found = house.get("Ana", "/wallet").json()
    assert found == {
        "wallet": 50_000,
        "seats": [{"table": number, "seat": 4, "status": "here", "stack": 100_000}],
    }
    with AtTable(house, number, "Ana") as ana:
        ask = ask_for_wagers(ana)
        ana.do("PlaceWagers", ask["n"], spot=4, base=1000)
        assert ana.do("Ready", ask["n"])


def test_its_clocks_are_as_long_as_possible(house: LiveHouse) -> None:
    with AtTable(house, own_table(house, "Ana"), "Ana") as ana:
        ask = ask_for_wagers(ana)
        ana.do("PlaceWagers", ask["n"], spot=4, base=1000)
        while ana.ask is None or ana.ask["until"] is None:
            ana.next_message()
        assert ana.ask["until"] - now_ms() > 23 * 3_600_000


def test_nobody_else_can_see_it_or_sit_down(house: LiveHouse) -> None:
    number = own_table(house, "Ana")
    listed = {
        who: [table["id"] for table in house.get(who, "/lobby").json()["tables"]]
        for who in ("Ana", "Ben", "")
    }
    assert listed == {"Ana": [number], "Ben": [], "": []}
    assert house.get("", "/tables").json() == []
    refused = house.post("Ben", f"/tables/{number}/seat")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    with AtTable(house, number, "Ben") as ben:
        answer = ben.say("TakeSeat", seat=1)
        assert answer["type"] == "refused"
        assert answer["reason"].startswith("This is someone else's private table")


def test_a_new_table_replaces_it_unless_a_hand_is_unfinished(house: LiveHouse) -> None:
    first = own_table(house, "Ana")
    second = own_table(house, "Ana")
    assert house.get("", f"/tables/{first}").json()["table"]["status"] == "closed"
    assert house.get("Ana", "/wallet").json()["wallet"] == 50_000  # the chips were returned first
    with AtTable(house, second, "Ana") as ana:
        ask = ask_for_wagers(ana)
        ana.do("PlaceWagers", ask["n"], spot=4, base=1000)
        refused = house.post("Ana", "/tables/own", rules=RULES)
        assert (refused.status_code, refused.json()["code"]) == (409, "hand_waits")


def test_only_its_owner_can_close_it(house: LiveHouse) -> None:
    number = own_table(house, "Ana")
    assert house.post("Ben", f"/tables/{number}/close", reason="out").status_code == 403
    assert house.post("Ana", f"/tables/{number}/close", reason="done").status_code == 200
    assert house.get("", f"/tables/{number}").json()["table"]["status"] == "closed"


def test_it_is_closed_when_abandoned(house: LiveHouse) -> None:
    number = own_table(house, "Ana")
    with AtTable(house, number, "Ana") as ana:
        ana.wait_for_ask()
        with house.store.read() as connection:
            assert abandoned_tables(connection, now_ms() + 2 * IDLE_LIMIT) == []
        ana.do("LeaveSeat")
    with house.store.read() as connection:
        assert abandoned_tables(connection, now_ms()) == []
        found = abandoned_tables(connection, now_ms() + 2 * IDLE_LIMIT)
    assert [line.table for line in found] == [number]


def test_tables_share_a_meter_and_the_audit_passes(house: LiveHouse) -> None:
    first, second = own_table(house, "Ana"), own_table(house, "Ben")
    linked = [house.get("", f"/tables/{n}").json()["table"]["jackpots"] for n in (first, second)]
    assert linked[0] == linked[1]
    with house.store.read() as connection:
        assert len(own_tables(connection)) == 2
        actor = connection.scalar(
            select(entry.c.actor).where(entry.c.book_id == first, entry.c.version == 1)
        )
        assert actor == f"own/{house.people['Ana'].id}"
        assert audit(connection, AuditScope(house.key)).differences == []


def test_rules_that_contradict_each_other_open_nothing(house: LiveHouse) -> None:
    answer = house.post("Ana", "/tables/own", rules="wsgc-2021(mtd_configuration=4)")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_rules")
    assert house.get("Ana", "/lobby").json()["tables"] == []


def test_a_player_who_lost_everything_gets_new_play_money(house: LiveHouse) -> None:
    assert house.post("Ana", "/wallet/refill").json()["code"] == "money_left"
    house.add("Cleo", money=9_000)
    assert house.post("Cleo", "/wallet/refill").json() == {"wallet": 109_000}
    assert house.post("Cleo", "/wallet/refill").status_code == 409
