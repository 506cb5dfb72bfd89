"""A player's rounds, the replay of one, a share link, and a shoe verified in the browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from tests import IS_SOAK
from tests.browser.axe import check_axe
from tests.browser.conftest import SIZES, People
from tests.browser.houses import BrowserHouse
from tests.browser.rounds import play_rounds
from tests.server.running import until

Shot = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def table(shared_house: BrowserHouse) -> int:
    """A closed table with three rounds played by Iris and a fully verifiable shoe."""
    shared_house.add("Iris")
    number = shared_house.open_table("wsgc-2021", name="Table 1", shuffled=True)
    play_rounds(shared_house, number, "Iris", 3)
    shared_house.post("Olga", f"/tables/{number}/close", reason="the end of the day")
    return number


@pytest.mark.parametrize(
    ("listed", "replayed"), product(SIZES, SIZES) if IS_SOAK else [("wide", "phone")]
)
def test_rounds_and_their_replay(
    shared_house: BrowserHouse, table: int, people: People, shot: Shot, listed: str, replayed: str
) -> None:
    page = people.page(shared_house, "Iris", path="#/history", size=SIZES[listed])
    expect(page.get_by_role("row")).to_have_count(4)
    check_axe(page)
    shot(page, "rounds")
    page.set_viewport_size(SIZES[replayed])
    page.get_by_role("link", name="Replay round 2 at Table 1").click()
    expect(page.get_by_role("slider")).not_to_have_value("0")
    page.get_by_role("button", name="First step").click()
    expect(page.get_by_text("Before the round.")).to_be_visible()
    found = shared_house.get("Iris", f"/tables/{table}/rounds/2?format=replay").json()
    told = [step["told"] for step in found["steps"] if step["told"]]
    me = str(shared_house.people["Iris"].id)
    sentences = [line.get("you", {}).get(me, line)["text"] for line in told]
    status = page.get_by_role("region", name="Replay").get_by_role("status")

    def says(sentence: str) -> None:
        until(lambda: _plain(status.inner_text()) == _plain(sentence))

    for sentence in sentences[:4]:
        page.get_by_role("button", name="Next step").click()
        says(sentence)
    page.get_by_role("button", name="Previous step").click()
    says(sentences[2])
    page.keyboard.press("End")
    expect(page.get_by_role("slider")).to_have_value(str(len(sentences)))
    says(sentences[-1])
    assert page.evaluate("scrollY") == 0, "the felt stays in view"
    cards = page.get_by_role("main").get_by_role("img")
    assert cards.count() > 0
    page.get_by_role("slider").fill(str(len(sentences) // 2))
    expect(page.get_by_text(f"{len(sentences) // 2} of {len(sentences)}")).to_be_visible()
    check_axe(page)
    shot(page, "replay")
    page.get_by_role("button", name="First step").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("slider")).not_to_have_value("0")
    page.get_by_role("button", name="Pause").click()


def _plain(text: str) -> str:
    """Letters and digits only, because the pages differ in how they show suits and rule numbers."""
    words = text.partition(" R-")[0].replace(".00", "")
    return "".join(letter for letter in words if letter.isalnum())


def test_a_filter_shows_only_matching_rounds(
    shared_house: BrowserHouse, table: int, people: People
) -> None:
    rounds = shared_house.get("Iris", "/history").json()
    won = sum(one["net"] > 0 for one in rounds)
    page = people.page(shared_house, "Iris", path="#/history")
    expect(page.get_by_role("row")).to_have_count(4)
    page.get_by_role("button", name="Won").click()
    expect(page.get_by_role("row")).to_have_count(won + 1 if won else 0)


def test_a_link_shows_the_round_to_others_without_names(
    shared_house: BrowserHouse, table: int, people: People
) -> None:
    by = shared_house.post("Iris", f"/tables/{table}/rounds/1/share").json()["by"]
    page = people.page(shared_house, path=f"#/history/{table}/1?by={by}")
    expect(page.get_by_role("button", name="Copy a link")).to_be_visible()
    page.get_by_role("button", name="Last step").click()
    expect(page.get_by_role("main")).not_to_contain_text("Iris")


def test_a_finished_shoe_is_checked_in_the_browser(
    shared_house: BrowserHouse, table: int, people: People, shot: Shot
) -> None:
    page = people.page(shared_house, path=f"#/history/{table}/shoes/1")
    expect(page.get_by_text("All eight values match the published ones")).to_be_visible()
    expect(page.get_by_text("The record is valid")).to_be_visible()
    cards = sum(
        event["event"] == "CardDealt"
        for dealt in shared_house.get("", f"/tables/{table}/shoes/1").json()["rounds"]
        for event in dealt["events"]
    )
    expect(page.get_by_text(f"{cards} cards in 3 rounds")).to_be_visible()
    check_axe(page)
    shot(page, "")


def test_shoes_are_listed_and_a_round_is_copied_with_its_rules_by_name(
    shared_house: BrowserHouse, table: int, people: People
) -> None:
    page = people.page(shared_house, "Iris", path="#/history/check")
    ended = page.locator(f'a[href="#/history/{table}/shoes/1"]')
    expect(ended).to_be_visible()
    expect(page.get_by_text("Shoe 2, never dealt")).to_be_visible()
    ended.click()
    expect(page.get_by_text("The record is valid")).to_be_visible()
    text = shared_house.get("Iris", f"/tables/{table}/rounds/1?format=notation").text
    assert "\nrules: wsgc" in text
    assert "rules data" not in text


def test_a_changed_record_is_detected(
    shared_house: BrowserHouse, table: int, people: People, shot: Shot
) -> None:
    record = shared_house.get("", f"/tables/{table}/shoes/1").json()
    dealt = next(one for one in record["rounds"][1]["events"] if one["event"] == "CardDealt")
    dealt["card"] = (dealt["card"] + 1) % 36
    page = people.page(shared_house, path="#/history/check")
    page.get_by_text("Check a saved record").click()
    page.get_by_label("Paste the record").fill(json.dumps(record))
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_text("The record is wrong. Round 2, card 1")).to_be_visible()
    shot(page, "")
    page.get_by_label("Paste the record").fill("not a record")
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_role("alert")).to_have_text("This isn't a shoe record in JSON format.")
