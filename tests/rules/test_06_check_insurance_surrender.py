"""Section 6: the dealer's check, insurance, surrender."""

import pytest

from tests.rounds import Live, deal, play, refused, seat, wagers
from ventiuna.engine.commands import Double, Hit, Insure, Split, Stand, Surrender
from ventiuna.engine.events import (
    DealerChecked,
    DownCardExposed,
    HandRemoved,
    HandSurrendered,
    Stage,
)
from ventiuna.engine.prompts import DecisionWanted, InsuranceAnswersWanted, waiting_for

SPANISH_PRESETS = ["wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"]
RANKS = "A23456789JQK"


# --- the check -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rank", RANKS)
def test_r033_the_dealer_checks_under_an_ace_or_a_face(rank: str) -> None:
    live = deal("wsgc-2021(insurance=off)", f"9c {rank}s 8d 5h")
    checked = live.all(DealerChecked)
    assert checked == ([DealerChecked(blackjack=False)] if rank in "AJQK" else [])
    assert waiting_for(live.state) == DecisionWanted(1, 0)
    assert not live.all(DownCardExposed)


@pytest.mark.parametrize("dealer", ["As Jh", "As Qh", "As Kh", "Js Ah", "Qs Ah", "Ks Ah"])
def test_r033_a_blackjack_found_ends_the_round_before_the_players_act(dealer: str) -> None:
    up, down = dealer.split()
    live = deal("wsgc-2021(insurance=off)", f"9c {up} 8d {down}")
    assert live.all(DealerChecked) == [DealerChecked(blackjack=True)]
    assert live.state.stage is Stage.CLOSED
    assert live.result() == "hand -10.00"


# --- insurance -----------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
@pytest.mark.parametrize("rank", RANKS)
def test_r034_insurance_is_offered_when_the_up_card_is_an_ace(preset: str, rank: str) -> None:
    live = deal(preset, f"9c {rank}s 8d 5h")
    if rank == "A":
        assert waiting_for(live.state) == InsuranceAnswersWanted((1,))
    else:
        assert waiting_for(live.state) == DecisionWanted(1, 0)
        assert "R-034" in live.refuses(Insure(1, 5_00)).rules


@pytest.mark.parametrize(("base", "half"), [(10, 5_00), (25, 12_50), (5, 2_50)])
def test_r034_up_to_half_of_the_original_wager(base: int, half: int) -> None:
    live = deal("wsgc-2021", "9c As 8d 5h", wagers(base=base))
    assert "R-034" in live.refuses(Insure(1, half + 50)).rules
    live.do(Insure(1, half))
    assert live.state.spots[1].insurance == half


def test_r034_pays_2_to_1_against_a_blackjack_and_loses_otherwise() -> None:
    won = play("wsgc-2021", "As Kh", seat("9c 8d", base=20, insurance=10))
    assert won.result() == "insurance +20.00, hand -20.00"
    assert won.payment(1, "insurance").odds == "2 to 1"
    lost = play("wsgc-2021", "As 9h", seat("9c 8d / stand", base=20, insurance=10))
    assert lost.result() == "insurance -10.00, hand -20.00"


def test_r034_it_is_separate_from_the_hand() -> None:
    assert play("wsgc-2021", "As 5h / Kc 2c", seat("Kc 8d / stand", insurance=5)).result() == (
        "insurance -5.00, hand 0.00"
    )
    assert play("wsgc-2021", "As Kh", seat("Ac Qd", insurance=5)).result() == (
        "hand +15.00, insurance +10.00"
    )


def test_r034_each_spot_answers_once_and_in_any_order() -> None:
    live = deal("wsgc-2021", "9c 7c As 8d 9d 5h", wagers(1), wagers(2))
    live.do(Insure(2, 3_00))
    assert "R-034" in live.refuses(Insure(2, 5_00)).rules
    assert live.refuses(Stand(1)).code == "not_time_to_act"
    assert "R-014" in live.refuses(Insure(3, 5_00)).rules
    live.do(Insure(1, 0))
    assert live.result(2) == "insurance -3.00"
    assert live.result(1) == ""


def test_d19_half_and_2_to_1_in_every_spanish_preset() -> None:
    for preset in SPANISH_PRESETS:
        round_ = play(preset, "As Kh", seat("9c 8d", insurance=5))
        assert round_.result() == "insurance +10.00, hand -10.00"
        over = refused(preset, "As Kh", seat("9c 8d", insurance="5.50"))
        assert over.code == "insurance_above_half"


@pytest.mark.parametrize("amount", ["0.50", "1", "4.50", "5"])
def test_o17_any_amount_up_to_half(amount: str) -> None:
    round_ = play("wsgc-2021", "As Kh", seat("9c 8d", insurance=amount))
    assert round_.payment(1, "insurance").net == round(float(amount) * 200)


def test_o18_insurance_is_a_multiple_of_the_small_unit() -> None:
    live = deal("wsgc-2021", "9c As 8d 5h")
    assert live.refuses(Insure(1, 2_25)).rules == ("O-18",)
    assert live.refuses(Insure(1, -1)).code == "amount_range"
    live.do(Insure(1, 2_50))


# --- dealer blackjack ----------------------------------------------------------------------------


def test_r035_every_hand_not_paid_loses_its_original_wager() -> None:
    hands = ("9c 9d", "Kc Qd", "5c 6d", "Ac 8d")
    round_ = play("wsgc-2021", "Ks Ah", *(seat(hand, base=20) for hand in hands), "Ad Jc")
    assert round_.results() == ["hand -20.00"] * 4 + ["hand +15.00"]
    assert {paid.rule for paid in round_.payments if paid.net < 0} == {"R-035"}


@pytest.mark.parametrize(
    "action", ["double 5c", "split", "surrender", "hit 5c", "rescue"], ids=lambda text: text
)
def test_r035_no_action_is_possible_against_a_dealer_blackjack(action: str) -> None:
    hands = ["8c 8d / split", "8c 5h", "8d 5s"] if action == "split" else [f"8c 8d / {action}"]
    assert "R-035" in refused("wsgc-2021", "Ks Ah", seat(*hands)).rules


def test_r035_commands_after_the_exposure_are_refused() -> None:
    live = deal("wsgc-2021", "8c Ks 8d Ah")
    for command in (Double(1), Split(1), Surrender(1), Hit(1), Stand(1)):
        assert "R-035" in live.refuses(command).rules


# --- surrender -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rank", RANKS)
def test_r036_late_surrender_costs_half_against_any_up_card(rank: str) -> None:
    live = deal("wsgc-2021", f"Kc {rank}s 6d 5h", wagers(base=15))
    if rank == "A":
        live.do(Insure(1, 0))
    new = live.do(Surrender(1))
    assert live.result() == "hand -7.50"
    assert live.payment(1).paid == 7_50
    assert live.payment(1).rule == "R-036"
    assert new.index(HandSurrendered(1, 0)) < new.index(HandRemoved(1, 0))
    assert live.state.stage is Stage.CLOSED


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
def test_r036_in_every_spanish_preset(preset: str) -> None:
    assert play(preset, "9s Kh", "Kc 6d / surrender").result() == "hand -5.00"


def test_r036_as_first_decision_of_the_hands_own_turn() -> None:
    live = deal("wsgc-2021", "Kc Kd 9s 6d 6c Kh", wagers(1), wagers(2))
    assert live.refuses(Surrender(2)).code == "not_your_turn"
    live.do(Stand(1), Surrender(2))
    assert live.results() == ["hand -10.00", "hand -5.00"]


def test_r036_after_the_check_found_no_blackjack() -> None:
    live = deal("wsgc-2021", "Kc As 6d 9h")
    live.do(Insure(1, 5_00))
    assert live.all(DealerChecked) == [DealerChecked(blackjack=False)]
    live.do(Surrender(1))
    assert live.result() == "insurance -5.00, hand -5.00"


def test_r037_no_surrender_before_the_check() -> None:
    """No surrender during the deal, while blackjacks are paid, or while insurance is open."""
    during_deal = deal("wsgc-2021", "Kc Ks 6d")
    assert "R-037" in during_deal.refuses(Surrender(1)).rules
    blackjacks = deal("wsgc-2021", "Kc Ac Ks 6d Kd Ah", wagers(1), wagers(2))
    assert "R-037" in blackjacks.refuses(Surrender(1)).rules
    insurance = deal("wsgc-2021", "Kc As 6d Kh")
    assert "R-037" in insurance.refuses(Surrender(1)).rules


def surrender_after(*actions: str) -> tuple[str, ...]:
    return refused("wsgc-2021", "9s Kh", f"2c 3d / {' / '.join(actions)} / surrender").rules


def test_r038_no_surrender_after_a_hit_or_a_double() -> None:
    assert "R-038" in surrender_after("hit 4h")
    assert "R-038" in surrender_after("hit 4h", "hit 5s")
    assert "R-038" in surrender_after("double 4h")


def test_r038_after_a_double_there_is_rescue_instead() -> None:
    assert play("wsgc-2021", "9s Kh", "2c 3d / double 4h / rescue").result() == "hand -10.00"


def test_o10_no_surrender_of_split_hands() -> None:
    split = seat("8c 8d / split", "8c 7h / surrender", "8d 9c / stand")
    refusal = refused("wsgc-2021", "9s Kh", split)
    assert "O-10" in refusal.rules
    assert play("super-fun-21(decks=2)", "9s Kh", split).result() == "hand -5.00 and -10.00"


def test_d27_surrender_by_game() -> None:
    """Spanish 21: two cards only. Super Fun 21: any number of cards below 21, doubled or not."""
    after_hit = "Kc 2d / hit 4h / surrender"
    assert "R-038" in refused("wsgc-2021", "9s Kh", after_hit).rules
    assert play("super-fun-21", "9s Kh", after_hit).result() == "hand -5.00"
    on_20 = "Kc 2d / hit 8h / surrender"
    assert play("super-fun-21", "9s Kh", on_20).result() == "hand -5.00"
    assert "D-27" in refused("super-fun-21", "9s Kh", "Kc 2d / hit 9h / surrender").rules


def test_r036_a_table_may_offer_no_surrender() -> None:
    assert "R-036" in refused("wsgc-2021(surrender=off)", "9s Kh", "Kc 6d / surrender").rules
    assert Live("blackjack").state.rules.surrender == "off"
