"""Separate duties in the browser: one operator asks, another decides, and both see the result."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import PHONE, People
from tests.browser.houses import BrowserHouse
from ventiuna.table.access import Role

Shot = Callable[[Page, str], None]


def confirm(page: Page, button: str, reason: str, **fields: str) -> None:
    """Open a request's or person's dialog, fill it in and confirm."""
    page.get_by_role("button", name=button).click()
    dialog = page.get_by_role("dialog").filter(visible=True)
    for field, value in fields.items():
        dialog.get_by_label(field).fill(value)
    dialog.get_by_label("Reason").fill(reason)
    dialog.locator("button.primary").click()


def test_a_second_operator_decides_a_request(
    house: BrowserHouse, people: People, shot: Shot
) -> None:
    for name, role in (("Otto", Role.OWNER), ("Ben", Role.OPERATOR)):
        house.add(name, role, 0)
    house.add("Ida", money=0)
    owner = people.page(house, "Otto", path="#/house/approvals")
    confirm(owner, "Turn on separation of duties", "a rule of the house")
    expect(owner.get_by_text("separation of duties: on")).to_be_visible()

    olga = people.page(house, "Olga", path="#/house/people")
    for amount, reason in (("1,250", "a birthday"), ("70", "a bet")):
        confirm(olga, "Issue play money to Ida", reason, Amount=amount)
        dialog = olga.get_by_role("dialog").filter(visible=True)
        expect(dialog.get_by_role("heading")).to_have_text("Waiting for a second approver")
        expect(dialog.get_by_role("alert")).to_have_count(0)
        expect(dialog.get_by_role("link", name="View requests")).to_be_focused()
        if reason == "a birthday":
            check_axe(olga)
            shot(olga, "waiting")
            dialog.get_by_role("button", name="Close").click()
    olga.get_by_role("link", name="View requests").click()
    mine = olga.get_by_role("article", name="Issue play money to Ida: $1,250")
    expect(mine).to_contain_text("another operator must answer it")
    expect(mine.get_by_role("button")).to_have_count(0)

    ben = people.page(house, "Ben", path="#/house/approvals", size=PHONE)
    birthday = ben.get_by_role("article", name="Issue play money to Ida: $1,250")
    expect(birthday).to_contain_text("a birthday")
    expect(birthday).to_contain_text("The player can use the money right away")
    check_axe(ben)
    shot(ben, "requests")
    assert ben.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    confirm(ben, "Approve: Issue play money to Ida: $1,250", "a good guest")
    expect(birthday).to_have_count(0)
    confirm(ben, "Refuse: Issue play money to Ida: $70", "the house doesn't pay bets")
    expect(ben.get_by_text("No requests are waiting.")).to_be_visible()
    result = olga.get_by_role("status")
    expect(result).to_contain_text("Issue play money to Ida: $1,250: approved by Ben")
    expect(result).to_contain_text("refused by Ben. Reason: the house doesn't pay bets")
    assert house.get("Ida", "/wallet").json()["wallet"] == 125_000
