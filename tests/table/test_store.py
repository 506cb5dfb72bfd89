"""Opening a house: settings, the lock, revisions, roles."""

from __future__ import annotations

from sqlalchemy import text

from ventiuna.table.store.opening import Store


def test_a_fresh_house(store: Store) -> None:
    with store.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM posting_kind")) == 36
