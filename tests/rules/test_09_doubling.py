"""Section 9: doubling."""

import pytest

from tests.rounds import deal, play, refused, seat
from ventiuna.engine import action_options as options
from ventiuna.engine.commands import Double, DoubleDouble, Hit, Rescue, Split, Stand, Surrender
from ventiuna.engine.events import HandDoubled

SPANISH_PRESETS = ["wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"]
WITHOUT_DOUBLE_DOUBLE = [name for name in SPANISH_PRESETS if name != "catfish-bend"]


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
@pytest.mark.parametrize(
    ("hand", "net"),
    [
        ("2c 2d / double Kh / stand", -20),  # 4
        ("6c 5d / double 9h / stand", +20),  # 11
        ("Kc 2d / double 8h / stand", +20),  # 12
        ("Kc Qd / double 2h", -20),  # 20, which then busts
        ("Ac 7d / double 2h / stand", +20),  # soft 18
        ("2c 3d / hit 4h / double Kh / stand", +0),  # three cards
        ("2c 3d / hit 2h / hit 2s / double Kh / stand", +0),  # four cards
        ("2c 2d / hit 2h / hit 2s / hit 2c / double 9h / stand", +0),  # five cards
    ],
)
def test_r047_any_total_with_two_or_more_cards(preset: str, hand: str, net: int) -> None:
    round_ = play(preset, "9s Kh", hand)
    assert round_.payment(1).net == net * 100
    assert round_.payment(1).stake == 20_00


def test_r047_also_after_splitting() -> None:
    hands = seat("8c 8d / split", "8c 3h / double 9c", "8d 2h / hit Ah / stand")
    assert play("wsgc-2021", "9s 9h", hands).result() == "hand +20.00 and +10.00"
    hit_first = seat("8c 8d / split", "8c 3h / hit 2c / double 7c", "8d Kh / stand")
    assert play("wsgc-2021", "9s 9h", hit_first).result() == "hand +20.00 and 0.00"


def test_r048_one_card_and_then_only_stand_or_rescue() -> None:
    live = deal("wsgc-2021", "5c 9s 3d Kh")
    live.do(Double(1))
    assert live.all(HandDoubled) == [HandDoubled(1, 0, 10_00)]
    live.deal("2h")
    assert {option.name for option in options(live.state) if option.legal} == {
        "stand",
        "rescue",
    }
    assert "R-048" in live.refuses(Hit(1)).rules
    assert "R-048" in live.refuses(Split(1)).rules
    for command in (Double(1), DoubleDouble(1), Surrender(1)):
        live.refuses(command)


def test_r048_double_double_is_also_possible_if_offered() -> None:
    live = deal("wsgc-2021(double_double=on)", "5c 9s 3d Kh")
    live.do(Double(1))
    live.deal("2h")
    legal = {option.name for option in options(live.state) if option.legal}
    assert legal == {"stand", "rescue", "double-double"}
    live.do(DoubleDouble(1))
    live.deal("2s")
    assert "R-048" in live.refuses(Hit(1)).rules


def test_r048_the_card_comes_before_anything_else() -> None:
    live = deal("wsgc-2021", "5c 9s 3d Kh")
    live.do(Double(1))
    for command in (Stand(1), Rescue(1)):
        assert live.refuses(command).code == "card_first"


@pytest.mark.parametrize(
    ("hand", "odds_if_not_doubled"),
    [
        ("2c 3d / hit 4h / hit 5s / double 7c", "3 to 2"),  # five cards
        ("6s 7s / double 8s", "3 to 1"),
        ("7h 7h / double 7h", "2 to 1"),
    ],
)
def test_r049_a_doubled_hand_is_paid_even_money(hand: str, odds_if_not_doubled: str) -> None:
    doubled = play("wsgc-2021", "9s Kh", hand)
    assert doubled.result() == "hand +20.00"
    assert doubled.payment(1).odds == "even money"
    assert doubled.payment(1).rule == "R-049"
    hit = play("wsgc-2021", "9s Kh", hand.replace("double", "hit"))
    assert hit.payment(1).odds == odds_if_not_doubled


def test_r049_no_super_bonus_and_no_3_to_2_on_a_doubled_hand() -> None:
    sevens = play("wsgc-2021", "7c Kd", seat("7h 7h / double 7h", base=25), "Kc 9d / stand")
    assert sevens.results() == ["hand +50.00", "hand +10.00"]
    blackjack = play("wsgc-2021", "9s Kh", "As Kd / keep / double Qd")
    assert blackjack.result() == "hand +20.00"


def test_r049_a_doubled_21_always_wins() -> None:
    assert play("wsgc-2021", "7s 7h", "6c 5d / double Kc").result() == "hand +20.00"
    both = play("wsgc-2021", "7s 7h / 7d", "6c 5d / double Kc", "Kc Qd / stand")
    assert both.results() == ["hand +20.00", "hand -10.00"]  # the dealer had 21


@pytest.mark.parametrize("preset", WITHOUT_DOUBLE_DOUBLE)
def test_r050_doubling_for_less_if_double_double_isnt_offered(preset: str) -> None:
    won = play(preset, "9s 9h", seat("9c 2d / double:8 9h", base=20))
    assert won.result() == "hand +28.00"
    lost = play(preset, "9s 9h", seat("9c 2d / double:8 2h / stand", base=20))
    assert lost.result() == "hand -28.00"


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
def test_r050_no_doubling_for_less_with_double_double(preset: str) -> None:
    rules = f"{preset}(double_double=on)"
    refusal = refused(rules, "9s 9h", seat("9c 2d / double:8 9h", base=20))
    assert "R-050" in refusal.rules
    full = play(rules, "9s 9h", seat("9c 2d / double:20 9h", base=20))
    assert full.result() == "hand +40.00"


def test_r050_never_for_more_than_the_wager() -> None:
    live = deal("wsgc-2021", "9c 9s 2d Kh")
    assert "R-050" in live.refuses(Double(1, 10_50)).rules
    assert "R-050" in live.refuses(Double(1, 0)).rules
    live.do(Double(1, 10_00))
    assert live.state.spots[1].hands[0].wager == 20_00


def test_o40_the_smallest_double_for_less_is_one_unit() -> None:
    live = deal("wsgc-2021", "9c 9s 2d Kh")
    for amount in (25, 75, 1):
        assert live.refuses(Double(1, amount)).rules == ("O-18",)
    least = {option.name: option.least_chips for option in options(live.state)}
    assert least["double"] == 50
    live.do(Double(1, 50))
    assert live.state.spots[1].hands[0].wager == 10_50


def test_d14_document_002_has_no_doubling_for_less() -> None:
    assert "R-050" in refused("catfish-bend", "9s 9h", "9c 2d / double:8 9h").rules


def test_o38_document_001_doubles_for_less_only_without_double_double() -> None:
    assert play("casino-card", "9s 9h", "9c 2d / double:5 9h").result() == "hand +15.00"
    offered = "casino-card(double_double=on)"
    assert "R-050" in refused(offered, "9s 9h", "9c 2d / double:5 9h").rules


def test_d16_a_hand_is_doubled_once_and_then_double_doubled() -> None:
    """Document 002 says "once" in one place and "up to three times" in the next."""
    assert "R-053" in refused("catfish-bend", "9s 9h", "2c 2d / double 2h / double 2s").rules
    thrice = play("catfish-bend", "9s 9h", "2c 2d / double 2h / ddd 2s / ddd Kc / stand")
    assert thrice.result() == "hand 0.00"
    assert thrice.payment(1).stake == 80_00
