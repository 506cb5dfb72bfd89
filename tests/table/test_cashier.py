"""Play money enters and leaves through entries in the cashier's book that say who acted and why."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, text

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.table.accounts import (
    CASHIER_EVENTS,
    CashierCommand,
    GiveRole,
    IssueMoney,
    MoneyIssued,
    Person,
    RedeemMoney,
    add_guest,
    cashier_book,
    find_person,
    handle_cashier_command,
)
from ventiuna.table.admin import house_id
from ventiuna.table.domain.handlers import Actor, ActorRole
from ventiuna.table.journal import balances, read_entries, verify_book
from ventiuna.table.store.connection import Store

OPERATOR = Actor("person/9", ActorRole.OPERATOR, "9", "Operator")
WHY = "a test"


def _entropy(size: int) -> bytes:
    return bytes(size)


@pytest.fixture
def guest(store: Store) -> Person:
    with store.write() as connection:
        house_id(connection)
        return add_guest(connection, "Guest", 1, _entropy)


def _do(store: Store, key: str, command: CashierCommand) -> None:
    with store.write() as connection:
        handle_cashier_command(connection, OPERATOR, key, command, 1_000)


def _held(store: Store) -> dict[str, int]:
    with store.read() as connection:
        return balances(connection)


def test_money_is_issued_and_taken_back(store: Store, guest: Person) -> None:
    _do(store, "a", IssueMoney(guest.id, 50_000, WHY))
    _do(store, "b", RedeemMoney(guest.id, 20_000, WHY))
    assert _held(store) == {"mint": -30_000, f"wallet/{guest.id}": 30_000}
    with store.read() as connection:
        book = cashier_book(connection)
        verify_book(connection, book)
        first, second = read_entries(connection, book)
    assert [CASHIER_EVENTS.read(data) for data in first.event_data()] == [
        MoneyIssued(guest.id, 50_000, WHY)
    ]
    assert [(entry.actor, entry.key) for entry in (first, second)] == [
        ("person/9", "a"),
        ("person/9", "b"),
    ]


def test_a_duplicate_issues_no_more_money(store: Store, guest: Person) -> None:
    for _ in range(2):
        _do(store, "a", IssueMoney(guest.id, 50_000, WHY))
    assert _held(store)[f"wallet/{guest.id}"] == 50_000


def test_the_same_key_for_another_command_is_refused(store: Store, guest: Person) -> None:
    _do(store, "a", IssueMoney(guest.id, 50_000, WHY))
    with pytest.raises(Refused, match="already used for another command") as caught:
        _do(store, "a", IssueMoney(guest.id, 60_000, WHY))
    assert caught.value.code is RefusalCode.KEY_REUSED
    assert _held(store)[f"wallet/{guest.id}"] == 50_000


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (IssueMoney(99, 100, WHY), RefusalCode.NO_SUCH_PERSON),
        (IssueMoney(1, 0, WHY), RefusalCode.NOT_CENTS),
        (IssueMoney(1, -5, WHY), RefusalCode.NOT_CENTS),
        (IssueMoney(1, 10**30, WHY), RefusalCode.NOT_CENTS),
        (IssueMoney(1, 100, "  "), RefusalCode.NO_REASON),
        (IssueMoney(1, 100, "two\nlines"), RefusalCode.NO_REASON),
        (RedeemMoney(1, 1, WHY), RefusalCode.NOT_COVERED),
        (GiveRole(1, "king", WHY), RefusalCode.BAD_COMMAND),
    ],
)
def test_a_refused_cashier_command_leaves_no_trace(
    store: Store, guest: Person, command: CashierCommand, code: RefusalCode
) -> None:
    with pytest.raises(Refused) as caught:
        _do(store, "a", command)
    assert caught.value.code is code
    with store.read() as connection:
        assert _entries(connection) == 0
        assert set(balances(connection).values()) <= {0}


def _entries(connection: Connection) -> int:
    return int(connection.scalar(text("SELECT count(*) FROM entry")) or 0)


def test_a_role_is_granted_by_an_entry(store: Store, guest: Person) -> None:
    _do(store, "a", GiveRole(guest.id, "operator", WHY))
    with store.read() as connection:
        found = find_person(connection, "Guest")
        assert found is not None
        assert str(found.role) == "operator"
        assert _entries(connection) == 1
