"""Every page opens, says who is here, asks nobody else and has no error."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import People
from tests.browser.houses import BrowserHouse

PAGES = ("lobby", "study", "drills", "school", "history", "rules")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_opens(
    house: BrowserHouse, people: People, shot: Callable[[Page, str], None], path: str
) -> None:
    house.add("Ana")
    page = people.page(house, "Ana", path=f"#/{path}")
    expect(page.get_by_role("banner")).to_contain_text("Ana")
    shot(page, "")


def test_a_page_that_is_not_there_says_so(house: BrowserHouse, people: People) -> None:
    page = people.page(house, path="#/nowhere")
    expect(page.get_by_role("heading")).to_have_text("There is no such page.")
