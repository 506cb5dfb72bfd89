"""Events and commands as plain data and back; hostile data is rejected."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import pytest

from ventiuna import Refused, RoundState, Shoe, commands, execute, finish_round, load_rules
from ventiuna.engine import events as ev
from ventiuna.engine.codec import COMMANDS as COMMANDS_OF_A_ROUND
from ventiuna.engine.codec import (
    ENGINE_FORMATS,
    Data,
    command_data,
    command_from_data,
    event_data,
    event_from_data,
    record_fields,
)
from ventiuna.engine.codec import EVENTS as EVENTS_OF_A_ROUND
from ventiuna.engine.commands import DataError
from ventiuna.engine.events import ENGINE, Authority, Stakes, Wager
from ventiuna.strategy.players import steady_player

COMMANDS: list[commands.Command] = [
    commands.PlaceWagers(1, 1000, "ana", {"up": 500, "b2": 100}, {1: 100, 2: 500}),
    commands.PlaceWagers(7, 2500),
    commands.WithdrawWagers(3),
    commands.CloseWagers(),
    commands.DealCard(51),
    commands.ShowMeters({2: 123_456}),
    commands.Supervise(Authority.OPERATOR),
    commands.VoidRound("the lights went out"),
    commands.TakeBlackjack(1),
    commands.KeepBlackjack(1),
    commands.Insure(2, 250),
    commands.Stand(1),
    commands.Hit(1),
    commands.Double(1),
    commands.Double(1, 50),
    commands.DoubleDouble(1),
    commands.Split(1),
    commands.Surrender(1),
    commands.Rescue(1),
]
HOSTILE: list[Any] = [
    None,
    "",
    "x" * 10_000,
    [1],
    {},
    {"a": 1},
    1.5,
    float("nan"),
    float("inf"),
    True,
    -1,
    10**30,
    10**5000,
    -(10**5000),
    b"x",
    "\x1b[31m\n",
]


def through_json(data: object) -> Any:
    return json.loads(json.dumps(data))


# --- round trip -------------------------------------------------------------------------------


def test_every_command_survives_a_round_trip() -> None:
    assert {type(command).__name__ for command in COMMANDS} == set(COMMANDS_OF_A_ROUND.kinds)
    for command in COMMANDS:
        assert command_from_data(through_json(command_data(command))) == command


def test_events_survive_a_round_trip() -> None:
    rules = load_rules("wsgc-2021(jackpots=3c:1:seed=100)")
    shoe = Shoe(rules, lambda cards: None)
    state = RoundState(rules)
    execute(state, commands.PlaceWagers(2, 1000, "ana", {"up": 500}, {1: 100}))
    played = finish_round(state, shoe, steady_player)
    played += [ev.MetersShown(Stakes({1: 5})), ev.RoundVoided("no light")]
    for event in played:
        assert event_from_data(through_json(event_data(event))) == event


def test_keys_of_data_are_text_as_in_json() -> None:
    placed = ev.WagersPlaced(1, "ana", 1000, Stakes({"up": 500}), Stakes({2: 100}))
    data = event_data(placed)
    assert data == through_json(data)
    assert data["jackpots"] == {"2": 100}
    assert event_data(ev.WagerSettled(1, -1, Wager.MTD_UP, 5, 0, "lost", "R-021", "")) == {
        "event": "WagerSettled",
        "spot": 1,
        "hand": -1,
        "wager": "mtd up",
        "stake": 5,
        "paid": 0,
        "odds": "lost",
        "rule": "R-021",
        "reason": "",
        "meter": 0,
    }


def test_fields_with_defaults_can_be_omitted() -> None:
    wagers = command_from_data({"command": "PlaceWagers", "spot": 1, "base": 500})
    assert wagers == commands.PlaceWagers(1, 500)
    assert command_from_data({"command": "Double", "spot": 1}) == commands.Double(1)


# --- immutable and hashable -------------------------------------------------------------------


def test_events_and_commands_are_hashable_and_never_change() -> None:
    assert len({*COMMANDS, *COMMANDS}) == len(COMMANDS)
    side = {"up": 500}
    placed = commands.PlaceWagers(1, 1000, mtd=side)
    side["up"] = 900
    assert placed.mtd == {"up": 500}
    reading = {1: 500}
    shown = commands.ShowMeters(reading)
    reading[1] = 900
    assert shown.meters == {1: 500}
    assert hash(shown) == hash(commands.ShowMeters({1: 500}))
    with pytest.raises(TypeError):
        placed.mtd["up"] = 900  # type: ignore[index]
    event = ev.WagersPlaced(1, "", 1000, Stakes({"up": 5}), Stakes({1: 100}))
    assert hash(event) == hash(event_from_data(event_data(event)))


def test_stakes_read_like_a_mapping() -> None:
    stakes = Stakes({"up": 5, "down": 7})
    assert (stakes["up"], stakes.get("b1", 0), len(stakes), list(stakes)) == (
        5,
        0,
        2,
        ["up", "down"],
    )
    assert stakes == {"down": 7, "up": 5}
    assert hash(stakes) == hash(Stakes({"down": 7, "up": 5}))
    assert repr(stakes) == "{'up': 5, 'down': 7}"
    assert stakes.get("b1") is None


def test_a_wager_knows_its_kind() -> None:
    assert Wager("mtd b3") is Wager.MTD_B3
    assert [(wager.kind, wager.part, wager.game) for wager in (Wager.MTD_B3, Wager.JACKPOT_2)] == [
        ("mtd", "b3", 0),
        ("jackpot", "", 2),
    ]
    assert [wager for wager in Wager if wager.is_free] == [Wager.SUPER, Wager.ENVY]


# --- hostile data -----------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", HOSTILE, ids=lambda value: str(type(value).__name__))
def test_hostile_data_is_reported_in_one_sentence(wrong: Any) -> None:
    for data in (wrong, {"event": wrong}, {"command": wrong}):
        for read in (event_from_data, command_from_data):
            with pytest.raises(DataError) as told:
                read(data)
            assert_one_sentence(told.value)


@pytest.mark.parametrize("command", COMMANDS, ids=repr)
def test_a_hostile_field_is_reported_or_refused_by_the_round(command: commands.Command) -> None:
    state = RoundState(load_rules("wsgc-2021(jackpots=3c:1:seed=100)"))
    data = command_data(command)
    for field in data:
        for wrong in HOSTILE:
            try:
                read = command_from_data({**data, field: wrong})
            except DataError as error:
                assert_one_sentence(error)
                continue
            try:
                execute(state.copy(), read)
            except Refused as refusal:
                assert_one_sentence(refusal)


EVENTS: list[ev.Event] = [
    ev.WagersPlaced(1, "ana", 1000, Stakes({"up": 500}), Stakes({2: 100})),
    ev.StageReached(ev.Stage.DEAL),
    ev.CardDealt(5, ev.Place.PLAYER, 1, 0),
    ev.MeterRaised(1, 21, 0, "contribution"),
    ev.DealerChecked(True),
    ev.AdviceGiven(1, 0, ev.Advice.HIT_ELEVEN),
    ev.WagerSettled(1, 0, Wager.HAND, 1000, 2000, "even money", "R-078", "20 against 19"),
    ev.MetersShown(Stakes({1: 100})),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_a_hostile_event_field_is_reported(event: ev.Event) -> None:
    data = event_data(event)
    for field, right in data.items():
        refused = 0
        for wrong in HOSTILE:
            try:
                read = event_from_data({**data, field: wrong})
            except DataError as error:
                assert_one_sentence(error)
                refused += 1
            else:
                assert type(event_data(read)[field]) in (type(right), type(None))
        assert refused > 5, field


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"event": "HandHit", "spot": 1}, "HandHit: the field hand is missing"),
        ({"event": "HandHit", "spot": 1, "hand": 0, "x": 1}, "HandHit has no field 'x'"),
        ({"event": "Nothing"}, "Unknown event 'Nothing'. Choose from: WagersPlaced"),
        ({"event": "CardDealt", "card": 52, "place": "up"}, "CardDealt.card must be a card"),
        (
            {"event": "CardDealt", "card": 5, "place": "lap"},
            "must be one of player, up.* not 'lap'",
        ),
        ({"event": "InsurancePlaced", "spot": 1, "amount": -1}, "must be a whole number of cents"),
        ({"event": "InsurancePlaced", "spot": 10**40, "amount": 1}, "with more than 18 digits"),
        (
            {"event": "WagersPlaced", "spot": 1, "person": "", "base": 5, "mtd": {"side": 1}},
            "has no 'side'. Choose from: up, down",
        ),
        (
            {"event": "WagersPlaced", "spot": 1, "person": "", "base": 5, "jackpots": {"3": 1}},
            "has no '3'. Choose from: 1, 2",
        ),
    ],
)
def test_errors_state_the_invalid_field(data: Data, told: str) -> None:
    with pytest.raises(DataError, match=told):
        event_from_data(data)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (
            {"event": "WagersPlaced", "spot": 1, "person": "", "base": 5, "mtd": 5},
            'WagersPlaced.mtd must give the cents for each wager, such as {"up": 500}.',
        ),
        (
            {"event": "WagersPlaced", "spot": 1, "person": "", "base": 5, "jackpots": 5},
            'WagersPlaced.jackpots must give the cents for each wager, such as {"1": 500}.',
        ),
        (
            {"event": "BonusCardsLocked", "x": 1},
            "BonusCardsLocked has no field 'x'. Its fields: none.",
        ),
        (
            {"event": "HandHit", "x": 1},
            "HandHit has no field 'x'. Its fields: spot, hand.",
        ),
    ],
)
def test_errors_say_what_was_expected(data: Data, told: str) -> None:
    with pytest.raises(DataError) as caught:
        event_from_data(data)
    assert str(caught.value) == told


def test_numbers_are_read_up_to_64_bits() -> None:
    most = 2**63 - 1
    assert event_from_data({"event": "InsurancePlaced", "spot": most, "amount": most}) == (
        ev.InsurancePlaced(most, most)
    )
    assert event_from_data({"event": "InsurancePlaced", "spot": -most, "amount": 0}) == (
        ev.InsurancePlaced(-most, 0)
    )
    for spot, amount in ((most + 1, 0), (-most - 1, 0), (0, most + 1), (0, -1)):
        with pytest.raises(DataError):
            event_from_data({"event": "InsurancePlaced", "spot": spot, "amount": amount})
    assert event_from_data({"event": "DownCardExposed", "card": 0}) == ev.DownCardExposed(0)
    assert event_from_data({"event": "DownCardExposed", "card": 51}) == ev.DownCardExposed(51)
    for card in (-1, 52):
        with pytest.raises(DataError, match="from 0 to 51"):
            event_from_data({"event": "DownCardExposed", "card": card})


def assert_one_sentence(error: Exception) -> None:
    text = str(error)
    assert text.isprintable()
    assert len(text) < 700
    assert text.rstrip(")0123456789RODor,- (").endswith(".")


# --- older formats ----------------------------------------------------------------------------


def test_an_older_format_is_read_through_its_upcaster(monkeypatch: pytest.MonkeyPatch) -> None:
    """A made-up format 0, in which hands were numbered from 1 and a stand was called a stop."""

    def upcast(data: Data) -> Data:
        if isinstance(data.get("hand"), int):
            data["hand"] = int(str(data["hand"])) - 1
        return {**data, "command": "Stand"} if data.get("command") == "Stop" else data

    with pytest.raises(
        DataError, match="Unknown engine format 0: this version reads formats 1 to 2"
    ):
        event_from_data({"event": "HandHit", "spot": 1, "hand": 1}, written=0)
    monkeypatch.setitem(ENGINE_FORMATS.upcasters, 0, upcast)
    old: Data = {"event": "HandHit", "spot": 1, "hand": 1}
    assert event_from_data(old, written=0) == ev.HandHit(1, 0)
    assert old["hand"] == 1  # stored data is unchanged
    assert event_from_data(old) == ev.HandHit(1, 1)
    assert command_from_data({"command": "Stop", "spot": 1}, written=0) == commands.Stand(1)


def test_o39_awards_of_house_jackpots_in_format_1_cited_r095() -> None:
    award = ev.WagerSettled(1, -1, Wager.JACKPOT_1, 100, 900, "10 %", "R-095", "line")
    assert event_from_data(event_data(award), written=1) == replace(award, rule="O-39")
    other = replace(award, rule="R-078")
    assert event_from_data(event_data(other), written=1) == other
    progressive = replace(award, meter=1)
    assert event_from_data(event_data(progressive), written=1) == progressive


@pytest.mark.parametrize(
    "engine", [ENGINE + 1, -1, None, "1", True, 10**5000], ids=lambda one: type(one).__name__
)
def test_an_unknown_format_is_reported(engine: Any) -> None:
    with pytest.raises(DataError, match="this version reads formats 1 to 2"):
        event_from_data({"event": "HandHit", "spot": 1, "hand": 1}, engine)


def test_a_field_without_a_reader_is_detected_at_once() -> None:
    @dataclass(frozen=True)
    class HandWeighed:
        grams: float

    with pytest.raises(KeyError, match="float"):
        record_fields(HandWeighed)
    assert set(EVENTS_OF_A_ROUND.kinds) >= {"MetersShown", "RoundVoided"}
