"""The first legal action of a preference: three implementations, one answer."""

import random

from ventiuna.analysis.base_game.analyzer import packed_preference
from ventiuna.cards import parse_cards
from ventiuna.core import actions
from ventiuna.core.actions import first_legal, first_legal_for, first_legal_of
from ventiuna.core.cards import EMPTY_HAND, add_card
from ventiuna.core.refusals import LEGAL
from ventiuna.rules import compile_rules, load_rules


def test_the_first_legal_action_is_taken() -> None:
    legal = 1 << actions.STAND | 1 << actions.HIT | 1 << actions.DOUBLE
    wanted = (actions.SPLIT, actions.DOUBLE, actions.HIT)
    assert first_legal_of(wanted, legal) == actions.DOUBLE
    assert first_legal(packed_preference(wanted), legal) == actions.DOUBLE


def test_without_a_legal_action_the_hand_stands() -> None:
    for legal in (0, 1 << actions.HIT):
        assert first_legal_of((actions.SPLIT,), legal) == actions.STAND
        assert first_legal(packed_preference((actions.SPLIT,)), legal) == actions.STAND
    assert first_legal_of((), 127) == actions.STAND
    assert first_legal(packed_preference(()), 127) == actions.STAND


def test_an_unwritten_row_terminates_too() -> None:
    """All-zero bits mean stand forever; a hand that has already won can't even stand."""
    assert first_legal(0, 0) == actions.STAND
    assert first_legal(0, 1 << actions.HIT) == actions.STAND


def test_a_preference_can_contain_every_action() -> None:
    for last in range(actions.ACTIONS):
        wanted = [action for action in range(actions.ACTIONS) if action != last]
        packed = packed_preference((*wanted, last))
        assert first_legal(packed, 1 << last) == last


def test_all_forms_agree() -> None:
    table = compile_rules(load_rules("wsgc-2021"))
    generator = random.Random(5)
    for text in ("8c 8d", "Ac 7d", "5c 6d", "Kc Qd", "9c 7d 5h", "Ac Ad"):
        hand = EMPTY_HAND
        for card in parse_cards(text):
            hand = add_card(hand, card)
        for hands in (1, 4):
            legal = sum(
                1 << action
                for action in range(actions.ACTIONS)
                if actions.refusal(table, action, hand, hands) == LEGAL
            )
            for _ in range(50):
                wanted = tuple(generator.sample(range(actions.ACTIONS), generator.randint(0, 7)))
                taken = first_legal_for(table, wanted, hand, hands)
                assert taken == first_legal_of(wanted, legal)
                assert taken == first_legal(packed_preference(wanted), legal)
