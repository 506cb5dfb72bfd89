"""Kill servers, PostgreSQL backends and the postmaster with `kill -9`, hundreds of times.

Run it with python -m benchmarks.kill_soak --kills 240. A crowd plays at linked tables on SQLite and
on PostgreSQL while its server is killed at one point after another: before and after every
statement and commit. After each kill, the audit must find no differences, no acknowledged command
may be lost, and no unacknowledged command may count twice. Every point of a command that pays
awards and lets their winner leave is also tested. Ctrl-C stops and reports what was done.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tests.support.crowd import awards_paid, house_process, player, set_up_crowd_house, tables_of
from tests.support.kills import TABLES, KilledHouse, KillPlan, KillTarget
from tests.support.postgres import PrivatePostgres, private_postgres
from ventiuna.engine.commands import PlaceWagers, Stand
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.commands import TableCommand
from ventiuna.table.domain.events import AskKind
from ventiuna.table.store.connection import open_store
from ventiuna.table.writer import CommandRequest, Done

A_HOUSE = 21  # kills per house, so that its audit stays short
BATCHES = 8  # maximum per server
FURTHEST = 200  # maximum number of points that a server passes before it is killed


@dataclass
class Soaked:
    kills: Counter[str] = field(default_factory=Counter)
    houses: int = 0
    acknowledged: int = 0
    answers: int = 0
    sent_again: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, name: str, house: KilledHouse) -> None:
        clients = house.clients
        for victim, number in clients.kills.items():
            self.kills[f"{name}: {victim}"] += number
        self.houses += 1
        self.acknowledged += len(clients.acknowledged)
        self.answers += clients.answers
        self.sent_again += clients.sent_again
        self.wrong += [f"{name}: {wrong}" for wrong in clients.wrong]


# --- Random points ---


def kill_at_random(
    house: KilledHouse, kills: int, victims: Sequence[KillTarget], chance: random.Random
) -> None:
    """Kill `kills` times in one house; play continues, and the books must be in order."""
    clients = house.clients
    while clients.kills.total() < kills and not clients.wrong:
        victim = victims[clients.kills.total() % len(victims)]
        if house.run(KillPlan(victim, chance.randint(1, FURTHEST), BATCHES)):
            house.check()
    house.run(KillPlan(KillTarget.SERVER, 0, BATCHES))
    if clients.pending:
        clients.wrong.append("a command got no answer although nothing was killed")
    house.check()


# --- Every point of one command ---


def kill_at_every_point(house: KilledHouse, every: int) -> None:
    """Resend a command after each kill; in the end, it must have been executed exactly once."""
    house.clients.pending = [_award_and_leave(house.address)]
    for point in count(1, every):
        if not house.run(KillPlan(KillTarget.SERVER, point, 0)) or house.clients.wrong:
            break
        house.check()
    if len(house.clients.acknowledged) != 1:
        house.clients.wrong.append("the command was never executed")
    store = open_store(house.address)
    if not awards_paid(store):
        house.clients.wrong.append("nobody won an award")
    store.close()


def _award_and_leave(address: str) -> CommandRequest:
    """Prepare a table where the next command wins awards from two meters and a winner leaves."""
    store = open_store(address)
    try:
        server = house_process(store, random.Random(1), marks=(1,))
        set_up_crowd_house(server, 1)
        with store.read() as connection:
            (table,) = tables_of(connection)

        def ask() -> int | None:
            state = server.writer.table(table)
            return state.ask.number if state and state.ask else None

        def send(who: int, command: TableCommand) -> None:
            request = CommandRequest(table, player(who), f"k{next(keys)}", command, ask())
            outcome = server.writer.step([request]).outcomes[0]
            assert isinstance(outcome, Done), outcome

        keys = count(1)
        for who in (1, 2):
            send(who, do.TakeSeat(who))
            send(who, do.BuyChips(100_000))
        for who in (1, 2):
            send(who, do.Ready())
        for who in (1, 2):
            send(who, PlaceWagers(who, 1000, jackpots={1: 100, 2: 100}))
        for who in (1, 2):
            send(who, do.Ready())
        state = server.writer.table(table)
        assert state is not None
        assert state.ask is not None
        assert state.ask.kind is AskKind.DECISION
        send(2, do.LeaveSeat())
        return CommandRequest(table, player(1), "the award", Stand(1), ask())
    finally:
        store.close()


# --- Everything ---


def furnished(address: str) -> str:
    store = open_store(address)
    set_up_crowd_house(house_process(store, random.Random(7)), TABLES)
    store.close()
    return address


def soak_sqlite(soaked: Soaked, kills: int, seed: int, every: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        house = KilledHouse(str(Path(folder) / "award.sqlite"))
        kill_at_every_point(house, every)
        soaked.add("SQLite, in an award", house)
        for number, some in enumerate(_by_houses(kills)):
            if not soaked.wrong:
                house = KilledHouse(furnished(str(Path(folder) / f"{number}.sqlite")))
                kill_at_random(house, some, (KillTarget.SERVER,), random.Random(seed + number))
                soaked.add("SQLite", house)


def soak_postgres(
    soaked: Soaked, kills: int, seed: int, every: int, server: PrivatePostgres
) -> None:
    """Kill server, backend, postmaster, server, …"""
    house = KilledHouse(server.new_house())
    kill_at_every_point(house, every)
    soaked.add("PostgreSQL, in an award", house)
    chance = random.Random(seed)
    for some in _by_houses(kills):
        if not soaked.wrong:
            house = KilledHouse(furnished(server.new_house()), server)
            kill_at_random(house, some, tuple(KillTarget), chance)
            soaked.add("PostgreSQL", house)


def _by_houses(kills: int) -> list[int]:
    return [min(A_HOUSE, kills - done) for done in range(0, kills, A_HOUSE)]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser("benchmarks.kill_soak", description=__doc__)
    parser.add_argument(
        "--kills",
        type=int,
        default=240,
        help="number of kills, half on each database, in addition to those during an award",
    )
    parser.add_argument("--every", type=int, default=1, help="kill at every Nth point of the award")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=("both", "sqlite", "postgresql"), default="both")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    soaked = Soaked()
    try:
        if options.database != "postgresql":
            soak_sqlite(soaked, options.kills // 2, options.seed, options.every)
        if options.database != "sqlite":
            with private_postgres() as server:
                soak_postgres(soaked, options.kills // 2, options.seed, options.every, server)
    except KeyboardInterrupt:
        print("Stopped. Houses finished so far:", file=sys.stderr)
    if options.json:
        print(json.dumps({**vars(soaked), "seconds": round(time.monotonic() - began, 1)}, indent=1))
    else:
        for name, number in soaked.kills.items():
            print(f"{number:5} kills: {name}")
        print(
            f"{soaked.acknowledged:,} acknowledged commands in {soaked.houses} houses, "
            f"{soaked.sent_again:,} resent, {soaked.answers:,} answers, "
            f"{time.monotonic() - began:.0f} s."
        )
        print("\n".join(soaked.wrong) or "Nothing lost, nothing half-finished, every audit clean.")
    return 1 if soaked.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
