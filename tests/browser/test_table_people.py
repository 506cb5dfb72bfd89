"""Several people and windows at one table, and a server that is killed in the middle of a hand."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE, WIDE, People
from tests.browser.houses import BrowserHouse
from tests.browser.playing import SPANISH, Sitting, opened
from tests.server.houses import LIVE, SLOW, new_table, operator_of, process
from tests.server.prescribed import CARDS, NO_ANALYSIS, entropy_of
from ventiuna.server.serve import open_house

Shot = Callable[[Page, str], None]


def test_two_players_and_a_spectator(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    table = opened(shared_house, SPANISH, "Kh 9c 6d 5c 8h Kd 9s Ks")
    path = f"#/table/{table}"
    watcher = people.page(shared_house, path=path)
    expect(watcher.get_by_role("status").filter(has_text="Nobody is seated yet")).to_be_visible()
    shot(watcher, "nobody")
    ana = Sitting(people.page(shared_house, "Ana", path=path)).take(2)
    ben = Sitting(people.page(shared_house, "Ben", path=path)).take(5)
    expect(watcher.locator(".watch")).to_contain_text("You're watching.")
    ana.deal("10")
    ben.deal("15")
    ana.turn("15 against a 6")
    expect(ben.page.locator(".dock")).to_contain_text("Ana to act")
    expect(ben.page.locator(".act")).to_have_count(0)
    expect(watcher.locator(".act")).to_have_count(0)
    expect(watcher.locator('[data-spot="2"]')).to_contain_text("15")
    ben.page.set_viewport_size({"width": 390, "height": 844})
    expect(ben.page.locator(".acting .card")).to_have_count(2)  # a phone shows the hand in play
    ben.page.set_viewport_size(WIDE)
    shot(ben.page, "waits")
    ana.play("h")
    ben.turn("17 against a 6")
    watcher.set_viewport_size({"width": 390, "height": 844})
    expect(watcher.locator(".phand")).to_contain_text("Ben")  # the hand in play
    expect(watcher.locator(".lately")).to_contain_text("bust with 24")
    watcher.set_viewport_size({"width": 844, "height": 390})
    expect(watcher.get_by_role("button", name="Play as a guest")).to_be_in_viewport(ratio=1)
    watcher.set_viewport_size(WIDE)
    expect(ben.page.locator('[data-spot="2"] .pay')).to_contain_text("\N{MINUS SIGN}$10")
    ben.play("s")
    ana.over()
    ben.over()
    shot(watcher, "watched")
    ana.page.close()
    expect(ben.page.locator('[data-spot="2"] .held')).to_contain_text(
        re.compile(r"offline\s+\d+ s")
    )
    shot(ben.page, "held")


def test_several_spots_of_one_person(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    table = opened(shared_house, SPANISH, "Kh 9c 6d 8c 8h Kd Ks")
    ana = Sitting(people.page(shared_house, "Ana", path=f"#/table/{table}")).take(3)
    ana.page.get_by_role("button", name="Play spot 4", exact=True).click()
    expect(ana.page.locator('[data-spot="4"]')).to_contain_text("You")
    ana.wager("10")
    ana.page.keyboard.press("4")
    ana.deal("20")
    ana.turn("spot 3: 18 against a 6")
    shot(ana.page, "first")
    ana.play("s")
    ana.turn("spot 4: 17 against a 6")
    ana.play("s")
    ana.over()
    ana.holds("$530")


def test_the_newest_window_plays_the_seat(shared_house: BrowserHouse, people: People) -> None:
    table = opened(shared_house, SPANISH, "Kh 6d 9c Kd Ks")
    path = f"#/table/{table}"
    first = Sitting(people.page(shared_house, "Ana", path=path)).take(4)
    second = Sitting(people.page(shared_house, "Ana", path=path))
    expect(second.deal_button).to_be_visible()
    dock = first.page.locator(".dock")
    expect(dock).to_contain_text("playing this seat in another window")
    dock.get_by_role("button", name="Play here").click()
    expect(second.page.locator(".dock")).to_contain_text("playing this seat in another window")
    first.deal("10")
    first.turn("19 against a 6")


def test_a_hand_continues_after_the_server_was_killed(
    tmp_path: Path, browser: Browser, shot: Shot
) -> None:
    """Neither the page nor the hand is lost, and the page says so."""
    settings = replace(LIVE, database=str(tmp_path / "house.sqlite"))
    cards = "Kh 6d 9c Kd Ks"
    opened_house = open_house(settings, entropy_of(cards))
    operator = operator_of(opened_house.store)
    table = new_table(opened_house.store, opened_house.house, operator, SPANISH, SLOW)
    opened_house.store.close()
    words = ("serve", "--database", settings.database, "--port")
    given = {CARDS: cards, NO_ANALYSIS: "yes"}
    context = browser.new_context(reduced_motion="reduce")
    context.add_init_script(
        f"localStorage.setItem('ventiuna.settings', {json.dumps(json.dumps({'speed': 0}))})"
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    try:
        with process(*words, "0", **given) as first:
            page.goto(f"http://127.0.0.1:{first.port}/#/table/{table}")
            page.get_by_label("Name (optional)").fill("Ana")
            page.get_by_role("button", name="Play as a guest").click()
            ana = Sitting(page).take(4)
            expect(page.locator('[data-spot="4"]')).to_contain_text("You")
            ana.deal("10")
            ana.turn("19 against a 6")
            first.end(signal.SIGKILL)
            expect(page.locator(".banner.bad")).to_contain_text("your clock keeps running.")
            shot(page, "lost")
            port = str(first.port)
        with process(*words, port, **given):
            expect(page.locator(".banner.ok")).to_contain_text("You're back")
            shot(page, "back")
            ana.turn("19 against a 6")
            ana.play("s")
            ana.over()
            expect(page.locator(".pay.win")).to_contain_text("+$10")
    finally:
        context.close()
