"""Section 7: a player's total of 21."""

import pytest

from tests.rounds import deal, play, refused, seat, wagers
from ventiuna.engine.commands import Double, Hit, Stand
from ventiuna.engine.events import DownCardExposed, HandRemoved
from ventiuna.engine.prompts import DecisionWanted, waiting_for

SPANISH_PRESETS = ["wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"]


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
def test_r039_21_wins_even_against_a_dealer_21(preset: str) -> None:
    round_ = play(preset, "7s 7h / 7d", "9c 4d / hit 8h", "Kc Qd / stand")
    assert round_.results() == ["hand +10.00", "hand -10.00"]


def test_r039_paid_at_once_and_removed_before_the_next_hand_acts() -> None:
    live = deal("wsgc-2021", "9c Kd 9s 4d 7c Kh", wagers(1), wagers(2))
    live.do(Hit(1))
    new = live.deal("8h")
    assert live.result(1) == "hand +10.00"
    assert HandRemoved(1, 0) in new
    assert not live.all(DownCardExposed)
    assert waiting_for(live.state) == DecisionWanted(2, 0)


def test_r039_a_21_takes_no_further_card() -> None:
    assert "R-039" in refused("wsgc-2021", "9s Kh", "9c 4d / hit 8h / hit 2c").rules
    live = deal("wsgc-2021", "As 9s 3d Kh")
    live.do(Hit(1))
    live.deal("7c")  # a soft 21 waits for the player, who may double it but not hit it
    assert "R-039" in live.refuses(Hit(1)).rules


@pytest.mark.parametrize(
    ("hand", "net", "odds"),
    [
        ("9c 4d / hit 8h", "+10.00", "even money"),
        ("2c 3d / hit 7h / hit 9d", "+10.00", "even money"),
        ("As 3d / hit 7c / stand", "+10.00", "even money"),
        ("2c 3d / hit 4h / hit 5s / hit 7c", "+15.00", "3 to 2"),
        ("6s 7s / hit 8s", "+30.00", "3 to 1"),
    ],
)
def test_r040_even_money_or_the_bonus_21_payout(hand: str, net: str, odds: str) -> None:
    round_ = play("wsgc-2021", "9s Kh", hand)
    assert round_.result() == f"hand {net}"
    assert round_.payment(1).odds == odds


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
@pytest.mark.parametrize(
    ("hand", "net"),
    [
        ("As 3d / hit 7c / double 8h", "+20.00"),  # 19 against 18
        ("As 3d / hit 7c / double 5h / stand", "-20.00"),  # 16
        ("As 2d / hit 3c / hit 5c / double 9h", "+20.00"),  # 20, after a four-card soft 21
        ("As Ad / hit 9c / double Kh / stand", "+20.00"),  # 21 again, now hard
    ],
)
def test_r041_a_soft_21_may_be_doubled_instead_of_paid(preset: str, hand: str, net: str) -> None:
    assert play(preset, "9s 9h", hand).result() == f"hand {net}"


def test_r041_the_player_is_asked_and_stands_to_be_paid() -> None:
    live = deal("wsgc-2021", "As 9s 3d Kh")
    live.do(Hit(1))
    live.deal("7c")
    assert waiting_for(live.state) == DecisionWanted(1, 0)
    assert not live.payments
    live.do(Stand(1))
    assert live.result() == "hand +10.00"


def test_r041_giving_up_a_bonus_21_payout_as_well() -> None:
    five = "As 2d / hit 2c / hit 2h / hit 4c"
    assert play("wsgc-2021", "9s 9h", f"{five} / stand").result() == "hand +15.00"
    assert play("wsgc-2021", "9s 9h", f"{five} / double 9c").result() == "hand +20.00"


@pytest.mark.parametrize("cards", ["9c 4d / hit 8h", "As Kd / keep / double Kh", "7c 7d / hit 7h"])
def test_o06_a_hard_21_is_paid_without_asking(cards: str) -> None:
    live = play("wsgc-2021", "9s 9h", cards)
    assert live.payment(1).net > 0


@pytest.mark.parametrize("cards", ["9c 4d / hit 8h", "As 9d / hit Kh / hit Ah", "7c 7d / hit 7h"])
def test_o06_a_hard_21_is_never_doubled(cards: str) -> None:
    assert "O-06" in refused("wsgc-2021", "9s 9h", f"{cards} / double 2c").rules


def test_o06_ace_and_face_on_a_split_hand_may_be_doubled() -> None:
    split = seat("Ac Ad / split", "Ac Kd / double 9h", "Ad 8c / stand")
    assert play("wsgc-2021", "9s 9h", split).result() == "hand +20.00 and +10.00"


def test_o07_a_double_card_that_makes_21_is_paid_at_once_even_money() -> None:
    live = deal("wsgc-2021", "6c Kd 9s 5d 7c Kh", wagers(1), wagers(2))
    live.do(Double(1))
    live.deal("Kc")
    assert live.result(1) == "hand +20.00"
    assert live.payment(1).odds == "even money"
    assert HandRemoved(1, 0) in live.events
    assert not live.all(DownCardExposed)


def test_o07_with_double_double_a_soft_21_may_be_doubled_again() -> None:
    rules = "wsgc-2021(double_double=on)"
    hand = "Ac 4d / double 6h"
    assert play(rules, "9s Kh", f"{hand} / stand").result() == "hand +20.00"
    assert play(rules, "9s Kh", f"{hand} / ddd 9c").result() == "hand +40.00"
    assert play("wsgc-2021", "9s Kh", hand).result() == "hand +20.00"  # paid without a prompt
    assert "R-039" in refused(rules, "9s Kh", "5c 6d / double Kh / ddd 9c").rules  # a hard 21


def test_o08_a_21_is_never_rescued() -> None:
    rules = "wsgc-2021(double_double=on)"
    assert "O-08" in refused(rules, "9s Kh", "Ac 4d / double 6h / rescue").rules  # soft: prompted
    assert "O-08" in refused(rules, "9s Kh", "5c 6d / double Kh / rescue").rules  # already paid
