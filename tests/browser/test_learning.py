"""Drills and session reviews in the browser."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import DERIVED, PHONE, People
from tests.browser.houses import BrowserHouse
from tests.server.test_learning import play_a_bad_hand

Shot = Callable[[Page, str], None]


def test_a_session_shows_the_mistake_and_its_price(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    shared_house.add("Lea")
    table = play_a_bad_hand(shared_house, "Lea")
    page = people.page(shared_house, "Lea", path="#/session")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review of your play")
    mistake = page.get_by_role("heading", level=2, name="You stood. Doubling was better.")
    expect(mistake).to_be_visible()
    expect(page.get_by_text("1 round, $20 in base wagers")).to_be_visible()
    expect(page.get_by_text("1 mistake in 1 decision")).to_be_visible()
    replay = page.get_by_role("link", name="Replay", exact=True)
    expect(replay).to_have_attribute("href", re.compile(rf"#/history/{table}/1\?event=\d+"))
    expect(page.locator("td.lit")).to_have_count(1, timeout=DERIVED)
    expect(page.locator("tr.on th")).to_contain_text("11")
    check_axe(page)
    shot(page, "wide")
    page.set_viewport_size(PHONE)
    shot(page, "phone")
    page.get_by_role("button", name="View this decision").click()
    expect(mistake).to_be_focused()
    expect(mistake).to_be_in_viewport()
    replay.click()
    step = page.locator("[aria-current=step]")
    expect(step).to_contain_text("Mistake: You stand on 11")
    page.get_by_role("button", name="First step").click()
    expect(step).to_have_count(0)
    page.get_by_role("button", name="You stood. Doubling was better. It cost $").click()
    expect(step).to_contain_text("You stand on 11")
    page.go_back()
    page.get_by_role("link", name="Drill: Hard hands").click()
    expect(page.get_by_role("heading", name="Drills", exact=True)).to_be_visible()


def test_drills_by_keyboard_only(shared_house: BrowserHouse, people: People, shot: Shot) -> None:
    page = people.page(shared_house, "Ana", path="#/drills?rules=wsgc-2021&kind=hard")
    group = page.get_by_role("group", name="What do you do?")
    for hand in range(1, 4):
        expect(group.get_by_role("button")).not_to_have_count(0)
        page.keyboard.press("s")
        expect(page.get_by_role("alert")).to_contain_text("is best.")
        expect(page.locator("td.lit")).to_have_count(1, timeout=DERIVED)
        expect(page.locator(".score")).to_contain_text(f"Answered{hand}")
        if hand == 3:
            check_axe(page)
            shot(page, "answered")
        page.get_by_role("button", name="Next hand").press("Enter")
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(page.get_by_role("heading", name="What do you do?")).to_be_focused()


def test_a_drill_goes_on_after_a_lost_connection(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, "Ana", path="#/drills?rules=wsgc-2021&kind=hard")
    page.get_by_role("button", name="Stand", exact=True).click()
    page.route("**/learning/drills", lambda route: route.abort())
    page.get_by_role("button", name="Next hand").click()
    expect(page.get_by_role("alert")).to_contain_text("The server isn't responding.")
    page.unroute("**/learning/drills")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Stand", exact=True)).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    people.errors[:] = [error for error in people.errors if "ERR_FAILED" not in error]


def test_enter_continues_after_an_answer_by_mouse(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, "Ana", path="#/drills?rules=wsgc-2021&kind=hard")
    page.get_by_role("button", name="Stand", exact=True).click()
    expect(page.get_by_role("button", name="Next hand")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_refused_choice_says_why_and_a_clock_runs_out(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page = people.page(shared_house, "Ana", path="#/drills?rules=wsgc-2021&kind=hard")
    page.get_by_role("button", name="Split", exact=True).click(force=True)
    expect(page.get_by_role("status").filter(has_text="equal value")).to_be_visible()
    page.get_by_role("button", name="3 s").click()
    expect(page.get_by_role("alert")).to_contain_text("Time's up")
    page.get_by_role("button", name="Insurance").click()
    expect(page.get_by_role("group", name="Insurance?").get_by_role("button")).to_have_count(2)
    page.set_viewport_size(PHONE)
    shot(page, "phone")
