"""Separate duties over HTTP: a command becomes a request, and another person carries it out."""

from __future__ import annotations

from pathlib import Path

from tests.server.live_house import AtTable, live_house
from tests.server.test_administration import play_to_decision
from ventiuna.table.access import Role
from ventiuna.table.audit.house import AuditScope, audit

WHY = "a test"


def test_a_second_person_approves_money_and_voids(tmp_path: Path) -> None:
    with live_house(tmp_path) as house:
        for name, role in (("Otto", Role.OWNER), ("Ben", Role.OPERATOR), ("Pia", Role.PLAYER)):
            house.add(name, role)
        table = house.open_table("wsgc-spanish-21")
        required = "/approvals/required"
        assert house.post("Olga", required, is_on=True, reason=WHY).status_code == 403
        assert house.post("Otto", required, is_on=True, reason=WHY).status_code == 204
        assert house.get("Audrey", "/approvals").json() == {
            "separate_duties": True,
            "requests": [],
        }
        pia = house.people["Pia"].id
        asked = house.post("Olga", f"/persons/{pia}/issue", amount=500, reason=WHY)
        assert (asked.status_code, asked.json()["code"]) == (409, "approval_wanted")
        before = house.get("Pia", "/wallet").json()["wallet"]
        money = house.get("Ben", "/approvals").json()["requests"][0]
        assert money["requested_by_name"] == "Olga"
        assert f"Request {money['request']} is recorded" in asked.json()["detail"]
        approve = f"/approvals/{money['request']}/approve"
        assert house.post("Olga", approve, reason="me").json()["code"] == "not_allowed"
        assert house.post("Ben", approve, reason="seen").status_code == 204
        assert house.get("Pia", "/wallet").json()["wallet"] == before + 500
        assert house.post("Otto", approve, reason="again").json()["code"] == "stale"

        with AtTable(house, table, "Pia") as player:
            player.do("TakeSeat", seat=1)
            player.do("BuyChips", amount=100_000)
            play_to_decision(player)
            refused = house.post("Olga", f"/tables/{table}/seat", seat=2, chips=100)
            assert "you opened or managed this table" in refused.json()["detail"]
            void = house.post("Ben", f"/tables/{table}/void", reason="a card was exposed")
            assert void.json()["code"] == "approval_wanted"
            wanted = house.get("Ben", "/approvals").json()["requests"][0]
            assert (wanted["subject"], wanted["status"]) == (f"table {table}", "waiting")
            path = f"/approvals/{wanted['request']}/approve"
            assert house.post("Olga", path, reason="seen").status_code == 204
            while "RoundVoided" not in [event["event"] for event in player.events]:
                player.next_message()  # the table follows its book
        found = house.get("Audrey", "/books/1?most=200").json()
        told = [(entry["actor"], entry["command"]["command"]) for entry in found]
        who = {name: f"person/{person.id}" for name, person in house.people.items()}
        assert told[-5:] == [
            (who["Olga"], "RequestApproval"),
            (who["Ben"], "ApproveRequest"),
            (who["Olga"], "IssueMoney"),
            (who["Ben"], "RequestApproval"),
            (who["Olga"], "ApproveRequest"),
        ]
        with house.store.read() as connection:
            report = audit(connection, AuditScope(key=house.key, on_top=house.entropy.on_top))
        assert report.holds, [str(found) for found in report.differences]
