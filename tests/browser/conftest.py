"""One browser a worker; houses with prescribed shoes; pages that tell their errors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from tests.browser.finding import NoBrowser, browser_path
from tests.browser.houses import BrowserHouse, browser_house

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SHOTS = Path(__file__).parent / "shots"
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
PATIENCE = 120_000  # milliseconds, on a busy machine
DERIVED = 180_000  # for a chart, which a worker of low priority derives
NOT_STARTED = (
    "{path} was found but does not start ({reason}): install what it lacks (as root "
    "`.venv/bin/playwright install-deps chromium`), or name another browser with the environment "
    "variable VENTIUNA_BROWSER."
)
LIBRARY = re.compile(r"error while loading shared libraries: [^\n]+")
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """None to be had is a failure in one sentence: what it would have shown is not proven."""
    with FileLock(tmp_path_factory.getbasetemp().parent / "browser.lock"):
        path = _found()  # two workers don't install one at once
    with sync_playwright() as playwright:
        opened = _started(playwright, path)
        yield opened
        opened.close()


def _found() -> str:
    try:
        return browser_path()
    except NoBrowser as error:
        reason = str(error)
    pytest.fail(reason, pytrace=False)


def _started(playwright: Playwright, path: str) -> Browser:
    try:
        return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
    except Error as error:
        lacking = LIBRARY.search(error.message)
        reason = lacking[0] if lacking else error.message.splitlines()[0]
    pytest.fail(NOT_STARTED.format(path=path, reason=reason), pytrace=False)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[BrowserHouse]:
    """A served house on SQLite with its coach; people and tables are the test's own."""
    with browser_house(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def shared_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """One house for all tests of a module, where each has a table of its own; Ana and Ben play."""
    with browser_house(tmp_path_factory.mktemp("house")) as opened:
        opened.add("Ana")
        opened.add("Ben")
        yield opened


class People:
    """Windows of several people; what went wrong in any of them fails the test."""

    def __init__(self, browser: Browser, stack: ExitStack) -> None:
        self._browser = browser
        self._stack = stack
        self.errors: list[str] = []

    def page(
        self,
        house: BrowserHouse,
        name: str = "",
        *,
        path: str = "",
        size: dict[str, int] = WIDE,
        screen: dict[str, int] | None = None,
        motion: bool = False,
        settings: dict[str, object] | None = None,
    ) -> Page:
        """A window of that person, or of nobody; without motion unless the test is about it."""
        context = self._context(size, screen or size, motion)
        kept = {"speed": 1 if motion else 0, **(settings or {})}
        context.add_init_script(
            f"localStorage.getItem('ventiuna.settings') || "
            f"localStorage.setItem('ventiuna.settings', {json.dumps(json.dumps(kept))})"
        )
        if name:
            tokens = json.dumps(json.dumps(house.kept_tokens(name)))
            context.add_init_script(f"localStorage.setItem('ventiuna.session', {tokens})")
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._check_words)
        page.on("request", lambda asked: self._check_request(house, asked.url))
        page.goto(f"{house.served.address}/{path}")
        return page

    def _context(
        self, size: dict[str, int], screen: dict[str, int], motion: bool
    ) -> BrowserContext:
        context = self._browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            screen={"width": screen["width"], "height": screen["height"]},
            reduced_motion="no-preference" if motion else "reduce",
        )
        self._stack.callback(context.close)
        return context

    def _check_words(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.errors.append(said.text)

    def _check_request(self, house: BrowserHouse, url: str) -> None:
        if not url.startswith((house.served.address, "data:", "blob:")):
            self.errors.append(f"asked another site: {url}")


@pytest.fixture
def people(browser: Browser) -> Iterator[People]:
    with ExitStack() as stack:
        found = People(browser, stack)
        yield found
    assert not found.errors, found.errors


@pytest.fixture
def shot(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Keep a picture to look at: tests/browser/shots/TEST-NAME.png."""

    def keep(page: Page, name: str = "") -> None:
        SHOTS.mkdir(exist_ok=True)
        test = re.sub(r"\W+", "-", request.node.name).strip("-")
        page.screenshot(path=SHOTS / f"{test}{'-' + name if name else ''}.png")

    return keep
