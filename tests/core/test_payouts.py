"""Base game payouts in cents: odds, limits and halves."""

import pytest

from ventiuna.cards import parse_card, parse_cards
from ventiuna.core import base_game
from ventiuna.core.cards import EMPTY_HAND, Hand, add_card
from ventiuna.rules import compile_rules, load_rules

SPANISH = compile_rules(load_rules("wsgc-2021"))
FUN = compile_rules(load_rules("super-fun-21"))
PLAIN = compile_rules(load_rules("blackjack"))
ACE, KING = parse_card("As"), parse_card("Ks")


def hand(text: str) -> Hand:
    found = EMPTY_HAND
    for card in parse_cards(text):
        found = add_card(found, card)
    return found


@pytest.mark.parametrize(
    ("text", "spanish", "fun"),
    [("As Kd", 1500, 1000), ("Ad Kd", 1500, 2000), ("Ah Kh", 1500, 1000), ("Ad Kh", 1500, 1000)],
)
def test_r029_r114_blackjack_payouts(text: str, spanish: int, fun: int) -> None:
    assert base_game.blackjack_profit(SPANISH, hand(text), 1000) == spanish
    assert base_game.blackjack_profit(FUN, hand(text), 1000) == fun


@pytest.mark.parametrize(
    ("player", "dealer", "outcome"),
    [
        (20, 19, base_game.WINS),
        (20, 20, base_game.PUSHES),
        (19, 20, base_game.LOSES),
        (12, 22, base_game.WINS),
        (12, 21, base_game.LOSES),
        (21, 21, base_game.PUSHES),
        (2, 26, base_game.WINS),
    ],
)
def test_r078_the_total_closer_to_21_wins(player: int, dealer: int, outcome: int) -> None:
    assert base_game.compare(player, dealer) == outcome


def test_r078_an_outcome_is_the_profit_of_one_wager() -> None:
    """Exact values and the simulator multiply the wager by the outcome."""
    assert [base_game.compare(player, 19) for player in (18, 19, 20)] == [-1, 0, 1]


def test_r055_a_double_double_is_capped_by_the_table_maximum() -> None:
    table = SPANISH._replace(table_maximum=5000)
    found = [base_game.double_double_wager(table, wager) for wager in (4999, 5000, 5001)]
    assert found == [4999, 5000, 5000]


def test_r034_r116_insurance_is_half_of_the_wager_in_chips() -> None:
    assert base_game.maximum_insurance(1500) == 750
    assert base_game.maximum_insurance(1501) == 750
    found = [
        base_game.maximum_insurance_in_chips(wager, 50) for wager in (1500, 1599, 1600, 99, 100)
    ]
    assert found == [750, 750, 800, 0, 50]
    assert base_game.maximum_insurance_in_chips(1500, 100) == 700
    assert base_game.insurance_profit(SPANISH, 750) == 1500


def test_r034_insurance_is_offered_with_an_ace_up_only() -> None:
    assert base_game.insurance_is_offered(SPANISH, ACE)
    assert not base_game.insurance_is_offered(SPANISH, KING)
    assert not base_game.insurance_is_offered(SPANISH._replace(insurance=0), ACE)


@pytest.mark.parametrize(
    ("on_blackjack", "has_blackjack", "may"),
    [(1, True, True), (0, True, False), (1, False, True), (0, False, True)],
)
def test_r031_a_blackjack_can_be_insured_if_the_house_allows_it(
    on_blackjack: int, has_blackjack: bool, may: bool
) -> None:
    table = SPANISH._replace(insurance_on_blackjack=on_blackjack)
    assert base_game.may_insure(table, ACE, has_blackjack) is may
    assert not base_game.may_insure(table, KING, has_blackjack)
    assert not base_game.may_insure(table._replace(insurance=0), ACE, has_blackjack)


def test_r036_r057_costs_of_surrender_and_rescue() -> None:
    assert base_game.surrender_loss(1000) == 500
    assert base_game.rescue_loss(4000, 2000) == 2000
    assert base_game.rescue_loss(2000, 1000) == 1000


def test_r045_r054_wagers_added_by_splits_and_doublings() -> None:
    table = SPANISH._replace(table_maximum=3000)
    assert base_game.split_wager(1000) == 1000
    assert base_game.doubling_wager(table, 5000, 0) == 5000  # never capped (O-31)
    assert base_game.doubling_wager(table, 2000, 1) == 2000
    assert base_game.doubling_wager(table, 4000, 2) == 3000


def test_r050_o40_the_smallest_double() -> None:
    for_less = SPANISH._replace(double_for_less=1)
    assert base_game.minimum_double(for_less, 1000, 50) == 50
    assert base_game.minimum_double(for_less, 20, 50) == 20
    assert base_game.minimum_double(SPANISH._replace(double_for_less=0), 1000, 50) == 1000
