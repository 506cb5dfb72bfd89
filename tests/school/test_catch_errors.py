"""A round without a planted error is the real procedure; one with an error has exactly that one."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache

import pytest

from tests import IS_SOAK
from ventiuna.engine.events import Wager
from ventiuna.rules import Rules, load_rules
from ventiuna.rules.loader import preset_ids
from ventiuna.school.catch_errors import (
    CatchOutcome,
    CatchRound,
    ErrorKind,
    PlantedError,
    Watched,
    catch_result,
    describe_deed,
    error_kinds,
    possible_errors,
)
from ventiuna.school.lessons import Attempt, Lesson, LessonRound, StepFault, make_lesson
from ventiuna.school.steps import SchoolError, StepInput, StepKind, correct_input
from ventiuna.school.training import LEVELS, Level, TrainingRound, check_rules_for

PASS = Watched(milliseconds=1000)


@cache
def lessons() -> tuple[Lesson, ...]:
    """Every preset with the levels that suit it: all of them in a soak, otherwise one."""
    found: list[Lesson] = []
    for place, name in enumerate(preset_ids()):
        rules = load_rules(name)
        levels = [level for level in LEVELS if suits(level, rules)]
        for level in levels if IS_SOAK else [levels[place % len(levels)]]:
            found.append(Lesson(level, rules, 3, supervised=len(found) % 2 == 1))
    return tuple(found)


def suits(level: Level, rules: Rules) -> bool:
    try:
        check_rules_for(level, rules)
    except SchoolError:
        return False
    return True


@cache
def rounds() -> tuple[tuple[Lesson, TrainingRound], ...]:
    """A round of each preset, and every script of every level under its own rules."""
    own = [make_lesson(level.id, None, 3, supervised=True) for level in LEVELS]
    scripts = [
        (lesson, number)
        for lesson in own
        for number in range(1, len(lesson.level.scripts_for(lesson.rules)) + 1)
    ]
    # The level with everything repeats the scripts of the others.
    fast = [one for one in scripts if one[0].level.id != "everything" or one[1] == 1]
    return tuple(
        (lesson, lesson.round(number))
        for lesson, number in [*(scripts if IS_SOAK else fast), *((one, 1) for one in lessons())]
    )


def dealers_deeds(training: TrainingRound, error: PlantedError | None) -> list[StepInput]:
    """Everything the dealer does, and after an error also the right step."""
    deeds = [correct_input(step) for step in training.steps]
    if error is not None:
        deeds.insert(error.place, error.shown)
    return deeds


def faults(lesson: Lesson, number: int, deeds: list[StepInput]) -> list[tuple[int, StepFault]]:
    """Faults that the lesson's grading finds; it knows nothing of planted errors."""
    played = LessonRound(lesson, number, [Attempt(deed) for deed in deeds])
    assert played.due is None
    return [
        (place, mark.fault) for place, mark in enumerate(played.marks) if mark.fault is not None
    ]


def test_without_an_error_the_dealer_follows_the_procedure() -> None:
    for lesson, training in rounds():
        assert faults(lesson, training.number, dealers_deeds(training, None)) == []


def test_every_kind_of_error_breaks_exactly_one_rule() -> None:
    checked: Counter[ErrorKind] = Counter()
    for lesson, training in rounds():
        kinds: dict[ErrorKind, PlantedError] = {}
        named: dict[tuple[int, StepInput], set[ErrorKind]] = defaultdict(set)
        for error in possible_errors(training):
            kinds.setdefault(error.kind, error)
            named[error.place, error.shown].add(error.kind)
        assert kinds.keys() <= set(error_kinds(lesson))
        assert all(len(kinds) == 1 for kinds in named.values()), "a step has one right name"
        new = [error for kind, error in kinds.items() if IS_SOAK or checked[kind] < 3]
        for error in new:
            checked[error.kind] += 1
            [(place, fault)] = faults(lesson, training.number, dealers_deeds(training, error))
            assert place == error.place
            if error.kind.value.endswith(("-pay", "-amount")):
                assert fault is StepFault.AMOUNT
    assert set(checked) == set(ErrorKind)


def lesson_with(kind: ErrorKind) -> tuple[Lesson, int, PlantedError]:
    """A lesson whose first rounds have an error of this kind, found by seed."""
    for seed in range(400):
        for level in LEVELS:
            lesson = make_lesson(level.id, None, seed, supervised=kind is ErrorKind.FLOOR_MISSED)
            for number in (1, 2):
                error = CatchRound(lesson, number).error
                if error is not None and error.kind is kind:
                    return lesson, number, error
    raise AssertionError(kind)


def watch_to(place: int) -> list[Watched]:
    return [PASS] * place


def test_passing_everything_shows_the_real_round_and_misses_only_the_error() -> None:
    planted = 0
    for level in LEVELS:
        lesson = make_lesson(level.id, None, 11)
        for number in (1, 2, 3):
            played = CatchRound(lesson, number)
            while not played.is_over:
                place = len(played.done)
                is_wrong = played.error is not None and played.error.place == place
                right = correct_input(played.training.steps[place])
                assert (played.shown != right) == is_wrong
                played.watch(PASS)
                assert (played.verdict is not None) == is_wrong
            assert tuple(played.events()) == played.training.events
            planted += played.error is not None
            if played.ending is not None:
                assert played.ending.outcome is CatchOutcome.MISSED
                assert played.ending.answer
                assert played.ending.rules
    assert planted > len(LEVELS)


def test_an_error_is_caught_identified_and_corrected() -> None:
    lesson, number, error = lesson_with(ErrorKind.BLACKJACK_PAY)
    step = lesson.round(number).steps[error.place]
    right = correct_input(step)
    stopped = Watched(stop=True, named=error.kind, instead=right, milliseconds=2500)
    wrong = Watched(stop=True, named=ErrorKind.WIN_PAY, instead=error.shown)
    for reaction, named, corrected, points in (
        (stopped, True, True, 100),
        (replace(stopped, instead=None), True, False, 70),
        (replace(stopped, named=None), False, True, 70),
        (wrong, False, False, 40),
        (PASS, False, False, 0),
    ):
        watched = [*watch_to(error.place), reaction]
        played = CatchRound(lesson, number, watched)
        verdict = played.verdict
        assert verdict is not None
        assert (verdict.named, verdict.corrected) == (named, corrected)
        assert verdict.error == "Wrong pay: blackjack"
        assert "3 to 2" in verdict.amount
        result = catch_result(lesson, [[], watched] if number == 2 else [watched])
        assert result.score == points


def test_a_false_alarm_costs_points_and_the_round_continues() -> None:
    lesson, number, error = lesson_with(ErrorKind.SETTLE_ORDER)
    assert error.place > 1
    alarm = Watched(stop=True, named=ErrorKind.PEEK_MISSED)
    played = CatchRound(lesson, number, [alarm, PASS])
    assert len(played.done) == 2
    assert [one.outcome for one in played.false_alarms] == [CatchOutcome.FALSE_ALARM]
    assert played.false_alarms[0].rules
    result = catch_result(lesson, [*[[]] * (number - 1), [alarm, PASS]])
    assert (result.score, result.caught, result.errors) == (90, 0, ())


def test_a_seed_repeats_its_errors() -> None:
    def planted(seed: int) -> list[PlantedError | None]:
        lesson = make_lesson("doubles", None, seed)
        return [CatchRound(lesson, number).error for number in range(1, 6)]

    assert planted(8) == planted(8)
    assert planted(8) != planted(9)
    rounds_with = [error is not None for seed in range(20) for error in planted(seed)]
    assert 0.5 < sum(rounds_with) / len(rounds_with) < 0.85


@pytest.mark.parametrize(
    ("deed", "sentence"),
    [
        (
            StepInput(StepKind.PAY, 2, 0, None, Wager.HAND, 2250),
            "The dealer pays $22.50 on spot 2.",
        ),
        (StepInput(StepKind.PUSH, 3, 0, None, Wager.HAND), "The dealer pushes spot 3."),
        (StepInput(StepKind.CHECK), "The dealer looks at the down card."),
        (StepInput(StepKind.CLOSE), 'The dealer calls "No more bets."'),
    ],
)
def test_the_dealers_actions_are_described(deed: StepInput, sentence: str) -> None:
    assert describe_deed(load_rules("wsgc-2021"), deed) == sentence
