"""The house-edge calculator in a browser: from a click on an option to the exact number.

Options are clicked at a human pace, half a second apart, while the values of other changes and the
chart are still being computed in the background. No option is clicked twice.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.coach import spread
from benchmarks.figures import Figure
from tests.browser.conftest import ARGUMENTS, WIDE, People, Windows
from tests.browser.finding import browser_path
from tests.browser.houses import browser_house

PAUSE = 500  # milliseconds between clicks
# All of these can be combined.
OPTIONS = {
    "decks": ("2", "4", "5", "6", "8"),
    "soft_17": ("hit", "stand"),
    "blackjack_pays": ("1:1", "6:5", "3:2", "2:1"),
    "split_hands": ("1", "2", "3", "4"),
    "surrender": ("off", "late"),
    "double_cards": ("two", "two or more"),
}
# The number is for the new rules once its element names those rules.
CLICK = """async ([option, text]) => {
  const number = document.querySelector(".big");
  const before = number.dataset.rules;
  const place = document.querySelector(`[data-option=${option}]`);
  const button = [...place.querySelectorAll("button")].find(
    (one) => one.innerText.trim().split("\\n")[0] === text && one.ariaPressed !== "true",
  );
  if (!button) return null;
  const started = performance.now();
  const shown = new Promise((done) => {
    const look = () => (number.dataset.rules !== before ? done() : requestAnimationFrame(look));
    requestAnimationFrame(look);
  });
  button.click();
  await shown;
  return (performance.now() - started) / 1000;
}"""


def measure(quick: bool) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder, browser_house(Path(folder)) as house:
        house.add("Ana")
        with sync_playwright() as playwright, ExitStack() as stack:
            browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
            stack.callback(browser.close)
            page = People(Windows(browser), stack).page(
                house, "Ana", path="#/study/edge?rules=wsgc-2021", size=WIDE
            )
            page.wait_for_selector(".big[data-rules=wsgc-2021]")
            page.wait_for_selector("[data-option=decks]")
            taken = clicks(page, 20 if quick else 100)
    yield from spread("click to exact edge, in the browser", taken, "< 300")


def clicks(page: Page, number: int) -> list[float]:
    draw = random.Random(21)
    found: list[float] = []
    seen: set[str] = set()
    while len(found) < number:
        option = draw.choice(list(OPTIONS))
        text = draw.choice(OPTIONS[option])
        taken = page.evaluate(CLICK, [option, text])
        if taken is not None and page.url not in seen:
            seen.add(page.url)
            found.append(taken)
        page.wait_for_timeout(PAUSE)
    return found
