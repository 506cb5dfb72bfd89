"""R-072, R-121, R-122: tables that require a floor person, and awards paid by hand."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from tests.table.floor import create, read
from tests.table.folded import check_table
from tests.table.tables import CHIPS, FLOOR, OPERATOR, WALLET, LiveTable, Room, cards
from ventiuna.core.meters import share_of
from ventiuna.engine.commands import Hit, PlaceWagers, Stand, VoidRound
from ventiuna.engine.events import (
    Authority,
    PaymentsAuthorized,
    SupervisorAnswered,
    SupervisorCalled,
    Wager,
    WagerSettled,
)
from ventiuna.rules import load_rules
from ventiuna.table.audit.house import AuditScope, audit
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import Requirement, command_data
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.handlers import SERVICE, Actor, ActorRole
from ventiuna.table.domain.state import TableStatus
from ventiuna.table.jackpots.progressive import displayed_amount
from ventiuna.table.journal import read_entries
from ventiuna.table.presentation import ask_data
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import held_award

# Spot 1 has two 7s of hearts against a 7 and draws a third; spot 2 has 20; the dealer busts.
SUPER_BONUS = cards("7h Kh 7d 7h Kd 9c 7h Kc")
JACKPOT_RULES = load_rules("wsgc-2021(decks=8,jackpots=3d:1:seed=1000)")
SEED = 100_000
EACH = 21  # cents of each dollar bet on the jackpot
ONE_WINS = cards("5h 5h 5h Kd 2c")  # two suited matches
WATCHED = do.AcknowledgeCall("at the table")
PAID = do.AuthorizePayments("cards and bet checked")


def audited(room: Room) -> list[str]:
    with room.store.read() as connection:
        report = audit(connection, AuditScope(on_top=room.entropy.on_top))
    return [str(difference) for difference in report.differences]


@pytest.fixture
def room(store: Store) -> Room:
    return Room(store, shoes=[SUPER_BONUS])


def called(room: Room) -> LiveTable:
    """A table that waits for a floor person to watch spot 1's third card."""
    table = room.open(supervisor=Requirement.REQUIRED)
    return table.sit(1, 2).deal(base=2500)


def played(table: LiveTable) -> LiveTable:
    """Spot 1 draws its third 7, and the round is played out."""
    table.do(1, Hit(1))
    table.do(2, Stand(2))
    return table


def staff(number: int, role: ActorRole = ActorRole.FLOOR) -> Actor:
    """A player who also works here."""
    return Actor(f"person/{number}", role, str(number), f"player {number}")


def payments(events: list[ev.TableEvent]) -> dict[Wager, int]:
    return {event.wager: event.paid for event in events if isinstance(event, WagerSettled)}


# --- the supervisor ---------------------------------------------------------------------------


def test_r121_play_stops_until_a_floor_person_answers(room: Room) -> None:
    table = called(room)
    assert table.asks_for() is AskKind.SUPERVISOR
    for who, command in ((1, Hit(1)), (2, Stand(2))):
        refusal = table.refuses("not_time_to_act", who, command)
        assert refusal.reason.startswith("Play has stopped.")
    for who in (1, 2):
        table.refuses("not_allowed", who, WATCHED)
    table.refuses("not_allowed", OPERATOR, WATCHED)
    table.refuses("not_time_to_act", FLOOR, PAID)
    told = ask_data(table.state)
    assert told is not None
    assert (told["options"], told["spots"]) == ([], [])
    assert told["told"] == {
        "text": "The dealer has called the floor: waiting for a floor person to watch the third "
        "card on spot 1."
    }
    check_table(table)
    events = table.do(FLOOR, WATCHED)
    assert events[0] == SupervisorAnswered(Authority.FLOOR)
    assert table.asks_for() is AskKind.DECISION
    check_table(table)
    assert audited(room) == []


def test_r121_bonuses_are_paid_only_after_authorization(room: Room) -> None:
    table = called(room)
    table.do(FLOOR, WATCHED)
    played(table)
    before = table.stack(1), table.stack(2)
    assert before == (CHIPS + 2500 * 2, CHIPS + 2500)  # the 7-7-7 payout and even money
    assert table.asks_for() is AskKind.SUPERVISOR
    told = ask_data(table.state)
    assert told is not None
    assert "to authorize the payments to spot 1" in str(told["told"])
    check_table(table)
    table.refuses("not_time_to_act", FLOOR, WATCHED)
    table.refuses("too_late_to_void", OPERATOR, VoidRound("a mistake"))
    events = table.do(FLOOR, PAID)
    assert events[0] == PaymentsAuthorized(Authority.FLOOR)
    assert payments(events) == {Wager.SUPER: 500_000, Wager.ENVY: 5_000}
    assert (table.stack(1), table.stack(2)) == (before[0] + 500_000, before[1] + 5_000)
    check_table(table)
    assert audited(room) == []


def test_r121_the_books_record_the_person_the_time_and_the_reason(room: Room) -> None:
    table = called(room)
    table.do(FLOOR, WATCHED)
    played(table)
    room.clock.at += 7
    table.do(FLOOR, PAID)
    with room.store.read() as connection:
        entries = [
            (entry.actor, entry.at, json.loads(entry.command))
            for entry in read_entries(connection, table.number)
            if entry.actor == FLOOR.name
        ]
    assert entries == [
        (FLOOR.name, room.clock.at - 7, command_data(WATCHED)),
        (FLOOR.name, room.clock.at, command_data(PAID)),
    ]


def test_r121_without_a_floor_person_an_operator_and_then_the_house_answer(room: Room) -> None:
    table = called(room)
    begun = room.clock.at
    events = table.time_up()
    assert room.clock.at - begun == table.state.clocks.supervisor
    assert [type(event) for event in events] == [ev.TimeRanOut, ev.AskRaised]
    assert table.asks_for() is AskKind.SUPERVISOR_LATE
    assert "a floor person or an operator" in str(ask_data(table.state))
    check_table(table)
    events = table.do(OPERATOR, WATCHED)
    assert events[0] == SupervisorAnswered(Authority.OPERATOR)
    played(table)
    table.time_up()
    begun = room.clock.at
    events = table.time_up()
    assert room.clock.at - begun == table.state.clocks.unsupervised
    assert events[1] == PaymentsAuthorized(Authority.HOUSE)
    assert payments(events) == {Wager.SUPER: 500_000, Wager.ENVY: 5_000}
    check_table(table)
    assert audited(room) == []


def test_a_floor_person_may_still_answer_late(room: Room) -> None:
    table = called(room)
    table.time_up()
    assert table.do(FLOOR, WATCHED)[0] == SupervisorAnswered(Authority.FLOOR)
    check_table(table)
    assert audited(room) == []


def test_a_restarted_house_still_waits(room: Room) -> None:
    table = called(room)
    for _ in range(2):
        room.restart()
        assert table.asks_for() in (AskKind.SUPERVISOR, AskKind.SUPERVISOR_LATE)
        check_table(table)
        table.time_up()
    room.restart()
    assert table.asks_for() is AskKind.DECISION
    played(table)
    room.restart()
    table.do(FLOOR, PAID)
    check_table(table)
    assert audited(room) == []


def test_a_call_at_a_stopped_table_is_answered_after_it_resumes(room: Room) -> None:
    table = called(room)
    table.do(SERVICE, do.FaultTable("a test"))
    table.refuses("table_fault", FLOOR, WATCHED)
    table.do(OPERATOR, do.ResumeTable("looked at"))
    assert table.state.deadline is not None
    table.do(FLOOR, WATCHED)
    check_table(table)


def test_a_round_can_be_voided_during_a_call(room: Room) -> None:
    table = called(room)
    table.do(OPERATOR, VoidRound("the wrong cards"))
    assert (table.stack(1), table.stack(2)) == (CHIPS, CHIPS)
    check_table(table)
    assert audited(room) == []


def test_r121_nobody_answers_a_call_of_their_own_round(room: Room) -> None:
    table = called(room)
    for role in (ActorRole.FLOOR, ActorRole.OPERATOR):
        for number in (1, 2):
            refusal = table.refuses("not_allowed", staff(number, role), WATCHED)
            assert "someone else must answer" in refusal.reason
    table.do(staff(3), WATCHED)
    played(table)
    for number in (1, 2):  # the winner, and the one who gets an Envy Bonus
        table.refuses("not_allowed", staff(number), PAID)
    table.do(2, do.LeaveSeat())
    table.refuses("not_allowed", staff(2), PAID)
    table.time_up()
    table.refuses("not_allowed", staff(1, ActorRole.OPERATOR), PAID)
    table.do(OPERATOR, PAID)
    check_table(table)
    assert audited(room) == []


def test_absent_players_dont_answer_for_the_floor(room: Room) -> None:
    """The call waits; the payments need a new answer even if nobody decided in between."""
    table = called(room)
    for who in (1, 2):
        table.do(who, do.LeaveSeat())
    assert table.asks_for() is AskKind.SUPERVISOR
    table.do(FLOOR, WATCHED)
    assert table.asks_for() is not AskKind.SUPERVISOR  # both stood: no Super Bonus
    check_table(table)
    assert audited(room) == []


def test_without_the_option_nothing_waits_and_nothing_is_stored(room: Room) -> None:
    table = room.open().sit(1, 2).deal(base=2500)
    assert table.asks_for() is AskKind.DECISION
    assert payments(played(table).updates[-1].events)[Wager.SUPER] == 500_000  # type: ignore[arg-type]
    table.refuses("not_time_to_act", FLOOR, WATCHED)
    with room.store.read() as connection:
        text = " ".join(
            entry.command + entry.events for entry in read_entries(connection, table.number)
        )
    for word in ("supervis", "hand_pay", "Authorized"):
        assert word not in text.replace("SupervisorCalled", "")
    assert SupervisorCalled.__name__ in text


# --- hand-pay ---------------------------------------------------------------------------------


def winner(store: Store, supervisor: Requirement = Requirement.OFF) -> tuple[LiveTable, int]:
    """A table that pays by hand, where spot 1 is about to win 10% of the jackpot."""
    room = Room(store, shoes=[ONE_WINS])
    jackpot = create(store, JACKPOT_RULES)
    table = room.open(JACKPOT_RULES, supervisor=supervisor, hand_pay=Requirement.REQUIRED)
    table.do(OPERATOR, do.LinkJackpot(1, jackpot, "one meter"))
    table.sit(1).cut()
    table.do(1, PlaceWagers(1, 1000, jackpots={1: 100}))
    table.ready(1)
    return table, jackpot


AWARD = share_of(SEED + EACH, 10)


def test_r122_nobody_pays_their_own_award(store: Store) -> None:
    table, _ = winner(store)
    table.do(1, Stand(1))
    (number,) = table.state.held_awards
    for role in (ActorRole.FLOOR, ActorRole.OPERATOR, ActorRole.OWNER):
        refusal = table.refuses("not_allowed", staff(1, role), do.PayByHand(number, "my own"))
        assert "You won this award" in refusal.reason
    table.refuses("not_allowed", staff(2, ActorRole.AUDITOR), do.PayByHand(number, "I may read"))
    for strange in (-number, 0, 10**30):
        table.refuses("stale", FLOOR, do.PayByHand(strange, "which one?"))
    table.do(staff(2), do.PayByHand(number, "identity checked"))
    check_table(table)
    assert audited(table.room) == []


def held_rows(room: Room) -> list[tuple[int, int, int]]:
    query = select(held_award.c.table_id, held_award.c.person_id, held_award.c.amount)
    with room.store.read() as connection:
        return [tuple(row) for row in connection.execute(query)]


def test_r122_an_award_waits_for_a_hand_pay(store: Store) -> None:
    """R-095: the meter falls at once; the player's balance rises only with the hand-pay."""
    table, jackpot = winner(store)
    room = table.room
    table.do(1, Stand(1))
    ((number, held),) = table.state.held_awards.items()
    assert held == ev.AwardHeld(1, 1, "1", 1, AWARD)
    assert displayed_amount(read(store, jackpot)) == SEED + EACH - AWARD
    assert held_rows(room) == [(table.number, 1, AWARD)]
    assert room.balances()[f"due/{table.number}"] == AWARD
    at_table = table.stack(1)
    assert table.wallet(1) == WALLET - CHIPS
    check_table(table)
    assert audited(room) == []

    table.refuses("not_allowed", 1, do.PayByHand(number, "mine"))
    table.refuses("stale", FLOOR, do.PayByHand(number + 1, "which one?"))
    table.refuses("no_reason", FLOOR, do.PayByHand(number, " "))
    events = table.do(FLOOR, do.PayByHand(number, "identity checked"), key="hand-pay")
    assert events == [ev.AwardHandPaid(number, 1, 1, "1", AWARD)]
    assert (table.wallet(1), table.stack(1)) == (WALLET - CHIPS + AWARD, at_table)
    assert held_rows(room) == []
    assert room.balances()[f"due/{table.number}"] == 0
    again = table.send(FLOOR, do.PayByHand(number, "identity checked"), key="hand-pay")
    assert table.wallet(1) == WALLET - CHIPS + AWARD, again
    table.refuses("stale", FLOOR, do.PayByHand(number, "twice?"))
    check_table(table)
    assert audited(room) == []


def test_r121_a_held_award_needs_an_authorization_too(store: Store) -> None:
    table, jackpot = winner(store, supervisor=Requirement.REQUIRED)
    table.do(1, Stand(1))
    assert table.asks_for() is AskKind.SUPERVISOR
    assert displayed_amount(read(store, jackpot)) == SEED + EACH
    assert table.state.held_awards == {}
    table.do(FLOOR, PAID)
    assert displayed_amount(read(store, jackpot)) == SEED + EACH - AWARD
    assert [held.amount for held in table.state.held_awards.values()] == [AWARD]
    check_table(table)
    assert audited(table.room) == []


def test_an_award_is_paid_after_the_player_and_the_table_are_gone(store: Store) -> None:
    table, _ = winner(store)
    table.do(1, Stand(1))
    (number,) = table.state.held_awards
    table.do(1, do.LeaveSeat())
    table.do(OPERATOR, do.CloseTable("the day is over"))
    assert table.loaded().status is TableStatus.CLOSED
    before = table.wallet(1)
    table.room.restart()
    table.do(FLOOR, do.PayByHand(number, "at the cage"))
    assert table.wallet(1) == before + AWARD
    check_table(table)
    assert audited(table.room) == []


def test_the_prize_of_a_house_jackpot_is_paid_by_hand_too(store: Store) -> None:
    """O-39: the house's own money is set aside."""
    rules = load_rules("wsgc-2021(decks=8,jackpots=3d:1:kind=house:seed=1000)")
    room = Room(store, shoes=[ONE_WINS])
    table = room.open(rules, hand_pay=Requirement.REQUIRED).sit(1).cut()
    table.do(1, PlaceWagers(1, 1000, jackpots={1: 100}))
    table.ready(1)
    table.do(1, Stand(1))
    ((number, held),) = table.state.held_awards.items()
    assert room.balances()[f"due/{table.number}"] == held.amount > 0
    table.do(OPERATOR, do.PayByHand(number, "at the cage"))
    assert table.wallet(1) == WALLET - CHIPS + held.amount
    check_table(table)
    assert audited(room) == []


def test_the_audit_finds_a_held_award_that_was_removed(store: Store) -> None:
    table, _ = winner(store)
    table.do(1, Stand(1))
    with store.write() as connection:
        connection.execute(held_award.delete())
    assert len(audited(table.room)) == 1
