"""A key that doesn't open the shoes: the house refuses it until an operator replaces the key."""

from __future__ import annotations

import pytest

from tests.support.entropy import TestEntropy
from tests.table.tables import LiveTable, Room
from ventiuna.engine.commands import Hit
from ventiuna.engine.events import RoundVoided
from ventiuna.table.admin import WrongHouseKey, check_house_key, lost_shoe_requests, lost_shoes
from ventiuna.table.domain.commands import LoseShoes, Ready
from ventiuna.table.domain.events import AskKind, RoundClosed, ShoeCommitted, ShoeLost
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.domain.handlers import CLOCK, Actor, ActorRole
from ventiuna.table.fairness import HouseKey
from ventiuna.table.listings import public_record
from ventiuna.table.shoe_record import RecordError
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import shoe
from ventiuna.table.writer import CommandRequest, Done, Refusal

OPERATOR = Actor("person/99", ActorRole.OPERATOR, "99", "Olga")
LOST = "the key file was deleted"


class KeylessRoom(Room):
    """A house whose key gets replaced."""

    key = HouseKey(bytes(32))

    @property
    def shoes(self) -> HouseShoeFactory:
        return HouseShoeFactory(self.key, self.entropy)

    def lose_key(self) -> None:
        self.key = HouseKey(bytes(range(32)))
        self.entropy = TestEntropy(2)
        self.restart()

    def found(self) -> list[CommandRequest]:
        """The requests for the tables when an operator replaces the key."""
        with self.store.read() as connection:
            return lost_shoe_requests(lost_shoes(connection, self.shoes), OPERATOR, LOST)


@pytest.fixture
def room(store: Store) -> KeylessRoom:
    return KeylessRoom(store)


def _lose(table: LiveTable, room: KeylessRoom) -> None:
    room.lose_key()
    step = table.step(*room.found())
    assert all(isinstance(outcome, Done) for outcome in step.outcomes)


def test_the_open_round_is_void_and_its_shoe_ends_unrevealed(room: KeylessRoom) -> None:
    table = room.open().sit(1, 2)
    before = room.balances()
    table.deal()
    _lose(table, room)
    events = table.updates[-1].events
    kinds = [type(event) for event in events]
    assert kinds[:3] == [RoundVoided, RoundClosed, ShoeLost]
    assert [event.shoe for event in events if isinstance(event, ShoeLost)] == [1, 2]
    assert [event.shoe for event in events if isinstance(event, ShoeCommitted)] == [3]
    assert room.balances() == before
    with room.store.read() as connection:
        rows = {
            row.number: (row.lost, row.seed, row.closed_version)
            for row in connection.execute(shoe.select())
        }
        version = table.loaded().head.version
        assert rows == {1: (1, None, version), 2: (1, None, version), 3: (0, None, None)}
        with pytest.raises(RecordError, match="key was lost"):
            public_record(connection, table.number, 1)


def test_play_continues_with_the_new_key(room: KeylessRoom) -> None:
    table = room.open().sit(1).deal()
    _lose(table, room)
    table.deal()
    assert table.loaded().in_play == table.state.in_play
    assert not table.loaded().lost
    assert room.found() == []


@pytest.mark.parametrize("moment", ["nobody", "cutting", "wagers"])
def test_the_key_can_be_replaced_at_any_moment(room: KeylessRoom, moment: str) -> None:
    table = room.open()
    if moment != "nobody":
        table.sit(1)
    if moment == "cutting":
        table.do(1, table.commit_cut(1))
    if moment == "wagers":
        table.cut()
        table.wager(1)
    _lose(table, room)
    assert sum(room.balances().values()) == 0
    table.sit(*([1] if moment == "nobody" else []))
    assert table.asks_for() is AskKind.CUT_COMMIT
    table.deal()
    assert table.loaded().in_play is not None


def test_nothing_is_dealt_before_the_key_is_replaced(room: KeylessRoom) -> None:
    """Nobody has committed to the cards that a different key's shoe would deal."""
    table = room.open().sit(1).deal()
    room.lose_key()
    assert "key doesn't open" in table.refuses("table_fault", 1, Hit(1)).reason
    table.refuses("table_fault", 1, Ready())


def test_a_repeated_request_loses_nothing_more(room: KeylessRoom) -> None:
    table = room.open().sit(1).deal()
    room.lose_key()
    requests = room.found()
    first = table.step(*requests).outcomes
    assert table.step(*requests).outcomes == first
    late = CommandRequest(table.number, OPERATOR, "other", LoseShoes(2, LOST))
    assert not isinstance(table.step(late).outcomes[0], Done)


def test_a_key_that_does_not_open_the_shoes_is_refused_in_one_sentence(room: KeylessRoom) -> None:
    table = room.open().sit(1).deal()
    with room.store.read() as connection:
        check_house_key(connection, room.shoes)
    room.lose_key()
    with room.store.read() as connection, pytest.raises(WrongHouseKey, match="rotate-key"):
        check_house_key(connection, room.shoes)
    assert table.loaded().round is not None, "nothing was voided"


@pytest.mark.parametrize("role", [ActorRole.PLAYER, ActorRole.AUDITOR])
def test_only_an_operator_replaces_the_key(room: KeylessRoom, role: ActorRole) -> None:
    table = room.open().sit(1).deal()
    room.lose_key()
    asked = CommandRequest(table.number, Actor("person/98", role, "98"), "k", LoseShoes(2, LOST))
    outcome = table.step(asked).outcomes[0]
    assert isinstance(outcome, Refusal)
    assert outcome.code == "not_allowed"


def test_old_books_with_lost_shoes_can_still_be_replayed(
    room: KeylessRoom,
) -> None:
    table = room.open().sit(1).deal()
    room.lose_key()
    asked = CommandRequest(table.number, CLOCK, "k", LoseShoes(2, LOST))
    assert isinstance(table.step(asked).outcomes[0], Done)
