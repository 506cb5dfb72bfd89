"""A browser is found or installed, or one sentence says what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import finding
from tests.browser.finding import NONE_FOUND, NoBrowser, browser_path

FAILS = "#!/bin/sh\nexit 1\n"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine without programs, where Playwright has no browser and can't download one."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("VENTIUNA_BROWSER", raising=False)
    monkeypatch.setattr(finding, "NAMES", ("chromium", "google-chrome"))
    monkeypatch.setattr(finding, "of_playwright", lambda: None)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("sys.executable", program(tmp_path, "python", FAILS))
    browser_path.cache_clear()
    yield tmp_path
    browser_path.cache_clear()


def program(folder: Path, name: str, text: str = FAILS) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_an_installed_browser_is_used(programs: Path) -> None:
    there = program(programs, "google-chrome")
    assert browser_path() == there


def test_the_specified_browser_is_used(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(programs, "chromium")
    named = program(programs, "my-own")
    monkeypatch.setenv("VENTIUNA_BROWSER", named)
    assert browser_path() == named


def test_a_wrong_name_is_reported(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VENTIUNA_BROWSER", "no-such-browser")
    with pytest.raises(NoBrowser, match=r"VENTIUNA_BROWSER: no-such-browser is not a program"):
        browser_path()


def test_root_installs_the_systems_browser(programs: Path) -> None:
    there = programs / "chromium"
    installs = f"#!/bin/sh\n[ $1 = install ] || exit 0\n/bin/cp {programs}/python {there}\n"
    program(programs, "apt-get", installs)
    assert browser_path() == str(there)


def test_having_no_browser_gives_one_sentence(programs: Path) -> None:
    program(programs, "apt-get")
    with pytest.raises(NoBrowser, match=re.escape(NONE_FOUND)):
        browser_path()
