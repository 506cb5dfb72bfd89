"""Recorded lessons and classes on both databases, with the rights of the program's role."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier

import pytest

from ventiuna.school.lessons import make_lesson
from ventiuna.school.steps import SchoolError
from ventiuna.server.school_records import (
    LONGEST_STEP,
    LessonKind,
    Move,
    RecordConflict,
    TrainingClass,
    add_move,
    begin_lesson,
    close_class,
    create_class,
    delete_lessons,
    find_class,
    find_lesson,
    finish_lesson,
    join_class,
    leave_class,
    lessons_of,
    trainees_of,
)
from ventiuna.table.accounts import add_guest
from ventiuna.table.store.connection import Store

TODAY = date(2026, 11, 19)


def test_a_lesson_from_its_first_step_to_its_deletion(store: Store) -> None:
    lesson = make_lesson("base-game", None, 2**53 - 1)
    with store.write() as connection:
        ana = add_guest(connection, "Ana", 0, os.urandom)
        number = begin_lesson(connection, ana.id, LessonKind.PRACTICE, lesson, 1_000)
        found = find_lesson(connection, number, lock=True)
        assert found is not None
        assert (found.lesson, found.result) == (lesson, None)
        found = add_move(connection, found, (1, 0), Move("push 1", ms=1), 4_000)
        found = add_move(connection, found, (1, 1), Move("close", ms=1), 4_000 + 10**9)
        assert [move.ms for move in found.rounds[0]] == [3_000, LONGEST_STEP]
        with pytest.raises(RecordConflict, match="moved on"):
            add_move(connection, found, (1, 1), Move("close"), 9_000)
    with store.write() as connection:
        found = find_lesson(connection, number, lock=True)
        assert found is not None
        done = finish_lesson(connection, found, "Ana", TODAY, 10**10)
        assert (done.line.steps, done.line.correct, done.line.score) == (1, 0, None)
        assert finish_lesson(connection, done, "Ben", TODAY, 10**11) == done
        with pytest.raises(RecordConflict):
            add_move(connection, done, (1, 2), Move("close"), 9_000)
        assert lessons_of(connection, ana.id) == [done.line]
        assert delete_lessons(connection, ana.id) == 1
        assert find_lesson(connection, number) is None


def test_a_class_from_its_first_trainee_to_its_end(store: Store) -> None:
    lesson = make_lesson("base-game", None, 21)
    with store.write() as connection:
        rosa, ana = (add_guest(connection, name, 0, os.urandom) for name in ("Rosa", "Ana"))
        made = create_class(connection, rosa.id, "  Evening   class ", 5)
        assert made.name == "Evening class"
        begin_lesson(connection, ana.id, LessonKind.PRACTICE, lesson, 9)
        assert join_class(connection, ana.id, made.code, 10) == made
        assert join_class(connection, ana.id, made.code, 99) == made  # only once
        later = begin_lesson(connection, ana.id, LessonKind.PRACTICE, lesson, 10)
        [seen] = trainees_of(connection, made.id)
        assert (seen.name, seen.joined_at) == ("Ana", 10)
        assert [line.id for line in seen.lessons] == [later]
        assert leave_class(connection, made.id, ana.id)
        assert trainees_of(connection, made.id) == []
        join_class(connection, ana.id, made.code, 11)
        close_class(connection, made)
        with pytest.raises(SchoolError, match="No class has this code"):
            join_class(connection, ana.id, made.code, 12)
        assert len(lessons_of(connection, ana.id)) == 2


def test_any_text_may_be_tried_as_a_code(store: Store) -> None:
    with store.write() as connection:
        ana = add_guest(connection, "Ana", 0, os.urandom)
        for code in ("", "%", "ABC\0DE", "\udc80", "' OR 1=1", "ABCDE_"):
            with pytest.raises(SchoolError, match="No class has this code"):
                join_class(connection, ana.id, code, 5)


def test_a_class_can_be_joined_twice_and_closed_at_the_same_time(store: Store) -> None:
    with store.write() as connection:
        rosa, ana = (add_guest(connection, name, 0, os.urandom) for name in ("Rosa", "Ana"))
        made = create_class(connection, rosa.id, "Evening class", 5)
    start = Barrier(4)

    def join(_: int) -> TrainingClass | SchoolError:
        start.wait()
        try:
            with store.write() as connection:
                found = join_class(connection, ana.id, made.code, 10)
                time.sleep(0.02)
                return found
        except SchoolError as error:
            return error

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(join, range(4))) == [made] * 4

    def close(_: int) -> None:
        start.wait()
        with store.write() as connection:
            close_class(connection, made)

    with store.write() as connection:
        leave_class(connection, made.id, ana.id)
    with ThreadPoolExecutor(4) as pool:
        closed = [pool.submit(close, 0)]
        found = [pool.submit(join, 0).result for _ in range(3)]
        assert all(one() == made or isinstance(one(), SchoolError) for one in found)
        closed[0].result()
    with store.read() as connection:
        assert trainees_of(connection, made.id) == []
        assert find_class(connection, made.id) is None
