"""Section 19: the sequence that the house determines (R-123)."""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import mean, pstdev

import pytest

from tests.rounds import deal, play, seat, wagers
from ventiuna.engine import (
    DEALER,
    EVERYONE,
    Refused,
    RoundState,
    Shoe,
    execute,
    finish_round,
    net_by_wager,
    view,
)
from ventiuna.engine.commands import CloseWagers, DealCard, Stand
from ventiuna.engine.events import CardDealt
from ventiuna.engine.prompts import waiting_for
from ventiuna.notation import read_rounds, record_of, replay, write_round
from ventiuna.rules import load_rules
from ventiuna.rules.text.comparison import DecidedBy, authority, departures
from ventiuna.rules.text.procedure import procedure
from ventiuna.rules.text.rule_card import rule_card
from ventiuna.strategy.players import steady_player

DEALS = {
    "up_card_first": "1 2 up 1 2 down",
    "down_card_first": "1 2 down 1 2 up",
    "dealer_last": "1 2 1 2 up down",
}
OPTIONS = "mtd_configuration=4,bonus_cards=2"
EVERY_SEQUENCE = [
    f"deal_order={deal_order},spots_settled={settled},bonus_order={bonus}"
    for deal_order in DEALS
    for settled in ("from_left", "from_right")
    for bonus in ("spot_by_spot", "wager_by_wager")
]


@pytest.mark.parametrize("order", DEALS)
def test_r123_d20_the_house_determines_when_the_dealers_cards_are_dealt(order: str) -> None:
    rules = f"wsgc-2021(deal_order={order},{OPTIONS})"
    live = deal(rules, "2c 3c 4c 5c 6c 7c 8c 9c", wagers(1), wagers(2))
    events = live.all(CardDealt)
    places = " ".join(str(event.spot or event.place) for event in events)
    assert places == f"{DEALS[order]} bonus bonus"
    by_place = {str(event.place): event.card for event in events}
    assert (live.state.up, live.state.down) == (by_place["up"], by_place["down"])
    assert view(live.state, EVERYONE).dealer == (live.state.up, None)
    assert view(live.state, DEALER).dealer == (live.state.up, live.state.down)


def test_r123_a_down_card_dealt_first_stays_hidden() -> None:
    state = RoundState(load_rules("super-fun-21(decks=1,deal_order=down_card_first)"))
    execute(state, wagers())
    execute(state, CloseWagers())
    for card in (0, 9):
        execute(state, DealCard(card))
    for viewer in (EVERYONE, DEALER):
        assert view(state, viewer).dealer == ()
    assert str(waiting_for(state).place) == "player"  # type: ignore[union-attr]
    with pytest.raises(Refused, match="can't be dealt now"):
        execute(state, DealCard(9))
    with pytest.raises(Refused, match="already on the table"):
        execute(state, DealCard(0))
    assert state.copy().early_down == 9


def test_r123_r080_bonus_card_wagers_number_by_number() -> None:
    rules = f"wsgc-2021({OPTIONS},bonus_order=wager_by_wager)"
    placed = [wagers(spot, mtd={"up": 1, "b1": 1, "b2": 1}) for spot in (1, 2)]
    live = deal(rules, "8c 9c 9s Kd 2d Kh 8d 2h", *placed)
    assert live.order() == [
        "1 mtd up -1.00",
        "2 mtd up +4.00",
        "1 mtd b1 +4.00",
        "2 mtd b1 -1.00",
        "1 mtd b2 -1.00",
        "2 mtd b2 +4.00",
    ]


def test_r123_spots_are_settled_from_the_right_but_act_from_the_left() -> None:
    rules = f"wsgc-2021({OPTIONS},spots_settled=from_right)"
    placed = [wagers(spot, mtd={"up": 1, "down": 1, "b1": 1}) for spot in (1, 2)]
    live = deal(rules, "8c 9c 9s Kd Qd Kh 8d 2h", *placed)
    live.do(Stand(1), Stand(2))
    assert [text.rpartition(" ")[0] for text in live.order()] == [
        "2 mtd up",
        "1 mtd up",
        "2 mtd b1",
        "1 mtd b1",
        "2 hand",
        "1 hand",
        "2 mtd down",
        "1 mtd down",
    ]


def test_r123_r095_awards_are_paid_from_the_left_in_every_sequence() -> None:
    rules = "wsgc-2021(jackpots=3c:1,spots_settled=from_right)"
    hand = seat("9c 9c / stand", jackpots=[1])
    for house in (rules, "wsgc-2021(jackpots=3c:1)"):
        round_ = play(house, "9c Kh", hand, hand, meters=["1000.00"])
        awards = [text for text in round_.order() if "jackpot" in text]
        assert awards == ["1 jackpot 1 +99.04", "2 jackpot 1 +89.03"]
        aces = seat("As As", jackpots=[1])
        round_ = play(house, "As Kh", aces, aces, meters=["1000.00"])  # the seed is $0
        awards = [text for text in round_.order() if "jackpot" in text]
        assert awards == ["1 jackpot 1 +999.42", "2 jackpot 1 -1.00"]


# --- no payment depends on it ---------------------------------------------------------------


@pytest.mark.parametrize("sequence", EVERY_SEQUENCE)
def test_r123_a_round_pays_the_same_in_every_sequence(sequence: str) -> None:
    """The same cards in the same places: every wager's result and every meter is the same."""
    options = f"{OPTIONS},jackpots=3c:1+4d:1"
    mtd = {"up": 5, "down": 5, "b1": 5, "b2": 5}
    house = load_rules(f"wsgc-2021({options},{sequence})")
    chance = random.Random(sequence)
    for _ in range(40):
        state = RoundState(load_rules(f"wsgc-2021({options})"))
        for spot in (1, 2, 3):
            execute(state, wagers(spot, mtd=mtd, jackpots={1: 1, 2: 1}))
        events = finish_round(state, Shoe(state.rules, chance.shuffle), steady_player)
        other = replay(replace(record_of(state.rules, events), rules=house))
        assert net_by_wager(other.events) == net_by_wager(events)
        assert [meter.cents for meter in other.state.meters] == [
            meter.cents for meter in state.meters
        ]


@pytest.mark.parametrize("order", DEALS)
def test_r123_a_simulated_edge_stays_within_its_error(order: str) -> None:
    """Independent shoes: the average stays within four standard errors of the usual deal's."""
    usual, other = (
        _simulated(f"blackjack(deal_order={deal_order})", seed)
        for deal_order, seed in (("up_card_first", 1), (order, 2))
    )
    error = (pstdev(usual) ** 2 / len(usual) + pstdev(other) ** 2 / len(other)) ** 0.5
    assert abs(mean(usual) - mean(other)) < 4 * error


def _simulated(rules: str, seed: int) -> list[int]:
    house = load_rules(rules)
    shoe = Shoe(house, random.Random(seed).shuffle)
    nets = []
    for _ in range(1_000):
        shoe.begin_round()
        state = RoundState(house)
        execute(state, wagers())
        nets.append(sum(net_by_wager(finish_round(state, shoe, steady_player)).values()))
    return nets


@pytest.mark.parametrize("sequence", EVERY_SEQUENCE)
def test_r123_rounds_keep_their_invariants_and_records(sequence: str) -> None:
    house = load_rules(f"wsgc-2021({OPTIONS},jackpots=3c:1,{sequence})")
    chance = random.Random(7)
    for _ in range(10):
        state = RoundState(house)
        for spot in (1, 4):
            execute(state, wagers(spot, mtd={"up": 5, "b2": 5}, jackpots={1: 1}))
        events = finish_round(state, Shoe(house, chance.shuffle), steady_player)
        [record] = read_rounds(write_round(record_of(house, events)))
        assert record.up == state.up
        assert replay(record).events == events


# --- what people read -----------------------------------------------------------------------


def test_r123_the_procedure_and_the_rule_card_follow_the_house() -> None:
    rules = load_rules(
        f"wsgc-2021({OPTIONS},deal_order=down_card_first,spots_settled=from_right,"
        "bonus_order=wager_by_wager)"
    )
    steps = {step.text: step.rules for step in procedure(rules)}
    citing = [text for text, numbers in steps.items() if "R-123" in numbers]
    deal_step, match_step, *directions = citing
    assert deal_step.endswith("Deal a second card face up to each spot, then your up card.")
    assert match_step.endswith(
        "number: first all wagers on Bonus Card 1, then those on the next card."
    )
    assert directions == ["Settle the spots from your right to your left."]
    game, match = (
        next(section for section in rule_card(rules).sections if section.heading == heading)
        for heading in ("The game", "Match the Dealer")
    )
    assert game.text[-2:] == (
        "The dealer's first card is dealt face down and the second face up.",
        "Spots are settled from the dealer's right.",
    )
    assert "Bonus Card wagers are settled card by card, Bonus Card 1 first." in match.notes
    last = rule_card(load_rules("wsgc-2021(deal_order=dealer_last)")).sections[0].text[-1]
    assert last == "The dealer's two cards are dealt after all players have two cards."
    assert not [step for step in procedure(load_rules("wsgc-2021")) if "R-123" in step.rules]


def test_r123_r125_only_document_003_leaves_the_sequence_to_the_house() -> None:
    found = {
        preset: str(authority(preset, "deal_order"))
        for preset in ("wsgc-2021", "wsgc-v002", "wsgc-spanish-21", "casino-card", "super-fun-21")
    }
    assert found == {
        "wsgc-2021": DecidedBy.HOUSE,
        "wsgc-v002": DecidedBy.HOUSE,
        "wsgc-spanish-21": DecidedBy.SILENT,
        "casino-card": DecidedBy.FIXED,
        "super-fun-21": DecidedBy.SILENT,
    }
    assert authority("wsgc-2021", "bonus_order") is DecidedBy.HOUSE
    assert not departures(load_rules("wsgc-2021(deal_order=dealer_last)"))
    [departure] = departures(load_rules("casino-card(deal_order=dealer_last)"))
    assert str(departure).startswith("deal_order = dealer_last: the document says up_card_first")
