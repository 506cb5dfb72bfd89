"""Every page opens, shows who is signed in, contacts no other site, and has no errors."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep

from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import People
from tests.browser.houses import BrowserHouse
from tests.browser.playing import SPANISH

PAGES = {
    "lobby": "Tables",
    "study": "House edge",  # its first page
    "drills": "Drills",
    "school": "Dealer's school",
    "history": "History",
    "rules": "Rules",
}


def test_every_page_opens(
    shared_house: BrowserHouse, people: People, shot: Callable[[Page, str], None]
) -> None:
    page = people.page(shared_house, "Ana")
    for path, title in PAGES.items():
        page.goto(f"{shared_house.served.address}/#/{path}")
        expect(page).to_have_title(f"{title} · Ventiuna")
        expect(page.get_by_role("banner")).to_contain_text("Ana")
        shot(page, path)


def test_pages_and_settings_are_accessible(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, "Olga")
    for path in ("school", "house", "history", "history/check", "study/edge?rules=wsgc-2021"):
        page.goto(f"{shared_house.served.address}/#/{path}")
        expect(page.get_by_role("main")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        check_axe(page)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    check_axe(page)


def respond_late(route: Route) -> None:
    sleep(2.5)
    route.continue_()


def test_titles_scroll_positions_and_the_back_button(
    shared_house: BrowserHouse, people: People
) -> None:
    """Each page has a title and starts at the top; going back restores the scroll position,
    however long the page takes to load."""
    low = ViewportSize(width=1000, height=500)
    page = people.page(shared_house, "Ana", path="#/rules/numbers", size=low)
    expect(page).to_have_title("Rules · Ventiuna")
    expect(page.locator(".numbers > *").nth(100)).to_be_attached()
    page.evaluate("scrollTo(0, 1500)")
    page.wait_for_function("() => history.state?.scrolled === 1500")
    page.get_by_role("navigation").get_by_role("link", name="Tables").evaluate("it => it.click()")
    expect(page).to_have_title("Tables · Ventiuna")
    expect(page.get_by_role("button", name="Deal me in")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.activeElement !== document.body"), "focus is never lost"
    page.route("**/rules/numbers", respond_late)
    page.go_back()
    expect(page).to_have_title("Rules · Ventiuna")
    page.wait_for_function("() => scrollY === 1500")
    page.goto(f"{shared_house.served.address}/#/lobby/make")
    expect(page).to_have_title("New table · Ventiuna")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def test_pages_opened_after_the_table_keep_their_layout(
    shared_house: BrowserHouse, people: People
) -> None:
    """The table's own styles for choosers and rings don't affect other pages."""
    page = people.page(shared_house, "Ana", path=f"#/table/{shared_house.open_table(SPANISH)}")
    expect(page.locator(".stage")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "no scroll bar"
    for path in ("study/edge", "console"):
        page.evaluate("path => { location.hash = `#/${path}` }", path)
        expect(page.get_by_label("Start from")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Open the table")).to_be_in_viewport()


def test_two_windows_look_alike(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, path="#/lobby")
    other = page.context.new_page()
    other.goto(f"{shared_house.served.address}/#/study")
    for window in (page, other):  # both windows follow the system setting
        expect(window.locator("html")).to_have_attribute("data-theme", "light")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Settings").click()
    settings = page.get_by_role("dialog", name="Settings")
    settings.get_by_role("button", name="Dark", exact=True).click()
    for window in (page, other):
        expect(window.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_missing_page_says_so(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, "Olga", path="#/nowhere")
    for path in ("nowhere", "study/foo", "house/foo", "history/foo"):
        page.goto(f"{shared_house.served.address}/#/rules/numbers")
        expect(page.get_by_role("heading", level=1)).not_to_have_text("Page not found")
        page.goto(f"{shared_house.served.address}/#/{path}")
        expect(page.get_by_role("heading")).to_have_text("Page not found")
        expect(page.get_by_role("main")).to_have_count(1)
