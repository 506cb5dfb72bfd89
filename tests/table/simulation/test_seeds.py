"""Simulated houses with all their faults, and seeds that once found a bug.

`make soak` plays more and longer seeds, on both databases.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import IS_SOAK
from tests.simulated_house.disk import SqliteDisk
from tests.simulated_house.failures import run
from tests.simulated_house.house import ExcludedFaults
from tests.simulated_house.postgres_disk import PostgresDisk
from tests.simulated_house.world import FaultKind
from tests.table.conftest import Database

SEEDS = range(1, 41 if IS_SOAK else 7)
COMMANDS = 60 if IS_SOAK else 30  # per seed
LONG = 200  # commands; longer runs are only played in a soak
PINNED: list[dict[str, Any]] = [
    pinned
    for pinned in json.loads(Path(__file__).with_name("pinned.json").read_text())
    if IS_SOAK or pinned["commands"] <= LONG
]
# A full SQLite file still has room in its existing pages, but PostgreSQL is set up to have none.
SAME: ExcludedFaults = frozenset({FaultKind.DISK_FULL})


@pytest.mark.parametrize("seed", SEEDS)
def test_a_house_loses_nothing_whatever_crashes(seed: int) -> None:
    ran = run(seed, commands=COMMANDS)
    assert ran.commands >= COMMANDS


def test_the_same_seed_gives_the_same_house() -> None:
    assert run(3, commands=COMMANDS) == run(3, commands=COMMANDS)


@pytest.mark.parametrize("pinned", PINNED, ids=lambda pinned: str(pinned["seed"]))
def test_a_pinned_seed_that_reaches_rare_events(pinned: dict[str, Any]) -> None:
    """Pinned seeds with their reasons: a bug they once found, or events that few seeds reach."""
    ran = run(pinned["seed"], commands=pinned["commands"])
    missing = set(pinned["events"]) - set(ran.events)
    assert not missing, f"it no longer reaches {missing}; pin a seed that does"


@pytest.mark.parametrize("seed", [1, 3] if IS_SOAK else [3])
def test_both_databases_have_the_same_books_as_memory(seed: int, database: Database) -> None:
    is_file = database.name == "sqlite"
    disk = SqliteDisk(database.program) if is_file else PostgresDisk(database.program)
    assert run(seed, SAME, COMMANDS, disk) == run(seed, SAME, COMMANDS)
