"""Tiny shoes: correct if no card can run out, refused if one can."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.analysis.base_game.comparing import assert_equal_to_reference, pack
from tests.analysis.base_game.small_shoes import compare, is_played, random_small_shoe
from ventiuna.analysis.base_game.analyzer import analyze, evaluate, hand_values
from ventiuna.analysis.base_game.outcomes import standard_deviation
from ventiuna.analysis.base_game.solver import strategy_of
from ventiuna.analysis.composition import EmptyShoe
from ventiuna.cards import CardError, parse_card, parse_cards
from ventiuna.rules import RulesError, load_rules
from ventiuna.testing.reference import reference_outcome

SPANISH = "wsgc-spanish-21"


def test_nothing_but_aces() -> None:
    """The hand draws to a 21 with eleven aces, which pays 3 to 1."""
    rules = load_rules(f"{SPANISH}(split=off)")
    aces = pack("Ac*6 Ad*6 Ah*6 As*6")
    assert analyze(rules, aces).ev == pytest.approx(3, abs=1e-12)
    with pytest.raises(EmptyShoe):  # four split hands may need every ace in the shoe
        analyze(load_rules(SPANISH), aces)
    assert analyze(load_rules(SPANISH), pack("Ac*60")).ev > 3


@pytest.mark.parametrize(
    ("cards", "up", "unseen", "hit"),
    [
        ("3h Ac", "8d", "Ac*3 Ad*3 Ah*3 As*3", 3.0),
        ("4c 4c", "Ac", "3c*9", 0.0),
        ("2c 2c", "8c", "Ac*14", 3.0),
    ],
)
def test_long_hands_of_low_cards(cards: str, up: str, unseen: str, hit: float) -> None:
    rules = load_rules(f"{SPANISH}(split=off)")
    found = hand_values(rules, parse_cards(cards), parse_card(up), pack(unseen))
    values = {action.action: action.ev for action in found.actions}
    assert values["hit"] == pytest.approx(hit, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_random_small_shoes(seed: int) -> None:
    """A sample; `make soak` tries more of these shoes."""
    generator = random.Random(seed)
    shoes = [shoe for _ in range(40) if is_played(shoe := random_small_shoe(generator, 7))]
    comparisons = [compare(shoe) for shoe in shoes]
    assert [found.difference for found in comparisons if found.difference] == []
    assert sum(found.values > 0 for found in comparisons) >= 5
    assert any(found.values == 0 for found in comparisons)


@pytest.mark.parametrize(
    ("rules", "cards", "is_refused"),
    [
        (SPANISH, "7c*12", True),
        (SPANISH, "7c*16", False),
        (SPANISH, "Kc*4 9c*6", False),
        (f"{SPANISH}(soft_17=stand,split=off)", "Ac*3 9c*7", False),
        (f"{SPANISH}(split=off)", "Ac*16", True),
        ("blackjack(split_hands=2)", "Ac*2 8c*8", False),
        ("super-fun-21", "Kd*3 Ad*2 9c*5", True),
        ("super-fun-21(split=off)", "4c*5 6c*3", False),
    ],
)
def test_whole_rounds_from_small_shoes(rules: str, cards: str, is_refused: bool) -> None:
    if not is_refused:
        assert_equal_to_reference(load_rules(rules), pack(cards))
        return
    with pytest.raises(EmptyShoe):
        analyze(load_rules(rules), pack(cards))
    with pytest.raises(EmptyShoe):
        reference_outcome(load_rules(rules), pack(cards))


def test_a_fixed_strategy_is_refused_only_for_its_own_lines() -> None:
    """If all actions are compared, a hand might take every ten; standing on 20 needs none."""
    rules = load_rules("blackjack(split=off)")
    few, more = pack("Tc*4"), pack("Tc*12")
    best = analyze(rules, more)
    strategy = strategy_of(best.solution)
    with pytest.raises(EmptyShoe):
        analyze(rules, few)
    assert evaluate(rules, strategy, "stands", few).ev == pytest.approx(0, abs=1e-12)


def test_a_refused_shoe_leaves_nothing_behind() -> None:
    rules = load_rules(SPANISH)
    small = pack("Kc*4 9c*6")
    before = analyze(rules, small).ev
    for cards in ("2h*2 2s*2 3c*2 Kh", "Ac*24", "4c*6"):
        with pytest.raises(EmptyShoe):
            analyze(rules, pack(cards))
    assert analyze(rules, small).ev == before


def test_a_certain_result_has_no_deviation() -> None:
    rules = load_rules(SPANISH)
    certain = analyze(rules, pack("7c*6 7d*6 7h*6 7s*6"))
    assert standard_deviation(rules, certain) == pytest.approx(0, abs=1e-6)


# --- convenience functions ------------------------------------------------------------------------


def test_rules_by_name_and_cards_as_text() -> None:
    rules = load_rules(SPANISH)
    assert analyze(SPANISH).ev == analyze(rules).ev
    found = hand_values(SPANISH, "5c 6d", "2h")
    assert found == hand_values(rules, parse_cards("5c 6d"), parse_card("2h"))


@pytest.mark.parametrize("wrong", [None, 7, [99], [True], [5.0, 6], "5c 6x"])
def test_an_invalid_hand_is_reported(wrong: Any) -> None:
    with pytest.raises(CardError, match="card"):
        hand_values(SPANISH, wrong, "2h")


@pytest.mark.parametrize("wrong", [None, 99, -1, True, 2.0, "2h 3h", "Kx"])
def test_an_invalid_up_card_is_reported(wrong: Any) -> None:
    with pytest.raises(CardError, match="card"):
        hand_values(SPANISH, "5c 6d", wrong)


@pytest.mark.parametrize("wrong", [None, 7, "no-such-rules", {"soft_17": "hit"}])
def test_invalid_rules_are_reported(wrong: Any) -> None:
    with pytest.raises(RulesError, match="rules"):
        analyze(wrong)
    with pytest.raises(RulesError, match="rules"):
        hand_values(wrong, "5c 6d", "2h")


@pytest.mark.parametrize("wrong", [7, "A:24", [1, 2], (1,) * 51, (True,) * 52])
def test_an_invalid_composition_is_reported(wrong: Any) -> None:
    with pytest.raises(CardError, match="composition"):
        analyze(SPANISH, wrong)
    with pytest.raises(CardError, match="composition"):
        hand_values(SPANISH, "5c 6d", "2h", wrong)


@pytest.mark.parametrize("wrong", ["AS_UNSPLIT", None, 3])
def test_an_invalid_split_play_is_reported(wrong: Any) -> None:
    with pytest.raises(RulesError, match="split_play"):
        analyze(SPANISH, split_play=wrong)
    with pytest.raises(RulesError, match="split_play"):
        hand_values(SPANISH, "5c 6d", "2h", split_play=wrong)


@pytest.mark.parametrize("wrong", ["5", 2.5, True, 0, -100])
def test_a_base_wager_is_whole_cents_above_zero(wrong: Any) -> None:
    with pytest.raises(RulesError, match="base"):
        analyze(SPANISH, base=wrong)
    with pytest.raises(RulesError, match="base"):
        hand_values(SPANISH, "5c 6d", "2h", base=wrong)
