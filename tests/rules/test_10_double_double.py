"""Section 10: double-double down."""

import pytest

from tests.rounds import Seat, deal, play, problems, refused, seat, wagers
from ventiuna.engine import action_options as options
from ventiuna.engine.commands import Double, DoubleDouble
from ventiuna.engine.events import HandDoubled
from ventiuna.rules import load_rules
from ventiuna.rules.loader import choices_of

OFFERED = "wsgc-2021(double_double=on)"
CAPPED = "wsgc-2021(double_double=on,table_maximum=100)"
SPANISH_PRESETS = ["wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"]
TIED_TO_SOFT_17 = [name for name in SPANISH_PRESETS if name != "catfish-bend"]  # D-12
THRICE = "5c 3d / double 2h / ddd 2s / ddd 3c"  # 15


@pytest.mark.parametrize("preset", TIED_TO_SOFT_17)
def test_r051_never_if_the_dealer_stands_on_soft_17(preset: str) -> None:
    assert problems(f"{preset}(double_double=on,soft_17=stand)") == {"double_double": "R-051"}
    assert load_rules(f"{preset}(double_double=on,soft_17=hit)").double_double
    assert not load_rules(f"{preset}(double_double=off,soft_17=stand)").double_double


def test_r051_a_house_option_that_must_be_offered() -> None:
    at_once = refused("wsgc-2021", "9s Kh", "5c 3d / ddd 2h")
    assert (at_once.code, at_once.rules) == ("double_double_not_offered", ("R-051",))
    after_double = refused("wsgc-2021", "9s Kh", "5c 3d / double 2h / ddd 2s")
    assert after_double.code == "second_doubling"
    assert "R-051" in after_double.rules
    assert play(OFFERED, "9s 9h", "5c 3d / double 2h / ddd 9s / stand").result() == "hand +40.00"


def test_d13_offered_by_document() -> None:
    assert {name: choices_of(name)["double_double"] for name in SPANISH_PRESETS} == {
        "wsgc-spanish-21": ["off", "on"],
        "casino-card": ["off", "on"],
        "catfish-bend": ["on"],
        "wsgc-2021": ["off", "on"],
        "wsgc-v002": ["off", "on"],
    }
    defaults = {name: load_rules(name).double_double for name in SPANISH_PRESETS}
    assert [name for name, on in defaults.items() if on] == ["catfish-bend"]
    assert problems("super-fun-21(double_double=on)")["double_double"] == "R-107"


def test_r052_double_double_rescue_or_stand_after_a_double_card() -> None:
    hand = "5c 3d / double 2h"
    assert play(OFFERED, "6d Kd / 9c", f"{hand} / ddd 4s / stand").result() == "hand +40.00"
    assert play(OFFERED, "9s Kh", f"{hand} / rescue").result() == "hand -10.00"
    assert play(OFFERED, "9s Kh", f"{hand} / stand").result() == "hand -20.00"


def test_r052_only_after_a_double() -> None:
    assert "R-052" in refused(OFFERED, "9s Kh", "5c 3d / ddd 2h").rules
    assert "R-052" in refused(OFFERED, "9s Kh", "5c 3d / hit 2h / ddd 2s").rules


def test_r052_not_after_a_bust() -> None:
    assert play(OFFERED, "9s Kh", "Kc 5d / double Qh").result() == "hand -20.00"
    refusal = refused(OFFERED, "9s Kh", "Kc 5d / double Qh / ddd 2c")
    assert refusal.code == "hand_bust"


def test_r053_at_most_three_doublings_and_eight_times_the_wager() -> None:
    lost = play(OFFERED, "9s Kh", f"{THRICE} / stand")
    assert lost.result() == "hand -80.00"
    won = play(OFFERED, "6d Kd / 9c", f"{THRICE} / stand")
    assert won.result() == "hand +80.00"
    fourth = refused(OFFERED, "9s Kh", f"{THRICE} / ddd 2c")
    assert {"R-053", "R-056"} <= set(fourth.rules)


def test_d32_three_doublings_in_all_for_document_001_too() -> None:
    rules = "casino-card(double_double=on)"
    assert play(rules, "9s Kh", f"{THRICE} / stand").result() == "hand -80.00"
    assert "R-053" in refused(rules, "9s Kh", f"{THRICE} / ddd 2c").rules
    # This holds even if capped wagers leave the total below eight times the wager.
    capped = "casino-card(double_double=on,table_maximum=100)"
    assert "R-053" in refused(capped, "9s Kh", seat(f"{THRICE} / ddd 2c", base=100)).rules


def test_r054_every_added_wager_equals_the_current_one() -> None:
    live = deal(OFFERED, "2c 9s 2d Kh")
    assert "R-054" in live.refuses(Double(1, 5_00)).rules
    live.do(Double(1))
    live.deal("2h")
    live.do(DoubleDouble(1))
    live.deal("2s")
    live.do(DoubleDouble(1))
    assert [event.amount for event in live.all(HandDoubled)] == [10_00, 20_00, 40_00]


@pytest.mark.parametrize(
    ("base", "added"),
    [
        (12, [12, 24, 48]),
        (25, [25, 50, 100]),  # exactly the maximum, so not capped
        (26, [26, 52, 100]),  # 104 would exceed it
        (40, [40, 80, 100]),
        (50, [50, 100, 100]),
        (75, [75, 100, 100]),
        (100, [100, 100, 100]),
    ],
)
def test_r055_a_double_double_wager_is_capped_at_the_table_maximum(
    base: int, added: list[int]
) -> None:
    """The cap applies to the amount added, not to the total."""
    live = deal(CAPPED, "2c 9s 2d Kh", wagers(base=base))
    for number, expected in enumerate(added):
        offer = next(o for o in options(live.state) if o.legal and o.name.startswith("double"))
        assert offer.chips == expected * 100
        live.do(DoubleDouble(1) if number else Double(1))
        live.deal("2h" if number else "2s")
    assert [event.amount for event in live.all(HandDoubled)] == [amount * 100 for amount in added]
    assert live.state.spots[1].hands[0].wager == (base + sum(added)) * 100


def test_r055_the_whole_wager_on_the_hand_is_won_or_lost() -> None:
    capped = seat(f"{THRICE} / stand", base=40)
    assert play(CAPPED, "9s Kh", capped).result() == "hand -260.00"
    assert play(CAPPED, "6d Kd / 9c", capped).result() == "hand +260.00"


def test_o31_the_first_double_is_never_capped() -> None:
    assert play(CAPPED, "9s 9h", seat("9c 2d / double 9h", base=100)).result() == "hand +200.00"
    over_total = deal(CAPPED, "9c 9s 2d Kh", wagers(base=100))
    chips = {option.name: option.chips for option in options(over_total.state)}
    assert chips["double"] == 100_00


def test_r056_only_stand_or_rescue_after_the_third_double_card() -> None:
    live = deal(OFFERED, "2c 9s 2d Kh")
    live.do(Double(1))
    for text in ("2h", "2s"):
        live.deal(text)
        live.do(DoubleDouble(1))
    live.deal("3c")
    assert {option.name for option in options(live.state) if option.legal} == {
        "stand",
        "rescue",
    }
    assert "R-056" in live.refuses(DoubleDouble(1)).rules


def test_r056_a_21_on_the_third_double_card_is_paid_without_asking() -> None:
    soft = Seat(("Ac 2d / double 2h / ddd 2s / ddd 4c",))
    assert play(OFFERED, "9s Kh", soft).result() == "hand +80.00"
