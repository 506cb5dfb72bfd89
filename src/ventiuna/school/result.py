"""What came of a lesson or an exam: accuracy by kind of step, time, score, every mistake."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from ventiuna.records import record
from ventiuna.rules import canonical, fingerprint
from ventiuna.school.guidance import guide
from ventiuna.school.judging import Fault
from ventiuna.school.lesson import Attempt, Lesson, Mark, RoundOfLesson
from ventiuna.school.steps import Kind
from ventiuna.school.words import amount_words, document_words, step_words, tried_words

PASS_PERCENT = 90
ACCURACY_POINTS, TIME_POINTS = 80, 20

_KIND_TITLES = {
    Kind.CLOSE: "Closing the wagers",
    Kind.CARD: "Dealing cards",
    Kind.PAY: "Paying wagers",
    Kind.TAKE: "Taking wagers",
    Kind.PUSH: "Pushes",
    Kind.LOCK: "Locking Bonus Cards up",
    Kind.SUPERVISOR: "Calling the floor person",
    Kind.BLACKJACKS: "Asking blackjacks",
    Kind.INSURANCE: "Offering insurance",
    Kind.REMOVE: "Taking cards away",
    Kind.CHECK: "Looking for blackjack",
    Kind.ADVISE: "Advice",
    Kind.ASK: "Asking hands in turn",
    Kind.EXPOSE: "Exposing the down card",
    Kind.COLLECT: "Collecting the cards",
}


def kind_title(lesson: Lesson, kind: Kind) -> str:
    return document_words(lesson.rules, _KIND_TITLES[kind])


@record(frozen=True, slots=True)
class KindLine:
    """How the steps of one kind went."""

    kind: Kind
    steps: int
    right: int  # at the first try
    milliseconds: int


@record(frozen=True, slots=True)
class Mistake:
    """A step that was not done right at the first try."""

    round: int
    step: str
    fault: Fault
    misses: int
    rules: tuple[str, ...]
    rule: str
    amount: str
    instead: str  # what was done
    order: str  # why that came too early, if it did


@record(frozen=True, slots=True)
class Result:
    lesson: Lesson
    rounds: int  # that are over
    is_complete: bool  # all rounds of an exam are over
    lines: tuple[KindLine, ...]
    mistakes: tuple[Mistake, ...]

    @property
    def steps(self) -> int:
        return sum(line.steps for line in self.lines)

    @property
    def right(self) -> int:
        return sum(line.right for line in self.lines)

    @property
    def milliseconds(self) -> int:
        return sum(line.milliseconds for line in self.lines)

    @property
    def accuracy(self) -> float:
        """Per cent of the steps that were right at the first try."""
        return 100 * self.right / self.steps if self.steps else 0.0

    @property
    def score(self) -> int:
        """Of 100: four fifths for accuracy, one fifth for time, full where no step took longer
        on average than the level allows."""
        if not self.steps:
            return 0
        allowed = self.lesson.level.seconds * 1000 * self.steps
        pace = min(1.0, allowed / self.milliseconds) if self.milliseconds else 1.0
        share = self.right / self.steps
        return round(ACCURACY_POINTS * share + TIME_POINTS * share * pace)

    @property
    def passed(self) -> bool | None:
        """None where it is no exam, or not over."""
        if not self.lesson.exam or not self.is_complete:
            return None
        return self.right * 100 >= PASS_PERCENT * self.steps


def result_of(lesson: Lesson, rounds: Sequence[Iterable[Attempt]]) -> Result:
    """From all that the learner did, round by round."""
    played = [
        RoundOfLesson(lesson, number, attempts) for number, attempts in enumerate(rounds, start=1)
    ]
    over = sum(1 for one in played if one.due is None)
    marks = [(number, mark) for number, one in enumerate(played, start=1) for mark in one.marks]
    return Result(
        lesson,
        over,
        lesson.exam and over == lesson.level.exam_rounds,
        tuple(_lines(mark for _, mark in marks)),
        tuple(_mistake(lesson, number, mark) for number, mark in marks if not mark.right),
    )


def _lines(marks: Iterable[Mark]) -> Iterable[KindLine]:
    by_kind: dict[Kind, list[Mark]] = {}
    for mark in marks:
        by_kind.setdefault(mark.step.kind, []).append(mark)
    for kind in Kind:
        if of_kind := by_kind.get(kind):
            right = sum(1 for mark in of_kind if mark.right)
            spent = sum(mark.milliseconds for mark in of_kind)
            yield KindLine(kind, len(of_kind), right, spent)


def _mistake(lesson: Lesson, number: int, mark: Mark) -> Mistake:
    about = guide(lesson.rules, mark.step)
    missed = mark.missed
    reason = missed.reason if missed else None
    rules = dict.fromkeys([*(reason.numbers if reason else ()), *about.rules])
    return Mistake(
        number,
        step_words(lesson.rules, mark.step),
        mark.fault or Fault.KIND,
        mark.misses,
        tuple(rules),
        about.sentence,
        amount_words(mark.step),
        tried_words(lesson.rules, missed.tried) if missed and missed.tried else "",
        reason.sentence if reason else "",
    )


def result_data(result: Result, name: str = "", day: date | None = None) -> dict[str, object]:
    """For JSON, and for the page that is printed."""
    lesson = result.lesson
    return {
        "level": lesson.level.id,
        "title": lesson.level.title,
        "rules": canonical(lesson.rules),
        "fingerprint": fingerprint(lesson.rules),
        "seed": lesson.seed,
        "exam": lesson.exam,
        "name": name,
        "day": day.isoformat() if day else "",
        "rounds": result.rounds,
        "rounds_in_all": lesson.level.exam_rounds if lesson.exam else None,
        "complete": result.is_complete,
        "steps": result.steps,
        "right": result.right,
        "accuracy": round(result.accuracy, 1),
        "milliseconds": result.milliseconds,
        "score": result.score,
        "pass_percent": PASS_PERCENT,
        "passed": result.passed,
        "kinds": [
            {
                "kind": str(line.kind),
                "title": kind_title(lesson, line.kind),
                "steps": line.steps,
                "right": line.right,
                "milliseconds": line.milliseconds,
            }
            for line in result.lines
        ],
        "mistakes": [
            {
                "round": mistake.round,
                "step": mistake.step,
                "fault": str(mistake.fault),
                "misses": mistake.misses,
                "rules": list(mistake.rules),
                "rule": mistake.rule,
                "amount": mistake.amount,
                "instead": mistake.instead,
                "order": mistake.order,
            }
            for mistake in result.mistakes
        ],
    }
