"""Run all tests, and the failed ones once more, one at a time.

    python -m tools.test_twice [ARGUMENTS FOR PYTEST]

A test that fails only while others run depends on timing or order. That is worth fixing, but it
doesn't stop a change. Everything else does: a test that fails again, a timeout, a crashed worker,
an error during collection, or more failures than chance explains.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence

import pytest

ALL = ("-n", "auto", "--dist", "worksteal")
MOST_REPEATED = 10
# As pytest-xdist and pytest-timeout word them. `tests/test_test_twice.py` provokes both.
_CRASH = re.compile(r"^worker '\w+' crashed while running|Timeout \(>", re.MULTILINE)


class Failures:
    """A pytest plugin that keeps each failed test with the text of its failure."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self.not_collected: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.not_collected.append(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            text = self.found.get(report.nodeid, "")
            self.found[report.nodeid] = f"{text}{report.longreprtext}\n"


def why_final(code: int, failures: Failures) -> str:
    """Return why the failures of a run are final, or "" if they may be repeated."""
    if failures.not_collected:
        return f"{' and '.join(failures.not_collected)} can't be imported"
    if code != pytest.ExitCode.TESTS_FAILED or not failures.found:
        return f"pytest ended with exit code {code}, which isn't about single tests"
    if crashed := [test for test, text in failures.found.items() if _CRASH.search(text)]:
        return f"{' and '.join(crashed)} crashed or took too long"
    if len(failures.found) > MOST_REPEATED:
        return f"{len(failures.found)} tests failed, which is too many for chance"
    return ""


def main(arguments: Sequence[str]) -> int:
    failures = Failures()
    code = int(pytest.main([*ALL, *arguments], plugins=[failures]))
    if code == pytest.ExitCode.OK:
        return 0
    _list("Failed in the first run", failures.found)
    if final := why_final(code, failures):
        print(f"The run has failed: {final}.", flush=True)
        return code or 1
    again = [
        test
        for test in failures.found
        if subprocess.run(
            [sys.executable, "-m", "pytest", "-n", "0", "-v", test], check=False
        ).returncode
    ]
    passed = [test for test in failures.found if test not in again]
    _list("Failed in the first run and passed alone; fix their timing or order next", passed)
    _list("Failed twice", again)
    return 1 if again else 0


def _list(heading: str, tests: Sequence[str] | Mapping[str, str]) -> None:
    if tests:
        print(f"\n=== {heading}: {len(tests)} ===", *tests, sep="\n", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
