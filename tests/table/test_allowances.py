"""Rate limits: counted across all processes and restored over time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.table.conftest import Database
from ventiuna.table.accounts import forget_expired_limits, use_rate_limit
from ventiuna.table.store.connection import Store, open_store

NOW = 1_790_000_000_000
MINUTE = 60_000


def ask(store: Store, address: str = "10.0.0.1", at: int = 0, what: str = "log-ins") -> int:
    with store.write() as connection:
        return use_rate_limit(connection, what, address, maximum=2, per=MINUTE, now=NOW + at)


def test_an_allowance_refills_over_time(store: Store) -> None:
    assert [ask(store), ask(store), ask(store)] == [0, 0, 30_000]
    assert ask(store, at=10_000) == 20_000
    assert ask(store, "10.0.0.2") == 0
    assert ask(store, what="new guests") == 0
    assert ask(store, at=30_000) == 0
    assert ask(store, at=30_000) == 30_000
    assert [ask(store, at=500_000) for _ in range(3)] == [0, 0, 30_000], "never above the maximum"


def test_processes_share_the_limits(database: Database) -> None:
    stores = [open_store(database.program)]
    if database.name == "postgresql":  # a SQLite house has only one process
        stores.append(open_store(database.program))
    with ThreadPoolExecutor(4) as pool:
        waits = list(pool.map(ask, stores * 4))
    for one in stores:
        one.close()
    assert waits.count(0) == 2


def test_full_allowances_are_deleted(store: Store) -> None:
    ask(store)
    with store.write() as connection:
        assert forget_expired_limits(connection, NOW + 29_999) == 0
        assert forget_expired_limits(connection, NOW + 30_000) == 1
