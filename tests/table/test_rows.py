"""Many rows in one statement: they arrive unchanged, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import bindparam, select
from sqlalchemy.exc import DBAPIError

from ventiuna.table.store.connection import SqliteStore, Store
from ventiuna.table.store.schema import person, token
from ventiuna.table.store.statements import (
    Prepared,
    Values,
    delete_rows,
    find_rows,
    insert_rows,
    update_rows,
)

# Strings that are special to one database or the other.
ODD = (
    "",
    "NULL",
    "null",
    "{}",
    "a,b",
    '"',
    "\\",
    '\\"',
    "it's",
    " x ",
    "é ✓ 🂡",
    "%s",
    "$1",
    "\t\n",
)
PERSON = ("name", "kind", "role", "password", "failed", "created_at")
PERSONS: list[Values] = [
    *((f"{place}{odd}", "registered", "player", odd, place, -5) for place, odd in enumerate(ODD)),
    ("Guest 1", "guest", "player", None, 0, 2**63 - 1),
]
NAMES: list[Values] = [row[:1] for row in PERSONS]


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "house.sqlite")
    yield store
    store.close()


def test_rows_are_found_as_inserted_together_and_one_by_one(store: Store) -> None:
    with store.write() as connection:
        insert_rows(connection, person, PERSON, PERSONS)
    with store.read() as connection:
        found = find_rows(connection, person, PERSON, ("name",), NAMES)
        assert {tuple(row) for row in found} == set(PERSONS)
        for name, row in zip(NAMES, PERSONS, strict=True):
            [one] = find_rows(connection, person, PERSON, ("name",), [name])
            assert tuple(one) == row


@pytest.mark.parametrize("number", [2**63, 10**40, -(10**40)])
def test_no_row_has_a_number_beyond_64_bits(sqlite: SqliteStore, number: int) -> None:
    with sqlite.write() as connection:
        insert_rows(connection, person, PERSON, PERSONS)
        assert find_rows(connection, person, PERSON, ("id",), [(number,)]) == []
        assert len(find_rows(connection, person, PERSON, ("id",), [(number,), (1,)])) == 1


def test_each_row_gets_its_own_values(store: Store) -> None:
    changed: list[Values] = [(row[0], f"new {row[3]!s}") for row in PERSONS if row[3] is not None]
    with store.write() as connection:
        insert_rows(connection, person, PERSON, PERSONS)
        assert update_rows(connection, person, ("name",), ("password",), changed) == len(changed)
        found = find_rows(connection, person, ("name", "password"), ("name",), NAMES)
        assert {tuple(row) for row in found} == {*changed, ("Guest 1", None)}


def test_bytes_are_stored_and_named_rows_deleted(store: Store) -> None:
    digests = [bytes(range(place, place + 32)) for place in range(0, 224, 32)]
    with store.write() as connection:
        insert_rows(connection, person, PERSON, PERSONS[:1])
        owner = connection.scalar(select(person.c.id))
        rows: list[Values] = [(digest, owner, "access", 1) for digest in digests]
        insert_rows(connection, token, ("digest", "person_id", "purpose", "expires_at"), rows)
        assert set(connection.scalars(select(token.c.digest))) == set(digests)
        delete_rows(connection, token, ("digest",), [(digest,) for digest in digests[1:]])
        assert connection.scalars(select(token.c.digest)).all() == digests[:1]


@pytest.mark.parametrize("number", [1.5, "x", "1,2", "1}", "", b"1", 2**63])
def test_an_invalid_number_refuses_the_whole_statement(store: Store, number: object) -> None:
    rows = [*PERSONS[:2], (*PERSONS[2][:4], number, 0)]

    def insert() -> None:
        with store.write() as connection:
            insert_rows(connection, person, PERSON, rows)  # type: ignore[arg-type]

    with pytest.raises((DBAPIError, OverflowError)):
        insert()
    with store.read() as connection:
        assert connection.scalars(select(person.c.id)).all() == []


# --- precompiled queries ----------------------------------------------------------------------


def test_a_prepared_query_returns_the_same_as_the_query_itself(store: Store) -> None:
    """Includes the query's own values, such as a limit, and two columns with the same name."""
    other = person.alias("other")
    query = (
        select(person.c.name, other.c.name, person.c.password)
        .join(other, other.c.id == person.c.id)
        .where(person.c.failed >= bindparam("least"))
        .order_by(person.c.id)
        .limit(5)
    )
    prepared = Prepared(query)
    with store.write() as connection:
        insert_rows(connection, person, PERSON, PERSONS)
    with store.read() as connection:
        for least in (0, 3, 10**6):
            due = connection.execute(query, {"least": least}).all()
            found = prepared.all(connection, least=least)
            assert [tuple(row) for row in found] == [tuple(row) for row in due]
            assert prepared.first(connection, least=least) == (tuple(due[0]) if due else None)
        assert prepared.first(connection, least=3).password == ODD[3]
