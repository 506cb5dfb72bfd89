"""A newcomer's first hour: the guide, the rules on one screen, table talk, and a name."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import People
from tests.browser.houses import BrowserHouse
from tests.browser.playing import FULL, SPANISH, Sitting, opened
from ventiuna.table.presentation import MINUS

# The player's 20 against the dealer's 19.
TWENTY = "Kh 9c Qs Kd"
# No card of the player matches one of the dealer's or a Bonus Card.
NO_MATCH = "8h 4d Ks Jc 2s 6d 3d 2c 9s 5d 9h"


def first_visit(page: Page, house: BrowserHouse, *rounds: str) -> Sitting:
    number = opened(house, SPANISH, *rounds)
    page.goto(f"{house.served.address}/#/table/{number}")
    return Sitting(page).take(4)


def test_a_guide_leads_through_the_first_round(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, "Ana", settings={"guide": True})
    number = opened(shared_house, SPANISH, TWENTY)
    page.goto(f"{shared_house.served.address}/#/table/{number}")
    guide = page.get_by_role("region", name="Your first round")
    expect(guide).to_contain_text("Take a seat.")
    ana = Sitting(page).take(4)
    expect(guide).to_contain_text("press Deal to wager $10")
    check_axe(page)
    ana.deal()  # nothing is placed yet: the starter bet
    ana.turn("20 against")
    expect(guide).to_contain_text("Your turn.")
    ana.play("s")
    ana.over()
    expect(guide).to_contain_text("That's a round.")
    ana.told("You wager $10.")
    ana.deal()
    expect(guide).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    expect(guide).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1024, 768), (1280, 720)])
def test_the_guide_fits_beside_the_bets(
    shared_house: BrowserHouse, people: People, width: int, height: int
) -> None:
    size = ViewportSize(width=width, height=height)
    page = people.page(shared_house, "Ana", size=size, settings={"guide": True})
    ana = first_visit(page, shared_house, TWENTY)
    guide = page.get_by_role("region", name="Your first round")
    expect(guide).to_be_in_viewport(ratio=1)
    expect(ana.deal_button).to_be_in_viewport(ratio=1)
    guide.get_by_role("button", name="Hide the guide").click()
    expect(guide).to_have_count(0)


def test_the_rules_and_each_side_bet_are_explained_at_the_table(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, "Ana", path=f"#/table/{opened(shared_house, FULL)}")
    Sitting(page).take(4)
    page.get_by_role("button", name="Rules", exact=True).click()
    rules = page.get_by_role("dialog", name="Rules of this table")
    expect(rules.get_by_role("heading", name="Bonus 21")).to_be_visible()
    assert not re.search(r"\b[RDO]-\d\d", rules.inner_text())
    check_axe(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="What is Match the Dealer?").click()
    match = page.get_by_role("dialog", name="Match the Dealer")
    expect(match).to_contain_text("one suited match")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="What is Jackpot 2?").click()
    jackpot = page.get_by_role("dialog", name="Jackpot 2")
    expect(jackpot).to_contain_text("up card and down card")
    expect(jackpot).to_contain_text("100% of the meter")


def test_the_log_talks_like_a_dealer_until_asked_for_every_entry(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, "Ana")
    ana = first_visit(page, shared_house, TWENTY)
    ana.deal("10")
    ana.turn("20 against")
    ana.play("s")
    ana.over()
    ana.told("Place your bets.")
    story = ana.story
    assert not re.search(r"[0-9a-f]{8}|commit|wsgc-|\bR-\d", story), story
    line = page.locator(".log li").filter(has_text="Your hand: 20 against 19.")
    expect(line).to_contain_text("+$10")
    page.get_by_role("button", name="Every entry").click()
    ana.told("The house commits to shoe 1")
    expect(line.first).to_contain_text("R-")


def test_lost_side_bets_share_one_line_and_one_tag(
    shared_house: BrowserHouse, people: People
) -> None:
    table = opened(shared_house, FULL, NO_MATCH)
    page = people.page(shared_house, "Ana", path=f"#/table/{table}")
    ana = Sitting(page).take(4)
    ana.deal("25 b1 1 b2 1 b3 1 b4 1 b5 1")
    ana.turn("18 against")
    line = page.locator(".log li").filter(has_text="5 side bets lost")
    expect(line).to_have_count(1)
    expect(line).to_contain_text(f"{MINUS}$5")
    line.get_by_text("5 side bets lost").click()
    expect(line.locator("p")).to_have_count(5)
    page.get_by_role("button", name=f"5 side bets lost {MINUS}$5").click()
    opened_tags = page.get_by_role("dialog")
    expect(opened_tags).to_contain_text("Bonus Card 5")


def test_double_repeats_and_doubles_the_last_wagers(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, "Ana")
    ana = first_visit(page, shared_house, TWENTY)
    ana.deal("10 up 5")
    ana.turn("20 against")
    ana.play("s")
    ana.over()
    page.get_by_role("button", name="Double to $30").click()
    expect(page.locator(".purse dd.soft")).to_have_text("$30")
    expect(ana.circle("hand")).to_contain_text("$20")
    expect(ana.circle("mtd up")).to_contain_text("$10")


def test_a_guest_made_by_a_study_page_is_told_and_chooses_a_name(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, path="#/drills")
    expect(page.get_by_text("saved only in this browser")).to_be_visible()
    page.get_by_role("button", name="Choose a name").last.click()
    dialog = page.get_by_role("dialog", name="Choose a name")
    dialog.get_by_role("button", name="Set a password").click()
    account = page.get_by_role("dialog", name="Your account")
    expect(account.get_by_label("Password")).to_be_visible()
    account.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Choose a name").last.click()
    dialog.get_by_label("New name").fill("Ana")  # taken
    dialog.get_by_role("button", name="Use this name").click()
    expect(dialog.get_by_role("alert")).to_contain_text("already taken")
    dialog.get_by_label("New name").fill("Wanda of Walla Walla"[:20])
    dialog.get_by_role("button", name="Use this name").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("banner")).to_contain_text("Wanda")
    expect(page.get_by_text("saved only in this browser")).to_have_count(0)
    people.errors[:] = [error for error in people.errors if "status of 4" not in error]


def test_counting_is_practiced_with_ones_own_tags(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, "Ana", path="#/drills/count")
    page.get_by_role("button", name="Your own").click()
    page.get_by_label("Your tags").fill("2=1 3=1 4=1 5=1 6=1 8=-1 10=-1 A=-1")
    page.get_by_role("button", name="Use these tags").click()
    expect(page.get_by_text("New shoe: start at")).to_be_visible()
    start = int(re.findall(r"start at (\S+?)\.", page.inner_text("main"))[0].replace(MINUS, "-"))
    cards = [card.get_attribute("aria-label") or "" for card in page.locator(".cloth .card").all()]
    low, neutral = ("two", "three", "four", "five", "six"), ("seven", "nine")
    tags = [0 if card.startswith(neutral) else 1 if card.startswith(low) else -1 for card in cards]
    running = start + sum(tags)
    decks = (288 - len(cards)) / 48
    page.get_by_label("Running count").fill("twelve")
    page.get_by_label("True count").fill("2")
    page.get_by_label("True count").press("Enter")
    missing = page.get_by_role("main").get_by_role("status")
    expect(missing).to_have_text(re.compile("Type both counts as numbers"))
    page.get_by_label("Running count").fill(str(running))
    page.get_by_label("Running count").press("Enter")
    expect(missing).to_have_text("Choose your next bet, too.")
    page.get_by_label("True count").fill(f"{running / decks:.1f}")
    page.get_by_role("button", name="minimum").click()
    page.get_by_role("button", name="Check").click()
    verdict = page.get_by_role("alert")
    expect(verdict).to_contain_text(re.compile("All three are right|Your bet is wrong"))
    expect(page.get_by_role("button", name="Next round")).to_be_visible()
