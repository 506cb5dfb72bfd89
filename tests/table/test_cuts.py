"""Shoes from commitment to reveal: everyone may cut, and nobody can choose the order."""

from __future__ import annotations

import pytest

from tests.table.folded import check_table
from tests.table.tables import OPERATOR, LiveTable, Room, cut_of, open_cut
from ventiuna.engine.commands import PlaceWagers, VoidRound
from ventiuna.engine.events import CardDealt
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.fairness import mix_of, shoe_commitment
from ventiuna.table.store.connection import Store


@pytest.fixture
def table(store: Store) -> LiveTable:
    return Room(store).open()


def shoe_cut(events: list[ev.TableEvent]) -> ev.ShoeCut:
    (found,) = [event for event in events if isinstance(event, ev.ShoeCut)]
    return found


def commitment(table: LiveTable) -> bytes:
    assert table.state.next_shoe is not None
    return table.state.next_shoe.commitment


def test_the_shoe_is_committed_before_anyone_sits_down(table: LiveTable) -> None:
    assert table.loaded().next_shoe is not None
    assert table.ask is None
    (events,) = [table.do(1, do.TakeSeat(1))]
    assert events[-1] == ev.AskRaised(AskKind.CUT_COMMIT)
    assert table.state.deadline == table.room.clock.now() + table.state.clocks.cut


def test_nobody_cuts(table: LiveTable) -> None:
    table.sit(1, 2)
    before = commitment(table)
    table.do(1, do.Ready())
    events = table.do(2, do.Ready())
    assert shoe_cut(events) == ev.ShoeCut(1, mix_of(before, {}).hex())
    assert [type(event) for event in events][1:] == [
        ev.ShoeCut,
        ev.ShoeCommitted,
        ev.RoundOpened,
        ev.AskRaised,
    ]
    assert commitment(table) != before, "the next shoe is committed when this one is cut"
    check_table(table)


def test_nobody_does_anything_and_the_clock_cuts(table: LiveTable) -> None:
    table.sit(1, 2)
    events = table.time_up()
    assert isinstance(events[0], ev.TimeRanOut)
    assert shoe_cut(events).withheld == ()
    assert table.asks_for() is AskKind.WAGERS


def test_two_cut_in_two_steps(table: LiveTable) -> None:
    table.sit(1, 2, 3)
    before = commitment(table)
    table.do(1, table.commit_cut(1))
    check_table(table)
    table.do(3, table.commit_cut(3))
    assert table.do(2, do.Ready())[-2:] == [ev.CutsListed(), ev.AskRaised(AskKind.CUT_OPEN)]
    check_table(table)
    assert table.do(3, open_cut(3)) == [ev.CutOpened(3, cut_of(3).hex())]
    table.room.restart()
    events = table.do(1, open_cut(1))
    expected = mix_of(before, {1: cut_of(1), 3: cut_of(3)})
    assert shoe_cut(events) == ev.ShoeCut(1, expected.hex())
    assert check_table(table).barred == frozenset()


def test_a_withheld_cut_is_left_out_and_its_player_is_barred(table: LiveTable) -> None:
    table.sit(1, 2)
    before = commitment(table)
    table.do(1, table.commit_cut(1))
    table.do(2, table.commit_cut(2))
    table.do(1, open_cut(1))
    events = table.time_up()
    assert shoe_cut(events) == ev.ShoeCut(1, mix_of(before, {1: cut_of(1)}).hex(), (2,))
    assert check_table(table).barred == {"2"}
    void_and_look_for_the_next_cut(table)
    assert table.refuses("cut_barred", 2, table.commit_cut(2)).reason == (
        "You once committed a cut at this table and didn't open it, so you may no longer cut here."
    )
    # Nobody waits for barred players.
    table.do(1, do.Ready())
    assert table.asks_for() is AskKind.WAGERS


def void_and_look_for_the_next_cut(table: LiveTable) -> None:
    table.do(OPERATOR, VoidRound("another shoe"))
    assert table.asks_for() is AskKind.CUT_COMMIT


def test_being_ready_in_the_second_step_means_withholding(table: LiveTable) -> None:
    table.sit(1)
    table.do(1, table.commit_cut(1))
    assert shoe_cut(table.do(1, do.Ready())).withheld == (1,)
    assert check_table(table).barred == {"1"}


def test_invalid_cuts(table: LiveTable) -> None:
    table.sit(1, 2)
    assert table.refuses("not_a_cut", 1, do.CommitCut("12")).reason == (
        "The commitment must have 64 hexadecimal digits, 0-9 and a-f."
    )
    table.refuses("not_a_cut", 1, do.CommitCut("AB" * 32))
    table.refuses("not_a_cut", 1, do.CommitCut("\ud800" * 64))
    assert table.refuses("no_cut_now", 1, open_cut(1)).reason == (
        "The table isn't waiting for this cut now."
    )
    table.do(1, table.commit_cut(1))
    assert table.refuses("no_cut_now", 1, table.commit_cut(1)).reason == (
        "You have already committed a cut."
    )
    table.do(2, do.Ready())
    assert table.refuses("not_a_cut", 1, open_cut(2)).reason == (
        "This is a different cut. Send the one you committed."
    )
    assert table.refuses("not_a_cut", 1, do.OpenCut("zz" * 32)).reason.startswith(
        "The value must have 64"
    )
    assert table.refuses("no_cut_now", 2, open_cut(2)).reason == (
        "You have no committed cut to open."
    )
    table.refuses("no_cut_now", 2, table.commit_cut(2))
    table.do(1, open_cut(1))
    table.refuses("no_cut_now", 1, table.commit_cut(1))  # too late: wagers are being placed


def test_a_copied_commitment_cannot_be_opened(table: LiveTable) -> None:
    """A commitment includes the seat number, so a copied one can only be withheld."""
    table.sit(1, 2)
    copied = table.commit_cut(1)
    table.do(1, copied)
    table.do(2, copied)
    table.do(1, open_cut(1))
    table.refuses("not_a_cut", 2, open_cut(1))
    assert shoe_cut(table.time_up()).withheld == (2,)


def test_a_seat_that_leaves_between_the_steps_has_withheld(table: LiveTable) -> None:
    table.sit(1, 2)
    table.do(1, table.commit_cut(1))
    table.do(2, table.commit_cut(2))
    table.do(1, do.LeaveSeat())
    check_table(table)
    assert shoe_cut(table.do(2, open_cut(2))).withheld == (1,)
    assert check_table(table).barred == {"1"}


def test_nobody_waits_for_the_next_player_in_a_cutters_seat(table: LiveTable) -> None:
    table.sit(1, 2)
    table.do(1, table.commit_cut(1))
    table.do(2, table.commit_cut(2))
    table.do(1, do.LeaveSeat())
    table.do(3, do.TakeSeat(1))
    table.refuses("no_cut_now", 3, open_cut(1))
    table.do(2, open_cut(2))
    assert check_table(table).barred == {"1"}


def test_the_last_one_leaves_and_the_next_one_finds_a_cut_shoe(table: LiveTable) -> None:
    table.sit(1)
    events = table.do(1, do.LeaveSeat())
    assert shoe_cut(events).withheld == ()
    assert table.ask is None
    check_table(table)
    table.do(2, do.TakeSeat(1))
    assert table.asks_for() is AskKind.WAGERS


def test_the_last_one_leaves_in_the_second_step(table: LiveTable) -> None:
    table.sit(1)
    table.do(1, table.commit_cut(1))
    assert shoe_cut(table.do(1, do.LeaveSeat())).withheld == (1,)
    check_table(table)


def test_a_seat_without_spots_may_cut_and_the_clock_does_not_wait_for_it(table: LiveTable) -> None:
    table.sit(1, 2)
    table.do(2, do.ChooseSpots(()))
    table.do(1, do.LeaveSeat())
    assert table.asks_for() is AskKind.CUT_COMMIT
    table.time_up()
    assert table.ask is None, "nobody has a spot to play"
    table.do(2, do.ChooseSpots((5,)))
    assert table.asks_for() is AskKind.WAGERS
    check_table(table)


def test_no_wagers_before_the_cut(table: LiveTable) -> None:
    table.sit(1)
    assert table.refuses("no_round", 1, PlaceWagers(1, 1000)).reason == (
        "There is no round yet. Wait until the shoe is cut."
    )


def test_nobody_cuts_at_a_table_in_a_fault(table: LiveTable) -> None:
    table.sit(1)
    table.do(SERVICE, do.FaultTable("a defect"))
    table.refuses("table_fault", 1, table.commit_cut(1))


def test_the_revealed_seed_is_what_was_committed_and_dealt(table: LiveTable) -> None:
    """Checked from the public events only."""
    table.sit(1).deal()
    playing = table.state.in_play
    assert playing is not None
    table.do(OPERATOR, VoidRound("look at the cards"))
    told = [event for update in table.updates for event in update.events]
    (revealed,) = [event for event in told if isinstance(event, ev.ShoeRevealed)]
    assert shoe_commitment(playing.context, bytes.fromhex(revealed.seed)) == playing.commitment
    order = table.room.shoes.live(playing)
    dealt = [event.card for event in told if isinstance(event, CardDealt)]
    assert dealt == [order.draw() for _ in dealt]
