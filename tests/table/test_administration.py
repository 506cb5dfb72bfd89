"""Operator actions on both databases: done once, atomic, and recorded in the books."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from threading import Barrier, Thread

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from tests.table.tables import OPERATOR, Room
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.rules import load_rules, rules_data
from ventiuna.table import accounts, admin, listings
from ventiuna.table.access import Role as PersonRole
from ventiuna.table.admin import OpenedTable, OperatorAction
from ventiuna.table.audit.house import audit
from ventiuna.table.domain.commands import OpenTable
from ventiuna.table.domain.handlers import Actor, ActorRole
from ventiuna.table.jackpots.progressive import (
    CorrectDown,
    CorrectUp,
    CreateJackpot,
    MeterCommand,
    RemoveJackpot,
    SeedJackpot,
    SuspendJackpot,
    TakeReceipts,
    settings_of,
)
from ventiuna.table.journal import read_heads
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import person
from ventiuna.table.writer import HouseContext

RULES = load_rules("wsgc-2021(jackpots=3c:1:seed=1000+4d:1:seed=500)")
PLAIN = load_rules("wsgc-spanish-21")
WHY = "a test"


@dataclass
class Office:
    """An operator in a house."""

    room: Room
    keys: count[int] = field(default_factory=lambda: count(1))

    def act(self, key: str = "") -> OperatorAction:
        return OperatorAction(OPERATOR, key or f"act {next(self.keys)}", self.room.clock)

    def run(self, job: Callable[[Connection], OpenedTable | int | None]) -> object:
        return admin.run_action(self.room.writer, job)

    def open(
        self, linked: Mapping[int, int] | None = None, key: str = "", reason: str = WHY
    ) -> OpenedTable:
        act = self.act(key)
        command = OpenTable("Den", rules_data(RULES), reason=reason)
        house = HouseContext(self.room.name, self.room.shoes)
        opened = self.run(
            lambda connection: admin.open_table(connection, house, act, command, linked)
        )
        assert isinstance(opened, OpenedTable)
        return opened

    def create(self, game: int = 1, key: str = "") -> int:
        act = self.act(key)
        command = CreateJackpot("Big", settings_of(RULES, game).data(), WHY)
        made = self.run(lambda conn: admin.create_jackpot(conn, act, command))
        assert isinstance(made, int)
        return made

    def heads(self) -> object:
        with self.room.store.read() as connection:
            return read_heads(connection)


@pytest.fixture
def office(store: Store) -> Office:
    return Office(Room(store, people=2))


def test_a_table_opens_with_its_own_meters(office: Office) -> None:
    opened = office.open()
    assert opened.jackpots.keys() == {1, 2}
    with office.room.store.read() as connection:
        shown = {one.jackpot.number: one for one in listings.list_jackpots(connection)}
        assert [shown[number].shown for _, number in sorted(opened.jackpots.items())] == [
            100_000,
            50_000,
        ]
        assert admin.jackpots_of(connection, opened.number) == opened.jackpots
        assert audit(connection).holds


def test_a_table_opens_with_a_given_meter(office: Office) -> None:
    shared = office.create()
    first, second = office.open({1: shared}), office.open({1: shared})
    assert first.jackpots[1] == second.jackpots[1] == shared
    assert first.jackpots[2] != second.jackpots[2]


def test_a_table_that_cannot_be_linked_is_not_opened(office: Office) -> None:
    other = office.create(game=2)
    before = office.heads()
    for linked in ({1: other}, {1: 987_654}, {3: other}):
        with pytest.raises(Refused):
            office.open(linked)
    with pytest.raises(Refused, match="reason"):
        office.open(reason=" ")
    assert office.heads() == before


def test_a_duplicate_has_no_effect(office: Office) -> None:
    first = office.open(key="the same")
    jackpot = office.create(key="one jackpot")
    before = office.heads()
    assert office.open(key="the same") == first
    assert office.create(key="one jackpot") == jackpot
    assert office.heads() == before
    with pytest.raises(Refused) as refused:
        office.create(game=2, key="one jackpot")
    assert refused.value.code is RefusalCode.KEY_REUSED


def test_concurrent_duplicates_run_once(office: Office) -> None:
    jackpot = office.create()
    act, together = office.act("at once"), Barrier(4, timeout=60)
    command = SeedJackpot(500, WHY)

    def seed() -> None:
        together.wait()
        office.run(lambda conn: admin.change_jackpot(conn, act, jackpot, command))

    threads = [Thread(target=seed) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with office.room.store.read() as connection:
        assert listings.find_jackpot(connection, jackpot).shown == 100_500


def test_actions_with_an_unknown_commit_outcome_run_once(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The actions were committed without confirmation; the same key finds them."""
    plain = office.room.store.write
    lost: list[str] = []

    @contextmanager
    def losing() -> Iterator[Connection]:
        with plain() as connection:
            yield connection
        if lost:
            lost.pop()
            raise OperationalError("COMMIT", {}, Exception("the server is away"))

    def changed(number: int, command: MeterCommand | RemoveJackpot) -> None:
        act = office.act()
        lost.append("this commit")
        office.run(lambda conn: admin.change_jackpot(conn, act, number, command))
        assert lost == []

    monkeypatch.setattr(office.room.store, "write", losing)
    lost.append("this commit")
    first = office.create()
    second = office.create()
    changed(first, SeedJackpot(500, WHY))
    changed(first, CorrectUp(70, WHY))
    changed(first, SuspendJackpot(WHY))
    changed(first, RemoveJackpot(second, WHY))
    with office.room.store.read() as connection:
        versions = {number: head.version for number, head in read_heads(connection).items()}
        assert (versions[first], versions[second]) == (5, 2)
        assert audit(connection).holds


def test_only_operators_act(office: Office) -> None:
    with pytest.raises(Refused) as refused:
        OperatorAction(Actor("person/1", ActorRole.PLAYER, "1", "Ann"), "k", office.room.clock)
    assert refused.value.code is RefusalCode.NOT_ALLOWED


def test_roles_need_a_password_and_the_last_operator_stays(office: Office) -> None:
    with office.room.store.write() as connection:
        for number, name in ((first := 51, "A"), (second := 52, "B")):
            rest = {"kind": "registered", "role": "player", "password": "x", "failed": 0}
            connection.execute(person.insert().values(id=number, name=name, created_at=0, **rest))

    def give(person: int, role: str) -> None:
        act = office.act()
        command = accounts.GiveRole(person, role, WHY)
        office.run(lambda conn: admin.change_person(conn, act, command))

    give(first, "operator")
    with pytest.raises(Refused, match="last operator"):
        give(first, "player")
    give(second, "operator")
    give(first, "player")
    with pytest.raises(Refused, match="guest"):
        give(1, "auditor")
    with pytest.raises(Refused, match="There is no person"):
        give(987_654, "player")
    with office.room.store.read() as connection:
        roles = {line.person.name: line.person.role for line in listings.list_people(connection)}
    assert (roles["A"], roles["B"]) == (PersonRole.PLAYER, PersonRole.OPERATOR)


def test_only_owners_appoint_owners_once_there_is_one(office: Office) -> None:
    with office.room.store.write() as connection:
        for number, name in ((61, "A"), (62, "B")):
            rest = {"kind": "registered", "role": "player", "password": "x", "failed": 0}
            connection.execute(person.insert().values(id=number, name=name, created_at=0, **rest))

    def give(actor: Actor, person: int, role: str) -> None:
        act = OperatorAction(actor, f"act {next(office.keys)}", office.room.clock)
        command = accounts.GiveRole(person, role, WHY)
        office.run(lambda conn: admin.change_person(conn, act, command))

    owner = Actor("person/61", ActorRole.OWNER, "61", "A")
    give(OPERATOR, 61, "owner")  # the first one
    give(OPERATOR, 62, "floor")
    with pytest.raises(Refused, match="Only the owner"):
        give(OPERATOR, 62, "owner")
    with pytest.raises(Refused, match="Only the owner"):
        give(OPERATOR, 61, "operator")
    give(owner, 62, "operator")
    with pytest.raises(Refused, match="last owner"):
        give(owner, 61, "operator")
    supervisor = Actor("person/62", ActorRole.FLOOR, "62", "B")
    with pytest.raises(Refused, match="Only the operator"):
        give(supervisor, 62, "operator")
    act = OperatorAction(supervisor, "issue", office.room.clock)
    money = accounts.IssueMoney(61, 100, WHY)
    with pytest.raises(Refused, match="Only the operator"):
        office.run(lambda conn: admin.change_person(conn, act, money))


def test_rounds_are_found_by_who_played_them(office: Office) -> None:
    table = office.room.open(PLAIN)
    table.sit(1)
    table.deal()
    with office.room.store.read() as connection:
        (mine,) = listings.rounds_of_person(connection, 1)
        assert listings.rounds_of_person(connection, 2) == []
        assert listings.rounds_of_person(connection, 1, before=mine.at) == []
        assert (mine.table, mine.number, mine.spots) == (table.number, 1, (1,))
        assert (mine.net is None) == (mine.outcome == "open")
        assert listings.played_in(connection, 1, table.number, 1)
        assert not listings.played_in(connection, 2, table.number, 1)
        assert not listings.played_in(connection, 1, table.number, 2)


# --- meter corrections ------------------------------------------------------------------------


def change(office: Office, jackpot: int, command: MeterCommand) -> None:
    act = office.act()
    office.run(lambda conn: admin.change_jackpot(conn, act, jackpot, command))


def refuses(office: Office, jackpot: int, command: MeterCommand) -> str:
    before = office.heads()
    with pytest.raises(Refused) as refused:
        change(office, jackpot, command)
    assert refused.value.code is RefusalCode.CORRECTION_LIMIT
    assert office.heads() == before
    return refused.value.message


def test_daily_corrections_are_limited(office: Office) -> None:
    """The limit is a tenth of the displayed $1,000; up and down both count."""
    jackpot = office.create()
    change(office, jackpot, CorrectDown(6_000, WHY))
    change(office, jackpot, CorrectUp(3_000, WHY))
    told = refuses(office, jackpot, CorrectDown(1_001, WHY))
    assert told.startswith(
        "Corrections can change this meter by at most $100.00 per day, and $10.00 "
    )
    change(office, jackpot, CorrectDown(999, WHY))
    office.room.clock.at += 24 * 3_600_000
    change(office, jackpot, CorrectDown(5_000, WHY))


def test_a_correction_does_not_turn_players_money_into_receipts(office: Office) -> None:
    jackpot = office.create()
    change(office, jackpot, CorrectDown(4_000, WHY))
    assert refuses(office, jackpot, TakeReceipts(1, WHY)) == (
        "$40.00 of the reserve was taken off the display by corrections and belongs to "
        "the players. At most $0.00 can be taken out."
    )
    # Moves money from the reserve to the displayed amount.
    change(office, jackpot, SeedJackpot(4_000, WHY))
    change(office, jackpot, CorrectUp(2_000, WHY))
    change(office, jackpot, CorrectDown(2_000, WHY))  # the house's own money
    change(office, jackpot, TakeReceipts(2_000, WHY))
    with office.room.store.read() as connection:
        assert audit(connection).holds
