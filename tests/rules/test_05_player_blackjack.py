"""Section 5: a player's blackjack."""

import pytest

from tests.rounds import deal, play, refused, seat, wagers
from ventiuna.engine.commands import (
    Double,
    Hit,
    Insure,
    KeepBlackjack,
    Stand,
    Surrender,
    TakeBlackjack,
)
from ventiuna.engine.events import (
    BlackjackKept,
    DealerChecked,
    HandRemoved,
    InsurancePlaced,
    Stage,
    WagerSettled,
)
from ventiuna.engine.prompts import BlackjackAnswersWanted, InsuranceAnswersWanted, waiting_for

SPANISH_PRESETS = ["wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"]
KEEPING = [name for name in SPANISH_PRESETS if name != "casino-card"]


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
@pytest.mark.parametrize(
    "dealer", ["9s Kh", "6s Kh", "Ks Ah", "As Kh", "Ks 9h", "As 9h"], ids=lambda text: text
)
def test_r029_a_blackjack_always_wins_3_to_2(preset: str, dealer: str) -> None:
    round_ = play(preset, dealer, seat("Ad Jc", base=15))
    assert round_.result() == "hand +22.50"
    assert round_.payment(1).odds == "3 to 2"
    assert round_.payment(1).rule == "R-029"


@pytest.mark.parametrize("up", ["2s", "9s", "Js", "Ks"])
def test_r030_paid_and_removed_before_the_dealer_checks(up: str) -> None:
    live = deal("wsgc-2021", f"Ad 9c {up} Jc 8d Ah", wagers(1), wagers(2))
    new = live.do(TakeBlackjack(1))
    assert live.result(1) == "hand +15.00"
    removed = new.index(HandRemoved(1, 0))
    assert removed == new.index(live.payment(1)) + 1
    checks = [event for event in new if isinstance(event, DealerChecked)]
    assert bool(checks) is (up in ("Js", "Ks"))
    assert all(new.index(check) > removed for check in checks)


def test_r030_hands_without_blackjack_wait_for_the_check() -> None:
    live = deal("wsgc-2021", "Ad 9c Ks Jc 8d Ah", wagers(1), wagers(2))
    live.do(TakeBlackjack(1))
    assert live.order() == ["1 hand +15.00", "2 hand -10.00"]


def test_r031_ace_up_paid_at_once_then_everyone_may_insure() -> None:
    live = deal("wsgc-2021", "Ad 9c As Jc 8d Kh", wagers(1), wagers(2))
    new = live.do(TakeBlackjack(1))
    assert live.result(1) == "hand +15.00"
    assert not [event for event in new if isinstance(event, HandRemoved)]
    assert waiting_for(live.state) == InsuranceAnswersWanted((1, 2))
    live.do(Insure(1, 5_00), Insure(2, 5_00))
    assert live.results() == ["hand +15.00, insurance +10.00", "insurance +10.00, hand -10.00"]


def test_r031_a_paid_blackjack_without_insurance_is_removed_before_the_check() -> None:
    live = deal("wsgc-2021", "Ad Kc As Jc Ah 9h", wagers(1), wagers(2))
    live.do(TakeBlackjack(1), TakeBlackjack(2), Insure(1, 0))
    new = live.do(Insure(2, 5_00))
    check = new.index(DealerChecked(blackjack=False))
    assert new.index(HandRemoved(1, 0)) < check  # not insured
    assert new.index(HandRemoved(2, 0)) > check  # insured: stays until the insurance is collected
    assert new.index(live.payment(2, "insurance")) < new.index(HandRemoved(2, 0))
    assert live.result(2) == "hand +15.00, insurance -5.00"


def test_d18_insurance_on_a_paid_blackjack_is_a_setting() -> None:
    live = deal("wsgc-2021(insurance_on_blackjack=off)", "Ad 9c As Jc 8d 9h", wagers(1), wagers(2))
    live.do(TakeBlackjack(1))
    assert waiting_for(live.state) == InsuranceAnswersWanted((2,))
    assert live.refuses(Insure(1, 5_00)).code == "no_insurance_now"
    for preset in SPANISH_PRESETS:
        insured = play(preset, "As Kh", seat("Ad Jc", insurance=5))
        assert insured.result() == "hand +15.00, insurance +10.00"


@pytest.mark.parametrize("preset", KEEPING)
def test_r032_a_blackjack_may_be_doubled_instead_of_paid(preset: str) -> None:
    assert play(preset, "5c Kd / 9h", "As Kh / keep / double 4c").result() == "hand +20.00"
    assert play(preset, "9c Kd", "As Kh / keep / double 4c").result() == "hand -20.00"


def test_r032_the_player_chooses_before_any_other_play() -> None:
    live = deal("wsgc-2021", "As 5c Kh 9d", wagers(1))
    assert waiting_for(live.state) == BlackjackAnswersWanted((1,))
    assert not live.payments
    live.do(KeepBlackjack(1))
    assert live.all(BlackjackKept) == [BlackjackKept(1)]
    assert live.state.stage is Stage.PLAY
    for command in (Hit(1), Surrender(1)):
        assert live.refuses(command).code == "not_with_blackjack"
    new = live.do(Stand(1))  # the player stands after all: it is still a blackjack
    assert next(event for event in new if isinstance(event, WagerSettled)).net == 15_00


def test_r032_a_kept_blackjack_may_be_insured() -> None:
    live = deal("wsgc-2021", "As Ac Kh 9d", wagers(1))
    live.do(KeepBlackjack(1))
    assert waiting_for(live.state) == InsuranceAnswersWanted((1,))
    live.do(Insure(1, 5_00), Double(1))
    live.deal("8c")
    live.do(Stand(1))
    assert live.all(InsurancePlaced) == [InsurancePlaced(1, 5_00)]
    assert live.result() == "insurance -5.00, hand -20.00"  # 19 against 20


def test_r032_a_blackjack_that_was_paid_is_over() -> None:
    live = deal("wsgc-2021", "As 9c 5c Kh 8d 9d", wagers(1), wagers(2))
    live.do(TakeBlackjack(1))
    assert live.refuses(Double(1)).rules == ("R-029", "R-030")


def test_r032_only_players_with_a_blackjack_are_asked() -> None:
    live = deal("wsgc-2021", "As 9c 5c Kh 8d 9d", wagers(1), wagers(2))
    assert live.refuses(TakeBlackjack(2)).rules == ("R-029", "R-032")
    assert live.refuses(KeepBlackjack(2)).rules == ("R-029", "R-032")
    assert live.refuses(Stand(2)).code == "not_time_to_act"


def test_d17_document_001_pays_every_blackjack_and_doubles_soft_21s() -> None:
    assert play("casino-card", "9c Kd", "As Kh").result() == "hand +15.00"
    assert "D-17" in refused("casino-card", "9c Kd", "As Kh / double 4c").rules
    live = deal("casino-card", "As 9c Kh Kd")  # paid without a prompt
    assert live.result() == "hand +15.00"
    assert "D-17" in live.refuses(KeepBlackjack(1)).rules
    soft_21 = play("casino-card", "9c Kd", "As 3d / hit 7c / double 9h")
    assert soft_21.result() == "hand +20.00"


@pytest.mark.parametrize("dealer", ["Ks Ah", "As Kh"])
def test_o09_a_kept_blackjack_against_a_dealer_blackjack_is_paid_3_to_2(dealer: str) -> None:
    round_ = play("wsgc-2021", dealer, "Ac Jd / keep")
    assert round_.result() == "hand +15.00"
    assert "O-09" in refused("wsgc-2021", dealer, "Ac Jd / keep / double 5c").rules


def test_d29_blackjack_pays_by_game() -> None:
    assert play("wsgc-2021", "9s Kh", "Ad Kd").result() == "hand +15.00"
    assert play("super-fun-21", "9s Kh", "Ad Kd").result() == "hand +20.00"
    assert play("super-fun-21", "9s Kh", "Ac Kd").result() == "hand +10.00"
