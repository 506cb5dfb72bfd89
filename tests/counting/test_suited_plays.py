"""Index plays for two cards that may still win a bonus that depends on suits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ventiuna.cards import parse_card, parse_cards
from ventiuna.core.cards import EMPTY_HAND, Hand, add_card, split_hand
from ventiuna.kernels.simulate import layout as at
from ventiuna.proof.lockstep import find_differences
from ventiuna.rules import Rules, compile_rules, load_rules
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import SimulationSpec, compiled_tables, make_spec
from ventiuna.strategy.chart import Bonus, ChartPlayer, bonus_of, built_in_files, read_chart
from ventiuna.strategy.counting import Count, read_count
from ventiuna.strategy.protocol import PlanError, Strategy

RULES = load_rules("wsgc-2021")
UPS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
ROUNDS = 600


def a_count(*plays: dict[str, Any]) -> Count:
    return read_count("mine", {"tags": {"5": 1, "10": -1}, "plays": list(plays)})


def a_work(count: Count, rules: Rules = RULES) -> tuple[SimulationSpec, Strategy]:
    plan = Plan(rules, "chart", spots=3, count=count, seed=5, block=ROUNDS)
    strategy = find_strategy("chart", rules, plan.base_wager)
    return make_spec(plan, strategy), strategy


def hand_of(cards: str, split: bool = False) -> Hand:
    first, second = parse_cards(cards)
    return add_card(split_hand(first) if split else add_card(EMPTY_HAND, first), second)


@pytest.mark.parametrize(
    ("cards", "up", "bonus"),
    [
        ("6h 7h", "2c", Bonus.SUITED_678),
        ("8c 6c", "7c", Bonus.SUITED_678),
        ("7s 8s", "2c", Bonus.SPADES_678),
        ("6h 7s", "2c", Bonus.NONE),
        ("6h 6h", "2c", Bonus.NONE),
        ("9h 4h", "2c", Bonus.NONE),
        ("7d 7d", "7s", Bonus.SUPER),
        ("7d 7h", "7s", Bonus.NONE),
        ("7d 7d", "8s", Bonus.NONE),
    ],
)
def test_bonuses_two_cards_can_still_win(cards: str, up: str, bonus: Bonus) -> None:
    assert bonus_of(compile_rules(RULES), hand_of(cards), parse_card(up)) == bonus
    blackjack = compile_rules(load_rules("blackjack"))
    assert bonus_of(blackjack, hand_of(cards), parse_card(up)) == Bonus.NONE


def test_a_split_forfeits_only_the_super_bonus() -> None:
    table, up = compile_rules(RULES), parse_card("7c")
    assert bonus_of(table, hand_of("7d 7d", split=True), up) == Bonus.NONE
    assert bonus_of(table, hand_of("7d 8d", split=True), up) == Bonus.SUITED_678


def test_a_play_applies_only_to_hands_with_its_bonus() -> None:
    """Always double a 13 that the chart hits, for one bonus; play all other hands by the chart."""
    hands = {
        "": ("6h 7h", "6s 7s", "6h 7s", "9h 4h"),
        "none": ("6h 7s", "9h 4h"),
        "6-7-8 of one suit": ("6h 7h",),
        "6-7-8 of spades": ("6s 7s",),
    }
    for bonus, wanted in hands.items():
        play = {"hand": "hard 13", "up": "8", "at": -1000, "play": "D", "bonus": bonus}
        kit = compiled_tables(a_work(a_count(play))[0])
        codes = kit.index_plays.codes[at.AS_DEALT]
        found = {c for c in hands[""] if codes[kit.graph.node(parse_cards(c)), 8] >= at.INDEX_PLAY}
        assert found == set(wanted)
        more = int(codes[kit.graph.node(parse_cards("6h 5h 2h")), 8])
        assert (more >= at.INDEX_PLAY) == (bonus in ("", "none"))


def test_a_super_bonus_needs_its_up_card() -> None:
    plays = [
        {"hand": "pair 7", "up": up, "at": -1000, "play": "D", "bonus": "Super Bonus"}
        for up in ("7", "8")
    ]
    kit = compiled_tables(a_work(a_count(*plays))[0])
    codes = kit.index_plays.codes[at.AS_DEALT]
    suited, mixed = (kit.graph.node(parse_cards(cards)) for cards in ("7d 7d", "7d 7h"))
    found = {
        (node, up) for node in (suited, mixed) for up in (7, 8) if codes[node, up] >= at.INDEX_PLAY
    }
    assert found == {(suited, 7)}


@pytest.mark.parametrize("rules", ["wsgc-2021", "super-fun-21"])
def test_simulator_and_engine_agree_on_plays_by_bonus(rules: str) -> None:
    """Every bonus has its own play, each at a different count."""
    words = {"none": (0, "S"), "6-7-8 of one suit": (-1, "D"), "6-7-8 of spades": (1, "R")}
    plays = [
        {"hand": f"hard {total}", "up": up, "at": first, "play": play, "bonus": bonus}
        for bonus, (first, play) in words.items()
        for total in (13, 14, 15)
        for up in UPS
    ]
    sevens = {"hand": "pair 7", "up": "7", "at": 0, "play": "S", "bonus": "Super Bonus"}
    spec, strategy = a_work(a_count(*plays, sevens), load_rules(rules))
    assert find_differences(spec, strategy, ROUNDS) == []


def test_if_only_spades_pay_other_suits_win_nothing() -> None:
    """The rules then treat clubs like mixed suits, and so do chart marks and plays."""
    rows = tuple(row for row in RULES.bonus_21 if row.suits != "one suit")
    rules = replace(RULES, bonus_21=rows)
    table = compile_rules(rules)
    up = parse_card("2c")
    assert bonus_of(table, hand_of("6s 7s"), up) == Bonus.SPADES_678
    assert bonus_of(table, hand_of("6h 7h"), up) == Bonus.NONE
    data = dict(built_in_files("charts")["spanish-21-h17"])
    data["hard"] = {str(total): " ".join(["S'"] * 10) for total in range(4, 22)}
    plays = [
        {"hand": "hard 14", "up": up, "at": 0, "play": "D", "bonus": "6-7-8 of one suit"}
        for up in UPS
    ]
    strategy = ChartPlayer(read_chart("mine", data), table, 500)
    plan = Plan(rules, strategy, spots=3, count=a_count(*plays), seed=5)
    assert find_differences(make_spec(plan, strategy), strategy, ROUNDS) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"bonus": "7-7-7"}, "plays.bonus = 7-7-7: not a bonus that two cards can still win"),
        ({"bonus": 7}, "Use none, 6-7-8 of one suit, 6-7-8 of spades, Super Bonus, or leave it"),
        (
            {"bonus": "Super Bonus", "cards": "3+"},
            "only two cards that aren't doubled can still win it",
        ),
        ({"bonus": "6-7-8 of spades", "after": "double"}, "Remove bonus, or cards and after"),
    ],
)
def test_a_bonus_that_no_hand_can_win_is_refused(words: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlanError, match=sentence):
        a_count({"hand": "hard 14", "up": "9", "at": 1, "play": "S", **words})
