"""Take every page at every size in both themes: python -m tests.browser.gallery FOLDER

Writes FOLDER/SCENE/WIDTHxHEIGHT-THEME.png, and prints what doesn't fit: pages wider than their
window, tiny text, cut-off text, and axe's findings. `--only table,school` takes some groups.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal
from urllib.parse import quote

from playwright.sync_api import CDPSession, Page, ViewportSize, expect, sync_playwright

from tests.browser.axe import check_axe
from tests.browser.conftest import ARGUMENTS, WIDE, People, Windows
from tests.browser.finding import browser_path
from tests.browser.houses import BrowserHouse, browser_house
from tests.browser.playing import FULL, SPANISH, Sitting, cards_of, opened
from tests.browser.rounds import play_rounds
from tests.browser.test_house_day import Guest
from tests.browser.test_lobby import METERS
from tests.browser.test_school_records import finish_exam
from tests.browser.test_school_records import opened as lesson_of
from tests.browser.test_table_layout import ALL, BONUS, SEVENS, SIXES, SIZES, beside
from tests.cli.test_school import typed
from tests.server.live_house import AtTable
from tests.server.test_learning import play_a_bad_hand
from ventiuna.school.catch_errors import CatchRound, Watched
from ventiuna.table.access import Role
from ventiuna.table.domain.commands import RaiseAlarm
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.writer import CommandRequest

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
TALLEST = 3_000  # pixels of a long page that are kept
COARSE = 600  # windows up to this wide, or this low, belong to touch screens
SMALLEST = 12  # pixels of text
AXE_SIZES = ((1440, 900), (390, 844))
FITS = """(smallest) => {
  const found = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push(`the page is ${wide} px wider than the window`);
  const said = new Set();
  const say = (node, problem) => {
    const words = node.textContent.trim().replace(/\\s+/g, " ").slice(0, 50);
    const line = `${node.tagName.toLowerCase()}.${node.className} "${words}" ${problem}`;
    if (!said.has(line) && said.size < 12) found.push(line);
    said.add(line);
  };
  const scrolls = (node) => {
    for (let at = node.parentElement; at; at = at.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  for (const node of document.querySelectorAll("body *")) {
    const text = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    const seen = { opacityProperty: true, visibilityProperty: true };
    if (!text || !node.checkVisibility(seen)) continue;
    const style = getComputedStyle(node), box = node.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || node.closest(".sr, option, svg")) continue;
    const scale = node.offsetWidth ? box.width / node.offsetWidth : 1;
    const size = parseFloat(style.fontSize) * Math.min(scale, 1);
    if (size < smallest - 0.3) say(node, `is ${size.toFixed(1)} px high`);
    const cuts = ["hidden", "clip"].includes(style.overflowX);
    if (cuts && node.scrollWidth > node.clientWidth + 1) say(node, "is cut off");
    const leaves = box.right > innerWidth + 1 || box.left < -1;
    if (leaves && !scrolls(node)) say(node, "leaves the window");
  }
  return found;
}"""

# A picture of a whole page switches touch emulation off in Chromium, so the style sheets say it.
TOUCH_STYLES = """(on) => {
  const says = ["(pointer: coarse)", "(min-width: 1px)"];
  const [from, to] = on ? says : says.reverse();
  const set = (rules) => {
    for (const rule of rules) {
      if (rule.media) rule.media.mediaText = rule.media.mediaText.replace(from, to);
      if (rule.cssRules) set(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) set(sheet.cssRules);
}"""

CELEBRATE = """() => {
  const soon = setTimeout;
  window.setTimeout = (call, wait, ...rest) => soon(call, wait > 1000 ? 1e6 : wait, ...rest);
}"""  # celebrations last until the pictures are taken


class Gallery:
    """Takes scenes of one house."""

    def __init__(self, folder: Path, house: BrowserHouse, people: People) -> None:
        self.folder = folder
        self.house = house
        self.people = people
        self.problems: list[str] = []

    def page(self, name: str = "", path: str = "", **settings: object) -> Page:
        return self.people.page(self.house, name, path=path, settings={"theme": "auto", **settings})

    def take(self, page: Page, scene: str, *, whole: bool = True) -> None:
        """Take a scene at every size in both themes; the whole page, or what the window shows."""
        folder = self.folder / scene
        folder.mkdir(parents=True, exist_ok=True)
        touch = page.context.new_cdp_session(page)
        for width, height in SIZES:
            page.set_viewport_size(ViewportSize(width=width, height=height))
            for theme in THEMES:
                _set_touch(touch, page, min(width, height) <= COARSE)
                page.emulate_media(color_scheme=theme)
                page.wait_for_timeout(120)
                name = f"{width}x{height}-{theme}"
                tall = page.evaluate("document.documentElement.scrollHeight") if whole else height
                page.screenshot(
                    path=folder / f"{name}.png",
                    full_page=whole,
                    clip={
                        "x": 0,
                        "y": 0,
                        "width": width,
                        "height": min(max(tall, height), TALLEST),
                    },
                )
                lines = page.evaluate(FITS, SMALLEST) if theme == "light" else []
                if (width, height) in AXE_SIZES:
                    lines += _axe_lines(page)
                self.problems += [f"{scene} {name}: {line}" for line in lines]
        _set_touch(touch, page, on=False)
        touch.detach()
        page.set_viewport_size(WIDE)
        page.emulate_media(color_scheme="light")
        print(f"{scene}", flush=True)


def _set_touch(session: CDPSession, page: Page, on: bool) -> None:
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": on})
    page.evaluate(TOUCH_STYLES, on)


def _axe_lines(page: Page) -> list[str]:
    try:
        check_axe(page)
    except AssertionError as error:
        return [line for line in str(error).splitlines() if line.strip()][:4]
    return []


def settled(page: Page) -> None:
    expect(page.get_by_text("Loading")).to_have_count(0)
    page.wait_for_timeout(400)


# --- the lobby ------------------------------------------------------------------------------------


def lobby(gallery: Gallery) -> None:
    house = gallery.house
    page = gallery.page(path="#/lobby")
    settled(page)
    gallery.take(page, "lobby-first-visit")
    page.get_by_role("button", name="Sign in").click()
    gallery.take(page, "lobby-sign-in", whole=False)
    page.get_by_role("button", name="Continue as guest").click()
    page.get_by_role("button", name="Your account").click()
    gallery.take(page, "lobby-guest-account", whole=False)
    house.add("Lola")
    house.open_table("wsgc-2021", name="Window seat")
    house.open_table("super-fun-21", name="Super Fun")
    jackpots = house.open_table(METERS, name="High limit")
    play_rounds(house, jackpots, "Lola", 4)
    page = gallery.page("Lola", "#/lobby")
    settled(page)
    gallery.take(page, "lobby")
    day = page.get_by_role("region", name="Hand of the day")
    day.get_by_role("button").last.click()
    page.wait_for_timeout(400)
    gallery.take(page, "lobby-hand-answered")
    page.get_by_role("button", name="Lola").click()
    gallery.take(page, "lobby-account", whole=False)
    page = gallery.page("Lola", "#/lobby/make")
    settled(page)
    gallery.take(page, "make-table", whole=False)
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    gallery.take(page, "make-table-everything")
    page = gallery.page("Olga", f"#/lobby/make?rules={quote(METERS)}")
    page.get_by_role("button", name="everyone").click()
    settled(page)
    gallery.take(page, "make-table-operator")
    page = gallery.page("Lola", "#/lobby")
    page.get_by_role("button", name="Settings").click()
    gallery.take(page, "settings", whole=False)
    page = gallery.page("Lola", "#/nowhere")
    gallery.take(page, "not-found", whole=False)


# --- the table ------------------------------------------------------------------------------------


def table(gallery: Gallery) -> None:
    house = gallery.house
    house.add("Tina")
    take = gallery.take
    number = opened(house, SPANISH, "Kh 6d 5c Kd 9s", "5c 2h 6d Kc 9d 9h 9s 9c")
    page = gallery.page("Tina", f"#/table/{number}", guide=True)
    expect(page.get_by_role("button", name="Take spot 4").first).to_be_visible()
    take(page, "table-empty", whole=False)
    tina = Sitting(page).take(4)
    take(page, "table-guide-betting", whole=False)
    tina.deal()
    tina.turn("15 against a 6")
    take(page, "table-guide-turn", whole=False)
    tina.play("h")
    tina.over()
    take(page, "table-guide-over", whole=False)
    tina.deal()
    tina.turn("11 against a 2")
    page.get_by_role("button", name="Rules", exact=True).click()
    take(page, "table-rules", whole=False)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    tina.play("s")
    tina.over()
    take(page, "table-mistake", whole=False)
    page.get_by_label("Menu", exact=True).click()
    page.get_by_role("button", name="Settings").click()
    take(page, "table-settings", whole=False)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    take(page, "table-keys", whole=False)


def bets(gallery: Gallery) -> None:
    house = gallery.house
    house.add("Bea", money=10**8)
    take = gallery.take
    number = opened(
        house,
        FULL,
        "8h 4d Ks Jc 2s 6d 3d 2c 9s 5d",
        "8h 4d 8s Jc Qs 6d 8d 2c 9s Kd 6s 7s Kc",
    )
    page = gallery.page("Bea", f"#/table/{number}", coach="always")
    bea = Sitting(page).take(4, "$1,000")
    take(page, "bets-none", whole=False)
    page.get_by_role("button", name="What is Match the Dealer?").click()
    take(page, "bets-side-bet-rules", whole=False)
    page.keyboard.press("Escape")
    bea.wager("25 up 5 down 5 b1 1 b2 1 b3 1 b4 1 b5 1 j1 j2")
    take(page, "bets-placed", whole=False)
    bea.deal()
    bea.turn("18 against")
    expect(page.locator(".bars").first).to_be_visible()
    take(page, "bets-lost-sides", whole=False)
    page.get_by_role("button", name=re.compile("side bets lost")).first.click()
    take(page, "bets-lost-sides-open", whole=False)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Every entry").click()
    take(page, "bets-every-entry", whole=False)
    page.get_by_role("button", name="Table talk").click()
    bea.play("s")
    bea.over()
    take(page, "bets-over", whole=False)
    bea.deal()
    bea.turn("16 against a 4")
    bea.play("p")
    bea.turn("18 against a 4")
    bea.play("s")
    bea.turn("14 against a 4")
    expect(page.locator("td.lit")).to_have_count(1)
    take(page, "bets-split", whole=False)
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Why").click()
    take(page, "bets-split-why", whole=False)
    page.keyboard.press("Escape")
    number = opened(house, FULL, "8h 8h 8h Ks Qs 6d 8d 2c 9s")
    page = gallery.page("Bea", f"#/table/{number}", coach="always")
    bea = Sitting(page).take(4, "$1,000")
    bea.deal("10 j1 j2")
    bea.turn("16 against an 8")
    page.evaluate(CELEBRATE)
    bea.play("s")
    expect(page.locator(".party")).to_contain_text("10%")
    take(page, "bets-jackpot", whole=False)


def rounds(gallery: Gallery) -> None:
    house = gallery.house
    house.add("Rita", money=10**8)
    house.add("Ben", money=10**8)
    take = gallery.take
    many = opened(house, SPANISH, "8h 6d 8s Kd 8c 8d 2c 3s Qs 5c 2h 4h 3c Kh Kc")
    page = gallery.page("Rita", f"#/table/{many}", coach="always")
    rita = Sitting(page).take(4, "$1,000")
    rita.deal("20")
    rita.turn("16 against a 6")
    take(page, "round-turn", whole=False)
    hands = page.locator('[data-spot="4"] .hand-at')
    for count in (2, 3, 4):
        rita.play("p")
        expect(hands).to_have_count(count)
    rita.press("h")
    page.wait_for_timeout(500)
    take(page, "round-four-hands", whole=False)
    while page.locator(".betacts .primary").count() == 0:
        if page.locator('[data-action="stand"]:not([aria-disabled="true"])').count():
            rita.press("s")
        page.wait_for_timeout(150)
    take(page, "round-four-hands-over", whole=False)
    number = opened(house, SPANISH, "9h Ac 8s Kd")
    page = gallery.page("Rita", f"#/table/{number}", coach="always")
    rita = Sitting(page).take(4, "$1,000")
    rita.deal("20")
    expect(page.get_by_role("button", name="Insure for $10")).to_be_visible()
    page.wait_for_timeout(1_500)
    take(page, "round-insurance", whole=False)
    number = opened(house, SPANISH, "2h 6d 3c Kd 2s 2c 2d")
    page = gallery.page("Rita", f"#/table/{number}", coach="always")
    rita = Sitting(page).take(4, "$1,000")
    rita.deal("20")
    rita.turn("5 against a 6")
    for total in (7, 9, 11):
        rita.press("d")
        rita.turn(f"{total} against a 6")
    take(page, "round-three-doublings", whole=False)
    watching = gallery.page("", f"#/table/{number}")
    expect(
        watching.get_by_text("You're watching").or_(watching.get_by_text("You are watching")).first
    ).to_be_visible()
    take(watching, "round-spectator", whole=False)
    moments(gallery)
    full(gallery)
    bonus(gallery)


def moments(gallery: Gallery) -> None:
    """Questions, refusals, results, and a second window."""
    house, take = gallery.house, gallery.take
    blackjack, surrender = "Ah 6d Kc Kd 5s Ks", "Kh 9d 6c Kd"
    number = opened(house, SPANISH, blackjack, surrender)
    page = gallery.page("Rita", f"#/table/{number}", coach="always")
    rita = Sitting(page).take(4, "$1,000")
    rita.deal("20")
    expect(page.get_by_role("button", name="Get paid")).to_be_visible()
    page.wait_for_timeout(1_500)
    take(page, "round-blackjack", whole=False)
    page.keyboard.press("k")
    rita.turn("against a 6")
    rita.play("d")
    rita.turn("against a 6")
    rita.play("s")
    rita.over()
    take(page, "round-won", whole=False)
    rita.deal()
    rita.turn("16 against a 9")
    rita.play("u")
    rita.over()
    take(page, "round-surrendered", whole=False)
    number = opened(house, "wsgc-2021", "6h 6d 5c Kd 9h Qs")
    page = gallery.page("Rita", f"#/table/{number}", coach="always")
    rita = Sitting(page).take(4, "$1,000")
    rita.deal("20")
    rita.turn("11 against a 6")
    page.get_by_role("button", name="For less").click()
    take(page, "round-for-less", whole=False)
    page.keyboard.press("Escape")
    second = Sitting(gallery.page("Rita", f"#/table/{number}", coach="always"))
    second.turn("11 against a 6")
    expect(page.get_by_role("button", name="Play here")).to_be_visible()
    take(page, "round-elsewhere", whole=False)
    second.press("c")
    expect(second.page.locator(".tip")).to_be_visible()
    take(second.page, "round-refused", whole=False)


def full(gallery: Gallery) -> None:
    """Seven spots, three of them mine, with every wager."""
    house, mine, others = gallery.house, [3, 4, 5], [1, 2, 6]
    cards = [*SIXES.split(), "6d", *SEVENS.split(), "Kd", *BONUS.split()]
    number = opened(house, FULL, " ".join(cards))
    page = gallery.page("Rita", f"#/table/{number}", coach="always")
    rita = Sitting(page).take(3, "$1,000")
    for spot in mine[1:]:
        page.get_by_role("button", name=f"Play spot {spot}", exact=True).click()
        expect(page.locator(f'[data-spot="{spot}"]')).to_contain_text("You")
    for spot in mine:
        page.keyboard.press(str(spot))
        rita.wager(ALL)
    with beside(house, number, others) as bet:
        bet()
        gallery.take(page, "full-betting", whole=False)
        rita.deal()
        with AtTable(house, number, "Ben") as ben:
            for spot in sorted([*mine, *others]):
                if spot in mine:
                    rita.turn(f"spot {spot}: 13")
                    if spot == 4:
                        gallery.take(page, "full-turn", whole=False)
                    rita.play("s")
                else:
                    while ben.ask is None or ben.ask["spots"] != [spot]:
                        ben.next_message()
                    ben.do("Stand", ben.ask["n"], spot=spot)
        rita.over()
        gallery.take(page, "full-over", whole=False)


def bonus(gallery: Gallery) -> None:
    number = opened(gallery.house, SPANISH, "7h Kc 7d 7h 9c Kd 7h Ks")
    rita = Sitting(gallery.page("Rita", f"#/table/{number}")).take(1)
    ben = Sitting(gallery.page("Ben", f"#/table/{number}")).take(2)
    rita.deal("25")
    ben.deal("10")
    rita.turn("14 against a 7")
    gallery.take(ben.page, "round-others-turn", whole=False)
    rita.play("h")
    ben.turn("19 against a 7")
    ben.play("s")
    expect(rita.page.locator(".party")).to_contain_text("$5,000")
    gallery.take(rita.page, "round-super-bonus", whole=False)
    number = opened(
        gallery.house, "super-fun-21", "2h 5d 2c Kd 3s 4h 2d 5s", "2s 6d 3c Kh 4d 5h 7s"
    )
    page = gallery.page("Rita", f"#/table/{number}", coach="always")
    rita = Sitting(page).take(4)
    rita.deal("10")
    for total in (4, 7, 11):
        rita.turn(f"{total} against a 5")
        rita.play("h")
    rita.turn("13 against a 5")
    page.wait_for_timeout(1_500)
    gallery.take(page, "round-super-fun-21", whole=False)


# --- your play, drills, history -------------------------------------------------------------------


def learning(gallery: Gallery) -> None:
    house, take = gallery.house, gallery.take
    house.add("Lea")
    house.add("Nora")
    page = gallery.page("Nora", "#/session")
    settled(page)
    take(page, "session-nothing-yet")
    page = gallery.page("Nora", "#/history")
    settled(page)
    take(page, "history-nothing-yet")
    for _ in range(2):
        play_a_bad_hand(house, "Lea")
    number = house.open_table("wsgc-2021", name="Window seat", shuffled=True)
    play_rounds(house, number, "Lea", 5)
    house.post("Olga", f"/tables/{number}/close", reason="the end of the day")
    page = gallery.page("Lea", "#/session")
    expect(page.locator("td.lit")).to_have_count(1)
    settled(page)
    take(page, "session")
    page = gallery.page("Lea", "#/history")
    settled(page)
    take(page, "history")
    page = gallery.page("Lea", f"#/history/{number}/2")
    expect(page.get_by_role("slider")).not_to_have_value("0")
    take(page, "replay")
    house.prescribe(cards_of("8h 6d 8s Kd 8c Qs 3c"))
    split = house.open_table(SPANISH, name="Corner")
    page = gallery.page("Lea", f"#/table/{split}")
    lea = Sitting(page).take(4)
    lea.deal("20")
    lea.turn("16 against a 6")
    lea.play("p")
    lea.turn("16 against a 6")
    lea.play("s")
    lea.turn("18 against a 6")
    lea.play("s")
    lea.over()
    page = gallery.page("Lea", f"#/history/{split}/1?step=12")
    expect(page.get_by_role("slider")).not_to_have_value("0")
    take(page, "replay-split")
    page = gallery.page("Lea", f"#/history/{number}/shoes/1")
    settled(page)
    page.wait_for_timeout(1_500)
    take(page, "fairness-shoe")
    page = gallery.page("Lea", "#/history/check")
    take(page, "fairness-check")
    page = gallery.page("Lea", "#/drills")
    expect(page.get_by_text("Dealer shows").first).to_be_visible()
    take(page, "drill")
    page.keyboard.press("u")
    page.keyboard.press("s")
    page.wait_for_timeout(3_000)
    take(page, "drill-answered")
    page = gallery.page("Lea", "#/drills/count")
    expect(page.locator(".cloth .card").first).to_be_visible()
    take(page, "drill-count")
    page.get_by_label("Running count").fill("-20")
    page.get_by_label("True count").fill("0")
    page.get_by_role("button", name="minimum").click()
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("alert")).to_be_visible()
    take(page, "drill-count-answered")
    page = gallery.page("", "#/drills")
    expect(page.get_by_text("saved only in this browser")).to_be_visible()
    page.get_by_role("button", name="Choose a name").last.click()
    take(page, "drill-choose-a-name", whole=False)


# --- study ----------------------------------------------------------------------------------------


SIDES = quote("wsgc-2021(mtd_configuration=4,bonus_cards=5,jackpots=3c:1)")
STUDY = {
    "edge": ("study/edge?rules=wsgc-2021(double_double=on)", "No rescue"),
    "edge-compare": ("study/edge?rules=wsgc-2021&other=super-fun-21", "B compared with A"),
    "edge-conflict": (
        "study/edge?rules=wsgc-2021(double_double=on,soft_17=stand)",
        "only if the dealer hits soft 17",
    ),
    "chart": ("study/chart?rules=wsgc-2021(double_double=on)", "fingerprint"),
    "hand": (
        "study/hand?rules=wsgc-2021&cards=8s 6s&up=4d&without=7h 7h 7c",
        "Hitting loses the least",
    ),
    "hand-empty": ("study/hand?rules=wsgc-2021", ""),
    "hand-insurance": ("study/hand?rules=wsgc-2021&cards=9s 8s&up=Ad", "nsur"),
    "sides": (f"study/sides?rules={SIDES}", "breaks even at"),
    "simulator": ("study/simulator?rules=wsgc-2021", "exact edge with best play"),
    "count": ("study/count?rules=super-fun-21", "Breaks even at true count"),
    "design": (
        "study/design?rules=super-fun-21&edge=0.5..1.5&vary=decks,soft_17",
        "exact analyses",
    ),
    "sheets": ("study/sheets?rules=wsgc-2021", "Pocket card"),
    "rules-card": (f"rules?rules={SIDES}", "Progressive jackpot"),
    "rules-procedure": ("rules/procedure?rules=super-fun-21", "Opening the table"),
    "rules-options": ("rules/options?rules=wsgc-2021", "Double-double down"),
    "rules-numbers": ("rules/numbers?rules=wsgc-2021", "R-120"),
    "rules-number": ("rules/R-036?rules=wsgc-2021", "Late surrender"),
}


LONG = 120_000  # milliseconds; for long calculations


def study(gallery: Gallery) -> None:
    gallery.house.add("Stella")
    for name, (path, words) in STUDY.items():
        page = gallery.page("Stella", f"#/{path}")
        if words:
            expect(page.get_by_text(words).filter(visible=True).first).to_be_visible()
        if name.startswith("edge"):
            expect(page.get_by_text("to go")).to_have_count(0, timeout=LONG)
        settled(page)
        gallery.take(page, f"study-{name}")
    page = gallery.page("Stella", "#/study/count?rules=wsgc-2021")
    page.get_by_role("button", name="Calculate").click()
    expect(page.get_by_role("table", name="Most valuable index")).to_be_visible(timeout=LONG)
    gallery.take(page, "study-count-indices")
    page = gallery.page("Stella", "#/study/simulator?rules=wsgc-2021")
    expect(page.get_by_text("exact edge with best play").first).to_be_visible()
    page.get_by_text("More settings").click()
    page.get_by_label("Side bets").fill("up=1000")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()
    gallery.take(page, "study-simulator-error")
    page.get_by_label("Side bets").fill("")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_timeout(8_000)
    gallery.take(page, "study-simulator-run")


# --- the school -----------------------------------------------------------------------------------


def school(gallery: Gallery) -> None:
    house, take = gallery.house, gallery.take
    for name in ("Theo", "Uma", "Vera"):
        house.add(name)
    page = gallery.page("Uma", "#/school")
    settled(page)
    take(page, "school-first-visit")
    page = gallery.page("Theo", "#/school/base-game?guide=1")
    lesson_of(page, house)
    page.wait_for_timeout(500)
    take(page, "school-guided")
    page = gallery.page("Theo", "#/school/match-the-dealer")
    lesson = lesson_of(page, house)
    page.wait_for_timeout(500)
    take(page, "school-lesson")
    for place, step in enumerate(lesson.round(1).steps):
        for move in ("expose", typed(step)) if place == 3 else (typed(step),):
            with page.expect_response("**/moves"):
                page.get_by_label("Type a step").fill(move)
                page.get_by_label("Type a step").press("Enter")
            if move != typed(step):
                page.wait_for_timeout(300)
                take(page, "school-lesson-wrong")
    page.get_by_role("button", name="Result").click()
    expect(page.get_by_role("heading", name="Practice result")).to_be_visible()
    take(page, "school-result")
    page = gallery.page("Theo", "#/school/everything")
    lesson_of(page, house)
    page.wait_for_timeout(500)
    take(page, "school-everything")
    page.keyboard.press("3")
    page.keyboard.press("p")
    take(page, "school-amount")
    catch(gallery)
    page = gallery.page("Theo", "#/school/bonuses/payouts")
    lesson_of(page, house)
    take(page, "school-payouts")
    page.get_by_role("button", name="+ $1", exact=True).click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("status")).to_contain_text("pays")
    take(page, "school-payouts-answered")
    page.get_by_role("button", name="Result").click()
    page.wait_for_timeout(500)
    take(page, "school-payouts-result")
    page = gallery.page("Theo", "#/school/super-fun-21?exam=1")
    lesson_of(page, house)
    finish_exam(house, int(page.url.rpartition("lesson=")[2]), "Theo")
    page.reload()
    expect(page.get_by_text(re.compile("^Passed: "))).to_be_visible()
    take(page, "school-exam-passed")
    page.get_by_role("link", name="All levels").click()
    expect(page.get_by_text("passed, 100%")).to_be_visible()
    page.mouse.move(0, 0)
    take(page, "school")
    page = gallery.page("Theo", "#/school/results")
    settled(page)
    take(page, "school-results")
    page = gallery.page("Vera", "#/school/classes")
    settled(page)
    take(page, "school-classes-none")
    page.get_by_label("Name of the class").fill("Evening class")
    page.get_by_role("button", name="Start class").click()
    code = page.locator("code").inner_text()
    join_class(gallery, "Uma", code)
    joins = join_class(gallery, "Theo", code)
    take(joins, "school-classes")
    for path in ("super-fun-21?exam=1", "match-the-dealer"):
        joins.goto(f"{house.served.address}/#/school/{path}")
        lesson_of(joins, house)
        if "exam" in path:
            finish_exam(house, int(joins.url.rpartition("lesson=")[2]), "Theo")
    joins.goto(f"{house.served.address}/#/school")
    page.reload()
    page.get_by_role("button", name="Show the lessons of Theo").click()
    take(page, "school-class")
    console(gallery)


def join_class(gallery: Gallery, name: str, code: str) -> Page:
    page = gallery.page(name, "#/school/classes")
    page.get_by_label("Class code").fill(code)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("Evening class, taught by")).to_be_visible()
    return page


def catch(gallery: Gallery) -> None:
    page = gallery.page("Theo", "#/school/base-game/catch")
    lesson = lesson_of(page, gallery.house)
    page.wait_for_timeout(500)
    gallery.take(page, "school-catch")
    for number in range(1, 20):
        played = CatchRound(lesson, number)
        while not played.is_over:
            place = len(played.done)
            step = played.training.steps[place]
            with page.expect_response("**/moves"):
                if played.error is not None and played.error.place == place:
                    page.get_by_role("button", name="Stop").click()
                    expect(page.get_by_role("heading", name="What is wrong?")).to_be_visible()
                    gallery.take(page, "school-catch-naming")
                    title = played.error.kind.label
                    page.get_by_role("button", name=title, exact=True).click()
                    gallery.take(page, "school-catch-correcting")
                    page.get_by_label("Type a step").fill(typed(step))
                    page.get_by_label("Type a step").press("Enter")
                else:
                    page.get_by_role("button", name="Let it pass").click()
            played = CatchRound(lesson, number, [Watched()] * (place + 1))
            expect(
                page.get_by_text(f"{place + 1} of {len(played.training.steps)} steps").or_(
                    page.get_by_role("button", name="Next round")
                )
            ).not_to_have_count(0)
        if played.error is not None:
            break
        page.get_by_role("button", name="Next round").click()
    gallery.take(page, "school-catch-caught")
    page.get_by_role("button", name="Result").click()
    expect(page.get_by_role("heading", name="Catch-the-error result")).to_be_visible()
    gallery.take(page, "school-catch-result")


def console(gallery: Gallery) -> None:
    page = gallery.page("Theo", "#/console")
    expect(page.get_by_role("button", name="Open the table")).to_be_visible()
    gallery.take(page, "console-start")
    page.get_by_role("button", name="Open the table").click()

    def click(name: str) -> None:
        with page.expect_response("**/school/console"):
            page.get_by_role("button", name=name, exact=True).click()

    page.get_by_role("button", name="+ $25").click()
    page.get_by_role("button", name="Up Card").click()
    gallery.take(page, "console-bets")
    for name in ("Place on spot 1", "Place on spot 2", "No more bets"):
        click(name)
    gallery.take(page, "console-cards")
    page.get_by_label("This is my up card").check()
    for card in (
        "king of hearts",
        "eight of clubs",
        "king of diamonds",
        "eight of diamonds",
        "nine of hearts",
    ):
        click(f"{card}, 6 left")
    click("no blackjack")
    gallery.take(page, "console-turn")
    for name in ("stand", "stand", "seven of diamonds, 6 left"):
        click(name)
    expect(page.get_by_text("All cards are in.")).to_be_visible()
    gallery.take(page, "console-over")


# --- the house ------------------------------------------------------------------------------------


AWARDED = "8h 8h 8h Ks"  # two suited matches: 10% of the jackpot
WATCHED = "7h 7d 7h Kh 7h"  # two suited 7s against a 7


def house(gallery: Gallery) -> None:
    house, take = gallery.house, gallery.take
    for name in ("Ana", "Hana", "Ida"):
        house.add(name)
    for name, role in (("Otto", Role.OWNER), ("Ben", Role.OPERATOR), ("Fred", Role.FLOOR)):
        if name not in house.people:
            house.add(name, role, 0)
    first = house.open_table("wsgc-2021(jackpots=3c:1:seed=1000)", name="High limit")
    house.open_table("super-fun-21", name="Super Fun")
    play_rounds(house, first, "Hana", 5)
    for path in ("", "floor", "tables", "jackpots", "people", "approvals", "books"):
        page = gallery.page("Olga", f"#/house/{path}")
        settled(page)
        page.wait_for_timeout(1_000)
        take(page, f"house-{path or 'overview'}")
    page = gallery.page("Olga", f"#/house/tables/{first}")
    settled(page)
    take(page, "house-table")
    number = house.get("", "/jackpots").json()[0]["id"]
    page = gallery.page("Olga", f"#/house/jackpots/{number}")
    settled(page)
    page.get_by_role("button", name=re.compile("Add seed to")).first.click()
    take(page, "house-dialog", whole=False)
    page = gallery.page("Audrey", "#/house")
    page.get_by_role("button", name="Run audit").last.click()
    page.wait_for_timeout(4_000)
    take(page, "house-audited")
    with busy_floor(house) as supervised:
        page = gallery.page("Fred", "#/house")
        settled(page)
        drop = page.get_by_role("region", name="Corner").get_by_text("$1,000", exact=True)
        expect(drop).to_be_visible()  # the results follow within seconds
        take(page, "house-floor-busy")
        page = gallery.page("Olga", "#/house")
        settled(page)
        page.wait_for_timeout(3_000)
        take(page, "house-overview-busy")
    newest = house.get("", "/jackpots").json()[-1]["id"]
    page = gallery.page("Olga", f"#/house/jackpots/{newest}")
    settled(page)
    take(page, "house-jackpots-awarded")
    page = gallery.page("Audrey", f"#/house/books/{supervised}")
    page.get_by_role("button", name="Place wagers").first.click()
    page.get_by_role("button", name="State after this entry").click()
    settled(page)
    take(page, "house-books-entry")
    inspected = {"deck": 1, "tens": 0, "jokers": 2, "cards_left": 52, "back": "red"}
    two = {"dealer": "Dee", "supervisor": "Sam", "reason": "opening inspection"}
    rules = {"rules": "super-fun-21", "inspection": "required", "reason": "a Friday"}
    opening = house.post("Olga", "/tables", name="Window seat", **rules).json()["id"]
    house.post("Olga", f"/tables/{opening}/inspect", **inspected, **two)
    house.post("Olga", f"/tables/{opening}/shuffle", **two)
    house.post("Olga", f"/tables/{opening}/close", reason="the day is over")
    page = gallery.page("Olga", f"#/house/tables/{opening}")
    settled(page)
    page.get_by_role("button", name="More actions for Window seat").click()
    take(page, "house-table-closing")
    page = gallery.page("Otto", "#/house/approvals")
    page.get_by_role("button", name="Turn on separation of duties").click()
    dialog = page.get_by_role("dialog").filter(visible=True)
    dialog.get_by_label("Reason").fill("a rule of the house")
    dialog.locator("button.primary").click()
    page = gallery.page("Olga", "#/house/people")
    page.get_by_role("button", name="Issue play money to Ida").click()
    dialog = page.get_by_role("dialog").filter(visible=True)
    dialog.get_by_label("Amount").fill("1,250")
    dialog.get_by_label("Reason").fill("a birthday")
    dialog.locator("button.primary").click()
    expect(dialog.get_by_role("heading")).to_have_text("Waiting for a second approver")
    page = gallery.page("Ben", "#/house/approvals")
    settled(page)
    take(page, "house-approvals-waiting")
    with house.store.write() as connection:
        connection.exec_driver_sql(
            "UPDATE account SET balance = balance + 500 WHERE code = 'house'"
        )
    page = gallery.page("Audrey", "#/house")
    page.get_by_role("button", name="Run audit").last.click()
    page.wait_for_timeout(4_000)
    take(page, "house-audit-differs")


@contextmanager
def busy_floor(house: BrowserHouse) -> Iterator[int]:
    """An award to pay, a third card to watch, an alarm, a suspended jackpot and a voided round."""
    jackpot = house.get("", "/jackpots").json()[0]["id"]
    house.post("Olga", f"/jackpots/{jackpot}/seed", amount=5_025, reason="a festive evening")
    house.post("Olga", f"/jackpots/{jackpot}/suspend", reason="the sign is broken")
    house.prescribe(cards_of(AWARDED, WATCHED))
    number = house.open_table(
        "wsgc-2021(jackpots=3c:1:seed=1000)",
        name="Big Six",
        supervisor="required",
        hand_pay="required",
    )
    alarmed = house.open_table("wsgc-spanish-21", name="Corner")
    play_rounds(house, alarmed, "Ida", 2)
    finding = "payments: hand, under $10: 1 of 2 rounds wrong, $5.00 too much in all."
    command = RaiseAlarm("payments: hand, under $10", finding, (1,))
    house.served.app.state.tables.submit(
        CommandRequest(alarmed, SERVICE, f"alarm/{alarmed}", command)
    )
    with AtTable(house, number, "Ana") as ana:
        guest = Guest(ana, 4)
        ana.do("Ready", ana.wait_for_ask("cut_commit")["n"])
        ask = ana.wait_for_ask("wagers")["n"]
        ana.do("PlaceWagers", ask, spot=4, base=1_000, jackpots={"1": 100})
        guest.told = ana.do("Ready", ask)
        guest.stand()
        house.post("Fred", f"/tables/{number}/authorize", reason="checked")
        guest.bet()
        yield number


GROUPS: dict[str, Callable[[Gallery], None]] = {
    "lobby": lobby,
    "table": table,
    "bets": bets,
    "rounds": rounds,
    "learning": learning,
    "study": study,
    "school": school,
    "house": house,
}


@contextmanager
def galleries(folder: Path) -> Iterator[Callable[[], Gallery]]:
    """One browser; each group has a house of its own."""
    with sync_playwright() as playwright, ExitStack() as stack:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
        stack.callback(browser.close)

        def new() -> Gallery:
            place = Path(stack.enter_context(TemporaryDirectory()))
            served = stack.enter_context(browser_house(place))
            return Gallery(folder, served, People(Windows(browser), stack))

        yield new


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(GROUPS), help="groups, separated by commas")
    given = parser.parse_args()
    expect.set_options(timeout=30_000)
    problems = []
    with galleries(given.folder) as new:
        for group in given.only.split(","):
            started = time.monotonic()
            gallery = new()
            try:
                GROUPS[group](gallery)
            finally:
                lines = [*gallery.problems, *gallery.people.errors]
                problems += lines
                print(
                    f"{group}: {time.monotonic() - started:.0f} s, {len(lines)} problems",
                    flush=True,
                )
    print("\n".join(problems) or "Everything fits.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
