"""Wins celebrated by the whole table: Super Bonus with Envy, jackpots, and instant wins."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import People
from tests.browser.houses import BrowserHouse
from tests.browser.playing import FULL, SPANISH, Sitting, opened

Shot = Callable[[Page, str], None]


def test_a_super_bonus_with_envy_in_two_browsers(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    table = opened(shared_house, SPANISH, "7h Kc 7d 7h 9c Kd 7h Ks")
    ana = Sitting(people.page(shared_house, "Ana", path=f"#/table/{table}")).take(1)
    ben = Sitting(people.page(shared_house, "Ben", path=f"#/table/{table}")).take(2)
    expect(ana.page.locator('[data-spot="2"]')).to_contain_text("Ben")
    ana.deal("25")
    ben.deal("10")
    ana.turn("14 against a 7")
    expect(ben.page.locator(".dock")).to_contain_text("Ana to act")
    ana.play("h")
    ben.turn("19 against a 7")
    ben.play("s")
    party = ana.page.locator(".party")
    expect(party).to_contain_text("$5,000")
    shot(ana.page, "super")
    expect(ben.page.locator(".party")).to_contain_text("$50")
    shot(ben.page, "envy")
    ana.page.keyboard.press("Escape")
    expect(party).to_have_count(0)
    ana.over()
    ana.told("Super Bonus")
    ben.told("Envy Bonus")
    ana.page.set_viewport_size({"width": 390, "height": 844})
    expect(ana.page.locator(".pmine")).to_contain_text("+$5,000")


def test_jackpot_awards_of_ten_and_a_hundred_percent(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    table = opened(
        shared_house,
        FULL,
        "8h 8h 8h Ks Qs 6d 8d 2c 9s",  # two suited matches with the up card
        "9h 9h 9h 9h Qs 6d 7d 2c 8s Kd",  # and with the down card too
    )
    ana = Sitting(people.page(shared_house, "Ana", path=f"#/table/{table}")).take(4)
    ana.deal("10 j1 j2")
    ana.turn("16 against an 8")
    ana.play("s")
    party = ana.page.locator(".party")
    expect(party).to_contain_text("10%")  # shown last, when the meters pay
    # 10% of the $1,000 seed and of the contribution of $0.21; the $1 wager isn't returned.
    expect(party.locator("strong .sr")).to_have_text("$100.02")
    expect(party).to_contain_text("$99.02 after your $1 wager")
    shot(ana.page, "tenth")
    ana.told("10% of")
    while party.count():
        ana.page.keyboard.press("Escape")
    ana.over()
    ana.deal()
    ana.turn("18 against a 9")
    ana.play("s")
    expect(party.filter(has_text="100%")).to_be_visible()
    ana.told("100% of")


def test_super_fun_21_wins_at_once(shared_house: BrowserHouse, people: People, shot: Shot) -> None:
    table = opened(
        shared_house,
        "super-fun-21",
        "2h 5d 2c Kd 3s 4h 2d 5s",  # 20 or less with six cards
        "2s 6d 3c Kh 4d 5h 7s",  # 21 with five cards
    )
    ana = Sitting(people.page(shared_house, "Ana", path=f"#/table/{table}")).take(4)
    ana.deal("10")
    for total in (4, 7, 11, 13):
        ana.turn(f"{total} against a 5")
        ana.play("h")
    ana.over()
    expect(ana.page.locator(".pay.win")).to_contain_text("+$10")
    ana.deal()
    for total in (5, 9, 14):
        ana.turn(f"{total} against a 6")
        if total == 14:
            shot(ana.page, "instant")
        ana.play("h")
    ana.over()
    expect(ana.page.locator(".pay.win")).to_contain_text("+$20")
    expect(ana.page.locator(".pays").first).to_contain_text("Instant wins")
