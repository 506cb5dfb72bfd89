"""A server that is killed repeatedly while a crowd plays, and its clients' own records."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from io import TextIOWrapper
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError

from tests.support.crowd import Crowd, HouseProcess, LedgerChecks, audit_house, house_process
from tests.support.postgres import PrivatePostgres
from ventiuna.table.domain.commands import command_data, command_from_data
from ventiuna.table.domain.handlers import Actor, ActorRole
from ventiuna.table.journal import known_commands
from ventiuna.table.store import statements
from ventiuna.table.store.connection import open_store
from ventiuna.table.store.statements import StoreError
from ventiuna.table.writer import CommandOutcome, CommandRequest, Done, Refusal, Unknown

# --- Kill points ---

Kill = Callable[[Connection], None]


class KillTarget(StrEnum):
    SERVER = "server"  # the writing process
    BACKEND = "backend"  # the PostgreSQL process serving its connection
    POSTMASTER = "postmaster"


class Countdown:
    """Kills once, at the k-th point from now; every write of the process passes such points.

    Its listeners are never removed, so use it only in a process that ends with it.
    """

    def __init__(self, points: int, kill: Kill) -> None:
        self._left = points
        self._kill = kill
        event.listen(Engine, "before_cursor_execute", self._at_statement)
        event.listen(Engine, "after_cursor_execute", self._at_statement)
        event.listen(Engine, "commit", self._pass)
        self._listen_to_rows()

    def _listen_to_rows(self) -> None:
        run = statements.run

        def watched(connection: Connection, *asked: Any, **more: Any) -> DBAPICursor:
            self._pass(connection)
            cursor = run(connection, *asked, **more)
            self._pass(connection)
            return cursor

        statements.run = watched

    def _at_statement(self, connection: Connection, *_: object) -> None:
        self._pass(connection)

    def _pass(self, connection: Connection) -> None:
        self._left -= 1
        if not self._left:
            self._kill(connection)

    def after_commit(self) -> None:
        """A point after the commit, before anyone was notified."""
        self._left -= 1
        if not self._left:
            kill_server(None)


def kill_server(_: Connection | None) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def kill_backend(connection: Connection) -> None:
    """Kill the backend as an out-of-memory kill would: all of PostgreSQL has to recover."""
    driver = connection.connection.driver_connection
    assert driver is not None
    os.kill(driver.info.backend_pid, signal.SIGKILL)


# --- Killed servers ---

PATIENCE = 60.0  # seconds that a client keeps retrying an unavailable house
OPERATE_EVERY = 7  # batches
TABLES = 3

Data = dict[str, object]
T = TypeVar("T")


@dataclass
class KillPlan:
    """How and when one server is killed."""

    victim: KillTarget
    points: int  # the server is killed at this point
    batches: int  # number of new batches from the crowd, after resending the old ones


@dataclass
class ClientRecords:
    """Everything known outside the house."""

    acknowledged: dict[tuple[str, str], int] = field(default_factory=dict)  # version by actor, key
    refused: set[tuple[str, str]] = field(default_factory=set)
    pending: list[CommandRequest] = field(default_factory=list)
    kills: Counter[str] = field(default_factory=Counter)  # by victim
    answers: int = 0
    sent_again: int = 0
    wrong: list[str] = field(default_factory=list)

    def hear(self, line: Data) -> None:
        if "sent" in line:
            self.pending = [request_of(data) for data in _list(line["sent"])]
        if "answered" in line:
            for data in _list(line["answered"]):
                self._answered(data)
            self.pending = []

    def _answered(self, data: Data) -> None:
        self.answers += 1
        who = str(data["actor"]), str(data["key"])
        if "version" not in data:
            self.refused.add(who)
            return
        version = int(str(data["version"]))
        if self.acknowledged.setdefault(who, version) != version:
            self.wrong.append(f"{who} was done as {self.acknowledged[who]}, then as {version}")


def _list(data: object) -> list[Data]:
    assert isinstance(data, list)
    return data


# --- the wire between clients and server ------------------------------------------------------


def request_data(request: CommandRequest) -> Data:
    actor = request.actor
    return {
        "table": request.table,
        "actor": actor.name,
        "role": str(actor.role),
        "person": actor.person,
        "called": actor.called,
        "key": request.key,
        "command": command_data(request.command),
        "ask": request.ask,
    }


def request_of(data: Data) -> CommandRequest:
    """Read a request written by `request_data`."""
    name, person, called = (str(data[part]) for part in ("actor", "person", "called"))
    ask = data["ask"]
    return CommandRequest(
        int(str(data["table"])),
        Actor(name, ActorRole(str(data["role"])), person, called),
        str(data["key"]),
        command_from_data(data["command"]),
        ask if isinstance(ask, int) else None,
    )


def _answer_data(request: CommandRequest, outcome: CommandOutcome) -> Data:
    data: Data = {"actor": request.actor.name, "key": request.key}
    if isinstance(outcome, Refusal):
        return {**data, "code": str(outcome.code)}
    assert isinstance(outcome, Done), "it was resent until it was answered"
    return {**data, "version": outcome.version}


# --- the server -------------------------------------------------------------------------------


class ForkedServer:
    """The forked process: a server, its crowd, and a pipe to the clients' records."""

    def __init__(
        self, address: str, seed: int, plan: KillPlan, postmaster: int, pipe: TextIOWrapper
    ) -> None:
        self._pipe = pipe
        self._plan = plan
        self._postmaster = postmaster
        self._chance = random.Random(seed)
        if plan.victim is KillTarget.SERVER:
            self._countdown = Countdown(plan.points, kill_server)
        store = open_store(address)
        self._server: HouseProcess = house_process(store, self._chance)
        if plan.victim is not KillTarget.SERVER:
            self._countdown = Countdown(plan.points, self._kill_database)
        self._crowd = Crowd(self._server, f"run{seed}", self._chance)

    def _kill_database(self, connection: Connection) -> None:
        self._tell({"killed": str(self._plan.victim)})
        if self._plan.victim is KillTarget.BACKEND:
            kill_backend(connection)
        else:
            os.kill(self._postmaster, signal.SIGKILL)

    def _tell(self, data: Data) -> None:
        self._pipe.write(json.dumps(data) + "\n")
        self._pipe.flush()

    def run(self, pending: list[CommandRequest]) -> None:
        if pending:
            self._send(pending)
        for number in range(self._plan.batches):
            if number % OPERATE_EVERY == OPERATE_EVERY - 1:
                _retry_until_up(lambda: self._crowd.operate(TABLES))
            self._send(_retry_until_up(self._ideas))

    def _ideas(self) -> list[CommandRequest]:
        tables = self._crowd.tables()
        return self._crowd.batch(tables) + self._crowd.time_ups(tables)

    def _send(self, requests: list[CommandRequest]) -> None:
        """Send requests until everyone has a definite answer."""
        self._tell({"sent": [request_data(request) for request in requests]})
        answers: dict[int, CommandOutcome] = {}
        end = time.monotonic() + PATIENCE
        left = list(enumerate(requests))
        while left and time.monotonic() < end:
            step = self._server.writer.step([request for _, request in left])
            assert not step.faults, step.faults
            answers |= {
                place: outcome for (place, _), outcome in zip(left, step.outcomes, strict=True)
            }
            left = [one for one in left if _is_retryable(answers[one[0]])]
            if left:
                time.sleep(0.1)
        assert not left, "the house stayed unavailable"
        if self._plan.victim is KillTarget.SERVER:
            self._countdown.after_commit()
        told = [_answer_data(request, answers[place]) for place, request in enumerate(requests)]
        self._tell({"answered": told})


def _is_retryable(outcome: CommandOutcome) -> bool:
    return isinstance(outcome, Unknown)


def _retry_until_up(work: Callable[[], T]) -> T:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return work()
        except (DBAPIError, StoreError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def _serve(
    address: str,
    seed: int,
    plan: KillPlan,
    postmaster: int,
    pending: list[CommandRequest],
    file: int,
) -> None:
    """Run a server; the forked process ends with this function."""
    code = 1
    try:
        with os.fdopen(file, "w") as pipe:
            ForkedServer(address, seed, plan, postmaster, pipe).run(pending)
        code = 0
    finally:
        os._exit(code)


# --- the clients ------------------------------------------------------------------------------


class KilledHouse:
    """One house whose servers die, along with `postgres` if it has a PostgreSQL of its own."""

    def __init__(self, address: str, postgres: PrivatePostgres | None = None) -> None:
        self.address = address
        self.clients = ClientRecords()
        self._postgres = postgres
        self._seed = 0

    def run(self, plan: KillPlan) -> bool:
        """Run one server; return whether the kill happened."""
        self._seed += 1
        postmaster = self._postgres.postmaster if self._postgres else 0
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            _serve(self.address, self._seed, plan, postmaster, self.clients.pending, writing)
        os.close(writing)
        self.clients.sent_again += len(self.clients.pending)
        killed = False
        with os.fdopen(reading) as pipe:
            for line in _whole_lines(pipe):
                killed |= "killed" in line
                if line.get("killed") == KillTarget.POSTMASTER and self._postgres:
                    self._postgres.start()
                self.clients.hear(line)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            killed = True
        elif os.waitstatus_to_exitcode(status):
            self.clients.wrong.append(f"server {self._seed} ended with status {status}")
        if killed:
            self.clients.kills[str(plan.victim)] += 1
        return killed

    def check(self) -> None:
        """Compare the database with what the clients know."""
        clients = self.clients
        store = open_store(self.address)
        try:
            looks = LedgerChecks()
            looks.look(store)
            clients.wrong += looks.wrong
            with store.read() as connection:
                asked = sorted(clients.acknowledged.keys() | clients.refused)
                known = known_commands(connection, asked)
            for who, version in clients.acknowledged.items():
                if who not in known:
                    clients.wrong.append(f"{who} was acknowledged and is lost")
                elif known[who].version != version:
                    clients.wrong.append(f"{who} was acknowledged as {version}")
            clients.wrong += [
                f"{who} was refused and is in the books"
                for who in clients.refused - clients.acknowledged.keys()
                if who in known
            ]
            clients.wrong += [str(difference) for difference in audit_house(store).differences]
        finally:
            store.close()


def _whole_lines(pipe: TextIOWrapper) -> Iterator[Data]:
    """Complete lines only: a killed process may leave half a line, which doesn't count."""
    for line in pipe:
        if line.endswith("\n"):
            yield json.loads(line)
