"""Rounds as text and as JSON can be read back and replayed to the cent."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.property.effort import examples
from tests.property.strategies import attempt, fitting_wagers, rule_sets
from ventiuna.cards import CardError, card_text
from ventiuna.engine import OutOfCards, Refused, RoundState, Shoe, execute, finish_round
from ventiuna.engine.events import Event, WagerSettled
from ventiuna.money import MoneyError, net_text, plain_amount
from ventiuna.notation import (
    NotationError,
    RoundRecord,
    differences,
    read_rounds,
    record_of,
    replay,
    round_data,
    round_from_data,
    write_round,
)
from ventiuna.notation.writer import hand_text
from ventiuna.rules import RulesError, canonical
from ventiuna.strategy.players import RandomPlayer
from ventiuna.testing.conformance import biased_shuffle
from ventiuna.testing.invariants import meters_of, snapshot

names = st.one_of(
    st.sampled_from(["", "Ana", "Ana Maria", "O'Neil", "Spot 3:", "a; b", "#7", 'say "hi"']),
    st.text(max_size=12),
)
KNOWN_ERRORS = (NotationError, CardError, MoneyError, RulesError, Refused)


class Played:
    """A round that was dealt and played to its end."""

    def __init__(self, state: RoundState, meters: list[tuple[int, int]], events: list[Event]):
        self.state = state
        self.meters = meters
        self.events = events

    @property
    def record(self) -> RoundRecord:
        return record_of(self.state.rules, self.events, self.meters)


@st.composite
def played_rounds(draw: DrawFn, from_seed: bool = False) -> Played:
    """Any rules, people and wagers, with random cards and decisions."""
    rules = draw(rule_sets())
    generator = random.Random(draw(st.integers(0, 2**32)))
    meters = [(jackpot.seed, 0) for jackpot in rules.jackpots]
    if not from_seed:
        meters = [(draw(st.integers(0, 10**7)), draw(st.integers(0, 9_999))) for _ in meters]
    state = RoundState(rules, list(meters))
    count = draw(st.integers(1, min(rules.seats, 3 * rules.decks)))
    spots = draw(st.permutations(range(1, rules.seats + 1)))[:count]
    for spot in sorted(spots) if not from_seed else range(1, count + 1):
        wagers = replace(draw(fitting_wagers(rules, spot)), person=draw(names))
        execute(state, wagers)
    shoe = Shoe(rules, biased_shuffle(rules, generator))
    try:
        events = finish_round(state, shoe, RandomPlayer(generator))
    except OutOfCards:  # with one deck for 3 spots and burn cards, for example
        return draw(played_rounds(from_seed))
    return Played(state, meters, events)


def payments(events: list[Event]) -> list[WagerSettled]:
    return [event for event in events if isinstance(event, WagerSettled)]


@examples(200)
@given(played_rounds(), names, names, st.booleans())
def test_text_is_read_back_and_replayed(
    played: Played, name: str, title: str, complete: bool
) -> None:
    record = replace(played.record, id=name, title=title)
    text = write_round(record, complete)
    (again,) = read_rounds(text)
    assert again == record
    assert write_round(again, complete) == text
    replayed = replay(again)
    assert payments(replayed.events) == payments(played.events)
    assert snapshot(replayed.state) == snapshot(played.state)
    assert differences(replayed) == []


@examples(30)
@given(st.lists(played_rounds(), min_size=2, max_size=3))
def test_one_text_can_contain_several_rounds(rounds: list[Played]) -> None:
    records = [replace(played.record, id=str(n)) for n, played in enumerate(rounds)]
    assert read_rounds("\n".join(map(write_round, records))) == records


@examples(100)
@given(played_rounds(), names, names)
def test_data_is_read_back_and_replayed(played: Played, name: str, title: str) -> None:
    record = replace(played.record, id=name, title=title, refs=("R-001",))
    again = round_from_data(json.loads(json.dumps(round_data(record))))
    assert again == record
    assert payments(replay(again).events) == payments(played.events)


@examples(150)
@given(played_rounds(from_seed=True))
def test_worked_json_is_read_and_replayed(played: Played) -> None:
    """The JSON form lists only final hands, but cards, money and payment order are the same."""
    data = json.loads(json.dumps(worked_json(played)))
    replayed = replay(round_from_data(data))
    assert differences(replayed) == []
    assert payments(replayed.events) == payments(played.events)


def worked_json(played: Played) -> dict[str, Any]:
    record = played.record
    return {
        "id": record.id,
        "rules": canonical(record.rules),
        "dealer": {
            "up": card_text(record.up),
            "down": card_text(record.down),
            "draws": [card_text(card) for card in record.draws],
        },
        "bonus_cards": [card_text(card) for card in record.bonus_cards],
        "seats": [
            {
                "name": spot.person,
                "base": plain_amount(spot.base),
                "dealt": " ".join(map(card_text, spot.hands[0].cards)),
                "hands": [hand_text(hand) for hand in spot.hands if not hand.is_split],
                "insurance": plain_amount(spot.insurance),
                "mtd": {name: plain_amount(amount) for name, amount in spot.mtd.items()},
                "jackpots": list(spot.jackpots),
                "net": {
                    wager: [net_text(net) for net in nets]
                    for wager, nets in (spot.net or {}).items()
                },
            }
            for spot in record.spots
        ],
        "order": [
            {"player": paid.person, "wager": paid.wager, "net": net_text(paid.net)}
            for paid in record.order
        ],
        "meters_after": [plain_amount(cents) for cents, _ in meters_of(played.state)],
    }


@examples(300)
@given(
    played_rounds(),
    st.integers(0, 10**6),
    st.text("/:; 0A7s#\n+-.", max_size=3),
    st.integers(0, 9),
    st.booleans(),
)
def test_a_damaged_text_is_read_or_refused(
    played: Played, at: int, put: str, cut: int, complete: bool
) -> None:
    text = write_round(played.record, complete)
    place = at % len(text)
    damaged = text[:place] + put + text[place + cut :]
    told = attempt(lambda: replayed_text(damaged), *KNOWN_ERRORS)
    assert not isinstance(told, Exception) or str(told)


def replayed_text(text: str) -> list[str]:
    return [line for record in read_rounds(text) for line in differences(replay(record))]
