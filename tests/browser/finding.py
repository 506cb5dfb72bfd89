"""Finds a browser for the tests, installs one if necessary, or says what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "microsoft-edge",
    # Locations on a Mac.
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
NONE_FOUND = (
    "The web table is tested in a browser, and none was found or could be installed: install "
    "Chromium (on Debian and Ubuntu `apt-get install chromium`), or name one with the environment "
    "variable VENTIUNA_BROWSER."
)


class NoBrowser(Exception):
    """No usable browser; the message says what to do."""


@cache
def browser_path() -> str:
    """Path of a browser; if none is found, try to install one with apt or Playwright."""
    found = _named() or of_playwright()
    if found is None:
        _install()
        found = _named() or of_playwright()
    if found is None:
        raise NoBrowser(NONE_FOUND)
    return found


def _named() -> str | None:
    given = os.environ.get("VENTIUNA_BROWSER")
    if given:
        if shutil.which(given) is None:
            raise NoBrowser(f"VENTIUNA_BROWSER: {given} is not a program that can be run.")
        return given
    return next(filter(None, map(shutil.which, NAMES)), None)


def of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.access(path, os.X_OK) else None


def _install() -> None:
    """Try to install a browser; NONE_FOUND covers any failure."""
    commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        commands = [
            ["apt-get", "update", "-qq"],
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
            *commands,
        ]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in commands:
        done = subprocess.run(command, check=False, capture_output=True, env=environment)
        if done.returncode == 0 and _named():
            return
