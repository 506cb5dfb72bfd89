"""Houses served for tests, either in this process without a coach or as separate processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Timer

import httpx

from tests.server.cards import plain_cards
from tests.server.clock import HouseClock
from tests.server.running import PATIENCE, Served, served
from tests.support.entropy import TestEntropy
from ventiuna.engine.events import Stakes
from ventiuna.rules import load_rules, rules_data
from ventiuna.server.analysis_pool import AnalysisPool, Coach
from ventiuna.server.app import create_app
from ventiuna.server.bootstrap import welcome_policy
from ventiuna.server.live_tables import actor_for
from ventiuna.server.serve import open_house
from ventiuna.server.settings import ServerSettings
from ventiuna.table.access import Role
from ventiuna.table.accounts import (
    GiveRole,
    Person,
    add_guest,
    handle_cashier_command,
    issue_tokens,
    person_of,
)
from ventiuna.table.admin import create_table
from ventiuna.table.domain.commands import OpenTable
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.store.connection import Store
from ventiuna.table.writer import HouseContext

RULES = "wsgc-spanish-21"
SLOW = {"wagers": 600_000, "answer": 600_000, "decision": 600_000, "cut": 600_000}
LIVE = ServerSettings(
    port=0, guests_per_hour=100_000, log_ins_per_minute=100_000, bot_pause=5, test=True
)
NOW = 2_000_000_000_000  # far in the future, so tokens issued then don't expire


class NoCoach(Coach):
    async def start(self) -> None:
        """Do nothing: these tables need no coach."""


class NoStudies(AnalysisPool):
    async def start(self) -> None:
        """Do nothing: these tables need no studies."""


@dataclass(frozen=True)
class World:
    """Randomness and time, shared by all processes of a house."""

    entropy: TestEntropy = field(default_factory=lambda: TestEntropy(21))
    clock: HouseClock = field(default_factory=HouseClock)


@dataclass(frozen=True)
class LiveHouse:
    """A house in this process, with an operator."""

    served: Served
    store: Store
    house: HouseContext
    operator: Person
    world: World

    @property
    def port(self) -> int:
        return self.served.port

    def table(self, rules: str = RULES, **clocks: int) -> int:
        self.world.entropy.prescribe(plain_cards(load_rules(rules)))
        return new_table(self.store, self.house, self.operator, rules, SLOW | clocks)

    def operator_client(self) -> httpx.Client:
        with self.store.write() as connection:
            token = issue_tokens(connection, self.operator, NOW, os.urandom).access
        return self.served.client(token)


@contextmanager
def live_house(settings: ServerSettings, world: World | None = None) -> Iterator[LiveHouse]:
    world = world or World()
    opened = open_house(settings, world.entropy)
    try:
        welcome = welcome_policy(settings.welcome)
        app = create_app(settings, opened.store, opened.house, clock=world.clock, welcome=welcome)
        services = app.state.services
        idle = replace(services, coach=NoCoach(services.coach._workers, services.metrics))
        app.state.services = replace(idle, analysis_pool=NoStudies())
        with served(app, settings) as running:
            operator = operator_of(opened.store)
            yield LiveHouse(running, opened.store, opened.house, operator, world)
    finally:
        opened.store.close()


def operator_of(store: Store) -> Person:
    with store.write() as connection:
        made = add_guest(connection, "", 0, os.urandom)
        role = GiveRole(made.id, str(Role.OPERATOR), "a test")
        handle_cashier_command(connection, SERVICE, f"operator/{made.id}", role, 1)
        return person_of(connection, made.id)


def new_table(
    store: Store, house: HouseContext, operator: Person, rules: str, clocks: dict[str, int]
) -> int:
    command = OpenTable("Table", rules_data(load_rules(rules)), Stakes(clocks))
    with store.write() as connection:
        key = os.urandom(8).hex()
        return create_table(connection, house, actor_for(operator), key, command, 1)


# --- processes --------------------------------------------------------------------------------


@dataclass
class Process:
    """A running `ventiuna serve`, started the way a user starts it."""

    process: subprocess.Popen[str]
    port: int

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)


PROGRAM = "from tests.server.prescribed import main; main()"


@contextmanager
def process(*words: str, **environment: str) -> Iterator[Process]:
    """Start the program with these arguments and wait until it is listening."""
    here = Path(__file__).parents[2]
    started = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONPATH": f"{here / 'src'}{os.pathsep}{here}"} | environment,
    )
    assert started.stdout is not None
    late = Timer(PATIENCE, started.kill)
    late.start()
    try:
        line = ""
        while "http://" not in line:
            line = started.stdout.readline()
            assert line, "the program ended before it started listening"
        late.cancel()
        yield Process(started, int(line.split("http://")[1].split(":")[1].split("/")[0]))
    finally:
        late.cancel()
        started.kill()
        started.wait()
        started.stdout.close()
