"""Section 18, part 1: cards, doubling, splitting, surrender and instant wins."""

from collections import Counter

import pytest

from tests.rounds import Played, card, deal, play, problems, refused, seat, wagers
from ventiuna.cards import Pack
from ventiuna.engine import Shoe, action_options, view
from ventiuna.engine.commands import (
    Double,
    DoubleDouble,
    Hit,
    Rescue,
    Split,
    Stand,
    Surrender,
)
from ventiuna.engine.events import (
    DownCardExposed,
    HandRemoved,
)
from ventiuna.engine.prompts import DecisionWanted, waiting_for
from ventiuna.rules import load_rules

FUN = "super-fun-21(decks=2)"
TWENTY = "Kc Qd"  # the dealer stands


def legal(live: Played) -> set[str]:
    return {option.name for option in action_options(live.state) if option.legal}


# --- cards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", [1, 2])
def test_r103_one_or_two_full_decks(decks: int) -> None:
    shoe = Shoe(load_rules(f"super-fun-21(decks={decks})"), lambda cards: None)
    drawn = Counter(shoe.draw() for _ in range(shoe.cards_left))
    assert drawn == dict.fromkeys(Pack.STANDARD.cards, decks)


@pytest.mark.parametrize("decks", [3, 4, 5, 6, 8])
def test_r103_no_more_decks(decks: int) -> None:
    assert problems(f"super-fun-21(decks={decks})") == {"decks": "R-103"}
    assert problems("super-fun-21(pack=spanish)") == {"pack": "R-103"}


def test_r103_standard_rules_otherwise() -> None:
    assert play(FUN, "9s Kh", "Tc 9d / stand").result() == "hand 0.00"
    assert play(FUN, "6s Th / 9h", "Tc 2d / stand").result() == "hand +10.00"
    assert play(FUN, "9s 7h / 4c", "Tc 9d / stand").result() == "hand -10.00"


def test_d31_no_optional_bonus_wager() -> None:
    rules = load_rules("super-fun-21")
    assert (rules.mtd_wagers, rules.jackpots, rules.super_bonus, rules.bonus_21) == ((), (), (), ())
    assert deal(FUN, "").refuses(wagers(mtd={"bonus": 5})).code == "wagers_closed"


def test_r104_players_cards_face_up_and_the_dealers_in_the_usual_way() -> None:
    live = deal(FUN, "9c 4c Kd 8d 3c 7s", wagers(1), wagers(2))
    shown = view(live.state)
    first, second = (spot.hands[0].cards for spot in shown.spots)
    assert (first, second) == ((card("9c"), card("8d")), (card("4c"), card("3c")))
    assert shown.dealer == (card("Kd"), None)


# --- doubling ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "total"),
    [
        ("2c 2d / double Th", 14),
        ("6c 5d / double 9h", 20),
        ("Tc 9d / double 2h", 21),
        ("2c 3d / hit 4h / double Th", 19),
        ("2c 3d / hit 4h / hit 2h / double Th", 21),
        ("Ac 4d / hit 6h / double 8c", 19),  # a three-card soft 21
        ("9c 4d / hit 8h / double 2c", 23),  # a hard one
    ],
)
def test_r105_double_on_two_or_more_cards_of_21_or_less(hand: str, total: int) -> None:
    round_ = play(FUN, "9s 9h", f"{hand} / stand" if total < 21 else hand)
    assert round_.state.spots[1].hands[0].total == total
    assert round_.payment(1).stake == 20_00
    outcome = "+20.00" if 18 < total <= 21 else "-20.00"
    assert round_.result() == f"hand {outcome}"


def test_r105_for_exactly_the_original_wager() -> None:
    live = deal(FUN, "6c Kc 5d Qd", wagers(base=20))
    for amount in (5_00, 19_50, 20_50):
        live.refuses(Double(1, amount))
    assert "R-105" in live.refuses(Double(1, 10_00)).rules
    live.do(Double(1, 20_00))
    assert live.state.spots[1].hands[0].wager == 40_00


def test_r105_also_after_splits_split_aces_included() -> None:
    aces = seat("Ac Ad / split", "Ac 8c / double Ah / stand", "Ad 3c / hit 2c / double 3d / stand")
    assert play(FUN, "9s 9h", aces).result() == "hand +20.00 and +20.00"


@pytest.mark.parametrize("ten", ["Td", "Jc", "Qh", "Ks"])
def test_r106_ten_and_ace_doubled_count_11(ten: str) -> None:
    blackjack = play(FUN, "Th 7c", f"As {ten} / keep / double 5c / stand")
    assert blackjack.state.spots[1].hands[0].total == 16
    assert blackjack.result() == "hand -20.00"
    assert play(FUN, "Th 7c", f"As {ten} / keep / double 9c / stand").result() == "hand +20.00"


def test_r106_on_a_split_hand_too() -> None:
    aces = seat("Ac Ad / split", "Ac Kd / double 8c / stand", "Ad 9c / stand")
    assert play(FUN, "9s 9h", aces).result() == "hand +20.00 and +10.00"


def test_r107_one_card_no_hit_no_second_doubling_no_doubling_for_less() -> None:
    live = deal(FUN, "6c Kc 2d Qd")
    assert "R-107" in live.refuses(Double(1, 5_00)).rules
    live.do(Double(1))
    live.deal("2h")
    assert legal(live) == {"stand", "surrender"}
    for command in (Hit(1), Double(1), DoubleDouble(1), Split(1)):
        assert "R-107" in live.refuses(command).rules
    assert live.refuses(Rescue(1)).code == "rescue_not_offered"


def test_r107_rules_that_would_allow_more_are_refused() -> None:
    assert "R-107" in problems("super-fun-21(double_double=on)")["double_double"]
    assert "R-107" in problems("super-fun-21(double_for_less=on)")["double_for_less"]


# --- splitting -----------------------------------------------------------------------------------


def test_r108_equal_values_up_to_four_hands() -> None:
    four = (
        "Tc Jd / split",
        "Tc Qh / split",
        "Tc Ks / split",
        "Tc 8d / stand",
        "Ks 9c / stand",
        "Qh 9d / stand",
        "Jd 7c / stand",
    )
    round_ = play(FUN, "9s 9h", seat(*four, base=20))
    assert round_.result() == "hand 0.00 and +20.00 and +20.00 and -20.00"
    fifth = (*four[:3], "Tc Td / split", "Tc 2c", "Td 3c", *four[4:])
    assert "R-108" in refused(FUN, "9s 9h", seat(*fifth)).rules
    assert "R-108" in deal(FUN, "9c Kc 8d Qd").refuses(Split(1)).rules


def test_r108_aces_are_split_again_hit_doubled_and_surrendered() -> None:
    aces = seat(
        "Ac Ad / split",
        "Ac Ah / split",
        "Ac 5d / hit 4c / stand",  # 20
        "Ah 9c / double 9d / stand",  # 19
        "Ad 2c / surrender",
    )
    assert play(FUN, "9s 9h", aces).result() == "hand +10.00 and +20.00 and -5.00"


# --- surrender -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hand",
    [
        "Td 6d / surrender",
        "Td 2d / hit 4h / surrender",
        "2c 2d / hit 3h / hit 3s / hit 4c / surrender",  # five cards
        "Td 2d / hit 8h / surrender",  # 20
    ],
)
def test_r109_half_at_any_time_below_21(hand: str) -> None:
    round_ = play(FUN, TWENTY, hand)
    assert round_.result() == "hand -5.00"
    assert round_.payment(1).rule == "R-109"
    assert HandRemoved(1, 0) in round_.events


def test_r109_not_with_21_and_not_after_a_bust() -> None:
    assert "R-109" in refused(FUN, TWENTY, "Td 2d / hit 9h / surrender").rules
    assert "R-109" in refused(FUN, TWENTY, "9c 4d / hit Kh / surrender").rules


def test_r109_only_after_the_dealers_check() -> None:
    insurance = deal(FUN, "Tc As 6d 9h")
    assert insurance.refuses(Surrender(1)).code == "not_time_to_act"
    assert insurance.refuses(Surrender(1)).rules == ("R-109", "R-120")
    blackjack = deal(FUN, "Tc Ks 6d Ah")
    assert blackjack.result() == "hand -10.00"
    assert blackjack.refuses(Surrender(1)).code == "dealer_blackjack"


def test_r109_each_split_hand_is_a_separate_bet() -> None:
    hands = seat("8c 8d / split", "8c 7h / surrender", "8d 3c / double 2c / surrender")
    assert play(FUN, TWENTY, hands).result() == "hand -5.00 and -10.00"


def test_r110_surrender_of_a_doubled_hand_gives_up_one_of_two_bets() -> None:
    round_ = play(FUN, TWENTY, seat("6c 5d / double 2h / surrender", base=15))
    assert round_.result() == "hand -15.00"
    assert round_.payment(1).paid == 15_00
    assert round_.payment(1).rule == "R-110"
    assert "R-109" in refused(FUN, TWENTY, "6c 5d / double Kh / surrender").rules  # 21


# --- instant wins --------------------------------------------------------------------------------

SIX_OF_18 = "2c 2d / hit 3h / hit 3s / hit 4c / hit 4d"
FIVE_OF_21 = "2h 3d / hit 4h / hit 5s / hit 7c"
SIX_OF_21 = "2c 2d / hit 3h / hit 3s / hit 4c / hit 7d"


@pytest.mark.parametrize(
    ("last", "net"), [("Ad", "+10.00"), ("4d", "+10.00"), ("6d", "+10.00"), ("8d", "-10.00")]
)
def test_r111_six_cards_of_20_or_less_win_even_money(last: str, net: str) -> None:
    """15, 18 and 20 win against any dealer; 22 is a bust."""
    assert play(FUN, TWENTY, f"2c 2d / hit 3h / hit 3s / hit 4c / hit {last}").result() == (
        f"hand {net}"
    )


def test_r111_paid_and_removed_before_the_dealer_plays() -> None:
    live = deal(FUN, "2c Tc Kc 2d 6d Qd", wagers(1), wagers(2))
    for text in ("3h", "3s", "4c", "4d"):
        live.do(Hit(1))
        live.deal(text)
    assert live.result(1) == "hand +10.00"
    assert HandRemoved(1, 0) in live.events
    assert not live.all(DownCardExposed)
    assert waiting_for(live.state) == DecisionWanted(2, 0)


def test_r111_a_sixth_card_ends_the_hand() -> None:
    assert "R-111" in refused(FUN, TWENTY, f"{SIX_OF_18} / hit 2h").rules
    assert "R-111" in refused(FUN, TWENTY, f"{SIX_OF_18} / double 2h").rules


def test_r111_five_cards_do_not_win() -> None:
    assert play(FUN, TWENTY, "2c 2d / hit 3h / hit 3s / hit 4c / stand").result() == "hand -10.00"


def test_r111_also_on_a_split_hand_counting_its_split_card() -> None:
    hands = seat("2c 2d / split", "2c 2h / hit 3h / hit 3s / hit 4c / hit 5d", "2d Tc / stand")
    assert play(FUN, TWENTY, hands).result() == "hand +10.00 and -10.00"


@pytest.mark.parametrize("hand", [FIVE_OF_21, SIX_OF_21])
def test_r112_21_with_five_or_more_cards_wins_2_to_1_at_once(hand: str) -> None:
    round_ = play(FUN, "7s 7h", hand)  # the dealer doesn't even draw to 14
    assert round_.result() == "hand +20.00"
    assert round_.payment(1).odds == "2 to 1"


def test_r112_also_on_a_split_hand() -> None:
    hands = seat("2h 2d / split", "2h 3d / hit 4h / hit 5s / hit 7c", "2d Tc / stand")
    assert play(FUN, TWENTY, hands).result() == "hand +20.00 and -10.00"


def test_r112_four_cards_dont_win_2_to_1() -> None:
    round_ = play(FUN, TWENTY, "2h 3d / hit 7h / hit 9s / stand")
    assert round_.result() == "hand +10.00"
    assert round_.payment(1).rule == "R-119"


def test_d28_at_least_five_and_at_least_six_cards() -> None:
    """No undoubled hand has seven cards: the sixth wins, pays 2 to 1 or busts."""
    rows = {row.name: row.cards for row in load_rules(FUN).instant_wins}
    assert [low for low, _ in rows.values()] == [5, 6]
    assert play(FUN, TWENTY, SIX_OF_21).result() == "hand +20.00"
    assert play(FUN, TWENTY, SIX_OF_18).result() == "hand +10.00"


def test_r113_doubled_hands_have_no_instant_win() -> None:
    six = play(FUN, "Kc 8d", "2c 2d / hit 3h / hit 3s / hit 2h / double 5c / stand")
    assert six.result() == "hand -20.00"  # 17 against 18
    five = play(FUN, "7s 7h / 7d", "2h 3d / hit 4h / hit 2s / double Tc")
    assert five.result() == "hand 0.00"  # 21 against 21
    assert play(FUN, "9s 9h", "2h 3d / hit 4h / hit 2s / double Tc").result() == "hand +20.00"


def test_o35_doubled_six_cards_and_doubled_21s_are_compared_at_the_end() -> None:
    live = deal(FUN, "2c 9s 2d 9h")
    for text in ("3h", "3s", "2h"):
        live.do(Hit(1))
        live.deal(text)
    live.do(Double(1))
    live.deal("7c")  # 19 with six cards
    assert not live.payments
    live.do(Stand(1))
    assert live.result() == "hand +20.00"
    assert live.payment(1).odds == "even money"
