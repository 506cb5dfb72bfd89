"""The betting panel's figures over HTTP."""

from __future__ import annotations

import secrets

import pytest

from tests.server.conftest import House

RULES = "wsgc-2021(mtd_configuration=4,bonus_cards=5,jackpots=3c:1:kind=house:seed=20000)"


@pytest.fixture(scope="module")
def table(house: House) -> int:
    body = {"name": f"Table {secrets.token_hex(4)}", "rules": RULES, "reason": "to play"}
    with house.served.client(house.tokens["operator"]) as client:
        answer = client.post("/tables", json=body)
    assert answer.status_code == 201, answer.text
    number: int = answer.json()["id"]
    return number


def test_wagers_are_priced_before_they_are_placed(house: House, table: int) -> None:
    wagers = {"base": 2_500, "mtd": {"up": 500, "b3": 500}, "jackpots": {"1": 100}}
    with house.served.client(house.tokens["guest"]) as client:
        answer = client.post(f"/tables/{table}/costs", json=wagers)
        more = client.post(f"/tables/{table}/costs", json={"base": 5_000})
        empty = client.get(f"/tables/{table}/costs")
    assert answer.status_code == 200, answer.text
    data = answer.json()
    assert [row["wager"] for row in data["rows"]] == ["hand", "mtd up", "mtd b3", "jackpot 1"]
    assert data["total"]["stake"] == 3_600
    [jackpot] = data["jackpots"]
    assert (jackpot["meter"], jackpot["light"]) == (2_000_000, True)
    assert more.json()["rows"][0]["average"] == 2 * data["rows"][0]["average"]
    assert empty.json() == {**data, "rows": [], "total": empty.json()["total"]}


def test_a_wager_that_isnt_offered_is_reported(house: House, table: int) -> None:
    with house.served.client(house.tokens["guest"]) as client:
        answer = client.post(f"/tables/{table}/costs", json={"jackpots": {"2": 100}})
        nonsense = client.post(f"/tables/{table}/costs", json={"mtd": {"sideways": 100}})
        nowhere = client.get("/tables/999999/costs")
    assert (answer.status_code, answer.json()["code"]) == (409, "no_such_jackpot")
    assert nonsense.status_code == 422
    assert nowhere.json()["code"] == "not_found"
