"""Which actions are refused and for which reason, tested at the limits."""

from typing import Any

import pytest

from tests.core.hands import hand, table
from ventiuna.core import actions
from ventiuna.core import refusals as why
from ventiuna.core.rule_table import (
    DOUBLE_21_ANY,
    DOUBLE_21_NEVER,
    DOUBLE_21_SOFT,
    SPLIT_OFF,
    SPLIT_SAME_RANK,
    SURRENDER_ANY_TIME,
    SURRENDER_LATE,
    SURRENDER_OFF,
)

SPANISH = table("wsgc-2021")._replace(
    double_on_21=DOUBLE_21_SOFT, surrender=SURRENDER_LATE, doublings_at_most=3
)
FUN = table("super-fun-21")
ONE_CARD = SPANISH._replace(split_aces_one_card=1)


@pytest.mark.parametrize("action", range(actions.ACTIONS))
def test_r013_a_bust_hand_has_no_actions(action: int) -> None:
    assert actions.refusal(SPANISH, action, hand("Ks Qc 2d"), 1) == why.HAND_BUST


@pytest.mark.parametrize("action", range(actions.ACTIONS))
def test_r111_a_hand_that_won_instantly_has_no_actions(action: int) -> None:
    six = hand("2c 2d 3h 3s 4c 4d")
    assert actions.refusal(FUN, action, six, 1) == why.HAND_WON_ALREADY
    assert not actions.has_a_choice(FUN, six, 1)


@pytest.mark.parametrize(
    ("text", "doublings", "split", "reason"),
    [
        ("Ks 6c", 0, False, why.LEGAL),
        ("As Kc", 0, False, why.NOT_WITH_BLACKJACK),
        ("5s 6c 2d", 1, False, why.NO_HIT_AFTER_DOUBLE),
        ("Ks 9c 2d", 0, False, why.HAND_IS_21),
        ("As 9c Ad", 0, False, why.HAND_IS_21),
        ("Ks Jc", 0, False, why.LEGAL),
        ("As 5c", 0, True, why.LEGAL),
    ],
)
def test_r039_r048_hits(text: str, doublings: int, split: bool, reason: int) -> None:
    assert actions.refusal(SPANISH, actions.HIT, hand(text, doublings, split), 1) == reason


def test_r043_a_split_ace_may_get_only_one_card() -> None:
    shape = hand("As 5c", split=True)
    for action in (actions.HIT, actions.DOUBLE):
        assert actions.refusal(ONE_CARD, action, shape, 2) == why.SPLIT_ACE_ONE_CARD
        assert actions.refusal(SPANISH, action, shape, 2) == why.LEGAL
        assert actions.refusal(ONE_CARD, action, hand("8s 5c", split=True), 2) == why.LEGAL


@pytest.mark.parametrize(
    ("changes", "text", "doublings", "split", "reason"),
    [
        ({}, "5s 6c", 0, False, why.LEGAL),
        ({}, "5s 6c 2d", 1, False, why.ALREADY_DOUBLED),
        ({"doublings_at_most": 1}, "5s 6c 2d", 1, False, why.SECOND_DOUBLING),
        ({"double_blackjack": 1}, "As Kc", 0, False, why.LEGAL),
        ({"double_blackjack": 0}, "As Kc", 0, False, why.NO_DOUBLE_OF_BLACKJACK),
        ({"double_after_split": 0}, "8s 3c", 0, True, why.NO_DOUBLE_AFTER_SPLIT),
        ({"double_after_split": 0}, "8s 3c", 0, False, why.LEGAL),
        ({"double_max_cards": 2}, "2s 3c 4d", 0, False, why.DOUBLE_TWO_CARDS_ONLY),
        ({"double_max_cards": 2}, "5s 4c", 0, False, why.LEGAL),
        ({"double_low": 9, "double_high": 11}, "5s 3c", 0, False, why.DOUBLE_TOTAL_NOT_ALLOWED),
        ({"double_low": 9, "double_high": 11}, "5s 4c", 0, False, why.LEGAL),
        ({"double_low": 9, "double_high": 11}, "5s 6c", 0, False, why.LEGAL),
        ({"double_low": 9, "double_high": 11}, "5s 7c", 0, False, why.DOUBLE_TOTAL_NOT_ALLOWED),
        ({"double_on_21": DOUBLE_21_SOFT}, "As 8c 2d", 0, False, why.LEGAL),
        ({"double_on_21": DOUBLE_21_SOFT}, "Ks 9c 2d", 0, False, why.NO_DOUBLE_OF_HARD_21),
        ({"double_on_21": DOUBLE_21_NEVER}, "As 8c 2d", 0, False, why.NO_DOUBLE_OF_21),
        ({"double_on_21": DOUBLE_21_ANY}, "Ks 9c 2d", 0, False, why.LEGAL),
    ],
)
def test_r032_r041_r047_doubles(
    changes: dict[str, Any], text: str, doublings: int, split: bool, reason: int
) -> None:
    rules = SPANISH._replace(**changes)
    assert actions.refusal(rules, actions.DOUBLE, hand(text, doublings, split), 1) == reason


@pytest.mark.parametrize(
    ("most", "text", "doublings", "reason"),
    [
        (3, "5s 6c 2d", 1, why.LEGAL),
        (3, "5s 4c 2d 3h", 2, why.LEGAL),
        (3, "2s 3c 2d 3h 4c", 3, why.NO_FOURTH_DOUBLING),
        (3, "5s 6c", 0, why.DOUBLE_DOUBLE_NEEDS_DOUBLE),
        (1, "5s 6c", 0, why.DOUBLE_DOUBLE_NOT_OFFERED),
        (1, "5s 6c 2d", 1, why.SECOND_DOUBLING),
        (3, "Ks 9c 2d", 1, why.NO_DOUBLE_OF_HARD_21),
        (3, "As 8c 2d", 1, why.LEGAL),
    ],
)
def test_r052_r053_r056_double_doubles(most: int, text: str, doublings: int, reason: int) -> None:
    rules = SPANISH._replace(doublings_at_most=most)
    assert actions.refusal(rules, actions.DOUBLE_DOUBLE, hand(text, doublings), 1) == reason


@pytest.mark.parametrize(
    ("changes", "text", "split", "hands", "reason"),
    [
        ({}, "8s 8c", False, 1, why.LEGAL),
        ({}, "8s 8c", True, 3, why.LEGAL),
        ({}, "8s 8c", True, 4, why.SPLIT_HANDS_USED),
        ({}, "Ks Jc", False, 1, why.LEGAL),
        ({"split": SPLIT_SAME_RANK}, "Ks Jc", False, 1, why.SPLIT_SAME_RANK_ONLY),
        ({"split": SPLIT_SAME_RANK}, "Ks Kc", False, 1, why.LEGAL),
        ({}, "8s 9c", False, 1, why.SPLIT_EQUAL_VALUE_ONLY),
        ({}, "4s 4c 8d", False, 1, why.SPLIT_TWO_CARDS),
        ({"split": SPLIT_OFF}, "8s 8c", False, 1, why.SPLIT_NOT_OFFERED),
        ({"resplit_aces": 0}, "As Ac", True, 2, why.NO_RESPLIT_OF_ACES),
        ({"resplit_aces": 0}, "As Ac", False, 1, why.LEGAL),
        ({"resplit_aces": 1}, "As Ac", True, 2, why.LEGAL),
        ({"resplit_aces": 0}, "8s 8c", True, 2, why.LEGAL),
    ],
)
def test_r042_r043_splits(
    changes: dict[str, Any], text: str, split: bool, hands: int, reason: int
) -> None:
    rules = SPANISH._replace(split_hands=4, **changes)
    assert actions.refusal(rules, actions.SPLIT, hand(text, split=split), hands) == reason


def test_r048_a_doubled_hand_cannot_be_split() -> None:
    doubled = hand("8s 8c", 1)
    assert actions.refusal(SPANISH, actions.SPLIT, doubled, 1) == why.NO_SPLIT_AFTER_DOUBLE


@pytest.mark.parametrize(
    ("surrender", "text", "doublings", "split", "reason"),
    [
        (SURRENDER_LATE, "Ks 6c", 0, False, why.LEGAL),
        (SURRENDER_LATE, "Ks 6c", 0, True, why.NO_SURRENDER_AFTER_SPLIT),
        (SURRENDER_LATE, "Ks 4c 2d", 0, False, why.SURRENDER_FIRST_TWO_CARDS),
        (SURRENDER_LATE, "Ks 6c", 1, False, why.SURRENDER_FIRST_TWO_CARDS),
        (SURRENDER_LATE, "As Kc", 0, False, why.NOT_WITH_BLACKJACK),
        (SURRENDER_OFF, "Ks 6c", 0, False, why.SURRENDER_NOT_OFFERED),
        (SURRENDER_ANY_TIME, "Ks 4c 2d", 1, True, why.LEGAL),
        (SURRENDER_ANY_TIME, "Ks 9c 2d", 0, False, why.NO_SURRENDER_WITH_21),
        (SURRENDER_ANY_TIME, "Ks 8c 2d", 0, False, why.LEGAL),
    ],
)
def test_r036_r038_r109_surrender(
    surrender: int, text: str, doublings: int, split: bool, reason: int
) -> None:
    rules = SPANISH._replace(surrender=surrender)
    assert actions.refusal(rules, actions.SURRENDER, hand(text, doublings, split), 1) == reason


@pytest.mark.parametrize(
    ("rescue", "text", "doublings", "reason"),
    [
        (1, "5s 6c 2d", 1, why.LEGAL),
        (0, "5s 6c 2d", 1, why.RESCUE_NOT_OFFERED),
        (1, "5s 6c", 0, why.RESCUE_NEEDS_DOUBLE),
        (1, "5s 6c Kd", 1, why.NO_RESCUE_WITH_21),
        (1, "5s 6c 9d", 3, why.LEGAL),
    ],
)
def test_r057_r060_rescue(rescue: int, text: str, doublings: int, reason: int) -> None:
    rules = SPANISH._replace(rescue=rescue)
    assert actions.refusal(rules, actions.RESCUE, hand(text, doublings), 1) == reason


@pytest.mark.parametrize(
    ("changes", "text", "doublings", "split", "hands", "found"),
    [
        ({}, "Ks 6c", 0, False, 1, True),
        ({}, "Ks Qc 2d", 0, False, 1, False),
        ({}, "Ks 9c 2d", 0, False, 1, False),  # a hard 21
        ({}, "As 8c 2d", 0, False, 1, True),  # a soft 21 may be doubled
        ({"rescue": 0, "doublings_at_most": 1}, "5s 6c 2d", 1, False, 1, False),
        ({"rescue": 1, "doublings_at_most": 1}, "5s 6c 2d", 1, False, 1, True),
        ({"rescue": 0, "doublings_at_most": 3}, "5s 6c 2d", 1, False, 1, True),
        ({"split_aces_one_card": 1, "resplit_aces": 0}, "As 5c", 0, True, 2, False),
        ({"split_aces_one_card": 1, "resplit_aces": 1}, "As Ac", 0, True, 2, True),
        ({"rescue": 0, "surrender": SURRENDER_ANY_TIME, "doublings_at_most": 1},
         "5s 6c 2d", 1, False, 1, True),
    ],
)  # fmt: skip
def test_a_hand_that_could_only_stand_ends_by_itself(
    changes: dict[str, Any], text: str, doublings: int, split: bool, hands: int, found: bool
) -> None:
    rules = SPANISH._replace(**changes)
    shape = hand(text, doublings, split)
    assert actions.has_a_choice(rules, shape, hands) is found
    others = [actions.refusal(rules, action, shape, hands) for action in range(1, actions.ACTIONS)]
    assert found is (why.LEGAL in others)


def test_standing_is_always_legal_for_a_hand_in_play() -> None:
    for text in ("Ks 6c", "As Kc", "Ks 9c 2d", "8s 8c"):
        assert actions.refusal(SPANISH, actions.STAND, hand(text), 1) == why.LEGAL


def test_every_action_has_its_name_and_number() -> None:
    assert actions.ACTION_NAMES[actions.STAND] == "stand"
    assert actions.ACTION_NAMES[actions.HIT] == "hit"
    assert actions.ACTION_NAMES[actions.DOUBLE] == "double"
    assert actions.ACTION_NAMES[actions.DOUBLE_DOUBLE] == "double-double"
    assert actions.ACTION_NAMES[actions.SPLIT] == "split"
    assert actions.ACTION_NAMES[actions.SURRENDER] == "surrender"
    assert actions.ACTION_NAMES[actions.RESCUE] == "rescue"
    assert len(actions.ACTION_NAMES) == actions.ACTIONS == 7
