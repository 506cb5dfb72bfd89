"""Prompts and clocks: timely answers count, late ones are stale, and defaults do the rest."""

from __future__ import annotations

import pytest

from tests.support.memory_store import MemoryStore
from tests.table.folded import check_table
from tests.table.tables import CHIPS, WALLET, LiveTable, Room, cards
from ventiuna.engine.commands import (
    Hit,
    Insure,
    KeepBlackjack,
    PlaceWagers,
    Split,
    Stand,
    TakeBlackjack,
    WithdrawWagers,
)
from ventiuna.engine.dealing import OutOfCards
from ventiuna.engine.events import HandStood, RoundVoided
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.flow import OUT_OF_CARDS
from ventiuna.table.domain.handlers import CLOCK
from ventiuna.table.fairness import LiveShoe
from ventiuna.table.store.connection import Store
from ventiuna.table.writer import Done

TWO_HANDS = cards("Kh Kd Qh 9c 8d 7h")
INSURED = cards("Kh 9d Ah 9c 8d 7h")  # an ace up, no blackjack
TWO_BLACKJACKS = cards("Kh Kd Qh Ac Ad 7h")


def table_with(shoe: tuple[int, ...], *people: int, store: Store | None = None) -> LiveTable:
    room = Room(store or MemoryStore(), shoes=[shoe])
    return room.open().sit(*people)


@pytest.fixture
def table() -> LiveTable:
    return table_with(TWO_HANDS, 1, 2)


# --- wagers -----------------------------------------------------------------------------------


def test_the_wager_clock_starts_with_the_first_wager(table: LiveTable) -> None:
    table.cut()
    assert table.loaded().deadline is None
    clock = table.room.clock
    clock.at += 100_000
    table.wager(1)
    deadline = clock.now() + table.state.clocks.wagers
    assert table.loaded().deadline == deadline
    clock.at += 5_000
    table.wager(2)
    table.wager(1, 2000)
    assert table.loaded().deadline == deadline, "more wagers don't add time"
    table.do(1, WithdrawWagers(1))
    assert table.loaded().deadline == deadline
    table.do(2, WithdrawWagers(2))
    assert table.loaded().deadline is None
    check_table(table)


def test_changing_wagers_makes_a_seat_not_ready(table: LiveTable) -> None:
    table.cut()
    table.wager(1)
    table.ready(1)
    table.wager(1, 2000)
    table.wager(2)
    table.ready(2)
    assert table.asks_for() is AskKind.WAGERS
    assert check_table(table).ready == {2}
    table.ready(1)
    assert table.asks_for() is AskKind.DECISION


def test_a_spot_that_changes_hands_makes_nobody_unready(table: LiveTable) -> None:
    """The spot's current player is not the one who wagered on it."""
    table.cut()
    table.ready(1)
    table.wager(2)
    table.do(2, WithdrawWagers(2))
    table.do(2, do.ChooseSpots((3,)))
    table.do(1, do.ChooseSpots((1, 2)))
    assert check_table(table).ready == {1}


def test_time_up_deals_with_the_placed_wagers(table: LiveTable) -> None:
    table.cut()
    table.wager(2)
    table.time_up()
    assert table.state.ask == table.loaded().ask
    assert table.state.open_round.order[0].number == 2
    assert len(table.state.open_round.order) == 1


def test_all_must_be_ready(table: LiveTable) -> None:
    table.cut()
    table.ready(1, 2)  # nothing is dealt without a wager
    assert table.asks_for() is AskKind.WAGERS
    table.wager(1)
    assert table.asks_for() is AskKind.WAGERS
    table.ready(1)
    assert table.asks_for() is AskKind.DECISION


# --- time up ----------------------------------------------------------------------------------


def test_time_up_early_late_and_twice(table: LiveTable) -> None:
    table.deal()
    ask = table.ask or 0
    assert table.refuses("stale", CLOCK, do.TimeUp(ask)).reason == (
        "The table has moved on. Nothing timed out."
    )
    table.room.clock.at += table.state.clocks.decision - 1
    table.refuses("stale", CLOCK, do.TimeUp(ask))
    table.room.clock.at += 1
    request = table.request(CLOCK, do.TimeUp(ask), key=f"clock/{table.number}/{ask}")
    first = table.step(request)
    assert [type(event) for event in first.updates[0].events] == [
        ev.TimeRanOut,
        HandStood,
        ev.AskRaised,
    ]
    again = table.step(request)  # another process noticed the timeout too
    assert again.outcomes == first.outcomes
    assert again.updates == []
    table.refuses("stale", CLOCK, do.TimeUp(ask))
    check_table(table)


def test_an_answer_that_is_committed_first_counts(table: LiveTable) -> None:
    """The answer counts even if the time ran out long ago."""
    table.deal()
    ask = table.ask or 0
    table.room.clock.at += 10 * table.state.clocks.decision
    table.do(1, Hit(1))
    table.refuses("stale", CLOCK, do.TimeUp(ask))


def test_an_answer_to_an_older_prompt_is_stale(table: LiveTable) -> None:
    table.deal()
    ask = table.ask or 0
    table.do(1, Stand(1))
    assert table.refuses("stale", 2, Stand(2), ask=ask).reason == (
        "This answers an earlier prompt. The table is waiting for spot 2's next decision."
    )
    table.refuses("stale", 2, Stand(2), ask=10**9)
    table.do(2, Stand(2))


def test_the_refusal_of_a_stale_answer_says_why(table: LiveTable) -> None:
    table.deal()
    ask = table.ask or 0
    early = table.refuses("stale", 2, Stand(2), ask=ask - 1)
    assert early.reason == "This answers an earlier prompt. It's another hand's turn."
    assert early.rules == ("R-102",)
    table.do(1, Stand(1))
    over = table.refuses("stale", 1, Hit(1), ask=ask)
    assert over.reason == "This answers an earlier prompt. The hand is over."
    assert over.rules == ("R-102",)
    late = table.refuses("stale", 1, PlaceWagers(1, 1000), ask=ask)
    assert late.reason.startswith("This answers an earlier prompt. ")
    assert late.rules
    table.do(2, Stand(2))
    ready = table.refuses("stale", 1, do.Ready(), ask=ask)
    assert ready.reason.endswith("The table is taking wagers for the next round now.")


def test_each_decision_of_a_hand_has_its_own_prompt() -> None:
    table = table_with(cards("2h 3d Qh 2c 8d 7h 2s 3h 4c"), 1).deal()
    first = table.ask or 0
    table.do(1, Hit(1))
    assert table.asks_for() is AskKind.DECISION
    assert table.ask != first
    table.refuses("stale", 1, Hit(1), ask=first)  # a duplicate doesn't hit twice
    check_table(table)


def test_restarted_clocks_are_full_ones(table: LiveTable) -> None:
    assert table.cut().refuses("stale", CLOCK, do.RestartClocks("a jump")).reason == (
        "No clock is running at this table."
    )
    table.wager(1)
    table.room.clock.at += 10_000
    table.do(CLOCK, do.RestartClocks("a jump"))
    assert table.loaded().deadline == table.room.clock.now() + table.state.clocks.wagers
    check_table(table)


def test_clocks_of_a_table_are_its_own() -> None:
    room = Room(MemoryStore())
    table = room.open(clocks={"decision": 3_000}).sit(1).deal()
    assert table.asks_for() is not None
    assert table.loaded().clocks.decision == 3_000
    assert table.loaded().clocks.wagers == 15_000


# --- insurance and blackjacks: one prompt for all ---------------------------------------------


def test_one_insurance_prompt_covers_all_spots() -> None:
    table = table_with(INSURED, 1, 2).deal()
    ask = table.state.ask
    assert ask is not None
    assert (ask.kind, ask.spots) == (AskKind.INSURANCE, (1, 2))
    table.do(2, Insure(2, 500), ask=ask.number)
    assert table.state.ask == ask
    check_table(table)
    table.do(1, Insure(1, 0), ask=ask.number)
    assert table.asks_for() is AskKind.DECISION
    assert table.stack(2) == CHIPS - 1500


def test_unanswered_insurance_is_declined() -> None:
    table = table_with(INSURED, 1, 2).deal()
    table.do(1, Insure(1, 500))
    table.time_up()
    assert table.stack(2) == CHIPS - 1000
    assert table.asks_for() is AskKind.DECISION
    check_table(table)


def test_blackjacks_are_paid_when_time_is_up() -> None:
    table = table_with(TWO_BLACKJACKS, 1, 2).deal()
    assert table.asks_for() is AskKind.BLACKJACK
    table.do(2, KeepBlackjack(2))
    assert table.asks_for() is AskKind.BLACKJACK
    table.time_up()
    assert table.stack(1) == CHIPS + 1500
    assert table.stack(2) == CHIPS - 1000
    assert table.asks_for() is AskKind.DECISION, "it's the kept blackjack's turn"
    check_table(table)


def test_absent_players_get_their_defaults_at_once() -> None:
    table = table_with(TWO_BLACKJACKS, 1, 2).deal()
    table.do(1, do.LeaveSeat())
    ask = table.state.ask
    assert ask is not None
    assert ask.kind is AskKind.BLACKJACK
    table.do(2, TakeBlackjack(2))
    assert table.wallet(1) == WALLET + 1500, "paid and cashed out"
    check_table(table)


def test_a_lone_player_who_leaves_has_the_hand_played_at_once() -> None:
    table = table_with(TWO_HANDS, 1, 2).deal(1)
    events = table.do(1, do.LeaveSeat())
    assert any(isinstance(event, ev.RoundClosed) for event in events)
    assert ev.SeatLeft(1) in events
    check_table(table)


# --- several spots for one seat ---------------------------------------------------------------


def test_a_seat_plays_several_spots() -> None:
    table = table_with(TWO_HANDS, 1)
    table.do(1, do.ChooseSpots((2, 5)))
    table.cut()
    table.wager(1, spot=2)
    table.wager(1, spot=5)
    table.refuses("not_your_spot", 1, PlaceWagers(1, 1000))
    table.ready(1)
    for spot in (2, 5):
        assert table.state.ask is not None
        assert table.state.ask.spots == (spot,)
        table.do(1, Stand(spot))
    assert table.stack(1) == CHIPS + 2000  # 19 and 18 against 17
    check_table(table)


# --- many shoes -------------------------------------------------------------------------------


def test_rounds_over_shoes_with_a_cut_card() -> None:
    """After the cut card, the round is finished, the shoe revealed, and the next one cut."""
    room = Room(MemoryStore())
    table = room.open("super-fun-21(decks=1)").sit(1, 2, 3)
    for _ in range(12):
        table.deal()
        while table.asks_for() not in (AskKind.WAGERS, AskKind.CUT_COMMIT):
            table.time_up()
        check_table(table)
    told = [event for update in table.updates for event in update.events]
    revealed = [event.shoe for event in told if isinstance(event, ev.ShoeRevealed)]
    opened = [event.shoe for event in told if isinstance(event, ev.RoundOpened)]
    assert revealed == list(range(1, len(revealed) + 1))
    assert len(revealed) >= 3
    assert opened == sorted(opened)


def test_a_round_that_needs_more_cards_than_the_shoe_has() -> None:
    """The discards are reshuffled, and the shoe ends with that round."""
    room = Room(MemoryStore(), people=7)
    table = room.open("super-fun-21(decks=1,cut_card=100)").sit(*range(1, 8))
    reshuffled = 0
    for _ in range(4):
        table.deal()
        if play_to_the_end(table):
            reshuffled += 1
            assert table.asks_for() is AskKind.CUT_COMMIT
        check_table(table)
    assert reshuffled


def test_a_round_without_cards_left_is_void(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_with(TWO_HANDS, 1, 2, store=store).deal()
    plain = LiveShoe.draw

    def draw(shoe: LiveShoe) -> int:
        if shoe.dealt == len(TWO_HANDS):
            raise OutOfCards("every card is on the table")
        return plain(shoe)

    monkeypatch.setattr(LiveShoe, "draw", draw)
    events = table.do(1, Hit(1))
    assert RoundVoided(OUT_OF_CARDS) in events
    assert [type(event) for event in events][-3:] == [
        ev.RoundClosed,
        ev.ShoeRevealed,
        ev.AskRaised,
    ]
    assert [table.stack(seat) for seat in (1, 2)] == [CHIPS, CHIPS]
    monkeypatch.undo()
    check_table(table)


def play_to_the_end(table: LiveTable) -> bool:
    """Everyone hits as often as possible."""
    reshuffled = False
    while table.asks_for() not in (AskKind.WAGERS, AskKind.CUT_COMMIT):
        state = table.state
        if state.live is not None:
            reshuffled |= state.live.reshuffles > 0
        ask = state.ask
        assert ask is not None
        if ask.kind is AskKind.DECISION:
            spot = ask.spots[0]
            outcome = table.send(int(state.seats[state.spots[spot]].person), Hit(spot))
            if isinstance(outcome, Done):
                continue
        table.time_up()
    return reshuffled


def test_the_next_split_hand_has_its_own_prompt_after_a_soft_21_when_time_runs_out() -> None:
    """Standing on a soft 21 pays at once, so that hand's prompt must go away too."""
    # Aces against a six are split; the first gets a nine and then another ace: soft 21.
    table = table_with(cards("Ah 6d Ac 9c 9h Ad 5s"), 1)
    table.deal()
    table.do(1, Split(1))
    table.do(1, Hit(1))
    first = table.state.ask
    assert first is not None
    assert (first.hand, table.state.open_round.order[0].hands[0].total) == (0, 21)
    table.time_up()
    second = check_table(table).ask
    assert second is not None
    assert (second.kind, second.hand) == (AskKind.DECISION, 1)
    assert second.number > first.number
    assert table.state.deadline is not None
