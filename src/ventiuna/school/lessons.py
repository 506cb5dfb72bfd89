"""Lessons: the level, rules, and seed determine the rounds; the learner's steps determine the rest.

Each step is graded against the rules. A result lists accuracy by kind of step, the time, the score,
and every mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Literal

from typing_extensions import TypedDict

from ventiuna.engine.events import Event, MetersShown, Place
from ventiuna.engine.state import RoundState, apply
from ventiuna.rules import Rules, canonical, fingerprint, load_rules
from ventiuna.rules.text.phrases import dollars
from ventiuna.school.procedure import OrderReason, guide_for, open_between, reason_before
from ventiuna.school.step_text import (
    KIND_TEXT,
    describe_input,
    describe_step,
    document_words,
    explain_amount,
)
from ventiuna.school.steps import (
    WITH_AMOUNT,
    WITH_HAND,
    WITH_PLACE,
    WITH_WAGER,
    DealerStep,
    SchoolError,
    StepInput,
    StepKind,
)
from ventiuna.school.training import (
    Level,
    TrainingRound,
    check_rules_for,
    find_level,
    training_round,
)

# --- Grading ---


class StepFault(StrEnum):
    """The first fault in a step, checked in this order."""

    KIND = "kind"
    SPOT = "spot"
    HAND = "hand"
    WAGER = "wager"
    PLACE = "place"
    AMOUNT = "amount"
    SHOWN = "shown"  # the learner asked to see the answer


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a step was graded."""

    right: bool
    fault: StepFault | Literal[""]  # empty if the step is right
    sentence: str
    rules: tuple[str, ...]  # rules behind the expected step
    rule: str  # the text of these rules
    answer: str = ""  # the expected step, once revealed
    amount: str = ""  # the calculation of its amount
    note: str = ""  # says if a different order is also allowed


def fault_of(step: DealerStep, tried: StepInput) -> StepFault | None:
    """The fault of an attempted step, or None if it is correct."""
    if tried.kind is not step.kind:
        return StepFault.KIND
    if step.kind is StepKind.CARD:
        if tried.place is not step.place:
            return StepFault.PLACE
        if step.place is Place.PLAYER and tried.spot != step.spot:
            return StepFault.SPOT
        if step.place in (Place.PLAYER, Place.BONUS) and tried.hand != step.hand:
            return StepFault.HAND if step.place is Place.PLAYER else StepFault.PLACE
        return None
    if step.kind in WITH_HAND | WITH_WAGER | {StepKind.SUPERVISOR} and tried.spot != step.spot:
        return StepFault.SPOT
    if step.kind in WITH_WAGER and tried.wager is not step.wager:
        return StepFault.WAGER
    on_hand = step.kind in WITH_HAND or (step.kind in WITH_WAGER and step.hand >= 0)
    if on_hand and tried.hand != step.hand:
        return StepFault.HAND
    if step.kind in WITH_AMOUNT:
        # Without an amount, the whole wager is taken; this is right only if all of it is lost.
        whole = step.kind is StepKind.TAKE and not step.is_part
        if not (whole if tried.amount is None else tried.amount == step.amount):
            return StepFault.AMOUNT
    return None


# --- matching an attempt to an allowed step ---


@dataclass(frozen=True, slots=True)
class GradedStep:
    """The grade of an attempt, with the index of the actual or expected step."""

    place: int
    fault: StepFault | None
    reason: OrderReason | None = None  # why the step comes too early, if it does
    is_own: bool = False  # the right wager, but the wrong action
    one_of: int = 1  # number of steps allowed now


def open_steps(training: TrainingRound, done: Set[int]) -> list[int]:
    """Indices of the steps allowed now, in document order; the next step is always allowed."""
    return [
        place
        for place, earlier in enumerate(training.earlier)
        if place not in done and earlier <= done
    ]


def grade_step(training: TrainingRound, done: Set[int], tried: StepInput | None) -> GradedStep:
    """Grade an attempt: any step allowed now is right; for a premature one, cite the rule."""
    steps, places = training.steps, open_steps(training, done)
    if tried is None:
        return GradedStep(places[0], StepFault.SHOWN)
    for place in places:
        if fault_of(steps[place], tried) is None:
            return GradedStep(place, None)
    for place in places if tried.kind in WITH_WAGER else ():
        step = steps[place]
        is_same = step.wager is not None and (tried.spot, tried.wager) == (step.spot, step.wager)
        if is_same and (step.hand < 0 or tried.hand == step.hand):
            return GradedStep(place, fault_of(step, tried), is_own=True)
    for place in range(len(steps)):
        if place not in done and fault_of(steps[place], tried) in (None, StepFault.AMOUNT):
            # Too early: grade it by the step that must come first, with the reason.
            first = min(training.earlier[place] - done)
            reason = reason_before(training.rules, steps[first], steps[place])
            while waits_for := training.earlier[first] - done:
                first = min(waits_for)
            return GradedStep(first, fault_of(steps[first], tried), reason)
    return GradedStep(places[0], fault_of(steps[places[0]], tried), one_of=len(places))


# --- as sentences ---


def verdict_on(
    training: TrainingRound, judged: GradedStep, tried: StepInput | None, misses: int, exam: bool
) -> Verdict:
    """The verdict on an attempt after `misses` earlier misses; the second miss reveals the answer.

    An exam allows one attempt and reveals nothing until it ends.
    """
    step, fault = training.steps[judged.place], judged.fault
    about = guide_for(training.rules, step)
    if fault is None:
        sentence = explain_amount(step) or f"Right. {describe_step(training.rules, step)}"
        return Verdict(
            True, "", sentence, about.rules, about.sentence, describe_step(training.rules, step)
        )
    if exam:
        return Verdict(False, fault, "Recorded. The right step was done for you.", (), "")
    revealed = fault is StepFault.SHOWN or misses > 0
    reason = judged.reason or OrderReason(about.rules, about.sentence)
    return Verdict(
        False,
        fault,
        document_words(training.rules, _describe_fault(training.rules, step, tried, judged)),
        reason.numbers,
        reason.sentence,
        describe_step(training.rules, step) if revealed else "",
        explain_amount(step) if revealed else "",
    )


def _describe_fault(
    rules: Rules, step: DealerStep, tried: StepInput | None, judged: GradedStep
) -> str:
    fault = judged.fault
    if judged.is_own and fault is StepFault.KIND:
        assert tried is not None
        return f"Right wager, but it {_NOT_DONE[tried.kind]}."
    if fault is StepFault.KIND:
        return _describe_skip(rules, step, tried)
    if judged.one_of > 1 and fault is not StepFault.SHOWN:
        return "No such step is due there now."
    if fault is StepFault.AMOUNT:
        assert tried is not None
        claimed = "all of it" if tried.amount is None else dollars(tried.amount)
        verb = "pay" if step.kind is StepKind.PAY else "take"
        return f"Right wager, but {claimed} isn't the amount to {verb}."
    assert fault is not None
    return _FAULT_TEXT[fault]


def _describe_skip(rules: Rules, step: DealerStep, tried: StepInput | None) -> str:
    """The step tried and the kind that is due: `Before you look at the down card, pay a wager.`"""
    sentence = f"Not yet. First, {KIND_TEXT[step.kind]}."
    if tried is not None and tried.kind is not StepKind.CLOSE:
        in_full = tried.kind in WITH_PLACE | WITH_HAND | WITH_WAGER
        early = describe_input(rules, tried) if in_full else KIND_TEXT[tried.kind]
        sentence = f"Not yet. Before you {early}, {KIND_TEXT[step.kind]}."
    return sentence.replace('".', '."')


_FAULT_TEXT = {
    StepFault.SPOT: "Right step, wrong spot.",
    StepFault.HAND: "Right spot, wrong hand.",
    StepFault.WAGER: "Right spot, wrong wager.",
    StepFault.PLACE: "The card goes somewhere else.",
    StepFault.SHOWN: "Here is the answer.",
}
_NOT_DONE = {
    StepKind.PAY: "is not paid",
    StepKind.TAKE: "is not taken",
    StepKind.PUSH: "does not push",
}


# --- Lessons ---

MAX_ROUNDS = 1_000
MAX_SEED = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempted step and its duration; `tried` is None if the learner asked for the answer."""

    tried: StepInput | None
    milliseconds: int = 0


@dataclass(frozen=True, slots=True)
class MissedStep:
    """The step taken instead of the expected one, and the rule if it came too early."""

    fault: StepFault
    tried: StepInput | None
    reason: OrderReason | None


@dataclass(frozen=True, slots=True)
class StepMark:
    """How the learner performed one of the dealer's steps."""

    step: DealerStep
    misses: int
    fault: StepFault | None  # the fault in the first miss
    milliseconds: int
    missed: MissedStep | None = None  # the first miss

    @property
    def right(self) -> bool:
        return self.misses == 0


@dataclass(frozen=True, slots=True)
class Lesson:
    level: Level
    rules: Rules
    seed: int
    exam: bool = False
    supervised: bool = False  # the table requires a supervisor

    def round(self, number: int) -> TrainingRound:
        last = self.level.exam_rounds if self.exam else MAX_ROUNDS
        if not 1 <= number <= last:
            raise SchoolError(f"The round must be a number from 1 to {last}.")
        return training_round(self.level, self.rules, self.seed, number, self.supervised)


def make_lesson(
    level: str, rules: Rules | None, seed: int, exam: bool = False, supervised: bool = False
) -> Lesson:
    """Create a lesson; raises `SchoolError` for an unknown level or unsuitable rules."""
    if not 0 <= seed <= MAX_SEED:
        raise SchoolError(f"The seed must be a number from 0 to {MAX_SEED}.")
    found = find_level(level)
    used = rules or load_rules(found.rules)
    check_rules_for(found, used)
    return Lesson(found, used, seed, exam, supervised)


class LessonRound:
    """One round of a lesson, as far as the learner has progressed."""

    def __init__(self, lesson: Lesson, number: int, attempts: Iterable[Attempt] = ()) -> None:
        self.lesson = lesson
        self.training = lesson.round(number)
        self.marks: list[StepMark] = []
        self.verdict: Verdict | None = None  # verdict on the last attempt
        self._done: dict[int, None] = {}  # indices of the steps, in the learner's order
        self._misses: dict[int, list[MissedStep]] = {}  # by index of the missed step
        self._milliseconds = 0
        for attempt in attempts:
            self.attempt(attempt)

    @property
    def due(self) -> DealerStep | None:
        """The first allowed step in document order, or None when the round is over."""
        if self.is_over:
            return None
        return self.training.steps[open_steps(self.training, self._done.keys())[0]]

    @property
    def is_over(self) -> bool:
        return len(self._done) == len(self.training.steps)

    @property
    def allowed(self) -> list[DealerStep]:
        """All steps allowed now."""
        places = open_steps(self.training, self._done.keys())
        return [self.training.steps[place] for place in places]

    @property
    def done(self) -> Sequence[DealerStep]:
        """Completed steps, in the learner's order."""
        return [self.training.steps[place] for place in self._done]

    @property
    def misses(self) -> int:
        """Number of misses on steps that aren't done yet."""
        return sum(len(found) for place, found in self._misses.items() if place not in self._done)

    def attempt(self, attempt: Attempt) -> Verdict:
        if self.due is None:
            raise SchoolError("The round is over. Begin the next one.")
        exam = self.lesson.exam
        if attempt.tried is None and exam:
            raise SchoolError("An exam doesn't show answers. Do what you think is right.")
        judged = grade_step(self.training, self._done.keys(), attempt.tried)
        missed = self._misses.setdefault(judged.place, [])
        verdict = verdict_on(self.training, judged, attempt.tried, len(missed), exam)
        self._milliseconds += attempt.milliseconds
        if judged.fault is not None:
            missed.append(MissedStep(judged.fault, attempt.tried, judged.reason))
        if judged.fault is None or exam:  # an exam continues with the right step either way
            verdict = self._do(judged.place, verdict)
        self.verdict = verdict
        return verdict

    def _do(self, place: int, verdict: Verdict) -> Verdict:
        first = open_steps(self.training, self._done.keys())[0]
        self._done[place] = None
        missed = self._misses[place]
        first_miss = missed[0] if missed else None
        fault = first_miss.fault if first_miss else None
        step = self.training.steps[place]
        self.marks.append(StepMark(step, len(missed), fault, self._milliseconds, first_miss))
        self._milliseconds = 0
        if not verdict.right or place == first:
            return verdict
        numbers = open_between(self.training.rules, self.training.steps[first], step)
        note = f"Accepted. The documents leave the order open here ({', '.join(numbers)})."
        return replace(verdict, note=note)

    def events(self) -> Iterator[Event]:
        """All events so far, in the learner's order."""
        yield from self.training.before
        is_award_paid = False
        for step in self.done:
            for event in step.events:
                if isinstance(event, MetersShown) and is_award_paid:
                    continue  # read before any jackpot's first award
                yield event
            is_award_paid = is_award_paid or step.meter is not None

    def state(self) -> RoundState:
        """The table after the completed steps."""
        state = self.training.start()
        for event in self.events():
            apply(state, event)
        return state


# --- Results ---

PASS_PERCENT = 90
ACCURACY_POINTS, TIME_POINTS = 80, 20

_KIND_TITLES = {
    StepKind.CLOSE: 'Calling "No more bets"',
    StepKind.CARD: "Dealing cards",
    StepKind.PAY: "Paying wagers",
    StepKind.TAKE: "Taking wagers",
    StepKind.PUSH: "Pushes",
    StepKind.LOCK: "Locking up the Bonus Cards",
    StepKind.SUPERVISOR: "Calling the floor person",
    StepKind.WAIT: "Waiting for the floor person",
    StepKind.BLACKJACKS: "Asking about blackjacks",
    StepKind.INSURANCE: "Offering insurance",
    StepKind.REMOVE: "Removing cards",
    StepKind.CHECK: "Checking for blackjack",
    StepKind.ADVISE: "Advice",
    StepKind.ASK: "Asking each hand in turn",
    StepKind.EXPOSE: "Exposing the down card",
    StepKind.COLLECT: "Collecting the cards",
}


@dataclass(frozen=True, slots=True)
class KindResult:
    """Results for one kind of step."""

    kind: StepKind
    title: str
    steps: int
    right: int  # number of steps done right on the first attempt
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """A step missed on the first attempt."""

    round: int
    step: str
    fault: StepFault
    misses: int
    rules: tuple[str, ...]
    rule: str
    amount: str
    instead: str  # what the learner did
    order: str  # why that step came too early, if it did


@dataclass(frozen=True, slots=True)
class LessonResult:
    lesson: Lesson
    rounds: int  # completed rounds
    is_complete: bool  # all rounds of an exam are over
    lines: tuple[KindResult, ...]
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
        """Percentage of steps that were right on the first attempt."""
        return 100 * self.right / self.steps if self.steps else 0.0

    @property
    def score(self) -> int:
        """Score out of 100: four fifths for accuracy, one fifth for time.

        Time earns full credit if the average step took no longer than the level allows.
        """
        if not self.steps:
            return 0
        allowed = self.lesson.level.seconds * 1000 * self.steps
        pace = min(1.0, allowed / self.milliseconds) if self.milliseconds else 1.0
        share = self.right / self.steps
        return round(ACCURACY_POINTS * share + TIME_POINTS * share * pace)

    @property
    def passed(self) -> bool | None:
        """Whether the exam was passed; None if this isn't an exam, or it isn't over."""
        if not self.lesson.exam or not self.is_complete:
            return None
        return self.right * 100 >= PASS_PERCENT * self.steps


def lesson_result(lesson: Lesson, rounds: Sequence[Iterable[Attempt]]) -> LessonResult:
    """The result from all attempts, round by round."""
    played = [
        LessonRound(lesson, number, attempts) for number, attempts in enumerate(rounds, start=1)
    ]
    over = sum(1 for one in played if one.due is None)
    marks = [(number, mark) for number, one in enumerate(played, start=1) for mark in one.marks]
    return LessonResult(
        lesson,
        over,
        lesson.exam and over == lesson.level.exam_rounds,
        tuple(_kind_results(lesson, [mark for _, mark in marks])),
        tuple(_mistake(lesson, number, mark) for number, mark in marks if not mark.right),
    )


def _kind_results(lesson: Lesson, marks: Iterable[StepMark]) -> Iterable[KindResult]:
    by_kind: dict[StepKind, list[StepMark]] = {}
    for mark in marks:
        by_kind.setdefault(mark.step.kind, []).append(mark)
    for kind in StepKind:
        if of_kind := by_kind.get(kind):
            right = sum(1 for mark in of_kind if mark.right)
            spent = sum(mark.milliseconds for mark in of_kind)
            title = document_words(lesson.rules, _KIND_TITLES[kind])
            yield KindResult(kind, title, len(of_kind), right, spent)


def _mistake(lesson: Lesson, number: int, mark: StepMark) -> Mistake:
    about = guide_for(lesson.rules, mark.step)
    missed = mark.missed
    reason = missed.reason if missed else None
    rules = dict.fromkeys([*(reason.numbers if reason else ()), *about.rules])
    return Mistake(
        number,
        describe_step(lesson.rules, mark.step),
        mark.fault or StepFault.KIND,
        mark.misses,
        tuple(rules),
        about.sentence,
        explain_amount(mark.step),
        describe_input(lesson.rules, missed.tried) if missed and missed.tried else "",
        reason.sentence if reason else "",
    )


class LessonResultData(TypedDict):
    level: str
    title: str
    rules: str
    table: str
    fingerprint: str
    seed: int
    exam: bool
    supervisor: Literal["off", "required"]
    name: str
    day: str
    rounds: int
    rounds_in_all: int | None
    complete: bool
    steps: int
    right: int
    accuracy: float
    milliseconds: int
    score: int
    pass_percent: int
    passed: bool | None
    kinds: list[KindResult]
    mistakes: list[Mistake]


def lesson_result_data(
    result: LessonResult, name: str = "", day: date | None = None
) -> LessonResultData:
    """The result as data for JSON and for the printed page."""
    lesson = result.lesson
    return {
        "level": lesson.level.id,
        "title": lesson.level.title,
        "rules": canonical(lesson.rules),
        "table": lesson.rules.title,
        "fingerprint": fingerprint(lesson.rules),
        "seed": lesson.seed,
        "exam": lesson.exam,
        "supervisor": "required" if lesson.supervised else "off",
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
        "kinds": list(result.lines),
        "mistakes": list(result.mistakes),
    }
