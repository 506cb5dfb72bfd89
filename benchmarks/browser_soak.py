"""Play hundreds of rounds in a browser with random legal clicks, without errors or leaks.

python -m benchmarks.browser_soak --rounds 500; Ctrl-C stops and reports what was done. The page's
memory, nodes and listeners are measured after a garbage collection, early and at the end.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import CDPSession, Page, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.conftest import ARGUMENTS, People, Windows
from tests.browser.finding import browser_path
from tests.browser.houses import browser_house
from tests.browser.playing import FULL, Sitting

SETTLED = 50  # rounds until the page's memory has stabilized
GROWTH = 1.5  # growth beyond this factor is a leak
MOST_WAIT = 30.0  # maximum seconds without anything to click
WAGERS = ("10", "25 up 5", "10 down 5 b1 5", "15 up 1 down 1 b2 5 j1", "50 j1 j2")
LOW = 450.0  # dollars, enough for a round of splits and doubles
MONEY = 10_000_000_000  # wallet, in cents
# Legal clicks: an action, an answer, or an amount.
LEGAL = '.act:not([aria-disabled="true"]), .chooser .btn.primary:not([disabled])'


@dataclass(frozen=True)
class Held:
    """The page's memory use after a garbage collection."""

    heap: float  # MB
    nodes: int
    listeners: int

    def grew_from(self, before: Held) -> list[str]:
        pairs = {
            "heap": (before.heap, self.heap),
            "nodes": (before.nodes, self.nodes),
            "listeners": (before.listeners, self.listeners),
        }
        return [
            f"{name} grew from {old:,.1f} to {new:,.1f}"
            for name, (old, new) in pairs.items()
            if new > GROWTH * old
        ]


def held(session: CDPSession) -> Held:
    session.send("HeapProfiler.collectGarbage")
    metrics = {
        one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]
    }
    return Held(
        metrics["JSHeapUsedSize"] / 1e6, int(metrics["Nodes"]), int(metrics["JSEventListeners"])
    )


class Bot:
    """Clicks any legal button."""

    def __init__(self, page: Page, seed: int) -> None:
        self._page = page
        self._sitting = Sitting(page)
        self._chance = random.Random(seed)
        self.clicks = 0

    def play_round(self) -> None:
        """Place wagers, deal, and make every decision until betting opens again."""
        if self._balance() < LOW:
            self._page.get_by_role("button", name="Buy $500", exact=True).first.click()
            self._page.wait_for_function(
                "(low) => Number(document.querySelector('.purse dd').innerText"
                ".replace(/[^0-9.]/g, '')) >= low",
                arg=LOW,
            )
        number = self._number()
        self._sitting.deal(self._chance.choice(WAGERS))
        self.clicks += 1
        end = time.monotonic() + MOST_WAIT
        while self._number() == number or not self._sitting.deal_button.is_visible():
            if self._click_something():
                end = time.monotonic() + MOST_WAIT
            elif time.monotonic() > end:
                raise RuntimeError("Nothing could be clicked: the table is stuck.")

    def _number(self) -> int:
        """Number of rounds that are over."""
        return self._page.locator(".log li").filter(has_text=" is over").count()

    def _balance(self) -> float:
        return float(self._sitting.purse.inner_text().replace("$", "").replace(",", ""))

    def _click_something(self) -> bool:
        """Return False if there is nothing to click right now."""
        legal = self._page.locator(LEGAL).all()
        if legal:
            with suppress(PlaywrightTimeout):  # the button disappeared in the meantime
                self._chance.choice(legal).click(timeout=1_000)
                self.clicks += 1
                return True
        self._page.wait_for_timeout(20)
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=21)
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        house = stack.enter_context(browser_house(Path(folder)))
        house.add("Ana", money=MONEY)
        table = house.open_table(FULL)
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
        stack.callback(browser.close)
        people = People(Windows(browser), stack)
        page = people.page(house, "Ana", path=f"#/table/{table}")
        return soak(page, people, given.rounds, given.seed)


def soak(page: Page, people: People, rounds: int, seed: int) -> int:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    Sitting(page).take(4)
    bot = Bot(page, seed)
    early: Held | None = None
    done = 0
    started = time.monotonic()
    try:
        for done in range(1, rounds + 1):
            bot.play_round()
            if done == min(SETTLED, rounds):
                early = held(session)
            if done % 10 == 0:
                print(f"\r{done} of {rounds} rounds, {bot.clicks} clicks", end="", flush=True)
    except KeyboardInterrupt:
        pass
    late = held(session)
    seconds = time.monotonic() - started
    print(f"\r{done} rounds, {bot.clicks} clicks in {seconds:.0f} s (seed {seed}).")
    print(f"early {early}\nlate  {late}")
    problems = [*people.errors, *(late.grew_from(early) if early else [])]
    for problem in problems:
        print(problem)
    print("No errors, no leaks." if not problems else f"{len(problems)} problems.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
