"""A short bank test: processes on PostgreSQL, threads on SQLite."""

from __future__ import annotations

import random

from tests.support.crowd import (
    Crowd,
    LedgerChecks,
    audit_house,
    bank_test,
    house_process,
    set_up_crowd_house,
)
from tests.table.conftest import Database
from ventiuna.table.store.connection import Store

SECONDS = 0.5  # benchmarks/bank_soak.py plays for minutes


def test_money_is_neither_created_nor_lost_while_many_play(database: Database) -> None:
    in_processes = database.name == "postgresql"
    found = bank_test(database.program, SECONDS, 3, 2, in_processes=in_processes)
    assert found.wrong == []
    assert found.deadlocks == 0
    assert found.tally.outcomes["done"]
    assert found.looks.number > 1


def test_the_check_finds_created_money_and_accounts_out_of_bounds() -> None:
    looks = LedgerChecks()
    looks.judge({"mint": -5, "wallet/1": 5, "bank/2": -7, "house": 7})
    assert (looks.number, looks.wrong) == (1, [])
    looks.judge({"mint": 4, "stack/1/2": -5})
    assert looks.wrong == ["all balances are -1", "mint holds 4", "stack/1/2 holds -5"]


def test_a_crowd_in_one_process_wins_awards_and_passes_the_audit(store: Store) -> None:
    """Seats leave with their awards in seat order, whichever process folds them (R-095)."""
    chance = random.Random(1)
    server = house_process(store, chance, marks=(1, 2))
    set_up_crowd_house(server, 2)
    crowd = Crowd(server, "bot", chance)
    awards = 0
    for _ in range(30):
        tables = crowd.tables()
        step = server.writer.step(crowd.batch(tables) + crowd.time_ups(tables))
        assert step.faults == []
        awards += sum(
            bool(getattr(event, "meter", 0)) for update in step.updates for event in update.events
        )
        if chance.random() < 0.2:
            server.writer.forget(tables)  # forces a reload
    assert awards
    assert [str(difference) for difference in audit_house(store).differences] == []
