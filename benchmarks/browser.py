"""Load and response times of a table in a browser.

Uses a real Chromium, a real server on loopback, and empty caches. The figures from first paint to
total blocking time are the browser's own performance entries (the ones Lighthouse reads), for the
lobby and a table. The other figures are the time from *Deal* to the first card, the time from a
click to the next options without animation, and the time per frame with animation at seven spots.
"""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright

from benchmarks.coach import spread
from benchmarks.figures import Figure
from tests.browser.conftest import ARGUMENTS, People, Windows
from tests.browser.finding import browser_path
from tests.browser.houses import BrowserHouse, browser_house
from tests.browser.playing import FULL, SPANISH, Sitting
from ventiuna import server

WEB = Path(server.__file__).parent / "web"
SETTLED = 1_500  # milliseconds until a page has finished loading
LONG = 50  # milliseconds; longer frames are counted
SPOTS = range(1, 8)
# Runs before the page's own scripts and records the browser's performance entries.
WATCH = """
window.seen = { paint: 0, shift: 0, blocked: 0 };
const watch = (type, take) => {
  const seer = new PerformanceObserver((list) => list.getEntries().forEach(take));
  seer.observe({ type, buffered: true });
};
watch("largest-contentful-paint", (entry) => (seen.paint = entry.startTime));
watch("layout-shift", (entry) => (seen.shift += entry.hadRecentInput ? 0 : entry.value));
watch("longtask", (entry) => (seen.blocked += Math.max(0, entry.duration - 50)));
"""
LOADED = """() => {
  const paints = performance.getEntriesByType("paint").map((one) => [one.name, one.startTime]);
  const files = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
  return {
    ...seen,
    paints: Object.fromEntries(paints),
    requests: files.length,
    bytes: files.reduce((sum, one) => sum + one.transferSize, 0),
    files: files.map((one) => one.name),
  };
}"""
# Milliseconds from a click until `there` is found, or until the next options are available: the log
# has advanced, nothing is pending, and an action or the next deal is offered.
TIMED = """([click, there]) => new Promise((done) => {
  const find = (one) => document.querySelector(one);
  const told = () => document.querySelectorAll(".log li").length;
  const over = (line) => line.textContent.includes(" is over");
  const round = () => [...document.querySelectorAll(".log li")].findLast(over)?.textContent;
  const [lines, before] = [told(), round()];
  const isNext = () =>
    told() > lines && !find(".sent") && (find(ANSWER) || (round() !== before && find(DEAL)));
  const started = performance.now();
  const look = () => {
    if (there ? find(there) : isNext()) done(performance.now() - started);
    else requestAnimationFrame(look);
  };
  find(click).click();
  requestAnimationFrame(look);
})"""
FRAMES = """() => {
  window.frames_ = [];
  let last = performance.now();
  requestAnimationFrame(function look(now) {
    frames_.push(now - last);
    last = now;
    requestAnimationFrame(look);
  });
}"""
DEAL = ".betacts .primary"
ANSWER = '.act:not([aria-disabled="true"])'
TIMED = TIMED.replace("ANSWER", repr(ANSWER)).replace("DEAL", repr(DEAL))


def measure(quick: bool) -> Iterator[Figure]:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        house = stack.enter_context(browser_house(Path(folder)))
        house.add("Ana")
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
        stack.callback(browser.close)
        people = People(Windows(browser), stack)
        yield from loading(people, house)
        yield from answering(people, house, rounds=5 if quick else 30)
        yield from moving(people, house, rounds=1 if quick else 4)


def loading(people: People, house: BrowserHouse) -> Iterator[Figure]:
    """Measure the first visit to two pages."""
    table = house.open_table(FULL)
    for name, path in (("lobby", "#/lobby"), ("table", f"#/table/{table}")):
        page = people.page(house, "Ana", path="healthz")  # the client isn't loaded yet
        page.add_init_script(WATCH)
        page.goto(f"{house.served.address}/{path}")
        page.wait_for_selector("main")
        page.wait_for_timeout(SETTLED)
        found = page.evaluate(LOADED)
        yield Figure(f"{name}: first paint", found["paints"]["first-paint"], "ms")
        yield Figure(f"{name}: first content", found["paints"]["first-contentful-paint"], "ms")
        yield Figure(f"{name}: largest content", found["paint"], "ms", "<= 2,500")
        yield Figure(f"{name}: total blocking time", found["blocked"], "ms", "<= 200")
        yield Figure(f"{name}: layout shift", found["shift"], "", "<= 0.1")
        yield Figure(f"{name}: requests", found["requests"], "")
        yield Figure(f"{name}: transferred", found["bytes"] / 1000, "kB")
        yield Figure(f"{name}: bundle, gzip", bundle(found["files"]), "kB", "<= 150")
        page.context.close()


def bundle(addresses: list[str]) -> float:
    """Return the compressed size of the scripts and styles that the page fetched."""
    files = {WEB / urlsplit(one).path.removeprefix("/web/") for one in addresses if "/web/" in one}
    code = (file for file in files if file.suffix in {".js", ".css"})
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in code) / 1000


def answering(people: People, house: BrowserHouse, rounds: int) -> Iterator[Figure]:
    """Measure server and page time from a click to the next options, without animation."""
    page = sat_down(people, house, house.open_table(SPANISH))
    times: list[float] = []
    for _ in range(rounds):
        times += play_round(page)
    yield from spread("click to next options", [one / 1000 for one in times])
    page.context.close()


def moving(people: People, house: BrowserHouse, rounds: int) -> Iterator[Figure]:
    """Measure the time to the first card, and long frames, with animation at seven spots."""
    page = sat_down(people, house, house.open_table(FULL), motion=True)
    for spot in SPOTS:
        add = page.get_by_role("button", name=f"Play spot {spot}", exact=True)
        if add.count():
            add.click()
            page.get_by_role("heading", name=f"Spot {spot}, You").wait_for(state="attached")
    for spot in SPOTS:
        page.keyboard.press(str(spot))
        Sitting(page).wager("10 up 5 j1")
    first = page.evaluate(TIMED, [DEAL, ".hand-at .lay"])
    yield Figure("deal to first card, with motion", first, "ms")
    page.evaluate(FRAMES)
    page.wait_for_selector(ANSWER)
    finish_round(page)
    for _ in range(rounds - 1):
        page.evaluate(TIMED, [DEAL, ""])
        finish_round(page)
    frames: list[float] = page.evaluate("() => frames_")
    yield Figure("frames at seven spots with motion", len(frames), "")
    yield Figure("the longest of them", max(frames), "ms")
    yield Figure(f"longer than {LONG} ms", sum(frame > LONG for frame in frames), "", "0")


def sat_down(people: People, house: BrowserHouse, table: int, *, motion: bool = False) -> Page:
    page = people.page(
        house,
        "Ana",
        path=f"#/table/{table}",
        motion=motion,
        settings={"coach": "off", "speed": 1 if motion else 0},
    )
    Sitting(page).take(4)
    page.get_by_role("button", name="Buy $500", exact=True).first.click()
    return page


def play_round(page: Page) -> list[float]:
    """Deal a round, stand on everything, and return the milliseconds of every click."""
    if page.locator(f"{DEAL} small").count() == 0:
        Sitting(page).wager("10")
    times = [page.evaluate(TIMED, [DEAL, ""])]
    while page.locator(DEAL).count() == 0:
        times.append(page.evaluate(TIMED, [last_answer(page), ""]))
    return times


def finish_round(page: Page) -> None:
    """Answer every prompt until betting is open again."""
    while True:
        page.wait_for_selector(f"{ANSWER}:not(.sent), {DEAL}")
        if page.locator(DEAL).count():
            return
        page.evaluate(TIMED, [last_answer(page), ""])


def last_answer(page: Page) -> str:
    """Return the answer that ends the prompt: stand, no insurance, or take the blackjack."""
    stand = '[data-action="stand"]'
    if page.locator(stand).count():
        return stand
    names = page.locator(".actions .act").all_inner_texts()
    decline = next((i for i, name in enumerate(names) if name.startswith("No ")), 0)
    return f".actions > :nth-child({decline + 1})"
