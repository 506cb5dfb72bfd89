"""Sections 14 and 15: the dealer's hand, settlement, and when Match the Dealer is settled."""

import pytest

from tests.rounds import deal, play, seat, wagers
from ventiuna.engine.commands import Insure, Stand
from ventiuna.engine.events import (
    CardDealt,
    DownCardExposed,
    Place,
    Stage,
)
from ventiuna.engine.prompts import CardWanted, waiting_for

HIT_SOFT_17 = "wsgc-2021"
STAND_SOFT_17 = "wsgc-2021(soft_17=stand)"


# --- the dealer's hand ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealer", "draws"),
    [
        ("9s 7h", 1),  # 16
        ("9s 8h", 0),  # 17
        ("9s 9h", 0),
        ("2s 3h", 1),
        ("As 5h", 1),  # soft 16
        ("As 7h", 0),  # soft 18
        ("As 8h", 0),
    ],
)
@pytest.mark.parametrize("rules", [HIT_SOFT_17, STAND_SOFT_17])
def test_r077_the_dealer_draws_to_17_or_more(rules: str, dealer: str, draws: int) -> None:
    up, down = dealer.split()
    live = deal(rules, f"Kc {up} 9d {down}")
    if up[0] == "A":
        live.do(Insure(1, 0))
    live.do(Stand(1))
    wanted = CardWanted(Place.DEALER)
    assert (waiting_for(live.state) == wanted) is bool(draws)
    assert live.all(DownCardExposed)


@pytest.mark.parametrize(("rules", "hits"), [(HIT_SOFT_17, True), (STAND_SOFT_17, False)])
@pytest.mark.parametrize("dealer", [("6s", "Ah", ""), ("3s", "3h", "Ac"), ("Ks", "6h", "Ac")])
def test_r077_soft_17_by_house_choice(rules: str, hits: bool, dealer: tuple[str, str, str]) -> None:
    up, down, third = dealer
    live = deal(rules, f"Kc {up} 9d {down}")
    live.do(Stand(1))
    live.deal(third)
    soft = up != "Ks"  # K-6-A is a hard 17
    assert (waiting_for(live.state) == CardWanted(Place.DEALER)) is (hits and soft)


def test_d12_the_dealer_hits_soft_17_if_a_document_is_silent() -> None:
    for preset in ("wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"):
        assert play(preset, "6s Ah / 2c", "Kc 8d / stand").result() == "hand -10.00"
    assert play(STAND_SOFT_17, "6s Ah", "Kc 8d / stand").result() == "hand +10.00"


def test_r077_after_all_players_have_acted() -> None:
    live = deal("wsgc-2021", "Kc Kd 9s 9d 8d 7h", wagers(1), wagers(2))
    live.do(Stand(1))
    assert not live.all(DownCardExposed)
    live.do(Stand(2))
    assert live.all(DownCardExposed)


@pytest.mark.parametrize(
    "hand", ["Kc 6d / surrender", "Kc 6d / hit 9h", "9c 4d / hit 8h", "5c 6d / double 2h / rescue"]
)
def test_o16_with_no_hand_left_the_down_card_is_exposed_and_nothing_drawn(hand: str) -> None:
    round_ = play("wsgc-2021", "9s 2h", seat(hand, mtd={"down": 5}))
    assert round_.all(DownCardExposed)
    assert len(round_.state.dealer) == 2
    assert round_.result().endswith("mtd down -5.00")


# --- settlement ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealer", "net", "reason"),
    [
        ("9s 8h", "+10.00", "18 against 17"),
        ("9s 9h", "0.00", "18 against 18"),
        ("9s Kh", "-10.00", "18 against 19"),
        ("7s 7h / 7d", "-10.00", "18 against 21"),
        ("6s Kh / 6d", "+10.00", "dealer bust"),  # 22
    ],
)
def test_r078_hands_still_on_the_table_are_compared(dealer: str, net: str, reason: str) -> None:
    round_ = play("wsgc-2021", dealer, "Kc 8d / stand")
    assert round_.result() == f"hand {net}"
    assert round_.payment(1).reason == reason


@pytest.mark.parametrize("total", [17, 18, 19, 20])
def test_r078_equal_totals_of_20_or_less_push(total: int) -> None:
    card = {17: "7", 18: "8", 19: "9", 20: "Q"}[total]
    round_ = play("wsgc-2021", f"Ks {card}h", f"Kc {card}d / stand")
    assert round_.result() == "hand 0.00"
    assert round_.payment(1).odds == "push"


def test_r078_a_dealer_bust_pays_all_standing_hands() -> None:
    hands = ("Kc 2d / stand", "Kd 9c / stand", "5c 6d / double 2h / stand")
    round_ = play("wsgc-2021", "6s Kh / 9h", *hands)
    assert round_.results() == ["hand +10.00", "hand +10.00", "hand +20.00"]


def test_r078_from_the_dealers_left() -> None:
    live = deal("wsgc-2021", "Kc Kd Kh 9s 9d 8d 7d 9h", *(wagers(spot) for spot in (1, 2, 3)))
    live.do(Stand(1), Stand(2), Stand(3))
    assert live.order() == ["1 hand +10.00", "2 hand 0.00", "3 hand -10.00"]


# --- when Match the Dealer wagers are settled ----------------------------------------------------


def test_r079_up_card_wagers_are_settled_right_after_the_deal() -> None:
    placed = [wagers(spot, mtd={"up": 5, "down": 5}) for spot in (1, 2)]
    live = deal("wsgc-2021", "Ac 9c 9s Kd 2d Kh", *placed)
    assert live.order() == ["1 mtd up -5.00", "2 mtd up +20.00"]
    assert live.state.stage is Stage.BLACKJACKS  # the blackjack isn't even paid yet


def test_r079_even_if_the_dealer_then_has_blackjack() -> None:
    round_ = play("wsgc-2021", "Ks Ah", seat("Kc 9d", mtd={"up": 5}))
    assert round_.result() == "mtd up +20.00, hand -10.00"


def test_r080_bonus_card_wagers_in_the_same_phase_after_the_up_card_wagers() -> None:
    rules = "wsgc-2021(mtd_configuration=4,bonus_cards=2)"
    placed = [wagers(spot, mtd={"up": 1, "down": 1, "b1": 1, "b2": 1}) for spot in (1, 2)]
    live = deal(rules, "8c 9c 9s Kd 2d Kh 8d 2h", *placed)
    assert live.order() == [
        "1 mtd up -1.00",
        "2 mtd up +4.00",
        "1 mtd b1 +4.00",
        "1 mtd b2 -1.00",
        "2 mtd b1 -1.00",
        "2 mtd b2 +4.00",
    ]
    assert live.state.stage is Stage.PLAY


def test_r081_down_card_wagers_with_the_settlement_of_the_base_game() -> None:
    live = deal(
        "wsgc-spanish-21", "Kc Kd 9s 9d 8d 9h", wagers(1, mtd={"up": 1, "down": 1}), wagers(2)
    )
    live.do(Stand(1), Stand(2))
    assert live.order() == [
        "1 mtd up +4.00",
        "1 hand +10.00",
        "2 hand 0.00",
        "1 mtd down +4.00",
    ]


@pytest.mark.parametrize("preset", ["wsgc-2021", "wsgc-v002"])
def test_r081_d05_document_003_may_settle_them_at_the_exposure(preset: str) -> None:
    """The amounts are the same, but the timing isn't."""
    cards = "Kc Kd 9s 9d 8d 7h"
    placed = (wagers(1, mtd={"down": 1}), wagers(2))
    early = deal(f"{preset}(down_settled=at_exposure)", cards, *placed)
    late = deal(preset, cards, *placed)
    for live in (early, late):
        live.do(Stand(1), Stand(2))
        live.deal("2c")
        assert sorted(live.order()) == ["1 hand +10.00", "1 mtd down -1.00", "2 hand 0.00"]
    assert early.order()[0] == "1 mtd down -1.00"
    assert late.order()[-1] == "1 mtd down -1.00"
    draw = next(event for event in early.all(CardDealt) if event.place is Place.DEALER)
    assert early.index(early.payment(1, "mtd down")) < early.index(draw)


def test_r081_at_the_exposure_of_a_dealer_blackjack_too() -> None:
    rules = "wsgc-2021(down_settled=at_exposure)"
    round_ = play(rules, "Ks Ah", seat("Ac 9d", mtd={"down": 1}))
    assert round_.result() == "mtd down +4.00, hand -10.00"


@pytest.mark.parametrize(
    "hands",
    [
        ("8c 8d / split", "8c Kd / stand", "8d Kc / stand"),
        ("8c 8d / surrender",),
        ("8c 8d / hit Kd",),  # bust
        ("8c 8d / hit 5h",),  # 21, paid and removed
        ("8c 8d / double 2h / rescue",),
    ],
)
def test_r081_o15_the_original_two_cards_count_whatever_happened_to_the_hand(
    hands: tuple[str, ...],
) -> None:
    round_ = play("wsgc-2021", "9s 8h", seat(*hands, mtd={"down": 5}))
    assert round_.payment(1, "mtd down").net == 40_00


def test_o15_a_paid_and_removed_blackjack_is_remembered() -> None:
    round_ = play(
        "wsgc-2021(jackpots=4d:1)",
        "9s Kd",
        seat("Kc Ad", mtd={"down": 5}, jackpots=[1]),
        meters=[1000],
    )
    assert round_.result() == "hand +15.00, mtd down +20.00, jackpot 1 +0.50"


def test_d05_a_round_that_ends_at_the_check_settles_down_card_wagers_too() -> None:
    round_ = play("wsgc-2021", "As Kh", seat("Kc 9d", mtd={"down": 5}, insurance=5))
    assert round_.order() == ["1 insurance +10.00", "1 hand -10.00", "1 mtd down +20.00"]
