"""CI repeats failed tests, but nothing that needs fixing passes that way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.test_twice import MOST_REPEATED, Failures, why_final

ROOT = Path(__file__).parents[1]
PASSES_ALONE = """
import pathlib

def test_late():
    assert pathlib.Path("been").exists() or pathlib.Path("been").touch()
"""
WRONG = """
def test_wrong():
    assert 0
"""
CRASHES = """
import os

def test_crash():
    os._exit(3)
"""
HANGS = """
import pytest, signal

@pytest.mark.timeout(0.5)
def test_hangs():
    signal.pause()
"""


def run_twice(folder: Path, **files: str) -> tuple[int, str]:
    (folder / "pytest.ini").write_text("[pytest]\n")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    # Loading every installed plugin would take most of the time.
    plugins = {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "-p xdist -p pytest_timeout",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tools.test_twice", "-n", "1"],
        cwd=folder,
        env={**os.environ, **plugins, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_a_test_that_passes_alone_is_named_and_one_that_fails_again_stops_the_run(
    tmp_path: Path,
) -> None:
    code, told = run_twice(tmp_path, test_a=PASSES_ALONE, test_b=WRONG)
    assert code == 1
    assert "fix their timing or order next: 1 ===\ntest_a.py::test_late\n" in told
    assert "=== Failed twice: 1 ===\ntest_b.py::test_wrong\n" in told
    (tmp_path / "been").unlink()
    (tmp_path / "test_b.py").unlink()
    code, told = run_twice(tmp_path)
    assert code == 0
    assert "=== Failed in the first run: 1 ===\ntest_a.py::test_late\n" in told


def test_crashes_and_timeouts_are_final(tmp_path: Path) -> None:
    code, told = run_twice(tmp_path, test_a=CRASHES, test_b=HANGS)
    assert code == 1
    assert "test_b.py::test_hangs" in told
    assert "crashed or took too long" in told.splitlines()[-1]
    assert " and " in told.splitlines()[-1], "both kinds are recognized"


def test_errors_during_collection_are_final(tmp_path: Path) -> None:
    code, told = run_twice(tmp_path, test_a="import nowhere", test_b=WRONG)
    assert code != 0
    assert told.splitlines()[-1] == "The run has failed: test_a.py can't be imported."


def test_many_failures_are_no_chance() -> None:
    failures = Failures()
    failures.found = {f"test_{number}": "assert 0" for number in range(MOST_REPEATED + 1)}
    assert "too many for chance" in why_final(pytest.ExitCode.TESTS_FAILED, failures)
    failures.found.pop("test_0")
    assert why_final(pytest.ExitCode.TESTS_FAILED, failures) == ""
    assert why_final(pytest.ExitCode.INTERNAL_ERROR, failures)
