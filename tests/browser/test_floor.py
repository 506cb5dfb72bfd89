"""The live floor updates automatically; floor staff see it and nothing else in the house."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import PHONE, WIDE, People
from tests.browser.houses import BrowserHouse, browser_house
from tests.browser.rounds import play_rounds
from tests.server.live_house import AtTable
from ventiuna.table.access import Role
from ventiuna.table.domain.commands import RaiseAlarm
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.writer import CommandRequest

Shot = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def house(
    tmp_path_factory: pytest.TempPathFactory, new_database: Callable[[], str]
) -> Iterator[BrowserHouse]:
    with browser_house(tmp_path_factory.mktemp("floor"), new_database()) as opened_house:
        opened_house.add("Fred", Role.FLOOR, 0)
        yield opened_house


def test_the_floor_updates_automatically(house: BrowserHouse, people: People, shot: Shot) -> None:
    house.add("Ana")
    first = house.open_table("wsgc-2021(jackpots=3c:1:seed=1000)", name="High limit")
    house.open_table("super-fun-21", name="Super Fun")
    play_rounds(house, first, "Ana", 2)
    page = people.page(house, "Fred", path="#/house", settings={"theme": "light"})
    table = page.get_by_role("region", name="High limit")
    expect(table).to_contain_text("Spanish 21 · 6 decks")
    expect(page.get_by_text("all clear")).to_be_visible()
    expect(page.get_by_role("navigation", name="House pages")).to_have_count(0)  # only one page
    expect(page.get_by_role("region", name="Super Fun")).to_contain_text("Nobody is sitting here")
    with AtTable(house, first, "Ana") as ana:
        ask = ana.wait_for_ask("wagers")
        expect(table).to_contain_text("Players place wagers")
        expect(table).to_contain_text("Waiting for Ana")
        ana.do("PlaceWagers", ask["n"], spot=4, base=1000)
        jackpot = house.get("", "/jackpots").json()[0]["id"]
        house.post("Olga", f"/jackpots/{jackpot}/suspend", reason="the sign is broken")
        expect(page.get_by_text("is suspended at 1 table")).to_be_visible()
        for size in (WIDE, PHONE):
            page.set_viewport_size(size)
            check_axe(page)
            shot(page, f"{size['width']}")
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)
        house.post("Olga", f"/tables/{first}/close", reason="the day is over")
        ana.do("Ready", ask["n"])
        expect(table.get_by_text("closing")).to_be_visible()


def test_an_alarm_marks_its_table_until_it_is_acknowledged(
    house: BrowserHouse, people: People, shot: Shot
) -> None:
    house.add("Ben")
    number = house.open_table("wsgc-spanish-21", name="Wrong")
    play_rounds(house, number, "Ben", 1)
    finding = "payments: hand, under $10: 1 of 1 round wrong, $5.00 too much in all."
    command = RaiseAlarm("payments: hand, under $10", finding, (1,))
    house.served.app.state.tables.submit(
        CommandRequest(number, SERVICE, f"alarm/{number}", command)
    )
    page = people.page(house, "Olga", path="#/house/floor", settings={"theme": "light"})
    table = page.get_by_role("region", name="Wrong")
    expect(table.get_by_role("alert")).to_contain_text(
        "Paid $5 too much on base wagers under $10, in 1 of 1 round."
    )
    expect(table.get_by_role("link", name="View round 1")).to_have_attribute(
        "href", f"#/history/{number}/1"
    )
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        check_axe(page)
        shot(page, f"{size['width']}")
    table.get_by_role("button", name="Acknowledge the alarm").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("the pay table was wrong")
    dialog.get_by_role("button", name="Acknowledge the alarm").click()
    expect(table.get_by_role("alert")).to_have_count(0)


def test_floor_staff_cannot_open_the_books(house: BrowserHouse, people: People) -> None:
    page = people.page(house, "Fred", path="#/house/books")
    expect(page.get_by_role("heading", name="floor")).to_have_count(0)
    expect(page.get_by_role("main")).not_to_contain_text("Journal")
    assert house.get("Fred", "/floor").status_code == 200
    assert house.get("Fred", "/ledger").status_code == 403
