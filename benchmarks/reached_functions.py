"""A pytest plugin that records which package functions each test calls and how long it takes."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

_PACKAGE = f"{os.sep}ventiuna{os.sep}"
_calls: set[tuple[str, int]] = set()
_tests: dict[tuple[str, int], set[str]] = {}
_durations: dict[str, float] = {}


def _note_call(frame: FrameType, event: str, _argument: Any) -> None:
    if event == "call" and _PACKAGE in frame.f_code.co_filename:
        _calls.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _calls.clear()
    threading.setprofile(_note_call)
    sys.setprofile(_note_call)
    yield
    sys.setprofile(None)
    for place in _calls:
        _tests.setdefault(place, set()).add(item.nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call":
        _durations[report.nodeid] = report.duration


def pytest_sessionfinish() -> None:
    root = Path.cwd()
    reached = {
        f"{Path(name).relative_to(root).as_posix()}:{line}": sorted(
            tests, key=lambda test: _durations.get(test, 0.0)
        )
        for (name, line), tests in _tests.items()
        if Path(name).is_relative_to(root)
    }
    results = {"reached": reached, "seconds": _durations}
    Path(os.environ["VENTIUNA_REACHED"]).write_text(json.dumps(results), encoding="utf-8")
