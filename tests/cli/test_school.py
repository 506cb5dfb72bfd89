"""The school in the terminal and over JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli.running import good, run
from ventiuna.cli.app import new_app
from ventiuna.engine.events import Place, Wager
from ventiuna.money import plain_amount
from ventiuna.school.catch_errors import CatchRound, error_kinds
from ventiuna.school.lessons import Lesson, make_lesson
from ventiuna.school.payouts import PayoutDrill
from ventiuna.school.step_text import STEP_WORDS
from ventiuna.school.steps import DealerStep, StepKind
from ventiuna.school.training import LEVELS
from ventiuna.school.views import typed_name


def typed(step: DealerStep) -> str:
    """The step as a user types it."""
    word = STEP_WORDS[step.kind][0]
    if step.kind is StepKind.CARD:
        if step.place is Place.PLAYER:
            return f"card {step.spot}.{step.hand + 1}"
        return f"card b{step.hand + 1}" if step.place is Place.BONUS else f"card {step.place}"
    if step.wager is not None:
        wager = "" if step.wager is Wager.HAND else f" {typed_name(step.wager)}"
        hand = f".{step.hand + 1}" if step.wager is Wager.HAND else ""
        amount = "" if step.kind is StepKind.PUSH else f" {plain_amount(step.amount)}"
        return f"{word} {step.spot}{hand}{wager}{amount}"
    return f"{word} {step.spot}.{step.hand + 1}" if step.spot else word


def give(*words: str, steps: list[str]) -> str:
    done = CliRunner().invoke(
        new_app(["school"]), ["school", *words], input="\n".join(steps) + "\n"
    )
    assert done.exit_code == 0, done.output
    return done.stdout


def test_levels_are_listed() -> None:
    text = good("school")
    assert all(level.id in text for level in LEVELS)
    assert [level["id"] for level in run("school", "--json").data] == [one.id for one in LEVELS]


@pytest.mark.parametrize("level", [level.id for level in LEVELS])
def test_a_correctly_typed_lesson_is_correct(level: str) -> None:
    steps = [typed(step) for step in make_lesson(level, None, 5).round(1).steps]
    text = give(level, "--seed", "5", steps=steps)
    assert f"{len(steps)} of {len(steps)} steps right on the first try, 100.0%." in text


def test_a_lesson_can_require_a_supervisor() -> None:
    """R-121"""
    lesson = make_lesson("bonuses", None, 3, supervised=True)
    number = next(
        number
        for number in range(1, 20)
        if any(step.wager is Wager.SUPER for step in lesson.round(number).steps)
    )
    steps = [typed(step) for one in range(1, number + 1) for step in lesson.round(one).steps]
    assert steps.count("wait") >= 2
    asked = ["bonuses", "--seed", "3", "--rounds", str(number), "--supervisor", "required"]
    text = give(*asked, steps=steps)
    assert f"{len(steps)} of {len(steps)} steps right on the first try, 100.0%." in text


def test_a_mistake_shows_its_rule_and_nonsense_gets_one_sentence() -> None:
    text = give("base-game", "--seed", "5", steps=["collect", "juggle", "show", "quit"])
    assert 'Not yet. Before you collect the cards, call "No more bets."' in text
    assert "(R-102)" in text
    assert "'juggle' isn't a step" in text
    assert 'Call "No more bets."' in text


def test_an_exam_over_json_lines() -> None:
    lesson = make_lesson("bonuses", None, 9, exam=True)
    steps = [typed(step) for number in range(1, 6) for step in lesson.round(number).steps]
    text = give("bonuses", "--exam", "--seed", "9", "--json", steps=["lock", *steps[1:]])
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[0] == {"round": 1, "level": "bonuses", "seed": 9}
    result = lines[-1]["result"]
    assert (result["passed"], result["right"], result["steps"]) == (
        True,
        len(steps) - 1,
        len(steps),
    )
    assert len(result["mistakes"]) == 1


def test_a_result_is_written_as_a_sheet(tmp_path: Path) -> None:
    page, paper = tmp_path / "exam.html", tmp_path / "exam.pdf"
    steps = [typed(step) for step in make_lesson("base-game", None, 5).round(1).steps]
    files = ("--html", str(page), "--pdf", str(paper), "--name", "Ana")
    give("base-game", "--seed", "5", *files, steps=["collect", *steps])
    text = page.read_text()
    assert "Ana" in text
    assert f"{len(steps) - 1} of {len(steps)}" in text
    assert "Round 1: Call" in text
    assert "R-102" in text
    assert "--seed 5" in text
    assert paper.read_bytes().startswith(b"%PDF-")


def caught(lesson: Lesson, number: int) -> tuple[list[str], list[str]]:
    """The input that catches the round's error, at the keyboard and as JSON lines."""
    played = CatchRound(lesson, number)
    keys, lines = [""] * len(played.training.steps), ["go"] * len(played.training.steps)
    if played.error is not None:
        kinds = error_kinds(lesson)
        right = typed(played.training.steps[played.error.place])
        keys[played.error.place] = f"s\n{kinds.index(played.error.kind) + 1}\n{right}"
        lines[played.error.place] = f"stop {played.error.kind} {right}"
    return keys, lines


def test_a_dealers_errors_are_caught_at_the_keyboard_and_over_json_lines(tmp_path: Path) -> None:
    lesson = make_lesson("doubles", None, 7)
    played = [caught(lesson, number) for number in (1, 2, 3)]
    errors = sum(CatchRound(lesson, number).error is not None for number in (1, 2, 3))
    assert errors
    asked = ["doubles", "--catch", "--seed", "7", "--rounds", "3"]
    page = tmp_path / "result.html"
    files = ("--html", str(page), "--name", "Ana")
    text = give(*asked, *files, steps=[key for keys, _ in played for key in keys])
    assert text.count("Caught.") == text.count("Right: named.") == errors
    assert "0 false alarms: 100 of 100 points." in text
    assert "Ana" in page.read_text()
    assert "--catch" in page.read_text()
    lines = [line for _, lines in played for line in lines]
    text = give(*asked, "--json", steps=["stop nothing", "stop", *lines[1:]])
    answers = [json.loads(line) for line in text.splitlines()]
    assert any("Write go, or stop" in answer.get("problem", "") for answer in answers)
    assert {"dealer": "The dealer asks spot 1."} in answers
    result = answers[-1]["result"]
    assert (result["rounds"], len(result["errors"]), len(result["false_alarms"])) == (3, errors, 1)
    assert result["score"] == 90
    assert (
        "Use only one of --exam, --catch and --payouts"
        in run("school", "doubles", "--exam", "--catch").err
    )


def test_payouts_are_drilled_at_the_keyboard_and_over_json_lines(tmp_path: Path) -> None:
    drill = PayoutDrill(make_lesson("doubles", None, 7))
    amounts = [plain_amount(step.amount) for step in drill.questions]
    page = tmp_path / "result.html"
    asked = ("doubles", "--payouts", "--seed", "7")
    text = give(*asked, "--html", str(page), steps=["much", "0.01", *amounts[1:]])
    assert "isn't an amount" in text
    assert text.count("Wrong.") == 1
    assert f"{len(amounts) - 1} of {len(amounts)} answers right." in text
    assert "--payouts" in page.read_text()
    text = give(*asked, "--json", steps=amounts[:3])
    answers = [json.loads(line) for line in text.splitlines()]
    assert [one["answer"]["right"] for one in answers if "answer" in one] == [True] * 3
    result = answers[-1]["result"]
    assert (result["right"], result["answered"], result["seed"]) == (3, 3, 7)


def test_invalid_words_are_refused() -> None:
    assert "There is no level 'none'" in run("school", "none").err
    assert (
        "needs something these rules don't have"
        in run("school", "jackpots", "--rules", "wsgc-2021").err
    )
