"""Operators, faults, and void rounds: everyone gets back exactly what the round took."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from tests.table.folded import check_table
from tests.table.tables import CHIPS, OPERATOR, WALLET, LiveTable, Room, cards
from ventiuna.engine.commands import Double, Stand, TakeBlackjack, VoidRound
from ventiuna.engine.events import RoundVoided
from ventiuna.rules import load_rules, rules_data
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.handlers import CLOCK, SERVICE
from ventiuna.table.domain.state import TableStatus
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import round_, shoe

# A blackjack, 2-9, and 5-6 against a dealer's 10-7; then a five and a ten to draw.
THREE_HANDS = cards("Ah 2d 5h Qh Kh 9d 6c 7h 5c Qd")


@pytest.fixture
def room(store: Store) -> Room:
    return Room(store, shoes=[THREE_HANDS])


@pytest.fixture
def table(room: Room) -> LiveTable:
    return room.open()


def deal(table: LiveTable) -> None:
    """Seat 1 is paid for its blackjack; it's spot 2's turn."""
    table.sit(1, 2, 3).deal()
    table.do(1, TakeBlackjack(1))


def outcomes(table: LiveTable) -> list[str]:
    query = select(round_.c.outcome).where(round_.c.table_id == table.number)
    with table.room.store.read() as connection:
        return list(connection.scalars(query.order_by(round_.c.number)))


# --- void -------------------------------------------------------------------------------------


def test_a_void_round_gives_and_takes_back_everything(table: LiveTable) -> None:
    """Seat 1 has been paid for its blackjack, and seat 2 has doubled."""
    deal(table)
    assert table.stack(1) == CHIPS + 1500
    table.do(2, Double(2))
    assert table.stack(2) == CHIPS - 2000
    events = table.do(OPERATOR, VoidRound("the lights went out"))
    assert isinstance(events[0], RoundVoided)
    assert [type(event) for event in events[1:]] == [
        ev.RoundClosed,
        ev.ShoeRevealed,
        ev.AskRaised,
    ]
    assert [table.stack(seat) for seat in (1, 2, 3)] == [CHIPS] * 3
    assert table.room.balances()[f"bank/{table.number}"] == 0
    assert outcomes(table) == ["void"]
    with table.room.store.read() as connection:
        revealed = select(shoe.c.number).where(shoe.c.seed.is_not(None))
        assert list(connection.scalars(revealed)) == [1]
    assert table.asks_for() is AskKind.CUT_COMMIT
    check_table(table)


def test_voiding_wagers_before_the_deal(table: LiveTable) -> None:
    table.sit(1, 2).cut()
    table.wager(1, 2500, up=500)
    table.do(OPERATOR, VoidRound("a wrong card in the shoe"))
    assert table.stack(1) == CHIPS
    check_table(table)


def test_rounds_that_cannot_be_voided(table: LiveTable) -> None:
    table.sit(1)
    assert table.refuses("no_round", OPERATOR, VoidRound("why not")).reason == (
        "There is no round in progress at this table."
    )
    table.cut()
    for reason in ("", "  ", "two\nlines", "x" * 201):
        assert table.refuses("no_reason", OPERATOR, VoidRound(reason)).reason == (
            "Give a reason in one line of at most 200 characters."
        )


# --- faults -----------------------------------------------------------------------------------


def test_a_fault_stops_play_and_the_clock_until_it_is_resumed(table: LiveTable) -> None:
    deal(table)
    ask = table.state.ask
    assert ask is not None
    assert table.do(SERVICE, do.FaultTable("a defect")) == [ev.TableFaulted("a defect")]
    stopped = check_table(table)
    assert (stopped.status, stopped.deadline) == (TableStatus.FAULT, None)
    refused = table.refuses("table_fault", 2, Stand(2))
    assert refused.reason == (
        "Play has stopped because of an error. An operator must look at the table first."
    )
    table.refuses("table_fault", 2, do.LeaveSeat())
    table.refuses("table_fault", OPERATOR, do.CloseTable("the day is over"))
    table.refuses("stale", CLOCK, do.TimeUp(ask.number))
    table.room.restart()
    assert table.do(OPERATOR, do.ResumeTable("looked at it")) == [ev.TableResumed("looked at it")]
    assert table.state.ask == ask
    assert table.state.deadline == table.room.clock.now() + table.state.clocks.decision
    table.do(2, Stand(2))
    check_table(table)


def test_voiding_the_round_ends_the_fault(table: LiveTable) -> None:
    deal(table)
    table.do(SERVICE, do.FaultTable("a defect"))
    events = table.do(OPERATOR, VoidRound("the cards were wrong"))
    assert ev.TableResumed("the cards were wrong") in events
    assert [table.stack(seat) for seat in (1, 2, 3)] == [CHIPS] * 3
    assert check_table(table).status is TableStatus.OPEN


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("command", [do.ResumeTable("looked at it"), VoidRound("wrong cards")])
def test_a_table_that_faults_while_closing_continues_closing(
    table: LiveTable, command: do.TableCommand, restarts: bool
) -> None:
    deal(table)
    table.do(OPERATOR, do.CloseTable("the day is over"))
    table.do(SERVICE, do.FaultTable("a defect"))
    assert check_table(table).status is TableStatus.FAULT
    if restarts:
        table.room.restart()
    events = table.do(OPERATOR, command)
    assert ev.TableClosing("it was closing when it met its fault") in events
    if isinstance(command, VoidRound):
        assert table.state.status is TableStatus.CLOSED
    else:
        assert check_table(table).status is TableStatus.CLOSING
        table.refuses("table_closed", 4, do.TakeSeat(4))
        while table.loaded().status is not TableStatus.CLOSED:
            table.time_up()
    assert not check_table(table).seats
    assert table.wallet(3) > 0


def test_a_fault_is_recorded_once_and_a_working_table_isnt_resumed(table: LiveTable) -> None:
    assert table.refuses("nothing_to_resume", OPERATOR, do.ResumeTable("why")).reason == (
        "The table hasn't stopped, so there is nothing to resume."
    )
    table.do(SERVICE, do.FaultTable("one"))
    assert table.do(SERVICE, do.FaultTable("two")) == []
    check_table(table)


def test_a_closed_table_stays_closed(table: LiveTable) -> None:
    table.do(OPERATOR, do.CloseTable("the day is over"))
    assert table.state.status is TableStatus.CLOSED
    assert table.do(SERVICE, do.FaultTable("too late")) == []
    assert table.refuses("table_closed", OPERATOR, do.ResumeTable("why")).reason == (
        "The table is closed."
    )
    table.refuses("table_closed", 1, do.TakeSeat(1))
    table.refuses("table_closed", OPERATOR, do.CloseTable("again"))
    assert check_table(table).status is TableStatus.CLOSED


# --- opening and closing ----------------------------------------------------------------------


def test_a_table_is_opened_once(table: LiveTable) -> None:
    rules = rules_data(load_rules("wsgc-spanish-21"))
    table.refuses("bad_command", OPERATOR, do.OpenTable("again", rules))


def test_a_table_closes_after_its_round(table: LiveTable) -> None:
    deal(table)
    assert table.do(OPERATOR, do.CloseTable("the day is over")) == [
        ev.TableClosing("the day is over")
    ]
    assert table.refuses("table_closed", OPERATOR, do.CloseTable("again")).reason == (
        "The table is already closing."
    )
    check_table(table)
    table.do(2, Double(2))
    table.do(2, Stand(2))
    events = table.do(3, Double(3))
    kinds = [type(event) for event in events]
    assert kinds[-3:] == [ev.ShoeRevealed, ev.BankDropped, ev.TableClosed]
    assert kinds.count(ev.SeatLeft) == 3
    # The blackjack wins 15, the double to 21 wins 20, and 16 loses twice the wager to 17.
    assert [table.wallet(person) for person in (1, 2, 3)] == [
        WALLET + 1500,
        WALLET - 2000,
        WALLET + 2000,
    ]
    assert table.room.balances()["house"] == -1500
    assert check_table(table).status is TableStatus.CLOSED


def test_an_idle_table_closes_at_once(table: LiveTable) -> None:
    table.sit(1, 2).cut()
    events = table.do(OPERATOR, do.CloseTable("the day is over"))
    assert [type(event) for event in events] == [
        ev.TableClosing,
        ev.RoundClosed,
        ev.ChipsCashedOut,
        ev.SeatLeft,
        ev.ChipsCashedOut,
        ev.SeatLeft,
        ev.ShoeRevealed,
        ev.TableClosed,
    ]
    assert check_table(table).ask is None


def test_a_closing_table_plays_the_wagers_already_placed(table: LiveTable) -> None:
    table.sit(1, 2).cut()
    table.wager(2)
    table.do(OPERATOR, do.CloseTable("the day is over"))
    assert table.asks_for() is AskKind.WAGERS
    table.time_up()
    while table.state.status is TableStatus.CLOSING:
        table.time_up()
    assert check_table(table).status is TableStatus.CLOSED


def test_a_table_closes_while_its_shoe_is_cut(table: LiveTable) -> None:
    table.sit(1)
    table.do(1, table.commit_cut(1))
    table.do(OPERATOR, do.CloseTable("the day is over"))
    assert check_table(table).status is TableStatus.CLOSED


# --- the bank ---------------------------------------------------------------------------------


def test_the_bank_is_dropped_between_rounds(table: LiveTable) -> None:
    deal(table)
    assert table.refuses("in_round", OPERATOR, do.DropBank("midnight")).reason == (
        "The bank can be transferred only between rounds. Wait for this one to end."
    )
    table.do(2, Double(2))
    table.do(2, Stand(2))
    table.do(3, Double(3))
    assert table.do(OPERATOR, do.DropBank("midnight")) == [ev.BankDropped(-1500)]
    assert table.do(OPERATOR, do.DropBank("midnight, again")) == []
    held = table.room.balances()
    assert (held["house"], held[f"bank/{table.number}"]) == (-1500, 0)
    table.wager(1)
    table.refuses("in_round", OPERATOR, do.DropBank("with chips on the layout"))
    check_table(table)


def test_an_unknown_jackpot_is_refused(table: LiveTable) -> None:
    for number in (77, 10**30):
        table.refuses("no_such_jackpot", OPERATOR, do.LinkJackpot(1, number, "a test"))
    assert table.state.status is TableStatus.OPEN
