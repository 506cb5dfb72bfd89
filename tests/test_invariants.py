"""The invariants themselves: tampering with a round breaks each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ventiuna.cards import parse_cards
from ventiuna.engine import ListSource, RoundState, execute, finish_round
from ventiuna.engine import events as ev
from ventiuna.engine.chips import Chips, ChipsLost
from ventiuna.engine.commands import Command, PlaceWagers, Rescue
from ventiuna.engine.events import Event, Place, Stage, Stakes
from ventiuna.engine.prompts import DecisionWanted, Waiting
from ventiuna.rules import load_rules
from ventiuna.strategy.players import steady_player
from ventiuna.testing.invariants import (
    InvariantBroken,
    check_cards,
    check_chips,
    check_order,
    check_round,
    check_secrets,
    fold,
    snapshot,
)

METERS = [(100_000, 1234)]
Tamper = Callable[[list[Event]], None]


def played() -> tuple[RoundState, list[Event]]:
    """Two spots: one wins 10% of the meter and doubles, the other splits. The dealer draws."""
    rules = load_rules("wsgc-2021(jackpots=3c:1:seed=100)")
    state = RoundState(rules, list(METERS))
    execute(state, PlaceWagers(1, 1000, "Ana", {"up": 500, "down": 100}, {1: 100}))
    execute(state, PlaceWagers(2, 2000, "Ben", {}, {1: 100}))
    cards = parse_cards("5c 8d 5c 5c 8c 9h Kd 9s Ks 2s 4d")
    events = finish_round(state, ListSource(cards), steady_player)
    return state, events


def test_an_honest_round_passes() -> None:
    state, events = played()
    check_round(state, METERS, events)
    kinds = {type(event) for event in events}
    assert {ev.HandDoubled, ev.HandSplit, ev.MeterLowered, ev.MeterRaised} <= kinds


def index_of(events: list[Event], kind: type[Event], which: int = 0) -> int:
    return [number for number, event in enumerate(events) if isinstance(event, kind)][which]


def without(kind: type[Event], which: int = 0) -> Tamper:
    return lambda events: events.__delitem__(index_of(events, kind, which))


def twice(kind: type[Event], which: int = 0) -> Tamper:
    def tamper(events: list[Event]) -> None:
        place = index_of(events, kind, which)
        events.insert(place, events[place])

    return tamper


def with_more(kind: type[Event], name: str, which: int = 0) -> Tamper:
    def tamper(events: list[Event]) -> None:
        place = index_of(events, kind, which)
        event = events[place]
        events[place] = replace(event, **{name: getattr(event, name) + 1})

    return tamper


@pytest.mark.parametrize(
    "tamper",
    [
        without(ev.WagerSettled, 0),
        without(ev.WagerSettled, -1),
        twice(ev.WagerSettled, 0),
        twice(ev.WagerSettled, -1),
        with_more(ev.WagerSettled, "stake"),
        with_more(ev.WagerSettled, "stake", -2),
        without(ev.WagersPlaced),
        with_more(ev.WagersPlaced, "base"),
        without(ev.HandDoubled),
        with_more(ev.HandDoubled, "amount"),
        with_more(ev.HandSplit, "amount"),
        without(ev.MeterLowered),
        with_more(ev.MeterLowered, "amount"),
        without(ev.MeterRaised),
        with_more(ev.MeterRaised, "amount"),
    ],
)
def test_lost_or_invented_chips_are_found(tamper: Tamper) -> None:
    state, events = played()
    tamper(events)
    with pytest.raises(InvariantBroken):
        check_chips(state, METERS, events)


def test_a_meter_that_pays_more_than_it_lost_is_found() -> None:
    state, events = played()
    award = next(
        number
        for number, event in enumerate(events)
        if isinstance(event, ev.WagerSettled) and event.meter
    )
    paid = events[award]
    assert isinstance(paid, ev.WagerSettled)
    events[award] = replace(paid, paid=paid.paid + 1)
    with pytest.raises(InvariantBroken, match="left open"):
        check_chips(state, METERS, events)


def test_a_meter_that_forgets_part_of_a_cent_is_found() -> None:
    state, events = played()
    state.meters[0].remainder += 1
    with pytest.raises(InvariantBroken, match="a meter doesn't equal"):
        check_chips(state, METERS, events)


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (without(ev.CardDealt, 3), "lost or duplicated"),
        (twice(ev.CardDealt, -1), "lost or duplicated"),
        (with_more(ev.CardDealt, "card", 5), "lost or duplicated"),
        (without(ev.HandRemoved), "on the table"),
    ],
)
def test_lost_or_invented_cards_are_found(tamper: Tamper, words: str) -> None:
    state, events = played()
    tamper(events)
    with pytest.raises(InvariantBroken, match=words):
        check_cards(state, events)


def test_a_hand_that_stays_on_the_table_is_found() -> None:
    state, events = played()
    hand = state.spots[1].hands[0]
    hand.on_table = True
    with pytest.raises(InvariantBroken, match="remain on the table"):
        check_cards(state, events)


def test_more_copies_than_decks_are_found() -> None:
    state, events = played()
    events[:0] = [ev.CardDealt(27, Place.BONUS)] * 7
    with pytest.raises(InvariantBroken, match="more copies than decks"):
        check_cards(state, events)


def test_a_stage_out_of_order_is_found() -> None:
    _, events = played()
    events.append(ev.StageReached(Stage.PLAY))
    with pytest.raises(InvariantBroken, match="repeated or out of order"):
        check_order(events)


def test_a_payment_without_its_rule_is_found() -> None:
    _, events = played()
    place = index_of(events, ev.WagerSettled)
    paid = events[place]
    assert isinstance(paid, ev.WagerSettled)
    events[place] = replace(paid, rule="")
    with pytest.raises(InvariantBroken, match="without odds or rule"):
        check_order(events)


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (without(ev.DownCardExposed), "never exposed"),
        (twice(ev.DownCardExposed), "exposed twice"),
        (with_more(ev.DownCardExposed, "card"), "a different down card"),
    ],
)
def test_a_wrong_exposure_is_found(tamper: Tamper, words: str) -> None:
    state, events = played()
    tamper(events)
    with pytest.raises(InvariantBroken, match=words):
        check_secrets(state, events)


def test_a_state_that_differs_from_its_events_is_found() -> None:
    state, events = played()
    assert snapshot(fold(state.rules, METERS, events)) == snapshot(state)
    state.spots[1].hands[0].last_portion += 1
    with pytest.raises(InvariantBroken, match="fold"):
        check_round(state, METERS, events)


def test_an_unfinished_round_is_found() -> None:
    state, events = played()
    state.stage = Stage.SETTLEMENT
    with pytest.raises(InvariantBroken, match="isn't closed"):
        check_round(state, METERS, events)


# --- chips ------------------------------------------------------------------------------------


def test_chips_of_wagers_placed_again_and_withdrawn_come_back() -> None:
    chips = Chips()
    chips.add(ev.WagersPlaced(1, "Ana", 1000, Stakes({"up": 500}), Stakes({1: 100})))
    assert (chips.spots[1], chips.on_table, chips.total) == (-1600, 1600, 0)
    chips.add(ev.WagersPlaced(1, "Ana", 700))
    assert (chips.spots[1], chips.on_hand(1, 0), chips.total) == (-700, 700, 0)
    chips.add(ev.WagersWithdrawn(1))
    assert (chips.spots[1], chips.on_table, chips.is_settled) == (0, 0, True)
    with pytest.raises(ChipsLost, match="has no wagers to withdraw"):
        chips.add(ev.WagersWithdrawn(1))


def test_each_person_gains_the_right_amount() -> None:
    """$40 doubled and rescued: the second $40 is returned, and the house keeps the first."""

    def rescuing(state: RoundState, wanted: Waiting) -> Command:
        assert isinstance(wanted, DecisionWanted)
        hand = state.spots[1].hands[0]
        return Rescue(1) if hand.shape.doublings else steady_player(state, wanted)

    state = RoundState(load_rules("catfish-bend"))
    execute(state, PlaceWagers(1, 4000))
    events = finish_round(state, ListSource(parse_cards("5c 9s 6d Kh 2h")), rescuing)
    chips = Chips().add_all(events)
    assert (chips.spots, chips.house, chips.is_settled) == ({1: -4000}, 4000, True)
