"""For all tests: what is left to chance elsewhere is the same in every run.

A house's id goes into its shoes: were it any, so were the cards of every test.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from ventiuna.table.house import houses


@pytest.fixture(autouse=True, scope="session")
def shared_houses_have_one_id() -> Iterator[None]:
    """Those that outlive a test are made in any order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(houses, "new_id", lambda: f"{0:016x}")
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
    monkeypatch.setattr(houses, "new_id", lambda: f"{next(numbers):016x}")
