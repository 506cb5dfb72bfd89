"""Kernel and engine play the same cards with the same strategy and get equal results."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests import IS_SOAK
from tests.equivalence.wild import WildPlayer
from tests.property.strategies import few_cards, fitting_wagers, rule_sets_with_rows
from ventiuna.core.rule_table import RuleTable
from ventiuna.engine import Refused
from ventiuna.kernels.simulate.layout import RESCUED
from ventiuna.proof.lockstep import find_differences
from ventiuna.rules import compile_rules, load_rules
from ventiuna.simulation import tables
from ventiuna.simulation.plan import Plan, ShoeUse
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import make_spec
from ventiuna.strategy.counting import built_in_counts, read_count
from ventiuna.strategy.protocol import Insurance, PlanError, Strategy

ROUNDS = 40_000 if IS_SOAK else 1_000
SOME_ROUNDS = 4_000 if IS_SOAK else 250

TWO_JACKPOTS = "3c:1:wager=5:seed=1000+4d:2:contribution=33.33%"
EVERYTHING = f"wsgc-2021(mtd_configuration=4,bonus_cards=5,jackpots={TWO_JACKPOTS})"
ALL_MATCHES = dict.fromkeys(("up", "down", "b1", "b2", "b3", "b4", "b5"), 500)


def assert_lockstep(
    rules: str, rounds: int, strategy: str | Strategy = "chart", **settings: Any
) -> None:
    plan = Plan(load_rules(rules), **settings)
    player = (
        find_strategy(strategy, plan.rules, plan.base_wager)
        if isinstance(strategy, str)
        else strategy
    )
    found = find_differences(make_spec(plan, player), player, rounds)
    assert not found, f"{len(found)} rounds differ; the first is {found[0]}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        "wsgc-spanish-21",
        "casino-card",
        "catfish-bend",
        "wsgc-2021",
        "wsgc-v002",
        "super-fun-21",
    ],
)
def test_every_preset(rules: str) -> None:
    assert_lockstep(rules, ROUNDS)


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        *(
            (
                EVERYTHING.replace(")", f",{sequence})"),
                {"spots": 3, "match": ALL_MATCHES, "jackpots": (1, 2)},
            )
            for sequence in (
                "deal_order=down_card_first,bonus_order=wager_by_wager",
                "deal_order=dealer_last,spots_settled=from_right",
            )
        ),
        (EVERYTHING, {"spots": 3, "match": ALL_MATCHES, "jackpots": (1, 2)}),
        ("casino-card", {"spots": 7, "jackpots": (1,), "match": {"down": 500}}),
        ("catfish-bend", {"spots": 2, "base": 7500}),  # both double-doubles are capped
        ("wsgc-spanish-21(decks=2,burn_cards=3,cut_card=100)", {"spots": 7}),
        ("super-fun-21(cut_card=100)", {"spots": 7}),  # the shoe runs out during rounds
        ("blackjack(split_aces=like_others,surrender=late)", {"shoe": ShoeUse.FRESH}),
    ]
    + [
        ("wsgc-spanish-21(decks=2)", {"spots": 4, "base": 2500}),
        ("wsgc-2021(decks=8,soft_17=stand)", {"shoe": ShoeUse.FRESH}),
        ("super-fun-21(decks=2)", {"spots": 5}),
        ("blackjack", {}),
        ("blackjack(blackjack_pays=6 to 5)", {"spots": 2}),
        ("blackjack(split_aces=like_others,surrender=late)", {}),
    ]
    * IS_SOAK,
)
def test_options(rules: str, settings: dict[str, Any]) -> None:
    assert_lockstep(rules, SOME_ROUNDS, **settings)


@pytest.mark.parametrize(
    ("rules", "strategy"),
    [("wsgc-spanish-21", "habits"), ("super-fun-21", "mimic")]
    + [("wsgc-spanish-21", "mimic"), ("super-fun-21", "habits")] * IS_SOAK
    + [("wsgc-spanish-21", "spanish-21-h17"), ("super-fun-21", "spanish-21-h17")] * IS_SOAK,
)
def test_strategies(rules: str, strategy: str) -> None:
    assert_lockstep(rules, SOME_ROUNDS, strategy, spots=2)


@pytest.mark.parametrize("rules", ["catfish-bend", "super-fun-21", "casino-card"])
def test_errors_are_legal_actions_too(rules: str) -> None:
    assert_lockstep(rules, SOME_ROUNDS, spots=2, errors=Fraction(1, 3))


def test_bets_plays_and_insurance_by_the_true_count() -> None:
    count = built_in_counts()["level-one"]
    assert_lockstep("wsgc-spanish-21(burn_cards=1)", SOME_ROUNDS, spots=2, count=count)


def test_totals_pairs_and_insurance_by_a_count_around_zero() -> None:
    plays = [
        {"hand": hand, "up": up, "at": 0, "play": play}
        for up in ("6", "10", "A")
        for hand, play in (("hard 16", "S"), ("pair 8", "S"), ("hard 16", "R"), ("hard 12", "D"))
    ]
    data = {"tags": {"5": 1, "10": -1}, "insurance_at": 0, "plays": plays}
    for strategy in ("chart", "habits"):
        count = read_count("zero", data)
        assert_lockstep("wsgc-spanish-21", SOME_ROUNDS, strategy, spots=3, count=count)


def test_bets_and_plays_by_a_running_count() -> None:
    count = read_count(
        "running",
        {
            "count": "running",
            "start": -1.5,
            "tags": {"4": 1, "5": 1.5, "6": 1, "10": -1, "A": -0.5},
            "insurance_at": 2,
            "bets": [{"at": -3, "wagers": 3}, {"at": 0, "wagers": 7}],
            "plays": [
                {"hand": "hard 15", "up": "10", "at": -2, "play": "R"},
                {"hand": "pair 8", "up": "10", "at": 1, "play": "S"},
                {"hand": "soft 18", "up": "6", "at": 0, "play": "D"},
            ],
        },
    )
    assert_lockstep("super-fun-21", SOME_ROUNDS, spots=2, count=count)
    assert_lockstep("super-fun-21(cut_card=100)", SOME_ROUNDS, spots=7, count=count)


@pytest.mark.parametrize("insurance", list(Insurance)[:3])
def test_insurance_habits(insurance: Insurance) -> None:
    more = ("super-fun-21", "blackjack", "blackjack(insurance=off)")
    for rules in ("wsgc-spanish-21", *(more if IS_SOAK else ())):
        assert_lockstep(rules, SOME_ROUNDS // 4, WildPlayer(3, insurance), spots=2)


@settings(
    deadline=None,
    derandomize=True,
    max_examples=60 if IS_SOAK else 5,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a round in notation needs no shrinking
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(data=st.data())
def test_random_rules_wagers_players_and_shoes(data: st.DataObject) -> None:
    rules = data.draw(rule_sets_with_rows())
    wagers = data.draw(fitting_wagers(rules, 1))
    player = WildPlayer(data.draw(st.integers(0, 10**6)), data.draw(st.sampled_from(Insurance)))
    if player.insurance == Insurance.COUNT:
        player.insurance = Insurance.NEVER
    plan = Plan(
        rules,
        spots=data.draw(st.integers(1, min(3, rules.seats))),
        base=wagers.base,
        match=dict(wagers.mtd),
        jackpots=tuple(wagers.jackpots),
        errors=data.draw(st.sampled_from([Fraction(0), Fraction(1, 4)])),
        shoe=data.draw(st.sampled_from(ShoeUse)),
        seed=data.draw(st.integers(0, 10**6)),
    )
    try:
        spec = make_spec(plan, player)
    except (PlanError, Refused):
        return  # wagers that no table accepts, or amounts without a common unit
    kinds = data.draw(st.one_of(st.none(), few_cards(rules)))
    shoe = None
    if kinds is not None:
        # All copies of a few kinds of cards, plus one full deck to finish the round.
        cards = list(dict.fromkeys(kinds)) * (rules.decks - 1) + list(rules.pack.cards)
        shoe = np.array(cards, dtype=np.uint8)
    found = find_differences(spec, player, 150, shoe=shoe)
    assert not found, f"{len(found)} rounds differ; the first is {found[0]}"


def test_a_wrong_payout_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: it detects a kernel that overpays rescues by one grain."""
    right = tables._terminal_cents

    def wrong(rules: RuleTable, size: tables.WagerSize, mode: int) -> dict[int, int]:
        pays = right(rules, size, mode)
        if RESCUED in pays:
            pays[RESCUED] += size.base // 2
        return pays

    monkeypatch.setattr(tables, "_terminal_cents", wrong)
    plan = Plan(load_rules("wsgc-spanish-21"), seed=987)
    player = find_strategy("chart", plan.rules, plan.base_wager)
    found = find_differences(make_spec(plan, player), player, 2000)
    assert found
    assert "rescue" in found[0].notation
    assert "kernel -2.50, engine -5.00" in found[0].reason
    assert compile_rules(plan.rules).rescue == 1
