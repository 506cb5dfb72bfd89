"""The web table on PostgreSQL: two people, the same rounds, and the same payments."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import People
from tests.browser.houses import BrowserHouse, browser_house
from tests.browser.playing import FULL, SPANISH, Sitting, opened
from tests.table.conftest import Postgres


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Iterator[BrowserHouse]:
    database = postgres.create_house(f"browser_{postgres.worker}")
    with browser_house(tmp_path_factory.mktemp("house"), database.program) as found:
        found.add("Ana")
        found.add("Ben")
        yield found


def test_a_round_with_every_wager(house: BrowserHouse, people: People) -> None:
    table = opened(house, FULL, "8h 4d 8s Jc Qs 6d 8d 2c 9s Kd 6s 7s Kc")
    ana = Sitting(people.page(house, "Ana", path=f"#/table/{table}")).take(4)
    ana.deal("25 up 5 down 5 b3 5 j1")
    ana.turn("16 against a 4")
    ana.play("p")
    ana.turn("18 against a 4")
    ana.play("s")
    ana.turn("14 against a 4")
    ana.play("h")  # 6-7-8 of spades
    ana.told("6-7-8 of spades, 3 to 1")
    ana.over()


def test_two_people_see_each_others_events(house: BrowserHouse, people: People) -> None:
    table = opened(house, SPANISH, "Kh 9c 6d 5c 8h Kd 9s Ks")
    path = f"#/table/{table}"
    ana = Sitting(people.page(house, "Ana", path=path)).take(2)
    ben = Sitting(people.page(house, "Ben", path=path)).take(5)
    ana.deal("10")
    ben.deal("15")
    ana.turn("15 against a 6")
    expect(ben.page.locator(".dock")).to_contain_text("Ana to act")
    ana.play("h")
    ben.turn("17 against a 6")
    ben.play("s")
    ana.over()
    ben.over()
