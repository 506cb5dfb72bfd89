"""A lesson: level, rules and seed give its rounds, the learner's steps give everything else.

Nothing is kept anywhere. Whoever has the level, the seed and the list of steps has the lesson, on
this server or another, today or next year.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ventiuna.engine.events import Event, MetersShown
from ventiuna.engine.state import RoundState, apply
from ventiuna.records import record
from ventiuna.rules import Rules, load_rules
from ventiuna.school.judging import Fault, Verdict, judge, open_places, order_note, verdict
from ventiuna.school.levels import Level, check_rules_for, level_named
from ventiuna.school.order import Reason
from ventiuna.school.steps import SchoolError, Step, Tried
from ventiuna.school.training import TrainingRound, training_round

MOST_ROUNDS = 1_000
LARGEST_SEED = 2**53 - 1


@record(frozen=True, slots=True)
class Attempt:
    """One step of the learner and how long it took; nothing tried asks to be shown."""

    tried: Tried | None
    milliseconds: int = 0


@record(frozen=True, slots=True)
class Missed:
    """What was done instead of a step, and the rule of the order where it came too early."""

    fault: Fault
    tried: Tried | None
    reason: Reason | None


@record(frozen=True, slots=True)
class Mark:
    """How one step of the dealer went."""

    step: Step
    misses: int
    fault: Fault | None  # of the first miss
    milliseconds: int
    missed: Missed | None = None  # the first

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
        self._done: dict[int, None] = {}  # places of the steps, in the learner's order
        self._misses: dict[int, list[Missed]] = {}  # by the place of the step that was missed
        self._milliseconds = 0
        for attempt in attempts:
            self.attempt(attempt)

    @property
    def due(self) -> Step | None:
        """What the documents name next of all that may be done; None when the round is over."""
        steps = self.training.steps
        if len(self._done) == len(steps):
            return None
        return steps[open_places(self.training, self._done.keys())[0]]

    @property
    def allowed(self) -> list[Step]:
        """All steps that may be done now."""
        places = open_places(self.training, self._done.keys())
        return [self.training.steps[place] for place in places]

    @property
    def done(self) -> Sequence[Step]:
        """In the learner's order."""
        return [self.training.steps[place] for place in self._done]

    @property
    def misses(self) -> int:
        """Of steps that are still to be done."""
        return sum(len(found) for place, found in self._misses.items() if place not in self._done)

    def attempt(self, attempt: Attempt) -> Verdict:
        if self.due is None:
            raise SchoolError("step: the round is over; begin the next one.")
        exam = self.lesson.exam
        if attempt.tried is None and exam:
            raise SchoolError("step: nothing is shown in an exam; do what you think is right.")
        judged = judge(self.training, self._done.keys(), attempt.tried)
        missed = self._misses.setdefault(judged.place, [])
        told = verdict(self.training, judged, attempt.tried, len(missed), exam)
        self._milliseconds += attempt.milliseconds
        if judged.fault is not None:
            missed.append(Missed(judged.fault, attempt.tried, judged.reason))
        if judged.fault is None or exam:  # an exam goes on with the right step in either case
            told = self._do(judged.place, told)
        self.verdict = told
        return told

    def _do(self, place: int, told: Verdict) -> Verdict:
        first = open_places(self.training, self._done.keys())[0]
        self._done[place] = None
        missed = self._misses[place]
        first_miss = missed[0] if missed else None
        fault = first_miss.fault if first_miss else None
        step = self.training.steps[place]
        self.marks.append(Mark(step, len(missed), fault, self._milliseconds, first_miss))
        self._milliseconds = 0
        if not told.right:
            return told
        return replace(told, note=order_note(self.training, place, first))

    def events(self) -> Iterator[Event]:
        """All that has happened, in the learner's order."""
        yield from self.training.before
        is_award_paid = False
        for step in self.done:
            for event in step.events:
                if isinstance(event, MetersShown) and is_award_paid:
                    continue  # read before the first award, of whichever jackpot that is
                yield event
            is_award_paid = is_award_paid or step.meter is not None

    def state(self) -> RoundState:
        """The table after the steps that are done."""
        state = self.training.start()
        for event in self.events():
            apply(state, event)
        return state
