"""Fixtures for all tests that make random choices the same in every run.

A house's ID is mixed into its shoes, so a random ID would change the cards of every test.

VENTIUNA_TEST_ORDER=7 make test runs the tests in a random order that depends on the seed.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from ventiuna.analysis.base_game.solver import Deals, SolverQuery, solve_deals
from ventiuna.analysis.query import ProgressIterator, without_progress
from ventiuna.counting import efficiency
from ventiuna.rules import Rules
from ventiuna.table import admin

ORDER = "VENTIUNA_TEST_ORDER"
MOST_SOLVED = 1_000  # cached shoes, about 70 kB each


def pytest_report_header() -> str | None:
    seed = os.environ.get(ORDER)
    return f"random order: {ORDER}={seed}" if seed else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shuffle the files and the tests in each file.

    A file's tests stay together. Otherwise its shared fixtures would be set up again for each test.
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
    """Give houses that outlive a test a fixed ID, because they are created in any order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(admin, "new_id", lambda: f"{0:016x}")
        yield


@pytest.fixture(autouse=True, scope="session")
def an_ordinary_terminal() -> Iterator[None]:
    """Set an ordinary terminal, because on a dumb one every command would print plain output."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm")
        yield


@pytest.fixture(autouse=True, scope="session")
def each_shoe_is_solved_once() -> Iterator[None]:
    """Cache exact values: dozens of tests need them for the same few shoes and rules."""
    solved: dict[Hashable, Deals] = {}

    def solve_once(query: SolverQuery) -> Deals:
        if query.game is not None or query.chances is not None:
            return solve_deals(query)
        played = query.strategy and tuple(table.tobytes() for table in query.strategy)
        key = query._replace(strategy=None), hash(played)
        found = solved.get(key)
        if found is None:
            if len(solved) >= MOST_SOLVED:
                solved.pop(next(iter(solved)), None)  # another thread may have removed it
            found = solved[key] = solve_deals(query)
            for array in found:
                array.flags.writeable = False
        return found

    with pytest.MonkeyPatch.context() as patch:
        for module in ("analysis.base_game.analyzer", "counting.decisions"):
            patch.setattr(f"ventiuna.{module}.solve_deals", solve_once)
        yield


@pytest.fixture(autouse=True, scope="session")
def each_game_has_its_effects_worked_out_once() -> Iterator[None]:
    """Cache each card's effect on every decision, which takes a second or two per rule set."""
    work_out = efficiency.play_effects
    known: dict[Hashable, efficiency.PlayEffects] = {}

    def work_out_once(
        rules: Rules, base: int | None = None, each: ProgressIterator = without_progress
    ) -> efficiency.PlayEffects:
        if (rules, base) not in known:
            known[rules, base] = work_out(rules, base, each)
        return known[rules, base]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(efficiency, "play_effects", work_out_once)
        yield


@pytest.fixture(autouse=True)
def houses_of_a_test_are_numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count(1)
    monkeypatch.setattr(admin, "new_id", lambda: f"{next(numbers):016x}")
