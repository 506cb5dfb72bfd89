"""Refusal reasons: the number, name and rules of each are stable."""

import pytest

from ventiuna.core import refusals
from ventiuna.core.refusals import LEGAL, REASONS

KNOWN = [
    (1, "not_with_blackjack", "R-029 R-032 R-106 R-114"),
    (2, "hand_bust", "R-013 R-059 R-109"),
    (3, "hand_is_21", "R-039 O-33"),
    (4, "no_hit_after_double", "R-048 R-107"),
    (5, "no_split_after_double", "R-048 R-107"),
    (6, "already_doubled", "R-053 R-054"),
    (7, "double_double_not_offered", "R-051 R-107"),
    (8, "double_double_needs_double", "R-052"),
    (9, "no_fourth_doubling", "R-053 R-056"),
    (10, "rescue_not_offered", "R-057"),
    (11, "rescue_needs_double", "R-057 R-060"),
    (12, "no_rescue_with_21", "R-039 O-08"),
    (13, "surrender_not_offered", "R-036 R-109"),
    (14, "surrender_first_two_cards", "R-036 R-038"),
    (15, "no_surrender_after_split", "R-036 O-10"),
    (16, "no_surrender_with_21", "R-109 D-27"),
    (17, "split_not_offered", "R-042 R-108"),
    (18, "split_two_cards", "R-042 R-108"),
    (19, "split_equal_value_only", "R-042 R-108"),
    (20, "split_same_rank_only", "R-042 D-11"),
    (21, "split_hands_used", "R-042 R-108"),
    (22, "no_resplit_of_aces", "R-043 R-108"),
    (23, "split_ace_one_card", "R-043 R-108"),
    (24, "double_two_cards_only", "R-047 R-105"),
    (25, "double_total_not_allowed", "R-047 R-105"),
    (26, "no_double_after_split", "R-047 R-105"),
    (27, "no_double_of_blackjack", "R-032 R-106 D-17"),
    (28, "no_double_of_21", "R-041 D-17"),
    (29, "no_double_of_hard_21", "R-039 R-041 O-06"),
    (30, "hand_won_already", "R-111 R-112 O-33"),
    (31, "second_doubling", "R-048 R-051 R-107"),
]


@pytest.mark.parametrize(("code", "name", "rules"), KNOWN, ids=[row[1] for row in KNOWN])
def test_a_reason_has_its_name_and_rules(code: int, name: str, rules: str) -> None:
    assert REASONS[code][:2] == (name, tuple(rules.split()))
    assert getattr(refusals, name.upper()) == code


def test_every_reason_is_known_and_has_a_sentence() -> None:
    assert sorted(REASONS) == [code for code, _, _ in KNOWN]
    assert LEGAL not in REASONS
    sentences = [sentence for _, _, sentence in REASONS.values()]
    assert all(sentence.endswith(".") for sentence in sentences)
    assert len(set(sentences)) == len(sentences)
