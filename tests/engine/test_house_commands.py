"""House commands other than dealing: meter readings, void rounds and default answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tests.rounds import Live, deal, play, seat, wagers
from ventiuna import Refused, commands, execute, finish_round, load_rules, record_of, write_round
from ventiuna.cards import parse_cards
from ventiuna.engine import (
    DEALER,
    EVERYONE,
    ListSource,
    RoundState,
    Shoe,
    apply,
    default_command,
    net_by_wager,
    own_meters,
    view,
    waiting_for,
)
from ventiuna.engine import events as ev
from ventiuna.engine.chips import Chips
from ventiuna.engine.commands import DataError
from ventiuna.engine.dealing import OutOfCards, deal_wanted_cards
from ventiuna.engine.events import MetersShown, RoundVoided, Stage, StageReached, Stakes, Wager
from ventiuna.engine.prompts import MetersWanted, NothingWanted
from ventiuna.notation import NotationError, replay
from ventiuna.strategy.players import steady_player
from ventiuna.testing.invariants import check_round

LINKED = "wsgc-2021(jackpots=3c:1:seed=100)"
SHARE = "5c 5c 5c Kd Ks"  # two suited matches: 10% of the meter


def before_awards(meter: int = 1000) -> Live:
    """The round waits for the meters because an award of 10% is due."""
    live = Live(LINKED, [meter])
    for command in (wagers(jackpots={1: 1}), commands.CloseWagers()):
        live.events += execute(live.state, command)
    for card in parse_cards("5c 5c 5c Kd"):
        live.events += execute(live.state, commands.DealCard(card))
    live.events += execute(live.state, commands.Stand(1))
    for card in parse_cards("4h"):
        live.events += execute(live.state, commands.DealCard(card))
    return live


# --- meters -----------------------------------------------------------------------------------


def test_r_095_awards_wait_for_a_reading_of_the_meters() -> None:
    live = before_awards()
    assert live.events[-1] == StageReached(Stage.AWARDS)
    assert waiting_for(live.state) == MetersWanted((1,))
    assert default_command(live.state) is None
    new = execute(live.state, commands.ShowMeters({1: 2000_00}))
    assert new[0] == MetersShown(Stakes({1: 2000_00}))
    assert waiting_for(live.state) == NothingWanted()
    live.events += new
    assert live.payment(1, Wager.JACKPOT_1).paid == 200_00  # 10% of the reading
    assert live.meters() == ["+1800.00"]
    check_round(live.state, [(1000_00, 0)], live.events)


def test_an_unlinked_table_reads_its_own_meters() -> None:
    live = before_awards()
    assert own_meters(live.state) == commands.ShowMeters({1: 1000_21})  # 21% of $1 was added
    new = deal_wanted_cards(live.state, ListSource([]))
    assert new[0] == MetersShown(Stakes({1: 1000_21}))
    assert waiting_for(live.state) == NothingWanted()


def test_no_reading_is_requested_if_no_award_is_due() -> None:
    round_ = play(LINKED, "9c 8d", seat("Kc Kd / stand", jackpots=[1]))
    assert not round_.all(MetersShown)
    house = "wsgc-2021(jackpots=3c:1:kind=house:seed=100)"
    posted = play(house, "5c Kd / 4h", seat("5c 5c / stand", jackpots=[1]))
    assert StageReached(Stage.AWARDS) in posted.events
    assert not posted.all(MetersShown)  # a house jackpot's amount is posted


@pytest.mark.parametrize(
    "reading",
    [{}, {2: 5}, {1: 5, 2: 5}, {True: 5}, {"1": 5}, {1: -1}, {1: 1.5}, {1: 10**5000}, None, 5, "x"],
    ids=lambda reading: str(type(reading)),
)
def test_a_reading_must_cover_the_requested_games(reading: Any) -> None:
    live = before_awards()
    refusal = live.refuses(commands.ShowMeters(reading))
    assert refusal.rules
    assert "jackpot 1" in refusal.message


def test_a_reading_at_another_time_is_refused() -> None:
    live = deal(LINKED, "5c 9c")
    refusal = live.refuses(commands.ShowMeters({1: 5}))
    assert (refusal.code, refusal.rules) == ("no_meters_wanted", ("R-095", "R-102"))


def test_a_linked_round_is_recorded_with_the_meter_that_was_read() -> None:
    live = before_awards()
    live.events += execute(live.state, commands.ShowMeters({1: 2000_21}))
    record = record_of(live.state.rules, live.events, [(1000_00, 0)])
    assert record.meters == ((2000_00, 0),)
    again = replay(record)
    assert [payment.paid for payment in again.payments] == [p.paid for p in live.payments]
    assert record.meters_after == (live.state.meters[0].cents,)


# --- void rounds ------------------------------------------------------------------------------


def test_a_void_round_returns_everything_to_everyone() -> None:
    live = deal(LINKED, "5c 9c Ah 5d Kh", wagers(1, mtd={"up": 5}, jackpots={1: 1}), wagers(2))
    before = Chips().add_all(live.events)
    assert before.on_table > 0
    [voided] = live.do(commands.VoidRound("the lights went out"))
    assert voided == RoundVoided("the lights went out")
    assert (live.state.stage, waiting_for(live.state)) == (Stage.VOID, NothingWanted())
    chips = Chips().add_all(live.events)
    assert (chips.spots, chips.on_table) == ({1: 0, 2: 0}, 0)
    assert (chips.is_settled, chips.total) == (True, 0)
    assert (chips.meters, chips.house) == ({1: 21}, -21)  # the meter keeps its contribution
    assert net_by_wager(live.events) == {}
    check_round(live.state, [(100_00, 0)], live.events)


def test_earlier_payments_are_returned_too() -> None:
    live = deal("wsgc-2021", "Ac 5h 9c Kc 6h Kh", wagers(1), wagers(2))
    live.do(commands.TakeBlackjack(1))
    assert Chips().add_all(live.events).spots[1] > 0
    live.do(commands.VoidRound("a card was exposed"))
    chips = Chips().add_all(live.events)
    assert (chips.spots, chips.house, chips.total) == ({1: 0, 2: 0}, 0, 0)


@pytest.mark.parametrize("cards", ["", "5c", "5c Ad 5d Kh", "5c 9d 5d Kh"])
def test_a_round_can_be_voided_at_any_time_before_awards(cards: str) -> None:
    live = deal(LINKED, cards)
    live.do(commands.VoidRound("a fire alarm"))
    for command in (commands.Stand(1), commands.DealCard(0), wagers(), commands.CloseWagers()):
        live.refuses(command)


def test_a_round_can_be_voided_before_the_deal() -> None:
    live = Live(LINKED)
    live.do(wagers(), commands.VoidRound("the table closes"))
    assert Chips().add_all(live.events).spots == {1: 0}


def test_a_round_cannot_be_voided_once_awards_are_due() -> None:
    awaiting = before_awards()
    closed = play("wsgc-2021", "9c 8d", "Kc Kd / stand")
    void = deal("super-fun-21", "5c 9c")
    void.do(commands.VoidRound("no light"))
    told = {
        "A round can't be voided once jackpot awards are due or it has ended. (R-095, R-102)",
        "A round can't be voided once jackpot awards are due or it has ended. (R-120)",
    }
    for state in (awaiting.state, closed.state, void.state):
        with pytest.raises(Refused) as refusal:
            execute(state, commands.VoidRound("too late"))
        assert refusal.value.code == "too_late_to_void"
        assert str(refusal.value) in told


@pytest.mark.parametrize("reason", ["", "  ", None, 5, ["x"]])
def test_voiding_a_round_needs_a_reason(reason: Any) -> None:
    refusal = deal("wsgc-2021", "5c").refuses(commands.VoidRound(reason))
    assert refusal.code == "no_reason"


def test_a_void_round_has_no_record() -> None:
    live = deal("wsgc-2021", "5c 9c 5d Kh")
    live.do(commands.VoidRound("no light"))
    with pytest.raises(NotationError, match="void round"):
        record_of(live.state.rules, live.events)


# --- default answers --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "cards", "answer"),
    [
        ("wsgc-2021", "5c 9c 5d Kh", commands.Stand(1)),
        ("wsgc-2021", "5c Ac 5d Kh", commands.Insure(1, 0)),
        ("wsgc-2021(double_blackjack=on)", "Ac 9c Kd Kh", commands.TakeBlackjack(1)),
        ("wsgc-2021", "5c", None),
    ],
)
def test_a_player_who_doesnt_answer_gets_a_legal_default(
    rules: str, cards: str, answer: commands.Command | None
) -> None:
    live = deal(rules, cards)
    assert default_command(live.state) == answer
    if answer is not None:
        live.do(answer)


def test_nobody_is_forced_to_wager() -> None:
    assert default_command(RoundState(load_rules("wsgc-2021"))) is None


# --- all events, copies of the chips, running out of cards ------------------------------------


def test_all_events_of_a_round_can_be_recorded() -> None:
    rules = load_rules("wsgc-2021")
    state = RoundState(rules)
    execute(state, commands.PlaceWagers(3, 1000, "ana", {"up": 500}))
    execute(state, commands.PlaceWagers(1, 2000))
    cards = parse_cards("Kc Kd 9c 9d 9h 8s")
    events = finish_round(state, ListSource(cards), steady_player)
    assert events[:2] == [
        ev.WagersPlaced(1, "", 2000),
        ev.WagersPlaced(3, "ana", 1000, Stakes({"up": 500})),
    ]
    text = write_round(record_of(rules, events))
    assert "spot 1: base 20\n" in text
    assert "spot 3 ana: base 10, up 5\n" in text


def test_a_copy_of_the_chips_is_independent() -> None:
    live = deal(LINKED, "8c 9c 8d Kh", wagers(mtd={"up": 5}, jackpots={1: 1}, base=20))
    chips = Chips().add_all(live.events)
    twin = chips.copy()
    assert vars(twin) == vars(chips)
    for event in live.do(commands.Split(1)):
        twin.add(event)
    assert (chips.stake_of(1, Wager.HAND), twin.stake_of(1, Wager.HAND)) == (20_00, 40_00)
    assert (chips.on_hand(1, 0), chips.stake_of(2, Wager.HAND)) == (20_00, 0)
    assert chips.stake_of(1, Wager.MTD_UP) == 0  # settled
    assert chips.stake_of(1, Wager.INSURANCE) == 0


def test_running_out_of_cards_leaves_a_copy_to_discard() -> None:
    live = Live("wsgc-2021")
    live.do(wagers(), commands.CloseWagers())
    copy = live.state.copy()
    with pytest.raises(OutOfCards):
        deal_wanted_cards(copy, ListSource(parse_cards("5c 9c")))
    assert copy.dealer
    assert not live.state.dealer


class NotedDiscards(ListSource):
    """A list of cards that records discards."""

    def __init__(self, cards: str) -> None:
        super().__init__(parse_cards(cards))
        self.discards: list[int] = []

    def discard(self, cards: Iterable[int]) -> None:
        self.discards += cards


def test_all_cards_of_a_closed_round_are_discarded() -> None:
    source = NotedDiscards("Kc 9c Qd 9h")
    live = Live("wsgc-2021")
    live.do(wagers(), commands.CloseWagers())
    deal_wanted_cards(live.state, source)
    assert source.discards == []
    new = execute(live.state, commands.Stand(1))
    assert deal_wanted_cards(live.state, source) == []
    # Only the dealer's cards: the hand's cards were discarded before.
    assert source.discards == [*parse_cards("9c 9h")]
    assert ev.HandRemoved(1, 0) in new
    bust = NotedDiscards("Kc 9c 6d 9h Qh")
    lost = Live("wsgc-2021")
    lost.do(wagers(), commands.CloseWagers())
    deal_wanted_cards(lost.state, bust)
    execute(lost.state, commands.Hit(1))
    deal_wanted_cards(lost.state, bust)
    assert bust.discards == [*parse_cards("Kc 6d Qh 9c 9h")]


def test_a_new_hand_isnt_waiting_for_a_card() -> None:
    live = Live("wsgc-2021")
    live.do(wagers())
    [hand] = live.state.spots[1].hands
    assert (hand.wager, hand.last_portion, hand.drawing, hand.on_table) == (10_00, 0, False, True)


def unfinished() -> list[ev.Event]:
    return deal("wsgc-2021", "5c 9c 5d Kh").events


@pytest.mark.parametrize(
    ("events", "told"),
    [
        (unfinished(), "must be all events of a finished round"),
        ([], "must be all events of a finished round"),
        (play("wsgc-2021", "9c 8d", "Kc Kd / stand").events[1:], "spot 1 has no wagers"),
    ],
)
def test_a_record_needs_all_events(events: list[ev.Event], told: str) -> None:
    with pytest.raises(NotationError, match=told):
        record_of(load_rules("wsgc-2021"), events)


def test_a_record_needs_the_rules_first() -> None:
    events: Any = unfinished()
    with pytest.raises(NotationError, match="must be a Rules object"):
        record_of(events)


@pytest.mark.parametrize("rules", ["wsgc-2021", None, 5])
def test_rounds_and_shoes_need_rules(rules: Any) -> None:
    for make in (RoundState, lambda given: Shoe(given, list.sort)):
        with pytest.raises(Refused, match="rules must be the result of load_rules"):
            make(rules)


@pytest.mark.parametrize(
    "event",
    [ev.HandHit(1, 0), ev.CardDealt(None, ev.Place.DOWN), ev.WagersWithdrawn(1), 5, None],
    ids=lambda event: type(event).__name__,
)
def test_an_impossible_event_is_reported(event: Any) -> None:
    with pytest.raises(DataError, match="can't happen here"):
        apply(RoundState(load_rules("wsgc-2021")), event)


# --- persons and viewers ----------------------------------------------------------------------


def test_o_14_an_unnamed_spot_belongs_to_nobody_else() -> None:
    """A person called P2 and an unnamed spot 2 are two people, and each gets an Envy Bonus."""
    live = deal(
        "wsgc-2021(envy=per_other_winner)",
        "7s 9c 7h 7s 9d Kh",
        wagers(1, person="P2"),
        wagers(2),
    )
    live.do(commands.Hit(1))
    live.deal("7s")
    live.do(commands.Stand(2))
    while waiting_for(live.state) != NothingWanted():
        live.deal("2c")
    assert [payment.spot for payment in live.payments if payment.wager is Wager.SUPER] == [1]
    assert [payment.spot for payment in live.payments if payment.wager is Wager.ENVY] == [2]


def test_being_named_dealer_doesnt_reveal_the_down_card() -> None:
    live = deal("wsgc-2021", "5c 9c 5d Kh", wagers(person="dealer"))
    name: Any = "dealer"
    assert view(live.state, name) == view(live.state, EVERYONE)
    assert view(live.state, EVERYONE) != view(live.state, DEALER)
