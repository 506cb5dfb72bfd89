"""A day in a house: its staff, its players and its books, from opening to closing."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import ExitStack
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.browser.conftest import People
from tests.browser.houses import BrowserHouse
from tests.browser.playing import Sitting, cards_of
from tests.server.live_house import AtTable
from ventiuna.table.access import Role

Shot = Callable[[Page, str], None]
RULES = "wsgc-2021(jackpots=3c:1:seed=1000)"
DECKS = 6
DAY = "86400"  # seconds, so that only people answer
# Four players at spots 1 to 4. The first has two suited 7s against a 7, and draws a third.
SEVENS = "7h Kc Kd Qc 7d 7h 9c 9d 9s Kh 7h"
MATCHES = "8h Kc Kd Qc 8h 8h 9c 9d 9s Ks"  # two suited matches: 10% of the jackpot
VOIDED = "5h Kc Kd Qc 6c 5d 9c 9d 9s Kh"
AWARD = 10_002  # 10% of the seed and of the $0.21 that the wager contributes
SUPER, ENVY = 500_000, 5_000
# Seven bets won, one of them 2 to 1, one lost, and $0.79 of the jackpot wager kept.
WIN = -(5_000 + 6 * 1_000 - 1_000) + 79 - SUPER - 3 * ENVY


class Office:
    """A staff member's window."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def act(self, button: str, label: str, **fields: str) -> None:
        """Press a button, fill in its dialog and confirm."""
        self.page.get_by_role("button", name=button).click()
        dialog = self.page.get_by_role("dialog").filter(visible=True)
        for field, value in fields.items():
            dialog.get_by_label(field.replace("_", " ")).fill(value)
        dialog.get_by_role("button", name=label, exact=True).click()
        expect(dialog).not_to_be_visible()


class Guest:
    """A player without a browser, who bets $10 and always stands."""

    def __init__(self, window: AtTable, spot: int) -> None:
        self.window = window
        self.spot = spot
        self.told = window.do("TakeSeat", seat=spot)
        window.do("BuyChips", amount=50_000)

    def bet(self) -> None:
        ask = self._asked("wagers")
        self.window.do("PlaceWagers", ask, spot=self.spot, base=1_000)
        self.told = self.window.do("Ready", ask)

    def stand(self) -> None:
        self.told = self.window.do("Stand", self._asked("decision", self.spot), spot=self.spot)

    def _asked(self, kind: str, *spots: int) -> int:
        self.window.catch_up(self.told)
        while True:
            ask = self.window.wait_for_ask(kind)
            if not spots or tuple(ask["spots"]) == spots:
                number: int = ask["n"]
                return number
            self.window.ask = None


def wallet(house: BrowserHouse, name: str) -> int:
    cents: int = house.get(name, "/wallet").json()["wallet"]
    return cents


def celebrated(player: Sitting, words: str) -> None:
    """See the celebration and close it."""
    party = player.page.locator(".party")
    expect(party).to_contain_text(words)
    while party.count():
        player.page.keyboard.press("Escape")


def test_a_day_in_the_house(house: BrowserHouse, people: People, shot: Shot) -> None:
    for name in ("Ana", "Ben", "Cleo", "Dan"):
        house.add(name)
    house.add("Fred", Role.FLOOR, 0)
    house.prescribe(cards_of(SEVENS, MATCHES, VOIDED))
    office = Office(people.page(house, "Olga", path=f"#/lobby/make?rules={quote(RULES)}"))
    table = opened_in_the_browser(office)
    counted_by_two(house, office, table)

    floor = Office(people.page(house, "Fred", path="#/house"))
    ana = Sitting(people.page(house, "Ana", path=f"#/table/{table}")).take(1)
    ben = Sitting(people.page(house, "Ben", path=f"#/table/{table}")).take(2)
    with ExitStack() as stack:
        guests = [
            Guest(stack.enter_context(AtTable(house, table, name)), spot)
            for spot, name in enumerate(("Cleo", "Dan"), start=3)
        ]
        super_bonus(floor, ana, ben, guests, shot)
        hand_pay(house, floor, ana, ben, guests, shot)
        voided(house, office, ana, ben, guests)
    closed(house, office, table)
    expect_books(house, office, table, shot)


def opened_in_the_browser(office: Office) -> int:
    """An operator opens a table that requires every procedure."""
    page = office.page
    page.get_by_role("button", name="everyone").click()
    page.get_by_label("Table name").fill("Big Six")
    for clock in (
        "Betting, after the first bet",
        "Each decision",
        "Insurance and blackjack choices",
        "Cutting the shoe",
    ):
        page.get_by_label(clock).fill(DAY)
    for procedure in ("inspect the decks", "watches the third card", "paid by hand"):
        page.get_by_label(procedure).check()
    page.get_by_label("Reason").fill("a Saturday")
    page.get_by_role("button", name="Open the table").click()
    expect(page).to_have_url(re.compile(r"#/table/\d+$"))
    return int(page.url.rpartition("/")[2])


def counted_by_two(house: BrowserHouse, office: Office, table: int) -> None:
    """Dee and Sam count every deck; one person can't do both jobs."""
    page = office.page
    page.goto(f"{house.served.address}/#/house/tables")
    page.get_by_role("link", name="Deck inspection").click()
    inspect = "Inspect a deck at Big Six"
    names = {"Back_of_the_cards": "red", "Dealer": "Dee", "Supervisor": "Sam"}
    office.act(inspect, "Inspect a deck", **names)
    counts = {"tens": 4, "jokers": 2, "cards_left": 48, "back": "red", "reason": "opening"}
    for deck in range(2, DECKS + 1):
        alone = house.post(
            "Fred", f"/tables/{table}/inspect", deck=deck, dealer="Dee", supervisor="dee", **counts
        )
        assert alone.json()["code"] == "not_inspected"
        house.post(
            "Fred", f"/tables/{table}/inspect", deck=deck, dealer="Dee", supervisor="Sam", **counts
        )
    checklist = page.get_by_role("region", name="Deck inspection of Big Six")
    office.act("Shuffle the decks at Big Six", "Shuffle the decks")
    expect(checklist).to_contain_text("the table may deal")


def super_bonus(floor: Office, ana: Sitting, ben: Sitting, guests: list[Guest], shot: Shot) -> None:
    """The table waits for Fred before the third 7, and again before it pays."""
    for guest in guests:
        guest.bet()
    ana.deal("25")
    ben.deal("10")
    expect(ana.page.get_by_text("waiting for a floor person").first).to_be_visible()
    shot(ana.page, "called")
    floor.act("Watch the third card at Big Six", "Watch the third card", Reason="at the table")
    ana.turn("14 against a 7")
    ana.play("h")
    ben.turn("19 against a 7")
    ben.play("s")
    for guest in guests:
        guest.stand()
    authorize = "Authorize the payments at Big Six"
    expect(floor.page.get_by_role("button", name=authorize)).to_be_visible()
    expect(ana.page.locator(".party")).to_have_count(0)
    shot(floor.page, "payments")
    floor.act(authorize, "Authorize the payments", Reason="cards and bets checked")
    celebrated(ana, "$5,000")
    celebrated(ben, "$50")
    ana.over()
    ana.holds("$5,550")  # $500, the bonus for suited 7s and the Super Bonus
    ben.holds("$560")


def hand_pay(
    house: BrowserHouse,
    floor: Office,
    ana: Sitting,
    ben: Sitting,
    guests: list[Guest],
    shot: Shot,
) -> None:
    """The meter falls when the award is authorized; the balance rises when Fred pays it."""
    for guest in guests:
        guest.bet()
    ana.deal("10 j1")
    ben.deal("10")
    ana.turn("16 against an 8")
    ana.play("s")
    ben.turn("19 against an 8")
    ben.play("s")
    for guest in guests:
        guest.stand()
    floor.act("Authorize the payments at Big Six", "Authorize the payments", Reason="checked")
    pay = floor.page.get_by_role("button", name="Pay an award at Big Six by hand")
    expect(pay).to_be_visible()
    shot(floor.page, "award")
    (meter,) = house.get("", "/jackpots").json()
    assert meter["shown"] == 100_021 - AWARD
    paid = house.get("Olga", f"/jackpots/{meter['id']}/movements").json()[-1]["awards"]
    assert [(one["player"], one["cents"], one["hand_pay"]) for one in paid] == [
        ("Ana", AWARD, True)
    ]
    before = wallet(house, "Ana")
    (award,) = house.get("Fred", "/floor").json()["awards"]
    assert (award["player"], award["amount"]) == ("Ana", AWARD)
    floor.act("Pay an award at Big Six by hand", "Pay by hand", Reason="identity checked")
    expect(pay).to_have_count(0)
    assert wallet(house, "Ana") == before + AWARD
    twice = house.post(
        "Fred", f"/tables/{award['table']}/hand-pay", award=award["award"], reason="twice?"
    )
    assert twice.json()["code"] == "stale"
    assert wallet(house, "Ana") == before + AWARD
    for player in (ana, ben):
        while player.page.locator(".party").count():
            player.page.keyboard.press("Escape")
        player.over()


def voided(
    house: BrowserHouse, office: Office, ana: Sitting, ben: Sitting, guests: list[Guest]
) -> None:
    """An operator voids a round: all bets are returned."""
    chips = ana.purse.inner_text()
    for guest in guests:
        guest.bet()
    ana.deal("10")
    ben.deal("10")
    ana.turn("10 against a 6")
    office.page.get_by_role("button", name="More actions for Big Six").click()
    office.act("Void the round at Big Six", "Void round", Reason="a card was exposed")
    ana.told("a card was exposed")
    ana.holds(chips)


def closed(house: BrowserHouse, office: Office, table: int) -> None:
    """The closing table waits until its cards are back in their boxes."""
    office.act("Close Big Six", "Close table", Reason="the day is over")
    assert house.get("", f"/tables/{table}").json()["table"]["status"] == "closing"
    office.act("Return Big Six's cards to their boxes", "Return cards to their boxes")
    expect(office.page.get_by_role("heading", name="Big Six")).to_have_count(0)
    assert house.get("", f"/tables/{table}").json()["table"]["status"] == "closed"


def expect_books(house: BrowserHouse, office: Office, table: int, shot: Shot) -> None:
    """The report of the day shows what was paid, and the audit finds nothing."""
    page = office.page
    page.goto(f"{house.served.address}/#/house")
    page.get_by_role("button", name="Run audit").last.click()
    expect(page.get_by_text("No differences")).to_be_visible()
    shot(page, "report")
    report = house.get("Audrey", "/reports/daily?theory=false").json()
    (line,) = report["tables"]
    assert (line["table"], line["rounds"], line["void"]) == (table, 2, 1)
    assert (line["drop_cents"], line["win_cents"]) == (4 * 50_000, WIN)
    assert {wager["wager"]: wager["win_cents"] for wager in line["wagers"]} == {
        "hand": -10_000,
        "jackpot 1": 79,
        "super": -SUPER,
        "envy": -3 * ENVY,
    }
