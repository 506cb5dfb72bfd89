"""One server shared by all tests of a worker, with one user per role."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.server.clock import HouseClock
from tests.server.running import Served, served
from ventiuna.server.app import create_app
from ventiuna.server.serve import open_house
from ventiuna.server.settings import ServerSettings
from ventiuna.server.web_security import PasswordService
from ventiuna.table.access import Role
from ventiuna.table.accounts import add_guest, add_registered, issue_tokens
from ventiuna.table.store.connection import Store, open_store

PASSWORD = "seven seven seven"
OPEN = ServerSettings(port=0, guests_per_hour=100_000, log_ins_per_minute=100_000, jobs=3)
ROLES = ("anyone", "guest", *map(str, Role))


@dataclass
class House:
    """A served house with one user per role, keyed by role name."""

    served: Served
    store: Store
    tokens: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="package")  # not the whole session, because a running house uses CPU time
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house_of_each_role(tmp_path_factory) as found:
        yield found


@contextmanager
def house_of_each_role(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    path = tmp_path_factory.mktemp("house") / "house.sqlite"
    opened = open_house(replace(OPEN, database=str(path)))
    store = opened.store
    try:
        app = create_app(OPEN, store, opened.house, clock=HouseClock())
        with served(app, OPEN) as running:
            found = House(running, store)
            found.tokens |= somebody_of_each_role(store)
            yield found
    finally:
        store.close()


def somebody_of_each_role(store: Store) -> dict[str, str]:
    """Access tokens by role; "anyone" has none."""
    services_now = 2_000_000_000_000  # far in the future, so these tokens don't expire
    hashed = PasswordService().hashed(PASSWORD)
    tokens = {"anyone": ""}
    with store.write() as connection:
        people = {"guest": add_guest(connection, "a guest", 0, os.urandom)}
        for role in Role:
            people[role.value] = add_registered(connection, f"the {role}", hashed, role, 0)
        for name, person in people.items():
            tokens[name] = issue_tokens(connection, person, services_now, os.urandom).access
    return tokens


@pytest.fixture(scope="session")
def empty_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database file to copy."""
    path = tmp_path_factory.mktemp("template") / "house.sqlite"
    open_store(str(path)).close()
    return path


@pytest.fixture
def store(empty_house: Path, tmp_path: Path) -> Iterator[Store]:
    """A fresh house for the test."""
    path = tmp_path / "house.sqlite"
    shutil.copy(empty_house, path)
    opened = open_store(str(path))
    yield opened
    opened.close()
