"""Match the Dealer: published figures, formulas, and all card orders of small shoes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import perm

import pytest

from tests.analysis.side_bets.enumeration import all_deals, golden, random_shoe, shoe
from ventiuna.analysis import (
    fresh_composition,
    match_wager,
    match_wagers,
    without_cards,
)
from ventiuna.analysis.results import decimal_text, percent_text
from ventiuna.cards import CardError, parse_cards
from ventiuna.core.side_bets import match_profit, suited_matches, unsuited_matches
from ventiuna.rules import RulesError, compile_rules, load_rules

SCHEDULES = golden("paytables.json")["match_the_dealer"]["schedules"]
SEVEN_WAGERS = "wsgc-2021(mtd_configuration=4,bonus_cards=5)"


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda row: f"{row['decks']} decks")
def test_r022_odds_give_the_printed_and_the_counted_figures(schedule: dict[str, object]) -> None:
    wager = match_wager(load_rules(f"wsgc-2021(decks={schedule['decks']})"))
    published, counted = schedule["published"], schedule["recomputed"]
    assert isinstance(published, dict)
    assert isinstance(counted, dict)
    assert f"{wager.unsuited_odds} to 1" == schedule["unsuited"]
    assert f"{wager.suited_odds} to 1" == schedule["suited"]
    assert wager.win_frequency == Fraction(counted["win_probability_exact"])
    assert wager.house_edge == Fraction(counted["house_advantage_exact"])
    assert percent_text(wager.win_frequency) == counted["win_frequency"]
    assert percent_text(wager.house_edge) == counted["house_advantage"]
    assert percent_text(wager.win_frequency, 1) == published["win_frequency"]
    assert percent_text(wager.house_edge, 2) == published["house_advantage"]
    assert decimal_text(1 / wager.win_frequency, 1) == published["one_in"]


def test_six_decks_match_the_analyst_to_every_digit() -> None:
    figures = golden("figures.json")["side_bets"]["match_the_dealer_6_decks_one_card"]
    wager = match_wager(load_rules("wsgc-2021"))
    assert percent_text(wager.win_frequency, 6) == figures["win_frequency"].replace(" ", "")
    assert percent_text(wager.house_edge, 6) == figures["house_advantage"].replace(" ", "")
    assert decimal_text(wager.standard_deviation, 6) == figures["standard_deviation"]


def test_r023_the_casino_card_lists_the_same_profits() -> None:
    printed = golden("paytables.json")["match_the_dealer"]["casino_card_001"]["lines"]
    ours = sorted(o.profit for o in match_wager(load_rules("casino-card")).outcomes if o.profit > 0)
    assert [f"{profit} to 1" for profit in ours] == [line["pay"] for line in printed]


@pytest.mark.parametrize("decks", [2, 4, 5, 6, 8])
def test_outcomes_equal_the_closed_formula_for_a_fresh_shoe(decks: int) -> None:
    """n decks: s = n - 1 suited and x = 3n unsuited cards among the other N = 48n - 1."""
    suited, unsuited, cards = decks - 1, 3 * decks, 48 * decks - 1
    others = cards - suited - unsuited
    pairs = perm(cards, 2)
    outcomes = match_wager(load_rules(f"wsgc-2021(decks={decks})")).outcomes
    assert {(o.suited, o.unsuited): o.probability for o in outcomes} == {
        (0, 0): Fraction(perm(others, 2), pairs),
        (0, 1): Fraction(2 * unsuited * others, pairs),
        (0, 2): Fraction(perm(unsuited, 2), pairs),
        (1, 0): Fraction(2 * suited * others, pairs),
        (1, 1): Fraction(2 * suited * unsuited, pairs),
        (2, 0): Fraction(perm(suited, 2), pairs),
    }


@pytest.mark.parametrize("seed", range(4))
def test_one_wager_equals_all_card_orders_of_a_partly_dealt_shoe(seed: int) -> None:
    composition = random_shoe(seed, kinds=24, most=5)
    counted: Counter[tuple[int, int]] = Counter()
    for ways, (first, second, card) in all_deals(composition, 3):
        counted[suited_matches(first, second, card), unsuited_matches(first, second, card)] += ways
    total = perm(sum(composition), 3)
    outcomes = match_wager(load_rules("wsgc-2021"), composition).outcomes
    assert {(o.suited, o.unsuited): o.probability for o in outcomes} == {
        (o.suited, o.unsuited): Fraction(counted[o.suited, o.unsuited], total) for o in outcomes
    }
    assert sum(o.probability for o in outcomes) == 1


@pytest.mark.parametrize(
    ("wagers", "stakes"),
    [
        (("up", "down"), (100, 100)),
        (("up", "down", "b1"), (500, 200, 100)),
        (("b1", "b2", "b3", "b4", "b5"), (100, 200, 300, 400, 500)),
    ],
)
def test_several_wagers_equal_all_card_orders_of_a_small_shoe(
    wagers: tuple[str, ...], stakes: tuple[int, ...]
) -> None:
    composition = shoe("7s 7s 7s 7h 7h Ks Kd 2c 2c")
    rules = load_rules(SEVEN_WAGERS)
    table = compile_rules(rules)
    totals: Counter[int] = Counter()
    some_win = 0
    for ways, (first, second, *dealer) in all_deals(composition, 2 + len(wagers)):
        profits = [
            match_profit(
                table,
                stake,
                suited_matches(first, second, card),
                unsuited_matches(first, second, card),
            )
            for stake, card in zip(stakes, dealer, strict=True)
        ]
        totals[sum(profits)] += ways
        some_win += ways if max(profits) > 0 else 0
    orders = perm(sum(composition), 2 + len(wagers))
    together = match_wagers(rules, dict(zip(wagers, stakes, strict=True)), composition)
    assert together.distribution == {
        profit: Fraction(ways, orders) for profit, ways in sorted(totals.items())
    }
    assert together.win_frequency == Fraction(some_win, orders)


@pytest.mark.parametrize("decks", [2, 4, 5, 6, 8])
def test_seven_wagers_keep_mean_variance_and_covariance(decks: int) -> None:
    rules = load_rules(f"wsgc-2021(decks={decks},mtd_configuration=4,bonus_cards=5)")
    stakes = {name: 100 * place for place, name in enumerate(rules.mtd_wagers, start=1)}
    together = match_wagers(rules, stakes)
    assert sum(together.distribution.values()) == 1
    assert together.house_edge == match_wager(rules).house_edge
    assert together.variance == sum(
        together.covariance(one, other) for one in stakes for other in stakes
    )
    assert sum(together.pair_outcomes.values()) == 1


def test_two_wagers_have_the_marginals_of_one() -> None:
    rules = load_rules("wsgc-2021(decks=2)")
    together = match_wagers(rules)
    for outcome in match_wager(rules).outcomes:
        key = (outcome.suited, outcome.unsuited)
        pairs = together.pair_outcomes.items()
        assert sum(p for (one, _), p in pairs if one == key) == outcome.probability
        assert sum(p for (_, other), p in pairs if other == key) == outcome.probability


def test_equivalent_cards_can_be_exchanged() -> None:
    rules = load_rules("wsgc-2021")
    fresh = fresh_composition(rules)
    gone = [
        match_wager(rules, without_cards(fresh, parse_cards(text))) for text in ("5c 9d", "Jh As")
    ]
    assert gone[0].outcomes == gone[1].outcomes
    assert gone[0].house_edge != match_wager(rules).house_edge


def test_rules_without_the_wager_are_refused_with_the_rule() -> None:
    with pytest.raises(RulesError, match=r"no Match the Dealer wager \(R-015"):
        match_wager(load_rules("super-fun-21"))
    with pytest.raises(RulesError, match=r"stakes = b1: .* They offer: up, down"):
        match_wagers(load_rules("wsgc-2021"), {"b1": 100})
    with pytest.raises(RulesError, match="a stake must be above zero"):
        match_wagers(load_rules("wsgc-2021"), {"up": 0})


def test_impossible_compositions_are_refused() -> None:
    rules = load_rules("wsgc-2021")
    with pytest.raises(CardError, match="2 cards are left, but this wager needs 3"):
        match_wager(rules, shoe("7s 7s"))
    with pytest.raises(CardError, match=r"card Ts isn't in the Spanish pack \(R-007\)"):
        match_wager(rules, shoe("7s 7s Ts"))
    with pytest.raises(CardError, match="52 counts"):
        match_wager(rules, (6, 6))
    with pytest.raises(CardError, match="card 7s: the shoe has 1 left"):
        without_cards(shoe("7s"), parse_cards("7s 7s"))
