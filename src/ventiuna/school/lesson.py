"""A lesson: level, rules and seed give its rounds, the learner's steps give everything else.

Nothing is kept anywhere. Whoever has the level, the seed and the list of steps has the lesson, on
this server or another, today or next year.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ventiuna.engine.state import RoundState, apply
from ventiuna.records import record
from ventiuna.rules import Rules, load_rules
from ventiuna.school.judging import Fault, Verdict, fault_of, verdict
from ventiuna.school.levels import Level, SchoolError, check_rules_for, level_named
from ventiuna.school.steps import Step, Tried
from ventiuna.school.training import TrainingRound, training_round

MOST_ROUNDS = 1_000
LARGEST_SEED = 2**53 - 1


@record(frozen=True, slots=True)
class Attempt:
    """One step of the learner and how long it took; nothing tried asks to be shown."""

    tried: Tried | None
    milliseconds: int = 0


@record(frozen=True, slots=True)
class Mark:
    """How one step of the dealer went."""

    step: Step
    misses: int
    fault: Fault | None  # of the first miss
    milliseconds: int

    @property
    def right(self) -> bool:
        return self.misses == 0


@record(frozen=True, slots=True)
class Lesson:
    level: Level
    rules: Rules
    seed: int
    exam: bool = False

    def round(self, number: int) -> TrainingRound:
        last = self.level.exam_rounds if self.exam else MOST_ROUNDS
        if not 1 <= number <= last:
            raise SchoolError(f"round: give one from 1 to {last}.")
        return training_round(self.level, self.rules, self.seed, number)


def lesson_of(level: str, rules: Rules | None, seed: int, exam: bool = False) -> Lesson:
    """Raises `SchoolError` where there is no such level, or rules lack what it teaches."""
    if not 0 <= seed <= LARGEST_SEED:
        raise SchoolError(f"seed: give a number from 0 to {LARGEST_SEED}.")
    found = level_named(level)
    used = rules or load_rules(found.rules)
    check_rules_for(found, used)
    return Lesson(found, used, seed, exam)


class RoundOfLesson:
    """One round of a lesson as far as the learner has come."""

    def __init__(self, lesson: Lesson, number: int, attempts: Iterable[Attempt] = ()) -> None:
        self.lesson = lesson
        self.training = lesson.round(number)
        self.marks: list[Mark] = []
        self.verdict: Verdict | None = None  # of the last attempt
        self._misses = 0
        self._fault: Fault | None = None
        self._milliseconds = 0
        for attempt in attempts:
            self.attempt(attempt)

    @property
    def due(self) -> Step | None:
        """What the dealer has to do now; None when the round is over."""
        steps = self.training.steps
        return steps[len(self.marks)] if len(self.marks) < len(steps) else None

    @property
    def done(self) -> Sequence[Step]:
        return self.training.steps[: len(self.marks)]

    @property
    def misses(self) -> int:
        """Of the step that is due."""
        return self._misses

    def attempt(self, attempt: Attempt) -> Verdict:
        step = self.due
        if step is None:
            raise SchoolError("step: the round is over; begin the next one.")
        exam = self.lesson.exam
        if attempt.tried is None and exam:
            raise SchoolError("step: nothing is shown in an exam; do what you think is right.")
        fault = Fault.SHOWN if attempt.tried is None else fault_of(step, attempt.tried)
        self.verdict = verdict(self.lesson.rules, step, attempt.tried, self._misses, exam)
        self._milliseconds += attempt.milliseconds
        if fault is not None:
            self._misses += 1
            self._fault = self._fault or fault
        if fault is None or exam:  # an exam goes on with the right step in either case
            self.marks.append(Mark(step, self._misses, self._fault, self._milliseconds))
            self._misses, self._fault, self._milliseconds = 0, None, 0
        return self.verdict

    def state(self) -> RoundState:
        """The table after the steps that are done."""
        state = self.training.start()
        for event in self.training.before:
            apply(state, event)
        for step in self.done:
            for event in step.events:
                apply(state, event)
        return state
