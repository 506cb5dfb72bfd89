"""The dealer school's records: lessons that the server grades step by step, and classes."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from functools import partial
from typing import Annotated, Any

from fastapi import Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import Field
from sqlalchemy import Connection

from ventiuna.package import require_library
from ventiuna.rendering import printable
from ventiuna.reports.lesson import ExamPassed, school_certificate
from ventiuna.reports.queries import ReportFormat, document_file
from ventiuna.rules import fingerprint, load_rules
from ventiuna.school.catch_errors import CatchResultData, CatchRound, ErrorKind
from ventiuna.school.lessons import LessonResultData, LessonRound, make_lesson
from ventiuna.school.payouts import PayoutDrillData, PayoutResultData, drill_data
from ventiuna.school.training import LEVELS, find_level
from ventiuna.school.views import (
    CatchRoundData,
    LessonRoundData,
    catch_round_data,
    lesson_round_data,
)
from ventiuna.server.deps import (
    CurrentPerson,
    HouseServices,
    PathId,
    RequestBody,
    Services,
    client_address,
    permitted_router,
)
from ventiuna.server.problems import RequestDeclined, not_found
from ventiuna.server.routers.analysis import file_response
from ventiuna.server.routers.rules import json_response
from ventiuna.server.routers.school import RulesName, SupervisorOption, Text
from ventiuna.server.schemas import load_named_rules
from ventiuna.server.school_records import (
    CODE_LENGTH,
    LONGEST_CLASS_NAME,
    LessonKind,
    LessonLine,
    Move,
    RecordConflict,
    RecordedLesson,
    Trainee,
    TrainingClass,
    add_move,
    begin_lesson,
    begin_round,
    classes_joined,
    classes_taught,
    close_class,
    create_class,
    delete_lessons,
    find_class,
    find_lesson,
    finish_lesson,
    join_class,
    leave_class,
    lessons_of,
    secret_seed,
    teaches,
    trainees_of,
)
from ventiuna.table.accounts import Person
from ventiuna.texts import csv_cell

router = permitted_router("school", "/school")
MAX_CODE_LENGTH = 2 * CODE_LENGTH  # with spaces


# --- Lessons ---


class NewLesson(RequestBody):
    """A lesson to record. The server chooses the seed."""

    level: Annotated[str, Field(max_length=40, examples=["base-game"])]
    kind: Annotated[LessonKind, Field(strict=False)] = LessonKind.PRACTICE
    rules: RulesName = Field(default="", description="Defaults to the level's rules.")
    supervisor: SupervisorOption = "off"


class NextMove(RequestBody):
    """What you do next. In a lesson or exam, an empty `text` asks for the answer."""

    round: Annotated[int, Field(ge=1)] = Field(description="The round in play.")
    at: Annotated[int, Field(ge=0)] = Field(description="Steps sent in this round so far.")
    text: Text = Field(default="", description="A step, or the amount in a payout drill.")
    stop: bool = Field(default=False, description="Catch the error: stop the dealer.")
    error: Annotated[ErrorKind, Field(strict=False)] | None = None
    instead: Text = ""


@dataclass(frozen=True, slots=True)
class RecordedLessonData:
    """A recorded lesson: the round in play, or the result once it is finished.

    `sent` is the number of steps sent in this round so far.
    """

    lesson: LessonLine
    number: int  # of the round
    sent: int
    play: LessonRoundData | None = None
    catch: CatchRoundData | None = None
    payouts: PayoutDrillData | None = None
    result: LessonResultData | None = None
    caught: CatchResultData | None = None
    paid: PayoutResultData | None = None


def _answer(found: RecordedLesson, status: int = 200) -> JSONResponse:
    answer = json_response(_data(found))
    answer.status_code = status
    return answer


def _data(found: RecordedLesson) -> RecordedLessonData:
    line = found.line
    show = partial(RecordedLessonData, line)
    if found.result is not None:
        result: Any = found.result
        if found.kind is LessonKind.CATCH:
            return show(line.rounds, 0, caught=result)
        if found.kind is LessonKind.PAYOUTS:
            return show(line.rounds, 0, paid=result)
        return show(line.rounds, 0, result=result)
    number, sent, play = len(found.rounds), len(found.rounds[-1]), found.play()
    if isinstance(play, CatchRound):
        return show(number, sent, catch=catch_round_data(play, is_recorded=True))
    if isinstance(play, LessonRound):
        is_guided = found.kind is LessonKind.GUIDED
        return show(number, sent, play=lesson_round_data(play, True, is_guided))
    return show(number, sent, payouts=drill_data(play, found.is_corrected(play)))


@router.post("/lessons", status_code=201, response_model=RecordedLessonData)
def begin(body: NewLesson, house: HouseServices, person: CurrentPerson) -> JSONResponse:
    """Begin a lesson, exam or drill whose result is recorded."""
    rules = load_named_rules(body.rules) if body.rules else None
    is_exam = body.kind is LessonKind.EXAM
    lesson = make_lesson(body.level, rules, secret_seed(), is_exam, body.supervisor == "required")
    with house.store.write() as connection:
        number = begin_lesson(connection, person.id, body.kind, lesson, house.now())
        return _answer(_own(connection, person, number), 201)


def _own(connection: Connection, person: Person, number: int, lock: bool = False) -> RecordedLesson:
    found = find_lesson(connection, number, lock)
    if found is None or found.person != person.id:
        raise not_found("lesson")
    return found


def _change(
    house: Services,
    person: Person,
    number: int,
    change: Callable[[Connection, RecordedLesson, int], RecordedLesson],
) -> JSONResponse:
    try:
        with house.store.write() as connection:
            found = _own(connection, person, number, lock=True)
            return _answer(change(connection, found, house.now()))
    except RecordConflict as error:
        raise RequestDeclined(409, "moved_on", str(error)) from None


@router.get("/lessons")
def my_lessons(house: HouseServices, person: CurrentPerson) -> list[LessonLine]:
    """Your lessons, newest first. Finished ones are kept for two years."""
    with house.store.read() as connection:
        return lessons_of(connection, person.id)


@router.delete("/lessons", status_code=204, response_class=Response)
def delete_my_lessons(house: HouseServices, person: CurrentPerson) -> None:
    """Delete all your results permanently."""
    with house.store.write() as connection:
        delete_lessons(connection, person.id)


@router.get("/lessons/{number}", response_model=RecordedLessonData)
def lesson(number: PathId, house: HouseServices, person: CurrentPerson) -> JSONResponse:
    """Your lesson, or the result of one of your trainees."""
    with house.store.read() as connection:
        found = find_lesson(connection, number)
        if found is not None and found.person != person.id:
            is_shown = found.result is not None and teaches(connection, person.id, found)
            found = found if is_shown else None
    if found is None:
        raise not_found("lesson")
    return _answer(found)


@router.post("/lessons/{number}/moves", response_model=RecordedLessonData)
def move(
    number: PathId, body: NextMove, house: HouseServices, person: CurrentPerson
) -> JSONResponse:
    """Perform the next step. It is graded and recorded at once, and can't be taken back."""
    done = Move(body.text, body.stop, body.error or "", body.instead)

    def change(connection: Connection, found: RecordedLesson, now: int) -> RecordedLesson:
        return add_move(connection, found, (body.round, body.at), done, now)

    return _change(house, person, number, change)


@router.post("/lessons/{number}/rounds", response_model=RecordedLessonData)
def next_round(number: PathId, house: HouseServices, person: CurrentPerson) -> JSONResponse:
    """Begin the next round or, in a payout drill, show the next question after a correction."""
    return _change(house, person, number, begin_round)


@router.post("/lessons/{number}/finish", response_model=RecordedLessonData)
def finish(number: PathId, house: HouseServices, person: CurrentPerson) -> JSONResponse:
    """Finish the lesson and get its result."""

    def change(connection: Connection, found: RecordedLesson, now: int) -> RecordedLesson:
        return finish_lesson(connection, found, person.name, _day(now), now)

    return _change(house, person, number, change)


def _day(at: int) -> date:
    return datetime.fromtimestamp(at / 1000, UTC).date()


@router.get(
    "/certificate",
    response_class=Response,
    responses={200: {"content": {"text/html": {}, "application/pdf": {}}}},
)
def certificate(
    house: HouseServices,
    person: CurrentPerson,
    form: Annotated[ReportFormat, Query(alias="format")] = ReportFormat.HTML,
) -> Response:
    """The exams you have passed, as a page to print, for study. A PDF requires `print`."""
    if form is ReportFormat.PDF:
        require_library("fpdf")
        _check_printable(person.name)
    with house.store.read() as connection:
        lines = lessons_of(connection, person.id)
    passed = _best_exams(lines)
    if not passed:
        raise RequestDeclined(409, "no_exam", "You haven't passed an exam yet. Take one first.")
    document = school_certificate(person.name, _day(house.now()), passed)
    page = document_file(document, form)
    return file_response(page, "dealers-school", form)


def _check_printable(name: str) -> None:
    """Refuse a name that the PDF's fonts would print as question marks."""
    if printable(name).count("?") > name.count("?"):
        raise RequestDeclined(
            422,
            "unprintable_name",
            "The PDF can't show every letter of your name. Save the certificate as a page and "
            "print that.",
        )


def _best_exams(lines: list[LessonLine]) -> list[ExamPassed]:
    """The best passed exam of each level, in the order of the levels."""
    best: dict[str, LessonLine] = {}
    for line in lines:
        if line.passed and (line.level not in best or _share(line) > _share(best[line.level])):
            best[line.level] = line
    return [
        ExamPassed(
            level,
            load_rules(best[level.id].rules),
            _day(best[level.id].changed_at),
            best[level.id].steps,
            best[level.id].correct,
            best[level.id].milliseconds,
        )
        for level in LEVELS
        if level.id in best
    ]


def _share(line: LessonLine) -> float:
    return line.correct / line.steps if line.steps else 0.0


# --- Classes ---


class NewClass(RequestBody):
    name: Annotated[str, Field(max_length=LONGEST_CLASS_NAME, examples=["Evening class"])]


class ClassCode(RequestBody):
    code: Annotated[str, Field(max_length=MAX_CODE_LENGTH, examples=["K7QX2M"])]


@dataclass(frozen=True, slots=True)
class TaughtClass(TrainingClass):
    """A class of yours; trainees join with its code."""

    trainees: int


@dataclass(frozen=True, slots=True)
class JoinedClass:
    """A class you have joined; its trainer sees your lessons since then."""

    id: int
    name: str
    trainer: str


@dataclass(frozen=True, slots=True)
class ClassesData:
    taught: list[TaughtClass]
    joined: list[JoinedClass]


@dataclass(frozen=True, slots=True)
class ClassData(TrainingClass):
    trainees: list[Trainee]


@router.get("/classes")
def my_classes(house: HouseServices, person: CurrentPerson) -> ClassesData:
    """The classes that you teach, and those that you have joined."""
    with house.store.read() as connection:
        taught = classes_taught(connection, person.id)
        joined = classes_joined(connection, person.id)
    return ClassesData(
        [TaughtClass(**asdict(found), trainees=number) for found, number in taught],
        [JoinedClass(found.id, found.name, trainer) for found, trainer in joined],
    )


@router.post("/classes", status_code=201)
def new_class(body: NewClass, house: HouseServices, person: CurrentPerson) -> TaughtClass:
    """Create a class and get its code. Anyone can teach."""
    with house.store.write() as connection:
        found = create_class(connection, person.id, body.name, house.now())
    return TaughtClass(**asdict(found), trainees=0)


@router.post("/classes/join")
def join(
    body: ClassCode, request: Request, house: HouseServices, person: CurrentPerson
) -> JoinedClass:
    """Join a class with its code. Its trainer sees your lessons from now on."""
    house.code_limit.take(client_address(request))
    with house.store.write() as connection:
        found = join_class(connection, person.id, body.code, house.now())
        joined = classes_joined(connection, person.id)
    return next(JoinedClass(found.id, found.name, name) for one, name in joined if one == found)


@router.get("/classes/{number}")
def training_class(number: PathId, house: HouseServices, person: CurrentPerson) -> ClassData:
    """A class that you teach, with each trainee's results."""
    with house.store.read() as connection:
        found = _taught(connection, person, number)
        return ClassData(**asdict(found), trainees=trainees_of(connection, number))


def _taught(connection: Connection, person: Person, number: int) -> TrainingClass:
    found = find_class(connection, number)
    if found is None or found.trainer != person.id:
        raise not_found("class")
    return found


@router.delete("/classes/{number}", status_code=204, response_class=Response)
def end_class(number: PathId, house: HouseServices, person: CurrentPerson) -> None:
    """Close a class that you teach. The trainees keep their results."""
    with house.store.write() as connection:
        close_class(connection, _taught(connection, person, number))


@router.delete("/classes/{number}/trainees/{trainee}", status_code=204, response_class=Response)
def remove_trainee(
    number: PathId, trainee: PathId, house: HouseServices, person: CurrentPerson
) -> None:
    """Leave a class, or remove a trainee from your class."""
    with house.store.write() as connection:
        if trainee != person.id:
            _taught(connection, person, number)
        if not leave_class(connection, number, trainee):
            raise not_found("trainee")


COLUMNS = (
    "trainee",
    "level",
    "kind",
    "begun",
    "finished",
    "rounds",
    "steps",
    "right",
    "accuracy_percent",
    "score",
    "passed",
    "seconds",
    "rules",
    "fingerprint",
)


@router.get("/classes/{number}/results", response_class=PlainTextResponse)
def class_results(number: PathId, house: HouseServices, person: CurrentPerson) -> PlainTextResponse:
    """The results of your class as CSV, one line for each lesson."""
    with house.store.read() as connection:
        _taught(connection, person, number)
        found = trainees_of(connection, number)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in found:
        for line in one.lessons:
            writer.writerow(map(csv_cell, _cells(one.name, line)))
    headers = {"Content-Disposition": f'attachment; filename="class-{number}.csv"'}
    return PlainTextResponse(out.getvalue(), media_type="text/csv", headers=headers)


def _cells(name: str, line: LessonLine) -> list[object]:
    return [
        name,
        find_level(line.level).title,
        str(line.kind),
        _time(line.begun_at),
        _time(line.changed_at) if line.done else "",
        line.rounds,
        line.steps,
        line.correct,
        f"{100 * _share(line):.1f}" if line.steps else "",
        "" if line.score is None else line.score,
        {None: "", True: "yes", False: "no"}[line.passed],
        round(line.milliseconds / 1000),
        line.rules,
        fingerprint(load_rules(line.rules)),
    ]


def _time(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S}"
