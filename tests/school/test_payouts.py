"""The payout drill: every answer is the engine's, and the wager and odds suffice to find it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from ventiuna.money import money_text
from ventiuna.school.lessons import make_lesson
from ventiuna.school.payouts import (
    QUESTIONS,
    RESCUED,
    PayoutDrill,
    PayoutResult,
    describe_question,
    payout_questions,
    read_answer,
)
from ventiuna.school.steps import SchoolError, StepKind
from ventiuna.school.training import LEVELS, Level


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_questions_suit_the_level_and_vary(level: Level) -> None:
    lesson = make_lesson(level.id, None, 21)
    questions = payout_questions(lesson)
    assert len(questions) == QUESTIONS
    assert questions == payout_questions(lesson)
    assert questions != payout_questions(make_lesson(lesson.level.id, None, 22))
    assert all(one is not other for one, other in pairwise(questions))
    assert Counter(step.odds for step in questions)["even money"] <= QUESTIONS // 5
    for step in questions:
        assert step.amount > 0
        assert money_text(step.stake).removesuffix(".00") in describe_question(step)


def test_amounts_follow_from_wager_and_odds() -> None:
    """The plain odds `3 to 2`, worked out without the engine."""
    checked = 0
    for level in LEVELS:
        for step in payout_questions(make_lesson(level.id, None, 5)):
            words = step.odds.split(" to ")
            if step.kind is StepKind.PAY and len(words) == 2 and all(map(str.isdecimal, words)):
                assert step.amount * int(words[1]) == step.stake * int(words[0])
                checked += 1
            elif step.odds == "even money":
                assert step.amount == step.stake
            elif step.kind is StepKind.TAKE:
                taken = step.stake // 2  # a surrender
                if step.reason == RESCUED:
                    assert f", {money_text(step.back)} of it".replace(".00", "") in (
                        describe_question(step)
                    )
                    taken = step.stake - step.back
                assert step.amount == taken
    assert checked > 40


def test_answers_are_graded_and_the_score_counts_the_whole_drill() -> None:
    lesson = make_lesson("doubles", None, 3)
    questions = payout_questions(lesson)
    drill = PayoutDrill(lesson, [(step.amount, 1000) for step in questions[:10]])
    assert not drill.is_over
    assert PayoutResult(lesson, tuple(drill.answers)).score == 50
    wrong = drill.answer(questions[10].amount + 1, 1000)
    assert not wrong.right
    assert wrong.explanation
    for step in questions[11:]:
        drill.answer(step.amount, 1000)
    assert PayoutResult(lesson, tuple(drill.answers)).score == 95
    with pytest.raises(SchoolError, match="The drill is over"):
        drill.answer(1)
    slow = PayoutDrill(lesson, [(step.amount, 16_000) for step in questions])
    assert PayoutResult(lesson, tuple(slow.answers)).score == 90


def test_amounts_are_parsed() -> None:
    assert read_answer("22.50") == 2250
    with pytest.raises(SchoolError, match="isn't an amount"):
        read_answer("much")
