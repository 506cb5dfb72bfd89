"""Seats, spots, and chips: who gets what, and the messages for everyone else."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from tests.table.folded import check_table
from tests.table.tables import CHIPS, OPERATOR, WALLET, LiveTable, Room, cards, player
from ventiuna.engine.commands import Hit, PlaceWagers, Stand, VoidRound, WithdrawWagers
from ventiuna.table import presence
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.handlers import CLOCK, Actor, ActorRole
from ventiuna.table.domain.state import SeatStatus, TableStatus
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import seat

# Two spots: 10-9 and 10-8 against a dealer's 10-7.
TWO_HANDS = cards("Kh Kd Qh 9c 8d 7h")


@pytest.fixture
def room(store: Store) -> Room:
    return Room(store, shoes=[TWO_HANDS])


@pytest.fixture
def table(room: Room) -> LiveTable:
    return room.open()


# --- seats and spots --------------------------------------------------------------------------


def test_a_seat_plays_the_spot_with_its_number(table: LiveTable) -> None:
    events = table.do(1, do.TakeSeat(3))
    assert events[:2] == [ev.SeatTaken(3, "1", "player 1"), ev.SpotsChosen(3, (3,))]
    assert table.loaded().spots == {3: 3}


def test_a_seat_whose_spot_is_taken_plays_none(table: LiveTable) -> None:
    table.do(1, do.TakeSeat(1))
    table.do(1, do.ChooseSpots((1, 2)))
    assert table.do(2, do.TakeSeat(2)) == [ev.SeatTaken(2, "2", "player 2")]
    assert table.state.spots == {1: 1, 2: 1}
    assert [one.person for one in check_table(table).players] == ["1"]


def test_seats_that_cannot_be_taken(table: LiveTable) -> None:
    table.sit(1, chips=0)
    assert table.refuses("already_seated", 1, do.TakeSeat(2)).reason == (
        "You already have a seat at this table."
    )
    taken = table.refuses("seat_taken", 2, do.TakeSeat(1))
    assert taken.reason == "Seat 1 is taken. Choose 2 or 3 or 4 or 5 or 6 or 7."
    assert table.refuses("no_such_seat", 2, do.TakeSeat(8)).reason == (
        "There is no seat 8. This table has seats 1 to 7."
    )
    table.refuses("no_such_seat", 2, do.TakeSeat(0))
    table.refuses("not_seated", 2, do.BuyChips(100))


def test_a_closing_table_gives_no_seats(table: LiveTable) -> None:
    table.sit(1, 2).deal()
    table.do(OPERATOR, do.CloseTable("the day is over"))
    assert table.refuses("table_closed", 3, do.TakeSeat(3)).reason == (
        "The table is closing, so no seat can be taken."
    )


def test_a_seat_chooses_several_spots_and_none(table: LiveTable) -> None:
    table.sit(1, 2)
    assert table.do(1, do.ChooseSpots((4, 1, 4))) == [ev.SpotsChosen(1, (1, 4))]
    assert table.refuses("spot_taken", 2, do.ChooseSpots((2, 4))).reason == (
        "Spot 4 belongs to another seat."
    )
    assert table.refuses("no_such_spot", 2, do.ChooseSpots((9,))).reason == (
        "There is no spot 9. This table has spots 1 to 7."
    )
    table.do(1, do.ChooseSpots(()))
    table.do(2, do.ChooseSpots((1, 2, 4)))
    assert check_table(table).spots == {1: 2, 2: 2, 4: 2}


def test_spots_are_chosen_without_wagers_on_the_table(table: LiveTable) -> None:
    table.sit(1, 2).cut()
    table.wager(1)
    refused = table.refuses("in_round", 1, do.ChooseSpots((1, 3)))
    assert refused.reason == (
        "You can't choose spots while you have a wager on the table. Withdraw it before "
        "the deal, or finish the round."
    )
    table.do(1, WithdrawWagers(1))
    table.do(1, do.ChooseSpots((3,)))
    assert check_table(table).spots == {3: 1, 2: 2}


def test_nobody_plays_another_seats_spot(table: LiveTable) -> None:
    table.sit(1, 2).cut()
    assert table.refuses("not_your_spot", 1, PlaceWagers(2, 1000)).reason == (
        "Spot 2 isn't yours. Your spots: 1."
    )
    table.do(1, do.ChooseSpots(()))
    assert table.refuses("not_your_spot", 1, PlaceWagers(1, 1000)).reason.endswith(
        "Your spots: none."
    )
    assert table.refuses("bad_command", 2, PlaceWagers(2, 1000, "1")).reason == (
        "Omit `person`. Your wagers belong to your seat."
    )
    table.do(2, PlaceWagers(2, 1000, "2"))


# --- chips ------------------------------------------------------------------------------------


def test_chips_come_from_the_wallet_and_go_back_there(table: LiveTable) -> None:
    table.sit(1, chips=0)
    assert table.do(1, do.BuyChips(500)) == [ev.ChipsBought(1, 500)]
    assert (table.stack(1), table.wallet(1)) == (500, WALLET - 500)
    assert table.do(1, do.CashOut(200)) == [ev.ChipsCashedOut(1, 200)]
    assert table.do(1, do.CashOut()) == [ev.ChipsCashedOut(1, 300)]
    assert (table.stack(1), table.wallet(1)) == (0, WALLET)


def test_chips_that_cannot_be_bought_or_cashed_out(table: LiveTable) -> None:
    table.sit(1, chips=0)
    assert table.refuses("not_covered", 1, do.BuyChips(WALLET + 1)).reason == (
        "$10,000.01 is more than the $10,000.00 in your wallet."
    )
    assert table.refuses("not_cents", 1, do.BuyChips(0)).reason == (
        "The amount must be a positive whole number of cents, not 0."
    )
    table.refuses("not_cents", 1, do.BuyChips(-5))
    assert table.refuses("not_cents", 1, do.BuyChips(10**18)).reason == (
        "You can buy at most $100,000,000,000.00 at a time."
    )
    assert table.refuses("nothing_to_cash_out", 1, do.CashOut()).reason == (
        "You have no chips to cash out."
    )
    table.do(1, do.BuyChips(500))
    assert table.refuses("not_covered", 1, do.CashOut(501)).reason == (
        "$5.01 is more than the $5.00 you have in chips."
    )
    assert table.refuses("not_cents", 1, do.CashOut(0)).reason == (
        "The amount must be a positive whole number of cents, not 0."
    )


def test_chips_in_a_round_stay_there(table: LiveTable) -> None:
    table.sit(1, 2, 3).cut()
    table.wager(1)
    assert table.refuses("in_round", 1, do.CashOut()).reason.startswith("You can't cash out while")
    table.do(1, do.BuyChips(100))  # before the deal
    table.wager(2)
    table.ready(1, 2, 3)
    assert table.refuses("in_round", 1, do.BuyChips(100)).reason == (
        "You can buy chips only between rounds. Finish this one first."
    )
    table.refuses("in_round", 1, do.CashOut(100))
    table.do(3, do.BuyChips(100))  # without a wager
    table.do(3, do.CashOut())
    check_table(table)


def test_wagers_are_covered_by_chips(table: LiveTable) -> None:
    table.sit(1, chips=1500).cut()
    assert table.refuses("not_covered", 1, PlaceWagers(1, 2000)).reason == (
        "This takes $20.00, but you have only $15.00 in chips. Buy some, or wager less."
    )
    table.wager(1, 1500)
    table.wager(1, 1000)  # the earlier wagers are taken back first
    assert table.stack(1) == 500
    check_table(table)


# --- leaving ----------------------------------------------------------------------------------


def test_a_seat_leaves_between_rounds_with_all_its_chips(table: LiveTable) -> None:
    table.sit(1, 2).cut()
    assert table.do(1, do.LeaveSeat()) == [ev.ChipsCashedOut(1, CHIPS), ev.SeatLeft(1)]
    assert table.wallet(1) == WALLET
    table.refuses("not_seated", 1, do.LeaveSeat())
    table.do(3, do.TakeSeat(1))
    assert check_table(table).spots == {1: 1, 2: 2}


def test_a_seat_that_leaves_before_the_deal_takes_its_wagers_back(table: LiveTable) -> None:
    table.sit(1, 2).cut()
    table.wager(1)
    table.do(1, do.LeaveSeat())
    assert table.wallet(1) == WALLET
    assert table.state.deadline is None, "the only wager is gone, so no clock is running"
    check_table(table)


def test_the_last_seat_that_is_not_ready_leaves_and_the_others_are_dealt(table: LiveTable) -> None:
    table.sit(1, 2).cut()
    table.wager(1)
    table.ready(1)
    table.do(2, do.LeaveSeat())
    assert table.asks_for() is AskKind.DECISION


def test_a_seat_that_leaves_in_a_round_is_played_by_defaults_and_cashed_out_after_it(
    table: LiveTable,
) -> None:
    table.sit(1, 2).deal()
    events = table.do(1, do.LeaveSeat())
    assert events[0] == ev.SeatLeaving(1)
    assert table.asks_for() is AskKind.DECISION
    assert table.state.ask is not None
    assert table.state.ask.spots == (2,), "spot 1 stands by itself"
    assert table.refuses("not_seated", 1, do.BuyChips(100)).reason == (
        "You are leaving. Your hand is being played out for you."
    )
    events = table.do(2, Stand(2))
    assert ev.ChipsCashedOut(1, CHIPS + 1000) in events  # 19 against 17
    assert ev.SeatLeft(1) in events
    assert table.wallet(1) == WALLET + 1000
    check_table(table)


def test_a_leaving_player_may_stay_after_all(table: LiveTable) -> None:
    table.sit(1, 2).deal()
    table.do(2, do.LeaveSeat())
    assert table.do(2, do.ComeBack()) == [ev.SeatBack(2)]
    table.do(1, Stand(1))
    assert table.state.ask is not None
    assert table.state.ask.spots == (2,)
    table.do(2, Stand(2))
    assert set(check_table(table).seats) == {1, 2}


# --- away and back ----------------------------------------------------------------------------


def lose_connection(table: LiveTable, number: int) -> None:
    clock = table.room.clock
    with table.room.store.write() as connection:
        client = presence.connect(connection, table.number, number, process=1)
        presence.disconnect(connection, table.number, number, client, clock.now())


def hold_of(table: LiveTable, number: int) -> object:
    query = select(seat.c.hold_until).where(
        seat.c.table_id == table.number, seat.c.number == number
    )
    with table.room.store.read() as connection:
        return connection.execute(query).scalar_one()


def test_an_absent_seat_stands_and_is_cashed_out_in_the_end(table: LiveTable) -> None:
    table.sit(1, 2).deal()
    lose_connection(table, 2)
    assert table.do(CLOCK, do.SeatTimeUp(2)) == [ev.SeatAway(2)]
    clock = table.room.clock
    assert hold_of(table, 2) == clock.now() + table.state.clocks.leave
    events = table.do(1, Stand(1))  # spot 2 stands at once, and the round is over
    assert any(isinstance(event, ev.RoundClosed) for event in events)
    check_table(table)
    table.refuses("stale", CLOCK, do.SeatTimeUp(2))  # too early
    clock.at += table.state.clocks.leave
    events = table.do(CLOCK, do.SeatTimeUp(2))
    assert events == [ev.ChipsCashedOut(2, CHIPS + 1000), ev.SeatLeft(2)]
    check_table(table)


def test_an_absent_seat_with_a_hand_leaves_after_the_round(table: LiveTable) -> None:
    table.sit(1, 2).deal()
    lose_connection(table, 2)
    table.do(CLOCK, do.SeatTimeUp(2))
    table.room.clock.at += table.state.clocks.leave
    assert table.do(CLOCK, do.SeatTimeUp(2)) == [ev.SeatLeaving(2)]
    assert table.refuses("stale", CLOCK, do.SeatTimeUp(2)).reason == (
        "The player leaves when the round is over."
    )
    assert ev.SeatLeft(2) in table.do(1, Stand(1))
    check_table(table)


def test_a_player_with_a_client_is_not_away(table: LiveTable) -> None:
    table.sit(1)
    assert table.refuses("stale", CLOCK, do.SeatTimeUp(1)).reason == (
        "The player is no longer absent."
    )
    lose_connection(table, 1)
    with table.room.store.write() as connection:
        presence.connect(connection, table.number, 1, process=1)
    table.refuses("stale", CLOCK, do.SeatTimeUp(1))
    table.refuses("stale", CLOCK, do.SeatTimeUp(5))


@pytest.mark.parametrize("command", [do.ComeBack(), do.BuyChips(100)])
def test_a_player_who_acts_is_back(table: LiveTable, command: do.TableCommand) -> None:
    table.sit(1, 2).cut()
    lose_connection(table, 1)
    table.do(CLOCK, do.SeatTimeUp(1))
    assert table.state.seats[1].status is SeatStatus.AWAY
    assert table.do(1, command)[0] == ev.SeatBack(1)
    assert check_table(table).seats[1].status is SeatStatus.HERE


def test_an_absent_seat_leaves_without_coming_back(table: LiveTable) -> None:
    table.sit(1, 2).cut()
    lose_connection(table, 1)
    table.do(CLOCK, do.SeatTimeUp(1))
    assert table.do(1, do.LeaveSeat()) == [ev.ChipsCashedOut(1, CHIPS), ev.SeatLeft(1)]


# --- permissions ------------------------------------------------------------------------------


def test_each_role_is_refused_the_commands_of_others(table: LiveTable) -> None:
    table.sit(1)
    auditor = Actor("person/2", ActorRole.AUDITOR, "2", "the auditor")
    assert table.refuses("not_allowed", auditor, do.TakeSeat(2)).reason == (
        "An auditor can only read."
    )
    assert table.refuses("not_allowed", CLOCK, do.TakeSeat(2)).reason == (
        "Only people can sit at tables."
    )
    assert table.refuses("not_allowed", player(1), do.CloseTable("mine")).reason == (
        "Only the operator may do this."
    )
    for command in (do.TimeUp(1), do.SeatTimeUp(1), do.FaultTable("no"), do.RestartClocks("no")):
        assert table.refuses("not_allowed", OPERATOR, command).reason == (
            "Only the house may do this."
        )
    table.refuses("not_allowed", auditor, VoidRound("no"))


def test_hands_belong_to_their_seats(table: LiveTable) -> None:
    table.sit(1, 2).deal()
    table.refuses("not_your_spot", 2, Hit(1))
    table.refuses("not_your_turn", 2, Hit(2))
    assert table.state.status is TableStatus.OPEN


def test_other_players_commands_dont_affect_a_decision_or_its_clock(table: LiveTable) -> None:
    table.sit(1, 2, 3).cut()
    table.wager(1)
    table.wager(2)
    table.ready(1, 2, 3)
    ask, deadline = table.state.ask, table.state.deadline
    table.room.clock.at += 1000
    table.do(3, do.BuyChips(100))
    table.do(4, do.TakeSeat(4))
    table.do(2, do.LeaveSeat())
    table.do(2, do.ComeBack())
    assert (table.state.ask, table.state.deadline) == (ask, deadline)
    check_table(table)
