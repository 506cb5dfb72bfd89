"""Single decisions have the same values as in the whole analysis, for any shoe."""

from __future__ import annotations

from typing import Any

import pytest

from tests import IS_SOAK
from tests.analysis.base_game.comparing import TOLERANCE, pack, value_and_money
from ventiuna.analysis.base_game.analyzer import HandValues, analyze, explain_hand, hand_values
from ventiuna.analysis.composition import EmptyShoe, fresh_composition, without_cards
from ventiuna.cards import CardError, parse_card, parse_cards
from ventiuna.core.actions import ACTION_NAMES
from ventiuna.core.cards import doubled_hand
from ventiuna.rules import RulesError, load_rules
from ventiuna.testing.reference import ReferenceRound, shape_of

SPANISH = "wsgc-spanish-21"


def values(rules: str, cards: str, up: str, **more: Any) -> HandValues:
    return hand_values(load_rules(rules), parse_cards(cards), parse_card(up), **more)


@pytest.mark.parametrize(
    "name", [f"{SPANISH}(double_double=on)", "super-fun-21"] + [SPANISH] * IS_SOAK
)
@pytest.mark.parametrize(
    ("cards", "up"),
    [("5c 6d", "2h"), ("8c 8d", "As"), ("6s 7s", "8s"), ("7h 7h", "7s"), ("Ad Kd", "Kh")],
)
def test_first_decisions_match_the_whole_analysis(name: str, cards: str, up: str) -> None:
    if name == "super-fun-21":
        cards = cards.replace("7h 7h", "7h 7d")
    rules = load_rules(name)
    first, second = parse_cards(cards)
    analysis = analyze(rules)
    found = hand_values(rules, (first, second), parse_card(up))
    names = {name: action for action, name in enumerate(ACTION_NAMES)}
    assert found.actions
    for action in found.actions:
        known = value_and_money(
            analysis.solution, names[action.action], (first, second), parse_card(up)
        )
        assert action.ev == pytest.approx(known[0], abs=TOLERANCE)
    assert [a.ev for a in found.actions] == sorted((a.ev for a in found.actions), reverse=True)
    assert found.fingerprint == analysis.fingerprint


@pytest.mark.parametrize(
    ("name", "cards", "doublings"),
    [
        (f"{SPANISH}(double_double=on)", "2c 6c 3c", 1),
        (f"{SPANISH}(double_double=on)", "2c 6c 3c 3c", 2),
        (f"{SPANISH}(double_double=on)", "2c 3c 2c 3c 3c", 3),
        (f"{SPANISH}(double_double=on)", "2c 3c 2c 3c", 0),
        (SPANISH, "2c 6c 3c", 1),
        ("super-fun-21", "2c 6c 3c", 1),
        ("super-fun-21", "2c 2c 3c 3c 3c", 0),
    ],
)
def test_later_decisions_match_the_reference(name: str, cards: str, doublings: int) -> None:
    rules, hand, up = load_rules(name), parse_cards(cards), parse_card("Kc")
    shoe = pack("2c*4 3c*4 6c*2 Kc*12")
    reference = ReferenceRound(rules, without_cards(shoe, (up,)), up)
    shape = shape_of(hand)
    for _ in range(doublings):
        shape = doubled_hand(shape)
    unseen = without_cards(shoe, (*hand, up))
    expected = reference.outcomes_by_action(hand, shape, reference.without(reference.shoe, hand))
    found = hand_values(rules, hand, up, unseen, doublings=doublings)
    assert {action.action: action.ev for action in found.actions} == pytest.approx(
        {
            ACTION_NAMES[action]: float(outcome.profit / reference.base)
            for action, outcome in expected.items()
        },
        abs=TOLERANCE,
    )


def test_the_reason_names_hands_that_win_at_once() -> None:
    rules, hand, up = load_rules("super-fun-21"), parse_cards("2h 2c 3s 4h 2d"), parse_card("5d")
    unseen = without_cards(fresh_composition(rules), (*hand, up))
    reason = explain_hand(rules, hand_values(rules, hand, up, unseen), unseen)
    assert "47.8% of the next cards make 20 or less in six cards and win at once." in reason


def test_split_hands_have_only_their_legal_actions() -> None:
    split = values(SPANISH, "8c 8d", "6h", split=True, hands=2)
    assert {a.action for a in split.actions} == {"stand", "hit", "double", "split"}
    last = values(SPANISH, "8c 8d", "6h", split=True, hands=4)
    assert {a.action for a in last.actions} == {"stand", "hit", "double"}
    one_card = values("blackjack", "Ac 8d", "6h", split=True)
    assert [a.action for a in one_card.actions] == ["stand"]
    ten_on_ace = values(SPANISH, "Ac Kd", "6h", split=True)
    assert ten_on_ace.best.action == "stand"
    assert ten_on_ace.best.ev == 1  # a 21, not a blackjack (O-05)


def test_doubling_for_less() -> None:
    full = values(SPANISH, "5c 6d", "2h", base=1000, double_amount=1000)
    half = values(SPANISH, "5c 6d", "2h", base=1000, double_amount=500)
    assert full.best.ev == pytest.approx(values(SPANISH, "5c 6d", "2h").best.ev, abs=1e-15)
    assert half.best.action == "double"
    assert half.best.ev < full.best.ev
    with pytest.raises(RulesError, match="R-050"):
        values(f"{SPANISH}(double_double=on)", "5c 6d", "2h", base=1000, double_amount=500)


def test_capped_double_double() -> None:
    name = f"{SPANISH}(double_double=on,table_maximum=100)"
    free = values(name, "5c 3d 2h", "6h", doublings=1)
    capped = values(name, "5c 3d 2h", "6h", doublings=1, base=10000)
    ev = {found.actions: {a.action: a.ev for a in found.actions} for found in (free, capped)}
    assert ev[free.actions]["stand"] == ev[capped.actions]["stand"]
    assert ev[free.actions]["double-double"] > ev[capped.actions]["double-double"]


def test_suited_sevens_are_hit_for_the_super_bonus() -> None:
    assert values(SPANISH, "7s 7s", "7h").best.action == "split"
    assert values(SPANISH, "7s 7s", "7h", base=500, super_bonus=True).best.action == "hit"
    assert values(SPANISH, "7s 7h", "7h", base=500, super_bonus=True).best.action == "split"
    two = f"{SPANISH}(decks=2)"
    assert values(two, "7c 7h", "7s", base=500, super_bonus=True).best.action == "hit"
    assert values(two, "7c 7h", "7d", base=500, super_bonus=True).best.action == "split"


def test_unusual_shoes() -> None:
    rules = load_rules(SPANISH)
    hand, up = parse_cards("8c 8d"), parse_card("7h")
    only_kings = tuple(20 if card == parse_card("Kc") else 0 for card in range(52))
    found = hand_values(rules, hand, up, only_kings)
    # The dealer has 17, and every split eight becomes 18.
    assert {a.action: a.ev for a in found.actions} == pytest.approx(
        {"split": 2, "surrender": -0.5, "stand": -1, "hit": -1, "double": -2}
    )
    no_sevens = without_cards(fresh_composition(rules), [24, 25, 26, 27] * 6)
    assert hand_values(rules, parse_cards("6c 8d"), parse_card("2h"), no_sevens).best.ev < 0


def test_empty_shoes_are_refused_in_one_sentence() -> None:
    rules = load_rules(SPANISH)
    with pytest.raises(EmptyShoe, match="more cards"):
        hand_values(rules, parse_cards("2c 2d"), parse_card("3h"), pack("2h 2s 3c"))
    with pytest.raises(CardError, match="needs"):
        analyze(rules, pack("2h 2s 3c"))
    with pytest.raises(EmptyShoe, match="more cards"):
        analyze(rules, pack("2h*2 2s*2 3c*2 Kh"))


@pytest.mark.parametrize(
    ("cards", "up", "more", "rule"),
    [
        ("5c", "2h", {}, "R-026"),
        ("Kc Qc 5d", "2h", {}, "R-013"),
        ("5c 6d", "2h", {"doublings": 1}, "R-053"),
        ("5c 6d 2c 2d", "2h", {"doublings": 2}, "R-053"),
        ("5c 6d", "2h", {"super_bonus": True}, "R-069"),
    ],
)
def test_invalid_queries_cite_the_rule(
    cards: str, up: str, more: dict[str, Any], rule: str
) -> None:
    with pytest.raises(RulesError, match=rule):
        values(SPANISH, cards, up, **more)


def test_impossible_cards_are_refused() -> None:
    with pytest.raises(CardError, match="Tc"):
        values(SPANISH, "Tc 5d", "2h")
    with pytest.raises(CardError, match="blackjack"):
        hand_values(load_rules(SPANISH), parse_cards("5c 6d"), parse_card("Ah"), pack("Kc*5 Qc*5"))


@pytest.mark.parametrize(("split", "hands"), [(True, 3), (True, 1), (False, 2), (True, 0)])
def test_more_hands_than_the_table_allows_are_refused(split: bool, hands: int) -> None:
    rules = load_rules("wsgc-2021(split_hands=2)")
    with pytest.raises(
        RulesError, match=r"hands = \d: .*2 to 2 after a split at this table \(R-042\)"
    ):
        hand_values(rules, parse_cards("8c 8d"), parse_card("2h"), split=split, hands=hands)
