"""The plain game that the others build on (O-01), with its usual options."""

from pathlib import Path

import pytest

from tests.rounds import deal, play, refused, seat, wagers
from ventiuna.engine import action_options
from ventiuna.engine.commands import Double, Hit, Insure, KeepBlackjack, Split
from ventiuna.engine.events import DealerChecked, HandRemoved
from ventiuna.engine.prompts import DecisionWanted, InsuranceAnswersWanted, waiting_for
from ventiuna.rules import canonical, load_rules
from ventiuna.rules.loader import load_file
from ventiuna.rules.text.comparison import departures


@pytest.mark.parametrize("dealer", ["As Kh", "Ks Ah", "Ts Ah"])
def test_o01_blackjack_against_blackjack_pushes(dealer: str) -> None:
    round_ = play("blackjack", dealer, "Ac Kd", "9c 9d")
    assert round_.results() == ["hand 0.00", "hand -10.00"]
    assert round_.payment(1).odds == "push"
    assert round_.payment(1).rule == "O-01"


@pytest.mark.parametrize("up", ["2s", "9s", "Ts", "As"])
def test_o01_a_blackjack_is_paid_when_the_dealer_has_none(up: str) -> None:
    live = deal("blackjack", f"Ac 9c {up} Kd 8d 5h", wagers(1), wagers(2))
    if up == "As":
        assert waiting_for(live.state) == InsuranceAnswersWanted((1, 2))
        live.do(Insure(1, 0), Insure(2, 0))
    assert live.order() == ["1 hand +15.00"]  # no prompt, because it can't be doubled
    if up in ("Ts", "As"):
        assert live.index(DealerChecked(blackjack=False)) < live.index(HandRemoved(1, 0))
    assert waiting_for(live.state) == DecisionWanted(2, 0)
    assert live.refuses(KeepBlackjack(1)).code == "no_double_of_blackjack"


def test_o01_an_insured_blackjack_comes_to_even_money_either_way() -> None:
    assert play("blackjack", "As Kh", seat("Ac Kd", insurance=5)).result() == (
        "insurance +10.00, hand 0.00"
    )
    assert play("blackjack", "As 9h", seat("Ac Kd", insurance=5)).result() == (
        "insurance -5.00, hand +15.00"
    )


def test_o01_a_21_is_compared_and_a_dealer_21_pushes() -> None:
    round_ = play("blackjack", "7s 7h / 7d", "9c 4d / hit 8h")
    assert round_.result() == "hand 0.00"
    assert play("blackjack", "9s 9h", "2c 3d / hit 4h / hit 5s / hit 7c").result() == "hand +10.00"
    split_21 = seat("Ac Ad / split", "Ac Kd / double 9c", "Ad 9d")
    refusal = refused("blackjack(split_aces=like_others)", "9s 9h", split_21)
    assert refusal.code == "no_double_of_21"


def test_o01_split_aces_get_one_card_and_are_not_split_again() -> None:
    aces = seat("Ac Ad / split", "Ac 5d", "Ad Kc")
    assert play("blackjack", "9s 9h", aces).result() == "hand -10.00 and +10.00"
    live = deal("blackjack", "Ac 9s Ad 9h")
    live.do(Split(1))
    live.deal("Ah 5c")  # both hands have their card and are over
    assert live.result() == "hand -10.00 and -10.00"
    free = "blackjack(split_aces=like_others,resplit_aces=on)"
    again = seat("Ac Ad / split", "Ac Ah / split", "Ac 5d / hit 4c / stand", "Ah 9c", "Ad 9d")
    assert play(free, "9s 9h", again).result() == "hand +10.00 and +10.00 and +10.00"
    refusal = refused("blackjack(split_aces=like_others)", "9s 9h", again)
    assert refusal.code == "no_resplit_of_aces"


def test_o01_only_two_cards_are_doubled() -> None:
    live = deal("blackjack", "2c 9s 3d 9h")
    live.do(Hit(1))
    live.deal("4c")
    assert live.refuses(Double(1)).code == "double_two_cards_only"
    assert play("blackjack", "9s 9h", "6c 5d / double 9c").result() == "hand +20.00"
    less = play("blackjack", "9s 9h", seat("6c 5d / double:5 9c", base=20))
    assert less.result() == "hand +25.00"


@pytest.mark.parametrize(
    ("setting", "allowed"), [("any", range(5, 20)), ("9-11", (9, 10, 11)), ("10-11", (10, 11))]
)
def test_o01_totals_that_may_be_doubled(setting: str, allowed: range | tuple[int, ...]) -> None:
    hands = {5: "2c 3d", 8: "3c 5d", 9: "4c 5d", 10: "4c 6d", 11: "5c 6d", 12: "5c 7d", 19: "Tc 9d"}
    for total, cards in hands.items():
        first, second = cards.split()
        live = deal(f"blackjack(double_totals={setting})", f"{first} 9s {second} 9h")
        legal = {option.name: option.legal for option in action_options(live.state)}
        assert legal["double"] is (total in allowed)


def test_o01_doubling_after_a_split_is_an_option() -> None:
    hands = seat("8c 8d / split", "8c 3h / double Tc", "8d Tc / stand")
    assert play("blackjack", "9s 9h", hands).result() == "hand +20.00 and 0.00"
    refusal = refused("blackjack(double_after_split=off)", "9s 9h", hands)
    assert refusal.code == "no_double_after_split"


@pytest.mark.parametrize("most", [1, 2, 3])
def test_o01_hands_after_splitting_are_an_option(most: int) -> None:
    live = deal(f"blackjack(split_hands={most})", "8c 9s 8d 9h")
    for text in ("8h", "8s")[: most - 1]:
        live.do(Split(1))
        live.deal(text)
    assert live.refuses(Split(1)).code == "split_hands_used"


def test_o01_splitting_can_be_turned_off() -> None:
    assert deal("blackjack(split=off)", "8c 9s 8d 9h").refuses(Split(1)).code == "split_not_offered"


def test_o01_surrender_is_an_option() -> None:
    hand = "Tc 6d / surrender"
    assert refused("blackjack", "9s 9h", hand).code == "surrender_not_offered"
    assert play("blackjack(surrender=late)", "9s 9h", hand).result() == "hand -5.00"


def test_o01_six_to_five() -> None:
    short = play("blackjack(blackjack_pays=6 to 5)", "9s 9h", "Ac Kd")
    assert short.result() == "hand +12.00"
    assert short.payment(1).odds == "6 to 5"


def test_o01_a_changed_payout_applies_to_blackjacks_of_all_suits() -> None:
    rules = "blackjack(blackjack_pays=6 to 5)"
    for cards in ("Ac Kd", "Ad Kd", "As Ks"):
        assert play(rules, "9s 9h", seat(cards, base=10)).result() == "hand +12.00"
    loaded = load_rules(rules)
    assert canonical(loaded) == rules
    assert departures(loaded) == []  # the house may choose this payout
    own_pay = "blackjack(blackjack_pays=6 to 5,diamond_blackjack_pays=3 to 2)"
    assert canonical(load_rules(own_pay)) == own_pay
    assert play(own_pay, "9s 9h", seat("Ad Kd", base=10)).result() == "hand +15.00"


def test_r114_diamonds_with_a_separate_payout_keep_it(tmp_path: Path) -> None:
    fun = load_rules("super-fun-21(blackjack_pays=3 to 2)")
    assert (fun.blackjack_pays.words, fun.diamond_blackjack_pays.words) == ("3 to 2", "2 to 1")
    file = tmp_path / "house.toml"
    file.write_text('extends = "blackjack"\nblackjack_pays = "6 to 5"\n', encoding="utf-8")
    assert load_file(file).diamond_blackjack_pays.words == "6 to 5"
