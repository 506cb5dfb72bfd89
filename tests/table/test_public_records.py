"""Shoes of a live table, cut by people and dealt over rounds, verify from their public records."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from sqlalchemy import insert

from tests.support.entropy import TestEntropy
from ventiuna.cards import Pack
from ventiuna.engine.commands import PlayerCommand, VoidRound
from ventiuna.rules import load_rules, rules_data
from ventiuna.strategy.players import RandomPlayer
from ventiuna.table.accounts import IssueMoney
from ventiuna.table.accounts import handle_cashier_command as at_the_cashier
from ventiuna.table.admin import create_table, house_id
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.commands import TableCommand
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.domain.handlers import Actor, ActorRole
from ventiuna.table.domain.state import TableState, TableStatus
from ventiuna.table.fairness import (
    ContextError,
    HouseKey,
    ShoeContext,
    cut_commitment,
    read_context,
)
from ventiuna.table.listings import public_record
from ventiuna.table.shoe_record import (
    Ending,
    PublicRecord,
    RecordError,
    read_record,
    record_data,
    verify,
)
from ventiuna.table.store import schema
from ventiuna.table.store.connection import Store
from ventiuna.table.writer import CommandRequest, Done, HouseContext, Writer
from ventiuna.testing.conformance import random_wagers

OPERATOR = Actor("person/99", ActorRole.OPERATOR, "99", "Op")
PEOPLE = {
    str(number): Actor(f"person/{number}", ActorRole.PLAYER, str(number), f"P{number}")
    for number in (1, 2, 3)
}
WITHHOLDS = "3"


class _Clock:
    """Advances by one millisecond each time it is read."""

    def __init__(self) -> None:
        self._now = 1_790_000_000_000

    def now(self) -> int:
        self._now += 1
        return self._now

    def pause(self, milliseconds: int) -> None:
        self._now += milliseconds


class _Table:
    """People who cut every shoe and play at random; one of them never opens the cut."""

    def __init__(self, store: Store, rules: str) -> None:
        self._random = random.Random(rules)
        self._player = RandomPlayer(self._random)
        self._store = store
        self._keys = 0
        self._cuts: dict[int, bytes] = {}
        clock = _Clock()
        with store.write() as connection:
            shoes = HouseShoeFactory(HouseKey(bytes(32)), TestEntropy(1))
            house = HouseContext(house_id(connection), shoes)
            for actor in PEOPLE.values():
                guest = {"kind": "guest", "role": "player", "failed": 0, "created_at": 0}
                row = {"id": int(actor.person), "name": actor.called, **guest}
                connection.execute(insert(schema.person).values(row))
                money = IssueMoney(int(actor.person), 10**10, "a test")
                at_the_cashier(connection, OPERATOR, actor.called, money, clock.now())
            opened = do.OpenTable("One", rules_data(load_rules(rules)))
            self.number = create_table(connection, house, OPERATOR, "open", opened, clock.now())
        self._writer = Writer(store, house, clock)
        self.state: TableState | None = None
        for seat, person in enumerate(PEOPLE, start=1):
            self.send(person, do.TakeSeat(seat))
            self.send(person, do.BuyChips(10**9))

    def send(self, person: str, command: TableCommand) -> None:
        ask = self.state.ask.number if self.state and self.state.ask else None
        self._keys += 1
        actor = PEOPLE.get(person, OPERATOR)
        step = self._writer.step(
            [CommandRequest(self.number, actor, str(self._keys), command, ask)]
        )
        assert isinstance(step.outcomes[0], Done), (step.outcomes, step.faults)
        self.state = self._writer.table(self.number)

    def go_on(self) -> None:
        """Answer the table's prompt; occasionally, reload the table first."""
        if self._random.random() < 0.1:
            self._writer.forget([self.number])
        state = self.state
        assert state is not None
        assert state.ask is not None
        if state.ask.kind is AskKind.CUT_COMMIT:
            self._commit_cut(state)
        elif state.ask.kind is AskKind.CUT_OPEN:
            self._open_cut(state)
        elif state.ask.kind is AskKind.WAGERS:
            self._wager(state)
        else:
            command = self._player(state.open_round, state.waiting)
            assert isinstance(command, PlayerCommand)
            self.send(state.seats[state.spots[command.spot]].person, command)

    def _commit_cut(self, state: TableState) -> None:
        assert state.next_shoe is not None
        for seat in state.present:
            if seat.number in state.cuts or seat.number in state.ready:
                continue
            if seat.person in state.barred:
                continue
            value = self._cuts[seat.number] = self._random.randbytes(32)
            commitment = cut_commitment(state.next_shoe.commitment, seat.number, value)
            self.send(seat.person, do.CommitCut(commitment.hex()))
            return

    def _open_cut(self, state: TableState) -> None:
        for cut in state.cuts.values():
            if cut.value is not None or cut.seat in state.ready:
                continue
            value = do.OpenCut(self._cuts[cut.seat].hex())
            self.send(cut.person, do.Ready() if cut.person == WITHHOLDS else value)
            return

    def _wager(self, state: TableState) -> None:
        for seat in state.players:
            if seat.number not in state.ready:
                if seat.number not in state.open_round.spots:
                    wagers = random_wagers(state.rules, seat.number, self._random)
                    self.send(seat.person, replace(wagers, person=""))
                else:
                    self.send(seat.person, do.Ready())
                return

    def play_until(self, shoe: int) -> None:
        """Play until this shoe is in play."""
        while self.state is None or self.state.in_play is None or self.state.in_play.number < shoe:
            self.go_on()

    def record(self, shoe: int) -> PublicRecord:
        with self._store.read() as connection:
            return public_record(connection, self.number, shoe)


def published(record: PublicRecord) -> PublicRecord:
    """The record as someone else reads it."""
    return read_record(json.dumps(record_data(record)))


@pytest.mark.parametrize(
    "rules",
    [
        "super-fun-21(cut_card=100,burn_cards=1)",
        "wsgc-2021(decks=2,mtd_configuration=3,bonus_cards=4,cut_card=100)",
    ],
)
def test_shoes_of_a_table_verify(store: Store, rules: str) -> None:
    table = _Table(store, rules)
    table.play_until(shoe=4)
    records = [published(table.record(shoe)) for shoe in range(1, 4)]
    found = [verify(record) for record in records]
    assert [each.fault for each in found] == [""] * 3
    assert "2 cuts opened as committed, 1 withheld" in found[0].checked[1].words
    assert "2 cuts opened as committed, 0 withheld" in found[1].checked[1].words
    assert any("reshuffled" in check.words for each in found for check in each.checked)
    numbers = [dealt.number for record in records for dealt in record.rounds]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_void_round_and_a_closed_table_end_their_shoes(store: Store) -> None:
    table = _Table(store, "wsgc-2021(decks=2)")
    table.play_until(shoe=1)
    while table.state is None or not table.state.is_dealt:
        table.go_on()
    table.send("", VoidRound("a test"))
    table.play_until(shoe=2)
    while table.state.rounds < 4:
        table.go_on()
    table.send("", do.CloseTable("a test"))
    while table.state.status is TableStatus.CLOSING:
        table.go_on()
    for shoe, ending in ((1, Ending.VOID), (2, Ending.CLOSED)):
        record = published(table.record(shoe))
        assert record.ended is ending
        assert verify(record).fault == ""


def test_a_shoe_that_has_not_ended_has_no_record(store: Store) -> None:
    table = _Table(store, "wsgc-2021")
    table.play_until(shoe=1)
    for shoe in (1, 2):  # one in play, the other committed for later
        with pytest.raises(RecordError, match=f"^Shoe {shoe} of table .* is still in use"):
            table.record(shoe)
    with pytest.raises(RecordError, match=r"^Table \d+ has no shoe 3\.$"):
        table.record(3)


# --- stored contexts ------------------------------------------------------------------------------


def test_a_context_survives_a_round_trip() -> None:
    context = ShoeContext("a=b", "t 1", 3, "r", Pack.STANDARD, 8, 1, 75)
    assert read_context(context.lines().decode()) == context


@pytest.mark.parametrize(
    "lines",
    [
        "",
        "x\n" * 9,
        "ventiuna-shoe-2\nhouse=h\ntable=t\nshoe=1\nrules=r\npack=spanish\ndecks=8\nburn=0\ncut=75\n",
        "ventiuna-shoe-1\nhouse=h\ntable=t\nshoe=01\nrules=r\npack=spanish\ndecks=8\nburn=0\ncut=75\n",
        "ventiuna-shoe-1\nhouse=h\ntable=t\nshoe=1\nrules=r\npack=tarot\ndecks=8\nburn=0\ncut=75\n",
        "ventiuna-shoe-1\nhouse=\ntable=t\nshoe=1\nrules=r\npack=spanish\ndecks=8\nburn=0\ncut=75\n",
    ],
)
def test_other_lines_are_refused_as_a_context(lines: str) -> None:
    with pytest.raises(ContextError):
        read_context(lines)
