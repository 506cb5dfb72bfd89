"""Own rounds, the replay of one, a link for others, and a shoe checked in the browser."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import PHONE, WIDE, People
from tests.browser.houses import BrowserHouse
from tests.browser.rounds import play_rounds
from tests.server.running import until

Shot = Callable[[Page, str], None]


@pytest.fixture
def table(house: BrowserHouse) -> int:
    """With three rounds of Ana's; its shoe, by the recipe from first to last, has ended."""
    house.add("Ana")
    number = house.open_table("wsgc-2021", name="Table 1", shuffled=True)
    play_rounds(house, number, "Ana", 3)
    house.post("Olga", f"/tables/{number}/close", reason="the end of the day")
    return number


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_rounds_and_their_replay(
    house: BrowserHouse, table: int, people: People, shot: Shot, size: dict[str, int]
) -> None:
    page = people.page(house, "Ana", path="#/history", size=size)
    expect(page.get_by_role("row")).to_have_count(4)
    check_axe(page)
    shot(page, "rounds")
    page.get_by_role("link", name="Replay round 2 at Table 1").click()
    expect(page.get_by_text("Before the round.")).to_be_visible()
    found = house.get("Ana", f"/tables/{table}/rounds/2?format=replay").json()
    told = [step["told"] for step in found["steps"] if step["told"]]
    me = str(house.people["Ana"].id)
    sentences = [line.get("you", {}).get(me, line)["text"] for line in told]
    status = page.get_by_role("region", name="Replay").get_by_role("status")

    def says(sentence: str) -> None:
        until(lambda: _plain(status.inner_text()) == _plain(sentence))

    for sentence in sentences[:4]:
        page.get_by_role("button", name="One step on").click()
        says(sentence)
    page.get_by_role("button", name="One step back").click()
    says(sentences[2])
    page.keyboard.press("End")
    expect(page.get_by_role("slider")).to_have_value(str(len(sentences)))
    says(sentences[-1])
    cards = page.get_by_role("main").get_by_role("img")
    assert cards.count() > 0
    page.get_by_role("slider").fill(str(len(sentences) // 2))
    expect(page.get_by_text(f"{len(sentences) // 2} of {len(sentences)}")).to_be_visible()
    check_axe(page)
    shot(page, "replay")
    page.get_by_role("button", name="To the beginning").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("slider")).not_to_have_value("0")
    page.get_by_role("button", name="Pause").click()


def _plain(text: str) -> str:
    """Suits are drawn in one place and written in the other, rule numbers stand apart."""
    words = text.partition(" R-")[0].replace(".00", "")
    return "".join(letter for letter in words if letter.isalnum())


def test_a_filter_leaves_what_was_asked_for(
    house: BrowserHouse, table: int, people: People
) -> None:
    rounds = house.get("Ana", "/history").json()
    won = sum(one["net"] > 0 for one in rounds)
    page = people.page(house, "Ana", path="#/history")
    expect(page.get_by_role("row")).to_have_count(4)
    page.get_by_role("button", name="Won").click()
    expect(page.get_by_role("row")).to_have_count(won + 1 if won else 0)


def test_a_link_shows_the_round_to_others_without_names(
    house: BrowserHouse, table: int, people: People
) -> None:
    by = house.post("Ana", f"/tables/{table}/rounds/1/share").json()["by"]
    page = people.page(house, path=f"#/history/{table}/1?by={by}")
    expect(page.get_by_role("button", name="Copy a link")).to_be_visible()
    expect(page.get_by_text("Before the round.")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("main")).not_to_contain_text("Ana")


def test_a_finished_shoe_is_checked_in_the_browser(
    house: BrowserHouse, table: int, people: People, shot: Shot
) -> None:
    page = people.page(house, path=f"#/history/{table}/shoes/1")
    expect(page.get_by_text("All eight values come out as published")).to_be_visible()
    expect(page.get_by_text("The record holds")).to_be_visible()
    cards = sum(
        event["event"] == "CardDealt"
        for dealt in house.get("", f"/tables/{table}/shoes/1").json()["rounds"]
        for event in dealt["events"]
    )
    expect(page.get_by_text(f"{cards} cards of 3 rounds")).to_be_visible()
    check_axe(page)
    shot(page, "")


def test_a_record_that_was_changed_is_found(
    house: BrowserHouse, table: int, people: People, shot: Shot
) -> None:
    record = house.get("", f"/tables/{table}/shoes/1").json()
    dealt = next(one for one in record["rounds"][1]["events"] if one["event"] == "CardDealt")
    dealt["card"] = (dealt["card"] + 1) % 36
    page = people.page(house, path="#/history/check")
    page.get_by_label("Paste the record").fill(json.dumps(record))
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_text("The record is wrong. Round 2, card 1")).to_be_visible()
    shot(page, "")
    page.get_by_label("Paste the record").fill("not a record")
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_role("alert")).to_have_text("This is not the JSON of a record.")
