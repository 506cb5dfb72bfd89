"""For all tests: what is left to chance elsewhere is the same in every run.

A house's id goes into its shoes: were it any, so were the cards of every test.

VENTIUNA_TEST_ORDER=7 make test runs the tests in a random order, the same for each seed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from ventiuna.table import admin

ORDER = "VENTIUNA_TEST_ORDER"


def pytest_report_header() -> str | None:
    seed = os.environ.get(ORDER)
    return f"random order: {ORDER}={seed}" if seed else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shuffle the files and the tests in each file.

    A file's tests stay together, or its shared fixtures would be set up again for each of them.
    """
    if not (seed := os.environ.get(ORDER)):
        return
    by_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        by_file.setdefault(item.path, []).append(item)
    generator = Random(seed)
    files = list(by_file.values())
    generator.shuffle(files)
    for tests in files:
        generator.shuffle(tests)
    items[:] = [item for tests in files for item in tests]


@pytest.fixture(autouse=True, scope="session")
def shared_houses_have_one_id() -> Iterator[None]:
    """Those that outlive a test are made in any order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(admin, "new_id", lambda: f"{0:016x}")
        yield


@pytest.fixture(autouse=True, scope="session")
def an_ordinary_terminal() -> Iterator[None]:
    """Wherever the tests run: on a dumb one every command would be plain."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm")
        yield


@pytest.fixture(autouse=True)
def houses_of_a_test_are_numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count(1)
    monkeypatch.setattr(admin, "new_id", lambda: f"{next(numbers):016x}")
