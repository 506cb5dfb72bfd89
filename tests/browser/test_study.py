"""The study pages, open to everyone: edge, chart, hand, side bets, simulator, and rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import PHONE, WIDE, People, spread
from tests.browser.houses import BrowserHouse

Shot = Callable[[Page, str], None]
DOUBLE_DOUBLE = "wsgc-2021(double_double=on)"
SIDES = "wsgc-2021(mtd_configuration=4,bonus_cards=5,jackpots=3c:1)"
LOOKS = {
    "wide": (WIDE, "light"),
    "phone": (PHONE, "light"),
    "evening": (ViewportSize(width=360, height=740), "dark"),
}


def address(page: str, **query: str) -> str:
    return f"#/{page}?" + "&".join(f"{name}={quote(value)}" for name, value in query.items())


def asked(house: BrowserHouse, path: str, **query: str) -> Any:
    with house.client("Ana") as client:
        return client.get(path, params=query).json()


def edge_of(house: BrowserHouse, rules: str) -> str:
    """The house edge as the calculator shows it."""
    found = asked(house, "/analysis/edge", rules=rules)
    return f"{100 * found['house_edge']:.6f}"


def big_number(page: Page) -> str:
    return page.locator(".big").first.inner_text().split()[0]


# --- every page, for everyone -------------------------------------------------------------------


PAGES = {
    "edge": (address("study/edge", rules=DOUBLE_DOUBLE), "No rescue"),
    "compare": (
        address("study/edge", rules="wsgc-2021", other="super-fun-21"),
        "B compared with A",
    ),
    "chart": (address("study/chart", rules=DOUBLE_DOUBLE), "fingerprint"),
    "hand": (
        address("study/hand", rules="wsgc-2021", cards="8s 6s", up="4d", without="7h 7h 7c"),
        "Hitting loses the least",
    ),
    "sides": (address("study/sides", rules=SIDES), "breaks even at"),
    "simulator": (address("study/simulator", rules="wsgc-2021"), "exact edge with best play"),
    "count": (address("study/count", rules="super-fun-21"), "Breaks even at true count"),
    "design": (
        address("study/design", rules="super-fun-21", edge="0.5..1.5", vary="decks,soft_17"),
        "meet your targets",
    ),
    "sheets": (address("study/sheets", rules="wsgc-2021"), "Pocket card"),
    "sign": (address("rules", rules=SIDES), "Progressive jackpot"),
    "procedure": (address("rules/procedure", rules="super-fun-21"), "Opening the table"),
    "options": (address("rules/options", rules="wsgc-2021"), "Double-double down"),
    "numbers": (address("rules/numbers", rules="wsgc-2021"), "R-120"),
    "number": (address("rules/R-036", rules="wsgc-2021"), "Late surrender"),
}


@pytest.mark.parametrize(("name", "look"), spread(PAGES, list(LOOKS)))
def test_every_study_page_is_accessible(
    shared_house: BrowserHouse, people: People, shot: Shot, name: str, look: str
) -> None:
    path, told = PAGES[name]
    size, theme = LOOKS[look]
    page = people.page(shared_house, "Ana", path=path, size=size, settings={"theme": theme})
    expect(page.get_by_text(told).first).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    check_axe(page)
    shot(page, "")


# --- house edge ---------------------------------------------------------------------------------


def test_rules_are_chosen_and_contradictions_explained(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page = people.page(shared_house, "Ana", path=address("study/edge", rules=DOUBLE_DOUBLE))
    expect(page.locator(".big").first).to_contain_text("0.416871")
    soft = page.locator("[data-option=soft_17]")
    soft.get_by_role("button", name="stand").click()
    conflict = page.locator(".conflict").first
    expect(conflict).to_contain_text("only if the dealer hits soft 17")
    expect(conflict.get_by_role("link", name="R-051")).to_be_visible()
    # The result says the same instead of a figure, and offers the fixes too.
    expect(page.locator(".big")).to_have_count(0)
    expect(page.locator(".edge")).to_contain_text("only if the dealer hits soft 17")
    expect(page.get_by_text("exact, fresh shoe")).to_have_count(0)
    expect(page.locator(".charts")).to_have_count(0)
    gap = page.evaluate(
        """() => {
          const [control, conflict] = ["[data-option=soft_17]", ".conflicts"].map((name) =>
            document.querySelector(name).getBoundingClientRect());
          return conflict.top - control.bottom;
        }"""
    )
    assert 0 <= gap < 40, "the contradiction is shown next to its control"
    shot(page, "conflict")
    page.locator(".edge .ways").get_by_role("button", name=re.compile("double-double")).click()
    expected = edge_of(shared_house, "wsgc-2021(soft_17=stand)")
    expect(page.locator(".big").first).to_contain_text(expected)
    expect(page.locator(".conflict")).to_have_count(0)
    assert "rules=wsgc-2021%28soft_17%3Dstand%29" in page.url
    page.reload()
    expect(page.locator(".big").first).to_contain_text(expected)
    expect(soft.get_by_role("button", name="stand")).to_have_attribute("aria-pressed", "true")


def test_every_option_can_be_set_by_keyboard(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, "Ana", path=address("study/edge", rules="wsgc-2021"))
    rescue = page.get_by_role("switch", name="Rescue of a doubled hand")
    rescue.focus()
    page.keyboard.press("Space")
    expect(rescue).to_have_attribute("aria-checked", "false")
    expect(rescue).to_be_focused()
    expect(page.locator(".big").first).to_contain_text(
        edge_of(shared_house, "wsgc-2021(rescue=off)")
    )
    page.get_by_text("Limits", exact=True).click()
    field = page.locator("[data-option=table_minimum] input")
    field.fill("15")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"table_minimum%3D15"))
    field.fill("7.5x")
    field.press("Enter")
    expect(page.locator(".conflict").first).to_contain_text("7.5x")


def test_clicking_a_bar_applies_its_change(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, "Ana", path=address("study/edge", rules="super-fun-21"))
    page.get_by_role("button", name="Dealer stands on soft 17").click()
    expect(page).to_have_url(re.compile(r"soft_17%3Dstand"))
    expected = edge_of(shared_house, "super-fun-21(soft_17=stand)")
    expect(page.locator(".big").first).to_contain_text(expected)


def test_two_rule_sets_are_shown_side_by_side(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, "Ana", path=address("study/edge", rules="wsgc-2021"))
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".big")).to_have_count(2)
    page.locator("[data-option=decks]").get_by_role("button", name="8").click()
    expect(page.locator(".big").nth(1)).to_contain_text(edge_of(shared_house, "wsgc-2021(decks=8)"))
    expect(page.get_by_role("row", name="Number of decks 6 8")).to_be_visible()
    expect(page.locator(".big").first).to_contain_text(edge_of(shared_house, "wsgc-2021"))


def test_the_figures_of_a_page_are_saved_as_csv(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, "Ana", path=address("study/edge", rules="super-fun-21"))
    expect(page.get_by_role("button", name="Dealer stands on soft 17")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as CSV").click()
    assert saved.value.suggested_filename == "edge.csv"
    text = saved.value.path().read_text("utf-8")
    edge = edge_of(shared_house, "super-fun-21")
    assert f'"Exact house edge, best play","{edge}%"' in text
    assert '"Dealer stands on soft 17","+0.' in text


def test_visitors_are_guests_with_the_light_theme_by_default(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, path=address("study/edge", rules="wsgc-2021"))
    expect(page.locator(".big").first).to_contain_text(edge_of(shared_house, "wsgc-2021"))
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


# --- chart --------------------------------------------------------------------------------------


def test_a_chart_is_a_table_and_prints(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page = people.page(shared_house, "Ana", path=address("study/chart", rules=DOUBLE_DOUBLE))
    table = page.get_by_role("table", name="Hard hands")
    expect(table.get_by_role("rowheader", name="14", exact=True)).to_be_visible()
    expect(table.get_by_role("columnheader", name="against face")).to_be_visible()
    sentence = (
        "Hard 14 against a 4: stand; with 4 or more cards, hit; "
        "hit while a 6-7-8 is still possible."
    )
    expect(table.get_by_role("cell", name=sentence)).to_have_count(1)
    page.emulate_media(media="print")
    expect(page.get_by_role("banner")).to_be_hidden()
    expect(table).to_be_visible()
    shot(page, "printed")


# --- hand ---------------------------------------------------------------------------------------


def test_cards_are_dragged_clicked_and_keyed_out_of_the_shoe(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, "Ana", path=address("study/hand", rules="wsgc-2021"))
    shoe = page.get_by_role("group", name="The shoe")
    shoe.get_by_label("eight of spades, 6 left").click()
    shoe.get_by_label("six of spades, 6 left").drag_to(page.get_by_role("group", name="My hand"))
    chosen = page.get_by_role("group", name="Add the next card")
    expect(chosen.get_by_role("button", name="the up card")).to_have_attribute(
        "aria-pressed", "true"
    )
    four = shoe.get_by_label("four of diamonds, 6 left")
    four.focus()
    page.keyboard.press("u")
    expect(page.locator(".verdict")).to_contain_text("Hit")
    expect(page.locator(".why").first).to_contain_text("chance of making a 21")
    seven = shoe.locator("[data-card='7h']")
    for left in range(5, -1, -1):
        seven.focus()
        page.keyboard.press("x")
        expect(seven).to_have_attribute("aria-label", f"seven of hearts, {left} left")
    page.keyboard.press("x")  # none are left to remove
    hand = {"rules": "wsgc-2021", "cards": "8s 6s", "up": "4d", "without": " ".join(["7h"] * 6)}
    rows = asked(shared_house, "/analysis/hand", **hand)
    expect(page.get_by_text(f"{rows[0]['unseen']} unseen cards")).to_be_visible()
    expect(page.get_by_role("heading", name="From a fresh shoe")).to_be_visible()
    expect(page.locator("tr.best .figure").first).to_contain_text(f"{abs(100 * rows[0]['ev']):.1f}")
    page.keyboard.press("ArrowRight")
    expect(shoe.locator("[data-card='8h']")).to_be_focused()
    page.get_by_role("group", name="Removed cards").get_by_role("button").first.click()
    expect(seven).to_have_attribute("aria-label", "seven of hearts, 1 left")


def test_the_result_follows_the_hand_on_a_phone(shared_house: BrowserHouse, people: People) -> None:
    path = address("study/hand", rules="wsgc-2021", cards="8s 6s")
    page = people.page(shared_house, "Ana", path=path, size=PHONE)
    card = page.get_by_label("four of diamonds, 6 left")
    expect(card).to_be_visible()
    assert top(page, ".result") < top(page, ".felt"), "first what to do"
    page.get_by_role("button", name="the up card", exact=True).click()
    card.click()
    expect(page.locator(".verdict")).to_contain_text("Hit")
    assert top(page, ".result") < top(page, ".shoe"), "the result comes before the shoe"
    expect(page.locator(".verdict")).to_be_in_viewport()


def top(page: Page, place: str) -> float:
    box = page.locator(place).first.bounding_box()
    assert box is not None
    return box["y"]


# --- side bets ----------------------------------------------------------------------------------


def test_a_jackpot_shows_where_its_meter_breaks_even(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, "Ana", path=address("study/sides", rules=SIDES))
    panel = page.get_by_role("region", name="Jackpot, table 3c")
    expect(panel).to_contain_text("breaks even at $15,618.6")
    panel.get_by_label("Meter").fill("12345")
    expect(panel).to_contain_text("costs 9.5¢ per $1")
    panel.get_by_label("Meter").fill("20000")
    expect(panel.locator(".light.good")).to_contain_text("earns")
    expect(page.get_by_role("row", name=re.compile("Two suited.*18 to 1"))).to_contain_text(
        "1 in 4,104"
    )


# --- simulator ----------------------------------------------------------------------------------


def test_a_simulation_is_plotted_stopped_and_resumed(
    shared_house: BrowserHouse, people: People, shot: Shot
) -> None:
    page = people.page(shared_house, "Ana", path=address("study/simulator", rules="wsgc-2021"))
    page.route("**/simulations", _endless)
    page.get_by_role("combobox", name="Rounds", exact=True).select_option("100000000")
    page.get_by_role("combobox", name="Player", exact=True).select_option("mimic")
    page.get_by_role("button", name="Start").click()
    plot = page.get_by_role("img", name=re.compile("the house edge is"))
    expect(plot).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("status")).to_have_text("stopped")
    expect(page.get_by_role("img", name="Risk of ruin")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("Base game"))).to_be_visible()
    played = _rounds(page)
    shot(page, "stopped")
    page.reload()  # the job is in the address
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("status")).to_have_text("running")
    expect(page.locator("section.run")).not_to_contain_text(f"{played:,} of")
    assert _rounds(page) > played
    page.get_by_text("Show as a table").first.click()
    rows = page.get_by_role("rowheader", name=re.compile("^[0-9,]+,000$"))
    expect(rows.nth(2)).to_be_visible()
    check_axe(page)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="New simulation").click()
    page.get_by_role(
        "link", name=re.compile("100,000,000,000 rounds, plays like the dealer")
    ).click()
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    assert asked(shared_house, "/simulations")[-1]["state"] == "cancelled"


def _endless(route: Route) -> None:
    """Make the simulation so long that no machine finishes it before it is stopped."""
    request = route.request
    if request.method == "POST":
        body: dict[str, object] = request.post_data_json or {}
        route.continue_(post_data={**body, "rounds": 10**11})
    else:
        route.continue_()


def _rounds(page: Page) -> int:
    found = re.search(r"([\d,]+) of [\d,]+ rounds", page.locator("section.run").inner_text())
    assert found is not None
    return int(found[1].replace(",", ""))


# --- rules --------------------------------------------------------------------------------------


def test_every_number_leads_to_its_text_and_source(
    shared_house: BrowserHouse, people: People
) -> None:
    page = people.page(shared_house, "Ana", path=address("rules", rules="wsgc-2021"))
    choices = page.get_by_role("heading", name="Your choices").locator("xpath=..")
    choices.get_by_text("rule numbers").click()
    choices.get_by_role("link", name="R-036").click()
    expect(page.get_by_role("heading", name="R-036")).to_be_visible()
    expect(page.get_by_text("Washington State Gambling Commission").first).to_be_visible()
    expect(page.get_by_text("Surrender: late")).to_be_visible()
    page.get_by_role("link", name="Numbers").click()
    page.get_by_label("Search the rules").fill("rescue")
    page.get_by_role("link", name="R-057").first.click()
    expect(page.get_by_role("heading", name="R-057")).to_be_visible()
    page.get_by_role("link", name="Dealer's procedure").click()
    expect(page.get_by_role("heading", name="Opening the table")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="R-057")).to_be_visible()


# --- counting and reports -----------------------------------------------------------------------


def test_the_tags_and_effects_match_the_servers(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, "Ana", path=address("study/count", rules="super-fun-21"))
    tags = asked(shared_house, "/analysis/count", rules="super-fun-21")["counts"][0]["tags"]
    expect(page.locator(".tags td")).to_have_text(
        [f"{one['tag']:+.0f}".replace("-", "\N{MINUS SIGN}").replace("+0", "0") for one in tags]
    )
    effects = asked(shared_house, "/analysis/effects", rules="super-fun-21")["wagers"][0]["effects"]
    points = [f"{100 * one['effect_per_wager']:+.3f}" for one in effects]
    told = [text.replace("-", "\N{MINUS SIGN}") for text in points]
    cells = page.get_by_role("table", name="Effects of removal").get_by_role("cell")
    expect(cells.first).to_have_text(told[0])
    assert set(cells.all_inner_texts()) == set(told), "suits with the same effect share a row"


def test_a_sheet_is_saved_as_one_page(shared_house: BrowserHouse, people: People) -> None:
    page = people.page(shared_house, "Ana", path=address("study/sheets", rules="super-fun-21"))
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as HTML: Posting sheet").click()
    assert saved.value.suggested_filename == "posting-super-fun-21.html"
    assert "Posting sheet" in saved.value.path().read_text("utf-8")
    expect(page.get_by_text("Saved.")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as PDF: Posting sheet").click()
    assert saved.value.suggested_filename == "posting-super-fun-21.pdf"
    assert saved.value.path().read_bytes().startswith(b"%PDF-")


# --- design -------------------------------------------------------------------------------------


def test_a_design_lists_what_the_server_finds(shared_house: BrowserHouse, people: People) -> None:
    wish = {"edge": "0.5..1.5", "vary": "decks,soft_17"}
    page = people.page(
        shared_house, "Ana", path=address("study/design", rules="super-fun-21", **wish)
    )
    found = asked(shared_house, "/analysis/design", rules="super-fun-21", **wish)["solutions"]
    rows = page.get_by_role("table", name="Rule sets").locator("tbody tr")
    expect(rows).to_have_count(len(found))
    expect(rows.first).to_contain_text(f"{100 * found[0]['house_edge']:.6f}%")
    expect(page.locator("figure circle")).to_have_count(len(found))
    expect(rows.first).to_contain_text(f"{100 * found_hits(shared_house):.3f}%")
    searches: list[str] = []
    page.on("request", lambda request: searches.append(request.url))
    page.get_by_label("Plot the house edge against").select_option("hits")
    expect(page.get_by_text("hands won per round from bottom to top")).to_be_visible()
    assert not [url for url in searches if "/analysis/" in url], "the figure is known"
    waiting: list[Route] = []
    page.route("**/analysis/design*", lambda route: waiting.append(route), times=1)
    page.get_by_label("Plot the house edge against").select_option("sd")
    expect(page.get_by_role("progressbar", name="Search progress")).to_be_visible()
    expect(rows).to_have_count(len(found))  # the rule sets stay while their deviation is computed
    while not waiting:
        page.wait_for_timeout(50)
    waiting[0].continue_()
    expect(page.get_by_role("columnheader", name="Standard deviation")).to_be_visible()
    expect(rows).to_have_count(len(found))
    page.get_by_label("to (%)").fill("0.6")
    page.get_by_label("House edge from").fill("0.5")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("No rule set meets your targets")).to_be_visible()


def found_hits(house: BrowserHouse) -> float:
    found = asked(house, "/analysis/design", rules="super-fun-21", vary="none", hits="..")
    share: float = found["solutions"][0]["hits_per_round"]
    return share


def test_a_search_for_pays_is_stopped_and_a_solution_saved(
    shared_house: BrowserHouse, people: People
) -> None:
    wish = {"edge": "0.5..0.9", "vary": "decks,bonus", "changes": "1"}
    page = people.page(
        shared_house, "Ana", path=address("study/design", rules="super-fun-21", **wish)
    )
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a rules file").first.click()
    assert 'extends = "super-fun-21"' in saved.value.path().read_text("utf-8")
    waiting: list[Route] = []
    page.route("**/analysis/design*", lambda route: waiting.append(route))
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("progressbar", name="Search progress")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("progressbar", name="Search progress")).to_have_count(0)
