"""Blocks, self-exclusion and limits: recorded, enforced, and checked by the audit."""

from __future__ import annotations

import os

import pytest
from sqlalchemy import text

from tests.table.tables import OPERATOR, Room, player
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.rules import load_rules
from ventiuna.table.access import (
    PersonError,
)
from ventiuna.table.accounts import (
    CashierCommand,
    IssueMoney,
    handle_cashier_command,
    issue_tokens,
    person_of,
    valid_tokens,
)
from ventiuna.table.accounts import digest_of as digest
from ventiuna.table.audit.house import audit
from ventiuna.table.domain import commands as do
from ventiuna.table.duties import (
    DAY,
    BlockPerson,
    ExcludePerson,
    LimitPerson,
    UnblockPerson,
    check_lowers,
    restriction_of,
)
from ventiuna.table.store.connection import Store

WHY = "a test"
PLAIN = load_rules("wsgc-spanish-21")


@pytest.fixture
def room(store: Store) -> Room:
    return Room(store)


def act(room: Room, command: CashierCommand, at: int = 0) -> None:
    with room.store.write() as connection:
        now = at or room.clock.now()
        handle_cashier_command(connection, OPERATOR, os.urandom(8).hex(), command, now)


def faults(room: Room) -> list[str]:
    with room.store.read() as connection:
        return [one.what for one in audit(connection).differences]


def test_a_blocked_person_gets_no_seat_and_no_tokens(room: Room) -> None:
    table = room.open(PLAIN)
    with room.store.write() as connection:
        tokens = issue_tokens(connection, person_of(connection, 1), 1, os.urandom)
    act(room, BlockPerson(1, WHY))
    with room.store.read() as connection:
        assert not valid_tokens(connection, [digest(tokens.access)], 2)
        with pytest.raises(PersonError, match="is blocked"):
            restriction_of(connection, 1).check_admitted(2)
    assert "blocked" in table.refuses("not_allowed", player(1), do.TakeSeat(1)).reason
    act(room, UnblockPerson(1, WHY))
    table.sit(1)
    assert faults(room) == []


def test_an_exclusion_cannot_be_shortened(room: Room) -> None:
    table = room.open(PLAIN)
    now = room.clock.now()
    act(room, ExcludePerson(1, now + 2 * DAY, WHY))
    for until in (now + DAY, now + 2 * DAY):
        with pytest.raises(Refused, match="can't be shortened"):
            act(room, ExcludePerson(1, until, WHY))
    act(room, UnblockPerson(1, WHY))  # doesn't end it
    assert "excluded" in table.refuses("not_allowed", player(1), do.TakeSeat(1)).reason
    act(room, ExcludePerson(1, now + 3 * DAY, WHY))
    with room.store.read() as connection:
        found = restriction_of(connection, 1)
    assert found.excluded_until == now + 3 * DAY
    found.check_admitted(now + 3 * DAY)
    assert faults(room) == []


def test_limits_count_the_last_24_hours(room: Room) -> None:
    now = room.clock.now() + 2 * DAY
    act(room, LimitPerson(1, 50_000, None, WHY))
    act(room, IssueMoney(1, 30_000, WHY), now)
    with pytest.raises(Refused, match=r"\$200.00 of it is left") as caught:
        act(room, IssueMoney(1, 20_001, WHY), now + 1)
    assert caught.value.code is RefusalCode.NOT_ALLOWED
    act(room, IssueMoney(1, 20_000, WHY), now + 1)
    act(room, IssueMoney(1, 30_000, WHY), now + DAY)
    assert faults(room) == []


def test_a_loss_limit_caps_the_chips_bought(room: Room) -> None:
    table = room.open(PLAIN)
    act(room, LimitPerson(1, None, 10_000, WHY))
    table.sit(1, chips=0)
    refused = table.refuses("not_allowed", player(1), do.BuyChips(10_001))
    assert "lose $100" in refused.reason
    table.send(player(1), do.BuyChips(10_000))
    table.refuses("not_allowed", player(1), do.BuyChips(100))
    table.send(player(1), do.CashOut(5_000))
    table.send(player(1), do.BuyChips(5_000))
    assert faults(room) == []


def test_people_may_only_lower_their_limits(room: Room) -> None:
    act(room, LimitPerson(1, 50_000, None, WHY))
    with room.store.read() as connection:
        before = restriction_of(connection, 1)
    check_lowers(before, 50_000, 1)
    for deposit in (50_001, None):
        with pytest.raises(Refused, match="only lower"):
            check_lowers(before, deposit, None)


@pytest.mark.parametrize(
    "change", ["blocked = 0", "excluded_until = 5", "deposit_limit = NULL", "loss_limit = 7"]
)
def test_a_changed_restriction_is_found(room: Room, change: str) -> None:
    act(room, BlockPerson(1, WHY))
    act(room, LimitPerson(1, 50_000, 60_000, WHY))
    assert faults(room) == []
    with room.store.write() as connection:
        connection.execute(text(f"UPDATE restriction SET {change}"))
    assert faults(room) == ["row of person 1, restrictions"]
