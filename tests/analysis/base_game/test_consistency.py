"""Properties that hold for every configuration, whatever its value."""

from __future__ import annotations

import numpy as np
import pytest

from ventiuna.analysis.base_game.analyzer import (
    analyze,
    ev_with_super_bonus,
    evaluate,
    packed_preference,
)
from ventiuna.analysis.base_game.solver import StrategyTables, strategy_of
from ventiuna.analysis.composition import Composition, SplitPlay, fresh_composition, without_cards
from ventiuna.cards import parse_cards
from ventiuna.core import actions
from ventiuna.kernels.exact.tables import COMPOSITIONS, DOUBLINGS, VALUES, lattice
from ventiuna.rules import load_rules, preset_ids

SPANISH = "wsgc-spanish-21"


@pytest.mark.parametrize("name", preset_ids())
def test_probabilities_sum_to_one(name: str) -> None:
    analysis = analyze(load_rules(name))
    assert sum(result.chance for result in analysis.by_up) == pytest.approx(1, abs=1e-13)
    hands = analysis.hands()
    assert sum(hand.chance for hand in hands) == pytest.approx(1, abs=1e-13)
    assert sum(hand.chance * hand.ev for hand in hands) == pytest.approx(analysis.ev, abs=1e-13)
    whole = sum(hand.chance * hand.wagered for hand in hands)
    assert whole == pytest.approx(analysis.wagered, abs=1e-13)
    assert analysis.wagered > 1
    assert analysis.element_of_risk == pytest.approx(-analysis.ev / analysis.wagered)


@pytest.mark.parametrize("name", [SPANISH, f"{SPANISH}(double_double=on)", "super-fun-21"])
def test_own_play_as_fixed_strategy_has_the_same_value(name: str) -> None:
    rules = load_rules(name)
    best = analyze(rules)
    fixed = evaluate(rules, strategy_of(best.solution), "the best play")
    assert fixed.ev == pytest.approx(best.ev, abs=1e-13)
    assert fixed.wagered == pytest.approx(best.wagered, abs=1e-13)
    assert fixed.strategy_class == "the best play"


def test_play_for_other_rules_is_not_better() -> None:
    hits, stands = load_rules(SPANISH), load_rules(f"{SPANISH}(soft_17=stand)")
    best = {rules.soft_17: analyze(rules) for rules in (hits, stands)}
    for rules, others in ((hits, stands), (stands, hits)):
        strategy = strategy_of(best[others.soft_17].solution)
        cost = best[rules.soft_17].ev - evaluate(rules, strategy, "of other rules").ev
        assert 1e-6 < cost < 1e-3


def mimic_of_the_dealer() -> StrategyTables:
    """Hit to 17; never double, split or surrender."""
    places = lattice()
    soft = (places.counts[:, 0] > 0) & (places.hard <= 11)
    total = np.where(soft, places.hard + 10, places.hard)
    hit, stand = packed_preference((actions.HIT,)), packed_preference((actions.STAND,))
    row = np.where(total < 17, hit, stand).astype(np.int64)
    table = np.broadcast_to(row, (VALUES, DOUBLINGS, COMPOSITIONS)).copy()
    none = np.zeros((0, 0), dtype=np.int64)
    return StrategyTables(table, table, none, none)


def test_mimicking_the_dealer_loses_the_known_amount() -> None:
    """In plain blackjack, such a player loses about 5.5% and never wagers more than the base."""
    rules = load_rules("blackjack(soft_17=stand)")
    fixed = evaluate(rules, mimic_of_the_dealer(), "mimic of the dealer")
    assert fixed.wagered == pytest.approx(1, abs=1e-13)
    assert -0.058 < fixed.ev < -0.054


@pytest.mark.parametrize(
    ("without", "with_it"),
    [
        (f"{SPANISH}(surrender=off)", SPANISH),
        (SPANISH, f"{SPANISH}(double_double=on)"),
        (f"{SPANISH}(rescue=off)", SPANISH),
        (f"{SPANISH}(double_cards=two)", SPANISH),
        (f"{SPANISH}(double_totals=9-11)", SPANISH),
        (f"{SPANISH}(double_totals=10-11)", f"{SPANISH}(double_totals=9-11)"),
        (f"{SPANISH}(double_after_split=off)", SPANISH),
        (f"{SPANISH}(double_on_21=never)", SPANISH),
        (f"{SPANISH}(double_blackjack=off)", SPANISH),
        (f"{SPANISH}(split=off)", f"{SPANISH}(split=same_rank)"),
        (f"{SPANISH}(split=same_rank)", SPANISH),
        (f"{SPANISH}(split_hands=2)", f"{SPANISH}(split_hands=3)"),
        (f"{SPANISH}(split_hands=3)", SPANISH),
        (f"{SPANISH}(split_aces=one_card)", SPANISH),
        (f"{SPANISH}(resplit_aces=off)", SPANISH),
        (f"{SPANISH}(double_for_less=off)", f"{SPANISH}(surrender=any_time,double_for_less=off)"),
        ("blackjack", "blackjack(surrender=late)"),
        ("blackjack", "blackjack(soft_17=stand)"),
        ("blackjack(blackjack_pays=6 to 5)", "blackjack"),
        ("blackjack", "blackjack(blackjack_tie=wins)"),
        ("blackjack", "blackjack(split_aces=like_others)"),
        ("blackjack", "blackjack(resplit_aces=on)"),
    ],
)
def test_more_options_never_lower_the_value(without: str, with_it: str) -> None:
    assert analyze(load_rules(with_it)).ev >= analyze(load_rules(without)).ev - 1e-13


def test_reoptimized_split_hands_do_slightly_better() -> None:
    for name, most in ((SPANISH, 2e-6), ("super-fun-21", 2e-5)):
        rules = load_rules(name)
        gain = analyze(rules, split_play=SplitPlay.REOPTIMISED).ev - analyze(rules).ev
        assert 0 < gain < most


def swapped(composition: Composition, pairs: list[tuple[int, int]]) -> Composition:
    counts = list(composition)
    for one, other in pairs:
        counts[one], counts[other] = counts[other], counts[one]
    return tuple(counts)


def test_equivalent_cards_can_be_swapped() -> None:
    """No rule of the base game distinguishes clubs from diamonds or kings from jacks."""
    rules = load_rules(SPANISH)
    shoe = without_cards(
        fresh_composition(rules), parse_cards("7c 7c 7c 8c 6d Kc Kc Kh Ks 2c 5d 9c Ac")
    )
    before = analyze(rules, shoe).ev
    suits = [(4 * rank, 4 * rank + 1) for rank in range(13)]
    faces = [(4 * 12 + suit, 4 * 10 + suit) for suit in range(4)]
    assert analyze(rules, swapped(shoe, suits)).ev == pytest.approx(before, abs=1e-14)
    assert analyze(rules, swapped(shoe, faces)).ev == pytest.approx(before, abs=1e-14)
    spades = [(4 * rank, 4 * rank + 3) for rank in range(13)]
    assert analyze(rules, swapped(shoe, spades)).ev != pytest.approx(before, abs=1e-9)


def test_super_bonus_is_worth_what_it_pays() -> None:
    rules = load_rules(SPANISH)
    plain = analyze(rules).ev
    five, more = (ev_with_super_bonus(rules, base) for base in (500, 2500))
    # $1,000 for $5 and $5,000 for $25 are both 200 wagers. If suited sevens are hit instead of
    # split, 1 in 668,382 deals wins the Super Bonus.
    assert five == pytest.approx(more, abs=1e-14)
    assert 0 < 200 / 668382 - (five - plain) < 3e-5  # the difference is what hitting costs
    assert ev_with_super_bonus(rules, 400) == pytest.approx(plain, abs=1e-14)
    assert ev_with_super_bonus(rules, 10000) < five
