"""The results of the dealer's school, as documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ventiuna.money import money_text
from ventiuna.reports.document import Document, Facts, Grid, Items, Part, Text, imprint
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.school.catch_errors import CatchOutcome, CatchResult, CatchVerdict
from ventiuna.school.lessons import PASS_PERCENT, LessonResult, Mistake
from ventiuna.school.payouts import PayoutResult
from ventiuna.school.training import LEVELS, Level
from ventiuna.texts import pluralize


def result_document(result: LessonResult, name: str, day: date) -> Document:
    lesson = result.lesson
    what = "exam" if lesson.exam else "lesson"
    rules = canonical(lesson.rules)
    options = " --exam" if lesson.exam else ""
    options += " --supervisor required" if lesson.supervised else ""
    repeat = f"ventiuna school {lesson.level.id} --rules '{rules}' --seed {lesson.seed}{options}"
    mistakes = tuple(map(_line, result.mistakes))
    return Document(
        kind=f"Dealer's school, {what}",
        title=lesson.level.title,
        lead=(f"{name}, {day.isoformat()}" if name else day.isoformat(),),
        parts=(
            Part("Result", (Text(_verdict(result), strong=True), _facts(result))),
            Part("By kind of step", (_kinds(result),)),
            Part("Mistakes", (Items(mistakes) if mistakes else Text("None."),)),
        ),
        footer=(
            "For the learner's own records: anyone who knows the seed can practice these rounds.",
            f"To repeat: {repeat}",
        ),
    )


def catch_document(result: CatchResult, name: str, day: date) -> Document:
    """The result of an exercise in catching a dealer's errors."""
    lesson = result.lesson
    rules = canonical(lesson.rules)
    options = " --supervisor required" if lesson.supervised else ""
    repeat = (
        f"ventiuna school {lesson.level.id} --catch --rules '{rules}' --seed {lesson.seed} "
        f"--rounds {max(1, result.rounds)}{options}"
    )
    kinds = Grid(
        "Errors",
        ("Error", "made", "caught", "named", "corrected", "seconds each"),
        tuple(
            (
                line.title,
                str(line.errors),
                str(line.caught),
                str(line.named),
                str(line.corrected),
                f"{line.milliseconds / 1000 / line.errors:.1f}",
            )
            for line in result.kinds()
        ),
    )
    facts = Facts(
        (
            ("Errors caught", f"{result.caught} of {len(result.errors)}"),
            ("False alarms", str(len(result.false_alarms))),
            ("Score", f"{result.score} of 100"),
            ("Rounds", str(result.rounds)),
            ("Steps watched", str(result.steps)),
            ("Rules", rules),
            ("Fingerprint", fingerprint(lesson.rules)),
            ("Seed", str(lesson.seed)),
        )
    )
    stopped = [*(one.verdict for one in result.errors), *result.false_alarms]
    lines = tuple(_stop_line(verdict) for verdict in stopped)
    return Document(
        kind="Dealer's school, catch the error",
        title=lesson.level.title,
        lead=(f"{name}, {day.isoformat()}" if name else day.isoformat(),),
        parts=(
            Part("Result", (Text(f"{result.score} of 100 points.", strong=True), facts)),
            Part("By kind of error", (kinds,)),
            Part("Errors and false alarms", (Items(lines) if lines else Text("None."),)),
        ),
        footer=(
            "For the learner's own records: anyone who knows the seed can practice these rounds.",
            f"To repeat: {repeat}",
        ),
    )


def payouts_document(result: PayoutResult, name: str, day: date) -> Document:
    """The result of a payout drill."""
    lesson = result.lesson
    rules = canonical(lesson.rules)
    answers = Grid(
        "Answers",
        ("Question", "answer", "right", "seconds"),
        tuple(
            (
                answer.question,
                money_text(answer.given),
                "yes" if answer.right else money_text(answer.amount),
                f"{answer.milliseconds / 1000:.1f}",
            )
            for answer in result.answers
        ),
    )
    facts = Facts(
        (
            ("Right", f"{result.right} of {len(result.answers)}"),
            ("Score", f"{result.score} of 100"),
            ("Rules", rules),
            ("Fingerprint", fingerprint(lesson.rules)),
            ("Seed", str(lesson.seed)),
        )
    )
    repeat = f"ventiuna school {lesson.level.id} --payouts --rules '{rules}' --seed {lesson.seed}"
    return Document(
        kind="Dealer's school, payouts",
        title=lesson.level.title,
        lead=(f"{name}, {day.isoformat()}" if name else day.isoformat(),),
        parts=(Part("Result", (facts,)), Part("Answers", (answers,))),
        footer=(
            "For the learner's own records: anyone who knows the seed can practice these rounds.",
            f"To repeat: {repeat}",
        ),
    )


@dataclass(frozen=True, slots=True)
class ExamPassed:
    """An exam that a trainee has passed."""

    level: Level
    rules: Rules
    day: date
    steps: int
    right: int
    milliseconds: int


def school_certificate(name: str, day: date, exams: Sequence[ExamPassed]) -> Document:
    """The exams that a trainee has passed, for study."""
    passed = Grid(
        "Exams passed",
        ("Level", "Date", "steps", "right", "accuracy", "seconds each"),
        tuple(
            (
                one.level.title,
                one.day.isoformat(),
                str(one.steps),
                str(one.right),
                f"{100 * one.right / one.steps:.1f}%",
                f"{one.milliseconds / 1000 / one.steps:.1f}",
            )
            for one in exams
        ),
        words=2,
    )
    rules = Facts(tuple((one.level.title, _identity(one.rules)) for one in exams))
    levels = pluralize(len(exams), "level")
    return Document(
        kind="Dealer's school, certificate of study",
        title=name,
        lead=(f"{day.isoformat()}: {levels} of {len(LEVELS)} passed.",),
        parts=(
            Part(
                "Passed",
                (
                    Text(f"{name} passed the exams of {levels} in the dealer's school.", True),
                    Text(
                        "An exam has a fixed number of rounds and one try for each step, and shows "
                        f"no answers. It is passed with {PASS_PERCENT}% of the steps right. The "
                        "server chose the rounds and graded every step when it was done."
                    ),
                    passed,
                ),
            ),
            Part("Rules", (rules,)),
        ),
        footer=(
            "For study: this shows practice with play money and isn't a license to deal.",
            "Nobody checked who was at the keyboard.",
            *imprint("the dealer's school"),
        ),
    )


def _identity(rules: Rules) -> str:
    return f"{canonical(rules)}, fingerprint {fingerprint(rules)}"


def _stop_line(verdict: CatchVerdict) -> str:
    outcome = {
        CatchOutcome.CAUGHT: "Caught",
        CatchOutcome.MISSED: "Missed",
        CatchOutcome.FALSE_ALARM: "False alarm",
    }[verdict.outcome]
    numbers = f" ({', '.join(verdict.rules)})" if verdict.rules else ""
    right = f"Right: {verdict.answer}" if verdict.answer else ""
    parts = (verdict.shown, right, verdict.amount, f"{verdict.rule}{numbers}")
    return " ".join([f"{outcome}:", *(part for part in parts if part)])


def _verdict(result: LessonResult) -> str:
    if result.passed is None:
        return "Not finished." if result.lesson.exam else f"{result.score} of 100 points."
    return "Passed." if result.passed else f"Not passed: {PASS_PERCENT}% is required."


def _facts(result: LessonResult) -> Facts:
    lesson = result.lesson
    seconds = result.milliseconds / 1000
    return Facts(
        (
            ("Steps right on the first try", f"{result.right} of {result.steps}"),
            ("Accuracy", f"{result.accuracy:.1f}%"),
            ("Score", f"{result.score} of 100"),
            ("Rounds", str(result.rounds)),
            ("Time", f"{seconds:.0f} s, {seconds / max(1, result.steps):.1f} s per step"),
            ("Rules", canonical(lesson.rules)),
            ("Fingerprint", fingerprint(lesson.rules)),
            ("Seed", str(lesson.seed)),
        )
    )


def _kinds(result: LessonResult) -> Grid:
    rows = tuple(
        (
            line.title,
            str(line.steps),
            str(line.right),
            f"{line.milliseconds / 1000 / line.steps:.1f}",
        )
        for line in result.lines
    )
    return Grid("Steps", ("Kind", "steps", "right", "seconds each"), rows)


def _line(mistake: Mistake) -> str:
    numbers = f" ({', '.join(mistake.rules)})" if mistake.rules else ""
    instead = f"Done: {mistake.instead}." if mistake.instead else ""
    parts = (mistake.amount, instead, mistake.order, f"{mistake.rule}{numbers}")
    return " ".join([f"Round {mistake.round}: {mistake.step}", *(part for part in parts if part)])
