"""Blocks, self-exclusion and limits: recorded, enforced, and checked by the audit."""

from __future__ import annotations

import os
from dataclasses import astuple

import pytest
from sqlalchemy import text

from tests.table.tables import OPERATOR, Room, player
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.commands import PlaceWagers, WithdrawWagers
from ventiuna.rules import load_rules
from ventiuna.table.access import (
    PersonError,
)
from ventiuna.table.accounts import (
    CashierCommand,
    IssueMoney,
    RenameGuest,
    handle_cashier_command,
    issue_tokens,
    person_of,
    valid_tokens,
)
from ventiuna.table.accounts import digest_of as digest
from ventiuna.table.audit.house import audit
from ventiuna.table.domain import commands as do
from ventiuna.table.duties import (
    COOLING_OFF,
    DAY,
    BlockPerson,
    ExcludePerson,
    LimitOneself,
    LimitPerson,
    UnblockPerson,
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
    act(room, LimitPerson(1, 50_000, None, None, WHY))
    act(room, IssueMoney(1, 30_000, WHY), now)
    with pytest.raises(Refused, match=r"\$200.00 of that is left") as caught:
        act(room, IssueMoney(1, 20_001, WHY), now + 1)
    assert caught.value.code is RefusalCode.NOT_ALLOWED
    act(room, IssueMoney(1, 20_000, WHY), now + 1)
    act(room, IssueMoney(1, 30_000, WHY), now + DAY)
    assert faults(room) == []


def test_a_loss_limit_caps_the_chips_bought(room: Room) -> None:
    table = room.open(PLAIN)
    act(room, LimitPerson(1, None, 10_000, None, WHY))
    table.sit(1, chips=0)
    refused = table.refuses("not_allowed", player(1), do.BuyChips(10_001))
    assert "$100.00 may be lost" in refused.reason
    table.send(player(1), do.BuyChips(10_000))
    table.refuses("not_allowed", player(1), do.BuyChips(100))
    table.send(player(1), do.CashOut(5_000))
    table.send(player(1), do.BuyChips(5_000))
    assert faults(room) == []


def test_a_wager_limit_counts_all_tables(room: Room) -> None:
    tables = [room.open(PLAIN) for _ in range(2)]
    for table in tables:
        table.sit(1, chips=20_000).cut()
    act(room, LimitPerson(1, None, None, 5_000, WHY))
    first, second = tables
    first.send(player(1), PlaceWagers(1, 2_000))
    first.send(player(1), PlaceWagers(1, 3_000))  # replaces the first wager
    refused = second.refuses("not_allowed", player(1), PlaceWagers(1, 2_001))
    assert refused.reason == ("At most $50.00 may be wagered in 24 hours; $20.00 of that is left.")
    second.send(player(1), PlaceWagers(1, 1_500))
    first.send(player(1), WithdrawWagers(1))
    first.refuses("not_allowed", player(1), PlaceWagers(1, 3_600))
    first.send(player(1), PlaceWagers(1, 3_500))
    assert faults(room) == []


@pytest.mark.parametrize("command", [do.BuyChips(6_000), PlaceWagers(1, 6_000)])
def test_commands_of_one_batch_count_together(room: Room, command: do.TableCommand) -> None:
    tables = [room.open(PLAIN) for _ in range(2)]
    for table in tables:
        table.sit(1, chips=20_000).cut()
    act(room, LimitPerson(1, None, 50_000, 10_000, WHY))
    one, two = tables
    found = one.step(one.request(player(1), command), two.request(player(1), command))
    assert [type(result).__name__ for result in found.outcomes] == ["Done", "Refusal"]


def limits_of(room: Room, at: int) -> tuple[int | None, ...]:
    with room.store.read() as connection:
        return astuple(restriction_of(connection, 1).limits(at))


def test_ones_own_limits_are_lowered_at_once_and_raised_after_the_cooling_off(room: Room) -> None:
    now = room.clock.now()
    act(room, LimitOneself(1, 50_000, None, 9_000, WHY), now)
    assert limits_of(room, now) == (50_000, None, 9_000)
    act(room, LimitOneself(1, 60_000, 7_000, 9_000, WHY), now + 1)
    later = now + 1 + COOLING_OFF
    assert limits_of(room, later - 1) == (50_000, 7_000, 9_000)
    assert limits_of(room, later) == (60_000, 7_000, 9_000)
    # Lowering a waiting limit doesn't restart its waiting time; raising it does.
    act(room, LimitOneself(1, 55_000, 7_000, 8_000, WHY), now + 2)
    assert limits_of(room, later - 1) == (50_000, 7_000, 8_000)
    assert limits_of(room, later) == (55_000, 7_000, 8_000)
    act(room, LimitOneself(1, None, None, 8_000, WHY), now + 3)
    assert limits_of(room, later + 1) == (50_000, 7_000, 8_000)
    assert limits_of(room, later + 2) == (None, None, 8_000)
    act(room, LimitOneself(1, 1_000, None, 8_000, WHY), later + 2)
    assert limits_of(room, later + 2) == (1_000, None, 8_000)
    # The house's limits are its own: nothing the person chooses raises them.
    act(room, LimitPerson(1, 2_000, 3_000, None, WHY), later + 2)
    assert limits_of(room, later + 2) == (1_000, 3_000, 8_000)
    act(room, LimitPerson(1, None, None, None, WHY), later + 3)
    assert limits_of(room, later + 3) == (1_000, None, 8_000)
    assert faults(room) == []


@pytest.mark.parametrize(
    "change",
    ["blocked = 0", "excluded_until = 5", "house_deposit = NULL", "own_loss = 7", "later_at = 1"],
)
def test_a_changed_restriction_is_found(room: Room, change: str) -> None:
    act(room, BlockPerson(1, WHY))
    act(room, LimitPerson(1, 50_000, 60_000, None, WHY))
    assert faults(room) == []
    with room.store.write() as connection:
        connection.execute(text(f"UPDATE restriction SET {change}"))
    assert faults(room) == ["row of person 1, restrictions"]


def test_a_guest_with_a_seat_keeps_the_name(room: Room) -> None:
    table = room.open(PLAIN)
    table.sit(1, chips=0)
    with pytest.raises(Refused, match="Leave your seat first"):
        act(room, RenameGuest(1, "Zoë", WHY))
    table.send(player(1), do.LeaveSeat())
    act(room, RenameGuest(1, "Zoë", WHY))
    assert faults(room) == []
    with room.store.write() as connection:
        connection.execute(text("UPDATE person SET name = 'Someone' WHERE id = 1"))
    assert faults(room) == ["row of person 1, name"]
