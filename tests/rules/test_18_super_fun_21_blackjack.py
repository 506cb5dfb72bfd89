"""Section 18, part 2: blackjack, insurance, advice, other 21s and the steps of a round."""

import pytest

from tests.rounds import Played, deal, play, refused, seat, wagers
from ventiuna.engine import action_options
from ventiuna.engine.commands import (
    Double,
    Hit,
    Insure,
    KeepBlackjack,
    Stand,
    TakeBlackjack,
)
from ventiuna.engine.events import (
    Advice,
    AdviceGiven,
    DealerChecked,
    HandRemoved,
    Stage,
    StageReached,
)
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    waiting_for,
)

FUN = "super-fun-21(decks=2)"
TWENTY = "Kc Qd"  # the dealer stands


def legal(live: Played) -> set[str]:
    return {option.name for option in action_options(live.state) if option.legal}


# --- blackjack and insurance ---------------------------------------------------------------------


@pytest.mark.parametrize("dealer", ["9s Kh", "Ks Ah", "As Kh", "Ts 9h"])
@pytest.mark.parametrize("ten", ["T", "J", "Q", "K"])
def test_r114_a_blackjack_always_wins(dealer: str, ten: str) -> None:
    diamonds = play(FUN, dealer, seat(f"Ad {ten}d", base=15))
    assert diamonds.result() == "hand +30.00"
    assert diamonds.payment(1).odds == "2 to 1"
    for cards in (f"Ad {ten}c", f"Ac {ten}d", f"Ah {ten}h"):
        other = play(FUN, dealer, seat(cards, base=15))
        assert other.result() == "hand +15.00"
        assert other.payment(1).odds == "even money"


def test_r115_paid_at_once_before_any_other_play() -> None:
    live = deal(FUN, "Ad 9c Ks Jc 8d Ah", wagers(1), wagers(2))
    new = live.do(TakeBlackjack(1))
    assert new.index(HandRemoved(1, 0)) < new.index(DealerChecked(blackjack=True))
    assert live.order() == ["1 hand +10.00", "2 hand -10.00"]


def test_r115_after_the_insurance_is_decided_if_insured() -> None:
    live = deal(FUN, "Ad As Jc 9h")
    assert waiting_for(live.state) == InsuranceAnswersWanted((1,))
    live.do(Insure(1, 5_00))
    assert live.order() == ["1 insurance -5.00"]
    assert waiting_for(live.state) == BlackjackAnswersWanted((1,))
    live.do(TakeBlackjack(1))
    assert live.order() == ["1 insurance -5.00", "1 hand +10.00"]


@pytest.mark.parametrize(
    ("down", "result"),
    [("Kc", "insurance +10.00, hand +20.00"), ("9c", "insurance -5.00, hand +20.00")],
)
def test_r116_insurance_is_separate_and_the_blackjack_is_paid_either_way(
    down: str, result: str
) -> None:
    assert play(FUN, f"Ah {down}", seat("Ad Qd", insurance=5)).result() == result


def test_r116_insurance_pays_2_to_1_even_without_a_blackjack() -> None:
    assert play(FUN, "Ah Kc", seat("9c 8d", insurance=5)).result() == (
        "insurance +10.00, hand -10.00"
    )
    assert play(FUN, "Ah 9c", seat("9c 8d / stand", insurance=5)).result() == (
        "insurance -5.00, hand -10.00"
    )


def test_o34_insurance_up_to_half_of_the_wager() -> None:
    live = deal(FUN, "9c As 8d 9h", wagers(base=25))
    assert live.refuses(Insure(1, 13_00)).code == "insurance_above_half"
    assert "R-116" in live.refuses(Insure(1, 13_00)).rules
    live.do(Insure(1, 12_50))


@pytest.mark.parametrize("preset", ["super-fun-21", FUN])
def test_r117_the_dealer_hits_soft_17(preset: str) -> None:
    assert play(preset, "Ah 6c / 4d", "Tc 8d / stand").result() == "hand -10.00"
    assert play(preset, "6c Ah / Td", "Tc 7d / stand").result() == "hand 0.00"  # a hard 17 stands


# --- the dealer's advice to players --------------------------------------------------------------


def advice(hand: str, *actions: str) -> list[Advice]:
    first, second = hand.split()
    live = deal(FUN, f"{first} Kc {second} Qd")
    for action in actions:
        word, text = action.split()
        live.do(Hit(1) if word == "hit" else Double(1))
        live.deal(text)
    return [event.advice for event in live.all(AdviceGiven)]


def test_r118_a_soft_20_or_less_with_five_cards_cannot_lose_by_hitting() -> None:
    told = [Advice.SIXTH_CARD_CANNOT_LOSE]
    assert advice("Ac 2d", "hit 2h", "hit Ad", "hit 3c") == told  # soft 19
    assert advice("Ac 2d", "hit 2h", "hit Ad", "hit 4c") == told  # soft 20
    assert advice("Ac Ad", "hit Ah", "hit 2d", "hit 2h") == told  # soft 17
    assert advice("Ac 2d", "hit 2h", "hit Ad") == []  # four cards
    assert advice("2c 2d", "hit 2h", "hit 3d", "hit 5c") == []  # hard 14


def test_r118_a_hand_that_has_won_gets_no_advice() -> None:
    assert advice("Ac 2d", "hit 2h", "hit Ad", "hit 5c") == []  # 21 with five cards


def test_r118_11_with_four_cards_is_better_to_hit_than_to_double() -> None:
    assert advice("2c 2d", "hit 3h", "hit 4d") == [Advice.HIT_ELEVEN]
    assert advice("2c 3d", "hit 2h", "hit 4d") == [Advice.HIT_ELEVEN]
    assert advice("2c 4d", "hit 5h") == []  # three cards
    assert advice("2c 2d", "hit 3h", "hit 3d") == []  # 10
    assert advice("2c 2d", "hit 3h", "hit 5d") == []  # 12
    assert advice("Ac 2d", "hit 3h", "hit 5d") == []  # soft 21 stands


def test_r118_the_advice_comes_before_the_decision_and_binds_nobody() -> None:
    live = deal(FUN, "2c Kc 2d Qd")
    for text in ("3h", "4d"):
        live.do(Hit(1))
        live.deal(text)
    assert live.events[-1] == AdviceGiven(1, 0, Advice.HIT_ELEVEN)
    live.do(Double(1))
    live.deal("Tc")
    assert live.result() == "hand +20.00"  # the hit would have paid 2 to 1 at once


def test_r118_the_advice_is_right() -> None:
    for rank in "A23456789TJQK":
        hit = play(FUN, TWENTY, f"Ac 2d / hit 2h / hit Ad / hit 4c / hit {rank}s")
        assert hit.payment(1).net > 0
    assert play(FUN, TWENTY, "2c 2d / hit 3h / hit 4d / hit Th").result() == "hand +20.00"


def test_r118_spanish_21_gives_no_advice() -> None:
    live = deal("wsgc-2021", "2c Kc 2d Qd")
    for text in ("3h", "4d"):
        live.do(Hit(1))
        live.deal(text)
    assert not live.all(AdviceGiven)


# --- 21s without special treatment ---------------------------------------------------------------


@pytest.mark.parametrize(
    "hands",
    [
        ("9c 4d / hit 8h / stand",),
        ("2c 3d / hit 7c / hit 9d / stand",),
        ("6c 5d / double Kh",),
    ],
)
def test_r119_other_21s_push_against_a_dealer_21(hands: tuple[str, ...]) -> None:
    round_ = play(FUN, "7s 7h / 7d", *hands)
    assert round_.result() == "hand 0.00"
    assert round_.payment(1).rule == "R-119"


def test_r119_a_split_ace_ten_hand_too() -> None:
    hands = seat("Ac Ad / split", "Ac Kd / stand", "Ad 9c / stand")
    assert play(FUN, "6h 5d / Th", hands).result() == "hand 0.00 and -10.00"
    assert play(FUN, "Ts 9h", hands).result() == "hand +10.00 and +10.00"


@pytest.mark.parametrize(
    ("cards", "hits"), [("9c 4d", ("8h",)), ("2c 3d", ("7c", "9d"))], ids=["three", "four"]
)
def test_o33_a_21_may_be_doubled_or_stands_and_is_not_hit(
    cards: str, hits: tuple[str, ...]
) -> None:
    first, second = cards.split()
    live = deal(FUN, f"{first} 6h {second} Td")
    for text in hits:
        live.do(Hit(1))
        live.deal(text)
    assert legal(live) == {"stand", "double"}
    assert "O-33" in live.refuses(Hit(1)).rules
    live.do(Double(1))
    live.deal("2h")
    assert live.result() == "hand -20.00"  # bust


def test_o33_a_21_with_five_cards_is_paid_and_cannot_be_doubled() -> None:
    assert "O-33" in refused(FUN, TWENTY, "2h 3d / hit 4h / hit 5s / hit 7c / double 2c").rules


def test_o09_a_kept_blackjack_has_its_own_payout_against_a_dealer_blackjack() -> None:
    assert play(FUN, "Ks Ah", "Ad Jd / keep").result() == "hand +20.00"
    assert play(FUN, "As Kh", seat("Ac Jd / keep", insurance=5)).result() == (
        "insurance +10.00, hand +10.00"
    )


# --- the steps -----------------------------------------------------------------------------------


def stages(round_: Played) -> list[str]:
    return [str(event.stage) for event in round_.all(StageReached)]


def test_r120_the_whole_order_with_an_ace_up() -> None:
    placed = [wagers(spot) for spot in (1, 2, 3, 4, 5)]
    live = deal(FUN, "Ac Ad Ah 9c 2c As Kc Kd Kh 8c 2d 9h", *placed)
    assert waiting_for(live.state) == InsuranceAnswersWanted((1, 2, 3, 4, 5))
    live.do(Insure(1, 5_00), *(Insure(spot, 0) for spot in (2, 3, 4, 5)))
    assert waiting_for(live.state) == BlackjackAnswersWanted((2, 3))  # spots without insurance
    live.do(KeepBlackjack(3), TakeBlackjack(2))
    assert live.order() == ["2 hand +20.00", "1 insurance -5.00"]
    assert waiting_for(live.state) == BlackjackAnswersWanted((1,))
    live.do(TakeBlackjack(1))
    assert waiting_for(live.state) == DecisionWanted(3, 0)
    live.do(Double(3))
    live.deal("8h")
    live.do(Stand(3), Stand(4))
    for text in ("3h", "3s", "4c", "4d"):
        live.do(Hit(5))
        live.deal(text)
    assert live.order() == [
        "2 hand +20.00",
        "1 insurance -5.00",
        "1 hand +10.00",
        "5 hand +10.00",  # a six-card hand, paid immediately
        "3 hand -20.00",  # 19 against 20
        "4 hand -10.00",
    ]
    assert stages(live) == [
        "deal",
        "insurance",
        "uninsured_blackjacks",
        "check",
        "blackjacks_after_check",
        "play",
        "dealer",
        "settlement",
        "closed",
    ]


def test_r120_ace_up_and_dealer_blackjack() -> None:
    placed = [wagers(spot) for spot in (1, 2, 3, 4)]
    live = deal(FUN, "Ac Ad Ah 9c As Kc Kd Kh 8c Th", *placed)
    live.do(Insure(1, 5_00), Insure(2, 0), Insure(3, 0), Insure(4, 5_00))
    live.do(TakeBlackjack(2), KeepBlackjack(3))
    assert live.order() == [
        "2 hand +20.00",
        "1 insurance +10.00",
        "4 insurance +10.00",
        "1 hand +10.00",
        "3 hand +10.00",
        "4 hand -10.00",
    ]
    assert live.payment(4).rule == "R-120"
    assert live.state.stage is Stage.CLOSED


def test_r120_an_insured_blackjack_may_be_kept_for_doubling_after_the_check() -> None:
    live = deal(FUN, "Ac As Kc 9h")
    live.do(Insure(1, 5_00), KeepBlackjack(1), Double(1))
    live.deal("Th")
    assert live.order() == ["1 insurance -5.00", "1 hand +20.00"]


@pytest.mark.parametrize("up", ["2s", "9s", "Ts", "Ks"])
def test_r120_up_card_other_than_an_ace_pays_blackjacks_at_once(up: str) -> None:
    live = deal(FUN, f"Ac 9c {up} Kc 8c 9h", wagers(1), wagers(2))
    assert waiting_for(live.state) == BlackjackAnswersWanted((1,))
    new = live.do(TakeBlackjack(1))
    assert live.order() == ["1 hand +10.00"]
    checked = [event for event in new if isinstance(event, DealerChecked)]
    assert bool(checked) is (up in ("Ts", "Ks"))
    assert waiting_for(live.state) == DecisionWanted(2, 0)


@pytest.mark.parametrize(("up", "down"), [("Ts", "Ah"), ("Js", "Ah"), ("As", "Th")])
def test_r120_the_dealer_checks_under_any_ten_valued_card(up: str, down: str) -> None:
    live = deal("super-fun-21(insurance=off)", f"9c {up} 8c {down}")
    assert live.all(DealerChecked) == [DealerChecked(blackjack=True)]
    assert live.result() == "hand -10.00"
