"""A person on the table page: what they do there and what they see."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.houses import BrowserHouse

SPANISH = "wsgc-2021(double_double=on)"
FULL = (
    "wsgc-2021(double_double=on,mtd_configuration=4,bonus_cards=5,"
    "jackpots=3c:1:seed=1000+4d:1:seed=500)"
)


class Sitting:
    """A person's window on a table."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def asked(self) -> Locator:
        return self.page.locator(".asked")

    @property
    def deal_button(self) -> Locator:
        return self.page.locator(".betacts .primary")

    def action(self, place: str) -> Locator:
        return self.page.locator(f'[data-action="{place}"]')

    def take(self, spot: int, chips: str = "$500") -> Sitting:
        name = f"Take spot {spot}"
        self.page.locator("main").get_by_role("button", name=name, exact=True).click()
        self.page.get_by_role("button", name=f"Buy {chips}", exact=True).first.click()
        expect(self.deal_button).to_be_visible()
        return self

    def circle(self, wager: str) -> Locator:
        return self.page.locator(f'.board [data-wager="{wager}"]')

    def wager(self, text: str) -> None:
        """Type the wagers in one line and wait until the server has accepted them."""
        field = self.page.get_by_label("Type your wagers")
        expect(self.deal_button).to_be_visible()
        field.fill(text)
        field.press("Enter")
        expect(field).to_have_value("")
        field.press("Escape")

    def deal(self, text: str = "") -> None:
        if text:
            self.wager(text)
        self.deal_button.click()

    def turn(self, words: str) -> None:
        """Expect the prompt to ask for a decision with these words."""
        expect(self.asked).to_contain_text(words)

    def play(self, *keys: str) -> None:
        """Press one key per decision."""
        for key in keys:
            self.press(key)

    def press(self, key: str) -> None:
        expect(self.page.locator('.act[aria-disabled="true"]:not(.refusing)')).to_have_count(0)
        self.page.keyboard.press(key)

    def over(self) -> None:
        """Wait for the next round to open."""
        expect(self.deal_button).to_be_visible()

    def told(self, words: str) -> None:
        line = self.page.locator(".log li").filter(has_text=words)
        expect(line.first).to_be_visible()

    @property
    def story(self) -> str:
        return " ".join(self.page.locator(".log").inner_text().split())

    @property
    def purse(self) -> Locator:
        return self.page.locator(".purse dd").first

    def holds(self, chips: str) -> None:
        expect(self.purse).to_have_text(chips)


def cards_of(*rounds: str) -> str:
    return " ".join(rounds)


def opened(house: BrowserHouse, rules: str, *rounds: str) -> int:
    """Open a table whose first shoe has these rounds on top."""
    house.prescribe(cards_of(*rounds))
    return house.open_table(rules)
