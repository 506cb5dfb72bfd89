"""The payout drill: what to pay or take, worked out from the wager and the odds.

The questions are settlements of training rounds, so the engine has computed every answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from typing_extensions import TypedDict

from ventiuna.engine.events import Wager, WagerKind
from ventiuna.engine.messages import odds_words, reason_words, wager_title
from ventiuna.money import MoneyError, parse_amount
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.rules.text.phrases import dollars
from ventiuna.school.lessons import Lesson
from ventiuna.school.procedure import guide_for
from ventiuna.school.step_text import explain_amount
from ventiuna.school.steps import DealerStep, SchoolError, StepKind
from ventiuna.school.training import Level, training_round
from ventiuna.texts import one_line

QUESTIONS = 20
SECONDS = 8  # seconds per question for the full time score
CORRECT_POINTS, TIME_POINTS = 80, 20
_ROUNDS = 24  # training rounds to take settlements from
_EASY_EVERY = 5  # at most one question in this many is even money
_EVEN = "even money"
RESCUED = "rescued"  # only the last double comes back


def payout_questions(lesson: Lesson) -> tuple[DealerStep, ...]:
    """Settlements for the drill, in an order set by the seed; no two in a row are the same."""
    found = _settlements(lesson.level, lesson.rules, lesson.seed % _ROUNDS, lesson.supervised)
    chance = random.Random(f"payouts:{lesson.level.id}:{lesson.seed}")
    hard = [step for step in found if step.odds != _EVEN]
    easy = [step for step in found if step.odds == _EVEN]
    questions: list[DealerStep] = []
    while len(questions) < QUESTIONS:
        is_easy = not hard or (easy and len(questions) % _EASY_EVERY == _EASY_EVERY - 1)
        choices = easy if is_easy else hard
        others = [step for step in choices if step not in questions[-len(choices) + 1 :]]
        questions.append(chance.choice(others or choices))
    return tuple(questions)


def _settlements(level: Level, rules: Rules, seed: int, supervised: bool) -> list[DealerStep]:
    """One settlement for each wager, pay and amount."""
    found: dict[tuple[object, ...], DealerStep] = {}
    for number in range(1, _ROUNDS + 1):
        for step in training_round(level, rules, seed, number, supervised).steps:
            if _is_arithmetic(step):
                assert step.wager is not None
                found.setdefault((step.wager.kind, step.reason, step.odds, step.stake), step)
    return list(found.values())


def _is_arithmetic(step: DealerStep) -> bool:
    """Whether the amount follows from a wager: not a fixed bonus or a meter's share."""
    is_settled = step.kind is StepKind.PAY or step.is_part
    return is_settled and step.stake > 0 and step.meter is None


def read_answer(text: str) -> int:
    """Parse an amount in dollars; raises `SchoolError`."""
    try:
        return parse_amount(text)
    except MoneyError as error:
        raise SchoolError(f"Amount: {one_line(str(error))}.") from None


def describe_question(step: DealerStep) -> str:
    """`Base wager $15: blackjack, 3 to 2.`"""
    assert step.wager is not None
    title = "Base wager" if step.wager is Wager.HAND else wager_title(step.wager)
    odds = odds_words(step.odds) if step.kind is StepKind.PAY else ""
    # A jackpot's odds already name the line of the pay table.
    names_line = step.wager.kind is WagerKind.JACKPOT
    result = reason_words(step.reason) if step.reason and not names_line else ""
    why = ", ".join(part for part in (result, odds) if part)
    last = f", {dollars(step.back)} of it from the last double" if step.reason == RESCUED else ""
    return f"{title} {dollars(step.stake)}{last}: {why}."


def explain_answer(step: DealerStep) -> str:
    """`$100 at 3 to 1 pays $300.`"""
    assert step.wager is not None
    if step.kind is not StepKind.PAY or step.wager.kind is WagerKind.JACKPOT:
        return explain_amount(step)
    return f"{dollars(step.stake)} at {odds_words(step.odds)} pays {dollars(step.amount)}."


@dataclass(frozen=True, slots=True)
class PayoutAnswer:
    """One answer; every question has one try."""

    question: str
    right: bool
    given: int  # cents
    amount: int  # the right amount in cents
    explanation: str
    rules: tuple[str, ...]
    rule: str
    milliseconds: int


class PayoutDrill:
    """A drill with the trainee's answers so far."""

    def __init__(self, lesson: Lesson, answers: Iterable[tuple[int, int]] = ()) -> None:
        self.lesson = lesson
        self.questions = payout_questions(lesson)
        self.answers: list[PayoutAnswer] = []
        for cents, milliseconds in answers:
            self.answer(cents, milliseconds)

    @property
    def is_over(self) -> bool:
        return len(self.answers) == len(self.questions)

    @property
    def question(self) -> DealerStep | None:
        return None if self.is_over else self.questions[len(self.answers)]

    def answer(self, cents: int, milliseconds: int = 0) -> PayoutAnswer:
        step = self.question
        if step is None:
            raise SchoolError("The drill is over. Begin a new one.")
        about = guide_for(self.lesson.rules, step)
        graded = PayoutAnswer(
            describe_question(step),
            cents == step.amount,
            cents,
            step.amount,
            explain_answer(step),
            about.rules,
            about.sentence,
            milliseconds,
        )
        self.answers.append(graded)
        return graded


# --- Results and data ---


@dataclass(frozen=True, slots=True)
class PayoutResult:
    lesson: Lesson
    answers: tuple[PayoutAnswer, ...]

    @property
    def right(self) -> int:
        return sum(1 for answer in self.answers if answer.right)

    @property
    def milliseconds(self) -> int:
        return sum(answer.milliseconds for answer in self.answers)

    @property
    def score(self) -> int:
        """Points out of 100 for the whole drill, one fifth of them for time."""
        share = self.right / QUESTIONS
        allowed = SECONDS * 1000 * len(self.answers)
        pace = min(1.0, allowed / self.milliseconds) if self.milliseconds else 1.0
        return round(CORRECT_POINTS * share + TIME_POINTS * share * pace)


class PayoutQuestionData(TypedDict):
    sentence: str
    verb: str  # pay or take
    stake: int
    odds: str


class PayoutDrillData(TypedDict):
    level: str
    title: str
    rules: str
    table: str
    questions: int
    done: int
    right: int
    seconds: int
    over: bool
    corrected: bool  # the last answer was wrong, and its question is still shown
    question: PayoutQuestionData | None
    last: PayoutAnswer | None


class PayoutResultData(TypedDict):
    level: str
    title: str
    rules: str
    table: str
    fingerprint: str
    seed: int
    name: str
    day: str
    questions: int
    answered: int
    right: int
    milliseconds: int
    score: int
    answers: list[PayoutAnswer]


def drill_data(drill: PayoutDrill, is_corrected: bool = False) -> PayoutDrillData:
    """The question to answer, or the last one while its correction is read."""
    lesson = drill.lesson
    step = drill.questions[len(drill.answers) - 1] if is_corrected else drill.question
    return {
        "level": lesson.level.id,
        "title": lesson.level.title,
        "rules": canonical(lesson.rules),
        "table": lesson.rules.title,
        "questions": QUESTIONS,
        "done": len(drill.answers),
        "right": sum(1 for answer in drill.answers if answer.right),
        "seconds": SECONDS,
        "over": drill.is_over,
        "corrected": is_corrected,
        "question": None if step is None else _question_data(step),
        "last": drill.answers[-1] if drill.answers else None,
    }


def _question_data(step: DealerStep) -> PayoutQuestionData:
    return {
        "sentence": describe_question(step),
        "verb": str(step.kind),
        "stake": step.stake,
        "odds": odds_words(step.odds) if step.kind is StepKind.PAY else "",
    }


def payout_result_data(
    result: PayoutResult, name: str = "", day: date | None = None
) -> PayoutResultData:
    lesson = result.lesson
    return {
        "level": lesson.level.id,
        "title": lesson.level.title,
        "rules": canonical(lesson.rules),
        "table": lesson.rules.title,
        "fingerprint": fingerprint(lesson.rules),
        "seed": lesson.seed,
        "name": name,
        "day": day.isoformat() if day else "",
        "questions": QUESTIONS,
        "answered": len(result.answers),
        "right": result.right,
        "milliseconds": result.milliseconds,
        "score": result.score,
        "answers": list(result.answers),
    }
