"""Lessons and classes in the house's database.

The server chooses a lesson's seed and keeps it secret until the lesson is finished; it stores every
step when it is done and measures the time. Nobody can post a result, take a step back, or practice
the same rounds first. Results aren't money, so they are outside the books and can be deleted.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import chain
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, Table, delete, func, insert, select, update

from ventiuna.rules import canonical, load_rules
from ventiuna.school.catch_errors import (
    CatchRound,
    ErrorKind,
    Watched,
    catch_result,
    catch_result_data,
)
from ventiuna.school.lessons import (
    MAX_SEED,
    Attempt,
    Lesson,
    LessonRound,
    lesson_result,
    lesson_result_data,
    make_lesson,
)
from ventiuna.school.payouts import PayoutDrill, PayoutResult, payout_result_data, read_answer
from ventiuna.school.step_text import parse_step
from ventiuna.school.steps import SchoolError
from ventiuna.table.store.schema import lesson as lessons
from ventiuna.table.store.schema import person as people
from ventiuna.table.store.schema import trainee, training_class
from ventiuna.texts import json_text

DAY = 86_400_000
KEPT_OPEN = 30 * DAY  # after its last step, an unfinished lesson is deleted
KEPT_DONE = 730 * DAY  # a finished one
LONGEST_STEP = 300_000  # milliseconds; a longer step was a break
MAX_LESSONS = 2_000  # for each person
MAX_MOVES = 5_000  # in one lesson
MAX_CLASSES, MAX_TRAINEES = 50, 500
CODE_LETTERS, CODE_LENGTH = "ABCDEFGHJKMNPQRSTUVWXYZ23456789", 6
LONGEST_CLASS_NAME = 60


class LessonKind(StrEnum):
    GUIDED = "guided"  # every step is shown beforehand; not graded
    PRACTICE = "practice"
    EXAM = "exam"
    CATCH = "catch"
    PAYOUTS = "payouts"


class RecordConflict(SchoolError):
    """The lesson has moved on, for example in another window."""


@dataclass(frozen=True, slots=True)
class Move:
    """What a trainee did at one point: a typed step, an amount, or a reaction to the dealer."""

    text: str = ""
    stop: bool = False
    error: str = ""
    instead: str = ""
    ms: int = 0

    def as_data(self) -> dict[str, object]:
        return {name: value for name, value in asdict(self).items() if value}


@dataclass(frozen=True, slots=True)
class LessonLine:
    """A lesson in a list of results."""

    id: int
    kind: LessonKind
    level: str
    rules: str
    begun_at: int
    changed_at: int
    done: bool
    rounds: int
    steps: int
    correct: int
    milliseconds: int
    score: int | None
    passed: bool | None


Play: TypeAlias = LessonRound | CatchRound | PayoutDrill


@dataclass(frozen=True, slots=True)
class RecordedLesson:
    """A stored lesson."""

    line: LessonLine
    person: int
    lesson: Lesson
    rounds: tuple[tuple[Move, ...], ...]
    result: dict[str, Any] | None  # once it is finished

    @property
    def kind(self) -> LessonKind:
        return self.line.kind

    def play(self) -> Play:
        """The round in play."""
        number, moves = len(self.rounds), self.rounds[-1]
        if self.kind is LessonKind.CATCH:
            return CatchRound(self.lesson, number, map(_watched, moves))
        if self.kind is LessonKind.PAYOUTS:
            answers = chain.from_iterable(self.rounds)
            return PayoutDrill(self.lesson, ((read_answer(one.text), one.ms) for one in answers))
        return LessonRound(self.lesson, number, map(_attempt, moves))

    def is_corrected(self, drill: PayoutDrill) -> bool:
        """Whether the correction of the last answer is being read, which takes no time.

        A wrong answer ends a round, and the next question is shown when the next round begins.
        """
        return bool(self.rounds[-1]) and not drill.answers[-1].right


def _attempt(move: Move) -> Attempt:
    return Attempt(parse_step(move.text) if move.text else None, move.ms)


def _watched(move: Move) -> Watched:
    named = next((kind for kind in ErrorKind if kind == move.error), None)
    return Watched(move.stop, named, parse_step(move.instead) if move.instead else None, move.ms)


# --- Lessons ---


def begin_lesson(
    connection: Connection, person: int, kind: LessonKind, lesson: Lesson, now: int
) -> int:
    """Store a new lesson, whose first round begins; returns its number."""
    _delete_old(connection, now)
    own = select(func.count()).select_from(lessons).where(lessons.c.person_id == person)
    if (connection.scalar(own) or 0) >= MAX_LESSONS:
        raise SchoolError(
            f"You have {MAX_LESSONS} lessons on record, which is the maximum. Delete your results "
            "to begin another."
        )
    values: dict[str, object] = {
        "person_id": person,
        "kind": str(kind),
        "level": lesson.level.id,
        "rules": canonical(lesson.rules),
        "seed": lesson.seed,
        "supervised": int(lesson.supervised),
        "begun_at": now,
        "changed_at": now,
        "state": "open",
        "moves": "[[]]",
        "rounds": 0,
        "steps": 0,
        "correct": 0,
        "milliseconds": 0,
    }
    return _insert(connection, lessons, values)


def _insert(connection: Connection, table: Table, values: dict[str, object]) -> int:
    """Add a row; returns its number."""
    key = connection.execute(insert(table).values(**values)).inserted_primary_key
    assert key is not None
    return int(key[0])


def secret_seed() -> int:
    """A seed that nobody can guess or find by trial and error."""
    return secrets.randbelow(MAX_SEED + 1)


def _delete_old(connection: Connection, now: int) -> None:
    limits = (("open", KEPT_OPEN), ("done", KEPT_DONE))
    for state, kept in limits:
        old = (lessons.c.state == state) & (lessons.c.changed_at < now - kept)
        connection.execute(delete(lessons).where(old))


def find_lesson(connection: Connection, number: int, lock: bool = False) -> RecordedLesson | None:
    """The lesson with this number; `lock` it to change it."""
    query = select(lessons).where(lessons.c.id == number)
    row = connection.execute(query.with_for_update() if lock else query).first()
    if row is None:
        return None
    kind = LessonKind(row.kind)
    lesson = make_lesson(
        row.level, load_rules(row.rules), row.seed, kind is LessonKind.EXAM, bool(row.supervised)
    )
    moves = tuple(tuple(Move(**move) for move in one) for one in json.loads(row.moves))
    result = json.loads(row.result) if row.result else None
    return RecordedLesson(_line(row), row.person_id, lesson, moves, result)


def add_move(
    connection: Connection, found: RecordedLesson, at: tuple[int, int], move: Move, now: int
) -> RecordedLesson:
    """Perform the next step; `at` is its round and the number of steps before it.

    The time since the previous step is the server's. An invalid step raises `SchoolError` and
    changes nothing.
    """
    last = found.rounds[-1] if found.rounds else ()
    if found.result is not None or at != (len(found.rounds), len(last)):
        raise RecordConflict(
            "This lesson has moved on in another window. Reload the page to continue."
        )
    if sum(map(len, found.rounds)) >= MAX_MOVES:
        raise SchoolError(f"A lesson has at most {MAX_MOVES} steps. Finish it.")
    play = found.play()
    if isinstance(play, PayoutDrill) and not play.is_over and found.is_corrected(play):
        raise RecordConflict("Ask for the next question first.")
    _check_parts(found.kind, move)
    spent = min(max(0, now - found.line.changed_at), LONGEST_STEP)
    timed = Move(move.text, move.stop, move.error, move.instead, spent)
    rounds = (*found.rounds[:-1], (*last, timed))
    replace(found, rounds=rounds).play()  # refuses an invalid step
    return _write(connection, found, rounds, now)


def _check_parts(kind: LessonKind, move: Move) -> None:
    """Refuse misplaced fields; ignoring them would count as a miss, or let a step pass."""
    if kind is LessonKind.CATCH:
        if move.text:
            raise SchoolError("Send stop, error and instead to catch an error, not text.")
        if not move.stop and (move.error or move.instead):
            raise SchoolError("Stop the dealer to name an error: send stop too.")
    elif move.stop or move.error or move.instead:
        raise SchoolError("Send text: only lessons of the kind catch take stop, error and instead.")


def begin_round(connection: Connection, found: RecordedLesson, now: int) -> RecordedLesson:
    """Begin the next round or, in a drill, show the next question after a correction."""
    play = None if found.result is not None else found.play()
    if isinstance(play, PayoutDrill):
        if play.is_over:
            raise SchoolError("The drill is over. Begin a new one.")
        if not found.is_corrected(play):
            raise RecordConflict("Answer the question first.")
    elif play is None or not play.is_over:
        raise RecordConflict("Finish the round first.")
    else:
        found.lesson.round(len(found.rounds) + 1)  # refuses one after the last round of an exam
    return _write(connection, found, (*found.rounds, ()), now)


def _write(
    connection: Connection, found: RecordedLesson, rounds: Sequence[tuple[Move, ...]], now: int
) -> RecordedLesson:
    moves = json_text([[move.as_data() for move in one] for one in rounds], None)
    where = lessons.c.id == found.line.id
    connection.execute(update(lessons).where(where).values(moves=moves, changed_at=now))
    changed = find_lesson(connection, found.line.id)
    assert changed is not None
    return changed


def finish_lesson(
    connection: Connection, found: RecordedLesson, name: str, day: date, now: int
) -> RecordedLesson:
    """Grade the lesson and store the result; the steps themselves are no longer needed."""
    if found.result is not None:
        return found
    values = _graded(found, name, day)
    where = lessons.c.id == found.line.id
    connection.execute(
        update(lessons)
        .where(where)
        .values(**values, state="done", moves="[]", changed_at=max(now, found.line.changed_at))
    )
    finished = find_lesson(connection, found.line.id)
    assert finished is not None
    return finished


def _graded(found: RecordedLesson, name: str, day: date) -> dict[str, object]:
    """The columns of a finished lesson."""
    lesson, rounds = found.lesson, found.rounds
    if found.kind is LessonKind.CATCH:
        caught = catch_result(lesson, [map(_watched, one) for one in rounds])
        return {
            "result": json_text(catch_result_data(caught, name, day), None),
            "rounds": caught.rounds,
            "steps": len(caught.errors),
            "correct": caught.caught,
            "milliseconds": caught.milliseconds,
            "score": caught.score if caught.rounds else None,
        }
    if found.kind is LessonKind.PAYOUTS:
        drill = found.play()
        assert isinstance(drill, PayoutDrill)
        answered = PayoutResult(lesson, tuple(drill.answers))
        return {
            "result": json_text(payout_result_data(answered, name, day), None),
            "rounds": int(drill.is_over),
            "steps": len(drill.answers),
            "correct": answered.right,
            "milliseconds": answered.milliseconds,
            "score": answered.score,
        }
    result = lesson_result(lesson, [map(_attempt, one) for one in rounds])
    is_graded = found.kind is not LessonKind.GUIDED and result.rounds > 0
    return {
        "result": json_text(lesson_result_data(result, name, day), None),
        "rounds": result.rounds,
        "steps": result.steps,
        "correct": result.right,
        "milliseconds": result.milliseconds,
        "score": result.score if is_graded else None,
        "passed": None if result.passed is None else int(result.passed),
    }


_LINE = (
    lessons.c.id,
    lessons.c.person_id,
    lessons.c.kind,
    lessons.c.level,
    lessons.c.rules,
    lessons.c.begun_at,
    lessons.c.changed_at,
    lessons.c.state,
    lessons.c.rounds,
    lessons.c.steps,
    lessons.c.correct,
    lessons.c.milliseconds,
    lessons.c.score,
    lessons.c.passed,
)


def _line(row: Row[*tuple[Any, ...]]) -> LessonLine:
    return LessonLine(
        row.id,
        LessonKind(row.kind),
        row.level,
        row.rules,
        row.begun_at,
        row.changed_at,
        row.state == "done",
        row.rounds,
        row.steps,
        row.correct,
        row.milliseconds,
        row.score,
        None if row.passed is None else bool(row.passed),
    )


def lessons_of(connection: Connection, person: int, since: int = 0) -> list[LessonLine]:
    """A person's lessons, newest first."""
    mine = (lessons.c.person_id == person) & (lessons.c.begun_at >= since)
    query = select(*_LINE).where(mine).order_by(lessons.c.id.desc())
    return [_line(row) for row in connection.execute(query)]


def delete_lessons(connection: Connection, person: int) -> int:
    """Delete everything the school has recorded about a person; returns the number of lessons."""
    return connection.execute(delete(lessons).where(lessons.c.person_id == person)).rowcount


# --- Classes ---


@dataclass(frozen=True, slots=True)
class TrainingClass:
    id: int
    code: str
    name: str
    trainer: int
    created_at: int


@dataclass(frozen=True, slots=True)
class Trainee:
    """A trainee of a class, with the lessons begun since joining it."""

    person: int
    name: str
    joined_at: int
    lessons: list[LessonLine]


def create_class(connection: Connection, trainer: int, name: str, now: int) -> TrainingClass:
    mine = select(func.count()).where(training_class.c.trainer_id == trainer)
    if (connection.scalar(mine) or 0) >= MAX_CLASSES:
        raise SchoolError(f"You have {MAX_CLASSES} classes, which is the maximum. Close one first.")
    shown = " ".join(name.split())
    if not 1 <= len(shown) <= LONGEST_CLASS_NAME or not shown.isprintable():
        raise SchoolError(
            f"The class needs a name of 1 to {LONGEST_CLASS_NAME} printable characters."
        )
    code = _new_code(connection)
    values: dict[str, object] = {
        "code": code,
        "name": shown,
        "trainer_id": trainer,
        "created_at": now,
    }
    number = _insert(connection, training_class, values)
    return TrainingClass(number, code, shown, trainer, now)


def _new_code(connection: Connection) -> str:
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if _class_where(connection, training_class.c.code == code) is None:
            return code


def _class_where(connection: Connection, where: Any) -> TrainingClass | None:
    row = connection.execute(select(training_class).where(where)).first()
    return None if row is None else _read_class(row)


def _read_class(row: Row[*tuple[Any, ...]]) -> TrainingClass:
    return TrainingClass(row.id, row.code, row.name, row.trainer_id, row.created_at)


def find_class(connection: Connection, number: int) -> TrainingClass | None:
    return _class_where(connection, training_class.c.id == number)


def join_class(connection: Connection, person: int, code: str, now: int) -> TrainingClass:
    """Join the class with this code; the trainer sees results from now on."""
    typed = "".join(code.upper().split())
    found = None
    if set(typed) <= set(CODE_LETTERS):  # a database may refuse other text
        found = _class_where(connection, training_class.c.code == typed)
    if found is not None:
        _take_turn(connection, found.trainer)
        found = find_class(connection, found.id)  # it may have been closed in the meantime
    if found is None:
        raise SchoolError("No class has this code. Check it with your trainer.")
    if found.trainer == person:
        raise SchoolError("You are this class's trainer, so you can't join it.")
    members = select(trainee.c.person_id).where(trainee.c.class_id == found.id)
    joined = set(connection.scalars(members))
    if person in joined:
        return found
    if len(joined) >= MAX_TRAINEES:
        raise SchoolError(f"This class is full: it has {MAX_TRAINEES} trainees.")
    values = {"class_id": found.id, "person_id": person, "joined_at": now}
    connection.execute(insert(trainee).values(**values))
    return found


def _take_turn(connection: Connection, trainer: int) -> None:
    """Wait until nobody else is joining or closing a class of this trainer."""
    row = select(people.c.id).where(people.c.id == trainer)
    connection.execute(row.with_for_update(key_share=True))


def leave_class(connection: Connection, number: int, person: int) -> bool:
    """End a person's membership; the trainer no longer sees any of their results."""
    member = (trainee.c.class_id == number) & (trainee.c.person_id == person)
    return connection.execute(delete(trainee).where(member)).rowcount > 0


def close_class(connection: Connection, found: TrainingClass) -> None:
    """Delete a class. The trainees keep their results."""
    number = found.id
    _take_turn(connection, found.trainer)
    connection.execute(delete(trainee).where(trainee.c.class_id == number))
    connection.execute(delete(training_class).where(training_class.c.id == number))


def classes_taught(connection: Connection, trainer: int) -> list[tuple[TrainingClass, int]]:
    """The classes of a trainer, each with its number of trainees."""
    mine = select(training_class).where(training_class.c.trainer_id == trainer)
    members = Counter(connection.scalars(select(trainee.c.class_id)))
    rows = connection.execute(mine.order_by(training_class.c.id))
    return [(_read_class(row), members[row.id]) for row in rows]


def classes_joined(connection: Connection, person: int) -> list[tuple[TrainingClass, str]]:
    """The classes that a trainee has joined, each with its trainer's name."""
    query = (
        select(training_class, people.c.name.label("trainer_name"))
        .join(trainee, trainee.c.class_id == training_class.c.id)
        .join(people, people.c.id == training_class.c.trainer_id)
        .where(trainee.c.person_id == person)
        .order_by(training_class.c.id)
    )
    return [(_read_class(row), row.trainer_name) for row in connection.execute(query)]


def trainees_of(connection: Connection, number: int) -> list[Trainee]:
    """The trainees of a class by name, each with the lessons begun since joining."""
    members = (
        select(trainee.c.person_id, trainee.c.joined_at, people.c.name)
        .join(people, people.c.id == trainee.c.person_id)
        .where(trainee.c.class_id == number)
        .order_by(people.c.name)
    )
    found = {row.person_id: row for row in connection.execute(members)}
    by_person: dict[int, list[LessonLine]] = {person: [] for person in found}
    query = select(*_LINE).where(lessons.c.person_id.in_(found)).order_by(lessons.c.id.desc())
    for row in connection.execute(query):
        if row.begun_at >= found[row.person_id].joined_at:
            by_person[row.person_id].append(_line(row))
    return [
        Trainee(person, row.name, row.joined_at, by_person[person]) for person, row in found.items()
    ]


def teaches(connection: Connection, trainer: int, found: RecordedLesson) -> bool:
    """Whether a lesson is visible to this trainer."""
    member = (
        select(trainee.c.class_id)
        .join(training_class, training_class.c.id == trainee.c.class_id)
        .where(
            training_class.c.trainer_id == trainer,
            trainee.c.person_id == found.person,
            trainee.c.joined_at <= found.line.begun_at,
        )
    )
    return connection.execute(member.limit(1)).first() is not None
