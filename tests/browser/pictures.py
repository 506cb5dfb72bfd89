"""Retake the README's pictures: python -m tests.browser.pictures"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.conftest import ARGUMENTS, PHONE, People, Windows
from tests.browser.finding import browser_path
from tests.browser.houses import BrowserHouse, browser_house
from tests.browser.playing import FULL, Sitting, opened
from tests.conformance_kit import PAGE
from tests.server.test_learning import play_a_bad_hand

FOLDER = Path(__file__).parents[2] / "docs" / "images"
QUALITY = 82
# Spot 4: a pair of eights that is split, and five Bonus Cards.
ROUND = "8h 4d 8s Jc Qs 6d 8d 2c 9s Kd 6s 7s Kc"
ALWAYS: dict[str, object] = {"coach": "always"}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        house = stack.enter_context(browser_house(Path(folder)))
        house.add("Ana")
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
        stack.callback(browser.close)
        people = People(Windows(browser), stack)
        take_table(house, people)
        take_coach(house, people)
        take_study(house, people)
        take_design(house, people)
        take_school(house, people)
        take_verify(browser)


def keep(page: Page, name: str) -> None:
    page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=QUALITY)


def take_table(house: BrowserHouse, people: People) -> None:
    table = opened(house, FULL, ROUND)
    page = people.page(house, "Ana", path=f"#/table/{table}", settings=ALWAYS)
    ana = Sitting(page).take(4)
    ana.deal("25 up 5 down 5 b1 1 b3 5 j1 j2")
    ana.turn("16 against a 4")
    ana.play("p")
    ana.turn("18 against a 4")
    ana.play("s")
    ana.turn("14 against a 4")
    expect(page.locator(".bars").first).to_be_visible()
    expect(page.locator("td.lit")).to_have_count(1)
    keep(page, "table")
    page.set_viewport_size(PHONE)
    keep(page, "phone")


def take_coach(house: BrowserHouse, people: People) -> None:
    play_a_bad_hand(house, "Ana")
    page = people.page(house, "Ana", path="#/session")
    expect(page.locator("td.lit")).to_have_count(1)
    expect(page.get_by_text("Loading")).to_have_count(0)  # the luck distribution has loaded
    keep(page, "coach")


def take_study(house: BrowserHouse, people: People) -> None:
    rules = "wsgc-2021(double_double=on)"
    page = people.page(house, "Ana", path=f"#/study/edge?rules={rules}")
    expect(page.locator("table.chart").first).to_be_visible()
    expect(page.get_by_text("to go")).to_have_count(0)
    keep(page, "study")


def take_design(house: BrowserHouse, people: People) -> None:
    wish = "edge=0.3..0.9&hits=40..&vary=decks,soft_17,double_double,rescue"
    page = people.page(house, "Ana", path=f"#/study/design?rules=wsgc-2021&{wish}")
    expect(page.get_by_text("exact analyses")).to_be_visible(timeout=60_000)
    page.get_by_label("Plot the house edge against").select_option("hits")
    keep(page, "design")


def take_school(house: BrowserHouse, people: People) -> None:
    page = people.page(house, "Ana", path="#/school/everything?seed=3")
    expect(page.get_by_text("What do you do first?")).to_be_visible()
    keep(page, "school")


def take_verify(browser: Browser) -> None:
    page = browser.new_context(offline=True, viewport={"width": 1000, "height": 880}).new_page()
    page.goto(PAGE.as_uri())
    page.click("#example")
    expect(page.locator("#self")).to_have_class("ok")
    keep(page, "verify")


if __name__ == "__main__":
    main()
