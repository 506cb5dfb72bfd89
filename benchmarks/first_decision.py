"""How long a new user waits for the page, the first card and the coach's advice.

python -m benchmarks.first_decision [--wheel FILE] [--way pip|uvx|pipx|make ...] [--json]

Each way installs into an empty folder: the wheel with pip, uvx and pipx, or a fresh clone with
`make table`. A real browser then opens the page, takes a spot, bets, and asks the coach. Downloads
come from the caches of pip and uv if available. This takes minutes, so it isn't run with the other
benchmarks.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.figures import Figure, report
from tests.browser.finding import browser_path
from tests.browser.playing import Sitting
from tools.release.building import PROJECT, build_here, clean_environment

WAYS = ("pip", "uvx", "pipx", "make")
PATIENCE = 120_000  # milliseconds
LINK = re.compile(r"http://\S+#owner=\S+")
OPEN = "table --no-browser --port 0 --database house.sqlite"


def command_of(way: str, wheel: Path) -> str:
    """Return the shell command a new user would type."""
    if way == "pip":
        install = f"{sys.executable} -m venv own && own/bin/pip install -q {wheel}"
        return f"{install} && own/bin/ventiuna {OPEN}"
    if way == "uvx":
        return f"uvx --from {wheel} ventiuna {OPEN}"
    if way == "pipx":
        return f"pipx run --spec {wheel} ventiuna {OPEN}"
    options = OPEN.removeprefix("table ")
    return f"git clone -q {PROJECT} clone && cd clone && make table ARGS='{options}'"


def measure(way: str, wheel: Path) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=browser_path(), args=arguments)
        start = time.monotonic()
        served = subprocess.Popen(
            ["bash", "-c", command_of(way, wheel)],
            cwd=name,
            env=clean_environment(),
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            link = _link(served)
            yield Figure(f"{way}: installed and serving", time.monotonic() - start, "s")
            for step in _play(browser.new_page(), link):
                yield Figure(f"{way}: {step}", time.monotonic() - start, "s")
        finally:
            os.killpg(served.pid, signal.SIGINT)
            served.wait(30)
            browser.close()
        files = (file for file in Path(name).rglob("*") if file.is_file() and not file.is_symlink())
        size = sum(file.stat().st_size for file in files)
        yield Figure(f"{way}: size of the folder", size / 1e6, "MB")


def _link(served: subprocess.Popen[str]) -> str:
    """Return the address that `ventiuna table` prints."""
    assert served.stdout is not None
    for line in served.stdout:
        print(line, end="", file=sys.stderr)
        if found := LINK.search(line):
            return found[0]
    raise SystemExit("The table didn't open.")


def _play(page: Page, link: str) -> Iterator[str]:
    """Take a spot, bet and ask the coach; yield the name of each finished step."""
    page.goto(link)
    page.locator("main a[href*='#/table/']").first.click()
    expect(page.get_by_role("button", name=re.compile("^Take spot")).first).to_be_visible()
    yield "first page"
    table = Sitting(page).take(4)
    table.deal("25")
    expect(page.locator(".card").first).to_be_visible()
    yield "first card"
    expect(table.asked).to_contain_text("against")
    page.keyboard.press("w")
    expect(page.locator(".coach .bars").first).to_be_visible()
    yield "first coached decision"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_decision")
    parser.add_argument("--wheel", type=Path, help="a built wheel (default: build one)")
    parser.add_argument("--way", nargs="*", choices=WAYS, default=["pip", "make"])
    parser.add_argument(
        "--json", action="store_true", help="print the figures and the machine as JSON"
    )
    options = parser.parse_args(arguments)
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder:
        wheel = (options.wheel or build_here(Path(folder))).resolve()
        figures = [figure for way in options.way for figure in measure(way, wheel)]
    print(report(figures, options.json))
    return 0


if __name__ == "__main__":
    sys.exit(main())
