"""Separate duties: a second person approves, and nobody plays at a table they run."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, text

from tests.table.tables import START, LiveTable, Room
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.commands import VoidRound
from ventiuna.rules import load_rules
from ventiuna.table import admin, listings
from ventiuna.table.accounts import GiveRole, IssueMoney, handle_cashier_command
from ventiuna.table.admin import OperatorAction
from ventiuna.table.audit.house import audit
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.commands import Subject
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.handlers import Actor, ActorRole
from ventiuna.table.duties import (
    DAY,
    ApproveRequest,
    BlockPerson,
    RefuseRequest,
    SeparateDuties,
    UnblockPerson,
)
from ventiuna.table.jackpots.progressive import Correction, CreateJackpot, SeedJackpot, settings_of
from ventiuna.table.journal import append, lock_books
from ventiuna.table.ledger import EntryRequest, request_hash
from ventiuna.table.store.connection import Store
from ventiuna.table.writer import HouseContext

WHY = "a test"
PLAIN = "wsgc-spanish-21"
OWNER, ANA, BEN = 5, 6, 7
ROLES = {OWNER: ActorRole.OWNER, ANA: ActorRole.OPERATOR, BEN: ActorRole.OPERATOR}


def staff(number: int) -> Actor:
    return Actor(f"person/{number}", ROLES[number], str(number), f"player {number}")


class SeparateHouse:
    """A house with an owner, two operators, and separate duties."""

    def __init__(self, store: Store) -> None:
        self.room = Room(store, people=7)
        for number, role in ROLES.items():
            with self.room.store.write() as connection:
                give_role(connection, number, str(role))
        self.separate()

    def run(self, job: Callable[[Connection], object]) -> object:
        with self.room.store.write() as connection:
            return job(connection)

    def act(self, who: int, key: str = "") -> OperatorAction:
        return OperatorAction(staff(who), key or os.urandom(8).hex(), self.room.clock)

    def separate(self, is_on: bool = True) -> None:
        command = SeparateDuties(is_on, WHY)
        self.run(lambda conn: admin.separate_duties(conn, self.act(OWNER), command))

    def request(self, who: int, subject: Subject, number: int, command: object) -> int:
        act = self.act(who)
        found = self.run(lambda c: admin.request_approval(c, act, subject, number, command))
        assert isinstance(found, int)
        return found

    def approve(self, who: int, request: int) -> None:
        self.answer(who, ApproveRequest(request, "seen"))

    def answer(self, who: int, command: ApproveRequest | RefuseRequest) -> None:
        context = HouseContext(self.room.name, self.room.shoes)
        act = self.act(who)
        self.run(lambda conn: admin.answer_request(conn, context, act, command))

    def demote(self, who: int) -> None:
        command = GiveRole(who, "player", WHY)
        self.run(lambda conn: admin.change_person(conn, self.act(OWNER), command))

    def wallet(self, person: int) -> int:
        return self.room.balances()[f"wallet/{person}"]

    def lines(self) -> list[listings.ApprovalLine]:
        with self.room.store.read() as connection:
            return listings.list_approvals(connection, self.room.clock.now())

    def faults(self) -> list[str]:
        with self.room.store.read() as connection:
            return [one.what for one in audit(connection).differences]


def give_role(connection: Connection, who: int, role: str) -> None:
    first = Actor("house", ActorRole.OPERATOR)
    handle_cashier_command(connection, first, f"role/{who}", GiveRole(who, role, WHY), START)


@pytest.fixture
def house(store: Store) -> SeparateHouse:
    return SeparateHouse(store)


def refused(code: str, act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        act()
    assert caught.value.code is RefusalCode(code)
    return str(caught.value.message)


def test_money_needs_a_second_person(house: SeparateHouse) -> None:
    before = house.wallet(1)
    money = IssueMoney(1, 5_000, WHY)
    direct = "second person must approve"
    act = house.act(ANA)
    assert direct in refused(
        "not_allowed", lambda: house.run(lambda c: admin.change_person(c, act, money))
    )
    request = house.request(ANA, Subject.PERSON, 1, money)
    assert house.wallet(1) == before
    assert "yourself" in refused("not_allowed", lambda: house.approve(ANA, request))
    house.approve(BEN, request)
    assert house.wallet(1) == before + 5_000
    assert "already approved" in refused("stale", lambda: house.approve(OWNER, request))
    assert house.wallet(1) == before + 5_000
    (line,) = house.lines()
    assert (line.requested_by_name, line.answered_by_name) == ("player 6", "player 7")
    assert (line.title, line.details) == ("Issue play money to player 1", "$50")
    assert line.status == "approved"
    assert house.faults() == []


def test_a_request_can_be_refused_and_ends_after_a_day(house: SeparateHouse) -> None:
    before = house.wallet(1)
    first, second = (
        house.request(ANA, Subject.PERSON, 1, IssueMoney(1, cents, WHY)) for cents in (100, 200)
    )
    house.answer(BEN, RefuseRequest(first, "too soon"))
    assert "already refused" in refused("stale", lambda: house.approve(BEN, first))
    house.room.clock.at += DAY
    assert "after a day" in refused("stale", lambda: house.approve(BEN, second))
    assert "no request" in refused("stale", lambda: house.approve(BEN, 1))
    assert house.wallet(1) == before
    assert house.lines() == []
    assert house.faults() == []


def test_an_approved_command_is_for_its_request_only(house: SeparateHouse) -> None:
    request = house.request(ANA, Subject.PERSON, 1, IssueMoney(1, 100, WHY))
    act = house.act(ANA, f"approved/{request}")
    for money in (IssueMoney(1, 100, WHY), IssueMoney(2, 100, WHY)):
        refused("not_allowed", lambda: house.run(lambda c: admin.change_person(c, act, money)))  # noqa: B023
    house.approve(BEN, request)
    refused("key_reused", lambda: house.run(lambda c: admin.change_person(c, act, money)))


def test_a_void_needs_a_second_person(house: SeparateHouse) -> None:
    table = house.room.open(PLAIN).sit(1, 2).deal()
    refusal = table.refuses("not_allowed", staff(ANA), VoidRound("the lights went out"))
    assert "second person" in refusal.reason
    request = house.request(ANA, Subject.TABLE, table.number, VoidRound("the lights went out"))
    late = house.request(BEN, Subject.TABLE, table.number, VoidRound("the same"))
    number = table.state.rounds
    line = house.lines()[-1]
    assert (line.title, line.details) == ("Void the round at Table", f"round {number}")
    house.approve(BEN, request)
    house.room.restart()
    assert table.state.round is None
    # The round is over, so the other request no longer applies, and nothing is recorded.
    assert "no round" in refused("no_round", lambda: house.approve(ANA, late))
    house.room.clock.at += 1
    table.deal()
    assert "which is over" in refused("stale", lambda: house.approve(ANA, late))
    assert [line.status for line in house.lines()] == ["waiting", "approved"]
    assert house.faults() == []


def test_a_meter_correction_needs_a_second_person(house: SeparateHouse) -> None:
    rules = load_rules("wsgc-2021(jackpots=3c:1:seed=1000)")
    create = CreateJackpot("Meter", settings_of(rules, 1).data(), WHY)
    number = house.run(lambda c: admin.create_jackpot(c, house.act(OWNER), create))
    assert isinstance(number, int)
    seed = SeedJackpot(100_000, WHY)
    house.run(lambda c: admin.change_jackpot(c, house.act(OWNER), number, seed))
    up = Correction("up", 500, WHY)
    refused(
        "not_allowed",
        lambda: house.run(lambda c: admin.change_jackpot(c, house.act(ANA), number, up)),
    )
    shown = house.room.balances()[f"meter/{number}"]
    request = house.request(ANA, Subject.JACKPOT, number, up)
    (line,) = house.lines()
    assert (line.title, line.details) == ("Correct the meter of Meter", "up by $5")
    house.approve(BEN, request)
    assert house.room.balances()[f"meter/{number}"] == shown + 500
    assert house.faults() == []


def test_the_requester_must_still_have_the_role(house: SeparateHouse) -> None:
    request = house.request(ANA, Subject.PERSON, 1, IssueMoney(1, 100, WHY))
    house.demote(ANA)
    refused("not_allowed", lambda: house.approve(BEN, request))
    assert house.lines()[0].status == "waiting"


def test_the_approver_must_still_have_the_role(house: SeparateHouse) -> None:
    """The role counts when the request is answered, not when the approver opened the page."""
    request = house.request(ANA, Subject.PERSON, 1, IssueMoney(1, 100, WHY))
    before = house.wallet(1)
    house.demote(BEN)
    for answer in (ApproveRequest(request, "seen"), RefuseRequest(request, "no")):
        refused("not_allowed", lambda: house.answer(BEN, answer))  # noqa: B023
    assert house.lines()[0].status == "waiting"
    assert house.wallet(1) == before


@pytest.mark.parametrize("who", [ANA, BEN])
def test_a_blocked_person_neither_requests_nor_approves(house: SeparateHouse, who: int) -> None:
    request = house.request(ANA, Subject.PERSON, 1, IssueMoney(1, 100, WHY))
    house.run(lambda c: admin.change_person(c, house.act(OWNER), BlockPerson(who, WHY)))
    assert "is blocked" in refused("not_allowed", lambda: house.approve(BEN, request))
    unblock = UnblockPerson(who, WHY)
    other = house.act(BEN if who == ANA else ANA)
    refused("not_allowed", lambda: house.run(lambda c: admin.change_person(c, other, unblock)))
    house.run(lambda c: admin.change_person(c, house.act(OWNER), unblock))
    house.approve(BEN, request)
    assert house.faults() == []


def test_nobody_approves_money_for_themselves(house: SeparateHouse) -> None:
    request = house.request(ANA, Subject.PERSON, BEN, IssueMoney(BEN, 100, WHY))
    assert "concerns you" in refused("not_allowed", lambda: house.approve(BEN, request))
    house.approve(OWNER, request)
    assert house.faults() == []


def test_nobody_approves_at_a_table_where_they_play(house: SeparateHouse) -> None:
    """A second operator who is losing can't have the round voided."""
    table = house.room.open(PLAIN).sit(1, BEN).deal()
    request = house.request(ANA, Subject.TABLE, table.number, VoidRound(WHY))
    assert "where you play" in refused("not_allowed", lambda: house.approve(BEN, request))
    house.approve(OWNER, request)
    house.room.restart()
    assert table.state.round is None
    assert house.faults() == []


def test_nobody_approves_a_correction_of_their_own_round(house: SeparateHouse) -> None:
    table = house.room.open(PLAIN).sit(BEN).deal()
    while table.asks_for() is not AskKind.WAGERS:
        table.time_up()
    table.do(BEN, do.LeaveSeat())
    correction = do.CorrectRound(table.state.rounds - 1, BEN, 5_000, "R-062", None, WHY)
    request = house.request(ANA, Subject.TABLE, table.number, correction)
    assert "concerns you" in refused("not_allowed", lambda: house.approve(BEN, request))
    house.approve(OWNER, request)
    assert house.faults() == []


def test_an_operator_cannot_appoint_an_approver_of_their_own(house: SeparateHouse) -> None:
    """Otherwise, one person with two accounts could approve everything."""
    registered = "UPDATE person SET kind = 'registered', password = 'hash' WHERE id = 1"
    house.run(lambda conn: conn.execute(text(registered)))
    for command in (GiveRole(1, "operator", WHY), GiveRole(BEN, "player", WHY)):
        act = house.act(ANA)
        reason = refused(
            "not_allowed",
            lambda: house.run(lambda c: admin.change_person(c, act, command)),  # noqa: B023
        )
        assert "only an owner may appoint" in reason
    for who, role in ((ANA, "floor"), (OWNER, "operator")):
        act, command = house.act(who), GiveRole(1, role, WHY)
        house.run(lambda c: admin.change_person(c, act, command))  # noqa: B023
    assert house.faults() == []


def test_only_an_owner_sets_the_option(house: SeparateHouse) -> None:
    command = SeparateDuties(False, WHY)
    refused(
        "not_allowed",
        lambda: house.run(lambda c: admin.separate_duties(c, house.act(ANA), command)),
    )
    request = house.request(ANA, Subject.PERSON, 1, IssueMoney(1, 100, WHY))
    house.separate(False)
    house.run(lambda c: admin.change_person(c, house.act(ANA), IssueMoney(1, 100, WHY)))
    house.approve(BEN, request)
    assert house.faults() == []


def test_the_option_needs_two_operators(store: Store) -> None:
    house = SeparateHouse(store)
    house.separate(False)
    for number in (ANA, BEN):
        house.demote(number)
    assert "at least two operators" in refused("not_allowed", house.separate)


def test_nobody_plays_at_a_table_they_run(house: SeparateHouse) -> None:
    table, other = house.room.open(PLAIN), house.room.open(PLAIN)
    drop = do.DropBank(WHY)
    table.do(staff(ANA), drop)
    refusal = table.refuses("not_allowed", staff(ANA), do.TakeSeat(1))
    assert "you opened or managed this table" in refusal.reason
    other.do(staff(ANA), do.TakeSeat(1))
    table.do(staff(BEN), do.TakeSeat(2))
    assert "Leave your seat" in table.refuses("not_allowed", staff(BEN), drop).reason
    house.separate(False)
    table.do(staff(ANA), do.TakeSeat(1))
    table.do(staff(BEN), drop)
    assert house.faults() == []


def test_a_private_table_is_an_exception(house: SeparateHouse) -> None:
    rules = load_rules(PLAIN)
    act = OperatorAction(admin.owner_actor(ANA), "own", house.room.clock)
    context = HouseContext(house.room.name, house.room.shoes)
    number = house.run(lambda c: admin.open_own_table(c, context, act, "Ana's", rules))
    assert isinstance(number, int)
    table = LiveTable(house.room, number)
    table.do(staff(ANA), do.DropBank(WHY))
    table.do(staff(ANA), do.TakeSeat(1))
    table.do(staff(ANA), do.DropBank(WHY))


def test_without_the_option_nothing_changes(store: Store) -> None:
    house = SeparateHouse(store)
    house.separate(False)
    act = house.act(ANA)
    money = IssueMoney(1, 100, WHY)
    assert house.run(lambda c: admin.request_approval(c, act, Subject.PERSON, 1, money)) is None
    table = house.room.open(PLAIN).sit(1).deal()
    table.do(staff(ANA), VoidRound(WHY))
    table.do(staff(ANA), do.TakeSeat(2))
    assert house.faults() == []


def test_the_audit_finds_a_changed_option(house: SeparateHouse) -> None:
    house.run(lambda conn: conn.execute(text("UPDATE house SET separate_duties = 0")))
    assert house.faults() == ["row of the house, separate_duties"]


def test_the_audit_finds_what_nobody_approved(house: SeparateHouse) -> None:
    """Someone turns the option off in the database for a moment."""
    table = house.room.open(PLAIN).sit(1).deal()
    house.room.clock.at += 60_000
    house.run(lambda conn: conn.execute(text("UPDATE house SET separate_duties = 0")))
    house.run(lambda c: admin.change_person(c, house.act(ANA), IssueMoney(1, 100, WHY)))
    table.do(staff(ANA), VoidRound(WHY))
    house.run(lambda conn: conn.execute(text("UPDATE house SET separate_duties = 1")))
    assert house.faults() == ["its approval", "its approval"]


@pytest.mark.parametrize("by", [ANA, BEN])
def test_the_audit_finds_a_forged_approval(house: SeparateHouse, by: int) -> None:
    """The requester's own approval, and one whose command was never carried out."""
    request = house.request(ANA, Subject.PERSON, 1, IssueMoney(1, 100, WHY))

    def forge(connection: Connection) -> None:
        head = next(iter(lock_books(connection, [1]).values()))
        data = {"command": "ApproveRequest", "request": request, "reason": WHY}
        event = data | {"event": "RequestApproved"}
        del event["command"]
        entry, _ = head.next_entry(
            EntryRequest(staff(by).name, "forged", START, request_hash(data), data, [event], 1)
        )
        append(connection, [entry])

    house.run(forge)
    missing = f"request {request}, its command"
    assert house.faults() == (["its request", missing] if by == ANA else [missing])
