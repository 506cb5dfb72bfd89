"""Operators, faults, and void rounds: everyone gets back exactly what the round took."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sqlalchemy import select

from tests.table.folded import check_table
from tests.table.tables import CHIPS, FLOOR, OPERATOR, WALLET, LiveTable, Room, cards
from tests.table.tampering import rolled_back, take_guards_away
from ventiuna.engine.commands import Double, Stand, TakeBlackjack, VoidRound
from ventiuna.engine.events import RoundVoided
from ventiuna.rules import load_rules, rules_data
from ventiuna.table.audit.house import AuditScope, audit
from ventiuna.table.daily_report import daily_report, day_of
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.handlers import CLOCK, SERVICE, Actor, ActorRole
from ventiuna.table.domain.state import TableStatus
from ventiuna.table.history import recall, replay_data, shared_data
from ventiuna.table.listings import rounds_of_person
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import round_, shoe
from ventiuna.table.writer import Done

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
        "Play has stopped because of an error. An operator must check the table first."
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


# --- corrections of closed rounds -------------------------------------------------------------


PAID = 2500  # a wager of $10 with $15 of winnings: spot 1's blackjack


def fix(
    spot: int = 1, paid: int = 3000, earlier: int | None = None, number: int = 1
) -> do.CorrectRound:
    return do.CorrectRound(number, spot, paid, "R-036", earlier, "the dealer misread the payout")


@pytest.fixture
def closed(table: LiveTable) -> LiveTable:
    return played_round(table)


def played_round(table: LiveTable) -> LiveTable:
    """Play the table's first round to its end."""
    deal(table)
    table.do(2, Double(2))
    table.do(2, Stand(2))
    table.do(3, Double(3))
    return table


def findings(room: Room) -> list[str]:
    with room.store.read() as connection:
        report = audit(connection, AuditScope(on_top=room.entropy.on_top))
    return [str(difference) for difference in report.differences]


def test_a_round_that_paid_too_little_is_corrected_from_the_bank(closed: LiveTable) -> None:
    bank, wallet = closed.state.bank, closed.wallet(1)
    events = closed.do(OPERATOR, fix())
    assert events == [
        ev.RoundCorrected(1, 1, "1", 1000, PAID, 3000, "R-036", "the dealer misread the payout")
    ]
    assert closed.wallet(1) == wallet + 500
    assert closed.state.bank == bank - 500
    check_table(closed)
    assert findings(closed.room) == []


def test_a_round_that_paid_too_much_is_corrected_from_the_balance(closed: LiveTable) -> None:
    bank, wallet = closed.state.bank, closed.wallet(1)
    closed.do(OPERATOR, fix(paid=0))
    assert (closed.wallet(1), closed.state.bank) == (wallet - PAID, bank + PAID)
    check_table(closed)
    assert findings(closed.room) == []


def test_a_second_correction_refers_to_the_first(closed: LiveTable) -> None:
    refusal = closed.refuses("stale", OPERATOR, fix(earlier=12))
    assert "has no correction yet" in refusal.reason
    closed.do(OPERATOR, fix())
    first = closed.state.head.events
    refusal = closed.refuses("stale", OPERATOR, fix(paid=2000))
    assert refusal.reason == (
        f"Spot 1 of round 1 was already corrected, by event {first}. To correct it again, name "
        "that event as the earlier correction."
    )
    wallet = closed.wallet(1)
    (event,) = closed.do(OPERATOR, fix(paid=2000, earlier=first))
    assert isinstance(event, ev.RoundCorrected)
    assert (event.paid_before, event.paid, event.earlier) == (3000, 2000, first)
    assert closed.wallet(1) == wallet - 1000
    closed.do(OPERATOR, fix(spot=2, paid=100))  # another spot is another payment
    closed.room.restart()
    check_table(closed)
    assert findings(closed.room) == []


def test_corrections_that_are_refused(closed: LiveTable) -> None:
    closed.refuses("no_round", OPERATOR, fix(number=77))
    closed.refuses("no_such_spot", OPERATOR, fix(spot=5))
    closed.refuses("not_allowed", 1, fix())
    closed.refuses("not_allowed", FLOOR, fix())
    own = closed.refuses("not_allowed", Actor("person/1", ActorRole.OPERATOR, "1"), fix())
    assert own.reason == "You played this spot yourself, so someone else must correct it."
    closed.refuses("no_reason", OPERATOR, replace(fix(), reason=" "))
    unknown = closed.refuses("bad_command", OPERATOR, replace(fix(), rule="R-999"))
    assert unknown.reason.startswith("There is no rule R-999.")
    same = closed.refuses("bad_command", OPERATOR, fix(paid=PAID))
    assert same.reason == (
        "Round 1 already paid $25.00 to spot 1, so nothing changes. Enter the amount that it "
        "should have paid."
    )
    closed.deal()
    closed.refuses("in_round", OPERATOR, fix(number=2))
    closed.do(OPERATOR, VoidRound("a card was exposed"))
    closed.refuses("bad_command", OPERATOR, fix(number=2))


def test_a_balance_doesnt_go_below_zero(closed: LiveTable) -> None:
    closed.do(1, do.BuyChips(closed.wallet(1) - 1000))
    refusal = closed.refuses("not_covered", OPERATOR, fix(paid=0))
    assert refusal.reason.startswith(
        "This takes $25.00 from the player's balance, which has only $10.00 and can't go below"
    )
    closed.do(OPERATOR, fix(paid=PAID - 1000))
    assert closed.wallet(1) == 0
    check_table(closed)


def test_a_round_is_corrected_after_its_table_closed(closed: LiveTable) -> None:
    for who in (1, 2, 3):
        closed.do(who, do.LeaveSeat())
    closed.do(OPERATOR, do.CloseTable("the day is over"))
    closed.room.restart()
    assert closed.state.status is TableStatus.CLOSED
    house = closed.room.balances()["house"]
    events = closed.do(OPERATOR, fix())
    assert events[1:] == [ev.BankDropped(-500)]
    assert closed.room.balances()["house"] == house - 500
    assert closed.state.bank == 0
    check_table(closed)
    assert findings(closed.room) == []


def test_a_correction_right_behind_its_round_waits_for_its_entry(table: LiveTable) -> None:
    deal(table)
    table.do(2, Double(2))
    table.do(2, Stand(2))
    last, correction = table.request(3, Double(3)), table.request(OPERATOR, fix())
    outcomes = table.step(last, correction).outcomes
    assert all(isinstance(outcome, Done) for outcome in outcomes), outcomes
    check_table(table)


def test_players_and_the_report_see_a_correction(closed: LiveTable) -> None:
    room = closed.room
    played = room.clock.at
    room.clock.at += 24 * 3600 * 1000
    closed.do(OPERATOR, fix())
    with room.store.read() as connection:
        before, after = (daily_report(connection, day_of(at)) for at in (played, room.clock.at))
        rounds = rounds_of_person(connection, 1)
        recalled = recall(connection, closed.number, 1)
    assert [line.corrected for line in before.tables] == [0]
    assert [(line.rounds, line.corrected, line.win) for line in after.tables] == [(0, -500, -500)]
    corrected = [(one.net, one.corrected) for one in rounds if one.number == 1]
    assert corrected == [(3000 - 1000, 500)]
    assert recalled.sentences[-1].endswith(
        "Round 1 is corrected: it paid $25.00 to spot 1 and should have paid $30.00 (R-036; the "
        "dealer misread the payout). $5.00 goes to player 1's balance."
    )
    assert '"RoundCorrected"' in json.dumps(replay_data(recalled))
    assert recalled.as_data()["steps"][-1]["actor"] == OPERATOR.name
    shared = json.dumps(shared_data(recalled))
    assert '"RoundCorrected"' in shared
    assert "misread" not in shared


def test_the_audit_finds_an_altered_correction(owned: Store) -> None:
    closed = played_round(Room(owned, shoes=[THREE_HANDS]).open())
    closed.do(OPERATOR, fix())
    swapped = "from_id = to_id, to_id = from_id, from_kind = to_kind, to_kind = from_kind"
    changes = (
        """UPDATE entry SET events = replace(events, '"paid":3000', '"paid":2900')""",
        """UPDATE entry SET command = replace(command, '"paid":3000', '"paid":2900')""",
        "UPDATE posting SET amount = 400 WHERE code = 'correction_paid'",
        f"UPDATE posting SET code = 'correction_taken', {swapped} WHERE code = 'correction_paid'",
        "DELETE FROM posting WHERE code = 'correction_paid'",
    )
    for change in changes:
        with rolled_back(owned) as connection:
            take_guards_away(connection)
            assert connection.exec_driver_sql(change).rowcount > 0
            report = audit(connection, AuditScope(on_top=closed.room.entropy.on_top))
            assert report.differences, change
