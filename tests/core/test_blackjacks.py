"""When a blackjack is paid and who wins if both have one, for every rule set and up card."""

import pytest

from ventiuna.cards import parse_card
from ventiuna.core.base_game import (
    AFTER_CHECK,
    AFTER_INSURANCE,
    BEFORE_INSURANCE,
    blackjack_paid_when,
    result_against_blackjack,
    wins_two_blackjacks,
)
from ventiuna.core.rule_table import RuleTable
from ventiuna.rules import compile_rules, load_rules


def table(name: str) -> RuleTable:
    return compile_rules(load_rules(name))


def test_r115_a_blackjack_is_paid_at_one_of_three_points() -> None:
    assert BEFORE_INSURANCE < AFTER_INSURANCE < AFTER_CHECK


@pytest.mark.parametrize("up", ["As", "Ks", "Js", "9c", "2d"])
@pytest.mark.parametrize("insured", [False, True])
def test_r030_spanish_21_pays_blackjacks_at_once(up: str, insured: bool) -> None:
    assert blackjack_paid_when(table("wsgc-2021"), parse_card(up), insured) == BEFORE_INSURANCE


@pytest.mark.parametrize(
    ("up", "insured", "when"),
    [
        ("As", False, AFTER_INSURANCE),
        ("As", True, AFTER_CHECK),
        ("Ks", False, BEFORE_INSURANCE),
        ("Td", True, BEFORE_INSURANCE),
        ("9c", False, BEFORE_INSURANCE),
    ],
)
def test_r115_r120_super_fun_21_waits_with_an_ace_up(up: str, insured: bool, when: int) -> None:
    assert blackjack_paid_when(table("super-fun-21"), parse_card(up), insured) == when


@pytest.mark.parametrize(
    ("up", "when"),
    [("As", AFTER_CHECK), ("Td", AFTER_CHECK), ("Qc", AFTER_CHECK), ("9c", BEFORE_INSURANCE)],
)
@pytest.mark.parametrize("insured", [False, True])
def test_o01_plain_blackjack_waits_for_the_check(up: str, when: int, insured: bool) -> None:
    assert blackjack_paid_when(table("blackjack"), parse_card(up), insured) == when


@pytest.mark.parametrize(
    ("name", "before", "wins"),
    [
        ("wsgc-2021", False, True),
        ("super-fun-21", False, True),
        ("blackjack", False, False),
        ("blackjack", True, True),
        ("wsgc-2021", True, True),
    ],
)
def test_r029_r114_who_wins_two_blackjacks(name: str, before: bool, wins: bool) -> None:
    assert wins_two_blackjacks(table(name), before) is wins


def test_r035_a_dealer_blackjack_wins_every_wager_except_on_blackjacks() -> None:
    assert result_against_blackjack(False, False, 1500, 1000) == -1000
    assert result_against_blackjack(False, True, 1500, 1000) == -1000
    assert result_against_blackjack(True, True, 1500, 1000) == 1500
    assert result_against_blackjack(True, False, 1500, 1000) == 0
