"""Section 8: splitting."""

import pytest

from tests.rounds import deal, play, refused, seat
from ventiuna.cards import card_text
from ventiuna.engine import action_options as options
from ventiuna.engine.commands import Split, Stand
from ventiuna.engine.events import HandSplit, Place
from ventiuna.engine.prompts import CardWanted, DecisionWanted, waiting_for

SPANISH_PRESETS = ["wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"]
EQUAL_VALUE = [name for name in SPANISH_PRESETS if name != "casino-card"]


@pytest.mark.parametrize("pair", ["2c 2d", "9c 9d", "Ac Ad", "Jc Jd", "Jc Qd", "Jc Kd", "Qc Kd"])
def test_r042_cards_of_equal_value_may_be_split(pair: str) -> None:
    live = deal("wsgc-2021", f"{pair.split()[0]} 9s {pair.split()[1]} Kh")
    live.do(Split(1))
    assert live.all(HandSplit) == [HandSplit(1, 0, 10_00)]


@pytest.mark.parametrize("pair", ["9c 8d", "9c Kd", "Ac 9d", "2c 3d"])
def test_r042_unequal_values_may_not(pair: str) -> None:
    live = deal("wsgc-2021", f"{pair.split()[0]} 9s {pair.split()[1]} Kh")
    assert "R-042" in live.refuses(Split(1)).rules


def test_r042_three_cards_may_not() -> None:
    assert "R-042" in refused("wsgc-2021", "9s Kh", "4c 4d / hit 8h / split").rules


FOUR_HANDS = (
    "8c 8d / split",
    "8c 8h / split",
    "8c 8s / split",
    "8c Kd / stand",
    "8s Kc / stand",
    "8h Ks / stand",
    "8d Qh / stand",
)


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
def test_r042_at_most_three_splits_and_four_hands(preset: str) -> None:
    round_ = play(preset, "9s 9h", seat(*FOUR_HANDS))
    assert round_.result() == "hand 0.00 and 0.00 and 0.00 and 0.00"
    fifth = (*FOUR_HANDS[:3], "8c 8c / split", "8c Kd", "8c Kc", *FOUR_HANDS[4:])
    refusal = refused(preset, "9s 9h", seat(*fifth))
    assert refusal.code == "split_hands_used"
    assert "R-042" in refusal.rules


def test_d11_document_001_splits_only_the_same_rank() -> None:
    live = deal("casino-card", "Jc 9s Kd Kh")
    assert "D-11" in live.refuses(Split(1)).rules
    deal("casino-card", "Jc 9s Jd Kh").do(Split(1))
    for preset in EQUAL_VALUE:
        deal(preset, "Jc 9s Kd Kh").do(Split(1))


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
def test_r043_aces_may_be_split_again_hit_and_doubled(preset: str) -> None:
    aces = seat(
        "Ac Ad / split",
        "Ac Ah / split",
        "Ac 5d / hit 4c / stand",  # 20
        "Ah 9c / double 9d / stand",  # 19
        "Ad 2c / hit 3c / hit Ks / stand",  # 16
    )
    assert play(preset, "9s 9h", aces).result() == "hand +10.00 and +20.00 and -10.00"


def test_r043_four_hands_of_aces_and_no_fifth() -> None:
    hands = ("Ac Ad / split", "Ac Ah / split", "Ac As / split", "Ac Ac / stand", "As 9c / stand")
    full = seat(*hands, "Ah 9d / stand", "Ad 9h / stand")
    assert play("wsgc-2021", "9s 9h", full).result() == (
        "hand -10.00 and +10.00 and +10.00 and +10.00"
    )
    fifth = seat(*hands[:3], "Ac Ac / split", "Ac 2d", "Ac 3d", *hands[4:], "Ah 9d", "Ad 9h")
    assert "R-042" in refused("wsgc-2021", "9s 9h", fifth).rules


def test_r044_each_split_hand_gets_one_card_and_is_played_like_any_hand() -> None:
    live = deal("wsgc-2021", "8c 9s 8d Kh")
    live.do(Split(1))
    assert waiting_for(live.state) == CardWanted(Place.PLAYER, 1, 0)
    live.deal("2h")
    legal = {option.name for option in options(live.state) if option.legal}
    assert legal == {"stand", "hit", "double"}
    hits = seat("8c 8d / split", "8c 2h / hit 3c / hit 7c / stand", "8d 3h / double 9c")
    assert play("wsgc-2021", "9s 9h", hits).result() == "hand +10.00 and +20.00"


def test_o30_the_first_split_hand_is_played_before_the_next_gets_its_card() -> None:
    live = deal("wsgc-2021", "8c 9s 8d Kh")
    live.do(Split(1))
    live.deal("2h")
    assert waiting_for(live.state) == DecisionWanted(1, 0)
    cards = [[card_text(card) for card in hand.cards] for hand in live.state.spots[1].hands]
    assert cards == [["8c", "2h"], ["8d"]]
    live.do(Stand(1))
    assert waiting_for(live.state) == CardWanted(Place.PLAYER, 1, 1)
    live.deal("3h")
    assert waiting_for(live.state) == DecisionWanted(1, 1)


@pytest.mark.parametrize("base", [5, 10, 75])
def test_r045_each_split_hand_carries_the_original_wager(base: int) -> None:
    hands = seat("8c 8d / split", "8c Kd / stand", "8d Kc / stand", base=base)
    lost = play("wsgc-2021", "9s Kh", hands)
    assert lost.result() == f"hand -{base}.00 and -{base}.00"
    chips = {
        option.name: option.chips for option in options(deal("wsgc-2021", "8c 9s 8d Kh").state)
    }
    assert chips["split"] == 10_00


def test_r046_bonus_21_on_split_hands_that_were_not_doubled() -> None:
    plain = seat("7c 7d / split", "7c 7h / hit 7s", "7d 6d / hit 8d")
    assert play("wsgc-2021", "9s Kh", plain).result() == "hand +15.00 and +20.00"
    doubled = seat("7c 7d / split", "7c 7h / double 7s", "7d 6d / double 8d")
    assert play("wsgc-2021", "9s Kh", doubled).result() == "hand +20.00 and +20.00"


def test_r046_no_super_bonus_on_split_hands() -> None:
    split = seat("7d 7d / split", "7d 7d / hit 7d", "7d Kc / stand", base=25)
    round_ = play("wsgc-2021", "7s Kd", split, "Kh 9c / stand")
    assert round_.results() == ["hand +50.00 and 0.00", "hand +10.00"]


@pytest.mark.parametrize("preset", EQUAL_VALUE)
def test_o05_ace_and_face_after_a_split_is_a_21_paid_even_money_at_once(preset: str) -> None:
    aces = seat("Ac Ad / split", "Ac Kd / stand", "Ad Qc / stand")
    round_ = play(preset, "9s Kh", aces)
    assert round_.result() == "hand +10.00 and +10.00"
    faces = play(preset, "7s 7h / 7d", seat("Kc Jd / split", "Kc Ah / stand", "Jd 9c / stand"))
    assert faces.result() == "hand +10.00 and -10.00"  # the 21 beats the dealer's 21


def test_o05_in_super_fun_21_it_is_an_ordinary_21() -> None:
    aces = seat("Ac Ad / split", "Ac Kd / stand", "Ad 9c / stand")
    assert play("super-fun-21", "6h 5d / Th", aces).result() == "hand 0.00 and -10.00"


def test_o12_cards_of_the_split_hand_count_its_split_card_included() -> None:
    five = seat("2c 2d / split", "2c 3h / hit 4h / hit 5s / hit 7c", "2d Kc / hit 9c")
    round_ = play("wsgc-2021", "9s Kh", five)
    assert round_.result() == "hand +15.00 and +10.00"
    assert round_.payment(1).reason == "5-card 21"


def test_o32_each_split_hand_counts_its_own_doublings() -> None:
    rules = "wsgc-2021(double_double=on,table_maximum=100)"
    thrice = "double 2h / ddd 2s / ddd 6c / stand"  # 8 + 2 + 2 + 2 + 6
    hands = seat("8c 8d / split", f"8c 2c / {thrice}", f"8d 2d / {thrice}")
    assert play(rules, "9s 9h", hands).result() == "hand +80.00 and +80.00"
    fourth = seat(
        "8c 8d / split", f"8c 2c / {thrice}", "8d 2d / double 2h / ddd 2s / ddd 2c / ddd 2h"
    )
    assert "R-053" in refused(rules, "9s 9h", fourth).rules
