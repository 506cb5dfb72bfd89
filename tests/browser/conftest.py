"""One browser per worker, houses with prescribed shoes, and pages that report their errors.

The browser and the shared house are shut down after this folder's tests, because they use CPU time
even when idle.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import pytest
from filelock import FileLock
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests import IS_SOAK
from tests.browser.finding import NoBrowser, browser_path
from tests.browser.houses import BrowserHouse, browser_house
from tests.table.conftest import Postgres, postgres

__all__ = ["postgres"]  # a fixture

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
DATABASE = os.environ.get("VENTIUNA_BROWSER_DATABASE", "sqlite")
SHOTS = Path(__file__).parent / "shots"
WIDE = ViewportSize(width=1440, height=900)
PHONE = ViewportSize(width=390, height=844)
SIZES = {"wide": WIDE, "phone": PHONE}
PATIENCE = 120_000  # milliseconds, enough for a busy machine
DERIVED = 180_000  # for a chart, which a low-priority worker derives
NOT_STARTED = (
    "{path} was found but does not start ({reason}): install what it lacks (as root "
    "`.venv/bin/playwright install-deps chromium`), or name another browser with the environment "
    "variable VENTIUNA_BROWSER."
)
LIBRARY = re.compile(r"error while loading shared libraries: [^\n]+")
expect.set_options(timeout=PATIENCE)
Item = TypeVar("Item")
Look = TypeVar("Look")


def spread(items: Iterable[Item], looks: Sequence[Look]) -> list[tuple[Item, Look]]:
    """Pair every item with one look, using all looks equally; in a soak, return every pair."""
    if IS_SOAK:
        return [(item, look) for item in items for look in looks]
    return list(zip(items, itertools.cycle(looks), strict=False))


@pytest.fixture(scope="package")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser. If there is none, the tests fail with one sentence instead of being skipped."""
    with FileLock(tmp_path_factory.getbasetemp().parent / "browser.lock"):
        path = _found()  # so that two workers don't install one at once
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


@pytest.fixture(scope="package")
def new_database(request: pytest.FixtureRequest) -> Callable[[], str]:
    """Addresses for new houses: files, or with VENTIUNA_BROWSER_DATABASE=postgresql a server's."""
    if DATABASE == "sqlite":
        return lambda: ""
    assert DATABASE == "postgresql", "VENTIUNA_BROWSER_DATABASE must be sqlite or postgresql"
    postgres: Postgres = request.getfixturevalue("postgres")
    numbers = itertools.count(1)
    return lambda: postgres.create_house(f"browser_{postgres.worker}_{next(numbers)}").program


@pytest.fixture
def house(tmp_path: Path, new_database: Callable[[], str]) -> Iterator[BrowserHouse]:
    """A served house with a coach; each test adds its own people and tables."""
    with browser_house(tmp_path, new_database()) as opened:
        yield opened


@pytest.fixture(scope="package")
def shared_house(
    tmp_path_factory: pytest.TempPathFactory, new_database: Callable[[], str]
) -> Iterator[BrowserHouse]:
    """One house for all tests here, with Ana and Ben as players; each test opens its own table."""
    with browser_house(tmp_path_factory.mktemp("house"), new_database()) as opened:
        opened.add("Ana")
        opened.add("Ben")
        yield opened


class Windows:
    """Browser windows reused from test to test.

    A reused window takes half the CPU time of a new one, because its process is running and the
    scripts are cached. Nothing else is carried over.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: list[Page] = []

    def take(self, size: ViewportSize) -> Page:
        page = self._free.pop() if self._free else self.new(size, size)
        page.set_viewport_size(size)
        return page

    def new(self, size: ViewportSize, screen: ViewportSize) -> Page:
        page = self._browser.new_context(viewport=size, screen=screen).new_page()
        page.set_default_timeout(PATIENCE)
        return page

    def give_back(self, page: Page, blank: str) -> None:
        """Return a window; `blank` is a page without scripts, so nothing runs and no socket stays
        open.
        """
        for other in page.context.pages:
            if other is not page:
                other.close()
        try:
            page.unroute_all(behavior="ignoreErrors")
            page.goto(blank)
        except Error:  # closed by the test, or its server is gone
            page.context.close()
        else:
            self._free.append(page)


class People:
    """Windows of several people; an error in any of them fails the test."""

    def __init__(self, windows: Windows, stack: ExitStack) -> None:
        self._windows = windows
        self._stack = stack
        self.errors: list[str] = []

    def page(
        self,
        house: BrowserHouse,
        name: str = "",
        *,
        path: str = "",
        size: ViewportSize = WIDE,
        screen: ViewportSize | None = None,
        motion: bool = False,
        settings: dict[str, object] | None = None,
    ) -> Page:
        """Open a window, signed in if a person is given; by default without motion and guide."""
        blank = f"{house.served.address}/healthz"
        if screen is None:
            page = self._windows.take(size)
            self._stack.callback(self._windows.give_back, page, blank)
        else:
            page = self._windows.new(size, screen)
            self._stack.callback(page.context.close)
        page.emulate_media(media="null", reduced_motion="no-preference" if motion else "reduce")
        chosen = {"speed": 1 if motion else 0, "guide": False, **(settings or {})}
        kept: dict[str, object] = {"ventiuna.settings": chosen}
        if name:
            kept["ventiuna.session"] = house.kept_tokens(name)
        page.goto(blank)
        page.evaluate(_KEEP, kept)
        self._listen(page, house)
        page.goto(f"{house.served.address}/{path}")
        return page

    def _listen(self, page: Page, house: BrowserHouse) -> None:
        def check_error(error: Error) -> None:
            self.errors.append(str(error))

        def check_words(said: ConsoleMessage) -> None:
            # Ignore a missing icon, which only the blank page requests, and a conflict: a second
            # person must approve the command.
            known = said.location["url"].endswith("/favicon.ico") or "409 (Conflict)" in said.text
            if said.type == "error" and not known:
                self.errors.append(said.text)

        def check_request(asked: Request) -> None:
            if not asked.url.startswith((house.served.address, "data:", "blob:")):
                self.errors.append(f"asked another site: {asked.url}")

        def forget() -> None:
            page.remove_listener("pageerror", check_error)
            page.remove_listener("console", check_words)
            page.remove_listener("request", check_request)

        page.on("pageerror", check_error)
        page.on("console", check_words)
        page.on("request", check_request)
        self._stack.callback(forget)


_KEEP = """(kept) => {
  sessionStorage.clear();
  localStorage.clear();
  for (const [name, value] of Object.entries(kept)) {
    localStorage.setItem(name, JSON.stringify(value));
  }
}"""


@pytest.fixture(scope="package")
def windows(browser: Browser) -> Windows:
    return Windows(browser)


@pytest.fixture
def people(windows: Windows) -> Iterator[People]:
    with ExitStack() as stack:
        found = People(windows, stack)
        yield found
    assert not found.errors, found.errors


@pytest.fixture
def shot(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Save a screenshot if VENTIUNA_SHOTS is set: tests/browser/shots/TEST-NAME.png."""

    def keep(page: Page, name: str = "") -> None:
        if "VENTIUNA_SHOTS" not in os.environ:
            return
        SHOTS.mkdir(exist_ok=True)
        test = re.sub(r"\W+", "-", request.node.name).strip("-")
        page.screenshot(path=SHOTS / f"{test}{'-' + name if name else ''}.png")

    return keep
