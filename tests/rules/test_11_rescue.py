"""Section 11: rescue."""

import pytest

from tests.rounds import deal, play, refused, seat
from ventiuna.engine import action_options as options
from ventiuna.engine.commands import Double, Rescue
from ventiuna.engine.events import HandRemoved, HandRescued, Stage

WITHOUT = "wsgc-2021"
OFFERED = "wsgc-2021(double_double=on)"
CAPPED = "wsgc-2021(double_double=on,table_maximum=100)"
SPANISH_PRESETS = ["wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"]
ONCE = "5c 3d / double 2h"
TWICE = f"{ONCE} / ddd 2s"
THRICE = f"{TWICE} / ddd 3c"

# The table "Rescue in numbers": rules, wager, actions, amount taken back, rest forfeited.
IN_NUMBERS = [
    (WITHOUT, 20, ONCE, 20, 20),
    (WITHOUT, 20, "5c 3d / double:8 2h", 8, 20),
    (OFFERED, 20, TWICE, 40, 40),
    (OFFERED, 20, THRICE, 80, 80),
    (CAPPED, 40, THRICE, 100, 160),
    (CAPPED, 75, TWICE, 100, 150),
    (CAPPED, 100, THRICE, 100, 300),
]


@pytest.mark.parametrize(("rules", "base", "actions", "back", "forfeited"), IN_NUMBERS)
def test_r057_r058_rescue_in_numbers(
    rules: str, base: int, actions: str, back: int, forfeited: int
) -> None:
    """The last doubled portion is returned and all the rest is forfeited."""
    round_ = play(rules, "9s Kh", seat(f"{actions} / rescue", base=base))
    paid = round_.payment(1)
    assert paid.paid == back * 100
    assert -paid.net == forfeited * 100
    assert paid.stake == (back + forfeited) * 100
    assert paid.rule == "R-057"


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
def test_r057_in_every_spanish_preset(preset: str) -> None:
    assert play(preset, "9s Kh", f"{ONCE} / rescue").result() == "hand -10.00"


def test_r057_it_ends_the_hand() -> None:
    live = deal(WITHOUT, "5c 9s 3d Kh")
    live.do(Double(1))
    live.deal("2h")
    new = live.do(Rescue(1))
    assert new.index(HandRescued(1, 0)) < new.index(HandRemoved(1, 0))
    assert live.state.stage is Stage.CLOSED
    assert live.refuses(Rescue(1)).code == "hand_over"


@pytest.mark.parametrize("amount", ["0.50", "8", "19.50", "20"])
def test_r058_after_doubling_for_less_the_lesser_amount_is_returned(amount: str) -> None:
    round_ = play(WITHOUT, "9s Kh", seat(f"5c 3d / double:{amount} 2h / rescue", base=20))
    assert round_.payment(1).paid == round(float(amount) * 100)
    assert round_.result() == "hand -20.00"


def test_r058_on_a_split_hand_its_own_portion() -> None:
    hands = seat("8c 8d / split", "8c 3h / double 2d / rescue", "8d Kc / stand", base=20)
    assert play(WITHOUT, "9s Kh", hands).result() == "hand -20.00 and -20.00"


def test_d15_a_rescue_never_costs_less_than_the_rest_of_the_wager() -> None:
    """Read literally, a procedure would let a player double $100 by $1 and leave for $1."""
    one = play(WITHOUT, "9s Kh", seat("5c 3d / double:1 2h / rescue", base=100))
    assert one.result() == "hand -100.00"
    capped = play(CAPPED, "9s Kh", seat(f"{THRICE} / rescue", base=40))
    assert capped.result() == "hand -160.00"


@pytest.mark.parametrize(
    ("rules", "actions", "net"),
    [
        (WITHOUT, "Kc 5d / double Qh", "-20.00"),
        (OFFERED, "9c 3d / double 2h / ddd Kd", "-40.00"),
        (OFFERED, "5c 3d / double 2h / ddd 2s / ddd Kc", "-80.00"),
    ],
)
def test_r059_a_busted_double_cannot_be_rescued(rules: str, actions: str, net: str) -> None:
    assert play(rules, "9s Kh", actions).result() == f"hand {net}"
    assert "R-059" in refused(rules, "9s Kh", f"{actions} / rescue").rules


def test_r060_rescue_needs_a_doubled_hand_of_three_or_more_cards() -> None:
    assert "R-060" in refused(WITHOUT, "9s Kh", "Kc 5d / rescue").rules
    assert "R-060" in refused(WITHOUT, "9s Kh", "Kc 2d / hit 3h / rescue").rules
    many = "2c 2d / hit 3h / hit 2s / double 3c / rescue"
    assert play(WITHOUT, "9s Kh", many).result() == "hand -10.00"


@pytest.mark.parametrize("up", list("A23456789JQK"))
def test_r060_against_any_up_card(up: str) -> None:
    round_ = play(WITHOUT, f"{up}s 5h", f"{ONCE} / rescue")
    assert round_.result() == "hand -10.00"


def test_r060_surrender_costs_half_of_the_original_wager_and_rescue_the_rest() -> None:
    """The same $20: surrender loses $10, rescue $20; neither replaces the other."""
    assert play(WITHOUT, "9s Kh", seat("9c 7d / surrender", base=20)).result() == "hand -10.00"
    rescued = play(WITHOUT, "9s Kh", seat("9c 2d / double 5h / rescue", base=20))
    assert rescued.result() == "hand -20.00"
    assert "R-036" in refused(WITHOUT, "9s Kh", "9c 2d / double 5h / surrender").rules
    names = {option.name: option.legal for option in options(deal(WITHOUT, "9c 9s 7d Kh").state)}
    assert names["surrender"]
    assert not names["rescue"]
